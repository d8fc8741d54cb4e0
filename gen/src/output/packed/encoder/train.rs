//! A model from some blocks of a table.

use crate::output::packed::encoder::alike::{neighbour_order, tiles_above};
use crate::output::packed::encoder::count::Counter;
use crate::output::packed::encoder::wanted::Wanted;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::packed_codec::MAX_TILES;
use sakmak_tables::packed_codec::context::Neighbours;
use sakmak_tables::packed_codec::error::CodecError;
use sakmak_tables::packed_codec::model::{Model, Parts};
use sakmak_tables::packed_codec::scale::Scale;
use sakmak_tables::packed_codec::walk::{Guide, Spot};
use sakmak_tables::values::Coding;

/// The model for blocks of so many tiles that these blocks suggest.
///
/// Blocks may be shorter, as the last of a table is. All codes must be of the coding; the
/// model can write any of them, seen or not.
///
/// # Errors
///
/// When blocks cannot have so many tiles.
pub fn train(coding: Coding, tiles: usize, blocks: &[Vec<Wanted>]) -> Result<Model, CodecError> {
    if tiles == 0 || tiles > MAX_TILES {
        return Err(CodecError::Tile { tiles: MAX_TILES, asked: tiles });
    }
    let scale = Scale::of(coding);
    let neighbours = Neighbours::new(neighbour_order(blocks))?;
    let above = tiles_above(blocks, tiles);
    let guide = Guide { neighbours: &neighbours, above: &above, scale };
    let mut counter = Counter::new(scale);
    let mut codes = vec![[0; SQUARES]; tiles];
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        counter.block = block;
        let last = Spot { tile: block.len() - 1, square: SQUARES - 1 };
        guide.walk(&mut counter, &mut codes, last)?;
    }
    let (distributions, of_context) = counter.distributions();
    let [base, literal] = counter.digits();
    Model::new(coding, Parts { neighbours, above, distributions, of_context, base, literal })
}
