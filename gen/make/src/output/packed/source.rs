//! A solved table as the source of a packed one: in memory, or read a window at a time.
//!
//! Tiles are in the order of the white king, and so are the slots of the index. A window is all
//! slots of some white kings. The whole table is one window if it and its subtables are in memory;
//! else each white king is one, and codes that are not in memory are read king pair by king pair.
//! Of a subtable that is not in memory, the pages that a window asks for are kept as long as it.

use crate::output::packed::error::PackProblem;
use rayon::prelude::*;
use sakmak_solve::slots::code_run::CodeRun;
use sakmak_solve::slots::one_ply::OnePly;
use sakmak_solve::slots::paged_table::PagedTable;
use sakmak_solve::solver::Buffer;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use std::io;
use std::ops::Range;

/// A solved table and its subtables.
#[derive(Clone, Copy)]
pub struct PackSource<'a> {
    /// The codes of the table.
    pub codes: &'a dyn TableCodes,
    /// The quantity that its values measure.
    pub metric: Metric,
    /// The variant.
    pub variant: &'static Variant,
    /// The subtables of this metric.
    pub smaller: &'a [&'a dyn TableCodes],
}

/// The most tiles of a block that are always of one white king: the number of tiles of a white king
/// is even.
const TILES_OF_ONE_KING: usize = 2;

/// Returns the most king pairs of one white king.
pub fn pairs_per_white_king(index: &Index) -> u64 {
    let mut pairs = [0; SQUARES];
    for pair in (0..index.kings().len() as u16).map(KingPair) {
        let [white, _] = index.kings().kings(pair);
        pairs[white.index()] += 1;
    }
    pairs.into_iter().max().unwrap_or(0)
}

/// Returns the most king pairs of a window of a table that is not in memory, in blocks of this many
/// tiles.
pub fn window_pairs(index: &Index, block_tiles: usize) -> u64 {
    let white_kings = if block_tiles > TILES_OF_ONE_KING { 2 } else { 1 };
    white_kings * pairs_per_white_king(index)
}

/// The part of a source that is in memory at a time.
pub struct SourceWindow<'a> {
    /// The codes of the side to move.
    pub codes: CodeRun<'a>,
    /// The look-ahead that finds the don't-care squares.
    pub one_ply: &'a OnePly<'a>,
}

/// The codes of a window: borrowed from a table in memory, or read.
enum WindowBytes<'a> {
    Whole(&'a [u8]),
    Read(Buffer<u8>),
}

impl<'a> PackSource<'a> {
    /// Returns the index of the table.
    pub fn index(&self) -> &'a Index {
        self.codes.index()
    }

    /// Returns the sides to move that the table holds, with their codings.
    pub fn sides(&self) -> impl Iterator<Item = (Side, Coding)> + use<'a> {
        let codes = self.codes;
        Table::sides(codes.index()).iter().filter_map(|&side| Some((side, codes.coding(side)?)))
    }

    /// Whether all codes of a side to move and all of the subtables are in memory.
    pub fn is_whole(&self, side: Side) -> bool {
        let is_whole = |codes: &&dyn TableCodes| {
            let mut sides = Table::sides(codes.index()).iter();
            sides.all(|&side| codes.whole(side).is_some())
        };
        self.codes.whole(side).is_some() && self.smaller.iter().all(is_whole)
    }

    /// Calls `read` with a window that has these slots, which are all of some white kings.
    ///
    /// # Errors
    ///
    /// The error of `read`; or if the table or a subtable cannot be read, or there is no memory for
    /// the window.
    pub fn in_window<T>(
        &self,
        side: Side,
        slots: Range<u64>,
        read: impl FnOnce(&SourceWindow<'_>) -> Result<T, PackProblem>,
    ) -> Result<T, PackProblem> {
        let coding = self.codes.coding(side).unwrap_or_default();
        let bytes = self.bytes(side, coding, &slots).map_err(PackProblem::Read)?;
        let codes = match &bytes {
            WindowBytes::Whole(bytes) => CodeRun::new(coding, Slot(0), bytes),
            WindowBytes::Read(bytes) => CodeRun::new(coding, Slot(slots.start), bytes),
        };
        let own = PagedTable::new(self.codes);
        let smaller: Vec<PagedTable<'_>> =
            self.smaller.iter().map(|&codes| PagedTable::new(codes)).collect();
        let one_ply = OnePly::new(&own, self.metric, self.variant, &smaller);
        let result = read(&SourceWindow { codes, one_ply: &one_ply })?;
        smaller.iter().try_for_each(PagedTable::ensure_read).map_err(PackProblem::Read)?;
        Ok(result)
    }

    /// Returns the codes of these slots, which are all of some king pairs.
    fn bytes(&self, side: Side, coding: Coding, slots: &Range<u64>) -> io::Result<WindowBytes<'a>> {
        if let Some(whole) = self.codes.whole(side) {
            return Ok(WindowBytes::Whole(whole));
        }
        let per_pair = self.index().slots_per_pair();
        let pair_bytes = per_pair as usize * coding.width();
        let pairs = (slots.end - slots.start) / per_pair;
        let mut bytes = Buffer::<u8>::unspecified(pairs as usize * pair_bytes)?;
        let firsts: Vec<u64> = slots.clone().step_by(per_pair as usize).collect();
        bytes.par_chunks_mut(pair_bytes).zip(firsts).try_for_each(|(bytes, first)| {
            let codes = self.codes.window(side, first..first + per_pair)?;
            if codes.len() != bytes.len() {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
            }
            bytes.copy_from_slice(&codes);
            Ok(())
        })?;
        Ok(WindowBytes::Read(bytes))
    }
}
