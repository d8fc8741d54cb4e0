//! The subtables of a material, and the conversions read from them.
//!
//! A conversion is a slot that represents a position of a subtable. If a piece is on the square of
//! an enemy piece, the slot represents the position in which it has just taken that piece. If a
//! pawn is on its promotion rank, the slot represents the position in which it has just been
//! promoted. The layers treat a conversion like any other slot, with the value of the subtable.

use crate::parallel::*;
use crate::planes::bits::Plane;
use crate::planes::check::{attack, in_check};
use crate::planes::geometry::{Geometry, PlaneKey, PlanePiece};
use crate::solver::conversions::{ConversionValue, Conversions, MoverConversions, PairConversions};
use crate::solver::log::Log;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square, Step};
use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::kings::{KingPair, Kings};
use sakmak_tables::index::{Group, KingIndex, MAX_OTHERS};
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::values::Coding;
use sakmak_tables::values::codes::TableCodes;
use std::borrow::Cow;
use std::io;
use std::sync::Arc;

/// The tables by name, in memory or on disk.
pub type Tables<'a> = dyn Fn(TableName) -> Option<Arc<dyn TableCodes>> + 'a;

/// A subtable with one side to move. It is read king pair by king pair.
#[derive(Clone)]
struct Source {
    name: TableName,
    codes: Arc<dyn TableCodes>,
    /// Whether the subtable has the colours of the material exchanged.
    flipped: bool,
    /// The side to move, in the colours of the subtable.
    side: Side,
}

/// The codes of one king pair of a source.
struct Window<'a> {
    index: KingIndex<'a>,
    groups: &'a [Group],
    coding: Coding,
    codes: Cow<'a, [u8]>,
    /// The first slot.
    first: u64,
}

/// A subtable, and its mapping to the slots of this material.
struct Subtable {
    /// The index of its source.
    source: usize,
    flipped: bool,
    /// The index of each of the subtable's pieces in this material.
    pieces: Vec<usize>,
    /// The value of each code in this table.
    values: Vec<ConversionValue>,
}

/// The subtables of one material, for the positions after a move of one side.
pub struct Subtables<'a> {
    geometry: &'a Geometry,
    mover: Side,
    sources: Vec<Source>,
    /// Subtables by piece taken, then by piece promoted; the last entry of each is for no piece.
    /// The mover chooses among several subtables. Empty if no subtable is needed.
    tables: Vec<Vec<Vec<Subtable>>>,
}

/// A subtable that solving needs is missing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{material} needs the table {needed}, which is missing")]
pub struct MissingTable {
    material: Material,
    needed: TableName,
}

impl<'a> Subtables<'a> {
    /// The subtables that a table with this metric depends on by moves of `mover`. `tables`
    /// returns them by name.
    ///
    /// # Errors
    ///
    /// If `tables` lacks a subtable.
    pub fn new(
        geometry: &'a Geometry,
        rules: &Rules,
        metric: Metric,
        mover: Side,
        tables: &Tables<'_>,
    ) -> Result<Subtables<'a>, MissingTable> {
        let pieces = &geometry.pieces;
        let mut sources = Vec::new();
        let numbers = || (0..pieces.len()).map(Some).chain([None]);
        let mut find = |taken: Option<usize>, promoted: Option<usize>| {
            let can_take = taken.is_none_or(|taken| pieces[taken].side != mover);
            let can_promote = promoted.is_none_or(|promoted| {
                let PlanePiece { side, promotion, .. } = &pieces[promoted];
                *side == mover && !promotion.is_empty()
            });
            if !can_take || !can_promote || taken.is_none() && promoted.is_none() {
                return Ok(Vec::new());
            }
            let promotions: Vec<Option<(usize, PieceKind)>> = match promoted {
                None => vec![None],
                Some(piece) => rules.promotes_to.iter().map(|&kind| Some((piece, kind))).collect(),
            };
            let found = promotions.into_iter().map(|promotion| {
                subtable(geometry, metric, mover, (taken, promotion), tables, &mut sources)
            });
            Ok(found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
        };
        let tables = numbers()
            .map(|taken| numbers().map(|promoted| find(taken, promoted)).collect())
            .collect::<Result<_, _>>()?;
        Ok(Subtables { geometry, mover, sources, tables })
    }

