//! Materials of Janggi as tiers, and the numbers of their positions.
//!
//! ```text
//! slot = side to move, pair of generals (45, the mirror left out), then each kind of men of each
//!        side as a set of the points it can stand on: 90, a guard 9, a soldier 63
//! ```
//!
//! The first side of a tier is the stronger one; its positions are turned so that it is Cho. With equal
//! men and no forfeit that side is to move.

use super::points::each;
use super::position::{Kind, Position};
use crate::sets::{choose, members, number};
use std::cmp::Ordering;
use std::fmt;

/// The men of both sides besides the generals, the stronger first, and who has forfeited the win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tier {
    /// By kind, without the general.
    pub armies: [[u8; 6]; 2],
    /// 1 if the first side has forfeited, 2 if the second has.
    pub forfeits: u8,
}

/// The points that a man is worth.
const WORTH: [u8; 6] = [13, 7, 5, 3, 3, 2];
/// Letters of men in names of tiers, by kind.
pub(super) const LETTERS: [char; 7] = ['K', 'R', 'C', 'H', 'E', 'A', 'P'];
const PAIRS: u64 = 45;
/// The most groups of like men, and the most men of a group, of a tier that is numbered.
const GROUPS: usize = 6;
const MOST: usize = 5;

/// By worth, then by the most valuable men.
fn compare(first: &[u8; 6], second: &[u8; 6]) -> Ordering {
    let worth = |army: &[u8; 6]| {
        army.iter().zip(WORTH).map(|(&men, worth)| u32::from(men) * u32::from(worth)).sum::<u32>()
    };
    worth(first).cmp(&worth(second)).then(first.cmp(second))
}

impl Tier {
    /// The tier with these men, and whether the sides are exchanged in it.
    pub fn new(armies: [[u8; 6]; 2], forfeits: u8) -> (Tier, bool) {
        let exchanged = match compare(&armies[0], &armies[1]) {
            Ordering::Less => true,
            Ordering::Equal => forfeits == 2,
            Ordering::Greater => false,
        };
        match exchanged {
            false => (Tier { armies, forfeits }, false),
            true => {
                let forfeits = forfeits >> 1 | (forfeits & 1) << 1;
                (Tier { armies: [armies[1], armies[0]], forfeits }, true)
            }
        }
    }

    /// The tier of a position, and whether its sides are exchanged in it.
    pub fn of(position: &Position) -> (Tier, bool) {
        let mut armies = [[0; 6]; 2];
        for (army, men) in armies.iter_mut().zip(position.men) {
            for point in each(men) {
                if let Some(kind) = (position.kind(point) as usize).checked_sub(1) {
                    army[kind] += 1;
                }
            }
        }
        let (tier, exchanged) = Tier::new(armies, position.forfeits);
        (tier, exchanged || (tier.is_even() && position.side == 1))
    }

    /// Whether exchanging the sides gives positions of the same tier.
    pub fn is_even(&self) -> bool {
        self.armies[0] == self.armies[1] && self.forfeits == 0
    }

    /// The number of men, generals included.
    pub fn men(&self) -> u8 {
        2 + self.armies.iter().flatten().sum::<u8>()
    }

