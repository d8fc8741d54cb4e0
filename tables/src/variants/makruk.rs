//! Makruk, Thai chess.
//!
//! Sources: the encyclopedia article on Makruk; R. Knowlton, AncientChess booklet;
//! Fairy-Stockfish (cross-check).

use crate::board::square::Step;
use crate::counting::{
    BoardsHonour, CountingRule, DecisiveCounts, FirstCall, LastMove, LimitRow, OnChange,
};
use crate::distance::Moves;
use crate::rules::attackers::Attackers;
use crate::rules::end_rule::EndRule;
use crate::rules::piece::PieceKind;
use crate::rules::reach::Reach;
use crate::rules::{Movement, Rules};
use crate::variant::Variant;
use std::sync::LazyLock;

pub(super) const ORTHOGONAL: [Step; 4] =
    [Step::new(1, 0), Step::new(0, 1), Step::new(-1, 0), Step::new(0, -1)];
pub(super) const DIAGONAL: [Step; 4] =
    [Step::new(1, 1), Step::new(-1, 1), Step::new(-1, -1), Step::new(1, -1)];
pub(super) const FORWARD: Step = Step::new(0, 1);
pub(super) const ALL_AROUND: [Step; 8] = [
    ORTHOGONAL[0],
    ORTHOGONAL[1],
    ORTHOGONAL[2],
    ORTHOGONAL[3],
    DIAGONAL[0],
    DIAGONAL[1],
    DIAGONAL[2],
    DIAGONAL[3],
];
pub(super) const KNIGHT: [Step; 8] = [
    Step::new(1, 2),
    Step::new(2, 1),
    Step::new(2, -1),
    Step::new(1, -2),
    Step::new(-1, -2),
    Step::new(-2, -1),
    Step::new(-2, 1),
    Step::new(-1, 2),
];

/// The rules Makruk and Ouk Chatrang share once no first-move leap is left.
pub(super) const RULES: Rules = Rules {
    movements: [
        Movement { steps: &ALL_AROUND, ..Movement::NONE },
        Movement { slides: &ORTHOGONAL, ..Movement::NONE },
        Movement { steps: &KNIGHT, ..Movement::NONE },
        Movement {
            steps: &[DIAGONAL[0], DIAGONAL[1], DIAGONAL[2], DIAGONAL[3], FORWARD],
            ..Movement::NONE
        },
        Movement { steps: &DIAGONAL, ..Movement::NONE },
        Movement { advances: &[FORWARD], captures: &[DIAGONAL[0], DIAGONAL[1]], ..Movement::NONE },
    ],
    pawn_ranks: (2, 4),
    promotion_rank: 5,
    double_step: false,
    promotes_to: &[PieceKind::Met],
    checked_king_stays: false,
    end: EndRule::MATE,
    material_letters: &PieceKind::LETTERS,
    folder: None,
};

/// The Thai names of the pieces.
const PIECE_NAMES: [&str; PieceKind::ALL.len()] = ["khun", "ruea", "ma", "khon", "met", "bia"];

/// The pieces' honour that Makruk and Ouk Chatrang share: rows with a rook first, two of a
/// kind before one.
pub(super) const ROWS: [LimitRow; 7] = [
    LimitRow { needs: &[(PieceKind::Rook, 2)], limit: Moves(8) },
    LimitRow { needs: &[(PieceKind::Rook, 1)], limit: Moves(16) },
    LimitRow { needs: &[(PieceKind::Khon, 2)], limit: Moves(22) },
    LimitRow { needs: &[(PieceKind::Knight, 2)], limit: Moves(32) },
    LimitRow { needs: &[(PieceKind::Khon, 1)], limit: Moves(44) },
    LimitRow { needs: &[(PieceKind::Knight, 1)], limit: Moves(64) },
    LimitRow { needs: &[(PieceKind::Met, 1)], limit: Moves(64) },
];

/// The pieces' honour of the encyclopedia and of the Ouk Chatrang page: the row of one khon comes
/// before the row of two knights.
pub(super) const KHON_FIRST: [LimitRow; 7] =
    [ROWS[0], ROWS[1], ROWS[2], ROWS[4], ROWS[3], ROWS[5], ROWS[6]];

/// Makruk's counting: the row of two knights comes before the row of one khon.
pub(super) static COUNTING: CountingRule = CountingRule {
    name: "makruk",
    id: 1,
    rows: &ROWS,
    boards: Some(BoardsHonour { most_men: usize::MAX, with_pawns: false, limit: Moves(64) }),
    last_move: LastMove::Given,
    first_call: FirstCall::AfterMen,
    on_change: OnChange::Replace,
    decisive: DecisiveCounts::All,
    fifty_moves: None,
};

/// Makruk's counting with the row of one khon before the row of two knights.
static COUNTING_KHON_FIRST: CountingRule =
    CountingRule { name: "makruk-khon-first", id: 2, rows: &KHON_FIRST, ..COUNTING };

static COUNTING_RULES: [&CountingRule; 2] = [&COUNTING, &COUNTING_KHON_FIRST];

static UNCOUNTED: CountingRule = CountingRule::nobody_counts("makruk-none", &COUNTING);

/// Makruk.
pub static MAKRUK: LazyLock<Variant> = LazyLock::new(|| Variant {
    name: "makruk",
    other_names: &["thai chess", "thai"],
    letters: PieceKind::LETTERS,
    piece_names: PIECE_NAMES,
    refuses_pawns: None,
    rules: RULES,
    reach: Reach::new(&RULES),
    attackers: Attackers::new(&RULES),
    castles: false,
    leaps: &[],
    counting_rules: &COUNTING_RULES,
    uncounted: &UNCOUNTED,
    start: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
});
