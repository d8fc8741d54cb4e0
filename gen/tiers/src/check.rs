//! Checks a game before it is solved, on random slots of a tier.
//!
//! ```text
//! tiers        a smaller tier is another one, and the order has no circle
//! numbers      rank(unrank(slot)) = slot, in the tier, below the size
//!              `positions` finds what `unrank` does
//! moves        one that stays leads to a slot of the tier that has a position
//!              one that leaves leads to a tier that `smaller` names
//!              a tier without loops has no move that stays
//!              `leaving` lists what those that do not stay lead to, and says whether some do
//!              `reaches` tries the slots of those that stay
//! no slot      a position without slot has moves, and none of them stays
//!              if `leaving` leaves it out, the forced position has its moves and sources, and
//!              some stay; it adds none
//! symmetry     images have the slot, the tier and the moves of the position, and it among their own
//! un-moves     for every move from A to B: the moves of A into B, times the orbit of A, are the
//!              un-moves of B to A, times the orbit of B
//!              and the same for every un-move of a slot
//! planes       a place of a frame has the slot that its image has; its position is legal, draws and moves
//!              as the planes say
//! ```

mod forced;
mod planes;

use crate::game::{Effect, Game, closure};
use crate::planes::{Plane, Planes};
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// Tiers lead to one another.
    #[error("{0} leads to itself through smaller tiers")]
    Circle(String),
    /// A position is wrong.
    #[error("slot {slot} of {tier}: {what}")]
    Position {
        /// The tier.
        tier: String,
        /// The slot.
        slot: u64,
        /// What is wrong.
        what: String,
    },
}

/// Checks a tier on this number of random slots.
///
/// # Errors
///
/// The first law that does not hold.
pub fn check<G: Game>(game: &G, tier: G::Tier, samples: u64) -> Result<(), CheckError> {
    let smaller = game.smaller(tier);
    for &other in &smaller {
        if other == tier || closure(game, [other]).contains(&tier) {
            return Err(CheckError::Circle(tier.to_string()));
        }
    }
    let layout = game.layout(tier);
    let size = game.size(&layout);
    let mut random = Rng::with_seed(size);
    for _ in 0..samples {
        let slot = random.u64(..size.max(1));
        check_slot(game, tier, &layout, &smaller, slot).map_err(|what| CheckError::Position {
            tier: tier.to_string(),
            slot,
            what,
        })?;
    }
    if let Some(planes) = game.planes() {
        let smaller = layouts(game, tier);
        // A place takes many times longer than a slot.
        for _ in 0..samples / 8 {
            let frame = (random.u64(..planes.frames(&layout)), random.usize(..2));
            let place = 1 << random.u32(..Plane::BITS);
            planes::check_places(game, &layout, &smaller, planes, frame, place).map_err(
                |(slot, what)| CheckError::Position { tier: tier.to_string(), slot, what },
            )?;
        }
    }
    Ok(())
}

/// Checks all places of a frame of a tier, with both sides to move, by the law of planes.
///
/// # Errors
///
/// The first place for which it does not hold.
pub fn check_frame<G: Game>(game: &G, tier: G::Tier, number: u64) -> Result<(), CheckError> {
    let (layout, smaller) = (game.layout(tier), layouts(game, tier));
    let Some(planes) = game.planes() else { return Ok(()) };
    (0..2).try_for_each(|side| {
        planes::check_places(game, &layout, &smaller, planes, (number, side), Plane::MAX)
            .map_err(|(slot, what)| CheckError::Position { tier: tier.to_string(), slot, what })
    })
}

/// The layouts of the smaller tiers.
fn layouts<G: Game>(game: &G, tier: G::Tier) -> BTreeMap<G::Tier, G::Layout> {
    game.smaller(tier).into_iter().map(|smaller| (smaller, game.layout(smaller))).collect()
}

