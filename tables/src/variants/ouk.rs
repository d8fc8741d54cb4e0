//! Ouk Chatrang, Cambodian chess: Makruk's men with first-move leaps and another count.
//!
//! Sources: the Ouk Chatrang page of Cambodian Chess Games; Fairy-Stockfish's
//! `cambodian` (cross-check).

use super::makruk::RULES;
use crate::reach::Reach;
use crate::variant::Variant;
use std::sync::LazyLock;

/// Ouk Chatrang.
pub static OUK: LazyLock<Variant> = LazyLock::new(|| Variant {
    name: "ouk",
    rules: RULES,
    reach: Reach::new(&RULES),
    start: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1",
});
