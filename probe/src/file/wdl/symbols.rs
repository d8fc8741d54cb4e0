//! Decodes the symbols of a row of a WDL file.

use sakmak_tables::counting::Category;
use sakmak_tables::format::wdl::model::{
    MAX_CODE_BITS, NONE_BEFORE, WdlModel, bits_at, canonical_codes, context, shapes,
};
use sakmak_tables::format::wdl::{SPAN_LENGTH, Spans};

/// Codes of up to this many bits are decoded by one read of a table.
const SHORT_BITS: u8 = 8;
/// The longer ones, by their number of bits.
const LONG: usize = (MAX_CODE_BITS - SHORT_BITS) as usize;

/// The symbols of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RowSymbols {
    /// All cells have this category.
    Alike(Category),
    /// By the numbers of symbols.
    Symbols(Vec<u16>),
}

/// The spans of a row in the bytes of a file.
#[derive(Clone, Copy, Debug)]
pub struct RowSpans<'a> {
    pub spans: Spans,
    /// By span: where it begins.
    pub starts: &'a [[u8; SPAN_LENGTH]],
    /// The bytes of the symbols.
    pub symbols: &'a [u8],
    /// The cells of the row.
    pub cells: u64,
}

/// Decodes symbols.
#[derive(Debug)]
pub struct SymbolDecoder {
    /// By context: the number of its code.
    code_of_context: Vec<u8>,
    /// By code, then the first [`SHORT_BITS`] bits. Default for no symbol, or one with more bits.
    short: Vec<CodedSymbol>,
    /// By code.
    long: Vec<LongCodes>,
    /// By code, then code value: the symbols with more bits.
    long_symbols: Vec<CodedSymbol>,
    parts: Vec<SymbolParts>,
}

/// A symbol with the length of its code and its shape: from the lowest, bits 0 to 12 the symbol, 13 to 24
/// its cells less one, 25 to 27 its last category, 28 to 31 the bits of its code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct CodedSymbol(u32);

impl CodedSymbol {
    fn new(symbol: u16, cells: u32, last: u8, bits: u8) -> CodedSymbol {
        let (last, bits) = (u32::from(last), u32::from(bits));
        CodedSymbol(u32::from(symbol) | (cells - 1) << 13 | last << 25 | bits << 28)
    }

    #[inline]
    fn symbol(self) -> usize {
        (self.0 & 0x1fff) as usize
    }

    #[inline]
    fn cells(self) -> u32 {
        (self.0 >> 13 & 0xfff) + 1
    }

    #[inline]
    fn last(self) -> usize {
        (self.0 >> 25 & 7) as usize
    }

    /// 0 for no symbol.
    #[inline]
    fn bits(self) -> u32 {
        self.0 >> 28
    }
}

/// The codes of more than [`SHORT_BITS`] bits, by their number of bits, in [`MAX_CODE_BITS`] bits.
#[derive(Debug, Default)]
struct LongCodes {
    /// One past the last code.
    ends: [u16; LONG],
    /// The first code.
    firsts: [u16; LONG],
    /// The number of the symbol with the first code.
    numbers: [u32; LONG],
}

/// The two parts of a symbol.
#[derive(Clone, Copy, Debug)]
struct SymbolParts {
    left: u16,
    right: u16,
    left_cells: u16,
    last: u8,
    /// Whether all cells have the last category.
    alike: bool,
}

impl SymbolDecoder {
    /// The decoder of a model. `None` if the model is invalid.
    pub fn new(model: &WdlModel) -> Option<SymbolDecoder> {
        let shapes = shapes(&model.pairs)?;
        let single = (0..).take(model.symbols() - model.pairs.len()).map(|symbol| [symbol; 2]);
        let pairs = single.chain(model.pairs.iter().copied());
        let parts = pairs.zip(&shapes).map(|([left, right], shape)| SymbolParts {
            left,
            right,
            left_cells: shapes[usize::from(left)].cells as u16,
            last: shape.last,
            alike: shape.alike,
        });
        let mut decoder = SymbolDecoder {
            code_of_context: model.code_of_context.clone(),
            short: Vec::new(),
            long: Vec::new(),
            long_symbols: Vec::new(),
            parts: parts.collect(),
        };
        for code_bits in &model.code_bits {
            let mut short = [CodedSymbol::default(); 1 << SHORT_BITS];
            let mut long = LongCodes::default();
            for (symbol, code) in canonical_codes(code_bits)? {
                let (shape, bits) = (shapes[usize::from(symbol)], code_bits[usize::from(symbol)]);
                let coded = CodedSymbol::new(symbol, shape.cells, shape.last, bits);
                let Some(length) = bits.checked_sub(SHORT_BITS + 1).map(usize::from) else {
                    let first = usize::from(code >> (MAX_CODE_BITS - SHORT_BITS));
                    short[first..first + (1 << (SHORT_BITS - bits))].fill(coded);
                    continue;
                };
                if long.ends[length] == 0 {
                    long.firsts[length] = code;
                    long.numbers[length] = decoder.long_symbols.len() as u32;
                }
                long.ends[length] = code + (1 << (MAX_CODE_BITS - bits));
                decoder.long_symbols.push(coded);
            }
            decoder.short.extend(short);
            decoder.long.push(long);
        }
        Some(decoder)
    }

