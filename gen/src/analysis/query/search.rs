//! Searching a material's tables: counts, lists, samples.

use crate::analysis::census::CensusError;
use crate::analysis::query::clock::{can_be_left, clock};
use crate::analysis::query::clock::QueryError;
use crate::analysis::query::expression::Expression;
use crate::analysis::query::image::QueryMatch;
use crate::analysis::query::scan::{RowMatches, Scan, CodeWindow};
use crate::analysis::query::image::SlotImage;
use crate::analysis::statistics::Source;
use crate::planes::legal_rows::LegalRows;
use rayon::prelude::*;
use sakmak_tables::counting::{Category, CountingRule};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Slots one thread goes through at a time, a king pair at least.
const RUN: u64 = 1 << 19;
/// Slots each thread goes through between two meetings, a king pair at least.
const SLOTS_AT_ONCE: u64 = 4 * RUN;
/// Hits given to a reader at a time.
const HITS_AT_ONCE: usize = 1 << 14;

/// How many positions meet a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchCount {
    /// Of the whole board, no symmetry folded and like pieces alike, by [`Side::index`] of the
    /// side to move.
    pub positions: [u64; 2],
    /// Slots: positions that are turned images of one another are one, and so are those
    /// with colours changed where both sides have the same pieces. Where a turn leaves both
    /// kings in place, mirror images have a slot each.
    pub slots: u64,
}

/// A search through the tables of a material for what meets a condition.
pub struct Query<'a> {
    expression: &'a Expression,
    rows: LegalRows,
    source: Source<'a>,
    /// Whether distance to mate says what is in time.
    decided_by_mate: bool,
    counting_rule: &'static CountingRule,
    left: Option<Moves>,
}

/// King pairs of a scan, gone through by one thread.
type PairRun = (usize, Range<u16>);

