//! Files changed, cut or replaced while a tablebase has them open, and broken files beside sound
//! ones.

use sakmak_make::output::packed::{PackOptions, pack};
use sakmak_make::output::solved::{WriteOptions, write};
use sakmak_make::output::wdl::{WdlSources, make};
use sakmak_make::store::TableStore;
use sakmak_make::system::ByteSize;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::{FileError, FileProblem};
use sakmak_probe::{Category, MAKRUK, Position, ProbeError, Tablebase, Value};
use sakmak_solve::slots::legal::legal_position;
use sakmak_solve::solver::Solver;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// How often a tablebase looks whether a file was changed.
const INTERVAL: Duration = Duration::from_secs(1);

/// Look-ups of a thread that may go by without a look at the clock.
const UNCLOCKED: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Solved,
    Packed,
    Wdl,
}

fn material() -> Material {
    "KRvK".parse().unwrap()
}

/// A material whose packed file is too long to be read into memory.
fn large_material() -> Material {
    "KRvKS".parse().unwrap()
}

/// A directory with one file of the material, older than the resolution of times of change.
fn written(kind: Kind) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let name = TableName::to_mate(material());
    let table = || Solver::default().solve(name, &MAKRUK.rules, &|_| None).unwrap();
    let written = match kind {
        Kind::Solved => {
            let options = WriteOptions::default();
            write(&table(), &MAKRUK.rules, directory.path(), &options).unwrap().path
        }
        Kind::Packed => {
            let options = PackOptions { converted_men: 0, ..PackOptions::default() };
            pack(&table(), Metric::DistanceToMate, &MAKRUK, &[], directory.path(), options, &|_| ())
                .unwrap()
                .file
                .path
        }
        Kind::Wdl => {
            let store = TableStore::new(&MAKRUK.rules, Path::new("no such directory"));
            let sources = WdlSources::load(&store, material(), MAKRUK.counting()).unwrap();
            make(&sources, directory.path(), ByteSize(1 << 24), &|_| ()).unwrap().path
        }
    };
    age(&written);
    (directory, written)
}

/// Makes a file older than the resolution of times of change.
fn age(path: &Path) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
}

/// The packed files of the large material and of those it leads to.
struct LargeFiles(TempDir);

impl LargeFiles {
    /// As [`written`], of a packed file the large one: no file that is read into memory.
    fn written(&self, kind: Kind) -> (TempDir, PathBuf) {
        if kind == Kind::Packed { self.copied() } else { written(kind) }
    }

    /// Legal positions of the material of [`LargeFiles::written`], everywhere in its table.
    fn positions(kind: Kind) -> Vec<Position> {
        match kind {
            Kind::Packed => some_positions(large_material(), 4_001),
            Kind::Solved | Kind::Wdl => positions(),
        }
    }

    fn new() -> LargeFiles {
        let directory = tempfile::tempdir().unwrap();
        let store = TableStore::in_memory(&MAKRUK.rules);
        let table = |material| store.table(TableName::to_mate(material)).unwrap();
        for material in Material::closure([large_material()], &MAKRUK.rules) {
            let smaller: Vec<_> =
                material.successors(&MAKRUK.rules).into_iter().map(table).collect();
            let smaller: Vec<&dyn TableCodes> =
                smaller.iter().map(|table| &**table as &dyn TableCodes).collect();
            let options = PackOptions { tiles: 1, ..PackOptions::default() };
            let (metric, path) = (Metric::DistanceToMate, directory.path());
            pack(&*table(material), metric, &MAKRUK, &smaller, path, options, &|_| ()).unwrap();
        }
        LargeFiles(directory)
    }

    /// A copy of all files, and the one of the large material.
    fn copied(&self) -> (TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(self.0.path()).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), directory.path().join(entry.file_name())).unwrap();
        }
        let name = TableName::to_mate(large_material()).packed_file_name();
        let path = directory.path().join(name);
        assert!(fs::metadata(&path).unwrap().len() > 1 << 21);
        age(&path);
        (directory, path)
    }
}

/// Legal positions of the material, everywhere in its table.
fn positions() -> Vec<Position> {
    some_positions(material(), 7)
}

