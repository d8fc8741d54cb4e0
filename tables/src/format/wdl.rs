//! The format of WDL files: the category of every position of a material at a fresh count.
//! `FORMAT.md` describes every byte.
//!
//! ```text
//! header | White: model, offsets | Black: model, offsets | White: rows | Black: rows | checksum
//! ```
//!
//! The categories of [cells](crate::tiles::cells) are a string for each fixed king, cut into *rows*.
//! A row is coded in *symbols* of the [model](model::WdlModel), each of which stands for a string of
//! categories. To find a cell, a row is cut into *spans*, and the row holds where each begins.

pub mod model;

use crate::counting::{Category, CountingRule};
use crate::format::error::FormatError;
use crate::format::metric::Metric;
use crate::format::name::TableName;
use crate::format::preamble::{self, Preamble};
use crate::format::{CHECKSUM_LENGTH, FormatKind, HEADER_LENGTH, field, put, u32_at, u64_at};
use crate::index::{Index, MAX_OTHERS};
use crate::material::Material;
use crate::rules::Rules;
use crate::rules::piece::Side;
use crate::tiles::cells::{Cells, FixedKings};
use crate::tiles::order::{CellDigit, CellOrder, SquarePart, TilePiece};
use crate::variants;
use std::fmt;
use std::sync::Arc;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Binary logarithm of the cells of a row.
pub const ROW_BITS: u32 = 18;
/// Cells of a row; the last row of a fixed king has the rest.
pub const ROW_CELLS: u64 = 1 << ROW_BITS;
/// Bytes of the entry of a row among the offsets.
pub const OFFSET_LENGTH: usize = 6;
/// Bytes of the checksum of a row.
pub const ROW_CHECKSUM_LENGTH: usize = 4;
/// Bytes of the start of a span.
pub const SPAN_LENGTH: usize = 2;

/// The byte of a row whose cells all have the same category, less the index of the category.
const ALIKE: u8 = 128;
/// Bits of the byte of a row that hold the binary logarithm of the cells of a span.
const SPAN_CELL_BITS: u32 = 5;
/// The greatest binary logarithm of the bits in which starts of spans are counted.
pub const MAX_UNIT_BITS: u8 = 3;

const INDEX_CHECKSUM_AT: usize = 40;
const SIDES_AT: usize = 48;
const SIDE_LENGTH: usize = 32;
// Offsets in the record of a side.
const CAPTURES_AT: usize = 1;
const MODEL_AT: usize = 4;
const ROWS_AT: usize = 8;
const ORDER_AT: usize = 16;
/// Bytes of an order, one for each digit.
const ORDER_LENGTH: usize = SIDE_LENGTH - ORDER_AT;

/// Which WDL file: a material and a counting rule. As text it is the file name,
/// `KRvKR.makruk.smv`.
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

/// The number of the swept king in the byte of a digit.
const SWEPT_KING: usize = MAX_OTHERS;

/// The byte of a digit of an order: one more than three times the number of its piece, and its part.
fn digit_byte(CellDigit { piece, part }: CellDigit) -> u8 {
    let piece = match piece {
        TilePiece::Group(group) => group,
        TilePiece::King => SWEPT_KING,
    };
    (1 + SquarePart::ALL.len() * piece + part as usize) as u8
}

/// The digit with this byte. `None` if there is none.
fn digit_of(byte: u8) -> Option<CellDigit> {
    let number = usize::from(byte.checked_sub(1)?);
    let (piece, part) = (number / SquarePart::ALL.len(), number % SquarePart::ALL.len());
    let piece = match piece {
        SWEPT_KING => TilePiece::King,
        group => TilePiece::Group(group),
    };
    Some(CellDigit { piece, part: SquarePart::ALL[part] })
}

/// The record of one side to move in the header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlSide {
    /// The order of the cells.
    pub order: CellOrder,
    /// The groups, a bit each, whose captures a reader has to search. If such a capture reaches
    /// the category of a position, its cell may hold any category not above it.
    pub captures: u8,
    /// Bytes of the compressed model.
    pub model_bytes: u32,
    /// Bytes of the rows.
    pub row_bytes: u64,
}

impl WdlSide {
    fn encode(&self) -> [u8; SIDE_LENGTH] {
        let mut bytes = [0; SIDE_LENGTH];
        let mut put = |offset: usize, field: &[u8]| put(&mut bytes, offset, field);
        put(0, &[self.order.swept.index() as u8, self.captures]);
        let order: Vec<u8> = self.order.digits.iter().map(|&digit| digit_byte(digit)).collect();
        put(ORDER_AT, &order);
        put(MODEL_AT, &self.model_bytes.to_le_bytes());
        put(ROWS_AT, &self.row_bytes.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8; SIDE_LENGTH], groups: usize) -> Result<WdlSide, FormatError> {
        let wrong = || FormatError::Wdl("the record of a side holds a value out of range");
        let swept = *Side::BOTH.get(usize::from(bytes[0])).ok_or_else(wrong)?;
        let order: [u8; ORDER_LENGTH] = field(bytes, ORDER_AT);
        let digits = order.iter().take_while(|&&byte| byte != 0).map(|&byte| digit_of(byte));
        let digits = digits.collect::<Option<_>>().ok_or_else(wrong)?;
        let side = WdlSide {
            order: CellOrder { swept, digits },
            captures: bytes[CAPTURES_AT],
            model_bytes: u32_at(bytes, MODEL_AT),
            row_bytes: u64_at(bytes, ROWS_AT),
        };
        if u32::from(side.captures) >> groups != 0 {
            return Err(wrong());
        }
        // Encoding drops what no field holds, so this finds reserved bits that are set.
        if side.encode() == *bytes { Ok(side) } else { Err(FormatError::Reserved("header")) }
    }
}

