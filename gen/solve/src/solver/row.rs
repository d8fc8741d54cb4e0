//! Moves of the row piece, taken back from word to word.
//!
//! Eight words in sequence are a rank of the squares of the row piece. A step to another file
//! moves words within their rank; a step to another rank takes the words of that rank.

use crate::planes::bits::Plane;
use crate::planes::geometry::{Geometry, PlaneKey};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SIDE_LENGTH, Square, Step};

/// The words of one rank of the squares of the row piece.
type Rank = [u64; SIDE_LENGTH];

/// Adds to `found` the slots from which the row piece moves into `targets`.
#[inline(always)]
pub fn unmove_row(geometry: &Geometry, key: &PlaneKey, targets: &Plane, found: &mut Plane) {
    let Some(piece) = geometry.row() else { return };
    for &step in &piece.movement.steps {
        step_back(step, targets, found);
    }
    if !piece.movement.slides.is_empty() {
        let empty = empty(key);
        for &step in &piece.movement.slides {
            slide_back(step, targets, &empty, found);
        }
    }
    if !piece.movement.advances.is_empty() {
        let free = targets.and(&empty(key));
        for &step in &piece.movement.advances {
            step_back(step, &free, found);
        }
    }
    if let Some(double_step) = piece.double_step {
        let empty = empty(key);
        for passing in double_step.passing {
            if let Some([from, passed, to]) = double_step.path(passing) {
                found.0[from.index()] |=
                    targets.0[passing.index()] & empty.0[passed.index()] & empty.0[to.index()];
            }
        }
    }
    if !piece.movement.captures.is_empty() {
        let enemy = key.fixed[(!piece.side).index()];
        let column_is_enemy = geometry.column().side != piece.side;
        let mut taken = *targets;
        for (row, word) in taken.0.iter_mut().enumerate() {
            if !enemy.contains(Square::wrapping(row)) {
                *word &= if column_is_enemy { 1 << row } else { 0 };
            }
        }
        for &step in &piece.movement.captures {
            step_back(step, &taken, found);
        }
    }
}

/// The slots in which no other piece stands on the square of the row piece.
#[inline(always)]
fn empty(key: &PlaneKey) -> Plane {
    let occupied = key.occupied();
    let mut plane = Plane::EMPTY;
    for (row, word) in plane.0.iter_mut().enumerate() {
        *word = if occupied.0 >> row & 1 != 0 { 0 } else { !(1 << row) };
    }
    plane
}

/// Adds the rows from which one step leads into `targets`.
#[inline(always)]
fn step_back(step: Step, targets: &Plane, found: &mut Plane) {
    match step.files {
        -2 => step_back_by::<-2>(step.ranks, targets, found),
        -1 => step_back_by::<-1>(step.ranks, targets, found),
        0 => step_back_by::<0>(step.ranks, targets, found),
        1 => step_back_by::<1>(step.ranks, targets, found),
        2 => step_back_by::<2>(step.ranks, targets, found),
        _ => step_back_any(step, targets, found),
    }
}

#[inline(always)]
fn step_back_by<const FILES: isize>(ranks: i8, targets: &Plane, found: &mut Plane) {
    let ranks = isize::from(ranks);
    let (first, last) = ((-ranks).max(0), SIDE_LENGTH as isize - ranks.max(0));
    for rank in first..last {
        let there = shifted::<FILES>(rank_of(targets, (rank + ranks) as usize));
        for (found, word) in rank_of_mut(found, rank as usize).iter_mut().zip(there) {
            *found |= word;
        }
    }
}

/// Computes [`step_back`] for steps of any length.
fn step_back_any(step: Step, targets: &Plane, found: &mut Plane) {
    for from in Bitboard::with_room_for(step) {
        if let Some(to) = from.step(step) {
            found.0[from.index()] |= targets.0[to.index()];
        }
    }
}

/// Adds the rows from which a slide over `empty` rows leads into `targets`.
#[inline(always)]
fn slide_back(step: Step, targets: &Plane, empty: &Plane, found: &mut Plane) {
    match (step.files, step.ranks) {
        (0, 1) => slide_ranks((0..SIDE_LENGTH).rev(), targets, empty, found),
        (0, -1) => slide_ranks(0..SIDE_LENGTH, targets, empty, found),
        (1, 0) => slide_files::<1, 2, 4>(targets, empty, found),
        (-1, 0) => slide_files::<-1, -2, -4>(targets, empty, found),
        _ => slide_any(step, targets, empty, found),
    }
}

