//! The smaller tables of a material, and the conversions read from them.
//!
//! A conversion is a slot that stands for a position of a smaller table. If a piece stands on
//! the square of an enemy piece, the slot stands for the position in which it has just taken
//! that piece; if a pawn stands on its promotion rank, for the position in which it has just
//! been promoted. The layers treat a conversion like any other slot, with the value of the
//! smaller table.

use crate::planes::bits::Plane;
use crate::planes::check::in_check;
use crate::planes::geometry::{Geometry, PlaneKey, PlanePiece};
use crate::solver::conversions::{MoverConversions, PairConversions, entry};
use rayon::prelude::*;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::counting::PhaseChange;
use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::kings::{KingPair, Kings};
use sakmak_tables::index::{KingIndex, MAX_OTHERS};
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::values::table::Table;
use std::sync::Arc;

/// A smaller table, and how it is read from the slots of this material.
#[derive(Debug)]
struct SmallerTable {
    table: Arc<Table>,
    /// Whether its colours are those of this material exchanged.
    flipped: bool,
    /// The side to move, in its colours.
    side: Side,
    /// By piece of the smaller table: the number of the piece in this material.
    pieces: Vec<usize>,
    /// How its values are carried over to this table.
    phase_change: PhaseChange,
}

/// The smaller tables of one material, for the positions after a move of one side.
#[derive(Debug)]
pub struct SmallerTables<'a> {
    geometry: &'a Geometry,
    mover: Side,
    /// By piece taken, then by piece promoted; the last entry of each stands for no piece.
    tables: Vec<Vec<Option<SmallerTable>>>,
}

/// A smaller table that solving needs is missing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{material} needs the table {needed}, which is not there")]
pub struct MissingTable {
    material: Material,
    needed: TableName,
}

