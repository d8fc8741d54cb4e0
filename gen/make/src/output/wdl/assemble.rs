//! Joins the rows of all fixed kings to the parts of one side in the file.

use crate::output::wdl::rows::EncodedRow;
use sakmak_tables::format::wdl::WdlSide;
use sakmak_tables::format::wdl::model::WdlModel;
use sakmak_tables::format::wdl::row::{RowEntry, row_checksum};
use sakmak_tables::tiles::order::KingTileOrder;

/// The parts of one side.
#[derive(Debug)]
pub struct EncodedSide {
    /// The record of the header.
    pub record: WdlSide,
    /// Patterns and directory.
    pub front: Vec<u8>,
    /// The rows.
    pub rows: Vec<u8>,
}

/// Joins the rows of all fixed kings in their order. `front` are the encoded patterns. `None` if
/// the rows take 4 GiB or more.
pub fn assemble(
    rows: &[EncodedRow],
    tile_order: KingTileOrder,
    captures: u8,
    model: WdlModel,
    mut front: Vec<u8>,
) -> Option<EncodedSide> {
    let patterns = (front.len() / model.palette().pattern_length()) as u32;
    let mut bytes = Vec::new();
    for row in rows {
        let start = u32::try_from(bytes.len()).ok()?;
        let checksum = match row {
            EncodedRow::Alike(category) => (*category).into(),
            EncodedRow::Bytes(row) => {
                bytes.extend(row);
                row_checksum(row)
            }
        };
        front.extend(RowEntry { start, checksum }.encode());
    }
    let row_bytes = u32::try_from(bytes.len()).ok()?.into();
    let record = WdlSide { tile_order, captures, model, patterns, row_bytes };
    Some(EncodedSide { record, front, rows: bytes })
}
