//! An array by variant, metric and material. An entry is written once and read without a
//! lock.

use crate::process::OwnerProcess;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::material::id::{MaterialId, materials};
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::sync::OnceLock;

/// A `T` for each material, metric and variant.
#[derive(Debug)]
pub struct MaterialMap<T> {
    /// By variant, then metric.
    by_metric: Vec<ByMaterial<T>>,
    /// Metrics of each variant.
    metrics: usize,
    owner: OwnerProcess,
}

/// By [`MaterialId::index`]; allocated on first use.
type ByMaterial<T> = OnceLock<Box<[OnceLock<T>]>>;

impl<T> MaterialMap<T> {
    /// An empty map.
    pub fn new() -> MaterialMap<T> {
        let highest = Metric::all().map(|metric| metric.number() as usize).max();
        let metrics = highest.map_or(0, |highest| highest + 1);
        let all = variants::all().flat_map(|_| 0..metrics);
        // Computed before threads share the map: a fork must not interrupt it.
        let _ = materials();
        let by_metric = all.map(|_| OnceLock::new()).collect();
        MaterialMap { by_metric, metrics, owner: OwnerProcess::current() }
    }

    /// The entry of a material. `None` if the variant is not in [`variants::all`] or no table has
    /// the metric. In a child of a fork, also `None` if the parent had used no entry of the
    /// variant and metric before the fork.
    #[inline]
    pub fn entry(
        &self,
        variant: &'static Variant,
        metric: Metric,
        material: MaterialId,
    ) -> Option<&OnceLock<T>> {
        let variant = variants::index_of(variant)?;
        let number = metric.number() as usize;
        let index = (number < self.metrics).then_some(variant * self.metrics + number)?;
        let by_material = self.by_metric.get(index)?;
        let empty = || materials().iter().map(|_| OnceLock::new()).collect();
        self.owner.get_or_init(by_material, empty)?.get(material.index())
    }

    /// All entries that are set.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        let maps = self.by_metric.iter().filter_map(OnceLock::get);
        maps.flatten().filter_map(OnceLock::get)
    }

    /// Unsets the entries whose value `forgotten` selects.
    pub fn forget(&mut self, forgotten: impl Fn(&T) -> bool) {
        let maps = self.by_metric.iter_mut().filter_map(OnceLock::get_mut);
        for entry in maps.flatten().filter(|entry| entry.get().is_some_and(&forgotten)) {
            entry.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::material::id::material_id;
    use sakmak_tables::position::Position;
    use std::collections::HashSet;

    #[test]
    fn every_material_metric_and_variant_has_an_entry_of_its_own() {
        let map = MaterialMap::new();
        let mut named = HashSet::new();
        // Letters that all variants have.
        for fen in ["4k3/8/8/8/8/3K4/8/8 w", "4k3/8/8/8/8/3K4/8/R7 w", "4k3/8/8/nn6/RR6/3K4/8/N7 w"]
        {
            for variant in variants::all() {
                let position = Position::from_fen(variant, fen).unwrap();
                let material = material_id(position.material_key()).unwrap().number;
                for metric in Metric::all() {
                    let name = format!("{} {metric} {}", variant.name, material.material());
                    let entry = map.entry(variant, metric, material).unwrap();
                    assert_eq!(entry.get_or_init(|| name.clone()), &name);
                    assert!(named.insert(name));
                }
            }
        }
    }
}
