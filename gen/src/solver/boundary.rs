//! Conversions: the slots that stand for positions of smaller tables.
//!
//! A slot where one piece stands on an enemy piece stands for the position in which it has
//! just taken that piece; a slot with a pawn on its promotion rank for the position in which
//! it has just been promoted. Such slots take part in the layers like any other, with the
//! value of the smaller table.

use crate::planes::bits::Plane;
use crate::planes::check::in_check;
use crate::planes::geometry::{Body, Geometry, Spot};
use crate::solver::conversions::{Conversions, entry};
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

/// What a smaller table is to this material.
#[derive(Debug)]
struct Smaller {
    table: Arc<Table>,
    /// Whether the colours change on the way there.
    flipped: bool,
    /// The side to move there.
    side: Side,
    /// By piece of the smaller table: the piece here.
    men: Vec<usize>,
    /// What its values are worth here.
    phase_change: PhaseChange,
}

/// The smaller tables of one material, for the positions after a move of one side.
#[derive(Debug)]
pub struct Boundary<'a> {
    geometry: &'a Geometry,
    mover: Side,
    /// By piece taken, the last for none, then by piece promoted, the last for none.
    smaller: Vec<Vec<Option<Smaller>>>,
}

/// The conversions met by the moves of one side, by king pair.
#[derive(Debug, Default)]
pub struct Read {
    /// Those won for the other side, which is to move.
    pub won: Vec<Conversions>,
    /// Those lost for it.
    pub lost: Vec<Conversions>,
}

/// A smaller table that is needed is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{material} needs the table {needed}, which is not there")]
pub struct MissingTable {
    material: Material,
    needed: TableName,
}

