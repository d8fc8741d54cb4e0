//! The codes of a packed file that a sample needs, read in one pass over the file.
//!
//! A position whose side to move the file does not hold takes the codes after all its quiet moves.
//! So a position of a sample and its successors take some hundred codes, most of them in different
//! blocks. Therefore the places of all codes are found first, and then each block is decoded once,
//! in lockstep with others near it:
//!
//! ```text
//! for each position of the sample and each of its successors:
//!     note the place of its code, or if the file holds the other side, of those after its moves
//! sort the places and drop repetitions
//! for each stretch of the file: decode the blocks that have places, up to their last place
//! ```
//!
//! A look-up of a code that was not noted decodes its block, so a missing place costs time only.

use rayon::prelude::*;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::packed::{BlockPart, PackedFile};
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::packed::header::MAX_TILES;
use sakmak_tables::index::Placement;
use sakmak_tables::material::OrientedMaterial;
use sakmak_tables::position::Position;
use sakmak_tables::tiles::tile::TileSquare;
use std::iter::zip;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

/// Blocks of a stretch.
const STRETCH_BLOCKS: u64 = 256;

/// The place of a code in a packed file, in the order of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct CodePlace(u64);

impl CodePlace {
    fn new(block: u64, TileSquare { tile, square }: TileSquare) -> CodePlace {
        let in_block = tile * SQUARES + square;
        CodePlace(block * (MAX_TILES * SQUARES) as u64 + in_block as u64)
    }

    fn block(self) -> u64 {
        self.0 / (MAX_TILES * SQUARES) as u64
    }

    fn tile_square(self) -> TileSquare {
        let in_block = (self.0 % (MAX_TILES * SQUARES) as u64) as usize;
        TileSquare { tile: in_block / SQUARES, square: in_block % SQUARES }
    }

    fn stretch(self) -> u64 {
        self.block() / STRETCH_BLOCKS
    }
}

/// The codes of a packed file at certain places.
#[derive(Debug)]
pub struct SampleCodes {
    /// Sorted, each once.
    places: Vec<CodePlace>,
    /// Indexed by place.
    codes: Vec<AtomicU16>,
    /// Number of places before each stretch.
    starts: Vec<usize>,
}

impl SampleCodes {
    /// Returns the codes that these positions and their successors take. Calls `progress` from all
    /// threads with the number of blocks just passed, which add up to those of the file.
    ///
    /// # Errors
    ///
    /// The error of the first stretch with a block that cannot be read or is damaged, for any number of
    /// threads.
    pub fn read(
        file: &PackedFile,
        positions: impl ParallelIterator<Item = Position>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<SampleCodes, FileError> {
        let noted = |position: Position| {
            let mut places = Vec::new();
            note(&position, file, &mut places);
            for &played in &position.legal_moves() {
                note(&position.play_uncounted(played), file, &mut places);
            }
            places
        };
        let mut places: Vec<CodePlace> = positions.flat_map_iter(noted).collect();
        places.par_sort_unstable();
        places.dedup();
        let blocks = file.layout().blocks();
        let stretches = (0..blocks.div_ceil(STRETCH_BLOCKS)).into_par_iter();
        let start = |stretch| places.partition_point(|place| place.stretch() < stretch);
        let starts = stretches.clone().map(start).collect();
        let codes = places.iter().map(|_| AtomicU16::new(0)).collect();
        let codes = SampleCodes { places, codes, starts };
        let failed = stretches.find_map_first(|stretch| {
            let failed = codes.decode(file, stretch).err();
            progress((blocks - stretch * STRETCH_BLOCKS).min(STRETCH_BLOCKS));
            failed
        });
        failed.map_or(Ok(codes), Err)
    }

    /// Decodes the blocks of a stretch that have places, and keeps their codes.
    fn decode(&self, file: &PackedFile, stretch: u64) -> Result<(), FileError> {
        let range = self.range(stretch);
        let (places, codes) = (&self.places[range.clone()], &self.codes[range]);
        let blocks = places.chunk_by(|one, other| one.block() == other.block());
        let part = |last: &CodePlace| BlockPart { block: last.block(), last: last.tile_square() };
        let mut parts: Vec<BlockPart> =
            blocks.filter_map(|places| places.last().map(part)).collect();
        // Parts of like length are decoded together.
        parts.sort_unstable_by_key(|part| (part.last, part.block));
        file.decode(&parts, |number, decoded| {
            let block = parts[number].block;
            let first = places.partition_point(|place| place.block() < block);
            let held = zip(&places[first..], &codes[first..]);
            for (place, code) in held.take_while(|(place, _)| place.block() == block) {
                if let Some(decoded) = decoded.code(place.tile_square()) {
                    // `Relaxed`: the end of the parallel loop orders it before all reads.
                    code.store(decoded, Ordering::Relaxed);
                }
            }
        })
    }

    /// Returns the code of a tile square of a block. `None` if it was not read.
    pub fn code(&self, block: u64, tile_square: TileSquare) -> Option<u16> {
        let place = CodePlace::new(block, tile_square);
        let range = self.range(place.stretch());
        let found = self.places.get(range.clone())?.binary_search(&place).ok()?;
        Some(self.codes.get(range.start + found)?.load(Ordering::Relaxed))
    }

    /// Returns the places of a stretch, by number.
    fn range(&self, stretch: u64) -> Range<usize> {
        let start =
            |stretch: u64| self.starts.get(stretch as usize).copied().unwrap_or(self.places.len());
        start(stretch)..start(stretch + 1)
    }
}

/// Notes the places of the codes that the value of a position takes, unless it is in another table.
fn note(position: &Position, file: &PackedFile, places: &mut Vec<CodePlace>) {
    let OrientedMaterial { material, flipped } = position.material();
    if material != file.index().material() {
        return;
    }
    let (side, placement) = Placement::of(position, flipped, file.index());
    if side == file.kept() {
        let located = file.locate(&placement);
        places.extend(located.map(|(block, tile_square)| CodePlace::new(block, tile_square)));
    } else {
        for &played in &position.legal_moves() {
            note(&position.play_uncounted(played), file, places);
        }
    }
}
