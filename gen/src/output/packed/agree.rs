//! Compares a packed table with the solved one.

use rayon::prelude::*;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::packed::PackedFile;
use sakmak_tables::index::Slot;
use sakmak_tables::packed_codec::scale::Scale;
use sakmak_tables::tiles::tile::TileNumber;
use sakmak_tables::values::table::Table;

/// A packed table that is damaged or has other values than the solved one.
#[derive(Debug, thiserror::Error)]
pub enum Disagreement {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The longest win or loss differs, or the solved table does not hold the side kept.
    #[error("its longest win or loss differs from that of the solved table")]
    Coding,
    /// A code differs.
    #[error("slot {slot} with {side} to move differs from the solved table", slot = .0.0, side = .1)]
    Slot(Slot, &'static str),
}

/// Checks that every code of a packed table is that of the solved one or, if the file has
/// don't-care squares, at most as good for the mover. `progress` is called from all threads with
/// the number of squares just compared, including those without a slot.
///
/// # Errors
///
/// The error of the first block that is wrong, whatever the number of threads.
pub fn agree(
    packed: &PackedFile,
    table: &Table,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), Disagreement> {
    let coding = packed.layout().header().coding;
    let values = table.values(packed.kept()).filter(|values| values.coding() == coding);
    let values = values.ok_or(Disagreement::Coding)?;
    let scale = Scale::of(coding);
    let block_tiles = u64::from(packed.layout().header().block_tiles);
    let wrong = |block: u64| -> Option<Disagreement> {
        let codes = match packed.all_codes(block) {
            Ok(codes) => codes,
            Err(error) => return Some(error.into()),
        };
        let mut wrong = None;
        for (codes, number) in codes.iter().zip(block * block_tiles..) {
            let tile = packed.tiles().tile(TileNumber(number));
            let shape = packed.tiles().shape(&tile, packed.kept());
            packed.tiles().for_each_slot(&tile, |square, slot| {
                let code = codes[square.index()];
                let kept = shape.kept >> square.index() & 1 != 0;
                let solved = coding.read(values.codes(), slot.0 as usize);
                let right = solved.is_some_and(|solved| {
                    solved == code || packed.has_dont_care() && scale.is_at_most(code, solved)
                });
                if kept && !right {
                    wrong.get_or_insert(Disagreement::Slot(slot, packed.kept().name()));
                }
            });
        }
        progress(codes.as_flattened().len() as u64);
        wrong
    };
    let blocks = 0..packed.layout().blocks();
    blocks.into_par_iter().find_map_first(wrong).map_or(Ok(()), Err)
}
