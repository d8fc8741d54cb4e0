//! Effect of a change of material on a counted distance.
//!
//! The counted distance of a position is the least number of attacker's moves in which the
//! attacker can force mate, or a change of phase into a position that is still won under the
//! count that runs there.
//!
//! - A move that changes the material but not the phase leaves the count running. The number is
//!   carried over.
//! - A move into another phase starts another count. The number of the position there and the
//!   length of that count decide whether the position is won under it.
//!   - If the new count replaces the old one, the old one no longer matters: the attacker has
//!     arrived.
//!   - If the old count continues beside it, the count that ends sooner ends the game. The moves
//!     to mate must fit both: the number is carried if the new count leaves that many moves.
//!
//! One number per position is enough as long as at most one count continues into a phase that
//! ends with mate. If a count continued through two changes of phase, each of which starts
//! another count, the number would be needed for every length of the second. No counting rule
//! does this.
//!
//! A count must also be replaced by a move of the attacker. One ply past the limit only a mate
//! is in time; otherwise the draw is claimed first. A runner that had to start another count
//! itself would therefore be lost one ply later than a runner that is mated, with the same
//! number. In every counting rule, a move by which the runner takes or promotes the last pawn
//! replaces no count: no count ran, or the old one continues beside the new.
//!
//! The distance to mate in time is a second number from the same conditions. The attacker does
//! not arrive at another phase: the number of the position there is carried if the new count
//! leaves that many moves, see [`PhaseChange::to_mate`].

use crate::counting::rule::{CountingRule, OnChange, Phase};
use crate::distance::{Moves, Value};
use crate::material::Army;
use crate::rules::piece::Side;

/// Converts the counted distance of a position to the distance before the move that led there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhaseChange {
    /// Carry for wins of the side to move after the move.
    win: Carry,
    /// Carry for losses of the side to move after the move.
    loss: Carry,
}

/// Effect of a change of phase on the number of one attacker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Carry {
    /// The number is carried over.
    Carried,
    /// The number is carried over up to this many moves. Above it the position is not won.
    Within(Moves),
    /// Up to this many moves the attacker needs no more moves of the old count. Above it the
    /// position is not won.
    Arrived(Moves),
}

impl PhaseChange {
    /// No change: no count runs, or the count continues.
    pub const OPEN: PhaseChange = PhaseChange { win: Carry::Carried, loss: Carry::Carried };

    /// The phase change of a move from the pieces `before` to the pieces `after` it. `to_move` is
    /// the side to move after it.
    pub fn new(
        counting_rule: &CountingRule,
        before: [Army; 2],
        after: [Army; 2],
        to_move: Side,
    ) -> PhaseChange {
        let carry = |attacker: Side| {
            let phases =
                [before, after].map(|armies| counting_rule.phase_against(armies, attacker));
            // A capture starts the clock of the fifty-move rule again.
            let restarts = phases[1] == Phase::FiftyMoves && before != after;
            if phases[0] == phases[1] && !restarts {
                return Carry::Carried;
            }
            match counting_rule.longest_in_time(after, attacker, to_move) {
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

    /// The same change of phase for the distance to mate in time: where the attacker arrives by
    /// counted distance, the moves to mate are carried.
    #[must_use]
    pub fn to_mate(self) -> PhaseChange {
        let carry = |carry: Carry| match carry {
            Carry::Arrived(most) => Carry::Within(most),
            other => other,
        };
        PhaseChange { win: carry(self.win), loss: carry(self.loss) }
    }

    /// Converts a value, for the side to move after the move. A win in 0 moves needs no more moves
    /// of the old count.
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
    fn a_new_count_that_replaces_the_old_leaves_zero_moves_or_a_draw() {
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
    fn moves_to_mate_are_carried_if_the_new_count_leaves_them() {
        let makruk = variants::counting_rule("makruk").unwrap();
        let armies = |name: &str| {
            let material: Material = name.parse().unwrap();
            Side::BOTH.map(|side| material.army(side))
        };
        let change =
            PhaseChange::new(makruk, armies("KRvKM"), armies("KRvK"), Side::Black).to_mate();
        assert_eq!((change.carry(lost(13)), change.carry(lost(14))), (lost(13), Value::Draw));
    }

    #[test]
    fn a_count_that_runs_on_keeps_the_number_within_the_new_one() {
        let after = |moves| carried("ouk", "KRvKM", "KRvK", Side::Black, lost(moves));
        assert_eq!((after(0), after(12), after(13)), (lost(0), lost(12), Value::Draw));
        let after = |moves| carried("ouk", "KMPvK", "KMMvK", Side::Black, lost(moves));
        assert_eq!((after(59), after(60)), (lost(59), Value::Draw));
    }
}
