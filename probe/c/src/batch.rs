//! Probes of many positions at once.

use crate::error::{self, CallError};
use crate::position::SakmakPosition;
use crate::reply;
use arrayvec::ArrayVec;
use sakmak_probe::{Position, Tablebase};
use std::ffi::c_int;

/// Number of positions that are converted at once: as many as a tablebase looks up together, and
/// few enough for the stack.
const CHUNK: usize = 32;

/// Calls `write` with the results of `sakmak_probe_wdl`, chunk by chunk. One of the errors becomes
/// the error of `sakmak_last_error`.
///
/// # Errors
///
/// The errors of `write`.
pub fn wdl(
    tables: &Tablebase,
    positions: &[SakmakPosition],
    mut write: impl FnMut(&[c_int]) -> Result<(), CallError>,
) -> Result<(), CallError> {
    for positions in positions.chunks(CHUNK) {
        let mut valid = ArrayVec::<Position, CHUNK>::new();
        let converted = positions.iter().map(|position| match position.position() {
            Ok(position) => {
                valid.push(position);
                0
            }
            Err(error) => error::noted(error),
        });
        let mut results: ArrayVec<c_int, CHUNK> = converted.collect();
        // Errors are negative.
        let mut found = results.iter_mut().filter(|result| **result >= 0);
        tables.wdl_batch(&valid, |result| {
            let category = result.map(|category| reply::category(category).into());
            let category = category.unwrap_or_else(|error| error::noted(error.into()));
            if let Some(result) = found.next() {
                *result = category;
            }
        });
        write(&results)?;
    }
    Ok(())
}
