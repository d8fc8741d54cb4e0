//! An open WDL file: checked when it is opened, then looked up in place.

mod section;

use crate::file::bytes::{Access, Bytes, PositionedFile, open_regular, prefetch};
use crate::file::open_file::{FileError, OpenFile};
use crate::file::watch::FileWatch;
use crate::file::wdl::section::WdlSection;

pub use crate::file::wdl::section::{Pattern, PatternAddress};
use sakmak_tables::board::square::Square;
use sakmak_tables::counting::Category;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::wdl::{WdlHeader, WdlLayout, WdlName};
use sakmak_tables::format::{CHECKSUM_LENGTH, FormatKind, HEADER_LENGTH};
use sakmak_tables::index::Index;
use sakmak_tables::position::Position;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::tiles::king_tile::{FixedKings, KingTiles};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// An open WDL file. All its bytes matched its checksum when it was opened;
/// [`WdlFile::ensure_unchanged`] reports a later change.
#[derive(Debug)]
pub struct WdlFile {
    file: OpenFile<bytes::Bytes>,
    sections: [Option<WdlSection>; 2],
    symmetric: bool,
}

/// The address of a position in a WDL file.
#[derive(Clone, Copy, Debug)]
pub struct WdlAddress<'a> {
    section: &'a WdlSection,
    exchanged: bool,
    king_tile: u64,
    swept: Square,
    tile_group: u64,
}

impl WdlFile {
    /// Opens a WDL file and checks all its bytes. `fixed_kings` are the fixed kings of the symmetries
    /// of the index.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is not a WDL file of this version, is cut short or damaged,
    /// or differs in material, rules or counting rule.
    pub fn open(
        path: &Path,
        access: Access,
        name: WdlName,
        index: &Index,
        rules: &Rules,
        fixed_kings: &Arc<FixedKings>,
    ) -> Result<WdlFile, FileError> {
        let opened = || -> io::Result<(Option<FileWatch>, PositionedFile)> {
            let file = open_regular(path)?;
            // Bytes read into memory do not change.
            let watch = match access {
                Access::Mapped => Some(FileWatch::new(&file)?),
                Access::Read => None,
            };
            Ok((watch, PositionedFile::new(file)?))
        };
        let (watch, file) = opened().map_err(|error| FileError::new(path, error))?;
        let file = OpenFile::new(path, file, watch, FormatKind::Wdl)?;
        let whole = |file: PositionedFile| file.whole(access).map(bytes::Bytes::from_owner);
        WdlFile::new(file, whole, name, index, rules, fixed_kings)
    }

    /// The WDL file with these bytes. `path` is used in errors only.
    ///
    /// # Errors
    ///
    /// As [`WdlFile::open`].
    pub fn from_bytes(
        path: &Path,
        bytes: Vec<u8>,
        name: WdlName,
        index: &Index,
        rules: &Rules,
        fixed_kings: &Arc<FixedKings>,
    ) -> Result<WdlFile, FileError> {
        let file = OpenFile::new(path, bytes, None, FormatKind::Wdl)?;
        WdlFile::new(file, |bytes| Ok(bytes.into()), name, index, rules, fixed_kings)
    }

    /// The WDL file whose bytes `whole` brings into memory, after the length of the file was
    /// compared with the one its header gives.
    fn new<B: Bytes>(
        file: OpenFile<B>,
        whole: impl FnOnce(B) -> io::Result<bytes::Bytes>,
        name: WdlName,
        index: &Index,
        rules: &Rules,
        fixed_kings: &Arc<FixedKings>,
    ) -> Result<WdlFile, FileError> {
        let header = WdlHeader::decode(&file.header()?, &name.preamble(rules), index);
        let header = header.map_err(|error| file.error(error))?;
        let layouts = layouts(file.length(), &header, index, fixed_kings);
        let layouts = layouts.map_err(|error| file.error(error))?;
        let file = file.with_bytes(whole)?;
        let sections = sections(file.bytes(), &header, index, layouts);
        let sections = sections.map_err(|error| file.error(error))?;
        // A look-up reads too little to check it.
        file.verify_checksum()?;
        file.ensure_unchanged_now()?;
        Ok(WdlFile { file, sections, symmetric: index.material().is_symmetric() })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The path of the file, if the path has another file now, or none.
    pub(crate) fn replaced(&self) -> Option<&Path> {
        self.file.replaced()
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.file.length()
    }

    /// The king tiles of one side to move. `None` if the file does not hold that side.
    pub fn king_tiles(&self, side: Side) -> Option<&KingTiles> {
        self.sections[side.index()].as_ref().map(|section| &section.king_tiles)
    }

    /// The groups whose captures a look-up has to search, a bit each.
    pub fn captures(&self, side: Side) -> u8 {
        self.sections[side.index()].as_ref().map_or(0, |section| section.captures)
    }

    /// Checks that the file was not changed since it was opened. Examines the path at most once a
    /// second.
    ///
    /// # Errors
    ///
    /// When the file was changed.
    #[inline]
    pub fn ensure_unchanged(&self) -> Result<(), FileError> {
        self.file.ensure_unchanged()
    }

    /// Whether the file was found changed since it was opened.
    #[inline]
    pub fn was_changed(&self) -> bool {
        self.file.was_changed()
    }

    /// Examines the path if that was done last a second or more ago.
    #[inline]
    pub(crate) fn look_if_due(&self, now: Instant) {
        self.file.look_if_due(now);
    }

    /// The address of a position of this material. `flipped` is that of [`Position::material`].
    /// `None` if a piece stands on a square that it can never stand on.
    #[inline]
    pub fn locate(&self, position: &Position, flipped: bool) -> Option<WdlAddress<'_>> {
        let exchanged = flipped || self.symmetric && position.side() == Side::Black;
        let side = if exchanged { !position.side() } else { position.side() };
        let section = self.sections[side.index()].as_ref()?;
        let (fixed_king, king_tile, swept) = section.king_tiles.locate(position, exchanged)?;
        let tile_group = section.tile_group(fixed_king, king_tile);
        Some(WdlAddress { section, exchanged, king_tile, swept, tile_group })
    }

