//! The kernels: one layer in the planes of one king pair.

use crate::planes::bits::Plane;
use crate::planes::check::in_check;
use crate::planes::geometry::{Geometry, PlaneKey};
use crate::solver::chunk::ChunkPlanes;
use crate::solver::record::PairRecord;
use crate::solver::unmove::Unmoves;
use crate::solver::width::Kernel;
use sakmak_tables::distance::Wdl;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;
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
        for (outer, (open, fresh)) in self.open.iter_mut().zip(self.fresh).enumerate() {
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
        any
    }
}
