//! The slots of a material as panels: 64 at a time, one man, the *runner*, on each square
//! in turn and all else fixed.
//!
//! Panels are numbered `[king pair][group][group]...`, the first the slowest, like slots but
//! without the runner and with the groups in any order: which man runs and which change
//! next is chosen so that neighbouring codes are alike. Of like men the one on the lowest
//! place runs; the others are a combination, and the runner keeps below them.

use crate::codec::walk::{Shape, Spot};
use crate::index::{Group, Index, Slot, choose};
use crate::kings::{KingPair, Kings};
use crate::man::{Kind, Man, Side};
use crate::material::MAX_MEN;
use crate::set::Set;
use crate::square::Square;
use crate::variant::Variant;

/// The number of a panel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct PanelNumber(pub u64);

/// How the panels of a material are laid out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// The number of the group whose man runs.
    pub runner: usize,
    /// The numbers of the other groups, the slowest first; the runner's own among them
    /// where it has more men.
    pub order: Vec<usize>,
}

impl Arrangement {
    /// All there are for an index.
    pub fn all(index: &Index) -> Vec<Arrangement> {
        let mut all = Vec::new();
        for runner in 0..index.groups().len() {
            let fixed: Vec<usize> = (0..index.groups().len())
                .filter(|&group| group != runner || index.groups()[group].count > 1)
                .collect();
            for order in permutations(&fixed) {
                all.push(Arrangement { runner, order });
            }
        }
        all
    }
}

fn permutations(of: &[usize]) -> Vec<Vec<usize>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for &first in of {
        let rest: Vec<usize> = of.iter().copied().filter(|&other| other != first).collect();
        for mut order in permutations(&rest) {
            order.insert(0, first);
            all.push(order);
        }
    }
    all
}

/// The panels of a material.
#[derive(Clone, Debug)]
pub struct Panels {
    index: Index,
    variant: &'static Variant,
    runner: usize,
    /// The fixed men, the slowest first.
    digits: Vec<Digit>,
    panels_per_pair: u64,
}

/// Fixed men of one group as a digit of a panel's number.
#[derive(Clone, Copy, Debug)]
struct Digit {
    group: usize,
    /// How many of its men are fixed, the highest.
    men: usize,
    /// How many combinations of places they have.
    radix: u64,
    /// How many panels further the next is.
    stride: u64,
}

/// A panel: its fixed men and where its slots are.
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    kings: Kings,
    /// The fixed men but the kings.
    men: [(Man, Square); MAX_MEN],
    count: usize,
    /// The slot with the runner on its first place.
    first: u64,
    /// How many places the runner may take, counted from the first.
    places: usize,
}

impl Panels {
    /// The panels of an index; nothing where the arrangement does not name its groups.
    pub fn new(
        index: &Index,
        variant: &'static Variant,
        arrangement: &Arrangement,
    ) -> Option<Panels> {
        if !Arrangement::all(index).contains(arrangement) {
            return None;
        }
        let mut panels_per_pair = 1;
        let mut digits = Vec::new();
        for &number in arrangement.order.iter().rev() {
            let group = &index.groups()[number];
            let men = group.count - usize::from(number == arrangement.runner);
            let radix = choose(group.places().len() as u64, men);
            digits.insert(0, Digit { group: number, men, radix, stride: panels_per_pair });
            panels_per_pair *= radix;
        }
        let (index, runner) = (index.clone(), arrangement.runner);
        Some(Panels { index, variant, runner, digits, panels_per_pair })
    }

    /// The index of the slots.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// How many panels there are.
    pub fn len(&self) -> u64 {
        self.panels_per_pair * self.index.kings().len() as u64
    }

    /// Whether there is no panel; never so.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many panels each king pair has.
    pub fn panels_per_pair(&self) -> u64 {
        self.panels_per_pair
    }

    fn group(&self, number: usize) -> &Group {
        &self.index.groups()[number]
    }

    /// The panel of a slot and the square on which its runner stands. Slots past the last
    /// wrap around.
    pub fn locate(&self, slot: Slot) -> (PanelNumber, Square) {
        let slot = slot.0 % self.index.slots();
        let mut panel = slot / self.index.slots_per_pair() * self.panels_per_pair;
        let rank = |group: &Group| slot / group.stride() % group.combinations();
        let runner = self.group(self.runner);
        let mut runs = rank(runner);
        for digit in &self.digits {
            let group = self.group(digit.group);
            let rank = if digit.group == self.runner {
                let (lowest, rest) = without_lowest(runs, group.count);
                runs = lowest;
                rest
            } else {
                rank(group)
            };
            panel += rank * digit.stride;
        }
        let square = runner.places().get(runs as usize).copied();
        (PanelNumber(panel), square.unwrap_or(Square::wrapping(0)))
    }

    /// A panel by its number. Numbers past the last wrap around.
    pub fn panel(&self, number: PanelNumber) -> Panel {
        let number = number.0 % self.len();
        let pair = number / self.panels_per_pair;
        let kings = self.index.kings().kings(KingPair(pair as u16));
        let runner = self.group(self.runner);
        let nobody = (runner.man, kings[0]);
        let mut panel = Panel {
            kings,
            men: [nobody; MAX_MEN],
            count: 0,
            first: pair * self.index.slots_per_pair(),
            places: runner.places().len(),
        };
        for digit in &self.digits {
            let mut rank = number / digit.stride % digit.radix;
            let group = self.group(digit.group);
            let is_runners = digit.group == self.runner;
            panel.first += if is_runners { 0 } else { rank * group.stride() };
            for size in (1..=digit.men).rev() {
                let place = highest(rank, size, group.places().len());
                rank -= choose(place as u64, size);
                if is_runners {
                    panel.first += choose(place as u64, size + 1) * group.stride();
                    panel.places = place;
                }
                let square = group.places().get(place).copied().unwrap_or(kings[0]);
                if let Some(man) = panel.men.get_mut(panel.count) {
                    *man = (group.man, square);
                    panel.count += 1;
                }
            }
        }
        panel
    }

