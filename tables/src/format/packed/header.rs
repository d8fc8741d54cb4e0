//! The header of a packed table.

use crate::format::error::FormatError;
use crate::format::metric::Metric;
use crate::format::packed::row::MAX_PLANES;
use crate::format::solved::header::{HEADER_LENGTH, NO_LOSS, coding_at, expect, material_of};
use crate::format::{PACKED_MAGIC, PACKED_VERSION, field, put, u32_at, u64_at};
use crate::index::Index;
use crate::material::Material;
use crate::packed_codec::MAX_TILES;
use crate::rules::piece::Side;
use crate::tiles::order::TileOrder;
use crate::values::Coding;
use xxhash_rust::xxh3::xxh3_64;

const VERSION_AT: usize = 8;
const METRIC_AT: usize = 12;
const FINGERPRINT_AT: usize = 16;
const SLOTS_AT: usize = 24;
const KEPT_AT: usize = 32;
const BLOCK_TILES_AT: usize = 33;
const PLANES_AT: usize = 34;
const DONT_CARE_AT: usize = 35;
const TILE_ORDER_AT: usize = 36;
const TILE_ORDER_LENGTH: usize = 8;
const MODEL_LENGTH_AT: usize = 44;
const CODING_AT: usize = 48;
const MATERIAL_AT: usize = 56;
const MODEL_CHECKSUM_AT: usize = 72;
const TAIL_AT: usize = 80;
const CHECKSUM_AT: usize = 120;

/// The most bytes of a model, packed: no model has as many.
const MAX_MODEL: u32 = 1 << 24;

/// What a packed table says of itself before its model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedHeader {
    /// What its numbers measure.
    pub metric: Metric,
    /// The rules and the counting it was made by, [`Metric::fingerprint`].
    pub fingerprint: u64,
    /// The material.
    pub material: Material,
    /// Slots of the side to move.
    pub slots: u64,
    /// The side to move whose codes are kept.
    pub kept: Side,
    /// Tiles of a block; the last block may have fewer.
    pub block_tiles: u8,
    /// Planes of the bits of a block's length from the ninth on.
    pub length_planes: u8,
    /// Whether a code may stand for less than the position is worth, where its best move
    /// that takes or promotes is worth that.
    pub dont_care: bool,
    /// How the tiles are laid out, [`TileOrder::encode`], zeros behind it.
    pub tile_order: [u8; TILE_ORDER_LENGTH],
    /// Bytes of the model, packed.
    pub model_length: u32,
    /// The XXH3 of these bytes.
    pub model_checksum: u64,
    /// How the codes are to be read.
    pub coding: Coding,
}

impl PackedHeader {
    /// An tile_order as the header has it; nothing for one of more pieces than any
    /// material has.
    pub fn encoded_tile_order(tile_order: &TileOrder) -> Option<[u8; TILE_ORDER_LENGTH]> {
        let mut bytes = [0; TILE_ORDER_LENGTH];
        let encoded = tile_order.encode();
        bytes.get_mut(..encoded.len())?.copy_from_slice(&encoded);
        Some(bytes)
    }

    /// The tile_order of tiles.
    ///
    /// # Errors
    ///
    /// When the material has no such one.
    pub fn tile_order(&self, index: &Index) -> Result<TileOrder, FormatError> {
        let all = TileOrder::all(index).into_iter();
        let mut same =
            all.filter(|one| PackedHeader::encoded_tile_order(one) == Some(self.tile_order));
        same.next().ok_or(FormatError::TileOrder)
    }

