//! Rows: cut into symbols, checked against the categories that their cells allow, and coded.

use crate::output::wdl::allowed::{Allowed, Filling, Run};
use crate::output::wdl::codes::{ContextCodes, ContextCounts};
use crate::output::wdl::grammar::Grammar;
use crate::output::wdl::parser::{Atom, Parser, Room, atoms, strings_of_atoms};
use sakmak_tables::counting::Category;
use sakmak_tables::format::wdl::model::{
    MAX_CODE_BITS, NONE_BEFORE, SymbolStrings, canonical_codes, context,
};
use sakmak_tables::format::wdl::{
    MAX_UNIT_BITS, ROW_BITS, ROW_CELLS, RowForm, Spans, row_checksum,
};

/// Symbols of a span, at most this many on average.
const SPAN_SYMBOLS: u64 = 32;

/// The least binary logarithm of the cells of a span, so that it begins with a tile.
const MIN_SPAN_BITS: u32 = 6;

/// A row as symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Row {
    /// All cells have this category.
    Alike(Category),
    /// Symbols in spans of `1 << cell_bits` cells.
    Symbols {
        /// The binary logarithm of the cells of a span.
        cell_bits: u8,
        /// All symbols.
        symbols: Vec<u16>,
    },
}

/// Cuts rows into symbols.
pub struct RowMaker {
    filling: Filling,
    parser: Parser,
    strings: SymbolStrings,
    /// By symbol: its categories as sets.
    sets: Vec<Vec<Allowed>>,
    /// Symbols and atoms of a sample.
    symbols_of_atoms: [u64; 2],
}

impl RowMaker {
    /// A maker of rows with these symbols, and atoms like those of a sample.
    pub fn new(filling: Filling, grammar: &Grammar, sample: &[Vec<Atom>]) -> RowMaker {
        let strings = SymbolStrings::new(&grammar.pairs);
        let sets = |symbol| strings.of(symbol).iter().map(|&category| 1 << category).collect();
        let symbols = grammar.uses.iter().map(|&uses| u64::from(uses)).sum();
        RowMaker {
            filling,
            sets: (0..strings.len() as u16).map(sets).collect(),
            symbols_of_atoms: [symbols, sample.iter().map(Vec::len).sum::<usize>() as u64],
            parser: Parser::new(&strings_of_atoms(&grammar.pairs), &grammar.uses),
            strings,
        }
    }

    /// The rows of cells that allow these categories. `None` if a row would hold a category that its
    /// cell does not allow.
    pub fn rows(&self, cells: &[Allowed]) -> Option<Vec<Row>> {
        cells.chunks(ROW_CELLS as usize).map(|cells| self.row(cells)).collect()
    }

    /// A row. `None` if it would hold a category that its cell does not allow.
    fn row(&self, cells: &[Allowed]) -> Option<Row> {
        let runs = self.filling.runs(cells);
        if let [run] = runs[..] {
            let category = *Category::ALL.get(usize::from(run.category))?;
            return cells
                .iter()
                .all(|set| set >> run.category & 1 != 0)
                .then_some(Row::Alike(category));
        }
        let [symbols, of_atoms] = self.symbols_of_atoms;
        let expected = (runs.len() as u64 * symbols / of_atoms.max(1)).max(1);
        let cell_bits = (cells.len() as u64 * SPAN_SYMBOLS / expected).max(1).ilog2();
        let cell_bits = cell_bits.clamp(MIN_SPAN_BITS, ROW_BITS);
        let mut symbols = Vec::new();
        let mut rest = runs.into_iter();
        let mut next = rest.next();
        let (mut span, mut cut, mut room) = (Vec::new(), Vec::new(), Room::default());
        for first in (0..cells.len()).step_by(1 << cell_bits) {
            let mut left = (cells.len() - first).min(1 << cell_bits) as u32;
            span.clear();
            while let Some(run) = next.filter(|_| left > 0) {
                let taken = run.cells.min(left);
                span.push(Run { cells: taken, ..run });
                left -= taken;
                let more = run.cells - taken;
                next = if more > 0 { Some(Run { cells: more, ..run }) } else { rest.next() };
            }
            cut.clear();
            atoms(&span, &mut cut);
            let start = symbols.len();
            self.parser.parse(&cut, &mut room, &mut symbols);
            self.check(&symbols[start..], &cells[first..])?;
        }
        Some(Row::Symbols { cell_bits: cell_bits as u8, symbols })
    }

    /// Checks the symbols of a span. `None` if a cell does not allow its category.
    fn check(&self, symbols: &[u16], mut cells: &[Allowed]) -> Option<()> {
        for &symbol in symbols {
            let sets = &self.sets[usize::from(symbol)];
            let allowed = cells.split_off(..sets.len())?;
            let pairs = sets.iter().zip(allowed);
            let wrong = pairs.fold(0, |wrong, (set, allowed)| wrong | u8::from(set & allowed == 0));
            if wrong != 0 {
                return None;
            }
        }
        Some(())
    }

    /// How often the symbols of rows occur in each context.
    pub fn counts(&self, rows: &[Row]) -> ContextCounts {
        let mut counts = ContextCounts::new(self.strings.len());
        for row in rows {
            let Row::Symbols { cell_bits, symbols } = row else { continue };
            let (mut at, mut last) = (0, NONE_BEFORE);
            for &symbol in symbols {
                let is_first = at & ((1 << cell_bits) - 1) == 0;
                counts.count(context(at, if is_first { NONE_BEFORE } else { last }), symbol);
                let string = self.strings.of(symbol);
                last = string.last().map_or(NONE_BEFORE, |&last| last.into());
                at += string.len();
            }
        }
        counts
    }

