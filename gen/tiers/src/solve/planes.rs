//! Backward induction by [planes](crate::planes).
//!
//! ```text
//! refuted      won for the side to move, or not legal: a move there does not save its mover
//! lost         lost for the side to move
//! escapes      has a move that leaves the tier and is not refuted
//!
//! lost in n    neither refuted nor an escape, and no move leads to what is not refuted
//! won in n     not refuted, and a move leads to what is lost, or leaves into a loss of n - 1
//! ```
//!
//! Layers of losses read what is refuted and write what is lost, those of wins the other way round, so
//! the order of frames within a layer does not matter.

use super::looks::Looks;
use super::progress::Progress;
use crate::game::Game;
use crate::planes::{Plane, Planes, each};
use crate::table::Codes;
use crate::value::Value;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

/// Frames that one thread takes at a time.
const BLOCK: u64 = 128;

/// A plane for each frame.
struct Set(Vec<[AtomicU64; 2]>);

impl Set {
    fn new(frames: u64) -> Set {
        Set((0..frames).map(|_| [0; 2].map(AtomicU64::new)).collect())
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

/// The planes with one side to move.
struct Side {
    refuted: Set,
    lost: Set,
    escapes: Set,
}

/// Codes while they are found.
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

/// Moves of a frame that leave the tier and count in a layer: losses behind them in an even one, wins in
/// an odd one.
#[derive(Clone, Copy)]
struct Event {
    layer: u16,
    side: u8,
    frame: u32,
    movers: Plane,
}

impl Event {
    fn key(&self) -> (u16, u8, u32) {
        (self.layer, self.side, self.frame)
    }
}

/// The events of a layer and side for frames from `first` on.
fn due(events: &[Event], layer: u16, side: usize, first: u32) -> &[Event] {
    let from = |key| events.partition_point(|event| event.key() < key);
    let side = side as u8;
    &events[from((layer, side, first))..from((layer, side + 1, 0))]
}

/// What moves lead to that leave the tier from a frame.
struct Left {
    wins: Plane,
    draws: Plane,
    losses: Plane,
    /// For each of `wins` the plies of the quickest loss of the other side.
    quickest: [u16; Plane::BITS as usize],
    /// For each of `losses` those of its slowest win.
    slowest: [u16; Plane::BITS as usize],
}

impl Left {
    fn new(draws: Plane) -> Left {
        let plies = [0; Plane::BITS as usize];
        Left { wins: 0, draws, losses: 0, quickest: plies, slowest: plies }
    }

    /// Takes in the value behind a move of a place, for the other side.
    fn take(&mut self, place: u32, value: Value) {
        let (at, bit) = (place as usize, 1 << place);
        match value {
            Value::Illegal => {}
            Value::Draw => self.draws |= bit,
            Value::Loss(plies) => {
                let known = if self.wins & bit != 0 { self.quickest[at] } else { plies };
                self.quickest[at] = plies.min(known);
                self.wins |= bit;
            }
            Value::Win(plies) => {
                self.slowest[at] = plies.max(self.slowest[at]);
                self.losses |= bit;
            }
        }
    }

    /// Calls `each_layer` with the layers in which moves count, and whose.
    fn layers(&self, each_layer: impl FnMut((u16, Plane))) {
        let mut layers: Vec<(u16, Plane)> = Vec::new();
        let losses = self.losses & !self.wins & !self.draws;
        let wins = each(self.wins).map(|place| (self.quickest[place as usize], place));
        let losses = each(losses).map(|place| (self.slowest[place as usize], place));
        for (layer, place) in wins.chain(losses) {
            match layers.iter_mut().find(|(known, _)| *known == layer) {
                Some((_, movers)) => *movers |= 1 << place,
                None => layers.push((layer, 1 << place)),
            }
        }
        layers.into_iter().for_each(each_layer);
    }
}

/// The work on a tier.
struct Solver<'a, G: Game, P> {
    looks: &'a Looks<'a, G>,
    planes: &'a P,
    /// The frames with positions, without images of earlier ones.
    frames: Vec<u32>,
    sides: [Side; 2],
    cells: Cells,
}

/// The codes of a tier. Returns `None` if a distance is too long.
pub fn solve<G: Game>(looks: &Looks<'_, G>, planes: &impl Planes<G>, size: u64) -> Option<Codes> {
    let all = planes.frames(looks.layout);
    let side = || {
        let [refuted, lost, escapes] = [(); 3].map(|()| Set::new(all));
        Side { refuted, lost, escapes }
    };
    let illegal = Value::Illegal.code() as u8;
    let cells = Cells::Narrow((0..size).map(|_| AtomicU8::new(illegal)).collect());
    let mut solver = Solver { looks, planes, frames: Vec::new(), sides: [side(), side()], cells };

    let start = |block: u64| {
        let numbers = block * BLOCK..all.min((block + 1) * BLOCK);
        (looks.progress)(Progress::Slots((numbers.end - numbers.start) * size / all));
        solver.start(numbers)
    };
    let parts: Vec<_> = (0..all.div_ceil(BLOCK)).into_par_iter().map(start).collect();
    let (frames, events): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    solver.frames = frames.concat();
    let mut events = events.concat();
    events.par_sort_unstable_by_key(Event::key);

    // Whether a side has something new that the layer must take in.
    let (mut changed, mut last) = ([true; 2], 0);
    for n in 0u16.. {
        let code = if n.is_multiple_of(2) { Value::Loss(n) } else { Value::Win(n) }.code();
        if code > Value::LONGEST {
            return None;
        }
        if code > u8::MAX.into() {
            solver.cells = solver.cells.widened();
        }
        changed = solver.layer(n, code, &events, changed);
        if changed != [false; 2] {
            last = code;
        }
        let later = events.last().is_some_and(|event| event.layer >= n);
        // An odd layer may follow an even one without anything.
        if changed == [false; 2] && !later && n > 0 {
            break;
        }
    }
    Some(solver.cells.codes(last <= u8::MAX.into()))
}

impl<G: Game, P: Planes<G>> Solver<'_, G, P> {
    /// Adds places of a frame, and their images.
    fn add(&self, set: &Set, number: u64, frame: &P::Frame, places: Plane) {
        set.set(number, set.get(number) | places);
        let image = self.planes.image(frame);
        if image != number {
            set.set(image, set.get(image) | self.planes.imaged(places));
        }
    }

