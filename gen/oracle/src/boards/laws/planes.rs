//! The check of planes: a place in a frame has what its position has.

use sakmak_boards::game::{Effect, End, legal_moves};
use sakmak_boards::planes::{Leave, Plane, Planes, Start, Stuck, each};
use sakmak_boards::solvable::SolvableGame;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The slots of the places of a frame.
type Slots = BTreeMap<u32, u64>;
/// A move that does not stay: the material and slot that it leads to, or `None` for a draw.
type LeavingMove<T> = Option<(T, u64)>;
/// Moves of a position: the slots of those that stay, and the others.
type Moves<T> = (BTreeSet<u64>, BTreeSet<LeavingMove<T>>);

/// Checks some places of a frame with this side to move. Returns the slot of a wrong one and what is wrong.
pub fn check_places<G: SolvableGame>(
    game: &G,
    layout: &G::Layout,
    subtables: &BTreeMap<G::Material, G::Layout>,
    planes: &impl Planes<G::Layout, G::Material>,
    (number, side): (u64, usize),
    places: Plane,
) -> Result<(), (u64, String)> {
    let Some(frame) = planes.frame(layout, number) else { return Ok(()) };
    let start = planes.start(layout, &frame, side);
    let mut left: BTreeMap<u32, BTreeSet<LeavingMove<G::Material>>> = BTreeMap::new();
    planes.leaving(layout, &frame, side, |movers, leave| {
        for place in each(movers & places & start.legal) {
            left.entry(place).or_default().insert(match leave {
                Leave::Draws => None,
                Leave::To(material, slot) => Some((material, slot(place))),
            });
        }
    });
    let framed = CheckedFrame {
        game,
        layout,
        subtables,
        planes,
        number,
        side,
        start,
        slots: slots_of(planes, layout, number, side),
        image: slots_of(planes, layout, planes.image(&frame), side),
        left,
        known: RefCell::default(),
        frame,
    };
    each(places).try_for_each(|place| {
        framed.check(place).map_err(|what| {
            let slot = framed.slots.get(&place).copied().unwrap_or_default();
            (slot, format!("place {place} of frame {number} with side {side} to move: {what}"))
        })
    })
}

/// A frame with one side to move.
struct CheckedFrame<'a, G: SolvableGame, P: Planes<G::Layout, G::Material>> {
    game: &'a G,
    layout: &'a G::Layout,
    subtables: &'a BTreeMap<G::Material, G::Layout>,
    planes: &'a P,
    number: u64,
    frame: P::Frame,
    side: usize,
    start: Start,
    slots: Slots,
    /// Those of its image.
    image: Slots,
    left: BTreeMap<u32, BTreeSet<LeavingMove<G::Material>>>,
    /// The legal places of frames with the other side to move, and their slots.
    known: RefCell<BTreeMap<u64, Vec<(Plane, u64)>>>,
}

