//! WDL files against the tables: every legal position, and damage.

use crate::right_tables::all;
use crate::solved::solving;
use sakmak_make::output::solved::WrittenFile;
use sakmak_make::output::wdl::{WdlSources, make, verify_wdl};
use sakmak_make::store::TableStore;
use sakmak_make::system::ByteSize;
use sakmak_probe::ProbeError;
use sakmak_probe::file::wdl::WdlFile;
use sakmak_probe::tablebase::Tablebase;
use sakmak_solve::slots::legal::legal_position;
use sakmak_solve::solver::Width;
use sakmak_tables::counting::{Category, CountingRule};
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::tiles::king_tile::FixedKings;
use sakmak_tables::variants;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

const MEMORY: ByteSize = ByteSize(1 << 24);

/// Makes the WDL file of a material.
pub fn made(
    material: Material,
    counting_rule: &'static CountingRule,
    directory: &Path,
) -> WrittenFile {
    make(&tables_of(material, counting_rule), directory, MEMORY, &|_| ()).unwrap()
}

fn tables_of(material: Material, counting_rule: &'static CountingRule) -> WdlSources {
    let store =
        TableStore::new(&variants::counted_by(counting_rule).rules, Path::new("no such directory"));
    WdlSources::load(&store, material, counting_rule).unwrap()
}

/// Every legal position of a material, its colours changed now and then.
fn positions(material: Material, counting_rule: &'static CountingRule) -> Vec<Position> {
    let index = Index::new(material, &variants::counted_by(counting_rule).rules);
    let mut positions = Vec::new();
    for slot in (0..index.slots()).map(Slot) {
        for side in Side::BOTH {
            let placement = index.placement(slot);
            let position =
                legal_position(&index, &placement, side, variants::counted_by(counting_rule));
            let changed = |position: Position| match slot.0 % 3 {
                0 => position.colours_exchanged(),
                _ => position,
            };
            positions.extend(position.map(|found| changed(found).counted_by(counting_rule)));
        }
    }
    positions
}

fn every_position(materials: &[Material], counting_rule: &str) -> BTreeSet<Category> {
    let counting_rule = variants::counting_rule(counting_rule).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let without = solving();
    let mut seen = BTreeSet::new();
    for &material in materials {
        made(material, counting_rule, directory.path());
        let with = Tablebase::open(directory.path()).unwrap();
        let positions = positions(material, counting_rule);
        let mut together = Vec::new();
        with.wdl_batch(&positions, |verdict| together.push(verdict.unwrap()));
        for (position, together) in positions.iter().zip(together) {
            let verdict = with.wdl(position).unwrap();
            assert_eq!(verdict, together);
            assert_eq!(verdict, without.category(position).unwrap(), "{}", position.fen());
            seen.insert(verdict);
        }
    }
    seen
}

