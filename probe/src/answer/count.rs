//! The count as a player sees it: where it stands and what is left of it.

use sakmak_tables::counting::{Clock, Honour, Party, Phase};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;

/// A count, where it stands and what is left of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// Which count it is.
    pub honour: Honour,
    /// Whether it was running; otherwise it is taken to start here.
    pub running: bool,
    /// The side that has to mate in time.
    pub attacker: Side,
    /// The number at which it ends.
    pub limit: Moves,
    /// The last number the runner has called.
    pub called: Moves,
    /// The attacker's moves that may still mate in time.
    pub moves_left: Moves,
    /// The same in plies, as FEN has it.
    pub clock: Clock,
}

impl Count {
    /// The count in a position of this value, with no counting, for its mover: the count
    /// that runs, else one started here. `None` where nothing is counted.
    pub fn of(position: &Position, value: Value) -> Option<Count> {
        let clock = position.with_count_running().clock()?;
        let attacker = attacker(position, value);
        let to_move = match attacker == position.side() {
            true => Party::Attacker,
            false => Party::Runner,
        };
        let limit = position.counting_rule().number(clock.limit());
        Some(Count {
            honour: clock.honour(),
            running: position.clock().is_some(),
            attacker,
            limit,
            // Nothing is called past the limit: the draw is claimed.
            called: clock.called(to_move).min(limit),
            moves_left: clock.moves_left(to_move),
            clock,
        })
    }
}

/// The side that has to mate: the one that does not count. Where only one side may count
/// it is the other; else the side that wins; where nobody does, the stronger; of equals
/// the one not to move.
fn attacker(position: &Position, value: Value) -> Side {
    let armies = position.armies();
    let bound = |&side: &Side| position.counting_rule().phase_against(armies, side) != Phase::Free;
    let mut attackers = Side::BOTH.into_iter().filter(bound);
    if let (Some(attacker), None) = (attackers.next(), attackers.next()) {
        return attacker;
    }
    match value {
        Value::Win(_) => position.side(),
        Value::Loss(_) => !position.side(),
        Value::Draw if armies[0] > armies[1] => Side::White,
        Value::Draw if armies[0] < armies[1] => Side::Black,
        Value::Draw => !position.side(),
    }
}
