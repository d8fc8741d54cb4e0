//! Makes a WDL file.

use crate::output::solved::WrittenFile;
use crate::output::wdl::assemble::{EncodedSide, assemble};
use crate::output::wdl::captures::Captures;
use crate::output::wdl::dictionary::{Dictionary, PatternCounts};
use crate::output::wdl::rows::{EncodedRow, KingRows, encode_king, encode_row, needed};
use crate::output::wdl::runs::{KingCategories, Run, TrustedCaptures, groups_of_row, runs};
use crate::output::wdl::section::{
    Section, SectionError, Sections, made_section_bytes, section_bytes,
};
use crate::output::wdl::sources::{CaptureResults, WdlSources};
use crate::output::wdl::tokens::{TokenChooser, kinds};
use crate::system::ByteSize;
use crate::system::atomic_file::write_atomically;
use rayon::prelude::*;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::wdl::WdlFile;
use sakmak_solve::solver::Width;
use sakmak_tables::counting::Category;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::wdl::model::WdlModel;
use sakmak_tables::format::wdl::row::ROW_GROUPS;
use sakmak_tables::format::wdl::{GROUP_TILES, WdlHeader, WdlName};
use sakmak_tables::index::Index;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::king_tile::{FixedKings, KingTiles};
use sakmak_tables::tiles::order::KingTileOrder;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// A trial encodes every n-th row of every n-th fixed king of the second half.
const TRIAL_STEP: usize = 8;
/// Every n-th fixed king is sampled for frequent patterns.
const DICTIONARY_STEP: usize = 4;
/// Minimum count of a pattern in the dictionary: in a trial, and per byte of the pattern in the
/// file.
const TRIAL_LEAST: u32 = 2;
const LEAST_PER_BYTE: f64 = 0.2;

/// A WDL file could not be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeWdlError {
    /// The tables cannot be used.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// The rows are too long for a file.
    #[error("the rows of one side to move take more than 4 GiB, which no WDL file holds")]
    RowOverflow,
    /// A pattern cannot be coded.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The file cannot be written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The encoded bytes are not a valid WDL file.
    #[error(transparent)]
    File(#[from] FileError),
    /// The encoded bytes differ from the tables.
    #[error("the tile group of king tile {king_tile} of fixed king {fixed_king} with {} to move was not coded as the tables have it", side.name())]
    Wrong {
        /// The side to move.
        side: Side,
        /// The number of the fixed king.
        fixed_king: usize,
        /// The first king tile of the tile group, counted from the first of the fixed king.
        king_tile: u64,
    },
}

/// Memory in bytes that sections can use: one section per thread, and the kept sections.
pub(crate) fn wanted_bytes(index: &Index) -> u64 {
    rayon::current_num_threads() as u64 * section_bytes(index) + kept_bytes(index)
}

/// Memory in bytes of the sections that are kept from counting patterns to encoding.
fn kept_bytes(index: &Index) -> u64 {
    let fixed_kings = FixedKings::new(index.kings().symmetries()).squares().len();
    let sections = fixed_kings.div_ceil(DICTIONARY_STEP) * Table::sides(index).len();
    sections as u64 * made_section_bytes(index)
}

/// Makes the WDL file of a material in a directory, in `memory`. Compares every row with the tables
/// after it was coded.
///
/// `progress` is called from all threads with the number of slots just done, in total about
/// the slots of the index for each side to move that the tables hold.
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
    let keeps = memory.0 >= wanted_bytes(index);
    let memory = ByteSize(memory.0 - if keeps { kept_bytes(index) } else { 0 });
    let maker = WdlMaker { tables, sections, fixed_kings: &fixed_kings, memory, keeps, progress };
    let mut sides: [Option<EncodedSide>; 2] = [None, None];
    for (side, encoded) in
        maker.each(Table::sides(index), |&side| Ok((side, maker.encode_side(side)?)))?
    {
        sides[side.index()] = Some(encoded);
    }
    let name = WdlName { material: index.material(), counting_rule };
    let mut front = Xxh3Default::new();
    sides.iter().flatten().for_each(|side| front.update(&side.front));
    let header = WdlHeader {
        preamble: name.preamble(rules),
        front_checksum: front.digest(),
        sides: sides.each_ref().map(|side| side.as_ref().map(|side| side.record.clone())),
    };
    let mut bytes = header.encode().to_vec();
    for side in sides.iter_mut().flatten() {
        bytes.append(&mut std::mem::take(&mut side.front));
    }
    for side in sides.iter_mut().flatten() {
        bytes.append(&mut std::mem::take(&mut side.rows));
    }
    let checksum = xxh3_64(&bytes);
    bytes.extend(checksum.to_le_bytes());
    let path = directory.join(name.to_string());
    let length = bytes.len() as u64;
    WdlFile::from_bytes(&path, bytes.clone(), name, index, rules, &fixed_kings)?.verify()?;
    write_atomically::<_, io::Error>(directory, &name.to_string(), |file| file.write_all(&bytes))?;
    Ok(WrittenFile { path, length, checksum })
}

