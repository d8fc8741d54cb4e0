//! A pass over the slots with one side to move, run by run.

use crate::query::code_set::{CodeSet, CodeTable, MembershipTable, without_value};
use crate::query::expression::Expression;
use crate::query::image::{RowMatches, SlotImage};
use crate::query::mask::{Clocks, Mask, MaskContext, OtherRule, RowBits};
use crate::query::mirror::MirrorSlots;
use crate::query::pieces::RowPieces;
use crate::query::slot_test::{RowTests, SlotTests};
use crate::zugzwang::ZugzwangSearch;
use sakmak_make::census::CensusError;
use sakmak_solve::planes::legal_rows::{LegalRow, LegalRows};
use sakmak_solve::slots::one_ply::OnePly;
use sakmak_solve::slots::paged_table::PagedTable;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::index::Slot;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::variants;
use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Slots of a row.
const ROW: usize = 64;

/// The tables of a query.
#[derive(Clone, Copy)]
pub struct QueryTables<'a> {
    /// Distances to mate.
    pub mate: &'a dyn TableCodes,
    /// Counted distances; `None` if distances to mate decide which wins are in time, or if the
    /// condition does not need them.
    pub counted: Option<&'a dyn TableCodes>,
    /// Counted distances of other rules that the condition names.
    pub others: &'a [OtherRuleTable<'a>],
    /// The distances to mate that the first table depends on, if the condition needs them.
    pub subtables: &'a [Arc<dyn TableCodes>],
    /// The counting rule of the query.
    pub counting_rule: &'static CountingRule,
}

/// The counted distances of a rule besides the rule of a query.
#[derive(Clone, Copy)]
pub struct OtherRuleTable<'a> {
    /// The rule.
    pub counting_rule: &'static CountingRule,
    /// The codes; `None` if distances to mate decide which wins are in time.
    pub codes: Option<&'a dyn TableCodes>,
}

/// An expression compiled for the slots with one side to move in the table.
pub struct Scan<'a> {
    pub(super) side: Side,
    tables: QueryTables<'a>,
    rows: &'a LegalRows,
    mirrors: &'a [MirrorSlots],
    /// The images that can meet the expression; images with unchanged colours come first. Without a
    /// condition on squares, one image represents all symmetries.
    images: Vec<(SlotImage, Mask<usize>)>,
    sets: CodeLookups,
    tested: TestedFacts,
    tests_counted: bool,
    /// The tables of other rules to test.
    others: Vec<OtherRuleTable<'a>>,
    /// Whether king pairs without a code that meets the expression are skipped before their
    /// positions are examined.
    leaves_out: bool,
}

/// Sets of codes, each with its lookup table.
type CodeLookups = Vec<(CodeSet, MembershipTable)>;

/// The facts about slots that the masks of a scan test, besides codes.
#[derive(Clone, Copy)]
struct TestedFacts {
    pieces: bool,
    check: bool,
    zugzwang: bool,
    slots: bool,
}

impl TestedFacts {
    fn of(masks: &[(SlotImage, Mask<CodeSet>)]) -> TestedFacts {
        let has = |test: fn(&Mask<CodeSet>) -> bool| masks.iter().any(|(_, mask)| mask.has(&test));
        TestedFacts {
            pieces: has(|mask| matches!(mask, Mask::Piece(_))),
            check: has(|mask| matches!(mask, Mask::Check)),
            zugzwang: has(|mask| matches!(mask, Mask::Zugzwang)),
            slots: has(|mask| matches!(mask, Mask::Slot(_))),
        }
    }
}

/// The codes of a run of slots.
pub struct CodeWindow<'a> {
    first: u64,
    coding: Coding,
    codes: Cow<'a, [u8]>,
}

impl<'a> CodeWindow<'a> {
    /// Reads the codes of these slots.
    pub fn of(
        codes: &'a dyn TableCodes,
        side: Side,
        slots: Range<u64>,
    ) -> io::Result<CodeWindow<'a>> {
        let coding = codes.coding(side).unwrap_or_default();
        let window = codes.window(side, slots.clone())?;
        match window.len() as u64 == (slots.end - slots.start) * coding.width() as u64 {
            true => Ok(CodeWindow { first: slots.start, coding, codes: window }),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// The value at a slot, or `None` if the slot is outside the window or has no value.
    pub fn value(&self, slot: Slot) -> Option<Value> {
        let index = usize::try_from(slot.0.checked_sub(self.first)?).ok()?;
        self.coding.decode(self.coding.read(&self.codes, index)?)
    }

    /// The codes of some slots of the window.
    fn codes(&self, slots: Range<u64>) -> &[u8] {
        let byte = |slot: u64| (slot - self.first) as usize * self.coding.width();
        self.codes.get(byte(slots.start)..byte(slots.end)).unwrap_or_default()
    }
}

/// The codes and tests of a run of king pairs.
#[derive(Clone, Copy)]
struct Windows<'a> {
    mate: &'a CodeWindow<'a>,
    counted: Option<&'a CodeWindow<'a>>,
    others: &'a [(&'static CountingRule, CodeWindow<'a>)],
    tests: Option<&'a SlotTests<'a>>,
}

