//! The format of WDL files: the category of every position of a material at a fresh count.
//! `FORMAT.md` describes every byte.
//!
//! ```text
//! header | White to move: patterns, directory | Black to move | White to move: rows | Black to move | checksum
//! ```
//!
//! [King tiles](crate::tiles::king_tile) are coded in *tile groups* of 64, tile groups in *rows* of
//! 64, which can be read alone. The categories of the 64 squares of a king tile are its *pattern*.
//! A tile group is a list of runs; the king tiles of a run have the same pattern, which its
//! [token](token::Token) describes.

pub mod change;
pub mod model;
pub mod pattern;
pub mod row;
pub mod tile_group;
pub mod token;

use crate::counting::CountingRule;
use crate::format::error::FormatError;
use crate::format::metric::Metric;
use crate::format::name::TableName;
use crate::format::preamble::Preamble;
use crate::format::wdl::change::{CHANGE_LENGTH, Change};
use crate::format::wdl::model::{MAX_PATTERNS, WdlModel};
use crate::format::wdl::row::{ENTRY_LENGTH, ROW_GROUPS};
use crate::format::{FormatKind, HEADER_LENGTH, field, put, u32_at, u64_at};
use crate::index::{Index, MAX_OTHERS};
use crate::material::{Material, OrientedMaterial};
use crate::rules::Rules;
use crate::rules::piece::{PieceLetters, Side};
use crate::tiles::king_tile::{FixedKings, KingTiles};
use crate::tiles::order::KingTileOrder;
use crate::variants;
use std::fmt;
use std::sync::Arc;

/// King tiles per tile group.
pub const GROUP_TILES: u64 = u64::BITS as u64;

const FRONT_CHECKSUM_AT: usize = 40;
const SIDES_AT: usize = 48;
const SIDE_LENGTH: usize = 32;
// Offsets in the record of a side.
const CAPTURES_AT: usize = 1;
const CATEGORIES_AT: usize = 2;
const ORDER_AT: usize = 4;
const ORDER_BITS: u32 = 4;
const CHANGES_AT: usize = 8;
const PATTERNS_AT: usize = 16;
const ROWS_AT: usize = 24;

/// The name of a WDL file: a material and a counting rule. Displays as the file name,
/// `KRvKM.makruk.smv`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct WdlName {
    /// The material.
    pub material: Material,
    /// The counting rule.
    pub counting_rule: &'static CountingRule,
}

impl WdlName {
    /// The WDL file of this file name. `None` if the name is not the name of a WDL file.
    pub fn of_file_name(name: &str) -> Option<WdlName> {
        let stem = name.strip_suffix(FormatKind::Wdl.extension())?.strip_suffix('.')?;
        let (material, word) = stem.rsplit_once('.')?;
        let counting_rule = variants::counting_rule(word).ok()?;
        let material = OrientedMaterial::read(material, letters(counting_rule)).ok()?.material;
        let parsed = WdlName { material, counting_rule };
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
        let material = self.material.written_in(letters(self.counting_rule));
        f.pad(&format!("{material}.{rule}.{extension}"))
    }
}

/// The letters of materials in the names of files of this counting rule.
fn letters(counting_rule: &CountingRule) -> &'static PieceLetters {
    variants::counted_by(counting_rule).rules.material_letters
}

/// The record of one side to move in the header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlSide {
    /// The order of pieces that numbers the king tiles.
    pub tile_order: KingTileOrder,
    /// The groups, a bit each, whose captures a reader has to search. If such a capture reaches
    /// the category of a position, its king tile may hold any category not above it.
    pub captures: u8,
    /// The coding of patterns.
    pub model: WdlModel,
    /// The number of patterns.
    pub patterns: u32,
    /// Bytes of all rows.
    pub row_bytes: u64,
}