impl<'a> SmallerTables<'a> {
    /// The smaller tables that moves of `mover` lead to, for a table with this metric. `tables`
    /// returns them by name.
    ///
    /// # Errors
    ///
    /// If `tables` does not have one of them.
    pub fn new(
        geometry: &'a Geometry,
        rules: &Rules,
        metric: Metric,
        mover: Side,
        tables: &dyn Fn(TableName) -> Option<Arc<Table>>,
    ) -> Result<SmallerTables<'a>, MissingTable> {
        let pieces = &geometry.pieces;
        let numbers = || (0..pieces.len()).map(Some).chain([None]);
        let find = |taken: Option<usize>, promoted: Option<usize>| {
            let can_take = taken.is_none_or(|taken| pieces[taken].side != mover);
            let can_promote = promoted.is_none_or(|promoted| {
                let PlanePiece { side, promotion, .. } = &pieces[promoted];
                *side == mover && !promotion.is_empty()
            });
            if !can_take || !can_promote || taken.is_none() && promoted.is_none() {
                return Ok(None);
            }
            smaller_table(geometry, rules, metric, mover, taken, promoted, tables)
        };
        let tables = numbers()
            .map(|taken| numbers().map(|promoted| find(taken, promoted)).collect())
            .collect::<Result<_, _>>()?;
        Ok(SmallerTables { geometry, mover, tables })
    }

    /// Reads the conversions of all king pairs.
    pub fn conversions(&self) -> MoverConversions {
        let pairs = self.geometry.index.kings().len() as u16;
        let by_pair = (0..pairs).into_par_iter().map(|pair| self.pair_conversions(KingPair(pair)));
        let (won, lost) = by_pair.unzip();
        MoverConversions { won, lost }
    }

    /// The conversions of a king pair that are won and those that are lost.
    fn pair_conversions(&self, pair: KingPair) -> (PairConversions, PairConversions) {
        let (mut all_won, mut all_lost) = (PairConversions::default(), PairConversions::default());
        let kings = self.geometry.index.kings().kings(pair);
        let indices: Vec<Vec<Option<KingIndex<'_>>>> = self
            .tables
            .iter()
            .map(|tables| tables.iter().map(|table| table.as_ref()?.with_kings(kings)).collect())
            .collect();
        let (mut won, mut lost) = (Vec::new(), Vec::new());
        for outer in 0..self.geometry.planes_per_pair() {
            won.clear();
            lost.clear();
            let key = self.geometry.plane_key(pair, outer);
            let mut slots = self.candidates(&key);
            if !slots.is_empty() {
                slots.remove_all(&in_check(self.geometry, &key, self.mover));
            }
            self.for_each_conversion(&key, &slots, |squares, taken, promoted, slot| {
                let index = indices[taken][promoted].as_ref();
                let table = self.tables[taken][promoted].as_ref();
                match table.zip(index).and_then(|(table, index)| table.value(index, squares)) {
                    Some(Value::Win(moves)) => won.push(entry(moves, slot)),
                    Some(Value::Loss(moves)) => lost.push(entry(moves, slot)),
                    Some(Value::Draw) | None => {}
                }
            });
            all_won.push_plane(&mut won);
            all_lost.push_plane(&mut lost);
        }
        all_won.shrink();
        all_lost.shrink();
        (all_won, all_lost)
    }

    /// A superset of the conversions of a plane.
    fn candidates(&self, key: &PlaneKey) -> Plane {
        let geometry = self.geometry;
        if !key.real {
            return Plane([u64::MAX; SQUARES]);
        }
        let column = geometry.column();
        let enemies = |side: Side| key.fixed[(!side).index()];
        let on_column = enemies(column.side) | column.promotion;
        let mut plane = Plane([on_column.0; SQUARES]);
        if let Some(row) = geometry.row() {
            let on_row = enemies(row.side) | row.promotion;
            for (number, word) in plane.0.iter_mut().enumerate() {
                let square = Square::wrapping(number);
                if on_row.contains(square) {
                    *word = u64::MAX;
                } else if row.side != column.side {
                    *word |= Bitboard::of(square).0;
                }
            }
        }
        plane
    }

    /// Calls `visit` for each of these slots that is a conversion after a move of the mover. The
    /// arguments are the squares of all pieces, the piece taken, the piece promoted (the number
    /// of pieces stands for no piece) and the slot in its plane.
    fn for_each_conversion(
        &self,
        key: &PlaneKey,
        slots: &Plane,
        mut visit: impl FnMut(&[Square], usize, usize, u32),
    ) {
        let geometry = self.geometry;
        let (pieces, outer_pieces) = (geometry.pieces.len(), geometry.outer().len());
        let mut squares = [key.kings[0]; MAX_OTHERS];
        squares[..outer_pieces].copy_from_slice(&key.outer[..outer_pieces]);
        let mut collision = Some(Collision::kings(key.kings, pieces, self.mover));
        for (number, piece) in geometry.outer().iter().enumerate() {
            collision = collision.and_then(|outer| outer.with(number, piece, squares[number]));
        }
        let Some(outer) = collision else { return };
        for (row, &word) in slots.0.iter().enumerate().filter(|(_, word)| **word != 0) {
            let mut collision = outer;
            if let Some(piece) = geometry.row() {
                squares[outer_pieces] = Square::wrapping(row);
                let Some(with_row) = outer.with(outer_pieces, piece, squares[outer_pieces]) else {
                    continue;
                };
                collision = with_row;
            }
            for column in Bitboard(word) {
                squares[pieces - 1] = column;
                let change = collision.change_with(pieces - 1, geometry.column(), column);
                if let Some((taken, promoted)) = change.and_then(|all| collision.conversion(all)) {
                    let slot = (row * SQUARES + column.index()) as u32;
                    visit(&squares[..pieces], taken, promoted, slot);
                }
            }
        }
    }
}

/// Some of the pieces of a slot, and the capture and promotion that their squares amount to.
#[derive(Clone, Copy)]
struct Collision {
    mover: Side,
    /// By square: the number of the piece there, or [`Collision::KING`] of a side, or
    /// [`Collision::EMPTY`].
    on: [u8; SQUARES],
    /// A bit for each piece of the mover.
    own: u8,
    /// The number of pieces, which stands for no piece.
    none: u8,
    change: MaterialChange,
}

/// The piece taken, the piece that took it, and the piece promoted.
#[derive(Clone, Copy)]
struct MaterialChange {
    taken: u8,
    taker: u8,
    promoted: u8,
}

impl Collision {
    const KING: [u8; 2] = [u8::MAX - 1, u8::MAX - 2];
    const EMPTY: u8 = u8::MAX;

    fn kings(kings: Kings, pieces: usize, mover: Side) -> Collision {
        let mut on = [Collision::EMPTY; SQUARES];
        for (king, number) in kings.into_iter().zip(Collision::KING) {
            on[king.index()] = number;
        }
        let none = pieces as u8;
        let change = MaterialChange { taken: none, taker: none, promoted: none };
        Collision { mover, on, own: 0, none, change }
    }

