//! Materials by index. The index is found from the [`MaterialKey`] of a position, without building
//! the material.

use crate::material::key::MaterialKey;
use crate::material::{MAX_MEN, Material};
use crate::rules::piece::{Piece, Side};
use std::sync::LazyLock;

impl Material {
    /// The id of the material. `None` if the material is not in [`materials`].
    pub fn id(self) -> Option<MaterialId> {
        let count = |piece: Piece| self.army(piece.side).count(piece.kind);
        material_id(MaterialKey::new(count)).map(|oriented| oriented.number)
    }
}

/// All materials of at most [`MAX_MEN`] men.
static TABLE: LazyLock<MaterialTable> = LazyLock::new(MaterialTable::new);

/// Bits of a hash.
const HASH_BITS: u32 = 14;

/// The index of a material in [`materials`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaterialId(u16);

impl MaterialId {
    /// The id of bare kings.
    pub const BARE_KINGS: MaterialId = MaterialId(0);

    /// The index in [`materials`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The material.
    pub fn material(self) -> Material {
        TABLE.materials.get(self.index()).copied().unwrap_or(Material::BARE_KINGS)
    }
}

/// The id of a material, and the orientation of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrientedId {
    /// The id of the material.
    pub number: MaterialId,
    /// Whether Black is the stronger side.
    pub flipped: bool,
}

/// All materials of at most [`MAX_MEN`] men, bare kings first.
pub fn materials() -> &'static [Material] {
    &TABLE.materials
}

/// The id of the material with this key. Returns `None` if the material is not in [`materials`].
#[inline]
pub fn material_id(key: MaterialKey) -> Option<OrientedId> {
    TABLE.find(key)
}

struct MaterialTable {
    materials: Vec<Material>,
    /// A hash table with linear probing. Free slots hold the key of bare kings, which are not
    /// stored.
    slots: Vec<(MaterialKey, OrientedId)>,
}

impl MaterialTable {
    fn new() -> MaterialTable {
        let mut materials = vec![Material::BARE_KINGS];
        materials.extend((3..=MAX_MEN).flat_map(Material::all_of));
        let nothing =
            (MaterialKey::default(), OrientedId { number: MaterialId::BARE_KINGS, flipped: false });
        let mut table =
            MaterialTable { materials: Vec::new(), slots: vec![nothing; 1 << HASH_BITS] };
        for (number, material) in (0..).zip(&materials).skip(1) {
            for flipped in [false, true] {
                // If both sides have the same pieces, both keys are equal and the first is found.
                let sides = if flipped { [Side::Black, Side::White] } else { Side::BOTH };
                let side = |piece: Piece| sides[piece.side.index()];
                let key = MaterialKey::new(|piece| material.army(side(piece)).count(piece.kind));
                let mut slot = MaterialTable::slot(key);
                while table.slots.get(slot).is_some_and(|&(held, _)| held != MaterialKey::default())
                {
                    slot = (slot + 1) % table.slots.len();
                }
                table.slots[slot] = (key, OrientedId { number: MaterialId(number), flipped });
            }
        }
        table.materials = materials;
        table
    }

    /// The slot at which the search for a key begins.
    const fn slot(key: MaterialKey) -> usize {
        (key.number().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - HASH_BITS)) as usize
    }

    #[inline]
    fn find(&self, key: MaterialKey) -> Option<OrientedId> {
        let mut slot = MaterialTable::slot(key);
        loop {
            match self.slots.get(slot) {
                Some(&(held, numbered)) if held == key => return Some(numbered),
                Some(&(free, _)) if free == MaterialKey::default() => return None,
                None => return None,
                _ => slot = (slot + 1) % self.slots.len(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::square::Square;
    use crate::position::Position;
    use crate::rules::piece::PieceKind;
    use crate::variants::MAKRUK;

    #[test]
    fn every_material_is_found_either_way_round() {
        assert!(2 * materials().len() < 1 << (HASH_BITS - 1));
        for (number, material) in materials().iter().enumerate() {
            let kings = Side::BOTH.map(|side| Piece::new(side, PieceKind::King));
            let pieces = kings.into_iter().chain(material.pieces());
            for changed in [false, true] {
                let pieces = pieces.clone().map(|piece| match changed {
                    true => Piece::new(!piece.side, piece.kind),
                    false => piece,
                });
                let placed = pieces.zip(Square::all());
                let position = Position::new(&MAKRUK, Side::White, placed).unwrap();
                let found = material_id(position.material_key()).unwrap();
                assert_eq!((found.number.material(), found.number.index()), (*material, number));
                assert_eq!(found.flipped, position.material().flipped);
            }
        }
    }
}
