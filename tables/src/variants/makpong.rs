//! Makpong, Makruk for tie-breaks: a king in check may not step away.
//!
//! Sources: the page on Makpong at pychess; Fairy-Stockfish's `makpong` (cross-check).

use crate::counting::CountingRule;
use crate::rules::Rules;
use crate::rules::attackers::Attackers;
use crate::rules::piece::PieceKind;
use crate::rules::reach::Reach;
use crate::variant::Variant;
use crate::variants::makruk;
use std::sync::LazyLock;

const RULES: Rules = Rules { checked_king_stays: true, folder: Some("makpong"), ..makruk::RULES };

/// Makruk's counting.
static COUNTING: CountingRule = CountingRule { name: "makpong", id: 10, ..makruk::COUNTING };

static COUNTING_RULES: [&CountingRule; 1] = [&COUNTING];

/// Makpong.
pub static MAKPONG: LazyLock<Variant> = LazyLock::new(|| Variant {
    name: "makpong",
    other_names: &["defensive chess"],
    letters: PieceKind::LETTERS,
    piece_names: makruk::PIECE_NAMES,
    refuses_pawns: None,
    rules: RULES,
    reach: Reach::new(&RULES),
    attackers: Attackers::new(&RULES),
    leaps: &[],
    counting_rules: &COUNTING_RULES,
    start: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
});
