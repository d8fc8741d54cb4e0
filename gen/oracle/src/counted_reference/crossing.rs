//! Effect of a move that changes the pieces on the moves left, computed with real clocks.

use crate::counted_reference::wins::LeastMoves;
use sakmak_tables::counting::{Clock, CountingRule, FirstCall, Honour, Party, Phase};
use sakmak_tables::distance::{Moves, Plies};
use sakmak_tables::material::Army;
use sakmak_tables::rules::piece::Side;

/// A move of one side that changes the pieces from `before` to `after`.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// Armies by [`Side::index`].
    pub before: [Army; 2],
    /// Armies by [`Side::index`].
    pub after: [Army; 2],
    /// The side that moves.
    pub mover: Side,
}

/// The clocks behave in a way that one number per position cannot describe.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{counting_rule}, with {left} left before a move: {what}", counting_rule = .counting_rule.name)]
pub struct OddClock {
    counting_rule: &'static CountingRule,
    left: Moves,
    what: &'static str,
}

impl Crossing {
    /// The attacker's moves left after the move, if `left` moves were left before it. Returns
    /// `None` if the attacker is to move and has no move left.
    ///
    /// In the free phase there is no clock. The number there is the number of moves the attacker
    /// may take until it mates or leaves the phase.
    pub fn left_after(
        &self,
        counting_rule: &'static CountingRule,
        attacker: Side,
        left: Moves,
    ) -> Result<Option<Moves>, OddClock> {
        let moved = u32::from(self.mover == attacker);
        let Some(ticked) = left.0.checked_sub(moved).map(Moves) else { return Ok(None) };
        let [before, after] =
            [self.before, self.after].map(|armies| counting_rule.phase_against(armies, attacker));
        let party = |side: Side| if side == attacker { Party::Attacker } else { Party::Runner };
        let odd = |what| Err(OddClock { counting_rule, left, what });
        let advanced = |clock: Option<Clock>| {
            let clock = counting_rule.advance(clock, self.before, self.after, !self.mover);
            clock.map(|clock| clock.moves_left(party(!self.mover)))
        };
        let after = match (honour(before), honour(after)) {
            (None, None) => Some(ticked),
            // A clock that runs for the other side does not limit this attacker.
            (None, Some(_)) => {
                advanced(None).or_else(|| self.left_before_start(counting_rule, attacker))
            }
            // Without a clock the number of moves is unlimited.
            (Some(_), None) => Some(LeastMoves::MOST),
            (Some(running), Some(_)) => {
                let clocks = clocks(running, party(self.mover), left);
                let [one, other] = clocks.map(|clock| advanced(Some(clock)));
                if one != other {
                    return odd("a ply more or less on the clock matters");
                }
                one
            }
        };
        match after {
            None => odd("no clock runs in a phase that has one"),
            Some(after) => Ok(Some(after)),
        }
    }

    /// The attacker's moves, with the attacker to move, before a count that starts when the runner
    /// is to move.
    fn left_before_start(
        &self,
        counting_rule: &'static CountingRule,
        attacker: Side,
    ) -> Option<Moves> {
        let starts = counting_rule.first_call == FirstCall::One && self.mover != attacker;
        let clock = counting_rule.fresh_clock(self.after, !attacker).filter(|_| starts);
        clock.map(|clock| Moves(clock.moves_left(Party::Runner).0 + 1))
    }

    /// Checks that a move that keeps the pieces leaves the attacker one move less if the attacker
    /// makes it, else the same number.
    pub fn check_tick(
        &self,
        counting_rule: &'static CountingRule,
        attacker: Side,
    ) -> Result<(), OddClock> {
        let moved = u32::from(self.mover == attacker);
        for left in (0..=LeastMoves::MOST.0).map(Moves) {
            let after = self.left_after(counting_rule, attacker, left)?;
            if after != left.0.checked_sub(moved).map(Moves) {
                let what = "a move that keeps the pieces changes the number by another amount";
                return Err(OddClock { counting_rule, left, what });
            }
        }
        Ok(())
    }

    /// The least number before the move with which the attacker wins by it, by
    /// [`LeastMoves::index`] of the least number after the move.
    pub fn befores(
        &self,
        counting_rule: &'static CountingRule,
        attacker: Side,
    ) -> Result<Vec<LeastMoves>, OddClock> {
        let mut befores = vec![LeastMoves::NEVER; usize::from(u8::MAX) + 1];
        let mut most = Moves(0);
        for left in (0..=LeastMoves::MOST.0).map(Moves) {
            let Some(after) = self.left_after(counting_rule, attacker, left)? else { continue };
            if after < most {
                let what = "with more moves left there are fewer after the move";
                return Err(OddClock { counting_rule, left, what });
            }
            most = after;
            for before in &mut befores[..=after.0.min(LeastMoves::MOST.0) as usize] {
                *before = (*before).min(LeastMoves::with(left));
            }
        }
        Ok(befores)
    }
}

