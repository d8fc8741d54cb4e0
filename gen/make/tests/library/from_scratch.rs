//! A reader of solved files, written from `FORMAT.md` alone and compared with the library.
//!
//! It shares no code with the index or the format, so the test fails if page and code differ.

use crate::scratch::slots::{choose, groups, number, pairs, placed, u32_at, u64_at};
use sakmak_make::output::solved::{WriteOptions, write_to};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::values::{Coding, Values};
use sakmak_tables::variants::MAKRUK;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Pieces as (side, letter, square); White has side 0.
fn slot(material: &str, side: usize, men: Vec<(usize, char, usize)>) -> (usize, usize) {
    let placed = placed(material, side, men);
    let pair = pairs(material).iter().position(|pair| *pair == placed.kings).unwrap();
    let groups = groups(material).into_iter().zip(&placed.places);
    let slot = groups.fold(pair, |slot, (group, places)| {
        slot * choose(group.places, group.men) + number(places)
    });
    (placed.side, slot)
}

/// Plies to mate for the side to move.
fn plies(file: &[u8], side: usize, slot: usize) -> Option<u32> {
    assert_eq!(&file[..8], b"\x89SAKMAK\n");
    assert_eq!(u64_at(file, 120) as u64, xxh3_64(&file[..120]));
    let (slots, codes) = (u64_at(file, 24), u32_at(file, 32));
    let per_side = slots.div_ceil(codes);
    let block = side * per_side + slot / codes;
    let row = 128 + u64_at(file, file.len() - 16) + 144 * (block / 16);
    let row = &file[row..row + 144];
    assert_eq!(u64_at(row, 136) as u64, xxh3_64_with_seed(&row[..136], block as u64 / 16));
    let before: usize = (0..block % 16).map(|i| u32_at(row, 8 + 4 * i)).sum();
    let start = 128 + u64_at(row, 0) + before;
    let bytes = &file[start..start + u32_at(row, 8 + 4 * (block % 16))];
    assert_eq!(u32_at(row, 72 + 4 * (block % 16)) as u32, xxh3_64(bytes) as u32);
    let decoded = zstd::bulk::decompress(bytes, 2 * codes).unwrap();
    let (wins, losses) = (u32_at(file, 40 + 8 * side), u32_at(file, 44 + 8 * side));
    let all = 1 + wins + if losses == u32::MAX as usize { 0 } else { losses + 1 };
    let place = slot % codes;
    let code = match all {
        0..=256 => usize::from(decoded[place]),
        _ => usize::from(u16::from_le_bytes([decoded[2 * place], decoded[2 * place + 1]])),
    };
    match code {
        0 => None,
        win if win <= wins => Some(2 * win as u32 - 1),
        loss => Some(2 * (loss - wins - 1) as u32),
    }
}

/// A table whose codes depend on their slots.
fn table(material: &str, longest: u32) -> Table {
    let index = Index::new(material.parse().unwrap(), &MAKRUK.rules);
    let values = |coding: Coding| {
        let code = |slot| (slot * 31 % u64::from(coding.codes())) as u16;
        let bytes = |code: u16| code.to_le_bytes().into_iter().take(coding.width());
        let codes: Vec<u8> = (0..index.slots()).flat_map(|slot| bytes(code(slot))).collect();
        Values::new(coding, codes)
    };
    let white = values(Coding { wins: Moves(longest), losses: Some(Moves(3)) });
    let black = values(Coding { wins: Moves(0), losses: Some(Moves(longest)) });
    let black = (!index.material().is_symmetric()).then_some(black);
    Table::new(index.clone(), white, black)
}

#[test]
fn the_page_alone_is_enough_to_read_a_value() {
    for (name, longest) in [("KRvK", 300), ("KMMvK", 9), ("KMvKM", 9), ("KSvKP", 9), ("KPPvK", 9)] {
        let table = table(name, longest);
        let mut file = Vec::new();
        write_to(&table, &MAKRUK.rules, &mut file, &WriteOptions::default()).unwrap();
        let index = table.index();
        for number in (0..index.slots()).step_by(1 + index.slots() as usize / 400) {
            let placement = index.placement(Slot(number));
            let placed = || index.placed(&placement);
            if Position::new(&MAKRUK, Side::White, placed()).is_err() {
                continue;
            }
            for side in Table::sides(index) {
                let men = placed().map(|(m, q)| (m.side.index(), m.kind.letter(), q.index()));
                let men: Vec<_> = men.collect();
                let expected = table.value(*side, index.slot(&placement).unwrap());
                let expected = expected.and_then(Value::plies).map(|plies| plies.0);
                // Unchanged, mirrored left to right, and with the colours exchanged.
                let mirrored = men.iter().map(|&(s, l, q)| (s, l, q ^ 7)).collect();
                let exchanged = men.iter().map(|&(s, l, q)| (1 - s, l, q ^ 56)).collect();
                let (s, n) = slot(name, side.index(), men);
                assert_eq!(plies(&file, s, n), expected);
                let (s, n) = slot(name, 1 - side.index(), exchanged);
                assert_eq!(plies(&file, s, n), expected);
                // If the kings stand on an axis of symmetry, the mirror image has another slot.
                let (s, n) = slot(name, side.index(), mirrored);
                if index.weight(Slot(number)) == index.kings().symmetries().len() as u64 {
                    assert_eq!(plies(&file, s, n), expected);
                }
            }
        }
    }
}

#[test]
fn the_example_of_the_page() {
    let men = vec![(0, 'K', 0), (0, 'R', 55), (1, 'K', 18)];
    assert_eq!(slot("KRvK", 0, men), (0, 823));
}

#[test]
fn fingerprints_of_counted_distance_are_those_of_the_page() {
    let mut counting = Vec::new();
    for (letter, men, limit) in [
        ("R", 2, 8),
        ("R", 1, 16),
        ("S", 2, 22),
        ("N", 2, 32),
        ("S", 1, 44),
        ("N", 1, 64),
        ("M", 1, 64),
    ] {
        counting.extend(letter.bytes().chain([men, 0, limit, 0, 0, 0]));
    }
    // The board's honour of 64 for all, without pawns; one more move; the pieces' count replaces it.
    counting.extend([255, 0, 64, 0, 0, 0, 1, 1]);
    let rules = MAKRUK.rules.fingerprint().to_le_bytes();
    let expected = xxh3_64(&[rules, xxh3_64(&counting).to_le_bytes()].concat());
    let with_number = [&rules[..], &xxh3_64(&counting).to_le_bytes(), &[17, 0, 0, 0, 0, 0, 0, 0]];
    let makruk = MAKRUK.counting();
    assert_eq!(Metric::Counted(makruk).fingerprint(&MAKRUK.rules), expected);
    let in_time = Metric::MateInTime(makruk).fingerprint(&MAKRUK.rules);
    assert_eq!(in_time, xxh3_64(&with_number.concat()));
}
