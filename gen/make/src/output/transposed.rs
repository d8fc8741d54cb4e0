//! Transposition of squares of 64 rows and 64 columns.

/// The bytes of a word.
const WORD: usize = size_of::<u64>();

/// The rows, and the columns.
const SIZE: usize = 64;

/// Exchanges rows and columns of bytes.
pub fn transpose_bytes(rows: &mut [[u8; SIZE]; SIZE]) {
    let mut columns = [[0; SIZE]; SIZE];
    for (band, rows) in rows.as_chunks::<WORD>().0.iter().enumerate() {
        // By row of the band: the words of the row.
        let mut words = rows.map(|row| {
            let (words, _) = row.as_chunks::<WORD>();
            std::array::from_fn::<u64, WORD, _>(|word| u64::from_le_bytes(words[word]))
        });
        let flat = words.as_flattened_mut();
        exchange::<32>(flat, 0x0000_0000_ffff_ffff);
        exchange::<16>(flat, 0x0000_ffff_0000_ffff);
        exchange::<8>(flat, 0x00ff_00ff_00ff_00ff);
        for (place, words) in words.iter().enumerate() {
            for (word, bytes) in words.iter().enumerate() {
                let column = columns[word * WORD + place].as_chunks_mut::<WORD>().0;
                column[band] = bytes.to_le_bytes();
            }
        }
    }
    *rows = columns;
}

/// Exchanges rows and columns of bits; the lowest bit of a row is its first.
#[inline(always)]
pub fn transpose_bits(rows: &mut [u64; SIZE]) {
    exchange::<32>(rows, 0x0000_0000_ffff_ffff);
    exchange::<16>(rows, 0x0000_ffff_0000_ffff);
    exchange::<8>(rows, 0x00ff_00ff_00ff_00ff);
    exchange::<4>(rows, 0x0f0f_0f0f_0f0f_0f0f);
    exchange::<2>(rows, 0x3333_3333_3333_3333);
    exchange::<1>(rows, 0x5555_5555_5555_5555);
}

/// Exchanges bits of each pair of words at this distance: the upper half of each run of `2 *
/// DISTANCE` bits of the first word with the lower half of the run in the second word. `low` masks
/// lower halves.
#[inline(always)]
fn exchange<const DISTANCE: usize>(words: &mut [u64], low: u64) {
    for words in words.chunks_exact_mut(2 * DISTANCE) {
        let (upper, lower) = words.split_at_mut(DISTANCE);
        for (one, other) in upper.iter_mut().zip(lower) {
            let differ = (*one >> DISTANCE ^ *other) & low;
            *other ^= differ;
            *one ^= differ << DISTANCE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_rows() {
        let byte = |row: usize, column: usize| (row * 31 + column * 7 + row * column) as u8;
        let mut rows: [[u8; SIZE]; SIZE] =
            std::array::from_fn(|row| std::array::from_fn(|column| byte(row, column)));
        let bits =
            rows.map(|row| row.iter().rev().fold(0, |bits, byte| bits << 1 | u64::from(byte & 1)));
        let mut columns = bits;
        transpose_bits(&mut columns);
        transpose_bytes(&mut rows);
        for (row, bytes) in rows.iter().enumerate() {
            for (column, &found) in bytes.iter().enumerate() {
                assert_eq!(found, byte(column, row));
                assert_eq!(columns[row] >> column & 1, bits[column] >> row & 1);
            }
        }
    }
}
