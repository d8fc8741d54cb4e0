//! `sakmak verify` of WDL files: every byte, then every category against the tables that the file
//! was made from, if the tables exist or can be solved.

use crate::cli::CommandError;
use crate::cli::memory::allowed;
use crate::cli::progress::Bars;
use crate::cli::verify::target::TargetError;
use sakmak_make::output::wdl::{VerifyWdlError, WdlSources, opened, verify_wdl};
use sakmak_make::store::{TableStore, TableStoreError};
use sakmak_probe::Access;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants;
use std::path::Path;

/// Verifies WDL files of a directory; only their bytes if `sampled`.
pub fn run(
    sampled: bool,
    directory: &Path,
    access: Access,
    names: &[WdlName],
) -> Result<(), CommandError> {
    let bars = Bars::new();
    for &name in names {
        let file = opened(directory, name, access)?;
        let shown = name.to_string();
        let found = match sampled {
            true => "every byte right",
            false => {
                let store =
                    TableStore::new(&variants::counted_by(name.counting_rule).rules, directory)
                        .with_access(access);
                match WdlSources::load(&store, name.material, name.counting_rule) {
                    Err(TableStoreError::Missing { .. }) => {
                        "every byte right; no tables to compare"
                    }
                    Err(error) => return Err(error.into()),
                    Ok(tables) => {
                        let slots = Table::slots_of_sides(tables.index());
                        let meter = bars.slots(&shown, slots);
                        let progress = |slots| meter.advance(slots);
                        let verified = verify_wdl(&file, &tables, allowed(None), &progress);
                        verified.map_err(|error| match error {
                            VerifyWdlError::File(error) => error.into(),
                            error => CommandError::from(TargetError::Wdl(name, error)),
                        })?;
                        meter.finish();
                        "every category right"
                    }
                }
            }
        };
        bars.print(&format!("{shown:<8} {found}\n"))?;
    }
    Ok(())
}
