//! The codes of a run of slots, by slot.

use sakmak_tables::index::Slot;
use sakmak_tables::values::{Coding, Values};
use std::ops::Range;

/// The codes of successive slots of one side to move, in memory.
#[derive(Clone, Copy, Debug)]
pub struct CodeRun<'a> {
    coding: Coding,
    first: Slot,
    codes: &'a [u8],
}

impl<'a> CodeRun<'a> {
    /// Codes of [`Coding::width`] bytes each, from this slot on.
    pub fn new(coding: Coding, first: Slot, codes: &'a [u8]) -> CodeRun<'a> {
        CodeRun { coding, first, codes }
    }

    /// All codes of a side.
    pub fn of(values: &'a Values) -> CodeRun<'a> {
        CodeRun::new(values.coding(), Slot(0), values.codes())
    }

    /// The coding.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// The code of a slot. `None` outside the run.
    #[inline]
    pub fn code(&self, slot: Slot) -> Option<u16> {
        self.coding.read(self.codes, slot.0.checked_sub(self.first.0)? as usize)
    }

    /// The codes of a range of slots. Empty if a part of it is outside the run.
    #[inline]
    pub fn codes(&self, slots: Range<u64>) -> &'a [u8] {
        let width = self.coding.width();
        let byte = |slot: u64| Some(slot.checked_sub(self.first.0)? as usize * width);
        let bytes = byte(slots.start).zip(byte(slots.end));
        bytes.and_then(|(start, end)| self.codes.get(start..end)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::distance::Moves;

    #[test]
    fn codes_are_found_by_slot_and_only_inside() {
        for wins in [9, 300] {
            let coding = Coding { wins: Moves(wins), losses: None };
            let codes: Vec<u8> = (0..8).collect();
            let run = CodeRun::new(coding, Slot(100), &codes);
            let slots = 8 / coding.width() as u64;
            for slot in 0..slots {
                let expected = coding.read(&codes, slot as usize);
                assert_eq!(run.code(Slot(100 + slot)), expected);
            }
            let width = coding.width();
            assert_eq!(run.codes(101..103), &codes[width..3 * width]);
            for outside in [99, 100 + slots] {
                assert_eq!(run.code(Slot(outside)), None);
                assert!(run.codes(outside..outside + 1).is_empty());
            }
        }
    }
}
