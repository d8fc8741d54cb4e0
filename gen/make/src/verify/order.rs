//! The order of verification of many tables: subtables first, with little to load.
//!
//! A table is verified with the tables it depends on in memory. A table is ready if none of its
//! subtables is still to be verified. The next table is the ready table with the fewest slots to
//! load that the previous table did not need.

use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::rules::Rules;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the tables that must be in memory to verify one: the table and those it depends on.
pub fn needed(name: TableName, rules: &Rules) -> BTreeSet<TableName> {
    name.successors(rules).into_iter().chain([name]).collect()
}

/// These tables, each once and after those of them that it depends on.
pub fn order(names: impl IntoIterator<Item = TableName>, rules: &Rules) -> Vec<TableName> {
    let names: BTreeSet<TableName> = names.into_iter().collect();
    let closure = TableName::closure(names.iter().copied(), rules);
    let slots: BTreeMap<TableName, u64> =
        closure.iter().map(|&name| (name, Index::new(name.material, rules).slots())).collect();
    let mut left: Vec<TableName> =
        closure.into_iter().filter(|name| names.contains(name)).collect();
    let needs: BTreeMap<TableName, BTreeSet<TableName>> =
        left.iter().map(|&name| (name, needed(name, rules))).collect();
    let mut loaded = &BTreeSet::new();
    let mut order = Vec::new();
    while let Some(&first) = left.first() {
        let ready = |&name: &TableName| {
            let mut smaller = needs[&name].iter().filter(|&&smaller| smaller != name);
            !smaller.any(|smaller| left.contains(smaller))
        };
        let to_load = |name: &TableName| -> u64 {
            needs[name].difference(loaded).map(|name| slots[name]).sum()
        };
        // The first in the order of the closure is always ready.
        let next = left.iter().copied().filter(ready).min_by_key(to_load).unwrap_or(first);
        left.retain(|&name| name != next);
        loaded = &needs[&next];
        order.push(next);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::material::Material;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn all_five_men_come_after_what_they_lead_to_with_less_to_load() {
        let rules = &MAKRUK.rules;
        let closure =
            TableName::closure(Material::all_of(5).into_iter().map(TableName::to_mate), rules);
        let order = order(closure.iter().copied(), rules);
        assert_eq!(order.len(), closure.len());
        for (place, &name) in order.iter().enumerate() {
            let mut smaller = name.successors(rules).into_iter();
            assert!(smaller.all(|smaller| order[..place].contains(&smaller)), "{name}");
        }
        let loads = |order: &[TableName]| -> u64 {
            let new = order.windows(2).flat_map(|pair| {
                let held = needed(pair[0], rules);
                let mut new = needed(pair[1], rules);
                new.retain(|name| !held.contains(name));
                new
            });
            new.map(|name| Index::new(name.material, rules).slots()).sum()
        };
        assert!(loads(&order) < loads(&closure));
    }
}
