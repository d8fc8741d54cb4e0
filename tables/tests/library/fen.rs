//! FEN: what is read comes back, and what cannot be is refused in one line.

use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san;
use sakmak_tables::variants::{self, KAR_OUK, MAKRUK, OUK, SITTUYIN};

#[test]
fn positions_come_back_as_written() {
    for variant in variants::all().filter(|one| one.refuses_pawns.is_none()) {
        let start = Position::from_fen(variant, variant.start).unwrap();
        assert_eq!(start.fen(), variant.start);
    }
    for fen in [
        "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1",
        "8/2K3k1/5m2/4S1S1/8/8/8/8 w - 128 97 40",
        "8/8/8/8/5k2/8/8/R6K w - 32 5 2",
    ] {
        assert_eq!(Position::from_fen(&MAKRUK, fen).unwrap().fen(), fen);
    }
    let fen = "3mk3/8/8/8/8/8/8/3KM2R b DEe 126 3 9";
    assert_eq!(Position::from_fen(&OUK, fen).unwrap().fen(), fen);
}

#[test]
fn other_spellings_are_read() {
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/QB2K3 w", "4k3/8/8/8/8/8/8/MS2K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K3 b -", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K3 b - - 17 30", "4k3/8/8/8/8/8/8/R3K3 b - - 0 30"),
        ("  4k3/8/8/8/8/8/8/R3K3   b - 32 6", "4k3/8/8/8/8/8/8/R3K3 b - 32 6 1"),
        // As pychess and pyffish write promoted mets, and as addresses write blanks.
        ("4k3/8/6m~1/8/8/2M~1Q~3/8/R3K3 b", "4k3/8/6m1/8/8/2M1M3/8/R3K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K3_b_-_32_6_9", "4k3/8/8/8/8/8/8/R3K3 b - 32 6 9"),
        ("startpos", MAKRUK.start),
        (" StartPos\n", MAKRUK.start),
        // Two bare kings: the last count is over.
        ("4k3/8/8/8/8/8/8/4K3 b - 32 16 9", "4k3/8/8/8/8/8/8/4K3 b - - 0 9"),
    ] {
        assert_eq!(Position::from_fen(&MAKRUK, fen).unwrap().fen(), expected);
    }
    assert_eq!(Position::from_fen(&OUK, "startpos").unwrap().fen(), OUK.start);
    let fen = "3mk3/8/8/8/8/8/8/3KM3 w edED - 0 1";
    assert!(Position::from_fen(&OUK, fen).unwrap().fen().contains(" DEde "));
}

/// Each with what `pyffish` reads in it, or the form of Fairy-Stockfish that says the same.
#[test]
fn fens_of_other_programs_are_read_as_meant() {
    let rows = include_str!("../data/fen-dialects.tsv").lines().skip(1);
    for row in rows.clone() {
        let [program, variant, fen, means] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let variant = variants::named(variant).unwrap();
        for fen in [fen.to_string(), fen.replace(' ', "_")] {
            let read = Position::from_fen(variant, &fen).map(|position| position.fen());
            assert_eq!(read.as_deref(), Ok(means), "{program}: {fen}");
        }
    }
    assert_eq!(rows.count(), 38);
}

#[test]
fn the_highest_move_number_stays_when_moves_are_played() {
    let highest = "4k3/8/8/8/8/8/8/4K3 b - - 0 65535";
    let position = Position::from_fen(&MAKRUK, highest).unwrap();
    assert_eq!(position.with_number(65_536), position);
    let after = position.play(Move::from_uci(&MAKRUK, "e8d7").unwrap());
    assert_eq!(after.number(), 65_535);
    assert_eq!(Position::from_fen(&MAKRUK, &after.fen()), Ok(after));
}

