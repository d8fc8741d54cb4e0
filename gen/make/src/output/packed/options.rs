//! Options of packed files.

use sakmak_tables::format::packed::header::PackedHeader;
use sakmak_tables::rules::piece::Side;

/// Options of packing. None of them changes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackOptions {
    /// The number of tiles of a block, 1 to 64: more make the file smaller and probes slower.
    pub tiles: usize,
    /// Whether the file is for probes from a slow disk: it keeps White, the stronger side, without
    /// don't-care squares, so that a probe with White to move reads one row of the file.
    pub cold: bool,
    /// The most men of a table that is packed for conversions of larger tables, unless it is cold.
    ///
    /// A larger table keeps the side to move that takes fewer bytes, mostly the one with more
    /// captures to leave out. A probe looks these captures up with the other side to move. Most
    /// small tables would take fewer bytes for the same side. Such a table keeps the other one,
    /// without don't-care squares, so that a look-up after a capture decodes one block instead of
    /// one for each move.
    pub converted_men: usize,
}

impl PackOptions {
    /// Returns whether a file was packed with these options or with equivalent ones.
    pub fn are_of(self, header: &PackedHeader) -> bool {
        let cold = header.kept == Side::White && !header.dont_care;
        usize::from(header.block_tiles) == self.tiles && (cold || !self.cold)
    }
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        // All tables of four men take a two-hundredth of the bytes of those of five.
        PackOptions { tiles: 2, cold: false, converted_men: 4 }
    }
}
