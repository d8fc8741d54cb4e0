//! WDL files, read by a reader written from `FORMAT.md` alone, against the tables.
//!
//! The reader shares no code with the format and the king tiles. It builds the pattern of every king
//! tile when it reads a file. Legal positions and the categories to compare come from the library.

use crate::scratch::slots::{
    LikePieces, choose, groups, number, symmetries, turned, u16_at, u32_at, u64_at,
};
use crate::solved::{SOLVED, solving};
use rayon::prelude::*;
use sakmak_make::output::wdl::{WdlSources, make};
use sakmak_make::system::ByteSize;
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::MAKRUK;
use std::collections::BTreeSet;
use xxhash_rust::xxh3::xxh3_64;

/// King tiles of a tile group and of a row.
const GROUP: usize = 64;
const ROW: usize = 64 * GROUP;

/// A piece as (side, letter, square); White has side 0.
type Man = (usize, char, usize);

/// The category of each square of the swept king.
type Pattern = [u8; 64];

/// A kind of changes.
struct ChangeKind {
    /// The squares that change, counted from the lowest.
    squares: &'static [usize],
    becomes: [u8; 5],
}

impl ChangeKind {
    fn read(bits: usize) -> ChangeKind {
        assert_eq!(bits >> 12, 0);
        let squares: [&[usize]; 4] = [&[0], &[0, 1], &[0, 8], &[0, 1, 8, 9]];
        let becomes = std::array::from_fn(|category| {
            let number = bits >> (2 + 2 * category) & 3;
            if number < category { number as u8 } else { number as u8 + 1 }
        });
        ChangeKind { squares: squares[bits & 3], becomes }
    }
}

/// The record of a side to move.
struct WdlRecord {
    swept: usize,
    /// The numbers of the groups, the slowest first.
    order: Vec<usize>,
    palette: Vec<u8>,
    kinds: [ChangeKind; 4],
    /// Words of a pattern.
    words: usize,
    patterns: usize,
    row_bytes: usize,
}

impl WdlRecord {
    fn read(bytes: &[u8], groups: usize) -> WdlRecord {
        assert!(bytes[0] < 2 && (1..32).contains(&bytes[2]));
        // Only files of five men leave captures to the reader.
        assert_eq!(bytes[1], 0);
        assert_eq!((bytes[3], u32_at(bytes, 20)), (0, 0));
        let order = u32_at(bytes, 4);
        assert_eq!(order >> (4 * groups), 0);
        let palette: Vec<u8> = (0..5).filter(|category| bytes[2] >> category & 1 != 0).collect();
        WdlRecord {
            swept: bytes[0].into(),
            order: (0..groups).map(|place| order >> (4 * place) & 15).collect(),
            kinds: std::array::from_fn(|kind| ChangeKind::read(u16_at(bytes, 8 + 2 * kind))),
            words: (1..).find(|&words| palette.len() <= 1 << words).unwrap(),
            patterns: u32_at(bytes, 16),
            row_bytes: u64_at(bytes, 24),
            palette,
        }
    }

    /// A pattern in full.
    fn pattern(&self, bytes: &[u8]) -> Pattern {
        std::array::from_fn(|square| {
            let bit = |word: usize| u64_at(bytes, 8 * word) >> square & 1;
            let place: usize = (0..self.words).map(|word| bit(word) << word).sum();
            self.palette[place]
        })
    }

    fn changed(&self, mut pattern: Pattern, changes: &[u8]) -> Pattern {
        for &change in changes {
            let ChangeKind { squares, becomes } = &self.kinds[usize::from(change >> 6)];
            let squares = squares.iter().map(|square| square + usize::from(change & 63));
            for square in squares.filter(|&square| square < 64) {
                pattern[square] = becomes[usize::from(pattern[square])];
            }
        }
        pattern
    }

    /// The patterns of the king tiles of a tile group, and its length.
    fn tile_group(&self, numbered: &[Pattern], bytes: &[u8]) -> (Vec<Pattern>, usize) {
        let starts = u64_at(bytes, 0);
        assert_eq!(starts & 1, 1);
        let count = starts.count_ones() as usize;
        let lengths = &bytes[8..8 + count.div_ceil(2)];
        assert!(count.is_multiple_of(2) || lengths[count / 2] >> 4 == 0);
        let mut end = 8 + lengths.len();
        let mut runs: Vec<Pattern> = Vec::new();
        for run in 0..count {
            let length = usize::from(lengths[run / 2] >> (4 * (run % 2)) & 15);
            let begin = end;
            end += if length == 15 { 8 * self.words } else { length };
            let pattern = match bytes[begin..end] {
                ref whole if length == 15 => self.pattern(whole),
                [] => numbered[0],
                [earlier, ref changes @ ..] if earlier < 64 => {
                    self.changed(runs[usize::from(earlier)], changes)
                }
                [one] => numbered[usize::from(one) - 64],
                [first, second, ref changes @ ..] => {
                    let number = 256 * (usize::from(first) - 64) + usize::from(second);
                    self.changed(numbered[number], changes)
                }
            };
            runs.push(pattern);
        }
        let pattern = |tile: usize| runs[(starts << (63 - tile)).count_ones() as usize - 1];
        ((0..GROUP).map(pattern).collect(), end)
    }

