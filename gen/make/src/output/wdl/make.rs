//! Makes a WDL file.

use crate::output::solved::WrittenFile;
use crate::output::wdl::allowed::{Allowed, Filling};
use crate::output::wdl::captures::{Captures, TrustedCaptures};
use crate::output::wdl::codes::{ContextCounts, codes};
use crate::output::wdl::grammar::{Effort, Grammar};
use crate::output::wdl::king_cells::cells as cells_of;
use crate::output::wdl::parser::Atom;
use crate::output::wdl::rows::{Row, RowCoder, RowMaker};
use crate::output::wdl::section::{KingTiles, SectionError, Sections};
use crate::output::wdl::sources::{CaptureResults, WdlSources};
use crate::output::wdl::trial::{self, Slabs, atoms_of_slabs, coded_length};
use crate::system::ByteSize;
use crate::system::atomic_file::write_atomically;
use rayon::prelude::*;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::wdl::{RowSymbols, WdlFile};
use sakmak_tables::format::wdl::model::WdlModel;
use sakmak_tables::format::wdl::{RowEntry, RowForm, Spans, WdlHeader, WdlName, WdlSide};
use sakmak_tables::index::Index;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::cells::{Cells, FixedKings};
use sakmak_tables::tiles::order::CellOrder;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The fixed kings of the sample: the parts in 16 of all.
const SAMPLE_KINGS: [usize; 2] = [6, 13];

/// The orders that are compared on a large sample.
const LARGE_TRIALS: usize = 3;

/// The level of zstd for models.
const MODEL_LEVEL: i32 = 19;

/// A WDL file could not be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeWdlError {
    /// The tables cannot be used.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// A row has too many bits.
    #[error("the categories of the table take too many bits for a WDL file")]
    TooLong,
    /// The file cannot be written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The bytes that were made are no WDL file.
    #[error(transparent)]
    File(#[from] FileError),
    /// What was made differs from the tables.
    #[error("the categories that were encoded with {} to move differ from the tables", .0.name())]
    Wrong(Side),
}

/// One side to move, encoded.
struct EncodedSide {
    record: WdlSide,
    rows: Vec<Row>,
    model: Vec<u8>,
    entries: Vec<u8>,
    bytes: Vec<u8>,
}

/// Makes the WDL file of a material in a directory, in `memory`. Every category is compared with the
/// tables before it is coded, and every row after it was decoded again.
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
    let encoded = maker.each(Table::sides(index), |&side| {
        let trial = maker.best_trial(side)?;
        Ok((side, maker.encode(side, trial)?))
    })?;
    let name = WdlName { material: index.material(), counting_rule };
    let mut front = Vec::new();
    let mut sides = [None, None];
    for (side, encoded) in &encoded {
        front.extend(&encoded.model);
        front.extend(&encoded.entries);
        sides[side.index()] = Some(encoded.record.clone());
    }
    let preamble = name.preamble(rules);
    let header = WdlHeader { preamble, index_checksum: xxh3_64(&front), sides };
    let mut bytes = header.encode().to_vec();
    bytes.append(&mut front);
    encoded.iter().for_each(|(_, encoded)| bytes.extend(&encoded.bytes));
    let checksum = xxh3_64(&bytes);
    bytes.extend(checksum.to_le_bytes());
    let path = directory.join(name.to_string());
    let length = bytes.len() as u64;
    let given = Box::new(bytes.clone());
    let file = WdlFile::from_bytes(&path, given, name, index, rules, &fixed_kings)?;
    for (side, encoded) in &encoded {
        compare(&file, *side, &encoded.rows)?;
        (progress)(index.slots());
    }
    write_atomically::<_, io::Error>(directory, &name.to_string(), |file| file.write_all(&bytes))?;
    Ok(WrittenFile { path, length, checksum })
}