/// The legal positions of every `step`th slot of a material.
fn some_positions(material: Material, step: usize) -> Vec<Position> {
    let index = Index::new(material, &MAKRUK.rules);
    let slots = (0..index.slots()).map(|slot| index.placement(Slot(slot)));
    let legal = |placement: &_| {
        Side::BOTH
            .map(|side| legal_position(&index, placement, side, &MAKRUK))
            .into_iter()
            .flatten()
    };
    slots.step_by(step).flat_map(|placement| legal(&placement).collect::<Vec<_>>()).collect()
}

/// A tablebase that decodes every block anew.
fn open(directory: &Path, access: Access) -> Tablebase {
    Tablebase::open(directory).unwrap().with_cache(0).unwrap().with_access(access)
}

fn values(tables: &Tablebase, positions: &[Position]) -> Vec<Result<Value, ProbeError>> {
    positions.iter().map(|position| tables.dtm(position)).collect()
}

fn singly(tables: &Tablebase, positions: &[Position]) -> Vec<Result<Category, ProbeError>> {
    positions.iter().map(|position| tables.wdl(position)).collect()
}

fn together(tables: &Tablebase, positions: &[Position]) -> Vec<Result<Category, ProbeError>> {
    let mut categories = Vec::new();
    tables.wdl_batch(positions, |category| categories.push(category));
    categories
}

fn right<T: std::fmt::Debug>(results: Vec<Result<T, ProbeError>>) -> Vec<T> {
    results.into_iter().map(Result::unwrap).collect()
}

/// Whether the error says that this file was changed.
fn is_changed(error: &ProbeError, file: &Path) -> bool {
    matches!(error, ProbeError::File(FileError { path, problem: FileProblem::Changed }) if path == file)
}

/// Writes over the bytes of a file, as a program that copies over it does after it cut the file.
fn write_over(path: &Path, change: impl Fn(usize, u8) -> u8) {
    let bytes = fs::read(path).unwrap();
    let bytes: Vec<u8> = bytes.into_iter().enumerate().map(|(at, byte)| change(at, byte)).collect();
    File::options().write(true).open(path).unwrap().write_all(&bytes).unwrap();
}

/// Changes of bytes in place: all zero, a bit in every 64 bytes, none.
fn changes() -> [fn(usize, u8) -> u8; 3] {
    [|_, _| 0, |at, byte| byte ^ u8::from(at % 64 == 7), |_, byte| byte]
}

#[test]
#[ignore = "long: part of the full tests"]
fn a_table_changed_in_place_is_an_error_and_never_a_wrong_value() {
    let large = LargeFiles::new();
    for kind in [Kind::Solved, Kind::Packed] {
        let positions = LargeFiles::positions(kind);
        for access in Access::ALL {
            for change in changes() {
                let (directory, path) = large.written(kind);
                let tables = open(directory.path(), access);
                let expected = right(values(&tables, &positions));
                write_over(&path, change);
                for (result, expected) in values(&tables, &positions).into_iter().zip(&expected) {
                    match result {
                        Ok(value) => assert_eq!(value, *expected, "{kind:?} {access:?}"),
                        Err(error) => assert!(is_changed(&error, &path), "{error}"),
                    }
                }
                sleep(INTERVAL);
                let results = values(&tables, &positions[..2 * UNCLOCKED]);
                let errors = results.iter().filter_map(|result| result.as_ref().err());
                assert!(errors.filter(|error| is_changed(error, &path)).count() >= UNCLOCKED);
            }
        }
    }
}

#[test]
fn a_wdl_file_changed_in_place_is_an_error_within_a_second() {
    let positions = positions();
    for change in changes() {
        let (directory, path) = written(Kind::Wdl);
        let [one, other] = [(); 2].map(|()| open(directory.path(), Access::Mapped));
        assert_eq!(right(singly(&one, &positions)), right(together(&other, &positions)));
        write_over(&path, change);
        sleep(INTERVAL);
        let single = singly(&one, &positions[..UNCLOCKED]).pop().unwrap();
        assert!(is_changed(&single.unwrap_err(), &path));
        for results in [singly(&one, &positions), together(&other, &positions)] {
            for result in results.into_iter().skip(UNCLOCKED) {
                assert!(is_changed(&result.unwrap_err(), &path));
            }
        }
    }
}

