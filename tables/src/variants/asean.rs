//! ASEAN chess: Makruk's pieces under the letters of chess. Pawns promote on the last rank to a
//! rook, a knight, a khon or a met by choice. A count runs against a bare king.
//!
//! Sources: the laws of ASEAN chess as pychess has them; Fairy-Stockfish's `asean` (cross-check).

use crate::counting::CountingRule;
use crate::rules::Rules;
use crate::rules::piece::PieceKind;
use crate::variant::Variant;
use crate::variants::makruk::{self, MAKRUK};
use crate::variants::sittuyin;
use std::sync::LazyLock;

const RULES: Rules = Rules {
    pawn_ranks: (2, 6),
    promotion_rank: 7,
    promotes_to: &[PieceKind::Rook, PieceKind::Knight, PieceKind::Khon, PieceKind::Met],
    folder: Some("asean"),
    ..makruk::RULES
};

/// The count of Sittuyin.
static COUNTING: CountingRule = CountingRule { name: "asean", id: 9, ..sittuyin::COUNTING };

static COUNTING_RULES: [&CountingRule; 1] = [&COUNTING];

static UNCOUNTED: CountingRule = CountingRule::nobody_counts("asean-none", &COUNTING);

/// ASEAN chess.
pub static ASEAN: LazyLock<Variant> = LazyLock::new(|| Variant {
    other_names: &["asean chess"],
    letters: ['K', 'R', 'N', 'B', 'Q', 'P'],
    piece_names: ["king", "rook", "knight", "bishop", "queen", "pawn"],
    counting_rules: &COUNTING_RULES,
    uncounted: &UNCOUNTED,
    start: "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1",
    ..MAKRUK.with_rules("asean", RULES)
});