    /// The patterns of a row with this many king tiles.
    fn row(&self, numbered: &[Pattern], bytes: &[u8], king_tiles: usize) -> Vec<Pattern> {
        let tile_groups = king_tiles.div_ceil(GROUP);
        let mut patterns = Vec::new();
        let mut parts = BTreeSet::new();
        for tile_group in 0..tile_groups {
            match u16_at(bytes, 2 * tile_group) {
                word @ 0xfff0.. => {
                    assert!(word < 0xfff5);
                    patterns.extend([[(word - 0xfff0) as u8; 64]; GROUP]);
                }
                word => {
                    let (more, length) = self.tile_group(numbered, &bytes[2 * word..]);
                    patterns.extend(more);
                    parts.insert((2 * word, 2 * word + length));
                }
            }
        }
        let mut end = 2 * tile_groups;
        for (next, its_end) in parts {
            assert_eq!(next, end.next_multiple_of(2));
            assert!(bytes[end..next].iter().all(|&byte| byte == 0));
            end = its_end;
        }
        assert_eq!(end, bytes.len());
        patterns.truncate(king_tiles);
        patterns
    }
}

/// The king tiles of a side to move.
struct KingTiles {
    symmetries: usize,
    fixed_kings: Vec<usize>,
    swept: usize,
    /// The slowest first.
    groups: Vec<LikePieces>,
}

impl KingTiles {
    fn new(material: &str, swept: usize, order: &[usize]) -> KingTiles {
        let symmetries = symmetries(material);
        let is_least =
            |&square: &usize| (0..symmetries).all(|symmetry| turned(square, symmetry) >= square);
        let groups = groups(material);
        KingTiles {
            symmetries,
            fixed_kings: (0..64).filter(is_least).collect(),
            swept,
            groups: order.iter().map(|&group| groups[group]).collect(),
        }
    }

    fn of_each_fixed_king(&self) -> usize {
        self.groups.iter().map(|group| choose(group.places, group.men)).product()
    }

    /// The numbers of the fixed king and of the king tile, and the square of the swept king.
    fn place(&self, men: &[Man]) -> (usize, usize, usize) {
        let king = |side: usize| men.iter().find(|man| (man.0, man.1) == (side, 'K')).unwrap().2;
        let kings = [king(1 - self.swept), king(self.swept)];
        let image = |symmetry: &usize| kings.map(|square| turned(square, *symmetry));
        let symmetry = (0..self.symmetries).min_by_key(image).unwrap();
        let [fixed, swept] = image(&symmetry);
        let number_of = |group: &LikePieces| {
            let mine = men.iter().filter(|man| (man.0, man.1) == (group.side, group.letter));
            let mut places: Vec<usize> =
                mine.map(|man| turned(man.2, symmetry) - group.lowest).collect();
            places.sort_unstable();
            number(&places)
        };
        let king_tile = self.groups.iter().fold(0, |king_tile, group| {
            king_tile * choose(group.places, group.men) + number_of(group)
        });
        (self.fixed_kings.binary_search(&fixed).unwrap(), king_tile, swept)
    }
}

/// A side to move of a file.
struct WdlSection {
    king_tiles: KingTiles,
    /// By fixed king, then king tile.
    patterns: Vec<Vec<Pattern>>,
}

