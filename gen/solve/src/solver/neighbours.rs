//! Neighbouring planes: the planes to which a king or an outer piece moves, computed once.

use crate::planes::geometry::{Geometry, OuterSquares, PlaneKey, PlanePiece};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::Square;
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;

/// A plane to which a king or an outer piece moves.
#[derive(Clone, Copy, Debug)]
pub struct Neighbour {
    /// The king pair of the plane.
    pub pair: KingPair,
    /// The index of its outer placement.
    pub outer: usize,
    /// The symmetry from this board to the board of the plane.
    pub symmetry: Symmetry,
    /// The slots for which the move is possible.
    pub gate: Gate,
    /// The target square of the king. `None` if another piece moves.
    pub king_to: Option<Square>,
}

impl Neighbour {
    /// Whether each slot leads to the same slot of the neighbour.
    #[inline(always)]
    pub fn is_whole(&self) -> bool {
        matches!(self.gate, Gate::Open) && self.symmetry == Symmetry::IDENTITY
    }
}

/// The squares of the row and column piece for which a move to another plane is possible.
#[derive(Clone, Copy, Debug)]
pub enum Gate {
    /// All squares. A piece on the target square is captured, or the slot is not a position.
    Open,
    /// No piece stands on these squares.
    Free(Bitboard),
    /// An enemy piece stands on this square. A set, not a square: the kernels spent a tenth of
    /// their time waiting for squares, which are copied in parts.
    Enemy(Bitboard),
}

/// A move of a king to another king pair.
#[derive(Clone, Copy, Debug)]
struct KingMove {
    pair: KingPair,
    symmetry: Symmetry,
    to: Square,
}

/// A move of an outer piece on a board without kings.
#[derive(Clone, Copy, Debug)]
struct OuterMove {
    outer: u32,
    to: Square,
    /// The squares passed over.
    path: Bitboard,
    gate: Gate,
}

/// The moves of kings and outer pieces of one side from every plane.
#[derive(Debug)]
pub struct PlaneNeighbours {
    mover: Side,
    /// Moves by king pair.
    king_moves: Vec<Vec<KingMove>>,
    /// Moves by outer placement.
    outer_moves: Vec<Vec<OuterMove>>,
    /// The outer placement after each symmetry, by symmetry, then outer placement. Empty for
    /// symmetries that no king move needs.
    turned: Vec<Vec<u32>>,
}

impl PlaneNeighbours {
    /// The moves of one side.
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
            // A symmetry keeps squares distinct and pawns on their ranks, so the placement exists.
            let placements = placements.clone().filter(|_| kings.symmetries().contains(&symmetry));
            placements.map(|outer| number(outer).unwrap_or(outer) as u32).collect()
        });
        PlaneNeighbours {
            mover,
            king_moves,
            outer_moves: placements.clone().map(|o| outer_moves(geometry, mover, o)).collect(),
            turned: turned.collect(),
        }
    }

    /// This king pair and the pairs to which a king of the side moves.
    pub fn pairs_near(&self, pair: KingPair) -> impl Iterator<Item = KingPair> + '_ {
        let moves = self.king_moves[pair.0 as usize].iter();
        std::iter::once(pair).chain(moves.map(|king| king.pair))
    }

    /// Whether `is` holds for this king pair or for a pair to which a king of the side moves.
    pub fn near(&self, pair: KingPair, is: impl Fn(KingPair) -> bool) -> bool {
        is(pair) || self.king_moves[pair.0 as usize].iter().any(|king| is(king.pair))
    }

    /// The neighbours of a plane, by the moves of the king first. `outer` is the index of its outer
    /// placement.
    #[inline(always)]
    pub fn of<'a>(&'a self, key: &'a PlaneKey, outer: usize) -> NeighbourIter<'a> {
        NeighbourIter {
            neighbours: self,
            king_moves: self.king_moves[key.pair.0 as usize].iter(),
            outer_moves: self.outer_moves[outer].iter(),
            own: key.fixed[self.mover.index()],
            kings: Bitboard::of(key.kings[0]) | Bitboard::of(key.kings[1]),
            pair: key.pair,
            outer,
        }
    }
}

