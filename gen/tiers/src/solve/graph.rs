//! The moves of a tier turned round, for games without un-moves.

use super::backward::Back;
use super::looks::Looks;
use crate::game::{Effect, Game};
use crate::table::all_slots;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

/// For each slot, the slots with a move into it.
pub struct Graph {
    /// Where the sources of a slot end; they begin where those of the slot before end.
    ends: Vec<AtomicUsize>,
    sources: Vec<AtomicU32>,
}

impl Graph {
    /// The graph of a tier: its moves are listed twice, to count them and to store them.
    pub fn new<G: Game>(looks: &Looks<'_, G>, size: u64) -> Graph {
        let moves = |each: &(dyn Fn(u64, usize) + Sync)| {
            all_slots(size).for_each(|slot| {
                let Ok(position) = looks.open(slot) else { return };
                looks.game.moves(&position, |played, effect| {
                    if effect == Effect::Stays {
                        let after = looks.game.play(&position, played);
                        each(slot, looks.game.rank(looks.layout, &after) as usize);
                    }
                });
            });
        };
        let ends: Vec<AtomicUsize> = (0..=size).map(|_| AtomicUsize::new(0)).collect();
        moves(&|_, target| {
            ends[target + 1].fetch_add(1, Relaxed);
        });
        let mut sum = 0;
        for end in &ends {
            sum += end.load(Relaxed);
            end.store(sum, Relaxed);
        }
        let sources: Vec<AtomicU32> = (0..sum).map(|_| AtomicU32::new(0)).collect();
        // Each entry moves its slot's beginning on, up to the end.
        moves(&|source, target| {
            sources[ends[target].fetch_add(1, Relaxed)].store(source as u32, Relaxed);
        });
        Graph { ends, sources }
    }
}

impl<G: Game> Back<G> for Graph {
    fn sources(&self, slot: u64, _position: &G::Position, mut each: impl FnMut(u64)) {
        let slot = slot as usize;
        let begin = if slot == 0 { 0 } else { self.ends[slot - 1].load(Relaxed) };
        for source in &self.sources[begin..self.ends[slot].load(Relaxed)] {
            each(source.load(Relaxed).into());
        }
    }
}
