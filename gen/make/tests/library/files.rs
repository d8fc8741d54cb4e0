//! Solved files: written and read back, damaged, and of the wrong kind.
//!
//! The table is `KRvK` with arbitrary codes, since the test is about the file and not its values.
//! The file is small enough to flip every byte and to cut it at every length.

use rayon::prelude::*;
use sakmak_make::output::solved::{WriteOptions, WriteProblem, write, write_to};
use sakmak_make::store::decode_table;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::{FileError, FileProblem};
use sakmak_probe::file::solved::SolvedFile;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::solved::offsets::{OffsetRow, ROW_BLOCKS, ROW_LENGTH};
use sakmak_tables::format::{FormatKind, TRAILER_LENGTH};
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::values::{Coding, Values};
use sakmak_tables::variants::MAKRUK;
use std::io::{self, Write};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

const OPTIONS: WriteOptions =
    WriteOptions { metric: Metric::DistanceToMate, level: 3, block_codes: 1 << 10 };

/// A table of arbitrary codes: runs of all lengths, and some single codes that differ.
fn table(name: &str, longest: u32) -> Table {
    let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
    let values = |coding: Coding| {
        let mut codes = Vec::new();
        for slot in 0..index.slots() {
            let wave = slot / 97 + if slot % 501 == 0 { slot / 7 } else { 0 };
            let code = (wave % u64::from(coding.codes())) as u16;
            codes.extend_from_slice(&code.to_le_bytes()[..coding.width()]);
        }
        Values::new(coding, codes)
    };
    let white = values(Coding { wins: Moves(longest), losses: None });
    let black = values(Coding { wins: Moves(0), losses: Some(Moves(longest)) });
    let black = (!index.material().is_symmetric()).then_some(black);
    Table::new(index.clone(), white, black)
}

fn written(table: &Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(table, &MAKRUK.rules, &mut bytes, &OPTIONS).unwrap();
    bytes
}

fn opened_as(bytes: Vec<u8>, name: &str, rules: &Rules) -> Result<SolvedFile, FileError> {
    let path = Path::new("somewhere/KRvK.dtm.smt");
    let material = name.parse().unwrap();
    SolvedFile::from_bytes(path, Box::new(bytes), TableName::to_mate(material), rules)
}

fn opened(bytes: Vec<u8>) -> Result<SolvedFile, FileError> {
    opened_as(bytes, "KRvK", &MAKRUK.rules)
}

fn same(left: &Table, right: &Table) -> bool {
    Side::BOTH.iter().all(|&side| left.values(side) == right.values(side))
}

/// The format error of a file that was refused.
fn format_error(result: Result<SolvedFile, FileError>) -> FormatError {
    let error = result.expect_err("an error");
    assert!(error.to_string().starts_with("somewhere/KRvK.dtm.smt: "), "{error}");
    match error.problem {
        FileProblem::Format(error) => error,
        other => panic!("{other}"),
    }
}

#[test]
fn values_come_back_one_by_one_and_all_at_once() {
    for (name, longest) in [("KRvK", 16), ("KRvK", 300), ("KMvKM", 70), ("KPvK", 0)] {
        let table = table(name, longest);
        let file = opened_as(written(&table), name, &MAKRUK.rules).unwrap();
        file.verify_checksums().unwrap();
        assert!(same(&file.table().unwrap(), &table));
        assert!(same(&decode_table(&file).unwrap(), &table));
        let slots = table.index().slots();
        let some = (0..slots).step_by(1 + slots as usize / 5000).chain([slots - 1, slots]);
        for slot in some.map(Slot) {
            for side in Side::BOTH {
                assert_eq!(file.value(side, slot).unwrap(), table.value(side, slot));
            }
        }
    }
}

