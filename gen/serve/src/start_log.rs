//! The log of the start of a service.

use crate::inventory::{VariantInventory, noun, unread_folders};
use crate::tables::ServedTables;
use sakmak_make::system::ByteSize;
use std::path::Path;

/// Counts the tables of a service and logs its start. Warns of a directory without tables.
pub fn log_start(tables: &ServedTables, address: &str, cache: ByteSize) {
    let inventory = tables.count();
    let uncounted: usize = inventory.iter().map(|variant| variant.listed.uncounted.len()).sum();
    let has_files = |variant: &&VariantInventory| variant.files.iter().any(|&files| files > 0);
    let listed = inventory.iter().filter(has_files).map(VariantInventory::to_string);
    let materials = tables.board_materials();
    let of_games =
        materials.iter().filter(|(_, materials)| !materials.is_empty()).map(|(name, materials)| {
            format!("{name}: {0} {1}", materials.len(), noun(materials.len(), "table"))
        });
    let listed: Vec<String> = listed.chain(of_games).collect();
    let directory = tables.directory();
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        address,
        directory = &*directory.map(Path::to_string_lossy).unwrap_or_default(),
        %cache,
        uncounted,
        tables = listed.join("; "),
        "started"
    );
    if let Some(directory) = directory.filter(|_| listed.is_empty()) {
        let path = directory.display();
        match unread_folders(directory).first() {
            None => tracing::warn!("no tables in {path}"),
            Some(folder) => {
                let folder = folder.display();
                tracing::warn!(
                    "no tables in {path}, but in {folder}: did you mean --tables {folder}?"
                );
            }
        }
    }
}