fn check_slot<G: Game>(
    game: &G,
    tier: G::Tier,
    layout: &G::Layout,
    smaller: &[G::Tier],
    slot: u64,
) -> Result<(), String> {
    let Some(position) = game.unrank(layout, slot) else { return Ok(()) };
    let slot_of = |position: &G::Position| -> Result<u64, String> {
        if !game.has_slot(position) || game.tier(position) != tier {
            return Err(format!("{position:?} is not in the tier"));
        }
        let slot = game.rank(layout, position);
        match game.unrank(layout, slot) {
            Some(_) if slot < game.size(layout) => Ok(slot),
            _ => Err(format!("{position:?} has the slot {slot}, which has no position")),
        }
    };
    if slot_of(&position)? != slot {
        return Err(format!("its position {position:?} has the slot {}", slot_of(&position)?));
    }
    let slots = || [0, 1, 2, 40].into_iter().map(|more| slot + more);
    let (size, mut found) = (game.size(layout), Vec::new());
    let slots = || slots().filter(|&slot| slot < size);
    game.positions(layout, slots(), |slot, position| found.push((slot, position)));
    let each = slots().filter_map(|slot| Some((slot, game.unrank(layout, slot)?)));
    if !each.eq(found) {
        return Err("many positions are other ones".to_string());
    }
    let is_open =
        |position: &G::Position| !game.is_illegal(position) && game.end(position).is_none();
    let inside = |position: &G::Position| -> Result<BTreeMap<u64, u32>, String> {
        let (mut slots, mut error) = (BTreeMap::new(), None);
        if is_open(position) {
            game.moves(position, |played, effect| {
                if effect == Effect::Stays {
                    match slot_of(&game.play(position, played)) {
                        Ok(slot) => *slots.entry(slot).or_insert(0) += 1,
                        Err(what) => error = Some(format!("after {played:?}, {what}")),
                    }
                }
            });
        }
        error.map_or(Ok(slots), Err)
    };
    let back = |position: &G::Position| {
        let mut slots: BTreeMap<u64, u32> = BTreeMap::new();
        game.sources(layout, position, |source| *slots.entry(source).or_insert(0) += 1);
        slots
    };

    let moves = inside(&position)?;
    let mut wrong = None;
    if is_open(&position) {
        game.moves(&position, |played, effect| match effect {
            Effect::Stays if game.is_loop_free(tier) => {
                wrong = Some(format!("{played:?} stays in a tier without loops"));
            }
            Effect::Leaves => {
                wrong = leaves(game, &game.play(&position, played), smaller).or(wrong.take())
            }
            _ => {}
        });
        let (mut listed, mut left) = (Vec::new(), Vec::new());
        game.moves(&position, |played, effect| match effect {
            Effect::Stays => {}
            Effect::Leaves => listed.push(Ok(game.play(&position, played))),
            effect => listed.push(Err(effect)),
        });
        let stays = game.leaving(&position, true, |after| left.push(after));
        let mut some = Vec::new();
        let also_stays = game.leaving(&position, false, |after| some.push(after));
        for after in left.iter().filter(|after| !some.contains(after)) {
            let is_known = |after| forced::is_forced(game, tier, layout, slot, &after);
            if !after.is_ok_and(is_known) || !stays {
                wrong = Some(format!("{after:?} is left out"));
            }
        }
        if let Some(after) = some.iter().find(|after| !left.contains(after)) {
            wrong = Some(format!("{after:?} is added"));
        }
        if also_stays != stays {
            wrong = Some(format!("some stay: {stays}, and if some are left out: {also_stays}"));
        }
        if left != listed || stays == moves.is_empty() {
            wrong = Some(format!("{left:?} leave, not {listed:?}, or some stay: {stays}"));
        }
        let mut reached = BTreeSet::new();
        game.reaches(layout, &position, |target| {
            reached.insert(target);
            false
        });
        let found = moves
            .keys()
            .all(|target| game.reaches(layout, &position, |reached| reached == *target));
        if !found || !reached.iter().eq(moves.keys()) {
            wrong = Some(format!("it reaches {reached:?}, not {:?}", moves.keys()));
        }
    }
    game.images(&position, |image| {
        let mut returns = false;
        game.images(&image, |again| returns |= again == position);
        if slot_of(&image) != Ok(slot) || inside(&image) != Ok(moves.clone()) || !returns {
            wrong = Some(format!("{image:?} is no image of {position:?}"));
        }
    });
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    if !G::UNMOVES {
        return Ok(());
    }
    for (&target, &count) in &moves {
        let Some(after) = game.unrank(layout, target) else { continue };
        let forward = count * u32::from(game.orbit(&position));
        let backward =
            back(&after).get(&slot).copied().unwrap_or(0) * u32::from(game.orbit(&after));
        if forward != backward {
            return Err(format!("{forward} moves to slot {target}, {backward} un-moves from it"));
        }
    }
    for (&source, &count) in &back(&position) {
        let Some(before) = game.unrank(layout, source) else {
            return Err(format!("an un-move leads to slot {source}, which has no position"));
        };
        let moves =
            inside(&before)?.get(&slot).copied().unwrap_or(0) * u32::from(game.orbit(&before));
        let unmoves = count * u32::from(game.orbit(&position));
        if is_open(&before) && moves != unmoves {
            return Err(format!("{unmoves} un-moves to slot {source}, {moves} moves from it"));
        }
    }
    Ok(())
}

/// What is wrong with a position that a move out of a tier leads to.
fn leaves<G: Game>(game: &G, after: &G::Position, smaller: &[G::Tier]) -> Option<String> {
    if game.has_slot(after) {
        let known = smaller.contains(&game.tier(after));
        return (!known)
            .then(|| format!("a move leads to {}, which is not named", game.tier(after)));
    }
    let (mut moves, mut wrong) = (0, None);
    game.moves(after, |played, effect| {
        moves += 1;
        match effect {
            Effect::Stays => wrong = Some(format!("{played:?} of {after:?} stays")),
            Effect::Leaves => {
                wrong = leaves(game, &game.play(after, played), smaller).or(wrong.take())
            }
            Effect::Wins | Effect::Draws => {}
        }
    });
    if moves == 0 { Some(format!("{after:?} has neither a slot nor moves")) } else { wrong }
}
