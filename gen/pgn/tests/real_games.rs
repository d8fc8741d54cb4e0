//! Games as written by sites: real games are read to their end, and every game comes back from its
//! own dialect.

use proptest::prelude::*;
use sakmak_pgn::dialect::{DIALECTS, Dialect};
use sakmak_pgn::mets::MetOrigins;
use sakmak_pgn::pgn::Games;
use sakmak_pgn::replay::Replay;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san;
use sakmak_tables::rules::piece::PieceKind;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, MAKRUK, OUK};

/// A file of `tests/data/games`: its text, its half moves, and its last board according to
/// `pyffish`.
type RealGame = (&'static str, usize, &'static str);

macro_rules! game {
    ($name:literal, $plies:literal, $board:literal) => {
        (include_str!(concat!("data/games/", $name, ".pgn")), $plies, $board)
    };
}

const PLAYOK: [RealGame; 9] = [
    game!("playok-87921405", 88, "8/6k1/4s1p1/3p1pP1/5S2/r3PP2/2K4R/8 w"),
    game!("playok-87921615", 71, "8/Rr3sk1/6p1/1prS1pP1/4PS2/1KN2P2/8/R7 b"),
    game!("playok-87921823", 187, "6k1/3SM3/6K1/8/8/8/8/8 b"),
    game!("playok-87921963", 69, "6r1/2mk4/p4N2/2P1S3/2n2Ps1/P3P3/3MK3/6R1 b"),
    game!("playok-87922023", 138, "8/8/8/1KMk4/8/8/8/8 w"),
    game!("playok-87922107", 57, "6r1/3snR2/p1pp1kn1/2m2sN1/2P2P2/P2SM1S1/2K5/7R b"),
    game!("playok-87922253", 117, "7R/6Mk/5Kp1/3m1p2/5r2/5m2/8/8 b"),
    game!("playok-87922408", 161, "8/8/8/8/K7/8/1k6/8 b"),
    game!("playok-87922503", 262, "8/8/8/8/1k6/mm6/1mm1n3/1K1m4 w"),
];

const SCHEMINGMIND: [RealGame; 3] = [
    game!("schemingmind-149228", 31, "8/2mss1k1/ppnppn1p/2p2p2/2P2P1N/PPNPP1SP/2SMK3/8 b"),
    game!("schemingmind-156440", 271, "8/8/8/4k3/2K5/3N4/3M4/8 b"),
    game!("schemingmind-737440", 225, "8/8/8/8/8/2K5/kMM5/2N5 b"),
];

fn replay(text: &str) -> Replay {
    let mut games = Games::of(text);
    let game = games.next().unwrap();
    assert!(games.next().is_none(), "{text}");
    let replay = Replay::of(&game, None).unwrap();
    assert!(replay.broken.is_none(), "{:?}", replay.broken);
    replay
}

fn moves(replay: &Replay) -> Vec<Move> {
    replay.moves.iter().map(|played| played.mv).collect()
}

/// The moves of a replay as its game writes them.
fn written(replay: &Replay) -> Vec<String> {
    replay.moves.iter().map(|played| replay.written(played, played.mv)).collect()
}

/// The moves of a file as written.
fn texts(text: &str) -> Vec<String> {
    let game = Games::of(text).next().unwrap();
    game.moves.into_iter().map(|written| written.text).collect()
}

#[test]
fn real_games_are_read_to_their_end() {
    for (text, plies, board) in PLAYOK.into_iter().chain(SCHEMINGMIND) {
        let replay = replay(text);
        let fen = replay.end.fen();
        assert_eq!(replay.moves.len(), plies, "{fen}");
        assert!(fen.starts_with(&format!("{board} ")), "{fen}");
        assert!(replay.other_reading.is_none(), "{:?}", replay.other_reading);
    }
    for (text, ..) in PLAYOK {
        let replay = replay(text);
        assert_eq!((replay.dialect.name, replay.start.variant().name), ("playok", "makruk"));
        let assumed = replay.assumption.unwrap().to_string();
        assert!(assumed.starts_with("makruk, by the Site tag 'PlayOK'"), "{assumed}");
        assert_eq!(assumed.contains("moves as P"), text.contains("=P"), "{assumed}");
    }
    for (text, ..) in SCHEMINGMIND {
        let replay = replay(text);
        assert_eq!((replay.dialect.name, replay.assumption), ("chess-letters", None));
    }
}

#[test]
fn real_games_are_written_as_they_stand_in_their_files() {
    for (text, ..) in PLAYOK.into_iter().chain(SCHEMINGMIND) {
        let replay = replay(text);
        let mut expected = texts(text);
        let mut own = written(&replay);
        if replay.dialect.name == "chess-letters" {
            // The correspondence site omits some marks of mate and check.
            let signs = ['+', '#'];
            for text in expected.iter_mut().chain(&mut own) {
                *text = text.trim_end_matches(signs).to_string();
            }
        }
        assert_eq!(own, expected, "{}", replay.dialect.name);
    }
}

#[test]
fn the_letters_tell_the_dialect_without_any_tag() {
    for (text, plies, _) in PLAYOK {
        let bare = text.rsplit_once(']').unwrap().1;
        let read = replay(bare);
        assert_eq!(moves(&read), moves(&replay(text)));
        assert_eq!(read.moves.len(), plies);
        let assumed = read.assumption.unwrap().to_string();
        let by = match bare.contains("=P") {
            true => "makruk, by the letters of the moves; a promoted pawn moves as P",
            false => "makruk, by the moves, which are legal in it",
        };
        assert!(assumed.starts_with(by), "{assumed}");
    }
}

