//! How one side of a table is laid out best, and the model it is written with: found on
//! samples of its blocks.

use crate::output::packed::error::PackProblem;
use crate::output::packed::source::Source;
use crate::output::packed::encoder::encode::Encoder;
use crate::output::packed::encoder::train::train;
use crate::output::packed::encoder::wanted::Wanted;
use rayon::prelude::*;
use sakmak_tables::packed_codec::MAX_PANELS;
use sakmak_tables::packed_codec::error::CodecError;
use sakmak_tables::packed_codec::model::Model;
use sakmak_tables::index::Index;
use sakmak_tables::tiles::tile::Panels;
use sakmak_tables::tiles::order::Arrangement;
use sakmak_tables::board::square::SQUARES;
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
    /// The arrangement of panels.
    pub arrangement: Arrangement,
    /// The panels.
    pub panels: Panels,
    /// The model.
    pub model: Model,
    /// The longest block of the sample, in bytes.
    pub longest: usize,
    /// About how many bytes all blocks take.
    pub bytes: u64,
}

impl Chosen {
    /// What is best for blocks of so many panels; the first of equals.
    ///
    /// # Errors
    ///
    /// When blocks cannot have so many panels.
    pub fn of(
        source: &Source<'_>,
        index: &Index,
        variant: &'static Variant,
        block_panels: usize,
    ) -> Result<Chosen, PackProblem> {
        if !(1..=MAX_PANELS).contains(&block_panels) {
            return Err(CodecError::Panel { panels: MAX_PANELS, asked: block_panels }.into());
        }
        let judged = Arrangement::all(index).into_par_iter().map(|arrangement| {
            let Some(panels) = Panels::new(index, variant, &arrangement) else { return Ok(None) };
            let sample = sample(source, &panels, block_panels, JUDGED);
            let model = train(source.coding(), block_panels, &sample)?;
            let bytes = Cost::of(&model, &sample, &panels)?.all;
            Ok(Some((bytes, arrangement, panels)))
        });
        let judged: Vec<_> = judged.collect::<Result<_, CodecError>>()?;
        let best = judged.into_iter().flatten().min_by_key(|&(bytes, ..)| bytes);
        let (_, arrangement, panels) = best.ok_or(PackProblem::Empty)?;
        let sample = sample(source, &panels, block_panels, LEARNED);
        let model = train(source.coding(), block_panels, &sample)?;
        let Cost { all: bytes, longest } = Cost::of(&model, &sample, &panels)?;
        Ok(Chosen { arrangement, panels, model, longest, bytes })
    }
}

/// Blocks of about so many slots, drawn evenly from all.
fn sample(
    source: &Source<'_>,
    panels: &Panels,
    block_panels: usize,
    slots: u64,
) -> Vec<Vec<Wanted>> {
    let size = block_panels as u64;
    let blocks = panels.len().div_ceil(size);
    let wanted = slots / (size * SQUARES as u64);
    let block =
        |number: u64| source.panels(panels, number * size..panels.len().min((number + 1) * size));
    if blocks <= wanted {
        return (0..blocks).into_par_iter().map(block).collect();
    }
    // Evenly spread, but for no period that the order of panels may have.
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
    fn of(model: &Model, sample: &[Vec<Wanted>], panels: &Panels) -> Result<Cost, CodecError> {
        let mut encoder = Encoder::new(model);
        let (mut bytes, mut longest, mut seen) = (0u64, 0, 0u64);
        for block in sample.iter().filter(|block| !block.is_empty()) {
            let length = encoder.encode(block)?.0.len();
            bytes += length as u64;
            longest = longest.max(length);
            seen += block.len() as u64;
        }
        let all = u128::from(bytes) * u128::from(panels.len()) / u128::from(seen.max(1));
        Ok(Cost { all: all as u64, longest })
    }
}
