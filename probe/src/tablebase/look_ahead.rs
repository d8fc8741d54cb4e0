//! Values from a packed table, which keeps one side to move and may leave positions to the
//! tables behind their captures and promotions.
//!
//! ```text
//! the side kept:    the better of the code and of all moves that take or promote
//! the other side:   the best of all moves
//! ```
//!
//! A code is never better than its position is for the side to move, so a move to it is
//! worth at most what it says, and exactly that unless the opponent has something to take.
//! Moves are therefore looked at best first, and only while they may still be the best.

use crate::cache::{BlockCache, BlockKey};
use crate::error::ProbeError;
use crate::file::packed::PackedFile;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::solved::offsets::BlockNumber;
use sakmak_tables::index::Slot;
use sakmak_tables::index::address::Address;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::{Move, MoveList};
use sakmak_tables::tiles::tile::TileSquare;
use std::cmp::Reverse;

/// A packed table of a tablebase.
#[derive(Clone, Copy)]
pub struct LookAhead<'a> {
    /// Gives the values of positions of other tables.
    pub elsewhere: &'a dyn Fn(&Position) -> Result<Value, ProbeError>,
    /// Decoded blocks.
    pub cache: &'a BlockCache,
    /// The table.
    pub file: &'a PackedFile,
    /// Its number in the cache.
    pub number: u32,
}

/// The position after a move that changes no pieces.
struct Quiet {
    after: Position,
    block: u64,
    spot: TileSquare,
    /// What its code stands for.
    stored: Value,
}

impl Quiet {
    /// What the move is worth at most.
    fn at_most(&self) -> Value {
        self.stored.before_move()
    }
}

impl LookAhead<'_> {
    /// The value of a position that stands at this place of the table, which is `flipped`
    /// as [`Position::material`] says; nothing where successors have no place.
    ///
    /// # Errors
    ///
    /// When a part of the file cannot be read or is damaged, and those of `elsewhere`.
    pub fn value(
        &self,
        position: &Position,
        place: Address,
        flipped: bool,
    ) -> Result<Option<Value>, ProbeError> {
        if place.side == self.file.kept() {
            let stored = self.stored(place.slot)?;
            return self.of_kept(position, stored).map(Some);
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            let mate = position.in_check(position.side());
            return Ok(Some(if mate { Value::Loss(Moves(0)) } else { Value::Draw }));
        }
        let mut best = self.best_changing(position, &moves)?;
        let Some(mut quiet) = self.quiet(position, &moves, flipped) else { return Ok(None) };
        self.look_up(&mut quiet)?;
        quiet.sort_unstable_by_key(|one| Reverse(one.at_most().preference()));
        for one in &quiet {
            if best.is_some_and(|best| best.preference() >= one.at_most().preference()) {
                break;
            }
            best = better(best, self.of_kept(&one.after, one.stored)?.before_move());
        }
        Ok(best)
    }

    /// The value of a position with the side to move that is kept, whose code stands for
    /// `stored`.
    fn of_kept(&self, position: &Position, stored: Value) -> Result<Value, ProbeError> {
        if !self.file.has_dont_care() {
            return Ok(stored);
        }
        let changing = self.best_changing(position, &position.legal_moves())?;
        Ok(better(changing, stored).unwrap_or(stored))
    }

    /// The best of the moves that take or promote.
    fn best_changing(
        &self,
        position: &Position,
        moves: &MoveList,
    ) -> Result<Option<Value>, ProbeError> {
        let mut best = None;
        for &mv in moves.iter().filter(|mv| changes(position, mv)) {
            let value = (self.elsewhere)(&position.play_uncounted(mv))?;
            best = better(best, value.before_move());
        }
        Ok(best)
    }

    /// The other moves; nothing where one leads to no place.
    fn quiet(&self, position: &Position, moves: &MoveList, flipped: bool) -> Option<Vec<Quiet>> {
        let moves = moves.iter().filter(|mv| !changes(position, mv));
        let quiet = moves.map(|&mv| {
            let after = position.play_uncounted(mv);
            let Address { slot, .. } = Address::of(&after, flipped, self.file.index())?;
            let (block, spot) = self.file.locate(slot);
            Some(Quiet { after, block, spot, stored: Value::Draw })
        });
        quiet.collect()
    }

    /// Looks up what codes say of these positions, each block once.
    fn look_up(&self, quiet: &mut [Quiet]) -> Result<(), ProbeError> {
        quiet.sort_unstable_by_key(|one| (one.block, one.spot.tile, one.spot.square));
        for run in quiet.chunk_by_mut(|one, other| one.block == other.block) {
            let Some(last) = run.last() else { continue };
            let (block, last) = (last.block, last.spot);
            let mut decoded: Option<Vec<u16>> = None;
            for one in run {
                let known = if decoded.is_none() { self.known(block, one.spot) } else { None };
                let code = match (known, &mut decoded) {
                    (Some(code), _) => code,
                    (None, Some(codes)) => code_at(codes, one.spot),
                    (None, none) => code_at(none.insert(self.codes(block, last)?), one.spot),
                };
                one.stored = self.file.value(block, code)?;
            }
        }
        Ok(())
    }

    /// The value that the code at a slot stands for.
    fn stored(&self, slot: Slot) -> Result<Value, ProbeError> {
        let (block, spot) = self.file.locate(slot);
        let code = match self.known(block, spot) {
            Some(code) => code,
            None => code_at(&self.codes(block, spot)?, spot),
        };
        Ok(self.file.value(block, code)?)
    }

    /// The code at a spot, if it was decoded before.
    fn known(&self, block: u64, spot: TileSquare) -> Option<u16> {
        self.cache.get(self.key(block), CODE * place_of(spot)).map(u16::from_le_bytes)
    }

    /// The codes of a block, at least up to and with that of a spot, which is not known.
    fn codes(&self, block: u64, last: TileSquare) -> Result<Vec<u16>, ProbeError> {
        let key = self.key(block);
        // Whoever comes a second time may come again.
        let before = self.cache.get(key, 0).is_some();
        let last = if before { self.file.last_spot(block) } else { last };
        let codes = self.file.codes(block, last)?;
        let bytes: Vec<u8> = codes.iter().copied().flat_map(u16::to_le_bytes).collect();
        self.cache.insert(key, &bytes);
        Ok(codes)
    }

    fn key(&self, block: u64) -> BlockKey {
        let tiles = usize::from(self.file.layout().header().block_tiles);
        let length = tiles * SQUARES * CODE;
        BlockKey { table: self.number, block: BlockNumber(block), length }
    }
}

/// Bytes of a code.
const CODE: usize = size_of::<u16>();

/// The place of a spot among the codes of its block.
fn place_of(spot: TileSquare) -> usize {
    spot.tile * SQUARES + spot.square
}

/// The code at a spot; one that stands for nothing where there are not so many.
fn code_at(codes: &[u16], spot: TileSquare) -> u16 {
    codes.get(place_of(spot)).copied().unwrap_or(u16::MAX)
}

/// Whether a move takes or promotes.
fn changes(position: &Position, mv: &Move) -> bool {
    mv.promotion.is_some() || position.of(!position.side()).contains(mv.to)
}

/// What the side to move prefers.
fn better(one: Option<Value>, other: Value) -> Option<Value> {
    match one {
        Some(one) if one.preference() >= other.preference() => Some(one),
        _ => Some(other),
    }
}
