//! The look-ahead of one ply for every slot of a table, quickly.
//!
//! Its moves are those of [`look_ahead`](crate::verify::definition::look_ahead), found from the
//! squares of the pieces without setting up a position for each slot:
//!
//! ```text
//! the position is legal if     no two men share a square and
//!                              no piece of the mover attacks the other king
//! the king may go              where the mover has no piece and no enemy attacks,
//!                              the king itself not standing in the way
//! another piece may go           where it reaches, if that leaves every enemy's path to
//!                              the king blocked, or takes that enemy
//! ```
//!
//! A move of a piece that takes and promotes nothing changes the slot by that piece's share in
//! it; a king's move changes all of it; other moves lead to other tables. What a stored
//! value is worth to the side whose move led there is looked up by its code: the phase change
//! from table to table is part of that, and so is the longest distance a table holds, since
//! the best of some values, each a draw if it is too long, is the best of them all, or a draw
//! if that is too long.

mod preference;

mod paths;

mod arrival;

mod king_steps;

use crate::slots::one_ply::arrival::{Arrival, KINGS, armies, numbered};
use crate::slots::one_ply::king_steps::KingSteps;
use crate::slots::one_ply::paths::Paths;
use crate::slots::one_ply::preference::{Preference, StoredPreferences};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::Square;
use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::index::{Group, Index, Placement, Slot};
use sakmak_tables::material::MAX_MEN;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use std::sync::Arc;

/// A table and those it leads to, made ready.
#[derive(Debug)]
pub struct OnePly<'a> {
    index: &'a Index,
    metric: Metric,
    variant: &'static Variant,
    /// The pieces by number, see [`numbered`].
    men: Vec<Piece>,
    /// By number: how the piece attacks.
    paths: Vec<Paths>,
    /// By side: the numbers of its pieces, the king's first.
    sides: [Vec<usize>; 2],
    /// By side to move: the values stored for it.
    stored: [Option<StoredPreferences<'a>>; 2],
    /// By number: the place of the piece's group in [`Index::groups`], none for a king.
    groups: Vec<Option<usize>>,
    /// By whether the side to move is in check, then by whether it has a move: what the
    /// position is worth if the game is over.
    at_end: [[Option<Preference>; 2]; 2],
    /// By [`OnePly::move_number`]: where moves lead that take or promote.
    arrivals: Vec<Option<Arrival<'a>>>,
}

/// The pieces of a slot on their squares.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    slot: Slot,
    /// By number; the rest is not looked at.
    pub squares: [Square; MAX_MEN],
    /// By side: where its pieces stand.
    of: [Bitboard; 2],
}

impl Board {
    fn occupied(&self) -> Bitboard {
        self.of[0] | self.of[1]
    }
}

/// An enemy whose path to the king one piece at most blocks.
#[derive(Clone, Copy)]
struct Aim {
    /// The piece that blocks it, or none.
    blocker: Bitboard,
    /// Where a piece stops it: on its path, or on its own square, by taking it.
    stops: Bitboard,
}

