//! Positions: placement, leaps, ends of the game, notation.

use sakmak_tables::board::square::Square;
use sakmak_tables::position::bitboards::BitboardError;
use sakmak_tables::position::fen::FenError;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::san;
use sakmak_tables::position::{Outcome, PlacementError, Position};
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{MAKRUK, OUK, SITTUYIN};

fn position(variant: &'static Variant, fen: &str) -> Position {
    Position::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn piece(letter: char) -> Piece {
    let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
    Piece::new(side, PieceKind::from_letter(letter).unwrap())
}

fn placed(text: &str) -> Result<Position, PlacementError> {
    let men = text.split_whitespace().map(|word| {
        let (letter, square) = word.split_at(1);
        (piece(letter.chars().next().unwrap()), square.parse().unwrap())
    });
    Position::new(&MAKRUK, Side::White, men)
}

#[test]
fn placements_say_what_they_hold() {
    let square = |text: &str| text.parse::<Square>().unwrap();
    let position = placed("Ke1 ke8 Ra1 mh7 Pa4").unwrap();
    assert_eq!(position.at(square("a1")), Some(piece('R')));
    assert_eq!(position.at(square("a2")), None);
    assert_eq!(position.king(Side::Black), square("e8"));
    assert_eq!(position.pieces().count(), 5);
    assert_eq!(position.material().material.to_string(), "KRPvKM");
    assert_eq!(placed("Ke1 ke8 Ra1 ma1"), Err(PlacementError::Occupied(square("a1"))));
    assert!(matches!(placed("Ke1 Ra1"), Err(PlacementError::Kings { count: 0, .. })));
    // Illegal positions are accepted and can be tested.
    let adjacent = placed("Ke1 ke2").unwrap();
    assert!(adjacent.legality().is_err() && adjacent.in_check(Side::Black));
}

#[test]
fn pawns_of_a_game_that_refuses_them_are_refused_in_a_fen_and_as_bitboards() {
    let counting_rule = SITTUYIN.counting();
    let bitboards = |piece: PieceKind| {
        let (e1, e4, e8) = (1 << 4, 1 << 28, 1 << 60);
        let mut kinds = [0; PieceKind::ALL.len()];
        kinds[PieceKind::King.index()] = e1 | e8;
        kinds[piece.index()] = e4;
        Position::from_bitboards(counting_rule, Side::White, [e1 | e4, e8], kinds)
    };
    let pawn = bitboards(PieceKind::Pawn).unwrap_err();
    let BitboardError::Placement(placement @ PlacementError::Pawns { .. }) = pawn else {
        panic!("{pawn}")
    };
    assert!(pawn.to_string().starts_with("positions of sittuyin with pawns are refused: "));
    let read = Position::from_fen(&SITTUYIN, "4k3/8/8/8/4P3/8/8/4K3 w").unwrap_err();
    assert_eq!(read.without_likeness(), &FenError::Placement(placement));
    assert!(bitboards(PieceKind::Rook).is_ok());
}

#[test]
fn games_end_by_mate_and_stalemate() {
    let mate = position(&MAKRUK, "R3k3/8/4K3/8/8/8/8/8 b");
    assert_eq!(mate.outcome(), Some(Outcome::Checkmate));
    let stalemate = position(&MAKRUK, "k7/2K5/1M6/8/8/8/8/8 b");
    assert_eq!(stalemate.outcome(), Some(Outcome::Stalemate));
    // King and met against king and met is not dead.
    let helped = position(&MAKRUK, "8/8/8/8/8/M7/m7/k1K5 w");
    let after = helped.play(Move::from_uci(&MAKRUK, "a3b2").unwrap());
    assert_eq!(after.outcome(), Some(Outcome::Checkmate));
}

/// The moves of the pieces on d1 and e1 that are not a king's or met's ordinary ones.
fn leaps(fen: &str) -> Vec<String> {
    let with = position(&OUK, fen);
    let without = with.with_leaps(Default::default());
    let mut found: Vec<String> = with
        .legal_moves()
        .iter()
        .filter(|mv| !without.legal_moves().contains(mv))
        .map(|mv| mv.uci(&OUK))
        .collect();
    found.sort();
    found
}

#[test]
fn kings_and_mets_leap_while_they_have_the_right() {
    assert_eq!(leaps("4k3/8/8/8/8/8/8/3KM3 w DE - 0 1"), ["d1b2", "d1f2", "e1e3"]);
    assert_eq!(leaps("4k3/8/8/8/8/8/8/3KM3 w E - 0 1"), ["e1e3"]);
    assert_eq!(leaps("3mk3/8/8/8/8/8/8/3K4 b de - 0 1"), ["d8d6", "e8c7", "e8g7"]);
    // Over pieces, but not onto one.
    assert_eq!(leaps("4k3/8/8/8/8/8/2S1S3/3KM3 w DE - 0 1"), ["d1b2", "d1f2", "e1e3"]);
    assert_eq!(leaps("4k3/8/8/8/8/4P3/1S6/3KM3 w DE - 0 1"), ["d1f2"]);
    // Not out of check, nor into it.
    assert!(leaps("4k3/8/8/8/3r4/8/8/3KM3 w DE - 0 1").is_empty());
    assert_eq!(leaps("4k3/5r2/8/8/8/8/8/3KM3 w D - 0 1"), ["d1b2"]);
}

#[test]
fn leap_rights_go() {
    let rights = |fen: &str, moves: &str| {
        let moves = moves.split_whitespace().map(|text| Move::from_uci(&OUK, text).unwrap());
        let after = moves.fold(position(&OUK, fen), |position, mv| {
            assert!(position.legal_moves().contains(&mv), "{mv:?} in {position}");
            position.play(mv)
        });
        after.fen().split(' ').nth(2).unwrap().to_string()
    };
    // With the piece's first move, for good.
    assert_eq!(rights("3mk3/8/8/8/8/8/8/3KM3 w DEde - 0 1", "d1d2 e8d7 d2d1"), "Ed");
    assert_eq!(rights("3mk3/8/8/8/8/8/8/3KM3 w DEde - 0 1", "e1e3"), "Dde");
    // When it is taken at home.
    assert_eq!(rights("3mk3/8/2N5/8/8/8/8/3KM3 w DEde - 0 1", "c6d8"), "DEe");
    // The king's when a rook lands on its rank or file, whatever stands between.
    assert_eq!(rights("3mk3/8/8/8/7R/8/8/3KM3 w DEde - 0 1", "h4h8"), "DEd");
    assert_eq!(rights("3mk3/8/8/8/8/8/8/R2KM3 w DEde - 0 1", "a1a8"), "DEd");
    assert_eq!(rights("4k3/8/8/8/7r/3m4/8/3KM3 b DEe - 0 1", "h4d4"), "Ee");
    assert_eq!(rights("r3k3/8/8/8/7r/3m4/8/3KM3 b DEe - 0 1", "a8b8"), "DEe");
}

#[test]
fn notation_tells_like_men_apart() {
    let text = |variant: &'static Variant, fen: &str, mv: &str| {
        san(&position(variant, fen), Move::from_uci(variant, mv).unwrap())
    };
    let four = "8/8/8/2M1M3/8/2M1M3/8/K1k5 w - - 0 1";
    assert_eq!(text(&MAKRUK, four, "c3d4"), "Mc3d4");
    assert_eq!(text(&MAKRUK, four, "c3b4"), "M3b4");
    assert_eq!(text(&MAKRUK, four, "c3d2"), "Mcd2+");
    assert_eq!(text(&MAKRUK, four, "c3b2"), "Mb2+");
    let taken = "8/2K3k1/5m2/4S1S1/8/8/8/8 w - - 0 1";
    assert_eq!(text(&MAKRUK, taken, "e5f6"), "Sexf6+");
    let pawns = "4k3/8/4p3/3P1P2/8/8/8/R3K2R w - - 0 1";
    assert_eq!(text(&MAKRUK, pawns, "d5e6m"), "dxe6=M");
    assert_eq!(text(&MAKRUK, pawns, "d5d6m"), "d6=M");
    assert_eq!(text(&MAKRUK, "4k3/8/4K3/8/8/8/8/R7 w", "a1a8"), "Ra8#");
    let leap = "4k3/8/8/8/8/8/3M4/3KM3 w DE - 0 1";
    assert_eq!(text(&OUK, leap, "e1e3"), "Me3");
    assert_eq!(text(&OUK, leap, "d2e3"), "Me3");
}
