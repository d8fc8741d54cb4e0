//! Planes of Janggi: a bit for each place of both generals.
//!
//! A man goes its way point by point, with the places of the generals for which the way is free: at a point
//! those go in which a general stands there. A cannon has two such sets, before its screen and behind it.

use super::frame::{Frame, Man};
use super::layout::{Layout, Tier, indices, pairs};
use super::moves::leap_of;
use super::points::{Lines, PALACE, POINTS, each as each_point, palace};
use super::position::Kind;
use super::{Facing, Janggi};
use crate::planes::{Plane, Planes, Start, each as each_place};

/// A step of a general: places move up by so many bits, or down.
#[derive(Clone, Copy, Debug)]
struct Step {
    bits: i8,
    /// The places from which it can be made.
    from: Plane,
}

impl Step {
    /// The places from which the step leads into a plane.
    #[inline]
    fn back(self, plane: Plane) -> Plane {
        let bits = self.bits.unsigned_abs();
        self.from & if self.bits > 0 { plane >> bits } else { plane << bits }
    }
}

/// The places of both generals: nine times the index of the first, and that of the second.
#[derive(Debug)]
pub struct Generals {
    all: Plane,
    /// Where the general of a side is on a point.
    at: [[Plane; POINTS]; 2],
    /// Where one of them is.
    any: [Plane; POINTS],
    /// Where both are on one file.
    in_file: Plane,
    /// Where both are on one file with the point between them.
    between: [Plane; POINTS],
    steps: [Vec<Step>; 2],
    /// The pair of each place and whether it is that of the mirror image (1) or of the lesser of both
    /// (2). Then the same with the sides exchanged.
    pairs: [[(u8, u8); 81]; 2],
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

    /// The places from which the general of a side steps into a plane.
    #[inline]
    fn steps(&self, side: usize, plane: Plane) -> Plane {
        self.steps[side].iter().fold(0, |places, step| places | step.back(plane))
    }

    /// The places in which the generals face each other with men on some points.
    #[inline]
    fn facing(&self, men: impl Iterator<Item = u8>) -> Plane {
        men.fold(self.in_file, |places, man| places & !self.between[usize::from(man)])
    }
}

impl Janggi {
    /// Calls `each` with the points that a man reaches, and for which places of the generals.
    #[inline]
    fn walk(&self, frame: &Frame, man: &Man, mut each: impl FnMut(u8, Plane)) {
        let any = |point: u8| self.generals.any[usize::from(point)];
        match man.kind {
            Kind::Chariot => {
                for path in self.lines.paths(man.point) {
                    let mut free = Plane::MAX;
                    for &point in path {
                        each(point, free);
                        free &= !any(point);
                        if frame.man(point).is_some() || free == 0 {
                            break;
                        }
                    }
                }
            }
            Kind::Cannon => {
                for path in self.lines.paths(man.point) {
                    // Without a screen so far, and with one.
                    let (mut none, mut one) = (Plane::MAX, 0);
                    for &point in path {
                        let other = frame.man(point);
                        if other.is_some_and(|other| other.kind == Kind::Cannon) {
                            break;
                        }
                        if one != 0 {
                            each(point, one);
                        }
                        let screen = if other.is_some() { Plane::MAX } else { any(point) };
                        one = one & !screen | none & screen;
                        none &= !screen;
                        if none | one == 0 {
                            break;
                        }
                    }
                }
            }
            kind => {
                for leap in self.lines.leaps(leap_of(kind, man.side), man.point) {
                    let mut free = Plane::MAX;
                    for point in each_point(leap.over) {
                        free &= if frame.man(point).is_some() { 0 } else { !any(point) };
                    }
                    if free != 0 {
                        each(leap.to, free);
                    }
                }
            }
        }
    }

    /// The places in which the generals face each other, if that offers a draw.
    #[inline]
    fn offers(&self, frame: &Frame) -> Plane {
        match self.facing {
            Facing::DrawOffer => self.generals.facing(frame.men().iter().map(|man| man.point)),
            _ => 0,
        }
    }
}

impl Planes<Janggi> for Janggi {
    type Frame = Frame;

    fn frames(&self, layout: &Layout) -> u64 {
        layout.frames()
    }