impl<'a> Windows<'a> {
    /// The codes of a table. `None` if the table was not read.
    #[inline]
    fn of(&self, table: CodeTable) -> Option<&'a CodeWindow<'a>> {
        match table {
            CodeTable::Mate => Some(self.mate),
            CodeTable::Counted => self.counted,
            CodeTable::CountedBy(rule) => {
                self.others.iter().find(|(of, _)| *of == rule).map(|(_, window)| window)
            }
        }
    }

    /// Selects the slots of a row whose codes are in each set.
    #[inline]
    fn select(&self, sets: &[(CodeSet, MembershipTable)], row: &Range<u64>, bits: &mut [u64]) {
        for (bits, (set, lookup)) in bits.iter_mut().zip(sets) {
            let window = self.of(set.table);
            *bits = window.map_or(0, |window| lookup.bits(window.codes(row.clone())));
        }
    }

    /// The first legal slot of a row that lacks a value in a table.
    #[inline]
    fn without_value(&self, row: &Range<u64>, legal: u64) -> Option<Slot> {
        let of_others = self.others.iter().map(|(_, window)| window);
        let mut windows = [Some(self.mate), self.counted].into_iter().flatten().chain(of_others);
        windows.find_map(|window| {
            let without = without_value(window.codes(row.clone()), window.coding) & legal;
            (without != 0).then(|| Slot(row.start + u64::from(without.trailing_zeros())))
        })
    }
}

/// Whether a mask tests the codes of a table.
fn tests_codes(masks: &[(SlotImage, Mask<CodeSet>)], table: CodeTable) -> bool {
    let is_of_table = |mask: &Mask<CodeSet>| match mask {
        Mask::TableCodes(codes) => codes.table == table,
        _ => false,
    };
    masks.iter().any(|(_, mask)| mask.has(&is_of_table))
}

/// Replaces each set of codes of some masks by its index; returns the sets as well. `coding`
/// returns the coding of a table.
fn with_numbered_sets(
    masks: Vec<(SlotImage, Mask<CodeSet>)>,
    coding: impl Fn(CodeTable) -> Coding,
) -> (Vec<(SlotImage, Mask<usize>)>, CodeLookups) {
    let mut sets: CodeLookups = Vec::new();
    let mut number = |codes: CodeSet| {
        sets.iter().position(|(have, _)| *have == codes).unwrap_or_else(|| {
            let lookup = codes.membership(coding(codes.table));
            sets.push((codes, lookup));
            sets.len() - 1
        })
    };
    let images = masks.into_iter().map(|(image, mask)| (image, mask.named(&mut number)));
    (images.collect(), sets)
}

