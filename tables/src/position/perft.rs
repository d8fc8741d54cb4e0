//! Perft: the number of lines of play, which tests a move generator.

use crate::position::Position;

/// The number of lines of exactly `depth` legal plies.
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
