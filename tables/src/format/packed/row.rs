//! A row of a packed file: 128 blocks behind their lengths and a common checksum.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | low half of the XXH3 of the following bytes of the row, seeded with the row's number |
//! | 1 | the number of low bits; 64 is added if there is a bitmap; 128 if all blocks are empty, and then the row ends here |
//! | 1 | a number that no block with bytes is shorter than |
//! | 1 | bytes of the high parts |
//! | a bit per block | the bitmap: whether the block has bytes; without a bitmap each has |
//! | a bit per block with bytes, for each low bit | the lowest bit of the excess of each, then the next bit of each, and so on |
//! | as above | the high parts: for each block with bytes as many zeros as the rest of its excess, then a one |
//! | the rest | the blocks |
//!
//! The excess of a block is its length less the second number. Lengths are Rice codes, split into
//! planes of low bits and unary high parts: counting bits sums the lengths before a block.

use crate::format::error::FormatError;
use crate::format::{field, u32_at};
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Blocks per row.
pub const ROW_BLOCKS: u64 = 128;

/// Bytes of the offset of a row.
pub const OFFSET_LENGTH: usize = 6;

/// Bytes of the offsets of the two ends of a row.
pub const ROW_OFFSETS_LENGTH: usize = 2 * OFFSET_LENGTH;

const CHECKSUM_LENGTH: usize = size_of::<u32>();
const LOW_BITS_AT: usize = CHECKSUM_LENGTH;
const LEAST_AT: usize = 5;
const HIGH_LENGTH_AT: usize = 6;
const BITMAP_AT: usize = 7;

/// Flag in the byte of low bits: the row has a bitmap.
const BITMAP: u8 = 64;

/// The byte of low bits of a row whose blocks are all empty.
const EMPTY: u8 = 128;

/// The maximum number of low bits.
const MAX_LOW_BITS: u8 = 15;

/// The offset of a row as stored in the file. `None` if it has too many bits.
pub fn encode_offset(offset: u64) -> Option<[u8; OFFSET_LENGTH]> {
    let bytes = offset.to_le_bytes();
    let (low, high) = bytes.split_first_chunk()?;
    high.iter().all(|&byte| byte == 0).then_some(*low)
}

/// The offset of a row that [`encode_offset`] encoded. `None` if there are too few bytes.
#[inline]
pub fn row_offset(offset: &[u8]) -> Option<u64> {
    let &[a, b, c, d, e, f] = offset.first_chunk::<OFFSET_LENGTH>()?;
    Some(u64::from_le_bytes([a, b, c, d, e, f, 0, 0]))
}

/// The range of a row among the bytes of all rows, from the offsets of its two ends. `None` if
/// there are too few bytes. The end may be less than the start.
#[inline]
pub fn row_range(offsets: &[u8]) -> Option<Range<u64>> {
    Some(row_offset(offsets)?..row_offset(offsets.get(OFFSET_LENGTH..)?)?)
}

/// A row in the bytes of a file.
#[derive(Clone, Copy, Debug)]
pub struct PackedRow<'a> {
    number: u64,
    bytes: &'a [u8],
    /// The number of blocks.
    blocks: usize,
    /// A bit for each block that has bytes.
    bitmap: u128,
    low_bits: u8,
    /// Lower bound on the length of a block with bytes.
    least: usize,
    lows_at: usize,
    highs_at: usize,
    blocks_at: usize,
}

