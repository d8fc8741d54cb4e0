//! Makes a verdict file.

use crate::output::wdl::allowed::Masks;
use crate::output::wdl::assemble::{Assembled, TooMuch, assemble, by_frequency};
use crate::output::wdl::captures::Captures;
use crate::output::wdl::coding::{Coded, FAVOURITES, Trusted, code};
use crate::output::wdl::section::{SectionError, Sections};
use crate::output::wdl::tables::{After, Tables};
use crate::output::wdl::verify::{VerifyWdlError, verify_wdl};
use crate::system::ByteSize;
use crate::system::atomic_file::write_atomically;
use rayon::prelude::*;
use sakmak_probe::file::bytes::{Access, FileBytes};
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::wdl::WdlFile;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::wdl::{WdlHeader, WdlName};
use sakmak_tables::index::Index;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::king_tile::{FixedKings, Hanging, KingTiles};
use sakmak_tables::values::table::Table;
use sakmak_tables::variants;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Of the second half of the homes one of so many is coded on trial.
const TRIAL: usize = 8;

/// A verdict file that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdicts {
    /// Where it is.
    pub path: PathBuf,
    /// Its bytes.
    pub length: u64,
}

/// A verdict file that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// The tables it is made from.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// It has more patterns than can be.
    #[error(transparent)]
    TooMuch(#[from] TooMuch),
    /// It cannot be written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// What was made is no verdict file.
    #[error(transparent)]
    File(#[from] FileError),
    /// What was made is not what the tables say.
    #[error(transparent)]
    Wrong(#[from] VerifyWdlError),
}

/// Makes the verdict file of a material in a directory and verifies it, within so much
/// memory.
///
/// `progress` is called from all threads with the number of slots just done; they come to
/// about twice the index's slots for each side to move the tables hold.
///
/// # Errors
///
/// When the tables cannot be read or contradict each other, or the file cannot be written.
pub fn make(
    tables: &Tables,
    directory: &Path,
    memory: ByteSize,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Verdicts, MakeError> {
    let (counting_rule, index) = (tables.counting_rule(), tables.index());
    let rules = &variants::counted_by(counting_rule).rules;
    let homes = Arc::new(FixedKings::new(index.kings().symmetries()));
    let sections = tables.sections();
    let work = Work { tables, sections: &sections, homes: &homes, memory, progress };
    let mut sides: [Option<Assembled>; 2] = [None, None];
    let mut king_tiles = 0;
    for &side in Table::sides(index) {
        let Trial { hanging, favourites, after, .. } = work.trial(side)?;
        let all = KingTiles::new(index, Arc::clone(&homes), &hanging);
        king_tiles = all.per_home() * homes.squares().len() as u64;
        let (coded, captures) = work.code(&all, side, &after, &favourites)?;
        sides[side.index()] = Some(assemble(&coded, &hanging, captures)?);
    }
    let name = WdlName { material: index.material(), counting_rule };
    let header = WdlHeader {
        name,
        fingerprint: Metric::Counted(counting_rule).fingerprint(rules),
        king_tiles,
        sides: sides.each_ref().map(|side| side.as_ref().map(|side| side.record.clone())),
    };
    let mut bytes = header.encode().to_vec();
    for side in sides.iter_mut().flatten() {
        bytes.append(&mut std::mem::take(&mut side.bytes));
    }
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    let path = directory.join(name.to_string());
    let length = bytes.len() as u64;
    let file =
        WdlFile::from_bytes(&path, FileBytes::Given(bytes.clone()), name, index, rules, &homes)?;
    verify_wdl(&file, tables, memory, progress)?;
    write_atomically::<_, io::Error>(directory, &name.to_string(), |file| file.write_all(&bytes))?;
    Ok(Verdicts { path, length })
}

/// A verdict file of a directory.
///
/// # Errors
///
/// When it is not there, or is damaged or another file than its name says.
pub fn opened(directory: &Path, name: WdlName) -> Result<WdlFile, FileError> {
    let rules = &variants::counted_by(name.counting_rule).rules;
    let index = Index::new(name.material, rules);
    let homes = Arc::new(FixedKings::new(index.kings().symmetries()));
    let path = directory.join(name.to_string());
    WdlFile::open(&path, Access::default(), name, &index, rules, &homes)
}

/// What the steps share.
struct Work<'a> {
    tables: &'a Tables,
    sections: &'a Sections<'a>,
    homes: &'a Arc<FixedKings>,
    memory: ByteSize,
    progress: &'a (dyn Fn(u64) + Sync),
}

/// The best of some ways to hang the king tiles of a side.
struct Trial {
    bytes: usize,
    hanging: Hanging,
    favourites: Vec<Masks>,
    after: After,
}

impl Work<'_> {
    /// The way to hang the king tiles that comes out smallest on some homes, and the patterns
    /// most frequent there.
    fn trial(&self, side: Side) -> Result<Trial, MakeError> {
        let index = self.sections.index();
        let homes = self.homes.squares().len();
        let tried: Vec<usize> = (0..homes).skip(homes / 2).step_by(TRIAL).collect();
        // Which king runs matters most; then which group is the quickest.
        let mut trials = Vec::new();
        for runner in Side::BOTH {
            let after = self.tables.after(side, runner)?;
            let first = Hanging::all(index, runner).into_iter().take(1);
            for hanging in first {
                trials.push(self.tried(side, hanging, after.clone(), &tried)?);
            }
        }
        let better = |one: Trial, other: Trial| if other.bytes < one.bytes { other } else { one };
        let nothing = || Trial {
            bytes: usize::MAX,
            hanging: Hanging { runner: side, order: (0..index.groups().len()).collect() },
            favourites: Vec::new(),
            after: Vec::new(),
        };
        let mut best = trials.into_iter().reduce(better).unwrap_or_else(nothing);
        for hanging in Hanging::all(index, best.hanging.runner).into_iter().skip(1) {
            let other = self.tried(side, hanging, best.after.clone(), &tried)?;
            best = better(best, other);
        }
        Ok(best)
    }

    /// Some homes coded one way.
    fn tried(
        &self,
        side: Side,
        hanging: Hanging,
        after: After,
        homes: &[usize],
    ) -> Result<Trial, MakeError> {
        let king_tiles = KingTiles::new(self.sections.index(), Arc::clone(self.homes), &hanging);
        let (coded, groups) = self.homes_coded(&king_tiles, side, &after, &[], homes, &|_| ())?;
        let bytes = assemble(&coded, &hanging, groups)?.bytes.len();
        let mixed = by_frequency(&coded).into_iter().map(|(masks, _)| masks);
        let mixed = mixed.filter(|masks| !masks.contains(&u64::MAX));
        Ok(Trial { bytes, hanging, favourites: mixed.take(FAVOURITES).collect(), after })
    }

    /// All homes coded, and the groups whose captures are looked at.
    fn code(
        &self,
        king_tiles: &KingTiles,
        side: Side,
        after: &After,
        favourites: &[Masks],
    ) -> Result<(Vec<Coded>, u8), MakeError> {
        let all: Vec<usize> = (0..self.homes.squares().len()).collect();
        self.homes_coded(king_tiles, side, after, favourites, &all, self.progress)
    }

    /// These homes coded, as many at a time as memory allows.
    fn homes_coded(
        &self,
        king_tiles: &KingTiles,
        side: Side,
        after: &After,
        favourites: &[Masks],
        homes: &[usize],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(Vec<Coded>, u8), MakeError> {
        let slots = self.sections.index().slots() / self.homes.squares().len() as u64;
        let captures = self.tables.captures(king_tiles, side, after);
        let mut groups = captures.as_ref().map_or(0, Captures::all);
        'again: loop {
            let trusted = captures.as_ref().map(|captures| Trusted { captures, groups });
            let mut coded: Vec<Coded> = Vec::new();
            for some in homes.chunks(self.sections.at_a_time(self.memory)) {
                let more: Result<Vec<Coded>, SectionError> = some
                    .par_iter()
                    .map(|&home| {
                        let section = self.sections.section(king_tiles, side, home)?;
                        let coded = code(&section, king_tiles, home, trusted, favourites);
                        progress(slots);
                        Ok(coded)
                    })
                    .collect();
                coded.extend(more?);
                let wrong = coded.iter().fold(0, |wrong, coded| wrong | coded.wrong);
                if wrong != 0 {
                    groups &= !wrong;
                    continue 'again;
                }
            }
            return Ok((coded, groups));
        }
    }
}
