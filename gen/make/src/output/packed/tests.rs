//! Packed tables give the values of the solved ones, whatever the options.

use crate::output::packed::agree::agree;
use crate::output::packed::block_group::BlockWaves;
use crate::output::packed::source::SourceWindow;
use crate::output::packed::tile_source::TileSource;
use crate::output::packed::*;
use crate::output::solved::{WriteOptions, write};
use crate::store::TableStore;
use sakmak_probe::file::bytes::{Access, Bytes};
use sakmak_probe::file::packed::{BlockPart, PackedFile, PartCodes};
use sakmak_probe::tablebase::Tablebase;
use sakmak_solve::slots::code_run::CodeRun;
use sakmak_solve::slots::legal::legal_position;
use sakmak_solve::slots::one_ply::OnePly;
use sakmak_solve::slots::paged_table::PagedTable;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::distance::Moves;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::Material;
use sakmak_tables::tiles::order::TileOrder;
use sakmak_tables::tiles::tile::{TileSquare, Tiles};
use sakmak_tables::values::table::Table;
use sakmak_tables::values::{Coding, Values};
use sakmak_tables::variants::MAKRUK;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

/// A table whose codes can only be read king pair by king pair.
struct TableOfPairs(Arc<Table>);

impl TableCodes for TableOfPairs {
    fn index(&self) -> &Index {
        self.0.index()
    }

    fn coding(&self, side: Side) -> Option<Coding> {
        TableCodes::coding(&*self.0, side)
    }

    fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let per_pair = self.0.index().slots_per_pair();
        assert!(slots.start.is_multiple_of(per_pair) && slots.end == slots.start + per_pair);
        self.0.window(side, slots)
    }
}

/// The tables of all tests, each solved once.
static SOLVED: LazyLock<TableStore<'static>> =
    LazyLock::new(|| TableStore::in_memory(&MAKRUK.rules));

/// A material and all it depends on, solved.
fn solved(material: &str) -> Vec<Arc<Table>> {
    let material: Material = material.parse().unwrap();
    let all = Material::closure([material], &MAKRUK.rules).into_iter();
    all.map(|material| SOLVED.table(TableName::to_mate(material)).unwrap()).collect()
}

fn pack_all(tables: &[Arc<Table>], directory: &Path, options: PackOptions) -> Vec<PackedTable> {
    let smaller = |table: &Table| -> Vec<Arc<Table>> {
        let successors = table.index().material().successors(&MAKRUK.rules);
        let is = |material: &Material| {
            tables.iter().find(|table| table.index().material() == *material).unwrap().clone()
        };
        successors.iter().map(is).collect()
    };
    let packed = |table: &Arc<Table>| {
        let smaller = smaller(table);
        let smaller: Vec<&dyn TableCodes> =
            smaller.iter().map(|table| &**table as &dyn TableCodes).collect();
        pack(&**table, Metric::DistanceToMate, &MAKRUK, &smaller, directory, options, &|_| ())
            .unwrap()
    };
    tables.iter().map(packed).collect()
}

#[test]
#[ignore = "long: part of the full tests"]
fn packed_tables_have_the_values_of_solved_ones() {
    let small = PackOptions { converted_men: 0, ..PackOptions::default() };
    let cold = PackOptions { cold: true, ..PackOptions::default() };
    for (name, tiles, options) in [
        ("KRvKM", 8, small),
        ("KRvKM", 2, cold),
        ("KRvKM", 2, PackOptions::default()),
        ("KSPvK", 4, small),
        ("KSPvK", 2, PackOptions { converted_men: 3, ..small }),
        ("KMMvK", 1, cold),
        ("KPvKP", 8, small),
        ("KSvKP", 64, small),
        ("KRvKR", 3, cold),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let tables = solved(name);
        pack_all(&tables, directory.path(), PackOptions { tiles, ..options });
        let tablebase = Tablebase::open(directory.path()).unwrap();
        let table = tables.last().unwrap();
        assert_eq!(table.index().material().to_string(), name);
        let mut legal = 0;
        // A prime step, so that all kinds of positions occur.
        for slot in (0..table.index().slots()).step_by(149).map(Slot) {
            let placement = table.index().placement(slot);
            for &side in Table::sides(table.index()) {
                if let Some(position) = legal_position(table.index(), &placement, side, &MAKRUK) {
                    legal += 1;
                    let value = tablebase.dtm(&position).unwrap();
                    assert_eq!(Some(value), table.value(side, slot), "{}", position.fen());
                }
            }
        }
        assert!(legal > 1000, "{name}: {legal}");
    }
}