    /// Reads the conversions of all king pairs into a log. `replies` are the subtables after the
    /// opponent's moves.
    ///
    /// # Errors
    ///
    /// If a subtable cannot be read, or there is not enough memory or disk for the log.
    pub fn conversions(
        &self,
        replies: &Subtables<'_>,
        log: &Arc<Log>,
    ) -> io::Result<MoverConversions> {
        let pairs = self.geometry.index.kings().len() as u16;
        let by_pair: Vec<_> = (0..pairs)
            .into_par_iter()
            .map_init(<[PairConversions; 2]>::default, |[conversions, passing], pair| {
                self.gather_pair(KingPair(pair), replies, conversions, passing)?;
                Ok((conversions.flush(log)?, passing.flush(log)?))
            })
            .collect::<io::Result<_>>()?;
        let (conversions, passing): (Vec<_>, Vec<_>) = by_pair.into_iter().unzip();
        let (won, lost) = conversions.into_iter().unzip();
        let (saved, doomed) = passing.into_iter().unzip();
        let of = |pairs| Conversions::new(Arc::clone(log), pairs);
        Ok(MoverConversions { won: of(won), lost: of(lost), saved: of(saved), doomed: of(doomed) })
    }

    /// Gathers the conversions of a king pair.
    fn gather_pair(
        &self,
        pair: KingPair,
        replies: &Subtables<'_>,
        conversions: &mut PairConversions,
        passing: &mut PairConversions,
    ) -> io::Result<()> {
        let windows = self.windows(pair)?;
        let geometry = self.geometry;
        let can_be_taken = Side::BOTH.into_iter().all(|side| geometry.has_double_step(side));
        let reply_windows = if can_be_taken { replies.windows(pair)? } else { Vec::new() };
        for outer in 0..geometry.planes_per_pair() {
            let key = geometry.plane_key(pair, outer);
            let mut slots = self.candidates(&key);
            if !slots.is_empty() {
                slots.remove_all(&in_check(geometry, &key, self.mover));
                self.gather_plane(&key, slots, &windows, conversions);
            }
            if can_be_taken {
                replies.gather_passing(&key, &reply_windows, |row, column, value| {
                    let column = Bitboard::of(column).0;
                    if value.is_loss() {
                        passing.insert(value, row.index(), column);
                    } else {
                        conversions.insert(value, row.index(), column);
                        passing.insert(ConversionValue::SAVED, row.index(), column);
                    }
                });
                passing.end_plane(outer);
            }
            conversions.end_plane(outer);
        }
        Ok(())
    }

