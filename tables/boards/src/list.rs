//! The games by name.

use crate::janggi::Janggi;
use crate::min_rek::MinRek;
use crate::notation::Notation;
use crate::rek::Rek;
use crate::solvable::SolvableGame;
use std::cmp::Ordering;
use std::fmt;
use std::sync::LazyLock;

/// Work on a game that is known by its name only.
pub trait Visitor {
    /// The result of the work.
    type Output;

    /// Does the work.
    fn visit<G: Notation + SolvableGame>(self, game: &'static G) -> Self::Output;
}

/// Lists the games: a name, the type of the game and the function that makes it, which is called
/// once.
macro_rules! games {
    ($($id:ident $name:literal $game:ident::$make:ident,)*) => {
        /// The known name of a game. Games are ordered by their names.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub enum GameName {
            $(#[doc = $name] $id,)*
        }

        impl GameName {
            /// All games, the usual rules of each first.
            pub const ALL: [GameName; [$($name),*].len()] = [$(GameName::$id),*];

            /// Returns the name.
            pub fn name(self) -> &'static str {
                match self {
                    $(GameName::$id => $name,)*
                }
            }

            /// Does work on the game.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self {
                    $(GameName::$id => {
                        static GAME: LazyLock<$game> = LazyLock::new($game::$make);
                        visitor.visit(&*GAME)
                    })*
                }
            }
        }
    };
}

games! {
    Janggi "janggi" Janggi::standard,
    JanggiCasual "janggi-casual" Janggi::casual,
    JanggiSeed "janggi-seed" Janggi::seed,
    Rek "rek" Rek::standard,
    RekUnit "rek-unit" Rek::by_unit,
    RekKingByGroup "rek-king-by-group" Rek::king_by_group,
    MinRekChanh "min-rek-chanh" MinRek::standard,
    MinRekChanhAny "min-rek-chanh-any" MinRek::any,
    MinRekChanhCalled "min-rek-chanh-called" MinRek::called,
    MinRekChanhDraw "min-rek-chanh-draw" MinRek::stuck_draws,
}

/// Names that Fairy-Stockfish has for some of the games, with the names here.
///
/// The `janggi` of Fairy-Stockfish is none of the three variants here: its game ends by points if
/// the generals face.
const OTHER_NAMES: [(&str, GameName); 2] =
    [("janggitraditional", GameName::Janggi), ("janggicasual", GameName::JanggiCasual)];

/// A game of Fairy-Stockfish with rules that no table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' has no tables because {reason}: '{nearest}' has the same moves and no points")]
pub struct OtherRules {
    name: &'static str,
    reason: &'static str,
    nearest: GameName,
}

const WITHOUT_TABLES: [OtherRules; 1] = [OtherRules {
    name: "janggimodern",
    reason: "its games can end by points",
    nearest: GameName::JanggiCasual,
}];

/// Whether two names differ at most in letter case, hyphens, underscores and blanks.
fn same_name(one: &str, other: &str) -> bool {
    let letters = |name: &'_ str| name.to_lowercase().replace(['-', '_', ' '], "");
    letters(one) == letters(other)
}

impl GameName {
    /// Returns the game with a name of the list or of Fairy-Stockfish, in any letter case, with or
    /// without hyphens, underscores or blanks.
    pub fn named(name: &str) -> Option<GameName> {
        let own = GameName::ALL.map(|game| (game.name(), game));
        own.into_iter()
            .chain(OTHER_NAMES)
            .find(|(known, _)| same_name(name, known))
            .map(|(_, game)| game)
    }

    /// Returns the game with exactly this name, as folders have it.
    pub fn of_folder(name: &str) -> Option<GameName> {
        GameName::ALL.into_iter().find(|game| game.name() == name)
    }

    /// Returns the names that Fairy-Stockfish has for the game.
    pub fn other_names(self) -> impl Iterator<Item = &'static str> {
        OTHER_NAMES.into_iter().filter(move |&(_, known)| known == self).map(|(name, _)| name)
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl Ord for GameName {
    fn cmp(&self, other: &GameName) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for GameName {
    fn partial_cmp(&self, other: &GameName) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for GameName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Returns the names of all games, with commas between them.
pub fn names() -> String {
    GameName::ALL.map(GameName::name).join(", ")
}

/// The game of Fairy-Stockfish with this name, if no table has the rules of the game.
pub fn other_rules(name: &str) -> Option<OtherRules> {
    WITHOUT_TABLES.into_iter().find(|known| same_name(name, known.name))
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
            assert_eq!(GameName::named(name).map(GameName::name), game, "{name}");
        }
        for name in ["janggimodern", "Janggi-Modern"] {
            let message = other_rules(name).unwrap().to_string();
            assert!(message.contains("points") && message.contains("'janggi-casual'"), "{message}");
        }
        assert_eq!(other_rules("janggi"), None);
        // A name of another program is never the name of a game here.
        for (other, game) in OTHER_NAMES {
            assert_eq!(GameName::of_folder(other), None, "{other} is {game}");
        }
    }
}
