//! Sixteen blocks in lockstep have the bytes and the codes of one block after the other, with
//! all registers of the processor.

use crate::output::packed::encoder::lane_encoder::{EncoderModel, LaneEncoder};
use crate::output::packed::encoder::target_tile::TargetTile;
use crate::output::packed::encoder::tests::block_encoder::BlockEncoder;
use crate::output::packed::encoder::tests::{CODING, WIDE, drawn};
use crate::output::packed::encoder::train;
use proptest::prelude::*;
use sakmak_codec::decode::{decode, decode_to};
use sakmak_codec::error::CodecError;
use sakmak_codec::lane_decode::{BlockEnd, LaneDecoder};
use sakmak_codec::lanes::LANES;
use sakmak_codec::lanes::registers::LaneRegisters;
use sakmak_codec::model::Model;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::packed::header::MAX_TILES;
use sakmak_tables::tiles::tile::TileCodes;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::tiles::tile::shape::TileShape;
use sakmak_tables::values::Coding;

/// Blocks of up to `tiles` tiles, and their model.
fn blocks(seed: u64, coding: Coding, tiles: usize) -> (Model, Vec<Vec<TargetTile>>) {
    let mut blocks: Vec<_> =
        (0..LANES as u64).map(|lane| drawn(seed ^ lane << 32, coding, tiles)).collect();
    let model = train(coding, tiles, &blocks[..4]).unwrap();
    // Some are shorter, and one keeps no square.
    blocks[3].truncate(1 + seed as usize % tiles);
    blocks[5].truncate(1);
    blocks[9].iter_mut().for_each(|tile| *tile = TargetTile::EMPTY);
    (model, blocks)
}

/// A part of a block to decode.
struct PartOfBlock {
    shapes: Vec<TileShape>,
    bytes: Vec<u8>,
    part: BlockEnd,
}

impl PartOfBlock {
    fn last(&self) -> TileSquare {
        match self.part {
            BlockEnd::Whole(tiles) => TileSquare { tile: tiles - 1, square: SQUARES - 1 },
            BlockEnd::Square(last) => last,
        }
    }

    /// The codes if the block is decoded alone.
    fn decode(&self, model: &Model) -> Result<Vec<TileCodes>, CodecError> {
        let mut codes: Vec<TileCodes> = vec![[0; SQUARES]; self.last().tile + 1];
        let shape = |tile: usize| self.shapes[tile];
        match self.part {
            BlockEnd::Whole(_) => decode(model, &self.bytes, shape, &mut codes)?,
            BlockEnd::Square(last) => decode_to(model, &self.bytes, shape, last, &mut codes)?,
        }
        Ok(codes)
    }
}

/// Decodes blocks in lockstep, and each alone, with all registers and compares them.
fn compare(model: &Model, blocks: &[PartOfBlock]) {
    for registers in LaneRegisters::available() {
        let mut decoder = LaneDecoder::new(registers);
        let mut results = None;
        // First some of them: codes of other blocks are not read.
        for blocks in [&blocks[blocks.len() / 2..], blocks] {
            let mut batch = decoder.start(model);
            for PartOfBlock { shapes, bytes, part } in blocks {
                batch.add(bytes, |tile| shapes[tile], *part);
            }
            results = Some(batch.decode());
        }
        for (lane, (block, result)) in blocks.iter().zip(results.unwrap()).enumerate() {
            let alone = block.decode(model);
            let last = block.last();
            assert_eq!(result, alone.as_ref().map(|_| ()).map_err(|&error| error));
            let mut copied = vec![[0; SQUARES]; last.tile + 1];
            decoder.copy_tiles(lane, &mut copied);
            for (tile, codes) in alone.iter().flatten().enumerate() {
                let end = if tile == last.tile { last.square + 1 } else { SQUARES };
                assert_eq!(copied[tile][..end], codes[..end], "{registers:?}, lane {lane}");
                let found = decoder.code(lane, TileSquare { tile, square: end - 1 });
                assert_eq!(found, Some(codes[end - 1]));
            }
        }
    }
}