/// On Windows the standard library does not tell the time that cannot be put back.
#[cfg(unix)]
#[test]
#[ignore = "long: part of the full tests"]
fn a_file_changed_in_place_with_its_time_put_back_gives_no_wrong_answer() {
    let large = LargeFiles::new();
    for kind in [Kind::Solved, Kind::Packed, Kind::Wdl] {
        let positions = LargeFiles::positions(kind);
        let [zeros, bits, same] = changes();
        for (change, is_the_same) in [(zeros, false), (bits, false), (same, true)] {
            let (directory, path) = large.written(kind);
            let tables = open(directory.path(), Access::Mapped);
            let answers = || -> Vec<Result<String, ProbeError>> {
                let text = |position: &Position| match kind {
                    Kind::Wdl => Ok(tables.wdl(position)?.to_string()),
                    Kind::Solved | Kind::Packed => Ok(tables.dtm(position)?.to_string()),
                };
                positions.iter().map(text).collect()
            };
            let expected = right(answers());
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            write_over(&path, change);
            File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
            sleep(INTERVAL);
            let results = answers().into_iter().zip(&expected).skip(UNCLOCKED);
            let mut errors = 0;
            for (result, expected) in results {
                match result {
                    Ok(answer) => assert_eq!(answer, *expected, "{kind:?}"),
                    Err(_) => errors += 1,
                }
            }
            assert_eq!(errors == 0, is_the_same, "{kind:?}");
        }
    }
}

#[test]
fn a_wdl_file_that_was_read_into_memory_does_not_change() {
    let positions = positions();
    let (directory, path) = written(Kind::Wdl);
    let tables = open(directory.path(), Access::Read);
    let expected = right(singly(&tables, &positions));
    File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
    sleep(INTERVAL);
    assert_eq!(right(singly(&tables, &positions)), expected);
    assert_eq!(right(together(&tables, &positions)), expected);
}

#[test]
fn a_small_packed_file_is_read_into_memory_and_does_not_change() {
    let positions = positions();
    for access in Access::ALL {
        for change in changes() {
            let (directory, path) = written(Kind::Packed);
            let tables = open(directory.path(), access);
            let expected = right(values(&tables, &positions));
            write_over(&path, change);
            sleep(INTERVAL);
            assert_eq!(right(values(&tables, &positions)), expected);
            File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
            assert_eq!(right(values(&tables, &positions)), expected);
        }
    }
}

#[test]
fn a_table_that_is_read_and_cut_short_is_an_error() {
    let large = LargeFiles::new();
    for kind in [Kind::Solved, Kind::Packed] {
        let positions = LargeFiles::positions(kind);
        let (directory, path) = large.written(kind);
        let tables = open(directory.path(), Access::Read);
        let expected = right(values(&tables, &positions));
        File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
        let results = values(&tables, &positions).into_iter().zip(expected);
        // A position in which every move converts, or a bare king draws by a capture, is answered
        // without this file.
        let unread = results.filter(|(result, expected)| match result {
            Ok(value) => value == expected,
            Err(error) => !is_changed(error, &path),
        });
        assert!(unread.count() < positions.len() / 10);
    }
}

/// On Windows a mapped file cannot be replaced, and there is no inode to tell.
#[cfg(unix)]
#[test]
fn tables_may_be_replaced_by_renaming_or_removed_while_they_are_open() {
    let positions = positions();
    for kind in [Kind::Solved, Kind::Packed] {
        for access in Access::ALL {
            let (directory, path) = written(kind);
            let tables = open(directory.path(), access);
            let expected = right(values(&tables, &positions));
            assert_eq!(tables.replaced_files(), <[PathBuf; 0]>::default());
            let new = directory.path().join("new");
            fs::write(&new, "another file").unwrap();
            fs::rename(&new, &path).unwrap();
            sleep(INTERVAL);
            assert_eq!(right(values(&tables, &positions)), expected);
            assert_eq!(tables.replaced_files(), [path.as_path()]);
        }
    }
    let (directory, path) = written(Kind::Wdl);
    let tables = open(directory.path(), Access::Mapped);
    let expected = right(singly(&tables, &positions));
    fs::remove_file(&path).unwrap();
    sleep(INTERVAL);
    assert_eq!(right(together(&tables, &positions)), expected);
    assert_eq!(tables.replaced_files(), [path]);
}

