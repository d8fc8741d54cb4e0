//! Detection of a FEN that belongs to another variant.

use crate::board::square::Square;
use crate::position::fen::{FenError, START};
use crate::position::{IllegalPosition, PlacementError, Position};
use crate::variant::Variant;
use crate::variants;

/// Ranks of a board of Janggi.
const JANGGI_RANKS: usize = 10;

/// The board game whose FEN the text looks like. Board games have their tables in another crate.
fn board_game(fen: &str) -> Option<&'static str> {
    let between = |letter: char| letter.is_whitespace() || letter == '_';
    let mut fields = fen.split(between).filter(|field| !field.is_empty());
    if fields.next()?.split('/').count() == JANGGI_RANKS {
        return Some("janggi");
    }
    // A field such as c1c4,e1e4 lists the obligatory moves.
    let is_square = |text: Option<&str>| text.is_some_and(|text| text.parse::<Square>().is_ok());
    let is_move = |text: &str| is_square(text.get(..2)) && is_square(text.get(2..));
    fields.nth(1)?.split(',').all(is_move).then_some("min-rek-chanh")
}

impl FenError {
    /// Adds the variants whose FEN the text is to an error from reading it as a FEN of `variant`.
    /// Adds none if every other variant fits.
    pub(super) fn likened(self, variant: &Variant, fen: &str) -> FenError {
        if let Some(game) = board_game(fen) {
            return FenError::OtherVariant { source: Box::new(self), variants: game.to_string() };
        }
        // `startpos` is a start position in every variant.
        if !self.depends_on_variant() || fen.trim().eq_ignore_ascii_case(START) {
            return self;
        }
        let others = variants::all().filter(|other| *other != variant);
        let others: Vec<&Variant> = others.filter(|other| fits(other, variant, fen)).collect();
        let of_start: Vec<&Variant> =
            others.iter().copied().filter(|other| is_start_of(other, fen)).collect();
        let likeliest = match of_start.is_empty() {
            true if others.len() + 1 == variants::all().count() => Vec::new(),
            true => others,
            false => of_start,
        };
        let names: Vec<&str> = likeliest.into_iter().map(|other| other.name).collect();
        match names.is_empty() {
            true => self,
            false => {
                FenError::OtherVariant { source: Box::new(self), variants: names.join(" or ") }
            }
        }
    }

    /// The error without the variants that the FEN looks like.
    pub fn without_likeness(&self) -> &FenError {
        match self {
            FenError::OtherVariant { source, .. } => source.without_likeness(),
            other => other,
        }
    }

    /// Whether a FEN of another variant may cause this error. A king that can be taken is an error
    /// in every variant; a variant with weaker pieces accepts it only by chance.
    fn depends_on_variant(&self) -> bool {
        matches!(
            self,
            FenError::Illegal(IllegalPosition::PawnRank { .. })
                | FenError::Fields(_)
                | FenError::Letter { .. }
                | FenError::Pocket(_)
                | FenError::Promoted { .. }
                | FenError::Leaps { .. }
                | FenError::Castling(_)
                | FenError::EnPassant { .. }
                | FenError::NoChecks { .. }
                | FenError::NotCounted { .. }
                | FenError::Placement(PlacementError::Pawns { .. })
                | FenError::Limit { .. }
                | FenError::Count(_)
                | FenError::Number(_)
        )
    }
}

/// Whether the text is a FEN of `other`. A FEN refused for its pawns or its pocket counts if it has
/// a letter that `variant` lacks.
fn fits(other: &Variant, variant: &Variant, fen: &str) -> bool {
    match Position::read(other.counting(), fen) {
        Ok(_) => true,
        Err(FenError::Placement(PlacementError::Pawns { .. }) | FenError::Pocket(_)) => {
            let mut letters = letters(fen);
            letters.clone().all(|letter| other.kind(letter).is_some())
                && letters.any(|letter| variant.kind(letter).is_none())
        }
        Err(_) => false,
    }
}

