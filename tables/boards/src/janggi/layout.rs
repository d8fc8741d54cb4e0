//! The numbers of positions of Janggi.
//!
//! ```text
//! slot = side to move, pair of generals (45, the mirror left out), then each kind of men of each
//!        side as a set of the points it can stand on: 90, a guard 9, a soldier 63
//! ```

use super::material::Material;
use super::points::{POINTS, each, mirrored, turned};
use super::position::{Kind, Position};
use crate::sets::{choose, members, number};
use std::sync::OnceLock;

const PAIRS: u64 = 45;
/// Maximum number of groups of like men in a numbered material, and maximum number of men of a
/// group.
const GROUPS: usize = 6;
pub(super) const MOST: usize = 5;

/// The number of points a kind can stand on.
fn domain(kind: Kind) -> usize {
    match kind {
        Kind::General | Kind::Guard => 9,
        Kind::Soldier => 63,
        _ => 90,
    }
}

/// The index of a point among the points that a man can stand on; `None` if the man cannot stand on
/// the point.
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

/// Maximum number of sets of a group that are stored; sets of larger groups are computed when
/// needed.
const STORED: u64 = 1 << 20;

/// A set of like men.
#[derive(Clone, Copy, Debug)]
pub(super) struct Set {
    /// The members in ascending order.
    pub members: [u8; MOST],
    /// The number of the mirror image.
    pub mirrored: u32,
}

/// Like men of one side.
#[derive(Debug)]
pub(super) struct Group {
    pub side: usize,
    pub kind: Kind,
    pub count: usize,
    pub sets: u64,
    pub stride: u64,
    /// The index of each point; `u8::MAX` for points that the men cannot stand on.
    pub indices: [u8; POINTS],
    /// All sets by number, after [`Layout::prepare`], if the group does not have too many sets.
    stored: OnceLock<Vec<Set>>,
}

impl Group {
    fn new(side: usize, kind: Kind, count: usize, stride: u64) -> Group {
        let sets = choose(domain(kind), count);
        let indices = indices(side, kind);
        Group { side, kind, count, sets, stride, indices, stored: OnceLock::new() }
    }

    /// The set with a number.
    #[inline]
    pub fn set(&self, set: u64) -> Set {
        let stored = self.stored.get().and_then(|stored| stored.get(set as usize));
        stored.copied().unwrap_or_else(|| self.compute(set))
    }

    fn compute(&self, set: u64) -> Set {
        let (mut found, mut mirrored, mut count) = ([0; MOST], [0; MOST], 0);
        members(set, self.count, |member| {
            insert(&mut mirrored, &mut { count }, self.mirror(member));
            count += 1;
            found[self.count - count] = member;
        });
        Set { members: found, mirrored: set_number(&mirrored[..self.count]) as u32 }
    }

    /// The part of the group in a number. `rest` are all men of the group except one, `index` is
    /// the index of that man.
    #[inline]
    pub fn part_with(&self, rest: &[u8; MOST], index: u8) -> u64 {
        let set = match (self.count, rest[0]) {
            (1, _) => index.into(),
            (2, other) => choose(index.max(other).into(), 2) + u64::from(index.min(other)),
            _ => {
                let (mut men, mut count) = (*rest, self.count - 1);
                insert(&mut men, &mut count, index);
                set_number(&men[..count])
            }
        };
        self.stride * set
    }

    /// The point of an index.
    #[inline]
    pub fn point(&self, index: u8) -> u8 {
        point(self.side, self.kind, index)
    }

    /// The index of the mirror image of an index.
    #[inline]
    fn mirror(&self, index: u8) -> u8 {
        let files = if self.kind == Kind::Guard { 3 } else { 9 };
        index / files * files + files - 1 - index % files
    }
}

/// The index of each point for a kind of men, or `u8::MAX`.
pub(super) fn indices(side: usize, kind: Kind) -> [u8; POINTS] {
    std::array::from_fn(|point| index(side, kind, point as u8).unwrap_or(u8::MAX))
}

