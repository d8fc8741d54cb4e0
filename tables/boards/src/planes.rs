//! Positions in bulk: an optional part of a game, with which its materials are solved many times
//! faster.
//!
//! A few men of a material *run*, and all other men are fixed in a *frame*. All places of the
//! running men are the bits of a *plane*. A move of a fixed man takes all positions of a plane at
//! once to the same places of another frame, except the places with a running man in its way. Moves
//! of running men stay in the frame.
//!
//! A frame has a plane for each side to move. A position may be in several frames, which are images
//! of one another. In a game with planes no move wins at once.

/// Places of the running men, a bit each.
pub type Plane = u128;

/// The positions of a frame with one side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Places with a legal position.
    pub legal: Plane,
    /// Legal places in which the game is drawn. No legal move from them stays.
    pub drawn: Plane,
}

/// The outcome of positions without a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Places in which the side to move has lost.
    pub lost: Plane,
    /// Places in which the side to move passes. All remaining places are drawn.
    pub passes: Plane,
}

/// A move that does not stay in the material.
pub enum Leave<'a, T> {
    /// The move draws.
    Draws,
    /// The move leads to a material; the function returns the slot for each place.
    To(T, &'a dyn Fn(u32) -> u64),
}

/// The planes of a game, by its layouts and materials.
pub trait Planes<Layout, Material>: Sync {
    /// The fixed men.
    type Frame;

    /// The number of frames of a material.
    fn frames(&self, layout: &Layout) -> u64;

    /// The frame with a number. Returns `None` if the frame has no position.
    fn frame(&self, layout: &Layout, number: u64) -> Option<Self::Frame>;

    /// The number of the image of a frame. A frame may be its own image.
    fn image(&self, frame: &Self::Frame) -> u64;

    /// A plane in the image of its frame.
    fn imaged(&self, plane: Plane) -> Plane;

    /// The positions with this side to move.
    fn start(&self, layout: &Layout, frame: &Self::Frame, side: usize) -> Start;

    /// The outcome of places where this side has no legal move.
    fn stuck(&self, _frame: &Self::Frame, _side: usize, places: Plane) -> Stuck {
        Stuck { lost: places, passes: 0 }
    }

    /// Places of `wanted` with a move that stays in the material and leads into a plane. `plane` returns
    /// that of a frame, with the other side to move; bits that are no places may be set in it.
    fn movers(
        &self,
        layout: &Layout,
        frame: &Self::Frame,
        side: usize,
        wanted: Plane,
        plane: impl Fn(u64) -> Plane,
    ) -> Plane;

    /// Calls `each` with the places that have a move which does not stay, and with the target of
    /// the move. Bits of places that are not legal may be set; their moves have no meaning.
    fn leaving(
        &self,
        layout: &Layout,
        frame: &Self::Frame,
        side: usize,
        each: impl FnMut(Plane, Leave<'_, Material>),
    );

    /// Calls `each` with the slots of some bits; bits that are not places are skipped.
    fn slots(
        &self,
        layout: &Layout,
        frame: &Self::Frame,
        side: usize,
        places: Plane,
        each: impl FnMut(u64),
    );
}

/// The planes of a game that has no planes.
#[derive(Clone, Copy, Debug)]
pub enum NoPlanes {}

impl<Layout, Material> Planes<Layout, Material> for NoPlanes {
    type Frame = ();

    fn frames(&self, _: &Layout) -> u64 {
        match *self {}
    }
    fn frame(&self, _: &Layout, _: u64) -> Option<()> {
        match *self {}
    }
    fn image(&self, (): &()) -> u64 {
        match *self {}
    }
    fn imaged(&self, _: Plane) -> Plane {
        match *self {}
    }
    fn start(&self, _: &Layout, (): &(), _: usize) -> Start {
        match *self {}
    }
    fn movers(&self, _: &Layout, (): &(), _: usize, _: Plane, _: impl Fn(u64) -> Plane) -> Plane {
        match *self {}
    }
    fn leaving(&self, _: &Layout, (): &(), _: usize, _: impl FnMut(Plane, Leave<'_, Material>)) {
        match *self {}
    }
    fn slots(&self, _: &Layout, (): &(), _: usize, _: Plane, _: impl FnMut(u64)) {
        match *self {}
    }
}

/// The bits of a plane, in ascending order.
#[inline]
pub fn each(mut plane: Plane) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = (plane != 0).then(|| plane.trailing_zeros())?;
        plane &= plane - 1;
        Some(place)
    })
}
