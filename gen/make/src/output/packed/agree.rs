//! Compares a packed table with the solved one.

use crate::output::packed::square_progress::SquareProgress;
use rayon::prelude::*;
use sakmak_codec::scale::Scale;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::packed::PackedFile;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::index::Slot;
use sakmak_tables::tiles::tile::{TileNumber, TileSquare};
use sakmak_tables::values::table::Table;

/// A packed table that is damaged or has other values than the solved one.
#[derive(Debug, thiserror::Error)]
pub enum Disagreement {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The longest win or loss differs, or the solved table does not hold the side kept.
    #[error("the longest win or loss differs from the solved table")]
    Coding,
    /// A code differs.
    #[error("slot {slot} with {side} to move differs from the solved table", slot = .0.0, side = .1)]
    Slot(Slot, &'static str),
}

/// Checks that every block of a packed table decodes, and that every code equals that of the solved
/// table or, if the file has don't-care squares, at most as good for the mover. `progress` is
/// called from all threads with the number of slots just compared, which add up to those of the
/// index.
///
/// # Errors
///
/// The error of the first batch of blocks that is wrong, whatever the number of threads.
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
    let progress = SquareProgress::new(packed.tiles(), progress);
    let compared = |batch: u64| -> Result<(), Disagreement> {
        let (mut wrong, mut squares) = (None, 0);
        packed.decode_batch(batch, |block, codes| {
            for tile in 0..packed.last_square(block).tile + 1 {
                let number = TileNumber(block * block_tiles + tile as u64);
                let place = packed.tiles().tile(number);
                let shape = packed.tiles().shape(&place, packed.kept());
                packed.tiles().for_each_slot(&place, |square, slot| {
                    let square = square.index();
                    let solved = coding.read(values.codes(), slot.0 as usize);
                    let code = codes.code(TileSquare { tile, square });
                    let right = solved.zip(code).is_some_and(|(solved, code)| {
                        solved == code || packed.has_dont_care() && scale.is_at_most(code, solved)
                    });
                    if shape.kept >> square & 1 != 0 && !right {
                        wrong.get_or_insert(Disagreement::Slot(slot, packed.kept().name()));
                    }
                });
                squares += SQUARES as u64;
            }
        })?;
        progress.advance(squares);
        wrong.map_or(Ok(()), Err)
    };
    let batches = 0..packed.batches();
    let wrong = batches.into_par_iter().find_map_first(|batch| compared(batch).err());
    wrong.map_or(Ok(()), Err)
}
