//! One ply ahead, and the two methods that need nothing else: one pass, and value iteration.

use super::progress::Progress;
use crate::game::{Effect, End, Game};
use crate::table::{BLOCK, Near, Tables, all_slots};
use crate::value::Value;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering::Relaxed};

/// A slot without position.
pub const NOTHING: u16 = 0xFFFF;
/// A position that no legal move leads to.
pub const ILLEGAL: u16 = 0xFFFE;
/// A drawn position.
pub const DRAWN: u16 = 0xFFFD;
/// With the plies until the end.
pub const DECIDED: u16 = 0x8000;
/// A position that may be decided.
pub const OPEN: u16 = 0;

/// One ply ahead from positions of a tier.
pub struct Looks<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// The numbering of the tier.
    pub layout: &'a G::Layout,
    smaller: Near<'a, G>,
    /// Called with each part of the work that is done.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Whether a move led to a tier that is not there.
    unnamed: AtomicBool,
}

/// What the moves of a position lead to.
#[derive(Default)]
pub struct Ahead {
    /// Whether a move stays in the tier.
    pub stays: bool,
    /// Whether a move wins at once.
    pub wins: bool,
    /// Whether a move draws.
    pub draws: bool,
    /// The plies of the quickest loss of the opponent behind a move that leaves.
    pub quickest: Option<u16>,
    /// The plies of the slowest win of the opponent behind a move that leaves.
    pub slowest: Option<u16>,
}

impl Ahead {
    /// Takes in the value behind a move, for the opponent.
    fn take(&mut self, value: Value) {
        match value {
            Value::Illegal => {}
            Value::Draw => self.draws = true,
            Value::Loss(plies) => {
                self.quickest = Some(self.quickest.map_or(plies, |known| known.min(plies)));
            }
            Value::Win(plies) => self.slowest = self.slowest.max(Some(plies)),
        }
    }

    /// The state of a position none of whose moves stays.
    pub fn state(&self, stuck: impl FnOnce() -> End) -> u16 {
        match (self.wins, self.quickest, self.draws, self.slowest) {
            (true, ..) => DECIDED | 1,
            (false, Some(plies), ..) => DECIDED | (plies + 1),
            (false, None, true, _) => DRAWN,
            (false, None, false, Some(plies)) => DECIDED | (plies + 1),
            (false, None, false, None) => ended(stuck()),
        }
    }
}

/// The state of a position where the game is over.
pub fn ended(end: End) -> u16 {
    match end {
        End::Loss => DECIDED,
        End::Draw => DRAWN,
    }
}

