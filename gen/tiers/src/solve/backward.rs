//! Backward induction with counters.
//!
//! One number for each slot is the moves that an open position has left, or its distance. Moves that
//! leave the tier count as one, which goes when the slowest of them is refuted, and never if one of
//! them wins or draws. Blocks of slots are marked when something in them is decided, so a layer
//! reads the blocks that the layer before has changed.

use super::looks::{DECIDED, DRAWN, ILLEGAL, Looks, NOTHING, ended};
use super::progress::Progress;
use crate::game::Game;
use crate::table::{BLOCK, all_slots, slots_of};
use crate::value::Value;
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering::Relaxed};

/// What moves that leave the tier do to a slot, and when: for a block of slots.
struct Leaving {
    /// For each slot 0, or one more than the layer in which they count.
    layers: Vec<u8>,
    /// The layers that occur, a bit each.
    present: [u64; 4],
}

/// Slots whose layer does not fit a byte.
type Late = Vec<(u16, u32)>;

/// The way back from a position.
pub trait Back<G: Game>: Sync {
    /// The weight of a move of the position, and of a move into it.
    fn weight(&self, position: &G::Position) -> u16;

    /// Calls `each` with the slots that have a move into this one.
    fn sources(&self, slot: u64, position: &G::Position, each: impl FnMut(u64));
}

impl<G: Game> Back<G> for Looks<'_, G> {
    fn weight(&self, position: &G::Position) -> u16 {
        self.game.orbit(position)
    }

    fn sources(&self, slot: u64, position: &G::Position, each: impl FnMut(u64)) {
        self.game.sources(self.layout, slot, position, each);
    }
}

/// The states of a tier. Returns `None` if a distance is too long.
pub fn solve<G: Game>(
    looks: &Looks<'_, G>,
    size: u64,
    back: &impl Back<G>,
) -> Option<Vec<AtomicU16>> {
    let blocks = (size as usize).div_ceil(BLOCK);
    let state: Vec<AtomicU16> = all_slots(size).map(|_| AtomicU16::new(NOTHING)).collect();
    let late: Mutex<Late> = Mutex::default();
    // Bit 0: decided in an even layer. Bit 1: in an odd one. Bit 2: illegal positions.
    let marks: Vec<AtomicU8> = (0..blocks).map(|_| AtomicU8::new(0)).collect();
    let leaving: Vec<Leaving> = state
        .par_chunks(BLOCK)
        .enumerate()
        .map(|(block, states)| {
            let first = (block * BLOCK) as u64;
            look_ahead(looks, first, states, back, &late, &marks[block])
        })
        .collect();
    let mut late = late.into_inner().unwrap_or_default();
    late.sort_unstable();
    // Layers above this one have nothing but what the layer before decides.
    let mut longest = late.last().map_or(0, |&(layer, _)| layer);
    for Leaving { present, .. } in &leaving {
        let word = present.iter().rposition(|&word| word != 0);
        let layer = word.map(|word| word as u16 * 64 + 63 - present[word].leading_zeros() as u16);
        longest = longest.max(layer.unwrap_or(0));
    }

    let settle = |slot: u64, plies: u16| {
        state[slot as usize].store(DECIDED | plies, Relaxed);
        mark(&marks[slot as usize / BLOCK], 1 << (plies % 2));
    };
    // Takes moves from an open position. Returns whether it has none left.
    let take = |slot: u64, moves: u16| {
        let place = &state[slot as usize];
        place.load(Relaxed) < DECIDED && place.fetch_sub(moves, Relaxed) == moves
    };
    let position = |slot: u64| looks.game.unrank(looks.layout, slot);

    // A move into an illegal position is none.
    (0..blocks).into_par_iter().filter(|&block| marks[block].load(Relaxed) & 4 != 0).for_each(
        |block| {
            for slot in slots_of(block, size) {
                if state[slot as usize].load(Relaxed) != ILLEGAL {
                    continue;
                }
                let Some(illegal) = position(slot) else { continue };
                let weight = back.weight(&illegal);
                back.sources(slot, &illegal, |source| {
                    if take(source, weight)
                        && let Some(stuck) = position(source)
                    {
                        match ended(looks.game.stuck(&stuck)) {
                            DRAWN => state[source as usize].store(DRAWN, Relaxed),
                            _ => settle(source, 0),
                        }
                    }
                });
            }
        },
    );

    let mut n: u16 = 0;
    loop {
        let bit = 1 << (n % 2);
        let is_loss = n.is_multiple_of(2);
        let next = n + 1;
        // Moves that leave the tier into a distance of n.
        let leave = |slot: u64| {
            let place = &state[slot as usize];
            if is_loss {
                if place.load(Relaxed) < DECIDED {
                    settle(slot, next);
                }
            } else if take(slot, 1) {
                settle(slot, next);
            }
        };
        let before = AtomicU64::new(0);
        (0..blocks).into_par_iter().for_each(|block| {
            let Leaving { layers, present } = &leaving[block];
            if n < 255 && present[usize::from(n) / 64] >> (n % 64) & 1 == 1 {
                let due = layers.iter().zip(slots_of(block, size));
                due.filter(|&(&layer, _)| u16::from(layer) == next)
                    .for_each(|(_, slot)| leave(slot));
            }
            if marks[block].load(Relaxed) & bit == 0 {
                return;
            }
            marks[block].fetch_and(!bit, Relaxed);
            for slot in slots_of(block, size) {
                if state[slot as usize].load(Relaxed) != DECIDED | n {
                    continue;
                }
                before.store(1, Relaxed);
                let Some(decided) = position(slot) else { continue };
                if is_loss {
                    back.sources(slot, &decided, |source| {
                        if state[source as usize].load(Relaxed) < DECIDED {
                            settle(source, next);
                        }
                    });
                } else {
                    let weight = back.weight(&decided);
                    back.sources(slot, &decided, |source| {
                        if take(source, weight) {
                            settle(source, next);
                        }
                    });
                }
            }
            (looks.progress)(Progress::Plies(next));
        });
        let from = late.partition_point(|&(layer, _)| layer < n);
        late[from..]
            .iter()
            .take_while(|&&(layer, _)| layer == n)
            .for_each(|&(_, slot)| leave(slot.into()));
        // An odd layer may follow an even one without anything: moves win in one ply.
        if before.into_inner() == 0 && n > longest && n > 0 {
            return Some(state);
        }
        if next >= Value::LONGEST {
            return None;
        }
        n = next;
    }
}

