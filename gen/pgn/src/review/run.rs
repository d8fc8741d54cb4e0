//! The counts of a game, each from its start to its end.

use crate::replay::Replay;
use sakmak_probe::Answer;
use sakmak_probe::Count;
use sakmak_tables::counting::{Clock, Honour, Party};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;

/// A count of a game. An index denotes a position; 0 is before the first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountRun {
    /// The kind of count.
    pub honour: Honour,
    /// The side that must mate in time. In the pieces' honour it is the side with pieces. Otherwise
    /// it is the side that wins in the first position that the tables have, or the stronger side.
    pub attacker: Side,
    /// The number at which the count ends.
    pub limit: Moves,
    /// The index at which the count started.
    pub start: usize,
    /// The last index at which the count ran.
    pub end: usize,
    /// The clock at the start.
    pub first: Clock,
    /// The first number that the runner calls.
    pub first_call: Moves,
    /// The first index at which the draw could be claimed, or `None`.
    pub claim: Option<usize>,
}

impl CountRun {
    /// The counts of a game; `answers` are the answers for its positions.
    pub fn all(replay: &Replay, answers: &[Option<Answer>]) -> Vec<CountRun> {
        let mut runs: Vec<CountRun> = Vec::new();
        let mut before: Option<Clock> = None;
        // Whether the attacker of the last run is final.
        let mut settled = false;
        for (index, (position, answer)) in replay.positions().zip(answers).enumerate() {
            let runs_on = before.map(Clock::ticked);
            before = position.clock();
            let value = answer.as_ref().map_or(Value::Draw, |answer| answer.dtm);
            let Some(count) = Count::of(position, value).filter(|count| count.running) else {
                continue;
            };
            if runs_on != Some(count.clock) {
                runs.push(CountRun::new(index, position, &count));
                settled = count.honour == Honour::Pieces;
            }
            let Some(run) = runs.last_mut() else { continue };
            run.end = index;
            if !settled && value != Value::Draw {
                settled = true;
                run.attacker = count.attacker;
            }
            if run.claim.is_none() && is_claimable(position) {
                run.claim = Some(index);
            }
        }
        // The first call depends on the attacker, which is final only now.
        for run in &mut runs {
            let to_move = if run.start.is_multiple_of(2) == (run.attacker == replay.start.side()) {
                Party::Attacker
            } else {
                Party::Runner
            };
            run.first_call = Moves(run.first.called(to_move).0 + 1);
        }
        runs
    }

    fn new(index: usize, position: &Position, count: &Count) -> CountRun {
        CountRun {
            honour: count.honour,
            attacker: count.attacker,
            limit: position.counting_rule().limit_in_moves(count.clock.limit()),
            start: index,
            end: index,
            first: count.clock,
            first_call: Moves(0),
            claim: None,
        }
    }

    /// The side that counts its own moves.
    pub fn runner(&self) -> Side {
        !self.attacker
    }

    /// Whether the count runs at this index.
    pub fn holds(&self, index: usize) -> bool {
        (self.start..=self.end).contains(&index)
    }

    /// The attacker's moves left to mate in time, in this position of the run.
    pub fn moves_left(&self, position: &Position) -> Moves {
        let clock = position.clock().unwrap_or(self.first);
        clock.moves_left(self.party(position))
    }

    /// The last number that the runner has called, in this position of the run.
    pub fn called(&self, position: &Position) -> Moves {
        let clock = position.clock().unwrap_or(self.first);
        clock.called(self.party(position))
    }

    fn party(&self, position: &Position) -> Party {
        match position.side() == self.attacker {
            true => Party::Attacker,
            false => Party::Runner,
        }
    }
}

/// Whether the draw may be claimed: the count is over, and the game is not lost.
fn is_claimable(position: &Position) -> bool {
    let over = position.clock().is_some_and(Clock::is_over);
    over && position.final_value() != Some(Value::Loss(Moves(0)))
}