    /// Gives some positions a code.
    fn decide(&self, frame: &P::Frame, side: usize, places: Plane, code: u16) {
        self.planes
            .slots(self.looks.layout, frame, side, places, |slot| self.cells.set(slot, code));
    }

    /// What is illegal in some frames, and what moves that leave the tier lead to. Returns the frames
    /// with positions, without images of earlier ones, and the events.
    fn start(&self, numbers: Range<u64>) -> (Vec<u32>, Vec<Event>) {
        let (mut frames, mut events) = (Vec::new(), Vec::new());
        for number in numbers {
            let frame = self.planes.frame(self.looks.layout, number);
            let Some(frame) = frame.filter(|frame| self.planes.image(frame) >= number) else {
                continue;
            };
            frames.push(number as u32);
            for (side, planes) in self.sides.iter().enumerate() {
                let start = self.planes.start(&frame, side);
                self.decide(&frame, side, start.legal, Value::Draw.code());
                let mut left = Left::new(start.draws);
                self.planes.leaving(self.looks.layout, &frame, side, |tier, movers, slot| {
                    let Some(codes) = self.looks.codes(tier) else { return };
                    for place in each(movers & start.legal) {
                        left.take(place, codes.value(slot(place)).unwrap_or(Value::Illegal));
                    }
                });
                self.add(&planes.refuted, number, &frame, !start.legal);
                planes.escapes.set(number, left.wins | left.draws | left.losses);
                left.layers(|(layer, movers)| {
                    let (side, frame) = (side as u8, number as u32);
                    events.push(Event { layer, side, frame, movers });
                });
            }
        }
        (frames, events)
    }

    /// Finds what is decided in `n` plies. `changed` are the sides for which the layer before found
    /// something; returns those for which this one did.
    fn layer(&self, n: u16, code: u16, events: &[Event], changed: [bool; 2]) -> [bool; 2] {
        let found = [false; 2].map(AtomicBool::new);
        let layout = self.looks.layout;
        let is_loss = n.is_multiple_of(2);
        // Moves that leave count one layer after the end behind them.
        let before = n.wrapping_sub(1);
        let idle = [0, 1]
            .map(|side| n > 0 && !changed[1 - side] && due(events, before, side, 0).is_empty());
        self.frames.par_chunks(BLOCK as usize).for_each(|frames| {
            let mut due = [0, 1].map(|side| due(events, before, side, frames[0]).iter().peekable());
            for &index in frames {
                let number = u64::from(index);
                let mut frame = None;
                for side in (0..2).filter(|&side| !idle[side]) {
                    let event = due[side].next_if(|event| event.frame == index);
                    let leave = event.map_or(0, |event| event.movers);
                    let wanted = self.wanted(is_loss, number, side, leave);
                    if wanted == 0 {
                        continue;
                    }
                    let frame = frame.get_or_insert_with(|| self.planes.frame(layout, number));
                    let Some(frame) = frame else { break };
                    let decided = match is_loss {
                        true => self.lost(number, frame, side, wanted),
                        false => self.won(number, frame, side, wanted, leave),
                    };
                    if decided != 0 {
                        found[side].store(true, Relaxed);
                        self.decide(frame, side, decided, code);
                    }
                }
            }
            (self.looks.progress)(Progress::Plies(n));
        });
        found.map(AtomicBool::into_inner)
    }

    /// The places of a frame that a layer may decide. `leave` have the moves that count in it.
    fn wanted(&self, is_loss: bool, number: u64, side: usize, leave: Plane) -> Plane {
        let Side { refuted, lost, escapes } = &self.sides[side];
        let open = !(refuted.get(number) | lost.get(number));
        if !is_loss {
            return open;
        }
        let left = escapes.get(number) & !leave;
        if leave != 0 {
            escapes.set(number, left);
        }
        open & !left
    }

    /// Those of `wanted` whose moves lead to nothing but wins of the other side.
    fn lost(&self, number: u64, frame: &P::Frame, side: usize, wanted: Plane) -> Plane {
        let refuted = &self.sides[1 - side].refuted;
        let unrefuted = |frame| !refuted.get(frame);
        let lost = wanted & !self.planes.movers(self.looks.layout, frame, side, wanted, unrefuted);
        if lost != 0 {
            self.add(&self.sides[side].lost, number, frame, lost);
        }
        lost
    }

    /// Those of `wanted` that have a move into a loss of the other side, as `leave` have.
    fn won(
        &self,
        number: u64,
        frame: &P::Frame,
        side: usize,
        wanted: Plane,
        leave: Plane,
    ) -> Plane {
        let lost = |frame| self.sides[1 - side].lost.get(frame);
        let inside = self.planes.movers(self.looks.layout, frame, side, wanted & !leave, lost);
        let won = inside | wanted & leave;
        if won != 0 {
            self.add(&self.sides[side].refuted, number, frame, won);
        }
        won
    }
}
