#![no_main]
//! Blocks of any bytes, decoded with a valid model, a patched one or a random one: alone, and
//! sixteen in lockstep with all registers.

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sakmak_codec::ans::{Distribution, SYMBOLS};
use sakmak_codec::context::ContextSquares;
use sakmak_codec::decode::{decode, decode_to};
use sakmak_codec::lane_decode::{BlockEnd, LaneDecoder};
use sakmak_codec::lanes::LANES;
use sakmak_codec::lanes::registers::LaneRegisters;
use sakmak_codec::model::{DigitModel, Model, ModelParts};
use sakmak_codec::prediction::CONTEXTS;
use sakmak_codec::scale::Scale;
use sakmak_fuzz::damage::{Patch, patch};
use sakmak_fuzz::fixture::{packed, solved, wide};
use sakmak_fuzz::forge::packed_layout;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::HEADER_LENGTH;
use sakmak_tables::format::packed::header::PackedHeader;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::tile::shape::TileShape;
use sakmak_tables::tiles::tile::{TileNumber, TileSquare, Tiles};
use sakmak_tables::values::Coding;
use std::sync::LazyLock;

#[derive(Arbitrary, Debug)]
struct CodecCodecInput<'a> {
    wide: bool,
    model: ModelChoice,
    /// The first tile of the block, the number of its tiles, and the tile and square to decode to.
    first_tile: u16,
    tiles: u8,
    last: (u8, u8),
    bytes: &'a [u8],
}

/// The model of a block.
#[derive(Arbitrary, Debug)]
enum ModelChoice {
    Valid,
    /// The valid model with its bytes patched.
    Patched(Vec<Patch>),
    Random(RandomModel),
}

#[derive(Arbitrary, Debug)]
struct RandomModel {
    wins: u16,
    losses: Option<u16>,
    /// The first step to near squares; the other steps follow it.
    first_step: u8,
    references: Vec<Option<u8>>,
    counts: Vec<[u16; SYMBOLS]>,
    distribution_of: u8,
}

impl RandomModel {
    /// The model. `None` if the coding or the model is invalid.
    fn model(&self) -> Option<Model> {
        let losses = self.losses.map(|moves| Moves(moves.into()));
        let coding = Coding { wins: Moves(self.wins.into()), losses };
        if coding.codes() > 1 << u16::BITS {
            return None;
        }
        let order = std::array::from_fn(|place| (self.first_step as usize + place) as u8 % 8);
        let mut distributions: Vec<Distribution> =
            self.counts.iter().map(|counts| Distribution::of(&counts.map(u32::from))).collect();
        distributions.push(Distribution::of(&[1; SYMBOLS]));
        let number = |at: usize| at.wrapping_mul(self.distribution_of.into()) % distributions.len();
        let distribution_of = (0..CONTEXTS).map(|context| number(context) as u16).collect();
        let digits = |_| distributions[distributions.len() / 2];
        let digits =
            DigitModel((0..DigitModel::distributions(Scale::of(coding))).map(digits).collect());
        let (base, literal) = (digits.clone(), digits);
        let (squares, references) = (ContextSquares::new(order).ok()?, self.references.clone());
        let parts =
            ModelParts { squares, references, distributions, distribution_of, base, literal };
        let model = Model::new(coding, parts).ok()?;
        assert!(Model::decode(coding, &model.encode()).as_ref() == Ok(&model));
        Some(model)
    }
}

struct CodecFixture {
    coding: Coding,
    bytes: Vec<u8>,
    model: Model,
    tiles: Tiles,
    kept: Side,
}

static FIXTURES: LazyLock<[CodecFixture; 2]> = LazyLock::new(|| {
    [solved(), wide()].map(|table| {
        let file = packed(table, 16).file;
        let header = PackedHeader::decode(file.first_chunk().expect("a header")).expect("a header");
        let (coding, kept) = (header.coding, header.kept);
        let length = header.model_length as usize;
        let packed = &file[HEADER_LENGTH..HEADER_LENGTH + length];
        let bytes = zstd::bulk::decompress(packed, 1 << 23).expect("a right model");
        let model = Model::decode(coding, &bytes).expect("a right model");
        assert!(model.encode() == bytes);
        let (_, tiles) = packed_layout(header).expect("a right header");
        CodecFixture { coding, bytes, model, tiles, kept }
    })
});

