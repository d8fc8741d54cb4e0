//! The form of a verdict file: the category of every position of a material at a fresh
//! count. `FORMAT.md` says the same byte by byte.
//!
//! ```text
//! header | White to move: ranges, tile groups, patterns, runs | Black to move | checksum
//! ```
//!
//! [King tiles](crate::tiles::king_tile) are coded 64 at a time, a *tile group*. What the 64 squares of a
//! king tile are worth is a *pattern*; a tile group is runs of king tiles with one pattern each.

use crate::counting::{Category, CountingRule};
use crate::format::error::FormatError;
use crate::format::solved::header::{MATERIAL_LENGTH, material_of};
use crate::format::{WDL_VERSION, field, put, u32_at, u64_at};
use crate::index::{Index, MAX_OTHERS};
use crate::material::Material;
use crate::rules::piece::Side;
use crate::tiles::king_tile::KingTiles;
use crate::tiles::order::KingTileOrder;
use crate::variants;
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// The first bytes of every verdict file.
pub const MAGIC: [u8; 8] = *b"\x89SAKMKV\n";
/// The end of every verdict file's name.
pub const EXTENSION: &str = "smv";
/// Bytes of the header.
pub const HEADER_LENGTH: usize = 128;
/// Bytes of the checksum at the end.
pub const CHECKSUM_LENGTH: usize = 8;
/// King tiles of a tile group.
pub const GROUP_TILES: u64 = u64::BITS as u64;
/// Bytes of the word that stands for a tile group.
pub const WORD_LENGTH: usize = 4;
/// Runs are counted in so many bytes.
pub const RUN_UNIT: u64 = 4;
/// Bits of a word that say how many bytes the numbers of a tile group's patterns have.
pub const WIDTH_BITS: u32 = 2;

const VERSION_AT: usize = 8;
const COUNTING_RULE_AT: usize = 12;
const FINGERPRINT_AT: usize = 16;
const MATERIAL_AT: usize = 24;
const KING_TILES_AT: usize = 40;
const SIDES_AT: usize = 48;
const SIDE_LENGTH: usize = 32;
const TAIL_AT: usize = 112;
const CHECKSUM_AT: usize = 120;
/// In the record of a side: where its fields are.
const CAPTURES_AT: usize = 1;
const ORDER_AT: usize = 4;
const ORDER_BITS: u32 = 4;
const RANGES_AT: usize = 8;
const PATTERNS_AT: usize = 16;
const RUNS_AT: usize = 24;
/// Bytes of a range of patterns.
pub const RANGE_LENGTH: usize = 8;
const RANGE_COUNT_AT: usize = 4;
/// The most ranges there may be: all sets of categories, for numbers of one byte, of two and
/// of three.
pub const MAX_RANGES: u32 = ((1 << Category::ALL.len()) - 1) * MAX_WIDTH as u32;
/// The most bytes of a pattern's number.
pub const MAX_WIDTH: usize = (1 << WIDTH_BITS) - 1;

/// Which verdict file: a material and a way of counting; as text `KRvKM.makruk.smv`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct WdlName {
    /// The material.
    pub material: Material,
    /// The way of counting.
    pub counting_rule: &'static CountingRule,
}

impl WdlName {
    /// The file a file name stands for, if it is a verdict file's.
    pub fn of_file_name(name: &str) -> Option<WdlName> {
        let (stem, word) = name.strip_suffix(EXTENSION)?.strip_suffix('.')?.rsplit_once('.')?;
        let counting_rule = variants::counting_rule(word).ok()?;
        let found = WdlName { material: stem.parse().ok()?, counting_rule };
        (found.to_string() == name).then_some(found)
    }
}

impl fmt::Display for WdlName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}.{EXTENSION}", self.material, self.counting_rule.name))
    }
}

/// What the header says of one side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlSide {
    /// How its king tiles are numbered.
    pub tile_order: KingTileOrder,
    /// The groups, a bit each, whose pieces a reader sees taken first: where a capture is as
    /// good as the position its king tile may say anything worse.
    pub captures: u8,
    /// Ranges of patterns.
    pub ranges: u32,
    /// Words of 64 bits that all patterns take.
    pub pattern_words: u64,
    /// Bytes of the runs.
    pub run_bytes: u64,
}

impl WdlSide {
    fn encode(&self, bytes: &mut [u8]) {
        let mut put = |offset: usize, field: &[u8]| put(bytes, offset, field);
        let mut order = 0u32;
        for (place, &group) in self.tile_order.groups.iter().enumerate() {
            order |= (group as u32) << (ORDER_BITS * place as u32);
        }
        put(0, &[self.tile_order.swept.index() as u8, self.captures]);
        put(ORDER_AT, &order.to_le_bytes());
        put(RANGES_AT, &self.ranges.to_le_bytes());
        put(PATTERNS_AT, &self.pattern_words.to_le_bytes());
        put(RUNS_AT, &self.run_bytes.to_le_bytes());
    }

    fn decode(bytes: &[u8; SIDE_LENGTH], groups: usize) -> Result<WdlSide, FormatError> {
        let wrong = || FormatError::Wdl("the record of a side makes no sense");
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
        // Written again it must be the same: nothing reserved is set.
        let mut again = [0; SIDE_LENGTH];
        side.encode(&mut again);
        if again == *bytes { Ok(side) } else { Err(FormatError::Reserved("header")) }
    }
}

