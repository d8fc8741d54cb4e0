//! Neighbouring planes: where a king or an outer piece moves to, worked out once.

use crate::planes::geometry::{Geometry, OuterSquares, PlaneKey, PlanePiece};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::Square;
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;

/// Another plane into which a king or an outer piece moves, and for which slots.
#[derive(Clone, Copy, Debug)]
pub struct Neighbour {
    /// The number of the plane.
    pub plane: usize,
    /// How its board is turned against this one's.
    pub symmetry: Symmetry,
    /// For which slots the move is possible.
    pub gate: Gate,
}

/// For which squares of the plane's own pieces a move to another plane is possible.
#[derive(Clone, Copy, Debug)]
pub enum Gate {
    /// For all; one on the target square is captured, or makes the slot no position.
    Open,
    /// When none stands on these squares.
    Free(Bitboard),
    /// When an enemy stands on this square.
    Enemy(Square),
}

/// A king's move to another pair.
#[derive(Clone, Copy, Debug)]
struct KingMove {
    pair: KingPair,
    symmetry: Symmetry,
    to: Square,
}

/// An outer piece's move, the kings left out of account.
#[derive(Clone, Copy, Debug)]
struct OuterMove {
    outer: u32,
    to: Square,
    /// Squares passed over.
    path: Bitboard,
    gate: Gate,
}

/// The moves of kings and outer pieces of one side from every plane.
#[derive(Debug)]
pub struct PlaneNeighbours {
    mover: Side,
    planes_per_pair: usize,
    /// By pair.
    king_moves: Vec<Vec<KingMove>>,
    /// By outer placement.
    outer_moves: Vec<Vec<OuterMove>>,
    /// By turn, then outer placement: the placement turned; nothing for turns not made.
    turned: Vec<Vec<u32>>,
}

impl PlaneNeighbours {
    /// Works out the moves of one side.
    pub fn new(geometry: &Geometry, mover: Side) -> PlaneNeighbours {
        let kings = geometry.index.kings();
        let king_moves = (0..kings.len() as u16)
            .map(|pair| {
                let from = kings.kings(KingPair(pair))[mover.index()];
                let steps = geometry.king(mover).movement.steps.iter();
                let lead = |to: Square| {
                    let (pair, symmetry) = kings.after(KingPair(pair), mover, to)?;
                    Some(KingMove { pair, symmetry, to })
                };
                steps.filter_map(|&step| from.step(step).and_then(lead)).collect()
            })
            .collect();
        let placements = 0..geometry.planes_per_pair();
        let turned = Symmetry::all().map(|symmetry| {
            let number =
                |outer: usize| geometry.outer_number(geometry.outer_squares(outer), symmetry);
            // A turn takes distinct squares to distinct squares and keeps pawns' ranks.
            let placements = placements.clone().filter(|_| kings.symmetries().contains(&symmetry));
            placements.map(|outer| number(outer).unwrap_or(outer) as u32).collect()
        });
        PlaneNeighbours {
            mover,
            planes_per_pair: geometry.planes_per_pair(),
            king_moves,
            outer_moves: placements.clone().map(|o| outer_moves(geometry, mover, o)).collect(),
            turned: turned.collect(),
        }
    }

    /// Whether any plane of a pair that holds a neighbour of this pair's planes, or of the
    /// pair itself, is one of these.
    pub fn near(&self, pair: KingPair, is: impl Fn(KingPair) -> bool) -> bool {
        is(pair) || self.king_moves[pair.0 as usize].iter().any(|king| is(king.pair))
    }

    /// The neighbours of a plane, those of the king first; `outer` is the number of the
    /// key's outer placement.
    #[inline(always)]
    pub fn of<'a>(&'a self, key: &'a PlaneKey, outer: usize) -> NeighbourIter<'a> {
        NeighbourIter {
            neighbours: self,
            king_moves: self.king_moves[key.pair.0 as usize].iter(),
            outer_moves: self.outer_moves[outer].iter(),
            own: key.fixed[self.mover.index()],
            kings: Bitboard::of(key.kings[0]) | Bitboard::of(key.kings[1]),
            first: key.pair.0 as usize * self.planes_per_pair,
            outer,
        }
    }
}

