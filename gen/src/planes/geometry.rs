//! Which planes a material has and how they hang together.
//!
//! Planes are numbered `[king pair][outer placement]`. The last two men of the index run
//! through a plane; the outer pieces before them are fixed in it. Like outer pieces are a
//! combination. An outer pawn also has the planes of its promotion rank, where its move
//! from the rank before leads: they hold the values of the material with a promoted piece.

use crate::planes::bits::{Plane, Shift};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square, Step};
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::index::kings::{KingPair, Kings};
use sakmak_tables::index::{Index, MAX_OTHERS, combination};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};

/// The most outer pieces.
pub const MAX_OUTER: usize = MAX_OTHERS - 2;

/// The ways of one piece, as its side sees them.
#[derive(Clone, Debug)]
pub struct Ways {
    pub steps: Vec<Step>,
    pub slides: Vec<Step>,
    pub advances: Vec<Step>,
    pub captures: Vec<Step>,
}

impl Ways {
    fn new(piece: Piece, rules: &Rules) -> Ways {
        let movement = rules.movement(piece.kind);
        let seen = |steps: &[Step]| match piece.side {
            Side::White => steps.to_vec(),
            Side::Black => steps.iter().map(|step| step.flipped()).collect(),
        };
        Ways {
            steps: seen(movement.steps),
            slides: seen(movement.slides),
            advances: seen(movement.advances),
            captures: seen(movement.captures),
        }
    }
}

/// One piece of the material and what the solver needs of it.
#[derive(Clone, Debug)]
pub struct Body {
    pub piece: Piece,
    pub ways: Ways,
    /// The steps within a word.
    pub step_shifts: Vec<Shift>,
    /// The slides within a word.
    pub slide_shifts: Vec<Shift>,
    /// Where it may stand in a position.
    pub domain: Bitboard,
    /// Where it is promoted.
    pub promotion: Bitboard,
}

impl Body {
    fn new(piece: Piece, rules: &Rules) -> Body {
        let promotion = if piece.kind == PieceKind::Pawn {
            rules.promotion_squares(piece.side)
        } else {
            Bitboard::EMPTY
        };
        let ways = Ways::new(piece, rules);
        let shifts = |steps: &[Step]| steps.iter().map(|&step| Shift::new(step)).collect();
        Body {
            piece,
            step_shifts: shifts(&ways.steps),
            slide_shifts: shifts(&ways.slides),
            ways,
            domain: rules.domain(piece),
            promotion,
        }
    }
}

/// Like outer pieces.
#[derive(Clone, Debug)]
struct OuterGroup {
    first: usize,
    count: usize,
    place_of: [Option<u8>; SQUARES],
    combinations: usize,
}

/// The squares of the outer pieces of a plane; the rest is not looked at.
pub type Outer = [Square; MAX_OUTER];

/// The planes of a material.
#[derive(Clone, Debug)]
pub struct Geometry {
    pub index: Index,
    pub kings: [Body; 2],
    /// All pieces besides the kings, in the order of the index; the last two are `row` and
    /// `column`, or the last is `column` where there is one piece only.
    pub bodies: Vec<Body>,
    groups: Vec<OuterGroup>,
    /// By number of the outer placement: the squares.
    outers: Vec<Outer>,
}

/// One plane: what is fixed in it.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    pub pair: KingPair,
    pub kings: Kings,
    pub outer: Outer,
    /// The squares of the king and outer pieces of each side.
    pub fixed: [Bitboard; 2],
    /// Whether the fixed pieces stand on distinct squares where they may stand: whether the
    /// plane holds positions, not conversions alone.
    pub real: bool,
}

impl Geometry {
    /// The planes of the material of an index with at least one piece besides the kings.
    pub fn new(index: Index, rules: &Rules) -> Geometry {
        let bodies: Vec<Body> =
            index.pieces().iter().map(|&piece| Body::new(piece, rules)).collect();
        let kings = Side::BOTH.map(|side| Body::new(Piece::new(side, PieceKind::King), rules));
        let outer_men = bodies.len().saturating_sub(2);
        let mut groups = Vec::new();
        let mut outers = vec![[Square::wrapping(0); MAX_OUTER]];
        for group in index.groups().iter().filter(|group| group.first < outer_men) {
            let count = group.count.min(outer_men - group.first);
            let body = &bodies[group.first];
            let places: Vec<Square> = (body.domain | body.promotion).collect();
            let mut place_of = [None; SQUARES];
            for (number, place) in (0..).zip(&places) {
                place_of[place.index()] = Some(number);
            }
            let combinations = combinations(&places, count);
            outers = outers
                .iter()
                .flat_map(|outer| {
                    combinations.iter().map(move |squares| {
                        let mut outer = *outer;
                        outer[group.first..group.first + count].copy_from_slice(squares);
                        outer
                    })
                })
                .collect();
            let combinations = combinations.len();
            groups.push(OuterGroup { first: group.first, count, place_of, combinations });
        }
        Geometry { index, kings, bodies, groups, outers }
    }

