//! The verifier finds right tables right and any wrong value wrong.

mod forged;
mod solved;

use forged::changed;
use proptest::prelude::*;
use sakmak_gen::legal::legal_position;
use sakmak_gen::verify::{Mismatch, VerifyError, slots_to_verify, verify};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::locate::Place;
use sakmak_tables::man::Side;
use sakmak_tables::material::Material;
use sakmak_tables::table::Table;
use sakmak_tables::values::{Coding, Values};
use sakmak_tables::variants::MAKRUK;
use solved::Solved;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// What these tests have solved.
static SOLVED: LazyLock<Solved> = LazyLock::new(Solved::default);

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

fn mismatch(table: &Table) -> Option<Mismatch> {
    match verify(table, Metric::DistanceToMate, &MAKRUK, &|smaller| SOLVED.get(smaller), &|_| ()) {
        Ok(()) => None,
        Err(VerifyError::Mismatch(mismatch)) => Some(mismatch),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn right_tables_of_three_men_pass_and_progress_comes_to_all_slots() {
    for material in Material::all_of(3) {
        let table = SOLVED.solve(material);
        let done = AtomicU64::new(0);
        let progress = |slots| {
            done.fetch_add(slots, Ordering::Relaxed);
        };
        verify(&table, Metric::DistanceToMate, &MAKRUK, &|smaller| SOLVED.get(smaller), &progress)
            .unwrap();
        assert_eq!(done.into_inner(), slots_to_verify(&table));
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes a minute without --release")]
fn right_tables_of_four_men_pass() {
    for name in ["KRvKR", "KRvKP", "KPvKP", "KPPvK", "KMMvK"] {
        assert_eq!(mismatch(&SOLVED.solve(material(name))), None, "{name}");
    }
}

#[test]
fn a_missing_smaller_table_is_named() {
    let table = SOLVED.solve(material("KPvK"));
    let error = verify(&table, Metric::DistanceToMate, &MAKRUK, &|_| None, &|_| ()).unwrap_err();
    let missing = TableName::to_mate(material("KMvK"));
    assert_eq!(error, VerifyError::Missing { material: material("KPvK"), missing });
}

#[test]
fn draws_everywhere_are_not_believed() {
    let draws = |name: &str| {
        let index = Index::new(material(name), &MAKRUK.rules);
        let codes = vec![0; index.slots() as usize];
        let values = Values::new(Coding::default(), codes);
        Table::new(index, values.clone(), Some(values))
    };
    let found = mismatch(&draws("KRvK")).unwrap();
    // White first: a mate on the board is Black's to notice.
    assert_eq!(found.place.side, Side::Black);
    assert_eq!((found.stored, found.expected), (Some(Value::Draw), Some(Value::Loss(Moves(0)))));
    // There a draw is right everywhere, but for mates in the corner if there are any.
    let met = SOLVED.solve(material("KMvK"));
    let mates = met.values(Side::Black).is_some_and(|values| values.coding().losses.is_some());
    assert_eq!(mismatch(&draws("KMvK")).is_some(), mates);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// A wrong value is found where it stands, or before, where a move leads to it; by one
    /// thread and by two.
    #[test]
    fn one_wrong_value_is_found(
        number in any::<u64>(),
        white in any::<bool>(),
        shift in 1u8..,
        which in 0usize..3,
    ) {
        let table = SOLVED.solve(material(["KRvK", "KSvK", "KPvK"][which]));
        let index = table.index();
        let side = if white { Side::White } else { Side::Black };
        let legal = |slot: &Slot| {
            legal_position(index, &index.placement(*slot), side, &MAKRUK).is_some()
        };
        let slots = (number % index.slots()..index.slots()).map(Slot);
        prop_assume!(slots.clone().any(|slot| legal(&slot)));
        let place = Place { side, slot: slots.clone().find(legal).unwrap() };
        let wrong = changed(&table, place, |code| code.wrapping_add(shift));

        let found = mismatch(&wrong).unwrap();
        prop_assert!((found.place.side, found.place.slot) <= (place.side, place.slot));
        if found.place == place {
            prop_assert_eq!(found.stored, wrong.value(place.side, place.slot));
            prop_assert_eq!(found.expected, table.value(place.side, place.slot));
        }
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let again = pool.install(|| mismatch(&wrong));
            prop_assert_eq!(again.as_ref(), Some(&found));
        }
    }
}
