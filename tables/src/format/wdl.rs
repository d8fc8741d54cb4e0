//! The format of WDL files: the category of every position of a material at a fresh count.
//! `FORMAT.md` describes every byte.
//!
//! ```text
//! header | White to move: ranges, tile groups, patterns, runs | Black to move | checksum
//! ```
//!
//! [King tiles](crate::tiles::king_tile) are coded in *tile groups* of 64. The categories of the
//! 64 squares of a king tile are its *pattern*. A tile group is a list of runs; the king tiles of
//! a run have the same pattern.

use crate::counting::{Category, CountingRule};
use crate::format::error::FormatError;
use crate::format::metric::Metric;
use crate::format::name::TableName;
use crate::format::preamble::Preamble;
use crate::format::{FormatKind, HEADER_LENGTH, field, put, u32_at, u64_at};
use crate::index::{Index, MAX_OTHERS};
use crate::material::Material;
use crate::rules::Rules;
use crate::rules::piece::Side;
use crate::tiles::king_tile::KingTiles;
use crate::tiles::order::KingTileOrder;
use crate::variants;
use std::fmt;

/// King tiles per tile group.
pub const GROUP_TILES: u64 = u64::BITS as u64;
/// Bytes of the word of a tile group.
pub const WORD_LENGTH: usize = 4;
/// The unit of offsets of runs, in bytes.
pub const RUN_UNIT: u64 = 4;
/// Bits of a word that give the bytes per pattern number in the runs.
pub const WIDTH_BITS: u32 = 2;

const KING_TILES_AT: usize = 40;
const SIDES_AT: usize = 48;
const SIDE_LENGTH: usize = 32;
// Offsets in the record of a side.
const CAPTURES_AT: usize = 1;
const ORDER_AT: usize = 4;
const ORDER_BITS: u32 = 4;
const RANGES_AT: usize = 8;
const PATTERNS_AT: usize = 16;
const RUNS_AT: usize = 24;
/// Bytes of the record of a range of patterns.
pub const RANGE_LENGTH: usize = 8;
const RANGE_COUNT_AT: usize = 4;
/// The greatest number of ranges: every set of categories, for pattern numbers of one, two and
/// three bytes.
pub const MAX_RANGES: u32 = ((1 << Category::ALL.len()) - 1) * MAX_WIDTH as u32;
/// The greatest number of bytes of a pattern number.
pub const MAX_WIDTH: usize = (1 << WIDTH_BITS) - 1;

/// Which WDL file: a material and a counting rule. As text it is the file name,
/// `KRvKM.makruk.smv`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct WdlName {
    /// The material.
    pub material: Material,
    /// The counting rule.
    pub counting_rule: &'static CountingRule,
}

impl WdlName {
    /// The WDL file of this file name. `None` if the name is not that of a WDL file.
    pub fn of_file_name(name: &str) -> Option<WdlName> {
        let stem = name.strip_suffix(FormatKind::Wdl.extension())?.strip_suffix('.')?;
        let (material, word) = stem.rsplit_once('.')?;
        let counting_rule = variants::counting_rule(word).ok()?;
        let parsed = WdlName { material: material.parse().ok()?, counting_rule };
        (parsed.to_string() == name).then_some(parsed)
    }

    /// The preamble of this file under these rules.
    pub fn preamble(self, rules: &Rules) -> Preamble {
        let metric = Metric::Counted(self.counting_rule);
        Preamble::new(TableName { material: self.material, metric }, rules)
    }
}

impl fmt::Display for WdlName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rule, extension) = (self.counting_rule.name, FormatKind::Wdl.extension());
        f.pad(&format!("{}.{rule}.{extension}", self.material))
    }
}

/// The record of one side to move in the header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlSide {
    /// The order of pieces that numbers the king tiles.
    pub tile_order: KingTileOrder,
    /// The groups, a bit each, whose captures a reader has to search. If such a capture reaches
    /// the category of a position, its king tile may hold any category not above it.
    pub captures: u8,
    /// The number of ranges of patterns.
    pub ranges: u32,
    /// Words of 64 bits of all patterns together.
    pub pattern_words: u64,
    /// Bytes of the runs.
    pub run_bytes: u64,
}

impl WdlSide {
    fn encode(&self) -> [u8; SIDE_LENGTH] {
        let mut bytes = [0; SIDE_LENGTH];
        let mut put = |offset: usize, field: &[u8]| put(&mut bytes, offset, field);
        let mut order = 0u32;
        for (place, &group) in self.tile_order.groups.iter().enumerate() {
            order |= (group as u32) << (ORDER_BITS * place as u32);
        }
        put(0, &[self.tile_order.swept.index() as u8, self.captures]);
        put(ORDER_AT, &order.to_le_bytes());
        put(RANGES_AT, &self.ranges.to_le_bytes());
        put(PATTERNS_AT, &self.pattern_words.to_le_bytes());
        put(RUNS_AT, &self.run_bytes.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8; SIDE_LENGTH], groups: usize) -> Result<WdlSide, FormatError> {
        let wrong = || FormatError::Wdl("the record of a side holds a value out of range");
        let swept = *Side::BOTH.get(usize::from(bytes[0])).ok_or_else(wrong)?;
        let order = u32_at(bytes, ORDER_AT);
        let digit = |place: u32| (order >> (ORDER_BITS * place)) as usize & ((1 << ORDER_BITS) - 1);
        let side = WdlSide {
            tile_order: KingTileOrder { swept, groups: (0..groups as u32).map(digit).collect() },
            captures: bytes[CAPTURES_AT],
            ranges: u32_at(bytes, RANGES_AT),
            pattern_words: u64_at(bytes, PATTERNS_AT),
            run_bytes: u64_at(bytes, RUNS_AT),
        };
        if side.ranges > MAX_RANGES || u32::from(side.captures) >> groups != 0 {
            return Err(wrong());
        }
        // Encoding drops what no field holds, so this finds reserved bits that are set.
        if side.encode() == *bytes { Ok(side) } else { Err(FormatError::Reserved("header")) }
    }
}