/// The header of a WDL file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlHeader {
    /// Material and counting rule, and the rules the file was made under.
    pub preamble: Preamble,
    /// XXH3 of all bytes from the end of the header to the first row.
    pub index_checksum: u64,
    /// By [`Side::index`]. Black is `None` if the material is symmetric.
    pub sides: [Option<WdlSide>; 2],
}

impl WdlHeader {
    /// Encodes the header.
    pub fn encode(&self) -> [u8; HEADER_LENGTH] {
        self.preamble.encode(FormatKind::Wdl, |bytes| {
            put(bytes, INDEX_CHECKSUM_AT, &self.index_checksum.to_le_bytes());
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
            if !record.order.fits(index) || groups > MAX_OTHERS {
                return Err(FormatError::Wdl("the order of cells is not one of the material"));
            }
            sides[side.index()] = Some(record);
        }
        Ok(WdlHeader { preamble, index_checksum: u64_at(bytes, INDEX_CHECKSUM_AT), sides })
    }
}

/// Offsets, in bytes from the start of the file, of the parts of one side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WdlLayout {
    /// The model.
    pub model: u64,
    /// The offsets of the rows.
    pub offsets: u64,
    /// The rows.
    pub rows: u64,
}

/// Rows of each fixed king.
pub fn rows_per_fixed_king(cells: &Cells) -> u64 {
    cells.per_fixed_king().div_ceil(ROW_CELLS)
}

/// The number of rows of a side.
pub fn row_count(cells: &Cells) -> u64 {
    rows_per_fixed_king(cells) * cells.fixed_kings().squares().len() as u64
}

/// Bytes of the offsets of a side.
pub fn offset_bytes(cells: &Cells) -> u64 {
    (row_count(cells) + 1) * OFFSET_LENGTH as u64
}

/// The layouts of both sides, and the end of all rows. Sides without a record have none. `None` if an
/// offset exceeds 64 bits.
pub fn layouts(
    header: &WdlHeader,
    cells: &[Option<Cells>; 2],
) -> Option<([Option<WdlLayout>; 2], u64)> {
    let mut layouts = [None, None];
    let mut end = HEADER_LENGTH as u64;
    let sides = || header.sides.iter().zip(cells);
    for (layout, (side, cells)) in layouts.iter_mut().zip(sides()) {
        let (Some(side), Some(cells)) = (side, cells) else { continue };
        let (model, offsets) = (end, end + u64::from(side.model_bytes));
        end = offsets + offset_bytes(cells);
        *layout = Some(WdlLayout { model, offsets, rows: 0 });
    }
    for (layout, (side, _)) in layouts.iter_mut().zip(sides()) {
        if let (Some(layout), Some(side)) = (layout, side) {
            layout.rows = end;
            end = end.checked_add(side.row_bytes)?;
        }
    }
    Some((layouts, end))
}

/// How a row is coded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowForm {
    /// All cells have this category, and the row has no bytes.
    Alike(Category),
    /// Symbols in spans.
    Spans(Spans),
}

/// The spans of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spans {
    /// Binary logarithm of the cells of a span; the last span has the rest.
    pub cell_bits: u8,
    /// Binary logarithm of the bits in which the starts of spans are counted.
    pub unit_bits: u8,
}

impl Spans {
    /// The number of spans of a row with this number of cells.
    #[inline]
    pub fn count(self, cells: u64) -> usize {
        cells.div_ceil(1 << self.cell_bits) as usize
    }

    /// The first bit of the span with this record, counted from the first bit of the symbols.
    #[inline]
    pub fn start(self, record: [u8; SPAN_LENGTH]) -> usize {
        usize::from(u16::from_le_bytes(record)) << self.unit_bits
    }

    /// The record of a span with this first bit. `None` if there is none.
    pub fn record(self, start: usize) -> Option<[u8; SPAN_LENGTH]> {
        let record = u16::try_from(start >> self.unit_bits).ok()?.to_le_bytes();
        (self.start(record) == start).then_some(record)
    }
}

/// The entry of a row among the offsets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowEntry {
    /// The offset of the row from the first of its side.
    pub offset: u64,
    /// How it is coded.
    pub form: RowForm,
}

