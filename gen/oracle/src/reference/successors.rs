//! The successors of every position of a material, computed once.

use crate::reference::entry::Entry;
use crate::reference::numbering::{Number, Numbering};
use rayon::prelude::*;
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;

/// The position after one move: the number of a position of the same material, or the entry of a
/// position of a smaller material, which is final.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Successor(u32);

/// The bit that marks the entry of a smaller material.
const SMALLER: u32 = Numbering::MOST;

impl Successor {
    fn within(number: Number) -> Successor {
        Successor(number.0)
    }

    fn smaller(entry: Entry) -> Successor {
        Successor(SMALLER | u32::from(entry.0))
    }

    fn entry_of_smaller(self) -> Option<Entry> {
        (self.0 & SMALLER != 0).then_some(Entry((self.0 & !SMALLER) as u16))
    }
}

/// The entries of the successors of one position.
pub struct SuccessorEntries<'a> {
    successors: std::slice::Iter<'a, Successor>,
    opponent: &'a [Entry],
}

impl Iterator for SuccessorEntries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let successor = self.successors.next()?;
        Some(successor.entry_of_smaller().unwrap_or_else(|| self.opponent[successor.0 as usize]))
    }
}

/// The number of neighbouring numbers that share a block.
const BLOCK: u32 = 1 << 13;

/// The successors of neighbouring positions. Illegal positions have no successors.
struct SuccessorBlock {
    /// The number of the first position.
    first: Number,
    /// The end of the range in `successors`, by position.
    ends: Vec<u32>,
    successors: Vec<Successor>,
}

/// The successors of all positions of one side to move.
pub struct Successors {
    blocks: Vec<SuccessorBlock>,
}

impl Successors {
    /// The successors of all positions with `side` to move, and the entries of these positions:
    /// illegal, mated or open.
    ///
    /// `smaller` returns the entry of a position with other pieces.
    pub fn new(
        numbering: &Numbering,
        side: Side,
        smaller: &(dyn Fn(&Position) -> Entry + Sync),
    ) -> (Successors, Vec<Entry>) {
        let block = |first: u32| {
            let (mut entries, mut ends, mut successors) = (Vec::new(), Vec::new(), Vec::new());
            let mut squares = Vec::new();
            for number in first..numbering.count().min(first + BLOCK) {
                let mut entry = Entry::ILLEGAL;
                if let Some(position) = numbering.position(Number(number), side) {
                    squares.clear();
                    squares.extend(numbering.squares(Number(number)));
                    let moves = position.legal_moves();
                    entry = match position.final_value_given(&moves) {
                        Some(Value::Loss(_)) => Entry::LOST,
                        _ => Entry::OPEN,
                    };
                    successors.extend(moves.iter().map(|&played| {
                        let keeps_pieces =
                            played.promotion.is_none() && !position.is_capture(played);
                        let after = position.play_uncounted(played);
                        let has_right =
                            position.en_passant().is_some() || after.en_passant().is_some();
                        let step = || {
                            let step = numbering.step(&squares, played.from, played.to)?;
                            Some(numbering.after(Number(number), step))
                        };
                        let within = if has_right { numbering.number(&after) } else { step() };
                        match within.filter(|_| keeps_pieces) {
                            Some(number) => Successor::within(number),
                            None => Successor::smaller(smaller(&after)),
                        }
                    }));
                }
                entries.push(entry);
                ends.push(successors.len() as u32);
            }
            successors.shrink_to_fit();
            (SuccessorBlock { first: Number(first), ends, successors }, entries)
        };
        let firsts: Vec<u32> = (0..numbering.count()).step_by(BLOCK as usize).collect();
        let (blocks, entries): (Vec<SuccessorBlock>, Vec<Vec<Entry>>) =
            firsts.into_par_iter().map(block).unzip();
        (Successors { blocks }, entries.concat())
    }

    /// The longest mate to which a move into a smaller material leads. Returns `None` if no move
    /// does.
    pub fn longest_mate_of_smaller(&self) -> Option<Plies> {
        let of_block = |block: &SuccessorBlock| {
            let smaller = block.successors.iter().filter_map(|one| one.entry_of_smaller());
            smaller.filter_map(Entry::plies).max()
        };
        self.blocks.par_iter().filter_map(of_block).max()
    }

    /// The open positions for which `decide` returns true, given the entries of their
    /// successors.
    pub fn decided(
        &self,
        own: &[Entry],
        opponent: &[Entry],
        decide: impl Fn(SuccessorEntries) -> bool + Sync,
    ) -> Vec<Number> {
        let of_block = |block: &SuccessorBlock| {
            let mut start = 0;
            let mut found = Vec::new();
            for (number, &end) in (block.first.0..).zip(&block.ends) {
                let successors = block.successors[start as usize..end as usize].iter();
                start = end;
                if own[number as usize] == Entry::OPEN
                    && decide(SuccessorEntries { successors, opponent })
                {
                    found.push(Number(number));
                }
            }
            found
        };
        self.blocks.par_iter().flat_map_iter(of_block).collect()
    }
}
