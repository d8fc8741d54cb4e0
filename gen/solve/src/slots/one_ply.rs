//! The one-ply lookahead for every slot of a table.
//!
//! A fast form of [`look_ahead`](crate::slots::definition::look_ahead): it finds moves from the
//! squares of the pieces, without a [`Position`](sakmak_tables::position::Position) for each slot:
//!
//! ```text
//! the position is legal if     no two pieces share a square and
//!                              no piece of the mover attacks the other king
//! the king can move to         squares where the mover has no piece and no enemy attacks,
//!                              the king itself not standing in the way
//! another piece can move to    squares it reaches, if every enemy's path to the king stays
//!                              blocked or that enemy is captured
//! ```
//!
//! A move without capture or promotion changes the slot by the share of its piece. A king's move
//! changes all shares. Other moves lead to other tables. The preference of a stored value before
//! the move is looked up by its code. It includes the phase change between the tables and the
//! longest distance that a table holds. Clamping each value to a draw and then taking the best
//! gives the same result as clamping the best.

mod preference;

mod paths;

mod arrival;

mod king_steps;

pub mod tile_changes;

use crate::slots::one_ply::arrival::{Arrival, KINGS, armies, numbered};
pub use crate::slots::one_ply::king_steps::KingSteps;
use crate::slots::one_ply::paths::Paths;
use crate::slots::one_ply::preference::{Preference, StoredPreferences};
use crate::slots::paged_table::PagedTable;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::Square;
use sakmak_tables::distance::{Moves, Value, Wdl};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::index::{Group, Index, Placement, Slot};
use sakmak_tables::material::MAX_MEN;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variant::Variant;

/// A table and its dependencies, prepared for lookaheads.
#[derive(Debug)]
pub struct OnePly<'a> {
    index: &'a Index,
    metric: Metric,
    variant: &'static Variant,
    /// The pieces by index, see [`numbered`].
    pieces: Vec<Piece>,
    /// The paths of each piece's attacks, by index.
    paths: Vec<Paths>,
    /// The indices of each side's pieces, the king first.
    sides: [Vec<usize>; 2],
    /// The values stored for each side to move.
    stored: [Option<StoredPreferences<'a>>; 2],
    /// The index of each piece's group in [`Index::groups`]; `None` for a king.
    groups: Vec<Option<usize>>,
    /// The value if the game is over: by side to move, by whether it is in check, and by whether it
    /// has a move.
    at_end: [[[Option<Preference>; 2]; 2]; 2],
    /// The arrivals of captures and promotions, by [`OnePly::move_number`].
    arrivals: Vec<Option<Arrival<'a>>>,
}

/// The pieces of a slot on their squares.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    slot: Slot,
    /// Squares by index of the piece; further entries are unused.
    pub squares: [Square; MAX_MEN],
    /// The squares of each side's pieces.
    of: [Bitboard; 2],
}

impl Board {
    fn occupied(&self) -> Bitboard {
        self.of[0] | self.of[1]
    }
}

/// An enemy piece whose path to the king is blocked by at most one piece.
#[derive(Clone, Copy)]
struct KingThreat {
    /// The square of the blocking piece, or no square.
    blocker: Bitboard,
    /// The squares on which a piece stops the threat: its path, and the threatening piece's square
    /// by a capture.
    stops: Bitboard,
}