/// Opens the WDL file of a directory and checks all its bytes.
///
/// # Errors
///
/// If there is no such file, it is damaged, or its name does not match its header.
pub fn opened(directory: &Path, name: WdlName, access: Access) -> Result<WdlFile, FileError> {
    let file = open(directory, name, access)?;
    file.verify()?;
    Ok(file)
}

/// Opens the WDL file of a directory.
///
/// # Errors
///
/// If there is no such file, its head is damaged, or its name does not match its header.
pub fn open(directory: &Path, name: WdlName, access: Access) -> Result<WdlFile, FileError> {
    let rules = &variants::counted_by(name.counting_rule).rules;
    let index = Index::new(name.material, rules);
    let fixed_kings = Arc::new(FixedKings::new(index.kings().symmetries()));
    let path = directory.join(name.to_string());
    WdlFile::open(&path, access, name, &index, rules, &fixed_kings)
}

/// Arguments of all steps.
struct WdlMaker<'a> {
    tables: &'a WdlSources,
    sections: &'a Sections<'a>,
    fixed_kings: &'a Arc<FixedKings>,
    /// Memory for sections under construction.
    memory: ByteSize,
    /// Memory suffices to keep the sections that are read twice.
    keeps: bool,
    progress: &'a (dyn Fn(u64) + Sync),
}

/// The fixed kings of a side to move.
struct SideKings<'a> {
    king_tiles: &'a KingTiles,
    side: Side,
    /// Step between the rows that are needed.
    row_step: usize,
    /// Kept sections that are read twice, by fixed king.
    kept: BTreeMap<usize, OnceLock<Section>>,
}

impl SideKings<'_> {
    /// Returns the number of tile groups of a fixed king.
    fn tile_groups(&self) -> u64 {
        self.king_tiles.per_fixed_king().div_ceil(GROUP_TILES)
    }
}

/// Corrections that the rows of a side require, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct ModelGaps {
    /// Groups with a capture that results in a better category than the table has.
    wrong_groups: u8,
    /// Categories that the model does not have.
    categories: u8,
}

impl ModelGaps {
    fn and(self, wrong_groups: u8, categories: u8) -> ModelGaps {
        ModelGaps {
            wrong_groups: self.wrong_groups | wrong_groups,
            categories: self.categories | categories,
        }
    }
}

/// An order of king tiles, encoded on trial.
struct OrderTrial {
    bytes: usize,
    order: KingTileOrder,
    model: WdlModel,
    /// Models with other kinds of changes.
    others: Vec<WdlModel>,
    rows: SampleRows,
    dictionary: Dictionary,
    after: CaptureResults,
    /// Groups whose captures were not better than a position, one bit each.
    groups: u8,
}

/// Rows of tile groups.
type SampleRows = Vec<Vec<Vec<Run>>>;

