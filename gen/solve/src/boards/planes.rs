//! Backward induction by [planes](sakmak_boards::planes).
//!
//! ```text
//! refuted      won for the side to move, or not legal: a move there does not save its mover
//! lost         lost for the side to move
//! escapes      drawn, or has a move that leaves the material and is not refuted
//! forced       has no move but the pass
//!
//! lost in n    neither refuted nor an escape, and no move leads to what is not refuted
//! won in n     not refuted, and a move leads to what is lost, or leaves into a loss of n - 1
//! ```
//!
//! Layers of losses read the refuted planes and write the lost planes. Layers of wins read the lost
//! planes and write the refuted planes. So the order of frames within a layer does not matter.

use crate::boards::events::{Event, LeavingMoves, due};
use crate::boards::lookahead::Lookahead;
use crate::boards::progress::Progress;
use crate::parallel::*;
use sakmak_boards::codes::Codes;
use sakmak_boards::planes::{Leave, Plane, Planes, each};
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::Value;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

/// Number of frames that a thread processes at a time.
const BLOCK: usize = 128;

/// A plane for each frame.
struct PlaneSet(Vec<[AtomicU64; 2]>);

impl PlaneSet {
    fn new(frames: u64) -> PlaneSet {
        PlaneSet((0..frames).map(|_| [0; 2].map(AtomicU64::new)).collect())
    }

    #[inline]
    fn get(&self, frame: u64) -> Plane {
        let [low, high] = &self.0[frame as usize];
        Plane::from(high.load(Relaxed)) << 64 | Plane::from(low.load(Relaxed))
    }

    #[inline]
    fn set(&self, frame: u64, plane: Plane) {
        let [low, high] = &self.0[frame as usize];
        low.store(plane as u64, Relaxed);
        high.store((plane >> 64) as u64, Relaxed);
    }
}

/// The planes with one side to move, for each frame.
struct SidePlanes {
    refuted: PlaneSet,
    lost: PlaneSet,
}

/// A frame that has positions and is not the image of an earlier frame, and the planes that only
/// its own layers read, by side to move.
struct OpenFrame {
    number: u32,
    escapes: [Plane; 2],
    forced: [Plane; 2],
}

impl OpenFrame {
    fn new(number: u32) -> OpenFrame {
        OpenFrame { number, escapes: [0; 2], forced: [0; 2] }
    }
}

/// The codes of a material while it is solved.
enum Cells {
    Narrow(Vec<AtomicU8>),
    Wide(Vec<AtomicU16>),
}

impl Cells {
    #[inline]
    fn set(&self, slot: u64, code: u16) {
        match self {
            Cells::Narrow(cells) => cells[slot as usize].store(code as u8, Relaxed),
            Cells::Wide(cells) => cells[slot as usize].store(code, Relaxed),
        }
    }

    fn widened(self) -> Cells {
        match self {
            Cells::Narrow(cells) => {
                let wide = cells.into_iter().map(|cell| AtomicU16::new(cell.into_inner().into()));
                Cells::Wide(wide.collect())
            }
            wide @ Cells::Wide(_) => wide,
        }
    }

    fn codes(self, narrow: bool) -> Codes {
        match self {
            Cells::Narrow(cells) => {
                Codes::Narrow(cells.into_iter().map(AtomicU8::into_inner).collect())
            }
            Cells::Wide(cells) if narrow => {
                Codes::Narrow(cells.into_iter().map(|cell| cell.into_inner() as u8).collect())
            }
            Cells::Wide(cells) => {
                Codes::Wide(cells.into_iter().map(AtomicU16::into_inner).collect())
            }
        }
    }
}

/// The work on a material.
struct Solver<'a, G: SolvableGame, P> {
    lookahead: &'a Lookahead<'a, G>,
    planes: &'a P,
    sides: [SidePlanes; 2],
    cells: Cells,
}

