//! The layers of one attacker's wins; the scheme and its reasons are in the parent module.

use super::bits::Plane;
use super::boundary::{Boundary, Conversions, MissingTable};
use super::check::in_check;
use super::geometry::{Geometry, Spot};
use super::record::Record;
use super::unmove::{Sources, unmove};
use rayon::prelude::*;
use sakmak_tables::distance::Moves;
use sakmak_tables::kings::KingPair;
use sakmak_tables::man::Side;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::set::Set;
use sakmak_tables::square::{SQUARES, Square};
use sakmak_tables::table::Table;
use std::sync::Arc;

/// What one attacker wins.
#[derive(Debug)]
pub struct Wins {
    /// By king pair: attacker to move, the moves in which it mates.
    pub won: Vec<Record>,
    /// By king pair: defender to move, the moves in which it is mated.
    pub lost: Vec<Record>,
    /// The longest mates, attacker and defender to move; nothing where there is none.
    pub longest: [Option<Moves>; 2],
}

/// The sets of slots while one attacker's wins are solved. Planes by number throughout.
struct Layers<'a> {
    geometry: &'a Geometry,
    attacker: Side,
    /// Attacker to move: not known to be won.
    safe: Vec<Plane>,
    /// Planes of `safe` that lost slots in this layer.
    safe_changed: Vec<bool>,
    /// Defender to move: legal, no stalemate, not known to be lost.
    open: Vec<Plane>,
    /// Defender to move: lost in exactly this layer.
    fresh: Vec<Plane>,
    /// Planes of `fresh` that are not empty.
    fresh_live: Vec<bool>,
    won: Vec<Record>,
    lost: Vec<Record>,
    won_conversions: Vec<Conversions>,
    lost_conversions: Vec<Conversions>,
    longest: [Option<Moves>; 2],
}

/// Solves the wins of one attacker; `tables` gives the smaller tables.
pub fn wins(
    geometry: &Geometry,
    rules: &Rules,
    attacker: Side,
    byte_holds: Moves,
    tables: &dyn Fn(Material) -> Option<Arc<Table>>,
) -> Result<Wins, MissingTable> {
    let won_conversions = Boundary::new(geometry, rules, !attacker, tables)?.read(false);
    let lost_conversions = Boundary::new(geometry, rules, attacker, tables)?.read(true);
    let last = |conversions: &[Conversions]| conversions.iter().map(Conversions::last).max();
    let last_conversion = last(&won_conversions).max(last(&lost_conversions)).unwrap_or_default();
    let pairs = geometry.index.kings().len();
    let records = || -> Vec<Record> {
        (0..pairs).map(|_| Record::new(geometry.planes_per_pair(), byte_holds)).collect()
    };
    let planes = geometry.planes();
    let mut layers = Layers {
        geometry,
        attacker,
        safe: vec![Plane::EMPTY; planes],
        safe_changed: vec![false; planes],
        open: vec![Plane::EMPTY; planes],
        fresh: vec![Plane::EMPTY; planes],
        fresh_live: vec![false; planes],
        won: records(),
        lost: records(),
        won_conversions,
        lost_conversions,
        longest: [None; 2],
    };
    layers.begin();
    let mut moves = Moves(0);
    layers.find_mates();
    loop {
        moves.0 += 1;
        let won = layers.step_won(moves);
        let lost = layers.step_lost(moves);
        if !won && !lost && moves >= last_conversion {
            break;
        }
    }
    for record in layers.won.iter_mut().chain(&mut layers.lost) {
        record.finish();
    }
    Ok(Wins { won: layers.won, lost: layers.lost, longest: layers.longest })
}

