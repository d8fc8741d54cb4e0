//! An open WDL file, looked up in place: its rows are checked when they are first used.

mod section;

use crate::file::bytes::{Access, Bytes, PositionedFile, open_regular};
use crate::file::open_file::{FileError, OpenFile};
use crate::file::watch::FileWatch;
use crate::file::wdl::section::{TileLocation, WdlSection};

use sakmak_tables::board::square::Square;
use sakmak_tables::counting::Category;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::wdl::model::StoredPattern;
use sakmak_tables::format::wdl::pattern::CategoryMasks;
use sakmak_tables::format::wdl::row::{LookupStep, tile_group_of};
use sakmak_tables::format::wdl::{GROUP_TILES, SideLayout, WdlHeader, WdlName};
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
use xxhash_rust::xxh3::xxh3_64;

/// An open WDL file. A lookup has four steps, each of which reads memory that the step before
/// located: [`row`](WdlFile::row), [`tile_group`](WdlFile::tile_group), [`find`](WdlFile::find),
/// [`category`](WdlFile::category). Each step starts to load the memory of the next, so that a
/// caller with a batch of positions does one step for all of them, then the next.
///
/// Header, patterns and directory are checked when the file is opened, a row when it is first used.
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
    location: TileLocation,
    swept: Square,
}

impl WdlFile {
    /// Opens a WDL file and checks everything but its rows. `fixed_kings` are the fixed kings of
    /// the symmetries of the index.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is not a WDL file of this version, is truncated or damaged,
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

    /// A WDL file with these bytes. `path` is used in errors only.
    ///
    /// # Errors
    ///
    /// The errors of [`WdlFile::open`].
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

    /// A WDL file. `whole` reads all bytes into memory once the length of the file matches its
    /// header.
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
        file.ensure_unchanged_now()?;
        Ok(WdlFile { file, sections, symmetric: index.material().is_symmetric() })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The path of the file, if it now has another file or none.
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

    /// A bit for each group whose captures a lookup has to search.
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

    /// Examines the path if the last examination was a second or more ago.
    #[inline]
    pub(crate) fn examine_if_due(&self, now: Instant) {
        self.file.examine_if_due(now);
    }

    /// The address of a position of this material. `flipped` comes from [`Position::material`].
    /// `None` if a piece is on a square that it can never reach.
    #[inline]
    pub fn locate(&self, position: &Position, flipped: bool) -> Option<WdlAddress<'_>> {
        let exchanged = flipped || self.symmetric && position.side() == Side::Black;
        let side = if exchanged { !position.side() } else { position.side() };
        let section = self.sections[side.index()].as_ref()?;
        let (fixed_king, king_tile, swept) = section.king_tiles.locate(position, exchanged)?;
        Some(WdlAddress {
            section,
            exchanged,
            location: section.location(fixed_king, king_tile),
            swept,
        })
    }

    /// The row of an address. Checks the row on first use.
    ///
    /// # Errors
    ///
    /// When the row is damaged.
    #[inline]
    pub fn row(&self, address: &WdlAddress<'_>) -> Result<LookupStep<&[u8]>, FileError> {
        let row = address.section.checked_row(self.bytes(), address.location.row);
        let row = row.map_err(|error| self.file.error(error))?;
        if let LookupStep::Next(row) = row {
            address.section.prefetch_word(row, address.location.tile_group);
        }
        Ok(row)
    }

    /// The tile group of an address in its row.
    ///
    /// # Errors
    ///
    /// When it is not in the row.
    #[inline]
    pub fn tile_group<'a>(
        &self,
        address: &WdlAddress<'_>,
        row: LookupStep<&'a [u8]>,
    ) -> Result<LookupStep<&'a [u8]>, FileError> {
        let row = match row {
            LookupStep::Next(row) => row,
            known => return Ok(known),
        };
        let group = tile_group_of(row, address.location.tile_group);
        let group = group.ok_or_else(|| self.invalid(address))?;
        if let LookupStep::Next(group) = group {
            address.section.prefetch_group(group);
        }
        Ok(group)
    }

    /// The pattern of an address in its tile group.
    ///
    /// # Errors
    ///
    /// When a part of it is missing.
    #[inline]
    pub fn find<'a>(
        &self,
        address: &WdlAddress<'_>,
        group: LookupStep<&'a [u8]>,
    ) -> Result<LookupStep<StoredPattern<'a>>, FileError> {
        let group = match group {
            LookupStep::Next(group) => group,
            LookupStep::Category(category) => return Ok(LookupStep::Category(category)),
        };
        let pattern = address.section.find(group, address.location.king_tile, address.swept);
        let pattern = pattern.ok_or_else(|| self.invalid(address))?;
        address.section.prefetch_pattern(self.bytes(), &pattern);
        Ok(LookupStep::Next(pattern))
    }

    /// The category of the legal position of an address in a pattern. If capturing one of
    /// [`WdlAddress::captured`] reaches the category of the position, the pattern may have any
    /// category not above it.
    ///
    /// # Errors
    ///
    /// When there is no such pattern.
    #[inline]
    pub fn category(
        &self,
        address: &WdlAddress<'_>,
        pattern: LookupStep<StoredPattern<'_>>,
    ) -> Result<Category, FileError> {
        match pattern {
            LookupStep::Category(category) => Ok(category),
            LookupStep::Next(pattern) => address
                .section
                .category(self.bytes(), &pattern, address.swept)
                .ok_or_else(|| self.invalid(address)),
        }
    }

    /// The patterns of all king tiles of a tile group of a fixed king. `None` if the file does not
    /// hold the side.
    ///
    /// # Errors
    ///
    /// When the row is damaged or a part of a pattern is missing.
    pub fn group_patterns(
        &self,
        side: Side,
        fixed_king: usize,
        tile_group: u64,
    ) -> Result<Option<LookupStep<[CategoryMasks; GROUP_TILES as usize]>>, FileError> {
        let Some(section) = &self.sections[side.index()] else { return Ok(None) };
        let patterns = section.group_patterns(self.bytes(), fixed_king, tile_group);
        patterns.map(Some).map_err(|error| self.file.error(error))
    }

    /// Checks all rows, and all bytes against the checksum at the end of the file.
    ///
    /// # Errors
    ///
    /// When a row or the file does not match.
    pub fn verify(&self) -> Result<(), FileError> {
        for section in self.sections.iter().flatten() {
            for row in 0..section.row_count() {
                let checked = section.checked_row(self.bytes(), row);
                checked.map_err(|error| self.file.error(error))?;
            }
        }
        self.file.verify_checksum()
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        self.file.bytes()
    }

    #[cold]
    fn invalid(&self, address: &WdlAddress<'_>) -> FileError {
        self.file.error(address.section.wrong())
    }
}