impl<'a> PackedRow<'a> {
    /// The row with this number, which has this many blocks and these bytes. Its checksum is not
    /// checked.
    ///
    /// # Errors
    ///
    /// If the bytes are no row.
    #[inline]
    pub fn new(number: u64, blocks: usize, bytes: &'a [u8]) -> Result<Self, FormatError> {
        let invalid = || FormatError::RowOffset(number);
        let byte = |at: usize| bytes.get(at).copied().ok_or_else(invalid);
        let all = 1u128.checked_shl(blocks as u32).map_or(!0, |bit| bit - 1);
        let flags = byte(LOW_BITS_AT)?;
        let at = LOW_BITS_AT + 1;
        let empty = PackedRow {
            number,
            bytes,
            blocks,
            bitmap: 0,
            low_bits: 0,
            least: 0,
            lows_at: at,
            highs_at: at,
            blocks_at: at,
        };
        if flags == EMPTY {
            return if bytes.len() == at { Ok(empty) } else { Err(invalid()) };
        }
        let low_bits = flags & !BITMAP;
        if low_bits > MAX_LOW_BITS {
            return Err(invalid());
        }
        let (bitmap, lows_at) = match flags & BITMAP {
            0 => (all, BITMAP_AT),
            _ => (bits_at(bytes, BITMAP_AT) & all, BITMAP_AT + blocks.div_ceil(8)),
        };
        let with_bytes = bitmap.count_ones() as usize;
        let highs_at = lows_at + usize::from(low_bits) * with_bytes.div_ceil(8);
        let blocks_at = highs_at + usize::from(byte(HIGH_LENGTH_AT)?);
        if blocks_at > bytes.len() {
            return Err(invalid());
        }
        let least = usize::from(byte(LEAST_AT)?);
        Ok(PackedRow { bitmap, low_bits, least, lows_at, highs_at, blocks_at, ..empty })
    }

    /// Encodes the row with this number, whose blocks have these lengths and bytes. `None` if there
    /// are too many blocks, or the lengths are too different.
    pub fn encode(number: u64, lengths: &[usize], blocks: &[u8]) -> Option<Vec<u8>> {
        if lengths.len() as u64 > ROW_BLOCKS {
            return None;
        }
        let with_bytes: Vec<usize> = lengths.iter().copied().filter(|&length| length > 0).collect();
        let mut bytes = vec![0; CHECKSUM_LENGTH];
        match with_bytes.iter().min() {
            None => bytes.push(EMPTY),
            Some(&shortest) => {
                let least = shortest.min(u8::MAX.into());
                let excess: Vec<usize> = with_bytes.iter().map(|length| length - least).collect();
                let (low_bits, high_length) = best_low_bits(&excess)?;
                let has_bitmap = with_bytes.len() < lengths.len();
                let flags = low_bits | if has_bitmap { BITMAP } else { 0 };
                bytes.extend([flags, least as u8, high_length]);
                if has_bitmap {
                    put_bits(&mut bytes, lengths.iter().map(|&length| length > 0));
                }
                for bit in 0..low_bits {
                    put_bits(&mut bytes, excess.iter().map(|excess| excess >> bit & 1 != 0));
                }
                let high =
                    |excess: &usize| std::iter::repeat_n(false, excess >> low_bits).chain([true]);
                put_bits(&mut bytes, excess.iter().flat_map(high));
            }
        }
        bytes.extend_from_slice(blocks);
        let checksum = checksum(number, &bytes);
        bytes[..CHECKSUM_LENGTH].copy_from_slice(&checksum.to_le_bytes());
        Some(bytes)
    }

    /// Corrects the checksum of a row with this number.
    pub fn seal(number: u64, bytes: &mut [u8]) {
        let checksum = checksum(number, bytes);
        for (to, from) in bytes.iter_mut().zip(checksum.to_le_bytes()) {
            *to = from;
        }
    }

    /// Checks that the row matches its checksum and has the bytes of its blocks and no more.
    ///
    /// # Errors
    ///
    /// If a check fails.
    pub fn check(&self) -> Result<(), FormatError> {
        if checksum(self.number, self.bytes) != u32_at(self.bytes, 0) {
            return Err(FormatError::RowChecksum(self.number));
        }
        let last = self.bitmap.checked_ilog2().map(|last| self.range(last as usize));
        let end = last.map_or(Some(self.blocks_at), |range| range.map(|range| range.end));
        match end == Some(self.bytes.len()) {
            true => Ok(()),
            false => Err(FormatError::RowOffset(self.number)),
        }
    }

