//! Going through the slots with one side held to be on the move, run by run.

use crate::analysis::census::CensusError;
use crate::analysis::query::expression::Expression;
use crate::analysis::query::mask::{Mask, RowBits, Setting};
use crate::analysis::query::pieces::RowPieces;
use crate::analysis::query::code_set::{CodeSet, Lookup, Origin, without_value};
use crate::analysis::query::image::SlotImage;
use crate::analysis::query::zugzwang::Zugzwang;
use crate::analysis::statistics::Source;
use crate::planes::legal_rows::{LegalRow, LegalRows};
use crate::slots::codes::Codes;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::Slot;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// An expression made ready for the slots with one side held to be on the move.
pub struct Scan<'a> {
    pub(super) source: Source<'a>,
    pub(super) side: Side,
    rows: &'a LegalRows,
    /// The images that can meet it, those with the colours as they are first. Where nothing
    /// is asked of squares, one that stands for all turns.
    views: Vec<(SlotImage, Mask<usize>)>,
    sets: Vec<(CodeSet, Lookup)>,
    asks_men: bool,
    asks_check: bool,
    asks_zugzwang: bool,
    asks_counted: bool,
}

/// Slots of a row that meet the expression and of which no earlier image does.
#[derive(Clone, Copy, Debug)]
pub struct RowMatches {
    /// The first slot of the row.
    pub row: Slot,
    /// A bit for each slot of the row.
    pub slots: u64,
    /// The image.
    pub view: SlotImage,
}

/// The codes of a run of slots.
pub struct CodeWindow<'a> {
    first: u64,
    coding: Coding,
    codes: Cow<'a, [u8]>,
}

