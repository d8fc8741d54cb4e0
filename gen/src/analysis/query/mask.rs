//! An expression made ready for one image of the slots with one side held to be on the
//! move: which of 64 slots meet it.

use crate::analysis::query::expression::{Condition, Expression, Measure, Wdl};
use crate::analysis::query::pieces::{PieceTest, RowPieces};
use crate::analysis::query::code_set::{CodeSet, Origin};
use crate::analysis::query::image::SlotImage;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::Index;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;

/// What is left of an expression; `C` is how sets of codes are named.
#[derive(Clone, Debug)]
pub enum Mask<C> {
    /// It holds everywhere or nowhere.
    Constant(bool),
    /// The slot's code is one of these.
    Codes(C),
    /// The mover is in check.
    Check,
    /// The mover is in zugzwang.
    Zugzwang,
    /// A piece is on one of some squares.
    Piece(PieceTest),
    /// Not this.
    Not(Box<Mask<C>>),
    /// All of these.
    All(Vec<Mask<C>>),
    /// Any of these.
    Any(Vec<Mask<C>>),
}

/// What an expression is made ready for.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub index: &'a Index,
    /// The side held to be on the move.
    pub side: Side,
    pub view: SlotImage,
    pub mate: Coding,
    /// Nothing where distance to mate says what is in time.
    pub counted: Option<Coding>,
    /// The moves the count leaves the mover to win in, and the other side; nothing where no
    /// count runs against it.
    pub clocks: [Option<Moves>; 2],
}

/// What is known of a row of 64 slots, a bit each.
pub struct RowBits<'a> {
    /// By the number of a set of codes.
    pub codes: &'a [u64],
    pub check: u64,
    pub zugzwang: u64,
    /// Nothing where no piece is asked for.
    pub men: Option<RowPieces>,
}

impl Setting<'_> {
    /// The expression in this setting.
    pub fn mask(&self, expression: &Expression) -> Mask<CodeSet> {
        match expression {
            Expression::Is(condition) => self.condition(*condition),
            Expression::Not(inner) => match self.mask(inner) {
                Mask::Constant(holds) => Mask::Constant(!holds),
                Mask::Codes(codes) => Mask::Codes(codes.negated()),
                Mask::Not(inner) => *inner,
                inner => Mask::Not(Box::new(inner)),
            },
            Expression::All(parts) => self.joined(parts, true),
            Expression::Any(parts) => self.joined(parts, false),
        }
    }

    fn condition(&self, condition: Condition) -> Mask<CodeSet> {
        let mate = |has: &dyn Fn(Value) -> bool| simple(CodeSet::of(Origin::Mate, self.mate, has));
        let counted = |has: &dyn Fn(Value) -> bool| match self.counted {
            Some(coding) => simple(CodeSet::of(Origin::Counted, coding, has)),
            None => mate(has),
        };
        match condition {
            Condition::Side(side) => Mask::Constant(self.view.side(self.side) == side),
            Condition::Wdl(verdict) => mate(&|value| {
                matches!(
                    (verdict, value),
                    (Wdl::Win, Value::Win(_))
                        | (Wdl::Draw, Value::Draw)
                        | (Wdl::Loss, Value::Loss(_))
                )
            }),
            Condition::InTime => counted(&|value| {
                let [own, other] = self.clocks;
                let fits = |moves, clock: Option<Moves>| clock.is_none_or(|clock| moves <= clock);
                match value {
                    Value::Draw => false,
                    Value::Win(moves) => fits(moves, own),
                    Value::Loss(moves) => fits(moves, other),
                }
            }),
            Condition::Distance(measure, comparison, number) => {
                let has = |value: Value| {
                    value.moves().is_some_and(|moves| comparison.holds(moves.0, number))
                };
                match measure {
                    Measure::Mate => mate(&has),
                    Measure::Counted => counted(&has),
                }
            }
            Condition::Check => Mask::Check,
            Condition::Zugzwang => Mask::Zugzwang,
            Condition::Piece(piece, squares) => {
                Mask::Piece(PieceTest::new(self.index, self.view, piece, squares))
            }
        }
    }

    /// All or any of several; conditions on one table's codes become one.
    fn joined(&self, parts: &[Expression], all: bool) -> Mask<CodeSet> {
        let mut kept: Vec<Mask<CodeSet>> = Vec::new();
        for part in parts {
            match self.mask(part) {
                Mask::Constant(holds) if holds == all => {}
                Mask::Constant(holds) => return Mask::Constant(holds),
                Mask::Codes(codes) => {
                    let same = kept.iter_mut().find_map(|mask| match mask {
                        Mask::Codes(have) if have.origin == codes.origin => Some(have),
                        _ => None,
                    });
                    match same {
                        Some(have) => have.joined(&codes, all),
                        None => kept.push(Mask::Codes(codes)),
                    }
                }
                other => kept.push(other),
            }
        }
        let constant = |mask: &Mask<CodeSet>| match mask {
            Mask::Codes(codes) => codes.constant(),
            _ => None,
        };
        if kept.iter().any(|mask| constant(mask) == Some(!all)) {
            return Mask::Constant(!all);
        }
        kept.retain(|mask| constant(mask).is_none());
        if kept.len() <= 1 {
            return kept.pop().unwrap_or(Mask::Constant(all));
        }
        match all {
            true => Mask::All(kept),
            false => Mask::Any(kept),
        }
    }
}

fn simple(codes: CodeSet) -> Mask<CodeSet> {
    match codes.constant() {
        Some(holds) => Mask::Constant(holds),
        None => Mask::Codes(codes),
    }
}

impl<C> Mask<C> {
    /// The same with sets of codes named otherwise.
    pub fn named<D>(self, name: &mut impl FnMut(C) -> D) -> Mask<D> {
        let mut all = |parts: Vec<Mask<C>>| -> Vec<Mask<D>> {
            parts.into_iter().map(|part| part.named(name)).collect()
        };
        match self {
            Mask::Constant(holds) => Mask::Constant(holds),
            Mask::Check => Mask::Check,
            Mask::Zugzwang => Mask::Zugzwang,
            Mask::Piece(test) => Mask::Piece(test),
            Mask::All(parts) => Mask::All(all(parts)),
            Mask::Any(parts) => Mask::Any(all(parts)),
            Mask::Codes(codes) => Mask::Codes(name(codes)),
            Mask::Not(inner) => Mask::Not(Box::new(inner.named(name))),
        }
    }

    /// Whether a part of it is such.
    pub fn has(&self, such: &dyn Fn(&Mask<C>) -> bool) -> bool {
        let within = match self {
            Mask::Not(inner) => inner.has(such),
            Mask::All(parts) | Mask::Any(parts) => parts.iter().any(|part| part.has(such)),
            _ => false,
        };
        within || such(self)
    }
}

impl Mask<usize> {
    /// A bit for each slot of the row that meets it; past the row anything.
    pub fn bits(&self, row: &RowBits<'_>) -> u64 {
        match self {
            Mask::Constant(holds) => u64::from(*holds) * u64::MAX,
            Mask::Codes(set) => row.codes.get(*set).copied().unwrap_or(0),
            Mask::Check => row.check,
            Mask::Zugzwang => row.zugzwang,
            Mask::Piece(test) => row.men.as_ref().map_or(0, |men| test.bits(men)),
            Mask::Not(inner) => !inner.bits(row),
            Mask::All(parts) => parts
                .iter()
                .fold(u64::MAX, |bits, part| bits & if bits == 0 { 0 } else { part.bits(row) }),
            Mask::Any(parts) => parts.iter().fold(0, |bits, part| bits | part.bits(row)),
        }
    }
}
