//! Damaged packed files: every byte flipped, every length cut, and damage behind valid checksums.
//! The table is a small real one.

use rayon::prelude::*;
use sakmak_make::output::packed::{PackOptions, pack};
use sakmak_make::verify::sample_codes::SampleCodes;
use sakmak_probe::ProbeError;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::{FileError, FileProblem};
use sakmak_probe::file::packed::{BlockPart, PackedFile};
use sakmak_probe::tablebase::Tablebase;
use sakmak_solve::slots::legal::legal_position;
use sakmak_solve::solver::Solver;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::packed::row::{PackedRow, ROW_BLOCKS, row_range};
use sakmak_tables::format::{HEADER_LENGTH, Trailer};
use sakmak_tables::index::Slot;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const NAME: &str = "KRvK";

fn name() -> TableName {
    TableName::to_mate(NAME.parse().unwrap())
}

fn table() -> Table {
    Solver::default().solve(name(), &MAKRUK.rules, &|_| None).unwrap()
}

/// The bytes of the packed table.
fn packed(table: &Table) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let options = PackOptions { converted_men: 0, ..PackOptions::default() };
    let packed =
        pack(table, Metric::DistanceToMate, &MAKRUK, &[], directory.path(), options, &|_| ())
            .unwrap();
    std::fs::read(packed.file.path).unwrap()
}

fn opened(bytes: Vec<u8>) -> Result<PackedFile, FileError> {
    PackedFile::from_bytes(Path::new("KRvK.dtm.smp"), Box::new(bytes), name(), &MAKRUK)
}

/// All codes, block by block. Does not check the checksum of the file.
fn codes(file: &PackedFile) -> Result<Vec<Vec<[u16; 64]>>, FileError> {
    (0..file.layout().blocks()).map(|block| file.all_codes(block)).collect()
}

#[test]
fn every_flipped_byte_is_found_when_read() {
    let bytes = packed(&table());
    let right = opened(bytes.clone()).unwrap();
    right.verify_checksums().unwrap();
    let right = codes(&right).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let Ok(file) = opened(damaged) else { continue };
        assert!(file.verify_checksums().is_err(), "byte {at}");
        // Without an error all codes are right.
        if let Ok(read) = codes(&file) {
            assert!(read == right, "byte {at}");
        }
    }
}

