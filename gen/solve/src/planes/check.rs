//! Checks: the slots of a plane in which a king is attacked.

use crate::planes::bits::Plane;
use crate::planes::geometry::{Geometry, PlaneKey, PlanePiece};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square, Step};
use sakmak_tables::rules::piece::Side;

/// The slots in which the king of `side` is in check.
#[inline]
pub fn in_check(geometry: &Geometry, key: &PlaneKey, side: Side) -> Plane {
    in_check_not_from(geometry, key, side, Bitboard::EMPTY)
}

/// The slots in which a piece that does not stand on these squares gives check to the king of
/// `side`.
///
/// A piece on the square of a piece of `side` has just been taken and gives no check, so the result
/// is right for conversions as well as for positions. It is unspecified for other slots.
pub fn in_check_not_from(
    geometry: &Geometry,
    key: &PlaneKey,
    side: Side,
    squares: Bitboard,
) -> Plane {
    let king = key.kings[side.index()];
    let takers = key.fixed[side.index()] | squares;
    let mut plane = Plane::EMPTY;
    let row = geometry.row();
    let row_takes = row.is_some_and(|row| row.side == side);
    let column = geometry.column();
    let column_takes = column.side == side;

    for (piece, &square) in geometry.outer().iter().zip(&key.outer) {
        if piece.side == side || takers.contains(square) {
            continue;
        }
        let Some(between) = attack(piece, square, king, key.occupied()) else { continue };
        // A row or column piece in between blocks the attack. A row or column piece of the king's
        // side on the attacker's square has taken the attacker.
        let rows_out = between | if row_takes { Bitboard::of(square) } else { Bitboard::EMPTY };
        let columns_out =
            between | if column_takes { Bitboard::of(square) } else { Bitboard::EMPTY };
        for (number, word) in plane.0.iter_mut().enumerate() {
            if row.is_none() || !rows_out.contains(Square::wrapping(number)) {
                *word |= !columns_out.0;
            }
        }
    }
    if let Some(piece) = row.filter(|piece| piece.side != side) {
        for square in attackers(piece, king, key.occupied()) - takers {
            if let Some(between) = attack(piece, square, king, key.occupied()) {
                let taken = if column_takes { Bitboard::of(square) } else { Bitboard::EMPTY };
                plane.0[square.index()] |= !(between | taken).0;
            }
        }
    }
    if column.side != side {
        let reach = attackers(column, king, key.occupied());
        for number in 0..SQUARES {
            let row_square =
                row.map_or(Bitboard::EMPTY, |_| Bitboard::of(Square::wrapping(number)));
            let taken = takers | if row_takes { row_square } else { Bitboard::EMPTY };
            // The row piece blocks no attack from outside the reach.
            let from = if (reach & row_square).is_empty() {
                reach
            } else {
                attackers(column, king, key.occupied() | row_square)
            };
            plane.0[number] |= (from - taken).0;
        }
    }
    plane
}

/// The slots that are legal positions with `side` to move.
pub fn legal_slots(geometry: &Geometry, key: &PlaneKey, side: Side) -> Plane {
    if key.real {
        geometry.real_slots(key).without(&in_check(geometry, key, !side))
    } else {
        Plane::EMPTY
    }
}

/// The squares between a piece and a target that it attacks; empty for a step. `None` if the piece
/// does not attack the target or an occupied square lies between.
pub fn attack(
    piece: &PlanePiece,
    from: Square,
    target: Square,
    occupied: Bitboard,
) -> Option<Bitboard> {
    let hits = |step: &Step| from.step(*step) == Some(target);
    if piece.movement.steps.iter().chain(&piece.movement.captures).any(hits) {
        return Some(Bitboard::EMPTY);
    }
    piece.movement.slides.iter().find_map(|&step| {
        let mut between = Bitboard::EMPTY;
        let mut square = from.step(step)?;
        while square != target {
            if occupied.contains(square) {
                return None;
            }
            between.insert(square);
            square = square.step(step)?;
        }
        Some(between)
    })
}

/// The squares from which a piece attacks the target; they may be occupied themselves.
fn attackers(piece: &PlanePiece, target: Square, occupied: Bitboard) -> Bitboard {
    let back = |step: Step| Step::new(-step.files, -step.ranks);
    let steps = piece.movement.steps.iter().chain(&piece.movement.captures);
    let mut set: Bitboard = steps.filter_map(|&step| target.step(back(step))).collect();
    for &step in &piece.movement.slides {
        let mut next = target.step(back(step));
        while let Some(square) = next {
            set.insert(square);
            next = if occupied.contains(square) { None } else { square.step(back(step)) };
        }
    }
    set
}
