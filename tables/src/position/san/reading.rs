//! Parses moves as people write them.
//!
//! Parsing is lenient: a move is accepted if it names one legal move, with any marks and any amount
//! of disambiguation. `x` and the new piece of a promotion may be missing. Letters of pieces are
//! capitals, `Q`, `F` and `B` among them. Without a letter, two squares name any piece's move, as
//! in UCI, and one square names a pawn's. A promotion to a met may have the letter of a pawn, `=P`.

use crate::board::square::{SIDE_LENGTH, Square};
use crate::excerpt::Excerpt;
use crate::position::Position;
use crate::position::moves::{Move, MoveList};
use crate::position::san::letters::{Fit, KindLetters, SanLetters};
use crate::rules::piece::{PieceKind, letter_kind};

/// The text is not one legal move of the position.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// Not a move in any position.
    #[error("'{0}' is not a move")]
    Form(Excerpt),
    /// Not a legal move here.
    #[error("'{0}' is not a legal move here")]
    Illegal(Excerpt),
    /// The game is over.
    #[error("'{0}' comes after the end of the game")]
    Over(Excerpt),
    /// The text can mean several moves.
    #[error("'{text}' may be {}", .moves.join(" or "))]
    Ambiguous {
        /// The text as written.
        text: Excerpt,
        /// The moves, UCI.
        moves: Vec<String>,
    },
}

crate::readable_error!(SanError);

/// A move as written, taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SanParts {
    /// The letter of the piece, a capital, or `None`.
    pub letter: Option<char>,
    /// The file that it leaves, from 0, if it is written.
    pub file: Option<usize>,
    /// The rank that it leaves, from 0, if it is written.
    pub rank: Option<usize>,
    /// The square that it goes to.
    pub to: Square,
    /// The letter of the piece that a pawn becomes, a capital, if it is written.
    pub promotion: Option<char>,
}

/// The legal move that a text in algebraic notation or UCI denotes.
///
/// An ordinary move takes precedence over a first-move leap to the same square, as in
/// [`san`](crate::position::san::san).
///
/// # Errors
///
/// If it matches no legal move, or more than one.
pub fn read(position: &Position, text: &str) -> Result<Move, SanError> {
    read_with(position, text, &KindLetters(position))
}

/// Parses a move like [`read`], with other letters.
///
/// # Errors
///
/// Same as [`read`].
pub fn read_with(
    position: &Position,
    text: &str,
    letters: &impl SanLetters,
) -> Result<Move, SanError> {
    read_among(position, text, letters, &position.legal_moves())
}

/// Parses a move like [`read_with`], among the [closing moves](Position::closing_moves).
///
/// # Errors
///
/// Same as [`read`].
pub fn read_closing(
    position: &Position,
    text: &str,
    letters: &impl SanLetters,
) -> Result<Move, SanError> {
    read_among(position, text, letters, &position.closing_moves())
}

/// Finds the move in `moves` that a text denotes.
fn read_among(
    position: &Position,
    text: &str,
    letters: &impl SanLetters,
    moves: &MoveList,
) -> Result<Move, SanError> {
    let written = SanParts::parse(text).ok_or_else(|| SanError::Form(Excerpt::of(text)))?;
    if moves.is_empty() {
        return Err(SanError::Over(Excerpt::of(text)));
    }
    let fit = |mv: Move| written.fit(position, mv, letters);
    let best = moves.iter().map(|&mv| fit(mv)).max().unwrap_or(Fit::No);
    if best == Fit::No {
        return Err(SanError::Illegal(Excerpt::of(text)));
    }
    let meant: Vec<Move> = moves.iter().copied().filter(|&mv| fit(mv) == best).collect();
    let mut ordinary = meant.iter().filter(|mv| !position.is_leap(**mv));
    match (&meant[..], ordinary.next(), ordinary.next()) {
        (&[only], ..) => Ok(only),
        (_, Some(&only), None) => Ok(only),
        _ => {
            let mut moves: Vec<String> =
                meant.iter().map(|mv| mv.uci(position.variant())).collect();
            moves.sort_unstable();
            Err(SanError::Ambiguous { text: Excerpt::of(text), moves })
        }
    }
}

