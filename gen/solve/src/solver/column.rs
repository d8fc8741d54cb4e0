//! Moves of the column piece, taken back within each word.

use crate::planes::bits::{Plane, Shift};
use crate::planes::geometry::{Geometry, PlaneKey};
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::rules::piece::Side;

/// The square of the row piece in each row.
const ROW_SQUARES: [u64; SQUARES] = {
    let mut squares = [0; SQUARES];
    let mut row = 0;
    while row < SQUARES {
        squares[row] = 1 << row;
        row += 1;
    }
    squares
};

/// The square of the row piece in each row. No square if the material has no row piece, or if the
/// row piece is not of this side.
#[inline(always)]
fn row_squares(geometry: &Geometry, side: Option<Side>) -> &'static [u64; SQUARES] {
    let there = geometry.row().is_some_and(|row| side.is_none_or(|side| row.side == side));
    if there { &ROW_SQUARES } else { &[0; SQUARES] }
}

/// Adds to `found` the slots from which the column piece moves into `targets`.
#[inline(always)]
pub fn unmove_column(geometry: &Geometry, key: &PlaneKey, targets: &Plane, found: &mut Plane) {
    let piece = geometry.column();
    for &shift in &piece.step_shifts {
        for (found, &word) in found.0.iter_mut().zip(&targets.0) {
            *found |= shift.back(word);
        }
    }
    let blockers = row_squares(geometry, None);
    let fixed = key.occupied().0;
    for &shift in &piece.slide_shifts {
        with_row_piece(targets, blockers, found, |word, piece| {
            shift.slide_back(word, !(fixed | piece))
        });
    }
    for &step in &piece.movement.advances {
        let shift = Shift::new(step);
        with_row_piece(targets, blockers, found, |word, piece| shift.back(word & !(fixed | piece)));
    }
    if let Some(double_step) = piece.double_step {
        with_row_piece(targets, blockers, found, |word, piece| {
            double_step.back(word, !(fixed | piece))
        });
    }
    if !piece.movement.captures.is_empty() {
        let blockers = row_squares(geometry, Some(!piece.side));
        let fixed = key.fixed[(!piece.side).index()].0;
        for &step in &piece.movement.captures {
            let shift = Shift::new(step);
            with_row_piece(targets, blockers, found, |word, piece| {
                shift.back(word & (fixed | piece))
            });
        }
    }
}

/// Adds to `found` the result of `f` for each word and the square of the row piece.
#[inline(always)]
fn with_row_piece(
    targets: &Plane,
    row_piece: &[u64; SQUARES],
    found: &mut Plane,
    f: impl Fn(u64, u64) -> u64,
) {
    for ((found, &word), &piece) in found.0.iter_mut().zip(&targets.0).zip(row_piece) {
        *found |= f(word, piece);
    }
}
