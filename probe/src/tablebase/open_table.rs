//! A table of a tablebase, wherever its values are; and a value from a solved file.

use crate::cache::{BlockCache, BlockKey};
use crate::file::open_file::FileError;
use crate::file::packed::PackedFile;
use crate::file::solved::SolvedFile;
use sakmak_tables::distance::Value;
use sakmak_tables::index::Index;
use sakmak_tables::index::address::Address;
use sakmak_tables::values::MAX_WIDTH;
use sakmak_tables::values::table::Table;
use std::sync::Arc;

/// A table at hand.
#[derive(Debug)]
pub enum OpenTable {
    /// On disk; the number is its own in the cache.
    File(Box<SolvedFile>, u32),
    /// On disk, packed, with its number.
    Packed(Box<PackedFile>, u32),
    /// In memory.
    Memory(Arc<Table>),
}

impl OpenTable {
    /// The index of its slots.
    pub fn index(&self) -> &Index {
        match self {
            OpenTable::File(file, _) => file.index(),
            OpenTable::Packed(file, _) => file.index(),
            OpenTable::Memory(table) => table.index(),
        }
    }
}

/// The value at a place of a table file, whose number in the cache is `table`; nothing where
/// it holds none.
pub fn value_at(
    cache: &BlockCache,
    file: &SolvedFile,
    table: u32,
    place: Address,
) -> Result<Option<Value>, FileError> {
    let header = file.layout().header();
    let Some(coding) = header.coding(place.side) else { return Ok(None) };
    let Some((block, place)) = file.layout().locate(place.side, place.slot) else {
        return Ok(None);
    };
    let length = header.block_codes as usize * MAX_WIDTH;
    let key = BlockKey { table, block, length };
    let code = match cache.get(key, place * coding.width()) {
        Some(bytes) => coding.read(&bytes, 0),
        None => {
            let codes = file.block(block)?;
            cache.insert(key, &codes);
            coding.read(&codes, place)
        }
    };
    file.value_of(block, coding, code).map(Some)
}
