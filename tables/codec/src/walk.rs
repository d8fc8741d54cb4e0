//! The walk through the squares of a block. Reading, writing and counting share the walk.

use crate::context::ContextSquares;
use crate::error::CodecError;
use crate::prediction::{NearbyCodes, Prediction};
use crate::scale::Scale;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::packed::header::MAX_TILES;
use sakmak_tables::tiles::tile::TileCodes;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::tiles::tile::shape::TileShape;

/// The source of codes on a walk: decoded, encoded or counted.
pub trait Walker {
    /// The error that ends a walk early.
    type Error: From<CodecError>;

    /// The base of the block.
    fn base(&mut self) -> Result<u16, Self::Error>;

    /// The shape of a tile; called once for each tile, in order.
    fn shape(&mut self, tile: usize) -> TileShape;

    /// The code of a kept square.
    fn code(&mut self, square: TileSquare, prediction: &Prediction<'_>)
    -> Result<u16, Self::Error>;
}

/// The part of a model that predictions come from.
#[derive(Clone, Copy, Debug)]
pub struct Predictor<'a> {
    /// The squares a prediction reads.
    pub squares: &'a ContextSquares,
    /// The reference tile of each tile of a block: an earlier tile that it is compared with.
    pub references: &'a [Option<u8>],
    /// The meaning of the codes.
    pub scale: Scale,
}

impl Predictor<'_> {
    /// Walks through a block up to and including `last` and leaves the codes in `tiles`. Squares
    /// that are not kept get the first prediction.
    ///
    /// # Errors
    ///
    /// The errors of the walker; an error if `tiles` or the blocks of the model have no such tile.
    #[inline(always)]
    pub fn walk<W: Walker>(
        &self,
        walker: &mut W,
        tiles: &mut [TileCodes],
        last: TileSquare,
    ) -> Result<(), W::Error> {
        let room = tiles.len().min(self.references.len());
        let too_few = CodecError::Tile { tiles: room, tile: last.tile };
        let base = walker.base()?;
        // A bit for each square of a tile whose code is not the first prediction.
        let mut missed = [0u64; MAX_TILES];
        for tile in 0..=last.tile {
            let shape = walker.shape(tile);
            let (before, rest) = tiles.split_at_mut(tile.min(room));
            let (Some(current), Some(number)) = (rest.first_mut(), self.references.get(tile))
            else {
                return Err(too_few.into());
            };
            let missed_there = number.map_or(0, |number| missed[usize::from(number) % MAX_TILES]);
            let reference = number.and_then(|number| before.get(usize::from(number)));
            let mut missed_here = 0u64;
            let end = if tile == last.tile { last.square % SQUARES + 1 } else { SQUARES };
            if shape.kept == 0 {
                *current = reference.copied().unwrap_or([base; SQUARES]);
                continue;
            }
            // The first square has no square before it and reads itself.
            current[0] = reference.map_or(base, |reference| reference[0]);
            for square in 0..end {
                let bit = |set: u64, at: usize| (set >> (at % SQUARES) & 1) as u32;
                let (near, beyond) = (self.squares.near(square), self.squares.beyond(square));
                let misses = bit(missed_here, near[0].into())
                    + bit(missed_here, near[1].into())
                    + bit(missed_there, square)
                    + bit(missed_there, beyond);
                let nearby = NearbyCodes {
                    near,
                    square,
                    beyond,
                    current,
                    reference,
                    base,
                    scale: self.scale,
                    misses: misses.min(3),
                };
                let hints = bit(shape.attacked, square) | bit(shape.guarding, square) << 1;
                let prediction = Prediction::new(nearby, hints);
                let first = prediction.first();
                current[square] = match bit(shape.kept, square) {
                    0 => first,
                    _ => walker.code(TileSquare { tile, square }, &prediction)?,
                };
                missed_here |= u64::from(current[square] != first) << square;
            }
            missed[tile % MAX_TILES] = missed_here;
        }
        Ok(())
    }
}
