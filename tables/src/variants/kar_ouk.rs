//! Kar Ouk, "prevent the check": Ouk Chatrang in which the first check wins.
//!
//! Sources: the page of Cambodian Chess Games, which has it as an extra style of Ouk; J. Moura,
//! who describes only this style before 1890; Fairy-Stockfish's `karouk` (cross-check).

use crate::counting::{CountingRule, DecisiveCounts};
use crate::rules::Rules;
use crate::rules::end_rule::EndRule;
use crate::variant::Variant;
use crate::variants::makruk;
use crate::variants::ouk::{COUNTING as OUK_COUNTING, OUK};
use std::sync::LazyLock;

const RULES: Rules = Rules { end: EndRule { check_loses: true, ..EndRule::MATE }, ..makruk::RULES };

/// Ouk's counts. No source describes them with men on both sides.
static COUNTING: CountingRule =
    CountingRule { name: "kar-ouk", id: 5, decisive: DecisiveCounts::PiecesHonour, ..OUK_COUNTING };

static COUNTING_RULES: [&CountingRule; 1] = [&COUNTING];

static UNCOUNTED: CountingRule = CountingRule::nobody_counts("kar-ouk-none", &COUNTING);

/// Kar Ouk.
pub static KAR_OUK: LazyLock<Variant> = LazyLock::new(|| Variant {
    other_names: &["karouk"],
    counting_rules: &COUNTING_RULES,
    uncounted: &UNCOUNTED,
    start: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 1+1 0 1",
    ..OUK.with_rules("kar-ouk", RULES)
});
