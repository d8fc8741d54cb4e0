//! Conversions: the slots that stand for positions of smaller tables.
//!
//! A slot where one man stands on an enemy man stands for the position in which it has
//! just taken that man; a slot with a pawn on its promotion rank for the position in which
//! it has just been promoted. Such slots take part in the layers like any other, with the
//! value of the smaller table.

use super::bits::Plane;
use super::check::in_check;
use super::geometry::{Geometry, Spot};
use rayon::prelude::*;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::{MAX_OTHERS, Placement};
use sakmak_tables::kings::KingPair;
use sakmak_tables::man::{Man, Side};
use sakmak_tables::material::{Material, Oriented};
use sakmak_tables::rules::Rules;
use sakmak_tables::set::Set;
use sakmak_tables::square::{SQUARES, Square};
use sakmak_tables::table::Table;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The conversions of one king pair, plane by plane, each plane's in order of distance.
#[derive(Debug, Default)]
pub struct Conversions {
    /// The distance in the high bits, the slot within the plane in the low ones.
    entries: Vec<u32>,
    /// By outer placement: its entries that have not had their turn yet.
    left: Vec<(u32, u32)>,
    /// All distances there are, in order.
    distances: Vec<Moves>,
}

/// Bits of a slot within its plane.
const SLOT_BITS: u32 = (SQUARES * SQUARES).trailing_zeros();

impl Conversions {
    /// Takes the conversions of a plane whose distance is `moves`; row and column each.
    pub fn due(&mut self, outer: usize, moves: Moves) -> impl Iterator<Item = (usize, u64)> + '_ {
        let (start, end) = self.left[outer];
        let entries = &self.entries[start as usize..end as usize];
        let count = entries.iter().take_while(|&&entry| entry >> SLOT_BITS <= moves.0).count();
        self.left[outer].0 += count as u32;
        entries[..count].iter().map(|entry| {
            let (row, column) = (entry / SQUARES as u32, entry % SQUARES as u32);
            (row as usize % SQUARES, 1 << column)
        })
    }

    /// The greatest distance among all.
    pub fn last(&self) -> Moves {
        self.distances.last().copied().unwrap_or_default()
    }

    /// Whether any conversion has this distance.
    pub fn is_due(&self, moves: Moves) -> bool {
        self.distances.binary_search(&moves).is_ok()
    }
}

/// What a smaller table is to this material.
#[derive(Debug)]
struct Smaller {
    table: Arc<Table>,
    /// Whether the colours change on the way there.
    flipped: bool,
    /// The side to move there.
    side: Side,
    /// By man of the smaller table: the man here.
    men: Vec<usize>,
}

/// The smaller tables of one material, for the positions after a move of one side.
#[derive(Debug)]
pub struct Boundary<'a> {
    geometry: &'a Geometry,
    mover: Side,
    /// By man taken, the last for none, then by man promoted, the last for none.
    smaller: Vec<Vec<Option<Smaller>>>,
}

/// A smaller table that is needed is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{material} needs the table of {needed}, which is not there")]
pub struct MissingTable {
    material: Material,
    needed: Material,
}

