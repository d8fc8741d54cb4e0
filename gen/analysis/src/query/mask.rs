//! An expression compiled for one image of the slots and one side to move in the table. It
//! evaluates to a bit for each of 64 slots.

use crate::query::code_set::{CodeSet, CodeTable};
use crate::query::expression::{Condition, Expression, Measure};
use crate::query::image::SlotImage;
use crate::query::pieces::{PieceTest, RowPieces};
use crate::query::slot_test::{RowTests, SlotTest};
use sakmak_tables::board::square::Square;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use std::num::NonZeroU32;
use xxhash_rust::xxh3::xxh3_64;

/// A compiled expression; `C` is a set of codes or its index.
#[derive(Clone, Debug)]
pub enum Mask<C> {
    /// A constant for all slots.
    Constant(bool),
    /// The slot's code is in this set.
    TableCodes(C),
    /// The mover is in check.
    Check,
    /// The position is a mutual zugzwang.
    Zugzwang,
    /// A piece is on one of some squares.
    Piece(PieceTest),
    /// The slot is in the random selection of one slot in this number.
    OneIn(NonZeroU32),
    /// A condition that is evaluated slot by slot.
    Slot(SlotTest),
    /// The negation.
    Not(Box<Mask<C>>),
    /// All of these.
    All(Vec<Mask<C>>),
    /// Any of these.
    Any(Vec<Mask<C>>),
}

impl Mask<usize> {
    /// The index of a set of codes outside of which the mask is false; `None` if there is no set of
    /// this kind.
    pub fn needed_codes(&self) -> Option<usize> {
        match self {
            Mask::TableCodes(number) => Some(*number),
            Mask::All(parts) => parts.iter().find_map(Mask::needed_codes),
            _ => None,
        }
    }
}

/// The context that an expression is compiled for.
#[derive(Clone, Copy)]
pub struct MaskContext<'a> {
    pub index: &'a Index,
    /// The side to move in the table.
    pub side: Side,
    pub image: SlotImage,
    pub mate: Coding,
    /// The coding of counted distances; `None` if distance to mate decides which wins are in time.
    pub counted: Option<Coding>,
    pub clocks: Clocks,
    /// Other counting rules that the expression names.
    pub others: &'a [OtherRule],
}

/// The moves in which the mover, and its opponent, must mate; `None` if no count runs against the
/// side.
pub type Clocks = [Option<Moves>; 2];

/// A counting rule besides the rule of the query.
#[derive(Clone, Copy, Debug)]
pub struct OtherRule {
    pub counting_rule: &'static CountingRule,
    /// The coding of counted distances; `None` if distance to mate decides which wins are in time
    /// by this rule.
    pub counted: Option<Coding>,
    /// The clocks of a count that starts in the position.
    pub clocks: Clocks,
}

/// Facts about a row of 64 slots, a bit for each slot.
pub struct RowBits<'a, 't> {
    /// The first slot.
    pub first: Slot,
    /// Bits by the index of the set of codes.
    pub codes: &'a [u64],
    pub check: u64,
    pub zugzwang: u64,
    /// `None` without a condition on squares.
    pub pieces: Option<RowPieces>,
    /// `None` without a condition evaluated slot by slot.
    pub tests: Option<RowTests<'t>>,
    /// Returns the lowest slot among the mirror images of a slot.
    pub lowest: &'a dyn Fn(Slot) -> Slot,
}

