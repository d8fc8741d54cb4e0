//! Ai-wok: Makruk with a met that moves like rook, knight and met together.
//!
//! Sources: the page on Ai-wok at pychess; Fairy-Stockfish's `ai-wok` (cross-check).

use crate::counting::CountingRule;
use crate::rules::piece::PieceKind;
use crate::rules::{Movement, Rules};
use crate::variant::Variant;
use crate::variants::makruk::{self, DIAGONAL, KNIGHT, MAKRUK, ORTHOGONAL};
use std::sync::LazyLock;

/// The ai-wok, which replaces the met.
const AI_WOK_PIECE: Movement = Movement {
    steps: &[
        DIAGONAL[0],
        DIAGONAL[1],
        DIAGONAL[2],
        DIAGONAL[3],
        KNIGHT[0],
        KNIGHT[1],
        KNIGHT[2],
        KNIGHT[3],
        KNIGHT[4],
        KNIGHT[5],
        KNIGHT[6],
        KNIGHT[7],
    ],
    slides: &ORTHOGONAL,
    ..Movement::NONE
};

const RULES: Rules = Rules {
    movements: {
        let mut movements = makruk::RULES.movements;
        movements[PieceKind::Met.index()] = AI_WOK_PIECE;
        movements
    },
    folder: Some("ai-wok"),
    ..makruk::RULES
};

/// Makruk's counting. An ai-wok alone has the row of a met.
static COUNTING: CountingRule = CountingRule { name: "ai-wok", id: 7, ..makruk::COUNTING };

static COUNTING_RULES: [&CountingRule; 1] = [&COUNTING];

static UNCOUNTED: CountingRule = CountingRule::nobody_counts("ai-wok-none", &COUNTING);

/// Ai-wok.
pub static AI_WOK: LazyLock<Variant> = LazyLock::new(|| Variant {
    other_names: &["aiwok"],
    letters: ['K', 'R', 'N', 'S', 'A', 'P'],
    piece_names: ["khun", "ruea", "ma", "khon", "ai-wok", "bia"],
    counting_rules: &COUNTING_RULES,
    uncounted: &UNCOUNTED,
    start: "rnsaksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKASNR w - - 0 1",
    ..MAKRUK.with_rules("ai-wok", RULES)
});