impl SanParts {
    /// Parses a text from its end: marks, promotion, target square, origin, piece. Returns `None`
    /// if the text is not a move.
    pub fn parse(text: &str) -> Option<SanParts> {
        // '=' at the end offers a draw.
        let text = text.trim_end_matches(['+', '#', '!', '?', '=']);
        let (text, promotion) = promotion(text)?;
        let (text, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
        let to: Square = to.parse().ok()?;
        let mut text = text.strip_suffix(['x', ':', '-']).unwrap_or(text);
        let letter = text.chars().next().filter(char::is_ascii_uppercase);
        if let Some(letter) = letter {
            text = text.strip_prefix(letter)?;
            letter_kind(letter)?;
        }
        let (mut file, mut rank) = (None, None);
        for letter in text.chars() {
            let coordinate_from = |first: char| {
                let coordinate = (letter as usize).checked_sub(first as usize);
                coordinate.filter(|&coordinate| coordinate < SIDE_LENGTH)
            };
            match (coordinate_from('a'), coordinate_from('1')) {
                (Some(coordinate), _) if file.is_none() && rank.is_none() => {
                    file = Some(coordinate)
                }
                (_, Some(coordinate)) if rank.is_none() => rank = Some(coordinate),
                _ => return None,
            }
        }
        Some(SanParts { letter, file, rank, to, promotion })
    }

    /// Whether the text has both squares and no letter, so that any piece may move.
    pub fn is_of_any_piece(&self) -> bool {
        self.letter.is_none() && self.file.is_some() && self.rank.is_some()
    }

    /// Fit of the text to a move of the position.
    fn fit(&self, position: &Position, mv: Move, letters: &impl SanLetters) -> Fit {
        let is_pawn = || position.at(mv.from).is_some_and(|piece| piece.kind == PieceKind::Pawn);
        let squares = mv.to == self.to
            && self.file.is_none_or(|file| mv.from.file() == file)
            && self.rank.is_none_or(|rank| mv.from.rank() == rank);
        match self.letter {
            _ if !squares || !self.promotes_as(position, mv) => Fit::No,
            Some(letter) => letters.fit(letter, mv.from),
            None if self.is_of_any_piece() || is_pawn() => Fit::Yes,
            None => Fit::No,
        }
    }

    /// Whether the written promotion, if any, is the promotion of this move.
    fn promotes_as(&self, position: &Position, mv: Move) -> bool {
        let variant = position.variant();
        let met = variant.kind_in_moves(PieceKind::Met.letter());
        self.promotion.is_none_or(|letter| match variant.kind_in_moves(letter) {
            // A promoted pawn, which is a met.
            Some(PieceKind::Pawn) => mv.promotion.is_some() && mv.promotion == met,
            kind => mv.promotion == kind,
        })
    }
}

/// Splits the promotion from the text: `=M`, `M`, `m` or `(M)` after the square. Returns its
/// capital letter.
fn promotion(text: &str) -> Option<(&str, Option<char>)> {
    let inner = text.strip_suffix(')').unwrap_or(text);
    let Some(letter) = inner.chars().next_back().filter(char::is_ascii_alphabetic) else {
        return Some((text, None));
    };
    letter_kind(letter)?;
    let text = inner.strip_suffix(letter)?;
    Some((text.strip_suffix(['=', '(']).unwrap_or(text), Some(letter.to_ascii_uppercase())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::san::san;
    use crate::variants::{MAKRUK, OUK};

    fn position(fen: &str) -> Position {
        Position::from_fen(&MAKRUK, fen).unwrap()
    }

    #[track_caller]
    fn is(fen: &str, uci: &str, texts: &[&str]) {
        for text in texts {
            let read = read(&position(fen), text).map(|mv| mv.uci(&MAKRUK));
            assert_eq!(read.as_deref(), Ok(uci), "{text}");
        }
    }

    #[test]
    fn one_move_in_many_hands() {
        // White: king e1, mets d3 and f3, knight g5, pawn c5; Black: king a8, khon e4.
        let fen = "k7/8/8/2P3N1/4s3/3M1M2/8/4K3 w - - 0 1";
        is(fen, "d3e4", &["Mdxe4", "Qdxe4", "Mde4", "Md3xe4", "d3e4", "d3xe4", "Md3-e4", "Fde4"]);
        is(fen, "g5e4", &["Nxe4", "Ne4", "Nxe4+", "Ne4=", "Nge4!?", "N5e4", "Ng5e4"]);
        is(
            fen,
            "c5c6m",
            &[
                "c6", "c6=M", "c6=Q", "c6M", "c6q", "c5c6", "c5c6m", "c5c6q", "c6(M)", "Pc6=M+",
                "c6=P", "c6=F",
            ],
        );
        is(fen, "e1e2", &["Ke2", "e1e2", "Ke1e2#"]);
    }

    #[test]
    fn every_legal_move_comes_back_from_its_notation() {
        for (variant, fen) in [
            (&*MAKRUK, MAKRUK.start),
            (&*OUK, OUK.start),
            (&*OUK, "rn1mksnr/3s4/pppppppp/8/4N3/PPPPPPPP/8/R1SKMSNR b DEde - 3 2"),
            (&*MAKRUK, "k7/8/8/2P3N1/4s3/3M1M2/8/4K3 w - - 0 1"),
            (&*MAKRUK, "3k4/8/8/R6R/8/8/2N1N3/R3K2R w - - 0 1"),
        ] {
            let position = Position::from_fen(variant, fen).unwrap();
            for &mv in &position.legal_moves() {
                assert_eq!(read(&position, &san(&position, mv)), Ok(mv));
                assert_eq!(read(&position, &mv.uci(variant)), Ok(mv));
            }
        }
    }

    #[test]
    fn what_is_no_move_is_told_from_what_may_not_be_played() {
        let position = position("k7/8/8/2P3N1/4s3/3M1M2/8/4K3 w - - 0 1");
        let error = |text| read(&position, text).unwrap_err();
        for text in ["", "e", "O-O", "0-0", "Xe4", "Ne9", "Nz4", "N\u{e9}", "Ngg5e4", "--", "=+"] {
            assert_eq!(error(text), SanError::Form(Excerpt::of(text)));
        }
        for text in ["Ke3", "e4", "c6=R", "Nb1", "d3d4", "a8b8", "Re4", "Ke2=M"] {
            assert_eq!(error(text), SanError::Illegal(Excerpt::of(text)));
        }
        let moves = vec!["d3e4".to_string(), "f3e4".to_string()];
        assert_eq!(error("Mxe4"), SanError::Ambiguous { text: Excerpt::of("Mxe4"), moves });
    }

    #[test]
    fn nothing_may_be_played_after_the_end() {
        let mated = position("k6R/8/1K6/8/8/8/8/8 b - - 0 1");
        assert_eq!(read(&mated, "Kb8"), Err(SanError::Over(Excerpt::of("Kb8"))));
    }

    #[test]
    fn an_ordinary_move_comes_before_a_leap() {
        // The met on c5 moves to d6, the met at home leaps there.
        let fen = "3mk3/8/8/2m5/8/8/8/3K4 b d - 0 1";
        let position = Position::from_fen(&OUK, fen).unwrap();
        assert_eq!(read(&position, "Md6").map(|mv| mv.uci(&OUK)).as_deref(), Ok("c5d6"));
        assert_eq!(read(&position, "d8d6").map(|mv| mv.uci(&OUK)).as_deref(), Ok("d8d6"));
    }
}
