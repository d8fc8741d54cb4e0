//! Small tables and their files.

use sakmak_make::output::packed::{PackOptions, pack};
use sakmak_make::output::solved::{WriteOptions, write_to};
use sakmak_make::output::wdl::{WdlSources, make};
use sakmak_make::store::TableStore;
use sakmak_make::system::ByteSize;
use sakmak_solve::solver::Solver;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::{HEADER_LENGTH, TRAILER_LENGTH};
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::values::table::Table;
use sakmak_tables::values::{Coding, Values};
use sakmak_tables::variants::{self, MAKRUK};
use std::ops::Range;

/// The material of all tables.
const MATERIAL: &str = "KRvK";

/// The name of all tables.
pub fn name() -> TableName {
    TableName::to_mate(MATERIAL.parse().expect("a material"))
}

/// A table and its file.
pub struct Fixture {
    /// The table.
    pub table: Table,
    /// The bytes of a valid file.
    pub file: Vec<u8>,
}

impl Fixture {
    /// The parts of the file: header, then everything up to `rows`, the table of offsets or rows at
    /// that offset, the trailer, and the whole file.
    pub fn parts(&self, rows: usize) -> [Range<usize>; 5] {
        let (rows, end) = (rows.max(HEADER_LENGTH), self.file.len());
        let trailer = end - TRAILER_LENGTH;
        [0..HEADER_LENGTH, HEADER_LENGTH..rows, rows..trailer, trailer..end, 0..end]
    }
}

/// The solved table, with codes of one byte.
pub fn solved() -> Table {
    Solver::default().solve(name(), &MAKRUK.rules, &|_| None).expect("a table with no other")
}

/// A table of arbitrary values, with codes of two bytes.
pub fn wide() -> Table {
    let index = Index::new(name().material, &MAKRUK.rules);
    let values = |coding: Coding| {
        let code = |slot: u64| (slot / 97 % u64::from(coding.codes())) as u16;
        let codes = (0..index.slots()).flat_map(|slot| code(slot).to_le_bytes());
        Values::new(coding, codes.collect::<Vec<_>>())
    };
    let white = values(Coding { wins: Moves(300), losses: None });
    let black = values(Coding { wins: Moves(0), losses: Some(Moves(400)) });
    Table::new(index.clone(), white, Some(black))
}

/// The table as a solved file with small blocks.
pub fn written(table: Table) -> Fixture {
    let options = WriteOptions { metric: Metric::DistanceToMate, level: 3, block_codes: 1 << 10 };
    let mut file = Vec::new();
    write_to(&table, &MAKRUK.rules, &mut file, &options).expect("memory takes it");
    Fixture { table, file }
}

/// The WDL file of the material under the rule of Makruk.
pub fn wdl() -> (Vec<u8>, Material) {
    let directory = tempfile::tempdir().expect("a directory");
    let counting_rule = variants::counting_rule("makruk").expect("a counting rule");
    let material = name().material;
    let store = TableStore::new(&MAKRUK.rules, directory.path());
    let tables = WdlSources::load(&store, material, counting_rule).expect("a table that is solved");
    let made = make(&tables, directory.path(), ByteSize(1 << 28), &|_| ()).expect("a file");
    (std::fs::read(made.path).expect("the file just written"), material)
}

/// The table as a packed file with blocks of this many tiles.
pub fn packed(table: Table, tiles: usize) -> Fixture {
    let directory = tempfile::tempdir().expect("a directory");
    let options = PackOptions { tiles, converted_men: 0, ..PackOptions::default() };
    let packed =
        pack(&table, Metric::DistanceToMate, &MAKRUK, &[], directory.path(), options, &|_| ());
    let path = packed.expect("a table that can be packed").file.path;
    let file = std::fs::read(path).expect("the file just written");
    Fixture { table, file }
}
