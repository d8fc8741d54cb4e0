//! What a change of material does to a counted distance.
//!
//! The counted distance of a position is the least number of attacker's moves in which the
//! attacker can force mate, or a change of phase into a position that is still won under
//! the count that runs there. A move that changes the material but not the phase leaves
//! the count running: the number is carried over. A move into another phase starts another
//! count, and whether the position there is won under it is known by then, from its own
//! number and the length of that count. Where the new count replaces the old one nothing
//! else matters: the attacker has arrived. Where the old one runs on beside it and the
//! sooner ends the game, the moves to mate must fit both: the number is carried if the new
//! count leaves so many.
//!
//! This takes one number per position as long as at most one count runs on into a phase
//! that ends with mate. A count that ran on through two changes of phase, each starting
//! another, would need the number for every length of the second; no counting rule has that.
//!
//! And it takes that a count is replaced by the attacker's move. One ply past the limit a
//! mate is in time and nothing else is, the draw is claimed first; so a runner that must
//! start another count itself would be lost a ply later than one that is mated, with the
//! same number. In every counting rule what the runner does, taking the last pawn or promoting
//! it, replaces no count: none ran, or the old one runs on beside the new.

use crate::counting::rule::{CountingRule, OnChange, Phase};
use crate::distance::{Moves, Value};
use crate::material::Army;
use crate::rules::piece::Side;

/// Converts the counted distance of a position to the one before the move that led there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhaseChange {
    /// For wins of the side to move there.
    win: Carry,
    /// For its losses.
    loss: Carry,
}

/// What a change of phase does to one attacker's number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Carry {
    /// It is carried over.
    Carried,
    /// It is carried over up to this number of moves; above it the position is not won.
    Within(Moves),
    /// Up to this number of moves the attacker needs no more of the old count; above it
    /// the position is not won.
    Arrived(Moves),
}

impl PhaseChange {
    /// No change: no count runs, or the count runs on.
    pub const OPEN: PhaseChange = PhaseChange { win: Carry::Carried, loss: Carry::Carried };

    /// The phase change from the pieces `before` a move to those `after` it, with `to_move` to
    /// move there.
    pub fn new(
        counting_rule: &CountingRule,
        before: [Army; 2],
        after: [Army; 2],
        to_move: Side,
    ) -> PhaseChange {
        let carry = |attacker: Side| {
            let phases =
                [before, after].map(|armies| counting_rule.phase_against(armies, attacker));
            if phases[0] == phases[1] {
                return Carry::Carried;
            }
            match counting_rule.clock_against(after, attacker, to_move) {
                None => Carry::Arrived(Moves(u32::MAX)),
                Some(moves)
                    if counting_rule.on_change == OnChange::KeepSooner
                        && phases[0] != Phase::Free =>
                {
                    Carry::Within(moves)
                }
                Some(moves) => Carry::Arrived(moves),
            }
        };
        PhaseChange { win: carry(to_move), loss: carry(!to_move) }
    }

    /// Converts a value, for the side to move after the move. A win in 0 moves needs no more of
    /// the old count.
    #[inline]
    pub fn carry(&self, value: Value) -> Value {
        let number = |carry: Carry, moves: Moves| match carry {
            Carry::Carried => Some(moves),
            Carry::Within(most) => (moves <= most).then_some(moves),
            Carry::Arrived(most) => (moves <= most).then_some(Moves(0)),
        };
        match value {
            Value::Draw => Value::Draw,
            Value::Win(moves) => number(self.win, moves).map_or(Value::Draw, Value::Win),
            Value::Loss(moves) => number(self.loss, moves).map_or(Value::Draw, Value::Loss),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;
    use crate::variants;

    fn carried(
        counting_rule: &str,
        before: &str,
        after: &str,
        to_move: Side,
        value: Value,
    ) -> Value {
        let armies = |name: &str| {
            let material: Material = name.parse().unwrap();
            Side::BOTH.map(|side| material.army(side))
        };
        let counting_rule = variants::counting_rule(counting_rule).unwrap();
        PhaseChange::new(counting_rule, armies(before), armies(after), to_move).carry(value)
    }

    fn lost(moves: u32) -> Value {
        Value::Loss(Moves(moves))
    }

    #[test]
    fn within_a_phase_numbers_are_carried() {
        for (counting_rule, before, after) in [
            ("makruk", "KRRvKR", "KRvKR"),
            ("makruk", "KRPvKP", "KRPvK"),
            ("ouk", "KRPvKM", "KRPvK"),
            ("ouk", "KRPvKM", "KRMvKM"),
            ("ouk-traditional", "KRRvKR", "KRvKR"),
        ] {
            assert_eq!(carried(counting_rule, before, after, Side::Black, lost(70)), lost(70));
        }
    }

    #[test]
    fn a_new_count_that_replaces_the_old_asks_for_nothing_more_or_gives_nothing() {
        // Limit 16, three men, the runner to move: 13.
        let after = |moves| carried("makruk", "KRvKM", "KRvK", Side::Black, lost(moves));
        assert_eq!((after(13), after(14)), (lost(0), Value::Draw));
        // The bare king took the last pawn: 14.
        let after =
            |moves| carried("makruk", "KRPvK", "KRvK", Side::White, Value::Win(Moves(moves)));
        assert_eq!((after(14), after(15)), (Value::Win(Moves(0)), Value::Draw));
        let after = |moves| carried("makruk", "KRPvKM", "KRMvKM", Side::Black, lost(moves));
        assert_eq!((after(64), after(65)), (lost(0), Value::Draw));
    }

    #[test]
    fn a_count_that_runs_on_keeps_the_number_within_the_new_one() {
        let after = |moves| carried("ouk", "KRvKM", "KRvK", Side::Black, lost(moves));
        assert_eq!((after(0), after(12), after(13)), (lost(0), lost(12), Value::Draw));
        let after = |moves| carried("ouk", "KMPvK", "KMMvK", Side::Black, lost(moves));
        assert_eq!((after(59), after(60)), (lost(59), Value::Draw));
    }
}
