//! The header of a table file: whose table it is and how its codes are to be read.

use crate::distance::Moves;
use crate::format::error::FormatError;
use crate::format::metric::Metric;
use crate::format::{MAGIC, MAX_BLOCK_CODES, MIN_BLOCK_CODES, VERSION, field, put, u32_at, u64_at};
use crate::index::Index;
use crate::material::Material;
use crate::rules::piece::Side;
use crate::values::Coding;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the header.
pub const HEADER_LENGTH: usize = 128;

const VERSION_AT: usize = 8;
const METRIC_AT: usize = 12;
const FINGERPRINT_AT: usize = 16;
const SLOTS_AT: usize = 24;
const BLOCK_CODES_AT: usize = 32;
const RESERVED_AT: usize = 36;
const CODINGS_AT: usize = 40;
const CODING_LENGTH: usize = 8;
const MATERIAL_AT: usize = 56;
pub(in crate::format) const MATERIAL_LENGTH: usize = 16;
const TAIL_AT: usize = 72;
const CHECKSUM_AT: usize = 120;

/// The longest loss where there is none.
pub(in crate::format) const NO_LOSS: u32 = u32::MAX;

/// What a table file says of itself before its first block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolvedHeader {
    /// What its numbers measure.
    pub metric: Metric,
    /// The rules and the counting it was made by, [`Metric::fingerprint`].
    pub fingerprint: u64,
    /// The material.
    pub material: Material,
    /// Slots of each side to move.
    pub slots: u64,
    /// Codes of a block; the last block of a side may have fewer.
    pub block_codes: u32,
    /// How White's codes are to be read.
    pub white: Coding,
    /// How Black's codes are to be read; absent where the material is symmetric.
    pub black: Option<Coding>,
}

impl SolvedHeader {
    /// How the codes of one side to move are to be read, where they are held.
    pub fn coding(&self, side: Side) -> Option<Coding> {
        match side {
            Side::White => Some(self.white),
            Side::Black => self.black,
        }
    }

    /// The header as bytes.
    pub fn encode(&self) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0; HEADER_LENGTH];
        let mut put = |offset: usize, field: &[u8]| put(&mut bytes, offset, field);
        put(0, &MAGIC);
        put(VERSION_AT, &VERSION.to_le_bytes());
        put(METRIC_AT, &self.metric.number().to_le_bytes());
        put(FINGERPRINT_AT, &self.fingerprint.to_le_bytes());
        put(SLOTS_AT, &self.slots.to_le_bytes());
        put(BLOCK_CODES_AT, &self.block_codes.to_le_bytes());
        for (side, coding) in [Some(self.white), self.black].into_iter().enumerate() {
            if let Some(coding) = coding {
                let at = CODINGS_AT + side * CODING_LENGTH;
                let losses = coding.losses.map_or(NO_LOSS, |moves| moves.0);
                put(at, &coding.wins.0.to_le_bytes());
                put(at + CODING_LENGTH / 2, &losses.to_le_bytes());
            }
        }
        put(MATERIAL_AT, self.material.to_string().as_bytes());
        let checksum = xxh3_64(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The header these bytes hold, everything in it checked that can be checked alone.
    pub fn decode(bytes: &[u8; HEADER_LENGTH]) -> Result<SolvedHeader, FormatError> {
        if field(bytes, 0) != MAGIC {
            return Err(FormatError::Magic);
        }
        // Before the checksum, which another version may keep elsewhere.
        let version = u32_at(bytes, VERSION_AT);
        if version != VERSION {
            return Err(FormatError::Version(version));
        }
        if xxh3_64(&bytes[..CHECKSUM_AT]) != u64_at(bytes, CHECKSUM_AT) {
            return Err(FormatError::HeaderChecksum);
        }
        let reserved = bytes[RESERVED_AT..CODINGS_AT].iter().chain(&bytes[TAIL_AT..CHECKSUM_AT]);
        if reserved.into_iter().any(|&byte| byte != 0) {
            return Err(FormatError::Reserved("header"));
        }
        let metric = u32_at(bytes, METRIC_AT);
        let metric = Metric::from_number(metric).ok_or(FormatError::Metric(metric))?;
        let block_codes = u32_at(bytes, BLOCK_CODES_AT);
        let sizes = MIN_BLOCK_CODES..=MAX_BLOCK_CODES;
        if !block_codes.is_power_of_two() || !sizes.contains(&block_codes) {
            return Err(FormatError::BlockCodes(block_codes));
        }
        let material = material_of(&field(bytes, MATERIAL_AT))?;
        let white = coding_at(bytes, CODINGS_AT, Side::White)?;
        let black = if material.is_symmetric() {
            if field(bytes, CODINGS_AT + CODING_LENGTH) != [0; CODING_LENGTH] {
                return Err(FormatError::Reserved("header"));
            }
            None
        } else {
            Some(coding_at(bytes, CODINGS_AT + CODING_LENGTH, Side::Black)?)
        };
        let fingerprint = u64_at(bytes, FINGERPRINT_AT);
        let slots = u64_at(bytes, SLOTS_AT);
        Ok(SolvedHeader { metric, fingerprint, material, slots, block_codes, white, black })
    }

    /// Checks that this is the header of the table looked for.
    pub fn expect(
        &self,
        metric: Metric,
        index: &Index,
        fingerprint: u64,
    ) -> Result<(), FormatError> {
        let SolvedHeader { material, metric: measured, fingerprint: made_by, slots, .. } = *self;
        expect((material, measured, made_by, slots), metric, index, fingerprint)
    }
}

