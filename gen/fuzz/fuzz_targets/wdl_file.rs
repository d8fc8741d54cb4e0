#![no_main]
//! Damaged WDL files give an error or the right category; with forged checksums they never panic.

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sakmak_fuzz::damage::Damage;
use sakmak_fuzz::fixture::wdl;
use sakmak_fuzz::forge;
use sakmak_probe::file::wdl::WdlFile;
use sakmak_tables::counting::Category;
use sakmak_tables::format::wdl::{WdlHeader, WdlName};
use sakmak_tables::format::{CHECKSUM_LENGTH, HEADER_LENGTH};
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
    /// The header, patterns and directories, rows, and the whole file.
    parts: [Range<usize>; 4],
    right: WdlFile,
}

static FIXTURE: LazyLock<WdlFixture> = LazyLock::new(|| {
    let (file, material) = wdl();
    let index = Index::new(material, &MAKRUK.rules);
    let fixed_kings = Arc::new(FixedKings::new(index.kings().symmetries()));
    let name = WdlName {
        material,
        counting_rule: variants::counting_rule("makruk").expect("a counting rule"),
    };
    let header = file.first_chunk().expect("a header");
    let header = WdlHeader::decode(header, &name.preamble(&MAKRUK.rules), &index);
    let header = header.expect("a right header");
    let (layouts, _) = header.layouts(&index, &fixed_kings).expect("a right header");
    let (_, layout) = layouts[0].as_ref().expect("a side");
    let (rows, end) = (layout.rows as usize, file.len());
    let parts = [0..HEADER_LENGTH, HEADER_LENGTH..rows, rows..end - CHECKSUM_LENGTH, 0..end];
    let right = open(file.clone(), name, &index, &fixed_kings).expect("a right file");
    WdlFixture { file, name, index, fixed_kings, parts, right }
});

fn open(
    bytes: Vec<u8>,
    name: WdlName,
    index: &Index,
    fixed_kings: &Arc<FixedKings>,
) -> Option<WdlFile> {
    WdlFile::from_bytes(Path::new("x"), bytes, name, index, &MAKRUK.rules, fixed_kings).ok()
}

/// The category of a position. `None` after an error.
fn looked_up(file: &WdlFile, position: &Position) -> Option<Category> {
    let address = file.locate(position, position.material().flipped)?;
    let group = file.tile_group(&address, file.row(&address).ok()?).ok()?;
    file.category(&address, file.find(&address, group).ok()?).ok()
}

fuzz_target!(init: LazyLock::force(&FIXTURE), |input: WdlFileInput| try_it(&input));

fn try_it(input: &WdlFileInput) {
    let WdlFixture { file, name, index, fixed_kings, parts, right } = &*FIXTURE;
    let mut bytes = input.damage.done_to(file, parts);
    if input.forged {
        forge::wdl_file(&mut bytes, *name, index, fixed_kings);
    }
    let unchanged = bytes == *file;
    let Some(opened) = open(bytes, *name, index, fixed_kings) else {
        assert!(!unchanged);
        return;
    };
    for &(black, slot) in input.probed.iter().take(50) {
        let side = if black { Side::Black } else { Side::White };
        let placement = index.placement(Slot(slot.into()));
        let Ok(position) = Position::new(&MAKRUK, side, index.placed(&placement)) else { continue };
        if position.legality().is_err() {
            continue;
        }
        let (found, expected) = (looked_up(&opened, &position), looked_up(right, &position));
        assert!(expected.is_some());
        assert!(input.forged || found == expected || found.is_none() && !unchanged);
    }
    if !input.forged {
        assert_eq!(opened.verify().is_ok(), unchanged);
    }
}