/// Parts of blocks: the whole, or up to one of these squares.
fn parts(
    blocks: &[Vec<TargetTile>],
    bytes: &[Vec<u8>],
    lasts: &[Option<TileSquare>],
) -> Vec<PartOfBlock> {
    let blocks = blocks.iter().zip(bytes).zip(lasts);
    let part = |((block, bytes), last): ((&Vec<TargetTile>, &Vec<u8>), &Option<TileSquare>)| {
        let part = match *last {
            None => BlockEnd::Whole(block.len()),
            Some(TileSquare { tile, square }) => {
                BlockEnd::Square(TileSquare { tile: tile % block.len(), square })
            }
        };
        let shapes = block.iter().map(|tile| tile.shape).collect();
        PartOfBlock { shapes, bytes: bytes.clone(), part }
    };
    blocks.map(part).collect()
}

/// For each lane no square or any one.
fn lasts() -> impl Strategy<Value = Vec<Option<TileSquare>>> {
    let square = (0..MAX_TILES, 0..SQUARES).prop_map(|(tile, square)| TileSquare { tile, square });
    proptest::collection::vec(proptest::option::of(square), LANES)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lanes_are_blocks(
        seed in any::<u64>(),
        wide in any::<bool>(),
        tiles in prop_oneof![1..9usize, 1..=MAX_TILES],
        count in 1..=LANES,
        lasts in lasts(),
    ) {
        let coding = if wide { WIDE } else { CODING };
        let (model, blocks) = blocks(seed, coding, tiles);
        let blocks = &blocks[LANES - count..];
        let group: Vec<&[TargetTile]> = blocks.iter().map(Vec::as_slice).collect();
        let mut block_encoder = BlockEncoder::new(&model);
        let one_by_one: Vec<Vec<u8>> =
            blocks.iter().map(|block| block_encoder.encode(block).unwrap().0.to_vec()).collect();
        let encoder_model = EncoderModel::new(&model);
        for registers in LaneRegisters::available() {
            let mut encoder = LaneEncoder::with_registers(&encoder_model, registers);
            drop(encoder.encode(&group[..1]).unwrap());
            let encoded: Vec<&[u8]> = encoder.encode(&group).unwrap().collect();
            prop_assert_eq!(encoded, one_by_one.iter().map(Vec::as_slice).collect::<Vec<_>>());
            prop_assert_eq!(encoder.first_misread(&group), None);
        }
        compare(&model, &parts(blocks, &one_by_one, &lasts));
        compare(&model, &parts(blocks, &one_by_one, &[None; LANES]));
    }

    #[test]
    fn damaged_lanes_are_damaged_blocks(
        seed in any::<u64>(),
        wide in any::<bool>(),
        tiles in 1..6usize,
        garbage in proptest::collection::vec(any::<u8>(), 0..300),
        at in any::<prop::sample::Index>(),
        lasts in lasts(),
    ) {
        let coding = if wide { WIDE } else { CODING };
        let (model, blocks) = blocks(seed, coding, tiles);
        let mut encoder = BlockEncoder::new(&model);
        let mut damaged = Vec::new();
        for (lane, block) in blocks.iter().enumerate() {
            let mut bytes = encoder.encode(block).unwrap().0.to_vec();
            let place = at.index(bytes.len() + 1);
            match lane % 5 {
                0 => bytes.truncate(place),
                1 => bytes.extend(&garbage),
                2 => bytes.clone_from(&garbage),
                3 if place < bytes.len() => bytes[place] ^= 1 << (seed % 8),
                _ => {}
            }
            damaged.push(bytes);
        }
        let damaged = parts(&blocks, &damaged, &lasts);
        compare(&model, &damaged);
        // With the model of other blocks.
        compare(&self::blocks(!seed, coding, tiles).0, &damaged);
    }
}

