//! The squares a piece reaches: the rules' steps computed for every square.

use crate::board::bitboard::Bitboard;
use crate::board::ray::Ray;
use crate::board::square::{SQUARES, Square, Step};
use crate::rules::Rules;
use crate::rules::piece::{Piece, PieceKind, Side};

/// The squares one piece reaches from each square.
#[derive(Clone, Debug)]
struct PieceReach {
    /// Squares one step away, to move to or to capture on.
    steps: [Bitboard; SQUARES],
    /// Squares to which it moves without capturing.
    advances: [Bitboard; SQUARES],
    /// The two squares in front of a pawn that may advance over both, else none.
    double_steps: [Bitboard; SQUARES],
    /// Squares to which it moves only to capture.
    captures: [Bitboard; SQUARES],
    /// Directions in which it slides.
    slides: Vec<Ray>,
}

impl PieceReach {
    /// The squares the piece slides to, up to and including the first occupied square in each
    /// direction.
    fn slide(&self, from: Square, occupied: Bitboard) -> Bitboard {
        self.slides.iter().fold(Bitboard::EMPTY, |set, ray| set | ray.slide(from, occupied))
    }
}

/// The squares that each piece attacks or advances to from each square.
#[derive(Clone, Debug)]
pub struct Reach {
    pieces: [[PieceReach; PieceKind::ALL.len()]; 2],
}

impl Reach {
    /// Computes the reach for these rules.
    pub fn new(rules: &Rules) -> Reach {
        let of = |side, kind| {
            let movement = rules.movement(kind);
            let seen = |step: &Step| if side == Side::White { *step } else { step.flipped() };
            let targets = |steps: &[Step]| {
                let mut sets = [Bitboard::EMPTY; SQUARES];
                for from in Square::all() {
                    sets[from.index()] =
                        steps.iter().filter_map(|step| from.step(seen(step))).collect();
                }
                sets
            };
            PieceReach {
                steps: targets(movement.steps),
                advances: targets(movement.advances),
                double_steps: std::array::from_fn(|index| {
                    let from = Square::wrapping(index);
                    let ahead = rules.double_step_of(Piece::new(side, kind), from);
                    ahead.into_iter().flatten().collect()
                }),
                captures: targets(movement.captures),
                slides: movement.slides.iter().map(|step| Ray::new(seen(step))).collect(),
            }
        };
        Reach { pieces: Side::BOTH.map(|side| PieceKind::ALL.map(|kind| of(side, kind))) }
    }

    /// The squares that a piece on `from` attacks, given the occupied squares. The piece would
    /// capture an enemy on them, whatever stands there now.
    pub fn attacks(&self, piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
        let reach = self.of(piece);
        reach.steps[from.index()] | reach.captures[from.index()] | reach.slide(from, occupied)
    }

    /// The squares to which a piece can move, given the squares of its own side and of the enemy.
    /// Does not test the safety of its king.
    pub fn targets(&self, piece: Piece, from: Square, own: Bitboard, enemy: Bitboard) -> Bitboard {
        let reach = self.of(piece);
        let steps = reach.steps[from.index()] | reach.slide(from, own | enemy);
        let captures = reach.captures[from.index()] & enemy;
        let advances = reach.advances[from.index()] - enemy;
        let double_step = reach.double_steps[from.index()];
        let is_blocked = !(double_step & (own | enemy)).is_empty();
        let double_step = if is_blocked { Bitboard::EMPTY } else { double_step };
        (steps | captures | advances | double_step) - own
    }

    fn of(&self, piece: Piece) -> &PieceReach {
        &self.pieces[piece.side.index()][piece.kind.index()]
    }
}