fuzz_target!(init: LazyLock::force(&FIXTURES), |input: CodecCodecInput| try_it(&input));

fn try_it(input: &CodecCodecInput) {
    let fixture = &FIXTURES[usize::from(input.wide)];
    let other = match &input.model {
        ModelChoice::Valid => None,
        ModelChoice::Patched(patches) => {
            let mut bytes = fixture.bytes.clone();
            let end = bytes.len();
            let parts = [0..16, 0..1024, 1024..end - 2048, end - 2048..end, 0..end];
            patch(patches, &mut bytes, &parts);
            let Ok(model) = Model::decode(fixture.coding, &bytes) else { return };
            assert!(model.encode() == bytes);
            Some(model)
        }
        ModelChoice::Random(random) => {
            let Some(model) = random.model() else { return };
            Some(model)
        }
    };
    let model = other.as_ref().unwrap_or(&fixture.model);
    let count = fixture.tiles.len();
    let shape = |tile: usize| -> TileShape {
        let number = (u64::from(input.first_tile) + tile as u64) % count;
        fixture.tiles.shape(&fixture.tiles.tile(TileNumber(number)), fixture.kept)
    };
    // Up to one tile more than any block has.
    let mut all = vec![[0; SQUARES]; usize::from(input.tiles) % 66];
    let whole = decode(model, input.bytes, shape, &mut all);
    let last = TileSquare { tile: input.last.0.into(), square: input.last.1.into() };
    let mut some = vec![[0; SQUARES]; all.len()];
    let part = decode_to(model, input.bytes, shape, last, &mut some);
    if whole.is_ok() {
        assert_eq!(part.is_ok(), last.tile < all.len());
        assert!(all.iter().flatten().all(|&code| model.scale().holds(code)));
    }
    if whole.is_ok() && part.is_ok() {
        assert!(all[..last.tile] == some[..last.tile]);
        let end = last.square % SQUARES + 1;
        assert!(all[last.tile][..end] == some[last.tile][..end]);
    }
    if !all.is_empty() {
        let end = if input.wide { BlockEnd::Whole(all.len()) } else { BlockEnd::Square(last) };
        try_lanes(model, input.bytes, shape, end);
    }
}

/// Decodes the bytes, and some of their suffixes, in lockstep and one by one.
fn try_lanes(model: &Model, bytes: &[u8], shape: impl Fn(usize) -> TileShape, end: BlockEnd) {
    let (tiles, last) = match end {
        BlockEnd::Whole(tiles) => (tiles, SQUARES - 1),
        BlockEnd::Square(last) => (last.tile + 1, last.square % SQUARES),
    };
    let block = |lane: usize| &bytes[lane.min(bytes.len())..];
    let mut codes = vec![vec![[0; SQUARES]; tiles]; LANES];
    let alone: Vec<bool> = (0..LANES)
        .map(|lane| {
            let decoded = match end {
                BlockEnd::Whole(_) => decode(model, block(lane), &shape, &mut codes[lane]),
                BlockEnd::Square(last) => {
                    decode_to(model, block(lane), &shape, last, &mut codes[lane])
                }
            };
            decoded.is_ok()
        })
        .collect();
    for registers in LaneRegisters::available() {
        let mut decoder = LaneDecoder::new(registers);
        let mut batch = decoder.start(model);
        for lane in 0..LANES {
            batch.add(block(lane), &shape, end);
        }
        let together = batch.decode().map(|result| result.is_ok());
        assert_eq!(together[..], alone[..], "{registers:?}");
        for (lane, codes) in codes.iter().enumerate().filter(|&(lane, _)| alone[lane]) {
            for (tile, codes) in codes.iter().enumerate() {
                let squares = if tile + 1 == tiles { last + 1 } else { SQUARES };
                let kept = shape(tile).kept;
                for square in (0..squares).filter(|square| kept >> square & 1 != 0) {
                    let found = decoder.code(lane, TileSquare { tile, square });
                    assert_eq!(found, Some(codes[square]), "{registers:?}");
                }
            }
        }
    }
}
