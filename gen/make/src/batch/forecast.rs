//! Forecast of the time of a batch: a simulation of its schedule.
//!
//! ```text
//! a table     takes the time of one thread for its slots: a part of it alone, the rest on as many
//!             threads as the table has parts; then its WDL file, on as many as its king has squares
//! the threads are shared evenly by the tables at work
//! a table     starts in the order of the plan, as in the schedule: when those that it is made from
//!             are finished, while memory lasts, and while there are no more tables than threads
//! ```
//!
//! Each thread has a core of its own. The simulation leaves out the disk, the waits between the
//! phases of a table, and layers that earlier runs saved. A table is available to others once all
//! its files are written, not once it is solved. The memory of subtables counts once for each table
//! that reads them.

use crate::batch::plan::Plan;
use crate::batch::step::{PlanStep, StepName};
use crate::batch::workshop::SMALL;
use crate::system::ByteSize;
use std::collections::BTreeSet;
use std::time::Duration;

/// Fraction of the time of a large table that runs on one thread; measured, see docs/scale.md.
const ALONE: f64 = 0.0025;

/// Processor time of the other steps relative to solving; measured, see docs/scale.md.
const WRITING: f64 = 0.4;
const PACKING: f64 = 1.2;
const CENSUS: f64 = 0.1;
const WDL: f64 = 0.8;

/// A table at work.
struct Work<'a, N> {
    step: &'a PlanStep<N>,
    /// Maximum threads of each phase: sequential, parallel, and WDL file.
    threads: [f64; 3],
    /// Remaining seconds of one thread, by phase.
    left: [f64; 3],
}

impl<'a, N> Work<'a, N> {
    /// Starts a table that takes one thread this many seconds, and its WDL file.
    fn new(step: &'a PlanStep<N>, [table, wdl]: [f64; 2]) -> Work<'a, N> {
        if step.slots < SMALL {
            return Work { step, threads: [1.0; 3], left: [0.0, table, wdl] };
        }
        let [of_table, of_wdl] = step.threads.map(|threads| threads as f64);
        Work {
            step,
            threads: [1.0, of_table, of_wdl],
            left: [ALONE * table, table - ALONE * table, wdl],
        }
    }

    /// Returns the first unfinished phase.
    fn phase(&self) -> usize {
        self.left.iter().position(|&left| left > 0.0).unwrap_or(0)
    }

    fn most_threads(&self) -> f64 {
        self.threads[self.phase()]
    }
}

impl<N: StepName> Plan<N> {
    /// Returns the seconds of one thread for a table and its WDL file, at `rate` slots per second.
    pub fn seconds(&self, step: &PlanStep<N>, rate: f64) -> f64 {
        self.work(step, rate).iter().sum()
    }

    /// Returns the seconds of a table and of its WDL file.
    fn work(&self, step: &PlanStep<N>, rate: f64) -> [f64; 2] {
        let file = if self.packed.is_some() { PACKING } else { WRITING };
        let solving = step.slots as f64 / rate / (1.0 + file);
        let table = match self.packed {
            None if step.has_file() => 0.0,
            // Solved once more for its WDL file.
            Some(_) if step.has_file() => 1.0,
            Some(output) if output.census => 1.0 + file + CENSUS,
            _ => 1.0 + file,
        };
        let wdl = if step.wdl.is_some() { WDL } else { 0.0 };
        [table, wdl].map(|part| part * solving)
    }