impl<'a> Query<'a> {
    /// Of these tables under a way of counting. `left` are the attacker's moves that are left
    /// on the clock, where not those of a count that starts in each position; where no count
    /// runs against the attacker it is not looked at.
    ///
    /// # Errors
    ///
    /// When the tables are not those that are needed, or more is left than can be.
    pub fn new(
        expression: &'a Expression,
        source: Source<'a>,
        counting_rule: &'static CountingRule,
        left: Option<Moves>,
    ) -> Result<Query<'a>, QueryError> {
        let mate = source.mate.index().material();
        let name = TableName::answering(mate, Metric::Counted(counting_rule));
        let decided_by_mate = name.metric == Metric::DistanceToMate;
        let source = Source { counted: source.counted.filter(|_| !decided_by_mate), ..source };
        match source.counted.map(|codes| codes.index().material()) {
            Some(counted) if counted != mate => {
                return Err(QueryError::Materials { mate, counted });
            }
            None if expression.needs_counted() && !decided_by_mate => {
                return Err(QueryError::NotCounted(name));
            }
            _ => {}
        }
        if let Some(left) = left {
            can_be_left(left, mate, counting_rule)?;
        }
        let rows = LegalRows::new(source.mate.index().clone(), &counting_rule.variant().rules);
        Ok(Query { expression, rows, source, decided_by_mate, counting_rule, left })
    }

    /// The mover's grade under the count; nothing where the table that says it is not at hand.
    pub fn category(&self, hit: &QueryMatch) -> Option<Category> {
        let side = hit.place.side;
        let in_time = |attacker| {
            let moves = hit.counted.map(Value::moves)?;
            let clock =
                clock(self.index().material(), self.counting_rule, attacker, side, self.left);
            Some(moves.is_some_and(|moves| clock.is_none_or(|clock| moves <= clock)))
        };
        let in_time = match hit.mate {
            Value::Draw => false,
            Value::Win(_) => in_time(side)?,
            Value::Loss(_) => in_time(!side)?,
        };
        Some(Category::of(hit.mate, in_time))
    }

    /// The index of the tables.
    pub fn index(&self) -> &Index {
        self.rows.index()
    }

    /// How many slots are gone through.
    pub fn slots(&self) -> u64 {
        self.scans().len() as u64 * self.index().slots()
    }

    /// Counts the positions that meet an expression.
    ///
    /// `progress` is called from all threads with the number of slots just done.
    ///
    /// # Errors
    ///
    /// When codes cannot be read, or a legal position has none.
    pub fn count(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<MatchCount, CensusError> {
        let scans = self.scans();
        let counts: Vec<Result<MatchCount, CensusError>> = self
            .runs(&scans)
            .into_par_iter()
            .map(|(scan, pairs)| {
                let scan = &scans[scan];
                let mut counted = MatchCount::default();
                let (mut slots, slots_done) = (0, scan.slots(&pairs));
                let found = |found: RowMatches| slots += u64::from(found.slots.count_ones());
                scan.run(pairs, found, |side, slots, images| {
                    counted.positions[side.index()] += u64::from(slots) * images;
                })?;
                progress(slots_done.end - slots_done.start);
                Ok(MatchCount { slots, ..counted })
            })
            .collect();
        counts.into_iter().try_fold(MatchCount::default(), |all, more| {
            let more = more?;
            let positions = [0, 1].map(|side| all.positions[side] + more.positions[side]);
            Ok(MatchCount { positions, slots: all.slots + more.slots })
        })
    }

    /// Gives the hits to a reader in order, White held to be on the move before Black, then
    /// by slot, some at a time, until it breaks off. However many there are, those of a few
    /// king pairs only are in memory at a time.
    ///
    /// # Errors
    ///
    /// As [`Query::count`].
    pub fn each(
        &self,
        mut reader: impl FnMut(&[QueryMatch]) -> ControlFlow<()>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), CensusError> {
        let scans = self.scans();
        let runs = self.runs(&scans);
        for runs in runs.chunks(self.runs_at_once()) {
            let found: Vec<Result<MatchList<'_>, CensusError>> = runs
                .par_iter()
                .map(|(number, pairs)| {
                    let scan = &scans[*number];
                    let mut rows = Vec::new();
                    let mate = scan.run(pairs.clone(), |found| rows.push(found), |_, _, _| ())?;
                    let slots = scan.slots(pairs);
                    let counted = self.source.counted.filter(|_| !rows.is_empty());
                    let window = |codes| CodeWindow::of(codes, scan.side, slots.clone());
                    let counted = counted.map(window).transpose()?;
                    progress(slots.end - slots.start);
                    Ok(MatchList { search: self, side: scan.side, rows, mate, counted })
                })
                .collect();
            for listed in found {
                if listed?.give(&mut reader).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Draws so many of the hits, each as likely as any other, in the order of
    /// [`Query::each`]; all where there are not so many. What is drawn depends on the seed
    /// and the hits alone.
    ///
    /// # Errors
    ///
    /// As [`Query::count`].
    pub fn sample(
        &self,
        most: usize,
        seed: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<QueryMatch>, CensusError> {
        let scans = self.scans();
        let runs = self.runs(&scans);
        let mut drawn = BTreeMap::new();
        for runs in runs.chunks(self.runs_at_once()) {
            let limit = lowest_out(&drawn, most);
            let found: Vec<Result<DrawnMatches, CensusError>> = runs
                .par_iter()
                .map(|(number, pairs)| {
                    let scan = &scans[*number];
                    let mut lowest = DrawnMatches::new();
                    let mut limit = limit;
                    let draw = |found: RowMatches| {
                        for (slot, view) in bits(found).map(|slot| (slot, found.view)) {
                            // The hits with the lowest random numbers are drawn.
                            let key = (random(scan.side, slot, seed), *number, slot);
                            if key < limit {
                                lowest.insert(key, view);
                                if lowest.len() > most {
                                    lowest.pop_last();
                                }
                                limit = lowest_out(&lowest, most).min(limit);
                            }
                        }
                    };
                    scan.run(pairs.clone(), draw, |_, _, _| ())?;
                    let slots = scan.slots(pairs);
                    progress(slots.end - slots.start);
                    Ok(lowest)
                })
                .collect();
            for lowest in found {
                drawn.extend(lowest?);
            }
            while drawn.len() > most {
                drawn.pop_last();
            }
        }
        let mut drawn: Vec<_> = drawn.into_iter().collect();
        drawn.sort_by_key(|&((_, scan, slot), _)| (scan, slot));
        let hit = |((_, number, slot), view): (DrawKey, SlotImage)| {
            let side = scans[number].side;
            let window = |codes| CodeWindow::of(codes, side, slot.0..slot.0 + 1);
            let place = Address { side, slot };
            let mate = window(self.source.mate)?.value(slot);
            let counted = match self.source.counted {
                Some(counted) => window(counted)?.value(slot),
                None => None,
            };
            let mate =
                mate.ok_or(CensusError::NoValue { material: self.index().material(), place })?;
            Ok(self.hit(place, view, mate, counted))
        };
        drawn.into_par_iter().map(hit).collect()
    }

    fn hit(&self, place: Address, view: SlotImage, mate: Value, counted: Option<Value>) -> QueryMatch {
        let counted = if self.decided_by_mate { Some(mate) } else { counted };
        QueryMatch { place, view, mate, counted }
    }

    /// One for each side to move the table holds; none where nothing can meet it.
    fn scans(&self) -> Vec<Scan<'_>> {
        let sides = Table::sides(self.index()).iter();
        let scan = |&side: &Side| {
            let material = self.index().material();
            let clock = |attacker| clock(material, self.counting_rule, attacker, side, self.left);
            let clocks = [clock(side), clock(!side)];
            Scan::new(self.expression, self.source, &self.rows, side, clocks)
        };
        sides.map(scan).filter(|scan| !scan.is_empty()).collect()
    }

    /// Runs between two meetings of all threads: those of which all is in memory at a time.
    fn runs_at_once(&self) -> usize {
        let each = SLOTS_AT_ONCE / self.index().slots_per_pair().max(RUN);
        each.max(1) as usize * rayon::current_num_threads()
    }

    /// The runs of scans, in order.
    fn runs(&self, scans: &[Scan<'_>]) -> Vec<PairRun> {
        let pairs = self.index().kings().len() as u16;
        let run = (RUN / self.index().slots_per_pair()).clamp(1, u64::from(pairs)) as u16;
        let of = |scan: usize| {
            let runs = 0..pairs.div_ceil(run);
            runs.map(move |number| (scan, number * run..((number + 1) * run).min(pairs)))
        };
        (0..scans.len()).flat_map(of).collect()
    }
}

/// What a hit is drawn by, its scan and slot.
type DrawKey = (u64, usize, Slot);
/// Hits drawn, those that stay longest first.
type DrawnMatches = BTreeMap<DrawKey, SlotImage>;

/// The least key that need not be looked at.
fn lowest_out(drawn: &DrawnMatches, most: usize) -> DrawKey {
    let last = drawn.last_key_value().filter(|_| drawn.len() >= most);
    last.map_or((u64::MAX, usize::MAX, Slot(u64::MAX)), |(&key, _)| key)
}

fn random(side: Side, slot: Slot, seed: u64) -> u64 {
    let mut bytes = [0; 9];
    bytes[..8].copy_from_slice(&slot.0.to_le_bytes());
    bytes[8] = side.index() as u8;
    xxh3_64_with_seed(&bytes, seed)
}

/// The slots found, in order.
fn bits(found: RowMatches) -> impl Iterator<Item = Slot> {
    let set = (0..64).filter(move |bit| found.slots >> bit & 1 != 0);
    set.map(move |bit| Slot(found.row.0 + bit))
}

/// What was found in a run, with the codes that say its values.
struct MatchList<'a> {
    search: &'a Query<'a>,
    side: Side,
    rows: Vec<RowMatches>,
    mate: CodeWindow<'a>,
    counted: Option<CodeWindow<'a>>,
}

impl MatchList<'_> {
    /// Gives the hits to a reader, in order.
    fn give(&self, reader: &mut impl FnMut(&[QueryMatch]) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut hits = Vec::new();
        for row in self.rows.chunk_by(|one, other| one.row == other.row) {
            let first = hits.len();
            let found = row.iter().flat_map(|&found| bits(found).map(move |slot| (slot, found)));
            hits.extend(found.map(|(slot, found)| {
                let place = Address { side: self.side, slot };
                // A legal position has a value: that was looked at.
                let mate = self.mate.value(slot).unwrap_or(Value::Draw);
                let counted = self.counted.as_ref().and_then(|counted| counted.value(slot));
                self.search.hit(place, found.view, mate, counted)
            }));
            hits[first..].sort_by_key(|hit| hit.place.slot);
            if hits.len() >= HITS_AT_ONCE {
                reader(&hits)?;
                hits.clear();
            }
        }
        match hits.is_empty() {
            true => ControlFlow::Continue(()),
            false => reader(&hits),
        }
    }
}
