//! Corrects checksums and lengths of a damaged file, so that readers get past them. If the damage
//! hides their offsets, the rest of the file stays unchanged.

use crate::fixture::name;
use sakmak_tables::format::packed::PackedLayout;
use sakmak_tables::format::packed::header::PackedHeader;
use sakmak_tables::format::packed::row::{OFFSET_LENGTH, PackedRow, row_range};
use sakmak_tables::format::solved::SolvedLayout;
use sakmak_tables::format::solved::header::SolvedHeader;
use sakmak_tables::format::solved::offsets::{OffsetRow, ROW_LENGTH};
use sakmak_tables::format::wdl::row::{ENTRY_LENGTH, RowEntry, row_checksum};
use sakmak_tables::format::wdl::{WdlHeader, WdlName};
use sakmak_tables::format::{HEADER_LENGTH, TRAILER_LENGTH, block_checksum};
use sakmak_tables::index::Index;
use sakmak_tables::tiles::king_tile::FixedKings;
use sakmak_tables::tiles::tile::Tiles;
use sakmak_tables::variants::MAKRUK;
use std::sync::Arc;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The offset of the header's checksum.
const CHECKSUM_AT: usize = 120;

/// The offsets of the length and the checksum of the model in the header of a packed file.
const MODEL_LENGTH_AT: usize = 44;
const MODEL_CHECKSUM_AT: usize = 72;

/// The offset of the checksum of patterns and directories in the header of a WDL file.
const FRONT_CHECKSUM_AT: usize = 40;

fn put(bytes: &mut [u8], at: usize, number: &[u8]) {
    bytes[at..at + number.len()].copy_from_slice(number);
}

fn header(bytes: &mut [u8]) -> Option<&[u8; HEADER_LENGTH]> {
    let checksum = xxh3_64(bytes.get(..CHECKSUM_AT)?);
    bytes.get_mut(CHECKSUM_AT..HEADER_LENGTH)?.copy_from_slice(&checksum.to_le_bytes());
    bytes.first_chunk()
}

/// Writes the number of bytes between `start` and the rows into the trailer, and returns it.
fn block_bytes(bytes: &mut [u8], start: u64, rows: u64, row_length: usize) -> Option<u64> {
    let length = bytes.len() as u64;
    let rows = rows.checked_mul(row_length as u64)?;
    let rest = length.checked_sub(start)?.checked_sub(TRAILER_LENGTH as u64)?;
    let blocks = rest.checked_sub(rows)?;
    let at = bytes.len() - TRAILER_LENGTH;
    put(bytes, at, &blocks.to_le_bytes());
    Some(blocks)
}

fn sum(bytes: &mut [u8]) {
    if let Some(at) = bytes.len().checked_sub(size_of::<u64>()) {
        let checksum = xxh3_64(&bytes[..at]);
        put(bytes, at, &checksum.to_le_bytes());
    }
}

/// Corrects the checksums of a WDL file. `fixed_kings` must have the symmetries of the index.
pub fn wdl_file(bytes: &mut [u8], name: WdlName, index: &Index, fixed_kings: &Arc<FixedKings>) {
    wdl_rows(bytes, name, index, fixed_kings);
    header(bytes);
    sum(bytes);
}

fn wdl_rows(
    bytes: &mut [u8],
    name: WdlName,
    index: &Index,
    fixed_kings: &Arc<FixedKings>,
) -> Option<()> {
    let header = WdlHeader::decode(header(bytes)?, &name.preamble(&MAKRUK.rules), index).ok()?;
    let (layouts, _) = header.layouts(index, fixed_kings)?;
    let sides = || header.sides.iter().flatten().zip(layouts.iter().flatten());
    for (side, (_, layout)) in sides() {
        let directory = layout.directory as usize;
        for row in 0..layout.row_count as usize {
            let entry = |row: usize| {
                let entry = bytes.get(directory + row * ENTRY_LENGTH..)?.first_chunk()?;
                Some(RowEntry::decode(*entry))
            };
            let RowEntry { start, .. } = entry(row)?;
            let end = match row as u64 + 1 == layout.row_count {
                true => side.row_bytes,
                false => entry(row + 1)?.start.into(),
            };
            let [from, to] = [start.into(), end].map(|at| (layout.rows + at) as usize);
            // A row without bytes has a category instead of the checksum.
            if let Some(row_bytes) = bytes.get(from..to).filter(|bytes| !bytes.is_empty()) {
                let entry = RowEntry { start, checksum: row_checksum(row_bytes) };
                put(bytes, directory + row * ENTRY_LENGTH, &entry.encode());
            }
        }
    }
    let (_, (_, layout)) = sides().next()?;
    let rows = layout.rows as usize;
    let front = xxh3_64(bytes.get(HEADER_LENGTH..rows)?);
    put(bytes, FRONT_CHECKSUM_AT, &front.to_le_bytes());
    Some(())
}

