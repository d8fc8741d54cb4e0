//! Histograms of codes.

use sakmak_tables::values::Coding;

/// Counters per code, so that a run of one code does not wait for its own counter.
const WAYS: usize = 4;

/// The number of codes of one byte.
const BYTES: usize = 1 << u8::BITS;

/// The number of slots with each code. All codes without a value share a bin.
#[derive(Debug)]
pub enum Bins {
    /// Codes of one byte.
    Bytes(Box<[[u64; BYTES]; WAYS]>),
    /// Codes of two bytes; the last bin is for codes without a value.
    Wide(Vec<u64>),
}

impl Bins {
    /// Empty bins for the codes of a coding.
    pub fn new(coding: Coding) -> Bins {
        match coding.width() {
            1 => Bins::Bytes(Box::new([[0; BYTES]; WAYS])),
            _ => Bins::Wide(vec![0; coding.codes() as usize + 1]),
        }
    }

    /// Counts the codes of at most 64 slots whose bit is set; the first slot's bit is the lowest.
    #[inline(always)]
    pub fn count(&mut self, codes: &[u8], slots: u64) {
        let mut rest = slots;
        match self {
            Bins::Bytes(bins) => {
                let Some(&first) = codes.first() else { return };
                // Neighbouring slots often have the same value.
                if codes.iter().fold(0, |other, &code| other | (code ^ first)) == 0 {
                    bins[0][usize::from(first)] += u64::from(slots.count_ones());
                    return;
                }
                while rest != 0 {
                    let place = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let code = codes.get(place).copied().unwrap_or(0);
                    bins[place % WAYS][usize::from(code)] += 1;
                }
            }
            Bins::Wide(bins) => {
                let (codes, _) = codes.as_chunks::<2>();
                let no_value = bins.len() - 1;
                while rest != 0 {
                    let place = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let code = codes.get(place).map_or(0, |&code| u16::from_le_bytes(code));
                    bins[usize::from(code).min(no_value)] += 1;
                }
            }
        }
    }

    /// Empties the bins. Calls `found` with each code and its count; the number of codes is the key
    /// for all codes without a value.
    pub fn drain(&mut self, coding: Coding, mut found: impl FnMut(usize, u64)) {
        let no_value = coding.codes() as usize;
        match self {
            Bins::Bytes(bins) => {
                for code in 0..BYTES {
                    let count = bins.iter().map(|way| way[code]).sum();
                    if count > 0 {
                        found(code.min(no_value), count);
                    }
                }
                **bins = [[0; BYTES]; WAYS];
            }
            Bins::Wide(bins) => {
                for (code, count) in bins.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
                    found(code, *count);
                    *count = 0;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::distance::Moves;
    use std::collections::BTreeMap;

    #[test]
    fn codes_are_counted_where_bits_are_set() {
        for (wins, expected) in [
            (6, BTreeMap::from([(3, 2), (5, 1), (7, 2)])),
            (300, BTreeMap::from([(3, 2), (5, 1), (7, 1), (9, 1)])),
        ] {
            let coding = Coding { wins: Moves(wins), losses: None };
            let codes: [u16; 8] = [3, 0, 3, 5, 7, 5, 9, 3];
            let bytes: Vec<u8> = codes
                .iter()
                .flat_map(|code| code.to_le_bytes().into_iter().take(coding.width()))
                .collect();
            let mut bins = Bins::new(coding);
            for _ in 0..2 {
                bins.count(&bytes, 0b0101_1101);
                // All of one code.
                bins.count(&bytes[..coding.width()], 0);
                let mut found = BTreeMap::new();
                bins.drain(coding, |code, count| *found.entry(code).or_insert(0) += count);
                assert_eq!(found, expected);
            }
        }
    }
}
