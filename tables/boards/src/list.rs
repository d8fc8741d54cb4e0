//! The games by name.

use crate::janggi::Janggi;
use crate::min_rek::MinRek;
use crate::notation::Notation;
use crate::rek::Rek;
use crate::solvable::SolvableGame;
use std::sync::LazyLock;

/// Work on a game that is known by its name only.
pub trait Visitor {
    /// What the work returns.
    type Output;

    /// Does the work.
    fn visit<G: Notation + SolvableGame>(self, game: &'static G) -> Self::Output;
}

/// The names of the games.
pub const NAMES: [&str; 10] = [
    "janggi",
    "janggi-casual",
    "janggi-seed",
    "rek",
    "rek-unit",
    "rek-king-by-group",
    "min-rek-chanh",
    "min-rek-chanh-any",
    "min-rek-chanh-called",
    "min-rek-chanh-draw",
];

/// Names that Fairy-Stockfish has for some of the games, with the names here.
///
/// Its `janggi` is none of the three here: there the game ends by points where the generals face.
const OTHER_NAMES: [(&str, &str); 2] =
    [("janggitraditional", "janggi"), ("janggicasual", "janggi-casual")];

/// A game of Fairy-Stockfish with rules that no table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' has no tables, {reason}: '{nearest}' has the same moves and no points")]
pub struct OtherRules {
    name: &'static str,
    reason: &'static str,
    nearest: &'static str,
}

const WITHOUT_TABLES: [OtherRules; 1] = [OtherRules {
    name: "janggimodern",
    reason: "its games can end by points",
    nearest: "janggi-casual",
}];

/// Whether two names differ at most in letter case, hyphens, underscores and blanks.
fn same_name(one: &str, other: &str) -> bool {
    let letters = |name: &'_ str| name.to_lowercase().replace(['-', '_', ' '], "");
    letters(one) == letters(other)
}

/// The name of the game that a user means: one of [`NAMES`] or a name of Fairy-Stockfish, in any letter
/// case, with or without hyphens, underscores or blanks.
pub fn named(name: &str) -> Option<&'static str> {
    let own = NAMES.into_iter().map(|known| (known, known));
    own.chain(OTHER_NAMES).find(|(known, _)| same_name(name, known)).map(|(_, game)| game)
}

/// The names that Fairy-Stockfish has for a game.
pub fn other_names(game: &str) -> impl Iterator<Item = &'static str> {
    OTHER_NAMES.into_iter().filter(move |&(_, known)| known == game).map(|(name, _)| name)
}

/// The game of Fairy-Stockfish with this name, if no table has its rules.
pub fn other_rules(name: &str) -> Option<OtherRules> {
    WITHOUT_TABLES.into_iter().find(|known| same_name(name, known.name))
}

/// Does work on a game, which is made once.
macro_rules! visited {
    ($visitor:expr, $game:ty, $make:expr) => {{
        static GAME: LazyLock<$game> = LazyLock::new($make);
        $visitor.visit(&*GAME)
    }};
}

/// Does work on the game of a name. Returns `None` if it is not one of [`NAMES`].
pub fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
    Some(match name {
        "janggi" => visited!(visitor, Janggi, Janggi::standard),
        "janggi-casual" => visited!(visitor, Janggi, Janggi::casual),
        "janggi-seed" => visited!(visitor, Janggi, Janggi::seed),
        "rek" => visited!(visitor, Rek, Rek::standard),
        "rek-unit" => visited!(visitor, Rek, Rek::by_unit),
        "rek-king-by-group" => visited!(visitor, Rek, Rek::king_by_group),
        "min-rek-chanh" => visited!(visitor, MinRek, MinRek::standard),
        "min-rek-chanh-any" => visited!(visitor, MinRek, MinRek::any),
        "min-rek-chanh-called" => visited!(visitor, MinRek, MinRek::called),
        "min-rek-chanh-draw" => visited!(visitor, MinRek, MinRek::stuck_draws),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_as_people_and_other_programs_write_them() {
        for (name, game) in [
            ("janggi", Some("janggi")),
            ("Janggi Casual", Some("janggi-casual")),
            ("janggi_seed", Some("janggi-seed")),
            ("janggicasual", Some("janggi-casual")),
            ("janggitraditional", Some("janggi")),
            ("Janggi Traditional", Some("janggi")),
            ("MinRekChanh", Some("min-rek-chanh")),
            ("janggimodern", None),
            ("", None),
            ("-", None),
            ("xiangqi", None),
        ] {
            assert_eq!(named(name), game, "{name}");
        }
        for name in ["janggimodern", "Janggi-Modern"] {
            let message = other_rules(name).unwrap().to_string();
            assert!(message.contains("points") && message.contains("'janggi-casual'"), "{message}");
        }
        assert_eq!(other_rules("janggi"), None);
        // A name of another program is never that of a game here.
        for (other, game) in OTHER_NAMES {
            assert!(!NAMES.contains(&other) && NAMES.contains(&game), "{other}");
        }
    }
}