/// Consecutively numbered patterns with the same set of categories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PatternRange {
    /// A bit for each category, by [`Category::index`].
    pub categories: u8,
    /// The number of patterns.
    pub count: u32,
}

impl PatternRange {
    /// Encodes the range.
    pub fn encode(self) -> [u8; RANGE_LENGTH] {
        let mut bytes = [0; RANGE_LENGTH];
        bytes[0] = self.categories;
        bytes[RANGE_COUNT_AT..].copy_from_slice(&self.count.to_le_bytes());
        bytes
    }

    /// Decodes a range.
    ///
    /// # Errors
    ///
    /// When the set of categories is empty or has unknown bits, or a reserved byte is set.
    pub fn decode(bytes: &[u8; RANGE_LENGTH]) -> Result<PatternRange, FormatError> {
        let range = PatternRange { categories: bytes[0], count: u32_at(bytes, RANGE_COUNT_AT) };
        let valid = (1..1 << Category::ALL.len()).contains(&range.categories);
        match range.encode() == *bytes && valid {
            true => Ok(range),
            false => Err(FormatError::Wdl("a range of patterns holds a value out of range")),
        }
    }

    /// The categories, worst first. A pattern refers to them by their positions here.
    pub fn palette(self) -> impl Iterator<Item = Category> {
        let has = move |category: &Category| self.categories >> category.index() & 1 != 0;
        Category::ALL.into_iter().filter(has)
    }

    /// Bits of a position in the palette, which is the number of 64-bit words of a pattern.
    pub const fn planes(self) -> usize {
        let highest = self.categories.count_ones().saturating_sub(1);
        (u32::BITS - highest.leading_zeros()) as usize
    }
}

/// The header of a WDL file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlHeader {
    /// Material and counting rule, and the rules the file was made under.
    pub preamble: Preamble,
    /// King tiles of each side to move.
    pub king_tiles: u64,
    /// By [`Side::index`]. Black is `None` if the material is symmetric.
    pub sides: [Option<WdlSide>; 2],
}

impl WdlHeader {
    /// Encodes the header.
    pub fn encode(&self) -> [u8; HEADER_LENGTH] {
        self.preamble.encode(FormatKind::Wdl, |bytes| {
            put(bytes, KING_TILES_AT, &self.king_tiles.to_le_bytes());
            for (side, record) in self.sides.iter().enumerate() {
                if let Some(record) = record {
                    put(bytes, SIDES_AT + side * SIDE_LENGTH, &record.encode());
                }
            }
        })
    }

    /// Decodes a header, which must be that of the expected file, whose material has this index.
    ///
    /// # Errors
    ///
    /// When a field has an impossible value, or material, counting rule or fingerprint differ.
    pub fn decode(
        bytes: &[u8; HEADER_LENGTH],
        expected: &Preamble,
        index: &Index,
    ) -> Result<WdlHeader, FormatError> {
        let preamble = Preamble::decode(FormatKind::Wdl, bytes)?;
        preamble.expect(expected)?;
        let groups = index.groups().len();
        let mut sides = [None, None];
        for side in Side::BOTH {
            let record = field(bytes, SIDES_AT + side.index() * SIDE_LENGTH);
            if side == Side::Black && index.material().is_symmetric() {
                if record != [0; SIDE_LENGTH] {
                    return Err(FormatError::Reserved("header"));
                }
                continue;
            }
            let record = WdlSide::decode(&record, groups)?;
            if !record.tile_order.fits(index) || groups > MAX_OTHERS {
                return Err(FormatError::Wdl("the order of groups is not one of the material"));
            }
            sides[side.index()] = Some(record);
        }
        Ok(WdlHeader { preamble, king_tiles: u64_at(bytes, KING_TILES_AT), sides })
    }
}

/// Offsets, in bytes from the start of the file, of the parts of one side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WdlLayout {
    /// Tile groups of each fixed king.
    pub groups_per_fixed_king: u64,
    /// The ranges of patterns.
    pub ranges: u64,
    /// The words of the tile groups.
    pub tile_groups: u64,
    /// The patterns.
    pub patterns: u64,
    /// The runs.
    pub runs: u64,
    /// The end of the side.
    pub end: u64,
}

impl WdlLayout {
    /// The layout of a side that begins at `start`. `None` if an offset exceeds 64 bits.
    pub fn new(start: u64, side: &WdlSide, king_tiles: &KingTiles) -> Option<WdlLayout> {
        let groups_per_fixed_king = king_tiles.per_fixed_king().div_ceil(GROUP_TILES);
        let words = groups_per_fixed_king * king_tiles.fixed_kings().squares().len() as u64;
        let tile_groups = start.checked_add(u64::from(side.ranges) * RANGE_LENGTH as u64)?;
        let patterns = tile_groups.checked_add(words.checked_mul(WORD_LENGTH as u64)?)?;
        let pattern_bytes = side.pattern_words.checked_mul(size_of::<u64>() as u64)?;
        let runs = patterns.checked_add(pattern_bytes)?;
        let end = runs.checked_add(side.run_bytes)?;
        Some(WdlLayout { groups_per_fixed_king, ranges: start, tile_groups, patterns, runs, end })
    }
}
