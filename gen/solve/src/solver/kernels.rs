//! The kernels: one layer in the planes of one king pair.

use crate::planes::bits::Plane;
use crate::planes::check::{in_check, legal_slots};
use crate::planes::geometry::{Geometry, PlaneKey};
use crate::solver::chunk::ChunkPlanes;
use crate::solver::record::PairRecord;
use crate::solver::unmove::Unmoves;
use crate::solver::width::Kernel;
use sakmak_tables::distance::Wdl;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;
use std::collections::BTreeMap;
use std::io;

/// A set of planes, and the king pairs with planes in it.
pub struct ActivePlanes {
    per_pair: usize,
    /// Flags by king pair and outer placement.
    pub planes: Vec<bool>,
    /// Flags by king pair.
    pub pairs: Vec<bool>,
}

impl ActivePlanes {
    /// The empty set.
    pub fn none(geometry: &Geometry) -> ActivePlanes {
        let pairs = vec![false; geometry.index.kings().len()];
        let (per_pair, planes) = (geometry.planes_per_pair(), vec![false; geometry.planes()]);
        ActivePlanes { per_pair, planes, pairs }
    }

    /// Whether the set has a plane.
    #[inline(always)]
    pub fn has(&self, pair: KingPair, outer: usize) -> bool {
        self.planes[pair.0 as usize * self.per_pair + outer]
    }
}

/// The effect of a layer on the planes of a king pair.
#[derive(Clone, Copy, Default)]
pub struct LayerEffect {
    /// Whether slots were found.
    pub slots: bool,
    /// Whether any plane has changed.
    pub planes: bool,
    /// The number of planes read or written.
    pub moved: u64,
}

impl LayerEffect {
    /// The combined effect.
    pub fn or(self, other: LayerEffect) -> io::Result<LayerEffect> {
        Ok(LayerEffect {
            slots: self.slots | other.slots,
            planes: self.planes | other.planes,
            moved: self.moved + other.moved,
        })
    }
}

/// A kernel: one layer of wins in the planes of one king pair.
pub struct WonPair<'a, 'b> {
    pub geometry: &'a Geometry,
    pub attacks: &'a Unmoves<'a>,
    /// Planes by king pair.
    pub fresh: &'a [&'a [Plane]],
    pub live: &'a ActivePlanes,
    pub pair: KingPair,
    pub safe: &'a mut [Plane],
    pub all_won: &'a mut [bool],
    pub changed: &'a mut [bool],
    pub won: Option<&'a mut PairRecord<'b>>,
    /// The due conversions.
    pub conversions: ChunkPlanes<'a>,
    /// Passing slots in which the defender's capture in passing no longer saves it.
    pub doomed: ChunkPlanes<'a>,
}

impl WonPair<'_, '_> {
    /// Updates the passing slots of `safe`. Returns whether any plane has changed.
    #[cold]
    #[inline(never)]
    fn pass(&mut self) -> bool {
        let (geometry, defender) = (self.geometry, !self.attacks.mover());
        for (outer, slots) in self.doomed.clone() {
            slots.for_each(|row, columns| self.safe[outer].0[row] &= !columns);
            self.changed[outer] = true;
        }
        for &(passing, advanced) in geometry.passing(defender) {
            if self.changed[advanced] || self.changed[passing] {
                let there = self.safe[advanced];
                self.safe[passing].keep_all(&there);
                self.changed[passing] = true;
            }
        }
        let passing_slots = geometry.passing_slots(defender);
        for (safe, _) in self.safe.iter_mut().zip(&*self.changed).filter(|(_, changed)| **changed) {
            let lost = passing_slots.without(&geometry.carried(defender, safe));
            safe.remove_all(&lost);
        }
        self.changed.contains(&true)
    }
}

impl Kernel for WonPair<'_, '_> {
    type Output = LayerEffect;

