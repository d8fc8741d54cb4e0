//! The attackers of a square: the rules seen from the attacked square.
//!
//! King safety is the most frequent query. Seen from the king's square, it costs one table lookup
//! per kind of piece; seen from the enemy's pieces, it would cost one lookup per piece.

use crate::board::bitboard::Bitboard;
use crate::board::ray::Ray;
use crate::board::square::{SQUARES, Square, Step};
use crate::rules::Rules;
use crate::rules::piece::{Piece, PieceKind, Side};

/// The squares from which each piece attacks each square.
#[derive(Clone, Debug)]
pub struct Attackers {
    pieces: [[PieceAttackers; PieceKind::ALL.len()]; 2],
    /// Squares in line with each square, from which a slider may attack it; by side.
    lines: [[Bitboard; SQUARES]; 2],
}

/// The squares from which one piece attacks.
#[derive(Clone, Debug)]
struct PieceAttackers {
    /// The squares one step away from which each square is attacked, by attacked square.
    near: [Bitboard; SQUARES],
    /// `near` and all squares in line: the attackers on an empty board.
    anywhere: [Bitboard; SQUARES],
    /// Rays from the attacked square towards the sliders.
    rays: Vec<Ray>,
}

impl PieceAttackers {
    #[inline]
    fn attackers(&self, target: Square, occupied: Bitboard) -> Bitboard {
        let near = self.near[target.index()];
        self.rays.iter().fold(near, |set, ray| set | ray.slide(target, occupied))
    }
}

impl Attackers {
    /// Computes the attackers for these rules.
    pub fn new(rules: &Rules) -> Attackers {
        let pieces =
            Side::BOTH.map(|side| PieceKind::ALL.map(|kind| Attackers::of(rules, side, kind)));
        let lines = std::array::from_fn(|side: usize| {
            std::array::from_fn(|index| {
                let square = Square::wrapping(index);
                let rays = pieces[side].iter().flat_map(|piece: &PieceAttackers| &piece.rays);
                rays.fold(Bitboard::EMPTY, |set, ray| set | ray.ahead(square))
            })
        });
        Attackers { pieces, lines }
    }

    fn of(rules: &Rules, side: Side, kind: PieceKind) -> PieceAttackers {
        let movement = rules.movement(kind);
        // Seen from the attacked square a step is reversed.
        let back = |step: &Step| {
            let seen = if side == Side::White { *step } else { step.flipped() };
            Step::new(-seen.files, -seen.ranks)
        };
        let steps: Vec<Step> = movement.steps.iter().chain(movement.captures).map(back).collect();
        let near: [Bitboard; SQUARES] = std::array::from_fn(|index| {
            steps.iter().filter_map(|&step| Square::wrapping(index).step(step)).collect()
        });
        let rays: Vec<Ray> = movement.slides.iter().map(|step| Ray::new(back(step))).collect();
        let anywhere = std::array::from_fn(|index| {
            let square = Square::wrapping(index);
            rays.iter().fold(near[index], |set, ray| set | ray.ahead(square))
        });
        PieceAttackers { near, anywhere, rays }
    }

    /// The squares from which this piece attacks `target`, given the occupied squares.
    #[inline]
    pub fn attackers(&self, piece: Piece, target: Square, occupied: Bitboard) -> Bitboard {
        self.pieces[piece.side.index()][piece.kind.index()].attackers(target, occupied)
    }

    /// The squares of `pieces` from which this piece attacks `target`, given the occupied squares.
    #[inline]
    pub fn attackers_among(
        &self,
        piece: Piece,
        pieces: Bitboard,
        target: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let attackers = &self.pieces[piece.side.index()][piece.kind.index()];
        let in_line = pieces & attackers.anywhere[target.index()];
        // Usually no piece is in line.
        match in_line.is_empty() || attackers.rays.is_empty() {
            true => in_line,
            false => in_line & attackers.attackers(target, occupied),
        }
    }

    /// The squares in line with `target` for sliding pieces of this side. A piece that leaves any
    /// other square opens no line to `target`.
    pub fn lines(&self, side: Side, target: Square) -> Bitboard {
        self.lines[side.index()][target.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::reach::Reach;
    use crate::variants;

    #[test]
    fn attackers_are_the_reach_seen_from_the_target() {
        for variant in variants::all() {
            let reach = Reach::new(&variant.rules);
            let attackers = Attackers::new(&variant.rules);
            for occupied in [Bitboard::EMPTY, Bitboard(0x0042_1800_2400_8100), Bitboard::ALL] {
                for (side, kind) in
                    Side::BOTH.into_iter().flat_map(|s| PieceKind::ALL.map(|kind| (s, kind)))
                {
                    let piece = Piece::new(side, kind);
                    for target in Square::all() {
                        let expected: Bitboard = Square::all()
                            .filter(|&from| reach.attacks(piece, from, occupied).contains(target))
                            .collect();
                        assert_eq!(attackers.attackers(piece, target, occupied), expected);
                        for squares in [Bitboard::ALL, Bitboard(0x0f0f_3333_5555_ff00)] {
                            let attackers_among =
                                attackers.attackers_among(piece, squares, target, occupied);
                            assert_eq!(attackers_among, squares & expected);
                        }
                    }
                }
            }
        }
    }
}
