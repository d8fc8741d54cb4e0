//! The tables that tests have solved, each once for all tests of this program.

use sakmak_make::store::TableStore;
use sakmak_probe::tablebase::Tablebase;
use sakmak_solve::solver::Solver;
use sakmak_tables::variants::MAKRUK;
use std::sync::LazyLock;

/// Tables by the rules of Makruk and Ouk.
pub static SOLVED: LazyLock<TableStore<'static>> =
    LazyLock::new(|| TableStore::in_memory(&MAKRUK.rules));

/// A tablebase without files that solves tables of up to four men.
pub fn solving() -> Tablebase {
    Tablebase::new().with_solver(4, |name, rules, tables| match *rules == MAKRUK.rules {
        true => Ok(SOLVED.table(name)?.as_ref().clone()),
        false => Ok(Solver::default().solve(name, rules, tables)?),
    })
}
