//! Many positions at once.

use crate::failure::{self, Failure};
use crate::position::SakmakPosition;
use crate::reply;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::position::Position;
use std::ffi::c_int;

/// For each position what `sakmak_probe_verdict` says; the last failure is noted.
pub fn verdicts(tables: &Tablebase, positions: &[SakmakPosition]) -> Vec<c_int> {
    let read: Vec<_> = positions.iter().map(SakmakPosition::position).collect();
    let whole: Vec<Position> = read.iter().filter_map(|read| read.as_ref().ok()).copied().collect();
    let mut verdicts = Vec::with_capacity(whole.len());
    tables.verdicts(&whole, |verdict| {
        let category = verdict.map(|category| reply::category(category).into());
        verdicts.push(category.unwrap_or_else(|error| failure::noted(&error.into())));
    });
    let mut verdicts = verdicts.into_iter();
    let of = |read: Result<Position, Failure>| match read {
        Ok(_) => verdicts
            .next()
            .unwrap_or_else(|| failure::noted(&Failure::Internal("no verdict".into()))),
        Err(failure) => failure::noted(&failure),
    };
    read.into_iter().map(of).collect()
}