impl RowEntry {
    /// Encodes the entry. `None` if the offset has too many bits.
    pub fn encode(self) -> Option<[u8; OFFSET_LENGTH]> {
        let form = match self.form {
            RowForm::Alike(category) => ALIKE + category.index() as u8,
            RowForm::Spans(spans) => spans.cell_bits | spans.unit_bits << SPAN_CELL_BITS,
        };
        let [a, b, c, d, e, 0, 0, 0] = self.offset.to_le_bytes() else { return None };
        Some([a, b, c, d, e, form])
    }

    /// Decodes an entry.
    ///
    /// # Errors
    ///
    /// When there is no such form.
    pub fn decode(&[a, b, c, d, e, form]: &[u8; OFFSET_LENGTH]) -> Result<RowEntry, FormatError> {
        let alike = form.checked_sub(ALIKE).map(usize::from);
        let spans = Spans {
            cell_bits: form & ((1 << SPAN_CELL_BITS) - 1),
            unit_bits: form >> SPAN_CELL_BITS,
        };
        let form = match alike.map(|index| Category::ALL.get(index)) {
            None if u32::from(spans.cell_bits) <= ROW_BITS => RowForm::Spans(spans),
            Some(Some(&category)) => RowForm::Alike(category),
            _ => return Err(FormatError::Wdl("a row has no such form")),
        };
        Ok(RowEntry { offset: u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]), form })
    }
}

/// The checksum of the row with this number, whose bytes without the checksum are these.
pub fn row_checksum(number: u64, bytes: &[u8]) -> u32 {
    xxh3_64_with_seed(bytes, number) as u32
}

/// Makes all checksums of a file right, as far as its header and offsets are: for tests of damaged
/// files. `None` if they are not.
pub fn seal(
    bytes: &mut [u8],
    name: WdlName,
    rules: &Rules,
    fixed_kings: &Arc<FixedKings>,
) -> Option<()> {
    let end = bytes.len().checked_sub(CHECKSUM_LENGTH)?;
    preamble::seal(bytes.first_chunk_mut()?);
    let index = Index::new(name.material, rules);
    let sealed = WdlHeader::decode(bytes.first_chunk()?, &name.preamble(rules), &index).ok();
    let sealed = sealed.and_then(|header| seal_rows(bytes, header, &index, fixed_kings));
    let checksum = xxh3_64(&bytes[..end]);
    put(bytes, end, &checksum.to_le_bytes());
    sealed
}

fn seal_rows(
    bytes: &mut [u8],
    mut header: WdlHeader,
    index: &Index,
    fixed_kings: &Arc<FixedKings>,
) -> Option<()> {
    let cells = header
        .sides
        .each_ref()
        .map(|side| Some(Cells::new(index, Arc::clone(fixed_kings), &side.as_ref()?.order)));
    let (layouts, _) = layouts(&header, &cells)?;
    for (layout, cells) in layouts.iter().zip(&cells) {
        let (Some(layout), Some(cells)) = (layout, cells) else { continue };
        for row in 0..row_count(cells) {
            let entry = |row: u64| {
                let at = usize::try_from(layout.offsets).ok()? + row as usize * OFFSET_LENGTH;
                let entry = RowEntry::decode(bytes.get(at..)?.first_chunk()?).ok()?;
                usize::try_from(layout.rows.checked_add(entry.offset)?).ok()
            };
            let (start, end) = (entry(row)?, entry(row + 1)?);
            if let Some((checksum, body)) =
                bytes.get_mut(start..end)?.split_first_chunk_mut::<ROW_CHECKSUM_LENGTH>()
            {
                *checksum = row_checksum(row, body).to_le_bytes();
            }
        }
    }
    let first = layouts.iter().flatten().map(|layout| layout.rows).min()?;
    header.index_checksum = xxh3_64(bytes.get(HEADER_LENGTH..usize::try_from(first).ok()?)?);
    put(bytes, 0, &header.encode());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_rows_and_spans_come_back() {
        let spans = |bits: u8| RowForm::Spans(Spans { cell_bits: bits, unit_bits: bits % 4 });
        let forms = Category::ALL.map(RowForm::Alike).into_iter().chain((0..=18).map(spans));
        for form in forms {
            let entry = RowEntry { offset: 0x12_3456_789a, form };
            assert_eq!(RowEntry::decode(&entry.encode().unwrap()), Ok(entry));
        }
        assert!(RowEntry { offset: 1 << 40, form: spans(0) }.encode().is_none());
        for form in [19, 127, 133, 255] {
            assert!(RowEntry::decode(&[0, 0, 0, 0, 0, form]).is_err());
        }
        let spans = Spans { cell_bits: 10, unit_bits: 1 };
        for start in [0, 2, 131_070] {
            assert_eq!(spans.start(spans.record(start).unwrap()), start);
        }
        for start in [1, 131_072] {
            assert!(spans.record(start).is_none());
        }
        assert_eq!((spans.count(1024), spans.count(1025)), (1, 2));
    }
}
