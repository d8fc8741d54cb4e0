//! The entry that the reference solver stores for a position.

use sakmak_tables::distance::{Plies, Value};

/// The number of plies until mate, [`Entry::OPEN`] or [`Entry::ILLEGAL`]. The number is even if
/// the side to move is mated and odd if it mates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry(pub(super) u16);

impl Entry {
    /// No mate is found. The position is a draw once all mates are found.
    pub const OPEN: Entry = Entry(u16::MAX);
    /// The position is not legal.
    pub const ILLEGAL: Entry = Entry(u16::MAX - 1);
    /// The game is over and the side to move has lost.
    pub const LOST: Entry = Entry(0);

    /// Mate in this number of plies. Returns `None` if it does not fit.
    pub fn mate_in(plies: Plies) -> Option<Entry> {
        u16::try_from(plies.0).ok().map(Entry).filter(|entry| entry.plies().is_some())
    }

    /// Plies until mate. Returns `None` if the entry is open or illegal.
    pub fn plies(self) -> Option<Plies> {
        (self != Entry::OPEN && self != Entry::ILLEGAL).then_some(Plies(u32::from(self.0)))
    }

    /// The value when all mates are found. Returns `None` for an illegal position.
    pub fn value(self) -> Option<Value> {
        (self != Entry::ILLEGAL).then(|| self.plies().map_or(Value::Draw, Value::from_plies))
    }
}
