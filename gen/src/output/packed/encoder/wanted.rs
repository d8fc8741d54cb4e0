//! What a tile has to hold.

use sakmak_tables::board::square::SQUARES;
use sakmak_tables::packed_codec::Codes;
use sakmak_tables::packed_codec::walk::Shape;

/// A tile to be written.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// What a reader knows of it; the codes not kept there are not looked at.
    pub shape: Shape,
    /// The codes, by the runner's square.
    pub codes: Codes,
    /// A bit for each square where any code will do that the mover likes at most as much:
    /// a reader sees the true one elsewhere, as a move that takes or promotes.
    pub loose: u64,
}

impl Wanted {
    /// A tile without a kept code.
    pub const NOTHING: Wanted = Wanted {
        shape: Shape { kept: 0, attacked: 0, guarding: 0 },
        codes: [0; SQUARES],
        loose: 0,
    };

    /// The squares whose very code is kept.
    pub fn exact(&self) -> u64 {
        self.shape.kept & !self.loose
    }
}

/// The first code of a block that is kept as it is, if any is.
pub fn first_exact(tiles: &[Wanted]) -> Option<u16> {
    let tile = tiles.iter().find(|tile| tile.exact() != 0)?;
    tile.codes.get(tile.exact().trailing_zeros() as usize).copied()
}
