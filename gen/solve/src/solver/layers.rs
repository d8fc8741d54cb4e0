//! The layers of one attacker's wins. The parent module explains the scheme.

use crate::parallel::*;
use crate::planes::bits::Plane;
use crate::planes::check::{in_check, legal_slots};
use crate::planes::frame::Frame;
use crate::planes::geometry::{Geometry, PlaneKey};
use crate::solver::chunk::ChunkPlanes;
use crate::solver::conversions::Conversions;
use crate::solver::kernels::{ActivePlanes, LayerEffect, Losses, LostPair, WonPair};
use crate::solver::plane_set::{Content, PairGroup, PlaneSet, SetStorage};
use crate::solver::record::{PairRecord, Record};
use crate::solver::unmove::Unmoves;
use crate::solver::width::Width;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;
use std::io;

/// The sets of slots while one attacker's wins are solved.
struct WinSets<'a> {
    geometry: &'a Geometry,
    frame: &'a Frame,
    width: Width,
    attacks: Unmoves<'a>,
    defences: Unmoves<'a>,
    /// The groups of king pairs that the moves of the attacker's king do not leave.
    attack_groups: &'a [PairGroup],
    /// The groups of king pairs that the moves of the defender's king do not leave.
    defence_groups: &'a [PairGroup],
    /// Attacker to move: not known to be won.
    safe: PlaneSet,
    /// Planes of `safe` that lost slots in this layer, and pairs with such planes.
    safe_changed: ActivePlanes,
    /// Whether each plane has no position left in `safe`.
    all_won: Vec<bool>,
    /// Defender to move: legal, the game not drawn there, not known to be lost.
    open: PlaneSet,
    /// Whether each plane is empty in `open`.
    closed: Vec<bool>,
    /// Defender to move: lost in exactly this layer. Unspecified for planes that are not live.
    fresh: PlaneSet,
    /// Planes of `fresh` that are not empty, and pairs with such planes.
    fresh_live: ActivePlanes,
    /// Layers of plies: `fresh` and `fresh_live` of the layer before or, while that one is in place,
    /// of the next.
    spare: Option<(PlaneSet, ActivePlanes)>,
    conversions: AttackConversions,
}

/// The conversions of one attacker's wins.
pub struct AttackConversions {
    /// Conversions after the defender's moves, won for the attacker.
    pub won: Conversions,
    /// Conversions after the attacker's moves, lost for the defender.
    pub lost: Conversions,
    /// Passing slots after the attacker's double steps, see [`MoverConversions::saved`].
    pub saved: Conversions,
    /// Passing slots after the attacker's double steps, see [`MoverConversions::doomed`].
    pub doomed: Conversions,
}

/// The wins to find.
pub struct Goal<'a> {
    /// The side that wins.
    pub attacker: Side,
    /// The longest win to find; `None` finds all.
    pub longest: Option<Moves>,
    /// Whether distances are plies, see [`Metric::is_in_plies`].
    ///
    /// [`Metric::is_in_plies`]: sakmak_tables::format::metric::Metric::is_in_plies
    pub in_plies: bool,
    /// Called after each layer.
    pub layer: &'a dyn Fn(Moves),
}

/// The slots that are safe for a defender in its first step. If a bare king loses, it must take the
/// attacker's last piece at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SafeSlots {
    /// All positions and conversions.
    All,
    /// Conversions only: the attacker has one piece.
    Conversions,
    /// No slots: the attacker has more pieces.
    None,
}

