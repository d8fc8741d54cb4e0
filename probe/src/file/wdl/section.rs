//! The section of a WDL file with one side to move: from a king tile to its pattern.

use sakmak_tables::board::square::Square;
use sakmak_tables::counting::Category;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::wdl::{
    GROUP_TILES, PatternRange, RANGE_LENGTH, RUN_UNIT, WIDTH_BITS, WORD_LENGTH, WdlLayout, WdlSide,
};
use sakmak_tables::index::Index;
use sakmak_tables::rules::piece::Piece;
use sakmak_tables::tiles::king_tile::KingTiles;

/// The section of one side to move.
#[derive(Debug)]
pub struct WdlSection {
    pub king_tiles: KingTiles,
    layout: WdlLayout,
    /// One past the number of the last pattern of each range.
    ends: Vec<u32>,
    ranges: Vec<CategoryRange>,
    /// The groups whose captures a look-up has to search, a bit each.
    pub captures: u8,
    /// The pieces of these groups.
    pub captured: Vec<Piece>,
}

/// The patterns with the same set of categories.
#[derive(Debug)]
struct CategoryRange {
    /// The number of the first pattern.
    first: u32,
    /// The first word of the first pattern, counted from the first word of all patterns.
    word: u32,
    planes: u8,
    palette: [Category; Category::ALL.len()],
}

impl CategoryRange {
    /// The offsets of the words of the pattern at `at`.
    #[inline]
    fn words(&self, at: u64) -> impl Iterator<Item = u64> {
        (0..u64::from(self.planes)).map(move |plane| at + plane * size_of::<u64>() as u64)
    }
}

/// The most words of a pattern.
const MAX_PLANES: usize = 3;

/// The categories of the squares of a king tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// All squares have the same category.
    Plain(Category),
    /// By [`Category::index`]: a bit for each square with that category.
    Mixed([u64; Category::ALL.len()]),
}

/// The place of a pattern in the file, and the range it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct PatternAddress<'a> {
    range: &'a CategoryRange,
    at: u64,
}

impl WdlSection {
    /// The section of a side. Decodes and checks its ranges of patterns.
    pub fn new(
        bytes: &[u8],
        index: &Index,
        side: &WdlSide,
        king_tiles: KingTiles,
        layout: WdlLayout,
    ) -> Result<WdlSection, FormatError> {
        let (ends, ranges) = ranges(bytes, side, layout)?;
        let captures = side.captures;
        let groups = index.groups().iter().enumerate();
        let captured = groups.filter(|&(number, _)| captures >> number & 1 != 0);
        let captured = captured.map(|(_, group)| group.piece).collect();
        Ok(WdlSection { king_tiles, layout, ends, ranges, captures, captured })
    }

    /// The pattern of a king tile. `None` if a part of it is outside the file.
    pub fn pattern(&self, bytes: &[u8], fixed_king: usize, king_tile: u64) -> Option<Pattern> {
        let word = self.word(bytes, self.tile_group(fixed_king, king_tile))?;
        let PatternAddress { range, at } = self.find(bytes, word, king_tile)?;
        if range.planes == 0 {
            return Some(Pattern::Plain(range.palette[0]));
        }
        let mut planes = [0; MAX_PLANES];
        for (plane, at) in planes.iter_mut().zip(range.words(at)) {
            *plane = word_at(bytes, at)?;
        }
        let planes = planes.get(..range.planes as usize)?;
        let mut mixed = [0; Category::ALL.len()];
        for (colour, category) in (0u64..1 << range.planes).zip(range.palette) {
            mixed[category.index()] |=
                planes.iter().enumerate().fold(u64::MAX, |all, (plane, &bits)| {
                    all & if colour >> plane & 1 == 0 { !bits } else { bits }
                });
        }
        Some(Pattern::Mixed(mixed))
    }

    /// The offset of the word of the tile group of a king tile.
    #[inline]
    pub fn tile_group(&self, fixed_king: usize, king_tile: u64) -> u64 {
        let tile_group =
            fixed_king as u64 * self.layout.groups_per_fixed_king + king_tile / GROUP_TILES;
        self.layout.tile_groups + tile_group * WORD_LENGTH as u64
    }

    /// The word of a tile group. `None` if it is outside the file.
    #[inline]
    pub fn word(&self, bytes: &[u8], tile_group: u64) -> Option<u64> {
        // Reads eight bytes for a word of four: at least the checksum follows in the file.
        Some(word_at(bytes, tile_group)? & u64::MAX >> (u64::BITS - WORD_LENGTH as u32 * u8::BITS))
    }

