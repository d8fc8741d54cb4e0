//! The record: at which layer each slot was found won or lost.

use super::bits::{PLANE_SLOTS, Plane};
use sakmak_tables::distance::Moves;
use sakmak_tables::set::Set;

/// The distances found for one attacker and side to move in the planes of one king pair.
///
/// A byte each; distances that do not fit are kept beside.
#[derive(Debug)]
pub struct Record {
    /// By outer placement, row and column: the distance plus one, 0 for none.
    bytes: Vec<u8>,
    /// Slots with distances too long for a byte.
    long: Vec<(u32, Moves)>,
    /// The longest distance a byte holds.
    byte_holds: Moves,
}

/// The byte that says the distance is kept beside.
const LONG: u8 = u8::MAX;

impl Record {
    /// An empty record of this many planes.
    pub fn new(planes: usize, byte_holds: Moves) -> Record {
        Record { bytes: vec![0; planes * PLANE_SLOTS], long: Vec::new(), byte_holds }
    }

    /// The longest distance a byte can hold.
    pub const BYTE_HOLDS: Moves = Moves(LONG as u32 - 2);

    /// Notes that these slots of a plane have this distance.
    pub fn note(&mut self, plane: usize, slots: &Plane, moves: Moves) {
        let byte = if moves <= self.byte_holds { moves.0 as u8 + 1 } else { LONG };
        let start = plane * PLANE_SLOTS;
        for (row, &word) in slots.0.iter().enumerate() {
            for column in Set(word) {
                let slot = start + row * slots.0.len() + column.index();
                self.bytes[slot] = byte;
                if byte == LONG {
                    self.long.push((slot as u32, moves));
                }
            }
        }
    }

    /// Puts what was noted in order; to be done once, before [`Record::get`].
    pub fn finish(&mut self) {
        self.long.sort_unstable();
    }

    /// The distance of a slot of a plane, if one was noted.
    pub fn get(&self, plane: usize, row: usize, column: usize) -> Option<Moves> {
        let slot = (plane * sakmak_tables::square::SQUARES + row) * sakmak_tables::square::SQUARES
            + column;
        match self.bytes[slot] {
            0 => None,
            LONG => {
                let place = self.long.binary_search_by_key(&(slot as u32), |long| long.0).ok()?;
                Some(self.long[place].1)
            }
            byte => Some(Moves(u32::from(byte) - 1)),
        }
    }
}
