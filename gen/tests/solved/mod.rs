//! Tables by the plane solver, solved as tests ask for them.

use sakmak_gen::solver::Solver;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Tables in memory, each solved once.
#[derive(Default)]
pub struct Solved(Mutex<HashMap<TableName, Arc<Table>>>);

impl Solved {
    /// A table solved before.
    pub fn get(&self, name: TableName) -> Option<Arc<Table>> {
        self.0.lock().unwrap().get(&name).cloned()
    }

    /// The table of a material, after all it leads to. Not every test asks for one.
    #[allow(dead_code)]
    pub fn solve(&self, material: Material) -> Arc<Table> {
        self.solve_table(TableName::to_mate(material))
    }

    /// A table, after all it leads to.
    pub fn solve_table(&self, name: TableName) -> Arc<Table> {
        for name in TableName::closure([name], &MAKRUK.rules) {
            if self.get(name).is_none() {
                let solver = Solver::default();
                let table = solver.solve(name, &MAKRUK.rules, &|smaller| self.get(smaller));
                self.0.lock().unwrap().insert(name, Arc::new(table.unwrap()));
            }
        }
        self.get(name).unwrap()
    }
}
