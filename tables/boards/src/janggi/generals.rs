//! Planes of Janggi: a bit for each place of both generals.

use super::layout::{indices, pairs};
use super::points::{Lines, PALACE, POINTS, each as each_point};
use super::position::Kind;
use crate::planes::Plane;

/// A step of a general, which moves places up or down by a number of bits.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub bits: i8,
    /// The places from which the step can be made.
    from: Plane,
}

impl Step {
    /// The places from which the step leads into a plane.
    #[inline]
    pub fn back(self, plane: Plane) -> Plane {
        let bits = self.bits.unsigned_abs();
        self.from & if self.bits > 0 { plane >> bits } else { plane << bits }
    }
}

/// The places of both generals: nine times the index of the first general, plus the index of the
/// second.
#[derive(Debug)]
pub struct Generals {
    pub all: Plane,
    /// Places with the general of a side on a point.
    pub at: [[Plane; POINTS]; 2],
    /// Places with a general of either side on a point.
    pub any: [Plane; POINTS],
    /// Places with both generals on one file.
    pub in_file: Plane,
    /// Places with both generals on one file, and a point between them.
    pub between: [Plane; POINTS],
    pub steps: [Vec<Step>; 2],
    /// The pair of generals of each place, and the index of its frame: 1 for the mirror image, 2
    /// for the lower of both. Then the same with the sides exchanged.
    pub pairs: [[(u8, u8); 81]; 2],
}

impl Generals {
    pub fn new(lines: &Lines) -> Generals {
        let indices = [0, 1].map(|side| indices(side, Kind::General));
        let palaces = [0, 1].map(|side| {
            let mut points = [0; 9];
            for (point, &index) in (0..).zip(&indices[side]) {
                if let Some(place) = points.get_mut(usize::from(index)) {
                    *place = point;
                }
            }
            points
        });
        let (_, numbers) = pairs();
        let mut generals = Generals {
            all: (1 << 81) - 1,
            at: [[0; POINTS]; 2],
            any: [0; POINTS],
            in_file: 0,
            between: [0; POINTS],
            steps: [Vec::new(), Vec::new()],
            pairs: [[(0, 0); 81]; 2],
        };
        let turned = |index: usize| 6 - index / 3 * 3 + index % 3;
        let imaged = |index: usize| index / 3 * 3 + 2 - index % 3;
        for place in 0..81 {
            let index = [place / 9, place % 9];
            let point = [0, 1].map(|side| palaces[side][index[side]]);
            let bit = 1 << place;
            for side in 0..2 {
                generals.at[side][usize::from(point[side])] |= bit;
                generals.any[usize::from(point[side])] |= bit;
                for leap in lines.leaps(PALACE, point[side]) {
                    let to = indices[side][usize::from(leap.to)] as i8;
                    let bits = (to - index[side] as i8) * if side == 0 { 9 } else { 1 };
                    let steps = &mut generals.steps[side];
                    match steps.iter_mut().find(|step| step.bits == bits) {
                        Some(step) => step.from |= bit,
                        None => steps.push(Step { bits, from: bit }),
                    }
                }
            }
            if point[0] % 9 == point[1] % 9 {
                generals.in_file |= bit;
                let between = lines.between(point[0], point[1]).unwrap_or_default();
                each_point(between).for_each(|at| generals.between[usize::from(at)] |= bit);
            }
            let exchanged = [turned(index[1]), turned(index[0])];
            for (pairs, [first, second]) in generals.pairs.iter_mut().zip([index, exchanged]) {
                pairs[place] = match numbers[first][second] {
                    u8::MAX => (numbers[imaged(first)][imaged(second)], 1),
                    pair => (pair, if first % 3 == 1 && second % 3 == 1 { 2 } else { 0 }),
                };
            }
        }
        generals
    }
}

/// The places of the mirror images.
#[inline]
pub fn imaged(plane: Plane) -> Plane {
    // The left file of each palace becomes the right file.
    const SECOND: Plane = left(1);
    const FIRST: Plane = left(9);
    let plane = (plane & SECOND) << 2 | plane & SECOND << 1 | plane >> 2 & SECOND;
    (plane & FIRST) << 18 | plane & FIRST << 9 | plane >> 18 & FIRST
}

/// The places with a general on the left file of its palace. `unit` is 9 for the first general, 1
/// for the second.
const fn left(unit: usize) -> Plane {
    let (mut plane, mut place) = (0, 0);
    while place < 81 {
        if (place / unit).is_multiple_of(3) {
            plane |= 1 << place;
        }
        place += 1;
    }
    plane
}
