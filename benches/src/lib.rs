//! What the benches share: tables solved in memory.
//!
//! Each bench asserts what it has worked out, so that none can be quick and wrong. A
//! figure means nothing without its machine: quote processor, cores and memory with it, and
//! compare only figures of one run.

use sakmak_gen::solver::Solver;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::collections::HashMap;
use std::sync::Arc;
use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// The machine in a line, for what stands by it.
pub fn machine() -> String {
    let kinds = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
    let Ok(system) = System::new_with_specifics(kinds) else { return "machine: unknown".into() };
    let brand = system.cpus().first().map_or("", |cpu| cpu.brand());
    let cores = system.cpus().len();
    let os = System::long_os_version().unwrap_or_default();
    format!("machine: {brand}, {cores} cores, {os}")
}

/// Tables in memory by material.
#[derive(Debug, Default)]
pub struct Tables(HashMap<Material, Arc<Table>>);

impl Tables {
    /// The rules all benches use.
    pub fn rules() -> &'static Rules {
        &MAKRUK.rules
    }

    /// Solves all that a material leads to, but not the material.
    pub fn below(material: Material) -> Tables {
        let mut tables = Tables::default();
        for smaller in Material::closure([material], Tables::rules()) {
            if smaller != material {
                let table = Arc::new(tables.solve(smaller));
                tables.0.insert(smaller, table);
            }
        }
        tables
    }

    /// Solves a material from the tables at hand.
    pub fn solve(&self, material: Material) -> Table {
        let name = TableName::to_mate(material);
        Solver::default()
            .solve(name, Tables::rules(), &self.smaller())
            .expect("all it needs is at hand")
    }

    /// A table at hand.
    pub fn get(&self, material: Material) -> Option<Arc<Table>> {
        self.0.get(&material).cloned()
    }

    /// The tables at hand, as a solver asks for them.
    pub fn smaller(&self) -> impl Fn(TableName) -> Option<Arc<Table>> + '_ {
        |name| self.get(name.material)
    }

    /// The materials at hand.
    pub fn materials(&self) -> impl Iterator<Item = Material> {
        self.0.keys().copied()
    }
}

/// The next of a row of random numbers, the same for the same state (SplitMix64).
pub fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// The material of this name.
pub fn material(name: &str) -> Material {
    name.parse().expect("a material")
}

/// Slots of a table, those of each side to move that it holds.
pub fn slots(table: &Table) -> u64 {
    Table::slots_of_sides(table.index())
}

/// Bytes of a table's codes.
pub fn bytes(table: &Table) -> u64 {
    let codes = |&side: &Side| table.values(side).map_or(0, |values| values.codes().len() as u64);
    Side::BOTH.iter().map(codes).sum()
}

/// The longest win with White to move.
pub fn longest_win(table: &Table) -> Option<Moves> {
    table.values(Side::White).map(|values| values.coding().wins)
}
