//! FEN: what is read comes back, and what cannot be is refused in one line.

use sakmak_tables::position::Position;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{MAKRUK, OUK};

#[test]
fn positions_come_back_as_written() {
    for variant in Variant::all() {
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
        // Two bare kings: the last count is over.
        ("4k3/8/8/8/8/8/8/4K3 b - 32 16 9", "4k3/8/8/8/8/8/8/4K3 b - - 0 9"),
    ] {
        assert_eq!(Position::from_fen(&MAKRUK, fen).unwrap().fen(), expected);
    }
    let fen = "3mk3/8/8/8/8/8/8/3KM3 w edED - 0 1";
    assert!(Position::from_fen(&OUK, fen).unwrap().fen().contains(" DEde "));
}

#[test]
fn what_cannot_be_is_refused_in_one_line_that_says_why() {
    let pieces = "16, 32, 44, 64, 88, 128";
    for (fen, words) in [
        ("", "0 fields"),
        ("4k3/8/8/8/8/8/8/4K3", "1 field:"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 1", "7 fields"),
        ("4k3/8/8/8/8/8/4K3 w", "7 ranks"),
        ("4k3/8/8/8/8/8/8/8/4K3 w", "9 ranks"),
        ("4k3/8/8/8/7/8/8/4K3 w", "rank 4, '7', has 7 squares"),
        ("4k3/8/8/8/8R/8/8/4K3 w", "rank 4, '8R', has 9 squares"),
        ("4k3/8/8/8/9/8/8/4K3 w", "'9' on rank 4"),
        ("4k3/8/8/8/0/8/8/4K3 w", "'0' on rank 4"),
        ("4k3/8/8/8/X7/8/8/4K3 w", "'X' on rank 4"),
        ("4k3/8/8/8/\u{0e01}7/8/8/4K3 w", "on rank 4"),
        ("4k3/8/8/8/8/8/8/4K3 x", "'x' is no side"),
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
        ("4k3/8/8/8/8/8/8/3KM3 w D - 0 1", "no leap rights of makruk"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 33 6 1", pieces),
        ("4k3/8/8/8/8/8/8/R3K3 b - x 6 1", pieces),
        ("4k3/8/8/8/8/8/8/R3K3 b - 65536 6 1", pieces),
        ("4k3/7m/8/8/8/8/8/R3K3 b - 32 6 1", "128 plies"),
        ("4k3/8/8/8/P7/8/8/R3K3 b - 32 6 1", "counts nothing"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 32", "stands alone"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 32 -", "stands alone"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 32 -6 1", "'-6' is no count"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 32 99999999999 1", "is no count"),
        ("4k3/8/8/8/8/8/8/R3K3 b - - x 1", "'x' is no count"),
        ("4k3/8/8/8/8/8/8/R3K3 b - 32 6 one", "'one' is no move number"),
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
        ("4k3/8/8/8/8/8/8/2K1M3 w D - 0 1", "no white K stands on d1"),
        ("4k3/8/8/8/8/8/8/2K1M3 w d - 0 1", "no black M stands on d8"),
        ("4k3/8/8/8/8/8/8/3KM3 w C - 0 1", "some of DEde"),
        ("4k3/8/8/8/8/8/8/3KM3 w DD - 0 1", "each once"),
    ] {
        let text = Position::from_fen(&OUK, fen).unwrap_err().to_string();
        assert!(text.contains(words), "{fen}: {text}");
    }
}