#[test]
fn mapped_and_plain_reads_give_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let table = table("KRvK", 300);
    let written = write(&table, &MAKRUK.rules, directory.path(), &OPTIONS).unwrap();
    assert_eq!(written.path, directory.path().join("KRvK.dtm.smt"));
    for access in [Access::Mapped, Access::Read] {
        let material = table.index().material();
        let path = &written.path;
        let file =
            SolvedFile::open(path, access, TableName::to_mate(material), &MAKRUK.rules).unwrap();
        assert_eq!((file.length(), file.checksum()), (written.length, written.checksum));
        file.verify_checksums().unwrap();
        assert!(same(&file.table().unwrap(), &table));
        for slot in (0..table.index().slots()).step_by(11).map(Slot) {
            for side in Side::BOTH {
                assert_eq!(file.value(side, slot).unwrap(), table.value(side, slot));
            }
        }
    }
    let alone = std::fs::read_dir(directory.path()).unwrap().count();
    assert_eq!(alone, 1, "only the file itself is left");
}

#[test]
fn every_flipped_byte_is_found() {
    let table = table("KRvK", 16);
    let good = written(&table);
    (0..good.len()).into_par_iter().for_each(|place| {
        let mut bytes = good.clone();
        bytes[place] ^= 1 << (place % 8);
        let Ok(file) = opened(bytes) else { return };
        assert!(file.verify_checksums().is_err(), "byte {place} is not found");
        if let Ok(read) = file.table() {
            assert!(same(&read, &table), "byte {place} changes values");
        }
    });
}

#[test]
fn every_cut_length_is_found_when_opening() {
    let table = table("KRvK", 16);
    let good = written(&table);
    for length in 0..good.len() {
        assert!(opened(good[..length].to_vec()).is_err(), "{length} of {} bytes", good.len());
    }
    let longer = [&good[..], &[0]].concat();
    assert!(matches!(format_error(opened(longer)), FormatError::Length { .. }));
}

#[test]
fn exchanged_blocks_and_rows_are_found() {
    let good = written(&table("KRvK", 16));
    let rows = good.len() - 16 - 4 * 144;
    let mut bytes = good.clone();
    let (first, second) = bytes[rows..].split_at_mut(144);
    first.swap_with_slice(&mut second[..144]);
    let file = opened(bytes).unwrap();
    let problem = file.value(Side::White, Slot(0)).unwrap_err().problem;
    assert!(matches!(problem, FileProblem::Format(FormatError::RowChecksum(0))));
}

