//! Symbols in as many bits as they are unlikely: asymmetric numeral systems with fixed
//! distributions.
//!
//! The bytes of a block are one long number. Taking a symbol out of it divides the number
//! by about the symbol's probability; only its highest bits are held at a time. It begins
//! at zero, so a block of nothing but likeliest symbols takes no byte at all, and it must
//! end there, which shows most damage.

use super::error::CodecError;

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
    /// In 16384ths, the greatest first; none is zero.
    shares: [u16; SYMBOLS],
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
        let mut shares = symbols
            .map(|symbol| 1 + (u64::from(counts[usize::from(symbol)]) * rest / total) as u16);
        let given: u32 = shares.iter().map(|&share| u32::from(share)).sum();
        shares[0] += (SHARES - given) as u16;
        Distribution { shares, symbols }
    }

    /// The distribution of these shares, if they are one.
    pub fn new(shares: [u16; SYMBOLS], symbols: [u8; SYMBOLS]) -> Result<Distribution, CodecError> {
        let total: u32 = shares.iter().map(|&share| u32::from(share)).sum();
        let mut seen = 0u32;
        for &symbol in &symbols {
            seen |= 1u32.checked_shl(symbol.into()).unwrap_or(0);
        }
        if total == SHARES && !shares.contains(&0) && seen == (1 << SYMBOLS) - 1 {
            Ok(Distribution { shares, symbols })
        } else {
            Err(CodecError::Model("shares"))
        }
    }

    /// The shares, the greatest first, and the symbols they are of.
    pub fn parts(&self) -> (&[u16; SYMBOLS], &[u8; SYMBOLS]) {
        (&self.shares, &self.symbols)
    }

    /// The share of a symbol and the sum of those before it; that of the last one for what
    /// is no symbol.
    pub fn share(&self, symbol: u8) -> (u32, u32) {
        let mut start = 0;
        for (&share, &other) in self.shares.iter().zip(&self.symbols) {
            if other == symbol {
                return (u32::from(share), start);
            }
            start += u32::from(share);
        }
        let last = u32::from(self.shares[SYMBOLS - 1]);
        (last, start - last)
    }
}

/// The number a block is, symbols being taken out of it.
#[derive(Clone, Debug)]
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
        let place = self.state & (SHARES - 1);
        let mut start = 0;
        for (&share, &symbol) in from.shares.iter().zip(&from.symbols) {
            let share = u32::from(share);
            if place - start < share {
                // At most SHARES times a number SHARE_BITS shorter: it does not overflow.
                self.state = share * (self.state >> SHARE_BITS) + (place - start);
                self.fill();
                return symbol;
            }
            start += share;
        }
        // Shares make up SHARES, so this is never come to.
        0
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