impl<'a, G: Game> Looks<'a, G> {
    /// Looks by the tables of smaller tiers.
    ///
    /// # Errors
    ///
    /// The first smaller tier without a table.
    pub fn new(
        game: &'a G,
        tier: G::Tier,
        layout: &'a G::Layout,
        tables: &'a Tables<G>,
        progress: &'a (dyn Fn(Progress) + Sync),
    ) -> Result<Looks<'a, G>, G::Tier> {
        let smaller = Near::new(game, tables, game.smaller(tier))?;
        Ok(Looks { game, layout, smaller, progress, unnamed: AtomicBool::new(false) })
    }

    /// Whether a move led to a tier that is not there.
    pub fn is_unnamed(&self) -> bool {
        self.unnamed.load(Relaxed)
    }

    /// The position of a slot, or the state of one that has no moves to look at.
    pub fn open(&self, slot: u64) -> Result<G::Position, u16> {
        let position = self.game.unrank(self.layout, slot).ok_or(NOTHING)?;
        self.over(&position).map_or(Ok(position), Err)
    }

    /// The state of a position that is illegal or where the game is over.
    fn over(&self, position: &G::Position) -> Option<u16> {
        match self.game.is_illegal(position) {
            true => Some(ILLEGAL),
            false => self.game.end(position).map(ended),
        }
    }

    /// What the moves lead to; those that stay are not looked at, and some to positions without slot only
    /// with `all`.
    fn ahead(&self, position: &G::Position, all: bool) -> Ahead {
        let mut ahead = Ahead::default();
        let stays = self.game.leaving(position, all, |after| self.take(&mut ahead, after));
        Ahead { stays, ..ahead }
    }

    /// The state of a position as far as the moves that leave decide it: a win may be quicker. Without
    /// `all`, one by a move to a position without slot may be missing.
    pub fn first(&self, position: &G::Position, all: bool) -> u16 {
        if let Some(state) = self.over(position) {
            return state;
        }
        let ahead = self.ahead(position, all);
        match ahead.stays && !ahead.wins && ahead.quickest.is_none() {
            true => OPEN,
            false => ahead.state(|| self.game.stuck(position)),
        }
    }

    /// Whether a position without slot may be lost.
    pub fn may_lose(&self, forced: &G::Position) -> bool {
        let mut loses = false;
        self.game.leaving(forced, true, |after| {
            let mut ahead = Ahead::default();
            self.take(&mut ahead, after);
            loses |= !ahead.wins && !ahead.draws && ahead.quickest.is_none();
        });
        loses
    }

    /// The state of an open position, if no move saves it: `is_refuted` tells of a slot in the tier
    /// whether a move there loses, in at most `n` plies if it is legal.
    pub fn without_escape(
        &self,
        position: &G::Position,
        n: Option<u16>,
        is_refuted: impl Fn(u64) -> bool,
    ) -> Option<u16> {
        if self.game.reaches(self.layout, position, |target| !is_refuted(target)) {
            return None;
        }
        let ahead = self.ahead(position, true);
        if ahead.draws || ahead.quickest.is_some() {
            return None;
        }
        let slowest = ahead.slowest.max(n);
        Some(Ahead { slowest, ..ahead }.state(|| self.game.stuck(position)))
    }

    /// What the moves lead to. `inside` has the values of the slots in the tier.
    fn ahead_with(&self, position: &G::Position, inside: impl Fn(u64) -> Value) -> Ahead {
        let mut ahead = self.ahead(position, true);
        self.game.reaches(self.layout, position, |slot| {
            ahead.take(inside(slot));
            false
        });
        ahead
    }

    /// The values of a smaller tier by slot.
    pub fn values(&self, tier: G::Tier) -> impl Fn(u64) -> Value {
        let codes = self.smaller.codes(tier);
        move |slot| {
            codes.and_then(|codes| codes.value(slot)).unwrap_or_else(|| {
                self.unnamed.store(true, Relaxed);
                Value::Illegal
            })
        }
    }

    /// Takes in a move that does not stay.
    #[inline]
    fn take(&self, ahead: &mut Ahead, after: Result<G::Position, Effect>) {
        match after.map(|after| self.smaller.value(&after)) {
            Ok(Ok(value)) => ahead.take(value),
            Ok(Err(_)) => self.unnamed.store(true, Relaxed),
            Err(Effect::Wins) => ahead.wins = true,
            Err(_) => ahead.draws = true,
        }
    }

    /// The states of a tier whose moves all leave it.
    pub fn pass(&self, size: u64) -> Option<Vec<AtomicU16>> {
        let state = |slot| match self.open(slot) {
            Ok(position) => {
                let ahead = self.ahead(&position, true);
                // A move that stays contradicts the game's word.
                if ahead.stays {
                    self.unnamed.store(true, Relaxed);
                }
                ahead.state(|| self.game.stuck(&position))
            }
            Err(state) => state,
        };
        let block = BLOCK as u64;
        let state = |slot: u64| {
            if slot % block == block - 1 {
                (self.progress)(Progress::Slots(block));
            }
            AtomicU16::new(state(slot))
        };
        Some(all_slots(size).map(state).collect())
    }

    /// The states, by looking ahead from every open position in every layer.
    pub fn iterate(&self, size: u64) -> Option<Vec<AtomicU16>> {
        let first = |slot| AtomicU16::new(self.open(slot).err().unwrap_or(OPEN));
        let state: Vec<AtomicU16> = all_slots(size).map(first).collect();
        // Layer n sees what layers before it decided.
        let value = |slot: u64, n: u16| match state[slot as usize].load(Relaxed) {
            NOTHING | ILLEGAL => Value::Illegal,
            DRAWN | OPEN => Value::Draw,
            decided if decided & !DECIDED >= n => Value::Draw,
            decided if decided % 2 == 1 => Value::Win(decided & !DECIDED),
            decided => Value::Loss(decided & !DECIDED),
        };
        let mut n: u16 = 0;
        loop {
            // Whether this layer decides anything, and whether a later one may without it.
            let (changed, later) = (AtomicBool::new(false), AtomicBool::new(false));
            (self.progress)(Progress::Plies(n));
            all_slots(size).for_each(|slot| {
                let place = &state[slot as usize];
                if place.load(Relaxed) != OPEN {
                    return;
                }
                let Ok(position) = self.open(slot) else { return };
                let ahead = self.ahead_with(&position, |slot| value(slot, n));
                let found = ahead.state(|| self.game.stuck(&position));
                match found {
                    // Nothing legal leads on.
                    DRAWN if !ahead.draws => place.store(DRAWN, Relaxed),
                    DRAWN => {}
                    _ if found & !DECIDED == n => {
                        place.store(found, Relaxed);
                        changed.store(true, Relaxed);
                    }
                    _ => later.store(true, Relaxed),
                }
            });
            if !changed.into_inner() && !later.into_inner() && n > 0 {
                return Some(state);
            }
            n = n.checked_add(1).filter(|&n| n <= Value::LONGEST)?;
        }
    }
}
