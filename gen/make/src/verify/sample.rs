//! Verifies a random sample of a table without loading whole tables.
//!
//! The slots are cut into equal runs, one for each position of the sample. A slot and a side to
//! move are drawn from each run until they are a legal position. The sample is thus spread over
//! the table, and its neighbours read the same blocks. It depends on the material, the number of
//! positions and the seed only.
//!
//! Look-ups of a packed file take their codes from [one pass](crate::verify::sample_codes) over the
//! file.

use crate::verify::Mismatch;
use crate::verify::sample_codes::SampleCodes;
use rayon::prelude::*;
use sakmak_probe::ProbeError;
use sakmak_probe::file::packed::{KnownCodes, PackedFile};
use sakmak_probe::tablebase::Tablebase;
use sakmak_solve::slots::definition::look_ahead;
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::position::Position;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Draws from a run before draws from the whole table begin.
const DRAWS_FROM_RUN: u64 = 256;
/// Draws before a run is given up. A third of all slots or more are legal positions.
const DRAWS: u64 = 4096;
/// Runs that one thread takes at a time.
const RUNS_AT_ONCE: u64 = 64;

/// Positions whose codes are read in one pass over a packed file: they take a kilobyte each and
/// less.
const POSITIONS_OF_PASS: u64 = 1 << 20;

/// Returns the stored value of a position.
type Stored<'a> = dyn Fn(&Position) -> Result<Value, ProbeError> + Sync + 'a;

/// A random sample of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The number of positions.
    pub positions: u64,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// The reason why verifying a sample failed.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// A table is missing or broken.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A stored value differs from the value computed from the successors.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

