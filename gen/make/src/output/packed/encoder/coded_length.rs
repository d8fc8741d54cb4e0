//! The length of coded symbols, computed from their counts without encoding a block.

use sakmak_codec::ans::{Distribution, FREQUENCY_BITS, SYMBOLS};

/// Parts of a bit.
const BIT: u64 = 1 << FRACTION_BITS;

/// Binary digits of a logarithm after the point.
const FRACTION_BITS: u32 = 12;

/// A length in parts of a bit. Integers, so that it is the same on every processor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct CodedLength(u64);

impl CodedLength {
    /// Adds symbols of a distribution, by their counts.
    pub fn add(&mut self, counts: &[u32; SYMBOLS], distribution: &Distribution) {
        for (symbol, frequency) in distribution.frequencies() {
            let count = counts.get(usize::from(symbol)).copied().unwrap_or(0);
            if count > 0 {
                let each = (u64::from(FREQUENCY_BITS) * BIT)
                    .saturating_sub(logarithm(frequency.size.into()));
                self.0 += u64::from(count) * each;
            }
        }
    }

    /// Returns the length in bytes.
    pub fn bytes(self) -> u64 {
        self.0 / BIT / u64::from(u8::BITS)
    }
}

/// Returns the binary logarithm of a number of at most 16 bits, in parts of a bit; 0 for 0.
///
/// A square has twice the logarithm: each squaring gives one more digit.
fn logarithm(number: u32) -> u64 {
    let Some(whole) = number.checked_ilog2() else { return 0 };
    // At least 1 and less than 2, with 31 digits after the point.
    let mut mantissa = u64::from(number) << (31 - whole);
    let mut digits = u64::from(whole);
    for _ in 0..FRACTION_BITS {
        mantissa = (mantissa * mantissa) >> 31;
        digits <<= 1;
        if mantissa >> 32 != 0 {
            mantissa >>= 1;
            digits |= 1;
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_exact_to_their_last_digit() {
        for number in 1..=u32::from(u16::MAX) {
            let exact = f64::from(number).log2() * BIT as f64;
            let found = logarithm(number) as f64;
            assert!(found <= exact + 1e-3 && exact < found + 1.01, "{number}: {found}, {exact}");
        }
    }

    #[test]
    fn equal_symbols_take_four_bits_each() {
        let counts = [1000; SYMBOLS];
        let mut length = CodedLength::default();
        length.add(&counts, &Distribution::of(&counts));
        assert_eq!(length.bytes(), 16 * 1000 / 2);
    }
}