impl MaskContext<'_> {
    /// Compiles an expression.
    pub fn mask(&self, expression: &Expression) -> Mask<CodeSet> {
        match expression {
            Expression::Is(condition) => self.condition(*condition),
            Expression::Not(inner) => match self.mask(inner) {
                Mask::Constant(holds) => Mask::Constant(!holds),
                Mask::TableCodes(codes) => Mask::TableCodes(codes.negated()),
                Mask::Not(inner) => *inner,
                inner => Mask::Not(Box::new(inner)),
            },
            Expression::All(parts) => self.joined(parts, true),
            Expression::Any(parts) => self.joined(parts, false),
        }
    }

    fn condition(&self, condition: Condition) -> Mask<CodeSet> {
        let mate =
            |has: &dyn Fn(Value) -> bool| simple(CodeSet::of(CodeTable::Mate, self.mate, has));
        let counted = |has: &dyn Fn(Value) -> bool| match self.counted {
            Some(coding) => simple(CodeSet::of(CodeTable::Counted, coding, has)),
            None => mate(has),
        };
        match condition {
            Condition::Side(side) => Mask::Constant(self.image.side(self.side) == side),
            Condition::Wdl(wdl) => mate(&|value| value.wdl() == wdl),
            Condition::InTime => counted(&|value| fits(value, self.clocks)),
            Condition::InTimeBy(rule) => {
                let other = self.others.iter().find(|other| other.counting_rule == rule);
                // The query has all rules that its expression names.
                let Some(other) = other else { return Mask::Constant(false) };
                let has = |value| fits(value, other.clocks);
                match other.counted {
                    Some(coding) => simple(CodeSet::of(CodeTable::CountedBy(rule), coding, has)),
                    None => mate(&has),
                }
            }
            Condition::Distance(measure, comparison, number) => {
                let holds = |value: Value| {
                    value.moves().is_some_and(|moves| comparison.holds(moves.0, number))
                };
                match measure {
                    Measure::Mate => mate(&holds),
                    Measure::Counted => counted(&holds),
                }
            }
            Condition::Check => Mask::Check,
            Condition::MutualZugzwang => Mask::Zugzwang,
            Condition::Piece(piece, squares) => {
                Mask::Piece(PieceTest::new(self.index, self.image, piece, squares))
            }
            Condition::MenDistance(apart) => {
                Mask::Slot(SlotTest::MenDistance(apart.held(self.image)))
            }
            Condition::Moves(test) => Mask::Slot(SlotTest::Moves(test)),
            Condition::OneIn(number) => Mask::OneIn(number),
        }
    }

    /// All or any of several expressions. Conditions on the codes of one table become one set.
    fn joined(&self, parts: &[Expression], all: bool) -> Mask<CodeSet> {
        let mut kept: Vec<Mask<CodeSet>> = Vec::new();
        for part in parts {
            match self.mask(part) {
                Mask::Constant(holds) if holds == all => {}
                Mask::Constant(holds) => return Mask::Constant(holds),
                Mask::TableCodes(codes) => {
                    let same = kept.iter_mut().find_map(|mask| match mask {
                        Mask::TableCodes(have) if have.table == codes.table => Some(have),
                        _ => None,
                    });
                    match same {
                        Some(have) => have.joined(&codes, all),
                        None => kept.push(Mask::TableCodes(codes)),
                    }
                }
                other => kept.push(other),
            }
        }
        let constant = |mask: &Mask<CodeSet>| match mask {
            Mask::TableCodes(codes) => codes.constant(),
            _ => None,
        };
        if kept.iter().any(|mask| constant(mask) == Some(!all)) {
            return Mask::Constant(!all);
        }
        kept.retain(|mask| constant(mask).is_none());
        // Conditions on single slots come last: they are evaluated only where the others leave the
        // result open.
        let has_moves = |mask: &Mask<CodeSet>| mask.has(&|part| matches!(part, Mask::Slot(_)));
        kept.sort_by_key(|mask| (has_moves(mask), matches!(mask, Mask::OneIn(_))));
        if kept.len() <= 1 {
            return kept.pop().unwrap_or(Mask::Constant(all));
        }
        match all {
            true => Mask::All(kept),
            false => Mask::Any(kept),
        }
    }
}

/// The wanted slots of a row in the selection of one slot in this number. Mirror images are
/// selected together.
fn selected(number: NonZeroU32, row: &RowBits<'_, '_>, wanted: u64) -> u64 {
    let is_selected = |bit: &u64| {
        let lowest = || (row.lowest)(Slot(row.first.0 + bit)).0.to_le_bytes();
        wanted >> bit & 1 != 0 && xxh3_64(&lowest()).is_multiple_of(u64::from(number.get()))
    };
    (0..64).filter(is_selected).fold(0, |bits, bit| bits | 1 << bit)
}