/// Corrects the checksums of a solved file and the length of its blocks.
pub fn solved_file(bytes: &mut [u8]) {
    solved_rows(bytes);
    sum(bytes);
}

fn solved_rows(bytes: &mut [u8]) -> Option<()> {
    let layout = SolvedLayout::new(SolvedHeader::decode(header(bytes)?).ok()?);
    let blocks = block_bytes(bytes, HEADER_LENGTH as u64, layout.offsets().rows(), ROW_LENGTH)?;
    for number in 0..layout.offsets().rows() {
        let at = layout.offsets().row_offset(number, blocks) as usize;
        let own = xxh3_64_with_seed(&bytes[at..at + ROW_LENGTH - 8], number);
        put(bytes, at + ROW_LENGTH - 8, &own.to_le_bytes());
        let mut row = OffsetRow::decode(number, bytes[at..].first_chunk()?).ok()?;
        let mut start = row.start.saturating_add(HEADER_LENGTH as u64);
        for (length, checksum) in row.lengths.iter().zip(&mut row.checksums) {
            let end = start.saturating_add(u64::from(*length));
            // Past the last block, length and checksum are zero.
            let block = bytes.get(start as usize..end as usize).filter(|_| *length > 0);
            *checksum = block.map_or(*checksum, block_checksum);
            start = end;
        }
        put(bytes, at, &row.encode(number));
    }
    Some(())
}

/// Corrects the checksums of a packed file and the length of its blocks.
pub fn packed_file(bytes: &mut [u8]) {
    packed_rows(bytes);
    sum(bytes);
}

/// The layout and tiles of a packed file with this header.
pub fn packed_layout(header: PackedHeader) -> Option<(PackedLayout, Tiles)> {
    let index = Index::new(name().material, &MAKRUK.rules);
    let tile_order = header.tile_order(&index).ok()?;
    let tiles = Tiles::new(&index, &MAKRUK, &tile_order)?;
    Some((PackedLayout::new(header, &tiles), tiles))
}

fn packed_rows(bytes: &mut [u8]) -> Option<()> {
    let length = PackedHeader::decode(header(bytes)?).ok()?.model_length as usize;
    let model = xxh3_64(bytes.get(HEADER_LENGTH..)?.get(..length)?);
    put(bytes, MODEL_CHECKSUM_AT, &model.to_le_bytes());
    let (layout, _) = packed_layout(PackedHeader::decode(header(bytes)?).ok()?)?;
    let rows = layout.rows();
    let row_bytes = block_bytes(bytes, layout.rows_offset(), rows + 1, OFFSET_LENGTH)?;
    for number in 0..rows {
        let range = row_range(bytes.get(layout.row_offset_at(number, row_bytes) as usize..)?)?;
        let [start, end] = [range.start, range.end].map(|at| layout.rows_offset() + at);
        if let Some(row) = bytes.get_mut(start as usize..end as usize) {
            PackedRow::seal(number, row);
        }
    }
    Some(())
}

/// The packed file with another compressed model.
pub fn with_model(file: &[u8], length: usize, model: &[u8]) -> Vec<u8> {
    let mut bytes = [&file[..HEADER_LENGTH], model, &file[HEADER_LENGTH + length..]].concat();
    put(&mut bytes, MODEL_LENGTH_AT, &(model.len() as u32).to_le_bytes());
    bytes
}
