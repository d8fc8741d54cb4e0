//! The way through a block, the same for whoever reads, writes or counts.

use crate::packed_codec::error::CodecError;
use crate::packed_codec::prediction::{Around, Guess};
use crate::packed_codec::context::Neighbours;
use crate::packed_codec::scale::Scale;
use crate::packed_codec::{Codes, MAX_PANELS};
use crate::board::square::SQUARES;

/// What is known of a panel before any of its codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    /// A bit for each square with the runner on which the slot may be asked for. The codes
    /// of the others are not kept.
    pub kept: u64,
    /// A bit for each square on which an enemy strikes the runner.
    pub struck: u64,
    /// A bit for each square from which the runner guards a man of its side, its king
    /// apart.
    pub guarding: u64,
}

/// Where a walk has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The panel, counted in the block.
    pub panel: usize,
    /// The square of the runner.
    pub square: usize,
}

/// What looks up or chooses the codes on a walk.
pub trait Walker {
    /// Why a walk is broken off.
    type Error: From<CodecError>;

    /// The base of the block.
    fn base(&mut self) -> Result<u16, Self::Error>;

    /// What is known of a panel; asked for once each, in order.
    fn shape(&mut self, panel: usize) -> Shape;

    /// The code of a slot that is kept.
    fn code(&mut self, spot: Spot, guess: &Guess<'_>) -> Result<u16, Self::Error>;
}

/// The part of a model that guesses are made from.
#[derive(Clone, Copy, Debug)]
pub struct Guide<'a> {
    /// Which squares are asked.
    pub neighbours: &'a Neighbours,
    /// For each panel of a block the earlier one it is compared with.
    pub above: &'a [Option<u8>],
    /// What the codes stand for.
    pub scale: Scale,
}

impl Guide<'_> {
    /// Walks through a block up to and with a square of a panel, and leaves the codes in
    /// `panels`; those of slots not kept are whatever is guessed.
    ///
    /// # Errors
    ///
    /// Those of the walker, and when `panels` has no room for so many or no block has.
    #[inline(always)]
    pub fn walk<W: Walker>(
        &self,
        walker: &mut W,
        panels: &mut [Codes],
        last: Spot,
    ) -> Result<(), W::Error> {
        let room = panels.len().min(self.above.len());
        let too_few = CodecError::Panel { panels: room, asked: last.panel };
        let base = walker.base()?;
        // A bit for each square of a panel whose code was not the first guess.
        let mut missed = [0u64; MAX_PANELS];
        for panel in 0..=last.panel {
            let shape = walker.shape(panel);
            let (before, rest) = panels.split_at_mut(panel.min(room));
            let (Some(current), Some(above)) = (rest.first_mut(), self.above.get(panel)) else {
                return Err(too_few.into());
            };
            let missed_above = above.map_or(0, |above| missed[usize::from(above) % MAX_PANELS]);
            let above = above.and_then(|above| before.get(usize::from(above)));
            let mut missed_here = 0u64;
            let end = if panel == last.panel { last.square % SQUARES + 1 } else { SQUARES };
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
                let hints = bit(shape.struck) | bit(shape.guarding) << 1;
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
                    _ => walker.code(Spot { panel, square }, &guess)?,
                };
                missed_here |= u64::from(current[square] != first) << square;
            }
            missed[panel % MAX_PANELS] = missed_here;
        }
        Ok(())
    }
}