#[test]
fn two_numbers_are_a_limit_and_a_count_if_the_pieces_have_that_limit() {
    let men = "4k3/8/8/8/8/8/8/R3K3";
    for (fields, expected) in [
        ("b - 32 6", "b - 32 6 1"),
        ("b - 16 16", "b - 16 16 1"),
        ("b - 15 16", "b - - 0 16"),
        ("b - 0 16", "b - - 0 16"),
        ("b 32 40", "b - - 0 40"),
    ] {
        let read = Position::from_fen(&MAKRUK, &format!("{men} {fields}")).unwrap();
        assert_eq!(read.fen(), format!("{men} {expected}"));
    }
    for (fields, words) in [
        ("b - 32 90", "the count 90 is impossible"),
        // More plies than have been played.
        ("b - 33 6", "'33' is not a count limit"),
        ("b - 88 40", "'88' is not a count limit"),
        ("b 32 6 1", "'32' are not leap rights"),
        ("b 1", "'1' are not leap rights"),
        ("b 10 w bp 64 10 100", "8 fields"),
        ("b - 5", "'5' is not a count limit"),
    ] {
        let error = Position::from_fen(&MAKRUK, &format!("{men} {fields}")).unwrap_err();
        assert!(error.to_string().contains(words), "{fields}: {error}");
    }
}

#[test]
fn checks_left_that_an_address_took_apart_are_read() {
    let men = "5M2/8/8/8/8/8/6k1/K7";
    for (fields, expected) in
        [("w - 126 1 1 101 60", "w - 126 1+1 101 60"), ("w - 126 1 1 101", "w - 126 1+1 101 1")]
    {
        let read = Position::from_fen(&KAR_OUK, &format!("{men} {fields}")).unwrap();
        assert_eq!(read.fen(), format!("{men} {expected}"));
        assert!(Position::from_fen(&OUK, &format!("{men} {fields}")).is_err());
    }
}

#[test]
fn pieces_that_are_not_yet_dropped_are_refused_by_that_name() {
    for pocket in ["[R]", "[KFRRSSNNkfrrssnn]", "[", "[]x"] {
        let fen = format!("8/8/8/4k3/8/4K3/4S3/4F3{pocket} w - - 0 30");
        let error = Position::from_fen(&SITTUYIN, &fen).unwrap_err().to_string();
        let expected = format!("the pocket '{pocket}' has pieces to be dropped");
        assert!(error.contains(&expected), "{error}");
        let error = Position::from_fen(&MAKRUK, &fen).unwrap_err().to_string();
        assert!(pocket.contains('x') || error.contains("looks like sittuyin"), "{error}");
    }
    let error = Position::from_fen(&MAKRUK, "8/8/8/4k3/8/4K3/4R3/8[] w").unwrap_err();
    assert!(error.to_string().contains("looks like sittuyin"), "{error}");
}