    /// Returns the time of the batch with this many threads of `rate` slots per second each.
    pub fn time(&self, threads: usize, rate: f64) -> Duration {
        let mut waiting: Vec<&PlanStep<N>> = self.open().collect();
        let mut missing: BTreeSet<N> = waiting.iter().map(|step| step.name).collect();
        let (mut works, mut seconds): (Vec<Work<'_, N>>, f64) = (Vec::new(), 0.0);
        loop {
            waiting.retain(|&step| {
                let others: ByteSize = works.iter().map(|work| work.step.need.memory()).sum();
                let memory = step.need.memory() + others;
                let starts = works.len() <= threads
                    && step.read().all(|read| !missing.contains(read))
                    && (works.is_empty() || memory <= self.memory);
                if starts {
                    works.push(Work::new(step, self.work(step, rate)));
                }
                !starts
            });
            let shares = shares(&works, threads);
            let next = works.iter().zip(&shares);
            let next = next.map(|(work, share)| work.left[work.phase()] / share);
            let Some(next) = next.min_by(f64::total_cmp) else { break };
            seconds += next;
            for (work, share) in works.iter_mut().zip(&shares) {
                let left = &mut work.left[work.phase()];
                *left -= share * next;
                // At the end of a phase, rounding may leave a small rest.
                if *left * rate < 0.5 {
                    *left = 0.0;
                }
            }
            works.retain(|work| {
                let is_over = work.left == [0.0; 3];
                is_over.then(|| missing.remove(&work.step.name));
                !is_over
            });
        }
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

/// Returns the threads of each table: equal shares, limited by the maximum of the table.
fn shares<N>(works: &[Work<'_, N>], threads: usize) -> Vec<f64> {
    let mut order: Vec<usize> = (0..works.len()).collect();
    order.sort_by(|&one, &other| works[one].most_threads().total_cmp(&works[other].most_threads()));
    let (mut shares, mut free) = (vec![0.0; works.len()], threads as f64);
    for (place, &number) in order.iter().enumerate() {
        shares[number] = works[number].most_threads().min(free / (works.len() - place) as f64);
        free -= shares[number];
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::plan::tests::packed;
    use crate::batch::settings::{BatchSettings, PackedOutput};
    use sakmak_tables::format::name::TableName;
    use sakmak_tables::index::Index;
    use sakmak_tables::variants::MAKRUK;
    use std::path::Path;

    fn plan(names: &[&str], memory: u64) -> Plan {
        planned(names, &packed(memory))
    }

    fn planned(names: &[&str], settings: &BatchSettings) -> Plan {
        let names = names.iter().map(|name| name.parse::<TableName>().unwrap());
        Plan::new(names, &MAKRUK.rules, Path::new("no-such-directory"), settings).unwrap()
    }

    fn seconds(plan: &Plan, threads: usize) -> f64 {
        plan.time(threads, 1e6).as_secs_f64()
    }

    #[test]
    fn one_thread_takes_the_time_of_all_slots() {
        let plan = plan(&["KRNvKM", "KSSvKS"], u64::MAX);
        let all = plan.slots() as f64 / 1e6;
        assert!((seconds(&plan, 1) / all - 1.0).abs() < 1e-6);
        // When the last small tables end, each with one thread, a thread may be idle.
        let two = seconds(&plan, 2);
        assert!(two > all / 2.001 && two < all / 1.98, "{two} of {all}");
    }

    #[test]
    fn a_large_table_has_as_many_threads_as_king_pairs() {
        let alone = plan(&["KRNvKM"], u64::MAX);
        let last = alone.steps.last().unwrap();
        let pairs = Index::new(last.name.material, &MAKRUK.rules).kings().len();
        let (of_last, time) = (last.slots as f64 / 1e6, |threads| seconds(&alone, threads));
        let gained = time(pairs) - time(10 * pairs);
        assert!(gained.abs() < 1e-9 && time(pairs) >= of_last / pairs as f64);
        assert!(time(pairs / 2) - time(pairs) > 0.9 * of_last / pairs as f64);
    }

    #[test]
    fn wdl_and_census_files_take_their_time() {
        // The table that decides, with its WDL file, and the other table.
        let names = ["KRNvKM", "KRNvKM.makruk"];
        let plain = packed(u64::MAX);
        let wdl = BatchSettings { wdl: Some(MAKRUK.counting()), ..plain };
        let census = plain.packed.map(|output| PackedOutput { census: true, ..output });
        let census = BatchSettings { packed: census, ..plain };
        let solved = BatchSettings { packed: None, ..plain };
        let [plain, wdl, census, solved] =
            [plain, wdl, census, solved].map(|settings| planned(&names, &settings));
        let with_wdl = |step: &&PlanStep| step.wdl.is_some();
        let encoded: u64 = wdl.open().filter(with_wdl).map(|step| step.slots).sum();
        let part = encoded as f64 / wdl.slots() as f64;
        assert!(part > 0.4 && part < 0.6, "{part}");
        let ratio = |plan: &Plan, threads| seconds(plan, threads) / seconds(&plain, threads);
        let [of_wdl, of_census] = [part * WDL, CENSUS].map(|more| 1.0 + more / (1.0 + PACKING));
        assert!((ratio(&wdl, 1) - of_wdl).abs() < 1e-6, "{}", ratio(&wdl, 1));
        assert!((ratio(&census, 1) - of_census).abs() < 1e-6, "{}", ratio(&census, 1));
        // The rate includes the output.
        assert!((ratio(&solved, 1) - 1.0).abs() < 1e-6);
        // The parts of a WDL file are few.
        assert!(
            ratio(&wdl, 1_000) > 1.3 * of_wdl && (ratio(&census, 1_000) - of_census).abs() < 0.01
        );
    }

    #[test]
    fn tables_that_have_no_room_beside_one_another_wait() {
        // Large tables, on more threads than a single table has parts.
        let names = ["KRNvKM", "KRNvKS", "KRSvKM", "KNSvKM"];
        let memory = plan(&names, u64::MAX).greatest().unwrap().need.memory();
        let (ample, tight) = (plan(&names, u64::MAX), plan(&names, memory.0));
        // The large tables in sequence, without the time of their small tables.
        let small =
            seconds(&plan(&["KRvKM", "KNvKM", "KSvKM", "KRNvK", "KRSvK", "KNSvK"], u64::MAX), 4000);
        let (ample, tight) = (seconds(&ample, 4000) - small, seconds(&tight, 4000) - small);
        assert!(tight > 2.0 * ample && ample > 0.0, "{tight} {ample}");
    }
}