#[test]
fn blocks_without_bytes_are_not_decoded() {
    let directory = tempfile::tempdir().unwrap();
    // Mostly draws.
    let tables = solved("KMvKM");
    let packed = pack_all(&tables, directory.path(), PackOptions::default()).pop().unwrap();
    let table = tables.last().unwrap();
    let name = TableName::to_mate(table.index().material());
    let file = PackedFile::open(&packed.file.path, Access::default(), name, &MAKRUK).unwrap();
    let (mut same, mut decoded, mut empty) = (0u64, 0u64, 0);
    for batch in 0..file.batches() {
        let count = |block, codes: PartCodes<'_>| match codes {
            PartCodes::Same(_) => (same, empty) = (same + 1, block),
            PartCodes::Tiles(_) | PartCodes::Lane(..) => decoded += 1,
        };
        file.decode_batch(batch, count).unwrap();
    }
    assert!(same > decoded && decoded > 0, "{same} {decoded}");
    agree(&file, table, &|_| ()).unwrap();
    for (block, last) in [
        (empty, TileSquare { tile: 2, square: 0 }),
        (empty, TileSquare { tile: 1, square: SQUARES }),
        (same + decoded, TileSquare { tile: 0, square: 0 }),
    ] {
        assert!(file.decode(&[BlockPart { block, last }], |_, _| ()).is_err());
    }
    // Between blocks that are decoded, in any order, and more than there are lanes.
    let whole = |block| BlockPart { block, last: file.last_square(block) };
    let blocks = same + decoded;
    let parts: Vec<BlockPart> = (0..1000).map(|n| whole(n * 7_919 % blocks)).collect();
    let mut visited = vec![0; parts.len()];
    file.decode(&parts, |number, codes| {
        visited[number] += 1;
        let mut tiles = vec![[0; SQUARES]; parts[number].last.tile + 1];
        codes.copy_tiles(&mut tiles);
        assert_eq!(tiles, file.all_codes(parts[number].block).unwrap());
    })
    .unwrap();
    assert_eq!(visited, vec![1; parts.len()]);
}

/// Bytes in memory, and the pages of 4,096 bytes that were read.
#[derive(Debug)]
struct PagedBytes {
    bytes: Vec<u8>,
    read: Arc<Mutex<BTreeSet<u64>>>,
}

impl Bytes for PagedBytes {
    fn length(&self) -> u64 {
        self.bytes.length()
    }

    fn read<'a>(
        &'a self,
        offset: u64,
        length: usize,
        scratch: &'a mut Vec<u8>,
    ) -> std::io::Result<&'a [u8]> {
        self.read.lock().unwrap().extend(offset / 4096..=(offset + length as u64 - 1) / 4096);
        self.bytes.read(offset, length, scratch)
    }
}

#[test]
fn a_cold_probe_of_the_stronger_side_reads_one_row() {
    let directory = tempfile::tempdir().unwrap();
    let tables = solved("KRvKM");
    let options = PackOptions { cold: true, ..PackOptions::default() };
    let packed = pack_all(&tables, directory.path(), options).pop().unwrap();
    assert_eq!(packed.kept, Side::White);
    let index = tables.last().unwrap().index();
    let name = TableName::to_mate(index.material());
    let mut probes = 0;
    for slot in (0..index.slots()).step_by(10_007).map(Slot) {
        let placement = index.placement(slot);
        if legal_position(index, &placement, Side::White, &MAKRUK).is_none() {
            continue;
        }
        let read = Arc::new(Mutex::new(BTreeSet::new()));
        let bytes = std::fs::read(&packed.file.path).unwrap();
        let bytes = PagedBytes { bytes, read: Arc::clone(&read) };
        let file =
            PackedFile::from_bytes(&packed.file.path, Box::new(bytes), name, &MAKRUK).unwrap();
        assert!(options.are_of(file.layout().header()));
        let (block, last) = file.locate(&placement).unwrap();
        read.lock().unwrap().clear();
        file.decode(&[BlockPart { block, last }], |_, _| ()).unwrap();
        probes += 1;
        // That of the row's offset, and those of the row, which may begin on one and end on the
        // next.
        assert!(read.lock().unwrap().len() <= 3, "{:?}", read.lock().unwrap());
    }
    assert!(probes > 100, "{probes}");
}

