//! The codes of a table on disk, in a temporary file that is mapped into memory.
//!
//! Codes that are gathered from the log of the layers come king pair by king pair; packing reads
//! them in many orders.

use crate::slots::codes::TableCodes;
use bytes::Bytes;
use sakmak_probe::file::map::Map;
use sakmak_tables::values::Values;
use sakmak_tables::values::table::Table;
use std::io::{self, Write};
use std::path::Path;

/// King pairs that are gathered together.
const PAIRS: u64 = 8;

/// A mapped file as the owner of bytes.
struct MappedCodes(Map);

impl AsRef<[u8]> for MappedCodes {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

/// The whole table of these codes, in files that have no name and end with the table.
///
/// # Errors
///
/// If the codes cannot be read, or the disk is full.
pub fn mapped_table(codes: &dyn TableCodes, directory: &Path) -> io::Result<Table> {
    let index = codes.index();
    let mut sides = Table::sides(index).iter().map(|&side| -> io::Result<Values> {
        let coding = codes.coding(side).unwrap_or_default();
        let mut file = tempfile::tempfile_in(directory)?;
        let step = PAIRS * index.slots_per_pair();
        for first in (0..index.slots()).step_by(step as usize) {
            let window = codes.window(side, first..index.slots().min(first + step))?;
            file.write_all(&window)?;
        }
        Ok(Values::new(coding, Bytes::from_owner(MappedCodes(Map::new(&file)?))))
    });
    let white = sides.next().ok_or(io::ErrorKind::InvalidData)?;
    let black = sides.next().transpose();
    Ok(Table::new(index.clone(), white?, black?))
}
