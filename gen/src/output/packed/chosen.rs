//! How one side of a table is laid out best, and the model it is written with: found on
//! samples of its blocks.

use crate::output::packed::encoder::encode::Encoder;
use crate::output::packed::encoder::train::train;
use crate::output::packed::encoder::wanted::Wanted;
use crate::output::packed::error::PackProblem;
use crate::output::packed::source::Source;
use rayon::prelude::*;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::index::Index;
use sakmak_tables::packed_codec::MAX_TILES;
use sakmak_tables::packed_codec::error::CodecError;
use sakmak_tables::packed_codec::model::Model;
use sakmak_tables::tiles::order::Arrangement;
use sakmak_tables::tiles::tile::Tiles;
use sakmak_tables::variant::Variant;

/// Slots of a sample that an arrangement is judged by.
const JUDGED: u64 = 1 << 19;

/// Slots of a sample that a model is made from.
const LEARNED: u64 = 1 << 23;

/// A prime about the golden part of a 64-bit number: its multiples are spread evenly.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c55;

/// How a side is written.
#[derive(Debug)]
pub struct Chosen {
    /// The arrangement of tiles.
    pub arrangement: Arrangement,
    /// The tiles.
    pub tiles: Tiles,
    /// The model.
    pub model: Model,
    /// The longest block of the sample, in bytes.
    pub longest: usize,
    /// About how many bytes all blocks take.
    pub bytes: u64,
}

impl Chosen {
    /// What is best for blocks of so many tiles; the first of equals.
    ///
    /// # Errors
    ///
    /// When blocks cannot have so many tiles.
    pub fn of(
        source: &Source<'_>,
        index: &Index,
        variant: &'static Variant,
        block_tiles: usize,
    ) -> Result<Chosen, PackProblem> {
        if !(1..=MAX_TILES).contains(&block_tiles) {
            return Err(CodecError::Tile { tiles: MAX_TILES, asked: block_tiles }.into());
        }
        let judged = Arrangement::all(index).into_par_iter().map(|arrangement| {
            let Some(tiles) = Tiles::new(index, variant, &arrangement) else { return Ok(None) };
            let sample = sample(source, &tiles, block_tiles, JUDGED);
            let model = train(source.coding(), block_tiles, &sample)?;
            let bytes = Cost::of(&model, &sample, &tiles)?.all;
            Ok(Some((bytes, arrangement, tiles)))
        });
        let judged: Vec<_> = judged.collect::<Result<_, CodecError>>()?;
        let best = judged.into_iter().flatten().min_by_key(|&(bytes, ..)| bytes);
        let (_, arrangement, tiles) = best.ok_or(PackProblem::Empty)?;
        let sample = sample(source, &tiles, block_tiles, LEARNED);
        let model = train(source.coding(), block_tiles, &sample)?;
        let Cost { all: bytes, longest } = Cost::of(&model, &sample, &tiles)?;
        Ok(Chosen { arrangement, tiles, model, longest, bytes })
    }
}

/// Blocks of about so many slots, drawn evenly from all.
fn sample(source: &Source<'_>, tiles: &Tiles, block_tiles: usize, slots: u64) -> Vec<Vec<Wanted>> {
    let size = block_tiles as u64;
    let blocks = tiles.len().div_ceil(size);
    let wanted = slots / (size * SQUARES as u64);
    let block =
        |number: u64| source.tiles(tiles, number * size..tiles.len().min((number + 1) * size));
    if blocks <= wanted {
        return (0..blocks).into_par_iter().map(block).collect();
    }
    // Evenly spread, but for no period that the order of tiles may have.
    let number = |n: u64| ((u128::from(n.wrapping_mul(SPREAD)) * u128::from(blocks)) >> 64) as u64;
    (1..=wanted).into_par_iter().map(|n| block(number(n))).collect()
}

/// What blocks take.
struct Cost {
    /// Bytes of all blocks of the table, by those of the sample.
    all: u64,
    /// The longest of the sample.
    longest: usize,
}

impl Cost {
    fn of(model: &Model, sample: &[Vec<Wanted>], tiles: &Tiles) -> Result<Cost, CodecError> {
        let mut encoder = Encoder::new(model);
        let (mut bytes, mut longest, mut seen) = (0u64, 0, 0u64);
        for block in sample.iter().filter(|block| !block.is_empty()) {
            let length = encoder.encode(block)?.0.len();
            bytes += length as u64;
            longest = longest.max(length);
            seen += block.len() as u64;
        }
        let all = u128::from(bytes) * u128::from(tiles.len()) / u128::from(seen.max(1));
        Ok(Cost { all: all as u64, longest })
    }
}