impl<G: SolvableGame, P: Planes<G::Layout, G::Material>> CheckedFrame<'_, G, P> {
    /// Checks a place. Returns what is wrong.
    fn check(&self, place: u32) -> Result<(), &'static str> {
        let bit = 1 << place;
        let [legal, drawn] = [self.start.legal, self.start.drawn].map(|plane| plane & bit != 0);
        let Some(&slot) = self.slots.get(&place) else {
            return holds(!legal, "it has no slot");
        };
        holds(slot < self.game.size(self.layout), "its slot is too large")?;
        let imaged = self.planes.imaged(bit).trailing_zeros();
        holds(self.image.get(&imaged) == Some(&slot), "its image has another slot")?;
        let position = self.game.unrank(self.layout, slot);
        let Some(position) = position.filter(|position| !self.game.is_illegal(position)) else {
            return holds(!legal, "it is not legal");
        };
        holds(legal, "it is legal")?;
        holds(self.game.end(&position).is_some() == drawn, "whether it is over")?;
        let (stays, leaves) = self.moves(&position)?;
        if drawn {
            return holds(!self.stays(bit, |_| true), "it is drawn, and a move stays");
        }
        let left = self.left.get(&place).into_iter().flatten().copied();
        let left: BTreeSet<_> = left.filter(|&left| self.is_legal(left)).collect();
        holds(left == leaves, "the moves that do not stay")?;
        if leaves.is_empty() && !self.stays(bit, |_| true) {
            let Stuck { lost, passes } = self.planes.stuck(&self.frame, self.side, bit);
            let passed = slots_of(self.planes, self.layout, self.number, 1 - self.side);
            let expected = match (stays.len(), stays.first()) {
                (0, _) => (self.game.stuck(&position) == End::Loss, false),
                (1, slot) if slot == passed.get(&place) => (false, true),
                _ => return Err("the moves that stay"),
            };
            return holds(
                (lost != 0, passes != 0) == expected,
                "what becomes of it without a move",
            );
        }
        let found = stays.iter().all(|&slot| self.stays(bit, |other| other == slot));
        holds(found, "a move that stays is missing")?;
        let other = self.stays(bit, |slot| !stays.contains(&slot));
        holds(!other, "a move that is none stays")
    }

    /// The slots that legal moves of a position lead to, and those that do not stay.
    fn moves(&self, position: &G::Position) -> Result<Moves<G::Material>, &'static str> {
        let (mut stays, mut leaves, mut wrong) = (BTreeSet::new(), BTreeSet::new(), Ok(()));
        let here = self.game.material(position);
        legal_moves(self.game, position, |_, after| match after {
            Ok(after) if self.game.material(&after) == here => {
                stays.insert(self.game.rank(self.layout, &after));
            }
            Ok(after) => {
                let material = self.game.material(&after);
                match self.subtables.get(&material) {
                    Some(layout) => {
                        _ = leaves.insert(Some((material, self.game.rank(layout, &after))))
                    }
                    None => wrong = Err("a move leads to a material that is not named"),
                }
            }
            Err(Effect::Draws) => _ = leaves.insert(None),
            Err(_) => wrong = Err("a move wins at once"),
        });
        wrong.map(|()| (stays, leaves))
    }

    /// Whether a place has a move that stays and leads to a legal position whose slot `is` so.
    fn stays(&self, place: Plane, is: impl Fn(u64) -> bool) -> bool {
        let (planes, layout, side) = (self.planes, self.layout, 1 - self.side);
        let plane = |number| {
            let mut known = self.known.borrow_mut();
            let places = known.entry(number).or_insert_with(|| {
                let frame = planes.frame(layout, number);
                let legal = frame.map_or(0, |frame| planes.start(layout, &frame, side).legal);
                let slots = slots_of(planes, layout, number, side).into_iter();
                let slots = slots.map(|(place, slot)| (1 << place, slot));
                slots.filter(|(place, _)| legal & place != 0).collect()
            });
            let wanted = places.iter().filter(|&&(_, slot)| is(slot));
            wanted.fold(0, |plane, (place, _)| plane | place)
        };
        planes.movers(layout, &self.frame, self.side, place, plane) != 0
    }

    /// Whether a move that does not stay leads to a legal position. One into a material that is not named
    /// counts, so that it is found.
    fn is_legal(&self, left: LeavingMove<G::Material>) -> bool {
        let Some((material, slot)) = left else { return true };
        self.subtables.get(&material).is_none_or(|layout| {
            let after = self.game.unrank(layout, slot);
            after.is_some_and(|after| !self.game.is_illegal(&after))
        })
    }
}

/// An error unless something holds.
fn holds(is: bool, what: &'static str) -> Result<(), &'static str> {
    if is { Ok(()) } else { Err(what) }
}

/// The slot of each place of a frame whose men do not share a point.
fn slots_of<Layout, Material>(
    planes: &impl Planes<Layout, Material>,
    layout: &Layout,
    number: u64,
    side: usize,
) -> Slots {
    let mut slots = Slots::new();
    if let Some(frame) = planes.frame(layout, number) {
        for place in 0..Plane::BITS {
            planes.slots(layout, &frame, side, 1 << place, |slot| {
                slots.insert(place, slot);
            });
        }
    }
    slots
}
