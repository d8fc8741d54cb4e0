//! The games by name.

use super::janggi::Janggi;
use super::min_rek::MinRek;
use super::rek::Rek;
use crate::notation::Notation;
use std::sync::LazyLock;

/// Work on a game that is known by its name only.
pub trait Visitor {
    /// What the work returns.
    type Output;

    /// Does the work.
    fn visit<G: Notation>(self, game: &'static G) -> Self::Output;
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

/// The name of the game that a user means by this one, in any letter case, with hyphens, underscores or
/// blanks.
pub fn named(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase().replace(['_', ' '], "-");
    NAMES.into_iter().find(|&known| known == name)
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
