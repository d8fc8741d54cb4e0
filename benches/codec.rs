//! The codec alone: codes encoded and decoded per second, and single codes decoded, on one thread.
//! The table is `KRvKM` with White to move, with 2 and 8 tiles per block.
//!
//! `write` encodes 16 blocks in lockstep, `read` decodes them, each with all registers of the
//! processor that can hold lanes; `write and check` decodes its output and compares it. `read one`
//! decodes one block after another.
//!
//! `shape` computes the shapes of tiles from their pieces, which encoder and decoder also need; the
//! other measurements have them ready.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakmak_benches::{material, solve, successors};
use sakmak_codec::decode::{decode, decode_to};
use sakmak_codec::lane_decode::{BlockEnd, LaneDecoder};
use sakmak_codec::lanes::LANES;
use sakmak_codec::lanes::registers::LaneRegisters;
use sakmak_make::output::packed::encoder::lane_encoder::{EncoderModel, LaneEncoder};
use sakmak_make::output::packed::encoder::target_tile::TargetTile;
use sakmak_make::output::packed::encoder::train;
use sakmak_solve::slots::code_run::CodeRun;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::order::TileOrder;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::tiles::tile::{TileNumber, Tiles};
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::hint::black_box;

/// Every n-th block trains the model.
const SAMPLE: usize = 8;
/// Every n-th block is encoded and decoded.
const MEASURED: usize = 16;
/// Codes decoded one by one in a round.
const LOOK_UPS: usize = 1000;

/// Every `step`-th block of a table with White to move, with `count` tiles each.
fn blocks(table: &Table, tiles: &Tiles, count: usize, step: usize) -> Vec<Vec<TargetTile>> {
    let codes = CodeRun::of(table.values(Side::White).expect("White to move"));
    let target =
        |number: u64| TargetTile::new(tiles, &tiles.tile(TileNumber(number)), Side::White, &codes);
    let block = |first: u64| (first..tiles.len().min(first + count as u64)).map(target).collect();
    (0..tiles.len()).step_by(count * step).map(block).collect()
}

fn codec(criterion: &mut Criterion) {
    let material = material("KRvKM");
    let table = solve(&successors(material), material);
    let coding = table.values(Side::White).expect("White to move").coding();
    for count in [2, 8] {
        let sample = |tiles: &Tiles| blocks(&table, tiles, count, SAMPLE);
        // The rook runs, the met changes next.
        let tile_order = TileOrder::all(table.index()).swap_remove(0);
        let tiles = Tiles::new(table.index(), &MAKRUK, &tile_order).expect("an tile_order");
        let model = train(coding, count, &sample(&tiles)).expect("a model");
        let measured = blocks(&table, &tiles, count, MEASURED);
        let groups: Vec<Vec<&[TargetTile]>> =
            measured.chunks(LANES).map(|group| group.iter().map(Vec::as_slice).collect()).collect();
        let encoder_model = EncoderModel::new(&model);
        let mut encoder = LaneEncoder::new(&encoder_model);
        let mut encoded = Vec::new();
        for group in &groups {
            encoded.extend(encoder.encode(group).expect("blocks").map(<[u8]>::to_vec));
        }
        let codes = measured.iter().map(Vec::len).sum::<usize>() * SQUARES;
        let bytes: usize = encoded.iter().map(Vec::len).sum();
        println!("{count} tiles a block: {:.3} bits a slot", 8.0 * bytes as f64 / codes as f64);

        let mut group = criterion.benchmark_group(format!("codec, {count} tiles a block"));
        group.throughput(Throughput::Elements(codes as u64));
        for registers in LaneRegisters::available() {
            let mut encoder = LaneEncoder::with_registers(&encoder_model, registers);
            group.bench_function(format!("write, {registers:?}"), |bencher| {
                bencher.iter(|| {
                    for group in &groups {
                        black_box(encoder.encode(group).expect("blocks").count());
                    }
                });
            });
            group.bench_function(format!("write and check, {registers:?}"), |bencher| {
                bencher.iter(|| {
                    for group in &groups {
                        drop(encoder.encode(group).expect("blocks"));
                        assert_eq!(encoder.first_misread(group), None);
                    }
                });
            });
            let mut decoder = LaneDecoder::new(registers);
            group.bench_function(format!("read, {registers:?}"), |bencher| {
                bencher.iter(|| {
                    for (group, bytes) in groups.iter().zip(encoded.chunks(LANES)) {
                        let mut batch = decoder.start(&model);
                        for (block, bytes) in group.iter().zip(bytes) {
                            let end = BlockEnd::Whole(block.len());
                            batch.add(bytes, |tile| block[tile].shape, end);
                        }
                        assert!(batch.decode().iter().all(Result::is_ok));
                    }
                });
            });
        }
        let mut room = vec![[0; SQUARES]; count];
        group.bench_function("read one", |bencher| {
            bencher.iter(|| {
                for (block, bytes) in measured.iter().zip(&encoded) {
                    let room = &mut room[..block.len()];
                    decode(&model, bytes, |tile| block[tile].shape, room).expect("a block");
                    black_box(room);
                }
            });
        });
        group.bench_function("shape", |bencher| {
            bencher.iter(|| {
                for number in 0..codes / SQUARES {
                    let tile = tiles.tile(TileNumber(number as u64));
                    black_box(tiles.shape(&tile, Side::White));
                }
            });
        });
        let spots: Vec<(usize, TileSquare)> = (0..LOOK_UPS * 8)
            .map(|number| number * 7919)
            .filter_map(|number| {
                let block = number / 13 % measured.len();
                let tile = number % measured[block].len();
                let square = number / 5 % SQUARES;
                let legal = measured[block][tile].shape.kept >> square & 1 != 0;
                legal.then_some((block, TileSquare { tile, square }))
            })
            .take(LOOK_UPS)
            .collect();
        group.throughput(Throughput::Elements(spots.len() as u64));
        group.bench_function("look up", |bencher| {
            bencher.iter(|| {
                for &(block, spot) in &spots {
                    let (tiles, bytes) = (&measured[block], &encoded[block]);
                    let shape = |tile: usize| tiles[tile].shape;
                    assert_eq!(decode_to(&model, bytes, shape, spot, &mut room), Ok(()));
                    let code = room[spot.tile][spot.square];
                    assert_eq!(code, tiles[spot.tile].codes[spot.square]);
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, codec);
criterion_main!(benches);
