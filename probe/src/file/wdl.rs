//! One verdict file: opened, looked up in place, checked.

mod side;

use crate::file::bytes::{Access, FileBytes};
use crate::file::open_file::FileError;
use crate::file::wdl::side::SidePart;

pub use crate::file::wdl::side::{Found, Pattern};
use sakmak_tables::board::square::Square;
use sakmak_tables::counting::Category;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::wdl::{CHECKSUM_LENGTH, HEADER_LENGTH, WdlHeader, WdlLayout, WdlName};
use sakmak_tables::index::Index;
use sakmak_tables::position::Position;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::tiles::king_tile::{FixedKings, KingTiles};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// A verdict file, opened and found whole: what its header says is in memory.
#[derive(Debug)]
pub struct WdlFile {
    path: PathBuf,
    bytes: FileBytes,
    sides: [Option<SidePart>; 2],
    symmetric: bool,
}

/// A position that is being looked up.
#[derive(Clone, Copy, Debug)]
pub struct Sought<'a> {
    part: &'a SidePart,
    exchanged: bool,
    king_tile: u64,
    swept: Square,
    tile_group: u64,
}

impl WdlFile {
    /// Opens a verdict file and checks all its bytes; `fixed_kings` are those of the turns of the
    /// index.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is none, or that of another material, other rules or another
    /// way of counting, or is cut short or damaged.
    pub fn open(
        path: &Path,
        access: Access,
        name: WdlName,
        index: &Index,
        rules: &Rules,
        fixed_kings: &Arc<FixedKings>,
    ) -> Result<WdlFile, FileError> {
        let bytes = FileBytes::open(path, access);
        let error =
            |error: io::Error| FileError { path: path.to_path_buf(), problem: error.into() };
        WdlFile::from_bytes(path, bytes.map_err(error)?, name, index, rules, fixed_kings)
    }

    /// The verdict file these bytes are; `path` is what errors name.
    ///
    /// # Errors
    ///
    /// As [`WdlFile::open`].
    pub fn from_bytes(
        path: &Path,
        bytes: FileBytes,
        name: WdlName,
        index: &Index,
        rules: &Rules,
        fixed_kings: &Arc<FixedKings>,
    ) -> Result<WdlFile, FileError> {
        let symmetric = index.material().is_symmetric();
        match parts(bytes.bytes(), name, index, rules, fixed_kings) {
            Ok(sides) => Ok(WdlFile { path: path.to_path_buf(), bytes, sides, symmetric }),
            Err(problem) => Err(FileError { path: path.to_path_buf(), problem: problem.into() }),
        }
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    pub fn length(&self) -> u64 {
        self.bytes.bytes().len() as u64
    }

    /// The king tiles of one side to move, where it is held.
    pub fn king_tiles(&self, side: Side) -> Option<&KingTiles> {
        self.sides[side.index()].as_ref().map(|part| &part.king_tiles)
    }

    /// The groups whose pieces a look-up sees taken first, a bit each.
    pub fn captures(&self, side: Side) -> u8 {
        self.sides[side.index()].as_ref().map_or(0, |part| part.captures)
    }

    /// Begins to look up a position of this material; `flipped` is that of
    /// [`Position::material`]. Nothing where a piece stands where none may.
    #[inline]
    pub fn seek(&self, position: &Position, flipped: bool) -> Option<Sought<'_>> {
        let exchanged = flipped || self.symmetric && position.side() == Side::Black;
        let side = if exchanged { !position.side() } else { position.side() };
        let part = self.sides[side.index()].as_ref()?;
        let (fixed_king, king_tile, swept) = part.king_tiles.locate(position, exchanged)?;
        Some(Sought {
            part,
            exchanged,
            king_tile,
            swept,
            tile_group: part.tile_group(fixed_king, king_tile),
        })
    }

    /// Asks for the word of the tile group of a position that was sought: the first of up to three
    /// places of the file which are seldom in a cache, each found by the one before. A caller
    /// with more than one position asks for the words of all of them, then for what they lead
    /// to, so that memory is at work on all at once.
    ///
    /// # Errors
    ///
    /// When the file leads astray.
    #[inline]
    pub fn word(&self, sought: &Sought<'_>) -> Result<u64, FileError> {
        sought.part.word(self.bytes.bytes(), sought.tile_group).ok_or_else(|| self.astray())
    }

