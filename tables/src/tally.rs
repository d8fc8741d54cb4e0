//! The men on the board as one small number: which material it is, found without building
//! and hashing it.

use crate::man::{Kind, Man, Side};
use crate::material::{MAX_MEN, Material};
use crate::position::Position;
use std::sync::LazyLock;

/// How many materials there are of at most [`MAX_MEN`] men, bare kings among them.
static KNOWN: LazyLock<Known> = LazyLock::new(Known::new);

/// Bits that say how many men there are of a kind.
const COUNT_BITS: u32 = 3;
/// Bits of a place in the hash table.
const HASH_BITS: u32 = 14;

/// A material by its number, and how the position has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbered {
    /// Its number in [`materials`].
    pub number: usize,
    /// Whether Black is the stronger side.
    pub flipped: bool,
}

/// All materials of at most [`MAX_MEN`] men, bare kings first.
pub fn materials() -> &'static [Material] {
    &KNOWN.materials
}

/// The material of a position, if it is one of [`materials`].
#[inline]
pub fn numbered(position: &Position) -> Option<Numbered> {
    if position.occupied().len() > MAX_MEN {
        return None;
    }
    let mut tally = 0;
    for side in Side::BOTH {
        for kind in Kind::MEN {
            tally = tally << COUNT_BITS | position.men_of(Man::new(side, kind)).len() as u32;
        }
    }
    KNOWN.find(tally)
}

struct Known {
    materials: Vec<Material>,
    /// Tallies where their hashes lead, or at the next free places behind; none is zero but
    /// that of bare kings, which is not in here.
    places: Vec<(u32, Numbered)>,
}

impl Known {
    fn new() -> Known {
        let mut materials = vec![Material::BARE_KINGS];
        materials.extend((3..=MAX_MEN).flat_map(Material::all_of));
        let nothing = (0, Numbered { number: 0, flipped: false });
        let mut known = Known { materials: Vec::new(), places: vec![nothing; 1 << HASH_BITS] };
        for (number, material) in materials.iter().enumerate() {
            for flipped in [false, true] {
                // Of a material with like sides the first entry is found.
                let sides = if flipped { [Side::Black, Side::White] } else { Side::BOTH };
                let count = |side| Kind::MEN.map(|kind| material.army(side).count(kind) as u32);
                let counts = sides.map(count).into_iter().flatten();
                let tally = counts.fold(0, |tally, count| tally << COUNT_BITS | count);
                let mut place = Known::place(tally);
                while known.places.get(place).is_some_and(|&(held, _)| held != 0) {
                    place = (place + 1) % known.places.len();
                }
                known.places[place] = (tally, Numbered { number, flipped });
            }
        }
        known.materials = materials;
        known
    }

    /// Where a tally is looked for.
    const fn place(tally: u32) -> usize {
        (tally.wrapping_mul(0x9e37_79b1) >> (u32::BITS - HASH_BITS)) as usize
    }

    #[inline]
    fn find(&self, tally: u32) -> Option<Numbered> {
        let mut place = Known::place(tally);
        loop {
            match self.places.get(place) {
                Some(&(held, numbered)) if held == tally => return Some(numbered),
                Some(&(0, _)) | None => return None,
                _ => place = (place + 1) % self.places.len(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::Square;
    use crate::variants::MAKRUK;

    #[test]
    fn every_material_is_found_either_way_round() {
        assert!(2 * materials().len() < 1 << (HASH_BITS - 1));
        for (number, material) in materials().iter().enumerate() {
            let kings = Side::BOTH.map(|side| Man::new(side, Kind::King));
            let men = kings.into_iter().chain(material.list());
            for changed in [false, true] {
                let men = men.clone().map(|man| match changed {
                    true => Man::new(!man.side, man.kind),
                    false => man,
                });
                let placed = men.zip(Square::all());
                let position = Position::new(&MAKRUK, Side::White, placed).unwrap();
                let found = numbered(&position).unwrap();
                assert_eq!((materials()[found.number], found.number), (*material, number));
                assert_eq!(found.flipped, position.material().flipped);
            }
        }
    }
}
