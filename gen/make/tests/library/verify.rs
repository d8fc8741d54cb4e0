//! The verifier finds right tables right and any wrong value wrong.

use crate::forged::changed;
use crate::solved::SOLVED;
use proptest::prelude::*;
use sakmak_make::verify::{Mismatch, VerifyError, slots_to_verify, verify};
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::{PieceKind, Side};
use sakmak_tables::values::table::Table;
use sakmak_tables::values::{Coding, Values};
use sakmak_tables::variants::{self, MAKRUK};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

fn name(name: &str) -> TableName {
    name.parse().unwrap()
}

fn mismatch(table: &Table, metric: Metric) -> Option<Mismatch> {
    match verify(table, metric, &MAKRUK, &|smaller| SOLVED.memory.get(smaller), &|_| ()) {
        Ok(()) => None,
        Err(VerifyError::Mismatch(mismatch)) => Some(mismatch),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn right_tables_of_three_men_pass_and_progress_comes_to_all_slots() {
    for material in Material::all_of(3) {
        let table = SOLVED.table(TableName::to_mate(material)).unwrap();
        let done = AtomicU64::new(0);
        let progress = |slots| {
            done.fetch_add(slots, Ordering::Relaxed);
        };
        verify(
            &table,
            Metric::DistanceToMate,
            &MAKRUK,
            &|smaller| SOLVED.memory.get(smaller),
            &progress,
        )
        .unwrap();
        assert_eq!(done.into_inner(), slots_to_verify(&table));
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn right_tables_of_four_men_pass() {
    for name in ["KRvKR", "KRvKP", "KPvKP", "KPPvK", "KMMvK"] {
        let metric = Metric::DistanceToMate;
        assert_eq!(
            mismatch(&SOLVED.table(TableName::to_mate(material(name))).unwrap(), metric),
            None,
            "{name}"
        );
    }
}

/// The tables of these materials that count matters for, under all counting rules.
fn counted(materials: impl IntoIterator<Item = Material>) -> BTreeSet<TableName> {
    let names = materials.into_iter().flat_map(|material| {
        let metrics = Metric::all().filter(|metric| metric.is_of(&MAKRUK.rules));
        metrics.map(move |metric| TableName::deciding(material, metric))
    });
    let has_pawns =
        |name: &TableName| name.material.pieces().any(|one| one.kind == PieceKind::Pawn);
    let refused = |name: &TableName| {
        let variant = name.metric.counting_rule().map(variants::counted_by);
        variant.is_some_and(|variant| variant.refuses_pawns.is_some()) && has_pawns(name)
    };
    names.filter(|name| name.metric != Metric::DistanceToMate && !refused(name)).collect()
}

#[test]
fn right_counted_tables_of_three_men_pass() {
    let names = counted(Material::all_of(3));
    // Of a pawn two by each of four counting rules, but in Ouk counted distance is the distance to
    // mate in time; of a met two in Sittuyin, in which mets alone have no count.
    assert_eq!(names.len(), 2 * 4 - 1 + 2);
    for name in names {
        assert_eq!(mismatch(&SOLVED.table(name).unwrap(), name.metric), None, "{name}");
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn right_counted_tables_of_four_men_pass() {
    let four = ["KRvKR", "KRvKM", "KRvKP", "KMvKP", "KPvKP", "KPPvK", "KRPvK"];
    for name in counted(four.map(material)) {
        assert_eq!(mismatch(&SOLVED.table(name).unwrap(), name.metric), None, "{name}");
    }
}

/// Such a position is lost in 0 moves and yet no mate: every move of the bare king takes the last
/// pawn and starts a count that is lost.
#[test]
fn losses_by_arrival_pass() {
    let name = name("KRPvK.makruk");
    let table = SOLVED.table(name).unwrap();
    let index = table.index();
    let by_arrival = (0..index.slots()).map(Slot).find_map(|slot| {
        let position = legal_position(index, &index.placement(slot), Side::Black, &MAKRUK)?;
        let lost = table.value(Side::Black, slot) == Some(Value::Loss(Moves(0)));
        (lost && !position.legal_moves().is_empty()).then_some(Address { side: Side::Black, slot })
    });
    let place = by_arrival.unwrap();
    assert_eq!(mismatch(&table, name.metric), None);
    let draw = changed(&table, place, |_| 0);
    let found = mismatch(&draw, name.metric).unwrap();
    assert!(found.place.side == Side::White || found.place == place, "{found}");
}

#[test]
fn a_missing_smaller_table_is_named() {
    let table = SOLVED.table(TableName::to_mate(material("KPvK"))).unwrap();
    let error = verify(&table, Metric::DistanceToMate, &MAKRUK, &|_| None, &|_| ()).unwrap_err();
    let missing = TableName::to_mate(material("KMvK"));
    let table = TableName::to_mate(material("KPvK"));
    assert_eq!(error, VerifyError::Missing { table, missing });
}

#[test]
fn draws_everywhere_are_not_believed() {
    let draws = |name: &str| {
        let index = Index::new(material(name), &MAKRUK.rules);
        let codes = vec![0; index.slots() as usize];
        let values = Values::new(Coding::default(), codes);
        Table::new(index, values.clone(), Some(values))
    };
    let found = mismatch(&draws("KRvK"), Metric::DistanceToMate).unwrap();
    // The look-ahead contradicts only the draws at mates, where Black is to move.
    assert_eq!(found.place.side, Side::Black);
    assert_eq!((found.stored, found.expected), (Some(Value::Draw), Some(Value::Loss(Moves(0)))));
    // Here a draw is right everywhere except for mates in the corner, if there are any.
    let met = SOLVED.table(TableName::to_mate(material("KMvK"))).unwrap();
    let mates = met.values(Side::Black).is_some_and(|values| values.coding().losses.is_some());
    assert_eq!(mismatch(&draws("KMvK"), Metric::DistanceToMate).is_some(), mates);
}

/// The tables in which values are changed.
const CHANGED: [&str; 7] = [
    "KRvK",
    "KSvK",
    "KPvK",
    "KPvK.makruk",
    "KPvK.ouk",
    "KPvKP.makruk-khon-first",
    "KMvKP.ouk-traditional",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// A wrong value is found at its slot, or at an earlier one from which a move leads to it; the
    /// result is the same for one thread and for two.
    #[test]
    fn one_wrong_value_is_found(
        number in any::<u64>(),
        white in any::<bool>(),
        shift in 1u8..,
        which in 0..CHANGED.len(),
    ) {
        let name = name(CHANGED[which]);
        let table = SOLVED.table(name).unwrap();
        let index = table.index();
        let sides = Table::sides(index);
        let side = if white { sides[0] } else { sides[sides.len() - 1] };
        let legal = |slot: &Slot| {
            legal_position(index, &index.placement(*slot), side, &MAKRUK).is_some()
        };
        let slots = (number % index.slots()..index.slots()).map(Slot);
        prop_assume!(slots.clone().any(|slot| legal(&slot)));
        let place = Address { side, slot: slots.clone().find(legal).unwrap() };
        let wrong = changed(&table, place, |code| code.wrapping_add(shift));

        let found = mismatch(&wrong, name.metric).unwrap();
        prop_assert!((found.place.side, found.place.slot) <= (place.side, place.slot));
        if found.place == place {
            prop_assert_eq!(found.stored, wrong.value(place.side, place.slot));
            prop_assert_eq!(found.expected, table.value(place.side, place.slot));
        }
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let again = pool.install(|| mismatch(&wrong, name.metric));
            prop_assert_eq!(again.as_ref(), Some(&found));
        }
    }
}