#[test]
fn a_table_for_conversions_keeps_the_other_side_exactly() {
    let header = |name: &str, options: PackOptions| {
        let directory = tempfile::tempdir().unwrap();
        let packed = pack_all(&solved(name), directory.path(), options).pop().unwrap();
        let name = name.parse().unwrap();
        let file = PackedFile::open(&packed.file.path, Access::default(), name, &MAKRUK).unwrap();
        file.layout().header().clone()
    };
    for name in ["KRvKM", "KSvKP", "KRMvK", "KRvKR"] {
        let small = header(name, PackOptions { converted_men: 3, ..PackOptions::default() });
        let converted = header(name, PackOptions { converted_men: 4, ..PackOptions::default() });
        let is_symmetric = converted.preamble.name.material.is_symmetric();
        assert_eq!(converted.kept, if is_symmetric { Side::White } else { !small.kept }, "{name}");
        assert!(!converted.dont_care, "{name}");
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn groups_of_blocks_have_the_tiles_that_are_read_one_by_one() {
    for name in ["KRvKM", "KPvKP", "KMMvKM", "KPPvK", "KRvKR"] {
        let tables = solved(name);
        let (table, smaller) = tables.split_last().unwrap();
        let own = PagedTable::new(&**table);
        let smaller: Vec<PagedTable<'_>> =
            smaller.iter().map(|table| PagedTable::new(&**table)).collect();
        let one_ply = OnePly::new(&own, Metric::DistanceToMate, &MAKRUK, &smaller);
        let values = table.values(Side::White).unwrap();
        // Every value in two bytes.
        let Coding { wins, .. } = values.coding();
        let wide = Coding { wins, losses: Some(Moves(300)) };
        let codes = (0..table.index().slots()).flat_map(|slot| {
            let value = values.get(Slot(slot)).unwrap();
            wide.encode(value).unwrap().to_le_bytes()
        });
        let wide = Values::new(wide, codes.collect::<Vec<u8>>());
        for order in TileOrder::all(table.index()) {
            let tiles = Tiles::new(table.index(), &MAKRUK, &order).unwrap();
            for (values, block_tiles) in [(values, 2), (&wide, 2), (values, 3), (values, 16)] {
                let codes = CodeRun::of(values);
                let (side, coding) = (Side::White, values.coding());
                let source = TileSource::new(side, coding, order.clone(), tiles.clone());
                let source = source.reader(&SourceWindow { codes, one_ply: &one_ply });
                let mut targets = Vec::new();
                for wave in BlockWaves::new(&tiles, block_tiles).of(0..tiles.len()) {
                    for group in wave.iter().step_by(11) {
                        source.group(group, block_tiles as usize, |_| false, &mut targets);
                        for (target, number) in targets.iter().zip(group.tiles()) {
                            let alone = &source.range(number.0..number.0 + 1)[0];
                            let same = target.shape == alone.shape
                                && target.dont_care == alone.dont_care
                                && Bitboard(alone.shape.kept).into_iter().all(|square| {
                                    let square = square.index();
                                    target.codes[square] == alone.codes[square]
                                });
                            assert!(same, "{name} {order:?} {number:?}");
                        }
                        assert_eq!(targets.len(), group.tiles().count());
                    }
                }
            }
        }
    }
}

#[test]
fn packed_tables_are_smaller_and_the_same_each_time() {
    let tables = solved("KSvKM");
    let [one, other, solved] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let options = PackOptions { tiles: 8, converted_men: 0, ..PackOptions::default() };
    let packed = pack_all(&tables, one.path(), options);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let again = threads.install(|| pack_all(&tables, other.path(), options));
    for (packed, again) in packed.iter().zip(&again) {
        assert_eq!(packed.file.checksum, again.file.checksum);
        let [one, other] = [packed, again].map(|packed| std::fs::read(&packed.file.path).unwrap());
        assert!(one == other);
    }
    let table = tables.last().unwrap();
    let whole = write(&**table, &MAKRUK.rules, solved.path(), &WriteOptions::default()).unwrap();
    let packed = packed.last().unwrap().file.length;
    // The model takes most of a file of four men.
    assert!(packed < whole.length, "{packed} of {}", whole.length);
}

#[test]
#[ignore = "long: part of the full tests"]
fn a_table_read_window_by_window_gives_the_same_bytes() {
    let mut with_dont_care = 0;
    // The table in memory, those it depends on on disk.
    let with_smaller_on_disk = "KPvKP";
    for (name, tiles, cold) in [
        ("KRvKM", 2, false),
        ("KPvKP", 2, false),
        ("KMMvKM", 2, false),
        ("KPPvK", 3, false),
        ("KSvKP", 64, false),
        ("KRvKR", 7, true),
    ] {
        let tables = solved(name);
        let options = PackOptions { tiles, cold, converted_men: 0 };
        let [whole, read] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let expected = pack_all(&tables, whole.path(), options).pop().unwrap().file;
        let mut tables: Vec<TableOfPairs> = tables.into_iter().map(TableOfPairs).collect();
        let table = tables.pop().unwrap();
        let successors = table.index().material().successors(&MAKRUK.rules);
        let smaller: Vec<&dyn TableCodes> = (tables.iter())
            .filter(|table| successors.contains(&table.index().material()))
            .map(|table| table as &dyn TableCodes)
            .collect();
        let metric = Metric::DistanceToMate;
        let packed = pack(&table, metric, &MAKRUK, &smaller, read.path(), options, &|_| ());
        let packed = packed.unwrap().file;
        let name: TableName = name.parse().unwrap();
        let file = PackedFile::open(&packed.path, Access::default(), name, &MAKRUK).unwrap();
        with_dont_care += usize::from(file.has_dont_care());
        let [expected, packed] = [expected, packed].map(|file| std::fs::read(file.path).unwrap());
        assert!(expected == packed, "{name}");
        if with_smaller_on_disk == name.to_string() {
            let mixed = tempfile::tempdir().unwrap();
            let codes: &dyn TableCodes = &*table.0;
            let source = PackSource { codes, metric, variant: &MAKRUK, smaller: &smaller };
            assert!(!source.is_whole(Side::White));
            let packed = pack(codes, metric, &MAKRUK, &smaller, mixed.path(), options, &|_| ());
            assert!(std::fs::read(packed.unwrap().file.path).unwrap() == expected, "{name}, mixed");
        }
    }
    assert!(with_dont_care > 0);
}

#[test]
fn progress_comes_to_all_slots_and_not_beyond() {
    for name in ["KPvKP", "KSvKP", "KPPvK", "KRvKR"] {
        let (tables, directory) = (solved(name), tempfile::tempdir().unwrap());
        let (table, smaller) = tables.split_last().unwrap();
        let successors = table.index().material().successors(&MAKRUK.rules);
        let smaller: Vec<&dyn TableCodes> = smaller
            .iter()
            .filter(|table| successors.contains(&table.index().material()))
            .map(|table| &**table as &dyn TableCodes)
            .collect();
        let (metric, options) = (Metric::DistanceToMate, PackOptions::default());
        let told = AtomicU64::new(0);
        let progress = |slots| {
            told.fetch_add(slots, Ordering::Relaxed);
        };
        pack(&**table, metric, &MAKRUK, &smaller, directory.path(), options, &progress).unwrap();
        assert_eq!(told.swap(0, Ordering::Relaxed), table.index().slots(), "{name}");
        let name = TableName::to_mate(table.index().material());
        let file = directory.path().join(name.packed_file_name());
        let file = PackedFile::open(&file, Access::default(), name, &MAKRUK).unwrap();
        agree(&file, table, &progress).unwrap();
        assert_eq!(told.into_inner(), table.index().slots(), "{name}, compared");
    }
}

#[test]
fn failed_packing_leaves_no_file() {
    let tables = solved("KRvK");
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing");
    let options = PackOptions::default();
    let error = pack(&*tables[0], Metric::DistanceToMate, &MAKRUK, &[], &missing, options, &|_| ())
        .unwrap_err();
    assert!(error.to_string().contains("KRvK.dtm.smp"), "{error}");
    for tiles in [0, 65] {
        let options = PackOptions { tiles, ..PackOptions::default() };
        assert!(
            pack(
                &*tables[0],
                Metric::DistanceToMate,
                &MAKRUK,
                &[],
                directory.path(),
                options,
                &|_| ()
            )
            .is_err()
        );
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}
