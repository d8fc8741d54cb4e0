//! The codec of one side's codes: how a block of them is squeezed and read again.
//!
//! A *tile* is the 64 codes of one piece on each square in turn, all else fixed: a small
//! king tile, whose squares mostly repeat one another. A block is a few tiles. Square by
//! square the codes around it, in its own tile and in an earlier one of the block, make a
//! few [guesses](guess) and a *context*; what is written is which guess is right, in as
//! many bits as that is unlikely in this context, worked out beforehand for the whole
//! table. Slots that are no legal position are passed over: reader and writer know them
//! from the pieces.
//!
//! ```text
//! base of the block                                    nothing is known before it
//! for each tile of the block, for each square of it:
//!     look at the codes already known nearby           -> guesses, context
//!     if the slot is a legal position: one symbol      -> which guess, or the code itself
//!     else it holds the first guess
//! ```
//!
//! Writer, reader and whoever counts for the model go through the same [walk], so none can
//! come to see something else than the others.
//!
//! Sources: J. Duda, *Asymmetric numeral systems* (2013), for the symbols; static contexts
//! from neighbouring pixels are as old as JBIG (ITU-T T.82).

pub mod ans;

pub mod scale;

pub mod context;

pub mod prediction;

pub mod error;

pub mod walk;

pub mod model;

pub mod decode;

use crate::board::square::SQUARES;

/// The codes of a tile, by the runner's square.
pub type Codes = [u16; SQUARES];

/// The most tiles of a block.
pub const MAX_TILES: usize = 64;