/// The generals of each pair, and the pair of two indices of generals; `u8::MAX` if only the mirror
/// image has a pair.
pub(super) fn pairs() -> (Vec<[u8; 2]>, [[u8; 9]; 9]) {
    let (mut generals, mut pairs) = (Vec::new(), [[u8::MAX; 9]; 9]);
    for first in 0..9 {
        for second in 0..9 {
            if first % 3 == 0 || (first % 3 == 1 && second % 3 <= 1) {
                pairs[usize::from(first)][usize::from(second)] = generals.len() as u8;
                generals.push([point(0, Kind::General, first), point(1, Kind::General, second)]);
            }
        }
    }
    (generals, pairs)
}

/// The numbers of a placement: the pair of generals, and the set of each group.
#[derive(Clone, Copy, Debug)]
struct Placement {
    pair: usize,
    sets: [u64; GROUPS],
}

/// The numbering of a material.
#[derive(Debug)]
pub struct Layout {
    pub(super) material: Material,
    pub(super) groups: Vec<Group>,
    /// The group of a kind, by side.
    group: [[u8; 7]; 2],
    /// Number of placements with one side to move.
    placements: u64,
    /// Number of placements of all men except the generals, for one pair of generals.
    sets: u64,
    /// The generals of a pair, and the pair of two generals in their palaces.
    generals: Vec<[u8; 2]>,
    pairs: [[u8; 9]; 9],
    /// The index of each point of a palace, by side.
    palaces: [[u8; POINTS]; 2],
    /// Layouts of the materials after captures and forfeits, made on first use.
    smaller: OnceLock<Vec<Layout>>,
}

impl Layout {
    pub(super) fn new(material: Material) -> Layout {
        let (mut groups, mut group, mut stride) = (Vec::new(), [[u8::MAX; 7]; 2], 1);
        for (side, group) in group.iter_mut().enumerate() {
            for kind in &Kind::ALL[1..] {
                let count = usize::from(material.armies[side][*kind as usize - 1]);
                if count > 0 {
                    group[*kind as usize] = groups.len() as u8;
                    let men = Group::new(side, *kind, count, stride);
                    stride *= men.sets;
                    groups.push(men);
                }
            }
        }
        let (generals, pairs) = pairs();
        let palaces = [0, 1].map(|side| indices(side, Kind::General));
        let (placements, smaller) = (PAIRS * stride, OnceLock::new());
        Layout {
            material,
            groups,
            group,
            placements,
            sets: stride,
            generals,
            pairs,
            palaces,
            smaller,
        }
    }

    /// Stores the sets of all groups that do not have too many.
    pub(super) fn prepare(&self) {
        for group in self.groups.iter().filter(|group| group.sets <= STORED) {
            group.stored.get_or_init(|| (0..group.sets).map(|set| group.compute(set)).collect());
        }
    }

    /// The layouts of the materials that captures and forfeits lead to.
    pub(super) fn subtables(&self) -> &[Layout] {
        let smaller = || self.material.subtables(true).into_iter().map(Layout::new).collect();
        self.smaller.get_or_init(smaller)
    }

    /// The number of placements of all men except the generals.
    pub(super) fn frames(&self) -> u64 {
        self.sets
    }

    /// The slot of a pair of generals and a placement of the other men.
    #[inline]
    pub(super) fn slot(&self, side: u64, pair: u8, frame: u64) -> u64 {
        side * self.placements + u64::from(pair) * self.sets + frame
    }

    /// The number of a placement of the men besides the generals.
    pub(super) fn number_of(&self, placed: impl Iterator<Item = (usize, Kind, u8)>) -> u64 {
        let (mut men, mut counts) = ([[0; MOST]; GROUPS], [0; GROUPS]);
        for (side, kind, point) in placed {
            let number = usize::from(self.group[side][kind as usize]);
            let index = self.groups[number].indices[usize::from(point)];
            insert(&mut men[number], &mut counts[number], index);
        }
        let sets = self.groups.iter().zip(&men);
        sets.map(|(group, men)| group.stride * set_number(&men[..group.count])).sum()
    }

    pub(super) fn size(&self) -> u64 {
        if self.material.is_even() { self.placements } else { 2 * self.placements }
    }