    /// The bytes of a block, by its index in the row.
    ///
    /// # Errors
    ///
    /// If the row has no such block or too few bytes for it.
    #[inline]
    pub fn block(&self, index: usize) -> Result<&'a [u8], FormatError> {
        let invalid = FormatError::RowOffset(self.number);
        if index >= self.blocks {
            return Err(invalid);
        }
        if self.bitmap >> index & 1 == 0 {
            return Ok(&[]);
        }
        self.range(index).and_then(|range| self.bytes.get(range)).ok_or(invalid)
    }

    /// The range of a block that has bytes.
    #[inline]
    fn range(&self, index: usize) -> Option<Range<usize>> {
        let number = (self.bitmap & ((1 << index) - 1)).count_ones() as usize;
        let with_bytes = self.bitmap.count_ones() as usize;
        let (mut before, mut length) = (0, 0);
        for bit in 0..self.low_bits {
            let at = self.lows_at + usize::from(bit) * with_bytes.div_ceil(8);
            let plane = bits_at(self.bytes, at);
            before += ((plane & ((1 << number) - 1)).count_ones() as usize) << bit;
            length += ((plane >> number & 1) as usize) << bit;
        }
        let high = self.high_parts(number)?;
        before += (high.start << self.low_bits) + number * self.least;
        length += (high.len() << self.low_bits) + self.least;
        let start = self.blocks_at.checked_add(before)?;
        Some(start..start.checked_add(length)?)
    }

    /// The sums of the high parts before and after a block, by its index among the blocks with
    /// bytes.
    #[inline]
    fn high_parts(&self, number: usize) -> Option<Range<usize>> {
        let highs = self.bytes.get(self.highs_at..)?;
        let limit = 8 * (self.blocks_at - self.highs_at);
        // Finds the bit after `number` ones.
        let mut start = 0;
        let mut left = number as u32;
        while left > 0 && start < limit {
            let mut word = word_at(highs, start / 8);
            let ones = word.count_ones();
            if ones < left {
                left -= ones;
                start += u64::BITS as usize;
            } else {
                for _ in 1..left {
                    word &= word - 1;
                }
                start += word.trailing_zeros() as usize + 1;
                left = 0;
            }
        }
        let mut end = start;
        while end < limit {
            let rest = word_at(highs, end / 8) >> (end % 8);
            if rest != 0 {
                end += rest.trailing_zeros() as usize;
                return (end < limit).then(|| start - number..end - number);
            }
            end += u64::BITS as usize - end % 8;
        }
        None
    }
}

fn checksum(number: u64, bytes: &[u8]) -> u32 {
    xxh3_64_with_seed(bytes.get(CHECKSUM_LENGTH..).unwrap_or(&[]), number) as u32
}

/// The number of low bits that needs the fewest bytes, and the bytes of its high parts. `None` if
/// the high parts are too long with every number of low bits.
fn best_low_bits(excess: &[usize]) -> Option<(u8, u8)> {
    let lengths = (0..=MAX_LOW_BITS).filter_map(|low_bits| {
        let high: usize = excess.iter().map(|excess| (excess >> low_bits) + 1).sum();
        let high = u8::try_from(high.div_ceil(8)).ok()?;
        Some((usize::from(low_bits) * excess.len().div_ceil(8) + usize::from(high), low_bits, high))
    });
    lengths.min().map(|(_, low_bits, high)| (low_bits, high))
}

/// Appends bits, the first the lowest of the first byte, up to a full byte.
fn put_bits(bytes: &mut Vec<u8>, bits: impl Iterator<Item = bool>) {
    for (number, bit) in bits.enumerate() {
        if number % 8 == 0 {
            bytes.push(0);
        }
        if let Some(byte) = bytes.last_mut() {
            *byte |= u8::from(bit) << (number % 8);
        }
    }
}

