//! A table file decoded or checked whole, all cores at work.

use rayon::prelude::*;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::solved::SolvedFile;
use sakmak_tables::values::table::Table;

/// The table a file holds, its blocks decoded in parallel.
///
/// # Errors
///
/// When a block cannot be read or is damaged, or there is not memory enough.
pub fn load(file: &SolvedFile) -> Result<Table, FileError> {
    file.table_by(|blocks| blocks.into_par_iter().try_for_each(|block| block.decode()))
}

/// Checks every byte of a file as [`SolvedFile::verify_checksums`] does, its blocks in
/// parallel.
///
/// # Errors
///
/// The first thing found wrong.
pub fn verify_checksums(file: &SolvedFile) -> Result<(), FileError> {
    file.verify_checksums_by(|blocks, check| {
        let wrong = |block| check(block).err();
        let blocks: Vec<_> = blocks.collect();
        blocks.into_par_iter().find_map_first(wrong).map_or(Ok(()), Err)
    })
}
