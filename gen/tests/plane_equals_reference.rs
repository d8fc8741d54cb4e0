//! The plane solver against the reference solver, on every slot and every legal position.
//!
//! All materials of three men, and four-men ones that between them use every man on each
//! side, every kind of capture and promotion, and both symmetries of the board.
//! `SAKMAK_ALL=1` compares all 35 materials of up to four men. Run with `--release`: the
//! reference solver generates the moves of up to 33 million positions a material.

use sakmak_gen::compare::compare;
use sakmak_gen::plane::Solver;
use sakmak_gen::reference::Reference;
use sakmak_gen::verify::verify;
use sakmak_tables::material::Material;
use sakmak_tables::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// Four-men materials compared by default.
const FOUR: [&str; 14] = [
    "KRvKR", "KRvKN", "KNvKS", "KSvKM", "KMvKP", "KPvKP", "KPPvK", "KRPvK", "KNPvK", "KSPvK",
    "KMPvK", "KMMvK", "KRvKP", "KSvKP",
];

/// Tables by the plane solver, solved once.
#[derive(Default)]
struct Tables(RefCell<HashMap<Material, Arc<Table>>>);

impl Tables {
    fn get(&self, material: Material) -> Option<Arc<Table>> {
        self.0.borrow().get(&material).cloned()
    }

    /// The table of a material, after all it leads to.
    fn solve(&self, material: Material) -> Arc<Table> {
        for material in Material::closure([material], &MAKRUK.rules) {
            if self.get(material).is_none() {
                let table =
                    Solver::default().solve(material, &MAKRUK.rules, &|smaller| self.get(smaller));
                self.0.borrow_mut().insert(material, Arc::new(table.unwrap()));
            }
        }
        self.get(material).unwrap()
    }
}

fn compare_all(materials: impl IntoIterator<Item = Material>) {
    let tables = Tables::default();
    let mut reference = Reference::new(&MAKRUK);
    for material in materials {
        let start = Instant::now();
        reference.solve(material).unwrap();
        let solved = start.elapsed();
        let table = tables.solve(material);
        let compared = compare(&table, &reference).unwrap_or_else(|error| {
            panic!("{material}: {error}");
        });
        assert!(compared.slots > 0 && compared.positions > compared.slots);
        let compare_done = start.elapsed();
        verify(&table, &MAKRUK, &|smaller| tables.get(smaller), &|_| ()).unwrap();
        println!(
            "{material}: {} slots, {} positions; reference {:.1} s, compare {:.1}, verify {:.1}",
            compared.slots,
            compared.positions,
            solved.as_secs_f64(),
            (compare_done - solved).as_secs_f64(),
            (start.elapsed() - compare_done).as_secs_f64()
        );
    }
}

#[test]
fn all_of_three_men() {
    compare_all(Material::all_of(3));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release")]
fn four_men_with_every_man_on_each_side() {
    if std::env::var_os("SAKMAK_ALL").is_some_and(|all| all == "1") {
        compare_all(Material::all_of(4));
    } else {
        compare_all(FOUR.map(|name| name.parse().unwrap()));
    }
}
