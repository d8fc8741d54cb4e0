//! A model from some blocks of a table.

use crate::output::packed::encoder::alike::{neighbour_order, panels_above};
use crate::output::packed::encoder::count::Counter;
use crate::output::packed::encoder::wanted::Wanted;
use sakmak_tables::packed_codec::MAX_PANELS;
use sakmak_tables::packed_codec::error::CodecError;
use sakmak_tables::packed_codec::model::{Model, Parts};
use sakmak_tables::packed_codec::context::Neighbours;
use sakmak_tables::packed_codec::scale::Scale;
use sakmak_tables::packed_codec::walk::{Guide, Spot};
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::values::Coding;

/// The model for blocks of so many panels that these blocks suggest.
///
/// Blocks may be shorter, as the last of a table is. All codes must be of the coding; the
/// model can write any of them, seen or not.
///
/// # Errors
///
/// When blocks cannot have so many panels.
pub fn train(coding: Coding, panels: usize, blocks: &[Vec<Wanted>]) -> Result<Model, CodecError> {
    if panels == 0 || panels > MAX_PANELS {
        return Err(CodecError::Panel { panels: MAX_PANELS, asked: panels });
    }
    let scale = Scale::of(coding);
    let neighbours = Neighbours::new(neighbour_order(blocks))?;
    let above = panels_above(blocks, panels);
    let guide = Guide { neighbours: &neighbours, above: &above, scale };
    let mut counter = Counter::new(scale);
    let mut codes = vec![[0; SQUARES]; panels];
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        counter.block = block;
        let last = Spot { panel: block.len() - 1, square: SQUARES - 1 };
        guide.walk(&mut counter, &mut codes, last)?;
    }
    let (distributions, of_context) = counter.distributions();
    let [base, literal] = counter.digits();
    Model::new(coding, Parts { neighbours, above, distributions, of_context, base, literal })
}
