//! Which man runs and in which order the others stand: tried on some blocks.

use super::encode::Encoder;
use super::train::train;
use super::wanted::Wanted;
use sakmak_tables::codec::error::CodecError;
use sakmak_tables::index::Index;
use sakmak_tables::panel::{Arrangement, Panels};
use sakmak_tables::values::Coding;
use sakmak_tables::variant::Variant;

/// The arrangement in which a sample takes the least bytes, and how many those are; the
/// first of equals.
///
/// `sample` gives some blocks of so many panels, about as many slots of each arrangement.
/// The bytes of two sides to move can be compared in the same way.
///
/// # Errors
///
/// When the sample is not of the coding, or blocks cannot have so many panels.
pub fn choose(
    index: &Index,
    variant: &'static Variant,
    coding: Coding,
    panels: usize,
    sample: impl Fn(&Panels) -> Vec<Vec<Wanted>>,
) -> Result<Option<(Arrangement, u64)>, CodecError> {
    let mut best: Option<(Arrangement, u64)> = None;
    for arrangement in Arrangement::all(index) {
        let Some(laid_out) = Panels::new(index, variant, &arrangement) else { continue };
        let blocks = sample(&laid_out);
        let model = train(coding, panels, &blocks)?;
        let mut encoder = Encoder::new(&model);
        let mut bytes = 0;
        for block in blocks.iter().filter(|block| !block.is_empty()) {
            bytes += encoder.encode(block)?.0.len() as u64;
        }
        if best.as_ref().is_none_or(|&(_, least)| bytes < least) {
            best = Some((arrangement, bytes));
        }
    }
    Ok(best)
}
