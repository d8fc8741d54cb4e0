//! One verdict file: opened, looked up in place, checked.

use crate::bytes::{Access, Bytes, checksum};
use crate::table_file::{FileError, FileProblem, bytes_of};
use crate::verdict_part::{SidePart, little_endian};

pub use crate::verdict_part::Pattern;
use sakmak_tables::counting::Category;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::verdict::{
    CHECKSUM_LENGTH, HEADER_LENGTH, VerdictHeader, VerdictLayout, VerdictName,
};
use sakmak_tables::index::Index;
use sakmak_tables::man::{Man, Side};
use sakmak_tables::pictures::{Homes, Pictures};
use sakmak_tables::position::Position;
use sakmak_tables::rules::Rules;
use sakmak_tables::square::Square;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A verdict file, opened and found whole: what its header says is in memory.
#[derive(Debug)]
pub struct VerdictFile {
    path: PathBuf,
    bytes: Box<dyn Bytes>,
    sides: [Option<SidePart>; 2],
    symmetric: bool,
}

/// A position that is being looked up.
#[derive(Clone, Copy, Debug)]
pub struct Sought<'a> {
    part: &'a SidePart,
    exchanged: bool,
    picture: u64,
    runner: Square,
    word: u64,
}

impl VerdictFile {
    /// Opens a verdict file and checks all its bytes; `homes` are those of the turns of the
    /// index.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is none, or that of another material, other rules or another
    /// way of counting, or is cut short or damaged.
    pub fn open(
        path: &Path,
        access: Access,
        name: VerdictName,
        index: &Index,
        rules: &Rules,
        homes: &Arc<Homes>,
    ) -> Result<VerdictFile, FileError> {
        VerdictFile::from_bytes(path, bytes_of(path, access)?, name, index, rules, homes)
    }

    /// The verdict file these bytes are; `path` is what errors name.
    ///
    /// # Errors
    ///
    /// As [`VerdictFile::open`].
    pub fn from_bytes(
        path: &Path,
        bytes: Box<dyn Bytes>,
        name: VerdictName,
        index: &Index,
        rules: &Rules,
        homes: &Arc<Homes>,
    ) -> Result<VerdictFile, FileError> {
        let symmetric = index.material().is_symmetric();
        match parts(&*bytes, name, index, rules, homes) {
            Ok(sides) => {
                let file = VerdictFile { path: path.to_path_buf(), bytes, sides, symmetric };
                // A look-up checks no bytes, so all of them are checked once.
                file.verify_checksum()?;
                Ok(file)
            }
            Err(problem) => Err(FileError { path: path.to_path_buf(), problem }),
        }
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    pub fn length(&self) -> u64 {
        self.bytes.length()
    }

    /// The pictures of one side to move, where it is held.
    pub fn pictures(&self, side: Side) -> Option<&Pictures> {
        self.sides[side.index()].as_ref().map(|part| &part.pictures)
    }

    /// The groups whose men a look-up sees taken first, a bit each.
    pub fn captures(&self, side: Side) -> u8 {
        self.sides[side.index()].as_ref().map_or(0, |part| part.captures)
    }

    /// Begins to look up a position of this material; `flipped` is that of
    /// [`Position::material`]. Nothing where a man stands where none may. The word of its
    /// sheet, which is seldom in a cache, is asked for now: memory answers while the caller
    /// looks at legality and captures.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or leads astray.
    #[inline]
    pub fn seek(
        &self,
        position: &Position,
        flipped: bool,
    ) -> Result<Option<Sought<'_>>, FileError> {
        let exchanged = flipped || self.symmetric && position.side() == Side::Black;
        let side = if exchanged { !position.side() } else { position.side() };
        let Some(part) = &self.sides[side.index()] else { return Ok(None) };
        let Some((home, picture, runner)) = part.pictures.locate(position, exchanged) else {
            return Ok(None);
        };
        let word = part.word(&*self.bytes, home, picture).map_err(|problem| self.error(problem))?;
        let word = std::hint::black_box(word);
        Ok(Some(Sought { part, exchanged, picture, runner, word }))
    }

