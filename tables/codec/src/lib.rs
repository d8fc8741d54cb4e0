//! The codec of packed tables: encodes and decodes blocks of one side's codes.
//!
//! A block is a few [tiles](sakmak_tables::tiles::tile): 64 codes each, one piece on each square in
//! turn. A tile is a small picture whose squares mostly repeat one another. At each square the
//! codes nearby, in the same tile and in an earlier *reference tile* of the block, determine a few
//! [predictions](prediction) and a *context*. A symbol names the right prediction, in fewer bits
//! the likelier it is in its context. The likelihoods are counted beforehand for the whole table.
//! Squares without a legal position are skipped: encoder and decoder know them from the pieces.
//!
//! ```text
//! base of the block                                    the code before the first
//! for each tile of the block, for each square of it:
//!     look at the codes already known nearby           -> predictions, context
//!     if the position is legal: one symbol             -> a prediction, or the code itself
//!     else the first prediction
//! ```
//!
//! Encoder, decoder and the counting of symbols share one [walk], so that all three see the
//! same contexts.
//!
//! Sources: J. Duda, *Asymmetric numeral systems* (2013), for the symbols; static contexts
//! from neighbouring pixels as in JBIG (ITU-T T.82).

pub mod ans;

pub mod scale;

pub mod context;

pub mod context_map;

pub mod prediction;

pub mod error;

pub mod walk;

pub mod model;

pub mod decode;

pub mod lanes;

pub mod lane_prediction;

pub mod lane_walk;

pub mod lane_decode;