    /// The tiers that captures lead to, and those of forfeits if they count.
    pub fn smaller(&self, forfeits: bool) -> Vec<Tier> {
        let mut found = Vec::new();
        for mover in 0..2 {
            let mut after = vec![self.armies];
            for kind in 0..6 {
                if self.armies[1 - mover][kind] > 0 {
                    let mut armies = self.armies;
                    armies[1 - mover][kind] -= 1;
                    after.push(armies);
                }
            }
            let forfeited = self.forfeits | 1 << mover;
            for armies in after {
                found.push(Tier::new(armies, self.forfeits).0);
                if forfeits && forfeited != 3 {
                    found.push(Tier::new(armies, forfeited).0);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|tier| tier != self);
        found
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |army: &[u8; 6]| {
            let men = (1..7).flat_map(|kind| (0..army[kind - 1]).map(move |_| LETTERS[kind]));
            std::iter::once('K').chain(men).collect::<String>()
        };
        write!(formatter, "{}v{}", side(&self.armies[0]), side(&self.armies[1]))?;
        match self.forfeits {
            0 => Ok(()),
            side => write!(formatter, "-{side}"),
        }
    }
}

/// The number of points a kind can stand on.
fn domain(kind: Kind) -> usize {
    match kind {
        Kind::General | Kind::Guard => 9,
        Kind::Soldier => 63,
        _ => 90,
    }
}

/// The number of a point among those a man can stand on; `None` if it cannot.
#[inline]
pub(super) fn index(side: usize, kind: Kind, point: u8) -> Option<u8> {
    match kind {
        Kind::General | Kind::Guard => {
            let inside = super::points::palace(point) == Some(side);
            inside.then(|| (point / 9 - 7 * side as u8) * 3 + point % 9 - 3)
        }
        Kind::Soldier if side == 0 => point.checked_sub(27),
        Kind::Soldier => (point < 63).then_some(point),
        _ => Some(point),
    }
}

#[inline]
fn point(side: usize, kind: Kind, index: u8) -> u8 {
    match kind {
        Kind::General | Kind::Guard => (index / 3 + 7 * side as u8) * 9 + index % 3 + 3,
        Kind::Soldier if side == 0 => index + 27,
        _ => index,
    }
}

/// Like men of one side.
#[derive(Debug)]
struct Group {
    side: usize,
    kind: Kind,
    count: usize,
    sets: u64,
    stride: u64,
    /// The members of each set, for groups with few sets.
    members: Vec<[u8; 3]>,
}

/// The numbering of a tier.
#[derive(Debug)]
pub struct Layout {
    tier: Tier,
    groups: Vec<Group>,
    /// The group of a kind, by side.
    group: [[u8; 7]; 2],
    /// The placements of one side to move.
    placements: u64,
    /// All men but the generals in one pair of generals.
    sets: u64,
    /// The generals of a pair, and the pair of two generals in their palaces.
    generals: Vec<[u8; 2]>,
    pairs: [[u8; 9]; 9],
}

impl Layout {
    pub(super) fn new(tier: Tier) -> Layout {
        let (mut groups, mut group, mut stride) = (Vec::new(), [[u8::MAX; 7]; 2], 1);
        for (side, group) in group.iter_mut().enumerate() {
            for kind in &Kind::ALL[1..] {
                let count = usize::from(tier.armies[side][*kind as usize - 1]);
                if count == 0 {
                    continue;
                }
                let sets = choose(domain(*kind), count);
                let members = (0..if count > 3 { 0 } else { sets }).map(|set| {
                    let (mut found, mut at) = ([0; 3], 0);
                    members(set, count, |member| {
                        found[at] = member;
                        at += 1;
                    });
                    found
                });
                group[*kind as usize] = groups.len() as u8;
                groups.push(Group {
                    side,
                    kind: *kind,
                    count,
                    sets,
                    stride,
                    members: members.collect(),
                });
                stride *= sets;
            }
        }
        let (mut generals, mut pairs) = (Vec::new(), [[u8::MAX; 9]; 9]);
        for first in 0..9 {
            for second in 0..9 {
                if first % 3 == 0 || (first % 3 == 1 && second % 3 <= 1) {
                    pairs[usize::from(first)][usize::from(second)] = generals.len() as u8;
                    generals
                        .push([point(0, Kind::General, first), point(1, Kind::General, second)]);
                }
            }
        }
        Layout { tier, groups, group, placements: PAIRS * stride, sets: stride, generals, pairs }
    }

    pub(super) fn size(&self) -> u64 {
        if self.tier.is_even() { self.placements } else { 2 * self.placements }
    }

    /// Whether the sides are exchanged in the numbering.
    #[inline]
    fn is_exchanged(&self, position: &Position) -> bool {
        let Tier { armies: [first, second], forfeits } = self.tier;
        if first == second {
            return if forfeits == 0 { position.side == 1 } else { position.forfeits == 2 };
        }
        let mut men = [0; 7];
        each(position.men[0]).for_each(|point| men[position.kind(point) as usize] += 1);
        men[1..] != first
    }

    #[inline]
    pub(super) fn rank(&self, position: &Position) -> u64 {
        let exchange = self.is_exchanged(position);
        let file = |side: usize| position.generals[side ^ usize::from(exchange)] % 9;
        let placement = match (file(0), file(1)) {
            (4, 4) => {
                self.place(position, exchange, false).min(self.place(position, exchange, true))
            }
            (4, second) => self.place(position, exchange, second > 4),
            (first, _) => self.place(position, exchange, first > 4),
        };
        (position.side ^ usize::from(exchange)) as u64 * self.placements + placement
    }

    /// The number of a placement, of its exchange or of its mirror image.
    #[inline]
    fn place(&self, position: &Position, exchange: bool, mirror: bool) -> u64 {
        let Squares { generals, men, .. } = self.squares(position, exchange, mirror);
        let pair = self.pairs[usize::from(generals[0])][usize::from(generals[1])];
        let sets = self.groups.iter().zip(&men);
        let sets = sets.map(|(group, men)| group.stride * set_number(&men[..group.count]));
        u64::from(pair) * self.sets + sets.sum::<u64>()
    }

    /// What stands where, of a position, its exchange or its mirror image.
    #[inline]
    fn squares(&self, position: &Position, exchange: bool, mirror: bool) -> Squares {
        let mut squares = Squares { generals: [0; 2], men: [[0; MOST]; GROUPS] };
        let mut counts = [0; GROUPS];
        for side in 0..2 {
            let turned = side ^ usize::from(exchange);
            for from in each(position.men[side]) {
                let kind = position.kind(from);
                let at = if exchange { (9 - from / 9) * 9 + from % 9 } else { from };
                let at = if mirror { at / 9 * 9 + 8 - at % 9 } else { at };
                let index = index(turned, kind, at).unwrap_or(0);
                if kind == Kind::General {
                    squares.generals[turned] = index;
                    continue;
                }
                let group = usize::from(self.group[turned][kind as usize]);
                if let (Some(men), Some(count)) =
                    (squares.men.get_mut(group), counts.get_mut(group))
                {
                    insert(men, count, index);
                }
            }
        }
        squares
    }

    #[inline]
    pub(super) fn unrank(&self, slot: u64) -> Option<Position> {
        let (side, placement) = (slot / self.placements, slot % self.placements);
        let mut position = Position::empty(side as usize, self.tier.forfeits);
        let generals = self.generals[(placement / self.sets) as usize];
        position.put(0, Kind::General, generals[0]);
        position.put(1, Kind::General, generals[1]);
        let mut rest = placement % self.sets;
        for group in &self.groups {
            let set = rest % group.sets;
            rest /= group.sets;
            let mut free = true;
            let mut put = |index| {
                let at = point(group.side, group.kind, index);
                free &= position.is_empty(at);
                position.put(group.side, group.kind, at);
            };
            match group.members.get(set as usize) {
                Some(members) => members[..group.count].iter().for_each(|&index| put(index)),
                None => members(set, group.count, put),
            }
            if !free {
                return None;
            }
        }
        let in_line = generals[0] % 9 == 4 && generals[1] % 9 == 4;
        (!in_line || self.place(&position, false, true) >= placement).then_some(position)
    }

    /// The numbers of positions that differ from this one in one man and the side to move. The
    /// position is that of [`Layout::unrank`].
    #[inline]
    pub(super) fn numbers(&self, slot: u64, position: &Position) -> Numbers {
        let in_line = position.generals.iter().all(|general| general % 9 == 4);
        let images = match (self.tier.is_even(), in_line) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => 2,
        };
        let other = if position.side == 0 { self.placements } else { 0 };
        let image = |mirror: bool| {
            let squares = self.squares(position, false, mirror);
            let slot = match mirror {
                false => slot % self.placements + other,
                true => self.place(position, false, true) + other,
            };
            Image { squares, slot, base: 0, rest: [0; MOST] }
        };
        let empty = Image {
            squares: Squares { generals: [0; 2], men: [[0; MOST]; GROUPS] },
            slot: 0,
            base: 0,
            rest: [0; MOST],
        };
        Numbers {
            images: [
                if images > 0 { image(false) } else { empty },
                if images > 1 { image(true) } else { empty },
            ],
            count: images,
            side: 0,
            kind: Kind::General,
            stride: 0,
            others: 0,
        }
    }
}

/// What stands where: indices of generals, and of men by group in ascending order.
#[derive(Clone, Copy)]
struct Squares {
    generals: [u8; 2],
    men: [[u8; MOST]; GROUPS],
}

/// The number of a sorted set.
#[inline]
fn set_number(men: &[u8]) -> u64 {
    match *men {
        [man] => man.into(),
        [first, second] => choose(second.into(), 2) + u64::from(first),
        _ => number(men.iter().copied()),
    }
}

/// Inserts into a sorted set.
#[inline]
fn insert(squares: &mut [u8; MOST], count: &mut usize, index: u8) {
    let mut at = *count;
    while at > 0 && squares[at - 1] > index {
        squares[at] = squares[at - 1];
        at -= 1;
    }
    squares[at] = index;
    *count += 1;
}

/// A position or its mirror image, with one man lifted.
#[derive(Clone, Copy)]
struct Image {
    squares: Squares,
    /// The slot with the other side to move.
    slot: u64,
    /// That without the lifted man's group.
    base: u64,
    /// The group without the lifted man.
    rest: [u8; MOST],
}

/// See [`Layout::numbers`].
pub(super) struct Numbers {
    /// The position and, with both generals on the middle file, its mirror image.
    images: [Image; 2],
    /// How many of the images are there; none where a number does not follow from that of the
    /// position.
    count: usize,
    side: usize,
    kind: Kind,
    stride: u64,
    /// The men of the lifted man's group besides it.
    others: usize,
}

impl Numbers {
    /// Takes the man at a point.
    #[inline]
    pub(super) fn lift(&mut self, layout: &Layout, position: &Position, at: u8) {
        self.side = usize::from(position.men[1] >> at & 1 == 1);
        self.kind = position.kind(at);
        if self.kind == Kind::General {
            return;
        }
        let group = usize::from(layout.group[self.side][self.kind as usize]);
        let Group { count, stride, .. } = layout.groups[group];
        (self.stride, self.others) = (stride, count - 1);
        for (image, mirror) in self.images[..self.count].iter_mut().zip([false, true]) {
            let men = &image.squares.men[group][..count];
            image.base = image.slot - stride * set_number(men);
            let at = if mirror { at / 9 * 9 + 8 - at % 9 } else { at };
            let lifted = index(self.side, self.kind, at).unwrap_or(0);
            for (place, &man) in image.rest.iter_mut().zip(men.iter().filter(|&&man| man != lifted))
            {
                *place = man;
            }
        }
    }