/// The codes of a material. Returns `None` if a distance is too long.
pub fn solve<G: SolvableGame>(
    lookahead: &Lookahead<'_, G>,
    planes: &impl Planes<G::Layout, G::Material>,
    size: u64,
) -> Option<Codes> {
    let all = planes.frames(lookahead.layout);
    let side = || SidePlanes { refuted: PlaneSet::new(all), lost: PlaneSet::new(all) };
    let illegal = Value::Illegal.code() as u8;
    let cells = Cells::Narrow((0..size).map(|_| AtomicU8::new(illegal)).collect());
    let mut solver = Solver { lookahead, planes, sides: [side(), side()], cells };

    let is_open = |&number: &u32| {
        let frame = planes.frame(lookahead.layout, number.into());
        frame.is_some_and(|frame| planes.image(&frame) >= number.into())
    };
    // The numbers come first: the larger list is then built in place.
    let numbers: Vec<u32> = (0..all as u32).into_par_iter().filter(is_open).collect();
    let mut frames: Vec<OpenFrame> = numbers.into_par_iter().map(OpenFrame::new).collect();
    let count = frames.len().max(1) as u64;
    let start = |frames: &mut [OpenFrame]| {
        let events = solver.start(frames);
        (lookahead.progress)(Progress::Slots(frames.len() as u64 * size / count));
        events
    };
    let mut events: Vec<Event> = frames.par_chunks_mut(BLOCK).flat_map_iter(start).collect();
    events.par_sort_unstable_by_key(Event::key);

    // Whether the layer before decided positions of a side.
    let (mut changed, mut last) = ([true; 2], 0);
    for n in 0u16.. {
        let code = if n.is_multiple_of(2) { Value::Loss(n) } else { Value::Win(n) }.code();
        if code > Value::LONGEST {
            return None;
        }
        if code > u8::MAX.into() {
            solver.cells = solver.cells.widened();
        }
        changed = solver.layer(n, code, &mut frames, &events, changed);
        if changed != [false; 2] {
            last = code;
        }
        let later = events.last().is_some_and(|event| event.layer >= n);
        if changed == [false; 2] && !later {
            break;
        }
    }
    Some(solver.cells.codes(last <= u8::MAX.into()))
}

