//! The form of a verdict file: the category of every position of a material at a fresh
//! count. `FORMAT.md` says the same byte by byte.
//!
//! ```text
//! header | White to move: ranges, sheets, patterns, runs | Black to move | checksum
//! ```
//!
//! [KingTiles](crate::tiles::king_tile) are coded 64 at a time, a *sheet*. What the 64 squares of a
//! king tile are worth is a *pattern*; a sheet is runs of king tiles with one pattern each.

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
use crate::tiles::king_tile::{Hanging, KingTiles};
use crate::variants;
use std::fmt;

/// KingTiles of a sheet.
pub const SHEET: u64 = u64::BITS as u64;
/// Bytes of the word that stands for a sheet.
pub const WORD_LENGTH: usize = 4;
/// Runs are counted in so many bytes.
pub const RUN_UNIT: u64 = 4;
/// Bits of a word that say how many bytes the numbers of a sheet's patterns have.
pub const WIDTH_BITS: u32 = 2;

const KING_TILES_AT: usize = 40;
const SIDES_AT: usize = 48;
const SIDE_LENGTH: usize = 32;
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

/// What the header says of one side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlSide {
    /// How its king tiles are numbered.
    pub hanging: Hanging,
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
    fn encode(&self) -> [u8; SIDE_LENGTH] {
        let mut bytes = [0; SIDE_LENGTH];
        let mut put = |offset: usize, field: &[u8]| put(&mut bytes, offset, field);
        let mut order = 0u32;
        for (place, &group) in self.hanging.order.iter().enumerate() {
            order |= (group as u32) << (ORDER_BITS * place as u32);
        }
        put(0, &[self.hanging.runner.index() as u8, self.captures]);
        put(ORDER_AT, &order.to_le_bytes());
        put(RANGES_AT, &self.ranges.to_le_bytes());
        put(PATTERNS_AT, &self.pattern_words.to_le_bytes());
        put(RUNS_AT, &self.run_bytes.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8; SIDE_LENGTH], groups: usize) -> Result<WdlSide, FormatError> {
        let wrong = || FormatError::Wdl("the record of a side holds a value out of range");
        let runner = *Side::BOTH.get(usize::from(bytes[0])).ok_or_else(wrong)?;
        let order = u32_at(bytes, ORDER_AT);
        let digit = |place: u32| (order >> (ORDER_BITS * place)) as usize & ((1 << ORDER_BITS) - 1);
        let side = WdlSide {
            hanging: Hanging { runner, order: (0..groups as u32).map(digit).collect() },
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
            false => Err(FormatError::Wdl("a range of patterns holds a value out of range")),
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
            if !record.hanging.is_of(index) || groups > MAX_OTHERS {
                return Err(FormatError::Wdl("the order of groups is not one of the material"));
            }
            sides[side.index()] = Some(record);
        }
        Ok(WdlHeader { preamble, king_tiles: u64_at(bytes, KING_TILES_AT), sides })
    }
}

/// Where the parts of one side are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WdlLayout {
    /// Sheets of each home.
    pub sheets_per_home: u64,
    /// Where the ranges of patterns begin.
    pub ranges: u64,
    /// Where the words of the sheets begin.
    pub sheets: u64,
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
        let sheets_per_home = king_tiles.per_home().div_ceil(SHEET);
        let words = sheets_per_home * king_tiles.homes().squares().len() as u64;
        let sheets = start.checked_add(u64::from(side.ranges) * RANGE_LENGTH as u64)?;
        let patterns = sheets.checked_add(words.checked_mul(WORD_LENGTH as u64)?)?;
        let pattern_bytes = side.pattern_words.checked_mul(size_of::<u64>() as u64)?;
        let runs = patterns.checked_add(pattern_bytes)?;
        let end = runs.checked_add(side.run_bytes)?;
        Some(WdlLayout { sheets_per_home, ranges: start, sheets, patterns, runs, end })
    }
}
