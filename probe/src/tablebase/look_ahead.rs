//! Values from a packed file, which stores one side to move and may leave the captures and
//! promotions of a position to other tables.
//!
//! ```text
//! the stored side:  the better of the code and all captures and promotions
//! the other side:   the best of all moves
//! ```
//!
//! A code is never better for the side to move than the value of its position. So the code is an
//! upper bound of the value of the move to that position, and equals it unless the opponent has a
//! capture or promotion. Moves are therefore examined best code first, until no remaining move can
//! be better than the best found.
//!
//! A look-ahead allocates no memory but that of caches: quiet moves are changes of one
//! [`Placement`], and the blocks after them are decoded together.

use crate::cache::{BlockCache, BlockKey};
use crate::error::ProbeError;
use crate::file::packed::{BlockPart, KnownCodes, PackedFile, PartCodes};
use crate::value_cache::{PositionKey, ValueCache};
use arrayvec::ArrayVec;
use sakmak_codec::lanes::LANES;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::solved::offsets::BlockNumber;
use sakmak_tables::index::Placement;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::{MAX_MOVES, Move};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::tile::TileSquare;
use std::cmp::Reverse;

/// A packed file with everything needed to compute a value.
#[derive(Clone, Copy)]
pub struct LookAhead<'a> {
    /// Returns the value of a position of another table in the metric of the file.
    pub other_tables: &'a dyn Fn(&Position) -> Result<Value, ProbeError>,
    /// Decoded blocks.
    pub cache: &'a BlockCache,
    /// Values of earlier positions.
    pub values: &'a ValueCache,
    /// The file.
    pub file: &'a PackedFile,
    /// The table's number in the cache.
    pub id: u32,
    /// Codes that the caller knows.
    pub known: Option<&'a KnownCodes<'a>>,
}

/// A move that neither captures nor promotes.
struct QuietMove {
    mv: Move,
    block: u64,
    tile_square: TileSquare,
    /// The code of the position after it.
    code: u16,
    /// The value of the code.
    stored: Value,
    /// The upper bound of the move's value.
    upper_bound: Value,
}

