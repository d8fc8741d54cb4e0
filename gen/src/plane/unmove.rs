//! Un-moves: the slots of a plane from which one move of a side leads into a set.
//!
//! A move of the column man stays in its word: a masked shift, and for a sliding man an
//! occluded fill. A move of the row man goes from word to word. A move of a king or an
//! outer man goes to the same slot of another plane, which is turned where the king step
//! left the canonical pairs.

use super::bits::{Plane, Shift};
use super::geometry::{Body, Geometry, Outer, Spot};
use sakmak_tables::man::Side;
use sakmak_tables::set::Set;
use sakmak_tables::square::{SQUARES, Square, Step};
use sakmak_tables::turn::Turn;

/// Another plane into which a king or an outer man moves, and for which slots.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The number of the plane.
    pub plane: usize,
    /// How its board is turned against this one's.
    turn: Turn,
    gate: Gate,
}

/// For which squares of the plane's own men a move to another plane is possible.
#[derive(Clone, Copy, Debug)]
enum Gate {
    /// For all; one on the target square is captured, or makes the slot no position.
    Open,
    /// When none stands on these squares.
    Free(Set),
    /// When an enemy stands on this square.
    Enemy(Square),
}

/// All planes into which a side moves a king or outer man from one plane.
#[derive(Debug, Default)]
pub struct Sources(Vec<Source>);

impl Sources {
    /// The planes, kings first.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.0.iter()
    }

    /// Finds the planes into which `mover` moves from `spot`, in place of those held.
    pub fn find(&mut self, geometry: &Geometry, spot: &Spot, mover: Side) {
        self.0.clear();
        self.find_king(geometry, spot, mover);
        for (place, body) in geometry.outer().iter().enumerate() {
            if body.man.side == mover {
                self.find_outer(geometry, spot, place, body);
            }
        }
    }

    fn find_king(&mut self, geometry: &Geometry, spot: &Spot, mover: Side) {
        let from = spot.kings[mover.index()];
        let own = spot.fixed[mover.index()];
        for &step in &geometry.king(mover).ways.steps {
            let Some(to) = from.step(step).filter(|&to| !own.contains(to)) else { continue };
            let Some((pair, turn)) = geometry.index.kings().after(spot.pair, mover, to) else {
                continue;
            };
            if let Some(outer) = geometry.outer_number(&spot.outer, turn) {
                let plane = geometry.plane(pair, outer);
                self.0.push(Source { plane, turn, gate: Gate::Open });
            }
        }
    }

    fn find_outer(&mut self, geometry: &Geometry, spot: &Spot, place: usize, body: &Body) {
        let from = spot.outer[place];
        let own = spot.fixed[body.man.side.index()];
        let enemy = spot.fixed[(!body.man.side).index()];
        let mut push = |to: Square, gate: Gate| {
            let mut outer: Outer = spot.outer;
            outer[place] = to;
            if let Some(outer) = geometry.outer_number(&outer, Turn::IDENTITY) {
                let plane = geometry.plane(spot.pair, outer);
                self.0.push(Source { plane, turn: Turn::IDENTITY, gate });
            }
        };
        for &step in &body.ways.steps {
            if let Some(to) = from.step(step).filter(|&to| !own.contains(to)) {
                push(to, Gate::Open);
            }
        }
        for &step in &body.ways.slides {
            let mut path = Set::EMPTY;
            let mut last = from;
            while let Some(to) = last.step(step).filter(|&to| !own.contains(to)) {
                push(to, Gate::Free(path));
                if enemy.contains(to) {
                    break;
                }
                path.insert(to);
                last = to;
            }
        }
        for &step in &body.ways.advances {
            if let Some(to) = from.step(step).filter(|&to| !(own | enemy).contains(to)) {
                push(to, Gate::Free(Set::of(to)));
            }
        }
        for &step in &body.ways.captures {
            if let Some(to) = from.step(step).filter(|&to| !own.contains(to)) {
                push(to, if enemy.contains(to) { Gate::Open } else { Gate::Enemy(to) });
            }
        }
    }
}

/// The slots of `spot` from which `mover` has a move into `set`; where all of `wanted`
/// are found the search ends early, and slots outside `wanted` may be missing.
///
/// `plane` is the number of the spot's own plane. Only planes for which `live` holds are
/// looked at.
#[inline(always)]
pub fn unmove(
    geometry: &Geometry,
    spot: &Spot,
    plane: usize,
    mover: Side,
    sources: &Sources,
    set: &[Plane],
    live: impl Fn(usize) -> bool,
    wanted: &Plane,
) -> Plane {
    let mut found = Plane::EMPTY;
    if live(plane) {
        let own = &set[plane];
        if geometry.column().man.side == mover {
            unmove_column(geometry, spot, own, &mut found);
        }
        if let Some(row) = geometry.row().filter(|row| row.man.side == mover) {
            unmove_row(geometry, row, spot, own, &mut found);
        }
        if wanted.is_within(&found) {
            return found;
        }
    }
    for source in sources.iter().filter(|source| live(source.plane)) {
        let there = &set[source.plane];
        if source.turn == Turn::IDENTITY {
            pass(geometry, source.gate, mover, there, &mut found);
        } else {
            pass(geometry, source.gate, mover, &there.unturned(source.turn), &mut found);
        }
        if wanted.is_within(&found) {
            break;
        }
    }
    found
}

