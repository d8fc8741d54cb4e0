//! Encoded blocks decode to their codes, drawn at random or solved; no bytes make the decoder
//! panic.

mod block_encoder;

mod lanes;

use crate::output::packed::encoder::target_tile::TargetTile;
use crate::output::packed::encoder::train;
use crate::store::TableStore;
use block_encoder::BlockEncoder;
use proptest::prelude::*;
use sakmak_codec::decode::{decode, decode_to};
use sakmak_codec::model::Model;
use sakmak_solve::slots::code_run::CodeRun;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::order::TileOrder;
use sakmak_tables::tiles::tile::TileCodes;
use sakmak_tables::tiles::tile::{TileNumber, Tiles};
use sakmak_tables::tiles::tile::{TileSquare, shape::TileShape};
use sakmak_tables::values::Coding;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::sync::Arc;

const CODING: Coding = Coding { wins: Moves(30), losses: Some(Moves(12)) };
const WIDE: Coding = Coding { wins: Moves(40_000), losses: Some(Moves(25_000)) };
const TILES: usize = 4;

/// Tiles of codes that mostly repeat themselves, drawn from this number.
fn drawn(seed: u64, coding: Coding, tiles: usize) -> Vec<TargetTile> {
    let mut state = seed;
    let mut next = move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    let mut code = 0;
    let mut tile = || {
        let kept = if next() % 8 == 0 { 0 } else { next() | next() };
        let shape = TileShape { kept, attacked: next(), guarding: next() };
        let mut codes = [0; SQUARES];
        for place in &mut codes {
            match next() % 16 {
                0 => code = (next() % u64::from(coding.codes())) as u16,
                1 => code = (code + 1).min((coding.codes() - 1) as u16),
                2 => code = code.saturating_sub(1),
                3 => code = 0,
                _ => {}
            }
            *place = code;
        }
        TargetTile { shape, codes, dont_care: next() & next() }
    };
    (0..tiles).map(|_| tile()).collect()
}

/// Decodes a block in every way and compares it with its tiles.
fn decodes(model: &Model, block: &[TargetTile], bytes: &[u8], encoded: &[TileCodes]) {
    let shape = |tile: usize| block[tile].shape;
    let mut codes = vec![[0; SQUARES]; block.len()];
    decode(model, bytes, shape, &mut codes).unwrap();
    assert_eq!(codes, encoded);
    let mut room = vec![[0; SQUARES]; block.len()];
    for (tile, target) in block.iter().enumerate() {
        for (square, &code) in codes[tile].iter().enumerate() {
            let bit = |set: u64| set >> square & 1 != 0;
            if bit(target.exact()) {
                assert_eq!(code, target.codes[square]);
            } else if bit(target.shape.kept) {
                assert!(model.scale().is_at_most(code, target.codes[square]));
            }
            if square % 7 == tile % 7 && target.shape.kept != 0 {
                let last = TileSquare { tile, square };
                assert_eq!(decode_to(model, bytes, shape, last, &mut room), Ok(()));
                assert_eq!(room[tile][square], code);
            }
        }
    }
}

proptest! {
    #[test]
    fn random_codes_decode(seed in any::<u64>(), wide in any::<bool>(), short in 1..=TILES) {
        let coding = if wide { WIDE } else { CODING };
        let seen: Vec<_> = (0..6).map(|n| drawn(seed ^ n << 32, coding, TILES)).collect();
        let model = train(coding, TILES, &seen).unwrap();
        let mut encoder = BlockEncoder::new(&model);
        for block in [&seen[0][..], &seen[5], &drawn(!seed, coding, short)] {
            let (bytes, codes) = encoder.encode(block).unwrap();
            decodes(&model, block, bytes, codes);
        }
    }

    #[test]
    fn damaged_blocks_never_panic(
        seed in any::<u64>(),
        garbage in proptest::collection::vec(any::<u8>(), 0..300),
        at in any::<prop::sample::Index>(),
    ) {
        let block = drawn(seed, CODING, TILES);
        let model = train(CODING, TILES, std::slice::from_ref(&block)).unwrap();
        let bytes = BlockEncoder::new(&model).encode(&block).unwrap().0.to_vec();
        let mut flipped = bytes.clone();
        if !bytes.is_empty() {
            flipped[at.index(bytes.len())] ^= 1 << (seed % 8);
        }
        let cut = &bytes[..at.index(bytes.len() + 1)];
        let mut room = [[0; SQUARES]; TILES];
        for bytes in [&garbage, &flipped, cut] {
            // Whatever the bytes are, all codes have values.
            if decode(&model, bytes, |tile| block[tile].shape, &mut room).is_ok() {
                prop_assert!(room.iter().flatten().all(|&code| model.scale().holds(code)));
            }
            let last = TileSquare { tile: seed as usize % 9, square: seed as usize };
            let _ = decode_to(&model, bytes, |_| TileShape { kept: !0, ..TileShape::default() }, last, &mut room);
        }
    }

    #[test]
    fn damaged_models_never_panic(
        seed in any::<u64>(),
        at in any::<prop::sample::Index>(),
        to in any::<u8>(),
    ) {
        let block = drawn(seed, CODING, TILES);
        let model = train(CODING, TILES, std::slice::from_ref(&block)).unwrap();
        let bytes = BlockEncoder::new(&model).encode(&block).unwrap().0.to_vec();
        let mut encoded = model.encode();
        prop_assert_eq!(Model::decode(CODING, &encoded), Ok(model));
        prop_assert!(Model::decode(CODING, &encoded[..at.index(encoded.len())]).is_err());
        prop_assert!(Model::decode(WIDE, &encoded).is_err());
        let place = at.index(encoded.len().min(400));
        encoded[place] = to;
        if let Ok(model) = Model::decode(CODING, &encoded) {
            let mut room = [[0; SQUARES]; TILES];
            let _ = decode(&model, &bytes, |tile| block[tile].shape, &mut room);
        }
    }
}

