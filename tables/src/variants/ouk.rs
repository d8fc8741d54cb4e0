//! Ouk Chatrang, Cambodian chess: Makruk's pieces with first-move leaps and another count.
//!
//! Sources: the Ouk Chatrang page of Cambodian Chess Games; Fairy-Stockfish's
//! `cambodian` (cross-check).

use crate::board::square::{SIDE_LENGTH, Square, Step};
use crate::counting::{BoardsHonour, CountingRule, DecisiveCounts, FirstCall, LastMove, OnChange};
use crate::distance::Moves;
use crate::rules::leap::Leap;
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::variant::Variant;
use crate::variants::makruk::{KHON_FIRST, MAKRUK, ROWS, RULES};
use std::sync::LazyLock;

/// A king's leap, to its second rank like a knight.
const KING: &[Step] = &[Step::new(-2, 1), Step::new(2, 1)];
/// A met's leap, two squares straight forward.
const MET: &[Step] = &[Step::new(0, 2)];

/// The leap of a piece that starts on this zero-based file of its first rank.
const fn leap(side: Side, kind: PieceKind, file: usize) -> Leap {
    let rank = match side {
        Side::White => 0,
        Side::Black => SIDE_LENGTH - 1,
    };
    let home = Square::wrapping(rank * SIDE_LENGTH + file);
    let piece = Piece::new(side, kind);
    match kind {
        PieceKind::King => {
            Leap { piece, home, steps: KING, in_check: false, lost_to: Some(PieceKind::Rook) }
        }
        _ => Leap { piece, home, steps: MET, in_check: true, lost_to: None },
    }
}

/// Each king starts to the left of the middle, as its own side sees it.
const LEAPS: [Leap; 4] = [
    leap(Side::White, PieceKind::King, 3),
    leap(Side::White, PieceKind::Met, 4),
    leap(Side::Black, PieceKind::Met, 3),
    leap(Side::Black, PieceKind::King, 4),
];

/// The official counting. The game is drawn when the limit is reached. A side with at most three
/// men may count the board's honour, with pawns or without.
pub(super) const COUNTING: CountingRule = CountingRule {
    name: "ouk",
    id: 3,
    rows: &ROWS,
    boards: Some(BoardsHonour { most_men: 3, with_pawns: true, limit: Moves(64) }),
    last_move: LastMove::Refused,
    first_call: FirstCall::AfterMen,
    on_change: OnChange::KeepSooner,
    decisive: DecisiveCounts::All,
    fifty_moves: None,
};

/// The counting of the Ouk Chatrang page: the pieces' honour only, without pawns. The row of one
/// khon comes before the row of two knights. The attacker has a last move after the runner calls
/// the limit.
static COUNTING_TRADITIONAL: CountingRule = CountingRule {
    name: "ouk-traditional",
    id: 4,
    rows: &KHON_FIRST,
    boards: None,
    last_move: LastMove::Given,
    first_call: FirstCall::AfterMen,
    on_change: OnChange::Replace,
    decisive: DecisiveCounts::All,
    fifty_moves: None,
};

static COUNTING_RULES: [&CountingRule; 2] = [&COUNTING, &COUNTING_TRADITIONAL];

static UNCOUNTED: CountingRule = CountingRule::nobody_counts("ouk-none", &COUNTING);

/// Ouk Chatrang.
pub static OUK: LazyLock<Variant> = LazyLock::new(|| Variant {
    other_names: &["ouk chatrang", "ouk chaktrang", "cambodian chess", "cambodian", "khmer chess"],
    piece_names: ["ang", "tuuk", "ses", "koul", "neang", "trey"],
    leaps: &LEAPS,
    counting_rules: &COUNTING_RULES,
    uncounted: &UNCOUNTED,
    start: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1",
    ..MAKRUK.with_rules("ouk", RULES)
});