/// Patterns with the same categories in them, numbered one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PatternRange {
    /// A bit for each category in them, by [`Category::index`].
    pub categories: u8,
    /// How many patterns they are.
    pub count: u32,
}

impl PatternRange {
    /// The range as bytes.
    pub fn encode(self) -> [u8; RANGE_LENGTH] {
        let mut bytes = [0; RANGE_LENGTH];
        bytes[0] = self.categories;
        bytes[RANGE_COUNT_AT..].copy_from_slice(&self.count.to_le_bytes());
        bytes
    }

    /// The range these bytes hold.
    ///
    /// # Errors
    ///
    /// When they hold none.
    pub fn decode(bytes: &[u8; RANGE_LENGTH]) -> Result<PatternRange, FormatError> {
        let range = PatternRange { categories: bytes[0], count: u32_at(bytes, RANGE_COUNT_AT) };
        let known = (1..1 << Category::ALL.len()).contains(&range.categories);
        match range.encode() == *bytes && known {
            true => Ok(range),
            false => Err(FormatError::Wdl("a range of patterns makes no sense")),
        }
    }

    /// The categories, the worst first: a pattern names them by their places here.
    pub fn palette(self) -> impl Iterator<Item = Category> {
        let has = move |category: &Category| self.categories >> category.index() & 1 != 0;
        Category::ALL.into_iter().filter(has)
    }

    /// Bits of a place in the palette: words of 64 bits that a pattern takes.
    pub const fn planes(self) -> usize {
        let highest = self.categories.count_ones().saturating_sub(1);
        (u32::BITS - highest.leading_zeros()) as usize
    }
}

/// What a verdict file says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlHeader {
    /// Which file it is.
    pub name: WdlName,
    /// The fingerprint of rules and counting.
    pub fingerprint: u64,
    /// King tiles of each side to move.
    pub king_tiles: u64,
    /// By [`Side::index`]; Black is absent where the material is symmetric.
    pub sides: [Option<WdlSide>; 2],
}

impl WdlHeader {
    /// The header as bytes.
    pub fn encode(&self) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0; HEADER_LENGTH];
        let mut put = |offset: usize, field: &[u8]| put(&mut bytes, offset, field);
        put(0, &MAGIC);
        put(VERSION_AT, &WDL_VERSION.to_le_bytes());
        put(COUNTING_RULE_AT, &self.name.counting_rule.number.to_le_bytes());
        put(FINGERPRINT_AT, &self.fingerprint.to_le_bytes());
        put(MATERIAL_AT, self.name.material.to_string().as_bytes());
        put(KING_TILES_AT, &self.king_tiles.to_le_bytes());
        for (side, record) in self.sides.iter().enumerate() {
            let at = SIDES_AT + side * SIDE_LENGTH;
            if let Some(record) = record {
                record.encode(&mut bytes[at..at + SIDE_LENGTH]);
            }
        }
        let checksum = xxh3_64(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The header these bytes hold, which must be that of this file under this index.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn decode(
        bytes: &[u8; HEADER_LENGTH],
        name: WdlName,
        fingerprint: u64,
        index: &Index,
    ) -> Result<WdlHeader, FormatError> {
        if field(bytes, 0) != MAGIC {
            return Err(FormatError::Magic);
        }
        let version = u32_at(bytes, VERSION_AT);
        if version != WDL_VERSION {
            return Err(FormatError::WdlVersion(version));
        }
        if xxh3_64(&bytes[..CHECKSUM_AT]) != u64_at(bytes, CHECKSUM_AT) {
            return Err(FormatError::HeaderChecksum);
        }
        if bytes[TAIL_AT..CHECKSUM_AT].iter().any(|&byte| byte != 0) {
            return Err(FormatError::Reserved("header"));
        }
        let found = material_of(&field::<MATERIAL_LENGTH>(bytes, MATERIAL_AT))?;
        if found != name.material {
            return Err(FormatError::Material { expected: name.material, found });
        }
        let number = u32_at(bytes, COUNTING_RULE_AT);
        let counting_rule =
            variants::counting_rules().find(|counting_rule| counting_rule.number == number);
        let counting_rule = counting_rule.ok_or(FormatError::Metric(number))?;
        if counting_rule != name.counting_rule {
            let (expected, found) = (name.counting_rule.name, counting_rule.name);
            return Err(FormatError::OtherMetric { expected, found });
        }
        let found = u64_at(bytes, FINGERPRINT_AT);
        if found != fingerprint {
            return Err(FormatError::Rules { expected: fingerprint, found });
        }
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
                return Err(FormatError::Wdl("its king tiles are not those of its material"));
            }
            sides[side.index()] = Some(record);
        }
        Ok(WdlHeader { name, fingerprint, king_tiles: u64_at(bytes, KING_TILES_AT), sides })
    }
}

/// Where the parts of one side are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WdlLayout {
    /// Sheets of each fixed king.
    pub groups_per_fixed_king: u64,
    /// Where the ranges of patterns begin.
    pub ranges: u64,
    /// Where the words of the tile groups begin.
    pub tile_groups: u64,
    /// Where the patterns begin.
    pub patterns: u64,
    /// Where the runs begin.
    pub runs: u64,
    /// Where all of that ends.
    pub end: u64,
}

impl WdlLayout {
    /// The layout of a side whose part of the file begins at `start`; nothing where it has no
    /// end.
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