impl LookAhead<'_> {
    /// The value of a position; `flipped` comes from [`Position::material`]. `None` if the position
    /// or a successor is not in the table.
    ///
    /// # Errors
    ///
    /// If a part of the file cannot be read or is damaged, and the errors of `other_tables`.
    pub fn value(&self, position: &Position, flipped: bool) -> Result<Option<Value>, ProbeError> {
        let (side, placement) = Placement::of(position, flipped, self.file.index());
        let Some((block, tile_square)) = self.file.locate(&placement) else { return Ok(None) };
        let number = block * self.block_codes() as u64 + index_of(tile_square) as u64;
        let key = PositionKey { table: self.id, side, position: number };
        if let Some(value) = self.values.get(key) {
            return Ok(Some(value));
        }
        self.file.prefetch_model();
        let value = if side == self.file.kept() {
            self.file.prefetch(block);
            let stored = self.stored(block, tile_square)?;
            Some(self.value_of_stored(position, side, stored)?)
        } else {
            self.value_by_moves(position, side, &placement)?
        };
        if let Some(value) = value {
            self.values.insert(key, value);
        }
        Ok(value)
    }

    /// The value of a position with the other side to move, which is `side` in the table. `None` if
    /// a successor is not in the table.
    fn value_by_moves(
        &self,
        position: &Position,
        side: Side,
        placement: &Placement,
    ) -> Result<Option<Value>, ProbeError> {
        let moves = position.legal_moves();
        if let Some(value) = position.final_value_given(&moves) {
            return Ok(Some(value));
        }
        let mut quiet: ArrayVec<QuietMove, MAX_MOVES> = ArrayVec::new();
        let mut conversions: ArrayVec<Move, MAX_MOVES> = ArrayVec::new();
        let exchanged = side != position.side();
        for &mv in moves.iter() {
            if converts(position, &mv) {
                conversions.push(mv);
                continue;
            }
            let after = placement.after(mv.from, mv.to, exchanged);
            let Some((block, tile_square)) = self.file.locate(&after) else { return Ok(None) };
            self.file.prefetch(block);
            let (stored, upper_bound) = (Value::Draw, Value::Draw);
            quiet.push(QuietMove { mv, block, tile_square, code: 0, stored, upper_bound });
        }
        let best = self.best_of(position, side, &conversions);
        if best.is_err() {
            // A source that has to fetch bytes also notes the bytes of the quiet moves.
            let _ = self.look_up(&mut quiet);
        }
        let mut best = best?;
        if best.is_some_and(|best| self.is_best(position, side, best)) {
            return Ok(best);
        }
        self.look_up(&mut quiet)?;
        for one in &mut quiet {
            one.stored = self.file.value(one.block, one.code)?;
            one.upper_bound = self.clamped(side, self.metric().before_move(one.stored));
        }
        quiet.sort_unstable_by_key(|one| Reverse(one.upper_bound.preference()));
        for one in &quiet {
            if best.is_some_and(|best| best.preference() >= one.upper_bound.preference()) {
                break;
            }
            let after = position.play_uncounted(one.mv);
            let value = self.value_of_stored(&after, !side, one.stored)?;
            best = better(best, self.clamped(side, self.metric().before_move(value)));
        }
        Ok(best)
    }

    /// The value of a position with the stored side to move, which is `side` in the table; `stored`
    /// is the value of its code.
    fn value_of_stored(
        &self,
        position: &Position,
        side: Side,
        stored: Value,
    ) -> Result<Value, ProbeError> {
        if !self.file.has_dont_care() || self.is_best(position, side, stored) {
            return Ok(stored);
        }
        let best = self.best_of(position, side, &position.legal_conversions())?;
        Ok(better(best, stored).unwrap_or(stored))
    }

    /// Whether no value is better for the side to move, which is `side` in the table: a draw of a
    /// bare king.
    fn is_best(&self, position: &Position, side: Side, value: Value) -> bool {
        value == Value::Draw
            && self.file.index().material().army(side).is_empty()
            && !position.variant().rules.end.bare_king_can_win()
    }

    /// The best value of these captures and promotions. `None` without a move.
    fn best_of(
        &self,
        position: &Position,
        side: Side,
        conversions: &[Move],
    ) -> Result<Option<Value>, ProbeError> {
        let (mut best, mut failed) = (None, None);
        for &mv in conversions {
            let after = position.play_uncounted(mv);
            let value = match (self.other_tables)(&after) {
                Ok(value) => value,
                Err(error) => {
                    // Continues, so that a source that has to fetch bytes notes all of them.
                    failed = failed.or(Some(error));
                    continue;
                }
            };
            let value = match self.metric() {
                Metric::DistanceToMate | Metric::DistanceToCheck => value,
                metric => metric
                    .phase_change(position.armies(), after.armies(), after.side())
                    .carry(value),
            };
            best = better(best, self.clamped(side, self.metric().before_move(value)));
        }
        failed.map_or(Ok(best), Err)
    }

    fn metric(&self) -> Metric {
        self.file.layout().header().preamble.name.metric
    }

    /// The value that the table holds for a side to move.
    fn clamped(&self, side: Side, value: Value) -> Value {
        self.metric().clamped(self.file.index().material(), side, value)
    }

    /// Fills in the codes, decoding each block once.
    fn look_up(&self, quiet: &mut [QuietMove]) -> Result<(), ProbeError> {
        quiet.sort_unstable_by_key(|one| (one.block, one.tile_square));
        for one in quiet.iter() {
            self.cache.prefetch(self.key(one.block), CODE * index_of(one.tile_square));
        }
        let mut parts: ArrayVec<BlockPart, MAX_MOVES> = ArrayVec::new();
        for run in quiet.chunk_by_mut(|one, other| one.block == other.block) {
            let Some(last) = run.last() else { continue };
            let part = BlockPart { block: last.block, last: last.tile_square };
            let mut cached = true;
            for one in run {
                match self.cached(one.block, one.tile_square) {
                    Some(code) => one.code = code,
                    None => cached = false,
                }
            }
            if !cached {
                parts.push(part);
            }
        }
        // Parts of similar length are decoded together.
        parts.sort_unstable_by_key(|part| Reverse((part.last, part.block)));
        self.file.decode(&parts, |number, codes| {
            let block = parts[number].block;
            let first = quiet.partition_point(|one| one.block < block);
            for one in quiet[first..].iter_mut().take_while(|one| one.block == block) {
                one.code = codes.code(one.tile_square).unwrap_or(u16::MAX);
            }
            self.insert(parts[number], codes);
        })?;
        Ok(())
    }

    /// The value of the code at a tile square.
    fn stored(&self, block: u64, last: TileSquare) -> Result<Value, ProbeError> {
        let mut code = self.cached(block, last);
        if code.is_none() {
            let part = BlockPart { block, last };
            self.file.decode(&[part], |_, codes| {
                code = codes.code(last);
                self.insert(part, codes);
            })?;
        }
        Ok(self.file.value(block, code.unwrap_or(u16::MAX))?)
    }

    /// The code of a tile square if it is known or in the cache.
    fn cached(&self, block: u64, tile_square: TileSquare) -> Option<u16> {
        if let Some(code) = self.known.and_then(|known| known(block, tile_square)) {
            return Some(code);
        }
        self.cache.get(self.key(block), CODE * index_of(tile_square)).map(u16::from_le_bytes)
    }

    /// Caches the codes of a part of a block.
    fn insert(&self, part: BlockPart, codes: PartCodes<'_>) {
        let (key, numbers) = (self.key(part.block), index_of(part.last) + 1);
        match codes {
            PartCodes::Tiles(tiles) => {
                let codes = tiles.as_flattened().iter().copied();
                self.cache.insert_numbers(key, codes.take(numbers));
            }
            PartCodes::Lane(lanes, lane) => {
                let rows = lanes.tiles().iter().flat_map(|tile| &tile.codes);
                let codes = rows.map(|row| row.0[lane % LANES] as u16);
                self.cache.insert_numbers(key, codes.take(numbers));
            }
            // Cached too: a cache hit does not check whether the file changed.
            PartCodes::Same(code) => {
                self.cache.insert_numbers(key, std::iter::repeat_n(code, numbers));
            }
        }
    }

    fn key(&self, block: u64) -> BlockKey {
        let length = self.block_codes() * CODE;
        BlockKey { table: self.id, block: BlockNumber(block), length }
    }

    /// Codes of a block.
    fn block_codes(&self) -> usize {
        usize::from(self.file.layout().header().block_tiles) * SQUARES
    }
}

/// Bytes of a code.
const CODE: usize = size_of::<u16>();

/// The index of a tile square among the codes of its block.
fn index_of(tile_square: TileSquare) -> usize {
    tile_square.tile * SQUARES + tile_square.square
}

/// Whether a move is a capture or a promotion.
fn converts(position: &Position, mv: &Move) -> bool {
    mv.promotion.is_some() || position.of(!position.side()).contains(mv.to)
}

/// The better value for the side to move.
fn better(one: Option<Value>, other: Value) -> Option<Value> {
    match one {
        Some(one) if one.preference() >= other.preference() => Some(one),
        _ => Some(other),
    }
}