impl<'a> Boundary<'a> {
    /// The boundary met by moves of `mover`; `tables` gives the smaller tables.
    pub fn new(
        geometry: &'a Geometry,
        rules: &Rules,
        mover: Side,
        tables: &dyn Fn(Material) -> Option<Arc<Table>>,
    ) -> Result<Boundary<'a>, MissingTable> {
        let men = geometry.index.men();
        let places = || (0..men.len()).map(Some).chain([None]);
        let find = |taken: Option<usize>, promoted: Option<usize>| {
            let can_take = taken.is_none_or(|man| men[man].side != mover);
            let can_promote = promoted.is_none_or(|man| {
                men[man].side == mover && !geometry.bodies[man].promotion.is_empty()
            });
            if !can_take || !can_promote || taken.is_none() && promoted.is_none() {
                return Ok(None);
            }
            smaller(geometry, rules, mover, taken, promoted, tables)
        };
        let smaller = places()
            .map(|taken| places().map(|promoted| find(taken, promoted)).collect())
            .collect::<Result<_, _>>()?;
        Ok(Boundary { geometry, mover, smaller })
    }

    /// The side whose moves lead here.
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// Reads all conversions of each king pair: those won for the mover's opponent, who is
    /// to move, or with `lost` those lost for it.
    pub fn read(&self, lost: bool) -> Vec<Conversions> {
        let pairs = self.geometry.index.kings().len() as u16;
        (0..pairs).into_par_iter().map(|pair| self.read_pair(KingPair(pair), lost)).collect()
    }

    fn read_pair(&self, pair: KingPair, lost: bool) -> Conversions {
        let mut conversions = Conversions::default();
        for outer in 0..self.geometry.planes_per_pair() {
            let start = conversions.entries.len();
            let spot = self.geometry.spot(pair, outer);
            let mut slots = self.candidates(&spot);
            if !slots.is_empty() {
                slots.remove_all(&in_check(self.geometry, &spot, self.mover));
            }
            for (row, &word) in slots.0.iter().enumerate() {
                for column in Set(word) {
                    let moves = match self.value(&spot, Square::wrapping(row), column) {
                        Some(Value::Win(moves)) if !lost => moves,
                        Some(Value::Loss(moves)) if lost => moves,
                        _ => continue,
                    };
                    let slot = (row * SQUARES + column.index()) as u32;
                    conversions.entries.push(moves.0 << SLOT_BITS | slot);
                }
            }
            let end = conversions.entries.len();
            conversions.entries[start..].sort_unstable();
            conversions.left.push((start as u32, end as u32));
        }
        conversions.entries.shrink_to_fit();
        let distances = conversions.entries.iter().map(|entry| Moves(entry >> SLOT_BITS));
        conversions.distances = distances.collect::<BTreeSet<_>>().into_iter().collect();
        conversions
    }

    /// The slots that may be conversions; every conversion is among them.
    fn candidates(&self, spot: &Spot) -> Plane {
        let geometry = self.geometry;
        if !spot.real {
            return Plane([u64::MAX; SQUARES]);
        }
        let column = geometry.column();
        let enemies = |side: Side| spot.fixed[(!side).index()];
        let on_column = enemies(column.man.side) | column.promotion;
        let mut plane = Plane([on_column.0; SQUARES]);
        if let Some(row) = geometry.row() {
            let on_row = enemies(row.man.side) | row.promotion;
            for (number, word) in plane.0.iter_mut().enumerate() {
                let square = Square::wrapping(number);
                if on_row.contains(square) {
                    *word = u64::MAX;
                } else if row.man.side != column.man.side {
                    *word |= Set::of(square).0;
                }
            }
        }
        plane
    }

    /// The value of the smaller table for a slot, if the slot is a conversion after a move
    /// of the mover.
    fn value(&self, spot: &Spot, row: Square, column: Square) -> Option<Value> {
        let geometry = self.geometry;
        let count = geometry.bodies.len();
        let mut squares = [column; MAX_OTHERS];
        squares[..geometry.outer().len()].copy_from_slice(&spot.outer[..geometry.outer().len()]);
        if count > 1 {
            squares[count - 2] = row;
        }
        let squares = &squares[..count];

        let (mut taken, mut taker) = (None, None);
        let mut promoted = None;
        for (man, (body, &square)) in geometry.bodies.iter().zip(squares).enumerate() {
            if body.man.side == self.mover && body.promotion.contains(square) {
                if promoted.is_some() {
                    return None;
                }
                promoted = Some(man);
            } else if !body.domain.contains(square) {
                return None;
            }
            if square == spot.kings[(!self.mover).index()] {
                return None;
            }
            let king_takes = square == spot.kings[self.mover.index()];
            if king_takes {
                if taken.is_some() {
                    return None;
                }
                taken = Some(man);
            }
            for (other, &there) in squares.iter().enumerate().skip(man + 1) {
                if there == square {
                    if taken.is_some() || king_takes {
                        return None;
                    }
                    let man_moved = body.man.side == self.mover;
                    (taken, taker) =
                        if man_moved { (Some(other), Some(man)) } else { (Some(man), Some(other)) };
                }
            }
        }
        // The man promoted is the one that has moved, and only one has.
        if promoted.is_some() && taken.is_some() && promoted != taker {
            return None;
        }
        let moved_own = |man: usize| geometry.bodies[man].man.side == self.mover;
        if taken.is_some_and(moved_own) || taker.is_some_and(|man| !moved_own(man)) {
            return None;
        }
        let smaller = self.smaller[taken.unwrap_or(count)][promoted.unwrap_or(count)].as_ref()?;
        smaller.value(spot, squares)
    }
}

impl Smaller {
    fn value(&self, spot: &Spot, squares: &[Square]) -> Option<Value> {
        let seen = |square: Square| if self.flipped { square.flipped() } else { square };
        let mut kings = spot.kings.map(seen);
        if self.flipped {
            kings.swap(0, 1);
        }
        let men = self.men.iter().map(|&man| seen(squares[man]));
        let slot = self.table.index().slot(&Placement::new(kings, men))?;
        self.table.value(self.side, slot)
    }
}

/// The smaller table after `mover` has taken and promoted these men; nothing for bare kings.
fn smaller(
    geometry: &Geometry,
    rules: &Rules,
    mover: Side,
    taken: Option<usize>,
    promoted: Option<usize>,
    tables: &dyn Fn(Material) -> Option<Arc<Table>>,
) -> Result<Option<Smaller>, MissingTable> {
    let men = geometry.index.men();
    let material = geometry.index.material();
    let after = material.after(taken.map(|man| men[man]), promoted.map(|_| mover), rules);
    let Some(Oriented { material: needed, flipped }) = after else { return Ok(None) };
    if needed == Material::BARE_KINGS {
        return Ok(None);
    }
    let table = tables(needed).ok_or(MissingTable { material, needed })?;
    // A symmetric table holds White to move only.
    let to_move = |flipped: bool| if flipped { mover } else { !mover };
    let flipped = flipped != (needed.is_symmetric() && to_move(flipped) == Side::Black);
    let side = to_move(flipped);
    let mut left: Vec<usize> = (0..men.len()).filter(|&man| Some(man) != taken).collect();
    let mut order = Vec::new();
    for &there in table.index().men() {
        let side = if flipped { !there.side } else { there.side };
        let here = |&man: &usize| {
            let kind = if Some(man) == promoted { rules.promotes_to } else { men[man].kind };
            Man::new(men[man].side, kind) == Man::new(side, there.kind)
        };
        if let Some(place) = left.iter().position(here) {
            order.push(left.remove(place));
        }
    }
    Ok(Some(Smaller { table, flipped, side, men: order }))
}
