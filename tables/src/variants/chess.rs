//! Orthodox chess. Castling rights are refused: no ending of few men has them.
//!
//! The kinds of pieces stand for the order of names, strongest first, so chess gives them as
//! `KQRBNP`: the queen has the place of the rook, the rook that of the knight, and so on.
//!
//! Source: FIDE Laws of Chess, articles 3, 5 and 9.3; the values are compared with Syzygy.

use crate::counting::CountingRule;
use crate::distance::Plies;
use crate::rules::piece::{PieceKind, PieceLetters};
use crate::rules::{Movement, Rules};
use crate::variant::Variant;
use crate::variants::makruk::{self, ALL_AROUND, DIAGONAL, KNIGHT, MAKRUK, ORTHOGONAL};
use crate::variants::shatranj;
use std::sync::LazyLock;

const LETTERS: PieceLetters = ['K', 'Q', 'R', 'B', 'N', 'P'];

const RULES: Rules = Rules {
    movements: [
        Movement { steps: &ALL_AROUND, ..Movement::NONE },
        Movement { slides: &ALL_AROUND, ..Movement::NONE },
        Movement { slides: &ORTHOGONAL, ..Movement::NONE },
        Movement { slides: &DIAGONAL, ..Movement::NONE },
        Movement { steps: &KNIGHT, ..Movement::NONE },
        *makruk::RULES.movement(PieceKind::Pawn),
    ],
    pawn_ranks: (1, 6),
    promotion_rank: 7,
    double_step: true,
    promotes_to: &[PieceKind::Rook, PieceKind::Knight, PieceKind::Khon, PieceKind::Met],
    material_letters: &LETTERS,
    folder: Some("chess"),
    ..makruk::RULES
};

/// Nothing is counted.
static COUNTING: CountingRule = CountingRule { name: "chess", id: 11, ..shatranj::COUNTING };

/// A draw after fifty moves of each side without a capture or a move of a pawn: article 9.3.
static FIFTY_MOVES: CountingRule = CountingRule {
    name: "fifty-moves",
    id: 12,
    fifty_moves: Some(Plies(100)),
    ..shatranj::COUNTING
};

static COUNTING_RULES: [&CountingRule; 2] = [&COUNTING, &FIFTY_MOVES];

static UNCOUNTED: CountingRule = CountingRule::nobody_counts("chess-none", &COUNTING);

/// Chess.
pub static CHESS: LazyLock<Variant> = LazyLock::new(|| Variant {
    other_names: &["standard", "orthodox chess"],
    letters: LETTERS,
    piece_names: ["king", "queen", "rook", "bishop", "knight", "pawn"],
    counting_rules: &COUNTING_RULES,
    uncounted: &UNCOUNTED,
    castles: true,
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    ..MAKRUK.with_rules("chess", RULES)
});
