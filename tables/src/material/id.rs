//! Materials by number: which one a position has, found without building and hashing it.

use crate::rules::piece::{Man, Side};
use crate::material::{MAX_MEN, Material};
use crate::position::Position;
use crate::material::key::Tally;
use std::sync::LazyLock;

/// How many materials there are of at most [`MAX_MEN`] men, bare kings among them.
static KNOWN: LazyLock<Known> = LazyLock::new(Known::new);

/// Bits of a place in the hash table.
const HASH_BITS: u32 = 14;

/// The number of a material in [`materials`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaterialNumber(u16);

impl MaterialNumber {
    /// That of bare kings.
    pub const BARE_KINGS: MaterialNumber = MaterialNumber(0);

    /// The place in [`materials`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The material.
    pub fn material(self) -> Material {
        KNOWN.materials.get(self.index()).copied().unwrap_or(Material::BARE_KINGS)
    }
}

/// A material by its number, and how the position has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbered {
    /// Its number.
    pub number: MaterialNumber,
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
    KNOWN.find(position.tally())
}

struct Known {
    materials: Vec<Material>,
    /// Tallies where their hashes lead, or at the next free places behind; free ones have that
    /// of bare kings, who need no place.
    places: Vec<(Tally, Numbered)>,
}

impl Known {
    fn new() -> Known {
        let mut materials = vec![Material::BARE_KINGS];
        materials.extend((3..=MAX_MEN).flat_map(Material::all_of));
        let nothing =
            (Tally::default(), Numbered { number: MaterialNumber::BARE_KINGS, flipped: false });
        let mut known = Known { materials: Vec::new(), places: vec![nothing; 1 << HASH_BITS] };
        for (number, material) in (0..).zip(&materials).skip(1) {
            for flipped in [false, true] {
                // Of a material with like sides the first entry is found.
                let sides = if flipped { [Side::Black, Side::White] } else { Side::BOTH };
                let side = |man: Man| sides[man.side.index()];
                let tally = Tally::new(|man| material.army(side(man)).count(man.kind));
                let mut place = Known::place(tally);
                while known.places.get(place).is_some_and(|&(held, _)| held != Tally::default()) {
                    place = (place + 1) % known.places.len();
                }
                known.places[place] = (tally, Numbered { number: MaterialNumber(number), flipped });
            }
        }
        known.materials = materials;
        known
    }

    /// Where a tally is looked for.
    const fn place(tally: Tally) -> usize {
        (tally.number().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - HASH_BITS)) as usize
    }

    #[inline]
    fn find(&self, tally: Tally) -> Option<Numbered> {
        let mut place = Known::place(tally);
        loop {
            match self.places.get(place) {
                Some(&(held, numbered)) if held == tally => return Some(numbered),
                Some(&(free, _)) if free == Tally::default() => return None,
                None => return None,
                _ => place = (place + 1) % self.places.len(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::piece::Kind;
    use crate::board::square::Square;
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
                assert_eq!((found.number.material(), found.number.index()), (*material, number));
                assert_eq!(found.flipped, position.material().flipped);
            }
        }
    }
}