impl WdlSide {
    fn encode(&self) -> [u8; SIDE_LENGTH] {
        let mut bytes = [0; SIDE_LENGTH];
        let mut put = |offset: usize, field: &[u8]| put(&mut bytes, offset, field);
        let mut order = 0u32;
        for (index, &group) in self.tile_order.groups.iter().enumerate() {
            order |= (group as u32) << (ORDER_BITS * index as u32);
        }
        put(0, &[self.tile_order.swept.index() as u8, self.captures]);
        put(CATEGORIES_AT, &[self.model.palette().categories()]);
        put(ORDER_AT, &order.to_le_bytes());
        put(CHANGES_AT, self.model.changes().map(Change::encode).as_flattened());
        put(PATTERNS_AT, &self.patterns.to_le_bytes());
        put(ROWS_AT, &self.row_bytes.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8; SIDE_LENGTH], groups: usize) -> Result<WdlSide, FormatError> {
        let wrong = || FormatError::Wdl("the record of a side holds a value out of range");
        let swept = *Side::BOTH.get(usize::from(bytes[0])).ok_or_else(wrong)?;
        let order = u32_at(bytes, ORDER_AT);
        let digit = |index: u32| (order >> (ORDER_BITS * index)) as usize & ((1 << ORDER_BITS) - 1);
        let change = |kind: usize| Change::decode(field(bytes, CHANGES_AT + kind * CHANGE_LENGTH));
        let side = WdlSide {
            tile_order: KingTileOrder { swept, groups: (0..groups as u32).map(digit).collect() },
            captures: bytes[CAPTURES_AT],
            model: WdlModel::new(bytes[CATEGORIES_AT], std::array::from_fn(change))?,
            patterns: u32_at(bytes, PATTERNS_AT),
            row_bytes: u64_at(bytes, ROWS_AT),
        };
        if side.patterns as usize > MAX_PATTERNS
            || u32::try_from(side.row_bytes).is_err()
            || u32::from(side.captures) >> groups != 0
        {
            return Err(wrong());
        }
        // Encoding drops bits that no field holds, so this comparison finds reserved bits that are
        // set.
        if side.encode() == *bytes { Ok(side) } else { Err(FormatError::Reserved("header")) }
    }
}

/// The header of a WDL file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlHeader {
    /// Material and counting rule, and the rules the file was made under.
    pub preamble: Preamble,
    /// XXH3-64 of the patterns and directories of both sides.
    pub front_checksum: u64,
    /// The records by [`Side::index`]. Black is `None` if the material is symmetric.
    pub sides: [Option<WdlSide>; 2],
}

impl WdlHeader {
    /// Encodes the header.
    pub fn encode(&self) -> [u8; HEADER_LENGTH] {
        self.preamble.encode(FormatKind::Wdl, |bytes| {
            put(bytes, FRONT_CHECKSUM_AT, &self.front_checksum.to_le_bytes());
            for (side, record) in self.sides.iter().enumerate() {
                if let Some(record) = record {
                    put(bytes, SIDES_AT + side * SIDE_LENGTH, &record.encode());
                }
            }
        })
    }

    /// Decodes the header of the expected file, whose material has this index.
    ///
    /// # Errors
    ///
    /// If a field has an impossible value, or material, counting rule or fingerprint differ.
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
        Ok(WdlHeader { preamble, front_checksum: u64_at(bytes, FRONT_CHECKSUM_AT), sides })
    }
}

/// Offsets of the parts of one side to move, in bytes from the start of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WdlLayout {
    /// Rows of each fixed king.
    pub rows_per_fixed_king: u64,
    /// The number of rows.
    pub row_count: u64,
    /// Offset of the patterns.
    pub patterns: u64,
    /// Offset of the directory.
    pub directory: u64,
    /// Offset of the first row.
    pub rows: u64,
}

/// The king tiles of a side to move, and the offsets of its parts.
pub type SideLayout = (KingTiles, WdlLayout);

impl WdlHeader {
    /// The layouts of both sides to move, and the end of the last part. `fixed_kings` must have the
    /// symmetries of the index. `None` if an offset exceeds 64 bits.
    pub fn layouts(
        &self,
        index: &Index,
        fixed_kings: &Arc<FixedKings>,
    ) -> Option<([Option<SideLayout>; 2], u64)> {
        let mut at = HEADER_LENGTH as u64;
        let mut layouts = [None, None];
        for (entry, side) in layouts.iter_mut().zip(&self.sides) {
            let Some(side) = side else { continue };
            let king_tiles = KingTiles::new(index, Arc::clone(fixed_kings), &side.tile_order);
            let rows_per_fixed_king =
                king_tiles.per_fixed_king().div_ceil(GROUP_TILES * ROW_GROUPS);
            let row_count = rows_per_fixed_king.checked_mul(fixed_kings.squares().len() as u64)?;
            let pattern_bytes =
                u64::from(side.patterns) * side.model.palette().pattern_length() as u64;
            let (patterns, directory) = (at, at.checked_add(pattern_bytes)?);
            at = directory.checked_add(row_count.checked_mul(ENTRY_LENGTH as u64)?)?;
            let layout = WdlLayout { rows_per_fixed_king, row_count, patterns, directory, rows: 0 };
            *entry = Some((king_tiles, layout));
        }
        for (entry, side) in layouts.iter_mut().zip(&self.sides) {
            let (Some((_, layout)), Some(side)) = (entry, side) else { continue };
            layout.rows = at;
            at = at.checked_add(side.row_bytes)?;
        }
        Some((layouts, at))
    }
}
