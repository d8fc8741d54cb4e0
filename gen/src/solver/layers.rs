//! The layers of one attacker's wins. The parent module explains the scheme.

use crate::planes::bits::Plane;
use crate::planes::check::{in_check, legal_slots};
use crate::planes::frame::Frame;
use crate::planes::geometry::{Geometry, PlaneKey};
use crate::solver::buffer::Buffer;
use crate::solver::conversions::PairConversions;
use crate::solver::kernels::{ActivePlanes, LayerEffect, Losses, LostPair, WonPair};
use crate::solver::record::{PairRecord, Record};
use crate::solver::unmove::Unmoves;
use crate::solver::width::Width;
use rayon::prelude::*;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;
use std::io;

/// The sets of slots while one attacker's wins are solved, by number of the plane.
struct WinSets<'a> {
    geometry: &'a Geometry,
    frame: &'a Frame,
    width: Width,
    attacks: Unmoves<'a>,
    defences: Unmoves<'a>,
    /// Attacker to move: not known to be won.
    safe: Buffer<Plane>,
    /// Planes of `safe` that lost slots in this layer, and pairs that have such planes.
    safe_changed: ActivePlanes,
    /// Planes of `safe` that have no position left.
    all_won: Vec<bool>,
    /// Defender to move: legal, the game not drawn there, not known to be lost.
    open: Buffer<Plane>,
    /// Planes of `open` that are empty.
    closed: Vec<bool>,
    /// Defender to move: lost in exactly this layer.
    fresh: Buffer<Plane>,
    /// Planes of `fresh` that are not empty, and pairs that have such planes.
    fresh_live: ActivePlanes,
    won_conversions: Vec<PairConversions>,
    lost_conversions: Vec<PairConversions>,
}

/// The wins to find.
pub struct Goal<'a> {
    /// The side that wins.
    pub attacker: Side,
    /// The longest win to find; `None` finds all.
    pub longest: Option<Moves>,
    /// Called after each layer.
    pub layer: &'a dyn Fn(Moves),
}

/// Finds the wins of one attacker, given the conversions won for it after the defender's
/// moves and those lost for the defender after its own.
///
/// The attacker's wins go into the record of the attacker to move, the defender's losses into the
/// other, if these records exist. Returns the bytes of planes that were read or written.
///
/// # Errors
///
/// If there is not enough memory, or not enough disk for the records.
pub fn find_wins(
    geometry: &Geometry,
    frame: &Frame,
    goal: Goal<'_>,
    conversions: [Vec<PairConversions>; 2],
    records: &mut [Option<Record>; 2],
    width: Width,
) -> io::Result<u64> {
    let Goal { attacker, longest, layer } = goal;
    let [won_conversions, lost_conversions] = conversions;
    let last =
        |conversions: &[PairConversions]| conversions.iter().map(PairConversions::last).max();
    let last_conversion = last(&won_conversions).max(last(&lost_conversions)).unwrap_or_default();
    let planes = geometry.planes();
    let mut sets = WinSets {
        geometry,
        frame,
        width,
        attacks: Unmoves::new(geometry, attacker),
        defences: Unmoves::new(geometry, !attacker),
        safe: Buffer::unspecified(planes)?,
        safe_changed: ActivePlanes::none(geometry),
        all_won: vec![false; planes],
        open: Buffer::unspecified(planes)?,
        closed: vec![false; planes],
        fresh: Buffer::zeroed(planes)?,
        fresh_live: ActivePlanes::none(geometry),
        won_conversions,
        lost_conversions,
    };
    let [white, black] = records;
    let (won, lost) = if attacker == Side::White { (white, black) } else { (black, white) };
    sets.begin();
    // `begin` has written two sets.
    let mut moved = 2 * planes as u64;
    moved += sets.step_lost(Moves(0), Losses::AtOnce, lost.as_mut())?.moved;
    if sets.arrive() {
        moved += sets.step_lost(Moves(0), Losses::ByArrival, lost.as_mut())?.moved;
    }
    let mut moves = Moves(0);
    loop {
        moves.0 += 1;
        let won = sets.step_won(moves, won.as_mut())?;
        let lost = sets.step_lost(moves, Losses::Later, lost.as_mut())?;
        layer(moves);
        moved += won.moved + lost.moved;
        let quiet = !won.planes && !lost.planes && moves >= last_conversion;
        if quiet || Some(moves) == longest {
            return Ok(moved * size_of::<Plane>() as u64);
        }
    }
}

/// The parts of a record for all king pairs; `None` for each if there is no record.
fn parts<'a>(
    record: Option<&'a mut Record>,
    frame: &'a Frame,
    pairs: usize,
) -> Vec<Option<PairRecord<'a>>> {
    match record {
        Some(record) => record.pairs(frame).into_iter().map(Some).collect(),
        None => std::iter::repeat_with(|| None).take(pairs).collect(),
    }
}

