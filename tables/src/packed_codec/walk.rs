//! The way through a block, the same for whoever reads, writes or counts.

use crate::board::square::SQUARES;
use crate::packed_codec::context::Neighbours;
use crate::packed_codec::error::CodecError;
use crate::packed_codec::prediction::{Around, Guess};
use crate::packed_codec::scale::Scale;
use crate::packed_codec::{Codes, MAX_TILES};

/// What is known of a tile before any of its codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    /// A bit for each square with the runner on which the slot may be asked for. The codes
    /// of the others are not kept.
    pub kept: u64,
    /// A bit for each square on which an enemy attacks the runner.
    pub attacked: u64,
    /// A bit for each square from which the runner guards a piece of its side, its king
    /// apart.
    pub guarding: u64,
}

/// Where a walk has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The tile, counted in the block.
    pub tile: usize,
    /// The square of the runner.
    pub square: usize,
}

/// What looks up or chooses the codes on a walk.
pub trait Walker {
    /// Why a walk is broken off.
    type Error: From<CodecError>;

    /// The base of the block.
    fn base(&mut self) -> Result<u16, Self::Error>;

    /// What is known of a tile; asked for once each, in order.
    fn shape(&mut self, tile: usize) -> Shape;

    /// The code of a slot that is kept.
    fn code(&mut self, spot: Spot, guess: &Guess<'_>) -> Result<u16, Self::Error>;
}

/// The part of a model that guesses are made from.
#[derive(Clone, Copy, Debug)]
pub struct Guide<'a> {
    /// Which squares are asked.
    pub neighbours: &'a Neighbours,
    /// For each tile of a block the earlier one it is compared with.
    pub above: &'a [Option<u8>],
    /// What the codes stand for.
    pub scale: Scale,
}

impl Guide<'_> {
    /// Walks through a block up to and with a square of a tile, and leaves the codes in
    /// `tiles`; those of slots not kept are whatever is guessed.
    ///
    /// # Errors
    ///
    /// Those of the walker, and when `tiles` has no room for so many or no block has.
    #[inline(always)]
    pub fn walk<W: Walker>(
        &self,
        walker: &mut W,
        tiles: &mut [Codes],
        last: Spot,
    ) -> Result<(), W::Error> {
        let room = tiles.len().min(self.above.len());
        let too_few = CodecError::Tile { tiles: room, asked: last.tile };
        let base = walker.base()?;
        // A bit for each square of a tile whose code was not the first guess.
        let mut missed = [0u64; MAX_TILES];
        for tile in 0..=last.tile {
            let shape = walker.shape(tile);
            let (before, rest) = tiles.split_at_mut(tile.min(room));
            let (Some(current), Some(above)) = (rest.first_mut(), self.above.get(tile)) else {
                return Err(too_few.into());
            };
            let missed_above = above.map_or(0, |above| missed[usize::from(above) % MAX_TILES]);
            let above = above.and_then(|above| before.get(usize::from(above)));
            let mut missed_here = 0u64;
            let end = if tile == last.tile { last.square % SQUARES + 1 } else { SQUARES };
            if shape.kept == 0 {
                match above {
                    Some(above) => *current = *above,
                    None => current.fill(base),
                }
                continue;
            }
            // The first square asks itself.
            current[0] = above.map_or(base, |above| above[0]);
            for square in 0..end {
                let bit = |set: u64| (set >> square & 1) as u32;
                let hints = bit(shape.attacked) | bit(shape.guarding) << 1;
                let (near, beyond) = (self.neighbours.near(square), self.neighbours.beyond(square));
                let was_missed = |missed: u64, at: usize| (missed >> (at % SQUARES) & 1) as u32;
                let doubt = was_missed(missed_here, near[0].into())
                    + was_missed(missed_here, near[1].into())
                    + was_missed(missed_above, square)
                    + was_missed(missed_above, beyond);
                let scale = self.scale;
                let around = Around {
                    near,
                    square,
                    beyond,
                    current,
                    above,
                    base,
                    scale,
                    doubt: doubt.min(3),
                };
                let guess = Guess::new(around, hints);
                let first = guess.first();
                current[square] = match bit(shape.kept) {
                    0 => first,
                    _ => walker.code(Spot { tile, square }, &guess)?,
                };
                missed_here |= u64::from(current[square] != first) << square;
            }
            missed[tile % MAX_TILES] = missed_here;
        }
        Ok(())
    }
}
