//! Conditions evaluated position by position: on the moves of the side to move, and on the distance
//! of two men.

use crate::query::expression::{MenDistance, MoveTest};
use crate::query::image::SlotImage;
use crate::query::pieces::RowPieces;
use sakmak_solve::slots::one_ply::{KingSteps, OnePly};
use sakmak_tables::board::square::Square;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::{Moves, Wdl};
use sakmak_tables::index::{Index, Placement, Slot};
use sakmak_tables::material::Army;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use std::cell::{Cell, RefCell};

/// A condition on a single slot, with the pieces of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotTest {
    /// A condition on the moves of the side to move.
    Moves(MoveTest),
    /// A condition on the distance of two men.
    MenDistance(MenDistance),
}

/// Tests of the slots with one side to move.
pub struct SlotTests<'a> {
    one_ply: &'a OnePly<'a>,
    king_steps: RefCell<KingSteps<'a>>,
    index: &'a Index,
    counting_rule: &'static CountingRule,
    side: Side,
}

impl<'a> SlotTests<'a> {
    /// Tests of the slots of a table with this side to move, by lookahead in its distances and by a
    /// counting rule.
    pub fn new(
        one_ply: &'a OnePly<'a>,
        index: &'a Index,
        counting_rule: &'static CountingRule,
        side: Side,
    ) -> SlotTests<'a> {
        let king_steps = RefCell::new(one_ply.king_steps());
        SlotTests { one_ply, king_steps, index, counting_rule, side }
    }

    /// The moves that a count against a bare king leaves the side to move, after its pawn was
    /// promoted to this piece, if any.
    fn left_against_bare_king(&self, promoted: Option<PieceKind>) -> Option<Moves> {
        let own = self.index.material().army(self.side);
        let own = Army::new(|kind| {
            let was = usize::from(promoted.is_some() && kind == PieceKind::Pawn);
            own.count(kind) + usize::from(promoted == Some(kind)) - was
        });
        let none = Army::new(|_| 0);
        let armies = if self.side == Side::White { [own, none] } else { [none, own] };
        self.counting_rule.longest_in_time(armies, self.side, !self.side)
    }

    /// Whether the position of a placement meets a condition; false if it is not legal. Returns
    /// `None` if the value after a move is missing.
    fn is(&self, test: SlotTest, slot: Slot, placement: &Placement) -> Option<bool> {
        let test = match test {
            SlotTest::MenDistance(apart) => return Some(apart.holds(self.index.placed(placement))),
            SlotTest::Moves(test) => test,
        };
        let Some(board) = self.one_ply.board(slot, placement) else { return Some(false) };
        let mut king_steps = self.king_steps.borrow_mut();
        king_steps.enter(&board.squares);
        match test {
            MoveTest::Stalemate => {
                Some(self.one_ply.check_and_move(&board, self.side) == Some([false, false]))
            }
            MoveTest::LateCapture => {
                let left = |promoted| self.left_against_bare_king(promoted);
                self.one_ply.has_late_capture(&board, self.side, left)
            }
            MoveTest::Quiet => self.one_ply.is_kept_quietly(&board, &king_steps, self.side),
            MoveTest::OnlyMove => {
                let (mut moves, mut best, mut best_moves) = (0, Wdl::Loss, 0);
                let mut is_missing = false;
                let visit = |result: Option<Wdl>| {
                    moves += 1;
                    match result {
                        Some(result) if result > best => (best, best_moves) = (result, 1),
                        Some(result) => best_moves += u32::from(result == best),
                        None => is_missing = true,
                    }
                };
                match self.one_ply.for_each_result(&board, &king_steps, self.side, visit) {
                    true if is_missing => None,
                    goes_on => Some(goes_on && best_moves == 1 && moves > 1),
                }
            }
        }
    }
}

impl MenDistance {
    /// Whether the condition holds for these men: the nearest two of like men count.
    pub fn holds(self, men: impl Iterator<Item = (Piece, Square)>) -> bool {
        let men: Vec<(Piece, Square)> = men.collect();
        let of = |piece| men.iter().filter(move |man| man.0 == piece).map(|man| man.1);
        let pairs = of(self.men[0]).flat_map(|one| of(self.men[1]).map(move |other| (one, other)));
        let king_moves = |(one, other): (Square, Square)| {
            one.file().abs_diff(other.file()).max(one.rank().abs_diff(other.rank())) as u32
        };
        let nearest = pairs.filter(|(one, other)| one != other).map(king_moves).min();
        nearest.is_some_and(|nearest| self.comparison.holds(nearest, self.moves))
    }

    /// The condition on the held men of an image. Symmetries preserve distances.
    pub fn held(self, image: SlotImage) -> MenDistance {
        MenDistance { men: self.men.map(|man| Piece::new(image.side(man.side), man.kind)), ..self }
    }
}

/// The slots of a row that meet conditions, each condition evaluated once.
pub struct RowTests<'a> {
    tests: &'a SlotTests<'a>,
    first: Slot,
    pieces: RowPieces,
    /// Evaluated slots, and slots among them that meet the condition, by condition.
    known: RefCell<Vec<(SlotTest, u64, u64)>>,
    /// A slot with a move to a position without a value.
    missing: Cell<Option<Slot>>,
}

impl<'a> RowTests<'a> {
    /// The tests of the row that begins with this slot.
    pub fn of(tests: &'a SlotTests<'a>, first: Slot, pieces: RowPieces) -> RowTests<'a> {
        RowTests { tests, first, pieces, known: RefCell::default(), missing: Cell::default() }
    }

    /// A bit for each of the `wanted` slots that meets a condition. Other bits are undefined.
    pub fn bits(&self, test: SlotTest, wanted: u64) -> u64 {
        let mut known = self.known.borrow_mut();
        let index = known.iter().position(|(other, ..)| *other == test).unwrap_or_else(|| {
            known.push((test, 0, 0));
            known.len() - 1
        });
        let (_, evaluated, met) = &mut known[index];
        let mut left = wanted & !*evaluated;
        *evaluated |= wanted;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let slot = Slot(self.first.0 + u64::from(bit));
            let placement = self.pieces.placement(self.tests.index, bit);
            match self.tests.is(test, slot, &placement) {
                Some(holds) => *met |= u64::from(holds) << bit,
                None => self.missing.set(Some(slot)),
            }
        }
        *met
    }

    /// An evaluated slot with a move to a position without a value.
    pub fn missing(&self) -> Option<Slot> {
        self.missing.get()
    }
}
