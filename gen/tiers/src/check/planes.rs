//! The check of planes: a place in a frame has what its position has.

use crate::game::{Effect, End, Game, legal_moves};
use crate::planes::{Leave, Plane, Planes, Stuck};
use fastrand::Rng;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Checks a random place of a random frame. Returns its slot and what is wrong.
pub fn check_place<G: Game>(
    game: &G,
    planes: &impl Planes<G>,
    layout: &G::Layout,
    random: &mut Rng,
) -> Result<(), (u64, String)> {
    let number = random.u64(..planes.frames(layout));
    let Some(frame) = planes.frame(layout, number) else { return Ok(()) };
    let side = random.usize(..2);
    let (place, start) = (random.u32(..Plane::BITS), planes.start(layout, &frame, side));
    let image = planes.image(&frame);
    let is_legal = start.legal >> place & 1 == 1;
    let slot = match slots_of(planes, layout, number, side).get(&place) {
        Some(&slot) if slot < game.size(layout) => slot,
        None if !is_legal => return Ok(()),
        slot => {
            return Err((slot.map_or(0, |&slot| slot), format!("place {place} of frame {number}")));
        }
    };
    let wrong = |what: &str| {
        Err((slot, format!("place {place} of frame {number} with side {side} to move: {what}")))
    };
    let bit = 1 << place;
    let imaged = planes.imaged(bit).trailing_zeros();
    if slots_of(planes, layout, image, side).get(&imaged) != Some(&slot) {
        return wrong("its image has another slot");
    }
    let position = game.unrank(layout, slot).filter(|position| !game.is_illegal(position));
    let Some(position) = position else {
        return if is_legal { wrong("it is not legal") } else { Ok(()) };
    };
    if !is_legal {
        return wrong("it is legal");
    }
    if game.end(&position).is_some() != (start.drawn & bit != 0) {
        return wrong("whether it is over");
    }
    if start.drawn & bit != 0 {
        return Ok(());
    }
    let (mut draws, mut stays, mut leaves) = (false, BTreeSet::new(), BTreeSet::new());
    legal_moves(game, &position, |_, after| match after {
        Ok(after) if game.tier(&after) == game.tier(&position) => {
            stays.insert(game.rank(layout, &after));
        }
        Ok(after) => {
            let tier = game.tier(&after);
            leaves.insert((tier, game.rank(&game.layout(tier), &after)));
        }
        Err(effect) => draws |= effect == Effect::Draws,
    });
    let (mut draw_found, mut left) = (false, BTreeSet::new());
    planes.leaving(layout, &frame, side, |movers, leave| match leave {
        _ if movers & bit == 0 => {}
        Leave::Draws => draw_found = true,
        Leave::To(tier, slot) => {
            left.insert((tier, slot(place)));
        }
    });
    left.retain(|&(tier, slot)| {
        let after = game.unrank(&game.layout(tier), slot);
        after.is_some_and(|after| !game.is_illegal(&after))
    });
    if (draw_found, &left) != (draws, &leaves) {
        return wrong("the moves that do not stay");
    }
    // The legal places of each frame with the other side to move, by slot.
    let known: RefCell<BTreeMap<u64, Vec<(Plane, u64)>>> = RefCell::default();
    let moves_to = |is: &dyn Fn(u64) -> bool| {
        let plane = |number| {
            let mut known = known.borrow_mut();
            let places = known.entry(number).or_insert_with(|| {
                let legal = planes
                    .frame(layout, number)
                    .map(|frame| planes.start(layout, &frame, 1 - side).legal);
                let slots = slots_of(planes, layout, number, 1 - side).into_iter();
                let slots = slots.map(|(place, slot)| (1 << place, slot));
                slots.filter(|(place, _)| legal.unwrap_or(0) & place != 0).collect()
            });
            let wanted = places.iter().filter(|&&(_, slot)| is(slot));
            wanted.fold(0, |plane, (place, _)| plane | place)
        };
        planes.movers(layout, &frame, side, bit, plane) != 0
    };
    if !draws && leaves.is_empty() && !moves_to(&|_| true) {
        let Stuck { lost, passes } = planes.stuck(&frame, side, bit);
        let passed = slots_of(planes, layout, number, 1 - side).remove(&place);
        let expected = match (stays.len(), stays.pop_first()) {
            (0, _) => (game.stuck(&position) == End::Loss, false),
            (1, slot) if slot == passed => (false, true),
            _ => return wrong("the moves that stay"),
        };
        return match (lost != 0, passes != 0) == expected {
            true => Ok(()),
            false => wrong("what becomes of it without a move"),
        };
    }
    if !stays.iter().all(|&slot| moves_to(&|other| other == slot)) {
        return wrong("a move that stays is missing");
    }
    match moves_to(&|slot| !stays.contains(&slot)) {
        true => wrong("a move that is none stays"),
        false => Ok(()),
    }
}

/// The slot of each place of a frame whose men do not share a point.
fn slots_of<G: Game>(
    planes: &impl Planes<G>,
    layout: &G::Layout,
    number: u64,
    side: usize,
) -> BTreeMap<u32, u64> {
    let mut slots = BTreeMap::new();
    if let Some(frame) = planes.frame(layout, number) {
        for place in 0..Plane::BITS {
            planes.slots(layout, &frame, side, 1 << place, |slot| {
                slots.insert(place, slot);
            });
        }
    }
    slots
}