impl Layers<'_> {
    /// Fills `safe` and `open` as they are before any mate is known.
    fn begin(&mut self) {
        let (geometry, attacker) = (self.geometry, self.attacker);
        let per_pair = geometry.planes_per_pair();
        let planes = (self.safe.par_chunks_mut(per_pair), self.open.par_chunks_mut(per_pair));
        planes.into_par_iter().enumerate().for_each(|(pair, (safe, open))| {
            for (outer, (safe, open)) in safe.iter_mut().zip(open).enumerate() {
                let spot = geometry.spot(KingPair(pair as u16), outer);
                let real = real_slots(geometry, &spot);
                let barred = in_check(geometry, &spot, !attacker)
                    .zip(&own_coincidences(geometry, &spot, !attacker), |a, b| a | b);
                *safe = Plane([u64::MAX; SQUARES]).without(&barred);
                *open = real.without(&in_check(geometry, &spot, attacker));
            }
        });
    }

    /// Layer 0: mates, and stalemates taken out of `open`.
    fn find_mates(&mut self) {
        let (geometry, attacker) = (self.geometry, self.attacker);
        let per_pair = geometry.planes_per_pair();
        let safe = &self.safe;
        let mated = (
            self.open.par_chunks_mut(per_pair),
            self.fresh.par_chunks_mut(per_pair),
            self.fresh_live.par_chunks_mut(per_pair),
            &mut self.lost,
            &mut self.lost_conversions,
        )
            .into_par_iter()
            .enumerate()
            .map(|(pair, (open, fresh, live, lost, conversions))| {
                let pair = KingPair(pair as u16);
                let mut sources = Sources::default();
                let mut any = false;
                for (outer, open) in open.iter_mut().enumerate() {
                    if !open.is_empty() {
                        let spot = geometry.spot(pair, outer);
                        let plane = geometry.plane(pair, outer);
                        sources.find(geometry, &spot, !attacker);
                        let stuck = open.without(&unmove(
                            geometry,
                            &spot,
                            plane,
                            !attacker,
                            &sources,
                            safe,
                            |_| true,
                            open,
                        ));
                        let mates = stuck.and(&in_check(geometry, &spot, !attacker));
                        open.remove_all(&stuck);
                        lost.note(outer, &mates, Moves(0));
                        any |= !mates.is_empty();
                        fresh[outer] = mates;
                    }
                    live[outer] = add_due(&mut fresh[outer], conversions, outer, Moves(0));
                }
                any
            })
            .reduce(|| false, |a, b| a | b);
        if mated {
            self.longest[1] = Some(Moves(0));
        }
    }

    /// The attacker's wins in exactly `moves`; whether any slot is new.
    fn step_won(&mut self, moves: Moves) -> bool {
        let (geometry, attacker) = (self.geometry, self.attacker);
        let per_pair = geometry.planes_per_pair();
        let (fresh, fresh_live) = (&self.fresh, &self.fresh_live);
        let (found, changed) = (
            self.safe.par_chunks_mut(per_pair),
            self.safe_changed.par_chunks_mut(per_pair),
            &mut self.won,
            &mut self.won_conversions,
        )
            .into_par_iter()
            .enumerate()
            .map(|(pair, (safe, changed, won, conversions))| {
                let pair = KingPair(pair as u16);
                let mut sources = Sources::default();
                let mut any = (false, false);
                for (outer, safe) in safe.iter_mut().enumerate() {
                    changed[outer] = false;
                    let spot = geometry.spot(pair, outer);
                    if spot.real {
                        let plane = geometry.plane(pair, outer);
                        let wanted = safe.and(&real_slots(geometry, &spot));
                        sources.find(geometry, &spot, attacker);
                        let found = unmove(
                            geometry,
                            &spot,
                            plane,
                            attacker,
                            &sources,
                            fresh,
                            |plane| fresh_live[plane],
                            &wanted,
                        )
                        .and(&wanted);
                        if !found.is_empty() {
                            won.note(outer, &found, moves);
                            safe.remove_all(&found);
                            changed[outer] = true;
                            any.0 = true;
                        }
                    }
                    for (row, column) in conversions.due(outer, moves) {
                        safe.0[row] &= !column;
                        changed[outer] = true;
                    }
                    any.1 |= changed[outer];
                }
                any
            })
            .reduce(|| (false, false), |a, b| (a.0 | b.0, a.1 | b.1));
        if found {
            self.longest[0] = Some(moves);
        }
        changed
    }

    /// The defender's losses in exactly `moves`; whether any slot is new.
    fn step_lost(&mut self, moves: Moves) -> bool {
        let (geometry, attacker) = (self.geometry, self.attacker);
        let per_pair = geometry.planes_per_pair();
        let (safe, safe_changed) = (&self.safe, &self.safe_changed);
        let (found, live) = (
            self.open.par_chunks_mut(per_pair),
            self.fresh.par_chunks_mut(per_pair),
            self.fresh_live.par_chunks_mut(per_pair),
            &mut self.lost,
            &mut self.lost_conversions,
        )
            .into_par_iter()
            .enumerate()
            .map(|(pair, (open, fresh, live, lost, conversions))| {
                let pair = KingPair(pair as u16);
                let mut sources = Sources::default();
                let mut any = (false, false);
                for (outer, (open, fresh)) in open.iter_mut().zip(fresh).enumerate() {
                    let mut found = Plane::EMPTY;
                    if !open.is_empty() {
                        let spot = geometry.spot(pair, outer);
                        let plane = geometry.plane(pair, outer);
                        sources.find(geometry, &spot, !attacker);
                        if safe_changed[plane] || sources.iter().any(|s| safe_changed[s.plane]) {
                            found = open.without(&unmove(
                                geometry,
                                &spot,
                                plane,
                                !attacker,
                                &sources,
                                safe,
                                |_| true,
                                open,
                            ));
                        }
                    }
                    if !found.is_empty() {
                        lost.note(outer, &found, moves);
                        open.remove_all(&found);
                        any.0 = true;
                    }
                    *fresh = found;
                    live[outer] = add_due(fresh, conversions, outer, moves);
                    any.1 |= live[outer];
                }
                any
            })
            .reduce(|| (false, false), |a, b| (a.0 | b.0, a.1 | b.1));
        if found {
            self.longest[1] = Some(moves);
        }
        live
    }
}

