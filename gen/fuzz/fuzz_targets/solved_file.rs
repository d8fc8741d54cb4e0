#![no_main]
//! Damaged solved files give an error or the right value; with forged checksums they never panic.

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sakmak_fuzz::damage::Damage;
use sakmak_fuzz::fixture::{Fixture, name, solved, wide, written};
use sakmak_fuzz::forge;
use sakmak_probe::file::solved::SolvedFile;
use sakmak_tables::format::TRAILER_LENGTH;
use sakmak_tables::format::solved::offsets::ROW_LENGTH;
use sakmak_tables::index::Slot;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

#[derive(Arbitrary, Debug)]
struct SolvedFileInput {
    wide: bool,
    forged: bool,
    /// Whether the whole file is read, which is a hundred times slower.
    whole: bool,
    damage: Damage,
    probed: Vec<(bool, u16)>,
}

static FIXTURES: LazyLock<[(Fixture, [Range<usize>; 5]); 2]> = LazyLock::new(|| {
    [solved(), wide()].map(|table| {
        let fixture = written(table);
        let file = open(fixture.file.clone()).expect("a right file");
        let rows = file.layout().offsets().rows() as usize * ROW_LENGTH;
        let parts = fixture.parts(fixture.file.len() - TRAILER_LENGTH - rows);
        (fixture, parts)
    })
});

fn open(bytes: Vec<u8>) -> Option<SolvedFile> {
    SolvedFile::from_bytes(Path::new("x"), Box::new(bytes), name(), &MAKRUK.rules).ok()
}

fn same(one: &Table, other: &Table) -> bool {
    Side::BOTH.iter().all(|&side| one.values(side) == other.values(side))
}

fuzz_target!(init: LazyLock::force(&FIXTURES), |input: SolvedFileInput| try_it(&input));

fn try_it(input: &SolvedFileInput) {
    let (fixture, parts) = &FIXTURES[usize::from(input.wide)];
    let mut bytes = input.damage.done_to(&fixture.file, parts);
    if input.forged {
        forge::solved_file(&mut bytes);
    }
    let unchanged = bytes == fixture.file;
    let Some(file) = open(bytes) else {
        assert!(!unchanged);
        return;
    };
    let values = input.probed.iter().take(20).map(|&(black, slot)| {
        let side = if black { Side::Black } else { Side::White };
        (side, Slot(slot.into()), file.value(side, Slot(slot.into())))
    });
    let values: Vec<_> = values.collect();
    if !input.forged {
        for (side, slot, value) in &values {
            let right = |value: &_| *value == fixture.table.value(*side, *slot);
            assert!(value.as_ref().map_or(!unchanged, right));
        }
    }
    if !input.whole {
        return;
    }
    let (table, verified) = (file.table(), file.verify_checksums());
    if let Ok(table) = &table {
        for (side, slot, value) in &values {
            assert!(value.as_ref().map_or(true, |value| *value == table.value(*side, *slot)));
        }
    }
    if verified.is_ok() {
        assert!(table.is_ok() && values.iter().all(|(.., value)| value.is_ok()));
    }
    if !input.forged {
        assert_eq!(verified.is_ok(), unchanged);
        assert!(table.map_or(!unchanged, |table| same(&table, &fixture.table)));
    }
}
