//! Backward induction without counters.
//!
//! ```text
//! at first     a slot has its value if no move stays, and a win behind a move that leaves as a bound:
//!              a quicker one takes its place
//! lost in n:   every position with a move into it is won in n + 1, unless it is won in less
//! won in n:    every open position with a move into it is a candidate; it is lost if all its moves
//!              lead to wins in at most n, or leave into longer ones
//! ```
//!
//! Winning moves to positions without a slot are found backwards: from the slot whose forced
//! position may lose, to the positions with a move into the forced position.
//!
//! The test of a candidate ends at the first move that saves it. So nearly all work is on decided
//! positions and their sources, which are few if nearly all positions are drawn. Counters would
//! need all moves of all positions.
//!
//! Each block of slots is marked with the plies of its decided positions, so a layer reads only the
//! blocks with positions of the layer.

use crate::boards::lookahead::{DECIDED, DRAWN, ILLEGAL, Lookahead, NOTHING, OPEN};
use crate::boards::progress::Progress;
use crate::boards::tables::{BLOCK, all_slots, slots_of};
use crate::parallel::*;
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::Value;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering::Relaxed};

/// Number of words of candidates in a block.
const WORDS: usize = BLOCK / 64;

/// The work on a material.
struct Solver<'a, G: SolvableGame> {
    lookahead: &'a Lookahead<'a, G>,
    size: u64,
    state: Vec<AtomicU16>,
    /// The plies of the decided positions of each block, modulo 64, as bits.
    marks: Vec<AtomicU64>,
    /// The slots that may be lost, one bit per slot.
    candidates: Vec<AtomicU64>,
    /// Longest distance of a state, in plies.
    longest: AtomicU16,
}

/// The states of a material. Returns `None` if a distance is too long.
pub fn solve<G: SolvableGame>(lookahead: &Lookahead<'_, G>, size: u64) -> Option<Vec<AtomicU16>> {
    let blocks = (size as usize).div_ceil(BLOCK);
    let words = |count: usize| (0..count).map(|_| AtomicU64::new(0)).collect();
    let solver = Solver {
        lookahead,
        size,
        state: all_slots(size).map(|_| AtomicU16::new(NOTHING)).collect(),
        marks: words(blocks),
        candidates: words(blocks * WORDS),
        longest: AtomicU16::new(0),
    };
    let has_illegal = AtomicBool::new(false);
    (0..blocks).into_par_iter().for_each(|block| {
        if solver.start(block) {
            has_illegal.store(true, Relaxed);
        }
    });
    solver.settle_candidates(|position| lookahead.first(position, true));
    // A move into an illegal position is not legal.
    if has_illegal.into_inner() {
        solver.each_illegal(|source| solver.suspect(source));
        solver.settle_lost(None);
    }
    let mut n: u16 = 0;
    // An odd layer may follow an empty even layer: moves win in one ply.
    while n <= solver.longest.load(Relaxed).max(1) {
        if n >= Value::LONGEST {
            return None;
        }
        if n.is_multiple_of(2) {
            solver.each_in_layer(n, |source| solver.win(source, n + 1));
        } else {
            solver.each_in_layer(n, |source| solver.suspect(source));
            solver.settle_lost(Some(n));
        }
        n += 1;
    }
    Some(solver.state)
}

/// Whether a position of this state is won in at most `n` plies, or illegal: a move there loses.
#[inline]
fn is_refuted(state: u16, n: Option<u16>) -> bool {
    match state {
        DECIDED..DRAWN => state % 2 == 1 && Some(state & !DECIDED) <= n,
        state => state == ILLEGAL,
    }
}

