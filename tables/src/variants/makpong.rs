//! Makpong, Makruk for tie-breaks: a king in check may not step away.
//!
//! Sources: the page on Makpong at pychess; Fairy-Stockfish's `makpong` (cross-check).

use crate::counting::CountingRule;
use crate::rules::Rules;
use crate::variant::Variant;
use crate::variants::makruk::{self, MAKRUK};
use std::sync::LazyLock;

const RULES: Rules = Rules { checked_king_stays: true, folder: Some("makpong"), ..makruk::RULES };

/// Makruk's counting.
static COUNTING: CountingRule = CountingRule { name: "makpong", id: 10, ..makruk::COUNTING };

static COUNTING_RULES: [&CountingRule; 1] = [&COUNTING];

static UNCOUNTED: CountingRule = CountingRule::nobody_counts("makpong-none", &COUNTING);

/// Makpong.
pub static MAKPONG: LazyLock<Variant> = LazyLock::new(|| Variant {
    other_names: &["defensive chess"],
    counting_rules: &COUNTING_RULES,
    uncounted: &UNCOUNTED,
    ..MAKRUK.with_rules("makpong", RULES)
});