/// Puts in the slots of another plane that the gate lets through.
#[inline(always)]
fn pass(geometry: &Geometry, gate: Gate, mover: Side, there: &Plane, found: &mut Plane) {
    let has_row = geometry.row().is_some();
    match gate {
        Gate::Open => found.insert_all(there),
        Gate::Free(path) => {
            for (row, (found, there)) in found.0.iter_mut().zip(&there.0).enumerate() {
                let blocked = has_row && path.contains(Square::wrapping(row));
                let free = if blocked { 0 } else { !path.0 };
                *found |= there & free;
            }
        }
        Gate::Enemy(to) => {
            let column = geometry.column().man.side != mover;
            let row = geometry.row().filter(|row| row.man.side != mover);
            let mask = if column { Set::of(to).0 } else { 0 };
            for (found, there) in found.0.iter_mut().zip(&there.0) {
                *found |= there & mask;
            }
            if row.is_some() {
                found.0[to.index()] |= there.0[to.index()];
            }
        }
    }
}

/// The row man's square as a bit, per row; nothing where there is no row man.
#[inline(always)]
fn row_bits(geometry: &Geometry, side: Option<Side>) -> [u64; SQUARES] {
    let there = geometry.row().is_some_and(|row| side.is_none_or(|side| row.man.side == side));
    std::array::from_fn(|row| if there { 1 << row } else { 0 })
}

#[inline(always)]
fn unmove_column(geometry: &Geometry, spot: &Spot, own: &Plane, found: &mut Plane) {
    let body = geometry.column();
    for &step in &body.ways.steps {
        let shift = Shift::new(step);
        for (found, &own) in found.0.iter_mut().zip(&own.0) {
            *found |= shift.back(own);
        }
    }
    if !body.ways.slides.is_empty() {
        let bits = row_bits(geometry, None);
        let fixed = spot.occupied().0;
        for &step in &body.ways.slides {
            let shift = Shift::new(step);
            for ((found, &own), bit) in found.0.iter_mut().zip(&own.0).zip(bits) {
                *found |= fill_back(shift, own, !(fixed | bit));
            }
        }
    }
    if !body.ways.advances.is_empty() {
        let bits = row_bits(geometry, None);
        let fixed = spot.occupied().0;
        for &step in &body.ways.advances {
            let shift = Shift::new(step);
            for ((found, &own), bit) in found.0.iter_mut().zip(&own.0).zip(bits) {
                *found |= shift.back(own & !(fixed | bit));
            }
        }
    }
    if !body.ways.captures.is_empty() {
        let bits = row_bits(geometry, Some(!body.man.side));
        let fixed = spot.fixed[(!body.man.side).index()].0;
        for &step in &body.ways.captures {
            let shift = Shift::new(step);
            for ((found, &own), bit) in found.0.iter_mut().zip(&own.0).zip(bits) {
                *found |= shift.back(own & (fixed | bit));
            }
        }
    }
}

/// The squares from which a slide over `empty` squares leads to one of `targets`.
#[inline(always)]
fn fill_back(shift: Shift, targets: u64, empty: u64) -> u64 {
    // Between both ends of a line lie two squares less than its length.
    let mut reached = targets;
    for _ in 0..sakmak_tables::square::SIDE_LENGTH - 2 {
        reached |= shift.back(reached) & empty;
    }
    shift.back(reached)
}

#[inline(always)]
fn unmove_row(geometry: &Geometry, body: &Body, spot: &Spot, own: &Plane, found: &mut Plane) {
    for &step in &body.ways.steps {
        for (from, to) in step_pairs(step) {
            found.0[from] |= own.0[to];
        }
    }
    for &step in &body.ways.slides {
        slide_rows(spot, step, own, found);
    }
    for &step in &body.ways.advances {
        for (from, to) in step_pairs(step) {
            if !spot.occupied().contains(Square::wrapping(to)) {
                found.0[from] |= own.0[to] & !(1 << to);
            }
        }
    }
    let enemy = spot.fixed[(!body.man.side).index()];
    let column_is_enemy = geometry.column().man.side != body.man.side;
    for &step in &body.ways.captures {
        for (from, to) in step_pairs(step) {
            let column = if column_is_enemy { 1 << to } else { 0 };
            let taken = if enemy.contains(Square::wrapping(to)) { u64::MAX } else { column };
            found.0[from] |= own.0[to] & taken;
        }
    }
}

/// All squares from which a step stays on the board, with the square it leads to.
#[inline(always)]
fn step_pairs(step: Step) -> impl Iterator<Item = (usize, usize)> {
    let up =
        step.ranks as isize * sakmak_tables::square::SIDE_LENGTH as isize + step.files as isize;
    Set::with_room_for(step).map(move |from| (from.index(), (from.index() as isize + up) as usize))
}

/// Slides of the row man: each line is walked from its far end, carrying the columns for
/// which a target lies ahead with nothing between.
#[inline(always)]
fn slide_rows(spot: &Spot, step: Step, own: &Plane, found: &mut Plane) {
    let back = Step::new(-step.files, -step.ranks);
    let ends = Square::all().filter(|square| square.step(step).is_none());
    for end in ends {
        let mut ahead = 0u64;
        let mut next = Some(end);
        while let Some(square) = next {
            let row = square.index();
            found.0[row] |= ahead;
            let passable = if spot.occupied().contains(square) { 0 } else { !(1 << row) };
            ahead = ahead & passable | own.0[row];
            next = square.step(back);
        }
    }
}