impl<'a> Scan<'a> {
    /// Compiles the expression for positions with this side to move. The clocks are the moves in
    /// which the mover, and its opponent, must mate: by the rule of the query, and by each other
    /// rule of the tables. For `flipped` see [`SlotImage::all`].
    pub fn new(
        expression: &Expression,
        tables: QueryTables<'a>,
        rows: &'a LegalRows,
        mirrors: &'a [MirrorSlots],
        side: Side,
        (clocks, other_clocks): (Clocks, &[Clocks]),
        flipped: bool,
    ) -> Scan<'a> {
        let index = rows.index();
        let coding = |codes: &dyn TableCodes| codes.coding(side).unwrap_or_default();
        let (mate, counted) = (coding(tables.mate), tables.counted.map(coding));
        let others = tables.others.iter().zip(other_clocks);
        let others: Vec<OtherRule> = others
            .map(|(other, &clocks)| OtherRule {
                counting_rule: other.counting_rule,
                counted: other.codes.map(coding),
                clocks,
            })
            .collect();
        let context =
            |image| MaskContext { index, side, image, mate, counted, clocks, others: &others };
        let masks = SlotImage::all(index, flipped).into_iter();
        let mut masks: Vec<(SlotImage, Mask<CodeSet>)> =
            masks.map(|image| (image, context(image).mask(expression))).collect();
        masks.retain(|(_, mask)| !matches!(mask, Mask::Constant(false)));
        let tested = TestedFacts::of(&masks);
        let tests_counted = tests_codes(&masks, CodeTable::Counted);
        let tests_other = |other: &&OtherRuleTable<'_>| {
            other.codes.is_some() && tests_codes(&masks, CodeTable::CountedBy(other.counting_rule))
        };
        let tested_others = tables.others.iter().filter(tests_other).copied().collect();
        if !tested.pieces {
            masks.dedup_by_key(|(image, _)| image.changed);
        }
        let (images, sets) = with_numbered_sets(masks, |table| match table {
            CodeTable::Mate => mate,
            CodeTable::Counted => counted.unwrap_or_default(),
            CodeTable::CountedBy(rule) => {
                let other = others.iter().find(|other| other.counting_rule == rule);
                other.and_then(|other| other.counted).unwrap_or_default()
            }
        });
        Scan {
            side,
            tables,
            rows,
            mirrors,
            images,
            sets,
            tested,
            tests_counted,
            others: tested_others,
            leaves_out: false,
        }
    }

    /// Returns a scan that skips the king pairs in which no code can meet the expression. Legal
    /// positions without a value in skipped pairs go unnoticed.
    pub fn leaving_out(self) -> Scan<'a> {
        Scan { leaves_out: true, ..self }
    }

    /// Images to test for a king pair: one if the condition is symmetric, otherwise each image of
    /// its slots.
    fn images_of(&self, pair: KingPair) -> impl Iterator<Item = &(SlotImage, Mask<usize>)> {
        let index = self.rows.index();
        let kings = index.kings().kings(pair);
        let is_own = move |image: &SlotImage| !self.tested.pieces || image.is_own(index, pair);
        self.images
            .iter()
            .filter(move |(image, mask)| is_own(image) && mask.of_kings(kings) != Some(false))
    }

    /// Whether the squares of the kings allow a position of these king pairs to meet the
    /// expression.
    pub fn allows(&self, mut pairs: Range<u16>) -> bool {
        pairs.any(|pair| self.images_of(KingPair(pair)).next().is_some())
    }

    /// Whether a code of distance to mate of a king pair may meet the expression.
    fn may_match(&self, codes: &[u8], coding: Coding) -> bool {
        let needed: Option<Vec<usize>> =
            self.images.iter().map(|(_, mask)| mask.needed_codes()).collect();
        let Some(needed) = needed else { return true };
        let sets = needed.into_iter().filter_map(|number| self.sets.get(number));
        let sets: Vec<&(CodeSet, MembershipTable)> = sets.collect();
        if sets.iter().any(|(set, _)| set.table != CodeTable::Mate) {
            return true;
        }
        let row = ROW * coding.width();
        codes.chunks(row).any(|codes| sets.iter().any(|(_, lookup)| lookup.bits(codes) != 0))
    }

    /// Whether no slot can meet the expression.
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// The slots of some king pairs.
    pub fn slots(&self, pairs: &Range<u16>) -> Range<u64> {
        let per_pair = self.rows.index().slots_per_pair();
        u64::from(pairs.start) * per_pair..u64::from(pairs.end) * per_pair
    }

    /// Evaluates some king pairs. Calls `found` with the slots that meet the expression; among
    /// mirror images, with the lowest slot. Calls `count` with the seen side to move, the number of
    /// slots, and the number of positions of the whole board that each slot represents. Skips pairs
    /// that the expression excludes. Returns the codes of distance to mate.
    ///
    /// # Errors
    ///
    /// If codes cannot be read, or a legal position has no value.
    pub fn run(
        &self,
        pairs: Range<u16>,
        mut found: impl FnMut(RowMatches),
        mut count: impl FnMut(Side, u32, u64),
    ) -> Result<CodeWindow<'a>, CensusError> {
        let slots = self.slots(&pairs);
        let mate = CodeWindow::of(self.tables.mate, self.side, slots.clone())?;
        let counted = self.tables.counted.filter(|_| self.tests_counted);
        let counted =
            counted.map(|codes| CodeWindow::of(codes, self.side, slots.clone())).transpose()?;
        let other = |other: &OtherRuleTable<'a>| {
            let window = |codes| CodeWindow::of(codes, self.side, slots.clone());
            Some(window(other.codes?).map(|window| (other.counting_rule, window)))
        };
        let others: Vec<(&'static CountingRule, CodeWindow<'a>)> =
            self.others.iter().filter_map(other).collect::<Result<_, _>>()?;
        let index = self.rows.index();
        // Paged tables live for these king pairs only, so that their pages do not pile up.
        let QueryTables { mate: own, subtables, counting_rule, .. } = self.tables;
        let variant = variants::counted_by(counting_rule);
        let paged = self.tested.slots.then(|| {
            let others: Vec<PagedTable<'_>> =
                subtables.iter().map(|table| PagedTable::new(&**table)).collect();
            (PagedTable::new(own), others)
        });
        let one_ply = paged.as_ref().map(|(own, others)| {
            OnePly::new(own, Metric::distance(&variant.rules), variant, others)
        });
        let tests = one_ply
            .as_ref()
            .map(|one_ply| SlotTests::new(one_ply, index, counting_rule, self.side));
        let windows = Windows {
            mate: &mate,
            counted: counted.as_ref(),
            others: &others,
            tests: tests.as_ref(),
        };
        for pair in pairs.map(KingPair) {
            let mirror = self.mirrors.iter().find(|mirror| mirror.leaves(index, pair));
            let Some(mirror) = mirror else {
                self.run_pair(pair, None, windows, &mut found, &mut count)?;
                continue;
            };
            let mut matches = Vec::new();
            let mut collect = |row| matches.push(row);
            self.run_pair(pair, Some(mirror), windows, &mut collect, &mut count)?;
            let Range { start, end } = self.slots(&(pair.0..pair.0 + 1));
            mirror.retain_lowest(&mut matches, start, end - start);
            matches.into_iter().for_each(&mut found);
        }
        Ok(mate)
    }

    /// The checks and the zugzwangs of a king pair, a bit for each slot of each row; empty if no
    /// condition tests them. `codes` are the pair's codes of distance to mate.
    fn facts_of_pair(&self, pair: KingPair, codes: &[u8]) -> io::Result<[Vec<u64>; 2]> {
        let checks = match self.tested.check {
            true => self.rows.checks_of_pair(pair, self.side),
            false => Vec::new(),
        };
        let zugzwangs = match self.tested.zugzwang {
            true => {
                let search = ZugzwangSearch::new(self.tables.mate, self.rows, self.side);
                let kinds = search.of_pair(pair, codes)?.into_iter();
                kinds.map(|kinds| kinds.iter().fold(0, |any, kind| any | kind)).collect()
            }
            false => Vec::new(),
        };
        Ok([checks, zugzwangs])
    }

    /// Evaluates a king pair, which `mirror` leaves in place.
    fn run_pair(
        &self,
        pair: KingPair,
        mirror: Option<&MirrorSlots>,
        windows: Windows<'_>,
        found: &mut impl FnMut(RowMatches),
        count: &mut impl FnMut(Side, u32, u64),
    ) -> Result<(), CensusError> {
        let (index, mate) = (self.rows.index(), windows.mate);
        let images: Vec<&(SlotImage, Mask<usize>)> = self.images_of(pair).collect();
        let pair_slots = self.slots(&(pair.0..pair.0 + 1));
        let pair_codes = mate.codes(pair_slots.clone());
        if images.is_empty() || self.leaves_out && !self.may_match(pair_codes, mate.coding) {
            return Ok(());
        }
        let facts = self.facts_of_pair(pair, pair_codes)?;
        let positions = if self.tested.pieces { 1 } else { index.kings().images(pair) };
        let mut codes = vec![0; self.sets.len()];
        let mut number = 0;
        let mut without_value_at: Option<Slot> = None;
        self.rows.of_pair(pair, self.side, |LegalRow { slots, legal }| {
            let [check, zugzwang] =
                facts.each_ref().map(|facts| facts.get(number).copied().unwrap_or(0));
            number += 1;
            if legal == 0 || without_value_at.is_some() {
                return;
            }
            let row = pair_slots.start + slots.start as u64..pair_slots.start + slots.end as u64;
            without_value_at = windows.without_value(&row, legal);
            if without_value_at.is_some() {
                return;
            }
            windows.select(&self.sets, &row, &mut codes);
            let first = Slot(row.start);
            let tests_row = self.tested.pieces || windows.tests.is_some();
            let pieces = tests_row.then(|| RowPieces::of(index, first));
            let tests = windows.tests.zip(pieces);
            let tests = tests.map(|(tests, pieces)| RowTests::of(tests, first, pieces));
            let lowest = |slot: Slot| {
                mirror.map_or(slot, |mirror| mirror.lowest(slot, Slot(pair_slots.start)))
            };
            let facts =
                RowBits { first, codes: &codes, check, zugzwang, pieces, tests, lowest: &lowest };
            let mut left = legal;
            for (image, mask) in &images {
                let bits = mask.bits(&facts, legal) & legal;
                if bits != 0 {
                    count(image.side(self.side), bits.count_ones(), positions);
                    if bits & left != 0 {
                        found(RowMatches { row: first, slots: bits & left, image: *image });
                    }
                    left &= !bits;
                }
            }
            without_value_at = facts.tests.and_then(|tests| tests.missing());
        });
        let Some(slot) = without_value_at else { return Ok(()) };
        let address = Address { side: self.side, slot };
        Err(CensusError::NoValue { material: index.material(), address })
    }
}