/// Adds the lost conversions of this layer; whether anything is in the plane then.
fn add_due(fresh: &mut Plane, conversions: &mut Conversions, outer: usize, moves: Moves) -> bool {
    for (row, column) in conversions.due(outer, moves) {
        fresh.0[row] |= column;
    }
    !fresh.is_empty()
}

/// The slots of a plane with all men on distinct squares where they may stand.
fn real_slots(geometry: &Geometry, spot: &Spot) -> Plane {
    if !spot.real {
        return Plane::EMPTY;
    }
    let columns = geometry.column().domain - spot.occupied();
    let mut plane = Plane([columns.0; SQUARES]);
    if let Some(row) = geometry.row() {
        let rows = row.domain - spot.occupied();
        for (number, word) in plane.0.iter_mut().enumerate() {
            let square = Square::wrapping(number);
            *word = if rows.contains(square) { (columns - Set::of(square)).0 } else { 0 };
        }
    }
    plane
}

/// The slots in which two men of `side` stand on one square.
fn own_coincidences(geometry: &Geometry, spot: &Spot, side: Side) -> Plane {
    let own_outer = geometry.outer().iter().filter(|body| body.man.side == side).count();
    let own = spot.fixed[side.index()];
    if own.len() < own_outer + 1 {
        return Plane([u64::MAX; SQUARES]);
    }
    let column = geometry.column().man.side == side;
    let mut plane = Plane([if column { own.0 } else { 0 }; SQUARES]);
    if geometry.row().is_some_and(|row| row.man.side == side) {
        for (number, word) in plane.0.iter_mut().enumerate() {
            let square = Square::wrapping(number);
            if own.contains(square) {
                *word = u64::MAX;
            } else if column {
                *word |= Set::of(square).0;
            }
        }
    }
    plane
}
