//! The squares of a tile on which a capture or promotion is as good as the stored value.
//!
//! The slots of a tile differ only in the square of the swept piece, so each capture and promotion
//! is examined once for all of them. The tests compare the result with a lookahead for each slot.
//!
//! ```text
//! the swept piece captures or is promoted           one look-up: nothing is swept after it
//! another piece captures or is promoted             look-ups that differ in the swept piece
//! another piece captures the swept piece            look-ups that differ in the capturing piece
//! ```

use crate::slots::one_ply::OnePly;
use crate::slots::one_ply::arrival::KINGS;
use crate::slots::one_ply::preference::{Preference, StoredPreferences};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::index::Placement;
use sakmak_tables::material::MAX_MEN;
use sakmak_tables::rules::piece::{PieceKind, Side};
use sakmak_tables::tiles::order::TilePiece;
use sakmak_tables::tiles::tile::TileCodes;

/// Captures and promotions of one side in tiles that sweep one piece.
#[derive(Clone, Debug)]
pub struct TileChanges<'a> {
    one_ply: &'a OnePly<'a>,
    side: Side,
    /// The values stored for that side.
    stored: &'a StoredPreferences<'a>,
    /// The index of the swept piece.
    swept: usize,
    /// The promotion squares of a swept pawn of the side, each with the squares from which it may
    /// advance to it.
    promotions_of_swept: Vec<(Square, Bitboard)>,
}

/// The fixed pieces of a tile, and the best change found for each square of the swept piece.
struct TileBoard {
    /// Squares by index of the piece. The square of the swept piece has no meaning.
    squares: [Square; MAX_MEN],
    /// The squares of each side's fixed pieces.
    of: [Bitboard; 2],
    /// The squares of the swept piece to be examined.
    kept: Bitboard,
    /// The squares with a change.
    changing: Bitboard,
    best: [Preference; SQUARES],
}

impl TileBoard {
    fn occupied(&self) -> Bitboard {
        self.of[0] | self.of[1]
    }

    /// The squares after a piece moves to a square.
    fn after(&self, number: usize, to: Square) -> [Square; MAX_MEN] {
        let mut squares = self.squares;
        squares[number] = to;
        squares
    }
}

