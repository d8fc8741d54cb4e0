//! Who attacks a square: the rules looked at from the square attacked.
//!
//! A king's safety is asked far more often than anything else. From the king's square
//! it costs a table look-up a kind; from the enemy's pieces it costs one a piece.

use crate::board::bitboard::Bitboard;
use crate::board::ray::Ray;
use crate::board::square::{SQUARES, Square, Step};
use crate::rules::Rules;
use crate::rules::piece::{Piece, PieceKind, Side};

/// For every piece the squares from which it attacks each square.
#[derive(Clone, Debug)]
pub struct Attackers {
    men: [[PieceAttackers; PieceKind::ALL.len()]; 2],
    /// By side: the squares in line with each square, from which a slider may attack it.
    lines: [[Bitboard; SQUARES]; 2],
}

/// The squares from which one piece attacks.
#[derive(Clone, Debug)]
struct PieceAttackers {
    /// The squares one step away from which each square is attacked.
    near: [Bitboard; SQUARES],
    /// Those and all in line: from which it is attacked on an empty board.
    anywhere: [Bitboard; SQUARES],
    /// From the square attacked towards the sliders.
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
    /// Works out the attackers of all pieces of these rules.
    pub fn new(rules: &Rules) -> Attackers {
        let men =
            Side::BOTH.map(|side| PieceKind::ALL.map(|kind| Attackers::of(rules, side, kind)));
        let lines = std::array::from_fn(|side: usize| {
            std::array::from_fn(|index| {
                let square = Square::wrapping(index);
                let rays = men[side].iter().flat_map(|piece: &PieceAttackers| &piece.rays);
                rays.fold(Bitboard::EMPTY, |set, ray| set | ray.ahead(square))
            })
        });
        Attackers { men, lines }
    }

    fn of(rules: &Rules, side: Side, kind: PieceKind) -> PieceAttackers {
        let movement = rules.movement(kind);
        // From the square attacked the way back is the step reversed.
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

    /// The squares from which this piece attacks `target`, with these squares occupied.
    #[inline]
    pub fn attackers(&self, piece: Piece, target: Square, occupied: Bitboard) -> Bitboard {
        self.men[piece.side.index()][piece.kind.index()].attackers(target, occupied)
    }

    /// Those of `pieces`, all of this kind and side, that attack `target`, with these squares
    /// occupied.
    #[inline]
    pub fn attackers_among(
        &self,
        piece: Piece,
        men: Bitboard,
        target: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let attackers = &self.men[piece.side.index()][piece.kind.index()];
        let men = men & attackers.anywhere[target.index()];
        // Few are in line even of those that slide.
        match men.is_empty() || attackers.rays.is_empty() {
            true => men,
            false => men & attackers.attackers(target, occupied),
        }
    }

    /// The squares in line with `target` for a sliding piece of this side: a piece that
    /// leaves any other square opens no line to it.
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
    fn strikers_are_the_reach_from_the_other_end() {
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
                        for men in [Bitboard::ALL, Bitboard(0x0f0f_3333_5555_ff00)] {
                            let attackers_among =
                                attackers.attackers_among(piece, men, target, occupied);
                            assert_eq!(attackers_among, men & expected);
                        }
                    }
                }
            }
        }
    }
}