impl WdlMaker<'_> {
    /// Maps items, in parallel if each thread has memory for a section.
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

    fn king_tiles(&self, order: &KingTileOrder) -> KingTiles {
        KingTiles::new(self.sections.index(), Arc::clone(self.fixed_kings), order)
    }

    /// Encodes the part of a side to move.
    fn encode_side(&self, side: Side) -> Result<EncodedSide, MakeWdlError> {
        let OrderTrial { order, model: tried, after, mut groups, .. } =
            self.best_trial(side)?.with_best_model(self.tables.width());
        let mut model = tried.clone();
        let king_tiles = &self.king_tiles(&order);
        let captures = self.tables.captures(king_tiles, side, &after);
        let sample = (0..self.fixed_kings.squares().len()).step_by(DICTIONARY_STEP);
        let sample: Vec<usize> = sample.collect();
        let kept = sample.iter().filter(|_| self.keeps).map(|&king| (king, OnceLock::new()));
        let kings = SideKings { king_tiles, side, row_step: 1, kept: kept.collect() };
        loop {
            let trusted = captures.as_ref().map(|captures| TrustedCaptures { captures, groups });
            let categories = model.palette().categories();
            let (counts, mut gaps) = self.count_patterns(&kings, trusted, &sample, categories)?;
            if gaps == ModelGaps::default() {
                let pattern_length = model.palette().pattern_length() as f64;
                let dictionary =
                    Dictionary::new(counts, (LEAST_PER_BYTE * pattern_length).ceil() as u32);
                let patterns = dictionary.patterns.iter();
                let front: Vec<u8> =
                    patterns.flat_map(|pattern| model.palette().encode(pattern)).collect();
                let chooser = TokenChooser::new(&model, &dictionary, self.tables.width());
                let rows;
                (rows, gaps) = self.encode_rows(&kings, trusted, &chooser, &front)?;
                if gaps == ModelGaps::default() {
                    let side = assemble(&rows, order, groups, model, front);
                    return side.ok_or(MakeWdlError::RowOverflow);
                }
            }
            // The bytes must not depend on how many fixed kings are done together, so nothing that
            // was found with wrong groups stays.
            if gaps.wrong_groups != 0 {
                groups &= !gaps.wrong_groups;
                model = tried.clone();
            } else {
                model = WdlModel::new(categories | gaps.categories, *model.changes())?;
            }
        }
    }

    /// Counts the patterns of some fixed kings for a model with these categories.
    fn count_patterns(
        &self,
        kings: &SideKings<'_>,
        trusted: Option<TrustedCaptures<'_>>,
        fixed_kings: &[usize],
        categories: u8,
    ) -> Result<(PatternCounts, ModelGaps), SectionError> {
        let counted = self.kings(kings, trusted, fixed_kings, |king| {
            let (mut counts, mut gaps) = (PatternCounts::default(), ModelGaps::default());
            for tile_group in 0..kings.tile_groups() {
                let (allowed, better) = king.tile_group(tile_group);
                let runs = runs(&allowed);
                gaps = gaps.and(better, needed([&runs].into_iter(), categories));
                counts.add(&runs, categories);
            }
            (counts, gaps)
        })?;
        let mut all = ModelGaps::default();
        for (_, gaps) in &counted {
            all = all.and(gaps.wrong_groups, gaps.categories);
        }
        let counts = counted.into_iter().map(|(counts, _)| counts);
        Ok((counts.reduce(PatternCounts::join).unwrap_or_default(), all))
    }

    /// Encodes the rows of all fixed kings. Stops after the first kings for which the model has
    /// gaps.
    fn encode_rows(
        &self,
        kings: &SideKings<'_>,
        trusted: Option<TrustedCaptures<'_>>,
        chooser: &TokenChooser<'_>,
        front: &[u8],
    ) -> Result<(Vec<EncodedRow>, ModelGaps), MakeWdlError> {
        let all: Vec<usize> = (0..self.fixed_kings.squares().len()).collect();
        let slots = self.sections.index().slots() / all.len() as u64;
        let mut rows: Vec<EncodedRow> = Vec::new();
        for some in all.chunks(self.sections.at_a_time(self.memory)) {
            let encoded = self.kings(kings, trusted, some, |king| {
                let rows = encode_king(king, kings.tile_groups(), chooser, front);
                (self.progress)(slots);
                rows
            })?;
            let gaps = ModelGaps::default();
            let gaps = encoded.iter().fold(gaps, |all, king| all.and(king.wrong, king.categories));
            if gaps != ModelGaps::default() {
                return Ok((rows, gaps));
            }
            for (KingRows { rows: more, differing, .. }, &fixed_king) in
                encoded.into_iter().zip(some)
            {
                if let Some(king_tile) = differing {
                    let side = kings.side;
                    return Err(MakeWdlError::Wrong { side, fixed_king, king_tile });
                }
                rows.extend(more);
            }
        }
        Ok((rows, ModelGaps::default()))
    }

    /// Maps fixed kings in parallel, as many at a time as memory allows.
    fn kings<R: Send>(
        &self,
        kings: &SideKings<'_>,
        trusted: Option<TrustedCaptures<'_>>,
        fixed_kings: &[usize],
        work: impl Fn(&KingCategories<'_>) -> R + Sync,
    ) -> Result<Vec<R>, SectionError> {
        let &SideKings { king_tiles, side, row_step, ref kept } = kings;
        let mut done = Vec::with_capacity(fixed_kings.len());
        for some in fixed_kings.chunks(self.sections.at_a_time(self.memory)) {
            let more: Result<Vec<R>, SectionError> = some
                .par_iter()
                .map(|&number| {
                    let fixed_king = king_tiles.fixed_kings().squares()[number];
                    let place = kept.get(&number);
                    if let Some(section) = place.and_then(OnceLock::get) {
                        return Ok(work(&KingCategories { section, fixed_king, trusted }));
                    }
                    let section = self.sections.section(king_tiles, side, number, row_step)?;
                    let result = work(&KingCategories { section: &section, fixed_king, trusted });
                    if let Some(place) = place {
                        place.get_or_init(|| section);
                    }
                    Ok(result)
                })
                .collect();
            done.extend(more?);
        }
        Ok(done)
    }

    /// Returns the order of king tiles that takes the fewest bytes for some fixed kings, with the
    /// first kinds of changes.
    fn best_trial(&self, side: Side) -> Result<OrderTrial, MakeWdlError> {
        let index = self.sections.index();
        let fixed_kings = self.fixed_kings.squares().len();
        let sample: Vec<usize> =
            (0..fixed_kings).skip(fixed_kings / 2).step_by(TRIAL_STEP).collect();
        // The swept king matters most, then the fastest group.
        let trials = self.each(&Side::BOTH, |&swept| {
            let after = self.tables.after(side, swept)?;
            let first = KingTileOrder::all(index, swept).into_iter().next();
            // A material of bare kings has no group.
            let order = first.unwrap_or(KingTileOrder { swept, groups: Vec::new() });
            self.trial(side, order, after, &sample)
        })?;
        let better =
            |one: OrderTrial, other: OrderTrial| if other.bytes < one.bytes { other } else { one };
        let best = trials.into_iter().reduce(better).ok_or_else(no_trial)?;
        let orders = KingTileOrder::all(index, best.order.swept);
        let others = self.each(orders.get(1..).unwrap_or_default(), |order| {
            self.trial(side, order.clone(), best.after.clone(), &sample)
        })?;
        Ok(others.into_iter().fold(best, better))
    }

    /// Encodes some rows of some fixed kings in one order.
    fn trial(
        &self,
        side: Side,
        order: KingTileOrder,
        after: CaptureResults,
        fixed_kings: &[usize],
    ) -> Result<OrderTrial, MakeWdlError> {
        let king_tiles = &self.king_tiles(&order);
        let captures = self.tables.captures(king_tiles, side, &after);
        let mut groups = captures.as_ref().map_or(0, Captures::all);
        let kings = SideKings { king_tiles, side, row_step: TRIAL_STEP, kept: BTreeMap::new() };
        let tile_groups = kings.tile_groups();
        let rows = loop {
            let trusted = captures.as_ref().map(|captures| TrustedCaptures { captures, groups });
            let sample = self.kings(&kings, trusted, fixed_kings, |king| {
                let mut all_wrong = 0;
                let rows = (0..tile_groups.div_ceil(ROW_GROUPS)).step_by(TRIAL_STEP);
                let rows = rows.map(|row| {
                    let group = |tile_group| {
                        let (allowed, wrong) = king.tile_group(tile_group);
                        all_wrong |= wrong;
                        runs(&allowed)
                    };
                    groups_of_row(row, tile_groups).map(group).collect()
                });
                let rows: SampleRows = rows.collect();
                (rows, all_wrong)
            })?;
            let wrong = sample.iter().fold(0, |all, (_, wrong)| all | wrong);
            if wrong == 0 {
                break sample.into_iter().flat_map(|(rows, _)| rows).collect::<SampleRows>();
            }
            groups &= !wrong;
        };
        let sample = || rows.iter().flatten();
        // If no slot is legal, any category will do.
        let draw = 1 << Category::Draw.index();
        let present = match needed(sample(), 0) {
            0 => draw,
            present => present,
        };
        let mut counts = PatternCounts::default();
        sample().for_each(|runs| counts.add(runs, present));
        let dictionary = Dictionary::new(counts, TRIAL_LEAST);
        let kinds = kinds(sample().map(|runs| &runs[..])).into_iter();
        let models: Result<Vec<WdlModel>, FormatError> =
            kinds.map(|changes| WdlModel::new(present, changes)).collect();
        let mut models = models?.into_iter();
        let model = models.next().ok_or_else(no_trial)?;
        let width = self.tables.width();
        let bytes = encoded_bytes(&rows, &model, &dictionary, width);
        let others = models.collect();
        Ok(OrderTrial { bytes, order, model, others, rows, dictionary, after, groups })
    }
}