/// Asks twice: a refused file is named once.
fn answered_twice(tables: &Tablebase, refused: &[PathBuf]) {
    let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w").unwrap();
    for _ in 0..2 {
        assert_eq!(tables.wdl(&position).unwrap(), Category::Win);
        let named: Vec<PathBuf> =
            tables.refused_files().iter().map(|error| error.path.clone()).collect();
        assert_eq!(named, refused);
    }
}

#[test]
fn a_broken_file_does_not_hide_a_sound_one() {
    let (solved, path) = written(Kind::Solved);
    let (packed, packed_path) = written(Kind::Packed);
    let (wdl, wdl_path) = written(Kind::Wdl);
    let bytes = fs::read(&path).unwrap();
    for broken_bytes in [&bytes[..bytes.len() / 2], &[]] {
        for sound in [&solved, &packed] {
            let broken = tempfile::tempdir().unwrap();
            let broken_path = broken.path().join(path.file_name().unwrap());
            fs::write(&broken_path, broken_bytes).unwrap();
            // In another directory, before and after.
            let mut tables = Tablebase::open(broken.path()).unwrap();
            tables.add_directory(sound.path()).unwrap();
            answered_twice(&tables, &[broken_path]);
            let mut tables = Tablebase::open(solved.path()).unwrap();
            tables.add_directory(broken.path()).unwrap();
            answered_twice(&tables, &[]);
        }
    }
    // A packed file in the same directory.
    fs::copy(packed_path, path.with_extension("smp")).unwrap();
    fs::write(&path, "broken").unwrap();
    answered_twice(&Tablebase::open(solved.path()).unwrap(), std::slice::from_ref(&path));
    // Tables beside a WDL file.
    let broken_wdl = packed.path().join(wdl_path.file_name().unwrap());
    fs::write(&broken_wdl, "broken").unwrap();
    answered_twice(&Tablebase::open(packed.path()).unwrap(), std::slice::from_ref(&broken_wdl));
    // Another WDL file.
    let mut tables = Tablebase::open(packed.path()).unwrap();
    tables.add_directory(wdl.path()).unwrap();
    answered_twice(&tables, &[broken_wdl]);
}

#[test]
fn damage_behind_a_sound_header_is_an_error_beside_a_sound_file_too() {
    let positions = positions();
    let probed = |tables: &Tablebase, kind| -> Vec<Result<String, ProbeError>> {
        let probe = |position: &Position| match kind {
            Kind::Wdl => Ok(tables.wdl(position)?.to_string()),
            Kind::Solved | Kind::Packed => Ok(tables.dtm(position)?.to_string()),
        };
        positions.iter().map(probe).collect()
    };
    for kind in [Kind::Solved, Kind::Packed, Kind::Wdl] {
        let ((damaged, path), (sound, _)) = (written(kind), written(kind));
        let right = right(probed(&open(sound.path(), Access::Mapped), kind));
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
        for access in Access::ALL {
            let mut tables = open(damaged.path(), access);
            tables.add_directory(sound.path()).unwrap();
            for _ in 0..2 {
                let mut errors = 0;
                for (found, right) in probed(&tables, kind).into_iter().zip(&right) {
                    match found {
                        Ok(found) => assert_eq!(found, *right, "{kind:?}"),
                        Err(ProbeError::File(error)) if error.path == path => errors += 1,
                        Err(error) => panic!("{error}"),
                    }
                }
                assert!(errors > 0, "{kind:?} {access:?}");
            }
            assert_eq!(tables.refused_files().len(), 0);
        }
    }
}

#[test]
fn a_broken_file_without_a_sound_one_is_an_error_each_time() {
    let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w").unwrap();
    for kind in [Kind::Solved, Kind::Packed, Kind::Wdl] {
        let (directory, path) = written(kind);
        fs::write(&path, "broken").unwrap();
        let tables = Tablebase::open(directory.path()).unwrap();
        for _ in 0..2 {
            let Err(ProbeError::File(error)) = tables.wdl(&position) else { panic!("no error") };
            assert_eq!(error.path, path);
            assert_eq!(tables.refused_files().len(), 0);
        }
        fs::remove_file(&path).unwrap();
        assert!(matches!(tables.wdl(&position), Err(ProbeError::Missing { .. })));
    }
}