/// Checks that the material, metric, fingerprint and slots found are those of the table
/// looked for.
pub(in crate::format) fn expect(
    (material, measured, made_by, slots): (Material, Metric, u64, u64),
    metric: Metric,
    index: &Index,
    fingerprint: u64,
) -> Result<(), FormatError> {
    if material != index.material() {
        return Err(FormatError::Material { expected: index.material(), found: material });
    }
    if measured != metric {
        let (expected, found) = (metric.word(), measured.word());
        return Err(FormatError::OtherMetric { expected, found });
    }
    if made_by != fingerprint {
        return Err(FormatError::Rules { expected: fingerprint, found: made_by });
    }
    if slots != index.slots() {
        return Err(FormatError::Slots { expected: index.slots(), found: slots });
    }
    Ok(())
}

/// The material a zero-padded name stands for, in its one usual form.
pub(in crate::format) fn material_of(
    name: &[u8; MATERIAL_LENGTH],
) -> Result<Material, FormatError> {
    let end = name.iter().position(|&byte| byte == 0).unwrap_or(MATERIAL_LENGTH);
    let (name, padding) = name.split_at(end);
    let text = std::str::from_utf8(name).map_err(|_| FormatError::MaterialName)?;
    let material: Material = text.parse().map_err(|_| FormatError::MaterialName)?;
    let usual = material.to_string() == text && padding.iter().all(|&byte| byte == 0);
    let named = material != Material::BARE_KINGS;
    if usual && named { Ok(material) } else { Err(FormatError::MaterialName) }
}

/// The coding of one side to move, which begins there.
pub(in crate::format) fn coding_at(
    bytes: &[u8],
    at: usize,
    side: Side,
) -> Result<Coding, FormatError> {
    let losses = u32_at(bytes, at + CODING_LENGTH / 2);
    let losses = if losses == NO_LOSS { None } else { Some(Moves(losses)) };
    let coding = Coding { wins: Moves(u32_at(bytes, at)), losses };
    // Codes are two bytes at most.
    if coding.codes() > u32::from(u16::MAX) + 1 {
        return Err(FormatError::Coding(side.name()));
    }
    Ok(coding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::MAKRUK;

    fn header(name: &str) -> SolvedHeader {
        let material: Material = name.parse().unwrap();
        let white = Coding { wins: Moves(16), losses: None };
        let black = Coding { wins: Moves(0), losses: Some(Moves(16)) };
        SolvedHeader {
            metric: Metric::DistanceToMate,
            fingerprint: MAKRUK.rules.fingerprint(),
            material,
            slots: Index::new(material, &MAKRUK.rules).slots(),
            block_codes: 1 << 14,
            white,
            black: (!material.is_symmetric()).then_some(black),
        }
    }

    /// The header with some bytes changed and the checksum made right again.
    fn forged(at: usize, change: &[u8]) -> Result<SolvedHeader, FormatError> {
        let mut bytes = header("KRvK").encode();
        bytes[at..at + change.len()].copy_from_slice(change);
        let checksum = xxh3_64(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
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
    fn every_flipped_bit_is_found() {
        let bytes = header("KRvK").encode();
        for at in 0..HEADER_LENGTH {
            for bit in 0..u8::BITS {
                let mut bytes = bytes;
                bytes[at] ^= 1 << bit;
                assert!(SolvedHeader::decode(&bytes).is_err(), "byte {at} bit {bit}");
            }
        }
    }

    #[test]
    fn each_wrong_field_has_its_own_error() {
        assert_eq!(forged(VERSION_AT, &[2]), Err(FormatError::Version(2)));
        assert_eq!(forged(METRIC_AT, &[9]), Err(FormatError::Metric(9)));
        assert_eq!(forged(RESERVED_AT, &[1]), Err(FormatError::Reserved("header")));
        assert_eq!(forged(CHECKSUM_AT - 1, &[1]), Err(FormatError::Reserved("header")));
        assert_eq!(forged(BLOCK_CODES_AT, &[1]), Err(FormatError::BlockCodes((1 << 14) + 1)));
        assert_eq!(forged(BLOCK_CODES_AT, &[0; 4]), Err(FormatError::BlockCodes(0)));
        assert_eq!(forged(BLOCK_CODES_AT, &[0, 0, 0, 1]), Err(FormatError::BlockCodes(1 << 24)));
        for name in ["KvKR", "KvK", "KXvK", "\u{fffd}", "KRvKR\0P"] {
            let mut padded = [0; MATERIAL_LENGTH];
            padded[..name.len()].copy_from_slice(name.as_bytes());
            assert_eq!(forged(MATERIAL_AT, &padded), Err(FormatError::MaterialName), "{name}");
        }
        let endless = u32::MAX.to_le_bytes();
        assert_eq!(forged(CODINGS_AT, &endless), Err(FormatError::Coding("white")));
        let symmetric = forged(MATERIAL_AT, b"KRvKR");
        assert_eq!(symmetric, Err(FormatError::Reserved("header")));
    }
}