    /// The strings of the symbols.
    pub fn strings(&self) -> &SymbolStrings {
        &self.strings
    }
}

/// Codes rows.
pub struct RowCoder<'a> {
    code_of_context: &'a [u8],
    /// By code, then symbol: its code in the lowest bits, and their number.
    codes: Vec<Vec<(u16, u8)>>,
    /// By symbol: its cells and last category.
    shapes: Vec<(usize, usize)>,
}

impl<'a> RowCoder<'a> {
    /// A coder with these codes of symbols.
    pub fn new(codes: &'a ContextCodes, strings: &SymbolStrings) -> RowCoder<'a> {
        let shape = |symbol| {
            let string = strings.of(symbol);
            (string.len(), string.last().map_or(NONE_BEFORE, |&last| last.into()))
        };
        let of_code = |bits: &Vec<u8>| {
            let mut codes = vec![(0, 0); bits.len()];
            for (symbol, code) in canonical_codes(bits).unwrap_or_default() {
                let bits = bits[usize::from(symbol)];
                codes[usize::from(symbol)] = (code >> (MAX_CODE_BITS - bits), bits);
            }
            codes
        };
        RowCoder {
            code_of_context: &codes.code_of_context,
            codes: codes.code_bits.iter().map(of_code).collect(),
            shapes: (0..strings.len() as u16).map(shape).collect(),
        }
    }

    /// The form and the bytes of the row with this number. `None` if it has too many bits.
    pub fn encode(&self, number: u64, row: &Row) -> Option<(RowForm, Vec<u8>)> {
        let (cell_bits, symbols) = match row {
            Row::Alike(category) => return Some((RowForm::Alike(*category), Vec::new())),
            Row::Symbols { cell_bits, symbols } => (*cell_bits, symbols),
        };
        let (spans, starts) = (0..=MAX_UNIT_BITS).find_map(|unit_bits| {
            let spans = Spans { cell_bits, unit_bits };
            Some((spans, self.starts(spans, symbols)?))
        })?;
        let mut bits = BitWriter::default();
        let mut starts_left = starts.iter();
        self.walk(cell_bits, symbols, |is_first, code, length| {
            if is_first && let Some(&start) = starts_left.next() {
                bits.pad_to(start);
            }
            bits.push(code, length);
        });
        let records = starts.iter().map(|&start| spans.record(start));
        let mut body: Vec<u8> = records.collect::<Option<Vec<_>>>()?.concat();
        body.extend(bits.finish());
        let bytes = [&row_checksum(number, &body).to_le_bytes(), &body[..]].concat();
        Some((RowForm::Spans(spans), bytes))
    }

    /// Calls `each` for each symbol: whether it is the first of a span, its code, the bits of its code.
    fn walk(&self, cell_bits: u8, symbols: &[u16], mut each: impl FnMut(bool, u16, u8)) {
        let (mut at, mut last) = (0, NONE_BEFORE);
        for &symbol in symbols {
            let is_first = at & ((1 << cell_bits) - 1) == 0;
            let before = if is_first { NONE_BEFORE } else { last };
            let code = usize::from(self.code_of_context[context(at, before)]);
            let (value, bits) = self.codes[code][usize::from(symbol)];
            each(is_first, value, bits);
            let (cells, category) = self.shapes[usize::from(symbol)];
            (at, last) = (at + cells, category);
        }
    }

    /// The first bits of the spans. `None` if one has no record.
    fn starts(&self, spans: Spans, symbols: &[u16]) -> Option<Vec<usize>> {
        let mut starts = Vec::new();
        let mut end = 0_usize;
        self.walk(spans.cell_bits, symbols, |is_first, _, bits| {
            if is_first {
                end = end.next_multiple_of(1 << spans.unit_bits);
                starts.push(end);
            }
            end += usize::from(bits);
        });
        spans.record(*starts.last()?)?;
        Some(starts)
    }
}

/// Bits, the highest of each byte first.
#[derive(Debug, Default)]
struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that do not fill a byte yet, in the lowest bits.
    open: u32,
    open_bits: u32,
}

impl BitWriter {
    fn push(&mut self, value: u16, bits: u8) {
        self.open = self.open << bits | u32::from(value);
        self.open_bits += u32::from(bits);
        while self.open_bits >= u8::BITS {
            self.open_bits -= u8::BITS;
            self.bytes.push((self.open >> self.open_bits) as u8);
        }
    }

    /// Appends zeros up to this bit.
    fn pad_to(&mut self, bit: usize) {
        let length = self.bytes.len() * u8::BITS as usize + self.open_bits as usize;
        (length..bit).for_each(|_| self.push(0, 1));
    }

    fn finish(mut self) -> Vec<u8> {
        let end = self.bytes.len() * u8::BITS as usize + self.open_bits as usize;
        self.pad_to(end.next_multiple_of(u8::BITS as usize));
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_written_from_the_highest() {
        let mut bits = BitWriter::default();
        bits.push(0b101, 3);
        bits.pad_to(6);
        bits.push(0b111, 3);
        assert_eq!(bits.finish(), [0b1010_0011, 0b1000_0000]);
    }
}