/// The file with some header bytes changed and the header's checksum recomputed.
fn forged(at: usize, change: &[u8]) -> Vec<u8> {
    let mut bytes = written(&table("KRvK", 16));
    bytes[at..at + change.len()].copy_from_slice(change);
    let checksum = xxh3_64(&bytes[..120]);
    bytes[120..128].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn the_wrong_kind_of_file_is_named() {
    assert_eq!(format_error(opened(forged(0, b"PNG"))), FormatError::Magic(FormatKind::Solved));
    let version = FormatError::Version { kind: FormatKind::Solved, found: 2, expected: 1 };
    assert_eq!(format_error(opened(forged(8, &[2]))), version);
    assert_eq!(format_error(opened(forged(36, &[1]))), FormatError::Reserved("header"));
    assert!(matches!(format_error(opened(forged(24, &[1]))), FormatError::Slots { .. }));
    let cut = written(&table("KRvK", 16))[..100].to_vec();
    assert_eq!(format_error(opened(cut)), FormatError::Short { length: 100, least: 144 });
    let other = written(&table("KMvK", 16));
    let error = format_error(opened(other));
    assert_eq!(error.to_string(), "holds the table of KMvK, not of KRvK");
    let rules = Rules { promotion_rank: 7, ..MAKRUK.rules };
    let bytes = written(&table("KRvK", 16));
    assert!(matches!(format_error(opened_as(bytes, "KRvK", &rules)), FormatError::Rules { .. }));
}

/// The file with the first row of its offset table changed and its checksum recomputed.
fn with_row(change: impl FnOnce(&mut OffsetRow)) -> Vec<u8> {
    let mut bytes = written(&table("KRvK", 16));
    let at = bytes.len() - TRAILER_LENGTH - 4 * ROW_LENGTH;
    let place = &mut bytes[at..at + ROW_LENGTH];
    let mut row = OffsetRow::decode(0, place.as_ref().try_into().unwrap()).unwrap();
    change(&mut row);
    place.copy_from_slice(&row.encode(0));
    bytes
}

#[test]
fn rows_that_point_outside_their_blocks_are_found() {
    let changes: [fn(&mut OffsetRow); 5] = [
        |row| row.start = u64::MAX,
        |row| row.start = 1,
        |row| row.lengths[0] = u32::MAX,
        |row| row.lengths = [u32::MAX; ROW_BLOCKS],
        |row| row.lengths[0] = 0,
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let file = opened(with_row(change)).unwrap();
        assert!(file.value(Side::White, Slot(0)).is_err(), "change {number}");
        assert!(file.table().is_err() && file.verify_checksums().is_err(), "change {number}");
    }
    // Control: rewriting the unchanged row causes no error.
    opened(with_row(|_| ())).unwrap().verify_checksums().unwrap();
}

#[test]
fn a_header_with_huge_lengths_takes_no_memory() {
    // A longest win that needs two-byte codes for blocks of one-byte codes: lengths do not fit.
    let file = opened(forged(40, &1000u32.to_le_bytes())).unwrap();
    assert!(file.table().is_err());
    assert!(file.value(Side::White, Slot(0)).is_err());
    // A coding with fewer codes than the blocks hold.
    let file = opened(forged(40, &3u32.to_le_bytes())).unwrap();
    assert!(matches!(
        file.verify_checksums().unwrap_err().problem,
        FileProblem::Format(FormatError::Code { .. })
    ));
    // Another block size gives another number of blocks, hence another length.
    let error = format_error(opened(forged(32, &(1u32 << 20).to_le_bytes())));
    assert!(matches!(error, FormatError::Length { .. }));
}

#[test]
fn threads_do_not_change_the_bytes() {
    let table = table("KRvKM", 40);
    let bytes = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| written(&table))
    };
    let one = bytes(1);
    assert!(one == bytes(2) && one == bytes(3));
    let table = opened_as(one, "KRvKM", &MAKRUK.rules).unwrap().table().unwrap();
    assert_eq!(table.index().material().to_string(), "KRvKM");
}

/// A disk with room for this many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let table = table("KRvK", 16);
    for room in [0, 128, 1000, written(&table).len() - 1] {
        let error = write_to(&table, &MAKRUK.rules, &mut Full(room), &OPTIONS).unwrap_err();
        assert!(matches!(error, WriteProblem::Io(e) if e.kind() == io::ErrorKind::StorageFull));
    }
}

#[test]
fn errors_of_writing_name_the_file_and_leave_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    let good = table("KRvK", 16);
    let error = write(&good, &MAKRUK.rules, &missing, &OPTIONS).unwrap_err();
    assert!(error.to_string().contains("KRvK.dtm.smt"), "{error}");

    let odd = WriteOptions { block_codes: 1000, ..OPTIONS };
    let error = write(&good, &MAKRUK.rules, directory.path(), &odd).unwrap_err();
    assert!(matches!(error.problem, WriteProblem::Format(FormatError::BlockCodes(1000))));

    let values = good.values(Side::White).unwrap();
    let short = Values::new(values.coding(), values.codes()[1..].to_vec());
    let broken = Table::new(good.index().clone(), short, good.values(Side::Black).cloned());
    let error = write(&broken, &MAKRUK.rules, directory.path(), &OPTIONS).unwrap_err();
    assert!(matches!(error.problem, WriteProblem::Codes { side: Side::White, .. }));

    let mut codes = values.codes().to_vec();
    codes[5000] = 17;
    let wild = Values::new(values.coding(), codes);
    let broken = Table::new(good.index().clone(), wild, good.values(Side::Black).cloned());
    let error = write(&broken, &MAKRUK.rules, directory.path(), &OPTIONS).unwrap_err();
    let WriteProblem::Code { slot, code, .. } = error.problem else { panic!("{error}") };
    assert_eq!((slot, code), (Slot(5000), 17));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}
