//! Symbols coded by their likelihood: asymmetric numeral systems with fixed distributions.
//!
//! The bytes of a block are one long number. Decoding a symbol multiplies the number by about the
//! symbol's probability; only the highest bits are held at a time. The encoder begins at zero, so a
//! block of likeliest symbols only needs no bytes. The decoder must end at zero, which reveals most
//! damage.

use crate::error::CodecError;

/// The number of symbols.
pub const SYMBOLS: usize = 16;

/// Bits of [`FREQUENCY_SCALE`].
pub const FREQUENCY_BITS: u32 = 14;

/// The sum of the frequencies of a distribution.
pub const FREQUENCY_SCALE: u32 = 1 << FREQUENCY_BITS;

/// The decoder keeps its state at this bound or above while bytes are left.
pub const LOWER_BOUND: u32 = 1 << 23;

/// The frequencies of 16 symbols, in a cache line of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Distribution {
    /// The starts of the frequencies, the greatest frequency first; then the end of the last
    /// frequency.
    bounds: [u16; SYMBOLS + 1],
    /// The symbols in the order of `bounds`.
    symbols: [u8; SYMBOLS],
}

impl Distribution {
    /// The distribution of symbols with these counts.
    pub fn of(counts: &[u32; SYMBOLS]) -> Distribution {
        let total: u64 = counts.iter().map(|&count| u64::from(count)).sum::<u64>().max(1);
        let mut symbols: [u8; SYMBOLS] = std::array::from_fn(|symbol| symbol as u8);
        symbols.sort_by_key(|&symbol| std::cmp::Reverse(counts[usize::from(symbol)]));
        // At least 1 for each symbol, so that each can be encoded.
        let rest = u64::from(FREQUENCY_SCALE) - SYMBOLS as u64;
        let frequency =
            |symbol: u8| 1 + (u64::from(counts[usize::from(symbol)]) * rest / total) as u16;
        let mut frequencies = symbols.map(frequency);
        frequencies[0] += FREQUENCY_SCALE as u16 - frequencies.iter().sum::<u16>();
        Distribution { bounds: bounds(&frequencies), symbols }
    }

    /// The distribution of these frequencies.
    ///
    /// # Errors
    ///
    /// If a frequency is zero, their sum is not [`FREQUENCY_SCALE`], or a symbol is missing.
    pub fn new(
        frequencies: [u16; SYMBOLS],
        symbols: [u8; SYMBOLS],
    ) -> Result<Distribution, CodecError> {
        let total: u32 = frequencies.iter().map(|&frequency| u32::from(frequency)).sum();
        let mut seen = 0u32;
        for &symbol in &symbols {
            seen |= 1u32.checked_shl(symbol.into()).unwrap_or(0);
        }
        if total == FREQUENCY_SCALE && !frequencies.contains(&0) && seen == (1 << SYMBOLS) - 1 {
            Ok(Distribution { bounds: bounds(&frequencies), symbols })
        } else {
            Err(CodecError::Model("frequencies"))
        }
    }

    /// The symbols with their frequencies, the likeliest first.
    #[inline(always)]
    pub fn frequencies(&self) -> impl Iterator<Item = (u8, Frequency)> + '_ {
        let bounds = self.bounds.windows(2);
        let frequencies = bounds.map(|pair| Frequency { size: pair[1] - pair[0], start: pair[0] });
        self.symbols.iter().copied().zip(frequencies)
    }

    /// The likeliest symbol.
    pub fn likeliest(&self) -> u8 {
        self.symbols[0]
    }

    /// The frequency of the likeliest symbol, less than [`FREQUENCY_SCALE`].
    pub fn likeliest_frequency(&self) -> u16 {
        self.bounds[1]
    }

    /// The frequency of a symbol less than [`SYMBOLS`].
    pub fn frequency(&self, symbol: u8) -> Option<Frequency> {
        self.frequencies().find(|&(other, _)| other == symbol).map(|(_, frequency)| frequency)
    }

    /// Takes the symbol that a state begins with. Returns the symbol and the remaining state.
    #[inline(always)]
    pub fn take(&self, state: u32) -> (u8, u32) {
        let part = (state & (FREQUENCY_SCALE - 1)) as u16;
        let index = self.index_of(part);
        let (start, end) = (self.bounds[index], self.bounds[index + 1]);
        // At most FREQUENCY_SCALE times a number FREQUENCY_BITS shorter: it does not overflow.
        let state = u32::from(end - start) * (state >> FREQUENCY_BITS) + u32::from(part - start);
        (self.symbols[index], state)
    }

    /// The index of the symbol whose frequency contains this part of the scale.
    #[inline(always)]
    fn index_of(&self, part: u16) -> usize {
        // Usually the first symbol. Otherwise all are compared at once, without a branch to
        // mispredict.
        if part < self.bounds[1] {
            return 0;
        }
        // Both are less than 2^15, so that the sign of the difference is its highest bit.
        let after = |&bound: &u16| part.wrapping_sub(bound) >> (u16::BITS - 1);
        let after: u16 = self.bounds[1..SYMBOLS].iter().map(after).sum();
        let before = SYMBOLS as u16 - 1 - after;
        usize::from(before) % SYMBOLS
    }
}

/// The frequency of a symbol, a range of [`FREQUENCY_SCALE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frequency {
    /// The length of the range, at least 1.
    pub size: u16,
    /// The start of the range.
    pub start: u16,
}

fn bounds(frequencies: &[u16; SYMBOLS]) -> [u16; SYMBOLS + 1] {
    let mut bounds = [0; SYMBOLS + 1];
    for (index, frequency) in frequencies.iter().enumerate() {
        bounds[index + 1] = bounds[index] + frequency;
    }
    bounds
}

/// Decodes the symbols of a block.
#[derive(Clone, Copy, Debug)]
pub struct SymbolDecoder<'a> {
    rest: &'a [u8],
    state: u32,
}

impl<'a> SymbolDecoder<'a> {
    /// Starts at the first symbol of these bytes.
    pub fn new(bytes: &'a [u8]) -> SymbolDecoder<'a> {
        SymbolDecoder::resumed(0, bytes)
    }

    /// Decodes the next symbol: past the end always the likeliest symbol.
    #[inline(always)]
    pub fn take(&mut self, from: &Distribution) -> u8 {
        let (symbol, state) = from.take(self.state);
        self.state = state;
        self.fill();
        symbol
    }

    #[inline(always)]
    fn fill(&mut self) {
        while self.state < LOWER_BOUND {
            let Some((&byte, rest)) = self.rest.split_first() else { return };
            self.state = self.state << 8 | u32::from(byte);
            self.rest = rest;
        }
    }

    /// Resumes decoding with this state and these bytes.
    pub fn resumed(state: u32, rest: &'a [u8]) -> SymbolDecoder<'a> {
        let mut decoder = SymbolDecoder { rest, state };
        decoder.fill();
        decoder
    }

    /// The state, and the remaining bytes.
    pub fn state(&self) -> (u32, &'a [u8]) {
        (self.state, self.rest)
    }

    /// Whether all bytes are used up, as they must be after the last symbol.
    pub fn is_done(&self) -> bool {
        self.rest.is_empty() && self.state == 0
    }
}