    /// The symbol whose code begins with the highest of these bits, in a context. Default if there is
    /// none.
    #[inline]
    fn next(&self, bits: u64, context: usize) -> CodedSymbol {
        let code = usize::from(self.code_of_context[context]);
        let first = (bits >> (u64::BITS - u32::from(SHORT_BITS))) as usize;
        let short = self.short[code << SHORT_BITS | first];
        if short.bits() != 0 { short } else { self.next_long(bits, code) }
    }

    #[inline]
    fn next_long(&self, bits: u64, code: usize) -> CodedSymbol {
        let long = &self.long[code];
        let value = (bits >> (u64::BITS - u32::from(MAX_CODE_BITS))) as u16;
        for length in 0..LONG {
            if value < long.ends[length] {
                let after = value.wrapping_sub(long.firsts[length]) >> (LONG - 1 - length);
                let number = long.numbers[length] as usize + usize::from(after);
                return self.long_symbols.get(number).copied().unwrap_or_default();
            }
        }
        CodedSymbol::default()
    }

    /// The category of a cell of a row. `None` if its span does not decode.
    #[inline]
    pub fn category(&self, row: &RowSpans<'_>, cell: u32) -> Option<Category> {
        let span = cell >> row.spans.cell_bits;
        let mut bit = row.spans.start(*row.starts.get(span as usize)?);
        let (mut start, mut last) = (span << row.spans.cell_bits, NONE_BEFORE);
        loop {
            let symbol = self.next(bits_at(row.symbols, bit), context(start as usize, last));
            if symbol.bits() == 0 {
                return None;
            }
            let end = start + symbol.cells();
            if cell < end {
                return Some(self.category_of(symbol.symbol(), cell - start));
            }
            (start, last) = (end, symbol.last());
            bit += symbol.bits() as usize;
        }
    }

    /// The category of a cell of a symbol.
    #[inline]
    fn category_of(&self, symbol: usize, mut cell: u32) -> Category {
        let mut parts = self.parts[symbol];
        while !parts.alike {
            let left_cells = u32::from(parts.left_cells);
            let is_right = cell >= left_cells;
            cell -= if is_right { left_cells } else { 0 };
            let part = if is_right { parts.right } else { parts.left };
            parts = self.parts[usize::from(part)];
        }
        Category::ALL[usize::from(parts.last)]
    }

    /// All symbols of a row. `None` if they do not decode, a span does not begin or end where it
    /// should, or a bit between spans is set.
    pub fn symbols(&self, row: &RowSpans<'_>) -> Option<Vec<u16>> {
        let mut all = Vec::new();
        let (mut start, mut bit) = (0_u64, 0_usize);
        for &first in row.starts {
            let first = row.spans.start(first);
            if first != bit.next_multiple_of(1 << row.spans.unit_bits)
                || (bit..first).any(|bit| bits_at(row.symbols, bit) >> (u64::BITS - 1) != 0)
            {
                return None;
            }
            bit = first;
            let end = row.cells.min(start + (1 << row.spans.cell_bits));
            let mut last = NONE_BEFORE;
            while start < end {
                let symbol = self.next(bits_at(row.symbols, bit), context(start as usize, last));
                if symbol.bits() == 0 {
                    return None;
                }
                all.push(symbol.symbol() as u16);
                start += u64::from(symbol.cells());
                bit += symbol.bits() as usize;
                last = symbol.last();
            }
            if start != end {
                return None;
            }
        }
        let is_end = bit.div_ceil(u8::BITS as usize) == row.symbols.len();
        (start == row.cells && is_end && bits_at(row.symbols, bit) == 0).then_some(all)
    }
}
