//! The header of a solved file.

use crate::distance::Moves;
use crate::format::error::FormatError;
use crate::format::preamble::Preamble;
use crate::format::{
    FormatKind, HEADER_LENGTH, MAX_BLOCK_CODES, MIN_BLOCK_CODES, field, put, u32_at, u64_at,
};
use crate::index::Index;
use crate::rules::piece::Side;
use crate::values::Coding;

pub(in crate::format) const SLOTS_AT: usize = 24;
pub(in crate::format) const BLOCK_CODES_AT: usize = 32;
const CODINGS_AT: usize = 40;
const CODING_LENGTH: usize = 8;

/// Stored instead of the longest loss if no position is lost.
const NO_LOSS: u32 = u32::MAX;

/// The header of a solved file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolvedHeader {
    /// The table and the rules it was made under.
    pub preamble: Preamble,
    /// Slots of each side to move.
    pub slots: u64,
    /// Codes per block; the last block of a side may have fewer.
    pub block_codes: u32,
    /// The coding with White to move.
    pub white: Coding,
    /// The coding with Black to move. `None` if the material is symmetric.
    pub black: Option<Coding>,
}

impl SolvedHeader {
    /// The coding of one side to move. `None` if the file does not hold that side.
    pub fn coding(&self, side: Side) -> Option<Coding> {
        match side {
            Side::White => Some(self.white),
            Side::Black => self.black,
        }
    }

    /// Encodes the header.
    pub fn encode(&self) -> [u8; HEADER_LENGTH] {
        self.preamble.encode(FormatKind::Solved, |bytes| {
            put(bytes, SLOTS_AT, &self.slots.to_le_bytes());
            put(bytes, BLOCK_CODES_AT, &self.block_codes.to_le_bytes());
            put_coding(bytes, CODINGS_AT, self.white);
            if let Some(black) = self.black {
                put_coding(bytes, CODINGS_AT + CODING_LENGTH, black);
            }
        })
    }

    /// Decodes a header and checks every field that can be checked without the material's index.
    ///
    /// # Errors
    ///
    /// If a field has an impossible value.
    pub fn decode(bytes: &[u8; HEADER_LENGTH]) -> Result<SolvedHeader, FormatError> {
        let preamble = Preamble::decode(FormatKind::Solved, bytes)?;
        let block_codes = block_codes_at(bytes)?;
        let white = coding_at(bytes, CODINGS_AT, Side::White)?;
        let black_at = CODINGS_AT + CODING_LENGTH;
        let black = if !preamble.name.material.is_symmetric() {
            Some(coding_at(bytes, black_at, Side::Black)?)
        } else if field(bytes, black_at) == [0; CODING_LENGTH] {
            None
        } else {
            return Err(FormatError::Reserved("header"));
        };
        Ok(SolvedHeader { preamble, slots: u64_at(bytes, SLOTS_AT), block_codes, white, black })
    }

    /// Checks that this is the header of the expected table, which has this index.
    ///
    /// # Errors
    ///
    /// If material, metric, fingerprint or number of slots differ.
    pub fn expect(&self, expected: &Preamble, index: &Index) -> Result<(), FormatError> {
        self.preamble.expect(expected)?;
        expect_slots(self.slots, index)
    }
}

/// Reads the number of codes per block.
pub(in crate::format) fn block_codes_at(bytes: &[u8; HEADER_LENGTH]) -> Result<u32, FormatError> {
    let codes = u32_at(bytes, BLOCK_CODES_AT);
    let is_possible =
        codes.is_power_of_two() && (MIN_BLOCK_CODES..=MAX_BLOCK_CODES).contains(&codes);
    if is_possible { Ok(codes) } else { Err(FormatError::BlockCodes(codes)) }
}

/// Checks that a header gives the number of slots of this index.
pub(in crate::format) fn expect_slots(found: u64, index: &Index) -> Result<(), FormatError> {
    let expected = index.slots();
    if found == expected { Ok(()) } else { Err(FormatError::Slots { expected, found }) }
}

/// Writes the coding of one side to move.
pub(in crate::format) fn put_coding(bytes: &mut [u8], at: usize, coding: Coding) {
    let losses = coding.losses.map_or(NO_LOSS, |moves| moves.0);
    put(bytes, at, &coding.wins.0.to_le_bytes());
    put(bytes, at + CODING_LENGTH / 2, &losses.to_le_bytes());
}

/// Reads the coding of one side to move.
pub(in crate::format) fn coding_at(
    bytes: &[u8],
    at: usize,
    side: Side,
) -> Result<Coding, FormatError> {
    let losses = u32_at(bytes, at + CODING_LENGTH / 2);
    let losses = if losses == NO_LOSS { None } else { Some(Moves(losses)) };
    let coding = Coding { wins: Moves(u32_at(bytes, at)), losses };
    if coding.codes() > u32::from(u16::MAX) + 1 {
        return Err(FormatError::Coding(side.name()));
    }
    Ok(coding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::name::TableName;
    use crate::format::preamble::seal;
    use crate::variants::MAKRUK;

    fn header(name: &str) -> SolvedHeader {
        let name: TableName = name.parse().unwrap();
        let white = Coding { wins: Moves(16), losses: None };
        let black = Coding { wins: Moves(0), losses: Some(Moves(16)) };
        SolvedHeader {
            preamble: Preamble::new(name, &MAKRUK.rules),
            slots: Index::new(name.material, &MAKRUK.rules).slots(),
            block_codes: 1 << 14,
            white,
            black: (!name.material.is_symmetric()).then_some(black),
        }
    }

    /// The header after some bytes are changed and the checksum is corrected.
    fn forged(at: usize, change: &[u8]) -> Result<SolvedHeader, FormatError> {
        let mut bytes = header("KRvK").encode();
        put(&mut bytes, at, change);
        seal(&mut bytes);
        SolvedHeader::decode(&bytes)
    }

    #[test]
    fn headers_come_back() {
        for name in ["KRvK", "KMvKM", "KRNSMvKRN", "KRRRRRRvK"] {
            let header = header(name);
            assert_eq!(SolvedHeader::decode(&header.encode()), Ok(header));
        }
    }

    #[test]
    fn each_wrong_field_has_its_own_error() {
        assert_eq!(forged(BLOCK_CODES_AT, &[1]), Err(FormatError::BlockCodes((1 << 14) + 1)));
        assert_eq!(forged(BLOCK_CODES_AT, &[0; 4]), Err(FormatError::BlockCodes(0)));
        assert_eq!(forged(BLOCK_CODES_AT, &[0, 0, 0, 1]), Err(FormatError::BlockCodes(1 << 24)));
        let endless = u32::MAX.to_le_bytes();
        assert_eq!(forged(CODINGS_AT, &endless), Err(FormatError::Coding("white")));
        let symmetric = forged(FormatKind::Solved.material_at(), b"KRvKR");
        assert_eq!(symmetric, Err(FormatError::Reserved("header")));
    }
}
