//! The origins of the mets of a game: promoted pawns or not.

use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SIDE_LENGTH, Square};
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};

/// The origins of the mets of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MetOrigins {
    promoted: Bitboard,
    unknown: Bitboard,
}

/// The origin of a met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MetOrigin {
    /// A met since the start of the game.
    First,
    /// A promoted pawn.
    Promoted,
    /// Unknown: the game begins with the met, in a position without marks.
    Unknown,
}

impl MetOrigins {
    /// The origins at the start position of a variant: no met is a promoted pawn.
    pub const NONE_PROMOTED: MetOrigins =
        MetOrigins { promoted: Bitboard::EMPTY, unknown: Bitboard::EMPTY };

    /// The origins in a position from a FEN, in which `~` marks a promoted piece. Without any mark
    /// the origins are unknown.
    pub fn of_fen(position: &Position, fen: &str) -> MetOrigins {
        let mets = Side::BOTH.map(|side| position.pieces_of(Piece::new(side, PieceKind::Met)));
        let mets = mets[0] | mets[1];
        let promoted = marked(fen) & mets;
        let unknown = if promoted.is_empty() { mets } else { Bitboard::EMPTY };
        MetOrigins { promoted, unknown }
    }

    /// The origins after a move.
    pub fn after(self, mv: Move) -> MetOrigins {
        let origin = match mv.promotion {
            Some(_) => MetOrigin::Promoted,
            None => self.of(mv.from),
        };
        let mut after = self;
        for squares in [&mut after.promoted, &mut after.unknown] {
            squares.remove(mv.from);
            squares.remove(mv.to);
        }
        match origin {
            MetOrigin::First => {}
            MetOrigin::Promoted => after.promoted.insert(mv.to),
            MetOrigin::Unknown => after.unknown.insert(mv.to),
        }
        after
    }

    /// The origin of the met on a square.
    pub fn of(self, square: Square) -> MetOrigin {
        match (self.promoted.contains(square), self.unknown.contains(square)) {
            (true, _) => MetOrigin::Promoted,
            (_, true) => MetOrigin::Unknown,
            _ => MetOrigin::First,
        }
    }
}

/// The squares of the pieces marked `~` in the board of a parsed FEN.
fn marked(fen: &str) -> Bitboard {
    let mut marked = Bitboard::EMPTY;
    let board = fen.trim_start().split([' ', '_']).next().unwrap_or_default();
    for (rank, text) in (0..SIDE_LENGTH).rev().zip(board.split('/')) {
        let mut file = 0;
        for letter in text.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as usize,
                None if letter == '~' => {
                    let square = file.checked_sub(1).and_then(|file| Square::at(file, rank));
                    square.into_iter().for_each(|square| marked.insert(square));
                }
                None => file += 1,
            }
        }
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn a_promoted_pawn_is_followed_until_it_is_taken() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let fen = "k7/8/3M~3m/1P6/8/8/8/3K4 w - - 0 1";
        let mut position = Position::from_fen(&MAKRUK, fen).unwrap();
        let marked = MetOrigins::of_fen(&position, fen);
        assert_eq!(marked.of(square("d6")), MetOrigin::Promoted);
        assert_eq!(marked.of(square("h6")), MetOrigin::First);
        let mut mets = MetOrigins::of_fen(&position, &fen.replace('~', ""));
        assert_eq!(mets.of(square("d6")), MetOrigin::Unknown);
        for (uci, at, origin) in [
            ("b5b6m", "b6", MetOrigin::Promoted),
            ("h6g5", "g5", MetOrigin::Unknown),
            ("b6c7", "c7", MetOrigin::Promoted),
            ("a8b7", "b6", MetOrigin::First),
            ("d6e5", "d6", MetOrigin::First),
            ("b7c7", "c7", MetOrigin::First),
        ] {
            let mv: Move = Move::from_uci(&MAKRUK, uci).unwrap();
            assert!(position.legal_moves().contains(&mv), "{uci}");
            (mets, position) = (mets.after(mv), position.play(mv));
            assert_eq!(mets.of(square(at)), origin, "{uci}");
        }
    }
}
