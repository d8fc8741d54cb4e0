//! Moves of Janggi for all places of both generals at once.
//!
//! A man walks point by point, with the set of places of the generals that leave its way free. A
//! general at a point removes its places from the set. A cannon has two sets, before its screen and
//! behind its screen.

use super::frame::{Frame, Man};
use super::generals::{self, Generals, Step};
use super::layout::Layout;
use super::material::Material;
use super::moves::leap_of;
use super::points::{each as each_point, palace};
use super::position::Kind;
use super::{Facing, Janggi};
use crate::game::BoardGame;
use crate::planes::{Leave, Plane, Planes, Start, Stuck, each as each_place};

impl Janggi {
    /// Calls `each` with the points that a man reaches, and with the places of the generals for
    /// which it reaches them.
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
                        if frame.kind(point).is_some() || free == 0 {
                            break;
                        }
                    }
                }
            }
            Kind::Cannon => {
                for path in self.lines.paths(man.point) {
                    // Places without a screen so far, and places with a screen.
                    let (mut none, mut one) = (Plane::MAX, 0);
                    for &point in path {
                        let other = frame.kind(point);
                        if other == Some(Kind::Cannon) {
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
                        free &= if frame.kind(point).is_some() { 0 } else { !any(point) };
                    }
                    if free != 0 {
                        each(leap.to, free);
                    }
                }
            }
        }
    }

    /// The places from which the general of a side steps into a plane.
    #[inline]
    fn steps(&self, side: usize, plane: Plane) -> Plane {
        self.generals.steps[side].iter().fold(0, |places, step| places | step.back(plane))
    }

    /// The places with a general on a man.
    #[inline]
    fn occupied(&self, frame: &Frame) -> Plane {
        let men = frame.men().iter();
        men.fold(0, |places, man| places | self.generals.any[usize::from(man.point)])
    }

    /// The places in which a side attacks the other's general.
    #[inline]
    fn attacked(&self, frame: &Frame, by: usize) -> Plane {
        let generals = &self.generals.at[1 - by];
        let mut attacked = 0;
        for man in frame.men().iter().filter(|man| man.side == by) {
            self.walk(frame, man, |to, places| attacked |= places & generals[usize::from(to)]);
        }
        attacked
    }

    /// The places in which the generals face each other, if facing has a meaning. The man `lifted`
    /// is off the board.
    #[inline]
    fn facing(&self, frame: &Frame, lifted: Option<u8>) -> Plane {
        if self.facing == Facing::Nothing {
            return 0;
        }
        let men = frame.men().iter().map(|man| man.point).filter(|&man| Some(man) != lifted);
        men.fold(self.generals.in_file, |places, man| {
            places & !self.generals.between[usize::from(man)]
        })
    }

    /// Whether a move that makes the generals face stays in its material, or captures a man of the
    /// material.
    #[inline]
    fn may_face(&self, frame: &Frame, side: usize) -> bool {
        self.facing != Facing::Forfeit || frame.material.forfeits >> side & 1 == 1
    }

    /// The men that may stand beside a general and be captured by it, each with the men after the
    /// capture.
    fn near<'a>(&self, frame: &'a Frame, side: usize) -> impl Iterator<Item = (u8, Frame)> + 'a {
        let men = frame.men().iter();
        let near = men.filter(move |man| man.side != side && palace(man.point) == Some(side));
        near.map(|man| (man.point, frame.played(None, man.point)))
    }
}

