//! An open table, from a file or in memory; and values of a solved file.

use crate::cache::{BlockCache, BlockKey};
use crate::file::open_file::FileError;
use crate::file::packed::PackedFile;
use crate::file::solved::SolvedFile;
use sakmak_tables::distance::Value;
use sakmak_tables::index::Index;
use sakmak_tables::index::address::Address;
use sakmak_tables::values::MAX_WIDTH;
use sakmak_tables::values::table::Table;
use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open table. A file comes with the table's number in the cache.
#[derive(Debug)]
pub enum OpenTable {
    /// A solved file.
    Solved(Box<SolvedFile>, u32),
    /// A packed file.
    Packed(Box<PackedFile>, u32),
    /// In memory.
    Memory(Arc<Table>),
}

/// The open tables of a board game.
pub trait OpenBoardTables: Any + Send + Sync {
    /// The paths of open files that now have another file or none.
    fn replaced(&self) -> Vec<PathBuf>;
}

impl OpenTable {
    /// The index of its slots.
    pub fn index(&self) -> &Index {
        match self {
            OpenTable::Solved(file, _) => file.index(),
            OpenTable::Packed(file, _) => file.index(),
            OpenTable::Memory(table) => table.index(),
        }
    }

    /// The path of its file, if it now has another file or none.
    pub fn replaced(&self) -> Option<&Path> {
        match self {
            OpenTable::Solved(file, _) => file.replaced(),
            OpenTable::Packed(file, _) => file.replaced(),
            OpenTable::Memory(_) => None,
        }
    }
}

/// The value at an address of a solved file, whose number in the cache is `table`. `None` if
/// the file has no code there.
pub fn value_at(
    cache: &BlockCache,
    file: &SolvedFile,
    table: u32,
    address: Address,
) -> Result<Option<Value>, FileError> {
    let header = file.layout().header();
    let Some(coding) = header.coding(address.side) else { return Ok(None) };
    let Some((block, index)) = file.layout().locate(address.side, address.slot) else {
        return Ok(None);
    };
    let length = header.block_codes as usize * MAX_WIDTH;
    let key = BlockKey { table, block, length };
    let bytes = cache.get_or_decode(key, index * coding.width(), || file.block(block))?;
    file.value_of(block, coding, coding.read(&bytes, 0)).map(Some)
}
