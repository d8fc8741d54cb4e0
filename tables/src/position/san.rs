//! Moves as people write them: standard algebraic notation with Makruk's letters.
//!
//! Letters and disambiguation follow Fairy-Stockfish, which considers ordinary moves only: a
//! first-move leap neither needs nor causes disambiguation. Other [`SanLetters`] write and read the
//! moves of other programs.

mod letters;
mod reading;

pub use letters::{Fit, KindLetters, SanLetters};
pub use reading::{SanError, SanParts, read, read_closing, read_with};

use crate::board::square::Square;
use crate::position::Position;
use crate::position::moves::Move;
use std::fmt::Write;

/// The notation of a legal move of this position: `Sexf6+`, `dxe6=M`, `Kb2`.
pub fn san(position: &Position, mv: Move) -> String {
    san_with(position, mv, &KindLetters(position))
}

/// The notation of a legal move of this position with other letters.
pub fn san_with(position: &Position, mv: Move, letters: &impl SanLetters) -> String {
    let mut text = String::new();
    let captures = position.is_capture(mv);
    let castles = position.castled_rook(mv).is_some();
    match letters.letter(mv.from) {
        _ if castles => {
            text.push_str(if mv.to > mv.from { "O-O" } else { "O-O-O" });
        }
        Some(letter) => {
            text.push(letter);
            distinguish(position, mv, letter, letters, &mut text);
        }
        None if captures => text.push(file(mv.from)),
        None => {}
    }
    if captures {
        text.push('x');
    }
    if !castles {
        // Writing to a String cannot fail.
        let _ = write!(text, "{}", mv.to);
    }
    if let Some(letter) = mv.promotion.and_then(|kind| letters.promotion(kind)) {
        let _ = write!(text, "={letter}");
    }
    let after = position.play_uncounted(mv);
    if after.in_check(after.side()) {
        text.push(if after.outcome().is_some() { '#' } else { '+' });
    }
    text
}

/// Adds the file, the rank or both, if the letter fits another piece that may go to the same
/// square.
fn distinguish(
    position: &Position,
    mv: Move,
    letter: char,
    letters: &impl SanLetters,
    text: &mut String,
) {
    if position.is_leap(mv) {
        return;
    }
    let rivals: Vec<Square> = position
        .legal_moves()
        .iter()
        .filter(|other| other.to == mv.to && other.from != mv.from)
        .filter(|other| letters.fit(letter, other.from) != Fit::No)
        .filter(|other| !position.is_leap(**other))
        .map(|other| other.from)
        .collect();
    if rivals.is_empty() {
        return;
    }
    let same_file = rivals.iter().any(|square| square.file() == mv.from.file());
    let same_rank = rivals.iter().any(|square| square.rank() == mv.from.rank());
    if !same_file || same_rank {
        text.push(file(mv.from));
    }
    if same_file {
        let _ = write!(text, "{}", mv.from.rank() + 1);
    }
}

fn file(square: Square) -> char {
    (b'a' + square.file() as u8) as char
}