    /// The word of the tile group of an address: the first of up to three reads from memory that are
    /// rarely in a cache, each depending on the one before. To overlap them, a caller with a
    /// batch of positions reads all words first, then prefetches all runs, then finds all
    /// patterns.
    ///
    /// # Errors
    ///
    /// When the file has no word there.
    #[inline]
    pub fn word(&self, address: &WdlAddress<'_>) -> Result<u64, FileError> {
        address.section.word(self.bytes(), address.tile_group).ok_or_else(|| self.invalid())
    }

    /// Loads the runs of a tile group with this word into the cache for [`WdlFile::find_pattern`].
    #[inline]
    pub fn prefetch_runs(&self, address: &WdlAddress<'_>, word: u64) {
        let _ = prefetch(address.section.starts(self.bytes(), word));
    }

    /// Finds the pattern of an address whose tile group has this word.
    ///
    /// # Errors
    ///
    /// When the runs or the pattern are outside the file.
    #[inline]
    pub fn find_pattern<'a>(
        &self,
        address: &WdlAddress<'a>,
        word: u64,
    ) -> Result<PatternAddress<'a>, FileError> {
        let pattern = address.section.find(self.bytes(), word, address.king_tile);
        pattern.ok_or_else(|| self.invalid())
    }

    /// The category that a pattern gives the legal position of an address. If capturing one of
    /// [`WdlAddress::captured`] reaches the category of the position, the pattern may give any
    /// category not above it.
    ///
    /// # Errors
    ///
    /// When the words of the pattern are outside the file.
    #[inline]
    pub fn category(
        &self,
        address: &WdlAddress<'_>,
        pattern: &PatternAddress<'_>,
    ) -> Result<Category, FileError> {
        pattern.category(self.bytes(), address.swept).ok_or_else(|| self.invalid())
    }

    /// The pattern of a king tile of a fixed king. `None` if the file does not hold the side.
    ///
    /// # Errors
    ///
    /// When a part of the pattern is outside the file.
    pub fn pattern(
        &self,
        side: Side,
        fixed_king: usize,
        king_tile: u64,
    ) -> Result<Option<Pattern>, FileError> {
        let Some(section) = &self.sections[side.index()] else { return Ok(None) };
        let pattern = section.pattern(self.bytes(), fixed_king, king_tile);
        pattern.map(Some).ok_or_else(|| self.invalid())
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        self.file.bytes()
    }

    #[cold]
    fn invalid(&self) -> FileError {
        self.file.error(FormatError::Wdl("a tile group points to no pattern"))
    }
}

impl WdlAddress<'_> {
    /// The pieces, as the position has them, whose captures by any piece but a pawn the caller
    /// has to search.
    #[inline]
    pub fn captured(&self) -> impl Iterator<Item = Piece> + '_ {
        self.section.captured.iter().map(|piece| match self.exchanged {
            true => Piece::new(!piece.side, piece.kind),
            false => *piece,
        })
    }
}

/// The king tiles of a side, and where its parts are.
type SectionLayout = (KingTiles, WdlLayout);

/// The layouts of the sections of a file with this length and header.
fn layouts(
    length: u64,
    header: &WdlHeader,
    index: &Index,
    fixed_kings: &Arc<FixedKings>,
) -> Result<[Option<SectionLayout>; 2], FormatError> {
    let mut end = HEADER_LENGTH as u64;
    let mut layouts = [None, None];
    for (place, side) in layouts.iter_mut().zip(&header.sides) {
        let Some(side) = side else { continue };
        let king_tiles = KingTiles::new(index, Arc::clone(fixed_kings), &side.tile_order);
        let expected =
            king_tiles.per_fixed_king() * king_tiles.fixed_kings().squares().len() as u64;
        if expected != header.king_tiles {
            return Err(FormatError::KingTiles { expected, found: header.king_tiles });
        }
        let layout = WdlLayout::new(end, side, &king_tiles);
        let layout = layout.ok_or(FormatError::Length { length })?;
        end = layout.end;
        *place = Some((king_tiles, layout));
    }
    match end.checked_add(CHECKSUM_LENGTH as u64) {
        Some(end) if end == length => Ok(layouts),
        _ => Err(FormatError::Length { length }),
    }
}

