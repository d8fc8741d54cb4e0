//! PairConversions: slots that hold the value of a smaller table, in order of their distance.

use sakmak_tables::board::square::SQUARES;
use sakmak_tables::distance::Moves;
use std::ops::Range;

/// The conversions after the moves of one side, by king pair.
#[derive(Debug, Default)]
pub struct MoverConversions {
    /// Those won for the opponent, who is to move.
    pub won: Vec<PairConversions>,
    /// Those lost for the opponent.
    pub lost: Vec<PairConversions>,
}

/// The conversions of one king pair, plane by plane; those of a plane by distance.
#[derive(Debug, Default)]
pub struct PairConversions {
    /// Runs of one distance in a plane: the distance, the number of slots, the slots.
    runs: Vec<u16>,
    /// By outer placement: the runs that are not due yet.
    left: Vec<Range<u32>>,
    /// By distance: whether any conversion has it.
    distances: Vec<bool>,
}

/// Bits of a slot within its plane.
const SLOT_BITS: u32 = (SQUARES * SQUARES).trailing_zeros();

/// A conversion of this distance, as [`PairConversions::push_plane`] takes it.
pub fn entry(moves: Moves, slot: u32) -> u32 {
    moves.0 << SLOT_BITS | slot
}

impl PairConversions {
    /// Frees memory that is reserved and not used.
    pub fn shrink(&mut self) {
        self.runs.shrink_to_fit();
    }

    /// Removes the conversions of a plane whose distance is `moves` and returns their rows and
    /// columns. It must be called for every distance in ascending order.
    #[inline]
    pub fn due(&mut self, outer: usize, moves: Moves) -> impl Iterator<Item = (usize, u64)> + '_ {
        let left = &mut self.left[outer];
        let runs = &self.runs[left.start as usize..left.end as usize];
        let slots = match runs {
            [distance, count, slots @ ..] if u32::from(*distance) == moves.0 => {
                left.start += 2 + u32::from(*count);
                &slots[..usize::from(*count)]
            }
            _ => &[],
        };
        slots.iter().map(|&slot| {
            let slot = usize::from(slot);
            (slot / SQUARES, 1 << (slot % SQUARES))
        })
    }

    /// Adds the conversions of the next plane; sorts `entries`.
    pub fn push_plane(&mut self, entries: &mut [u32]) {
        entries.sort_unstable();
        let start = self.runs.len() as u32;
        for run in entries.chunk_by(|one, other| one >> SLOT_BITS == other >> SLOT_BITS) {
            let distance = run[0] >> SLOT_BITS;
            let slot = |entry: &u32| (entry & ((1 << SLOT_BITS) - 1)) as u16;
            self.runs.extend([distance as u16, run.len() as u16]);
            self.runs.extend(run.iter().map(slot));
            if self.distances.len() <= distance as usize {
                self.distances.resize(distance as usize + 1, false);
            }
            self.distances[distance as usize] = true;
        }
        self.left.push(start..self.runs.len() as u32);
    }

    /// The greatest distance.
    pub fn last(&self) -> Moves {
        Moves(self.distances.len().saturating_sub(1) as u32)
    }

    /// Whether any conversion has this distance.
    pub fn is_due(&self, moves: Moves) -> bool {
        self.distances.get(moves.0 as usize).is_some_and(|&any| any)
    }
}