impl Sample {
    /// Verifies a sample of the table with this index and metric. Returns the number of positions
    /// verified.
    ///
    /// Values are probed in `tables`. `progress` is called from all threads with the number of
    /// positions just verified.
    ///
    /// # Errors
    ///
    /// The error of the first wrong position of the sample, for any number of threads.
    pub fn verify(
        self,
        index: &Index,
        metric: Metric,
        variant: &'static Variant,
        tables: &Tablebase,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<u64, SampleError> {
        let stored = |position: &Position| tables.stored(metric, position);
        self.verify_runs(0..self.positions, index, metric, variant, &stored, progress)
    }

    /// Does the same as [`Sample::verify`] for a table that `tables` read from this packed file.
    /// `passed` is called from all threads with the number of blocks just passed, in each of
    /// [`Sample::passes`].
    ///
    /// # Errors
    ///
    /// The first block that cannot be read or is damaged, otherwise the errors of
    /// [`Sample::verify`].
    pub fn verify_packed(
        self,
        file: &PackedFile,
        metric: Metric,
        variant: &'static Variant,
        tables: &Tablebase,
        passed: &(dyn Fn(u64) + Sync),
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<u64, SampleError> {
        let mut verified = 0;
        for pass in 0..self.passes() {
            let first = pass * POSITIONS_OF_PASS;
            let runs = first..self.positions.min(first + POSITIONS_OF_PASS);
            let draw = |run| Some(self.draw(run, file.index(), variant)?.1);
            let positions = runs.clone().into_par_iter().filter_map(draw);
            let codes = SampleCodes::read(file, positions, passed).map_err(ProbeError::from)?;
            let known = |block, tile_square| codes.code(block, tile_square);
            let stored = |position: &Position| {
                let in_file = position.material().material == file.index().material();
                let known: Option<&KnownCodes<'_>> = if in_file { Some(&known) } else { None };
                tables.stored_given(metric, position, known)
            };
            verified += self.verify_runs(runs, file.index(), metric, variant, &stored, progress)?;
        }
        Ok(verified)
    }

    /// Returns the number of passes over a packed file.
    pub fn passes(self) -> u64 {
        self.positions.div_ceil(POSITIONS_OF_PASS)
    }

    /// Verifies the positions of runs by their stored values.
    fn verify_runs(
        self,
        runs: Range<u64>,
        index: &Index,
        metric: Metric,
        variant: &'static Variant,
        stored: &Stored<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<u64, SampleError> {
        let verified = AtomicU64::new(0);
        let wrong = |run: u64| -> Option<SampleError> {
            let drawn = self.draw(run, index, variant);
            let wrong = drawn.and_then(|(place, position)| {
                verified.fetch_add(1, Ordering::Relaxed);
                mismatch(place, &position, metric, stored).err()
            });
            progress(1);
            wrong
        };
        let first_wrong = |part: u64| {
            let first = runs.start + part * RUNS_AT_ONCE;
            (first..runs.end.min(first + RUNS_AT_ONCE)).find_map(wrong)
        };
        let parts = 0..(runs.end - runs.start).div_ceil(RUNS_AT_ONCE);
        match parts.into_par_iter().find_map_first(first_wrong) {
            Some(wrong) => Err(wrong),
            None => Ok(verified.into_inner()),
        }
    }

    /// Returns the slots of a run.
    fn slots(self, run: u64, index: &Index) -> Range<u64> {
        let start = |run: u64| {
            let scaled = u128::from(run) * u128::from(index.slots());
            (scaled / u128::from(self.positions.max(1))) as u64
        };
        start(run)..start(run + 1)
    }

    /// Draws a legal position from a run of slots; `None` if the table has hardly any.
    fn draw(
        self,
        run: u64,
        index: &Index,
        variant: &'static Variant,
    ) -> Option<(Address, Position)> {
        let sides = Table::sides(index);
        let own = self.slots(run, index);
        (0..DRAWS).find_map(|draw| {
            let from = match draw < DRAWS_FROM_RUN && !own.is_empty() {
                true => own.clone(),
                false => 0..index.slots(),
            };
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&run.to_le_bytes());
            bytes[8..].copy_from_slice(&draw.to_le_bytes());
            let random = xxh3_64_with_seed(&bytes, self.seed);
            let side = sides[(random % sides.len() as u64) as usize];
            let random = random / sides.len() as u64;
            let slot = Slot(from.start + random % (from.end - from.start));
            let position = legal_position(index, &index.placement(slot), side, variant)?;
            Some((Address { side, slot }, position))
        })
    }
}

/// Compares the stored value of a position with the look-ahead.
fn mismatch(
    place: Address,
    position: &Position,
    metric: Metric,
    stored: &Stored<'_>,
) -> Result<(), SampleError> {
    let held = Some(stored(position)?);
    let expected = look_ahead(position, metric, |after| stored(after).map(Some))?;
    match held == expected {
        true => Ok(()),
        false => Err(Mismatch { place, fen: position.to_string(), stored: held, expected }.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::rules::piece::Side;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn samples_are_spread_legal_and_the_same_every_time() {
        let index = Index::new("KRNMvKM".parse().unwrap(), &MAKRUK.rules);
        let sample = Sample { positions: 500, seed: 3 };
        let draw = |sample: Sample| -> Vec<Address> {
            let runs = 0..sample.positions;
            runs.filter_map(|run| sample.draw(run, &index, &MAKRUK).map(|(place, _)| place))
                .collect()
        };
        let places = draw(sample);
        assert_eq!(places.len(), 500);
        assert!(places.iter().map(|place| place.slot).is_sorted());
        for side in Side::BOTH {
            assert!(places.iter().filter(|place| place.side == side).count() > 150);
        }
        assert_eq!(draw(sample), places);
        assert_ne!(draw(Sample { seed: 4, ..sample }), places);
    }

    #[test]
    fn more_positions_than_slots_are_drawn_from_the_whole_table() {
        let index = Index::new("KPvK".parse().unwrap(), &MAKRUK.rules);
        let sample = Sample { positions: 3 * index.slots(), seed: 0 };
        assert!((0..9).all(|run| sample.draw(run, &index, &MAKRUK).is_some()));
    }
}
