//! Rows of bytes and their columns.

/// The bytes of a word.
const WORD: usize = size_of::<u64>();

/// The bytes of a row, and the rows.
const SIZE: usize = 64;

/// Exchanges rows and columns.
pub fn transpose(rows: &mut [[u8; SIZE]; SIZE]) {
    let mut columns = [[0; SIZE]; SIZE];
    for (band, rows) in rows.as_chunks::<WORD>().0.iter().enumerate() {
        // By row of the band: the words of the row.
        let mut words = rows.map(|row| {
            let (words, _) = row.as_chunks::<WORD>();
            std::array::from_fn::<u64, WORD, _>(|word| u64::from_le_bytes(words[word]))
        });
        exchange::<4>(&mut words, 0x0000_0000_ffff_ffff);
        exchange::<2>(&mut words, 0x0000_ffff_0000_ffff);
        exchange::<1>(&mut words, 0x00ff_00ff_00ff_00ff);
        for (place, words) in words.iter().enumerate() {
            for (word, bytes) in words.iter().enumerate() {
                let column = columns[word * WORD + place].as_chunks_mut::<WORD>().0;
                column[band] = bytes.to_le_bytes();
            }
        }
    }
    *rows = columns;
}

/// In each square of 8 x 8 bytes: exchanges the squares of `DISTANCE` bytes beside its diagonal.
fn exchange<const DISTANCE: usize>(rows: &mut [[u64; WORD]; WORD], low: u64) {
    let shift = DISTANCE as u32 * u8::BITS;
    for rows in rows.chunks_exact_mut(2 * DISTANCE) {
        let (upper, lower) = rows.split_at_mut(DISTANCE);
        let words = upper.as_flattened_mut().iter_mut().zip(lower.as_flattened_mut());
        for (one, other) in words {
            let differ = (*one >> shift ^ *other) & low;
            *other ^= differ;
            *one ^= differ << shift;
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
        transpose(&mut rows);
        for (row, bytes) in rows.iter().enumerate() {
            for (column, &found) in bytes.iter().enumerate() {
                assert_eq!(found, byte(column, row));
            }
        }
    }
}