/// The neighbours of one plane.
///
/// An iterator by hand: what closures make of it would not become wide with the kernels.
pub struct NeighbourIter<'a> {
    neighbours: &'a PlaneNeighbours,
    king_moves: std::slice::Iter<'a, KingMove>,
    outer_moves: std::slice::Iter<'a, OuterMove>,
    own: Bitboard,
    kings: Bitboard,
    /// The first plane of the pair.
    first: usize,
    outer: usize,
}

impl Iterator for NeighbourIter<'_> {
    type Item = Neighbour;

    #[inline(always)]
    fn next(&mut self) -> Option<Neighbour> {
        for king in self.king_moves.by_ref() {
            if !self.own.contains(king.to) {
                let there = self.neighbours.turned[king.symmetry.index()][self.outer] as usize;
                let plane = king.pair.0 as usize * self.neighbours.planes_per_pair + there;
                return Some(Neighbour { plane, symmetry: king.symmetry, gate: Gate::Open });
            }
        }
        for piece in self.outer_moves.by_ref() {
            if ((piece.path | Bitboard::of(piece.to)) & self.kings).is_empty() {
                let plane = self.first + piece.outer as usize;
                return Some(Neighbour { plane, symmetry: Symmetry::IDENTITY, gate: piece.gate });
            }
        }
        None
    }
}

/// The moves of a side's outer pieces from one placement.
fn outer_moves(geometry: &Geometry, mover: Side, outer: usize) -> Vec<OuterMove> {
    let squares = geometry.outer_squares(outer);
    let mut held = [Bitboard::EMPTY; 2];
    for (body, &square) in geometry.outer().iter().zip(squares) {
        held[body.side.index()].insert(square);
    }
    let mut moves = Vec::new();
    for (place, body) in geometry.outer().iter().enumerate() {
        if body.side == mover {
            let (own, enemy) = (held[mover.index()], held[(!mover).index()]);
            man_moves(geometry, squares, place, body, own, enemy, &mut moves);
        }
    }
    moves
}

fn man_moves(
    geometry: &Geometry,
    squares: &OuterSquares,
    place: usize,
    body: &PlanePiece,
    own: Bitboard,
    enemy: Bitboard,
    moves: &mut Vec<OuterMove>,
) {
    let from = squares[place];
    let mut push = |to: Square, path: Bitboard, gate: Gate| {
        let mut there = *squares;
        there[place] = to;
        if let Some(outer) = geometry.outer_number(&there, Symmetry::IDENTITY) {
            moves.push(OuterMove { outer: outer as u32, to, path, gate });
        }
    };
    for &step in &body.movement.steps {
        if let Some(to) = from.step(step).filter(|&to| !own.contains(to)) {
            push(to, Bitboard::EMPTY, Gate::Open);
        }
    }
    for &step in &body.movement.slides {
        let mut path = Bitboard::EMPTY;
        let mut last = from;
        while let Some(to) = last.step(step).filter(|&to| !own.contains(to)) {
            push(to, path, if path.is_empty() { Gate::Open } else { Gate::Free(path) });
            if enemy.contains(to) {
                break;
            }
            path.insert(to);
            last = to;
        }
    }
    for &step in &body.movement.advances {
        if let Some(to) = from.step(step).filter(|&to| !(own | enemy).contains(to)) {
            push(to, Bitboard::EMPTY, Gate::Free(Bitboard::of(to)));
        }
    }
    for &step in &body.movement.captures {
        if let Some(to) = from.step(step).filter(|&to| !own.contains(to)) {
            push(
                to,
                Bitboard::EMPTY,
                if enemy.contains(to) { Gate::Open } else { Gate::Enemy(to) },
            );
        }
    }
}