/// The neighbours of one plane.
///
/// Written by hand: an iterator of closures is not compiled for wide registers with the kernels.
pub struct NeighbourIter<'a> {
    neighbours: &'a PlaneNeighbours,
    king_moves: std::slice::Iter<'a, KingMove>,
    outer_moves: std::slice::Iter<'a, OuterMove>,
    own: Bitboard,
    kings: Bitboard,
    pair: KingPair,
    outer: usize,
}

impl Iterator for NeighbourIter<'_> {
    type Item = Neighbour;

    #[inline(always)]
    fn next(&mut self) -> Option<Neighbour> {
        for king in self.king_moves.by_ref() {
            if !self.own.contains(king.to) {
                let there = self.neighbours.turned[king.symmetry.index()][self.outer] as usize;
                let (pair, symmetry) = (king.pair, king.symmetry);
                let king_to = Some(king.to);
                return Some(Neighbour { pair, outer: there, symmetry, gate: Gate::Open, king_to });
            }
        }
        for piece in self.outer_moves.by_ref() {
            if ((piece.path | Bitboard::of(piece.to)) & self.kings).is_empty() {
                let (pair, outer) = (self.pair, piece.outer as usize);
                let symmetry = Symmetry::IDENTITY;
                return Some(Neighbour { pair, outer, symmetry, gate: piece.gate, king_to: None });
            }
        }
        None
    }
}

/// The moves of the outer pieces of a side from one placement.
fn outer_moves(geometry: &Geometry, mover: Side, outer: usize) -> Vec<OuterMove> {
    let squares = geometry.outer_squares(outer);
    let mut occupied = [Bitboard::EMPTY; 2];
    for (piece, &square) in geometry.outer().iter().zip(squares) {
        occupied[piece.side.index()].insert(square);
    }
    let mut moves = Vec::new();
    for (index, piece) in geometry.outer().iter().enumerate() {
        if piece.side == mover {
            let (own, enemy) = (occupied[mover.index()], occupied[(!mover).index()]);
            add_moves(geometry, squares, index, piece, own, enemy, &mut moves);
        }
    }
    moves
}

/// Adds the moves of one outer piece.
fn add_moves(
    geometry: &Geometry,
    squares: &OuterSquares,
    index: usize,
    piece: &PlanePiece,
    own: Bitboard,
    enemy: Bitboard,
    moves: &mut Vec<OuterMove>,
) {
    let from = squares[index];
    // A double step leads to a plane in which the pawn is on its passing square.
    let mut push_to = |plane: Square, to: Square, path: Bitboard, gate: Gate| {
        let mut there = *squares;
        there[index] = plane;
        if let Some(outer) = geometry.outer_number(&there, Symmetry::IDENTITY) {
            moves.push(OuterMove { outer: outer as u32, to, path, gate });
        }
    };
    let passing = piece.double_step.and_then(|double_step| {
        let passing = double_step.passing_from(from)?;
        Some((passing, double_step.path(passing)?))
    });
    if let Some((passing, [_, passed, to])) = passing {
        let path = Bitboard::of(passed) | Bitboard::of(to);
        if (path & (own | enemy)).is_empty() {
            push_to(passing, to, path, Gate::Free(path));
        }
    }
    let mut push = |to: Square, path: Bitboard, gate: Gate| push_to(to, to, path, gate);
    for &step in &piece.movement.steps {
        if let Some(to) = from.step(step).filter(|&to| !own.contains(to)) {
            push(to, Bitboard::EMPTY, Gate::Open);
        }
    }
    for &step in &piece.movement.slides {
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
    for &step in &piece.movement.advances {
        if let Some(to) = from.step(step).filter(|&to| !(own | enemy).contains(to)) {
            push(to, Bitboard::EMPTY, Gate::Free(Bitboard::of(to)));
        }
    }
    for &step in &piece.movement.captures {
        if let Some(to) = from.step(step).filter(|&to| !own.contains(to)) {
            push(
                to,
                Bitboard::EMPTY,
                if enemy.contains(to) { Gate::Open } else { Gate::Enemy(Bitboard::of(to)) },
            );
        }
    }
}