impl Planes<Layout, Material> for Janggi {
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
        generals::imaged(plane)
    }

    fn start(&self, layout: &Layout, frame: &Frame, side: usize) -> Start {
        let Generals { all, at, steps, pairs, .. } = &self.generals;
        // The side to move could take the general.
        let mut legal = *all & !self.occupied(frame) & !self.attacked(frame, side);
        if self.facing != Facing::Forfeit {
            return Start { legal, drawn: 0 };
        }
        let facing = self.facing(frame, None);
        // The other side has made the generals face.
        if frame.material.forfeits & (2 >> side) == 0 {
            legal &= !facing;
        }
        let attacked = legal & self.attacked(frame, 1 - side) & !facing;
        let mut may_be = 0;
        for (point, after) in self.near(frame, side) {
            let faces = at[side][usize::from(point)] & self.facing(&after, None);
            may_be |= steps[side].iter().fold(0, |places, step| places | step.back(faces));
        }
        let here = layout.here(frame, side);
        let pairs = &pairs[usize::from(here.exchanged)];
        let is_drawn = |&place: &u32| {
            let position = layout.unrank(here.slot(pairs[place as usize]));
            position.is_some_and(|position| self.end(&position).is_some())
        };
        let drawn = each_place(may_be & attacked).filter(is_drawn);
        Start { legal, drawn: drawn.fold(0, |places, place| places | 1 << place) }
    }

    fn stuck(&self, frame: &Frame, side: usize, places: Plane) -> Stuck {
        if self.facing != Facing::Forfeit {
            return Stuck { lost: places, passes: 0 };
        }
        let open = places & !self.facing(frame, None);
        let attacked = self.attacked(frame, 1 - side);
        let may_lose = frame.material.forfeits & (2 >> side) == 0;
        Stuck { lost: if may_lose { open & attacked } else { 0 }, passes: open & !attacked }
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
        let facing = self.facing(frame, None);
        // The places from which a move may make the generals face.
        let free = if self.may_face(frame, side) { !facing } else { 0 };
        let here = plane(frame.number);
        let mut found = self.steps(side, here & !facing) | self.steps(side, here) & free;
        if self.free_pass {
            found |= here & !facing;
        }
        for man in frame.men() {
            if man.side != side || wanted & !found == 0 {
                continue;
            }
            let lifted = self.facing(frame, Some(man.point));
            self.walk(frame, man, |to, places| {
                let at = usize::from(to);
                let faces = lifted & !between[at];
                let able = wanted & !found & places & !any[at] & (!faces | free);
                if able != 0 && frame.kind(to).is_none() {
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
        mut each: impl FnMut(Plane, Leave<'_, Material>),
    ) {
        let Generals { any, at, between, steps, pairs, .. } = &self.generals;
        let facing = self.facing(frame, None);
        let may_face = self.may_face(frame, side);
        let free = if may_face { !facing } else { 0 };
        if self.facing == Facing::DrawOffer {
            each(facing, Leave::Draws);
        }
        // The men after a move, by the general if there is a step.
        let mut leave = |able: Plane, after: &Frame, step: Option<&Step>, forfeits: u8| {
            if able == 0 {
                return;
            }
            if forfeits == 3 {
                // A draw needs a legal move as well.
                let safe = !self.attacked(after, 1 - side);
                let safe = step.map_or(safe, |step| step.back(safe));
                each(able & safe, Leave::Draws);
            } else if let Some((material, slots)) = layout.behind(after, 1 - side, forfeits) {
                let pairs = &pairs[usize::from(slots.exchanged)];
                let bits = step.map_or(0, |step| step.bits.into());
                let slot = |place: u32| slots.slot(pairs[place.wrapping_add_signed(bits) as usize]);
                each(able, Leave::To(material, &slot));
            }
        };
        let (kept, forfeited) = (frame.material.forfeits, frame.material.forfeits | 1 << side);
        for man in frame.men().iter().filter(|man| man.side == side) {
            let lifted = self.facing(frame, Some(man.point));
            self.walk(frame, man, |to, places| {
                let taken = frame.man(to);
                if taken.is_some_and(|taken| taken.side == side) || (taken.is_none() && may_face) {
                    return;
                }
                let faces = lifted & !between[usize::from(to)];
                let able = places & !any[usize::from(to)];
                let keeps = if taken.is_some() { able & (!faces | free) } else { 0 };
                let forfeits = if may_face { 0 } else { able & faces & !facing };
                if keeps | forfeits != 0 {
                    let after = frame.played(Some(man.point), to);
                    leave(keeps, &after, None, kept);
                    leave(forfeits, &after, None, forfeited);
                }
            });
        }
        for (point, after) in self.near(frame, side) {
            let (to, faces) = (at[side][usize::from(point)], self.facing(&after, None));
            for step in &steps[side] {
                let keeps = step.back(to & !faces) | step.back(to) & free;
                leave(keeps, &after, Some(step), kept);
                if !may_face {
                    leave(step.back(to & faces) & !facing, &after, Some(step), forfeited);
                }
            }
        }
        if !may_face {
            let faces = facing & !self.occupied(frame);
            for step in &steps[side] {
                leave(step.back(faces) & !facing, frame, Some(step), forfeited);
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