#[test]
fn every_cut_length_is_found_when_opening() {
    let bytes = packed(&table());
    for length in 0..bytes.len() {
        assert!(opened(bytes[..length].to_vec()).is_err(), "{length} bytes");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(opened(longer).is_err());
}

/// Arbitrary bytes behind valid checksums give an error or codes that stand for values.
#[test]
fn arbitrary_blocks_behind_valid_checksums_never_panic() {
    let bytes = packed(&table());
    let layout = opened(bytes.clone()).unwrap().layout().clone();
    let rows_at = layout.rows_offset() as usize;
    let row_bytes = Trailer::decode(bytes.last_chunk().unwrap()).block_bytes;
    let mut refused = 0;
    for seed in 0..300u64 {
        let mut forged = bytes.clone();
        let at = xxh3_64(&seed.to_le_bytes()) as usize % row_bytes as usize;
        let rows = &mut forged[rows_at..rows_at + row_bytes as usize];
        for (place, byte) in rows[at..].iter_mut().take(9).enumerate() {
            *byte = xxh3_64_with_seed(&[place as u8], seed) as u8;
        }
        for row in 0..layout.rows() {
            let range = row_range(&bytes[layout.row_offset_at(row, row_bytes) as usize..]).unwrap();
            PackedRow::seal(row, &mut forged[rows_at..][range.start as usize..range.end as usize]);
        }
        let file = opened(forged).unwrap();
        for block in 0..layout.blocks() {
            match file.all_codes(block) {
                Err(_) => refused += 1,
                Ok(codes) => {
                    assert!(codes.iter().flatten().all(|&code| file.value(block, code).is_ok()));
                }
            }
            let last = TileSquare { tile: 0, square: 40 };
            // Alone, and with others.
            for parts in [1, 9] {
                let parts = vec![BlockPart { block, last }; parts];
                let _ = file.decode(&parts, |_, codes| {
                    assert!(file.value(block, codes.code(last).unwrap()).is_ok());
                });
            }
        }
        assert!(file.verify_checksums().is_err());
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn squares_and_blocks_past_the_last_are_errors() {
    let file = opened(packed(&table())).unwrap();
    let decodes = |block: u64, last: TileSquare| {
        let mut codes = vec![[0; SQUARES]; last.tile % 64 + 1];
        let decoded =
            file.decode(&[BlockPart { block, last }], |_, part| part.copy_tiles(&mut codes));
        decoded.map(|()| codes)
    };
    for block in [file.layout().blocks(), u64::MAX] {
        assert!(file.all_codes(block).is_err());
        assert!(decodes(block, file.last_square(0)).is_err());
    }
    let last_block = file.layout().blocks() - 1;
    for block in [0, last_block] {
        let last = file.last_square(block);
        assert_eq!(decodes(block, last).unwrap(), file.all_codes(block).unwrap());
        for tile in [last.tile + 1, usize::MAX] {
            assert!(decodes(block, TileSquare { tile, ..last }).is_err());
        }
        assert!(decodes(block, TileSquare { square: SQUARES, ..last }).is_err());
    }
    assert_eq!(file.layout().rows(), file.layout().blocks().div_ceil(ROW_BLOCKS));
    let problem = file.value(0, u16::MAX).unwrap_err().problem;
    assert!(matches!(problem, FileProblem::Format(FormatError::Code { .. })));
}

/// Many blocks at once and in any order give the codes of one by one.
#[test]
fn parts_of_blocks_have_the_codes_of_whole_ones() {
    let file = opened(packed(&table())).unwrap();
    let blocks = file.layout().blocks();
    let part = |n: u64| {
        let block = n * 7 % blocks;
        let last = file.last_square(block);
        let last =
            TileSquare { tile: n as usize % (last.tile + 1), square: n as usize * 11 % SQUARES };
        BlockPart { block, last }
    };
    let parts: Vec<BlockPart> = (0..blocks + 5).map(part).collect();
    let mut seen = vec![0; parts.len()];
    file.decode(&parts, |number, codes| {
        seen[number] += 1;
        let BlockPart { block, last } = parts[number];
        let whole = file.all_codes(block).unwrap();
        let squares =
            (0..=last.tile).flat_map(|tile| (0..SQUARES).map(move |square| (tile, square)));
        for (tile, square) in
            squares.take_while(|&(tile, square)| TileSquare { tile, square } <= last)
        {
            assert_eq!(codes.code(TileSquare { tile, square }), Some(whole[tile][square]));
        }
    })
    .unwrap();
    assert_eq!(seen, vec![1; parts.len()]);
}

/// Every code that a look-up of the positions or of their successors takes is among those of the
/// sample, and is that of its block.
#[test]
fn a_sample_has_the_codes_of_its_look_ups() {
    let (directory, bytes) = (tempfile::tempdir().unwrap(), packed(&table()));
    std::fs::write(directory.path().join(name().packed_file_name()), &bytes).unwrap();
    let tables = Tablebase::open(directory.path()).unwrap();
    let file = opened(bytes).unwrap();
    let slots = (0..file.index().slots()).step_by(97).map(Slot);
    let positions = slots.flat_map(|slot| {
        let placement = file.index().placement(slot);
        Side::BOTH.map(|side| legal_position(file.index(), &placement, side, &MAKRUK))
    });
    let positions: Vec<Position> = positions.flatten().collect();
    let sample = SampleCodes::read(&file, positions.par_iter().copied(), &|_| ()).unwrap();
    let blocks = codes(&file).unwrap();
    let taken = AtomicUsize::new(0);
    let known = |block: u64, TileSquare { tile, square }: TileSquare| {
        let code = sample.code(block, TileSquare { tile, square });
        assert_eq!(code, Some(blocks[block as usize][tile][square]));
        taken.fetch_add(1, Ordering::Relaxed);
        code
    };
    for position in &positions {
        let moves = position.legal_moves();
        let successors = moves.iter().map(|&played| position.play_uncounted(played));
        for position in successors.chain([*position]) {
            if position.material().material == name().material {
                let metric = Metric::DistanceToMate;
                tables.stored_given(metric, &position, Some(&known)).unwrap();
            }
        }
    }
    assert!(taken.into_inner() > positions.len());
}

#[test]
fn mapped_files_files_that_are_read_and_copies_in_memory_give_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let (table, path) = (table(), directory.path().join("KRvK.dtm.smp"));
    let bytes = packed(&table);
    std::fs::write(&path, &bytes).unwrap();
    let memory = opened(bytes).unwrap();
    for access in Access::ALL {
        let bytes = access.open(&path).unwrap();
        let file = PackedFile::from_bytes(&path, bytes, name(), &MAKRUK).unwrap();
        for block in 0..file.layout().blocks() {
            assert_eq!(file.all_codes(block).unwrap(), memory.all_codes(block).unwrap());
        }
    }
    let open = || Tablebase::open(directory.path()).unwrap();
    let read = open().with_access(Access::Read).with_cache(0).unwrap();
    let (mapped, small) = (open(), open().with_cache(20_000).unwrap());
    for slot in (0..table.index().slots()).map(Slot) {
        let placement = table.index().placement(slot);
        for side in Side::BOTH {
            let placed = table.index().placed(&placement);
            let Ok(position) = Position::new(&MAKRUK, side, placed) else { continue };
            if position.legality().is_ok() {
                let value = table.value(side, slot).unwrap();
                for tablebase in [&read, &mapped, &small] {
                    assert_eq!(tablebase.dtm(&position).unwrap(), value);
                }
            }
        }
    }
}

#[test]
fn each_kind_of_damage_is_named() {
    let bytes = packed(&table());
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KRvK.dtm.smp");
    let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1").unwrap();
    for (at, expected) in [
        (0, "not a packed file of Sakmak"),
        (8, "version"),
        (HEADER_LENGTH + 5, "the model is damaged"),
        (bytes.len() - 9, "cut short, too long or damaged"),
    ] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 64;
        std::fs::write(&path, damaged).unwrap();
        let error = Tablebase::open(directory.path()).unwrap().dtm(&position).unwrap_err();
        assert!(matches!(error, ProbeError::File(_)));
        let error = error.to_string();
        assert!(error.contains("KRvK.dtm.smp") && error.contains(expected), "{error}");
    }
    let other = TableName::to_mate("KNvK".parse().unwrap());
    let opened = PackedFile::from_bytes(&path, Box::new(bytes), other, &MAKRUK);
    let problem = opened.unwrap_err().to_string();
    assert!(problem.contains("KRvK") && problem.contains("KNvK"), "{problem}");
}
