//! Values from a packed file, which stores one side to move and may leave the captures and
//! promotions of a position to other tables.
//!
//! ```text
//! the stored side:  the better of the code and all captures and promotions
//! the other side:   the best of all moves
//! ```
//!
//! A code is never better for the side to move than the value of its position. So a move to
//! that position is worth at most what the code gives, and exactly that unless the opponent
//! has a capture or promotion. Moves are therefore examined best code first, until no move
//! left can be better than the best found.

use crate::cache::{BlockCache, BlockKey};
use crate::error::ProbeError;
use crate::file::packed::PackedFile;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::distance::Value;
use sakmak_tables::format::solved::offsets::BlockNumber;
use sakmak_tables::index::Slot;
use sakmak_tables::index::address::Address;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::{Move, MoveList};
use sakmak_tables::tiles::tile::TileSquare;
use std::cmp::Reverse;

/// A packed file and what it needs to give values.
#[derive(Clone, Copy)]
pub struct LookAhead<'a> {
    /// Returns the value of a position of another table.
    pub other_tables: &'a dyn Fn(&Position) -> Result<Value, ProbeError>,
    /// Decoded blocks.
    pub cache: &'a BlockCache,
    /// The file.
    pub file: &'a PackedFile,
    /// The table's number in the cache.
    pub id: u32,
}

/// A move that neither captures nor promotes, by the position after it.
struct QuietMove {
    after: Position,
    block: u64,
    tile_square: TileSquare,
    /// The value of its code.
    stored: Value,
}

impl QuietMove {
    /// The upper bound of the move's value.
    fn upper_bound(&self) -> Value {
        self.stored.before_move()
    }
}

impl LookAhead<'_> {
    /// The value of a position at this address of the table; `flipped` as by
    /// [`Position::material`]. `None` if a successor has no address.
    ///
    /// # Errors
    ///
    /// If a part of the file cannot be read or is damaged, and those of `other_tables`.
    pub fn value(
        &self,
        position: &Position,
        address: Address,
        flipped: bool,
    ) -> Result<Option<Value>, ProbeError> {
        if address.side == self.file.kept() {
            let stored = self.stored(address.slot)?;
            return self.value_of_stored(position, stored).map(Some);
        }
        let moves = position.legal_moves();
        if let Some(value) = position.final_value_given(&moves) {
            return Ok(Some(value));
        }
        let mut best = self.best_conversion(position, &moves)?;
        let Some(mut quiet) = self.quiet_moves(position, &moves, flipped) else { return Ok(None) };
        self.look_up(&mut quiet)?;
        quiet.sort_unstable_by_key(|one| Reverse(one.upper_bound().preference()));
        for one in &quiet {
            if best.is_some_and(|best| best.preference() >= one.upper_bound().preference()) {
                break;
            }
            best = better(best, self.value_of_stored(&one.after, one.stored)?.before_move());
        }
        Ok(best)
    }

    /// The value of a position with the stored side to move; `stored` is the value of its
    /// code.
    fn value_of_stored(&self, position: &Position, stored: Value) -> Result<Value, ProbeError> {
        if !self.file.has_dont_care() {
            return Ok(stored);
        }
        let best = self.best_conversion(position, &position.legal_moves())?;
        Ok(better(best, stored).unwrap_or(stored))
    }

    /// The best capture or promotion, `None` if there is none.
    fn best_conversion(
        &self,
        position: &Position,
        moves: &MoveList,
    ) -> Result<Option<Value>, ProbeError> {
        let mut best = None;
        for &mv in moves.iter().filter(|mv| converts(position, mv)) {
            let value = (self.other_tables)(&position.play_uncounted(mv))?;
            best = better(best, value.before_move());
        }
        Ok(best)
    }

    /// All other moves. `None` if one leads to a position without an address.
    fn quiet_moves(
        &self,
        position: &Position,
        moves: &MoveList,
        flipped: bool,
    ) -> Option<Vec<QuietMove>> {
        let moves = moves.iter().filter(|mv| !converts(position, mv));
        let quiet = moves.map(|&mv| {
            let after = position.play_uncounted(mv);
            let Address { slot, .. } = Address::of(&after, flipped, self.file.index())?;
            let (block, tile_square) = self.file.locate(slot);
            Some(QuietMove { after, block, tile_square, stored: Value::Draw })
        });
        quiet.collect()
    }

    /// Fills in the stored values, decoding each block once.
    fn look_up(&self, quiet: &mut [QuietMove]) -> Result<(), ProbeError> {
        quiet.sort_unstable_by_key(|one| (one.block, one.tile_square.tile, one.tile_square.square));
        for run in quiet.chunk_by_mut(|one, other| one.block == other.block) {
            let Some(last) = run.last() else { continue };
            let (block, last) = (last.block, last.tile_square);
            let mut decoded: Option<Vec<u16>> = None;
            for one in run {
                let cached =
                    if decoded.is_none() { self.cached(block, one.tile_square) } else { None };
                let code = match (cached, &mut decoded) {
                    (Some(code), _) => code,
                    (None, Some(codes)) => code_at(codes, one.tile_square),
                    (None, none) => code_at(none.insert(self.codes(block, last)?), one.tile_square),
                };
                one.stored = self.file.value(block, code)?;
            }
        }
        Ok(())
    }

    /// The value of the code at a slot.
    fn stored(&self, slot: Slot) -> Result<Value, ProbeError> {
        let (block, tile_square) = self.file.locate(slot);
        let code = match self.cached(block, tile_square) {
            Some(code) => code,
            None => code_at(&self.codes(block, tile_square)?, tile_square),
        };
        Ok(self.file.value(block, code)?)
    }

    /// The code of a tile square from the cache, `None` if it is not there.
    fn cached(&self, block: u64, tile_square: TileSquare) -> Option<u16> {
        self.cache.get(self.key(block), CODE * index_of(tile_square)).map(u16::from_le_bytes)
    }

    /// Decodes a block at least up to a tile square, and puts its codes into the cache.
    fn codes(&self, block: u64, last: TileSquare) -> Result<Vec<u16>, ProbeError> {
        let key = self.key(block);
        // The second time the whole block is decoded: a third probe is likely.
        let second_time = self.cache.get(key, 0).is_some();
        let last = if second_time { self.file.last_square(block) } else { last };
        let codes = self.file.codes(block, last)?;
        let bytes: Vec<u8> = codes.iter().copied().flat_map(u16::to_le_bytes).collect();
        self.cache.insert(key, &bytes);
        Ok(codes)
    }

    fn key(&self, block: u64) -> BlockKey {
        let tiles = usize::from(self.file.layout().header().block_tiles);
        let length = tiles * SQUARES * CODE;
        BlockKey { table: self.id, block: BlockNumber(block), length }
    }
}

/// Bytes of a code.
const CODE: usize = size_of::<u16>();

/// The index of a tile square among the codes of its block.
fn index_of(tile_square: TileSquare) -> usize {
    tile_square.tile * SQUARES + tile_square.square
}

/// The code of a tile square; past the end a code that no table uses.
fn code_at(codes: &[u16], tile_square: TileSquare) -> u16 {
    codes.get(index_of(tile_square)).copied().unwrap_or(u16::MAX)
}

/// Whether a move captures or promotes.
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
