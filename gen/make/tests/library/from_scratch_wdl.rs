//! WDL files, read by a reader written from `FORMAT.md` alone, against the library.
//!
//! The reader shares no code with the format, the symbols and the cells. It decodes a row from its first
//! span on and writes out every string. Legality comes from the library.

use crate::scratch::slots::{
    LikePieces, choose, groups, number, symmetries, turned, u32_at, u64_at,
};
use sakmak_make::output::wdl::{WdlSources, make};
use sakmak_make::store::TableStore;
use sakmak_make::system::ByteSize;
use sakmak_probe::tablebase::Tablebase;
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::{self, MAKRUK};
use std::collections::HashMap;
use std::path::Path;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const ROW_CELLS: usize = 1 << 18;
const SWEPT_KING: usize = 6;

/// One side to move of a WDL file.
struct WdlSection {
    swept: usize,
    /// The piece of each digit, its part, the number of its values.
    digits: Vec<(usize, usize, usize)>,
    /// The categories of all cells, by fixed king.
    cells: Vec<Vec<usize>>,
}

struct WdlReader {
    material: &'static str,
    groups: Vec<LikePieces>,
    fixed_kings: Vec<usize>,
    sides: Vec<Option<WdlSection>>,
}

/// The numbers of a position's groups, and of its swept king.
fn numbers(
    groups: &[LikePieces],
    men: &[(usize, char, usize)],
    symmetry: usize,
    swept: usize,
) -> Vec<usize> {
    let squares = |side: usize, letter: char| {
        let mine = men.iter().filter(move |piece| (piece.0, piece.1) == (side, letter));
        mine.map(|piece| turned(piece.2, symmetry)).collect::<Vec<usize>>()
    };
    let of_group = |group: &LikePieces| {
        let mut places: Vec<usize> =
            squares(group.side, group.letter).iter().map(|square| square - group.lowest).collect();
        places.sort_unstable();
        number(&places)
    };
    let mut numbers: Vec<usize> = groups.iter().map(of_group).collect();
    numbers.resize(SWEPT_KING, 0);
    numbers.push(squares(swept, 'K')[0]);
    numbers
}

impl WdlReader {
    fn open(material: &'static str, file: &[u8]) -> WdlReader {
        assert_eq!(&file[..12], b"\x89SAKMKV\n\x02\0\0\0");
        assert_eq!(u64_at(file, 120) as u64, xxh3_64(&file[..120]));
        let end = file.len() - 8;
        assert_eq!(u64_at(file, end) as u64, xxh3_64(&file[..end]));
        let groups = groups(material);
        let least = |square: usize| (0..symmetries(material)).map(move |s| turned(square, s)).min();
        let fixed_kings: Vec<usize> =
            (0..64).filter(|&square| least(square) == Some(square)).collect();
        let records = [48, 80].map(|at| &file[at..at + 32]);
        let digits_of = |record: &[u8]| -> Vec<(usize, usize, usize)> {
            let bytes = record[16..].iter().take_while(|&&byte| byte != 0);
            let digit = |&byte: &u8| {
                let (piece, part) = ((usize::from(byte) - 1) / 3, (usize::from(byte) - 1) % 3);
                let all = match groups.get(piece) {
                    Some(group) => choose(group.places, group.men),
                    None => 64,
                };
                (piece, part, [all, all / 8, 8][part])
            };
            bytes.map(digit).collect()
        };
        let cells_of =
            |digits: &[(usize, usize, usize)]| digits.iter().map(|digit| digit.2).product();
        let rows_of = |record: &[u8]| {
            let cells: usize = cells_of(&digits_of(record));
            fixed_kings.len() * cells.div_ceil(ROW_CELLS)
        };
        let is_there = |record: &[u8]| record.iter().any(|&byte| byte != 0);
        let mut at = 128;
        let mut parts = Vec::new();
        for record in records.into_iter().filter(|record| is_there(record)) {
            let (model, offsets) = (at, at + u32_at(record, 4));
            at = offsets + 6 * (rows_of(record) + 1);
            parts.push((record, model..offsets, offsets..at));
        }
        assert_eq!(u64_at(file, 40) as u64, xxh3_64(&file[128..at]));
        let mut sides = Vec::new();
        for (record, model, offsets) in parts {
            let digits = digits_of(record);
            let model = zstd::bulk::decompress(&file[model], 1 << 20).unwrap();
            let offsets = file[offsets].chunks(6).map(|offset| {
                (u64_at(&[&offset[..5], &[0; 3]].concat(), 0), usize::from(offset[5]))
            });
            let offsets: Vec<(usize, usize)> = offsets.collect();
            let rows = &file[at..at + u64_at(record, 8)];
            at += rows.len();
            assert_eq!(record[1], 0);
            let model = Model::read(&model);
            let all: usize = cells_of(&digits);
            let mut row = 0;
            let cells = fixed_kings.iter().map(|_| {
                let mut cells = Vec::new();
                while cells.len() < all {
                    let count = ROW_CELLS.min(all - cells.len());
                    let bytes = &rows[offsets[row].0..offsets[row + 1].0];
                    cells.extend(model.row(row, offsets[row].1, bytes, count));
                    row += 1;
                }
                cells
            });
            let cells = cells.collect();
            sides.push(Some(WdlSection { swept: record[0].into(), digits, cells }));
        }
        assert_eq!(at, end);
        sides.resize_with(2, || None);
        WdlReader { material, groups, fixed_kings, sides }
    }

