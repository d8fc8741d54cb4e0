//! Games that do not end by mate. The end is a value of the rules; no other code changes. The
//! plane solver is compared with the reference solver and with both look-aheads of one ply.

use sakmak_gen::slots::legal::legal_position;
use sakmak_gen::slots::walk::Walk;
use sakmak_gen::store::TableStore;
use sakmak_gen::verify::definition::{look_ahead, stored};
use sakmak_gen::verify::verify;
use sakmak_oracle::compare::compare;
use sakmak_oracle::reference::Reference;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Slot;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::end_rule::EndRule;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{KAR_OUK, MAKRUK};
use std::convert::Infallible;
use std::sync::LazyLock;

/// A side without a legal move loses.
static STALEMATE: LazyLock<Variant> = LazyLock::new(|| {
    MAKRUK.with_end("stalemate", EndRule { stalemate_loses: true, ..EndRule::MATE })
});

/// Solves these materials and all they lead to, and compares every value with the reference
/// and with both look-aheads.
fn assert_right(variant: &'static Variant, materials: impl IntoIterator<Item = Material>) {
    let store = TableStore::in_memory(&variant.rules);
    let metric = Metric::distance(&variant.rules);
    let mut reference = Reference::new(variant);
    for material in Material::closure(materials, &variant.rules) {
        let table = store.table(TableName { material, metric }).unwrap();
        reference.solve(material).unwrap();
        let compared = compare(&table, &reference).unwrap_or_else(|error| panic!("{error}"));
        assert!(0 < compared.slots && compared.slots < compared.positions);
        verify(&table, metric, variant, &|name| store.get(name), &|_| ())
            .unwrap_or_else(|error| panic!("{error}"));
        if material.men() == 3 {
            assert_right_by_definition(variant, &table, &store);
        }
    }
}

fn assert_right_by_definition(variant: &'static Variant, table: &Table, store: &TableStore) {
    let index = table.index();
    let tables = store.tables();
    let tables = || tables.iter().map(|(_, table)| &**table);
    for (slot, placement) in Walk::over(index, Slot(0)..Slot(index.slots())) {
        for &side in Table::sides(index) {
            let Some(position) = legal_position(index, &placement, side, variant) else { continue };
            let by_tables = |after: &Position| Ok::<_, Infallible>(stored(after, tables()));
            let expected =
                look_ahead(&position, Metric::distance(&variant.rules), by_tables).unwrap();
            assert_eq!(table.value(side, slot), expected, "{position}");
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release")]
fn tables_of_kar_ouk_are_right() {
    assert_right(&KAR_OUK, Material::all_of(3));
    assert_right(&KAR_OUK, ["KPvKM".parse().unwrap()]);
}

/// Ten materials with every piece on each side.
#[test]
#[ignore = "takes minutes"]
fn tables_of_kar_ouk_with_four_men_are_right() {
    let names =
        ["KRvKR", "KRvKP", "KNvKS", "KSvKM", "KMvKM", "KPvKP", "KRNvK", "KSMvK", "KNPvK", "KPPvK"];
    assert_right(&KAR_OUK, names.map(|name| name.parse().unwrap()));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release")]
fn tables_of_a_game_that_stalemate_loses_are_right() {
    assert_right(&STALEMATE, Material::all_of(3));
    assert_right(&STALEMATE, ["KPvKM".parse().unwrap()]);
}
