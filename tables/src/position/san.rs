//! Moves as people write them: standard algebraic notation with Makruk's letters.
//!
//! The letters and the way to tell like pieces apart are those of Fairy-Stockfish, which
//! looks at ordinary moves only: a first-move leap neither needs nor causes a distinction.

mod reading;

pub use reading::{SanError, read};

use crate::board::square::Square;
use crate::position::Position;
use crate::position::moves::Move;
use crate::rules::piece::PieceKind;
use std::fmt::Write;

/// The notation of a legal move of this position: `Sexf6+`, `dxe6=M`, `Kb2`.
pub fn san(position: &Position, mv: Move) -> String {
    let mut text = String::new();
    let captures = position.occupied().contains(mv.to);
    let kind = position.at(mv.from).map_or(PieceKind::Pawn, |piece| piece.kind);
    if kind == PieceKind::Pawn {
        if captures {
            text.push(file(mv.from));
        }
    } else {
        text.push(position.variant().letters[kind.index()]);
        distinguish(position, mv, kind, &mut text);
    }
    if captures {
        text.push('x');
    }
    // Writing to a String cannot fail.
    let _ = write!(text, "{}", mv.to);
    if let Some(kind) = mv.promotion {
        let _ = write!(text, "={}", position.variant().letters[kind.index()]);
    }
    let after = position.play_uncounted(mv);
    if after.in_check(after.side()) {
        text.push(if after.outcome().is_some() { '#' } else { '+' });
    }
    text
}

/// Adds the file, the rank or both, if another piece of this kind may go to the same square.
fn distinguish(position: &Position, mv: Move, kind: PieceKind, text: &mut String) {
    if position.is_leap(mv) {
        return;
    }
    let rivals: Vec<Square> = position
        .legal_moves()
        .iter()
        .filter(|other| other.to == mv.to && other.from != mv.from)
        .filter(|other| position.at(other.from).is_some_and(|piece| piece.kind == kind))
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
