//! Neighbouring planes: where a king or an outer man moves to, worked out once.

use crate::planes::geometry::{Body, Geometry, Outer, Spot};
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::board::bitboard::Set;
use sakmak_tables::board::square::Square;
use sakmak_tables::board::symmetry::Turn;

/// Another plane into which a king or an outer man moves, and for which slots.
#[derive(Clone, Copy, Debug)]
pub struct Neighbour {
    /// The number of the plane.
    pub plane: usize,
    /// How its board is turned against this one's.
    pub turn: Turn,
    /// For which slots the move is possible.
    pub gate: Gate,
}

/// For which squares of the plane's own men a move to another plane is possible.
#[derive(Clone, Copy, Debug)]
pub enum Gate {
    /// For all; one on the target square is captured, or makes the slot no position.
    Open,
    /// When none stands on these squares.
    Free(Set),
    /// When an enemy stands on this square.
    Enemy(Square),
}

/// A king's move to another pair.
#[derive(Clone, Copy, Debug)]
struct KingMove {
    pair: KingPair,
    turn: Turn,
    to: Square,
}

/// An outer man's move, the kings left out of account.
#[derive(Clone, Copy, Debug)]
struct OuterMove {
    outer: u32,
    to: Square,
    /// Squares passed over.
    path: Set,
    gate: Gate,
}

/// The moves of kings and outer men of one side from every plane.
#[derive(Debug)]
pub struct Neighbours {
    mover: Side,
    planes_per_pair: usize,
    /// By pair.
    king_moves: Vec<Vec<KingMove>>,
    /// By outer placement.
    outer_moves: Vec<Vec<OuterMove>>,
    /// By turn, then outer placement: the placement turned; nothing for turns not made.
    turned: Vec<Vec<u32>>,
}

impl Neighbours {
    /// Works out the moves of one side.
    pub fn new(geometry: &Geometry, mover: Side) -> Neighbours {
        let kings = geometry.index.kings();
        let king_moves = (0..kings.len() as u16)
            .map(|pair| {
                let from = kings.kings(KingPair(pair))[mover.index()];
                let steps = geometry.king(mover).ways.steps.iter();
                let lead = |to: Square| {
                    let (pair, turn) = kings.after(KingPair(pair), mover, to)?;
                    Some(KingMove { pair, turn, to })
                };
                steps.filter_map(|&step| from.step(step).and_then(lead)).collect()
            })
            .collect();
        let placements = 0..geometry.planes_per_pair();
        let turned = Turn::all().map(|turn| {
            let number = |outer: usize| geometry.outer_number(geometry.outer_squares(outer), turn);
            // A turn takes distinct squares to distinct squares and keeps pawns' ranks.
            let placements = placements.clone().filter(|_| kings.turns().contains(&turn));
            placements.map(|outer| number(outer).unwrap_or(outer) as u32).collect()
        });
        Neighbours {
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
    /// spot's outer placement.
    #[inline(always)]
    pub fn of<'a>(&'a self, spot: &'a Spot, outer: usize) -> NeighboursOf<'a> {
        NeighboursOf {
            neighbours: self,
            king_moves: self.king_moves[spot.pair.0 as usize].iter(),
            outer_moves: self.outer_moves[outer].iter(),
            own: spot.fixed[self.mover.index()],
            kings: Set::of(spot.kings[0]) | Set::of(spot.kings[1]),
            first: spot.pair.0 as usize * self.planes_per_pair,
            outer,
        }
    }
}

/// The neighbours of one plane.
///
/// An iterator by hand: what closures make of it would not become wide with the kernels.
pub struct NeighboursOf<'a> {
    neighbours: &'a Neighbours,
    king_moves: std::slice::Iter<'a, KingMove>,
    outer_moves: std::slice::Iter<'a, OuterMove>,
    own: Set,
    kings: Set,
    /// The first plane of the pair.
    first: usize,
    outer: usize,
}

impl Iterator for NeighboursOf<'_> {
    type Item = Neighbour;

    #[inline(always)]
    fn next(&mut self) -> Option<Neighbour> {
        for king in self.king_moves.by_ref() {
            if !self.own.contains(king.to) {
                let there = self.neighbours.turned[king.turn.index()][self.outer] as usize;
                let plane = king.pair.0 as usize * self.neighbours.planes_per_pair + there;
                return Some(Neighbour { plane, turn: king.turn, gate: Gate::Open });
            }
        }
        for man in self.outer_moves.by_ref() {
            if ((man.path | Set::of(man.to)) & self.kings).is_empty() {
                let plane = self.first + man.outer as usize;
                return Some(Neighbour { plane, turn: Turn::IDENTITY, gate: man.gate });
            }
        }
        None
    }
}

/// The moves of a side's outer men from one placement.
fn outer_moves(geometry: &Geometry, mover: Side, outer: usize) -> Vec<OuterMove> {
    let squares = geometry.outer_squares(outer);
    let mut held = [Set::EMPTY; 2];
    for (body, &square) in geometry.outer().iter().zip(squares) {
        held[body.man.side.index()].insert(square);
    }
    let mut moves = Vec::new();
    for (place, body) in geometry.outer().iter().enumerate() {
        if body.man.side == mover {
            let (own, enemy) = (held[mover.index()], held[(!mover).index()]);
            man_moves(geometry, squares, place, body, own, enemy, &mut moves);
        }
    }
    moves
}

fn man_moves(
    geometry: &Geometry,
    squares: &Outer,
    place: usize,
    body: &Body,
    own: Set,
    enemy: Set,
    moves: &mut Vec<OuterMove>,
) {
    let from = squares[place];
    let mut push = |to: Square, path: Set, gate: Gate| {
        let mut there = *squares;
        there[place] = to;
        if let Some(outer) = geometry.outer_number(&there, Turn::IDENTITY) {
            moves.push(OuterMove { outer: outer as u32, to, path, gate });
        }
    };
    for &step in &body.ways.steps {
        if let Some(to) = from.step(step).filter(|&to| !own.contains(to)) {
            push(to, Set::EMPTY, Gate::Open);
        }
    }
    for &step in &body.ways.slides {
        let mut path = Set::EMPTY;
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
    for &step in &body.ways.advances {
        if let Some(to) = from.step(step).filter(|&to| !(own | enemy).contains(to)) {
            push(to, Set::EMPTY, Gate::Free(Set::of(to)));
        }
    }
    for &step in &body.ways.captures {
        if let Some(to) = from.step(step).filter(|&to| !own.contains(to)) {
            push(to, Set::EMPTY, if enemy.contains(to) { Gate::Open } else { Gate::Enemy(to) });
        }
    }
}