impl WdlAddress<'_> {
    /// Pieces of the position whose captures by any piece but a pawn the caller has to search.
    #[inline]
    pub fn captured(&self) -> impl Iterator<Item = Piece> + '_ {
        self.section.captured.iter().map(|piece| match self.exchanged {
            true => Piece::new(!piece.side, piece.kind),
            false => *piece,
        })
    }
}

/// The layouts of the sections of a file with this length and header.
fn layouts(
    length: u64,
    header: &WdlHeader,
    index: &Index,
    fixed_kings: &Arc<FixedKings>,
) -> Result<[Option<SideLayout>; 2], FormatError> {
    match header.layouts(index, fixed_kings) {
        Some((layouts, end)) if end.checked_add(CHECKSUM_LENGTH as u64) == Some(length) => {
            Ok(layouts)
        }
        _ => Err(FormatError::Length { length }),
    }
}

/// The sections of a file with this header and these layouts. Checks patterns and directories.
fn sections(
    bytes: &[u8],
    header: &WdlHeader,
    index: &Index,
    layouts: [Option<SideLayout>; 2],
) -> Result<[Option<WdlSection>; 2], FormatError> {
    let rows = layouts.iter().flatten().map(|(_, layout)| layout.rows).min();
    let front = usize::try_from(rows.unwrap_or_default()).ok();
    let front = front.and_then(|front| bytes.get(HEADER_LENGTH..front));
    if front.map(xxh3_64) != Some(header.front_checksum) {
        return Err(FormatError::Wdl("patterns and directory do not match their checksum"));
    }
    let mut sections = [None, None];
    for (side, layout) in Side::BOTH.into_iter().zip(layouts) {
        if let (Some(record), Some((king_tiles, layout))) = (&header.sides[side.index()], layout) {
            let section = WdlSection::new(bytes, index, side, record, king_tiles, layout)?;
            sections[side.index()] = Some(section);
        }
    }
    Ok(sections)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::file::open_file::FileProblem;
    use sakmak_tables::format::wdl::WdlSide;
    use sakmak_tables::format::wdl::change::{CHANGE_KINDS, Change, Shape};
    use sakmak_tables::format::wdl::model::WdlModel;
    use sakmak_tables::format::wdl::row::RowEntry;
    use sakmak_tables::tiles::order::KingTileOrder;
    use sakmak_tables::variants::MAKRUK;
    use std::fs::{self, File};
    use std::io::Write;
    use std::path::PathBuf;
    use std::thread;
    use std::time::Duration;
    use tempfile::TempDir;

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
        let same = Change { shape: Shape::Square, becomes: [1, 0, 0, 0, 0] };
        let model = WdlModel::new(1 << category.index(), [same; CHANGE_KINDS]).unwrap();
        let side = WdlSide { tile_order, captures: 0, model, patterns: 0, row_bytes: 0 };
        let mut header = WdlHeader {
            preamble: name().preamble(&MAKRUK.rules),
            front_checksum: 0,
            sides: [Some(side.clone()), Some(side)],
        };
        let (layouts, end) = header.layouts(&index, &fixed_kings).unwrap();
        let rows: u64 = layouts.iter().flatten().map(|(_, layout)| layout.row_count).sum();
        let row = RowEntry { start: 0, checksum: category.index() as u32 }.encode();
        let directories = row.repeat(rows as usize);
        header.front_checksum = xxh3_64(&directories);
        let mut bytes = [&header.encode()[..], &directories].concat();
        assert_eq!(bytes.len() as u64, end);
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

    /// A lookup in the file.
    fn looked_up(file: &WdlFile) -> Result<Category, FileError> {
        let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w").unwrap();
        let address = file.locate(&position, false).unwrap();
        file.ensure_unchanged()?;
        let group = file.tile_group(&address, file.row(&address)?)?;
        file.category(&address, file.find(&address, group)?)
    }

    /// A length that few machines have the memory to read.
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
            // A lookup does so after this time.
            file.examine_if_due(Instant::now() + Duration::from_secs(1));
            match looked_up(&file) {
                Ok(found) => assert!(is_same && found == Category::Draw),
                Err(error) => {
                    assert!(!is_same && matches!(error.problem, FileProblem::Changed), "{error}");
                }
            }
        }
    }
}
