//! Legal moves, check, mate and stalemate.
//!
//! For each man of the mover: where it may go; of those moves the ones that leave the
//! king safe, looked at from the king's square. A man other than the king that stands in
//! no line with it opens nothing, so with no check its moves need no look at all.

use crate::rules::piece::{Kind, Man, Side};
use crate::position::moves::{Move, MoveList};
use crate::position::{Outcome, Position};
use crate::board::bitboard::Set;
use crate::board::square::Square;

impl Position {
    /// The legal moves, in no order to rely on but the same every time.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let (side, king) = (self.side(), self.king(self.side()));
        let (own, enemy) = (self.of(side), self.of(!side));
        let variant = self.variant();
        let in_check = self.in_check(side);
        let lines = variant.strikers.lines(!side, king);
        for kind in Kind::ALL {
            let man = Man::new(side, kind);
            let promotes_on = match kind {
                Kind::Pawn => variant.rules.promotion_squares(side),
                _ => Set::EMPTY,
            };
            for from in self.men_of(man) {
                let safe = !in_check && kind != Kind::King && !lines.contains(from);
                for to in variant.reach.targets(man, from, own, enemy) {
                    if safe || self.leaves_king_safe(kind, from, to) {
                        let promotion = promotes_on.contains(to);
                        let promotion = promotion.then_some(variant.rules.promotes_to);
                        list.push(Move { from, to, promotion });
                    }
                }
            }
        }
        if !self.leaps().is_empty() {
            self.add_leaps(in_check, &mut list);
        }
        list
    }

    /// Adds the legal first-move leaps.
    fn add_leaps(&self, in_check: bool, list: &mut MoveList) {
        let own = self.leaps().of(self.variant().leaps);
        for (_, leap) in own.filter(|(_, leap)| leap.man.side == self.side()) {
            if in_check && !leap.in_check {
                continue;
            }
            for to in leap.targets().filter(|&to| !self.occupied().contains(to)) {
                let mv = Move::new(leap.home, to);
                let new = !list.contains(&mv);
                if new && self.leaves_king_safe(leap.man.kind, leap.home, to) {
                    list.push(mv);
                }
            }
        }
    }

    /// Whether the man could not go there but for its first-move leap.
    pub(crate) fn is_leap(&self, mv: Move) -> bool {
        self.at(mv.from).is_some_and(|man| {
            let (own, enemy) = (self.of(man.side), self.of(!man.side));
            !self.variant().reach.targets(man, mv.from, own, enemy).contains(mv.to)
        })
    }

    /// Whether a side's king is attacked.
    #[inline]
    pub fn in_check(&self, side: Side) -> bool {
        self.is_struck(self.king(side), !side, self.occupied(), Set::ALL)
    }

    /// How the game is over, if it is.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.legal_moves().is_empty() {
            return None;
        }
        let mated = self.in_check(self.side());
        Some(if mated { Outcome::Checkmate } else { Outcome::Stalemate })
    }

    /// Whether the mover's king cannot be taken after this move of its man.
    fn leaves_king_safe(&self, kind: Kind, from: Square, to: Square) -> bool {
        let king = if kind == Kind::King { to } else { self.king(self.side()) };
        let occupied = (self.occupied() - Set::of(from)) | Set::of(to);
        // A man taken on `to` strikes no longer.
        !self.is_struck(king, !self.side(), occupied, !Set::of(to))
    }

    /// Whether one of the men that `by` has among `alive` strikes the square.
    #[inline]
    fn is_struck(&self, square: Square, by: Side, occupied: Set, alive: Set) -> bool {
        Kind::ALL.into_iter().any(|kind| {
            let man = Man::new(by, kind);
            let men = self.men_of(man) & alive;
            let strikers = &self.variant().strikers;
            !strikers.striking(man, men, square, occupied).is_empty()
        })
    }
}
