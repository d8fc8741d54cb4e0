//! Batches of packed tables that share a directory with other batches, or lack files.

use crate::batch::job::ChessWorkshop;
use crate::batch::plan::{Batch, PlanError};
use crate::batch::presence::{Presence, scratch_folder};
use crate::batch::report::BatchObserver;
use crate::batch::schedule::*;
use crate::output::solved::{WriteOptions, write};
use crate::store::{TableStore, TableStoreError};
use sakmak_solve::solver::{Buffer, BufferLimit, saved_layers};
use sakmak_tables::format::name::TableName;
use sakmak_tables::variants::MAKRUK;
use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// One test at a time: batches set the same limit on memory.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A batch of packed tables in a directory.
fn packed(directory: &Path) -> Batch<'_> {
    let settings = crate::batch::plan::tests::packed(1 << 40);
    Batch { rules: &MAKRUK.rules, directory, settings }
}

fn name(text: &str) -> TableName {
    text.parse().unwrap()
}

/// An observer that calls a function when the plan is made.
struct Observer<F: Fn() + Sync>(F);

impl<F: Fn() + Sync> BatchObserver for Observer<F> {
    fn planned(&self, _plan: &Plan) {
        self.0();
    }

    fn finished(&self, _report: &TableReport) {}
}

/// A directory with the solved file of a table in its scratch folder, and the path of the file.
fn with_scratch_file(table: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let scratch = scratch_folder(directory.path());
    fs::create_dir(&scratch).unwrap();
    let table = TableStore::in_memory(&MAKRUK.rules).table(name(table)).unwrap();
    let written = write(&*table, &MAKRUK.rules, &scratch, &WriteOptions::default()).unwrap();
    (directory, written.path)
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_looked_for_ends_the_batch() {
    let _alone = alone();
    let (directory, scratch_file) = with_scratch_file("KMvK");
    let file = directory.path().join("KMvK.dtm.smp");
    // A link to itself.
    let block = || std::os::unix::fs::symlink("KMvK.dtm.smp", &file).unwrap();
    let error = packed(directory.path()).run([name("KMvK")], &Observer(block)).unwrap_err();
    assert!(error.to_string().starts_with(&format!("{}: ", file.display())), "{error}");
    assert!(scratch_file.try_exists().unwrap());
    // The same while it is planned.
    let error = packed(directory.path()).run([name("KMvK")], &Observer(|| {})).unwrap_err();
    assert!(matches!(error, BatchError::Plan(PlanError::File(_))), "{error}");
}

#[test]
fn scratch_files_stay_while_a_batch_with_other_tables_runs() {
    let _alone = alone();
    let (directory, scratch_file) = with_scratch_file("KMvK");
    let scratch = scratch_folder(directory.path());
    let run = || packed(directory.path()).run([name("KMvK")], &Observer(|| {})).unwrap();
    let other = Presence::new(&scratch, "KMvK KPvK").unwrap();
    run();
    assert!(directory.path().join("KMvK.dtm.smp").try_exists().unwrap());
    assert!(scratch_file.try_exists().unwrap());
    // Two batches with the same tables remove files that neither batch needs.
    let same = Presence::new(&scratch, "KMvK").unwrap();
    drop(other);
    run();
    assert!(!scratch_file.try_exists().unwrap());
    drop(same);
    assert!(!scratch.try_exists().unwrap());
}

#[test]
fn scratch_files_of_the_last_batch_that_makes_a_table_go_at_its_end() {
    let _alone = alone();
    let (directory, scratch_file) = with_scratch_file("KMvK");
    let layers = scratch_file.with_file_name(saved_layers::file_name(name("KMvK")));
    fs::write(&layers, "").unwrap();
    // A batch that makes other tables only.
    let other = Presence::new(&scratch_folder(directory.path()), "KSvK").unwrap();
    packed(directory.path()).run([name("KMvK")], &Observer(|| {})).unwrap();
    assert!(!scratch_file.try_exists().unwrap() && !layers.try_exists().unwrap());
    drop(other);
    assert!(!scratch_folder(directory.path()).try_exists().unwrap());
}

/// Calls `test` with the shared state of the jobs of a batch and the plan of a table.
fn in_workshop(directory: &Path, table: &str, test: impl FnOnce(&Plan, &ChessWorkshop<'_>)) {
    let _alone = alone();
    let batch = packed(directory);
    let plan = batch.plan([name(table)]).unwrap();
    let scratch = scratch_folder(directory);
    let store = TableStore::new(batch.rules, directory).with_scratch(&scratch);
    let observer = &Observer(|| {});
    let (presence, limit) = (None, BufferLimit::none());
    test(&plan, &ChessWorkshop { batch: &batch, store, scratch, observer, presence, limit });
}

#[test]
fn a_subtable_whose_scratch_file_is_gone_is_made_again_once() {
    let (directory, scratch_file) = with_scratch_file("KMvK");
    in_workshop(directory.path(), "KPvK", |plan, workshop| {
        let mut schedule = Schedule::new(plan, workshop);
        let index = schedule.indices[&name("KPvK")];
        let source = TableStoreError::Missing {
            tables: vec![name("KMvK")],
            variant: None,
            directory: directory.path().to_path_buf(),
        };
        let error = BatchError::subtable(name("KPvK"), source);
        assert!(!schedule.is_to_be_repeated(index, 0, &error).unwrap());
        fs::remove_file(&scratch_file).unwrap();
        assert!(schedule.is_to_be_repeated(index, 0, &error).unwrap());
        let discarded = schedule.discarded.len();
        assert!(!schedule.is_to_be_repeated(index, discarded, &error).unwrap());
    });
}

#[test]
fn a_scratch_folder_that_is_removed_is_made_again_once() {
    let directory = tempfile::tempdir().unwrap();
    in_workshop(directory.path(), "KMvK", |_, workshop| {
        let tries = Cell::new(0);
        // Removes the folder until this many tries are over.
        let work = |failures: u32| {
            tries.set(tries.get() + 1);
            assert!(workshop.scratch.try_exists().unwrap());
            if tries.get() > failures {
                return Ok(());
            }
            fs::remove_dir(&workshop.scratch).unwrap();
            Err(BatchError::directory(&workshop.scratch, io::ErrorKind::NotFound.into()))
        };
        workshop.in_scratch(|| work(1)).unwrap();
        assert_eq!(tries.replace(0), 2);
        let error = workshop.in_scratch(|| work(9)).unwrap_err().to_string();
        assert!(error.contains(".scratch"), "{error}");
        assert_eq!(tries.get(), 2);
    });
}

#[test]
fn a_file_in_place_of_the_scratch_folder_is_refused() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let scratch = scratch_folder(directory.path());
    fs::write(&scratch, "").unwrap();
    let run = packed(directory.path()).run([name("KMvK")], &Observer(|| {}));
    let Err(BatchError::Directory { path, source }) = run else { panic!("{run:?}") };
    assert_eq!((path, source.kind()), (scratch, io::ErrorKind::NotADirectory));
}

#[test]
fn a_batch_leaves_no_limit_on_memory() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let mut batch = packed(directory.path());
    batch.settings.memory = ByteSize(512 << 20);
    batch.run([name("KMvK")], &Observer(|| {})).unwrap();
    // Solving on the spot needs arrays; this array stays untouched.
    assert!(Buffer::<u8>::unspecified(1 << 30).is_ok());
}