/// The letters of the first field, pieces in hand included.
fn letters(fen: &str) -> impl Iterator<Item = char> + Clone {
    let board = fen.split_whitespace().next().unwrap_or_default();
    board.chars().filter(char::is_ascii_alphabetic)
}

/// Whether the text is the start position of a variant.
fn is_start_of(variant: &Variant, fen: &str) -> bool {
    let [read, start] = [fen, variant.start].map(|fen| Position::read(variant.counting(), fen));
    read.is_ok_and(|(read, _)| start.is_ok_and(|(start, _)| read.is_set_up_as(&start)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{MAKRUK, OUK, SHATRANJ, SITTUYIN};

    #[test]
    fn a_fen_of_another_board_is_refused_by_the_name_of_its_game() {
        for (fen, reason, game) in [
            ("3k5/9/9/9/4R4/9/9/9/H8/4K4 w - - 0 1", "the board has 10 ranks", "janggi"),
            ("3k5/9/9/9/4R4/9/9/9/N8/4K4_w", "the board has 10 ranks", "janggi"),
            ("3k5/9/9/9/4R4/9/9/9/N8/4K4", "the FEN has 1 field", "janggi"),
            ("8/7k/8/2m5/8/2M5/K7/8 w c3c5 - 0 1", "are not leap rights", "min-rek-chanh"),
            ("8/7k/8/2m5/8/2M5/K7/8 w c3c5,e1e4", "are not leap rights", "min-rek-chanh"),
        ] {
            for variant in variants::all() {
                let error = Position::from_fen(variant, fen).unwrap_err().to_string();
                // In some variants the letters are refused first.
                assert!(variant != &*MAKRUK || error.contains(reason), "{error}");
                assert!(error.ends_with(&format!("; the FEN looks like {game}")), "{error}");
            }
        }
    }

    #[test]
    fn a_fen_of_another_variant_is_refused_by_its_name() {
        for (variant, fen, looks) in [
            (&*MAKRUK, OUK.start, "looks like ouk"),
            (&MAKRUK, "4k3/8/8/5P2/8/2R1K3/8/8 w - 126 41 50", "looks like ouk"),
            (&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 b - 30 6 1", "looks like ouk"),
            (&OUK, "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1", "looks like makruk"),
            (&SHATRANJ, MAKRUK.start, "looks like makruk or makpong"),
            (&MAKRUK, SITTUYIN.start, "looks like sittuyin"),
            (&MAKRUK, "8/8/8/3k4/8/2P5/4F3/4K3 w", "looks like sittuyin"),
            (&SITTUYIN, "8/2P5/8/3k4/8/8/8/4K3 w", "looks like shatranj or asean"),
            (&OUK, "8/8/8/3k4/8/8/4R3/4K3 b - 30 6 1", ""),
        ] {
            let error = Position::from_fen(variant, fen).map_err(|error| error.to_string());
            assert_eq!(error.is_err(), !looks.is_empty(), "{fen}");
            assert!(error.err().unwrap_or_default().contains(looks), "{fen}");
        }
        // FENs of the variant itself.
        for fen in ["startpos", SITTUYIN.start] {
            let error = Position::from_fen(&SITTUYIN, fen).unwrap_err();
            assert_eq!(error.without_likeness(), &error, "{fen}");
        }
        // A pawn that every other variant accepts.
        let error = Position::from_fen(&SITTUYIN, "8/8/8/3k4/8/2P5/8/4K3 w").unwrap_err();
        assert_eq!(error.without_likeness(), &error);
        for fen in ["8/8/8/3k4/8/8/4R3/4K3 b Q - 0 1", "8/8/8/3kK3/8/8/4R3/8 b - - 0 1", "8/8 w"] {
            let error = Position::from_fen(&MAKRUK, fen).unwrap_err();
            assert_eq!(error.without_likeness(), &error);
            assert!(!error.to_string().contains("looks like"), "{error}");
        }
    }
}