    /// The codes of a king pair, by source.
    fn windows(&self, pair: KingPair) -> io::Result<Vec<Option<Window<'_>>>> {
        let kings = self.geometry.index.kings().kings(pair);
        self.sources.iter().map(|source| source.window(kings)).collect()
    }

    /// Calls `visit` with the passing slots of a plane in which the mover can capture in passing,
    /// and the value of its best such capture, for the mover.
    fn gather_passing(
        &self,
        key: &PlaneKey,
        windows: &[Option<Window<'_>>],
        mut visit: impl FnMut(Square, Square, ConversionValue),
    ) {
        let geometry = self.geometry;
        let (outer_pieces, pieces) = (geometry.outer().len(), &geometry.pieces);
        let (row, column) = (outer_pieces, pieces.len() - 1);
        let captures = |number: usize| {
            pieces[number].side == self.mover && pieces[number].double_step.is_some()
        };
        let mut squares = [key.kings[0]; MAX_OTHERS];
        squares[..outer_pieces].copy_from_slice(&key.outer[..outer_pieces]);
        for (taken, piece) in pieces.iter().enumerate() {
            let Some(double_step) = piece.double_step.filter(|_| piece.side != self.mover) else {
                continue;
            };
            let passing = match taken < outer_pieces {
                true => Bitboard::of(key.outer[taken]) & double_step.passing,
                false => double_step.passing,
            };
            for passing in passing {
                let Some(path) = double_step.path(passing) else { continue };
                let beside = [Step::new(1, 0), Step::new(-1, 0)];
                let beside: Bitboard =
                    beside.into_iter().filter_map(|step| path[2].step(step)).collect();
                // The squares of row and column piece with a pawn that may capture.
                let all =
                    |number| if number == taken { Bitboard::of(passing) } else { Bitboard::ALL };
                let outer = (0..outer_pieces)
                    .any(|number| captures(number) && beside.contains(key.outer[number]));
                let areas = match outer {
                    true => [Some((all(row), all(column))), None],
                    false => [
                        captures(row).then(|| (beside, all(column))),
                        captures(column).then(|| (all(row), beside)),
                    ],
                };
                for (rows, columns) in areas.into_iter().flatten() {
                    for row_square in rows {
                        for column_square in columns {
                            (squares[row], squares[column]) = (row_square, column_square);
                            let value =
                                self.value_in_passing(taken, path, key.kings, squares, windows);
                            if let Some(value) = value {
                                visit(row_square, column_square, value);
                            }
                        }
                    }
                }
            }
        }
    }

    /// The value of the mover's best capture of a pawn that has just advanced over a path, for the
    /// mover. `None` if there is none. The entry of the pawn in `squares` is ignored.
    fn value_in_passing(
        &self,
        taken: usize,
        [from, passed, to]: [Square; 3],
        kings: Kings,
        mut squares: [Square; MAX_OTHERS],
        windows: &[Option<Window<'_>>],
    ) -> Option<ConversionValue> {
        let pieces = &self.geometry.pieces;
        squares[taken] = to;
        let mut occupied = Bitboard::of(kings[0]) | Bitboard::of(kings[1]);
        for (piece, &square) in pieces.iter().zip(&squares) {
            if occupied.contains(square) || !piece.domain.contains(square) {
                return None;
            }
            occupied.insert(square);
        }
        if occupied.contains(from) || occupied.contains(passed) {
            return None;
        }
        let king = kings[self.mover.index()];
        let mut best = None;
        for (taker, piece) in pieces.iter().enumerate() {
            let is_pawn = piece.side == self.mover && piece.double_step.is_some();
            if !is_pawn || attack(piece, squares[taker], passed, occupied).is_none() {
                continue;
            }
            let left = Bitboard::of(squares[taker]) | Bitboard::of(to);
            let after = (occupied - left) | Bitboard::of(passed);
            let mut enemies = pieces
                .iter()
                .zip(squares)
                .enumerate()
                .filter(|(number, (piece, _))| piece.side != self.mover && *number != taken);
            if enemies.all(|(_, (enemy, square))| attack(enemy, square, king, after).is_none()) {
                let mut squares = squares;
                squares[taker] = passed;
                let run = Bitboard::of(passed);
                self.line((taken, pieces.len()), &squares, taker, run, windows, |_, value| {
                    best = ConversionValue::preferred(best, value);
                });
            }
        }
        best.map(ConversionValue::before_move)
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

    /// Gathers the conversions among these slots of a plane, after a move of the mover.
    ///
    /// Whenever one piece runs over the board while all others stand still, its slots are read from
    /// the subtable as one line.
    fn gather_plane(
        &self,
        key: &PlaneKey,
        mut slots: Plane,
        windows: &[Option<Window<'_>>],
        conversions: &mut PairConversions,
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
        // Without a row piece, both indices denote the column piece.
        let (row, column) = (outer_pieces, pieces - 1);
        if geometry.row().is_some() && outer.change_is_none() {
            self.gather_columns(&outer, &mut squares, &mut slots, windows, conversions);
            self.gather_diagonal(&outer, &mut squares, &mut slots, windows, conversions);
        }
        for (number, &word) in slots.0.iter().enumerate().filter(|(_, word)| **word != 0) {
            let mut collision = outer;
            if let Some(piece) = geometry.row() {
                squares[row] = Square::wrapping(number);
                let Some(with_row) = outer.with(row, piece, squares[row]) else { continue };
                collision = with_row;
            }
            let mut single = word;
            if let Some(change) = collision.conversion(collision.change) {
                let run = word & self.free(column, &collision).0;
                single &= !run;
                self.line(change, &squares, column, Bitboard(run), windows, |square, value| {
                    conversions.insert(value, number, Bitboard::of(square).0);
                });
            }
            for square in Bitboard(single) {
                let change = collision.change_with(column, geometry.column(), square);
                if let Some(change) = change.and_then(|change| collision.conversion(change)) {
                    // A line of one slot; a taken piece does not run.
                    squares[column] = square;
                    let runner = if change.0 == column { row } else { column };
                    let run = Bitboard::of(squares[runner]);
                    let bit = Bitboard::of(square).0;
                    self.line(change, &squares, runner, run, windows, |_, value| {
                        conversions.insert(value, number, bit);
                    });
                }
            }
        }
    }

    /// Gathers the conversions by a column piece that collides or is promoted while the row piece
    /// runs, and removes their slots.
    fn gather_columns(
        &self,
        outer: &Collision,
        squares: &mut [Square; MAX_OTHERS],
        slots: &mut Plane,
        windows: &[Option<Window<'_>>],
        conversions: &mut PairConversions,
    ) {
        let (row, column) = (self.geometry.pieces.len() - 2, self.geometry.pieces.len() - 1);
        let piece = self.geometry.column();
        for square in outer.squares | piece.promotion {
            squares[column] = square;
            let Some(collision) = outer.with(column, piece, square) else { continue };
            let Some(change) = collision.conversion(collision.change) else { continue };
            let bit = Bitboard::of(square).0;
            let mut run = Bitboard::EMPTY;
            for row in self.free(row, &collision) {
                if slots.0[row.index()] & bit != 0 {
                    run.insert(row);
                    slots.0[row.index()] &= !bit;
                }
            }
            self.line(change, squares, row, run, windows, |square, value| {
                conversions.insert(value, square.index(), bit);
            });
        }
    }

    /// Gathers the conversions in which row piece and column piece share a free square, and removes
    /// their slots.
    fn gather_diagonal(
        &self,
        outer: &Collision,
        squares: &mut [Square; MAX_OTHERS],
        slots: &mut Plane,
        windows: &[Option<Window<'_>>],
        conversions: &mut PairConversions,
    ) {
        let (row, column) = (self.geometry.pieces.len() - 2, self.geometry.pieces.len() - 1);
        let Some(row_piece) = self.geometry.row() else { return };
        if row_piece.side == self.geometry.column().side {
            return;
        }
        let (taken, taker) =
            if row_piece.side == self.mover { (column, row) } else { (row, column) };
        let mut run = Bitboard::EMPTY;
        for square in self.free(row, outer) & self.free(column, outer) {
            let bit = Bitboard::of(square).0;
            if slots.0[square.index()] & bit != 0 {
                run.insert(square);
                slots.0[square.index()] &= !bit;
            }
        }
        let change = (taken, self.geometry.pieces.len());
        self.line(change, squares, taker, run, windows, |square, value| {
            conversions.insert(value, square.index(), Bitboard::of(square).0);
        });
    }

    /// The squares on which a piece changes nothing: it neither collides nor is promoted.
    fn free(&self, number: usize, collision: &Collision) -> Bitboard {
        let piece = &self.geometry.pieces[number];
        let promotion = if piece.side == self.mover { piece.promotion } else { Bitboard::EMPTY };
        piece.domain - promotion - collision.squares
    }

    /// Calls `visit` with the values on a line: one piece runs over these squares, all others stand
    /// still. `change` is the piece taken and the piece promoted.
    #[inline]
    fn line(
        &self,
        (taken, promoted): (usize, usize),
        squares: &[Square; MAX_OTHERS],
        runner: usize,
        run: Bitboard,
        windows: &[Option<Window<'_>>],
        mut visit: impl FnMut(Square, ConversionValue),
    ) {
        match &self.tables[taken][promoted][..] {
            [] => {}
            [table] => {
                if let Some(window) = &windows[table.source] {
                    table.line(window, squares, runner, run, visit);
                }
            }
            choices => {
                let mut best = [None; SQUARES];
                for table in choices {
                    if let Some(window) = &windows[table.source] {
                        table.line(window, squares, runner, run, |square, value| {
                            let best = &mut best[square.index()];
                            *best = ConversionValue::preferred(*best, value);
                        });
                    }
                }
                for (square, value) in run.map(|square| (square, best[square.index()])) {
                    visit(square, value.unwrap_or(ConversionValue::DRAW));
                }
            }
        }
    }
}

/// Some of the pieces of a slot, and the capture and promotion that their squares imply.
#[derive(Clone, Copy)]
struct Collision {
    mover: Side,
    /// The index of the piece on each square, [`Collision::KING`] of a side, or
    /// [`Collision::EMPTY`].
    on: [u8; SQUARES],
    /// The squares on which a piece or a king stands.
    squares: Bitboard,
    /// A bit for each piece of the mover.
    own: u8,
    /// The number of pieces, which denotes no piece.
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
        let squares = Bitboard::of(kings[0]) | Bitboard::of(kings[1]);
        Collision { mover, on, squares, own: 0, none, change }
    }

    /// The change with one more piece. `None` if the result is neither a position nor a conversion.
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

    /// Adds one piece; `None` in the cases of [`Collision::change_with`].
    fn with(mut self, number: usize, piece: &PlanePiece, square: Square) -> Option<Collision> {
        self.change = self.change_with(number, piece, square)?;
        self.on[square.index()] = number as u8;
        self.squares.insert(square);
        self.own |= u8::from(piece.side == self.mover) << number;
        Some(self)
    }

    /// Whether no piece is taken or promoted.
    fn change_is_none(&self) -> bool {
        self.change.taken == self.none && self.change.promoted == self.none
    }

    /// The piece taken and the piece promoted; the number of pieces denotes no piece. `None`
    /// without a change, or if the promoted piece is not the piece that took: only one piece has
    /// moved.
    #[inline]
    fn conversion(&self, change: MaterialChange) -> Option<(usize, usize)> {
        let MaterialChange { taken, taker, promoted } = change;
        let any = taken != self.none || promoted != self.none;
        let one_moved = taken == self.none || promoted == self.none || promoted == taker;
        (any && one_moved).then_some((taken.into(), promoted.into()))
    }
}

impl Source {
    /// The codes of the king pair with these kings, given as in the material. `None` if the table
    /// has no slots for the kings.
    ///
    /// # Errors
    ///
    /// If the codes are on disk and cannot be read.
    fn window(&self, kings: Kings) -> io::Result<Option<Window<'_>>> {
        let mut kings = kings.map(|king| turned(king, self.flipped));
        if self.flipped {
            kings.swap(0, 1);
        }
        let Some(index) = self.codes.index().with_kings(kings) else { return Ok(None) };
        let first = index.first().0;
        let slots = first..first + self.codes.index().slots_per_pair();
        Ok(Some(Window {
            index,
            groups: self.codes.index().groups(),
            coding: self.codes.coding(self.side).unwrap_or_default(),
            codes: self.codes.window(self.side, slots)?,
            first,
        }))
    }
}

impl Subtable {
    /// Calls `visit` with the values on a line of the material: the piece `runner` runs over these
    /// squares, all others stand still. The square of the runner is ignored.
    #[inline]
    fn line(
        &self,
        window: &Window<'_>,
        squares: &[Square; MAX_OTHERS],
        runner: usize,
        run: Bitboard,
        mut visit: impl FnMut(Square, ConversionValue),
    ) {
        let Some(index) = self.pieces.iter().position(|&here| here == runner) else { return };
        let mut pieces = [squares[0]; MAX_OTHERS];
        for (there, &here) in pieces.iter_mut().zip(&self.pieces) {
            *there = turned(squares[here], self.flipped);
        }
        let groups = window.groups.iter();
        let Some(group) = groups.rev().find(|group| group.first <= index) else { return };
        let like = group.first..group.first + group.count;
        let mut base = None;
        for square in run {
            pieces[index] = turned(square, self.flipped);
            if base.is_none() {
                // The common part of the slots of the line.
                base = window
                    .index
                    .slot(&pieces[..self.pieces.len()])
                    .and_then(|slot| window.index.without(slot, group, &pieces[like.clone()]));
            }
            let slot = base.and_then(|base| window.index.with(base, group, &pieces[like.clone()]));
            if let Some(slot) = slot {
                let code = window.coding.read(&window.codes, (slot.0 - window.first) as usize);
                let value = code.and_then(|code| self.values.get(usize::from(code)));
                visit(square, *value.unwrap_or(&ConversionValue::DRAW));
            }
        }
    }
}

/// A square of the material on the board of a subtable.
fn turned(square: Square, flipped: bool) -> Square {
    if flipped { square.flipped() } else { square }
}

/// The subtable after `mover` has taken a piece and promoted one to this kind; `None` for bare
/// kings. Adds its source if it is new.
///
/// # Errors
///
/// If `tables` lacks the subtable.
fn subtable(
    geometry: &Geometry,
    metric: Metric,
    mover: Side,
    (taken, promotion): (Option<usize>, Option<(usize, PieceKind)>),
    tables: &Tables<'_>,
    sources: &mut Vec<Source>,
) -> Result<Option<Subtable>, MissingTable> {
    let pieces = geometry.index.pieces();
    let material = geometry.index.material();
    let promoted = promotion.map(|(_, kind)| Piece::new(mover, kind));
    let after = material.after(taken.map(|piece| pieces[piece]), promoted);
    let Some(OrientedMaterial { material: needed, flipped }) = after else { return Ok(None) };
    if needed == Material::BARE_KINGS {
        return Ok(None);
    }
    let name = TableName::deciding(needed, metric);
    let codes = tables(name).ok_or(MissingTable { material, needed: name })?;
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
    for &there in codes.index().pieces() {
        let side = if flipped { !there.side } else { there.side };
        let here = |&piece: &usize| {
            let kind = match promotion {
                Some((promoted, kind)) if promoted == piece => kind,
                _ => pieces[piece].kind,
            };
            Piece::new(pieces[piece].side, kind) == Piece::new(side, there.kind)
        };
        if let Some(index) = left.iter().position(here) {
            order.push(left.remove(index));
        }
    }
    let coding = codes.coding(side).unwrap_or_default();
    let value = |code: u32| {
        let value = coding.decode(code as u16).unwrap_or(Value::Draw);
        ConversionValue::of(phase_change.carry(value))
    };
    let values = (0..coding.codes()).map(value).collect();
    let same = |source: &Source| (source.name, source.flipped) == (name, flipped);
    let source = sources.iter().position(same).unwrap_or(sources.len());
    if source == sources.len() {
        sources.push(Source { name, codes, flipped, side });
    }
    Ok(Some(Subtable { source, flipped, pieces: order, values }))
}
