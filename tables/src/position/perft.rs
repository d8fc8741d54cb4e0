//! Counting the lines of play from a position: the measure of a move generator.

use crate::position::Position;

/// How many lines of exactly `depth` legal plies there are.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => {
            let moves = position.legal_moves();
            moves.iter().map(|&mv| perft(&position.play_uncounted(mv), depth - 1)).sum()
        }
    }
}