/// The 128 bits at `at`; zeros past the end.
#[inline]
fn bits_at(bytes: &[u8], at: usize) -> u128 {
    let all = bytes.get(at..).and_then(<[u8]>::first_chunk);
    u128::from_le_bytes(all.copied().unwrap_or_else(|| field(bytes, at)))
}

/// The 64 bits at `at`; zeros past the end.
#[inline]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    let all = bytes.get(at..).and_then(<[u8]>::first_chunk);
    u64::from_le_bytes(all.copied().unwrap_or_else(|| field(bytes, at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lengths of blocks, some empty, none above a bound.
    fn lengths() -> impl Strategy<Value = Vec<usize>> {
        let bound = prop_oneof![Just(2), Just(20), Just(300), Just(40_000)];
        let length = |bound: usize| prop_oneof![1 => Just(0), 6 => bound / 3..bound];
        bound.prop_flat_map(move |bound| proptest::collection::vec(length(bound), 1..=128))
    }

    proptest! {
        #[test]
        fn rows_come_back_in_their_own_place_only(lengths in lengths(), at in any::<prop::sample::Index>()) {
            let all: usize = lengths.iter().sum();
            let blocks: Vec<u8> = (0..all).map(|at| (at * 7 / 3) as u8).collect();
            let bytes = PackedRow::encode(3, &lengths, &blocks).unwrap();
            let row = PackedRow::new(3, lengths.len(), &bytes).unwrap();
            prop_assert_eq!(row.check(), Ok(()));
            let mut start = 0;
            for (index, &length) in lengths.iter().enumerate() {
                prop_assert_eq!(row.block(index), Ok(&blocks[start..start + length]));
                start += length;
            }
            prop_assert!(row.block(lengths.len()).is_err() && row.block(usize::MAX).is_err());
            let other = PackedRow::new(4, lengths.len(), &bytes).unwrap();
            prop_assert_eq!(other.check(), Err(FormatError::RowChecksum(4)));
            let mut damaged = bytes.clone();
            damaged[at.index(bytes.len())] ^= 16;
            let found = PackedRow::new(3, lengths.len(), &damaged).and_then(|row| row.check());
            prop_assert!(found.is_err());
            let cut = PackedRow::new(3, lengths.len(), &bytes[..at.index(bytes.len())]);
            prop_assert!(cut.and_then(|row| row.check()).is_err());
        }

        #[test]
        fn arbitrary_bytes_behind_a_right_checksum_never_panic(
            mut bytes in proptest::collection::vec(any::<u8>(), 0..200),
            blocks in 1..=128usize,
        ) {
            if let Some(flags) = bytes.get_mut(LOW_BITS_AT) {
                *flags %= BITMAP + 4;
            }
            PackedRow::seal(3, &mut bytes);
            if let Ok(row) = PackedRow::new(3, blocks, &bytes) {
                let _ = row.check();
                for index in 0..blocks {
                    let _ = row.block(index);
                }
            }
        }
    }

    #[test]
    fn rows_without_bytes_are_short() {
        let bytes = PackedRow::encode(7, &[0; 128], &[]).unwrap();
        assert_eq!(bytes.len(), 5);
        let row = PackedRow::new(7, 128, &bytes).unwrap();
        assert_eq!((row.check(), row.block(127)), (Ok(()), Ok(&[][..])));
        assert_eq!(PackedRow::encode(0, &[0; 129], &[]), None);
    }

    #[test]
    fn offsets_come_back() {
        let offsets = [encode_offset(5).unwrap(), encode_offset((1 << 48) - 1).unwrap()];
        assert_eq!(row_range(offsets.as_flattened()), Some(5..(1 << 48) - 1));
        assert_eq!((encode_offset(1 << 48), row_range(&[0; 11])), (None, None));
    }
}