impl<'a> OnePly<'a> {
    /// Prepares a table. `subtables` are the tables that it depends on by captures and promotions,
    /// in this metric.
    pub fn new(
        table: &'a PagedTable<'a>,
        metric: Metric,
        variant: &'static Variant,
        subtables: &'a [PagedTable<'a>],
    ) -> OnePly<'a> {
        let index = table.index();
        let pieces = numbered(index);
        let group_of = |number: usize| {
            let piece = number.checked_sub(KINGS)?;
            let holds = |group: &Group| (group.first..group.first + group.count).contains(&piece);
            index.groups().iter().position(holds)
        };
        let of = |side| (0..pieces.len()).filter(|&number| pieces[number].side == side).collect();
        let stored = |side: Side| {
            let material = index.material();
            let before = |value: Value| metric.clamped(material, !side, metric.before_move(value));
            Some(StoredPreferences::of(table.side(side)?, before))
        };
        let mut one_ply = OnePly {
            index,
            metric,
            variant,
            paths: pieces.iter().map(|&piece| Paths::of(piece, &variant.rules)).collect(),
            sides: [of(Side::White), of(Side::Black)],
            stored: Side::BOTH.map(stored),
            groups: (0..pieces.len()).map(group_of).collect(),
            pieces,
            at_end: Side::BOTH.map(|side| {
                let end = match index.material().army(!side).is_empty() {
                    true => variant.rules.end.against_bare_king(),
                    false => variant.rules.end,
                };
                [false, true].map(|in_check| {
                    [false, true].map(|has_move| end.value(in_check, has_move).map(Preference::of))
                })
            }),
            arrivals: Vec::new(),
        };
        for mover in 0..one_ply.pieces.len() {
            for taken in (0..one_ply.pieces.len()).map(Some).chain([None]) {
                for promotes in [false, true] {
                    let tables = subtables.iter().chain([table]);
                    let arrival = one_ply.arrival(mover, taken, promotes, tables);
                    debug_assert_eq!(
                        one_ply.arrivals.len(),
                        one_ply.move_number(mover, taken, promotes)
                    );
                    one_ply.arrivals.push(arrival);
                }
            }
        }
        one_ply
    }

    /// The index of a capture or promotion: by the piece that moves, the piece taken, and whether
    /// the moved piece is promoted.
    fn move_number(&self, mover: usize, taken: Option<usize>, promotes: bool) -> usize {
        let pieces = self.pieces.len();
        (mover * (pieces + 1) + taken.unwrap_or(pieces)) * 2 + usize::from(promotes)
    }

    /// The arrival of a capture or promotion. Returns `None` if the move is impossible.
    fn arrival(
        &self,
        mover: usize,
        taken: Option<usize>,
        promotes: bool,
        tables: impl Iterator<Item = &'a PagedTable<'a>> + Clone,
    ) -> Option<Arrival<'a>> {
        let Piece { side, kind } = self.pieces[mover];
        let all: Vec<Option<Piece>> = self.pieces.iter().copied().map(Some).collect();
        let mut pieces = all.clone();
        if let Some(taken) = taken {
            let piece = pieces[taken].take()?;
            if piece.side == side || piece.kind == PieceKind::King {
                return None;
            }
        }
        if !promotes {
            return self.arrival_of(side, &all, &pieces, tables);
        }
        if kind != PieceKind::Pawn {
            return None;
        }
        let choices = self.variant.rules.promotes_to.iter().map(|&kind| {
            pieces[mover] = Some(Piece::new(side, kind));
            self.arrival_of(side, &all, &pieces, tables.clone())
        });
        choices.collect::<Option<Vec<_>>>().map(Arrival::Choice)
    }

    /// The arrival of a move of `side` after which these pieces are on the board.
    fn arrival_of(
        &self,
        side: Side,
        all: &[Option<Piece>],
        pieces: &[Option<Piece>],
        tables: impl Iterator<Item = &'a PagedTable<'a>>,
    ) -> Option<Arrival<'a>> {
        let phase_change = self.metric.phase_change(armies(all), armies(pieces), !side);
        let material = self.index.material();
        Arrival::new(pieces, !side, tables, |value| {
            let before = self.metric.before_move(phase_change.carry(value));
            self.metric.clamped(material, side, before)
        })
    }

    /// The pieces of a placement on the board. Returns `None` if two pieces share a square.
    #[inline]
    pub fn board(&self, slot: Slot, placement: &Placement) -> Option<Board> {
        let [white, black] = placement.kings;
        let mut squares = [white; MAX_MEN];
        squares[1] = black;
        squares[KINGS..].copy_from_slice(&placement.pieces);
        let mut of = [Bitboard::EMPTY; 2];
        for (piece, &square) in self.pieces.iter().zip(&squares) {
            if (of[0] | of[1]).contains(square) {
                return None;
            }
            of[piece.side.index()].insert(square);
        }
        Some(Board { slot, squares, of })
    }

    /// King steps to enter for each board.
    pub fn king_steps(&self) -> KingSteps<'_> {
        KingSteps::new(self.index, &self.variant.reach)
    }

    /// Whether the value stored for a position follows from its successors; true for an illegal
    /// position. `king_steps` must belong to the board.
    #[inline]
    pub fn is_right(&self, board: &Board, king_steps: &KingSteps, side: Side) -> bool {
        let Some(stored) = &self.stored[side.index()] else { return false };
        let Some(best) = self.best(board, king_steps, side) else { return true };
        best != Preference::UNKNOWN && best == stored.to_mover(board.slot)
    }

    /// The preference by the best move or by the end of the game. Returns `None` if the position is
    /// not legal.
    fn best(&self, board: &Board, king_steps: &KingSteps, side: Side) -> Option<Preference> {
        let mut best = Preference::NO_MOVE;
        let in_check = self.for_each_mover(board, side, |number, targets| {
            best = best.max(self.best_to(board, king_steps, number, targets));
        })?;
        let has_move = best != Preference::NO_MOVE;
        Some(self.end(side, in_check, has_move).unwrap_or(best))
    }

    /// Whether the side to move is in check, and whether it has a move. Returns `None` if the
    /// position is not legal.
    pub fn check_and_move(&self, board: &Board, side: Side) -> Option<[bool; 2]> {
        let mut has_move = false;
        let in_check =
            self.for_each_mover(board, side, |_, targets| has_move |= !targets.is_empty())?;
        Some([in_check, has_move])
    }

    /// Calls `visit` with the result of each move for the side that moves, and of each choice of a
    /// promotion; `None` if the result is missing. Returns whether the game goes on. If it does
    /// not, or if the position is not legal, the moves do not count.
    pub fn for_each_result(
        &self,
        board: &Board,
        king_steps: &KingSteps,
        side: Side,
        mut visit: impl FnMut(Option<Wdl>),
    ) -> bool {
        let mut has_move = false;
        let in_check = self.for_each_mover(board, side, |number, targets| {
            let promoting = self.promoting(number);
            for to in targets {
                has_move = true;
                if promoting.contains(to)
                    && let (Some(Arrival::Choice(choices)), squares) =
                        self.arrival_on(board, number, to, true)
                {
                    choices.iter().for_each(|choice| visit(choice.preference(&squares).wdl()));
                    continue;
                }
                visit(self.best_to(board, king_steps, number, Bitboard::of(to)).wdl());
            }
        });
        in_check.is_some_and(|in_check| self.end(side, in_check, has_move).is_none())
    }

    /// Whether a move that captures nothing keeps the result. False if the position is not legal or
    /// the game is over. Returns `None` if the value after such a move is missing.
    pub fn is_kept_quietly(
        &self,
        board: &Board,
        king_steps: &KingSteps,
        side: Side,
    ) -> Option<bool> {
        let enemy = board.of[(!side).index()];
        let (mut best, mut has_move) = (Preference::NO_MOVE, false);
        let in_check = self.for_each_mover(board, side, |number, targets| {
            has_move |= !targets.is_empty();
            best = best.max(self.best_to(board, king_steps, number, targets - enemy));
        });
        if in_check.is_none_or(|in_check| self.end(side, in_check, has_move).is_some()) {
            return Some(false);
        }
        let result = self.stored[side.index()].as_ref()?.to_mover(board.slot).wdl()?;
        match best {
            Preference::UNKNOWN => None,
            best => Some(best.wdl() == Some(result)),
        }
    }

    /// Whether a capture of the enemy's last piece wins, but needs more moves after it than `left`
    /// allows. `left` gets the piece that a pawn promotes to with the capture. False if the
    /// position is not legal or the game is over. Returns `None` if the value after such a capture
    /// is missing.
    pub fn has_late_capture(
        &self,
        board: &Board,
        side: Side,
        left: impl Fn(Option<PieceKind>) -> Option<Moves>,
    ) -> Option<bool> {
        let [_, last] = self.sides[(!side).index()][..] else { return Some(false) };
        let last = board.squares[last];
        let (mut is_late, mut is_missing, mut has_move) = (false, false, false);
        let mut visit = |promoted: Option<PieceKind>, preference: Preference| {
            is_missing |= preference == Preference::UNKNOWN;
            // The capture is one of the winner's moves.
            let in_time = |left: Moves| Preference::of(Value::Win(Moves(left.0 + 1)));
            is_late |= preference.wdl() == Some(Wdl::Win)
                && left(promoted).is_some_and(|left| preference < in_time(left));
        };
        let in_check = self.for_each_mover(board, side, |number, targets| {
            has_move |= !targets.is_empty();
            if !targets.contains(last) {
                return;
            }
            let promotes = self.promoting(number).contains(last);
            match self.arrival_on(board, number, last, promotes) {
                (Some(Arrival::Choice(choices)), squares) => {
                    for (choice, &kind) in choices.iter().zip(self.variant.rules.promotes_to) {
                        visit(Some(kind), choice.preference(&squares));
                    }
                }
                (arrival, squares) => {
                    let preference = arrival.map(|arrival| arrival.preference(&squares));
                    visit(None, preference.unwrap_or(Preference::UNKNOWN));
                }
            }
        });
        if in_check.is_none_or(|in_check| self.end(side, in_check, has_move).is_some()) {
            return Some(false);
        }
        (!is_missing).then_some(is_late)
    }

    /// The value if the game is over. `None` if it goes on.
    fn end(&self, side: Side, in_check: bool, has_move: bool) -> Option<Preference> {
        self.at_end[side.index()][usize::from(in_check)][usize::from(has_move)]
    }

    /// Calls `visit` with the index of each piece of the side to move and the squares it can move
    /// to. Returns whether that side is in check, or `None` if the position is not legal.
    #[inline(always)]
    fn for_each_mover(
        &self,
        board: &Board,
        side: Side,
        mut visit: impl FnMut(usize, Bitboard),
    ) -> Option<bool> {
        let occupied = board.occupied();
        let waiting = board.squares[(!side).index()];
        let attacks = |&number: &usize, target: Square| {
            (self.paths[number].path(board.squares[number], target) & occupied).is_empty()
        };
        if self.sides[side.index()].iter().any(|number| attacks(number, waiting)) {
            return None;
        }
        let king = board.squares[side.index()];
        let (own, enemy) = (board.of[side.index()], board.of[(!side).index()]);
        let mut attacked = Bitboard::EMPTY;
        let mut threats =
            [KingThreat { blocker: Bitboard::EMPTY, stops: Bitboard::EMPTY }; MAX_MEN];
        let mut found = 0;
        let mut checkers = Bitboard::EMPTY;
        for &number in &self.sides[(!side).index()] {
            let from = board.squares[number];
            attacked |= self.variant.reach.attacks(
                self.pieces[number],
                from,
                occupied - Bitboard::of(king),
            );
            let path = self.paths[number].path(from, king);
            let blocker = path & occupied;
            if blocker.len() <= 1 {
                threats[found] = KingThreat { blocker, stops: path | Bitboard::of(from) };
                found += 1;
                if blocker.is_empty() {
                    checkers.insert(from);
                }
            }
        }
        for &number in &self.sides[side.index()] {
            let (piece, from) = (self.pieces[number], board.squares[number]);
            let mut targets = self.variant.reach.targets(piece, from, own, enemy);
            if piece.kind == PieceKind::King {
                targets = (targets - attacked) & self.king_targets(board, side, checkers);
            } else {
                for threat in &threats[..found] {
                    if (threat.blocker - Bitboard::of(from)).is_empty() {
                        targets &= threat.stops;
                    }
                }
            }
            visit(number, targets);
        }
        Some(!checkers.is_empty())
    }

    /// The squares to which the rules let a king go; their safety is not tested. `checkers` are the
    /// squares of the pieces that give check to it.
    #[inline(always)]
    fn king_targets(&self, board: &Board, side: Side, checkers: Bitboard) -> Bitboard {
        let rules = &self.variant.rules;
        let only = |squares: Bitboard| match squares.len() {
            1 => squares,
            _ => Bitboard::EMPTY,
        };
        if rules.end.bare_king_loses && self.sides[side.index()].len() == 1 {
            let king = board.squares[(!side).index()];
            return only(board.of[(!side).index()] - Bitboard::of(king));
        }
        match rules.checked_king_stays && !checkers.is_empty() {
            true => only(checkers),
            false => Bitboard::ALL,
        }
    }

    /// The squares on which a piece is promoted.
    fn promoting(&self, number: usize) -> Bitboard {
        let Piece { side, kind } = self.pieces[number];
        match kind {
            PieceKind::Pawn => self.variant.rules.promotion_squares(side),
            _ => Bitboard::EMPTY,
        }
    }

    /// The preference of a piece's best move to one of these squares.
    fn best_to(
        &self,
        board: &Board,
        king_steps: &KingSteps,
        mover: usize,
        targets: Bitboard,
    ) -> Preference {
        let ahead = self.variant.rules.double_step_of(self.pieces[mover], board.squares[mover]);
        let Some([passed, to]) = ahead.filter(|ahead| targets.contains(ahead[1])) else {
            return self.best_unpassed(board, king_steps, mover, targets);
        };
        let others = self.best_unpassed(board, king_steps, mover, targets - Bitboard::of(to));
        let unpassed = self.best_unpassed(board, king_steps, mover, Bitboard::of(to));
        let double_step = match self.best_in_passing(board, mover, passed).before_move() {
            Preference::NO_MOVE => unpassed,
            Preference::UNKNOWN => Preference::UNKNOWN,
            passing if self.has_move_after(board, mover, to) && unpassed < passing => unpassed,
            passing => passing,
        };
        others.max(double_step)
    }

    /// The preference of the opponent's best capture in passing after a pawn has advanced over a
    /// square, for the opponent.
    fn best_in_passing(&self, board: &Board, mover: usize, passed: Square) -> Preference {
        let side = self.pieces[mover].side;
        let king = board.squares[(!side).index()];
        let takers = self.sides[(!side).index()].iter();
        takers.fold(Preference::NO_MOVE, |best, &taker| {
            let from = board.squares[taker];
            let takes = self.pieces[taker].kind == PieceKind::Pawn
                && self.paths[taker].path(from, passed).is_empty();
            let left = Bitboard::of(board.squares[mover]) | Bitboard::of(from);
            let after = (board.occupied() - left) | Bitboard::of(passed);
            let checks = |&number: &usize| {
                let path = self.paths[number].path(board.squares[number], king);
                number != mover && (path & after).is_empty()
            };
            if !takes || self.sides[side.index()].iter().any(checks) {
                return best;
            }
            let mut squares = board.squares;
            squares[taker] = passed;
            let arrival = self.arrivals[self.move_number(taker, Some(mover), false)].as_ref();
            let preference = arrival.map(|arrival| arrival.preference(&squares));
            best.max(preference.unwrap_or(Preference::UNKNOWN))
        })
    }

    /// Whether the opponent has a move, captures in passing aside, after a piece has moved to an
    /// empty square.
    fn has_move_after(&self, board: &Board, mover: usize, to: Square) -> bool {
        let side = self.pieces[mover].side;
        let mut after = *board;
        after.of[side.index()].remove(board.squares[mover]);
        after.of[side.index()].insert(to);
        after.squares[mover] = to;
        self.check_and_move(&after, !side).is_some_and(|[_, has_move]| has_move)
    }

    /// The preference of a piece's best move to one of these squares, if no move can be answered by
    /// a capture in passing.
    #[inline]
    fn best_unpassed(
        &self,
        board: &Board,
        king_steps: &KingSteps,
        mover: usize,
        targets: Bitboard,
    ) -> Preference {
        let side = self.pieces[mover].side;
        let promoting = self.promoting(mover);
        let Some(after) = &self.stored[(!side).index()] else {
            // With the other side to move, the table holds the positions with colours exchanged.
            return self.best_changing(board, mover, targets, promoting);
        };
        let changing = targets & (board.of[(!side).index()] | promoting);
        let quiet = self.best_quiet(board, king_steps, mover, targets - changing, after);
        quiet.max(self.best_changing(board, mover, changing, promoting))
    }

    /// The preference of a piece's best move to one of these squares, without capture or
    /// promotion.
    fn best_quiet(
        &self,
        board: &Board,
        king_steps: &KingSteps,
        mover: usize,
        targets: Bitboard,
        after: &StoredPreferences,
    ) -> Preference {
        let preference =
            |slot: Option<Slot>| slot.map_or(Preference::UNKNOWN, |slot| after.before_move(slot));
        let mut squares = board.squares;
        let Some(group) = self.groups[mover].map(|group| &self.index.groups()[group]) else {
            let side = self.pieces[mover].side;
            return targets.fold(Preference::NO_MOVE, |best, to| {
                best.max(preference(king_steps.after_king(&squares, side, to)))
            });
        };
        let Some(facing) = self.index.with_kings([squares[0], squares[1]]) else {
            return Preference::UNKNOWN;
        };
        let like = KINGS + group.first..KINGS + group.first + group.count;
        let Some(rest) = facing.without(board.slot, group, &squares[like.clone()]) else {
            return Preference::UNKNOWN;
        };
        targets.fold(Preference::NO_MOVE, |best, to| {
            let slot = if group.count == 1 {
                facing.with(rest, group, &[to])
            } else {
                squares[mover] = to;
                facing.with(rest, group, &squares[like.clone()])
            };
            best.max(preference(slot))
        })
    }

    /// The preference of a piece's best move to one of these squares, captures and promotions
    /// included.
    fn best_changing(
        &self,
        board: &Board,
        mover: usize,
        targets: Bitboard,
        promoting: Bitboard,
    ) -> Preference {
        targets.fold(Preference::NO_MOVE, |best, to| {
            let (arrival, squares) = self.arrival_on(board, mover, to, promoting.contains(to));
            let preference = arrival.map(|arrival| arrival.preference(&squares));
            best.max(preference.unwrap_or(Preference::UNKNOWN))
        })
    }

    /// The arrival of a piece's capture or promotion on a square, and the squares of the pieces
    /// after it.
    #[inline]
    fn arrival_on(
        &self,
        board: &Board,
        mover: usize,
        to: Square,
        promotes: bool,
    ) -> (Option<&Arrival<'a>>, [Square; MAX_MEN]) {
        let taken = (0..self.pieces.len()).find(|&piece| board.squares[piece] == to);
        let mut squares = board.squares;
        squares[mover] = to;
        (self.arrivals[self.move_number(mover, taken, promotes)].as_ref(), squares)
    }
}

#[cfg(test)]
mod tests;