/// Sets a bit in the marks of a block.
fn mark(marks: &AtomicU8, bit: u8) {
    if marks.load(Relaxed) & bit == 0 {
        marks.fetch_or(bit, Relaxed);
    }
}

/// The first states of a block.
fn look_ahead<G: Game>(
    looks: &Looks<'_, G>,
    first: u64,
    states: &[AtomicU16],
    back: &impl Back<G>,
    late: &Mutex<Late>,
    marks: &AtomicU8,
) -> Leaving {
    let mut leaving = Leaving { layers: Vec::new(), present: [0; 4] };
    for (at, place) in states.iter().enumerate() {
        let slot = first + at as u64;
        let position = match looks.open(slot) {
            Ok(position) => position,
            Err(known) => {
                place.store(known, Relaxed);
                match known {
                    ILLEGAL => mark(marks, 4),
                    DECIDED => mark(marks, 1),
                    _ => {}
                }
                continue;
            }
        };
        let ahead = looks.ahead(&position);
        let leaves = ahead.draws || ahead.quickest.is_some() || ahead.slowest.is_some();
        if ahead.wins || (ahead.inside == 0 && !leaves) {
            let known = ahead.state(|| looks.game.stuck(&position));
            place.store(known, Relaxed);
            match known {
                DRAWN => {}
                _ => mark(marks, if known == DECIDED { 1 } else { 2 }),
            }
            continue;
        }
        place.store(ahead.inside * back.weight(&position) + u16::from(leaves), Relaxed);
        let layer = match (ahead.quickest, ahead.draws) {
            (Some(plies), _) => Some(plies),
            (None, true) => None,
            (None, false) => ahead.slowest,
        };
        match layer {
            None => {}
            Some(layer @ 0..255) => {
                if leaving.layers.is_empty() {
                    leaving.layers = vec![0; states.len()];
                }
                leaving.layers[at] = layer as u8 + 1;
                leaving.present[usize::from(layer) / 64] |= 1 << (layer % 64);
            }
            Some(layer) => {
                if let Ok(mut late) = late.lock() {
                    late.push((layer, slot as u32));
                }
            }
        }
    }
    (looks.progress)(Progress::Slots(states.len() as u64));
    leaving
}
