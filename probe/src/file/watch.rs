//! Watches of open files, which check whether a path still has the file that was opened, unchanged.
//!
//! ```text
//! the path has            answers come from            a look-up returns
//! the file, unchanged     the file                     its result
//! the file, changed       bytes of unknown meaning     an error
//! the file, touched       the file, if its checksum    its result, or an error
//!                         is the one it had at first
//! another file, or none   the file that was opened     its result
//! ```
//!
//! A file is changed if its length or its modification time differs. A program can restore the
//! modification time, as `cp -p` and `rsync --inplace -t` do. Unix has a second time that no
//! program can set: the change time of the inode. If only that time differs, the file is touched.
//! It was overwritten and its modification time restored, or it was linked, renamed, or its
//! permissions were changed; its bytes decide. Windows has such a time too, but the standard
//! library does not expose it.
//!
//! So tables may be replaced by renaming new files over them while they are in use.

use std::cell::Cell;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// Minimum time between two examinations of a path by lookups.
const INTERVAL: Duration = Duration::from_secs(1);

/// Lookups of a thread between two readings of the clock. A reading costs a tenth of a WDL probe.
/// So a thread may do up to 31 lookups after [`INTERVAL`] before it finds a change.
const LOOKUPS_PER_CLOCK: usize = 32;

/// Maximum number of files that watches hold open. A process needs open files for other things too.
const MAX_HELD: usize = 192;

/// Number of files that watches hold open.
static HELD: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Lookups of this thread until it reads the clock.
    static LOOKUPS_LEFT: Cell<usize> = const { Cell::new(1) };
}

/// Counts lookups of this thread. Returns the time if a reading of the clock is due.
#[inline]
pub fn clock(lookups: usize) -> Option<Instant> {
    let left = LOOKUPS_LEFT.get();
    let due = left <= lookups;
    LOOKUPS_LEFT.set(if due { LOOKUPS_PER_CLOCK } else { left - lookups });
    // WebAssembly has no clock, and no files to watch.
    (due && !cfg!(target_family = "wasm")).then(Instant::now)
}

/// The file now at the path of an open file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathState {
    /// The open file, unchanged; or the path cannot be examined.
    Unchanged,
    /// The open file, with its length and modification time, but another change time of the inode:
    /// its bytes may be changed.
    Touched(InodeTime),
    /// The open file, changed since it was opened.
    Changed,
    /// Another file, or none. The open file keeps its bytes.
    Replaced,
}

/// The change time of an inode in nanoseconds; 0 where the system does not report it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InodeTime(i64);

impl InodeTime {
    fn new(metadata: &Metadata) -> InodeTime {
        #[cfg(unix)]
        let time = {
            use std::os::unix::fs::MetadataExt;
            metadata.ctime().wrapping_mul(1_000_000_000).wrapping_add(metadata.ctime_nsec())
        };
        #[cfg(not(unix))]
        let time = {
            let _ = metadata;
            0
        };
        InodeTime(time)
    }
}

/// Whether a file has no name left, so that nobody can open it to overwrite it.
fn is_nameless(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    let nameless = {
        use std::os::unix::fs::MetadataExt;
        metadata.nlink() == 0
    };
    #[cfg(not(unix))]
    let nameless = {
        let _ = metadata;
        false
    };
    nameless
}

/// The identity of a file with its length and modification time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FileStamp {
    /// Device and inode. `None` where the system does not report them: there a replaced file counts
    /// as changed.
    identity: Option<(u64, u64)>,
    length: u64,
    /// `None` where the system does not report it.
    modified: Option<SystemTime>,
}

impl FileStamp {
    fn new(metadata: &Metadata) -> FileStamp {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            Some((metadata.dev(), metadata.ino()))
        };
        #[cfg(not(unix))]
        let identity = None;
        FileStamp { identity, length: metadata.len(), modified: metadata.modified().ok() }
    }
}

/// A file held open. Examining it costs a third of examining its path.
#[derive(Debug)]
struct HeldFile(File);

impl HeldFile {
    /// Holds a file open. `None` if too many files are held.
    fn new(file: &File) -> Option<HeldFile> {
        let more = |held: usize| (held < MAX_HELD).then_some(held + 1);
        HELD.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        let held = file.try_clone().map(HeldFile);
        if held.is_err() {
            HELD.fetch_sub(1, Ordering::Relaxed);
        }
        held.ok()
    }
}