    /// The slot with the other side to move and all men where they are.
    #[inline]
    pub(super) fn passed(&self) -> Option<u64> {
        // The position is that of a slot, so its own number is the least.
        (self.count > 0).then(|| self.images[0].slot)
    }

    /// The slot with the lifted man at a point. `None` if the man cannot stand there; `Some(None)` if
    /// the position has to be ranked.
    #[inline]
    pub(super) fn at(&self, layout: &Layout, at: u8) -> Option<Option<u64>> {
        let index_of = |mirror: bool| {
            index(self.side, self.kind, if mirror { at / 9 * 9 + 8 - at % 9 } else { at })
        };
        let index = index_of(false)?;
        if self.kind == Kind::General {
            let Image { squares, slot, .. } = &self.images[0];
            let mut generals = squares.generals;
            generals[self.side] = index;
            let pair = layout.pairs[usize::from(generals[0])][usize::from(generals[1])];
            // Not where the mirror image may have the number.
            let is_plain = self.count > 0
                && pair != u8::MAX
                && generals.iter().any(|general| general % 3 != 1);
            let rest = slot % layout.sets + (slot / layout.placements) * layout.placements;
            return Some(is_plain.then(|| rest + u64::from(pair) * layout.sets));
        }
        let number = |image: &Image, index: u8| {
            let number = match (self.others, image.rest[0]) {
                (0, _) => index.into(),
                (1, other) => choose(index.max(other).into(), 2) + u64::from(index.min(other)),
                _ => {
                    let (mut men, mut count) = (image.rest, self.others);
                    insert(&mut men, &mut count, index);
                    set_number(&men[..count])
                }
            };
            image.base + self.stride * number
        };
        let first = || number(&self.images[0], index);
        Some(match self.count {
            0 => None,
            1 => Some(first()),
            _ => Some(first().min(number(&self.images[1], index_of(true).unwrap_or(0)))),
        })
    }
}