    /// How many planes each king pair has.
    pub fn planes_per_pair(&self) -> usize {
        self.outers.len()
    }

    /// How many planes there are.
    pub fn planes(&self) -> usize {
        self.index.kings().len() * self.outers.len()
    }

    /// The number of a plane.
    pub fn plane(&self, pair: KingPair, outer: usize) -> usize {
        pair.0 as usize * self.outers.len() + outer
    }

    /// The squares of the outer pieces in an outer placement.
    pub fn outer_squares(&self, outer: usize) -> &Outer {
        &self.outers[outer]
    }

    /// The outer pieces.
    pub fn outer(&self) -> &[Body] {
        &self.bodies[..self.bodies.len().saturating_sub(2)]
    }

    /// The piece of the rows; nothing with one piece besides the kings, where all rows of a
    /// plane are alike.
    pub fn row(&self) -> Option<&Body> {
        self.bodies.len().checked_sub(2).map(|place| &self.bodies[place])
    }

    /// The piece of the columns.
    pub fn column(&self) -> &Body {
        &self.bodies[self.bodies.len() - 1]
    }

    /// The body of a side's king.
    pub fn king(&self, side: Side) -> &Body {
        &self.kings[side.index()]
    }

    /// What is fixed in a plane.
    pub fn spot(&self, pair: KingPair, outer: usize) -> Spot {
        let kings = self.index.kings().kings(pair);
        let squares = self.outers[outer];
        let mut fixed = kings.map(Bitboard::of);
        let mut real = true;
        for (body, square) in self.outer().iter().zip(squares) {
            real &= !(fixed[0] | fixed[1]).contains(square) && body.domain.contains(square);
            fixed[body.piece.side.index()].insert(square);
        }
        Spot { pair, kings, outer: squares, fixed, real }
    }

    /// The slots of a plane with all pieces on distinct squares where they may stand, the fixed
    /// pieces left out of account.
    #[inline(always)]
    pub fn real_slots(&self, spot: &Spot) -> Plane {
        let columns = self.column().domain - spot.occupied();
        let mut plane = Plane([columns.0; SQUARES]);
        if let Some(row) = self.row() {
            let rows = row.domain - spot.occupied();
            for (number, word) in plane.0.iter_mut().enumerate() {
                let there = rows.0 >> number & 1;
                *word &= there.wrapping_neg() & !(1 << number);
            }
        }
        plane
    }

    /// The number of the outer placement with these squares, turned; nothing where like
    /// pieces coincide or a pawn stands where none can come.
    pub fn outer_number(&self, outer: &Outer, symmetry: Symmetry) -> Option<usize> {
        let mut number = 0;
        for group in &self.groups {
            let mut held = 0u64;
            for &square in &outer[group.first..group.first + group.count] {
                let bit = 1 << group.place_of[symmetry.square(square).index()]?;
                if held & bit != 0 {
                    return None;
                }
                held |= bit;
            }
            let rank = combination::rank(held, group.count) as usize;
            number = number * group.combinations + rank;
        }
        Some(number)
    }
}

impl Spot {
    /// The squares of all fixed pieces.
    pub fn occupied(&self) -> Bitboard {
        self.fixed[0] | self.fixed[1]
    }
}

/// All combinations of `count` of these places, the highest first in each, in the order
/// of their rank.
fn combinations(places: &[Square], count: usize) -> Vec<Vec<Square>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let with_highest = |highest: usize| {
        let rest = combinations(&places[..highest], count - 1);
        rest.into_iter().map(move |rest| [vec![places[highest]], rest].concat())
    };
    (0..places.len()).flat_map(with_highest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn outer_placements_come_back() {
        for name in ["KRvK", "KRNvK", "KNMMvK", "KPPPvK", "KNMMMvK", "KPPPPvKP"] {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            let geometry = Geometry::new(index, &MAKRUK.rules);
            for outer in 0..geometry.planes_per_pair() {
                let spot = geometry.spot(KingPair(0), outer);
                assert_eq!(geometry.outer_number(&spot.outer, Symmetry::IDENTITY), Some(outer));
            }
        }
    }
}