/// Finds the wins of one attacker.
///
/// The attacker's wins go into the record of the attacker to move, the defender's losses into the
/// other record, if these records exist. Returns the bytes of planes read or written.
///
/// # Errors
///
/// If there is not enough memory, or not enough disk for the records.
pub fn find_wins(
    geometry: &Geometry,
    frame: &Frame,
    storage: &SetStorage<'_>,
    goal: Goal<'_>,
    conversions: AttackConversions,
    records: &mut [Option<Record>; 2],
    width: Width,
) -> io::Result<u64> {
    let Goal { attacker, longest, in_plies, layer } = goal;
    let AttackConversions { won, lost, doomed, .. } = &conversions;
    let last_conversion = won.last().max(lost.last()).max(doomed.last());
    let planes = geometry.planes();
    let mut sets =
        WinSets::new(geometry, frame, storage, (attacker, in_plies), conversions, width)?;
    let [white, black] = records;
    let (won, lost) = if attacker == Side::White { (white, black) } else { (black, white) };
    let material = geometry.index.material();
    let must_bare = geometry.end.bare_king_loses && material.army(!attacker).is_empty();
    sets.begin(match (must_bare, material.army(attacker).len()) {
        (false, _) => SafeSlots::All,
        (true, 1) => SafeSlots::Conversions,
        (true, _) => SafeSlots::None,
    })?;
    // `begin` has written two sets.
    let mut moved = 2 * planes as u64;
    moved += sets.step_lost(Moves(0), Losses::AtOnce, lost.as_mut())?.moved;
    if must_bare {
        moved += sets.admit_positions()?;
    }
    if sets.arrive()? && !in_plies {
        moved += sets.step_lost(Moves(0), Losses::ByArrival, lost.as_mut())?.moved;
    }
    let mut moves = Moves(0);
    loop {
        moves.0 += 1;
        let found = match in_plies {
            true => sets.step_ply(moves, won.as_mut(), lost.as_mut())?,
            false => {
                let won = sets.step_won(moves, won.as_mut())?;
                won.or(sets.step_lost(moves, Losses::Later, lost.as_mut())?)?
            }
        };
        layer(moves);
        moved += found.moved;
        let quiet = !found.planes && moves >= last_conversion;
        if quiet || Some(moves) == longest {
            return Ok(moved * size_of::<Plane>() as u64);
        }
    }
}

/// The parts of a record by king pair; `None` for each pair without a record.
fn parts<'a>(
    record: Option<&'a mut Record>,
    frame: &'a Frame,
    pairs: usize,
) -> Vec<Option<PairRecord<'a>>> {
    match record {
        Some(record) => record.pairs(frame).map(Some).collect(),
        None => std::iter::repeat_with(|| None).take(pairs).collect(),
    }
}

/// Selects the items of chosen king pairs; returns them with their pairs.
fn chosen<T>(items: impl IntoIterator<Item = T>, is_chosen: &[bool]) -> Vec<(KingPair, T)> {
    let numbered = (0..).map(KingPair).zip(items);
    numbered.filter(|(pair, _)| is_chosen[pair.0 as usize]).collect()
}

