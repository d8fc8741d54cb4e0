//! The moves of a material turned round, for games of tests that list no un-moves of their own.

use rayon::prelude::*;
use sakmak_boards::game::{BoardGame, Effect};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

/// For each slot, the slots with a move into it.
#[derive(Debug)]
pub struct MoveGraph {
    /// Where the sources of a slot end; they begin where those of the slot before end.
    ends: Vec<AtomicUsize>,
    sources: Vec<AtomicU32>,
}

impl MoveGraph {
    /// The graph of a material: its moves are listed twice, to count them and to store them.
    pub fn new<G: BoardGame>(game: &G, layout: &G::Layout) -> MoveGraph {
        let size = game.size(layout);
        let moves = |each: &(dyn Fn(u64, usize) + Sync)| {
            (0..size).into_par_iter().for_each(|slot| {
                let Some(position) = game.unrank(layout, slot) else { return };
                if game.is_illegal(&position) || game.end(&position).is_some() {
                    return;
                }
                game.moves(&position, |played, effect| {
                    if effect == Effect::Stays {
                        each(slot, game.rank(layout, &game.play(&position, played)) as usize);
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
        MoveGraph { ends, sources }
    }

    /// Calls `each` with the slots that have a move into this one.
    pub fn sources(&self, slot: u64, mut each: impl FnMut(u64)) {
        let slot = slot as usize;
        let begin = if slot == 0 { 0 } else { self.ends[slot - 1].load(Relaxed) };
        for source in &self.sources[begin..self.ends[slot].load(Relaxed)] {
            each(source.load(Relaxed).into());
        }
    }
}
