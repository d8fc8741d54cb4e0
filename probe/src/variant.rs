//! The variants of both families by name: those like chess, and board games.

use sakmak_boards::list::{GameName, OtherRules, other_rules};
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::{variant, variants};
use std::fmt;

/// A variant of either family.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Variant {
    /// A variant like chess, with the rules of `sakmak-tables`.
    Chess(&'static variant::Variant),
    /// A game of `sakmak-boards`.
    Board(GameName),
}

/// A name that no variant has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VariantError {
    /// No variant of either family.
    #[error("'{0}' is not a variant: expected {known}", known = any_of(Variant::all().map(Variant::name)))]
    Variant(Excerpt),
    /// No board game, where only board games are read.
    #[error("'{0}' is not a board game: expected {known}", known = any_of(GameName::ALL.map(GameName::name)))]
    Board(Excerpt),
    /// A game with rules that no table has.
    #[error(transparent)]
    OtherRules(#[from] OtherRules),
}

/// Makruk, where no variant is named.
impl Default for Variant {
    fn default() -> Variant {
        Variant::Chess(variants::default())
    }
}

impl Variant {
    /// Returns all variants, Makruk first and board games last.
    pub fn all() -> impl Iterator<Item = Variant> {
        let boards = GameName::ALL.into_iter().map(Variant::Board);
        variants::all().map(Variant::Chess).chain(boards)
    }

    /// Returns the variant with this name or other name, in any spelling.
    ///
    /// # Errors
    ///
    /// If no variant has the name.
    pub fn named(name: &str) -> Result<Variant, VariantError> {
        match variants::named(name) {
            Ok(variant) => Ok(Variant::Chess(variant)),
            Err(_) => match known(name)? {
                Some(game) => Ok(Variant::Board(game)),
                None => Err(VariantError::Variant(Excerpt::of(name))),
            },
        }
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Chess(variant) => variant.name,
            Variant::Board(game) => game.name(),
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// Returns the board game with this name, in any spelling.
///
/// # Errors
///
/// If no board game has the name.
pub fn board_game(name: &str) -> Result<GameName, VariantError> {
    known(name)?.ok_or_else(|| VariantError::Board(Excerpt::of(name)))
}

/// Returns the board game with this name, if there is one. Fails if no table has its rules.
fn known(name: &str) -> Result<Option<GameName>, OtherRules> {
    match (GameName::named(name), other_rules(name)) {
        (None, Some(other)) => Err(other),
        (known, _) => Ok(known),
    }
}

/// Joins names with commas, and with `or` before the last name.
pub fn any_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names[..] {
        [] => String::new(),
        [one] => one.to_string(),
        [ref first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_is_named_by_its_name_and_an_error_names_all() {
        for variant in Variant::all() {
            assert_eq!(Variant::named(&variant.name().to_uppercase()), Ok(variant));
            let board = board_game(variant.name());
            assert_eq!(board.is_ok(), matches!(variant, Variant::Board(_)), "{variant}");
        }
        let error = Variant::named("xiangqi").unwrap_err().to_string();
        assert!(error.starts_with("'xiangqi' is not a variant: expected makruk, ouk, "), "{error}");
        assert!(
            GameName::ALL
                .last()
                .is_some_and(|last| error.ends_with(&format!(" or {}", last.name()))),
            "{error}"
        );
        let error = board_game("makruk").unwrap_err().to_string();
        assert!(error.starts_with("'makruk' is not a board game: expected janggi, "), "{error}");
        for read in [|name| Variant::named(name).err(), |name| board_game(name).err()] {
            let error = read("Janggi Modern").map(|error| error.to_string());
            assert!(error.is_some_and(|error| error.contains("'janggi-casual'")));
        }
    }
}
