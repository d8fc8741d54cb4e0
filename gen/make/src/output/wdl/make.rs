//! Makes a WDL file.

use crate::output::solved::WrittenFile;
use crate::output::wdl::allowed_categories::CategoryMasks;
use crate::output::wdl::assemble::{EncodedSide, PatternOverflow, assemble, by_frequency};
use crate::output::wdl::captures::Captures;
use crate::output::wdl::pattern_runs::{FAVOURITES, PatternRuns, TrustedCaptures, pattern_runs};
use crate::output::wdl::section::{SectionError, Sections};
use crate::output::wdl::sources::{CaptureResults, WdlSources};
use crate::output::wdl::verify::{VerifyWdlError, verify_wdl};
use crate::system::ByteSize;
use crate::system::atomic_file::write_atomically;
use rayon::prelude::*;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::wdl::WdlFile;
use sakmak_tables::format::wdl::{WdlHeader, WdlName};
use sakmak_tables::index::Index;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::king_tile::{FixedKings, KingTiles};
use sakmak_tables::tiles::order::KingTileOrder;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// One of this many fixed kings is encoded on trial, of the second half.
const TRIAL_STEP: usize = 8;

/// A WDL file could not be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeWdlError {
    /// The tables cannot be used.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// There are too many patterns.
    #[error(transparent)]
    PatternOverflow(#[from] PatternOverflow),
    /// The file cannot be written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The bytes that were made are no WDL file.
    #[error(transparent)]
    File(#[from] FileError),
    /// The bytes that were made differ from the tables.
    #[error(transparent)]
    Wrong(#[from] VerifyWdlError),
}

/// Makes the WDL file of a material in a directory and verifies it, in `memory`.
///
/// `progress` is called from all threads with the number of slots just done, in total about
/// twice the slots of the index for each side to move that the tables hold.
///
/// # Errors
///
/// If the tables cannot be read or contradict each other, or the file cannot be written.
pub fn make(
    tables: &WdlSources,
    directory: &Path,
    memory: ByteSize,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<WrittenFile, MakeWdlError> {
    let (counting_rule, index) = (tables.counting_rule(), tables.index());
    let rules = &variants::counted_by(counting_rule).rules;
    let fixed_kings = Arc::new(FixedKings::new(index.kings().symmetries()));
    let sections = &tables.sections();
    let maker = WdlMaker { tables, sections, fixed_kings: &fixed_kings, memory, progress };
    let mut sides: [Option<EncodedSide>; 2] = [None, None];
    let mut king_tiles = 0;
    let encoded = maker.each(Table::sides(index), |&side| {
        let OrderTrial { order, favourites, after, .. } = maker.best_trial(side)?;
        let all = KingTiles::new(index, Arc::clone(&fixed_kings), &order);
        let king_tiles = all.per_fixed_king() * fixed_kings.squares().len() as u64;
        let (runs, captures) = maker.encode_all(&all, side, &after, &favourites)?;
        Ok((side, king_tiles, assemble(&runs, &order, captures)?))
    })?;
    for (side, all, encoded) in encoded {
        king_tiles = all;
        sides[side.index()] = Some(encoded);
    }
    let name = WdlName { material: index.material(), counting_rule };
    let header = WdlHeader {
        preamble: name.preamble(rules),
        king_tiles,
        sides: sides.each_ref().map(|side| side.as_ref().map(|side| side.record.clone())),
    };
    let mut bytes = header.encode().to_vec();
    for side in sides.iter_mut().flatten() {
        bytes.append(&mut std::mem::take(&mut side.bytes));
    }
    let checksum = xxh3_64(&bytes);
    bytes.extend(checksum.to_le_bytes());
    let path = directory.join(name.to_string());
    let length = bytes.len() as u64;
    let file = WdlFile::from_bytes(&path, bytes.clone(), name, index, rules, &fixed_kings)?;
    verify_wdl(&file, tables, memory, progress)?;
    write_atomically::<_, io::Error>(directory, &name.to_string(), |file| file.write_all(&bytes))?;
    Ok(WrittenFile { path, length, checksum })
}

/// Opens the WDL file of a directory.
///
/// # Errors
///
/// If there is no such file, it is damaged, or its name does not match its header.
pub fn opened(directory: &Path, name: WdlName, access: Access) -> Result<WdlFile, FileError> {
    let rules = &variants::counted_by(name.counting_rule).rules;
    let index = Index::new(name.material, rules);
    let fixed_kings = Arc::new(FixedKings::new(index.kings().symmetries()));
    let path = directory.join(name.to_string());
    WdlFile::open(&path, access, name, &index, rules, &fixed_kings)
}

/// The arguments of all steps.
struct WdlMaker<'a> {
    tables: &'a WdlSources,
    sections: &'a Sections<'a>,
    fixed_kings: &'a Arc<FixedKings>,
    memory: ByteSize,
    progress: &'a (dyn Fn(u64) + Sync),
}

/// An order of king tiles, encoded on trial.
struct OrderTrial {
    bytes: usize,
    order: KingTileOrder,
    /// The most frequent patterns of several categories.
    favourites: Vec<CategoryMasks>,
    after: CaptureResults,
}

impl WdlMaker<'_> {
    /// Does some work for each item: for all at the same time if each thread has memory for a section.
    fn each<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> Result<R, MakeWdlError> + Send + Sync,
    ) -> Result<Vec<R>, MakeWdlError> {
        match self.sections.at_a_time(self.memory) >= rayon::current_num_threads() {
            true => items.par_iter().map(work).collect(),
            false => items.iter().map(work).collect(),
        }
    }

    /// The order of king tiles that takes the fewest bytes on some fixed kings.
    fn best_trial(&self, side: Side) -> Result<OrderTrial, MakeWdlError> {
        let index = self.sections.index();
        let fixed_kings = self.fixed_kings.squares().len();
        let sample: Vec<usize> =
            (0..fixed_kings).skip(fixed_kings / 2).step_by(TRIAL_STEP).collect();
        // The swept king matters most, then the fastest group.
        let trials = self.each(&Side::BOTH, |&swept| {
            let after = self.tables.after(side, swept)?;
            let first = KingTileOrder::all(index, swept).into_iter().next();
            first.map(|order| self.trial(side, order, after, &sample)).transpose()
        })?;
        let better =
            |one: OrderTrial, other: OrderTrial| if other.bytes < one.bytes { other } else { one };
        // A material of bare kings has no group to try.
        let fallback = || OrderTrial {
            bytes: usize::MAX,
            order: KingTileOrder { swept: side, groups: (0..index.groups().len()).collect() },
            favourites: Vec::new(),
            after: Vec::new(),
        };
        let best = trials.into_iter().flatten().reduce(better).unwrap_or_else(fallback);
        let orders = KingTileOrder::all(index, best.order.swept);
        let others = self.each(orders.get(1..).unwrap_or_default(), |order| {
            self.trial(side, order.clone(), best.after.clone(), &sample)
        })?;
        Ok(others.into_iter().fold(best, better))
    }

    /// Encodes some fixed kings in one order.
    fn trial(
        &self,
        side: Side,
        order: KingTileOrder,
        after: CaptureResults,
        fixed_kings: &[usize],
    ) -> Result<OrderTrial, MakeWdlError> {
        let king_tiles =
            KingTiles::new(self.sections.index(), Arc::clone(self.fixed_kings), &order);
        let (runs, groups) = self.encode(&king_tiles, side, &after, &[], fixed_kings, &|_| ())?;
        let bytes = assemble(&runs, &order, groups)?.bytes.len();
        let mixed = by_frequency(&runs).into_iter().map(|(masks, _)| masks);
        let mixed = mixed.filter(|masks| !masks.contains(&u64::MAX));
        Ok(OrderTrial { bytes, order, favourites: mixed.take(FAVOURITES).collect(), after })
    }

    /// Encodes all fixed kings. Returns with the runs the groups whose captures probes examine.
    fn encode_all(
        &self,
        king_tiles: &KingTiles,
        side: Side,
        after: &CaptureResults,
        favourites: &[CategoryMasks],
    ) -> Result<(Vec<PatternRuns>, u8), MakeWdlError> {
        let all: Vec<usize> = (0..self.fixed_kings.squares().len()).collect();
        self.encode(king_tiles, side, after, favourites, &all, self.progress)
    }

    /// Encodes these fixed kings, as many at a time as memory allows.
    fn encode(
        &self,
        king_tiles: &KingTiles,
        side: Side,
        after: &CaptureResults,
        favourites: &[CategoryMasks],
        fixed_kings: &[usize],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(Vec<PatternRuns>, u8), MakeWdlError> {
        let slots = self.sections.index().slots() / self.fixed_kings.squares().len() as u64;
        let captures = self.tables.captures(king_tiles, side, after);
        let mut groups = captures.as_ref().map_or(0, Captures::all);
        'again: loop {
            let trusted = captures.as_ref().map(|captures| TrustedCaptures { captures, groups });
            let mut runs: Vec<PatternRuns> = Vec::new();
            for some in fixed_kings.chunks(self.sections.at_a_time(self.memory)) {
                let more: Result<Vec<PatternRuns>, SectionError> = some
                    .par_iter()
                    .map(|&fixed_king| {
                        let section = self.sections.section(king_tiles, side, fixed_king)?;
                        let runs =
                            pattern_runs(&section, king_tiles, fixed_king, trusted, favourites);
                        progress(slots);
                        Ok(runs)
                    })
                    .collect();
                runs.extend(more?);
                let wrong = runs.iter().fold(0, |wrong, runs| wrong | runs.wrong);
                if wrong != 0 {
                    groups &= !wrong;
                    continue 'again;
                }
            }
            return Ok((runs, groups));
        }
    }
}
