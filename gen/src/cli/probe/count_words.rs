//! The count of a position in words.

use crate::cli::named;
use sakmak_probe::{Answer, Count};
use sakmak_tables::counting::{Honour, NoCount};
use sakmak_tables::position::Position;

/// Returns the lines about the count: its kind, who counts, and how much is left; or the reason why
/// no count runs. Empty for bare kings.
pub fn count_lines(position: &Position, answer: &Answer) -> Vec<String> {
    if let Some(count) = answer.count {
        return lines(&count, position.variant().rules.end.goal());
    }
    let reason = position.counting_rule().no_count(position.armies());
    let reason = reason.filter(|&reason| reason != NoCount::BareKings);
    reason.map(|reason| format!("none {reason}")).into_iter().collect()
}

fn lines(count: &Count, goal: &str) -> Vec<String> {
    let honour = match count.honour.thai_name() {
        Some(thai) => format!("{} ({thai})", count.honour),
        None => count.honour.to_string(),
    };
    let [runner, attacker] = [count.runner(), count.attacker].map(named);
    let (called, limit, left) = (count.called.0, count.limit.0, count.moves_left);
    if count.clock.is_over() {
        let claims = if count.honour == Honour::FiftyMoves { "either side" } else { &runner };
        return vec![format!("{honour}, over: {claims} may claim the draw")];
    }
    if count.honour == Honour::FiftyMoves {
        let (plies, limit) = (count.clock.count().0, count.clock.limit());
        let last = format!("{attacker} has {left} left to {goal} or to a capture that wins");
        return vec![format!("{honour}: {plies} of {limit} without a capture"), last];
    }
    let state = match count.running {
        true if count.has_called => format!("running: {runner} has called {called} of {limit}"),
        true => format!("running: {runner} calls {} next, up to {limit}", called + 1),
        false => format!("starting here: {runner} counts from {} to {limit}", called + 1),
    };
    vec![format!("{honour}, {state}"), format!("{attacker} has {left} left to {goal}")]
}
