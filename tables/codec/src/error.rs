//! Errors in the bytes of a model or a block.

use sakmak_tables::format::packed::header::MAX_TILES;

/// An error in the bytes of a model or a block. The caller adds the file and the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// The model is cut short or a part of it is invalid.
    #[error("the model is damaged: its {0} is invalid")]
    Model(&'static str),
    /// The block decodes to a code without a value, or bytes are left over.
    #[error("the block is damaged: it does not decode")]
    Block,
    /// The number of tiles is not allowed for a block.
    #[error("a block has 1 to {MAX_TILES} tiles, not {0}")]
    BlockTiles(usize),
    /// The block has no tile with this index.
    #[error("a block has {tiles} tiles, not a tile {tile}")]
    Tile {
        /// The number of tiles of a block.
        tiles: usize,
        /// The index of the tile.
        tile: usize,
    },
}