impl<'a> WinSets<'a> {
    /// Empty sets for the wins of `attacker`.
    fn new(
        geometry: &'a Geometry,
        frame: &'a Frame,
        storage: &'a SetStorage<'_>,
        (attacker, in_plies): (Side, bool),
        conversions: AttackConversions,
        width: Width,
    ) -> io::Result<WinSets<'a>> {
        let planes = geometry.planes();
        let fresh = || io::Result::Ok((PlaneSet::new(storage)?, ActivePlanes::none(geometry)));
        let spare = in_plies.then(fresh).transpose()?;
        let (fresh, fresh_live) = fresh()?;
        Ok(WinSets {
            geometry,
            frame,
            width,
            attacks: Unmoves::new(geometry, attacker),
            defences: Unmoves::new(geometry, !attacker),
            attack_groups: storage.groups.of(attacker),
            defence_groups: storage.groups.of(!attacker),
            safe: PlaneSet::new(storage)?,
            safe_changed: ActivePlanes::none(geometry),
            all_won: vec![false; planes],
            open: PlaneSet::new(storage)?,
            closed: vec![false; planes],
            fresh,
            fresh_live,
            spare,
            conversions,
        })
    }

    /// The number of king pairs.
    fn pairs(&self) -> usize {
        self.geometry.index.kings().len()
    }

    /// Fills `safe` and `open` with their content before any win is known.
    fn begin(&mut self, safe_slots: SafeSlots) -> io::Result<()> {
        let (geometry, attacker) = (self.geometry, self.attacks.mover());
        let per_pair = geometry.planes_per_pair();
        for group in self.attack_groups {
            let is_in_group = self.marked(group.iter().copied());
            self.safe.load(group, |_| Some(Content::Empty))?;
            self.open.load(group, |_| Some(Content::Empty))?;
            let closed = self.closed.chunks_mut(per_pair);
            let (safe, open) = (self.safe.planes_mut(), self.open.planes_mut());
            let items = safe.into_iter().zip(open).zip(closed);
            let conversions = &self.conversions;
            chosen(items, &is_in_group).into_par_iter().try_for_each(
                |(pair, ((safe, open), closed))| {
                    for (outer, (safe, open)) in safe.iter_mut().zip(open).enumerate() {
                        let key = geometry.plane_key(pair, outer);
                        let mut barred = in_check(geometry, &key, !attacker);
                        barred.insert_all(&own_coincidences(geometry, &key, !attacker));
                        *safe = match safe_slots {
                            SafeSlots::None => Plane::EMPTY,
                            _ => Plane([u64::MAX; SQUARES]).without(&barred),
                        };
                        if safe_slots == SafeSlots::Conversions && key.real {
                            safe.remove_all(&geometry.real_slots(&key));
                        }
                        *open = legal_slots(geometry, &key, !attacker);
                        closed[outer] = open.is_empty();
                    }
                    begin_passing(geometry, attacker, pair, safe, conversions)
                },
            )?;
            self.safe.store(|_| true)?;
            self.open.store(|_| true)?;
        }
        self.safe_changed.planes.fill(true);
        self.safe_changed.pairs.fill(true);
        Ok(())
    }

    /// Adds the positions that [`WinSets::begin`] left out to `safe`: the attacker may win them,
    /// and no defender moves there. Returns the number of planes read or written.
    fn admit_positions(&mut self) -> io::Result<u64> {
        let (geometry, attacker) = (self.geometry, self.attacks.mover());
        for group in self.attack_groups {
            self.safe.load(group, |_| Some(Content::Stored))?;
            let is_in_group = self.marked(group.iter().copied());
            let items = chosen(self.safe.planes_mut(), &is_in_group);
            items.into_par_iter().for_each(|(pair, safe)| {
                for (outer, safe) in safe.iter_mut().enumerate() {
                    let key = geometry.plane_key(pair, outer);
                    safe.insert_all(&legal_slots(geometry, &key, attacker));
                }
            });
            self.safe.store(|_| true)?;
        }
        Ok(2 * geometry.planes() as u64)
    }

    /// Flags by king pair: set for these pairs.
    fn marked(&self, pairs: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut marked = vec![false; self.pairs()];
        pairs.into_iter().for_each(|pair| marked[pair] = true);
        marked
    }

    /// Flags by king pair: set for pairs of the group in which the attacker may win in `moves`.
    fn pairs_with_wins(&self, group: &[usize], moves: Moves) -> Vec<bool> {
        let live = &self.fresh_live.pairs;
        self.marked(group.iter().copied().filter(|&pair| {
            let pair = KingPair(pair as u16);
            self.attacks.neighbours.near(pair, |pair| live[pair.0 as usize])
                || self.conversions.won.is_due(pair, moves)
                || self.conversions.doomed.is_due(pair, moves)
        }))
    }

    /// Clears the changes of `safe` in a group.
    fn clear_changes(&mut self, group: &[usize]) {
        let per_pair = self.geometry.planes_per_pair();
        for &pair in group {
            if std::mem::take(&mut self.safe_changed.pairs[pair]) {
                self.safe_changed.planes[pair * per_pair..][..per_pair].fill(false);
            }
        }
    }

    /// Finds the attacker's wins in exactly `moves`.
    fn step_won(
        &mut self,
        moves: Moves,
        mut record: Option<&mut Record>,
    ) -> io::Result<LayerEffect> {
        let (pairs, per_pair) = (self.pairs(), self.geometry.planes_per_pair());
        let mut all_found = LayerEffect::default();
        for group in self.attack_groups {
            let is_active = self.pairs_with_wins(group, moves);
            self.clear_changes(group);
            if !is_active.contains(&true) {
                continue;
            }
            self.safe.load(group, |pair| is_active[pair].then_some(Content::Stored))?;
            let live = &self.fresh_live;
            self.fresh.load(group, |pair| live.pairs[pair].then_some(Content::Stored))?;
            let (geometry, width, attacks) = (self.geometry, self.width, &self.attacks);
            let (fresh, conversions) = (self.fresh.planes(), &self.conversions);
            let items = self
                .safe
                .planes_mut()
                .into_iter()
                .zip(self.all_won.chunks_mut(per_pair))
                .zip(self.safe_changed.planes.chunks_mut(per_pair))
                .zip(&mut self.safe_changed.pairs)
                .zip(parts(record.as_deref_mut(), self.frame, pairs));
            let found = chosen(items, &is_active)
                .into_par_iter()
                .map(|(pair, ((((safe, all_won), changed), pair_changed), mut won))| {
                    let (mut due, mut doomed) = (Vec::new(), Vec::new());
                    conversions.won.read(pair, moves, &mut due)?;
                    conversions.doomed.read(pair, moves, &mut doomed)?;
                    let found = width.run(WonPair {
                        geometry,
                        attacks,
                        fresh: &fresh,
                        live,
                        pair,
                        safe,
                        all_won,
                        changed,
                        won: won.as_mut(),
                        conversions: ChunkPlanes::new(&due)?,
                        doomed: ChunkPlanes::new(&doomed)?,
                    });
                    *pair_changed = found.planes;
                    won.map_or(Ok(()), |mut won| won.flush(Value::Win(moves)))?;
                    Ok(found)
                })
                .try_reduce(LayerEffect::default, LayerEffect::or)?;
            self.safe.store(|pair| self.safe_changed.pairs[pair])?;
            all_found = all_found.or(found)?;
        }
        if let Some(record) = record.filter(|_| all_found.slots) {
            record.extend_coding(Value::Win(moves));
        }
        Ok(all_found)
    }

    /// Finds the wins and the losses in exactly this many plies. Both depend on the layer before.
    fn step_ply(
        &mut self,
        plies: Moves,
        won: Option<&mut Record>,
        lost: Option<&mut Record>,
    ) -> io::Result<LayerEffect> {
        self.swap_fresh();
        let lost = self.step_lost(plies, Losses::Later, lost)?;
        self.swap_fresh();
        let won = self.step_won(plies, won)?;
        self.swap_fresh();
        won.or(lost)
    }

    /// Exchanges the losses of this layer and of the layer before.
    fn swap_fresh(&mut self) {
        if let Some((fresh, fresh_live)) = &mut self.spare {
            std::mem::swap(fresh, &mut self.fresh);
            std::mem::swap(fresh_live, &mut self.fresh_live);
        }
    }

    /// Removes the conversions won in 0 moves from `safe`; returns whether any exist.
    fn arrive(&mut self) -> io::Result<bool> {
        let conversions = &self.conversions.won;
        let is_due = |pair: usize| conversions.is_due(KingPair(pair as u16), Moves(0));
        if !(0..self.pairs()).any(is_due) {
            return Ok(false);
        }
        let per_pair = self.geometry.planes_per_pair();
        self.safe_changed.planes.fill(false);
        self.safe_changed.pairs.fill(false);
        for group in self.attack_groups {
            let is_active = self.marked(group.iter().copied().filter(|&pair| is_due(pair)));
            self.safe.load(group, |pair| is_active[pair].then_some(Content::Stored))?;
            let changed = self.safe_changed.planes.chunks_mut(per_pair);
            let items =
                self.safe.planes_mut().into_iter().zip(changed).zip(&mut self.safe_changed.pairs);
            chosen(items, &is_active).into_par_iter().try_for_each(
                |(pair, ((safe, changed), pair_changed))| {
                    let mut due = Vec::new();
                    conversions.read(pair, Moves(0), &mut due)?;
                    for (outer, slots) in ChunkPlanes::new(&due)? {
                        slots.for_each(|row, columns| safe[outer].0[row] &= !columns);
                        changed[outer] = true;
                    }
                    *pair_changed = true;
                    io::Result::Ok(())
                },
            )?;
            self.safe.store(|_| true)?;
        }
        Ok(true)
    }

    /// Flags by king pair: set for pairs of the group in which the defender may lose in `moves`.
    fn pairs_with_losses(&self, group: &[usize], moves: Moves) -> Vec<bool> {
        let changed = &self.safe_changed.pairs;
        self.marked(group.iter().copied().filter(|&pair| {
            let number = KingPair(pair as u16);
            self.fresh_live.pairs[pair]
                || self.defences.neighbours.near(number, |pair| changed[pair.0 as usize])
                || self.conversions.lost.is_due(number, moves)
                || self.conversions.doomed.is_due(number, moves)
        }))
    }

    /// Loads the sets that finding losses in the active pairs of a group needs.
    fn load_for_losses(
        &mut self,
        group: &[usize],
        is_active: &[bool],
        losses: Losses,
    ) -> io::Result<()> {
        let near = group
            .iter()
            .filter(|&&pair| is_active[pair])
            .flat_map(|&pair| self.defences.neighbours.pairs_near(KingPair(pair as u16)));
        let is_near = self.marked(near.map(|pair| pair.0 as usize));
        self.safe.load(group, |pair| is_near[pair].then_some(Content::Stored))?;
        self.open.load(group, |pair| is_active[pair].then_some(Content::Stored))?;
        let live = &self.fresh_live.pairs;
        self.fresh.load(group, |pair| match losses == Losses::ByArrival && live[pair] {
            true => Some(Content::Stored),
            false => is_active[pair].then_some(Content::Empty),
        })
    }

    /// Finds the defender's losses in exactly `moves`.
    fn step_lost(
        &mut self,
        moves: Moves,
        losses: Losses,
        mut record: Option<&mut Record>,
    ) -> io::Result<LayerEffect> {
        let (pairs, per_pair) = (self.pairs(), self.geometry.planes_per_pair());
        let mut all_found = LayerEffect::default();
        for group in self.defence_groups {
            let is_active = self.pairs_with_losses(group, moves);
            if !is_active.contains(&true) {
                continue;
            }
            self.load_for_losses(group, &is_active, losses)?;
            let (geometry, width, defences) = (self.geometry, self.width, &self.defences);
            let (safe, conversions) = (self.safe.planes(), &self.conversions);
            let items = self
                .open
                .planes_mut()
                .into_iter()
                .zip(self.closed.chunks_mut(per_pair))
                .zip(self.fresh.planes_mut())
                .zip(self.fresh_live.planes.chunks_mut(per_pair))
                .zip(&mut self.fresh_live.pairs)
                .zip(parts(record.as_deref_mut(), self.frame, pairs));
            let found = chosen(items, &is_active)
                .into_par_iter()
                .map(|(pair, (((((open, closed), fresh), live), pair_live), mut lost))| {
                    let (mut due, mut doomed) = (Vec::new(), Vec::new());
                    conversions.lost.read(pair, moves, &mut due)?;
                    conversions.doomed.read(pair, moves, &mut doomed)?;
                    let found = width.run(LostPair {
                        geometry,
                        defences,
                        safe: &safe,
                        changed: &self.safe_changed,
                        losses,
                        pair,
                        open,
                        closed,
                        fresh,
                        live,
                        lost: lost.as_mut(),
                        conversions: ChunkPlanes::new(&due)?,
                        doomed: ChunkPlanes::new(&doomed)?,
                    });
                    *pair_live = found.planes;
                    lost.map_or(Ok(()), |mut lost| lost.flush(Value::Loss(moves)))?;
                    Ok(found)
                })
                .try_reduce(LayerEffect::default, LayerEffect::or)?;
            // After the first step, slots that leave `open` become fresh.
            let live = &self.fresh_live.pairs;
            self.open.store(|pair| is_active[pair] && (losses == Losses::AtOnce || live[pair]))?;
            self.fresh.store(|pair| live[pair])?;
            all_found = all_found.or(found)?;
        }
        if let Some(record) = record.filter(|_| all_found.slots) {
            record.extend_coding(Value::Loss(moves));
        }
        Ok(all_found)
    }
}

/// Sets the passing slots of `safe` before any win is known: copies for the defender's double steps,
/// and the slots with a capture in passing for the attacker's.
fn begin_passing(
    geometry: &Geometry,
    attacker: Side,
    pair: KingPair,
    safe: &mut [Plane],
    conversions: &AttackConversions,
) -> io::Result<()> {
    if geometry.has_double_step(!attacker) {
        for &(passing, advanced) in geometry.passing(!attacker) {
            safe[passing] = safe[advanced];
        }
        let passing_slots = geometry.passing_slots(!attacker);
        for safe in &mut *safe {
            let carried = geometry.carried(!attacker, safe);
            safe.remove_all(&passing_slots);
            safe.insert_all(&carried);
        }
    }
    if geometry.has_double_step(attacker) {
        let passing_slots = geometry.passing_slots(attacker);
        safe.iter_mut().for_each(|safe| safe.remove_all(&passing_slots));
        geometry.passing(attacker).iter().for_each(|&(passing, _)| safe[passing] = Plane::EMPTY);
        for captures in [&conversions.saved, &conversions.doomed] {
            captures.for_each(pair, |outer, slots| {
                slots.for_each(|row, columns| safe[outer].0[row] |= columns);
            })?;
        }
    }
    Ok(())
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
