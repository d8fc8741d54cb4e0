//! Values as numbers that are greater for a better value.
//!
//! A number is [`Value::preference`], plus one for losses. The largest number means that a value is
//! missing, the smallest means no move. So one maximum over the successors covers all cases.

use crate::slots::paged_table::PagedSide;
use sakmak_tables::distance::{Moves, Value, Wdl};
use sakmak_tables::index::Slot;

/// The value of a position for a side, as a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Preference(i64);

impl Preference {
    /// A draw.
    pub const DRAW: Preference = Preference(Value::Draw.preference());
    /// No move. Any move is better, even one after which the opponent has won at once.
    pub const NO_MOVE: Preference = Preference(i64::MIN);
    /// A position without a stored value: greater than all others, so that a maximum keeps it. No
    /// win is that quick, since mate takes a move.
    pub const UNKNOWN: Preference = Preference(i64::MAX);

    /// The preference of a value.
    pub const fn of(value: Value) -> Preference {
        match value {
            Value::Loss(_) => Preference(value.preference() + 1),
            _ => Preference(value.preference()),
        }
    }

    /// The preference of a move after which the opponent's best move has this preference.
    pub fn before_move(self) -> Preference {
        let value = match self {
            Preference::UNKNOWN | Preference::NO_MOVE | Preference::DRAW => return self,
            Preference(win @ 1..) => Value::Win(Moves((i64::MAX - win) as u32)),
            Preference(loss) => Value::Loss(Moves((loss - 1 - i64::MIN) as u32)),
        };
        Preference::of(value.before_move())
    }

    /// The result; `None` if the value or the move is missing.
    pub fn wdl(self) -> Option<Wdl> {
        match self {
            Preference::UNKNOWN | Preference::NO_MOVE => None,
            Preference::DRAW => Some(Wdl::Draw),
            better if better > Preference::DRAW => Some(Wdl::Win),
            _ => Some(Wdl::Loss),
        }
    }
}

/// The values stored for one side to move, as preferences.
#[derive(Debug)]
pub struct StoredPreferences<'a> {
    codes: &'a PagedSide<'a>,
    /// Preferences by code, for the side to move.
    to_mover: Vec<Preference>,
    /// Preferences by code, for the side whose move led to the position.
    before_move: Vec<Preference>,
}

impl<'a> StoredPreferences<'a> {
    /// Converts these values; `before` returns the value before the move that led to a value.
    pub fn of(codes: &'a PagedSide<'a>, before: impl Fn(Value) -> Value) -> StoredPreferences<'a> {
        let coding = codes.coding();
        let by_code = |preference: &dyn Fn(Value) -> Preference| {
            let codes = 0..coding.codes().min(1 << u16::BITS);
            codes
                .map(|code| coding.decode(code as u16).map_or(Preference::UNKNOWN, preference))
                .collect()
        };
        StoredPreferences {
            codes,
            to_mover: by_code(&Preference::of),
            before_move: by_code(&|value| Preference::of(before(value))),
        }
    }

    /// The preference of a position with this code, for the side to move.
    #[inline]
    pub fn of_code(&self, code: u16) -> Preference {
        self.to_mover.get(usize::from(code)).copied().unwrap_or(Preference::UNKNOWN)
    }

    /// The preference of the position at a slot, for the side to move.
    #[inline]
    pub fn to_mover(&self, slot: Slot) -> Preference {
        self.look_up(&self.to_mover, slot)
    }

    /// The preference of a move to the position at a slot, for the side that moves.
    #[inline]
    pub fn before_move(&self, slot: Slot) -> Preference {
        self.look_up(&self.before_move, slot)
    }

    #[inline]
    fn look_up(&self, by_code: &[Preference], slot: Slot) -> Preference {
        let preference = || by_code.get(usize::from(self.codes.code(slot)?));
        preference().copied().unwrap_or(Preference::UNKNOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::values::{Coding, Values};

    #[test]
    fn preferences_are_in_the_order_of_values() {
        let coding = Coding { wins: Moves(2), losses: Some(Moves(1)) };
        // Draw, wins in 1 and 2, losses in 0 and 1, no value.
        let values = Values::new(coding, vec![0, 1, 2, 3, 4, 5]);
        let codes = PagedSide::of(&values);
        let preferences = StoredPreferences::of(&codes, Value::before_move);
        let to_mover = |slot| preferences.to_mover(Slot(slot));
        assert_eq!(
            (to_mover(0), to_mover(3)),
            (Preference::DRAW, Preference::of(Value::Loss(Moves(0))))
        );
        let order = [3, 4, 0, 2, 1, 5].map(to_mover);
        assert!(order.is_sorted_by(|one, other| one < other) && Preference::NO_MOVE < order[0]);
        assert_eq!((order[5], to_mover(6)), (Preference::UNKNOWN, Preference::UNKNOWN));
        for (slot, value) in (0..5).map(|slot| (Slot(slot), values.get(Slot(slot)).unwrap())) {
            assert_eq!(preferences.before_move(slot), Preference::of(value.before_move()));
            assert_eq!(Preference::of(value).before_move(), preferences.before_move(slot));
        }
        assert_eq!(preferences.before_move(Slot(5)), Preference::UNKNOWN);
    }
}
