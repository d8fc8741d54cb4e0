//! The tables that tests have solved, each once for all tests of this program.

use sakmak_make::store::{TableStore, solve_on_the_spot};
use sakmak_probe::source::{OtherSources, TableSource};
use sakmak_probe::{ProbeError, Tablebase};
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::Rules;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::sync::{Arc, LazyLock};

/// Tables by the rules of Makruk and Ouk.
pub static SOLVED: LazyLock<TableStore<'static>> =
    LazyLock::new(|| TableStore::in_memory(&MAKRUK.rules));

/// Those of at most this many men.
pub struct SmallTables(pub usize);

impl TableSource for SmallTables {
    fn find_table(
        &self,
        name: TableName,
        rules: &Rules,
        others: &OtherSources<'_>,
    ) -> Result<Option<Arc<Table>>, ProbeError> {
        let is_small = name.material.men() <= self.0;
        if is_small { SOLVED.find_table(name, rules, others) } else { Ok(None) }
    }
}

/// A tablebase without files that solves tables of up to four men.
pub fn solving() -> Tablebase {
    solve_on_the_spot(Tablebase::new().with_source(Arc::new(SmallTables(4))), 4)
}
