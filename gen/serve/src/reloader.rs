//! Polls the table directories for changes.

use crate::tables::ServedTables;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// Polls for changes forever and logs refused files.
pub async fn reload_for_ever(tables: Arc<ServedTables>, pause: Duration) {
    let mut named = BTreeSet::new();
    loop {
        sleep(pause).await;
        let tables = Arc::clone(&tables);
        let looked = spawn_blocking(move || (tables.reload(), tables.refused_files())).await;
        // A failed poll is repeated.
        let Ok((reloaded, refused)) = looked else { continue };
        if let Err(error) = reloaded {
            tracing::warn!("cannot poll the table directories: {error}");
        }
        for error in refused.difference(&named) {
            tracing::warn!("{error}; another file is used instead");
        }
        named = refused;
    }
}
