//! Frames of Janggi: all men except the generals. The places of the generals are the bits of a
//! plane.

use super::layout::{Group, Layout, MOST, Set};
use super::material::Material;
use super::points::{POINTS, mirrored, turned};
use super::position::Kind;

/// Maximum number of men of a frame.
const MEN: usize = 6;

/// A man of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Man {
    pub side: usize,
    pub kind: Kind,
    pub point: u8,
    group: usize,
    /// The other men of its group.
    rest: [u8; MOST],
    /// The number of the frame without the group.
    base: u64,
}

/// All men but the generals.
#[derive(Clone, Debug)]
pub struct Frame {
    pub material: Material,
    pub number: u64,
    pub image: u64,
    men: [Man; MEN],
    count: usize,
    /// The kind of the man at each point.
    board: [Option<Kind>; POINTS],
}

impl Frame {
    /// The men of both sides.
    pub fn men(&self) -> &[Man] {
        &self.men[..self.count]
    }

    /// The man at a point.
    #[inline]
    pub fn man(&self, point: u8) -> Option<&Man> {
        self.kind(point)?;
        self.men().iter().find(|man| man.point == point)
    }

    /// The kind of the man at a point.
    #[inline]
    pub fn kind(&self, point: u8) -> Option<Kind> {
        self.board[usize::from(point)]
    }

    /// The men after a move of the man at `from`, or after a capture by a general. The frame of
    /// these men has no number.
    pub fn played(&self, from: Option<u8>, to: u8) -> Frame {
        let mut frame = self.clone();
        if let Some(taken) = self.men().iter().position(|man| man.point == to) {
            let Man { side, kind, .. } = self.men[taken];
            frame.material.armies[side][kind as usize - 1] -= 1;
            // The last man takes its place.
            frame.count -= 1;
            frame.men[taken] = frame.men[frame.count];
        }
        frame.board[usize::from(to)] = None;
        if let Some(from) = from {
            frame.board.swap(from.into(), to.into());
            let men = frame.men[..frame.count].iter_mut();
            men.filter(|man| man.point == from).for_each(|man| man.point = to);
        }
        frame
    }
}

/// The slots of a frame and its image with one side to move.
#[derive(Debug)]
pub struct Slots<'a> {
    layout: &'a Layout,
    /// The side to move, in the material.
    side: u64,
    /// Whether the sides are exchanged in the material.
    pub exchanged: bool,
    /// The numbers of a frame and its image, and the lower of both numbers.
    frames: [u64; 3],
}

impl<'a> Slots<'a> {
    fn new(layout: &'a Layout, men: &[Man], side: usize, exchanged: bool) -> Slots<'a> {
        let turn = usize::from(exchanged);
        let [first, second] = [false, true].map(|image| {
            layout.number_of(men.iter().map(|&Man { side, kind, point, .. }| {
                let point = if exchanged { turned(point) } else { point };
                (side ^ turn, kind, if image { mirrored(point) } else { point })
            }))
        });
        let frames = [first, second, first.min(second)];
        Slots { layout, side: (side ^ turn) as u64, exchanged, frames }
    }

    /// The slot of a pair of generals in one of the frames.
    #[inline]
    pub fn slot(&self, (pair, which): (u8, u8)) -> u64 {
        self.layout.slot(self.side, pair, self.frames[usize::from(which)])
    }
}

impl Layout {
    /// The frame with a number, if no two men share a point.
    pub(super) fn frame(&self, number: u64) -> Option<Frame> {
        let (mut left, image) = (number, 0);
        let nobody =
            Man { side: 0, kind: Kind::General, point: 0, group: 0, rest: [0; MOST], base: 0 };
        let (material, men) = (self.material, [nobody; MEN]);
        let mut frame = Frame { material, number, image, men, count: 0, board: [None; POINTS] };
        for (at, group) in self.groups.iter().enumerate() {
            let set = left % group.sets;
            left /= group.sets;
            let Set { members, mirrored } = group.set(set);
            frame.image += group.stride * u64::from(mirrored);
            let base = number - group.stride * set;
            for (without, &index) in members[..group.count].iter().enumerate() {
                let point = group.point(index);
                let Group { side, kind, .. } = *group;
                if frame.board[usize::from(point)].replace(kind).is_some() {
                    return None;
                }
                let mut rest = [0; MOST];
                rest[..without].copy_from_slice(&members[..without]);
                rest[without..MOST - 1].copy_from_slice(&members[without + 1..]);
                frame.men[frame.count] = Man { side, kind, point, group: at, rest, base };
                frame.count += 1;
            }
        }
        Some(frame)
    }

    /// The frame in which a man has moved to a point where it can stand.
    #[inline]
    pub(super) fn moved(&self, man: &Man, to: u8) -> u64 {
        let group = &self.groups[man.group];
        man.base + group.part_with(&man.rest, group.indices[usize::from(to)])
    }

    /// The material of some men and forfeits, and the slots of the men with this side to move.
    pub(super) fn behind(
        &self,
        men: &Frame,
        side: usize,
        forfeits: u8,
    ) -> Option<(Material, Slots<'_>)> {
        let (material, exchanged) = Material::with_side(men.material.armies, forfeits, side);
        let layout = self.subtables().iter().find(|layout| layout.material == material)?;
        Some((material, Slots::new(layout, men.men(), side, exchanged)))
    }

    /// The slots of a frame with this side to move.
    pub(super) fn here(&self, frame: &Frame, side: usize) -> Slots<'_> {
        if side == 1 && self.material.is_even() {
            return Slots::new(self, frame.men(), side, true);
        }
        let frames = [frame.number, frame.image, frame.number.min(frame.image)];
        Slots { layout: self, side: side as u64, exchanged: false, frames }
    }
}
