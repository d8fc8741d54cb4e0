//! The codec of one side's codes: how a block of them is squeezed and read again.
//!
//! A *panel* is the 64 codes of one man on each square in turn, all else fixed: a small
//! picture, whose squares mostly repeat one another. A block is a few panels. Square by
//! square the codes around it, in its own panel and in an earlier one of the block, make a
//! few [guesses](guess) and a *context*; what is written is which guess is right, in as
//! many bits as that is unlikely in this context, worked out beforehand for the whole
//! table. Slots that are no legal position are passed over: reader and writer know them
//! from the men.
//!
//! ```text
//! base of the block                                    nothing is known before it
//! for each panel of the block, for each square of it:
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

/// The codes of a panel, by the runner's square.
pub type Codes = [u16; SQUARES];

/// The most panels of a block.
pub const MAX_PANELS: usize = 64;