    /// The slots of a panel with the runner's square for each, in the order of squares.
    pub fn slots(&self, panel: &Panel) -> impl Iterator<Item = (Square, Slot)> + use<'_> {
        let (first, stride) = (panel.first, self.group(self.runner).stride());
        let places = self.group(self.runner).places().iter().take(panel.places);
        places.zip(0..).map(move |(&square, place)| (square, Slot(first + place * stride)))
    }

    /// What is known of a panel from its men, with this side to move. Kept are the legal
    /// positions.
    pub fn shape(&self, panel: &Panel, mover: Side) -> Shape {
        let Panel { kings, men, count, places, .. } = panel;
        let men = &men[..(*count).min(men.len())];
        let runner = self.group(self.runner);
        let (reach, strikers) = (&self.variant.reach, &self.variant.strikers);
        let mut occupied = Set::of(kings[0]) | Set::of(kings[1]);
        for &(_, square) in men {
            if occupied.contains(square) {
                return Shape::default();
            }
            occupied.insert(square);
        }
        let squares: Set = runner.places().iter().take(*places).copied().collect();
        let mut kept = squares - occupied;
        let (mut struck, mut guarding) = (Set::EMPTY, Set::EMPTY);
        let waiting = kings[(!mover).index()];
        if runner.man.side == mover {
            kept = kept - strikers.strikers(runner.man, waiting, occupied);
        }
        for &(man, square) in men {
            let strikes = reach.strikes(man, square, occupied);
            if man.side != runner.man.side {
                struck |= strikes;
            } else {
                guarding |= strikers.strikers(runner.man, square, occupied);
            }
            if man.side == mover && strikes.contains(waiting) {
                // Only where the runner stands between.
                let blocks = |&square_of_runner: &Square| {
                    let occupied = occupied | Set::of(square_of_runner);
                    !reach.strikes(man, square, occupied).contains(waiting)
                };
                kept = kept & (kept & strikes).filter(blocks).collect();
            }
        }
        let enemy = Man::new(!runner.man.side, Kind::King);
        struck |= reach.strikes(enemy, kings[enemy.side.index()], occupied);
        Shape { kept: kept.0, struck: struck.0, guarding: guarding.0 }
    }
}

/// The highest place whose number of combinations of `size` is at most `rank`.
fn highest(rank: u64, size: usize, places: usize) -> usize {
    if size == 1 {
        return rank as usize;
    }
    (0..places).rev().find(|&place| choose(place as u64, size) <= rank).unwrap_or(0)
}

/// The lowest of so many places, and the number of the combination of the others.
fn without_lowest(mut rank: u64, count: usize) -> (u64, u64) {
    let mut rest = 0;
    for size in (2..=count).rev() {
        let place = highest(rank, size, crate::square::SQUARES) as u64;
        rank -= choose(place, size);
        rest += choose(place, size - 1);
    }
    (rank, rest)
}

/// The block of a panel and its spot there, for blocks of so many panels.
pub fn block_of(panel: PanelNumber, square: Square, panels: u64) -> (u64, Spot) {
    let spot = Spot { panel: (panel.0 % panels) as usize, square: square.index() };
    (panel.0 / panels, spot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::variants::MAKRUK;

    /// Every slot in one panel at the square located, and kept if and only if it is a legal
    /// position.
    #[test]
    fn panels_hold_every_slot_and_keep_the_legal_ones() {
        for name in ["KRvK", "KSvK", "KPvKM", "KMMvK", "KRvKR", "KPPvK", "KSvKR", "KNNvK"] {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            for arrangement in Arrangement::all(&index) {
                let panels = Panels::new(&index, &MAKRUK, &arrangement).unwrap();
                let mut seen = vec![false; index.slots() as usize];
                let step = if index.groups().len() > 1 { 7 } else { 1 };
                for number in (0..panels.len()).map(PanelNumber) {
                    let panel = panels.panel(number);
                    let looked_at = number.0 % step == 0;
                    let shapes = Side::BOTH.map(|side| panels.shape(&panel, side));
                    let mut kept = [0u64; 2];
                    for (square, slot) in panels.slots(&panel) {
                        assert_eq!(panels.locate(slot), (number, square), "{name}");
                        assert!(!std::mem::replace(&mut seen[slot.0 as usize], true), "{name}");
                        if looked_at {
                            let placement = index.placement(slot);
                            for side in Side::BOTH {
                                let placed = index.placed(&placement);
                                let position = Position::new(&MAKRUK, side, placed);
                                let legal = position.is_ok_and(|p| p.legality().is_ok());
                                kept[side.index()] |= u64::from(legal) << square.index();
                            }
                        }
                    }
                    if looked_at {
                        assert_eq!(shapes.map(|shape| shape.kept), kept, "{name} {panel:?}");
                    }
                }
                assert!(seen.into_iter().all(|seen| seen), "{name}");
            }
        }
    }
}