#[test]
fn blocks_of_likeliest_symbols_take_no_byte() {
    let draws = vec![
        TargetTile {
            shape: TileShape { kept: !0, ..TileShape::default() },
            ..TargetTile::EMPTY
        };
        4
    ];
    let model = train(CODING, TILES, &[draws.clone(), draws.clone()]).unwrap();
    assert!(BlockEncoder::new(&model).encode(&draws).unwrap().0.is_empty());
}

#[test]
fn invalid_blocks_are_errors() {
    let block = drawn(1, CODING, TILES);
    let model = train(CODING, TILES, std::slice::from_ref(&block)).unwrap();
    let mut encoder = BlockEncoder::new(&model);
    assert!(encoder.encode(&[]).is_err());
    assert!(encoder.encode(&drawn(1, CODING, TILES + 1)).is_err());
    let mut foreign = block.clone();
    for tile in &mut foreign {
        *tile = TargetTile {
            shape: TileShape { kept: 1, ..tile.shape },
            codes: [999; SQUARES],
            dont_care: 0,
        };
    }
    assert!(encoder.encode(&foreign).is_err());
    assert!(train(CODING, 0, &[]).is_err());
    assert!(train(CODING, 65, &[]).is_err());
}

/// The table of a material.
fn solved(material: &str) -> Arc<Table> {
    TableStore::in_memory(&MAKRUK.rules).table(material.parse().unwrap()).unwrap()
}

/// Some tiles of a side, as many as there are up to the end of their king pair.
fn gathered(tiles: &Tiles, table: &Table, side: Side, first: u64, count: usize) -> Vec<TargetTile> {
    let codes = CodeRun::of(table.values(side).unwrap());
    let end = tiles.len().min(first + count as u64);
    let target = |number| TargetTile::new(tiles, &tiles.tile(TileNumber(number)), side, &codes);
    (first..end).map(target).collect()
}

#[test]
fn solved_tables_decode() {
    for (name, bits) in [("KRvKM", 2.5), ("KMMvK", 2.0), ("KSvKP", 1.0)] {
        let table = solved(name);
        for &side in Table::sides(table.index()) {
            let coding = table.values(side).unwrap().coding();
            let blocks = |tiles: &Tiles, step: usize| -> Vec<_> {
                let starts = (0..tiles.len()).step_by(TILES * step);
                starts.map(|first| gathered(tiles, &table, side, first, TILES)).collect()
            };
            let sample = |tiles: &Tiles| blocks(tiles, 16);
            let tile_order = TileOrder::all(table.index()).pop().unwrap();
            let tiles = Tiles::new(table.index(), &MAKRUK, &tile_order).unwrap();
            let model = train(coding, TILES, &sample(&tiles)).unwrap();
            assert_eq!(train(coding, TILES, &sample(&tiles)).unwrap(), model);
            let mut encoder = BlockEncoder::new(&model);
            let mut length = 0;
            for block in blocks(&tiles, 1) {
                let (bytes, codes) = encoder.encode(&block).unwrap();
                length += bytes.len();
                decodes(&model, &block, bytes, codes);
            }
            let taken = 8.0 * length as f64 / table.index().slots() as f64;
            assert!(taken < bits, "{name} {side:?} {taken} bits a slot");
        }
    }
}
