//! Whether solved tables of a variant are right.

use rayon::prelude::*;
use sakmak_make::store::TableStore;
use sakmak_make::verify::verify;
use sakmak_oracle::compare::compare;
use sakmak_oracle::reference::Reference;
use sakmak_solve::slots::definition::{look_ahead, stored};
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Slot;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use std::convert::Infallible;

/// Whether materials are compared that take minutes.
pub fn all() -> bool {
    std::env::var_os("SAKMAK_ALL").is_some_and(|all| all == "1")
}

/// Solves these materials and all they lead to, and compares every value with the reference and
/// with both look-aheads. `also` checks a table further.
pub fn assert_right(
    variant: &'static Variant,
    materials: impl IntoIterator<Item = Material>,
    also: impl Fn(&Table, &TableStore<'_>),
) {
    let store = TableStore::in_memory(&variant.rules);
    let metric = Metric::distance(&variant.rules);
    let mut reference = Reference::new(variant);
    for material in Material::closure(materials, &variant.rules) {
        let table = store.table(TableName { material, metric }).unwrap();
        reference.solve(material).unwrap();
        let compared = compare(&table, &reference).unwrap_or_else(|error| panic!("{error}"));
        assert!(0 < compared.slots && compared.slots < compared.positions);
        verify(&table, metric, variant, &|name| store.memory.get(name), &|_| ())
            .unwrap_or_else(|error| panic!("{error}"));
        let tables = store.memory.tables();
        for_positions(variant, &table, |side, slot, position| {
            let by_tables = |after: &Position| {
                Ok::<_, Infallible>(stored(after, tables.iter().map(|(_, table)| &**table)))
            };
            let expected = look_ahead(position, metric, by_tables).unwrap();
            assert_eq!(table.value(side, slot), expected, "{position}");
        });
        also(&table, &store);
    }
}

/// Checks every position of a table of three men, some of larger ones.
pub fn for_positions(
    variant: &'static Variant,
    table: &Table,
    check: impl Fn(Side, Slot, &Position) + Sync,
) {
    let index = table.index();
    let step = match index.material().men() {
        3 => 1,
        _ => index.slots() / 60_000 + 1,
    };
    (0..index.slots().div_ceil(step)).into_par_iter().for_each(|number| {
        let slot = Slot(number * step);
        let placement = index.placement(slot);
        for &side in Table::sides(index) {
            if let Some(position) = legal_position(index, &placement, side, variant) {
                check(side, slot, &position);
            }
        }
    });
}