impl<G: SolvableGame, P: Planes<G::Layout, G::Material>> Solver<'_, G, P> {
    /// Adds places of a frame and the images of the places.
    fn add(&self, set: &PlaneSet, number: u64, frame: &P::Frame, places: Plane) {
        if places == 0 {
            return;
        }
        set.set(number, set.get(number) | places);
        let image = self.planes.image(frame);
        if image != number {
            set.set(image, set.get(image) | self.planes.imaged(places));
        }
    }

    /// Sets the code of some positions.
    fn decide(&self, frame: &P::Frame, side: usize, places: Plane, code: u16) {
        self.planes
            .slots(self.lookahead.layout, frame, side, places, |slot| self.cells.set(slot, code));
    }

    /// Finds the illegal positions of some frames, and the results of moves that leave the
    /// material.
    fn start(&self, frames: &mut [OpenFrame]) -> Vec<Event> {
        let mut events = Vec::new();
        for open in frames {
            let number = open.number.into();
            let Some(frame) = self.planes.frame(self.lookahead.layout, number) else { continue };
            for (side, planes) in self.sides.iter().enumerate() {
                let start = self.planes.start(self.lookahead.layout, &frame, side);
                self.decide(&frame, side, start.legal, Value::Draw.code());
                let mut left = LeavingMoves::new(start.drawn);
                let playing = start.legal & !start.drawn;
                self.planes.leaving(
                    self.lookahead.layout,
                    &frame,
                    side,
                    |movers, leave| match leave {
                        Leave::Draws => left.draws |= movers & playing,
                        Leave::To(material, slot) => {
                            let value = self.lookahead.values(material);
                            each(movers & playing)
                                .for_each(|place| left.take(place, value(slot(place))));
                        }
                    },
                );
                self.add(&planes.refuted, number, &frame, !start.legal);
                open.escapes[side] = left.escapes();
                left.layers(|(layer, movers)| {
                    let (side, frame) = (side as u8, open.number);
                    events.push(Event { layer, side, frame, movers });
                });
            }
        }
        events
    }

    /// Finds the positions decided in `n` plies. `changed` are the sides with positions decided in
    /// the layer before; returns the sides with positions decided in this layer.
    fn layer(
        &self,
        n: u16,
        code: u16,
        frames: &mut [OpenFrame],
        events: &[Event],
        changed: [bool; 2],
    ) -> [bool; 2] {
        let found = [false; 2].map(AtomicBool::new);
        // A move that leaves counts one layer after the distance of the position behind it.
        let before = n.wrapping_sub(1);
        let idle = [0, 1]
            .map(|side| n > 0 && !changed[1 - side] && due(events, before, side, 0).is_empty());
        frames.par_chunks_mut(BLOCK).for_each(|frames| {
            let first = frames[0].number;
            let mut due = [0, 1].map(|side| due(events, before, side, first).iter().peekable());
            for open in frames {
                let mut frame = None;
                for side in (0..2).filter(|&side| !idle[side]) {
                    let event = due[side].next_if(|event| event.frame == open.number);
                    let leave = event.map_or(0, |event| event.movers);
                    let wanted = self.wanted(n, open, side, leave);
                    if wanted == 0 {
                        continue;
                    }
                    let number = open.number.into();
                    let frame = frame
                        .get_or_insert_with(|| self.planes.frame(self.lookahead.layout, number));
                    let Some(frame) = frame else { break };
                    let decided = self.decided(n, open, frame, side, wanted, leave);
                    if decided != 0 {
                        found[side].store(true, Relaxed);
                        self.decide(frame, side, decided, code);
                    }
                }
            }
            (self.lookahead.progress)(Progress::Plies(n));
        });
        found.map(AtomicBool::into_inner)
    }

    /// The places of a frame that a layer may decide. `leave` are the places with moves that count
    /// in the layer.
    fn wanted(&self, n: u16, open: &mut OpenFrame, side: usize, leave: Plane) -> Plane {
        let (SidePlanes { refuted, lost }, number) = (&self.sides[side], open.number.into());
        let undecided = !(refuted.get(number) | lost.get(number));
        match n.is_multiple_of(2) {
            true => {
                open.escapes[side] &= !leave;
                undecided & !open.escapes[side]
            }
            false => undecided,
        }
    }

    /// Places of `wanted` that are decided in `n` plies.
    fn decided(
        &self,
        n: u16,
        open: &mut OpenFrame,
        frame: &P::Frame,
        side: usize,
        wanted: Plane,
        leave: Plane,
    ) -> Plane {
        let (planes, other) = (&self.sides[side], &self.sides[1 - side]);
        let number = open.number.into();
        if !n.is_multiple_of(2) {
            let inside =
                self.movers(open, frame, side, wanted & !leave, |frame| other.lost.get(frame));
            let won = inside | wanted & leave;
            self.add(&planes.refuted, number, frame, won);
            return won;
        }
        let saved = self.movers(open, frame, side, wanted, |frame| !other.refuted.get(frame));
        let mut lost = wanted & !saved;
        // These places have no legal move.
        if n == 0 {
            let stuck = self.planes.stuck(frame, side, lost);
            open.escapes[side] |= lost & !(stuck.lost | stuck.passes);
            open.forced[side] = stuck.passes;
            lost = stuck.lost;
        }
        self.add(&planes.lost, number, frame, lost);
        lost
    }

    /// Places of `wanted` with a move into a plane.
    #[inline]
    fn movers(
        &self,
        open: &OpenFrame,
        frame: &P::Frame,
        side: usize,
        wanted: Plane,
        plane: impl Fn(u64) -> Plane,
    ) -> Plane {
        let forced = wanted & open.forced[side];
        let passed = if forced == 0 { 0 } else { forced & plane(open.number.into()) };
        passed | self.planes.movers(self.lookahead.layout, frame, side, wanted & !passed, plane)
    }
}
