//! Rows: tile groups that can be read and checked alone.

use crate::counting::Category;
use xxhash_rust::xxh3::xxh3_64;

/// Tile groups per row.
pub const ROW_GROUPS: u64 = 64;
/// Bytes of the word of a tile group, with which its row begins.
pub const WORD_LENGTH: usize = 2;
/// Unit of the offset of a tile group in its row, in bytes.
pub const WORD_UNIT: usize = 2;
/// The word of a tile group whose squares all have category 0. The words for the other categories
/// follow.
pub const UNIFORM: u16 = 0xfff0;
/// Bytes of the entry of a row in the directory.
pub const ENTRY_LENGTH: usize = 8;

/// The entry of a row in the directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowEntry {
    /// The offset of the row from the first row of its side.
    pub start: u32,
    /// The [checksum](row_checksum) of the row; if it has no bytes,
    /// [`Category::index`](crate::counting::Category::index) of all its squares.
    pub checksum: u32,
}

impl RowEntry {
    /// Encodes the entry.
    pub fn encode(self) -> [u8; ENTRY_LENGTH] {
        (u64::from(self.checksum) << u32::BITS | u64::from(self.start)).to_le_bytes()
    }

    /// Decodes an entry.
    #[inline]
    pub fn decode(bytes: [u8; ENTRY_LENGTH]) -> RowEntry {
        let entry = u64::from_le_bytes(bytes);
        RowEntry { start: entry as u32, checksum: (entry >> u32::BITS) as u32 }
    }
}

/// The checksum of the bytes of a row.
pub fn row_checksum(bytes: &[u8]) -> u32 {
    xxh3_64(bytes) as u32
}

/// Result of a step of a lookup: the category, or the input of the next step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LookupStep<T> {
    /// The category.
    Category(Category),
    /// The input of the next step.
    Next(T),
}

/// The bytes from a tile group to the end of its row. `None` if the tile group is not in the row.
#[inline]
pub fn tile_group_of(row: &[u8], tile_group: u32) -> Option<LookupStep<&[u8]>> {
    let word = row.get(tile_group as usize * WORD_LENGTH..)?.first_chunk()?;
    let word = u16::from_le_bytes(*word);
    match word.checked_sub(UNIFORM) {
        Some(category) => {
            Category::ALL.get(usize::from(category)).copied().map(LookupStep::Category)
        }
        None => row.get(usize::from(word) * WORD_UNIT..).map(LookupStep::Next),
    }
}