fn honour(phase: Phase) -> Option<Honour> {
    match phase {
        Phase::Free => None,
        Phase::BoardsHonour => Some(Honour::Boards),
        Phase::PiecesHonour => Some(Honour::Pieces),
        Phase::FiftyMoves => Some(Honour::FiftyMoves),
    }
}

/// The two clocks on which the attacker has `left` moves. They differ by one ply, which depends on
/// the side to move at the start of the count. Their limits differ from the limits of the rules:
/// every rule depends only on the moves left.
fn clocks(honour: Honour, to_move: Party, left: Moves) -> [Clock; 2] {
    let first = u32::from(to_move == Party::Attacker);
    let limit = Plies(2 * left.0 + 2);
    [2, 3].map(|count| Clock::new(honour, limit, Plies(count + first)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::material::Material;
    use sakmak_tables::variants;

    fn armies(name: &str) -> [Army; 2] {
        let material: Material = name.parse().unwrap();
        Side::BOTH.map(|side| material.army(side))
    }

    fn after(
        counting_rule: &str,
        before: &str,
        after: &str,
        mover: Side,
        left: u32,
    ) -> Option<u32> {
        let crossing = Crossing { before: armies(before), after: armies(after), mover };
        let counting_rule = variants::counting_rule(counting_rule).unwrap();
        crossing
            .left_after(counting_rule, Side::White, Moves(left))
            .unwrap()
            .map(|Moves(left)| left)
    }

    #[test]
    fn both_clocks_leave_the_given_moves() {
        for to_move in [Party::Attacker, Party::Runner] {
            for left in 0..=70 {
                let clocks = clocks(Honour::Boards, to_move, Moves(left));
                assert_eq!(clocks.map(|clock| clock.moves_left(to_move)), [Moves(left); 2]);
                assert_ne!(clocks[0], clocks[1]);
            }
        }
    }

    /// `rules.md` section 2.
    #[test]
    fn clocks_tick_run_on_start_anew_or_end_sooner() {
        use Side::{Black, White};
        // Under the fifty-move rule a ply more or less matters.
        let in_moves = variants::counting_rules().filter(|rule| rule.fifty_moves.is_none());
        for counting_rule in in_moves.map(|counting_rule| counting_rule.name) {
            // The attacker has no move left. A move of the attacker uses one move, a move of the
            // runner none.
            assert_eq!(after(counting_rule, "KRRvK", "KRRvK", White, 0), None);
            assert_eq!(after(counting_rule, "KRRvK", "KRRvK", White, 5), Some(4));
            assert_eq!(after(counting_rule, "KRRvK", "KRRvK", Black, 5), Some(5));
            // A rook is given up: the limit of two rooks remains.
            assert_eq!(after(counting_rule, "KRRvK", "KRvK", Black, 3), Some(3));
        }
        // Limit 16, three men.
        for left in [1, 2, 60] {
            assert_eq!(after("makruk", "KRvKM", "KRvK", White, left), Some(13));
            assert_eq!(after("ouk", "KRvKM", "KRvK", White, left), Some(12.min(left - 1)));
        }
        // The board's honour continues with fewer pieces.
        assert_eq!(after("makruk", "KRMvKR", "KMvKR", Black, 7), Some(7));
        // The last pawn disappears by a move of the attacker, then by moves of the runner.
        assert_eq!(after("makruk", "KRPvKM", "KRMvKM", White, 1), Some(64));
        assert_eq!(after("makruk", "KRPvKM", "KRvKM", Black, 0), Some(65));
        assert_eq!(after("makruk", "KRPvK", "KRvK", Black, 0), Some(14));
        assert_eq!(after("ouk", "KRPvK", "KRvK", Black, 50), Some(13));
        assert_eq!(after("ouk", "KRPvK", "KRvK", Black, 5), Some(5));
        // Pawns still stop the count in one rule, not in the other.
        assert_eq!(after("makruk", "KRPvKP", "KRPvK", White, 9), Some(8));
        assert_eq!(after("ouk", "KRPvKP", "KRPvK", White, 9), Some(8));
        assert_eq!(after("ouk-traditional", "KRvKM", "KRvK", White, 1), Some(13));
    }
}