    #[inline]
    fn frame(&self, layout: &Layout, number: u64) -> Option<Frame> {
        layout.frame(number)
    }

    fn image(&self, frame: &Frame) -> u64 {
        frame.image
    }

    #[inline]
    fn imaged(&self, plane: Plane) -> Plane {
        // The left file of each palace goes to the right.
        const SECOND: Plane = left(1);
        const FIRST: Plane = left(9);
        let plane = (plane & SECOND) << 2 | plane & SECOND << 1 | plane >> 2 & SECOND;
        (plane & FIRST) << 18 | plane & FIRST << 9 | plane >> 18 & FIRST
    }

    fn start(&self, frame: &Frame, side: usize) -> Start {
        let Generals { all, at, any, .. } = &self.generals;
        let mut legal = *all;
        for man in frame.men() {
            legal &= !any[usize::from(man.point)];
            if man.side == side {
                // The side to move could take the general.
                self.walk(frame, man, |to, places| {
                    legal &= !(places & at[1 - side][usize::from(to)]);
                });
            }
        }
        Start { legal, draws: self.offers(frame) }
    }

    #[inline]
    fn movers(
        &self,
        layout: &Layout,
        frame: &Frame,
        side: usize,
        wanted: Plane,
        plane: impl Fn(u64) -> Plane,
    ) -> Plane {
        let Generals { any, between, .. } = &self.generals;
        let facing = self.offers(frame);
        let here = plane(frame.number);
        // The pass, and the steps of the general; who moves must not face again.
        let free = here & !facing;
        let mut found = free & !facing
            | self.generals.steps(side, here) & !facing
            | self.generals.steps(side, free) & facing;
        for man in frame.men() {
            if man.side != side || wanted & !found == 0 {
                continue;
            }
            self.walk(frame, man, |to, places| {
                let at = usize::from(to);
                let able = wanted & !found & places & !any[at] & (!facing | between[at]);
                if able != 0 && frame.man(to).is_none() {
                    found |= able & plane(layout.moved(man, to));
                }
            });
        }
        wanted & found
    }

    fn leaving(
        &self,
        layout: &Layout,
        frame: &Frame,
        side: usize,
        mut each: impl FnMut(Tier, Plane, &dyn Fn(u32) -> u64),
    ) {
        let Generals { any, at, steps, pairs, .. } = &self.generals;
        let facing = self.offers(frame);
        let mut take = |by: Option<&Man>, taken: &Man, places: Plane, bits: i32| {
            if let Some((tier, behind)) = layout.behind(frame, side, by, taken) {
                let pairs = &pairs[usize::from(behind.exchanged)];
                each(tier, places, &|place| {
                    behind.slot(pairs[place.wrapping_add_signed(bits) as usize])
                });
            }
        };
        for man in frame.men().iter().filter(|man| man.side == side) {
            self.walk(frame, man, |to, places| {
                if let Some(taken) = frame.man(to)
                    && taken.side != side
                {
                    // Generals that face each other still do.
                    let able = places & !any[usize::from(to)] & !facing;
                    take(Some(man), taken, able, 0);
                }
            });
        }
        let near = |man: &&Man| man.side != side && palace(man.point) == Some(side);
        for taken in frame.men().iter().filter(near) {
            let others = frame.men().iter().map(|man| man.point).filter(|&man| man != taken.point);
            let faces = match self.facing {
                Facing::DrawOffer => self.generals.facing(others),
                _ => 0,
            };
            for step in &steps[side] {
                let to = at[side][usize::from(taken.point)];
                let able = step.back(to) & !(step.back(to & faces) & facing);
                take(None, taken, able, step.bits.into());
            }
        }
    }

    #[inline]
    fn slots(
        &self,
        layout: &Layout,
        frame: &Frame,
        side: usize,
        places: Plane,
        mut each: impl FnMut(u64),
    ) {
        let here = layout.here(frame, side);
        let pairs = &self.generals.pairs[usize::from(here.exchanged)];
        each_place(places & self.generals.all)
            .for_each(|place| each(here.slot(pairs[place as usize])));
    }
}

/// The places with a general on the left file of its palace: the first, whose index counts nine, or the
/// second.
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
