//! Solved materials in memory.

use crate::parallel::*;
use sakmak_boards::codes::{CodeRef, Codes};
use sakmak_boards::game::value_by_moves;
use sakmak_boards::solvable::{SolvableGame, prepared};
use sakmak_boards::value::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Number of slots that a thread processes at a time.
pub const BLOCK: usize = 1 << 12;

/// All slots of a table, shared out among threads in blocks.
pub(crate) fn all_slots(size: u64) -> impl ParallelIterator<Item = u64> {
    (0..size as usize).into_par_iter().with_min_len(BLOCK).map(|slot| slot as u64)
}

/// The slots of a block.
pub(crate) fn slots_of(block: usize, size: u64) -> Range<u64> {
    let first = (block * BLOCK) as u64;
    first..size.min(first + BLOCK as u64)
}

/// All blocks of a table, shared out among threads.
pub fn blocks(size: u64) -> impl ParallelIterator<Item = Range<u64>> {
    let count = (size as usize).div_ceil(BLOCK);
    (0..count).into_par_iter().map(move |block| slots_of(block, size))
}

/// A solved material.
pub struct Table<G: SolvableGame> {
    /// The numbering of the positions.
    pub layout: G::Layout,
    /// The codes.
    pub codes: Codes,
}

impl<G: SolvableGame> Table<G> {
    /// Returns the table of a material with these codes.
    pub fn new(game: &G, material: G::Material, codes: Codes) -> Table<G> {
        Table { layout: prepared(game, material), codes }
    }

    /// The value of a position of the material. Returns `None` after the last slot.
    #[inline]
    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        self.codes.value(game.rank(&self.layout, position))
    }
}

/// Solved materials of a game.
pub struct Tables<G: SolvableGame> {
    tables: BTreeMap<G::Material, Arc<Table<G>>>,
}

impl<G: SolvableGame> Default for Tables<G> {
    fn default() -> Tables<G> {
        Tables { tables: BTreeMap::new() }
    }
}

impl<G: SolvableGame> Tables<G> {
    /// Adds a solved material.
    pub fn insert(&mut self, game: &G, material: G::Material, codes: Codes) {
        self.share(material, Arc::new(Table::new(game, material, codes)));
    }

    /// Adds a solved material that other owners may share.
    pub fn share(&mut self, material: G::Material, table: Arc<Table<G>>) {
        self.tables.insert(material, table);
    }

    /// A solved material.
    pub fn get(&self, material: G::Material) -> Option<&Table<G>> {
        self.tables.get(&material).map(Arc::as_ref)
    }

    /// Drops all materials except these.
    pub fn retain(&mut self, kept: &[G::Material]) {
        self.tables.retain(|material, _| kept.contains(material));
    }

    /// The bytes of all codes.
    pub fn bytes(&self) -> u64 {
        self.tables.values().map(|table| table.codes.bytes()).sum()
    }

    /// The value of a position. Returns `None` if its material is not solved, or a material through
    /// which the position is looked up.
    pub fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if game.has_slot(position) {
            return self.tables.get(&game.material(position))?.value(game, position);
        }
        let list = |each: &mut dyn FnMut(_)| _ = game.leaving(position, true, each);
        value_by_moves(game, position, list, |after| self.value(game, after).ok_or(())).ok()
    }
}

/// A few tables, so that a lookup does not search all tables.
pub(crate) struct NearbyTables<'a, G: SolvableGame> {
    game: &'a G,
    tables: Vec<(G::Material, &'a Table<G>)>,
}

impl<'a, G: SolvableGame> NearbyTables<'a, G> {
    /// The tables of some materials.
    ///
    /// # Errors
    ///
    /// The first material that is not solved.
    pub(crate) fn new(
        game: &'a G,
        tables: &'a Tables<G>,
        materials: impl IntoIterator<Item = G::Material>,
    ) -> Result<NearbyTables<'a, G>, G::Material> {
        let found = |material| Ok((material, tables.get(material).ok_or(material)?));
        Ok(NearbyTables {
            game,
            tables: materials.into_iter().map(found).collect::<Result<_, _>>()?,
        })
    }

    /// The codes of a material.
    pub(crate) fn codes(&self, material: G::Material) -> Option<&Codes> {
        self.tables.iter().find(|&&(nearby, _)| nearby == material).map(|(_, table)| &table.codes)
    }

    /// The value of a position.
    ///
    /// # Errors
    ///
    /// The material of the position, or the material of a position through which it is looked up,
    /// if the material has no table here.
    #[inline]
    pub(crate) fn value(&self, position: &G::Position) -> Result<Value, G::Material> {
        if !self.game.has_slot(position) {
            let list = |each: &mut dyn FnMut(_)| _ = self.game.leaving(position, true, each);
            return value_by_moves(self.game, position, list, |after| self.value(after));
        }
        self.code(position).map(CodeRef::value)
    }

    /// The reference to the code of a position that has a slot.
    ///
    /// # Errors
    ///
    /// The material of the position, if the material has no table here.
    #[inline]
    pub(crate) fn code(&self, position: &G::Position) -> Result<CodeRef<'a>, G::Material> {
        let material = self.game.material(position);
        let table = self.tables.iter().find(|&&(nearby, _)| nearby == material);
        let place =
            table.and_then(|(_, table)| table.codes.code(self.game.rank(&table.layout, position)));
        place.ok_or(material)
    }
}