    #[inline(always)]
    fn run(mut self) -> LayerEffect {
        let mut any = LayerEffect::default();
        let mut found = Plane::EMPTY;
        for (outer, safe) in self.safe.iter_mut().enumerate() {
            if !self.all_won[outer] {
                let key = self.geometry.plane_key(self.pair, outer);
                let live = |pair: KingPair, outer: usize| self.live.has(pair, outer);
                if self.attacks.touches(&key, outer, live) {
                    let mut wanted = match key.real {
                        true => safe.and(&self.geometry.real_slots(&key)),
                        false => Plane::EMPTY,
                    };
                    if self.geometry.end.check_loses {
                        // The attacker has lost there and moves no more.
                        let attacker = self.attacks.mover();
                        wanted.remove_all(&in_check(self.geometry, &key, attacker));
                    }
                    self.all_won[outer] = wanted.is_empty();
                    any.moved += 1;
                    any.moved +=
                        self.attacks.back(&key, outer, self.fresh, live, &wanted, &mut found);
                    found.keep_all(&wanted);
                    if !found.is_empty() {
                        any.moved += 1;
                        if let Some(won) = &mut self.won {
                            won.note(outer, &found);
                        }
                        safe.remove_all(&found);
                        self.changed[outer] = true;
                        any.slots = true;
                    }
                }
            }
            self.conversions.slots_of(outer).for_each(|row, columns| {
                safe.0[row] &= !columns;
                self.changed[outer] = true;
            });
            any.planes |= self.changed[outer];
        }
        if Side::BOTH.into_iter().any(|side| self.geometry.has_double_step(side)) {
            any.planes |= self.pass();
        }
        any
    }
}

/// The losses that a step finds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Losses {
    /// The positions in which the game is over and lost. Drawn positions leave `open`.
    AtOnce,
    /// The positions in which every legal move is a conversion won in 0 moves, after `AtOnce`.
    ByArrival,
    /// The losses in 1 move or more.
    Later,
}

/// A kernel: one layer of losses in the planes of one king pair.
pub struct LostPair<'a, 'b> {
    pub geometry: &'a Geometry,
    pub defences: &'a Unmoves<'a>,
    /// Planes by king pair.
    pub safe: &'a [&'a [Plane]],
    pub changed: &'a ActivePlanes,
    pub losses: Losses,
    pub pair: KingPair,
    pub open: &'a mut [Plane],
    pub closed: &'a mut [bool],
    pub fresh: &'a mut [Plane],
    pub live: &'a mut [bool],
    pub lost: Option<&'a mut PairRecord<'b>>,
    /// The due conversions.
    pub conversions: ChunkPlanes<'a>,
    /// Passing slots in which the defender's capture in passing no longer saves it.
    pub doomed: ChunkPlanes<'a>,
}

impl LostPair<'_, '_> {
    /// Finds the passing slots that are lost in this layer. Returns whether any plane is live.
    #[cold]
    #[inline(never)]
    fn pass(&mut self) -> bool {
        let (geometry, defender) = (self.geometry, self.defences.mover());
        // `safe` has the passing slots in which a capture in passing still saves the defender.
        let saved = &self.safe[self.pair.0 as usize];
        // Positions in which the defender has lost or cannot move without that capture.
        let over = |open: &[Plane], outer: usize| {
            let key = geometry.plane_key(self.pair, outer);
            legal_slots(geometry, &key, defender).without(&open[outer])
        };
        let mut doomed = BTreeMap::new();
        for (outer, slots) in self.doomed.clone() {
            let due = doomed.entry(outer).or_insert(Plane::EMPTY);
            slots.for_each(|row, columns| due.0[row] |= columns);
        }
        let passing_slots = geometry.passing_slots(!defender);
        for outer in 0..self.live.len() {
            if !self.live[outer] && !doomed.contains_key(&outer) {
                continue;
            }
            let mut fresh = if self.live[outer] { self.fresh[outer] } else { Plane::EMPTY };
            let mut passing = geometry.carried(!defender, &fresh).without(&saved[outer]);
            if let Some(due) = doomed.get(&outer) {
                passing.insert_all(&due.and(&geometry.carried(!defender, &over(self.open, outer))));
            }
            fresh.remove_all(&passing_slots);
            fresh.insert_all(&passing);
            self.live[outer] = !fresh.is_empty();
            self.fresh[outer] = fresh;
        }
        for &(passing, advanced) in geometry.passing(!defender) {
            let mut fresh = match self.live[advanced] {
                true => self.fresh[advanced].without(&saved[passing]),
                false => Plane::EMPTY,
            };
            if let Some(due) = doomed.get(&passing) {
                fresh.insert_all(&due.and(&over(self.open, advanced)));
            }
            if self.live[passing] || !fresh.is_empty() {
                self.live[passing] = !fresh.is_empty();
                self.fresh[passing] = fresh;
            }
        }
        self.live.contains(&true)
    }
}