    /// Asks for the runs of a tile group with this word, which [`WdlFile::find`] looks at.
    #[inline]
    pub fn reach(&self, sought: &Sought<'_>, word: u64) {
        std::hint::black_box(sought.part.starts(self.bytes.bytes(), word));
    }

    /// Finds the pattern of a position that was sought and whose tile group has this word.
    ///
    /// # Errors
    ///
    /// As [`WdlFile::word`].
    #[inline]
    pub fn find<'a>(&self, sought: &Sought<'a>, word: u64) -> Result<Found<'a>, FileError> {
        let found = sought.part.find(self.bytes.bytes(), word, sought.king_tile);
        found.ok_or_else(|| self.astray())
    }

    /// What the pattern that was found says of a legal position that was sought. Where a
    /// capture of one of [`Sought::taken`] is as good as the position it may say anything
    /// worse.
    ///
    /// # Errors
    ///
    /// As [`WdlFile::word`].
    #[inline]
    pub fn verdict(&self, sought: &Sought<'_>, found: &Found<'_>) -> Result<Category, FileError> {
        found.verdict(self.bytes.bytes(), sought.swept).ok_or_else(|| self.astray())
    }

    /// The pattern of a king tile of a fixed king; nothing where the side is not held.
    ///
    /// # Errors
    ///
    /// As [`WdlFile::word`].
    pub fn pattern(
        &self,
        side: Side,
        fixed_king: usize,
        king_tile: u64,
    ) -> Result<Option<Pattern>, FileError> {
        let Some(part) = &self.sides[side.index()] else { return Ok(None) };
        let pattern = part.pattern(self.bytes.bytes(), fixed_king, king_tile);
        pattern.map(Some).ok_or_else(|| self.astray())
    }

    #[cold]
    fn astray(&self) -> FileError {
        let problem = FormatError::Wdl("it leads to no pattern").into();
        FileError { path: self.path.clone(), problem }
    }
}

impl Sought<'_> {
    /// The pieces whose captures, by any piece but a pawn, are to be looked at, as the position
    /// has them.
    #[inline]
    pub fn taken(&self) -> impl Iterator<Item = Piece> + '_ {
        self.part.taken.iter().map(|piece| match self.exchanged {
            true => Piece::new(!piece.side, piece.kind),
            false => *piece,
        })
    }
}

/// The parts of a file, checked against what is looked for; so are all its bytes against its
/// checksum, since a look-up checks none.
fn parts(
    bytes: &[u8],
    name: WdlName,
    index: &Index,
    rules: &Rules,
    fixed_kings: &Arc<FixedKings>,
) -> Result<[Option<SidePart>; 2], FormatError> {
    let length = bytes.len() as u64;
    let least = (HEADER_LENGTH + CHECKSUM_LENGTH) as u64;
    let short = || FormatError::Short { length, least };
    let (covered, checksum) = bytes.split_last_chunk().ok_or_else(short)?;
    let header = covered.first_chunk().ok_or_else(short)?;
    let fingerprint = Metric::Counted(name.counting_rule).fingerprint(rules);
    let header = WdlHeader::decode(header, name, fingerprint, index)?;
    let mut end = HEADER_LENGTH as u64;
    let mut sides = [None, None];
    for (part, side) in sides.iter_mut().zip(&header.sides) {
        let Some(side) = side else { continue };
        let king_tiles = KingTiles::new(index, Arc::clone(fixed_kings), &side.tile_order);
        let held = king_tiles.per_fixed_king() * king_tiles.fixed_kings().squares().len() as u64;
        if held != header.king_tiles {
            return Err(FormatError::Slots { expected: held, found: header.king_tiles });
        }
        let layout = WdlLayout::new(end, side, &king_tiles);
        let layout = layout.ok_or(FormatError::Length { length })?;
        end = layout.end;
        *part = Some(SidePart::new(bytes, index, side, king_tiles, layout)?);
    }
    if end.checked_add(CHECKSUM_LENGTH as u64) != Some(length) {
        return Err(FormatError::Length { length });
    }
    if xxh3_64(covered) != u64::from_le_bytes(*checksum) {
        return Err(FormatError::FileChecksum);
    }
    Ok(sides)
}
