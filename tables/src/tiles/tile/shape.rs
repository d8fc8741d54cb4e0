//! Shapes of tiles: the properties that the pieces of a tile determine before a code is decoded.

use crate::board::bitboard::Bitboard;
use crate::board::square::Square;
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::tiles::tile::{Tile, Tiles};

/// The properties of a tile that are known before any of its codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TileShape {
    /// A bit for each square of the swept piece that makes a legal position. The codes of other
    /// squares are not kept.
    pub kept: u64,
    /// A bit for each square on which an enemy attacks the swept piece.
    pub attacked: u64,
    /// A bit for each square from which the swept piece guards a piece of its side other than the
    /// king. If a king is swept: a bit for each square from which it attacks an enemy piece.
    pub guarding: u64,
}

impl Tiles {
    /// The shape of a tile with this side to move.
    pub fn shape(&self, tile: &Tile, mover: Side) -> TileShape {
        let fixed = &tile.fixed[..tile.fixed_count.min(tile.fixed.len())];
        let (reach, attackers) = (&self.variant.reach, &self.variant.attackers);
        let swept = self.swept_piece();
        let mut occupied = Bitboard::of(tile.white_king);
        let mut squares = self.squares(tile);
        if let Some(black) = tile.black_king {
            occupied.insert(black);
        }
        for &(_, square) in fixed {
            if occupied.contains(square) {
                return TileShape::default();
            }
            occupied.insert(square);
        }
        squares = squares - occupied;
        let mut kept = squares;
        let (mut attacked, mut guarding) = (Bitboard::EMPTY, Bitboard::EMPTY);
        // The king of the side not to move, which must not be in check; `None` if it is swept.
        let waiting_king = match mover {
            Side::White => tile.black_king,
            Side::Black => Some(tile.white_king),
        };
        if let Some(king) = waiting_king.filter(|_| swept.side == mover) {
            kept = kept - attackers.attackers(swept, king, occupied);
        }
        for &(piece, square) in fixed {
            let attacks = reach.attacks(piece, square, occupied);
            if piece.side != swept.side {
                attacked |= attacks;
            }
            if (piece.side != swept.side) == (swept.kind == PieceKind::King) {
                guarding |= attackers.attackers(swept, square, occupied);
            }
            if piece.side != mover {
                continue;
            }
            match waiting_king {
                None => kept = kept - attacks,
                Some(king) if attacks.contains(king) => {
                    // Legal only if the swept piece stands between.
                    let blocks = |&swept_square: &Square| {
                        let occupied = occupied | Bitboard::of(swept_square);
                        !reach.attacks(piece, square, occupied).contains(king)
                    };
                    kept = kept & (kept & attacks).filter(blocks).collect();
                }
                Some(_) => {}
            }
        }
        let enemy_king = match swept.side {
            Side::White => tile.black_king,
            Side::Black => Some(tile.white_king),
        };
        if let Some(square) = enemy_king {
            attacked |= reach.attacks(Piece::new(!swept.side, PieceKind::King), square, occupied);
        }
        TileShape { kept: kept.0, attacked: attacked.0, guarding: guarding.0 }
    }
}
