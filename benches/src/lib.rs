//! Functions that the benches share.
//! Each bench asserts its results, so a fast wrong answer fails. A figure means nothing without its
//! machine: quote the processor, the cores and the memory, and compare only figures of one run.

use sakmak_make::store::TableStore;
use sakmak_solve::solver::Solver;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;
use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// The machine, in one line.
pub fn machine() -> String {
    let kinds = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
    let Ok(system) = System::new_with_specifics(kinds) else { return "machine: unknown".into() };
    let brand = system.cpus().first().map_or("", |cpu| cpu.brand());
    let cores = system.cpus().len();
    let os = System::long_os_version().unwrap_or_default();
    format!("machine: {brand}, {cores} cores, {os}")
}

/// The rules of all benches.
pub fn rules() -> &'static Rules {
    &MAKRUK.rules
}

/// A store with the tables that a material depends on, solved.
pub fn successors(material: Material) -> TableStore<'static> {
    let store = TableStore::in_memory(rules());
    store.subtables(TableName::to_mate(material)).expect("enough memory");
    store
}

/// The table of distances to mate of a material, solved. The store does not keep it.
pub fn solve(store: &TableStore<'_>, material: Material) -> Table {
    let smaller = |name| store.memory.get(name);
    Solver::default()
        .solve(TableName::to_mate(material), rules(), &smaller)
        .expect("subtables and enough memory")
}

/// The next random number; the sequence depends on the initial state alone (SplitMix64).
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

/// The slots of a table, counting both sides to move.
pub fn slots(table: &Table) -> u64 {
    Table::slots_of_sides(table.index())
}

/// The bytes of a table's codes.
pub fn bytes(table: &Table) -> u64 {
    let codes = |&side: &Side| table.values(side).map_or(0, |values| values.codes().len() as u64);
    Side::BOTH.iter().map(codes).sum()
}

/// The longest win with White to move.
pub fn longest_win(table: &Table) -> Option<Moves> {
    table.values(Side::White).map(|values| values.coding().wins)
}