impl<'a> OnePly<'a> {
    /// Makes a table ready, given those of all materials one move leads to that answer
    /// where this is measured.
    pub fn new(
        table: &'a Table,
        metric: Metric,
        variant: &'static Variant,
        smaller: &'a [Arc<Table>],
    ) -> OnePly<'a> {
        let index = table.index();
        let men = numbered(index);
        let group_of = |number: usize| {
            let place = number.checked_sub(KINGS)?;
            let holds = |group: &Group| (group.first..group.first + group.count).contains(&place);
            index.groups().iter().position(holds)
        };
        let of = |side| (0..men.len()).filter(|&number| men[number].side == side).collect();
        let stored = |side: Side| {
            let material = index.material();
            let before = |value: Value| metric.clamped(material, !side, value.before_move());
            Some(StoredPreferences::of(table.values(side)?, before))
        };
        let mut one_ply = OnePly {
            index,
            metric,
            variant,
            paths: men.iter().map(|&piece| Paths::of(piece, &variant.rules)).collect(),
            sides: [of(Side::White), of(Side::Black)],
            stored: Side::BOTH.map(stored),
            groups: (0..men.len()).map(group_of).collect(),
            men,
            at_end: [false, true].map(|in_check| {
                [false, true]
                    .map(|has_move| variant.rules.end.value(in_check, has_move).map(Preference::of))
            }),
            arrivals: Vec::new(),
        };
        for mover in 0..one_ply.men.len() {
            for taken in (0..one_ply.men.len()).map(Some).chain([None]) {
                for promotes in [false, true] {
                    let tables = smaller.iter().map(Arc::as_ref).chain([table]);
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

    /// The place in a list of all moves that may change the pieces: who moves, takes whom,
    /// and whether it is promoted.
    fn move_number(&self, mover: usize, taken: Option<usize>, promotes: bool) -> usize {
        let men = self.men.len();
        (mover * (men + 1) + taken.unwrap_or(men)) * 2 + usize::from(promotes)
    }

    /// Where such a move leads; nothing where there is none.
    fn arrival(
        &self,
        mover: usize,
        taken: Option<usize>,
        promotes: bool,
        tables: impl Iterator<Item = &'a Table>,
    ) -> Option<Arrival<'a>> {
        let Piece { side, kind } = self.men[mover];
        let all: Vec<Option<Piece>> = self.men.iter().copied().map(Some).collect();
        let mut men = all.clone();
        if let Some(taken) = taken {
            let piece = men[taken].take()?;
            if piece.side == side || piece.kind == PieceKind::King {
                return None;
            }
        }
        if promotes {
            if kind != PieceKind::Pawn {
                return None;
            }
            men[mover] = Some(Piece::new(side, self.variant.rules.promotes_to));
        }
        let phase_change = self.metric.phase_change(armies(&all), armies(&men), !side);
        let material = self.index.material();
        Arrival::new(&men, !side, tables, |value| {
            self.metric.clamped(material, side, phase_change.carry(value).before_move())
        })
    }

    /// The pieces of a placement on the board; nothing when two share a square.
    pub fn board(&self, slot: Slot, placement: &Placement) -> Option<Board> {
        let [white, black] = placement.kings;
        let mut squares = [white; MAX_MEN];
        squares[1] = black;
        squares[KINGS..].copy_from_slice(&placement.pieces);
        let mut of = [Bitboard::EMPTY; 2];
        for (piece, &square) in self.men.iter().zip(&squares) {
            if (of[0] | of[1]).contains(square) {
                return None;
            }
            of[piece.side.index()].insert(square);
        }
        Some(Board { slot, squares, of })
    }

    /// A king_steps to enter for each board.
    pub fn king_steps(&self) -> KingSteps<'_> {
        KingSteps::new(self.index, &self.variant.reach)
    }

    /// Whether the value stored for a position is what its successors give; true for what
    /// is no legal position. `king_steps` must be that of the board.
    pub fn is_right(&self, board: &Board, king_steps: &KingSteps, side: Side) -> bool {
        let Some(stored) = &self.stored[side.index()] else { return false };
        let Some(best) = self.best(board, king_steps, side) else { return true };
        best != Preference::UNKNOWN && best == stored.to_mover(board.slot)
    }

    /// What the best move is preference; nothing if the position is not legal.
    fn best(&self, board: &Board, king_steps: &KingSteps, side: Side) -> Option<Preference> {
        let mut best = Preference::NO_MOVE;
        let in_check = self.for_each_mover(board, side, |number, targets| {
            best = best.max(self.best_to(board, king_steps, number, targets));
        })?;
        let has_move = best != Preference::NO_MOVE;
        let at_end = self.at_end[usize::from(in_check)][usize::from(has_move)];
        Some(at_end.unwrap_or(best))
    }

    /// Whether a position is legal and a move that takes or promotes is worth as much as
    /// what is stored for it.
    pub fn is_won_by_changing(&self, board: &Board, side: Side) -> bool {
        let Some(stored) = &self.stored[side.index()] else { return false };
        let enemy = board.of[(!side).index()];
        let mut best = Preference::NO_MOVE;
        let legal = self.for_each_mover(board, side, |number, targets| {
            let promoting = self.promoting(number);
            let targets = targets & (enemy | promoting);
            best = best.max(self.best_changing(board, number, targets, promoting));
        });
        legal.is_some() && best != Preference::UNKNOWN && best == stored.to_mover(board.slot)
    }

    /// Calls `visit` with each piece of the side to move, by number, and the squares it may
    /// go to. Gives whether that side is in check; nothing if the position is not legal.
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
        let mut aims = [Aim { blocker: Bitboard::EMPTY, stops: Bitboard::EMPTY }; MAX_MEN];
        let mut aiming = 0;
        let mut in_check = false;
        for &number in &self.sides[(!side).index()] {
            let from = board.squares[number];
            attacked |=
                self.variant.reach.attacks(self.men[number], from, occupied - Bitboard::of(king));
            let path = self.paths[number].path(from, king);
            let blocker = path & occupied;
            if blocker.len() <= 1 {
                aims[aiming] = Aim { blocker, stops: path | Bitboard::of(from) };
                aiming += 1;
                in_check |= blocker.is_empty();
            }
        }
        for &number in &self.sides[side.index()] {
            let (piece, from) = (self.men[number], board.squares[number]);
            let mut targets = self.variant.reach.targets(piece, from, own, enemy);
            if piece.kind == PieceKind::King {
                targets = targets - attacked;
            } else {
                for aim in &aims[..aiming] {
                    if (aim.blocker - Bitboard::of(from)).is_empty() {
                        targets &= aim.stops;
                    }
                }
            }
            visit(number, targets);
        }
        Some(in_check)
    }

