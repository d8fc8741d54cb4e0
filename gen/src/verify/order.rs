//! In which order to verify many tables: smaller ones first, and little to load.
//!
//! A table is verified with those it leads to in memory. Of the tables whose smaller ones
//! among those asked for are done, the next is the one that needs least which the one
//! before did not.

use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use std::collections::{BTreeMap, BTreeSet};

/// The tables that must be in memory to verify one: itself and those it leads to.
pub fn needed(material: Material, rules: &Rules) -> BTreeSet<Material> {
    let mut needed = material.successors(rules);
    needed.insert(material);
    needed
}

/// These materials, each once and after those of them it leads to.
pub fn order(materials: impl IntoIterator<Item = Material>, rules: &Rules) -> Vec<Material> {
    let materials: BTreeSet<Material> = materials.into_iter().collect();
    let closure = Material::closure(materials.iter().copied(), rules);
    let slots: BTreeMap<Material, u64> =
        closure.iter().map(|&material| (material, Index::new(material, rules).slots())).collect();
    let mut left: Vec<Material> =
        closure.into_iter().filter(|material| materials.contains(material)).collect();
    let needs: BTreeMap<Material, BTreeSet<Material>> =
        left.iter().map(|&material| (material, needed(material, rules))).collect();
    let mut held = &BTreeSet::new();
    let mut order = Vec::new();
    while let Some(&first) = left.first() {
        let ready = |&material: &Material| {
            let mut smaller = needs[&material].iter().filter(|&&smaller| smaller != material);
            !smaller.any(|smaller| left.contains(smaller))
        };
        let to_load = |material: &Material| -> u64 {
            needs[material].difference(held).map(|material| slots[material]).sum()
        };
        // What comes first in the closure is ready.
        let next = left.iter().copied().filter(ready).min_by_key(to_load).unwrap_or(first);
        left.retain(|&material| material != next);
        held = &needs[&next];
        order.push(next);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn all_five_men_come_after_what_they_lead_to_with_less_to_load() {
        let rules = &MAKRUK.rules;
        let closure = Material::closure(Material::all_of(5), rules);
        let order = order(closure.iter().copied(), rules);
        assert_eq!(order.len(), closure.len());
        for (place, &material) in order.iter().enumerate() {
            let mut smaller = material.successors(rules).into_iter();
            assert!(smaller.all(|smaller| order[..place].contains(&smaller)), "{material}");
        }
        let loads = |order: &[Material]| -> u64 {
            let new = order.windows(2).flat_map(|pair| {
                let held = needed(pair[0], rules);
                let mut new = needed(pair[1], rules);
                new.retain(|material| !held.contains(material));
                new
            });
            new.map(|material| Index::new(material, rules).slots()).sum()
        };
        assert!(loads(&order) < loads(&closure));
    }
}
