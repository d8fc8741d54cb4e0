//! What there is for each material, by game and by what is measured: kept once it is there,
//! and found again without a lock.

use sakmak_tables::format::metric::Metric;
use sakmak_tables::material::id::{MaterialId, materials};
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::sync::OnceLock;

/// One thing for each material, for each metric in each game.
#[derive(Debug)]
pub struct MaterialMap<T> {
    /// By game, then metric.
    shelves: Vec<TableStore<T>>,
    /// MaterialMap of each game.
    metrics: usize,
}

/// By number of the material, once one of them has been asked for.
type TableStore<T> = OnceLock<Box<[OnceLock<T>]>>;

impl<T> MaterialMap<T> {
    /// Nothing is there yet.
    pub fn new() -> MaterialMap<T> {
        let highest = Metric::all().map(|metric| metric.number() as usize).max();
        let metrics = highest.map_or(0, |highest| highest + 1);
        let shelves = variants::all().into_iter().flat_map(|_| 0..metrics);
        MaterialMap { shelves: shelves.map(|_| OnceLock::new()).collect(), metrics }
    }

    /// The place of a material; nothing for a game that is not among [`variants::all`].
    #[inline]
    pub fn place(
        &self,
        variant: &'static Variant,
        metric: Metric,
        material: MaterialId,
    ) -> Option<&OnceLock<T>> {
        let game = variants::all().iter().position(|one| std::ptr::eq(*one, variant))?;
        let store = self.shelves.get(game * self.metrics + metric.number() as usize)?;
        let empty = || materials().iter().map(|_| OnceLock::new()).collect();
        store.get_or_init(empty).get(material.index())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::material::id::material_id;
    use sakmak_tables::position::Position;
    use std::collections::HashSet;

    #[test]
    fn every_place_is_its_own() {
        let shelves = MaterialMap::new();
        let mut named = HashSet::new();
        for fen in ["8/8/3k4/8/8/3K4/8/8 w", "8/8/3k4/8/8/3K4/8/R7 w", "8/8/3k4/pp6/PP6/3K4/8/R7 w"]
        {
            for variant in variants::all() {
                let position = Position::from_fen(variant, fen).unwrap();
                let material = material_id(position.material_key()).unwrap().number;
                for metric in Metric::all() {
                    let name = format!("{} {metric} {}", variant.name, material.material());
                    let place = shelves.place(variant, metric, material).unwrap();
                    assert_eq!(place.get_or_init(|| name.clone()), &name);
                    assert!(named.insert(name));
                }
            }
        }
    }
}
