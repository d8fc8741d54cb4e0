//! `sakmak verify` of verdict files: every byte, and every verdict against the tables they
//! were made from, where those can be had.

use crate::cli::Failure;
use crate::cli::meter::Meter;
use crate::cli::progress::Bars;
use crate::cli::selection::allowed;
use crate::cli::verify::target::TargetError;
use sakmak_gen::output::wdl::{VerifyWdlError, WdlSources, opened, verify_wdl};
use sakmak_gen::store::{TableStore, TableStoreError};
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants;
use std::path::Path;

/// Verifies these verdict files of a directory; only their bytes where a sample will do.
pub fn run(sampled: bool, directory: &Path, names: &[WdlName]) -> Result<(), Failure> {
    let bars = Bars::new();
    for &name in names {
        let file = opened(directory, name)?;
        let shown = name.to_string();
        let found = match sampled {
            true => "every byte right",
            false => {
                let store =
                    TableStore::new(&variants::counted_by(name.counting_rule).rules, directory);
                match WdlSources::bring(&store, name.material, name.counting_rule) {
                    Err(TableStoreError::Missing { .. }) => {
                        "every byte right, no tables to compare"
                    }
                    Err(error) => return Err(error.into()),
                    Ok(tables) => {
                        let slots = Table::slots_of_sides(tables.index());
                        let meter = Meter::new(bars.slots(&shown, slots), &shown, "slots");
                        let progress = |slots| meter.advance(slots);
                        let verified = verify_wdl(&file, &tables, allowed(None), &progress);
                        verified.map_err(|error| match error {
                            VerifyWdlError::File(error) => error.into(),
                            error => Failure::from(TargetError::Verdict(name, error)),
                        })?;
                        meter.finish();
                        "every verdict right"
                    }
                }
            }
        };
        bars.print(&format!("{shown:<8} {found}\n"))?;
    }
    Ok(())
}
