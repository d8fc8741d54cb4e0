//! Tables by the plane solver, solved as tests ask for them.

use sakmak_gen::plane::Solver;
use sakmak_tables::material::Material;
use sakmak_tables::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Tables in memory, each solved once.
#[derive(Default)]
pub struct Solved(Mutex<HashMap<Material, Arc<Table>>>);

impl Solved {
    /// A table solved before.
    pub fn get(&self, material: Material) -> Option<Arc<Table>> {
        self.0.lock().unwrap().get(&material).cloned()
    }

    /// The table of a material, after all it leads to.
    pub fn solve(&self, material: Material) -> Arc<Table> {
        for material in Material::closure([material], &MAKRUK.rules) {
            if self.get(material).is_none() {
                let solver = Solver::default();
                let table = solver.solve(material, &MAKRUK.rules, &|smaller| self.get(smaller));
                self.0.lock().unwrap().insert(material, Arc::new(table.unwrap()));
            }
        }
        self.get(material).unwrap()
    }
}