impl<'a> Boundary<'a> {
    /// The boundary met by moves of `mover` where this is measured; `tables` gives the
    /// smaller tables.
    pub fn new(
        geometry: &'a Geometry,
        rules: &Rules,
        metric: Metric,
        mover: Side,
        tables: &dyn Fn(TableName) -> Option<Arc<Table>>,
    ) -> Result<Boundary<'a>, MissingTable> {
        let men = geometry.index.pieces();
        let places = || (0..men.len()).map(Some).chain([None]);
        let find = |taken: Option<usize>, promoted: Option<usize>| {
            let can_take = taken.is_none_or(|piece| men[piece].side != mover);
            let can_promote = promoted.is_none_or(|piece| {
                men[piece].side == mover && !geometry.bodies[piece].promotion.is_empty()
            });
            if !can_take || !can_promote || taken.is_none() && promoted.is_none() {
                return Ok(None);
            }
            smaller(geometry, rules, metric, mover, taken, promoted, tables)
        };
        let smaller = places()
            .map(|taken| places().map(|promoted| find(taken, promoted)).collect())
            .collect::<Result<_, _>>()?;
        Ok(Boundary { geometry, mover, smaller })
    }

    /// Reads all conversions, king pair by king pair: those won for the mover's opponent,
    /// who is to move, and those lost for it.
    pub fn read(&self) -> Read {
        let pairs = self.geometry.index.kings().len() as u16;
        let read = (0..pairs).into_par_iter().map(|pair| self.read_pair(KingPair(pair)));
        let (won, lost) = read.unzip();
        Read { won, lost }
    }

    fn read_pair(&self, pair: KingPair) -> (Conversions, Conversions) {
        let (mut all_won, mut all_lost) = (Conversions::default(), Conversions::default());
        let kings = self.geometry.index.kings().kings(pair);
        let smaller: Vec<Vec<Option<KingIndex<'_>>>> = self
            .smaller
            .iter()
            .map(|tables| tables.iter().map(|table| table.as_ref()?.with_kings(kings)).collect())
            .collect();
        let (mut won, mut lost) = (Vec::new(), Vec::new());
        for outer in 0..self.geometry.planes_per_pair() {
            won.clear();
            lost.clear();
            let spot = self.geometry.spot(pair, outer);
            let mut slots = self.candidates(&spot);
            if !slots.is_empty() {
                slots.remove_all(&in_check(self.geometry, &spot, self.mover));
            }
            self.for_each_conversion(&spot, &slots, |squares, taken, promoted, slot| {
                let facing = smaller[taken][promoted].as_ref();
                let table = self.smaller[taken][promoted].as_ref();
                match table.zip(facing).and_then(|(table, facing)| table.value(facing, squares)) {
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

    /// The slots that may be conversions; every conversion is among them.
    fn candidates(&self, spot: &Spot) -> Plane {
        let geometry = self.geometry;
        if !spot.real {
            return Plane([u64::MAX; SQUARES]);
        }
        let column = geometry.column();
        let enemies = |side: Side| spot.fixed[(!side).index()];
        let on_column = enemies(column.piece.side) | column.promotion;
        let mut plane = Plane([on_column.0; SQUARES]);
        if let Some(row) = geometry.row() {
            let on_row = enemies(row.piece.side) | row.promotion;
            for (number, word) in plane.0.iter_mut().enumerate() {
                let square = Square::wrapping(number);
                if on_row.contains(square) {
                    *word = u64::MAX;
                } else if row.piece.side != column.piece.side {
                    *word |= Bitboard::of(square).0;
                }
            }
        }
        plane
    }

    /// Calls `visit` for those of these slots that are conversions after a move of the
    /// mover: with the squares of all pieces, the piece taken and the piece promoted (or the
    /// number of pieces for none), and the slot in its plane.
    fn for_each_conversion(
        &self,
        spot: &Spot,
        slots: &Plane,
        mut visit: impl FnMut(&[Square], usize, usize, u32),
    ) {
        let geometry = self.geometry;
        let (men, outer_men) = (geometry.bodies.len(), geometry.outer().len());
        let mut squares = [spot.kings[0]; MAX_OTHERS];
        squares[..outer_men].copy_from_slice(&spot.outer[..outer_men]);
        let mut met = Some(Met::kings(spot.kings, men, self.mover));
        for (piece, body) in geometry.outer().iter().enumerate() {
            met = met.and_then(|met| met.with(piece, body, squares[piece]));
        }
        let Some(met) = met else { return };
        for (number, &word) in slots.0.iter().enumerate().filter(|(_, word)| **word != 0) {
            let mut met = met;
            if let Some(body) = geometry.row() {
                squares[outer_men] = Square::wrapping(number);
                let Some(with_row) = met.with(outer_men, body, squares[outer_men]) else {
                    continue;
                };
                met = with_row;
            }
            for column in Bitboard(word) {
                squares[men - 1] = column;
                let all = met.meeting(men - 1, geometry.column(), column);
                if let Some((taken, promoted)) = all.and_then(|all| met.conversion(all)) {
                    let slot = (number * SQUARES + column.index()) as u32;
                    visit(&squares[..men], taken, promoted, slot);
                }
            }
        }
    }
}

/// What some of the pieces standing together come to.
#[derive(Clone, Copy)]
struct Met {
    mover: Side,
    /// By square: the piece there, or [`Met::KING`] and the side, or [`Met::NOBODY`].
    on: [u8; SQUARES],
    /// A bit for each piece that is the mover's.
    own: u8,
    /// How many men there are: the number that stands for none of them.
    none: u8,
    outcome: Outcome,
}

/// Which piece was taken, by which, and which was promoted.
#[derive(Clone, Copy)]
struct Outcome {
    taken: u8,
    taker: u8,
    promoted: u8,
}

impl Met {
    const KING: [u8; 2] = [u8::MAX - 1, u8::MAX - 2];
    const NOBODY: u8 = u8::MAX;

    fn kings(kings: Kings, men: usize, mover: Side) -> Met {
        let mut on = [Met::NOBODY; SQUARES];
        for (king, number) in kings.into_iter().zip(Met::KING) {
            on[king.index()] = number;
        }
        let none = men as u8;
        let outcome = Outcome { taken: none, taker: none, promoted: none };
        Met { mover, on, own: 0, none, outcome }
    }

    /// What they come to with one piece more; nothing where that is neither a position nor a
    /// conversion.
    #[inline]
    fn meeting(&self, piece: usize, body: &Body, square: Square) -> Option<Outcome> {
        let own = body.piece.side == self.mover;
        let mut outcome = self.outcome;
        if own && body.promotion.contains(square) {
            if outcome.promoted != self.none {
                return None;
            }
            outcome.promoted = piece as u8;
        } else if !body.domain.contains(square) {
            return None;
        }
        let there = self.on[square.index()];
        if there != Met::NOBODY {
            let other_own = match there {
                king if king == Met::KING[self.mover.index()] => true,
                // The king is never taken.
                king if king == Met::KING[(!self.mover).index()] => return None,
                other => self.own >> other & 1 != 0,
            };
            if own == other_own || outcome.taken != self.none {
                return None;
            }
            (outcome.taken, outcome.taker) =
                if own { (there, piece as u8) } else { (piece as u8, there) };
        }
        Some(outcome)
    }

    /// With one piece more; nothing as for [`Met::meeting`].
    fn with(mut self, piece: usize, body: &Body, square: Square) -> Option<Met> {
        self.outcome = self.meeting(piece, body, square)?;
        self.on[square.index()] = piece as u8;
        self.own |= u8::from(body.piece.side == self.mover) << piece;
        Some(self)
    }

    /// The piece taken and the piece promoted, or the number of pieces for none, if any was: the
    /// one promoted has moved, and only one has.
    #[inline]
    fn conversion(&self, outcome: Outcome) -> Option<(usize, usize)> {
        let Outcome { taken, taker, promoted } = outcome;
        let any = taken != self.none || promoted != self.none;
        let one_moved = taken == self.none || promoted == self.none || promoted == taker;
        (any && one_moved).then_some((taken.into(), promoted.into()))
    }
}

impl Smaller {
    /// The smaller index with these kings, given as they stand here.
    fn with_kings(&self, kings: Kings) -> Option<KingIndex<'_>> {
        let mut kings = kings.map(|king| self.seen(king));
        if self.flipped {
            kings.swap(0, 1);
        }
        self.table.index().with_kings(kings)
    }

    /// The value with these pieces of the greater table.
    #[inline]
    fn value(&self, facing: &KingIndex<'_>, squares: &[Square]) -> Option<Value> {
        let mut men = [squares[0]; MAX_OTHERS];
        for (there, &here) in men.iter_mut().zip(&self.men) {
            *there = self.seen(squares[here]);
        }
        let slot = facing.slot(&men[..self.men.len()])?;
        self.table.value(self.side, slot).map(|value| self.phase_change.carry(value))
    }

    fn seen(&self, square: Square) -> Square {
        if self.flipped { square.flipped() } else { square }
    }
}

/// The smaller table after `mover` has taken and promoted these pieces; nothing for bare kings.
fn smaller(
    geometry: &Geometry,
    rules: &Rules,
    metric: Metric,
    mover: Side,
    taken: Option<usize>,
    promoted: Option<usize>,
    tables: &dyn Fn(TableName) -> Option<Arc<Table>>,
) -> Result<Option<Smaller>, MissingTable> {
    let men = geometry.index.pieces();
    let material = geometry.index.material();
    let after = material.after(taken.map(|piece| men[piece]), promoted.map(|_| mover), rules);
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
    let mut left: Vec<usize> = (0..men.len()).filter(|&piece| Some(piece) != taken).collect();
    let mut order = Vec::new();
    for &there in table.index().pieces() {
        let side = if flipped { !there.side } else { there.side };
        let here = |&piece: &usize| {
            let kind = if Some(piece) == promoted { rules.promotes_to } else { men[piece].kind };
            Piece::new(men[piece].side, kind) == Piece::new(side, there.kind)
        };
        if let Some(place) = left.iter().position(here) {
            order.push(left.remove(place));
        }
    }
    Ok(Some(Smaller { table, flipped, side, men: order, phase_change }))
}
