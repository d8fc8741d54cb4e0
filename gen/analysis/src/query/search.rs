//! Queries of a material's tables: counts, lists, the first matches in an order, samples.

use crate::query::clock::{QueryError, can_be_left, clock as clock_of};
use crate::query::expression::{Comparison, Condition, Expression, Measure};
use crate::query::image::{QueryMatch, RowMatches, SlotImage};
use crate::query::mask::Clocks;
use crate::query::mirror::MirrorSlots;
use crate::query::order::{MatchOrder, MatchRank, OrderColumn};
use crate::query::scan::{CodeWindow, OtherRuleTable, QueryTables, Scan};
use crate::same_material;
use rayon::prelude::*;
use sakmak_make::census::CensusError;
use sakmak_solve::planes::legal_rows::LegalRows;
use sakmak_tables::counting::{Category, CountingRule};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::OrientedMaterial;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::{TableCodes, TablePair};
use sakmak_tables::values::table::Table;
use sakmak_tables::variants;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// Slots in a job, at least a king pair.
const RUN: u64 = 1 << 19;
/// Slots per thread between two points at which all threads wait for each other, at least a king
/// pair.
const SLOTS_AT_ONCE: u64 = 4 * RUN;
/// Matches passed to a reader at a time.
const MATCHES_AT_ONCE: usize = 1 << 14;

/// The number of positions that meet a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchCount {
    /// Positions of the whole board, with like pieces interchangeable and mirror images counted
    /// separately, by [`Side::index`] of the side to move.
    pub positions: [u64; 2],
    /// Distinct positions: images of each other under a symmetry of the board count once, including
    /// images with exchanged colours if both sides have the same pieces. The number of matches of
    /// [`Query::each`].
    pub distinct: u64,
}

/// A search of the tables of a material for positions that meet a condition.
pub struct Query<'a> {
    expression: &'a Expression,
    rows: LegalRows,
    mirrors: Vec<MirrorSlots>,
    tables: QueryTables<'a>,
    /// Whether distance to mate decides which wins are in time.
    decided_by_mate: bool,
    left: Option<Moves>,
    /// Whether White of the condition and of the matches is Black of the tables.
    flipped: bool,
}

/// The index of a scan, and the king pairs of one job.
type PairRun = (usize, Range<u16>);

