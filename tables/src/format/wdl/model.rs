//! The model of one side to move of a WDL file: its symbols, and their codes.

use crate::board::square::SQUARES;
use crate::counting::Category;
use crate::format::error::FormatError;
use crate::format::{field, u32_at};
use std::ops::Range;

/// The number of categories: the first symbols.
pub const CATEGORIES: usize = Category::ALL.len();
/// The most symbols of a model.
pub const MAX_SYMBOLS: usize = 1 << 13;
/// The most cells of a symbol.
pub const MAX_SYMBOL_CELLS: u32 = 1 << 12;
/// The most codes of a model.
pub const MAX_CODES: usize = 64;
/// The most bits of the code of a symbol.
pub const MAX_CODE_BITS: u8 = 15;
/// Contexts of each place: the category of the cell before, or none for the first symbol of a span.
pub const BEFORE: usize = CATEGORIES + 1;
/// The context of a first symbol, within its place.
pub const NONE_BEFORE: usize = CATEGORIES;
/// The number of contexts.
pub const CONTEXTS: usize = SQUARES * BEFORE;

/// Bytes of the number of symbols or codes.
const COUNT_LENGTH: usize = 2;
/// Bytes of a pair.
const PAIR_LENGTH: usize = 4;
/// The most bytes of a model before it is compressed.
pub const MAX_MODEL_LENGTH: usize =
    2 * COUNT_LENGTH + MAX_SYMBOLS * PAIR_LENGTH + CONTEXTS + MAX_CODES * MAX_SYMBOLS;

/// The context of a symbol that begins at a cell, with the category of the cell before, or
/// [`NONE_BEFORE`].
#[inline]
pub fn context(cell: usize, before: usize) -> usize {
    cell % SQUARES * BEFORE + before
}

/// The symbols and codes of one side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlModel {
    /// The two parts of each symbol after the categories, by the numbers of earlier symbols.
    pub pairs: Vec<[u16; 2]>,
    /// By context: the number of its code.
    pub code_of_context: Vec<u8>,
    /// By code, then symbol: the bits of its code; 0 if it has none.
    pub code_bits: Vec<Vec<u8>>,
}

/// What a symbol stands for, without its string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolShape {
    /// The number of cells.
    pub cells: u32,
    /// The category of the last cell.
    pub last: u8,
    /// Whether all cells have this category.
    pub alike: bool,
}

/// The shapes of the categories and of pairs of earlier symbols. `None` if a pair names no earlier
/// symbol or a symbol has too many cells.
pub fn shapes(pairs: &[[u16; 2]]) -> Option<Vec<SymbolShape>> {
    let single = |last: usize| SymbolShape { cells: 1, last: last as u8, alike: true };
    let mut shapes: Vec<SymbolShape> = (0..CATEGORIES).map(single).collect();
    for &[left, right] in pairs {
        let (left, right) = (*shapes.get(usize::from(left))?, *shapes.get(usize::from(right))?);
        let cells = left.cells + right.cells;
        if cells > MAX_SYMBOL_CELLS {
            return None;
        }
        let alike = left.alike && right.alike && left.last == right.last;
        shapes.push(SymbolShape { cells, last: right.last, alike });
    }
    Some(shapes)
}

impl WdlModel {
    /// The number of symbols.
    pub fn symbols(&self) -> usize {
        CATEGORIES + self.pairs.len()
    }

    /// Encodes the model.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = (self.symbols() as u16).to_le_bytes().to_vec();
        bytes.extend(self.pairs.iter().flatten().flat_map(|part| part.to_le_bytes()));
        bytes.extend((self.code_bits.len() as u16).to_le_bytes());
        bytes.extend(&self.code_of_context);
        bytes.extend(self.code_bits.iter().flatten());
        bytes
    }

    /// Decodes a model.
    ///
    /// # Errors
    ///
    /// When a number is out of range, or the codes of two symbols collide.
    pub fn decode(bytes: &[u8]) -> Result<WdlModel, FormatError> {
        WdlModel::parse(bytes).ok_or(FormatError::Model)
    }

    fn parse(bytes: &[u8]) -> Option<WdlModel> {
        let (symbols, bytes) = bytes.split_first_chunk()?;
        let symbols = usize::from(u16::from_le_bytes(*symbols));
        let (pairs, bytes) =
            bytes.split_at_checked(symbols.checked_sub(CATEGORIES)? * PAIR_LENGTH)?;
        let (codes, bytes) = bytes.split_first_chunk()?;
        let codes = usize::from(u16::from_le_bytes(*codes));
        let (code_of_context, bytes) = bytes.split_at_checked(CONTEXTS)?;
        let is_valid = symbols <= MAX_SYMBOLS
            && (1..=MAX_CODES).contains(&codes)
            && bytes.len() == codes * symbols
            && code_of_context.iter().all(|&code| usize::from(code) < codes);
        if !is_valid {
            return None;
        }
        let pairs = pairs.as_chunks::<PAIR_LENGTH>().0.iter().map(|pair| {
            let both = u32_at(pair, 0);
            [both as u16, (both >> u16::BITS) as u16]
        });
        let pairs: Vec<[u16; 2]> = pairs.collect();
        shapes(&pairs)?;
        let code_bits: Vec<Vec<u8>> = bytes.chunks(symbols).map(<[u8]>::to_vec).collect();
        for bits in &code_bits {
            canonical_codes(bits)?;
        }
        Some(WdlModel { pairs, code_of_context: code_of_context.to_vec(), code_bits })
    }
}

