//! Legal moves, check, and the end of the game.
//!
//! For each piece of the side to move, the generator takes the squares it reaches. It keeps the
//! moves that leave the king safe, tested from the king's square. Without check, a piece that is
//! neither the king nor in line with it opens no line: its moves need no test.

use crate::board::bitboard::Bitboard;
use crate::board::square::{Square, Step};
use crate::distance::Value;
use crate::position::moves::{Move, MoveList};
use crate::position::{Outcome, Position};
use crate::rules::piece::{Piece, PieceKind, Side};

impl Position {
    /// The legal moves, none if the game is over. The order is not specified, but is the same
    /// in every call.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let (side, king) = (self.side(), self.king(self.side()));
        let variant = self.variant();
        let in_check = self.in_check(side);
        if variant.rules.end.value(in_check, true).is_some() {
            return list;
        }
        let lines = variant.attackers.lines(!side, king);
        for kind in PieceKind::ALL {
            let piece = Piece::new(side, kind);
            let promotes_on = self.promotion_squares(kind);
            for from in self.pieces_of(piece) {
                let safe = !in_check && kind != PieceKind::King && !lines.contains(from);
                for to in self.targets(piece, from) {
                    let tested = !safe || self.en_passant() == Some(to);
                    if !tested || self.leaves_king_safe(kind, from, to) {
                        self.add(from, to, promotes_on, &mut list);
                    }
                }
            }
        }
        if !self.leaps().is_empty() {
            self.add_leaps(in_check, &mut list);
        }
        list
    }

    /// The squares to which a piece can move. Does not test the safety of its king.
    fn targets(&self, piece: Piece, from: Square) -> Bitboard {
        // A pawn that has just passed over a square can be captured there by a pawn.
        let is_taker = piece.kind == PieceKind::Pawn && piece.side == self.side();
        let passed = self.en_passant().filter(|_| is_taker);
        let enemy = self.of(!piece.side) | passed.map_or(Bitboard::EMPTY, Bitboard::of);
        self.variant().reach.targets(piece, from, self.of(piece.side), enemy)
    }

    /// The square of the pawn that has just passed over this square. `None` if the last move cannot
    /// have been a double step over it.
    pub fn passed_pawn(&self, square: Square) -> Option<Square> {
        let pawn = Piece::new(!self.side(), PieceKind::Pawn);
        let from = square.step(self.side().forward())?;
        let [passed, to] = self.variant().rules.double_step_of(pawn, from)?;
        let left: Bitboard = [from, passed].into_iter().collect();
        let is_possible = (left & self.occupied()).is_empty() && self.pieces_of(pawn).contains(to);
        is_possible.then_some(to)
    }

    /// The square of the piece that a move of the side to move captures, if it captures one.
    pub(super) fn capture_square(&self, mv: Move) -> Square {
        let pawn = Piece::new(self.side(), PieceKind::Pawn);
        match self.en_passant() {
            Some(passed) if passed == mv.to && self.pieces_of(pawn).contains(mv.from) => {
                self.passed_pawn(passed).unwrap_or(mv.to)
            }
            _ => mv.to,
        }
    }

    /// Whether a move of the side to move captures a piece.
    pub fn is_capture(&self, mv: Move) -> bool {
        self.occupied().contains(self.capture_square(mv))
    }

    /// The legal captures in passing.
    pub fn en_passant_captures(&self) -> MoveList {
        let mut list = MoveList::new();
        let Some(to) = self.en_passant() else { return list };
        let pawn = Piece::new(self.side(), PieceKind::Pawn);
        let from = self.variant().attackers.attackers(pawn, to, self.occupied());
        let ends = || self.variant().rules.end.value(self.in_check(self.side()), true).is_some();
        for from in from & self.pieces_of(pawn) {
            if self.leaves_king_safe(pawn.kind, from, to) && !ends() {
                list.push(Move::new(from, to));
            }
        }
        list
    }

    /// The positions that decide the value of a position in which a pawn may be captured in passing:
    /// the position without that right, `None` if the side to move has no other move, and those
    /// after each such capture.
    pub fn in_passing(&self) -> (Option<Position>, impl Iterator<Item = Position>) {
        let (position, captures) = (*self, self.en_passant_captures());
        let unpassed = self.with_en_passant(None);
        let others = (!unpassed.legal_moves().is_empty()).then_some(unpassed);
        let count = captures.len();
        (others, (0..count).map(move |number| position.play_uncounted(captures[number])))
    }

    /// Adds a move. If the piece is promoted on the target square, adds a move for each choice.
    fn add(&self, from: Square, to: Square, promotes_on: Bitboard, list: &mut MoveList) {
        if !promotes_on.contains(to) {
            return list.push(Move::new(from, to));
        }
        for &kind in self.variant().rules.promotes_to {
            list.push(Move { from, to, promotion: Some(kind) });
        }
    }

    /// The squares on which a piece of this kind of the side to move is promoted.
    fn promotion_squares(&self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Pawn => self.variant().rules.promotion_squares(self.side()),
            _ => Bitboard::EMPTY,
        }
    }

    /// The legal moves that capture or promote. Fast if no move captures or promotes.
    pub fn legal_conversions(&self) -> MoveList {
        let mut list = MoveList::new();
        let enemy = self.of(!self.side());
        let variant = self.variant();
        let passed = self.en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
        // `None` until a piece has a capture or promotion: most positions have none.
        let mut is_over = None;
        for kind in PieceKind::ALL {
            let piece = Piece::new(self.side(), kind);
            let promotes_on = self.promotion_squares(kind);
            for from in self.pieces_of(piece) {
                let in_passing = if kind == PieceKind::Pawn { passed } else { Bitboard::EMPTY };
                for to in self.targets(piece, from) & (enemy | promotes_on | in_passing) {
                    let over =
                        || variant.rules.end.value(self.in_check(self.side()), true).is_some();
                    if *is_over.get_or_insert_with(over) {
                        return list;
                    }
                    if self.leaves_king_safe(kind, from, to) {
                        self.add(from, to, promotes_on, &mut list);
                    }
                }
            }
        }
        list
    }

    /// Adds the legal first-move leaps.
    fn add_leaps(&self, in_check: bool, list: &mut MoveList) {
        let own = self.leaps().of(self.variant().leaps);
        for (_, leap) in own.filter(|(_, leap)| leap.piece.side == self.side()) {
            if in_check && !leap.in_check {
                continue;
            }
            for to in leap.targets().filter(|&to| !self.occupied().contains(to)) {
                let mv = Move::new(leap.home, to);
                let new = !list.contains(&mv);
                if new && self.leaves_king_safe(leap.piece.kind, leap.home, to) {
                    list.push(mv);
                }
            }
        }
    }

    /// The king's move of castling to the king's side or the queen's, if the pieces allow it. It is
    /// none of the legal moves: whether the king or the rook has moved before is not known.
    pub fn castling(&self, kings_side: bool) -> Option<Move> {
        let (side, king) = (self.side(), self.king(self.side()));
        let ahead = Step::new(if kings_side { 1 } else { -1 }, 0);
        let mv = Move::new(king, king.step(ahead)?.step(ahead)?);
        let home = Square::at(4, 0)?;
        let home = if side == Side::White { home } else { home.flipped() };
        let [corner, beside] = self.castled_rook(mv).filter(|_| king == home)?;
        let rook = self.at(corner)?;
        let between = self.variant().reach.targets(rook, corner, Bitboard::EMPTY, self.occupied());
        let is_safe = |to| self.leaves_king_safe(PieceKind::King, king, to);
        let is_possible = rook.side == side
            && self.variant().letter(rook).eq_ignore_ascii_case(&'R')
            && between.contains(king)
            && !self.in_check(side);
        (is_possible && is_safe(beside) && is_safe(mv.to)).then_some(mv)
    }

    /// The square that the rook leaves and the square that it reaches if this move castles.
    pub(crate) fn castled_rook(&self, mv: Move) -> Option<[Square; 2]> {
        let is_kings = self.variant().castles && mv.from == self.king(self.side());
        if !is_kings || mv.from.file().abs_diff(mv.to.file()) != 2 {
            return None;
        }
        let kings_side = mv.to.file() > mv.from.file();
        let [corner, beside] = if kings_side { [7, 5] } else { [0, 3] };
        Some([Square::at(corner, mv.from.rank())?, Square::at(beside, mv.from.rank())?])
    }

    /// Whether the move is legal only as a first-move leap.
    pub(crate) fn is_leap(&self, mv: Move) -> bool {
        self.at(mv.from).is_some_and(|piece| !self.targets(piece, mv.from).contains(mv.to))
    }

    /// Whether a side's king is attacked.
    #[inline]
    pub fn in_check(&self, side: Side) -> bool {
        self.is_attacked(self.king(side), !side, self.occupied(), Bitboard::ALL)
    }

    /// The closing moves of a side with a bare king that has lost by
    /// [`EndRule::bare_king_loses`](crate::rules::end_rule::EndRule::bare_king_loses): the steps of
    /// its king that do not take the opponent's last piece.
    ///
    /// They are not legal moves and have no value: the side has lost, with the move or without it.
    /// Fairy-Stockfish plays one before it ends the game. Empty in every other position.
    pub fn closing_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let (side, king) = (self.side(), self.king(self.side()));
        let (own, enemy) = (self.of(side), self.of(!side));
        // With two pieces or more against the bare king, the game is over at once.
        let may_close = self.variant().rules.end.bare_king_loses && own.len() == 1;
        if !may_close || enemy.len() != 2 {
            return list;
        }
        let piece = Piece::new(side, PieceKind::King);
        for to in self.variant().reach.targets(piece, king, own, enemy) {
            if !self.king_may_go(to) && self.is_king_safe_after(piece.kind, king, to) {
                list.push(Move::new(king, to));
            }
        }
        list
    }

    /// The outcome of the game. Returns `None` if the game goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.final_value()?;
        let is_bare = self.of(self.side()).len() == 1;
        Some(match (self.in_check(self.side()), self.variant().rules.end.bare_king_loses) {
            (_, true) if is_bare => Outcome::BareKing,
            (true, _) => Outcome::Checkmate,
            (false, _) => Outcome::Stalemate,
        })
    }

    /// The value if the game is over: a loss in 0 moves or a draw. Returns `None` if the game
    /// goes on.
    pub fn final_value(&self) -> Option<Value> {
        self.final_value_given(&self.legal_moves())
    }

    /// Computes [`Position::final_value`] for a caller that has the legal moves already.
    pub fn final_value_given(&self, moves: &MoveList) -> Option<Value> {
        // A position has no legal moves if the game is over.
        if !moves.is_empty() {
            return None;
        }
        let end = self.variant().rules.end;
        let end = match self.of(!self.side()).len() {
            1 => end.against_bare_king(),
            _ => end,
        };
        end.value(self.in_check(self.side()), false)
    }

    /// Whether the rules let the king of the side to move go to this square. Its safety there is
    /// not tested.
    fn king_may_go(&self, to: Square) -> bool {
        let (side, rules) = (self.side(), &self.variant().rules);
        if rules.end.bare_king_loses && self.of(side).len() == 1 {
            let enemies = self.of(!side) - Bitboard::of(self.king(!side));
            return enemies.is_empty() || enemies == Bitboard::of(to);
        }
        if rules.checked_king_stays {
            let checkers = self.attackers(self.king(side), !side, self.occupied());
            return checkers.is_empty() || checkers == Bitboard::of(to);
        }
        true
    }

    /// The squares from which the pieces of `by` attack a square.
    fn attackers(&self, square: Square, by: Side, occupied: Bitboard) -> Bitboard {
        PieceKind::ALL.into_iter().fold(Bitboard::EMPTY, |set, kind| {
            let piece = Piece::new(by, kind);
            let squares = self.pieces_of(piece);
            set | self.variant().attackers.attackers_among(piece, squares, square, occupied)
        })
    }

    /// Whether this move of the side to move leaves its king safe. The rules must also allow a move
    /// of the king.
    fn leaves_king_safe(&self, kind: PieceKind, from: Square, to: Square) -> bool {
        (kind != PieceKind::King || self.king_may_go(to)) && self.is_king_safe_after(kind, from, to)
    }

    /// Whether no enemy attacks the king of the side to move after this move.
    fn is_king_safe_after(&self, kind: PieceKind, from: Square, to: Square) -> bool {
        let king = if kind == PieceKind::King { to } else { self.king(self.side()) };
        // A captured piece no longer attacks.
        let taken = Bitboard::of(self.capture_square(Move::new(from, to)));
        let occupied = (self.occupied() - Bitboard::of(from) - taken) | Bitboard::of(to);
        !self.is_attacked(king, !self.side(), occupied, !taken)
    }

    /// Whether a piece of `by` that stands on `alive` attacks the square.
    #[inline]
    fn is_attacked(&self, square: Square, by: Side, occupied: Bitboard, alive: Bitboard) -> bool {
        PieceKind::ALL.into_iter().any(|kind| {
            let piece = Piece::new(by, kind);
            let squares = self.pieces_of(piece) & alive;
            let attackers = &self.variant().attackers;
            !attackers.attackers_among(piece, squares, square, occupied).is_empty()
        })
    }
}
