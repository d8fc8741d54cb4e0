//! An estimate of a position without search: material, advanced pawns, pieces near the centre, a
//! bare king near the edge, and how much of the count is left.

use crate::score::Score;
use sakmak_tables::board::square::{SIDE_LENGTH, Square};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};

/// The fewer plies of a count are left below this number, the less likely is a win.
const SHORT_COUNT: i32 = 48;

/// The value of a piece in hundredths of a pawn.
pub const fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::King => 0,
        PieceKind::Rook => 500,
        PieceKind::Knight => 300,
        PieceKind::Khon => 250,
        PieceKind::Met => 160,
        PieceKind::Pawn => 100,
    }
}

/// The estimate for the side to move.
pub fn evaluate(position: &Position) -> Score {
    let side = position.side();
    let sum = side_sum(position, side) - side_sum(position, !side);
    let score = Score::centipawns(sum);
    match position.clock() {
        None => score,
        Some(clock) => {
            let left = i64::from(clock.limit().0) - i64::from(clock.count().0);
            let left = i32::try_from(left).unwrap_or(SHORT_COUNT).clamp(0, SHORT_COUNT);
            score.scaled(left, SHORT_COUNT)
        }
    }
}

fn side_sum(position: &Position, side: Side) -> i32 {
    let mut sum = 0;
    for kind in PieceKind::NON_KINGS {
        for square in position.pieces_of(Piece::new(side, kind)) {
            let place = match kind {
                PieceKind::Pawn => 10 * advance(side, square),
                PieceKind::Rook => 0,
                _ => -5 * from_centre(square),
            };
            sum += worth(kind) + place;
        }
    }
    let [own, other] = [side, !side].map(|side| position.king(side));
    sum -= 3 * from_centre(own);
    if position.of(!side).len() == 1 && position.of(side).len() > 1 {
        sum += 20 * from_centre(other) - 8 * distance(own, other);
    }
    sum
}

/// The ranks a pawn has advanced from the first.
fn advance(side: Side, square: Square) -> i32 {
    let rank = if side == Side::White { square.rank() } else { SIDE_LENGTH - 1 - square.rank() };
    rank as i32
}

/// Steps to the four squares in the middle, along files and ranks.
fn from_centre(square: Square) -> i32 {
    let steps = |line: usize| (2 * line).abs_diff(SIDE_LENGTH - 1) / 2;
    (steps(square.file()) + steps(square.rank())) as i32
}

/// A king's steps between two squares.
fn distance(one: Square, other: Square) -> i32 {
    let files = one.file().abs_diff(other.file());
    files.max(one.rank().abs_diff(other.rank())) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::MAKRUK;

    fn estimate(fen: &str) -> Score {
        evaluate(&Position::from_fen(&MAKRUK, fen).unwrap())
    }

    #[test]
    fn colours_do_not_matter() {
        let fen = "8/3k4/8/2s5/4P3/8/8/R3K3 w";
        let position = Position::from_fen(&MAKRUK, fen).unwrap();
        assert_eq!(evaluate(&position), evaluate(&position.colours_exchanged()));
        assert_eq!(estimate(fen), -estimate("8/3k4/8/2s5/4P3/8/8/R3K3 b"));
    }

    #[test]
    fn a_bare_king_is_driven_to_the_corner_before_the_count_ends() {
        let centre = estimate("8/8/8/3k4/8/8/8/R3K3 w - 32 5 1");
        assert!(estimate("7k/8/8/8/8/8/8/R3K3 w - 32 5 1") > centre);
        assert!(centre > estimate("8/8/8/3k4/8/8/8/R3K3 w - 32 25 1"));
        assert_eq!(estimate("8/8/8/3k4/8/8/8/R3K3 w - 32 33 1"), Score::DRAW);
    }
}