    /// Where a piece is promoted.
    fn promoting(&self, number: usize) -> Bitboard {
        let Piece { side, kind } = self.men[number];
        match kind {
            PieceKind::Pawn => self.variant.rules.promotion_squares(side),
            _ => Bitboard::EMPTY,
        }
    }

    /// What the best move of a piece to one of these squares is preference.
    fn best_to(
        &self,
        board: &Board,
        king_steps: &KingSteps,
        mover: usize,
        targets: Bitboard,
    ) -> Preference {
        let side = self.men[mover].side;
        let promoting = self.promoting(mover);
        let Some(after) = &self.stored[(!side).index()] else {
            // With that side to move the positions are held with colours exchanged.
            return self.best_changing(board, mover, targets, promoting);
        };
        let changing = targets & (board.of[(!side).index()] | promoting);
        let quiet = self.best_quiet(board, king_steps, mover, targets - changing, after);
        quiet.max(self.best_changing(board, mover, changing, promoting))
    }

    /// What the best of a piece's moves to squares where it takes and promotes nothing is
    /// preference.
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
            let side = self.men[mover].side;
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

    /// What the best of a piece's moves to these squares is preference, whatever they take or
    /// promote.
    fn best_changing(
        &self,
        board: &Board,
        mover: usize,
        targets: Bitboard,
        promoting: Bitboard,
    ) -> Preference {
        targets.fold(Preference::NO_MOVE, |best, to| {
            let taken = (0..self.men.len()).find(|&piece| board.squares[piece] == to);
            let number = self.move_number(mover, taken, promoting.contains(to));
            let mut squares = board.squares;
            squares[mover] = to;
            let preference =
                self.arrivals[number].as_ref().map(|arrival| arrival.preference(&squares));
            best.max(preference.unwrap_or(Preference::UNKNOWN))
        })
    }
}

#[cfg(test)]
mod tests;