impl<G: SolvableGame> Solver<'_, G> {
    #[inline]
    fn state(&self, slot: u64) -> u16 {
        self.state[slot as usize].load(Relaxed)
    }

    /// Sets the state of a slot.
    #[inline]
    fn settle(&self, slot: u64, state: u16) {
        self.state[slot as usize].store(state, Relaxed);
        if (DECIDED..DRAWN).contains(&state) {
            let plies = state & !DECIDED;
            self.mark(slot as usize / BLOCK, plies);
            if self.longest.load(Relaxed) < plies {
                self.longest.fetch_max(plies, Relaxed);
            }
        }
    }

    /// Marks a block with a position decided in this number of plies.
    #[inline]
    fn mark(&self, block: usize, plies: u16) {
        let bit = 1 << (plies % 64);
        if self.marks[block].load(Relaxed) & bit == 0 {
            self.marks[block].fetch_or(bit, Relaxed);
        }
    }

    /// Sets the first states of a block. Returns whether the block has illegal positions.
    fn start(&self, block: usize) -> bool {
        let (mut has_illegal, game) = (false, self.lookahead.game);
        let slots = slots_of(block, self.size);
        let count = slots.end - slots.start;
        self.lookahead.game.positions(self.lookahead.layout, slots, |slot, position| {
            let state = self.lookahead.first(&position, false);
            has_illegal |= state == ILLEGAL;
            self.settle(slot, state);
            let forced = game.forced(&position);
            if let Some(forced) = forced.filter(|forced| self.lookahead.may_lose(forced)) {
                game.sources(self.lookahead.layout, &forced, |source| self.list(source));
            }
        });
        (self.lookahead.progress)(Progress::Slots(count));
        has_illegal
    }

    /// Calls `each` with the sources of the slots of a block whose states meet a condition.
    fn sources(&self, block: usize, mut is: impl FnMut(u16) -> bool, each: impl Fn(u64)) {
        let slots = slots_of(block, self.size).filter(|&slot| is(self.state(slot)));
        self.lookahead.game.positions(self.lookahead.layout, slots, |_, position| {
            self.lookahead.game.sources(self.lookahead.layout, &position, &each);
        });
    }

    /// Calls `each` with the sources of all illegal positions.
    fn each_illegal(&self, each: impl Fn(u64) + Sync) {
        let blocks = 0..self.marks.len();
        blocks.into_par_iter().for_each(|block| {
            self.sources(block, |state| state == ILLEGAL, &each);
        });
    }

    /// Calls `each` with the sources of all positions that are decided in `n` plies.
    fn each_in_layer(&self, n: u16, each: impl Fn(u64) + Sync) {
        let bit = 1 << (n % 64);
        self.marks.par_iter().enumerate().for_each(|(block, marks)| {
            if marks.load(Relaxed) & bit == 0 {
                return;
            }
            marks.fetch_and(!bit, Relaxed);
            let mut later = false;
            let in_layer = |state| {
                later |= (DECIDED | (n + 1)..DRAWN).contains(&state) && state % 64 == n % 64;
                state == DECIDED | n
            };
            self.sources(block, in_layer, &each);
            if later {
                self.mark(block, n);
            }
            (self.lookahead.progress)(Progress::Plies(n + 1));
        });
    }

    /// Records a move into a loss: the position is won in this number of plies.
    #[inline]
    fn win(&self, slot: u64, plies: u16) {
        let state = self.state(slot);
        if state == OPEN || (DECIDED | (plies + 1)..DRAWN).contains(&state) {
            self.settle(slot, DECIDED | plies);
        }
    }

    /// Records a move into a win: the position may be lost.
    #[inline]
    fn suspect(&self, slot: u64) {
        if self.state(slot) == OPEN {
            self.list(slot);
        }
    }

    /// Adds a candidate.
    #[inline]
    fn list(&self, slot: u64) {
        let (word, bit) = (&self.candidates[slot as usize / 64], 1 << (slot % 64));
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    /// Settles the candidates that are lost. All wins in at most `n` plies are known.
    fn settle_lost(&self, n: Option<u16>) {
        self.settle_candidates(|position| {
            let known = |target| is_refuted(self.state(target), n);
            self.lookahead.without_escape(position, n, known).unwrap_or(OPEN)
        });
    }

    /// Sets the states of all candidates, and clears the list of candidates.
    fn settle_candidates(&self, state: impl Fn(&G::Position) -> u16 + Sync) {
        self.candidates.par_chunks(WORDS).enumerate().for_each(|(block, words)| {
            let first = (block * BLOCK) as u64;
            let slots = words.iter().enumerate().flat_map(|(at, word)| {
                let bits = word.load(Relaxed);
                if bits != 0 {
                    word.store(0, Relaxed);
                }
                members(bits).map(move |bit| first + at as u64 * 64 + bit)
            });
            self.lookahead.game.positions(self.lookahead.layout, slots, |slot, position| {
                self.settle(slot, state(&position));
            });
        });
    }
}

/// The bits of a word, in ascending order.
fn members(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros().into())?;
        word &= word - 1;
        Some(bit)
    })
}