/// A random game of a variant, in which pawns promote early and few pieces are taken.
fn random_game(variant: &'static Variant, fen: &str, seed: u64, plies: usize) -> Vec<Move> {
    let mut position = Position::from_fen(variant, fen).unwrap();
    let mut state = seed | 1;
    let mut moves = Vec::new();
    for _ in 0..plies {
        let legal = position.legal_moves();
        let merit = |mv: &Move| {
            let kind = position.at(mv.from).map(|piece| piece.kind);
            let quiet = !position.occupied().contains(mv.to);
            match kind {
                _ if mv.promotion.is_some() => 30,
                Some(PieceKind::Pawn) if quiet => 6,
                Some(PieceKind::Met) if quiet => 5,
                _ if quiet => 2,
                _ => 1,
            }
        };
        let all: u64 = legal.iter().map(merit).sum();
        if all == 0 {
            break;
        }
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let mut left = state % all;
        let mv = legal.iter().find(|mv| {
            let chosen = left < merit(mv);
            left = left.saturating_sub(merit(mv));
            chosen
        });
        let mv = *mv.unwrap();
        moves.push(mv);
        position = position.play(mv);
    }
    moves
}

/// The text of a game in a dialect.
fn in_dialect(dialect: Dialect, start: Position, mets: MetOrigins, moves: &[Move]) -> String {
    let (mut position, mut mets, mut text) = (start, mets, String::new());
    for &mv in moves {
        text += &(dialect.san(&position, mets, mv) + " ");
        (position, mets) = (position.play(mv), mets.after(mv));
    }
    text + "*"
}

/// Mets that are promoted pawns and mets that are not, with pawns behind.
const MANY_METS: &str = "2k5/1m~1m4/m1m~5/3P2P1/1p4M1/3M~1M2/2M5/4K3 w - - 0 1";

/// The FEN of [`MANY_METS`] without the marks of promotion.
const UNMARKED_METS: &str = "2k5/1m1m4/m1m5/3P2P1/1p4M1/3M1M2/2M5/4K3 w - - 0 1";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_games_come_back_from_every_dialect(seed in any::<u64>(), plies in 1..200_usize) {
        for (variant, fen, tag) in [
            (&*MAKRUK, MAKRUK.start, String::new()),
            (&*OUK, OUK.start, String::new()),
            (&*MAKRUK, MANY_METS, format!("[FEN \"{MANY_METS}\"]\n")),
            (&*MAKRUK, UNMARKED_METS, format!("[FEN \"{UNMARKED_METS}\"]\n")),
        ] {
            let game = random_game(variant, fen, seed, plies);
            let start = Position::from_fen(variant, fen).unwrap();
            let mets = match tag.is_empty() {
                true => MetOrigins::NONE_PROMOTED,
                false => MetOrigins::of_fen(&start, fen),
            };
            for dialect in DIALECTS {
                let text = in_dialect(dialect, start, mets, &game);
                let name = variant.name;
                let text = format!("[Variant \"{name}\"]\n[Site \"{}\"]\n{tag}{text}", dialect.name);
                let read = replay(&text);
                prop_assert_eq!(&moves(&read), &game, "{}", text);
                prop_assert_eq!(written(&read), texts(&text));
            }
        }
    }
}

/// A FEN of WinBoard, without the limit, and a FEN of Cute Chess, with 0 as the limit.
#[test]
fn games_of_graphical_interfaces_are_read_from_their_fens() {
    let ouk = replay(include_str!("data/cases/ouk-winboard-game.pgn"));
    let expected: Vec<&str> = include_str!("data/cases/ouk-winboard-game.fens").lines().collect();
    let positions = || ouk.positions().skip(1);
    assert_eq!((positions().count(), expected.len()), (2 * 63, 2 * 63));
    for (position, expected) in positions().zip(expected) {
        // `pyffish` shows a clock although nothing is counted.
        let mut fields: Vec<&str> = expected.split(' ').collect();
        if fields[3] == "-" {
            fields[4] = "0";
        }
        assert_eq!(position.fen(), fields.join(" "));
    }
    let makruk = replay(include_str!("data/cases/cutechess-makruk.pgn"));
    assert_eq!(makruk.moves.len(), 3);
    assert_eq!(makruk.start.clock().map(|clock| clock.count().0), Some(5));
}

#[test]
fn moves_are_written_in_the_letters_of_the_variant() {
    for variant in variants::all() {
        let [.., khon, met, pawn] = variant.letters;
        let (seventh, fifth) = match variant.name {
            "asean" | "shatranj" | "chess" => (format!("7{pawn}"), "8".to_string()),
            "sittuyin" => ("8".to_string(), "8".to_string()),
            _ => ("8".to_string(), format!("7{pawn}")),
        };
        let fen = format!("k7/{seventh}/8/{fifth}/8/8/{khon}{met}6/R1N1K3 w - - 0 1");
        let name = variant.name;
        let game = format!("[Variant \"{name}\"]\n[FEN \"{fen}\"]\n\n1. Kd1 *\n");
        let replay = replay(&game);
        let played = &replay.moves[0];
        for &mv in &played.before.legal_moves() {
            assert_eq!(replay.written(played, mv), san::san(&played.before, mv), "{name}");
        }
    }
}