    /// The change with one piece more. `None` if that is neither a position nor a conversion.
    #[inline]
    fn change_with(
        &self,
        number: usize,
        piece: &PlanePiece,
        square: Square,
    ) -> Option<MaterialChange> {
        let own = piece.side == self.mover;
        let mut change = self.change;
        if own && piece.promotion.contains(square) {
            if change.promoted != self.none {
                return None;
            }
            change.promoted = number as u8;
        } else if !piece.domain.contains(square) {
            return None;
        }
        let there = self.on[square.index()];
        if there != Collision::EMPTY {
            let other_own = match there {
                king if king == Collision::KING[self.mover.index()] => true,
                // The king is never taken.
                king if king == Collision::KING[(!self.mover).index()] => return None,
                other => self.own >> other & 1 != 0,
            };
            if own == other_own || change.taken != self.none {
                return None;
            }
            (change.taken, change.taker) =
                if own { (there, number as u8) } else { (number as u8, there) };
        }
        Some(change)
    }

    /// With one piece more; `None` as for [`Collision::change_with`].
    fn with(mut self, number: usize, piece: &PlanePiece, square: Square) -> Option<Collision> {
        self.change = self.change_with(number, piece, square)?;
        self.on[square.index()] = number as u8;
        self.own |= u8::from(piece.side == self.mover) << number;
        Some(self)
    }

    /// The piece taken and the piece promoted; the number of pieces stands for no piece. `None`
    /// if there is neither, or if the promoted piece is not the one that took: only one moved.
    #[inline]
    fn conversion(&self, change: MaterialChange) -> Option<(usize, usize)> {
        let MaterialChange { taken, taker, promoted } = change;
        let any = taken != self.none || promoted != self.none;
        let one_moved = taken == self.none || promoted == self.none || promoted == taker;
        (any && one_moved).then_some((taken.into(), promoted.into()))
    }
}

impl SmallerTable {
    /// The index of the smaller table with these kings, given as in this material. `None` if the
    /// kings have no place there.
    fn with_kings(&self, kings: Kings) -> Option<KingIndex<'_>> {
        let mut kings = kings.map(|king| self.square(king));
        if self.flipped {
            kings.swap(0, 1);
        }
        self.table.index().with_kings(kings)
    }

    /// The value with the pieces of this material on these squares.
    #[inline]
    fn value(&self, index: &KingIndex<'_>, squares: &[Square]) -> Option<Value> {
        let mut pieces = [squares[0]; MAX_OTHERS];
        for (there, &here) in pieces.iter_mut().zip(&self.pieces) {
            *there = self.square(squares[here]);
        }
        let slot = index.slot(&pieces[..self.pieces.len()])?;
        self.table.value(self.side, slot).map(|value| self.phase_change.carry(value))
    }

    /// A square of this material on the board of the smaller table.
    fn square(&self, square: Square) -> Square {
        if self.flipped { square.flipped() } else { square }
    }
}

/// The smaller table after `mover` has taken and promoted these pieces; `None` for bare kings.
///
/// # Errors
///
/// If `tables` does not have it.
fn smaller_table(
    geometry: &Geometry,
    rules: &Rules,
    metric: Metric,
    mover: Side,
    taken: Option<usize>,
    promoted: Option<usize>,
    tables: &dyn Fn(TableName) -> Option<Arc<Table>>,
) -> Result<Option<SmallerTable>, MissingTable> {
    let pieces = geometry.index.pieces();
    let material = geometry.index.material();
    let after = material.after(taken.map(|piece| pieces[piece]), promoted.map(|_| mover), rules);
    let Some(OrientedMaterial { material: needed, flipped }) = after else { return Ok(None) };
    if needed == Material::BARE_KINGS {
        return Ok(None);
    }
    let name = TableName::answering(needed, metric);
    let table = tables(name).ok_or(MissingTable { material, needed: name })?;
    let armies = |material: Material, flipped: bool| {
        Side::BOTH.map(|side| material.army(if flipped { !side } else { side }))
    };
    let phase_change =
        metric.phase_change(armies(material, false), armies(needed, flipped), !mover);
    // A symmetric table holds White to move only.
    let to_move = |flipped: bool| if flipped { mover } else { !mover };
    let flipped = flipped != (needed.is_symmetric() && to_move(flipped) == Side::Black);
    let side = to_move(flipped);
    let mut left: Vec<usize> = (0..pieces.len()).filter(|&piece| Some(piece) != taken).collect();
    let mut order = Vec::new();
    for &there in table.index().pieces() {
        let side = if flipped { !there.side } else { there.side };
        let here = |&piece: &usize| {
            let kind = if Some(piece) == promoted { rules.promotes_to } else { pieces[piece].kind };
            Piece::new(pieces[piece].side, kind) == Piece::new(side, there.kind)
        };
        if let Some(place) = left.iter().position(here) {
            order.push(left.remove(place));
        }
    }
    Ok(Some(SmallerTable { table, flipped, side, pieces: order, phase_change }))
}