impl Drop for HeldFile {
    fn drop(&mut self) {
        HELD.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Watches the path of an open file for changes, at most once a second.
#[derive(Debug)]
pub struct FileWatch {
    opened: Instant,
    stamp: FileStamp,
    /// The [`InodeTime`] at which the file last had its bytes.
    inode_time: AtomicI64,
    /// `None` if the path is examined instead.
    held: Option<HeldFile>,
    /// Milliseconds from `opened` to the last examination.
    last_examined: AtomicU64,
    /// Never cleared: wrong bytes may still be in a cache after the file is restored.
    changed: AtomicBool,
}

impl FileWatch {
    /// The watch of a file that was just opened.
    ///
    /// # Errors
    ///
    /// When the metadata of the file cannot be read.
    pub fn new(file: &File) -> io::Result<FileWatch> {
        let metadata = file.metadata()?;
        Ok(FileWatch {
            opened: Instant::now(),
            stamp: FileStamp::new(&metadata),
            inode_time: AtomicI64::new(InodeTime::new(&metadata).0),
            held: None,
            last_examined: AtomicU64::new(0),
            changed: AtomicBool::new(false),
        })
    }

    /// The length of the file when it was opened.
    pub fn length(&self) -> u64 {
        self.stamp.length
    }

    /// This watch with the file held open for [`FileWatch::examine_file`], unless too many files
    /// are held.
    #[must_use]
    pub fn holding(self, file: &File) -> FileWatch {
        FileWatch { held: HeldFile::new(file), ..self }
    }

    /// The state of the file if it is held open, otherwise of its path. Needs a system call.
    pub fn examine_file(&self, path: &Path) -> PathState {
        let Some(HeldFile(file)) = &self.held else { return self.examine(path) };
        let state = file.metadata().map_or(PathState::Unchanged, |metadata| {
            // A held file is the same under any name.
            match self.state(&metadata) {
                PathState::Replaced => PathState::Changed,
                state => state,
            }
        });
        self.seen(state)
    }

    /// Accepts a touched file whose bytes did not change.
    pub fn settle(&self, InodeTime(time): InodeTime) {
        self.inode_time.store(time, Ordering::Relaxed);
    }

    /// Marks the file as changed.
    pub fn set_changed(&self) {
        self.changed.store(true, Ordering::Relaxed);
    }

    /// Whether the file was found changed. Does not examine it.
    #[inline]
    pub fn was_changed(&self) -> bool {
        // `Relaxed`: the flag guards no other memory.
        self.changed.load(Ordering::Relaxed)
    }

    /// Examines the path if the last examination was a second or more ago. `now` comes from
    /// [`clock`]. Returns `None` without an examination.
    #[inline]
    pub fn examine_if_due(&self, path: &Path, now: Instant) -> Option<PathState> {
        let last = self.last_examined.load(Ordering::Relaxed);
        let due = now >= self.opened + Duration::from_millis(last) + INTERVAL;
        due.then(|| self.examine_after(last, path, now)).flatten()
    }

    /// Examines the path, unless another thread has since.
    #[cold]
    fn examine_after(&self, last: u64, path: &Path, now: Instant) -> Option<PathState> {
        let now = u64::try_from((now - self.opened).as_millis()).unwrap_or(u64::MAX);
        let (set, unset) = (Ordering::Relaxed, Ordering::Relaxed);
        self.last_examined.compare_exchange(last, now, set, unset).ok().map(|_| self.examine(path))
    }

    /// Examines the path now.
    pub fn examine(&self, path: &Path) -> PathState {
        self.seen(match fs::metadata(path) {
            Ok(metadata) => self.state(&metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => PathState::Replaced,
            Err(_) => PathState::Unchanged,
        })
    }

    fn state(&self, metadata: &Metadata) -> PathState {
        let (stamp, time) = (FileStamp::new(metadata), InodeTime::new(metadata));
        if stamp.identity != self.stamp.identity {
            PathState::Replaced
        } else if stamp != self.stamp {
            PathState::Changed
        } else if time.0 != self.inode_time.load(Ordering::Relaxed) && !is_nameless(metadata) {
            PathState::Touched(time)
        } else {
            PathState::Unchanged
        }
    }

    /// Records a change permanently.
    fn seen(&self, state: PathState) -> PathState {
        if state == PathState::Changed {
            self.set_changed();
        }
        if self.was_changed() { PathState::Changed } else { state }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn is_changed_now(watch: &FileWatch, path: &Path) -> bool {
        watch.examine_file(path) == PathState::Changed
    }

    fn is_touched(state: PathState) -> bool {
        matches!(state, PathState::Touched(_))
    }

    #[cfg(unix)]
    #[test]
    fn a_file_whose_time_is_put_back_is_touched() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("table");
        for is_held in [false, true] {
            let watch = watched(&path);
            let watch = match is_held {
                true => watch.holding(&File::open(&path).unwrap()),
                false => watch,
            };
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            // Longer than the resolution of the time of an inode.
            thread::sleep(Duration::from_millis(50));
            fs::write(&path, "other").unwrap();
            File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
            assert!(is_touched(watch.examine_file(&path)) && !watch.was_changed());
            watch.set_changed();
            assert_eq!(watch.examine_file(&path), PathState::Changed);
        }
    }

    /// A file and its watch. The file is older than the resolution of a time of change.
    fn watched(path: &Path) -> FileWatch {
        fs::write(path, "bytes").unwrap();
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
        FileWatch::new(&file).unwrap()
    }

    #[test]
    fn bytes_or_length_changed_in_place_are_a_change_for_ever() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("table");
        for changed in ["other", "shorter or longer", ""] {
            let watch = watched(&path);
            assert_eq!(watch.examine(&path), PathState::Unchanged);
            fs::write(&path, changed).unwrap();
            assert!(!watch.was_changed());
            assert_eq!(watch.examine(&path), PathState::Changed);
            fs::remove_file(&path).unwrap();
            assert_eq!(watch.examine(&path), PathState::Changed);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_renamed_removed_or_linked_is_no_change() {
        let directory = tempfile::tempdir().unwrap();
        let [path, other] = ["table", "other"].map(|name| directory.path().join(name));
        let watch = watched(&path);
        fs::hard_link(&path, &other).unwrap();
        assert!(is_touched(watch.examine(&path)));
        fs::remove_file(&path).unwrap();
        assert_eq!(watch.examine(&path), PathState::Replaced);
        fs::rename(&other, &path).unwrap();
        let PathState::Touched(time) = watch.examine(&path) else { panic!("not touched") };
        watch.settle(time);
        assert_eq!(watch.examine(&path), PathState::Unchanged);
        fs::write(&other, "bytes").unwrap();
        fs::rename(&other, &path).unwrap();
        assert_eq!(watch.examine(&path), PathState::Replaced);
        assert!(!watch.was_changed());
    }

    /// A single test, because the limit of held files belongs to the whole process.
    #[test]
    fn a_held_file_is_watched_under_any_name_and_the_path_where_too_many_are_held() {
        let directory = tempfile::tempdir().unwrap();
        let [path, other] = ["table", "other"].map(|name| directory.path().join(name));
        for by_name in [&path, &other] {
            let watch = watched(&path).holding(&File::open(&path).unwrap());
            assert!(watch.held.is_some() && !is_changed_now(&watch, &path));
            fs::rename(&path, &other).unwrap();
            fs::write(&path, "another file").unwrap();
            assert!(!is_changed_now(&watch, &path));
            fs::write(by_name, "changed").unwrap();
            assert_eq!(is_changed_now(&watch, &path), by_name == &other);
        }
        let watch = watched(&path);
        let file = File::open(&path).unwrap();
        let held: Vec<HeldFile> = std::iter::from_fn(|| HeldFile::new(&file)).collect();
        assert!(!held.is_empty() && held.len() <= MAX_HELD);
        let watch = watch.holding(&file);
        assert!(watch.held.is_none() && !is_changed_now(&watch, &path));
        fs::write(&path, "changed").unwrap();
        assert!(is_changed_now(&watch, &path));
        drop(held);
        assert!(HeldFile::new(&file).is_some());
    }

    #[test]
    fn lookups_examine_at_most_once_a_second() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("table");
        let watch = watched(&path);
        fs::write(&path, "other").unwrap();
        let times = [0, 999, 1000, 1001, 2000].map(Duration::from_millis);
        let looked = times.map(|time| {
            watch.examine_if_due(&path, watch.opened + time);
            (watch.was_changed(), watch.last_examined.load(Ordering::Relaxed))
        });
        assert_eq!(looked, [(false, 0), (false, 0), (true, 1000), (true, 1000), (true, 2000)]);
    }

    #[test]
    fn a_thread_reads_the_clock_first_and_then_every_32_lookups() {
        let due =
            |lookups: &[usize]| lookups.iter().map(|&n| clock(n).is_some()).collect::<Vec<_>>();
        let single = thread::spawn(move || due(&[1; 65])).join().unwrap();
        let expected: Vec<bool> = (0..65).map(|n| n % 32 == 0).collect();
        assert_eq!(single, expected);
        let batches = thread::spawn(move || due(&[32, 32, 10, 10, 10, 10])).join().unwrap();
        assert_eq!(batches, [true, true, false, false, false, true]);
    }
}