#[test]
fn verdicts_of_three_men_are_categories_at_a_fresh_count() {
    let in_directory =
        |rule: &&'static CountingRule| variants::counted_by(rule).rules.folder.is_none();
    for counting_rule in variants::counting_rules().filter(in_directory) {
        every_position(&Material::all_of(3), counting_rule.name);
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn verdicts_of_four_men_are_categories_at_a_fresh_count() {
    let names = ["KRvKR", "KMMvK", "KRvKP", "KNNvK", "KPPvK"];
    let materials = names.map(|name| name.parse().unwrap());
    assert_eq!(every_position(&materials, "makruk").len(), 5);
    every_position(&materials[1..3], "ouk");
}

/// Khons and all that is left out above, with `SAKMAK_ALL=1`; some minutes.
#[test]
fn verdicts_of_all_four_men() {
    if all() {
        for counting_rule in ["makruk", "ouk"] {
            every_position(&Material::all_of(4), counting_rule);
        }
    }
}

#[test]
fn bytes_are_the_same_whatever_the_memory_and_verify() {
    let counting_rule = variants::counting_rule("makruk").unwrap();
    // Its sample has not all categories.
    let material: Material = "KRvKS".parse().unwrap();
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let bytes = [0, 1 << 30].map(|memory| {
        let path = directories[usize::from(memory > 0)].path();
        let tables = tables_of(material, counting_rule);
        let made = make(&tables, path, ByteSize(memory), &|_| ()).unwrap();
        std::fs::read(made.path).unwrap()
    });
    assert_eq!(bytes[0], bytes[1]);
    let file = opened(&bytes[0], material, counting_rule).unwrap();
    verify_wdl(&file, &tables_of(material, counting_rule), MEMORY, &|_| ()).unwrap();
}

/// Five men, whose captures are examined.
#[test]
#[ignore = "long: part of the full tests"]
fn bytes_are_the_same_by_all_registers() {
    let counting_rule = variants::counting_rule("makruk").unwrap();
    let store = TableStore::in_memory(&variants::counted_by(counting_rule).rules);
    let of_width = |width: Width| {
        let directory = tempfile::tempdir().unwrap();
        let tables = WdlSources::load(&store, "KMMvKM".parse().unwrap(), counting_rule).unwrap();
        let made = make(&tables.in_registers(width), directory.path(), MEMORY, &|_| ()).unwrap();
        std::fs::read(made.path).unwrap()
    };
    let mut all = Width::available().into_iter().map(of_width);
    let portable = all.next().unwrap();
    assert!(all.all(|wide| wide == portable));
}

fn opened(
    bytes: &[u8],
    material: Material,
    counting_rule: &'static CountingRule,
) -> Result<WdlFile, sakmak_probe::file::open_file::FileError> {
    let rules = &variants::counted_by(counting_rule).rules;
    let index = Index::new(material, rules);
    let fixed_kings = Arc::new(FixedKings::new(index.kings().symmetries()));
    let name = WdlName { material, counting_rule };
    let path = Path::new("the file");
    WdlFile::from_bytes(path, bytes.to_vec(), name, &index, rules, &fixed_kings)
}

/// The stored category of a position. `None` if the file gives none.
fn looked_up(file: &WdlFile, position: &Position) -> Option<Category> {
    let address = file.locate(position, position.material().flipped)?;
    let group = file.tile_group(&address, file.row(&address).ok()?).ok()?;
    file.category(&address, file.find(&address, group).ok()?).ok()
}

/// Makes all checksums of a WDL file of KRvK right, as far as its records allow.
fn mend(bytes: &mut [u8]) {
    // A row for each of the ten squares of the fixed king.
    const DIRECTORY: usize = 10 * ENTRY;
    const ENTRY: usize = 8;
    let mut front = 128;
    let sides = [48, 80].map(|record| {
        let words = match number(bytes, record + 2, 1).count_ones() {
            0..=2 => 1,
            3..=4 => 2,
            _ => 3,
        };
        let directory = front + number(bytes, record + 16, 4) * words * 8;
        front = directory + DIRECTORY;
        (directory, number(bytes, record + 24, 8))
    });
    let mut rows = front;
    for (directory, length) in sides {
        let entries: Vec<usize> = (directory..directory + DIRECTORY).step_by(ENTRY).collect();
        let mut starts: Vec<usize> = entries.iter().map(|&at| number(bytes, at, 4)).collect();
        starts.push(length);
        for (entry, row) in entries.into_iter().zip(starts.windows(2)) {
            // A row without bytes has a category in place of the checksum.
            let row = bytes.get(rows + row[0]..rows + row[1]).filter(|row| !row.is_empty());
            if let Some(checksum) = row.map(xxh3_64) {
                write(bytes, entry + 4, &(checksum as u32).to_le_bytes());
            }
        }
        rows += length;
    }
    let end = bytes.len() - size_of::<u64>();
    for (covered, at) in [(128..front, 40), (0..120, 120), (0..end, end)] {
        if let Some(checksum) = bytes.get(covered).map(xxh3_64) {
            write(bytes, at, &checksum.to_le_bytes());
        }
    }
}

/// A number of so many bytes; 0 past the end.
fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    let field = bytes.get(at..at + length).unwrap_or_default();
    field.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

/// Writes over some bytes; nothing past the end.
fn write(bytes: &mut [u8], at: usize, field: &[u8]) {
    if let Some(bytes) = bytes.get_mut(at..at + field.len()) {
        bytes.copy_from_slice(field);
    }
}

#[test]
fn every_flipped_byte_is_found_and_none_panics() {
    let counting_rule = variants::counting_rule("makruk").unwrap();
    let material: Material = "KRvK".parse().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let bytes = std::fs::read(made(material, counting_rule, directory.path()).path).unwrap();
    let positions: Vec<Position> =
        positions(material, counting_rule).into_iter().step_by(97).collect();
    let sample = || positions.iter().step_by(11);
    let file = opened(&bytes, material, counting_rule).unwrap();
    let right: Vec<Category> =
        sample().map(|position| looked_up(&file, position).unwrap()).collect();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let whole = opened(&damaged, material, counting_rule).and_then(|file| file.verify());
        assert!(whole.is_err(), "byte {at}");
        // A look-up finds damage of its row.
        if let Ok(file) = opened(&damaged, material, counting_rule) {
            for (position, right) in sample().zip(&right) {
                let found = looked_up(&file, position);
                assert!(found.is_none_or(|found| found == *right), "byte {at}");
            }
        }
        // Behind right checksums the verdict may be wrong, but nothing panics.
        mend(&mut damaged);
        let Ok(file) = opened(&damaged, material, counting_rule) else { continue };
        for position in positions.iter().skip(at % 7).step_by(7) {
            let _ = looked_up(&file, position);
        }
    }
    for length in 0..bytes.len() {
        assert!(opened(&bytes[..length], material, counting_rule).is_err(), "{length} bytes");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(opened(&longer, material, counting_rule).is_err());
}

#[test]
fn a_damaged_row_is_an_error_of_its_positions_and_of_preparing() {
    let counting_rule = variants::counting_rule("makruk").unwrap();
    let material: Material = "KRvK".parse().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = made(material, counting_rule, directory.path()).path;
    let mut bytes = std::fs::read(&path).unwrap();
    // Rows end where the checksum of the file begins.
    let last = bytes.len() - size_of::<u64>() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let names = |error: &ProbeError| match error {
        ProbeError::File(error) => error.path == path,
        _ => false,
    };
    let tables = Tablebase::open(directory.path()).unwrap();
    let errors: Vec<ProbeError> = positions(material, counting_rule)
        .iter()
        .filter_map(|position| tables.wdl(position).err())
        .collect();
    assert!(!errors.is_empty() && errors.iter().all(names));
    let tables = Tablebase::open(directory.path()).unwrap();
    assert!(names(&tables.prepare(counting_rule, 3).unwrap_err()));
}

#[test]
fn what_has_no_verdict_is_refused_as_what_has_no_value() {
    let counting_rule = variants::counting_rule("ouk").unwrap();
    let variant = variants::counted_by(counting_rule);
    let directory = tempfile::tempdir().unwrap();
    made("KRvK".parse().unwrap(), counting_rule, directory.path());
    let tables = Tablebase::open(directory.path()).unwrap();
    let verdict = |fen: &str| tables.wdl(&Position::from_fen(variant, fen).unwrap());
    let piece = |side, kind, square: &str| (Piece::new(side, kind), square.parse().unwrap());
    let illegal = |rook: &str| {
        let kings =
            [piece(Side::White, PieceKind::King, "e1"), piece(Side::Black, PieceKind::King, "d5")];
        let men = kings.into_iter().chain([piece(Side::White, PieceKind::Rook, rook)]);
        Position::new(variant, Side::White, men).unwrap()
    };
    // Before its file is opened and after.
    assert!(matches!(tables.wdl(&illegal("d2")), Err(ProbeError::Illegal(_))));
    assert!(tables.wdl(&illegal("e2")).is_ok());
    assert!(matches!(tables.wdl(&illegal("d2")), Err(ProbeError::Illegal(_))));
    let missing = verdict("8/8/8/3k4/8/8/4N3/4K3 w - - 0 1");
    assert!(matches!(missing, Err(ProbeError::Missing { .. })));
    let many = verdict("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1");
    assert!(matches!(many, Err(ProbeError::TooManyMen { men: 32 })));
    assert_eq!(verdict("8/8/8/3k4/8/8/8/4K3 w - - 0 1").unwrap(), Category::Draw);
    assert!(verdict("8/8/8/3k4/8/8/4R3/4K3 b - - 0 1").is_ok());

    let fens = [
        "8/8/8/3k4/8/8/4R3/4K3 b - - 0 1",
        "8/8/8/3k4/8/8/4N3/4K3 w - - 0 1",
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
        "8/8/8/3k4/8/8/8/4K3 w - - 0 1",
        "8/8/8/3k4/8/8/4R3/3K4 w D - 0 1",
    ];
    let read = fens.map(|fen| Position::from_fen(variant, fen).unwrap());
    let positions = [&[illegal("d2"), illegal("e2")], &read[..]].concat().repeat(9);
    let mut together = Vec::new();
    tables.wdl_batch(&positions, |verdict| together.push(format!("{verdict:?}")));
    let alone = positions.iter().map(|position| format!("{:?}", tables.wdl(position)));
    assert_eq!(together, alone.collect::<Vec<_>>());
    assert!(together.contains(&format!("Err({})", ProbeError::LeapRights)));

    // Under a running count the file decides some, and the tables are missing for the others.
    let counts = ["30 2 1", "30 6 1", "30 28 1"];
    let counted = counts.map(|count| {
        let fen = format!("8/8/8/3k4/8/8/4R3/4K3 b - {count}");
        Position::from_fen(variant, &fen).unwrap()
    });
    let positions = [&counted[..], &positions].concat();
    let mut together = Vec::new();
    tables.category_batch(&positions, |verdict| together.push(format!("{verdict:?}")));
    let alone = positions.iter().map(|position| format!("{:?}", tables.category(position)));
    assert_eq!(together, alone.collect::<Vec<_>>());
}

#[test]
fn a_missing_file_is_found_after_a_directory_is_added() {
    let counting_rule = variants::counting_rule("makruk").unwrap();
    let position =
        Position::from_fen(variants::counted_by(counting_rule), "8/8/8/3k4/8/8/4R3/4K3 b - - 0 1");
    let position = position.unwrap();
    let missing = |tables: &Tablebase| {
        assert!(matches!(tables.wdl(&position), Err(ProbeError::Missing { .. })));
    };
    let (empty, directory) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut tables = Tablebase::new();
    missing(&tables);
    tables.add_directory(empty.path()).unwrap();
    missing(&tables);
    made("KRvK".parse().unwrap(), counting_rule, directory.path());
    tables.add_directory(directory.path()).unwrap();
    assert_eq!(tables.wdl(&position).unwrap(), Category::BlessedLoss);
    // A file that appears later in a directory that was searched is found too.
    let mut tables = Tablebase::open(empty.path()).unwrap();
    missing(&tables);
    made("KRvK".parse().unwrap(), counting_rule, empty.path());
    tables.add_directory(tempfile::tempdir().unwrap().path()).unwrap();
    assert_eq!(tables.wdl(&position).unwrap(), Category::BlessedLoss);
}