/// Whether one side can mate and has enough moves.
fn fits(value: Value, [own, other]: Clocks) -> bool {
    let fits = |moves, clock: Option<Moves>| clock.is_none_or(|clock| moves <= clock);
    match value {
        Value::Draw => false,
        Value::Win(moves) => fits(moves, own),
        Value::Loss(moves) => fits(moves, other),
    }
}

fn simple(codes: CodeSet) -> Mask<CodeSet> {
    match codes.constant() {
        Some(holds) => Mask::Constant(holds),
        None => Mask::TableCodes(codes),
    }
}

impl<C> Mask<C> {
    /// Replaces each set of codes in the mask by the result of `name`.
    pub fn named<D>(self, name: &mut impl FnMut(C) -> D) -> Mask<D> {
        let mut all = |parts: Vec<Mask<C>>| -> Vec<Mask<D>> {
            parts.into_iter().map(|part| part.named(name)).collect()
        };
        match self {
            Mask::Constant(holds) => Mask::Constant(holds),
            Mask::Check => Mask::Check,
            Mask::Zugzwang => Mask::Zugzwang,
            Mask::Piece(test) => Mask::Piece(test),
            Mask::OneIn(number) => Mask::OneIn(number),
            Mask::Slot(test) => Mask::Slot(test),
            Mask::All(parts) => Mask::All(all(parts)),
            Mask::Any(parts) => Mask::Any(all(parts)),
            Mask::TableCodes(codes) => Mask::TableCodes(name(codes)),
            Mask::Not(inner) => Mask::Not(Box::new(inner.named(name))),
        }
    }

    /// Whether the expression holds with these kings; `None` if the kings do not decide.
    pub fn of_kings(&self, kings: [Square; 2]) -> Option<bool> {
        let joined = |parts: &[Mask<C>], all: bool| {
            let mut parts = parts.iter().map(|part| part.of_kings(kings));
            parts.try_fold(Some(all), |joined, part| match part {
                Some(holds) if holds != all => Err(part),
                part => Ok(joined.and(part)),
            })
        };
        match self {
            Mask::Constant(holds) => Some(*holds),
            Mask::Piece(test) => test.of_kings(kings),
            Mask::Not(inner) => inner.of_kings(kings).map(|holds| !holds),
            Mask::All(parts) => joined(parts, true).unwrap_or_else(|decided| decided),
            Mask::Any(parts) => joined(parts, false).unwrap_or_else(|decided| decided),
            Mask::TableCodes(_) | Mask::Check | Mask::Zugzwang | Mask::OneIn(_) | Mask::Slot(_) => {
                None
            }
        }
    }

    /// Whether a part of the mask satisfies a predicate.
    pub fn has(&self, test: &dyn Fn(&Mask<C>) -> bool) -> bool {
        let within = match self {
            Mask::Not(inner) => inner.has(test),
            Mask::All(parts) | Mask::Any(parts) => parts.iter().any(|part| part.has(test)),
            _ => false,
        };
        within || test(self)
    }
}

impl Mask<usize> {
    /// A bit for each of the `wanted` slots of the row that meets the expression. Other bits are
    /// undefined.
    pub fn bits(&self, row: &RowBits<'_, '_>, wanted: u64) -> u64 {
        match self {
            Mask::Constant(holds) => u64::from(*holds) * u64::MAX,
            Mask::TableCodes(set) => row.codes.get(*set).copied().unwrap_or(0),
            Mask::Check => row.check,
            Mask::Zugzwang => row.zugzwang,
            Mask::Piece(test) => row.pieces.as_ref().map_or(0, |pieces| test.bits(pieces)),
            Mask::OneIn(number) => selected(*number, row, wanted),
            Mask::Slot(test) => row.tests.as_ref().map_or(0, |tests| tests.bits(*test, wanted)),
            Mask::Not(inner) => !inner.bits(row, wanted),
            Mask::All(parts) => parts.iter().fold(wanted, |bits, part| match bits {
                0 => 0,
                bits => bits & part.bits(row, bits),
            }),
            Mask::Any(parts) => parts.iter().fold(0, |bits, part| match wanted & !bits {
                0 => bits,
                left => bits | part.bits(row, left) & left,
            }),
        }
    }
}
