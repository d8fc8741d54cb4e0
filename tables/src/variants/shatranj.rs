//! Shatranj, the chess of the Arabs: the alfil replaces the khon, and pawns promote on the last
//! rank to a met, called ferz there. A side without a legal move loses. A bare king loses unless it
//! bares the other king at once. Fairy-Stockfish ends the game one move later: see
//! [`Position::closing_moves`](crate::position::Position::closing_moves).
//!
//! Sources: the page on Shatranj at pychess; Fairy-Stockfish's `shatranj` (cross-check).

use crate::board::square::Step;
use crate::counting::{CountingRule, DecisiveCounts, FirstCall, LastMove, OnChange};
use crate::rules::end_rule::EndRule;
use crate::rules::piece::PieceKind;
use crate::rules::{Movement, Rules};
use crate::variant::Variant;
use crate::variants::makruk::{self, MAKRUK};
use std::sync::LazyLock;

/// The alfil leaps two squares diagonally, over any piece.
const ALFIL: Movement = Movement {
    steps: &[Step::new(2, 2), Step::new(-2, 2), Step::new(-2, -2), Step::new(2, -2)],
    ..Movement::NONE
};

const RULES: Rules = Rules {
    movements: {
        let mut movements = makruk::RULES.movements;
        movements[PieceKind::Khon.index()] = ALFIL;
        movements
    },
    pawn_ranks: (1, 6),
    promotion_rank: 7,
    end: EndRule { stalemate_loses: true, bare_king_loses: true, ..EndRule::MATE },
    folder: Some("shatranj"),
    ..makruk::RULES
};

/// Nothing is counted.
pub(super) static COUNTING: CountingRule = CountingRule {
    name: "shatranj",
    id: 8,
    rows: &[],
    boards: None,
    last_move: LastMove::Given,
    first_call: FirstCall::AfterMen,
    on_change: OnChange::Replace,
    decisive: DecisiveCounts::All,
    fifty_moves: None,
};

static COUNTING_RULES: [&CountingRule; 1] = [&COUNTING];

static UNCOUNTED: CountingRule = CountingRule::nobody_counts("shatranj-none", &COUNTING);

/// Shatranj.
pub static SHATRANJ: LazyLock<Variant> = LazyLock::new(|| Variant {
    other_names: &[],
    letters: ['K', 'R', 'N', 'B', 'Q', 'P'],
    piece_names: ["king", "rook", "knight", "alfil", "ferz", "pawn"],
    counting_rules: &COUNTING_RULES,
    uncounted: &UNCOUNTED,
    start: "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1",
    ..MAKRUK.with_rules("shatranj", RULES)
});