#[test]
fn what_cannot_be_is_refused_in_one_line_that_says_why() {
    let pieces = "counting makruk with these pieces: expected - or 16, 32 plies";
    for (fen, words) in [
        ("", "0 fields"),
        ("nonsense", "1 field:"),
        ("4k3/8/8/8/8/8/8/4K3", "no side to move: expected w or b after the board, such as '4k3/"),
        ("KRvK", "KRvK is a material and not a position: expected a board and a side to move"),
        ("krvkn", "KRvKN is a material"),
        ("KRvK w", "KRvK is a material"),
        ("startpos w", "1 rank,"),
        ("4k3/8/8/8/R~7/8/8/4K3 w", "'~' on rank 4 marks no promoted piece: expected after M"),
        ("4k3/8/8/8/M~~6/8/8/4K3 w", "'~' on rank 4"),
        ("4k3/8/8/8/M1~6/8/8/4K3 w", "'~' on rank 4"),
        ("4k3/8/8/8/~8/8/8/4K3 w", "'~' on rank 4"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 1", "7 fields"),
        ("4k3/8/8/8/8/8/4K3 w", "7 ranks"),
        ("4k3/8/8/8/8/8/8/8/4K3 w", "9 ranks"),
        ("4k3/8/8/8/7/8/8/4K3 w", "rank 4, '7', has 7 squares"),
        ("4k3/8/8/8/8R/8/8/4K3 w", "rank 4, '8R', has 9 squares"),
        ("4k3/8/8/8/9/8/8/4K3 w", "'9' on rank 4"),
        ("4k3/8/8/8/0/8/8/4K3 w", "'0' on rank 4"),
        ("4k3/8/8/8/X7/8/8/4K3 w", "'X' on rank 4"),
        ("4k3/8/8/8/\u{0e01}7/8/8/4K3 w", "on rank 4"),
        ("4k3/8/8/8/8/8/8/4K3 x", "'x' is not a side"),
        ("8/8/8/8/8/8/8/4K3 w", "black has 0 kings"),
        ("4k3/8/8/8/8/8/8/8 w", "white has 0 kings"),
        ("4k3/8/8/8/8/8/8/K3K3 w", "white has 2 kings"),
        ("8/8/8/4k3/4K3/8/8/8 w", "kings on e4 and e5 are adjacent"),
        ("4k3/8/8/8/8/8/8/K3R3 w", "black king on e8 is in check"),
        ("4k3/8/8/8/8/8/8/K3r2R w", ""),
        ("4k3/8/8/8/8/8/P7/4K3 w", "white pawn cannot stand on a2"),
        ("4k3/8/8/8/8/8/8/P3K3 w", "white pawn cannot stand on a1"),
        ("4k3/8/P7/8/8/8/8/4K3 w", "white pawn cannot stand on a6"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "ranks 3 to 5"),
        ("P3k3/8/8/8/8/8/8/4K3 w", "white pawn cannot stand on a8"),
        ("4k3/8/8/8/8/p7/8/4K3 w", "ranks 4 to 6"),
        ("4k3/RRRRRRRR/RRRRRRRR/8/8/8/8/4K3 b", "white has 17 men"),
        ("4k3/8/8/8/8/8/8/3KM3 w D - 0 1", "not leap rights of makruk"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 33 6 1", pieces),
        ("4k3/8/8/8/8/8/8/R3K3 b - x 6 1", pieces),
        ("4k3/8/8/8/8/8/8/R3K3 b - 65536 6 1", pieces),
        ("4k3/7m/8/8/8/8/8/R3K3 b - 32 6 1", "- or 128 plies"),
        ("4k3/8/8/8/P7/8/8/R3K3 b - 32 6 1", "counts nothing"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 32", "lacks a count"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 32 -", "lacks a count"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 32 -6 1", "'-6' is not a count"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 32 99999999999 1", "is not a count"),
        ("4k3/8/8/8/8/8/8/R3K3 b - - x 1", "'x' is not a count"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 32 6 one", "'one' is not a move number"),
    ] {
        match Position::from_fen(&MAKRUK, fen) {
            // The one that is legal: the white king's side is to move and in check.
            Ok(_) => assert!(words.is_empty(), "{fen} was read"),
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains(words) && !words.is_empty(), "{fen}: {text}");
                assert!(!text.contains('\n'), "{text}");
            }
        }
    }
    for (fen, words) in [
        ("4k3/8/8/8/8/8/8/2K1M3 w D - 0 1", "no white K is on d1"),
        ("4k3/8/8/8/8/8/8/2K1M3 w d - 0 1", "no black M is on d8"),
        ("4k3/8/8/8/8/8/8/3KM3 w C - 0 1", "some of DEde"),
        ("4k3/8/8/8/8/8/8/3KM3 w DD - 0 1", "each once"),
    ] {
        let text = Position::from_fen(&OUK, fen).unwrap_err().to_string();
        assert!(text.contains(words), "{fen}: {text}");
    }
}

#[test]
fn checks_left_follow_from_the_position() {
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/R3K3 b - 30 1+1 6 1", "4k3/8/8/8/8/8/8/R3K3 b - 30 1+1 6 1"),
        ("4k3/8/8/8/8/8/8/3KR3 b - 30 0+1 6 1", "4k3/8/8/8/8/8/8/3KR3 b - 30 0+1 6 1"),
        ("4r3/8/8/8/3k4/8/8/4K3 w - - 1+0 0 9", "4r3/8/8/8/3k4/8/8/4K3 w - - 1+0 0 9"),
        // Without the field, and as at the start.
        ("4k3/8/8/8/8/8/8/R3K3 b - 30 6 1", "4k3/8/8/8/8/8/8/R3K3 b - 30 1+1 6 1"),
        ("4k3/8/8/8/8/8/8/R3K3 b", "4k3/8/8/8/8/8/8/R3K3 b - - 1+1 0 1"),
        ("4k3/8/8/8/8/8/8/3KR3 b - 30 1+1 6 1", "4k3/8/8/8/8/8/8/3KR3 b - 30 0+1 6 1"),
    ] {
        assert_eq!(Position::from_fen(&KAR_OUK, fen).unwrap().fen(), expected, "{fen}");
    }
    let refused = |variant, fen: &str| Position::from_fen(variant, fen).unwrap_err().to_string();
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/R3K3 b - 30 0+1 6 1", "checks left of White and Black: expected"),
        ("4k3/8/8/8/8/8/8/3KR3 b - 30 1+0 6 1", "expected 0+1, found '1+0'"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 30 3+3 6 1", "expected 1+1, found '3+3'"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 30 + 6 1", "expected 1+1, found '+'"),
    ] {
        let text = refused(&KAR_OUK, fen);
        assert!(text.contains(expected), "{text}");
    }
    for variant in [&MAKRUK, &OUK] {
        let text = refused(variant, "4k3/8/8/8/8/8/8/R3K3 b - - 1+1 0 1");
        assert!(text.contains("'1+1' are checks left: a FEN of "), "{text}");
        assert!(text.ends_with("the FEN looks like kar-ouk"), "{text}");
    }
}

