//! The header of a packed file.

use crate::format::error::FormatError;
use crate::format::preamble::Preamble;
use crate::format::solved::header::{coding_at, expect_slots, put_coding};
use crate::format::{FormatKind, HEADER_LENGTH, field, put, u32_at, u64_at};
use crate::index::Index;
use crate::rules::piece::Side;
use crate::tiles::order::TileOrder;
use crate::values::Coding;

/// The maximum number of tiles of a block.
pub const MAX_TILES: usize = 64;

const SLOTS_AT: usize = 24;
const KEPT_AT: usize = 32;
const BLOCK_TILES_AT: usize = 33;
const DONT_CARE_AT: usize = 35;
const TILE_ORDER_AT: usize = 36;
const TILE_ORDER_LENGTH: usize = 8;
const MODEL_LENGTH_AT: usize = 44;
const CODING_AT: usize = 48;
const MODEL_CHECKSUM_AT: usize = 72;

/// An upper bound on the bytes of a compressed model.
const MAX_MODEL: u32 = 1 << 24;

/// The header of a packed file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedHeader {
    /// The table and the rules it was made under.
    pub preamble: Preamble,
    /// Slots of the side to move.
    pub slots: u64,
    /// The side to move whose codes the file holds.
    pub kept: Side,
    /// Tiles per block; the last block may have fewer.
    pub block_tiles: u8,
    /// Whether the file has don't-care codes: if a capture or promotion reaches the value of a
    /// position, its code may be the code of any value not above it.
    pub dont_care: bool,
    /// The order of pieces in tiles: [`TileOrder::encode`], padded with zeros.
    pub tile_order: [u8; TILE_ORDER_LENGTH],
    /// Bytes of the compressed model.
    pub model_length: u32,
    /// The XXH3 of the compressed model.
    pub model_checksum: u64,
    /// The coding of the codes.
    pub coding: Coding,
}

impl PackedHeader {
    /// An order of pieces as the header holds it. `None` if it has more pieces than the field.
    pub fn encoded_tile_order(tile_order: &TileOrder) -> Option<[u8; TILE_ORDER_LENGTH]> {
        let mut bytes = [0; TILE_ORDER_LENGTH];
        let encoded = tile_order.encode();
        bytes.get_mut(..encoded.len())?.copy_from_slice(&encoded);
        Some(bytes)
    }

    /// The order of pieces in tiles.
    ///
    /// # Errors
    ///
    /// If the material does not have this order.
    pub fn tile_order(&self, index: &Index) -> Result<TileOrder, FormatError> {
        let all = TileOrder::all(index).into_iter();
        let mut same =
            all.filter(|one| PackedHeader::encoded_tile_order(one) == Some(self.tile_order));
        same.next().ok_or(FormatError::TileOrder)
    }

    /// Encodes the header.
    pub fn encode(&self) -> [u8; HEADER_LENGTH] {
        self.preamble.encode(FormatKind::Packed, |bytes| {
            put(bytes, SLOTS_AT, &self.slots.to_le_bytes());
            put(bytes, KEPT_AT, &[self.kept.index() as u8]);
            put(bytes, BLOCK_TILES_AT, &[self.block_tiles]);
            put(bytes, DONT_CARE_AT, &[u8::from(self.dont_care)]);
            put(bytes, TILE_ORDER_AT, &self.tile_order);
            put(bytes, MODEL_LENGTH_AT, &self.model_length.to_le_bytes());
            put_coding(bytes, CODING_AT, self.coding);
            put(bytes, MODEL_CHECKSUM_AT, &self.model_checksum.to_le_bytes());
        })
    }

    /// Decodes a header and checks every field that can be checked without the material's index.
    ///
    /// # Errors
    ///
    /// If a field has an impossible value.
    pub fn decode(bytes: &[u8; HEADER_LENGTH]) -> Result<PackedHeader, FormatError> {
        let preamble = Preamble::decode(FormatKind::Packed, bytes)?;
        let reserved = || FormatError::Reserved("header");
        let flag = |at: usize| match bytes[at] {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(reserved()),
        };
        let kept = if flag(KEPT_AT)? { Side::Black } else { Side::White };
        let block_tiles = bytes[BLOCK_TILES_AT];
        if !(1..=MAX_TILES).contains(&usize::from(block_tiles)) {
            return Err(FormatError::BlockTiles(block_tiles));
        }
        if preamble.name.material.is_symmetric() && kept == Side::Black {
            return Err(reserved());
        }
        let model_length = u32_at(bytes, MODEL_LENGTH_AT);
        if model_length > MAX_MODEL {
            return Err(FormatError::Model);
        }
        Ok(PackedHeader {
            preamble,
            slots: u64_at(bytes, SLOTS_AT),
            kept,
            block_tiles,
            dont_care: flag(DONT_CARE_AT)?,
            tile_order: field(bytes, TILE_ORDER_AT),
            model_length,
            model_checksum: u64_at(bytes, MODEL_CHECKSUM_AT),
            coding: coding_at(bytes, CODING_AT, kept)?,
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Moves;
    use crate::format::name::TableName;
    use crate::format::preamble::seal;
    use crate::variants::MAKRUK;

    fn header(name: &str) -> PackedHeader {
        let name: TableName = name.parse().unwrap();
        let index = Index::new(name.material, &MAKRUK.rules);
        let tile_order = &TileOrder::all(&index)[0];
        PackedHeader {
            preamble: Preamble::new(name, &MAKRUK.rules),
            slots: index.slots(),
            kept: Side::White,
            block_tiles: 8,
            dont_care: true,
            tile_order: PackedHeader::encoded_tile_order(tile_order).unwrap(),
            model_length: 12_345,
            model_checksum: 67,
            coding: Coding { wins: Moves(16), losses: None },
        }
    }

    #[test]
    fn headers_come_back() {
        for name in ["KRvK", "KMvKM", "KRNSMvKRN", "KRRRRRRvK"] {
            let header = header(name);
            assert_eq!(PackedHeader::decode(&header.encode()), Ok(header.clone()));
            let index = Index::new(header.preamble.name.material, &MAKRUK.rules);
            assert_eq!(header.tile_order(&index), Ok(TileOrder::all(&index)[0].clone()));
        }
    }

    /// The header after some bytes are changed and the checksum is corrected.
    fn forged(at: usize, change: &[u8]) -> Result<PackedHeader, FormatError> {
        let mut bytes = header("KRvKR").encode();
        put(&mut bytes, at, change);
        seal(&mut bytes);
        PackedHeader::decode(&bytes)
    }

    #[test]
    fn wrong_fields_are_found_behind_a_right_checksum() {
        assert_eq!(forged(BLOCK_TILES_AT, &[0]), Err(FormatError::BlockTiles(0)));
        assert_eq!(forged(BLOCK_TILES_AT, &[65]), Err(FormatError::BlockTiles(65)));
        assert_eq!(forged(MODEL_LENGTH_AT + 3, &[2]), Err(FormatError::Model));
        for (at, byte) in [(KEPT_AT, 1), (KEPT_AT, 2), (DONT_CARE_AT, 2)] {
            assert_eq!(forged(at, &[byte]), Err(FormatError::Reserved("header")));
        }
        let index = Index::new("KRvKR".parse().unwrap(), &MAKRUK.rules);
        let impossible = forged(TILE_ORDER_AT, &[7]).unwrap();
        assert_eq!(impossible.tile_order(&index), Err(FormatError::TileOrder));
    }
}