    fn category(&self, position: &Position) -> usize {
        let mut side = position.side().index();
        let mut men: Vec<(usize, char, usize)> = position
            .pieces()
            .map(|(man, square)| (man.side.index(), man.kind.letter(), square.index()))
            .collect();
        if self.sides[side].is_none() || position.material().flipped {
            men.iter_mut().for_each(|piece| *piece = (1 - piece.0, piece.1, piece.2 ^ 56));
            side = 1 - side;
        }
        let section = self.sides[side].as_ref().unwrap();
        let king = |side| men.iter().find(|man| man.0 == side && man.1 == 'K').unwrap().2;
        let kings = [1 - section.swept, section.swept].map(king);
        let image = |symmetry: &usize| kings.map(|king| turned(king, *symmetry));
        let symmetry = (0..symmetries(self.material)).min_by_key(image).unwrap();
        let numbers = numbers(&self.groups, &men, symmetry, section.swept);
        let cell = section.digits.iter().fold(0, |cell, &(piece, part, values)| {
            let number = numbers[piece];
            cell * values + [number, number / 8, number % 8][part]
        });
        let fixed_king = self.fixed_kings.binary_search(&image(&symmetry)[0]).unwrap();
        section.cells[fixed_king][cell]
    }
}

struct Model {
    strings: Vec<Vec<usize>>,
    code_of_context: Vec<usize>,
    /// By code: the symbol of each number of bits and value.
    codes: Vec<HashMap<(usize, usize), usize>>,
}

impl Model {
    fn read(bytes: &[u8]) -> Model {
        let u16_at = |at: usize| usize::from(bytes[at]) + 256 * usize::from(bytes[at + 1]);
        let symbols = u16_at(0);
        let mut strings: Vec<Vec<usize>> = (0..5).map(|category| vec![category]).collect();
        for at in (2..).step_by(4).take(symbols - 5) {
            strings.push([u16_at(at), u16_at(at + 2)].map(|part| strings[part].clone()).concat());
        }
        let at = 2 + 4 * (symbols - 5);
        let code_of_context = bytes[at + 2..at + 386].iter().map(|&code| code.into()).collect();
        let codes = bytes[at + 386..].chunks(symbols).map(|bits| {
            let (mut codes, mut value) = (HashMap::new(), 0);
            for length in 1..=15 {
                value *= 2;
                for (symbol, _) in bits.iter().enumerate().filter(|&(_, &bits)| bits == length) {
                    codes.insert((length.into(), value), symbol);
                    value += 1;
                }
            }
            codes
        });
        let codes: Vec<_> = codes.collect();
        assert_eq!(codes.len(), u16_at(at));
        Model { strings, code_of_context, codes }
    }

    fn row(&self, number: usize, form: usize, bytes: &[u8], count: usize) -> Vec<usize> {
        if form >= 128 {
            assert!(bytes.is_empty());
            return vec![form - 128; count];
        }
        assert_eq!(u32_at(bytes, 0), xxh3_64_with_seed(&bytes[4..], number as u64) as u32 as usize);
        let (span, unit) = (1 << (form & 31), 1 << (form >> 5));
        let (starts, symbols) = bytes[4..].split_at(2 * count.div_ceil(span));
        let bit = |at: usize| usize::from(symbols[at / 8] >> (7 - at % 8) & 1);
        let mut cells = Vec::new();
        let mut at: usize = 0;
        for start in starts.chunks(2) {
            at = at.next_multiple_of(unit);
            assert_eq!(at, unit * (usize::from(start[0]) + 256 * usize::from(start[1])));
            let end = count.min(cells.len() + span);
            let mut before = 5;
            while cells.len() < end {
                let code = &self.codes[self.code_of_context[6 * (cells.len() % 64) + before]];
                let (mut length, mut value) = (0, 0);
                let symbol = loop {
                    value = 2 * value + bit(at);
                    (length, at) = (length + 1, at + 1);
                    if let Some(&symbol) = code.get(&(length, value)) {
                        break symbol;
                    }
                };
                cells.extend(&self.strings[symbol]);
                before = cells[cells.len() - 1];
            }
            assert_eq!(cells.len(), end);
        }
        assert_eq!(at.div_ceil(8), symbols.len());
        cells
    }
}

#[test]
fn every_category_is_that_of_the_library() {
    let counting_rule = variants::counting_rule("makruk").unwrap();
    for material in ["KRvK", "KSvK", "KPvKP", "KMMvK", "KNvKM"] {
        let directory = tempfile::tempdir().unwrap();
        let store = TableStore::new(&MAKRUK.rules, Path::new("no such directory"));
        let sources = WdlSources::bring(&store, material.parse().unwrap(), counting_rule).unwrap();
        let made = make(&sources, directory.path(), ByteSize(1 << 24), &|_| ()).unwrap();
        let reader = WdlReader::open(material, &std::fs::read(made.path).unwrap());
        let tables = Tablebase::open(directory.path()).unwrap();
        let index = Index::new(material.parse().unwrap(), &MAKRUK.rules);
        // Large materials now and then.
        let step = 1 + index.slots() as usize / 100_000;
        for slot in (0..index.slots()).step_by(step).map(Slot) {
            let placement = index.placement(slot);
            for side in Side::BOTH {
                let Some(position) = legal_position(&index, &placement, side, &MAKRUK) else {
                    continue;
                };
                let position = position.counted_by(counting_rule);
                let expected = tables.wdl(&position).unwrap();
                assert_eq!(reader.category(&position), expected.index(), "{}", position.fen());
            }
        }
    }
}
