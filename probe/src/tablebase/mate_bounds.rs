//! Bounds of a mate in time, and the budget for narrowing them.

use sakmak_tables::distance::{Moves, Value};

/// Maximum number of positions that a search for mates in time looks up, beyond the position and
/// its successors. Positions that the search has already met count too. A lookup needs some
/// microseconds.
///
/// The same budget returns the same answer on every machine, unlike a time limit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct LookupBudget(pub u32);

impl LookupBudget {
    /// No search: only the table values of the position and its successors.
    pub const NONE: LookupBudget = LookupBudget(0);
    /// For one answer that a person waits for: at most about a second.
    pub const THOROUGH: LookupBudget = LookupBudget(100_000);
}

/// Bounds of the shortest mate in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Whether the side to move is the attacker.
    pub attacks: bool,
    /// Lower bound. `None` if no mate is in time.
    pub least: Option<Moves>,
    /// Upper bound. `None` if no mate is known.
    pub most: Option<Moves>,
}

impl Bounds {
    /// The length for the side to move. `None` if no mate is in time or the bounds differ.
    pub fn exact(self) -> Option<Value> {
        let value = if self.attacks { Value::Win } else { Value::Loss };
        self.most.filter(|_| self.most == self.least).map(value)
    }

    /// The bounds for one of the two attackers. If the other one mates, this one does not.
    pub fn of(self, attacks: bool) -> Bounds {
        match self.attacks == attacks {
            true => self,
            false => Bounds { attacks, least: None, most: None },
        }
    }

    /// Whether a mate is in time, but its length is not known.
    pub fn is_open(self) -> bool {
        self.least.is_some() && self.most != self.least
    }
}
