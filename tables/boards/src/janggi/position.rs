//! Positions of Janggi: the men on the points, the side to move, who has forfeited the win.

use super::points::{self, POINTS, Points, each};

/// A kind of man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// K.
    General,
    /// R.
    Chariot,
    /// C.
    Cannon,
    /// H.
    Horse,
    /// E.
    Elephant,
    /// A.
    Guard,
    /// P.
    Soldier,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] = [
        Kind::General,
        Kind::Chariot,
        Kind::Cannon,
        Kind::Horse,
        Kind::Elephant,
        Kind::Guard,
        Kind::Soldier,
    ];
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// 0, or 1 + kind + 8 * side.
    pub(super) board: [u8; POINTS],
    /// The men of each side, with the general.
    pub(super) men: [Points; 2],
    /// The cannons of both sides.
    pub(super) cannons: Points,
    /// The number of men of each kind, by side.
    pub(super) armies: [[u8; 7]; 2],
    /// The points of the generals.
    pub(super) generals: [u8; 2],
    /// The side to move; 0 is Cho, whose home is the first rank.
    pub(super) side: usize,
    /// The sides that have forfeited the win, as bits.
    pub(super) forfeits: u8,
}

/// A move between points; a pass is a move of the general to its own point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The origin of the man.
    pub from: u8,
    /// The target of the man.
    pub to: u8,
}

impl Position {
    /// A board without men.
    #[inline]
    pub(super) fn empty(side: usize, forfeits: u8) -> Position {
        let (board, men, armies, generals) = ([0; POINTS], [0; 2], [[0; 7]; 2], [0; 2]);
        Position { board, men, cannons: 0, armies, generals, side, forfeits }
    }

    /// Puts a man on an empty point.
    #[inline]
    pub(super) fn put(&mut self, side: usize, kind: Kind, point: u8) {
        self.board[usize::from(point)] = 1 + kind as u8 + 8 * side as u8;
        self.men[side] |= 1 << point;
        self.armies[side][kind as usize] += 1;
        match kind {
            Kind::General => self.generals[side] = point,
            Kind::Cannon => self.cannons |= 1 << point,
            _ => {}
        }
    }

    /// Whether no man is at a point.
    #[inline]
    pub(super) fn is_empty(&self, point: u8) -> bool {
        self.board[usize::from(point)] == 0
    }

    /// The kind at a point where a man is.
    #[inline]
    pub(super) fn kind(&self, point: u8) -> Kind {
        const BY_CODE: [Kind; 8] = {
            use Kind::*;
            [General, Chariot, Cannon, Horse, Elephant, Guard, Soldier, Soldier]
        };
        BY_CODE[usize::from(self.board[usize::from(point)].wrapping_sub(1) % 8)]
    }

    /// The points of all men.
    #[inline]
    pub(super) fn occupied(&self) -> Points {
        self.men[0] | self.men[1]
    }

    /// Captures the man at `to`, if any, and moves the man at `from`. The side to move does not
    /// change.
    #[inline]
    pub(super) fn shift(&mut self, from: u8, to: u8) {
        let man = self.board[usize::from(from)];
        if !self.is_empty(to) {
            let taken = usize::from(self.men[1] >> to & 1 == 1);
            self.armies[taken][self.kind(to) as usize] -= 1;
        }
        self.board[usize::from(from)] = 0;
        self.board[usize::from(to)] = man;
        let side = usize::from(man > 8);
        self.men[side] = self.men[side] & !(1 << from) | 1 << to;
        self.men[1 - side] &= !(1 << to);
        self.cannons = self.cannons & !(1 << from | 1 << to) | (self.cannons >> from & 1) << to;
        if self.generals[side] == from {
            self.generals[side] = to;
        }
    }

    /// The mirror image, file a for file i.
    #[inline]
    pub(super) fn mirrored(&self) -> Position {
        let mut mirrored = Position::empty(self.side, self.forfeits);
        for side in 0..2 {
            for point in each(self.men[side]) {
                mirrored.put(side, self.kind(point), points::mirrored(point));
            }
        }
        mirrored
    }
}
