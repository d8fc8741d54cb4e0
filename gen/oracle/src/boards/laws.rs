//! The laws that a game follows, checked on all slots of a material or on random ones.
//!
//! ```text
//! subtables    a subtable has another material, and the order has no circle
//! numbers      rank(unrank(slot)) = slot, in the material, below the size
//!              `positions` finds what `unrank` does
//! moves        one that stays leads to a slot of the material that has a position
//!              one that leaves leads to a material that `subtables` names
//!              `leaving` lists what those that do not stay lead to, and says whether some do
//!              `reaches` tries the slots of those that stay
//! no slot      a position without slot has moves, and none of them stays
//!              if `leaving` leaves it out, the forced position has its moves and sources, and
//!              some stay; it adds none
//! symmetry     images have the slot, the material and the moves of the position, and it among their own
//! sources      of a game without planes: for every move from A to B, the moves of A into B, times the
//!              orbit of A, are the un-moves of B to A, times the orbit of B
//!              and the same for every un-move of a slot
//! planes       a place of a frame has the slot that its image has; its position is legal, draws and moves
//!              as the planes say
//! ```

mod forced;
mod planes;

use fastrand::Rng;
use sakmak_boards::game::{Effect, closure};
use sakmak_boards::planes::{Plane, Planes};
use sakmak_boards::solvable::SolvableGame;
use std::collections::{BTreeMap, BTreeSet};

/// A law that a game breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LawError {
    /// Materials lead to one another.
    #[error("{0} leads to itself through its subtables")]
    Circle(String),
    /// A position is wrong.
    #[error("slot {slot} of {material}: {what}")]
    Position {
        /// The material.
        material: String,
        /// The slot.
        slot: u64,
        /// What is wrong.
        what: String,
    },
}

/// Checks a material on this number of random slots, or on all slots if there are no more.
///
/// # Errors
///
/// The first law that does not hold.
pub fn check<G: SolvableGame>(
    game: &G,
    material: G::Material,
    samples: u64,
) -> Result<(), LawError> {
    let subtables = game.subtables(material);
    for &other in &subtables {
        if other == material || closure(game, [other]).contains(&material) {
            return Err(LawError::Circle(material.to_string()));
        }
    }
    let layout = game.layout(material);
    let size = game.size(&layout);
    let mut random = Rng::with_seed(size);
    for sample in 0..samples.min(size) {
        let slot = if samples < size { random.u64(..size) } else { sample };
        check_slot(game, material, &layout, &subtables, slot)
            .map_err(|what| LawError::Position { material: material.to_string(), slot, what })?;
    }
    let Some(planes) = game.planes() else { return Ok(()) };
    let frames = planes.frames(&layout);
    // A place takes many times longer than a slot.
    if samples / 8 >= frames {
        return (0..frames).try_for_each(|number| check_frame(game, material, number));
    }
    let subtables = layouts(game, material);
    (0..samples / 8).try_for_each(|_| {
        let frame = (random.u64(..frames), random.usize(..2));
        let place = 1 << random.u32(..Plane::BITS);
        planes::check_places(game, &layout, &subtables, planes, frame, place).map_err(
            |(slot, what)| LawError::Position { material: material.to_string(), slot, what },
        )
    })
}

/// Checks all places of a frame of a material, with both sides to move, by the law of planes.
///
/// # Errors
///
/// The first place for which it does not hold.
pub fn check_frame<G: SolvableGame>(
    game: &G,
    material: G::Material,
    number: u64,
) -> Result<(), LawError> {
    let (layout, subtables) = (game.layout(material), layouts(game, material));
    let Some(planes) = game.planes() else { return Ok(()) };
    (0..2).try_for_each(|side| {
        planes::check_places(game, &layout, &subtables, planes, (number, side), Plane::MAX).map_err(
            |(slot, what)| LawError::Position { material: material.to_string(), slot, what },
        )
    })
}

/// The layouts of the subtables.
fn layouts<G: SolvableGame>(game: &G, material: G::Material) -> BTreeMap<G::Material, G::Layout> {
    game.subtables(material).into_iter().map(|subtable| (subtable, game.layout(subtable))).collect()
}

fn check_slot<G: SolvableGame>(
    game: &G,
    material: G::Material,
    layout: &G::Layout,
    subtables: &[G::Material],
    slot: u64,
) -> Result<(), String> {
    let Some(position) = game.unrank(layout, slot) else { return Ok(()) };
    let slot_of = |position: &G::Position| -> Result<u64, String> {
        if !game.has_slot(position) || game.material(position) != material {
            return Err(format!("{position:?} is not in the material"));
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
        game.moves(&position, |played, effect| {
            if effect == Effect::Leaves {
                let after = game.play(&position, played);
                wrong = leaves(game, &after, subtables).or(wrong.take());
            }
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
            let is_known = |after| forced::is_forced(game, material, layout, slot, &after);
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
    if game.planes().is_some() {
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

/// Returns the law that a position after a move out of a material breaks, in words.
fn leaves<G: SolvableGame>(
    game: &G,
    after: &G::Position,
    subtables: &[G::Material],
) -> Option<String> {
    if game.has_slot(after) {
        let known = subtables.contains(&game.material(after));
        return (!known)
            .then(|| format!("a move leads to {}, which is not named", game.material(after)));
    }
    let (mut moves, mut wrong) = (0, None);
    game.moves(after, |played, effect| {
        moves += 1;
        match effect {
            Effect::Stays => wrong = Some(format!("{played:?} of {after:?} stays")),
            Effect::Leaves => {
                wrong = leaves(game, &game.play(after, played), subtables).or(wrong.take())
            }
            Effect::Wins | Effect::Draws => {}
        }
    });
    if moves == 0 { Some(format!("{after:?} has neither a slot nor moves")) } else { wrong }
}