    /// Whether the sides are exchanged in the numbering.
    #[inline]
    fn is_exchanged(&self, position: &Position) -> bool {
        let Material { armies: [first, second], forfeits } = self.material;
        if first == second {
            return if forfeits == 0 { position.side == 1 } else { position.forfeits == 2 };
        }
        position.armies[0][1..] != first
    }

    #[inline]
    pub(super) fn rank(&self, position: &Position) -> u64 {
        let exchange = self.is_exchanged(position);
        let file = |side: usize| position.generals[side ^ usize::from(exchange)] % 9;
        let (first, second) = (file(0), file(1));
        let mirror = first > 4 || (first == 4 && second > 4);
        let placement = self.placement(position, exchange, mirror);
        let mut number = self.number(&placement);
        if (first, second) == (4, 4) {
            number = number.min(self.number(&self.mirrored(placement)));
        }
        (position.side ^ usize::from(exchange)) as u64 * self.placements + number
    }

    /// The number of a placement.
    #[inline]
    fn number(&self, placement: &Placement) -> u64 {
        let sets = self.groups.iter().zip(placement.sets).map(|(group, set)| group.stride * set);
        placement.pair as u64 * self.sets + sets.sum::<u64>()
    }

    /// The placement with a number.
    #[inline]
    fn numbered(&self, number: u64) -> Placement {
        let (pair, mut rest) = ((number / self.sets) as usize, number % self.sets);
        let mut sets = [0; GROUPS];
        for (set, group) in sets.iter_mut().zip(&self.groups) {
            (rest, *set) = (rest / group.sets, rest % group.sets);
        }
        Placement { pair, sets }
    }

    /// The mirror image of a placement with both generals on the middle file.
    #[inline]
    fn mirrored(&self, mut placement: Placement) -> Placement {
        for (set, group) in placement.sets.iter_mut().zip(&self.groups) {
            *set = group.set(*set).mirrored.into();
        }
        placement
    }

    /// The placement of a position, or of its image with the sides exchanged or mirrored.
    #[inline]
    fn placement(&self, position: &Position, exchange: bool, mirror: bool) -> Placement {
        let (mut generals, mut men) = ([0; 2], [[0; MOST]; GROUPS]);
        let mut counts = [0; GROUPS];
        for side in 0..2 {
            let owner = side ^ usize::from(exchange);
            for from in each(position.men[side]) {
                let kind = position.kind(from);
                let at = if exchange { turned(from) } else { from };
                let at = usize::from(if mirror { mirrored(at) } else { at });
                if kind == Kind::General {
                    generals[owner] = usize::from(self.palaces[owner][at]);
                    continue;
                }
                let number = usize::from(self.group[owner][kind as usize]);
                if let Some(group) = self.groups.get(number) {
                    insert(&mut men[number], &mut counts[number], group.indices[at]);
                }
            }
        }
        let mut sets = [0; GROUPS];
        for ((set, group), men) in sets.iter_mut().zip(&self.groups).zip(&men) {
            *set = set_number(&men[..group.count]);
        }
        Placement { pair: self.pairs[generals[0]][generals[1]].into(), sets }
    }

    /// Whether both generals of a pair are on the middle file.
    #[inline]
    fn is_in_line(&self, pair: usize) -> bool {
        self.generals[pair].iter().all(|general| general % 9 == 4)
    }

    #[inline]
    pub(super) fn unrank(&self, slot: u64) -> Option<Position> {
        let (side, number) = (slot / self.placements, slot % self.placements);
        let placement = self.numbered(number);
        let mut position = Position::empty(side as usize, self.material.forfeits);
        let generals = self.generals[placement.pair];
        position.put(0, Kind::General, generals[0]);
        position.put(1, Kind::General, generals[1]);
        for (group, set) in self.groups.iter().zip(placement.sets) {
            for &index in &group.set(set).members[..group.count] {
                let at = point(group.side, group.kind, index);
                if !position.is_empty(at) {
                    return None;
                }
                position.put(group.side, group.kind, at);
            }
        }
        let is_least =
            !self.is_in_line(placement.pair) || self.number(&self.mirrored(placement)) >= number;
        is_least.then_some(position)
    }
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