    /// The mask of the king tiles with which runs begin, for a tile group with this word. `None` if
    /// the tile group has no runs or the mask is outside the file.
    #[inline]
    pub fn starts(&self, bytes: &[u8], word: u64) -> Option<u64> {
        match word & ((1 << WIDTH_BITS) - 1) {
            0 => None,
            _ => word_at(bytes, self.runs(word)),
        }
    }

    /// The offset of the runs of a tile group with this word.
    #[inline]
    fn runs(&self, word: u64) -> u64 {
        self.layout.runs + (word >> WIDTH_BITS) * RUN_UNIT
    }

    /// The pattern of a king tile of a tile group with this word. `None` if a part of it is outside
    /// the file.
    #[inline]
    pub fn find(&self, bytes: &[u8], word: u64, king_tile: u64) -> Option<PatternAddress<'_>> {
        let width = word & ((1 << WIDTH_BITS) - 1);
        if width == 0 {
            return self.numbered(word >> WIDTH_BITS);
        }
        let starts = self.starts(bytes, word)?;
        // Counts the runs that begin at this king tile or before it. There is at least one.
        let upto = u64::MAX >> (GROUP_TILES - 1 - king_tile % GROUP_TILES);
        let run = u64::from((starts & upto).count_ones()).saturating_sub(1);
        let number = word_at(bytes, self.runs(word) + size_of::<u64>() as u64 + run * width)?;
        self.numbered(number & u64::MAX >> (u64::BITS as u64 - width * u8::BITS as u64))
    }

    /// The pattern with this number. `None` if there is none.
    #[inline]
    fn numbered(&self, number: u64) -> Option<PatternAddress<'_>> {
        // Compares with all ends: that vectorises, and an early exit would be mispredicted.
        let number = u32::try_from(number).ok()?;
        let before: u32 = self.ends.iter().map(|&end| u32::from(number >= end)).sum();
        let range = self.ranges.get(before as usize)?;
        let before = u64::from(number - range.first) * u64::from(range.planes);
        let word = u64::from(range.word) + before;
        Some(PatternAddress { range, at: self.layout.patterns + word * size_of::<u64>() as u64 })
    }
}

impl PatternAddress<'_> {
    /// The category with the swept king on this square. `None` if a word is outside the file.
    #[inline]
    pub fn category(&self, bytes: &[u8], swept: Square) -> Option<Category> {
        let PatternAddress { range, at } = *self;
        let mut colour = 0;
        for (plane, at) in range.words(at).enumerate() {
            colour |= (word_at(bytes, at)? >> swept.index() & 1) << plane;
        }
        range.palette.get(colour as usize).copied()
    }
}

/// The 64-bit number at an offset. `None` if it is outside the file.
#[inline]
fn word_at(bytes: &[u8], at: u64) -> Option<u64> {
    let word = bytes.get(usize::try_from(at).ok()?..)?.first_chunk()?;
    Some(u64::from_le_bytes(*word))
}

/// The ranges of patterns of a side, and for each the number after its last pattern.
fn ranges(
    bytes: &[u8],
    side: &WdlSide,
    layout: WdlLayout,
) -> Result<(Vec<u32>, Vec<CategoryRange>), FormatError> {
    let wrong =
        || FormatError::Wdl("the ranges of patterns do not add up to the length of the patterns");
    let records = usize::try_from(layout.ranges).ok().and_then(|start| bytes.get(start..));
    let records = records.and_then(|records| records.get(..side.ranges as usize * RANGE_LENGTH));
    let (mut ends, mut ranges) = (Vec::new(), Vec::new());
    let (mut first, mut words) = (0u32, 0u64);
    for bytes in records.ok_or_else(wrong)?.as_chunks().0 {
        let range = PatternRange::decode(bytes)?;
        let mut palette = [Category::Draw; Category::ALL.len()];
        for (place, category) in palette.iter_mut().zip(range.palette()) {
            *place = category;
        }
        let (end, planes) = (first.checked_add(range.count), range.planes() as u8);
        let word = u32::try_from(words).map_err(|_| wrong())?;
        words += u64::from(range.count) * u64::from(planes);
        ranges.push(CategoryRange { first, word, planes, palette });
        first = end.ok_or_else(wrong)?;
        ends.push(first);
    }
    if words != side.pattern_words {
        return Err(wrong());
    }
    Ok((ends, ranges))
}
