//! The header of a file of a board game. Blocks, offset table and trailer are those of a solved
//! file; there is one stream of codes, with both sides to move.

use crate::format::error::FormatError;
use crate::format::preamble::{METRIC_AT, expect_rules, padded_text};
use crate::format::solved::header::{BLOCK_CODES_AT, SLOTS_AT, block_codes_at};
use crate::format::solved::offsets::OffsetTable;
use crate::format::{FormatKind, HEADER_LENGTH, put, u32_at, u64_at};

/// Bytes of the name of a material.
const NAME_LENGTH: usize = 32;

/// The header of a file of a board game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardGameHeader {
    /// The fingerprint of the game and its rules.
    pub fingerprint: u64,
    /// The name of the material.
    pub material: String,
    /// Slots, with both sides to move.
    pub slots: u64,
    /// Codes per block; the last block may have fewer.
    pub block_codes: u32,
    /// Bytes of a code, 1 or 2.
    pub code_bytes: u32,
}

impl BoardGameHeader {
    /// The offset table of the file.
    pub fn offsets(&self) -> OffsetTable {
        OffsetTable { blocks: self.slots.div_ceil(self.block_codes.into()) }
    }

    /// Encodes the header. A name of more than 32 bytes is cut, and refused when it is decoded.
    pub fn encode(&self) -> [u8; HEADER_LENGTH] {
        FormatKind::BoardGame.header(self.fingerprint, |bytes| {
            put(bytes, METRIC_AT, &self.code_bytes.to_le_bytes());
            put(bytes, SLOTS_AT, &self.slots.to_le_bytes());
            put(bytes, BLOCK_CODES_AT, &self.block_codes.to_le_bytes());
            let name = &mut bytes[FormatKind::BoardGame.material_at()..][..NAME_LENGTH];
            put(name, 0, self.material.as_bytes());
        })
    }

    /// Decodes a header and checks every field that can be checked without the game.
    ///
    /// # Errors
    ///
    /// If a field has an impossible value.
    pub fn decode(bytes: &[u8; HEADER_LENGTH]) -> Result<BoardGameHeader, FormatError> {
        let fingerprint = FormatKind::BoardGame.expect(bytes)?;
        let code_bytes = u32_at(bytes, METRIC_AT);
        if !(1..=2).contains(&code_bytes) {
            return Err(FormatError::CodeBytes(code_bytes));
        }
        let name = &bytes[FormatKind::BoardGame.material_at()..][..NAME_LENGTH];
        Ok(BoardGameHeader {
            fingerprint,
            material: padded_text(name)?.to_string(),
            slots: u64_at(bytes, SLOTS_AT),
            block_codes: block_codes_at(bytes)?,
            code_bytes,
        })
    }

    /// Checks that this is the header of the expected table.
    ///
    /// # Errors
    ///
    /// If material, fingerprint or number of slots differ. The error names the first difference.
    pub fn expect(
        &self,
        fingerprint: u64,
        material: &str,
        expected: u64,
    ) -> Result<(), FormatError> {
        if self.material != material {
            return Err(FormatError::material(material, &self.material));
        }
        expect_rules(fingerprint, self.fingerprint)?;
        match self.slots {
            found if found == expected => Ok(()),
            found => Err(FormatError::Slots { expected, found }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::preamble::seal;

    fn header() -> BoardGameHeader {
        BoardGameHeader {
            fingerprint: 7,
            material: "KRHvK".to_string(),
            slots: 1000,
            block_codes: 16,
            code_bytes: 1,
        }
    }

    /// The header after some bytes are changed and the checksum is corrected.
    fn forged(at: usize, change: &[u8]) -> Result<BoardGameHeader, FormatError> {
        let mut bytes = header().encode();
        put(&mut bytes, at, change);
        seal(&mut bytes);
        BoardGameHeader::decode(&bytes)
    }

    #[test]
    fn headers_come_back_and_each_wrong_field_has_its_own_error() {
        assert_eq!(BoardGameHeader::decode(&header().encode()), Ok(header()));
        let magic = FormatKind::Solved.magic();
        assert_eq!(forged(0, &magic), Err(FormatError::Magic(FormatKind::BoardGame)));
        assert_eq!(forged(METRIC_AT, &[3]), Err(FormatError::CodeBytes(3)));
        assert_eq!(forged(BLOCK_CODES_AT, &[17]), Err(FormatError::BlockCodes(17)));
        assert_eq!(forged(56, &[0xff]), Err(FormatError::MaterialName));
        assert_eq!(forged(70, b"K"), Err(FormatError::MaterialName));
        for reserved in [36, 55, 88, 119] {
            assert_eq!(forged(reserved, &[1]), Err(FormatError::Reserved("header")));
        }
        let mut flipped = header().encode();
        flipped[24] ^= 1;
        assert_eq!(BoardGameHeader::decode(&flipped), Err(FormatError::HeaderChecksum));
    }

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(header().expect(7, "KRHvK", 1000), Ok(()));
        let other = header().expect(8, "KRvK", 999).unwrap_err().to_string();
        assert_eq!(other, "holds the table of KRHvK, not of KRvK");
        assert_eq!(
            header().expect(8, "KRHvK", 999),
            Err(FormatError::Rules { expected: 8, found: 7 })
        );
        let slots = FormatError::Slots { expected: 999, found: 1000 };
        assert_eq!(header().expect(7, "KRHvK", 999), Err(slots));
    }
}