/// Asserts that a FEN with this count is refused with an error that contains `words`, or that it
/// is accepted if `words` is empty.
#[track_caller]
fn assert_count(counting_rule: &str, men: &str, count: &str, words: &str) {
    let counting_rule = variants::counting_rule(counting_rule).unwrap();
    let fen = format!("{men} - {count} 40");
    match Position::from_fen_counted(counting_rule, &fen) {
        Ok(position) => {
            assert_eq!(words, "", "{fen} was read");
            assert_eq!((position.fen(), position.counting_rule()), (fen, counting_rule));
        }
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains(words) && !words.is_empty(), "{fen}: {text}");
            assert!(!text.contains('\n'), "{text}");
        }
    }
}

#[test]
fn limits_are_those_of_the_profile_and_the_men() {
    let rook = "4k3/8/8/8/8/8/8/R3K3 b";
    let khon_and_knights = "4k3/8/8/8/8/8/8/SNN1K3 b";
    let (met, both) = ("4k3/8/8/8/8/8/8/M3K3 b", "4k3/7m/8/8/8/8/8/R3K3 b");
    let pawn = "4k3/8/8/8/P7/8/8/R3K3 b";
    for (counting_rule, men, limits, words) in [
        // Limits of pieces there cannot have been, and of other ways of counting.
        ("makruk", rook, &["16", "32"][..], "expected - or 16, 32 plies"),
        ("ouk", rook, &["14", "30", "126"], "expected - or 14, 30, 126 plies"),
        ("ouk-traditional", rook, &["16", "32"], "expected - or 16, 32 plies"),
        ("makruk", khon_and_knights, &["16", "32", "44", "64"], "- or 16, 32, 44, 64 plies"),
        (
            "makruk-khon-first",
            khon_and_knights,
            &["16", "32", "44", "88"],
            "counting makruk-khon-first with these pieces: expected - or 16, 32, 44, 88 plies",
        ),
        ("ouk", khon_and_knights, &["14", "30", "42", "62", "126"], "- or 14, 30, 42, 62, 126"),
        ("ouk-traditional", khon_and_knights, &["16", "32", "44", "88"], "44, 88 plies"),
        ("makruk", met, &["16", "32", "44", "64", "88", "128"], "64, 88, 128 plies"),
        ("ouk", met, &["14", "30", "42", "62", "86", "126"], "62, 86, 126 plies"),
        // Pieces on both sides.
        ("makruk", both, &["128"], "expected - or 128 plies"),
        ("makruk-khon-first", both, &["128"], "expected - or 128 plies"),
        ("ouk", both, &["126"], "expected - or 126 plies"),
        ("ouk-traditional", both, &[], "counts nothing with these pieces, expected '-'"),
        // A pawn on the board.
        ("makruk", pawn, &[], "counting makruk counts nothing with these pieces, expected '-'"),
        ("makruk-khon-first", pawn, &[], "makruk-khon-first counts nothing with these pieces"),
        ("ouk", pawn, &["126"], "expected - or 126 plies"),
        ("ouk-traditional", pawn, &[], "ouk-traditional counts nothing with these pieces"),
    ] {
        for limit in 1..140 {
            let limit = limit.to_string();
            let words = if limits.contains(&limit.as_str()) { "" } else { words };
            assert_count(counting_rule, men, &format!("{limit} 12"), words);
        }
    }
}

