//! The section of a WDL file with one side to move: from a king tile to its row, its tile group,
//! its pattern.

use crate::file::map::prefetch_line;
use crate::file::verified_rows::VerifiedRows;
use sakmak_tables::board::square::Square;
use sakmak_tables::counting::Category;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::wdl::model::{StoredPattern, WdlModel};
use sakmak_tables::format::wdl::pattern::CategoryMasks;
use sakmak_tables::format::wdl::row::{
    ENTRY_LENGTH, LookupStep, ROW_GROUPS, RowEntry, WORD_LENGTH, row_checksum, tile_group_of,
};
use sakmak_tables::format::wdl::tile_group::TileGroup;
use sakmak_tables::format::wdl::{GROUP_TILES, WdlLayout, WdlSide};
use sakmak_tables::index::Index;
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::tiles::king_tile::KingTiles;

/// The section of one side to move.
#[derive(Debug)]
pub struct WdlSection {
    pub king_tiles: KingTiles,
    side: Side,
    layout: WdlLayout,
    model: WdlModel,
    pattern_bytes: u64,
    row_bytes: u64,
    /// The rows that matched their checksums.
    verified_rows: VerifiedRows,
    /// A bit for each group whose captures a lookup has to search.
    pub captures: u8,
    /// The pieces of these groups.
    pub captured: Vec<Piece>,
}

/// The location of a king tile in a section.
#[derive(Clone, Copy, Debug)]
pub struct TileLocation {
    pub row: u64,
    /// The tile group of the row.
    pub tile_group: u32,
    /// The king tile of the tile group.
    pub king_tile: u32,
}

/// Offsets of the bytes of a tile group that most lookups read.
const NEAR_BYTES: [usize; 3] = [0, 64, 128];

impl WdlSection {
    /// The section of a side. Checks that its rows follow one another.
    pub fn new(
        bytes: &[u8],
        index: &Index,
        side: Side,
        record: &WdlSide,
        king_tiles: KingTiles,
        layout: WdlLayout,
    ) -> Result<WdlSection, FormatError> {
        let groups = index.groups().iter().enumerate();
        let captured = groups.filter(|&(number, _)| record.captures >> number & 1 != 0);
        let section = WdlSection {
            king_tiles,
            side,
            layout,
            model: record.model.clone(),
            pattern_bytes: u64::from(record.patterns)
                * record.model.palette().pattern_length() as u64,
            row_bytes: record.row_bytes,
            verified_rows: VerifiedRows::new(layout.row_count),
            captures: record.captures,
            captured: captured.map(|(_, group)| group.piece).collect(),
        };
        let is_sound = (0..layout.row_count).all(|row| section.row(bytes, row).is_some());
        match is_sound && section.entry(bytes, 0).is_none_or(|entry| entry.start == 0) {
            true => Ok(section),
            false => Err(FormatError::Wdl("the rows in the directory do not follow one another")),
        }
    }

    /// The location of a king tile of a fixed king.
    #[inline]
    pub fn location(&self, fixed_king: usize, king_tile: u64) -> TileLocation {
        const ROW_TILES: u64 = ROW_GROUPS * GROUP_TILES;
        TileLocation {
            row: fixed_king as u64 * self.layout.rows_per_fixed_king + king_tile / ROW_TILES,
            tile_group: (king_tile % ROW_TILES / GROUP_TILES) as u32,
            king_tile: (king_tile % GROUP_TILES) as u32,
        }
    }

    /// The number of rows.
    pub fn row_count(&self) -> u64 {
        self.layout.row_count
    }

    #[inline]
    fn entry(&self, bytes: &[u8], row: u64) -> Option<RowEntry> {
        let at = usize::try_from(self.layout.directory).ok()?;
        let entry = bytes.get(at + row as usize * ENTRY_LENGTH..)?.first_chunk()?;
        Some(RowEntry::decode(*entry))
    }