#[test]
fn blocks_said_to_have_no_bytes_have_none() {
    let flat = |seed: u64| {
        let mut block = drawn(seed, CODING, 2);
        for (at, code) in block.iter_mut().flat_map(|tile| &mut tile.codes).enumerate() {
            *code = 5;
            // In some blocks: a faster win, a slower one, a draw; not kept, don't-care or exact.
            if at as u64 == seed % 256 {
                *code = [4, 6, 0][seed as usize % 3];
            }
        }
        block
    };
    let blocks: Vec<_> = (0..3000).map(flat).collect();
    let model = train(CODING, 2, &blocks).unwrap();
    let encoder_model = EncoderModel::new(&model);
    let mut encoder = LaneEncoder::new(&encoder_model);
    let mut seen = [0; 2];
    for block in &blocks {
        let is_said = encoder_model.has_no_bytes(block);
        let bytes = encoder.encode(&[block]).unwrap().next().unwrap().len();
        assert_eq!(bytes == 0, is_said);
        let other = |tile: &TargetTile| (0..SQUARES).any(|square| tile.codes[square] != 5);
        seen[usize::from(is_said)] += usize::from(block.iter().any(other));
    }
    assert!(seen[0] > 500 && seen[1] > 500, "{seen:?}");
}

#[test]
fn misread_blocks_are_found() {
    let (model, blocks) = blocks(7, CODING, 3);
    let encoder_model = EncoderModel::new(&model);
    for registers in LaneRegisters::available() {
        let mut encoder = LaneEncoder::with_registers(&encoder_model, registers);
        let group: Vec<&[TargetTile]> = blocks.iter().map(Vec::as_slice).collect();
        drop(encoder.encode(&group).unwrap());
        assert_eq!(encoder.first_misread(&group), None);
        // Decoded as if block 11 had the shapes of block 12.
        let mut other = group.clone();
        other[11] = group[12];
        assert_eq!(encoder.first_misread(&other), Some(11));
    }
}

#[test]
fn empty_and_long_groups_are_no_panic() {
    let (model, blocks) = blocks(3, CODING, 2);
    let encoder_model = EncoderModel::new(&model);
    let mut encoder = LaneEncoder::new(&encoder_model);
    assert_eq!(encoder.encode(&[]).unwrap().count(), 0);
    assert_eq!(encoder.first_misread(&[]), None);
    let many: Vec<&[TargetTile]> = blocks.iter().chain(&blocks).map(Vec::as_slice).collect();
    assert_eq!(encoder.encode(&many).unwrap().count(), LANES);
    assert_eq!(encoder.first_misread(&many), None);
    assert!(encoder.encode(&[&[]]).is_err());
    let long = drawn(1, CODING, 3);
    assert!(encoder.encode(&[&long]).is_err());
    let mut decoder = LaneDecoder::default();
    assert!(decoder.start(&model).decode().iter().all(Result::is_ok));
    assert_eq!(decoder.code(0, TileSquare { tile: 0, square: 0 }), None);
    for part in [
        BlockEnd::Whole(0),
        BlockEnd::Whole(3),
        BlockEnd::Square(TileSquare { tile: 2, square: 0 }),
        BlockEnd::Square(TileSquare { tile: usize::MAX, square: 0 }),
    ] {
        let mut batch = decoder.start(&model);
        batch.add(&[], |tile| long[tile].shape, part);
        assert!(batch.decode()[0].is_err());
    }
    let mut batch = decoder.start(&model);
    for _ in 0..2 * LANES {
        let last = TileSquare { tile: 0, square: SQUARES };
        batch.add(&[1, 2, 3], |tile| long[tile].shape, BlockEnd::Square(last));
    }
    let results = batch.decode();
    assert!(results.iter().all(|result| *result == results[0]));
}
