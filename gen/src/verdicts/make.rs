//! Makes a verdict file.

use super::allowed::Masks;
use super::assemble::{Assembled, TooMuch, assemble, by_frequency};
use super::coding::{Coded, FAVOURITES, code};
use super::section::{SectionError, Sections};
use super::verify::{VerifyVerdictsError, compare};
use crate::byte_count::ByteCount;
use crate::statistics::Source;
use crate::whole::write_whole;
use rayon::prelude::*;
use sakmak_probe::table_file::FileError;
use sakmak_probe::verdict_file::VerdictFile;
use sakmak_tables::counting::Profile;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::verdict::{VerdictHeader, VerdictName};
use sakmak_tables::man::Side;
use sakmak_tables::pictures::{Hanging, Homes, Pictures};
use sakmak_tables::table::Table;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// A home of so many is coded on trial.
const TRIAL: usize = 16;

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
    Wrong(#[from] VerifyVerdictsError),
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
    source: Source<'_>,
    profile: &'static Profile,
    directory: &Path,
    memory: ByteCount,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Verdicts, MakeError> {
    let rules = &profile.variant().rules;
    let index = source.mate.index();
    let homes = Arc::new(Homes::new(index.kings().turns()));
    let sections = Sections::new(source, rules, profile);
    let work = Work { sections: &sections, homes: &homes, memory, progress };
    let mut sides: [Option<Assembled>; 2] = [None, None];
    let mut pictures = 0;
    for &side in Table::sides(index) {
        let (hanging, favourites) = work.trial(side)?;
        let all = Pictures::new(index, Arc::clone(&homes), &hanging);
        pictures = all.per_home() * homes.squares().len() as u64;
        let coded = work.code(&all, side, &favourites)?;
        sides[side.index()] = Some(assemble(&coded, &hanging)?);
    }
    let name = VerdictName { material: index.material(), profile };
    let header = VerdictHeader {
        name,
        fingerprint: Metric::Counted(profile).fingerprint(rules),
        pictures,
        sides: sides.each_ref().map(|side| side.as_ref().map(|side| side.record.clone())),
    };
    let mut bytes = header.encode().to_vec();
    for side in sides.iter_mut().flatten() {
        bytes.append(&mut std::mem::take(&mut side.bytes));
    }
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    let path = directory.join(name.to_string());
    let length = bytes.len() as u64;
    let file = VerdictFile::from_bytes(&path, Box::new(bytes.clone()), name, index, rules, &homes)?;
    compare(&file, &sections, memory, progress)?;
    write_whole::<_, io::Error>(directory, &name.to_string(), |file| file.write_all(&bytes))?;
    Ok(Verdicts { path, length })
}

/// What the steps share.
struct Work<'a> {
    sections: &'a Sections<'a>,
    homes: &'a Arc<Homes>,
    memory: ByteCount,
    progress: &'a (dyn Fn(u64) + Sync),
}

impl Work<'_> {
    /// The way to hang the pictures that comes out smallest on some homes, and the patterns
    /// most frequent there.
    fn trial(&self, side: Side) -> Result<(Hanging, Vec<Masks>), MakeError> {
        let index = self.sections.index();
        let homes = self.homes.squares().len();
        let tried: Vec<usize> = (TRIAL / 2..homes).step_by(TRIAL).collect();
        let tried = if tried.is_empty() { vec![homes / 2] } else { tried };
        let mut best: Option<(usize, Hanging, Vec<Masks>)> = None;
        for hanging in Hanging::all(index) {
            let pictures = Pictures::new(index, Arc::clone(self.homes), &hanging);
            let coded = self.homes_coded(&pictures, side, &[], &tried, &|_| ())?;
            let bytes = assemble(&coded, &hanging)?.bytes.len();
            if best.as_ref().is_none_or(|(least, _, _)| bytes < *least) {
                let mixed = by_frequency(&coded).into_iter().map(|(masks, _)| masks);
                let mixed = mixed.filter(|masks| !masks.contains(&u64::MAX));
                best = Some((bytes, hanging, mixed.take(FAVOURITES).collect()));
            }
        }
        let nothing = || Hanging { runner: side, order: (0..index.groups().len()).collect() };
        Ok(best.map_or_else(|| (nothing(), Vec::new()), |(_, hanging, masks)| (hanging, masks)))
    }

    /// All homes coded.
    fn code(
        &self,
        pictures: &Pictures,
        side: Side,
        favourites: &[Masks],
    ) -> Result<Vec<Coded>, MakeError> {
        let all: Vec<usize> = (0..self.homes.squares().len()).collect();
        self.homes_coded(pictures, side, favourites, &all, self.progress)
    }

    /// These homes coded, as many at a time as memory allows.
    fn homes_coded(
        &self,
        pictures: &Pictures,
        side: Side,
        favourites: &[Masks],
        homes: &[usize],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<Coded>, MakeError> {
        let slots = self.sections.index().slots() / self.homes.squares().len() as u64;
        let mut coded = Vec::new();
        for some in homes.chunks(at_a_time(self.sections, self.memory)) {
            let more: Result<Vec<Coded>, SectionError> = some
                .par_iter()
                .map(|&home| {
                    let section = self.sections.section(pictures, side, home)?;
                    let coded = code(&section, pictures, favourites);
                    progress(slots);
                    Ok(coded)
                })
                .collect();
            coded.extend(more?);
        }
        Ok(coded)
    }
}

/// How many sections may be in memory at once.
pub fn at_a_time(sections: &Sections<'_>, memory: ByteCount) -> usize {
    usize::try_from(memory.0 / sections.bytes().max(1)).unwrap_or(usize::MAX).max(1)
}
