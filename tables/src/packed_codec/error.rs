//! What can be wrong with the bytes of a model or a block.

/// What is wrong with the bytes of a model or a block; whoever read them adds which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// The model is cut short or holds what no model may: this part of it is wrong.
    #[error("the model of the codes is damaged: its {0} cannot be")]
    Model(&'static str),
    /// The block decodes to a code that stands for no value, or something is left of it.
    #[error("the block is damaged: it does not decode")]
    Block,
    /// A tile was asked for that no block has.
    #[error("a block has {tiles} tiles: there is no tile {asked}")]
    Tile {
        /// The tiles of a block.
        tiles: usize,
        /// The tile asked for.
        asked: usize,
    },
}