    /// The header as bytes.
    pub fn encode(&self) -> [u8; HEADER_LENGTH] {
        let mut bytes = [0; HEADER_LENGTH];
        let mut put = |offset: usize, field: &[u8]| put(&mut bytes, offset, field);
        put(0, &PACKED_MAGIC);
        put(VERSION_AT, &PACKED_VERSION.to_le_bytes());
        put(METRIC_AT, &self.metric.number().to_le_bytes());
        put(FINGERPRINT_AT, &self.fingerprint.to_le_bytes());
        put(SLOTS_AT, &self.slots.to_le_bytes());
        let small = [self.kept.index() as u8, self.block_tiles, self.length_planes];
        for (at, byte) in [KEPT_AT, BLOCK_TILES_AT, PLANES_AT].into_iter().zip(small) {
            put(at, &[byte]);
        }
        put(DONT_CARE_AT, &[u8::from(self.dont_care)]);
        put(TILE_ORDER_AT, &self.tile_order);
        put(MODEL_LENGTH_AT, &self.model_length.to_le_bytes());
        put(CODING_AT, &self.coding.wins.0.to_le_bytes());
        let losses = self.coding.losses.map_or(NO_LOSS, |moves| moves.0);
        put(CODING_AT + 4, &losses.to_le_bytes());
        put(MATERIAL_AT, self.material.to_string().as_bytes());
        put(MODEL_CHECKSUM_AT, &self.model_checksum.to_le_bytes());
        let checksum = xxh3_64(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The header these bytes hold, everything in it checked that can be checked alone.
    ///
    /// # Errors
    ///
    /// When they are none.
    pub fn decode(bytes: &[u8; HEADER_LENGTH]) -> Result<PackedHeader, FormatError> {
        if field(bytes, 0) != PACKED_MAGIC {
            return Err(FormatError::Magic);
        }
        let version = u32_at(bytes, VERSION_AT);
        if version != PACKED_VERSION {
            return Err(FormatError::PackedVersion(version));
        }
        if xxh3_64(&bytes[..CHECKSUM_AT]) != u64_at(bytes, CHECKSUM_AT) {
            return Err(FormatError::HeaderChecksum);
        }
        if bytes[TAIL_AT..CHECKSUM_AT].iter().any(|&byte| byte != 0) {
            return Err(FormatError::Reserved("header"));
        }
        let metric = u32_at(bytes, METRIC_AT);
        let [kept, block_tiles, length_planes, dont_care] =
            [KEPT_AT, BLOCK_TILES_AT, PLANES_AT, DONT_CARE_AT].map(|at| bytes[at]);
        let flag = |byte: u8, names: &'static str| match byte {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(FormatError::Reserved(names)),
        };
        let kept = if flag(kept, "header")? { Side::Black } else { Side::White };
        if !(1..=MAX_TILES).contains(&usize::from(block_tiles)) {
            return Err(FormatError::BlockTiles(block_tiles));
        }
        if length_planes > MAX_PLANES {
            return Err(FormatError::Reserved("header"));
        }
        let material = material_of(&field(bytes, MATERIAL_AT))?;
        if material.is_symmetric() && kept == Side::Black {
            return Err(FormatError::Reserved("header"));
        }
        let model_length = u32_at(bytes, MODEL_LENGTH_AT);
        if model_length > MAX_MODEL {
            return Err(FormatError::Model);
        }
        Ok(PackedHeader {
            metric: Metric::from_number(metric).ok_or(FormatError::Metric(metric))?,
            fingerprint: u64_at(bytes, FINGERPRINT_AT),
            material,
            slots: u64_at(bytes, SLOTS_AT),
            kept,
            block_tiles,
            length_planes,
            dont_care: flag(dont_care, "header")?,
            tile_order: field(bytes, TILE_ORDER_AT),
            model_length,
            model_checksum: u64_at(bytes, MODEL_CHECKSUM_AT),
            coding: coding_at(bytes, CODING_AT, kept)?,
        })
    }

    /// Checks that this is the header of the table looked for.
    ///
    /// # Errors
    ///
    /// What is another.
    pub fn expect(
        &self,
        metric: Metric,
        index: &Index,
        fingerprint: u64,
    ) -> Result<(), FormatError> {
        let PackedHeader { material, metric: measured, fingerprint: made_by, slots, .. } = *self;
        expect((material, measured, made_by, slots), metric, index, fingerprint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Moves;
    use crate::variants::MAKRUK;

    fn header(name: &str) -> PackedHeader {
        let material: Material = name.parse().unwrap();
        let index = Index::new(material, &MAKRUK.rules);
        let tile_order = &TileOrder::all(&index)[0];
        PackedHeader {
            metric: Metric::DistanceToMate,
            fingerprint: MAKRUK.rules.fingerprint(),
            material,
            slots: index.slots(),
            kept: Side::White,
            block_tiles: 8,
            length_planes: 1,
            dont_care: true,
            tile_order: PackedHeader::encoded_tile_order(tile_order).unwrap(),
            model_length: 12_345,
            model_checksum: 67,
            coding: Coding { wins: Moves(16), losses: None },
        }
    }

    #[test]
    fn headers_come_back_and_every_flipped_bit_is_found() {
        for name in ["KRvK", "KMvKM", "KRNSMvKRN", "KRRRRRRvK"] {
            let header = header(name);
            let bytes = header.encode();
            assert_eq!(PackedHeader::decode(&bytes), Ok(header.clone()));
            let index = Index::new(header.material, &MAKRUK.rules);
            assert_eq!(header.tile_order(&index), Ok(TileOrder::all(&index)[0].clone()));
            for at in 0..HEADER_LENGTH {
                for bit in 0..u8::BITS {
                    let mut bytes = bytes;
                    bytes[at] ^= 1 << bit;
                    assert!(PackedHeader::decode(&bytes).is_err(), "byte {at} bit {bit}");
                }
            }
        }
    }

    /// The header with some bytes changed and the checksum made right again.
    fn forged(at: usize, change: &[u8]) -> Result<PackedHeader, FormatError> {
        let mut bytes = header("KRvKR").encode();
        bytes[at..at + change.len()].copy_from_slice(change);
        let checksum = xxh3_64(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        PackedHeader::decode(&bytes)
    }

    #[test]
    fn wrong_fields_are_found_behind_a_right_checksum() {
        assert_eq!(forged(VERSION_AT, &[9]), Err(FormatError::PackedVersion(9)));
        assert_eq!(forged(METRIC_AT, &[99]), Err(FormatError::Metric(99)));
        assert_eq!(forged(BLOCK_TILES_AT, &[0]), Err(FormatError::BlockTiles(0)));
        assert_eq!(forged(BLOCK_TILES_AT, &[65]), Err(FormatError::BlockTiles(65)));
        assert_eq!(forged(MODEL_LENGTH_AT + 3, &[2]), Err(FormatError::Model));
        for (at, byte) in [(KEPT_AT, 1), (KEPT_AT, 2), (PLANES_AT, 9), (DONT_CARE_AT, 2)] {
            assert_eq!(forged(at, &[byte]), Err(FormatError::Reserved("header")));
        }
        assert_eq!(forged(TAIL_AT, &[1]), Err(FormatError::Reserved("header")));
        let index = Index::new("KRvKR".parse().unwrap(), &MAKRUK.rules);
        let astray = forged(TILE_ORDER_AT, &[7]).unwrap();
        assert_eq!(astray.tile_order(&index), Err(FormatError::TileOrder));
    }
}
