//! Symbols in as many bits as they are unlikely: asymmetric numeral systems with fixed
//! distributions.
//!
//! The bytes of a block are one long number. Taking a symbol out of it divides the number
//! by about the symbol's probability; only its highest bits are held at a time. It begins
//! at zero, so a block of nothing but likeliest symbols takes no byte at all, and it must
//! end there, which shows most damage.

use crate::packed_codec::error::CodecError;

/// Symbols of a distribution.
pub const SYMBOLS: usize = 16;

/// Bits of the number that all shares of a distribution make up.
pub const SHARE_BITS: u32 = 14;

/// What all shares of a distribution make up.
pub const SHARES: u32 = 1 << SHARE_BITS;

/// The number is held at this size or above while there are bytes to fill it with.
pub const LOWEST: u32 = 1 << 23;

/// How likely each of 16 symbols is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distribution {
    /// Where the share of each begins, in 16384ths, the greatest share first; then where
    /// the last ends.
    bounds: [u16; SYMBOLS + 1],
    /// Which symbols they are.
    symbols: [u8; SYMBOLS],
}

impl Distribution {
    /// The distribution of symbols seen so many times.
    pub fn of(counts: &[u32; SYMBOLS]) -> Distribution {
        let total: u64 = counts.iter().map(|&count| u64::from(count)).sum::<u64>().max(1);
        let mut symbols: [u8; SYMBOLS] = std::array::from_fn(|symbol| symbol as u8);
        symbols.sort_by_key(|&symbol| std::cmp::Reverse(counts[usize::from(symbol)]));
        // Each has one share, so that all can be written, and its part of the rest.
        let rest = u64::from(SHARES) - SYMBOLS as u64;
        let share = |symbol: u8| 1 + (u64::from(counts[usize::from(symbol)]) * rest / total) as u16;
        let mut shares = symbols.map(share);
        shares[0] += SHARES as u16 - shares.iter().sum::<u16>();
        Distribution { bounds: bounds(&shares), symbols }
    }

    /// The distribution of these shares, if they are one.
    ///
    /// # Errors
    ///
    /// When a share is zero, all of them do not make up [`SHARES`], or a symbol is missing.
    pub fn new(shares: [u16; SYMBOLS], symbols: [u8; SYMBOLS]) -> Result<Distribution, CodecError> {
        let total: u32 = shares.iter().map(|&share| u32::from(share)).sum();
        let mut seen = 0u32;
        for &symbol in &symbols {
            seen |= 1u32.checked_shl(symbol.into()).unwrap_or(0);
        }
        if total == SHARES && !shares.contains(&0) && seen == (1 << SYMBOLS) - 1 {
            Ok(Distribution { bounds: bounds(&shares), symbols })
        } else {
            Err(CodecError::Model("shares"))
        }
    }

    /// The symbols, the likeliest first, with their shares and where those begin.
    #[inline(always)]
    pub fn shares(&self) -> impl Iterator<Item = (u8, Share)> + '_ {
        let bounds = self.bounds.windows(2);
        let shares = bounds.map(|pair| Share { size: pair[1] - pair[0], start: pair[0] });
        self.symbols.iter().copied().zip(shares)
    }

    /// The likeliest symbol.
    pub fn likeliest(&self) -> u8 {
        self.symbols[0]
    }

    /// The place among the likeliest of the symbol whose share holds this 16384th.
    #[inline(always)]
    fn place_of(&self, part: u16) -> usize {
        // Mostly the first. Else all are compared at once, which no wrong turn slows down.
        if part < self.bounds[1] {
            return 0;
        }
        let before: u16 =
            self.bounds[1..SYMBOLS].iter().map(|&bound| u16::from(bound <= part)).sum();
        usize::from(before) % SYMBOLS
    }
}

/// The share of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// How many 16384ths, at least one.
    pub size: u16,
    /// Those before it.
    pub start: u16,
}

fn bounds(shares: &[u16; SYMBOLS]) -> [u16; SYMBOLS + 1] {
    let mut bounds = [0; SYMBOLS + 1];
    for (place, share) in shares.iter().enumerate() {
        bounds[place + 1] = bounds[place] + share;
    }
    bounds
}

/// The number a block is, symbols being taken out of it.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    state: u32,
}

impl<'a> Reader<'a> {
    /// The number these bytes are.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        let mut reader = Reader { rest: bytes, state: 0 };
        reader.fill();
        reader
    }

    /// Takes out the next symbol. Past the end there is always one more likeliest symbol.
    #[inline(always)]
    pub fn take(&mut self, from: &Distribution) -> u8 {
        let part = (self.state & (SHARES - 1)) as u16;
        let place = from.place_of(part);
        let (start, end) = (from.bounds[place], from.bounds[place + 1]);
        // At most SHARES times a number SHARE_BITS shorter: it does not overflow.
        self.state = u32::from(end - start) * (self.state >> SHARE_BITS) + u32::from(part - start);
        self.fill();
        from.symbols[place]
    }

    #[inline(always)]
    fn fill(&mut self) {
        while self.state < LOWEST {
            let Some((&byte, rest)) = self.rest.split_first() else { return };
            self.state = self.state << 8 | u32::from(byte);
            self.rest = rest;
        }
    }

    /// Whether nothing is left, as it must be when all symbols are taken.
    pub fn is_done(&self) -> bool {
        self.rest.is_empty() && self.state == 0
    }
}
