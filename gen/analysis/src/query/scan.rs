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
    pub others: &'a [OtherCounted<'a>],
    /// The distances to mate that the first table depends on, if the condition needs them.
    pub subtables: &'a [Arc<dyn TableCodes>],
    /// The counting rule of the query.
    pub counting_rule: &'static CountingRule,
}

/// The counted distances of a rule besides the rule of a query.
#[derive(Clone, Copy)]
pub struct OtherCounted<'a> {
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
    sets: Vec<(CodeSet, MembershipTable)>,
    tests_pieces: bool,
    tests_check: bool,
    tests_zugzwang: bool,
    tests_counted: bool,
    /// The tables of other rules to test.
    others: Vec<OtherCounted<'a>>,
    tests_slots: bool,
    /// Whether king pairs without a code that meets the expression are skipped before their
    /// positions are examined.
    leaves_out: bool,
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

impl<'a> Scan<'a> {
    /// Compiles the expression for positions with this side to move. The clocks are the moves in
    /// which the mover, and its opponent, must mate: by the rule of the query, and by each other
    /// rule of the tables. `flipped` as for [`SlotImage::all`].
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
        let mate = coding(tables.mate);
        let counted = tables.counted.map(coding);
        let others = tables.others.iter().zip(other_clocks);
        let others: Vec<OtherRule> = others
            .map(|(other, &clocks)| OtherRule {
                counting_rule: other.counting_rule,
                counted: other.codes.map(coding),
                clocks,
            })
            .collect();
        let others = &others;
        let masks = SlotImage::all(index, flipped).into_iter().map(|image| {
            (
                image,
                MaskContext { index, side, image, mate, counted, clocks, others }.mask(expression),
            )
        });
        let mut masks: Vec<(SlotImage, Mask<CodeSet>)> = masks.collect();
        masks.retain(|(_, mask)| !matches!(mask, Mask::Constant(false)));
        let has =
            |test: &dyn Fn(&Mask<CodeSet>) -> bool| masks.iter().any(|(_, mask)| mask.has(test));
        let tests_pieces = has(&|mask| matches!(mask, Mask::Piece(_)));
        let tests_check = has(&|mask| matches!(mask, Mask::Check));
        let tests_zugzwang = has(&|mask| matches!(mask, Mask::Zugzwang));
        let tests_slots = has(&|mask| matches!(mask, Mask::Slot(_)));
        let tests_codes = |table: CodeTable| {
            has(&|mask| matches!(mask, Mask::TableCodes(codes) if codes.table == table))
        };
        let tests_counted = tests_codes(CodeTable::Counted);
        let tested = |other: &&OtherCounted<'_>| {
            other.codes.is_some() && tests_codes(CodeTable::CountedBy(other.counting_rule))
        };
        let tested: Vec<OtherCounted<'a>> = tables.others.iter().filter(tested).copied().collect();
        if !tests_pieces {
            masks.dedup_by_key(|(image, _)| image.changed);
        }
        let mut sets: Vec<(CodeSet, MembershipTable)> = Vec::new();
        let mut number = |codes: CodeSet| {
            sets.iter().position(|(have, _)| *have == codes).unwrap_or_else(|| {
                let coding = match codes.table {
                    CodeTable::Mate => mate,
                    CodeTable::Counted => counted.unwrap_or_default(),
                    CodeTable::CountedBy(rule) => {
                        let other = others.iter().find(|other| other.counting_rule == rule);
                        other.and_then(|other| other.counted).unwrap_or_default()
                    }
                };
                let lookup = codes.membership(coding);
                sets.push((codes, lookup));
                sets.len() - 1
            })
        };
        let images =
            masks.into_iter().map(|(image, mask)| (image, mask.named(&mut number))).collect();
        Scan {
            side,
            tables,
            rows,
            mirrors,
            images,
            sets,
            tests_pieces,
            tests_check,
            tests_zugzwang,
            tests_counted,
            others: tested,
            tests_slots,
            leaves_out: false,
        }
    }

    /// The scan without the king pairs that no code lets meet the expression. A legal position
    /// without a value in these pairs goes unnoticed.
    pub fn leaving_out(self) -> Scan<'a> {
        Scan { leaves_out: true, ..self }
    }

    /// Images to test for a king pair: one if the condition is symmetric, otherwise each image of
    /// its slots.
    fn images_of(&self, pair: KingPair) -> impl Iterator<Item = &(SlotImage, Mask<usize>)> {
        let index = self.rows.index();
        let kings = index.kings().kings(pair);
        let is_own = move |image: &SlotImage| !self.tests_pieces || image.is_own(index, pair);
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
        let other = |other: &OtherCounted<'a>| {
            let window = |codes| CodeWindow::of(codes, self.side, slots.clone());
            Some(window(other.codes?).map(|window| (other.counting_rule, window)))
        };
        let others: Vec<(&'static CountingRule, CodeWindow<'a>)> =
            self.others.iter().filter_map(other).collect::<Result<_, _>>()?;
        let index = self.rows.index();
        // Paged tables live for these king pairs only, so that their pages do not pile up.
        let QueryTables { mate: own, subtables, counting_rule, .. } = self.tables;
        let variant = variants::counted_by(counting_rule);
        let paged = self.tests_slots.then(|| {
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

    /// Evaluates a king pair, which `mirror` leaves in place.
    fn run_pair(
        &self,
        pair: KingPair,
        mirror: Option<&MirrorSlots>,
        Windows { mate, counted, others, tests }: Windows<'_>,
        found: &mut impl FnMut(RowMatches),
        count: &mut impl FnMut(Side, u32, u64),
    ) -> Result<(), CensusError> {
        let index = self.rows.index();
        let images: Vec<&(SlotImage, Mask<usize>)> = self.images_of(pair).collect();
        if images.is_empty() {
            return Ok(());
        }
        let pair_slots = self.slots(&(pair.0..pair.0 + 1));
        if self.leaves_out && !self.may_match(mate.codes(pair_slots.clone()), mate.coding) {
            return Ok(());
        }
        let checks = match self.tests_check {
            true => self.rows.checks_of_pair(pair, self.side),
            false => Vec::new(),
        };
        let zugzwangs = match self.tests_zugzwang {
            true => {
                let search = ZugzwangSearch::new(self.tables.mate, self.rows, self.side);
                search.of_pair(pair, mate.codes(pair_slots.clone()))?
            }
            false => Vec::new(),
        };
        let positions = if self.tests_pieces { 1 } else { index.kings().images(pair) };

        let mut codes = vec![0; self.sets.len()];
        let mut number = 0;
        let mut without_value_at: Option<Slot> = None;
        self.rows.of_pair(pair, self.side, |LegalRow { slots, legal }| {
            let (check, zugzwang) = (checks.get(number), zugzwangs.get(number));
            let zugzwang = zugzwang.map(|kinds| kinds.iter().fold(0, |any, kind| any | kind));
            let check = check.copied();
            number += 1;
            if legal == 0 || without_value_at.is_some() {
                return;
            }
            let row = pair_slots.start + slots.start as u64..pair_slots.start + slots.end as u64;
            let of_others = others.iter().map(|(_, window)| window);
            for window in [Some(mate), counted].into_iter().flatten().chain(of_others) {
                let without = without_value(window.codes(row.clone()), window.coding) & legal;
                if without != 0 {
                    without_value_at = Some(Slot(row.start + u64::from(without.trailing_zeros())));
                    return;
                }
            }
            for (bits, (set, lookup)) in codes.iter_mut().zip(&self.sets) {
                let window = match set.table {
                    CodeTable::Mate => Some(mate),
                    CodeTable::Counted => counted,
                    CodeTable::CountedBy(rule) => {
                        others.iter().find(|(of, _)| *of == rule).map(|(_, window)| window)
                    }
                };
                *bits = window.map_or(0, |window| lookup.bits(window.codes(row.clone())));
            }
            let first = Slot(row.start);
            let tests_row = self.tests_pieces || tests.is_some();
            let pieces = tests_row.then(|| RowPieces::of(index, first));
            let (check, zugzwang) = (check.unwrap_or(0), zugzwang.unwrap_or(0));
            let tests = tests.zip(pieces);
            let tests = tests.map(|(tests, pieces)| RowTests::of(tests, first, pieces));
            let lowest = |slot: Slot| match mirror {
                Some(mirror) => mirror.lowest(slot, Slot(pair_slots.start)),
                None => slot,
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
        match without_value_at {
            None => Ok(()),
            Some(slot) => {
                let address = Address { side: self.side, slot };
                Err(CensusError::NoValue { material: index.material(), address })
            }
        }
    }
}