/// Removes the slots in which the game is over from `open`; returns the lost slots.
///
/// `side` is to move; `escapes` are the slots of `open` with a legal move.
fn lost_at_once(
    geometry: &Geometry,
    key: &PlaneKey,
    side: Side,
    open: &mut Plane,
    escapes: &Plane,
) -> Plane {
    let in_check = in_check(geometry, key, side);
    let (mut over, mut lost) = (Plane::EMPTY, Plane::EMPTY);
    for (checked, has_move) in [(false, false), (false, true), (true, false), (true, true)] {
        if let Some(value) = geometry.end.value(checked, has_move) {
            let mut slots = if checked { open.and(&in_check) } else { open.without(&in_check) };
            slots = if has_move { slots.and(escapes) } else { slots.without(escapes) };
            over.insert_all(&slots);
            if value.wdl() == Wdl::Loss {
                lost.insert_all(&slots);
            }
        }
    }
    open.remove_all(&over);
    lost
}

impl Kernel for LostPair<'_, '_> {
    type Output = LayerEffect;

    #[inline(always)]
    fn run(mut self) -> LayerEffect {
        let mut any = LayerEffect::default();
        let mut escapes = Plane::EMPTY;
        // Whether a game can be over while the side to move has moves.
        let ends_with_moves = self.losses == Losses::AtOnce && self.geometry.end.check_loses;
        for (outer, (open, fresh)) in self.open.iter_mut().zip(&mut *self.fresh).enumerate() {
            let mut found = false;
            if !self.closed[outer] {
                let key = self.geometry.plane_key(self.pair, outer);
                let changed = |pair: KingPair, outer: usize| self.changed.has(pair, outer);
                if self.defences.touches(&key, outer, changed) {
                    any.moved += 1;
                    any.moved +=
                        self.defences.back(&key, outer, self.safe, |_, _| true, open, &mut escapes);
                    found = ends_with_moves || !open.is_within(&escapes);
                }
                if found {
                    any.moved += 2;
                    let at_once = *fresh;
                    if self.losses == Losses::AtOnce {
                        *fresh = lost_at_once(
                            self.geometry,
                            &key,
                            self.defences.mover(),
                            open,
                            &escapes,
                        );
                        found = !fresh.is_empty();
                    } else {
                        *fresh = open.without(&escapes);
                        open.remove_all(fresh);
                    }
                    self.closed[outer] = open.is_empty();
                    if let Some(lost) = &mut self.lost {
                        lost.note(outer, fresh);
                    }
                    any.slots |= found;
                    if self.losses == Losses::ByArrival {
                        fresh.insert_all(&at_once);
                    }
                }
            }
            if self.losses == Losses::ByArrival {
                found |= self.live[outer];
            }
            if !found && self.live[outer] {
                *fresh = Plane::EMPTY;
            }
            self.live[outer] = found;
            self.conversions.slots_of(outer).for_each(|row, columns| {
                fresh.0[row] |= columns;
                self.live[outer] = true;
            });
            any.planes |= self.live[outer];
        }
        if self.geometry.has_double_step(!self.defences.mover()) {
            any.planes = self.pass();
        }
        any
    }
}