impl<'a> CodeWindow<'a> {
    /// The codes of these slots.
    pub fn of(codes: &'a dyn Codes, side: Side, slots: Range<u64>) -> io::Result<CodeWindow<'a>> {
        let coding = codes.coding(side).unwrap_or_default();
        let window = codes.window(side, slots.clone())?;
        match window.len() as u64 == (slots.end - slots.start) * coding.width() as u64 {
            true => Ok(CodeWindow { first: slots.start, coding, codes: window }),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// The value at a slot.
    pub fn value(&self, slot: Slot) -> Option<Value> {
        let place = usize::try_from(slot.0.checked_sub(self.first)?).ok()?;
        self.coding.decode(self.coding.read(&self.codes, place)?)
    }

    /// The codes of some slots.
    fn codes(&self, slots: Range<u64>) -> &[u8] {
        let byte = |slot: u64| (slot - self.first) as usize * self.coding.width();
        self.codes.get(byte(slots.start)..byte(slots.end)).unwrap_or_default()
    }
}

impl<'a> Scan<'a> {
    /// The expression with this side held to be on the move; `clocks` are the moves the count
    /// leaves the mover to win in, and the other side, nothing where no count runs.
    pub fn new(
        expression: &Expression,
        source: Source<'a>,
        rows: &'a LegalRows,
        side: Side,
        clocks: [Option<Moves>; 2],
    ) -> Scan<'a> {
        let index = rows.index();
        let coding = |codes: &dyn Codes| codes.coding(side).unwrap_or_default();
        let mate = coding(source.mate);
        let counted = source.counted.map(coding);
        let masks = SlotImage::all(index).into_iter().map(|view| {
            (view, Setting { index, side, view, mate, counted, clocks }.mask(expression))
        });
        let mut masks: Vec<(SlotImage, Mask<CodeSet>)> = masks.collect();
        masks.retain(|(_, mask)| !matches!(mask, Mask::Constant(false)));
        let asks =
            |such: &dyn Fn(&Mask<CodeSet>) -> bool| masks.iter().any(|(_, mask)| mask.has(such));
        let asks_men = asks(&|mask| matches!(mask, Mask::Piece(_)));
        let asks_check = asks(&|mask| matches!(mask, Mask::Check));
        let asks_zugzwang = asks(&|mask| matches!(mask, Mask::Zugzwang));
        let asks_counted =
            asks(&|mask| matches!(mask, Mask::Codes(codes) if codes.origin == Origin::Counted));
        if !asks_men {
            masks.dedup_by_key(|(view, _)| view.changed);
        }
        let mut sets: Vec<(CodeSet, Lookup)> = Vec::new();
        let mut number = |codes: CodeSet| {
            sets.iter().position(|(have, _)| *have == codes).unwrap_or_else(|| {
                let coding = match codes.origin {
                    Origin::Mate => mate,
                    Origin::Counted => counted.unwrap_or_default(),
                };
                let lookup = codes.lookup(coding);
                sets.push((codes, lookup));
                sets.len() - 1
            })
        };
        let views = masks.into_iter().map(|(view, mask)| (view, mask.named(&mut number))).collect();
        Scan { source, side, rows, views, sets, asks_men, asks_check, asks_zugzwang, asks_counted }
    }

    /// Whether no slot can meet it.
    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// The slots of some king pairs.
    pub fn slots(&self, pairs: &Range<u16>) -> Range<u64> {
        let per_pair = self.rows.index().slots_per_pair();
        u64::from(pairs.start) * per_pair..u64::from(pairs.end) * per_pair
    }

    /// Goes through some king pairs. `found` is given the slots that meet the expression;
    /// `count` slots and how many positions of the whole board each of them stands for.
    /// Gives back the codes of the distances to mate.
    ///
    /// # Errors
    ///
    /// When codes cannot be read, or a legal position has none.
    pub fn run(
        &self,
        pairs: Range<u16>,
        mut found: impl FnMut(RowMatches),
        mut count: impl FnMut(Side, u32, u64),
    ) -> Result<CodeWindow<'a>, CensusError> {
        let slots = self.slots(&pairs);
        let mate = CodeWindow::of(self.source.mate, self.side, slots.clone())?;
        let counted = self.source.counted.filter(|_| self.asks_counted);
        let counted =
            counted.map(|codes| CodeWindow::of(codes, self.side, slots.clone())).transpose()?;
        for pair in pairs.map(KingPair) {
            self.run_pair(pair, &mate, counted.as_ref(), &mut found, &mut count)?;
        }
        Ok(mate)
    }

    fn run_pair(
        &self,
        pair: KingPair,
        mate: &CodeWindow<'_>,
        counted: Option<&CodeWindow<'_>>,
        found: &mut impl FnMut(RowMatches),
        count: &mut impl FnMut(Side, u32, u64),
    ) -> Result<(), CensusError> {
        let index = self.rows.index();
        let pair_slots = self.slots(&(pair.0..pair.0 + 1));
        let checks = match self.asks_check {
            true => self.rows.checks_of_pair(pair, self.side),
            false => Vec::new(),
        };
        let zugzwangs = match self.asks_zugzwang {
            true => {
                let zugzwang = Zugzwang::new(self.source.mate, self.rows, self.side);
                zugzwang.of_pair(pair, mate.codes(pair_slots.clone()))?
            }
            false => Vec::new(),
        };
        // One that stands for all turns, or those whose images are this slot's own.
        let own = |view: &&(SlotImage, Mask<usize>)| !self.asks_men || view.0.is_own(index, pair);
        let views: Vec<&(SlotImage, Mask<usize>)> = self.views.iter().filter(own).collect();
        let images = if self.asks_men { 1 } else { index.kings().images(pair) };

        let mut codes = vec![0; self.sets.len()];
        let mut number = 0;
        let mut bad: Option<Slot> = None;
        self.rows.of_pair(pair, self.side, |LegalRow { slots, legal }| {
            let (check, zugzwang) = (checks.get(number), zugzwangs.get(number));
            let (check, zugzwang) = (check.copied(), zugzwang.copied());
            number += 1;
            if legal == 0 || bad.is_some() {
                return;
            }
            let row = pair_slots.start + slots.start as u64..pair_slots.start + slots.end as u64;
            for window in [Some(mate), counted].into_iter().flatten() {
                let without = without_value(window.codes(row.clone()), window.coding) & legal;
                if without != 0 {
                    bad = Some(Slot(row.start + u64::from(without.trailing_zeros())));
                    return;
                }
            }
            for (bits, (set, lookup)) in codes.iter_mut().zip(&self.sets) {
                let window = match set.origin {
                    Origin::Mate => Some(mate),
                    Origin::Counted => counted,
                };
                *bits = window.map_or(0, |window| lookup.bits(window.codes(row.clone())));
            }
            let first = Slot(row.start);
            let men = self.asks_men.then(|| RowPieces::of(index, first));
            let (check, zugzwang) = (check.unwrap_or(0), zugzwang.unwrap_or(0));
            let known = RowBits { codes: &codes, check, zugzwang, men };
            let mut left = legal;
            for (view, mask) in &views {
                let bits = mask.bits(&known) & legal;
                if bits != 0 {
                    count(view.side(self.side), bits.count_ones(), images);
                    if bits & left != 0 {
                        found(RowMatches { row: first, slots: bits & left, view: *view });
                    }
                    left &= !bits;
                }
            }
        });
        match bad {
            None => Ok(()),
            Some(slot) => {
                let place = Address { side: self.side, slot };
                Err(CensusError::NoValue { material: index.material(), place })
            }
        }
    }
}