impl OrderTrial {
    /// Chooses the model that takes the fewest bytes, and drops the rows.
    fn with_best_model(mut self, width: Width) -> OrderTrial {
        let (rows, dictionary) = (std::mem::take(&mut self.rows), &self.dictionary);
        let others = std::mem::take(&mut self.others).into_par_iter();
        let others = others.map(|model| (encoded_bytes(&rows, &model, dictionary, width), model));
        for (bytes, model) in others.collect::<Vec<_>>() {
            if bytes < self.bytes {
                (self.bytes, self.model) = (bytes, model);
            }
        }
        self
    }
}

/// Returns the bytes of these rows.
fn encoded_bytes(
    rows: &SampleRows,
    model: &WdlModel,
    dictionary: &Dictionary,
    width: Width,
) -> usize {
    let chooser = TokenChooser::new(model, dictionary, width);
    let length = |groups: &Vec<Vec<Run>>| match encode_row(groups, &chooser) {
        EncodedRow::Alike(_) => 0,
        EncodedRow::Bytes(bytes) => bytes.len(),
    };
    rows.iter().map(length).sum()
}

/// Cannot happen: there are two sides to sweep and kinds of changes to try.
fn no_trial() -> MakeWdlError {
    FormatError::Wdl("no order of king tiles was tried").into()
}