    /// A row and its checksum. `None` if it does not exist, ends before it begins, or exceeds the
    /// file.
    #[inline]
    fn row<'a>(&self, bytes: &'a [u8], row: u64) -> Option<LookupStep<(&'a [u8], u32)>> {
        if row >= self.layout.row_count {
            return None;
        }
        let RowEntry { start, checksum } = self.entry(bytes, row)?;
        let end = match row + 1 < self.layout.row_count {
            true => self.entry(bytes, row + 1)?.start.into(),
            false => self.row_bytes,
        };
        if u64::from(start) == end {
            return Category::ALL.get(checksum as usize).copied().map(LookupStep::Category);
        }
        let rows = bytes.get(usize::try_from(self.layout.rows).ok()?..)?;
        let row = rows.get(start as usize..usize::try_from(end).ok()?)?;
        Some(LookupStep::Next((row, checksum)))
    }

    /// Returns a row. Checks it against its checksum unless it was checked before.
    ///
    /// # Errors
    ///
    /// When there is no such row or it does not match.
    #[inline]
    pub fn checked_row<'a>(
        &self,
        bytes: &'a [u8],
        row: u64,
    ) -> Result<LookupStep<&'a [u8]>, FormatError> {
        match self.row(bytes, row) {
            Some(LookupStep::Category(category)) => Ok(LookupStep::Category(category)),
            Some(LookupStep::Next((row_bytes, checksum))) => match self.verified_rows.contains(row)
            {
                true => Ok(LookupStep::Next(row_bytes)),
                false => self.check_row(row_bytes, row, checksum).map(LookupStep::Next),
            },
            None => Err(self.wrong()),
        }
    }

    #[cold]
    fn check_row<'a>(
        &self,
        bytes: &'a [u8],
        row: u64,
        checksum: u32,
    ) -> Result<&'a [u8], FormatError> {
        if row_checksum(bytes) != checksum {
            return Err(FormatError::WdlRow { side: self.side.name(), row });
        }
        self.verified_rows.insert(row);
        Ok(bytes)
    }

    /// The error of a misplaced row, tile group or pattern.
    #[cold]
    pub fn wrong(&self) -> FormatError {
        FormatError::Wdl("a tile group or a pattern is not where it should be")
    }

    /// Starts to load the word of a tile group.
    #[inline]
    pub fn prefetch_word(&self, row: &[u8], tile_group: u32) {
        row.get(tile_group as usize * WORD_LENGTH).into_iter().for_each(prefetch_line);
    }

    /// Starts to load the bytes of a tile group.
    #[inline]
    pub fn prefetch_group(&self, bytes: &[u8]) {
        NEAR_BYTES.into_iter().filter_map(|at| bytes.get(at)).for_each(prefetch_line);
    }

    fn patterns<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let patterns = bytes.get(usize::try_from(self.layout.patterns).ok()?..)?;
        patterns.get(..usize::try_from(self.pattern_bytes).ok()?)
    }

    /// The pattern of a king tile of a tile group with these bytes. `None` if a part of it is
    /// missing.
    #[inline]
    pub fn find<'a>(
        &self,
        group: &'a [u8],
        king_tile: u32,
        swept: Square,
    ) -> Option<StoredPattern<'a>> {
        TileGroup::new(group)?.find(&self.model, king_tile, swept)
    }

    /// Starts to load a pattern.
    #[inline]
    pub fn prefetch_pattern(&self, bytes: &[u8], pattern: &StoredPattern<'_>) {
        if let Some(patterns) = self.patterns(bytes) {
            self.model.first_byte(patterns, pattern).into_iter().for_each(prefetch_line);
        }
    }

    /// The category of a square of a pattern. `None` if there is no such pattern.
    #[inline]
    pub fn category(
        &self,
        bytes: &[u8],
        pattern: &StoredPattern<'_>,
        swept: Square,
    ) -> Option<Category> {
        self.model.category(self.patterns(bytes)?, pattern, swept)
    }

    /// The patterns of all king tiles of a tile group of a fixed king.
    ///
    /// # Errors
    ///
    /// When the row is damaged or a part of a pattern is missing.
    pub fn group_patterns(
        &self,
        bytes: &[u8],
        fixed_king: usize,
        tile_group: u64,
    ) -> Result<LookupStep<[CategoryMasks; GROUP_TILES as usize]>, FormatError> {
        let location = self.location(fixed_king, tile_group * GROUP_TILES);
        let row = match self.checked_row(bytes, location.row)? {
            LookupStep::Category(category) => return Ok(LookupStep::Category(category)),
            LookupStep::Next(row) => row,
        };
        let patterns = || match tile_group_of(row, location.tile_group)? {
            LookupStep::Category(category) => Some(LookupStep::Category(category)),
            LookupStep::Next(group) => {
                let group = TileGroup::new(group)?;
                group.patterns(&self.model, self.patterns(bytes)?).map(LookupStep::Next)
            }
        };
        patterns().ok_or_else(|| self.wrong())
    }
}