    /// What a picture says of a legal position that was sought. Where a capture of one of
    /// [`Sought::taken`] is as good as the position it may say anything worse.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or leads astray.
    #[inline]
    pub fn verdict(&self, sought: &Sought<'_>) -> Result<Category, FileError> {
        let Sought { part, picture, runner, word, .. } = *sought;
        let verdict = part.verdict(&*self.bytes, word, picture, runner);
        verdict.map_err(|problem| self.error(problem))
    }

    /// The pattern of a picture of a home; nothing where the side is not held.
    ///
    /// # Errors
    ///
    /// As [`VerdictFile::verdict`].
    pub fn pattern(
        &self,
        side: Side,
        home: usize,
        picture: u64,
    ) -> Result<Option<Pattern>, FileError> {
        let Some(part) = &self.sides[side.index()] else { return Ok(None) };
        let pattern = part.pattern(&*self.bytes, home, picture);
        pattern.map(Some).map_err(|problem| self.error(problem))
    }

    /// Checks all bytes of the file against the checksum at its end.
    ///
    /// # Errors
    ///
    /// When it does not match or the file cannot be read.
    fn verify_checksum(&self) -> Result<(), FileError> {
        let end = self.bytes.length().saturating_sub(CHECKSUM_LENGTH as u64);
        let found = checksum(&*self.bytes, end).map_err(|error| self.error(error))?;
        match word(&*self.bytes, end) {
            Ok(checksum) if checksum == found => Ok(()),
            Ok(_) => Err(self.error(FormatError::FileChecksum)),
            Err(problem) => Err(self.error(problem)),
        }
    }

    fn error(&self, problem: impl Into<FileProblem>) -> FileError {
        FileError { path: self.path.clone(), problem: problem.into() }
    }
}

impl Sought<'_> {
    /// The men whose captures, by any man but a pawn, are to be looked at, as the position
    /// has them.
    #[inline]
    pub fn taken(&self) -> impl Iterator<Item = Man> + '_ {
        self.part.taken.iter().map(|man| match self.exchanged {
            true => Man::new(!man.side, man.kind),
            false => *man,
        })
    }
}

/// The 64-bit number at a place of a file.
fn word(bytes: &dyn Bytes, at: u64) -> Result<u64, FileProblem> {
    let mut scratch = Vec::new();
    Ok(little_endian(bytes.read(at, size_of::<u64>(), &mut scratch)?))
}

/// The parts of a file, checked against what is looked for.
fn parts(
    bytes: &dyn Bytes,
    name: VerdictName,
    index: &Index,
    rules: &Rules,
    homes: &Arc<Homes>,
) -> Result<[Option<SidePart>; 2], FileProblem> {
    let length = bytes.length();
    let least = (HEADER_LENGTH + CHECKSUM_LENGTH) as u64;
    let short = || FormatError::Short { length, least };
    if length < least {
        return Err(short().into());
    }
    let mut scratch = Vec::new();
    let header = bytes.read(0, HEADER_LENGTH, &mut scratch)?;
    let header = header.try_into().map_err(|_| short())?;
    let fingerprint = Metric::Counted(name.profile).fingerprint(rules);
    let header = VerdictHeader::decode(header, name, fingerprint, index)?;
    let mut end = HEADER_LENGTH as u64;
    let mut sides = [None, None];
    for (part, side) in sides.iter_mut().zip(&header.sides) {
        let Some(side) = side else { continue };
        let pictures = Pictures::new(index, Arc::clone(homes), &side.hanging);
        let held = pictures.per_home() * pictures.homes().squares().len() as u64;
        if held != header.pictures {
            return Err(FormatError::Slots { expected: held, found: header.pictures }.into());
        }
        let layout = VerdictLayout::new(end, side, &pictures);
        let layout = layout.ok_or(FormatError::Length { length })?;
        end = layout.end;
        *part = Some(SidePart::new(bytes, index, side, pictures, layout)?);
    }
    if end.checked_add(CHECKSUM_LENGTH as u64) != Some(length) {
        return Err(FormatError::Length { length }.into());
    }
    Ok(sides)
}
