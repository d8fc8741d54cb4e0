//! Sittuyin, Burmese chess: Makruk's pieces and another count. Positions with pawns are refused.
//!
//! Source: the rules of Sittuyin at pychess; Fairy-Stockfish's `sittuyin` (cross-check).

use crate::counting::{CountingRule, DecisiveCounts, FirstCall, LastMove, LimitRow, OnChange};
use crate::distance::Moves;
use crate::rules::piece::PieceKind;
use crate::variant::Variant;
use crate::variants::makruk::{MAKRUK, RULES};
use std::sync::LazyLock;

/// The rows that Sittuyin and ASEAN chess share. Mets alone have no row.
pub(super) const ROWS: [LimitRow; 3] = [
    LimitRow { needs: &[(PieceKind::Rook, 1)], limit: Moves(16) },
    LimitRow { needs: &[(PieceKind::Khon, 1)], limit: Moves(44) },
    LimitRow { needs: &[(PieceKind::Knight, 1)], limit: Moves(64) },
];

/// Counts against a bare king without pawns on the board, starting at one.
pub(super) static COUNTING: CountingRule = CountingRule {
    name: "sittuyin",
    id: 6,
    rows: &ROWS,
    boards: None,
    last_move: LastMove::Given,
    first_call: FirstCall::One,
    on_change: OnChange::Replace,
    decisive: DecisiveCounts::All,
    fifty_moves: None,
};

static COUNTING_RULES: [&CountingRule; 1] = [&COUNTING];

static UNCOUNTED: CountingRule = CountingRule::nobody_counts("sittuyin-none", &COUNTING);

/// Sittuyin.
pub static SITTUYIN: LazyLock<Variant> = LazyLock::new(|| Variant {
    other_names: &["burmese chess", "burmese"],
    letters: ['K', 'R', 'N', 'S', 'F', 'P'],
    piece_names: ["min-gyi", "yahhta", "myin", "sin", "sit-ke", "ne"],
    refuses_pawns: Some(
        "they may be promoted on the long diagonals by choice, which no table has yet",
    ),
    counting_rules: &COUNTING_RULES,
    uncounted: &UNCOUNTED,
    start: "8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - - 0 1",
    ..MAKRUK.with_rules("sittuyin", RULES)
});
