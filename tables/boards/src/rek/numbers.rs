//! Numbers of positions, made of the number of the kings and the side to move, and the numbers of
//! the men of each side.

use super::board::{Material, each};
use crate::sets::{choose, members, number};

/// The exchange of ranks and files.
pub const TRANSPOSED: u8 = 4;

/// The image of a square: bit 0 exchanges left and right, bit 1 up and down, bit 2 then ranks and
/// files.
#[inline]
pub fn image(square: u8, symmetry: u8) -> u8 {
    let square =
        square ^ if symmetry & 1 != 0 { 7 } else { 0 } ^ if symmetry & 2 != 0 { 56 } else { 0 };
    if symmetry & TRANSPOSED != 0 { square % 8 * 8 + square / 8 } else { square }
}

/// The images of a set of squares.
#[inline]
pub fn images(mut set: u64, symmetry: u8) -> u64 {
    if symmetry & 1 != 0 {
        set = set.reverse_bits().swap_bytes();
    }
    if symmetry & 2 != 0 {
        set = set.swap_bytes();
    }
    if symmetry & TRANSPOSED != 0 {
        // Within blocks of two by two, then four by four, then eight by eight.
        for (shift, moved) in
            [(7, 0x00AA_00AA_00AA_00AA), (14, 0xCCCC_0000_CCCC), (28, 0xF0F0_F0F0)]
        {
            let changed = (set ^ set >> shift) & moved;
            set ^= changed ^ changed << shift;
        }
    }
    set
}

/// The number of sets of this many men.
#[inline]
pub fn sets(count: u8) -> u64 {
    choose(62, count.into())
}

/// Removes the squares of the kings from the numbering of squares in a set.
#[inline]
fn without(kings: [u8; 2], set: u64) -> u64 {
    let remove = |set: u64, square: u8| {
        let below = (1 << square) - 1;
        set & below | set >> 1 & !below
    };
    remove(remove(set, kings[0].max(kings[1])), kings[0].min(kings[1]))
}

/// The inverse of [`without`]: inserts the squares of the kings.
#[inline]
fn within(kings: [u8; 2], set: u64) -> u64 {
    let insert = |set: u64, square: u8| {
        let below = (1 << square) - 1;
        set & below | (set & !below) << 1
    };
    insert(insert(set, kings[0].min(kings[1])), kings[0].max(kings[1]))
}

/// The set of `count` men with a number, in the numbering without the squares of the kings.
#[inline]
fn set_of(number: u64, count: u8) -> u64 {
    let mut set = 0;
    members(number, count.into(), |index| set |= 1 << index);
    set
}

/// The numbering of the positions with some kings and a side to move.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    /// The material of the positions.
    pub material: Material,
    /// Whether the sides are exchanged.
    pub exchanged: bool,
    /// The symmetry that maps the kings to the kings of the numbering.
    pub symmetry: u8,
    /// The kings of the numbering.
    pub kings: [u8; 2],
    /// The number of the kings with the side to move.
    pub first: u64,
}

impl Slots {
    /// The number of a set of men.
    #[inline]
    fn number(&self, men: u64) -> u64 {
        number(each(without(self.kings, images(men, self.symmetry))))
    }

    /// The slot of some men.
    #[inline]
    pub fn slot(&self, [first, second]: [u64; 2]) -> u64 {
        let [first, second] = if self.exchanged { [second, first] } else { [first, second] };
        let [sets, more] = self.material.0.map(sets);
        (self.first * sets + self.number(first)) * more + self.number(second)
    }

    /// Whether a move of a man to a target leads to a slot that meets the condition `is`.
    #[inline]
    pub fn reaches(
        &self,
        men: [u64; 2],
        side: usize,
        from: u8,
        targets: u64,
        mut is: impl FnMut(u64) -> bool,
    ) -> bool {
        if targets == 0 {
            return false;
        }
        let [sets, more] = self.material.0.map(sets);
        let first = self.first * sets * more;
        let kept = self.number(men[1 - side]);
        let is_first = (side == 0) != self.exchanged;
        let (base, stride) = if is_first { (first + kept, more) } else { (first + kept * more, 1) };
        let of = |set| without(self.kings, images(set, self.symmetry));
        let rest = of(men[side] & !(1 << from));
        each(of(targets)).any(|to| is(base + stride * number(each(rest | 1 << to))))
    }
}

/// A set of men in the numbering without the squares of the kings, and the number of the set.
#[derive(Clone, Copy)]
struct Walk {
    number: u64,
    set: u64,
    count: u8,
}

impl Walk {
    fn new(count: u8) -> Walk {
        Walk { number: 0, set: (1 << count) - 1, count }
    }

    /// The set with another number. If the number is one of the next few, the set is found step by
    /// step.
    #[inline]
    fn at(&mut self, number: u64) -> u64 {
        if number.wrapping_sub(self.number) > 8 {
            self.set = set_of(number, self.count);
        } else {
            for _ in self.number..number {
                // The lowest member with a free bit above it moves up; the members below move to
                // the bottom.
                let moved = self.set + (self.set & self.set.wrapping_neg());
                let below = (self.set ^ moved) >> 2 >> self.set.trailing_zeros();
                self.set = moved | below;
            }
        }
        self.number = number;
        self.set
    }
}

/// Calls `each` with the slots of a material in which no two men share a square, in ascending
/// order. The other arguments of `each` are the number of the kings and the side to move, and the
/// men. `kings` returns the kings of a number.
#[inline]
pub fn positions(
    material: Material,
    slots: impl Iterator<Item = u64>,
    kings: impl Fn(u64) -> [u8; 2],
    mut each: impl FnMut(u64, u64, [u64; 2]),
) {
    let [sets, more] = material.0.map(sets);
    let [mut outer, mut inner] = material.0.map(Walk::new);
    // The slots with the men of the first side on the same squares.
    let (mut begin, mut end) = (0, 0);
    let (mut first, mut both, mut men) = (0, [0; 2], 0);
    for slot in slots {
        if !(begin..end).contains(&slot) {
            let row = slot / more;
            (begin, end) = (row * more, (row + 1) * more);
            first = row / sets;
            both = kings(first);
            men = within(both, outer.at(row % sets));
        }
        let others = within(both, inner.at(slot - begin));
        if men & others == 0 {
            each(slot, first, [men, others]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_images_of_a_set_are_those_of_its_squares() {
        for symmetry in 0..8 {
            for square in 0..64 {
                assert_eq!(images(1 << square, symmetry), 1 << image(square, symmetry));
            }
        }
    }

    #[test]
    fn squares_without_the_kings_leave_no_gap() {
        for kings in [[8, 55], [0, 63], [63, 62], [31, 3]] {
            let free = !(1 << kings[0] | 1 << kings[1]);
            assert_eq!(without(kings, free), u64::MAX >> 2);
            each(free).for_each(|square| {
                assert_eq!(within(kings, without(kings, 1 << square)), 1 << square);
            });
        }
    }
}
