//! The squares that must be empty for a piece to attack: a set for each piece, attacked square and
//! square of the piece.
//!
//! A piece attacks a square exactly if its path to the square is empty. The path of a step has no
//! squares. The path of a slide is the squares between. If the piece never attacks the square, the
//! path is the whole board: it contains the piece itself.

use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square, Step};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{Piece, Side};

/// The paths of one piece.
#[derive(Debug)]
pub struct Paths {
    /// The paths by attacked square, then square of the piece.
    paths: Vec<[Bitboard; SQUARES]>,
}

impl Paths {
    /// The paths of this piece's attacks.
    pub fn of(piece: Piece, rules: &Rules) -> Paths {
        let mut paths = vec![[Bitboard::ALL; SQUARES]; SQUARES];
        let movement = rules.movement(piece.kind);
        let seen = |step: &Step| if piece.side == Side::White { *step } else { step.flipped() };
        for from in Square::all() {
            for step in movement.slides.iter().map(seen) {
                let mut between = Bitboard::EMPTY;
                let mut ahead = from.step(step);
                while let Some(target) = ahead {
                    paths[target.index()][from.index()] = between;
                    between.insert(target);
                    ahead = target.step(step);
                }
            }
            for step in movement.steps.iter().chain(movement.captures).map(seen) {
                if let Some(target) = from.step(step) {
                    paths[target.index()][from.index()] = Bitboard::EMPTY;
                }
            }
        }
        Paths { paths }
    }

    /// The squares that must be empty for the piece on `from` to attack `target`.
    #[inline]
    pub fn path(&self, from: Square, target: Square) -> Bitboard {
        self.paths[target.index()][from.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::rules::piece::PieceKind;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn a_piece_attacks_where_its_path_is_empty() {
        for piece in
            Side::BOTH.into_iter().flat_map(|side| PieceKind::ALL.map(|k| Piece::new(side, k)))
        {
            let paths = Paths::of(piece, &MAKRUK.rules);
            for others in [0, 0x0042_1800_2400_8100, 0x8122_0411_0840_0001, u64::MAX] {
                for from in Square::all() {
                    let occupied = Bitboard(others) | Bitboard::of(from);
                    let open = |&target: &Square| (paths.path(from, target) & occupied).is_empty();
                    let attacks = MAKRUK.reach.attacks(piece, from, occupied);
                    assert_eq!(
                        Square::all().filter(open).collect::<Bitboard>(),
                        attacks,
                        "{piece:?}"
                    );
                }
            }
        }
    }
}
