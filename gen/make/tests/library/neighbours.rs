//! The neighbours of Makruk with rules of their own. Their tables are compared with the reference
//! solver, with both look-aheads of one ply, and with packed files.
//!
//! The tests compare all materials of three men. `SAKMAK_ALL=1` adds six of four men with all they
//! lead to.

use crate::right_tables::{all, assert_right, for_positions};
use sakmak_make::output::packed::{PackOptions, pack};
use sakmak_make::store::TableStore;
use sakmak_probe::Tablebase;
use sakmak_solve::slots::legal::legal_position;
use sakmak_solve::slots::walk::Walk;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{AI_WOK, ASEAN, MAKPONG, MAKRUK, SHATRANJ, SITTUYIN};
use std::sync::Arc;

/// Materials of four men, with every piece on each side, every capture and promotion.
const FOUR: [&str; 6] = ["KRvKM", "KNvKS", "KMvKM", "KPvKP", "KRPvK", "KSPvK"];

/// Compares all values with the definition, and some with packed files.
fn assert_all_right(variant: &'static Variant) {
    let files = tempfile::tempdir().unwrap();
    let folder = variant.rules.files_in(files.path());
    std::fs::create_dir_all(&folder).unwrap();
    let packed = |table: &Table, store: &TableStore<'_>| {
        let smaller = table.index().material().successors(&variant.rules);
        let smaller = smaller.into_iter().map(TableName::to_mate);
        let smaller: Vec<Arc<Table>> =
            smaller.map(|name| store.memory.get(name).unwrap()).collect();
        let smaller: Vec<&dyn TableCodes> = smaller.iter().map(|one| &**one as _).collect();
        let (metric, options) =
            (Metric::DistanceToMate, PackOptions { converted_men: 0, ..PackOptions::default() });
        pack(table, metric, variant, &smaller, &folder, options, &|_| ()).unwrap();
        let packed = Tablebase::open(files.path()).unwrap();
        for_positions(variant, table, |side, slot, position| {
            assert_eq!(packed.dtm(position).ok(), table.value(side, slot), "{position}");
        });
    };
    assert_right(variant, Material::all_of(3), packed);
    if all() {
        assert_right(variant, FOUR.map(|name| name.parse().unwrap()), packed);
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn tables_of_ai_wok_are_right() {
    assert_all_right(&AI_WOK);
}

#[test]
#[ignore = "long: part of the full tests"]
fn tables_of_shatranj_are_right() {
    assert_all_right(&SHATRANJ);
}

#[test]
#[ignore = "long: part of the full tests"]
fn tables_of_asean_chess_are_right() {
    assert_all_right(&ASEAN);
}

#[test]
#[ignore = "long: part of the full tests"]
fn tables_of_makpong_are_right() {
    assert_all_right(&MAKPONG);
}

/// Sittuyin has the tables of Makruk, the other games have their own.
#[test]
fn games_share_tables_if_their_rules_are_the_same() {
    let print = |variant: &Variant| variant.rules.fingerprint();
    assert_eq!(print(&MAKRUK), 16_464_054_896_347_282_113);
    assert_eq!(print(&SITTUYIN), print(&MAKRUK));
    let mut others = [&AI_WOK, &SHATRANJ, &ASEAN, &MAKPONG, &MAKRUK].map(|variant| print(variant));
    others.sort_unstable();
    assert!(others.is_sorted_by(|one, other| one < other));
}

/// The longest wins with White to move.
#[test]
fn rules_make_the_difference() {
    let longest = |variant: &'static Variant, name: &str| {
        let material: Material = name.parse().unwrap();
        let table = TableStore::in_memory(&variant.rules);
        let table = table.table(TableName::to_mate(material)).unwrap();
        let index = Index::new(material, &variant.rules);
        let won =
            Walk::over(&index, Slot(0)..Slot(index.slots())).filter_map(|(slot, placement)| {
                legal_position(&index, &placement, Side::White, variant)?;
                table.value(Side::White, slot)
            });
        won.filter_map(|value| matches!(value, Value::Win(_)).then(|| value.moves())?).max()
    };
    // The bare king has lost when it is to move and cannot take the rook.
    assert_eq!(longest(&SHATRANJ, "KRvK"), Some(Moves(1)));
    assert_eq!(longest(&MAKRUK, "KMvK"), None);
    assert!(longest(&AI_WOK, "KMvK") < longest(&MAKRUK, "KRvK"));
    assert!(longest(&MAKPONG, "KRvK") < longest(&MAKRUK, "KRvK"));
}