/// The sections of a file with this header and these layouts.
fn sections(
    bytes: &[u8],
    header: &WdlHeader,
    index: &Index,
    layouts: [Option<SectionLayout>; 2],
) -> Result<[Option<WdlSection>; 2], FormatError> {
    let mut sections = [None, None];
    for ((section, side), layout) in sections.iter_mut().zip(&header.sides).zip(layouts) {
        if let (Some(side), Some((king_tiles, layout))) = (side, layout) {
            *section = Some(WdlSection::new(bytes, index, side, king_tiles, layout)?);
        }
    }
    Ok(sections)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::file::open_file::FileProblem;
    use sakmak_tables::format::wdl::{PatternRange, WdlSide};
    use sakmak_tables::tiles::order::KingTileOrder;
    use sakmak_tables::variants::MAKRUK;
    use std::fs::{self, File};
    use std::io::Write;
    use std::path::PathBuf;
    use std::thread;
    use std::time::Duration;
    use tempfile::TempDir;
    use xxhash_rust::xxh3::xxh3_64;

    fn name() -> WdlName {
        WdlName { material: "KRvK".parse().unwrap(), counting_rule: MAKRUK.counting() }
    }

    fn index() -> (Index, Arc<FixedKings>) {
        let index = Index::new(name().material, &MAKRUK.rules);
        let fixed_kings = Arc::new(FixedKings::new(index.kings().symmetries()));
        (index, fixed_kings)
    }

    /// The bytes of a file in which all positions have this category.
    fn encoded(category: Category) -> Vec<u8> {
        let (index, fixed_kings) = index();
        let tile_order = KingTileOrder::all(&index, Side::White).into_iter().next().unwrap();
        let king_tiles = KingTiles::new(&index, Arc::clone(&fixed_kings), &tile_order);
        let side = WdlSide { tile_order, captures: 0, ranges: 1, pattern_words: 0, run_bytes: 0 };
        let mut section =
            PatternRange { categories: 1 << category.index(), count: 1 }.encode().to_vec();
        section.resize(WdlLayout::new(0, &side, &king_tiles).unwrap().end as usize, 0);
        let header = WdlHeader {
            preamble: name().preamble(&MAKRUK.rules),
            king_tiles: king_tiles.per_fixed_king() * fixed_kings.squares().len() as u64,
            sides: [Some(side.clone()), Some(side)],
        };
        let mut bytes = [&header.encode()[..], &section, &section].concat();
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// A file in which all positions are drawn.
    fn drawn() -> (TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(name().to_string());
        fs::write(&path, encoded(Category::Draw)).unwrap();
        (directory, path)
    }

    fn opened(path: &Path, access: Access) -> Result<WdlFile, FileError> {
        let (index, fixed_kings) = index();
        WdlFile::open(path, access, name(), &index, &MAKRUK.rules, &fixed_kings)
    }

    /// A look-up in the file.
    fn looked_up(file: &WdlFile) -> Result<Category, FileError> {
        let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w").unwrap();
        let address = file.locate(&position, false).unwrap();
        file.ensure_unchanged()?;
        file.category(&address, &file.find_pattern(&address, file.word(&address)?)?)
    }

    /// Few machines have the memory to read it.
    const HUGE: u64 = 1 << 40;

    #[test]
    fn a_file_longer_than_its_header_says_is_refused_before_it_is_read() {
        let (_directory, path) = drawn();
        File::options().write(true).open(&path).unwrap().set_len(HUGE).unwrap();
        for access in Access::ALL {
            let error = opened(&path, access).unwrap_err();
            let FileProblem::Format(problem) = error.problem else { panic!("{error}") };
            assert_eq!(problem, FormatError::Length { length: HUGE });
        }
    }

    #[test]
    fn another_file_written_over_it_with_its_time_put_back_is_a_change() {
        for (category, is_same) in [(Category::Win, false), (Category::Draw, true)] {
            let (_directory, path) = drawn();
            let file = opened(&path, Access::Mapped).unwrap();
            assert_eq!(looked_up(&file).unwrap(), Category::Draw);
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            // Longer than the resolution of the time of an inode.
            thread::sleep(Duration::from_millis(50));
            let mut over = File::options().write(true).open(&path).unwrap();
            over.write_all(&encoded(category)).unwrap();
            over.set_modified(modified).unwrap();
            // As a look-up does after this time.
            file.look_if_due(Instant::now() + Duration::from_secs(1));
            match looked_up(&file) {
                Ok(found) => assert!(is_same && found == Category::Draw),
                Err(error) => {
                    assert!(!is_same && matches!(error.problem, FileProblem::Changed), "{error}");
                }
            }
        }
    }
}
