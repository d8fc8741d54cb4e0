//! What the mover gets by taking a man at once: a reader looks at that first, and a picture
//! need not say it again.
//!
//! The category after a capture is that at a fresh count, which may differ from what the
//! capture is worth to a count that runs on. It is never relied on where it is better than
//! the position: men for which that happens anywhere are left out.

use crate::output::wdl::allowed::{Allowed, CATEGORIES, Masks};
use crate::output::wdl::unfolded::Unfolded;
use sakmak_tables::counting::Category;
use sakmak_tables::index::{Index, MAX_OTHERS};
use sakmak_tables::rules::piece::{Kind, Man, Side};
use sakmak_tables::tiles::king_tile::Pictures;
use sakmak_tables::board::bitboard::Set;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::variant::Variant;
use std::sync::Arc;

/// The captures of one side to move.
#[derive(Debug)]
pub struct Captures {
    variant: &'static Variant,
    mover: Side,
    runner: Side,
    men: Vec<Man>,
    /// By group: what is after one of its men is taken; nothing for the mover's.
    after: Vec<Option<Arc<Unfolded>>>,
    /// By group and combination: the squares of its men.
    squares: Vec<Vec<Vec<Square>>>,
    /// By group: its first man in the list, how many there are, pictures to the next
    /// combination.
    groups: Vec<(usize, usize, u64)>,
    /// By man of the list: the squares it strikes on an empty board.
    reach: Vec<Vec<Set>>,
    /// By man of the list, its square and the one struck: squares on which a man is in the
    /// way.
    in_the_way: Vec<Vec<Set>>,
}

impl Captures {
    /// The captures in these pictures; `after` by group.
    pub fn new(
        index: &Index,
        variant: &'static Variant,
        pictures: &Pictures,
        mover: Side,
        after: Vec<Option<Arc<Unfolded>>>,
    ) -> Captures {
        let men = index.men().to_vec();
        let strikes =
            |man: Man, from: Square, occupied: Set| variant.reach.strikes(man, from, occupied);
        let reach: Vec<Vec<Set>> = men
            .iter()
            .map(|&man| Square::all().map(|from| strikes(man, from, Set::EMPTY)).collect())
            .collect();
        let way = |man: Man, from: Square, to: Square| {
            Square::all().filter(|&on| !strikes(man, from, Set::of(on)).contains(to)).collect()
        };
        let in_the_way = men
            .iter()
            .zip(&reach)
            .map(|(&man, reach)| {
                let pairs = Square::all().flat_map(|from| Square::all().map(move |to| (from, to)));
                let set = |(from, to): (Square, Square)| match reach[from.index()].contains(to) {
                    true => way(man, from, to),
                    false => Set::ALL,
                };
                pairs.map(set).collect()
            })
            .collect();
        let squares = index.groups().iter().map(|group| {
            let unrank = |rank: u64| {
                let mut squares = vec![Square::wrapping(0); group.count];
                group.unrank(rank, &mut squares);
                squares
            };
            (0..group.combinations()).map(unrank).collect()
        });
        let groups = index.groups().iter().enumerate();
        let groups = groups.map(|(number, group)| {
            (group.first, group.count, pictures.stride(number).unwrap_or(1))
        });
        let (squares, groups) = (squares.collect(), groups.collect());
        let runner = pictures.runner();
        Captures { variant, mover, runner, men, after, squares, groups, reach, in_the_way }
    }

    /// The groups whose men may be taken, a bit each.
    pub fn all(&self) -> u8 {
        let bits = (0..).zip(&self.after).map(|(group, after)| u8::from(after.is_some()) << group);
        bits.fold(0, |all, bit| all | bit)
    }

    /// What a picture may be when a reader looks at captures of these groups' men first, and
    /// the groups among them that it must not look at.
    pub fn relax(
        &self,
        allowed: Allowed,
        trusted: u8,
        home: Square,
        picture: u64,
    ) -> (Allowed, u8) {
        let mut men = [home; MAX_OTHERS];
        let mut fixed = Set::of(home);
        for (&(first, count, stride), squares) in self.groups.iter().zip(&self.squares) {
            let rank = picture / stride % squares.len() as u64;
            let of = &squares[rank as usize];
            men[first..first + count].copy_from_slice(of);
            for &square in of {
                if fixed.contains(square) {
                    return (allowed, 0);
                }
                fixed.insert(square);
            }
        }
        let known = |category: usize| {
            let others = (0..CATEGORIES).filter(|&other| other != category);
            allowed.0[category] & !others.fold(0, |any, other| any | allowed.0[other])
        };
        let known: Masks = std::array::from_fn(known);
        if known.iter().all(|&mask| mask == 0) {
            return (allowed, 0);
        }
        let mut best: Masks = [0; CATEGORIES];
        let mut wrong = 0;
        for (group, after) in self.after.iter().enumerate() {
            let Some(after) = after.as_ref().filter(|_| trusted >> group & 1 != 0) else {
                continue;
            };
            let found = self.taking(group, after, home, &men[..self.men.len()], fixed);
            for (category, &better) in found.iter().enumerate() {
                if known[..category].iter().any(|worse| worse & better != 0) {
                    wrong |= 1 << group;
                }
                best[category] |= better;
            }
        }
        let mut relaxed = allowed;
        let mut seen = 0;
        for category in (0..CATEGORIES).rev() {
            let here = known[category] & best[category] & !seen;
            seen |= best[category];
            for worse in &mut relaxed.0[..category] {
                *worse |= here;
            }
        }
        (relaxed, wrong)
    }

    /// By category: the squares of the runner with which a man of a group can be taken for
    /// that.
    fn taking(
        &self,
        group: usize,
        after: &Unfolded,
        home: Square,
        men: &[Square],
        fixed: Set,
    ) -> Masks {
        let mut found: Masks = [0; CATEGORIES];
        let (first, count, _) = self.groups[group];
        let king = |square: Square| {
            self.variant.reach.strikes(Man::new(self.mover, Kind::King), square, Set::EMPTY)
        };
        for taken in first..first + count {
            let target = men[taken];
            let left = men.len() - 1;
            let mut rest = [home; MAX_OTHERS];
            let others = men.iter().enumerate().filter(|&(place, _)| place != taken);
            for (to, (_, &square)) in rest.iter_mut().zip(others) {
                *to = square;
            }
            let rest = &mut rest[..left];
            let mut add = |masks: &Masks, where_not: u64| {
                for (category, found) in Category::ALL.iter().zip(&mut found) {
                    *found |= masks[category.reversed().index()] & !where_not;
                }
            };
            if self.runner == self.mover {
                let there = after.masks(home, rest).map(|mask| {
                    let there = mask >> target.index() & 1 != 0;
                    if there { king(target).0 } else { 0 }
                });
                add(&there, 0);
            } else if king(home).contains(target) {
                add(after.masks(target, rest), 0);
            }
            for (taker, &man) in self.men.iter().enumerate() {
                let from = men[taker];
                if man.side != self.mover
                    || man.kind == Kind::Pawn
                    || !self.reach[taker][from.index()].contains(target)
                {
                    continue;
                }
                let way = self.in_the_way[taker][from.index() * SQUARES + target.index()];
                let way = way - Set::of(target) - Set::of(from);
                if !(way & fixed).is_empty() {
                    continue;
                }
                let mut moved = [home; MAX_OTHERS];
                let others = men.iter().enumerate().filter(|&(place, _)| place != taken);
                for (to, (place, &square)) in moved.iter_mut().zip(others) {
                    *to = if place == taker { target } else { square };
                }
                add(after.masks(home, &mut moved[..left]), way.0);
            }
        }
        found
    }
}
