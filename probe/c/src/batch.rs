//! Probes of many positions at once.

use crate::error::{self, CallError};
use crate::position::SakmakPosition;
use crate::reply;
use sakmak_probe::{Position, Tablebase};
use std::ffi::c_int;

/// Positions that are read at once: the memory of a call is bounded.
const CHUNK: usize = 1 << 14;

/// The result of `sakmak_probe_wdl` for each position. The last error becomes that of
/// `sakmak_last_error`.
pub fn wdl(tables: &Tablebase, positions: &[SakmakPosition]) -> Vec<c_int> {
    positions.chunks(CHUNK).flat_map(|chunk| wdl_of_chunk(tables, chunk)).collect()
}

fn wdl_of_chunk(tables: &Tablebase, positions: &[SakmakPosition]) -> Vec<c_int> {
    let read: Vec<_> = positions.iter().map(SakmakPosition::position).collect();
    let valid: Vec<Position> = read.iter().filter_map(|read| read.as_ref().ok()).copied().collect();
    let mut categories = Vec::with_capacity(valid.len());
    tables.wdl_batch(&valid, |result| {
        let category = result.map(|category| reply::category(category).into());
        categories.push(category.unwrap_or_else(|error| error::noted(error.into())));
    });
    let mut categories = categories.into_iter();
    let of = |read: Result<Position, CallError>| match read {
        Ok(_) => categories
            .next()
            .unwrap_or_else(|| error::noted(CallError::Internal("no result".into()))),
        Err(error) => error::noted(error),
    };
    read.into_iter().map(of).collect()
}
