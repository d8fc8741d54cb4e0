//! Lookups ahead: every byte that an answer needs is announced to the host at once. A probe ends at
//! the first missing byte, so the host would fetch them one by one.

use sakmak_probe::{Metric, Move, Plies, Position, Tablebase, Value};
use sakmak_requests::query::PositionRequest;

/// Maximum number of positions of a line that are announced.
const LONGEST_LINE: usize = 500;

/// Announces all bytes that the answer to a request is known to need.
pub(crate) fn announce(tables: &Tablebase, request: &PositionRequest) {
    let position = &request.asked.position;
    announce_moves(tables, position);
    if request.lines {
        announce_line(tables, position, after_best);
        announce_line(tables, position, after_quickest);
    }
}

/// Looks up all values of a position and its moves, so that the sources note every missing byte.
fn announce_moves(tables: &Tablebase, position: &Position) {
    for metric in Metric::all_of(&position.variant().rules, position.counting_rule()) {
        let _ = tables.stored(metric, position);
        for &mv in position.legal_moves().iter() {
            let _ = tables.stored(metric, &position.play(mv));
        }
    }
}

/// Announces the positions of a line up to its first unknown position.
fn announce_line(
    tables: &Tablebase,
    position: &Position,
    next: fn(&Tablebase, &Position) -> Option<Position>,
) {
    let mut line = vec![position.with_count_running()];
    while let Some(after) = line.last().and_then(|last| next(tables, last)) {
        // A drawn line ends where it repeats itself.
        let here = |position: &Position| position.with_clock(None).with_number(0);
        if line.len() >= LONGEST_LINE || line.iter().any(|before| here(before) == here(&after)) {
            return;
        }
        announce_moves(tables, &after);
        line.push(after);
    }
}

/// The position after the best move under the count.
fn after_best(tables: &Tablebase, position: &Position) -> Option<Position> {
    Some(tables.best_move(position).ok()??.after)
}

/// The position after the best move with no count, as in [`Tablebase::line`].
fn after_quickest(tables: &Tablebase, position: &Position) -> Option<Position> {
    let plies = tables.dtm(position).ok()?.plies()?;
    let expected = Value::from_plies(Plies(plies.0.checked_sub(1)?));
    let quickest = |&mv: &Move| tables.dtm(&position.play(mv)).ok() == Some(expected);
    let moves = position.legal_moves();
    let best = moves.iter().copied().filter(quickest);
    Some(position.play(best.min_by_key(|mv| mv.uci(position.variant()))?))
}