impl<'a> TileChanges<'a> {
    /// The changes of a side, with this piece swept. `None` if the table does not hold the values
    /// of that side.
    pub fn new(one_ply: &'a OnePly<'a>, side: Side, swept: TilePiece) -> Option<TileChanges<'a>> {
        let stored = one_ply.stored[side.index()].as_ref()?;
        let swept = match swept {
            TilePiece::King => Side::Black.index(),
            TilePiece::Group(number) => {
                let group = one_ply.index.groups().get(number)?;
                // The piece on the lowest place is the last of its group.
                KINGS + group.first + group.count - 1
            }
        };
        let piece = one_ply.pieces[swept];
        let targets = |&from: &Square| {
            let empty = Bitboard::EMPTY;
            one_ply.variant.reach.targets(piece, from, empty, empty)
        };
        let from_which =
            |to| (to, Square::all().filter(|from| targets(from).contains(to)).collect());
        let promotions_of_swept = match piece.side == side {
            true => one_ply.promoting(swept).map(from_which).collect(),
            false => Vec::new(),
        };
        Some(TileChanges { one_ply, side, stored, swept, promotions_of_swept })
    }

    /// The squares of `kept` on which a capture or promotion is as good as the value of the code.
    /// `kept` are squares that make legal positions. `placement` is the tile's placement with the
    /// swept piece on any square.
    pub fn as_good(&self, placement: &Placement, kept: Bitboard, codes: &TileCodes) -> Bitboard {
        let mut board = self.board(placement, kept);
        let sides = &self.one_ply.sides;
        let [own, enemies] = [self.side, !self.side].map(|side| sides[side.index()].len());
        // A bare king that loses takes the last piece or nothing.
        if self.one_ply.variant.rules.end.bare_king_loses && own == 1 && enemies > KINGS {
            return Bitboard::EMPTY;
        }
        for &mover in &self.one_ply.sides[self.side.index()] {
            if mover == self.swept {
                self.changes_of_swept(&mut board);
            } else {
                self.changes_of_fixed(&mut board, mover);
            }
        }
        let TileBoard { changing, best, .. } = &board;
        let as_good = |square: &Square| {
            let best = best[square.index()];
            best != Preference::UNKNOWN && best == self.stored.of_code(codes[square.index()])
        };
        changing.filter(as_good).collect()
    }

    fn board(&self, placement: &Placement, kept: Bitboard) -> TileBoard {
        let [white, black] = placement.kings;
        let mut squares = [white; MAX_MEN];
        squares[1] = black;
        squares[KINGS..].copy_from_slice(&placement.pieces);
        let mut of = [Bitboard::EMPTY; 2];
        let fixed = (0..self.one_ply.pieces.len()).filter(|&number| number != self.swept);
        for number in fixed {
            of[self.one_ply.pieces[number].side.index()].insert(squares[number]);
        }
        let best = [Preference::NO_MOVE; SQUARES];
        TileBoard { squares, of, kept, changing: Bitboard::EMPTY, best }
    }

    /// The enemies that can be captured, other than the swept piece.
    fn fixed_enemies(&self) -> impl Iterator<Item = usize> {
        let enemies = self.one_ply.sides[(!self.side).index()].iter().copied();
        let king = (!self.side).index();
        enemies.filter(move |&enemy| enemy != king && enemy != self.swept)
    }

    /// The captures and promotions of the swept piece.
    fn changes_of_swept(&self, board: &mut TileBoard) {
        let OnePly { pieces, variant, .. } = self.one_ply;
        let piece = pieces[self.swept];
        let promoting = self.one_ply.promoting(self.swept);
        for enemy in self.fixed_enemies() {
            let to = board.squares[enemy];
            let mut from = variant.attackers.attackers(piece, to, board.occupied()) & board.kept;
            if piece.kind == PieceKind::King {
                from = self.not_held(board, None, Some(enemy), from);
            }
            if !from.is_empty() && self.is_safe_after_swept(board, to, Some(enemy)) {
                self.raise_all(board, from, Some(enemy), promoting.contains(to), to);
            }
        }
        let [own, enemy] = [self.side, !self.side].map(|side| board.of[side.index()]);
        for &(to, from) in &self.promotions_of_swept {
            if board.occupied().contains(to) {
                continue;
            }
            let advances =
                |&from: &Square| variant.reach.targets(piece, from, own, enemy).contains(to);
            let from: Bitboard = (from & board.kept).filter(advances).collect();
            if !from.is_empty() && self.is_safe_after_swept(board, to, None) {
                self.raise_all(board, from, None, true, to);
            }
        }
    }

    /// Whether the own king is not attacked after the swept piece has moved to a square.
    fn is_safe_after_swept(&self, board: &TileBoard, to: Square, taken: Option<usize>) -> bool {
        let king = self.side.index();
        let king_square = if self.swept == king { to } else { board.squares[king] };
        let occupied = board.occupied() | Bitboard::of(to);
        let enemies = self.one_ply.sides[(!self.side).index()].iter();
        enemies.filter(|&&enemy| Some(enemy) != taken).all(|&enemy| {
            let path = self.one_ply.paths[enemy].path(board.squares[enemy], king_square);
            !(path & occupied).is_empty()
        })
    }

    /// Enters the change in which the swept piece moves from these squares to another.
    fn raise_all(
        &self,
        board: &mut TileBoard,
        from: Bitboard,
        taken: Option<usize>,
        promotes: bool,
        to: Square,
    ) {
        let number = self.one_ply.move_number(self.swept, taken, promotes);
        let arrival = self.one_ply.arrivals[number].as_ref();
        let squares = board.after(self.swept, to);
        let preference =
            arrival.map_or(Preference::UNKNOWN, |arrival| arrival.preference(&squares));
        board.changing |= from;
        for square in from {
            let best = &mut board.best[square.index()];
            *best = preference.max(*best);
        }
    }

    /// The captures and promotions of a fixed piece.
    fn changes_of_fixed(&self, board: &mut TileBoard, mover: usize) {
        let OnePly { pieces, variant, paths, .. } = self.one_ply;
        let (piece, from) = (pieces[mover], board.squares[mover]);
        let promoting = self.one_ply.promoting(mover);
        for enemy in self.fixed_enemies() {
            let to = board.squares[enemy];
            let path = paths[mover].path(from, to);
            if (path & board.occupied()).is_empty() {
                let mut open = board.kept - path;
                if piece.kind == PieceKind::King {
                    open = self.not_held(board, Some(from), Some(enemy), open);
                }
                let safe = self.safe_after_fixed(board, mover, to, Some(enemy), open);
                self.raise_by_swept(board, mover, Some(enemy), promoting.contains(to), to, safe);
            }
        }
        let swept = pieces[self.swept];
        if swept.side != self.side && swept.kind != PieceKind::King {
            let mut reached = variant.reach.attacks(piece, from, board.occupied()) & board.kept;
            if piece.kind == PieceKind::King {
                reached = self.not_held(board, Some(from), Some(self.swept), reached);
            }
            if !reached.is_empty() {
                let safe = self.safe_after_capture_of_swept(board, mover, reached);
                for (promotes, squares) in [(true, safe & promoting), (false, safe - promoting)] {
                    let number = self.one_ply.move_number(mover, Some(self.swept), promotes);
                    self.raise(board, number, mover, squares, board.squares);
                }
            }
        }
        if promoting.is_empty() {
            return;
        }
        let [own, enemy] = [self.side, !self.side].map(|side| board.of[side.index()]);
        let targets = variant.reach.targets(piece, from, own, enemy) & promoting;
        for to in targets - board.occupied() {
            let path = paths[mover].path(from, to);
            // A piece that advances without attacking has no path: it goes one step.
            let path = if path == Bitboard::ALL { Bitboard::EMPTY } else { path };
            let open = board.kept - path - Bitboard::of(to);
            let safe = self.safe_after_fixed(board, mover, to, None, open);
            self.raise_by_swept(board, mover, None, true, to, safe);
        }
    }

    /// The squares of the swept piece, among `squares`, on which the own king may move: no other
    /// piece than the piece it takes gives check. Returns all `squares` if a king in check may step
    /// away. `king` is its square, `None` if the king is the swept piece.
    fn not_held(
        &self,
        board: &TileBoard,
        king: Option<Square>,
        taken: Option<usize>,
        squares: Bitboard,
    ) -> Bitboard {
        let OnePly { pieces, variant, paths, .. } = self.one_ply;
        if !variant.rules.checked_king_stays {
            return squares;
        }
        let occupied = board.occupied();
        let enemies = self.one_ply.sides[(!self.side).index()].iter();
        enemies.filter(|&&enemy| Some(enemy) != taken).fold(squares, |squares, &enemy| {
            let (piece, square) = (pieces[enemy], board.squares[enemy]);
            match king {
                None => squares - variant.reach.attacks(piece, square, occupied),
                Some(king) if enemy == self.swept => {
                    squares - variant.attackers.attackers(piece, king, occupied)
                }
                Some(king) => {
                    let path = paths[enemy].path(square, king);
                    if (path & occupied).is_empty() { squares & path } else { squares }
                }
            }
        })
    }

    /// The squares of the swept piece, among `open`, on which the own king is not attacked after a
    /// fixed piece has moved to a square.
    fn safe_after_fixed(
        &self,
        board: &TileBoard,
        mover: usize,
        to: Square,
        taken: Option<usize>,
        open: Bitboard,
    ) -> Bitboard {
        let OnePly { pieces, variant, paths, .. } = self.one_ply;
        let king = self.side.index();
        let king_square = if mover == king { to } else { board.squares[king] };
        let occupied = (board.occupied() - Bitboard::of(board.squares[mover])) | Bitboard::of(to);
        let mut safe = open;
        for &enemy in &self.one_ply.sides[(!self.side).index()] {
            if Some(enemy) == taken {
                continue;
            }
            let (piece, square) = (pieces[enemy], board.squares[enemy]);
            if enemy == self.swept {
                safe = safe - variant.attackers.attackers(piece, king_square, occupied);
            } else if king == self.swept {
                safe = safe - variant.reach.attacks(piece, square, occupied);
            } else {
                let path = paths[enemy].path(square, king_square);
                if (path & occupied).is_empty() {
                    safe &= path;
                }
            }
        }
        safe
    }

    /// The squares of the swept piece, among `reached`, on which the own king is not attacked after
    /// a fixed piece has captured it.
    fn safe_after_capture_of_swept(
        &self,
        board: &TileBoard,
        mover: usize,
        reached: Bitboard,
    ) -> Bitboard {
        let OnePly { pieces, variant, paths, .. } = self.one_ply;
        let king = self.side.index();
        let occupied = board.occupied() - Bitboard::of(board.squares[mover]);
        let mut safe = reached;
        for &enemy in &self.one_ply.sides[(!self.side).index()] {
            let square = board.squares[enemy];
            if enemy == self.swept {
                continue;
            }
            if mover == king {
                safe = safe - variant.reach.attacks(pieces[enemy], square, occupied);
            } else {
                let path = paths[enemy].path(square, board.squares[king]);
                if (path & occupied).is_empty() {
                    safe &= path;
                }
            }
        }
        safe
    }

    /// Enters the change in which a fixed piece moves to a square, with the swept piece on each of
    /// these squares.
    fn raise_by_swept(
        &self,
        board: &mut TileBoard,
        mover: usize,
        taken: Option<usize>,
        promotes: bool,
        to: Square,
        swept: Bitboard,
    ) {
        let number = self.one_ply.move_number(mover, taken, promotes);
        self.raise(board, number, self.swept, swept, board.after(mover, to));
    }

    /// Enters a change for each square of the swept piece. After the change, `varied` is on that
    /// square and the other pieces are on `squares`.
    fn raise(
        &self,
        board: &mut TileBoard,
        number: usize,
        varied: usize,
        on: Bitboard,
        squares: [Square; MAX_MEN],
    ) {
        if on.is_empty() {
            return;
        }
        board.changing |= on;
        match &self.one_ply.arrivals[number] {
            Some(arrival) => arrival.raise(squares, varied, on, &mut board.best),
            None => on.for_each(|square| board.best[square.index()] = Preference::UNKNOWN),
        }
    }
}
