//! Squeezing one side's codes: choosing a model by counting, and writing blocks with it.
//!
//! What the blocks are like is told in [`sakmak_tables::packed_codec`]; here is the half that only
//! a writer needs. Nothing here depends on the order of threads: a model comes from the
//! blocks it is given, a block from the model and its tiles.
//!
//! ```text
//! some blocks of the table -> order of neighbours, tiles above    which are most alike
//!                          -> counts by context -> distributions
//! each block               -> symbols, first to last -> bytes, last to first
//! ```

pub mod wanted;

mod alike;

mod count;

pub mod train;

pub mod encode;

#[cfg(test)]
mod tests;