impl WinSets<'_> {
    /// Fills `safe` and `open` as they are before any win is known.
    fn begin(&mut self) {
        let (geometry, attacker) = (self.geometry, self.attacks.mover());
        let per_pair = geometry.planes_per_pair();
        (
            self.safe.par_chunks_mut(per_pair),
            self.open.par_chunks_mut(per_pair),
            self.closed.par_chunks_mut(per_pair),
        )
            .into_par_iter()
            .enumerate()
            .for_each(|(pair, (safe, open, closed))| {
                for (outer, (safe, open)) in safe.iter_mut().zip(open).enumerate() {
                    let key = geometry.plane_key(KingPair(pair as u16), outer);
                    let mut barred = in_check(geometry, &key, !attacker);
                    barred.insert_all(&own_coincidences(geometry, &key, !attacker));
                    *safe = Plane([u64::MAX; SQUARES]).without(&barred);
                    *open = legal_slots(geometry, &key, !attacker);
                    closed[outer] = open.is_empty();
                }
            });
        self.safe_changed.planes.fill(true);
        self.safe_changed.pairs.fill(true);
    }

    /// Finds the attacker's wins in exactly `moves`.
    fn step_won(
        &mut self,
        moves: Moves,
        mut record: Option<&mut Record>,
    ) -> io::Result<LayerEffect> {
        let per_pair = self.geometry.planes_per_pair();
        let (attacks, fresh, live) = (&self.attacks, &self.fresh, &self.fresh_live);
        let (geometry, width) = (self.geometry, self.width);
        let found = (
            self.safe.par_chunks_mut(per_pair),
            self.all_won.par_chunks_mut(per_pair),
            self.safe_changed.planes.par_chunks_mut(per_pair),
            &mut self.safe_changed.pairs,
            parts(record.as_deref_mut(), self.frame, self.geometry.index.kings().len()),
            &mut self.won_conversions,
        )
            .into_par_iter()
            .enumerate()
            .map(|(pair, (safe, all_won, changed, pair_changed, mut won, conversions))| {
                let pair = KingPair(pair as u16);
                changed.fill(false);
                let near = attacks.neighbours.near(pair, |pair| live.pairs[pair.0 as usize]);
                let found = if near || conversions.is_due(moves) {
                    width.run(WonPair {
                        geometry,
                        attacks,
                        fresh,
                        live,
                        moves,
                        pair,
                        safe,
                        all_won,
                        changed,
                        won: won.as_mut(),
                        conversions,
                    })
                } else {
                    LayerEffect::default()
                };
                *pair_changed = found.planes;
                won.map_or(Ok(()), |mut won| won.flush(Value::Win(moves)))?;
                Ok(found)
            })
            .try_reduce(LayerEffect::default, LayerEffect::or)?;
        if let Some(record) = record.filter(|_| found.slots) {
            record.extend_coding(Value::Win(moves));
        }
        Ok(found)
    }

    /// Removes the conversions won in 0 moves from `safe`; returns whether there are any.
    fn arrive(&mut self) -> bool {
        let due = |conversions: &PairConversions| conversions.is_due(Moves(0));
        if !self.won_conversions.iter().any(due) {
            return false;
        }
        let per_pair = self.geometry.planes_per_pair();
        (
            self.safe.par_chunks_mut(per_pair),
            self.safe_changed.planes.par_chunks_mut(per_pair),
            &mut self.safe_changed.pairs,
            &mut self.won_conversions,
        )
            .into_par_iter()
            .for_each(|(safe, changed, pair_changed, conversions)| {
                for (outer, safe) in safe.iter_mut().enumerate() {
                    changed[outer] = false;
                    for (row, column) in conversions.due(outer, Moves(0)) {
                        safe.0[row] &= !column;
                        changed[outer] = true;
                    }
                }
                *pair_changed = changed.contains(&true);
            });
        true
    }

    /// Finds the defender's losses in exactly `moves`.
    fn step_lost(
        &mut self,
        moves: Moves,
        losses: Losses,
        mut record: Option<&mut Record>,
    ) -> io::Result<LayerEffect> {
        let per_pair = self.geometry.planes_per_pair();
        let (defences, safe, changed) = (&self.defences, &self.safe, &self.safe_changed);
        let (geometry, width) = (self.geometry, self.width);
        let found = (
            self.open.par_chunks_mut(per_pair),
            self.closed.par_chunks_mut(per_pair),
            self.fresh.par_chunks_mut(per_pair),
            self.fresh_live.planes.par_chunks_mut(per_pair),
            &mut self.fresh_live.pairs,
            parts(record.as_deref_mut(), self.frame, self.geometry.index.kings().len()),
            &mut self.lost_conversions,
        )
            .into_par_iter()
            .enumerate()
            .map(|(pair, (open, closed, fresh, live, pair_live, mut lost, conversions))| {
                let pair = KingPair(pair as u16);
                let near = defences.neighbours.near(pair, |pair| changed.pairs[pair.0 as usize]);
                let found = if near || *pair_live || conversions.is_due(moves) {
                    width.run(LostPair {
                        geometry,
                        defences,
                        safe,
                        changed,
                        moves,
                        losses,
                        pair,
                        open,
                        closed,
                        fresh,
                        live,
                        lost: lost.as_mut(),
                        conversions,
                    })
                } else {
                    LayerEffect::default()
                };
                *pair_live = found.planes;
                lost.map_or(Ok(()), |mut lost| lost.flush(Value::Loss(moves)))?;
                Ok(found)
            })
            .try_reduce(LayerEffect::default, LayerEffect::or)?;
        if let Some(record) = record.filter(|_| found.slots) {
            record.extend_coding(Value::Loss(moves));
        }
        Ok(found)
    }
}

/// The slots in which two pieces of `side` stand on one square.
fn own_coincidences(geometry: &Geometry, key: &PlaneKey, side: Side) -> Plane {
    let own_outer = geometry.outer().iter().filter(|piece| piece.side == side).count();
    let own = key.fixed[side.index()];
    if own.len() < own_outer + 1 {
        return Plane([u64::MAX; SQUARES]);
    }
    let column = geometry.column().side == side;
    let mut plane = Plane([if column { own.0 } else { 0 }; SQUARES]);
    if geometry.row().is_some_and(|row| row.side == side) {
        for (number, word) in plane.0.iter_mut().enumerate() {
            let square = Square::wrapping(number);
            if own.contains(square) {
                *word = u64::MAX;
            } else if column {
                *word |= Bitboard::of(square).0;
            }
        }
    }
    plane
}
