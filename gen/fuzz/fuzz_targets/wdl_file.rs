#![no_main]
//! Damaged WDL files give an error; with forged checksums they never panic.

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sakmak_fuzz::damage::Damage;
use sakmak_fuzz::fixture::wdl;
use sakmak_fuzz::forge;
use sakmak_probe::file::wdl::WdlFile;
use sakmak_tables::counting::Category;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::king_tile::FixedKings;
use sakmak_tables::variants::{self, MAKRUK};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, LazyLock};

#[derive(Arbitrary, Debug)]
struct WdlFileInput {
    forged: bool,
    damage: Damage,
    probed: Vec<(bool, u16)>,
}

/// A valid file and the arguments that open it.
struct WdlFixture {
    file: Vec<u8>,
    name: WdlName,
    index: Index,
    fixed_kings: Arc<FixedKings>,
    parts: [Range<usize>; 3],
}

static FIXTURE: LazyLock<WdlFixture> = LazyLock::new(|| {
    let (file, material) = wdl();
    let index = Index::new(material, &MAKRUK.rules);
    let fixed_kings = Arc::new(FixedKings::new(index.kings().symmetries()));
    let name = WdlName {
        material,
        counting_rule: variants::counting_rule("makruk").expect("a counting rule"),
    };
    let parts = [0..128, 128..file.len(), 0..file.len()];
    WdlFixture { file, name, index, fixed_kings, parts }
});

fuzz_target!(init: LazyLock::force(&FIXTURE), |input: WdlFileInput| try_it(&input));

fn try_it(input: &WdlFileInput) {
    let WdlFixture { file, name, index, fixed_kings, parts } = &*FIXTURE;
    let mut bytes = input.damage.done_to(file, parts);
    if input.forged {
        forge::wdl_file(&mut bytes);
    }
    let unchanged = bytes == *file;
    let path = Path::new("x");
    let opened = WdlFile::from_bytes(path, bytes, *name, index, &MAKRUK.rules, fixed_kings);
    let Ok(opened) = opened else {
        assert!(!unchanged);
        return;
    };
    assert!(unchanged || input.forged);
    for &(black, slot) in input.probed.iter().take(50) {
        let side = if black { Side::Black } else { Side::White };
        let placement = index.placement(Slot(slot.into()));
        let Ok(position) = Position::new(&MAKRUK, side, index.placed(&placement)) else { continue };
        if position.legality().is_err() {
            continue;
        }
        if let Some(address) = opened.locate(&position, position.material().flipped) {
            let pattern =
                opened.word(&address).and_then(|word| opened.find_pattern(&address, word));
            let category: Result<Category, _> =
                pattern.and_then(|pattern| opened.category(&address, &pattern));
            assert!(category.is_ok() || !unchanged);
        }
    }
}
