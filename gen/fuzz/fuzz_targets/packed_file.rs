#![no_main]
//! Damaged packed files give an error or the right codes; with forged checksums they never panic.

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sakmak_fuzz::damage::{Damage, Patch, patch};
use sakmak_fuzz::fixture::{Fixture, name, packed, solved};
use sakmak_fuzz::forge;
use sakmak_probe::file::packed::{BlockPart, PackedFile};
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::packed::row::OFFSET_LENGTH;
use sakmak_tables::format::{HEADER_LENGTH, TRAILER_LENGTH};
use sakmak_tables::index::Slot;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::variants::MAKRUK;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

#[derive(Arbitrary, Debug)]
struct PackedFileInput {
    many_tiles: bool,
    /// The damage to the file, and whether its checksums are corrected.
    damage: Damage,
    forged: bool,
    /// Whether the whole file is read, which is slow.
    whole: bool,
    /// Patches of the model before it is compressed; only if checksums are forged.
    model: Vec<Patch>,
    /// Blocks, tiles and squares to decode up to.
    probed: Vec<(u16, u8, u8)>,
    /// Slots whose positions are probed; only if checksums are forged.
    looked_up: Vec<(bool, u16)>,
}

struct PackedFixture {
    fixture: Fixture,
    parts: [Range<usize>; 5],
    model_length: usize,
    model: Vec<u8>,
    codes: Vec<Vec<[u16; SQUARES]>>,
}

static FIXTURES: LazyLock<[PackedFixture; 2]> = LazyLock::new(|| {
    [2, 16].map(|tiles| {
        let fixture = packed(solved(), tiles);
        let file = open(fixture.file.clone()).expect("a right file");
        file.verify_checksums().expect("a right file");
        let offsets = (file.layout().rows() as usize + 1) * OFFSET_LENGTH;
        let parts = fixture.parts(fixture.file.len() - TRAILER_LENGTH - offsets);
        let model_length = file.layout().header().model_length as usize;
        let model = &fixture.file[HEADER_LENGTH..HEADER_LENGTH + model_length];
        let model = zstd::bulk::decompress(model, 1 << 23).expect("a right model");
        let codes = all_codes(&file).expect("a right file");
        PackedFixture { fixture, parts, model_length, model, codes }
    })
});

fn open(bytes: Vec<u8>) -> Option<PackedFile> {
    PackedFile::from_bytes(Path::new("x"), Box::new(bytes), name(), &MAKRUK).ok()
}

/// All codes. `None` if a block does not decode.
fn all_codes(file: &PackedFile) -> Option<Vec<Vec<[u16; SQUARES]>>> {
    (0..file.layout().blocks()).map(|block| file.all_codes(block).ok()).collect()
}

impl PackedFixture {
    fn damaged(&self, input: &PackedFileInput) -> Vec<u8> {
        let file = &self.fixture.file;
        if !input.forged {
            return input.damage.done_to(file, &self.parts);
        }
        let mut bytes = match input.model.is_empty() {
            true => file.clone(),
            false => {
                let mut model = self.model.clone();
                // The start, the end and the middle of the model.
                let end = model.len();
                let parts = [0..16, 0..1024, 1024..end - 2048, end - 2048..end, 0..end];
                patch(&input.model, &mut model, &parts);
                let model = zstd::bulk::compress(&model, 1).expect("room in memory");
                forge::with_model(file, self.model_length, &model)
            }
        };
        bytes = input.damage.done_to(&bytes, &self.parts);
        forge::packed_file(&mut bytes);
        bytes
    }

    /// Probes positions in a directory that holds only this file.
    fn look_up(&self, bytes: &[u8], slots: &[(bool, u16)]) {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join(name().packed_file_name());
        std::fs::write(path, bytes).expect("room on the disk");
        let tablebase = Tablebase::open(directory.path()).expect("the directory");
        let index = self.fixture.table.index();
        for &(black, slot) in slots.iter().take(8) {
            let slot = Slot(u64::from(slot) % index.slots());
            let side = if black { Side::Black } else { Side::White };
            let placement = index.placement(slot);
            if let Ok(position) = Position::new(&MAKRUK, side, index.placed(&placement)) {
                let _ = tablebase.dtm(&position);
                let _ = tablebase.moves(&position);
                let _ = tablebase.line(&position);
            }
        }
    }
}

fuzz_target!(init: LazyLock::force(&FIXTURES), |input: PackedFileInput| try_it(&input));

fn try_it(input: &PackedFileInput) {
    let right = &FIXTURES[usize::from(input.many_tiles)];
    let bytes = right.damaged(input);
    let unchanged = bytes == right.fixture.file;
    let Some(file) = open(bytes.clone()) else {
        assert!(!unchanged);
        return;
    };
    // Probes come first, because a verified row is not verified again.
    for &(block, tile, square) in input.probed.iter().take(20) {
        let block = u64::from(block) % (file.layout().blocks() + 1);
        // All existing tiles, and the tile after the last.
        let tile = usize::from(tile) % (file.layout().tiles_of(block) + 1);
        let last = TileSquare { tile, square: usize::from(square) % (SQUARES + 1) };
        let mut some = vec![[0; SQUARES]; tile + 1];
        // Alone, and with others.
        for parts in [1, 9] {
            let parts = vec![BlockPart { block, last }; parts];
            let decoded = file.decode(&parts, |_, codes| codes.copy_tiles(&mut some));
            if let (Ok(()), Ok(all)) = (&decoded, file.all_codes(block)) {
                let some = &some.as_flattened()[..=tile * SQUARES + last.square];
                assert!(all.as_flattened().starts_with(some));
            }
        }
        let all = file.all_codes(block);
        if !input.forged
            && let Ok(all) = all
        {
            assert!(all == right.codes[block as usize]);
        }
    }
    if input.forged && !input.looked_up.is_empty() {
        right.look_up(&bytes, &input.looked_up);
    }
    if !input.whole {
        return;
    }
    let codes = all_codes(&file);
    for (block, codes) in (0..).zip(codes.iter().flatten()) {
        assert!(codes.iter().flatten().all(|&code| file.value(block, code).is_ok()));
    }
    let verified = file.verify_checksums().is_ok();
    assert!(codes.is_some() || !verified);
    if !input.forged {
        assert_eq!(verified, unchanged);
        // Without an error all codes are right.
        assert!(codes.is_none_or(|codes| codes == right.codes));
    }
}
