//! What ends a game, as a value of the rules.

use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::position::moves::MoveList;
use sakmak_tables::position::perft::perft;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::end_rule::EndRule;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, KAR_OUK, OUK};
use std::sync::LazyLock;

const LOST: Value = Value::Loss(Moves(0));

static STALEMATE: LazyLock<Variant> = LazyLock::new(|| {
    let end = EndRule { stalemate_loses: true, ..EndRule::MATE };
    OUK.with_rules("stalemate", Rules { end, ..OUK.rules })
});

/// A position of Ouk in another game.
fn position(variant: &'static Variant, fen: &str) -> Position {
    let of_ouk = Position::from_fen(&OUK, fen).unwrap();
    let position = Position::new(variant, of_ouk.side(), of_ouk.pieces()).unwrap();
    position.with_leaps(of_ouk.leaps())
}

#[test]
fn games_end_as_their_rules_have_it() {
    let (mate, stalemate) = ("R3k3/8/4K3/8/8/8/8/8 b", "k7/2K5/1M6/8/8/8/8/8 b");
    let check = "R3k3/8/8/4K3/8/8/8/8 b";
    for (fen, outcome, usual, by_check, by_stalemate) in [
        (mate, Outcome::Checkmate, Some(LOST), Some(LOST), Some(LOST)),
        (check, Outcome::Checkmate, None, Some(LOST), None),
        (stalemate, Outcome::Stalemate, Some(Value::Draw), Some(Value::Draw), Some(LOST)),
        ("k7/8/8/8/8/8/8/7K b", Outcome::Stalemate, None, None, None),
    ] {
        for (variant, value) in [(&*OUK, usual), (&*KAR_OUK, by_check), (&*STALEMATE, by_stalemate)]
        {
            let position = position(variant, fen);
            assert_eq!(position.final_value(), value, "{fen} {}", variant.name);
            assert_eq!(position.outcome(), value.map(|_| outcome), "{fen} {}", variant.name);
            assert_eq!(position.legal_moves().is_empty(), value.is_some(), "{fen}");
        }
    }
}

/// The number is Fairy-Stockfish's for its `karouk`.
#[test]
fn nothing_is_played_after_a_check_that_wins() {
    let fen = "rn1mksnr/3s4/pppppppp/8/4N3/PPPPPPPP/8/R1SKMSNR b DEde - 3 2";
    assert_eq!(perft(&position(&KAR_OUK, fen), 4), 358_460);
    assert_ne!(perft(&position(&OUK, fen), 4), 358_460);
}

/// Files made before carry the first of these.
#[test]
fn only_another_end_has_another_fingerprint() {
    assert_eq!(OUK.rules.fingerprint(), 16_464_054_896_347_282_113);
    let others = [KAR_OUK.rules.fingerprint(), STALEMATE.rules.fingerprint()];
    assert!(others[0] != others[1] && !others.contains(&OUK.rules.fingerprint()));
}

/// As pyffish lists the moves of a bare king in Shatranj, without the capture of the last piece.
#[test]
fn a_closing_move_is_a_step_against_the_last_piece() {
    for (variant, fen, legal, closing) in [
        ("shatranj", "6k1/8/8/8/8/8/1R6/4K3 b", "", "g8f7 g8g7 g8h7 g8f8 g8h8"),
        ("shatranj", "8/8/8/8/8/1k6/R7/4K3 b", "b3a2", "b3b4 b3c3 b3c4"),
        ("shatranj", "8/8/8/8/8/8/r1k5/K7 w", "a1a2", ""),
        ("shatranj", "8/8/8/8/8/2k5/8/r3K3 w", "", "e1e2 e1f2"),
        // Over at once.
        ("shatranj", "6k1/8/8/8/8/8/1R6/R3K3 b", "", ""),
        ("shatranj", "7k/8/6K1/8/8/8/8/7R b", "", "h8g8"),
        ("shatranj", "k1K5/8/8/8/8/8/8/R7 b", "", ""),
        ("makruk", "k1K5/8/8/8/8/8/8/R7 b", "", ""),
        ("makruk", "7k/8/6K1/8/8/8/8/7R b", "h8g8", ""),
    ] {
        let position = Position::from_fen(variants::named(variant).unwrap(), fen).unwrap();
        let told = |moves: MoveList| {
            let mut moves: Vec<String> =
                moves.iter().map(|mv| mv.uci(position.variant())).collect();
            moves.sort();
            moves
        };
        let sorted = |text: &str| {
            let mut words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
            words.sort();
            words
        };
        assert_eq!(told(position.legal_moves()), sorted(legal), "{fen}");
        assert_eq!(told(position.closing_moves()), sorted(closing), "{fen}");
    }
}