/// Compares the rows of a file with those that were encoded.
fn compare(file: &WdlFile, side: Side, rows: &[Row]) -> Result<(), MakeWdlError> {
    let differs = |(number, row): (usize, &Row)| -> Result<bool, FileError> {
        Ok(match (row, file.row_symbols(side, number as u64)?) {
            (Row::Alike(category), Some(RowSymbols::Alike(found))) => *category != found,
            (Row::Symbols { symbols, .. }, Some(RowSymbols::Symbols(found))) => *symbols != found,
            _ => true,
        })
    };
    let wrong = rows.par_iter().enumerate().map(differs).find_map_first(|differs| match differs {
        Ok(false) => None,
        Ok(true) => Some(MakeWdlError::Wrong(side)),
        Err(error) => Some(error.into()),
    });
    wrong.map_or(Ok(()), Err)
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

/// The cells of some fixed kings in the first order, with a king swept.
struct Sample {
    swept: Side,
    cells: Vec<Vec<Allowed>>,
    after: CaptureResults,
}

/// An order of cells and a filling, the best of those tried on a sample.
struct Trial {
    order: CellOrder,
    filling: Filling,
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

    /// A sample with a king swept, and the groups whose captures cannot be trusted.
    fn sample(&self, side: Side, swept: Side) -> Result<Sample, MakeWdlError> {
        let index = self.sections.index();
        let order = CellOrder::first(index, swept);
        let after = self.tables.after(side, swept)?;
        let all = self.fixed_kings.squares().len();
        let kings: Vec<usize> = SAMPLE_KINGS.iter().map(|part| part * all / 16).collect();
        let (cells, _) = self.cells(&order, side, &after, &kings, |cells| cells)?;
        Ok(Sample { swept, cells, after })
    }

    /// The order of cells and the filling that take the fewest bits of a sample, and that sample.
    fn best_trial(&self, side: Side) -> Result<(Trial, Sample), MakeWdlError> {
        let index = self.sections.index();
        let length = |sample: &Sample, order: &CellOrder, filling: Filling, large: bool| {
            let (slabs, effort) = match large {
                true => (Slabs::LARGE, Effort::LARGE),
                false => (Slabs::SMALL, Effort::SMALL),
            };
            let of_king = |cells: &Vec<Allowed>| trial::slabs(cells, index, order, slabs);
            let slabs: Vec<Vec<Allowed>> = sample.cells.iter().flat_map(of_king).collect();
            coded_length(&atoms_of_slabs(&slabs, filling), effort)
        };
        let first_filling = Filling::ALL[0];
        // The swept king matters most, then the order, then the filling.
        let samples = self.each(&Side::BOTH, |&swept| {
            let sample = self.sample(side, swept)?;
            let order = CellOrder::first(index, swept);
            Ok((length(&sample, &order, first_filling, false), sample))
        })?;
        let best = samples.into_iter().min_by_key(|(length, _)| *length);
        let Some((_, sample)) = best else { return Err(MakeWdlError::Wrong(side)) };
        let shortest = |trials: Vec<(CellOrder, Filling)>, large: bool| {
            let tried = trials
                .into_par_iter()
                .map(|(order, filling)| (length(&sample, &order, filling, large), order, filling));
            let mut tried: Vec<(u64, CellOrder, Filling)> = tried.collect();
            // Of equal ones the first.
            tried.sort_by_key(|&(length, ..)| length);
            tried.into_iter().map(|(_, order, filling)| (order, filling)).collect::<Vec<_>>()
        };
        let orders = CellOrder::all(index, sample.swept).into_iter();
        let mut orders = shortest(orders.map(|order| (order, first_filling)).collect(), false);
        orders.truncate(LARGE_TRIALS);
        let Some((order, _)) = shortest(orders, true).into_iter().next() else {
            return Err(MakeWdlError::Wrong(side));
        };
        let fillings = Filling::ALL.map(|filling| (order.clone(), filling)).to_vec();
        let filling = shortest(fillings, true).first().map_or(first_filling, |best| best.1);
        Ok((Trial { order, filling }, sample))
    }

    /// Encodes all fixed kings.
    fn encode(
        &self,
        side: Side,
        (trial, sample): (Trial, Sample),
    ) -> Result<EncodedSide, MakeWdlError> {
        let Trial { order, filling, .. } = trial;
        let Sample { cells: sample, after, .. } = sample;
        let index = self.sections.index();
        let of_king = |cells: &Vec<Allowed>| trial::slabs(cells, index, &order, Slabs::FILE);
        let of_sample: Vec<Vec<Atom>> =
            atoms_of_slabs(&sample.par_iter().flat_map(of_king).collect::<Vec<_>>(), filling);
        drop(sample);
        let grammar = Grammar::of(&of_sample, Effort::FILE);
        let maker = RowMaker::new(filling, &grammar, &of_sample);
        let all: Vec<usize> = (0..self.fixed_kings.squares().len()).collect();
        let slots = index.slots() / all.len() as u64;
        let (rows, captures) = self.cells(&order, side, &after, &all, |cells| {
            let rows = maker.rows(&cells);
            (self.progress)(slots);
            rows
        })?;
        let rows: Option<Vec<Vec<Row>>> = rows.into_iter().collect();
        let all_rows = rows.ok_or(MakeWdlError::Wrong(side))?.concat();
        let parts = all_rows.len().div_ceil(rayon::current_num_threads()).max(1);
        let counts = all_rows.par_chunks(parts).map(|rows| maker.counts(rows));
        let counts = counts.reduce_with(|mut counts, more| {
            counts.add(&more);
            counts
        });
        let codes = codes(&counts.unwrap_or_else(|| ContextCounts::new(maker.strings().len())));
        let coder = RowCoder::new(&codes, maker.strings());
        let encoded: Option<Vec<(RowForm, Vec<u8>)>> = all_rows
            .par_iter()
            .enumerate()
            .map(|(number, row)| coder.encode(number as u64, row))
            .collect();
        let (mut entries, mut bytes) = (Vec::new(), Vec::new());
        let mut push = |offset: usize, form: RowForm| {
            let entry = RowEntry { offset: offset as u64, form }.encode();
            entry.map(|entry| entries.extend(entry)).ok_or(MakeWdlError::TooLong)
        };
        for (form, row) in encoded.ok_or(MakeWdlError::TooLong)? {
            push(bytes.len(), form)?;
            bytes.extend(row);
        }
        push(bytes.len(), RowForm::Spans(Spans { cell_bits: 0, unit_bits: 0 }))?;
        let (code_of_context, code_bits) = (codes.code_of_context, codes.code_bits);
        let model = WdlModel { pairs: grammar.pairs, code_of_context, code_bits }.encode();
        let model = zstd::bulk::compress(&model, MODEL_LEVEL)?;
        let (model_bytes, row_bytes) = (model.len() as u32, bytes.len() as u64);
        let record = WdlSide { order, captures, model_bytes, row_bytes };
        Ok(EncodedSide { record, rows: all_rows, model, entries, bytes })
    }

    /// Calls `use_it` with the cells of each of these fixed kings, of as many at a time as memory
    /// allows. Returns with the results the groups whose captures probes examine.
    fn cells<R: Send>(
        &self,
        order: &CellOrder,
        side: Side,
        after: &CaptureResults,
        fixed_kings: &[usize],
        use_it: impl Fn(Vec<Allowed>) -> R + Sync,
    ) -> Result<(Vec<R>, u8), MakeWdlError> {
        let index = self.sections.index();
        let cells = Cells::new(index, Arc::clone(self.fixed_kings), order);
        let tiles = KingTiles::new(index, order);
        let captures = self.tables.captures(order, side, after);
        let mut groups = captures.as_ref().map_or(0, Captures::all);
        'again: loop {
            let trusted = captures.as_ref().map(|captures| TrustedCaptures { captures, groups });
            let mut results = Vec::new();
            for some in fixed_kings.chunks(self.sections.at_a_time(self.memory)) {
                let of_king = |&fixed_king: &usize| -> Result<_, SectionError> {
                    let section = self.sections.section(&cells, &tiles, side, fixed_king)?;
                    let square = self.fixed_kings.squares()[fixed_king];
                    let (cells, wrong) = cells_of(&section, &tiles, trusted, square);
                    // What cannot be used is not encoded.
                    Ok((wrong == 0).then(|| use_it(cells)).ok_or(wrong))
                };
                let more: Result<Vec<Result<R, u8>>, SectionError> =
                    some.par_iter().map(of_king).collect();
                let more = more?;
                let wrong = more
                    .iter()
                    .fold(0, |wrong, result| wrong | result.as_ref().err().copied().unwrap_or(0));
                if wrong != 0 {
                    groups &= !wrong;
                    continue 'again;
                }
                results.extend(more.into_iter().flatten());
            }
            return Ok((results, groups));
        }
    }
}