/// The strings of all symbols.
#[derive(Clone, Debug)]
pub struct SymbolStrings {
    /// Indices of categories, symbol after symbol.
    categories: Vec<u8>,
    /// By symbol: the end of its string.
    ends: Vec<usize>,
}

impl SymbolStrings {
    /// The strings of the categories and of pairs of earlier symbols.
    pub fn new(pairs: &[[u16; 2]]) -> SymbolStrings {
        let mut strings = SymbolStrings {
            categories: (0..CATEGORIES as u8).collect(),
            ends: (1..=CATEGORIES).collect(),
        };
        for pair in pairs {
            for &part in pair {
                let range = strings.range(part);
                strings.categories.extend_from_within(range);
            }
            strings.ends.push(strings.categories.len());
        }
        strings
    }

    fn range(&self, symbol: u16) -> Range<usize> {
        let symbol = usize::from(symbol);
        let start = symbol.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[symbol]
    }

    /// The categories of a symbol, by [`Category::index`].
    #[inline]
    pub fn of(&self, symbol: u16) -> &[u8] {
        &self.categories[self.range(symbol)]
    }

    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no symbol; always `false`.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// The symbols with a code, by code, each with its code in the highest of [`MAX_CODE_BITS`] bits.
/// `None` if the codes have too many bits or collide.
pub fn canonical_codes(bits: &[u8]) -> Option<Vec<(u16, u16)>> {
    let mut codes = Vec::new();
    let mut next = 0u32;
    for length in 1..=MAX_CODE_BITS {
        for (symbol, _) in (0u16..).zip(bits).filter(|&(_, &bits)| bits == length) {
            codes.push((symbol, u16::try_from(next).ok()?));
            next += 1 << (MAX_CODE_BITS - length);
        }
    }
    let has_all = bits.iter().all(|&bits| bits <= MAX_CODE_BITS);
    (has_all && next <= 1 << MAX_CODE_BITS).then_some(codes)
}

/// The bits of a row, the highest bit of each byte first: 64 from this one on, those past the end zero.
/// The lowest seven may be zero too.
#[inline]
pub fn bits_at(bytes: &[u8], bit: usize) -> u64 {
    let at = bit / u8::BITS as usize;
    let word = match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(word) => *word,
        None => field(bytes.get(at..).unwrap_or_default(), 0),
    };
    u64::from_be_bytes(word) << (bit % u8::BITS as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> WdlModel {
        WdlModel {
            pairs: vec![[4, 4], [5, 0], [6, 5]],
            code_of_context: (0..CONTEXTS).map(|context| (context % 2) as u8).collect(),
            code_bits: vec![vec![1, 0, 2, 0, 0, 3, 3, 0], vec![0, 0, 0, 1, 0, 0, 0, 0]],
        }
    }

    #[test]
    fn models_come_back_and_damage_is_found() {
        let (model, bytes) = (model(), model().encode());
        assert_eq!(WdlModel::decode(&bytes).as_ref(), Ok(&model));
        for length in 0..bytes.len() {
            assert!(WdlModel::decode(&bytes[..length]).is_err());
        }
        let damaged: [fn(&mut WdlModel); 6] = [
            |model| model.pairs[0][1] = 5,
            |model| model.code_of_context[7] = 2,
            |model| model.code_bits[0][1] = 3,
            |model| model.code_bits[0][1] = 16,
            |model| model.code_bits.clear(),
            |model| model.pairs.extend((7..19).map(|symbol| [symbol, symbol])),
        ];
        for damage in damaged {
            let mut damaged = model.clone();
            damage(&mut damaged);
            assert_eq!(WdlModel::decode(&damaged.encode()), Err(FormatError::Model));
        }
    }

    #[test]
    fn codes_are_canonical_and_shapes_add_up() {
        let model = model();
        let codes = canonical_codes(&model.code_bits[0]).unwrap();
        assert_eq!(codes, [(0, 0), (2, 0b10 << 13), (5, 0b110 << 12), (6, 0b111 << 12)]);
        let shapes = shapes(&model.pairs).unwrap();
        let found: Vec<_> = shapes[5..].iter().map(|s| (s.cells, s.last, s.alike)).collect();
        assert_eq!(found, [(2, 4, true), (3, 0, false), (5, 4, false)]);
    }

    #[test]
    fn bits_past_the_end_are_zero() {
        assert_eq!(bits_at(&[0b1010_0001, 0x80], 7) >> 62, 0b11);
        assert_eq!(bits_at(&[0xff; 3], 23), 1 << 63);
        assert_eq!(bits_at(&[0xff; 3], 24), 0);
    }
}
