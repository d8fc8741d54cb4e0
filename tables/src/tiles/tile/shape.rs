//! What is known of a tile before any of its codes.

use crate::board::bitboard::Bitboard;
use crate::board::square::Square;
use crate::packed_codec::walk::Shape;
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::tiles::tile::{Tile, Tiles};

impl Tiles {
    /// What is known of a tile from its pieces, with this side to move. Kept are the legal
    /// positions.
    ///
    /// Of a king that runs, guarding are the squares from which it attacks a piece.
    pub fn shape(&self, tile: &Tile, mover: Side) -> Shape {
        let men = &tile.men[..tile.count.min(tile.men.len())];
        let (reach, attackers) = (&self.variant.reach, &self.variant.attackers);
        let runner = self.swept_piece();
        let mut occupied = Bitboard::of(tile.white);
        let mut squares = self.squares(tile);
        if let Some(black) = tile.black {
            occupied.insert(black);
        }
        for &(_, square) in men {
            if occupied.contains(square) {
                return Shape::default();
            }
            occupied.insert(square);
        }
        squares = squares - occupied;
        let mut kept = squares;
        let (mut attacked, mut guarding) = (Bitboard::EMPTY, Bitboard::EMPTY);
        // The square of the king that must not stand in check, unless it runs.
        let waiting = match mover {
            Side::White => tile.black,
            Side::Black => Some(tile.white),
        };
        if let Some(waiting) = waiting.filter(|_| runner.side == mover) {
            kept = kept - attackers.attackers(runner, waiting, occupied);
        }
        for &(piece, square) in men {
            let attacks = reach.attacks(piece, square, occupied);
            if piece.side != runner.side {
                attacked |= attacks;
            }
            if (piece.side != runner.side) == (runner.kind == PieceKind::King) {
                guarding |= attackers.attackers(runner, square, occupied);
            }
            if piece.side != mover {
                continue;
            }
            match waiting {
                // The king that runs.
                None => kept = kept - attacks,
                Some(waiting) if attacks.contains(waiting) => {
                    // Only where the runner stands between.
                    let blocks = |&square_of_runner: &Square| {
                        let occupied = occupied | Bitboard::of(square_of_runner);
                        !reach.attacks(piece, square, occupied).contains(waiting)
                    };
                    kept = kept & (kept & attacks).filter(blocks).collect();
                }
                Some(_) => {}
            }
        }
        let enemy = match runner.side {
            Side::White => tile.black,
            Side::Black => Some(tile.white),
        };
        if let Some(square) = enemy {
            attacked |= reach.attacks(Piece::new(!runner.side, PieceKind::King), square, occupied);
        }
        Shape { kept: kept.0, attacked: attacked.0, guarding: guarding.0 }
    }

    /// The squares of the runner with which this side may have a move that takes or
    /// promotes: all with which it has one are among them.
    pub fn may_change(&self, tile: &Tile, mover: Side) -> Bitboard {
        let Tile { men, count, white, black, .. } = tile;
        let (reach, attackers) = (&self.variant.reach, &self.variant.attackers);
        let promotion = self.variant.rules.promotion_squares(mover);
        // A king that is taken by none is left out of the enemies.
        let king = match mover {
            Side::White => Some(*white),
            Side::Black => *black,
        };
        let king = king.map(|square| (Piece::new(mover, PieceKind::King), square));
        let men = || men[..(*count).min(men.len())].iter().copied().chain(king);
        let set_of = |side: Side| -> Bitboard {
            men().filter(|(piece, _)| piece.side == side).map(|(_, square)| square).collect()
        };
        let enemies = set_of(!mover);
        let kings: Bitboard = [Some(*white), *black].into_iter().flatten().collect();
        let occupied = enemies | set_of(mover) | kings;
        let promotes = |piece: Piece, square: Square| {
            let ahead = reach.targets(piece, square, Bitboard::EMPTY, Bitboard::EMPTY);
            piece.kind == PieceKind::Pawn && !(ahead & promotion).is_empty()
        };
        let runner = self.swept_piece();
        let mut squares = Bitboard::EMPTY;
        for (piece, square) in men().filter(|(piece, _)| piece.side == mover) {
            let attacks = reach.attacks(piece, square, occupied);
            if !(attacks & enemies).is_empty() || promotes(piece, square) {
                return !Bitboard::EMPTY;
            }
            if runner.side != mover {
                squares |= attacks;
            }
        }
        if runner.side == mover {
            for square in enemies {
                squares |= attackers.attackers(runner, square, occupied);
            }
            squares |= self.squares(tile).filter(|&square| promotes(runner, square)).collect();
        }
        squares
    }
}
