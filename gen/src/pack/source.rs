//! One side's codes of a solved table as panels to be written.

use crate::codec::wanted::Wanted;
use crate::verify::quick::Quick;
use crate::walk::Walk;
use rayon::prelude::*;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::man::Side;
use sakmak_tables::panel::{PanelNumber, Panels};
use sakmak_tables::values::{Coding, Values};
use std::ops::Range;

/// Slots looked at by one thread at a time.
const RUN: u64 = 1 << 14;

/// Bits of a word of [`Source::loose`].
const WORD: u64 = u64::BITS as u64;

/// One side's codes, and where any code will do that the mover likes at most as much.
#[derive(Debug)]
pub struct Source<'a> {
    side: Side,
    values: &'a Values,
    /// A bit for each slot: a legal position whose best move that takes or promotes is
    /// worth as much as the position.
    loose: Vec<u64>,
}

impl<'a> Source<'a> {
    /// The codes of a side of a table made ready; nothing where they are not held.
    /// `progress` is called from all threads with the number of slots just looked at.
    pub fn new(
        index: &Index,
        quick: &Quick<'_>,
        side: Side,
        values: &'a Values,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Source<'a> {
        let mut loose = vec![0; index.slots().div_ceil(WORD) as usize];
        let runs = loose.par_chunks_mut((RUN / WORD) as usize).enumerate();
        runs.for_each(|(run, words)| {
            let run = run as u64;
            let slots = Slot(run * RUN)..Slot((run + 1) * RUN);
            let mut looked_at = 0;
            for (slot, placement) in Walk::over(index, slots) {
                looked_at += 1;
                let Some(board) = quick.board(slot, &placement) else { continue };
                if quick.is_won_by_changing(&board, side) {
                    let bit = slot.0 % RUN;
                    words[(bit / WORD) as usize] |= 1 << (bit % WORD);
                }
            }
            progress(looked_at);
        });
        Source { side, values, loose }
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// How the codes are to be read.
    pub fn coding(&self) -> Coding {
        self.values.coding()
    }

    /// Some panels as they are to be written.
    pub fn panels(&self, panels: &Panels, numbers: Range<u64>) -> Vec<Wanted> {
        numbers.map(|number| self.panel(panels, PanelNumber(number))).collect()
    }

    fn panel(&self, panels: &Panels, number: PanelNumber) -> Wanted {
        let panel = panels.panel(number);
        let shape = panels.shape(&panel, self.side);
        let mut wanted = Wanted { shape, ..Wanted::NOTHING };
        if shape.kept == 0 {
            return wanted;
        }
        let (coding, codes) = (self.values.coding(), self.values.codes());
        panels.for_each_slot(&panel, |square, Slot(slot)| {
            if shape.kept >> square.index() & 1 != 0 {
                wanted.codes[square.index()] = coding.read(codes, slot as usize).unwrap_or(0);
                let bit = self.loose[(slot / WORD) as usize] >> (slot % WORD) & 1;
                wanted.loose |= bit << square.index();
            }
        });
        wanted
    }
}
