//! The games by name.

use super::janggi::Janggi;
use super::min_rek::MinRek;
use super::rek::Rek;
use crate::notation::Notation;

/// Work on a game that is known by its name only.
pub trait Visitor {
    /// What the work returns.
    type Output;

    /// Does the work.
    fn visit<G: Notation>(self, game: &G) -> Self::Output;
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

/// Does work on the game of a name. Returns `None` if it is not one of [`NAMES`].
pub fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
    Some(match name {
        "janggi" => visitor.visit(&Janggi::standard()),
        "janggi-casual" => visitor.visit(&Janggi::casual()),
        "janggi-seed" => visitor.visit(&Janggi::seed()),
        "rek" => visitor.visit(&Rek::standard()),
        "rek-unit" => visitor.visit(&Rek::by_unit()),
        "rek-king-by-group" => visitor.visit(&Rek::king_by_group()),
        "min-rek-chanh" => visitor.visit(&MinRek::standard()),
        "min-rek-chanh-any" => visitor.visit(&MinRek::any()),
        "min-rek-chanh-called" => visitor.visit(&MinRek::called()),
        "min-rek-chanh-draw" => visitor.visit(&MinRek::stuck_draws()),
        _ => return None,
    })
}
