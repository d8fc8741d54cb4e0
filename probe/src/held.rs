//! A table of a tablebase, wherever its values are.

use crate::packed_file::PackedFile;
use crate::table_file::TableFile;
use sakmak_tables::index::Index;
use sakmak_tables::table::Table;
use std::sync::Arc;

/// A table at hand.
#[derive(Debug)]
pub enum Held {
    /// On disk; the number is its own in the cache.
    File(Box<TableFile>, u32),
    /// On disk, packed, with its number.
    Packed(Box<PackedFile>, u32),
    /// In memory.
    Memory(Arc<Table>),
}

impl Held {
    /// The index of its slots.
    pub fn index(&self) -> &Index {
        match self {
            Held::File(file, _) => file.index(),
            Held::Packed(file, _) => file.index(),
            Held::Memory(table) => table.index(),
        }
    }
}
