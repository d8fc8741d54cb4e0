//! Who strikes a square: the rules looked at from the square struck.
//!
//! A king's safety is asked far more often than anything else. From the king's square
//! it costs a table look-up a kind; from the enemy's men it costs one a man.

use crate::rules::piece::{Kind, Man, Side};
use crate::board::ray::Ray;
use crate::rules::Rules;
use crate::board::bitboard::Set;
use crate::board::square::{SQUARES, Square, Step};

/// For every man the squares from which it strikes each square.
#[derive(Clone, Debug)]
pub struct Strikers {
    men: [[ManStrikers; Kind::ALL.len()]; 2],
    /// By side: the squares in line with each square, from which a slider may strike it.
    lines: [[Set; SQUARES]; 2],
}

/// The squares from which one man strikes.
#[derive(Clone, Debug)]
struct ManStrikers {
    /// The squares one step away from which each square is struck.
    near: [Set; SQUARES],
    /// Those and all in line: from which it is struck on an empty board.
    anywhere: [Set; SQUARES],
    /// From the square struck towards the sliders.
    rays: Vec<Ray>,
}

impl ManStrikers {
    #[inline]
    fn strikers(&self, target: Square, occupied: Set) -> Set {
        let near = self.near[target.index()];
        self.rays.iter().fold(near, |set, ray| set | ray.slide(target, occupied))
    }
}

impl Strikers {
    /// Works out the strikers of all men of these rules.
    pub fn new(rules: &Rules) -> Strikers {
        let men = Side::BOTH.map(|side| Kind::ALL.map(|kind| Strikers::of(rules, side, kind)));
        let lines = std::array::from_fn(|side: usize| {
            std::array::from_fn(|index| {
                let square = Square::wrapping(index);
                let rays = men[side].iter().flat_map(|man: &ManStrikers| &man.rays);
                rays.fold(Set::EMPTY, |set, ray| set | ray.ahead(square))
            })
        });
        Strikers { men, lines }
    }

    fn of(rules: &Rules, side: Side, kind: Kind) -> ManStrikers {
        let movement = rules.movement(kind);
        // From the square struck the way back is the step reversed.
        let back = |step: &Step| {
            let seen = if side == Side::White { *step } else { step.flipped() };
            Step::new(-seen.files, -seen.ranks)
        };
        let steps: Vec<Step> = movement.steps.iter().chain(movement.captures).map(back).collect();
        let near: [Set; SQUARES] = std::array::from_fn(|index| {
            steps.iter().filter_map(|&step| Square::wrapping(index).step(step)).collect()
        });
        let rays: Vec<Ray> = movement.slides.iter().map(|step| Ray::new(back(step))).collect();
        let anywhere = std::array::from_fn(|index| {
            let square = Square::wrapping(index);
            rays.iter().fold(near[index], |set, ray| set | ray.ahead(square))
        });
        ManStrikers { near, anywhere, rays }
    }

    /// The squares from which this man strikes `target`, with these squares occupied.
    #[inline]
    pub fn strikers(&self, man: Man, target: Square, occupied: Set) -> Set {
        self.men[man.side.index()][man.kind.index()].strikers(target, occupied)
    }

    /// Those of `men`, all of this kind and side, that strike `target`, with these squares
    /// occupied.
    #[inline]
    pub fn striking(&self, man: Man, men: Set, target: Square, occupied: Set) -> Set {
        let strikers = &self.men[man.side.index()][man.kind.index()];
        let men = men & strikers.anywhere[target.index()];
        // Few are in line even of those that slide.
        match men.is_empty() || strikers.rays.is_empty() {
            true => men,
            false => men & strikers.strikers(target, occupied),
        }
    }

    /// The squares in line with `target` for a sliding man of this side: a man that
    /// leaves any other square opens no line to it.
    pub fn lines(&self, side: Side, target: Square) -> Set {
        self.lines[side.index()][target.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::reach::Reach;
    use crate::variant::Variant;

    #[test]
    fn strikers_are_the_reach_from_the_other_end() {
        for variant in Variant::all() {
            let reach = Reach::new(&variant.rules);
            let strikers = Strikers::new(&variant.rules);
            for occupied in [Set::EMPTY, Set(0x0042_1800_2400_8100), Set::ALL] {
                for (side, kind) in
                    Side::BOTH.into_iter().flat_map(|s| Kind::ALL.map(|kind| (s, kind)))
                {
                    let man = Man::new(side, kind);
                    for target in Square::all() {
                        let expected: Set = Square::all()
                            .filter(|&from| reach.strikes(man, from, occupied).contains(target))
                            .collect();
                        assert_eq!(strikers.strikers(man, target, occupied), expected);
                        for men in [Set::ALL, Set(0x0f0f_3333_5555_ff00)] {
                            let striking = strikers.striking(man, men, target, occupied);
                            assert_eq!(striking, men & expected);
                        }
                    }
                }
            }
        }
    }
}
