//! A table file decoded whole, all cores at work.

use rayon::prelude::*;
use sakmak_probe::table_file::{FileError, TableFile};
use sakmak_tables::table::Table;

/// The table a file holds, its blocks decoded in parallel.
///
/// # Errors
///
/// When a block cannot be read or is damaged, or there is not memory enough.
pub fn load(file: &TableFile) -> Result<Table, FileError> {
    file.table_by(|blocks| blocks.into_par_iter().try_for_each(|block| block.decode()))
}