impl<'a> Query<'a> {
    /// A query of these tables under a counting rule. `others` are the tables of the other counting
    /// rules that the condition names. `left` are the attacker's moves left on the clock; without
    /// it, a count starts in each position. `left` is ignored if no count runs against the
    /// attacker.
    ///
    /// # Errors
    ///
    /// If the tables lack what the condition needs, or `left` exceeds every count. If the condition
    /// names a rule of another variant, or names another rule while moves are left on the clock.
    pub fn new(
        expression: &'a Expression,
        source: TablePair<'a>,
        others: &'a [OtherRuleTable<'a>],
        counting_rule: &'static CountingRule,
        left: Option<Moves>,
    ) -> Result<Query<'a>, QueryError> {
        let mate = source.mate.index().material();
        let name = TableName::deciding(mate, Metric::Counted(counting_rule));
        let decided_by_mate = name.metric.counting_rule().is_none();
        let counted = source.counted.filter(|_| !decided_by_mate);
        same_material::check(mate, counted)?;
        if counted.is_none() && expression.needs_counted() && !decided_by_mate {
            return Err(QueryError::NotCounted(name));
        }
        if let Some(left) = left {
            can_be_left(left, mate, counting_rule)?;
        }
        let variant = variants::counted_by(counting_rule);
        for other in expression.counting_rules() {
            if variants::counted_by(other).rules != variant.rules {
                let (other, counting) = (other.name, counting_rule.name);
                return Err(QueryError::OtherVariant { other, counting });
            }
            if left.is_some() {
                return Err(QueryError::LeftBy { other: other.name });
            }
            let name = TableName::deciding(mate, Metric::Counted(other));
            let found = others.iter().find(|found| found.counting_rule == other);
            let codes = found.and_then(|found| found.codes);
            same_material::check(mate, codes)?;
            if codes.is_none() && name.metric.counting_rule().is_some() {
                return Err(QueryError::NotCounted(name));
            }
        }
        let rows = LegalRows::new(source.mate.index().clone(), &variant.rules);
        let subtables = &[];
        let tables = QueryTables { mate: source.mate, counted, others, subtables, counting_rule };
        let mirrors = MirrorSlots::all(rows.index());
        let flipped = false;
        Ok(Query { expression, rows, mirrors, tables, decided_by_mate, left, flipped })
    }

    /// The query with the tables of distance to mate that its table depends on. Conditions on moves
    /// need them ([`Expression::needs_subtables`]): without them the query fails at the first
    /// position with a move to a subtable.
    pub fn with_subtables(self, subtables: &'a [Arc<dyn TableCodes>]) -> Query<'a> {
        Query { tables: QueryTables { subtables, ..self.tables }, ..self }
    }

    /// The query with the colours of this material, which is the material of the tables: White of
    /// the condition, of the counts and of the matches has the pieces of its White.
    pub fn in_colours_of(self, material: OrientedMaterial) -> Query<'a> {
        Query { flipped: material.flipped, ..self }
    }

    /// The material, with the colours of the matches.
    pub fn material(&self) -> OrientedMaterial {
        OrientedMaterial { material: self.index().material(), flipped: self.flipped }
    }

    /// The mover's category under the count, or `None` if the deciding table is missing.
    pub fn category(&self, found: &QueryMatch) -> Option<Category> {
        let side = found.address.side;
        let in_time = |attacker| {
            let moves = found.counted.map(Value::moves)?;
            let clock = clock_of(
                self.index().material(),
                self.tables.counting_rule,
                attacker,
                side,
                self.left,
            );
            Some(moves.is_some_and(|moves| clock.is_none_or(|clock| moves <= clock)))
        };
        let in_time = match found.mate {
            Value::Draw => false,
            Value::Win(_) => in_time(side)?,
            Value::Loss(_) => in_time(!side)?,
        };
        Some(Category::of(found.mate, in_time))
    }

    /// The index of the tables.
    pub fn index(&self) -> &Index {
        self.rows.index()
    }

    /// The number of slots that the query reads.
    pub fn slots(&self) -> u64 {
        let scans = self.scans();
        let slots = self.runs(&scans).into_iter().map(|(scan, pairs)| scans[scan].slots(&pairs));
        slots.map(|slots| slots.end - slots.start).sum()
    }

    /// Counts the positions that meet the condition.
    ///
    /// `progress` is called from all threads with the number of slots just done.
    ///
    /// # Errors
    ///
    /// If codes cannot be read, or a legal position has no value.
    pub fn count(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<MatchCount, CensusError> {
        let scans = self.scans();
        let counts: Vec<Result<MatchCount, CensusError>> = self
            .runs(&scans)
            .into_par_iter()
            .map(|(scan, pairs)| {
                let scan = &scans[scan];
                let mut counted = MatchCount::default();
                let (mut distinct, slots_done) = (0, scan.slots(&pairs));
                let found = |found: RowMatches| distinct += u64::from(found.slots.count_ones());
                scan.run(pairs, found, |side, slots, images| {
                    counted.positions[side.index()] += u64::from(slots) * images;
                })?;
                progress(slots_done.end - slots_done.start);
                Ok(MatchCount { distinct, ..counted })
            })
            .collect();
        counts.into_iter().try_fold(MatchCount::default(), |all, more| {
            let more = more?;
            let positions = [0, 1].map(|side| all.positions[side] + more.positions[side]);
            Ok(MatchCount { positions, distinct: all.distinct + more.distinct })
        })
    }

    /// Passes the matches to a reader in batches, until the reader breaks off. The order is by side
    /// to move, White first, then by slot. Only the matches of a few king pairs are in memory at a
    /// time.
    ///
    /// # Errors
    ///
    /// See [`Query::count`].
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
                    let list = self.matches_of(&scans[*number], pairs, true)?;
                    let slots = scans[*number].slots(pairs);
                    progress(slots.end - slots.start);
                    Ok(list)
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

    /// The first `most` matches in an order, or all if fewer exist, with their ranks. Matches of
    /// the same rank are in the order of [`Query::each`]; so are random matches, regardless of
    /// their ranks.
    ///
    /// # Errors
    ///
    /// See [`Query::count`].
    pub fn first(
        &self,
        most: usize,
        order: MatchOrder,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<(MatchRank, QueryMatch)>, CensusError> {
        self.first_of(self.scans(), most, order, progress)
    }

    /// Finds [`Query::first`] among the matches of these scans.
    fn first_of(
        &self,
        scans: Vec<Scan<'_>>,
        most: usize,
        order: MatchOrder,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<(MatchRank, QueryMatch)>, CensusError> {
        let needs_counted =
            matches!(order, MatchOrder::By { column, .. } if column.needs_counted());
        let is_random = matches!(order, MatchOrder::Random { .. });
        let order = order.within(self.index().material());
        let runs = self.runs(&scans);
        let mut first = FirstMatches::new();
        for runs in runs.chunks(self.runs_at_once()) {
            let limit = lowest_out(&first, most);
            let found: Vec<Result<FirstMatches, CensusError>> = runs
                .par_iter()
                .map(|(number, pairs)| {
                    let list = self.matches_of(&scans[*number], pairs, needs_counted)?;
                    let lowest = list.first(*number, most, order, limit);
                    let slots = scans[*number].slots(pairs);
                    progress(slots.end - slots.start);
                    Ok(lowest)
                })
                .collect();
            for lowest in found {
                first.extend(lowest?);
            }
            while first.len() > most {
                first.pop_last();
            }
        }
        let mut first: Vec<_> = first.into_iter().collect();
        if is_random {
            first.sort_by_key(|&((_, scan, slot), _)| (scan, slot));
        }
        let match_of = |((rank, number, slot), image): (MatchKey, SlotImage)| {
            let side = scans[number].side;
            let window = |codes| CodeWindow::of(codes, side, slot.0..slot.0 + 1);
            let address = Address { side, slot };
            let mate = window(self.tables.mate)?.value(slot);
            let counted = match self.tables.counted {
                Some(counted) => window(counted)?.value(slot),
                None => None,
            };
            let mate =
                mate.ok_or(CensusError::NoValue { material: self.index().material(), address })?;
            Ok((rank, self.match_at(address, image, mate, counted)))
        };
        first.into_par_iter().map(match_of).collect()
    }

    /// The `most` matches with the most moves to mate, or all if fewer exist: [`Query::first`] in
    /// descending order of distance, without matches that have no distance. Matches with fewer
    /// moves than `least` are left out.
    ///
    /// The search starts at the longest mate that the tables have under the condition. It reads the
    /// tables again for shorter mates only if it found too few: at most three times.
    ///
    /// # Errors
    ///
    /// See [`Query::count`]; a legal position without a value may go unnoticed.
    pub fn longest(
        &self,
        most: usize,
        least: Moves,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<(MatchRank, QueryMatch)>, CensusError> {
        let order = MatchOrder::By { column: OrderColumn::DistanceToMate, descending: true };
        let at_least = |moves: Moves| {
            let distance = Condition::Distance(Measure::Mate, Comparison::AtLeast, moves.0);
            self.expression.clone().and(Expression::Is(distance))
        };
        let mut moves = Query::longest_mate(self.tables.mate);
        // No position meets the condition with a longer mate.
        while moves > least && self.scans_of(&at_least(moves)).is_empty() {
            moves = Moves(moves.0 - 1);
        }
        let shorter = [moves, Moves(moves.0 / 4 * 3), Moves(0)];
        for (pass, moves) in shorter.into_iter().enumerate() {
            let moves = moves.max(least);
            let scans = self.scans_of(&at_least(moves)).into_iter().map(Scan::leaving_out);
            let progress: &(dyn Fn(u64) + Sync) = if pass == 0 { progress } else { &|_| () };
            let found = self.first_of(scans.collect(), most, order, progress)?;
            if found.len() >= most || moves == least {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// The maximum number of moves to mate among a table's wins and losses.
    pub fn longest_mate(codes: &dyn TableCodes) -> Moves {
        let codings = Side::BOTH.into_iter().filter_map(|side| codes.coding(side));
        let longest = codings.map(|coding| coding.wins.max(coding.losses.unwrap_or_default()));
        longest.max().unwrap_or_default()
    }

    /// The matches of some king pairs, with the codes of their counted distances if `counted`.
    fn matches_of<'q>(
        &'q self,
        scan: &Scan<'q>,
        pairs: &Range<u16>,
        counted: bool,
    ) -> Result<MatchList<'q>, CensusError> {
        let mut rows = Vec::new();
        let mate = scan.run(pairs.clone(), |found| rows.push(found), |_, _, _| ())?;
        let counted = self.tables.counted.filter(|_| counted && !rows.is_empty());
        let window = |codes| CodeWindow::of(codes, scan.side, scan.slots(pairs));
        let counted = counted.map(window).transpose()?;
        Ok(MatchList { query: self, side: scan.side, rows, mate, counted })
    }

    fn match_at(
        &self,
        address: Address,
        image: SlotImage,
        mate: Value,
        counted: Option<Value>,
    ) -> QueryMatch {
        let counted = if self.decided_by_mate { Some(mate) } else { counted };
        QueryMatch { address, image, mate, counted }
    }

    /// A scan for each side to move that the table holds, without empty scans.
    fn scans(&self) -> Vec<Scan<'_>> {
        self.scans_of(self.expression)
    }

    /// Scans of an expression for each side to move, like [`Query::scans`].
    fn scans_of(&self, expression: &Expression) -> Vec<Scan<'_>> {
        let mut sides = Table::sides(self.index()).to_vec();
        if self.flipped {
            sides.reverse();
        }
        let scan = |side: Side| {
            let material = self.index().material();
            let clock =
                |attacker| clock_of(material, self.tables.counting_rule, attacker, side, self.left);
            let clocks = [clock(side), clock(!side)];
            let other_clocks =
                |rule| [side, !side].map(|attacker| clock_of(material, rule, attacker, side, None));
            let others: Vec<Clocks> =
                self.tables.others.iter().map(|other| other_clocks(other.counting_rule)).collect();
            Scan::new(
                expression,
                self.tables,
                &self.rows,
                &self.mirrors,
                side,
                (clocks, &others),
                self.flipped,
            )
        };
        sides.into_iter().map(scan).filter(|scan| !scan.is_empty()).collect()
    }

    /// Number of jobs between two barriers of all threads. The matches of these jobs are in memory
    /// together.
    fn runs_at_once(&self) -> usize {
        let each = SLOTS_AT_ONCE / self.index().slots_per_pair().max(RUN);
        each.max(1) as usize * rayon::current_num_threads()
    }

    /// The jobs of the scans, in order, without jobs that the squares of the kings exclude.
    fn runs(&self, scans: &[Scan<'_>]) -> Vec<PairRun> {
        let pairs = self.index().kings().len() as u16;
        let run = (RUN / self.index().slots_per_pair()).clamp(1, u64::from(pairs)) as u16;
        let of = |scan: usize| {
            let runs = 0..pairs.div_ceil(run);
            runs.map(move |number| (scan, number * run..((number + 1) * run).min(pairs)))
        };
        let allowed = |(scan, pairs): &PairRun| scans[*scan].allows(pairs.clone());
        (0..scans.len()).flat_map(of).filter(allowed).collect()
    }
}

/// The rank of a match, its scan and its slot; the lowest keys come first.
type MatchKey = (MatchRank, usize, Slot);
/// The first matches found so far.
type FirstMatches = BTreeMap<MatchKey, SlotImage>;

/// The lowest key that is too high for the first `most` matches.
fn lowest_out(first: &FirstMatches, most: usize) -> Option<MatchKey> {
    let last = first.last_key_value().filter(|_| first.len() >= most);
    last.map(|(&key, _)| key)
}

/// The slots of a row of matches, in order.
fn bits(found: RowMatches) -> impl Iterator<Item = Slot> {
    let set = (0..64).filter(move |bit| found.slots >> bit & 1 != 0);
    set.map(move |bit| Slot(found.row.0 + bit))
}

/// The matches of one job, with the codes of their values.
struct MatchList<'a> {
    query: &'a Query<'a>,
    side: Side,
    rows: Vec<RowMatches>,
    mate: CodeWindow<'a>,
    counted: Option<CodeWindow<'a>>,
}

impl MatchList<'_> {
    /// The slots and images of the matches, row by row.
    fn slots(&self) -> impl Iterator<Item = (Slot, SlotImage)> {
        self.rows.iter().flat_map(|&found| bits(found).map(move |slot| (slot, found.image)))
    }

    /// The first `most` matches in an order with keys below `limit`, of the scan with this index.
    fn first(
        &self,
        scan: usize,
        most: usize,
        order: MatchOrder,
        mut limit: Option<MatchKey>,
    ) -> FirstMatches {
        let mut first = FirstMatches::new();
        for (slot, image) in self.slots() {
            let found = self.found(slot, image);
            let rank = order.rank(&found, self.query.category(&found));
            let key = (rank, scan, slot);
            if limit.is_none_or(|limit| key < limit) {
                first.insert(key, image);
                if first.len() > most {
                    first.pop_last();
                }
                limit = lowest_out(&first, most).or(limit);
            }
        }
        first
    }

    /// The match at a slot.
    fn found(&self, slot: Slot, image: SlotImage) -> QueryMatch {
        let address = Address { side: self.side, slot };
        // The scan has checked that every legal position has a value.
        let mate = self.mate.value(slot).unwrap_or(Value::Draw);
        let counted = self.counted.as_ref().and_then(|counted| counted.value(slot));
        self.query.match_at(address, image, mate, counted)
    }

    /// Passes the matches to a reader, in order.
    fn give(&self, reader: &mut impl FnMut(&[QueryMatch]) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut matches: Vec<QueryMatch> = Vec::new();
        for row in self.rows.chunk_by(|one, other| one.row == other.row) {
            let first = matches.len();
            let slots = row.iter().flat_map(|&found| bits(found).map(move |slot| (slot, found)));
            matches.extend(slots.map(|(slot, row)| self.found(slot, row.image)));
            matches[first..].sort_by_key(|found| found.address.slot);
            if matches.len() >= MATCHES_AT_ONCE {
                reader(&matches)?;
                matches.clear();
            }
        }
        match matches.is_empty() {
            true => ControlFlow::Continue(()),
            false => reader(&matches),
        }
    }
}
