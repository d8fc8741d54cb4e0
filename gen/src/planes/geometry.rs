//! Which planes a material has and how they hang together.
//!
//! Planes are numbered `[king pair][outer placement]`. The last two men of the index run
//! through a plane; the outer men before them are fixed in it. Like outer men are a
//! combination. An outer pawn also has the planes of its promotion rank, where its move
//! from the rank before leads: they hold the values of the material with a promoted man.

use crate::planes::bits::{Plane, Shift};
use sakmak_tables::index::{Index, MAX_OTHERS, choose};
use sakmak_tables::index::kings::{KingPair, Kings};
use sakmak_tables::rules::piece::{Kind, Man, Side};
use sakmak_tables::rules::Rules;
use sakmak_tables::board::bitboard::Set;
use sakmak_tables::board::square::{SQUARES, Square, Step};
use sakmak_tables::board::symmetry::Turn;

/// The most outer men.
pub const MAX_OUTER: usize = MAX_OTHERS - 2;

/// The ways of one man, as its side sees them.
#[derive(Clone, Debug)]
pub struct Ways {
    pub steps: Vec<Step>,
    pub slides: Vec<Step>,
    pub advances: Vec<Step>,
    pub captures: Vec<Step>,
}

impl Ways {
    fn new(man: Man, rules: &Rules) -> Ways {
        let movement = rules.movement(man.kind);
        let seen = |steps: &[Step]| match man.side {
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

/// One man of the material and what the solver needs of it.
#[derive(Clone, Debug)]
pub struct Body {
    pub man: Man,
    pub ways: Ways,
    /// The steps within a word.
    pub step_shifts: Vec<Shift>,
    /// The slides within a word.
    pub slide_shifts: Vec<Shift>,
    /// Where it may stand in a position.
    pub domain: Set,
    /// Where it is promoted.
    pub promotion: Set,
}

impl Body {
    fn new(man: Man, rules: &Rules) -> Body {
        let promotion =
            if man.kind == Kind::Pawn { rules.promotion_squares(man.side) } else { Set::EMPTY };
        let ways = Ways::new(man, rules);
        let shifts = |steps: &[Step]| steps.iter().map(|&step| Shift::new(step)).collect();
        Body {
            man,
            step_shifts: shifts(&ways.steps),
            slide_shifts: shifts(&ways.slides),
            ways,
            domain: rules.domain(man),
            promotion,
        }
    }
}

/// Like outer men.
#[derive(Clone, Debug)]
struct OuterGroup {
    first: usize,
    count: usize,
    place_of: [Option<u8>; SQUARES],
    combinations: usize,
}

/// The squares of the outer men of a plane; the rest is not looked at.
pub type Outer = [Square; MAX_OUTER];

/// The planes of a material.
#[derive(Clone, Debug)]
pub struct Geometry {
    pub index: Index,
    pub kings: [Body; 2],
    /// All men besides the kings, in the order of the index; the last two are `row` and
    /// `column`, or the last is `column` where there is one man only.
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
    /// The squares of the king and outer men of each side.
    pub fixed: [Set; 2],
    /// Whether the fixed men stand on distinct squares where they may stand: whether the
    /// plane holds positions, not conversions alone.
    pub real: bool,
}

impl Geometry {
    /// The planes of the material of an index with at least one man besides the kings.
    pub fn new(index: Index, rules: &Rules) -> Geometry {
        let bodies: Vec<Body> = index.men().iter().map(|&man| Body::new(man, rules)).collect();
        let kings = Side::BOTH.map(|side| Body::new(Man::new(side, Kind::King), rules));
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

    /// The squares of the outer men in an outer placement.
    pub fn outer_squares(&self, outer: usize) -> &Outer {
        &self.outers[outer]
    }

    /// The outer men.
    pub fn outer(&self) -> &[Body] {
        &self.bodies[..self.bodies.len().saturating_sub(2)]
    }

    /// The man of the rows; nothing with one man besides the kings, where all rows of a
    /// plane are alike.
    pub fn row(&self) -> Option<&Body> {
        self.bodies.len().checked_sub(2).map(|place| &self.bodies[place])
    }

    /// The man of the columns.
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
        let mut fixed = kings.map(Set::of);
        let mut real = true;
        for (body, square) in self.outer().iter().zip(squares) {
            real &= !(fixed[0] | fixed[1]).contains(square) && body.domain.contains(square);
            fixed[body.man.side.index()].insert(square);
        }
        Spot { pair, kings, outer: squares, fixed, real }
    }

    /// The slots of a plane with all men on distinct squares where they may stand, the fixed
    /// men left out of account.
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
    /// men coincide or a pawn stands where none can come.
    pub fn outer_number(&self, outer: &Outer, turn: Turn) -> Option<usize> {
        let mut number = 0;
        for group in &self.groups {
            let mut held = 0u64;
            for &square in &outer[group.first..group.first + group.count] {
                let bit = 1 << group.place_of[turn.square(square).index()]?;
                if held & bit != 0 {
                    return None;
                }
                held |= bit;
            }
            let mut rank = 0;
            for size in 1..=group.count {
                rank += choose(u64::from(held.trailing_zeros()), size) as usize;
                held &= held - 1;
            }
            number = number * group.combinations + rank;
        }
        Some(number)
    }
}

impl Spot {
    /// The squares of all fixed men.
    pub fn occupied(&self) -> Set {
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
                assert_eq!(geometry.outer_number(&spot.outer, Turn::IDENTITY), Some(outer));
            }
        }
    }
}
