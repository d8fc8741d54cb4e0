//! Which squares a man reaches: the rules' steps worked out for every square.

use crate::rules::piece::{Kind, Man, Side};
use crate::board::ray::Ray;
use crate::rules::Rules;
use crate::board::bitboard::Set;
use crate::board::square::{SQUARES, Square, Step};

/// The squares one man reaches from each square.
#[derive(Clone, Debug)]
struct ManReach {
    /// Squares one step away, to go to or to capture on.
    steps: [Set; SQUARES],
    /// Squares to which it may go but not capture.
    advances: [Set; SQUARES],
    /// Squares to which it may go only to capture.
    captures: [Set; SQUARES],
    /// Directions in which it slides.
    slides: Vec<Ray>,
}

impl ManReach {
    /// The squares slid to, up to and with the first occupied one in each direction.
    fn slide(&self, from: Square, occupied: Set) -> Set {
        self.slides.iter().fold(Set::EMPTY, |set, ray| set | ray.slide(from, occupied))
    }
}

/// For every man and square the squares it strikes or advances to.
#[derive(Clone, Debug)]
pub struct Reach {
    men: [[ManReach; Kind::ALL.len()]; 2],
}

impl Reach {
    /// Works out the reach of all men of these rules.
    pub fn new(rules: &Rules) -> Reach {
        let of = |side, kind| {
            let movement = rules.movement(kind);
            let seen = |step: &Step| if side == Side::White { *step } else { step.flipped() };
            let targets = |steps: &[Step]| {
                let mut sets = [Set::EMPTY; SQUARES];
                for from in Square::all() {
                    sets[from.index()] =
                        steps.iter().filter_map(|step| from.step(seen(step))).collect();
                }
                sets
            };
            ManReach {
                steps: targets(movement.steps),
                advances: targets(movement.advances),
                captures: targets(movement.captures),
                slides: movement.slides.iter().map(|step| Ray::new(seen(step))).collect(),
            }
        };
        Reach { men: Side::BOTH.map(|side| Kind::ALL.map(|kind| of(side, kind))) }
    }

    /// The squares a man on `from` attacks, with these squares occupied: where it would
    /// take an enemy, whoever stands there now.
    pub fn strikes(&self, man: Man, from: Square, occupied: Set) -> Set {
        let reach = self.of(man);
        reach.steps[from.index()] | reach.captures[from.index()] | reach.slide(from, occupied)
    }

    /// The squares to which a man may go, with these squares held by its own side and by
    /// the enemy; its king's safety is not looked at.
    pub fn targets(&self, man: Man, from: Square, own: Set, enemy: Set) -> Set {
        let reach = self.of(man);
        let steps = reach.steps[from.index()] | reach.slide(from, own | enemy);
        let captures = reach.captures[from.index()] & enemy;
        let advances = reach.advances[from.index()] - enemy;
        (steps | captures | advances) - own
    }

    fn of(&self, man: Man) -> &ManReach {
        &self.men[man.side.index()][man.kind.index()]
    }
}
