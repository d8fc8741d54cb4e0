//! How packed files are written.

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
}

impl PackOptions {
    /// Whether a file was packed with these options, or answers as well.
    pub fn are_of(self, header: &PackedHeader) -> bool {
        let cold = header.kept == Side::White && !header.dont_care;
        usize::from(header.block_tiles) == self.tiles && (cold || !self.cold)
    }
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions { tiles: 2, cold: false }
    }
}
