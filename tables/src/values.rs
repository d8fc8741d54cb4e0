//! The values of all slots of one side to move, coded in one or two bytes each.

pub mod table;

pub mod codes;

use crate::distance::{Moves, Value};
use crate::index::Slot;
use bytes::Bytes;
use std::ops::Range;

/// The greatest number of bytes per code.
pub const MAX_WIDTH: usize = 2;

/// Coding of the values of one side to move.
///
/// Code 0 is a draw, codes 1 to `wins` are wins in 1 to `wins` moves, and the next codes are losses
/// in 0 to `losses` moves. Codes take one byte if all fit, else two, little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Coding {
    /// The longest win. 0 moves if there is no win.
    pub wins: Moves,
    /// The longest loss. `None` if there is no loss.
    pub losses: Option<Moves>,
}

impl Coding {
    /// The number of codes.
    pub const fn codes(self) -> u32 {
        let losses = match self.losses {
            Some(Moves(moves)) => moves.saturating_add(1),
            None => 0,
        };
        losses.saturating_add(self.wins.0).saturating_add(1)
    }

    /// Bytes per code.
    pub const fn width(self) -> usize {
        if self.codes() <= 1 << u8::BITS { 1 } else { MAX_WIDTH }
    }

    /// The code of a value. `None` if the value is longer than the longest.
    pub fn encode(self, value: Value) -> Option<u16> {
        let code = match value {
            Value::Draw => 0,
            Value::Win(moves) if (Moves(1)..=self.wins).contains(&moves) => moves.0,
            Value::Loss(moves) if Some(moves) <= self.losses => self.wins.0 + 1 + moves.0,
            _ => return None,
        };
        u16::try_from(code).ok()
    }

    /// The value of a code. `None` if no value has this code.
    pub fn decode(self, code: u16) -> Option<Value> {
        let code = u32::from(code);
        match code.checked_sub(self.wins.0 + 1) {
            None if code == 0 => Some(Value::Draw),
            None => Some(Value::Win(Moves(code))),
            Some(loss) => {
                Some(Moves(loss)).filter(|&loss| Some(loss) <= self.losses).map(Value::Loss)
            }
        }
    }

    /// The highest of some codes if no value has it. `None` if all codes have values.
    pub fn without_value(self, codes: &[u8]) -> Option<u16> {
        let highest = match self.width() {
            1 => codes.iter().copied().max().map(u16::from),
            _ => codes.as_chunks().0.iter().map(|&pair| u16::from_le_bytes(pair)).max(),
        };
        highest.filter(|&highest| u32::from(highest) >= self.codes())
    }

    /// The code at an index in an array of codes. `None` past its end.
    #[inline]
    pub fn read(self, bytes: &[u8], position: usize) -> Option<u16> {
        if self.width() == 1 {
            bytes.get(position).map(|&byte| u16::from(byte))
        } else {
            let bytes = bytes.get(2 * position..2 * position + 2)?;
            Some(u16::from_le_bytes([bytes[0], bytes[1]]))
        }
    }
}

/// The values of all slots of one side to move, in memory.
///
/// Slots that are not legal positions hold arbitrary codes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    coding: Coding,
    codes: Bytes,
}

impl Values {
    /// Values from codes of [`Coding::width`] bytes each, by slot.
    pub fn new(coding: Coding, codes: impl Into<Bytes>) -> Values {
        Values { coding, codes: codes.into() }
    }

    /// The coding.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// The codes, [`Coding::width`] bytes each.
    pub fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// The codes of a range of slots. Empty if the range ends past the last slot.
    pub fn window(&self, slots: Range<u64>) -> &[u8] {
        let width = self.coding.width();
        let bytes = slots.start as usize * width..slots.end as usize * width;
        self.codes.get(bytes).unwrap_or_default()
    }

    /// The value at a slot. `None` past the last slot, or if no value has the code.
    pub fn get(&self, slot: Slot) -> Option<Value> {
        let code = self.coding.read(&self.codes, usize::try_from(slot.0).ok()?)?;
        self.coding.decode(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_values_are_one_to_one() {
        let codings =
            [(0, None), (5, None), (0, Some(0)), (16, Some(3)), (130, Some(140)), (400, None)];
        for (wins, losses) in codings {
            let coding = Coding { wins: Moves(wins), losses: losses.map(Moves) };
            for code in 0..coding.codes() as u16 {
                let value = coding.decode(code).unwrap();
                assert_eq!(coding.encode(value), Some(code));
            }
            assert_eq!(coding.decode(coding.codes() as u16), None);
            assert_eq!(coding.encode(Value::Win(Moves(wins + 1))), None);
            assert_eq!(coding.width(), if coding.codes() > 256 { 2 } else { 1 });
        }
    }
}