/// Slides along files of the board, from the farthest rank, carrying the words ahead.
#[inline(always)]
fn slide_ranks(
    ranks: impl Iterator<Item = usize>,
    targets: &Plane,
    empty: &Plane,
    found: &mut Plane,
) {
    let mut ahead: Rank = [0; SIDE_LENGTH];
    for rank in ranks {
        let (targets, empty) = (rank_of(targets, rank), rank_of(empty, rank));
        let found = rank_of_mut(found, rank);
        for file in 0..SIDE_LENGTH {
            found[file] |= ahead[file];
            ahead[file] = ahead[file] & empty[file] | targets[file];
        }
    }
}

/// Slides along ranks of the board, by fills that double their reach (Kogge-Stone).
#[inline(always)]
fn slide_files<const ONE: isize, const TWO: isize, const FOUR: isize>(
    targets: &Plane,
    empty: &Plane,
    found: &mut Plane,
) {
    for rank in 0..SIDE_LENGTH {
        let mut reached = *rank_of(targets, rank);
        let mut open = *rank_of(empty, rank);
        reached = fill(reached, open, shifted::<ONE>(&reached));
        open = both(open, shifted::<ONE>(&open));
        reached = fill(reached, open, shifted::<TWO>(&reached));
        open = both(open, shifted::<TWO>(&open));
        reached = fill(reached, open, shifted::<FOUR>(&reached));
        let from = shifted::<ONE>(&reached);
        for (found, word) in rank_of_mut(found, rank).iter_mut().zip(from) {
            *found |= word;
        }
    }
}

/// Computes [`slide_back`] in any direction: each line from its far end.
fn slide_any(step: Step, targets: &Plane, empty: &Plane, found: &mut Plane) {
    let back = Step::new(-step.files, -step.ranks);
    for end in Square::all().filter(|square| square.step(step).is_none()) {
        let mut ahead = 0u64;
        let mut next = Some(end);
        while let Some(square) = next {
            let row = square.index();
            found.0[row] |= ahead;
            ahead = ahead & empty.0[row] | targets.0[row];
            next = square.step(back);
        }
    }
}

#[inline(always)]
fn rank_of(plane: &Plane, rank: usize) -> &Rank {
    &plane.0.as_chunks().0[rank]
}

#[inline(always)]
fn rank_of_mut(plane: &mut Plane, rank: usize) -> &mut Rank {
    &mut plane.0.as_chunks_mut().0[rank]
}

/// The words `FILES` files further; zero beyond the edge of the board.
#[inline(always)]
fn shifted<const FILES: isize>(rank: &Rank) -> Rank {
    let mut out = [0; SIDE_LENGTH];
    for (file, out) in out.iter_mut().enumerate() {
        let from = file as isize + FILES;
        if (0..SIDE_LENGTH as isize).contains(&from) {
            *out = rank[from as usize];
        }
    }
    out
}

#[inline(always)]
fn fill(reached: Rank, open: Rank, next: Rank) -> Rank {
    std::array::from_fn(|file| reached[file] | open[file] & next[file])
}

#[inline(always)]
fn both(a: Rank, b: Rank) -> Rank {
    std::array::from_fn(|file| a[file] & b[file])
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::board::square::SQUARES;

    fn pattern(mut seed: u64) -> Plane {
        Plane(std::array::from_fn::<_, SQUARES, _>(|_| {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            seed ^ seed >> 29
        }))
    }

    #[test]
    fn steps_by_ranks_equal_steps_by_squares() {
        for files in -3..=3 {
            for ranks in -3..=3 {
                let (step, targets) = (Step::new(files, ranks), pattern(1));
                let (mut fast, mut plain) = (Plane::EMPTY, Plane::EMPTY);
                step_back(step, &targets, &mut fast);
                step_back_any(step, &targets, &mut plain);
                assert_eq!(fast, plain, "{step:?}");
            }
        }
    }

    #[test]
    fn slides_by_ranks_equal_slides_by_lines() {
        for step in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)].map(|(f, r)| Step::new(f, r)) {
            let (targets, empty) = (pattern(2).and(&pattern(3)), pattern(4));
            let (mut fast, mut plain) = (Plane::EMPTY, Plane::EMPTY);
            slide_back(step, &targets, &empty, &mut fast);
            slide_any(step, &targets, &empty, &mut plain);
            assert_eq!(fast, plain, "{step:?}");
        }
    }
}