#[test]
fn a_count_goes_one_past_its_limit() {
    let rook = "4k3/8/8/8/8/8/8/R3K3 b";
    let both = "4k3/7m/8/8/8/8/8/R3K3 b";
    let pawn = "4k3/8/8/8/P7/8/8/R3K3 b";
    for (counting_rule, men, limit) in [
        ("makruk", rook, 32),
        ("makruk-khon-first", rook, 32),
        ("ouk", rook, 30),
        ("ouk", rook, 126),
        ("ouk-traditional", rook, 32),
        ("makruk", both, 128),
        ("makruk-khon-first", both, 128),
        ("ouk", both, 126),
        ("ouk", pawn, 126),
    ] {
        for count in [0, 1, 6, limit, limit + 1] {
            assert_count(counting_rule, men, &format!("{limit} {count}"), "");
        }
        for count in [limit + 2, limit + 3, 500, 65_535] {
            let words = format!(
                "the count {count} is impossible: with the limit {limit} and these pieces, expected at most {} \
                 plies",
                limit + 1
            );
            assert_count(counting_rule, men, &format!("{limit} {count}"), &words);
        }
        assert_count(counting_rule, men, &format!("{limit} 65536"), "'65536' is not a count");
    }
    // Two rooks and seven more: the first number called is past the limit of eight.
    let many = "4k3/8/8/8/8/8/NNMMMSS1/R3K2R b";
    assert_count("makruk", many, "16 22", "");
    assert_count("makruk", many, "16 23", "expected at most 22 plies");
}

/// Input may be of any length; each message has its beginning only.
#[test]
fn no_message_grows_with_its_input() {
    let long = "k1".repeat(50_000);
    let men = "8/8/8/3k4/8/8/4R3/4K3";
    let fens = [
        "{}",
        "{} w",
        "8/8/8/8/8/8/8/{} w",
        "8/8/8/8/8/8/8/{}",
        "8/8/8/3k4/8/8/8/{}4K3 w",
        "MEN {}",
        "MEN w {}",
        "MEN w {} 0 1",
        "MEN w - {}",
        "MEN w - 32 {}",
        "MEN w - 32 6 {}",
        "MEN w - {} 1",
        "MEN w - +{} 0 1",
        "MEN w - - +{} 0 1",
    ];
    let position = Position::from_fen(&MAKRUK, &format!("{men} w")).unwrap();
    let mut messages = Vec::new();
    for (fen, variant) in fens.iter().flat_map(|fen| variants::all().map(move |one| (fen, one))) {
        let fen = fen.replace("MEN", men).replace("{}", &long);
        messages.push(Position::from_fen(variant, &fen).unwrap_err().to_string());
    }
    for text in [long.clone(), format!("e1{long}"), format!("KR{long}vK"), format!("KRv{long}")] {
        messages.push(Move::from_uci(&MAKRUK, &text).unwrap_err().to_string());
        messages.push(san::read(&position, &text).unwrap_err().to_string());
        messages.push(text.parse::<Material>().unwrap_err().to_string());
        messages.push(variants::named(&text).unwrap_err().to_string());
        messages.push(variants::counting_rule(&text).unwrap_err().to_string());
    }
    for message in messages {
        let repeated = message.matches("k1").count() * 2;
        assert!(repeated <= Excerpt::LONGEST && message.len() < 500, "{message}");
    }
}