/// The sides to move of a file, White's first.
fn read(material: &str, file: &[u8]) -> Vec<WdlSection> {
    let end = file.len() - 8;
    assert_eq!(u64_at(file, end) as u64, xxh3_64(&file[..end]));
    assert_eq!(u64_at(file, 120) as u64, xxh3_64(&file[..120]));
    assert_eq!(&file[..12], b"\x89SAKMKV\n\x02\0\0\0");
    let mut name = [0u8; 16];
    name[..material.len()].copy_from_slice(material.as_bytes());
    assert_eq!(&file[24..40], &name);
    assert_eq!(u64_at(file, 112), 0);
    let groups = groups(material).len();
    let mut records = vec![WdlRecord::read(&file[48..80], groups)];
    let (white, black) = material.split_once('v').unwrap();
    match white == black {
        true => assert_eq!(&file[80..112], &[0u8; 32]),
        false => records.push(WdlRecord::read(&file[80..112], groups)),
    }

    let mut at = 128;
    let mut take = |length: usize| {
        at += length;
        &file[at - length..at]
    };
    let mut fronts = Vec::new();
    let mut front_length = 0;
    for record in &records {
        let king_tiles = KingTiles::new(material, record.swept, &record.order);
        let patterns = take(8 * record.words * record.patterns);
        let rows = king_tiles.of_each_fixed_king().div_ceil(ROW) * king_tiles.fixed_kings.len();
        let directory = take(8 * rows);
        front_length += patterns.len() + directory.len();
        let patterns = patterns.chunks(8 * record.words).map(|bytes| record.pattern(bytes));
        fronts.push((king_tiles, patterns.collect::<Vec<Pattern>>(), directory));
    }
    assert_eq!(u64_at(file, 40) as u64, xxh3_64(&file[128..128 + front_length]));

    let mut sections = Vec::new();
    for (record, (king_tiles, numbered, directory)) in records.iter().zip(fronts) {
        let rows = take(record.row_bytes);
        let all = king_tiles.of_each_fixed_king();
        let mut patterns = vec![Vec::new(); king_tiles.fixed_kings.len()];
        let mut starts: Vec<usize> = directory.chunks(8).map(|entry| u32_at(entry, 0)).collect();
        assert_eq!(starts[0], 0);
        starts.push(rows.len());
        for (row, entry) in directory.chunks(8).enumerate() {
            let of_king: &mut Vec<Pattern> = &mut patterns[row / all.div_ceil(ROW)];
            let count = ROW.min(all - of_king.len());
            let (bytes, checksum) = (&rows[starts[row]..starts[row + 1]], u32_at(entry, 4));
            if bytes.is_empty() {
                assert!(checksum < 5);
                of_king.resize(of_king.len() + count, [checksum as u8; 64]);
            } else {
                assert_eq!(checksum, xxh3_64(bytes) as u32 as usize);
                of_king.extend(record.row(&numbered, bytes, count));
            }
        }
        sections.push(WdlSection { king_tiles, patterns });
    }
    assert_eq!(at, end);
    sections
}

/// The category of a legal position.
fn category(sections: &[WdlSection], position: &Position) -> usize {
    let mut side = position.side().index();
    let men = position.pieces().map(|(m, q)| (m.side.index(), m.kind.letter(), q.index()));
    let mut men: Vec<Man> = men.collect();
    if position.material().flipped || side >= sections.len() {
        men.iter_mut().for_each(|man| *man = (1 - man.0, man.1, man.2 ^ 56));
        side = 1 - side;
    }
    let WdlSection { king_tiles, patterns } = &sections[side];
    let (fixed_king, king_tile, square) = king_tiles.place(&men);
    patterns[fixed_king][king_tile][square].into()
}

/// Makes a file and compares every legal slot with both sides to move, now and then with the
/// colours exchanged.
fn check(name: &str) {
    let material = name.parse().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let sources = WdlSources::load(&SOLVED, material, MAKRUK.counting()).unwrap();
    let made = make(&sources, directory.path(), ByteSize(1 << 24), &|_| ()).unwrap();
    let sections = read(name, &std::fs::read(made.path).unwrap());
    let tables = solving();
    let index = Index::new(material, &MAKRUK.rules);
    (0..index.slots()).into_par_iter().map(Slot).for_each(|slot| {
        let placement = index.placement(slot);
        for side in Side::BOTH {
            let Some(position) = legal_position(&index, &placement, side, &MAKRUK) else {
                continue;
            };
            let position = match slot.0 % 3 {
                0 => position.colours_exchanged(),
                _ => position,
            };
            let expected = tables.category(&position).unwrap().index();
            assert_eq!(category(&sections, &position), expected, "{}", position.fen());
        }
    });
}

#[test]
fn every_category_is_that_of_the_tables() {
    for material in ["KRvK", "KPvK", "KMvKM", "KRvKM"] {
        check(material);
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn every_category_of_khons_pawns_and_like_pieces_is_that_of_the_tables() {
    for material in ["KSvKM", "KPvKP", "KMMvK"] {
        check(material);
    }
}

#[test]
fn the_example_of_the_page() {
    let black_swept = KingTiles::new("KRvK", 1, &[0]);
    assert_eq!(black_swept.place(&[(0, 'K', 0), (0, 'R', 55), (1, 'K', 18)]), (0, 55, 18));
}
