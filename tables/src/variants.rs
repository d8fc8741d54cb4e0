//! The variants, one file each. A new variant is a file here and an entry in `ALL`.

mod ai_wok;
mod asean;
mod chess;
mod kar_ouk;
mod makpong;
mod makruk;
mod ouk;
mod shatranj;
mod sittuyin;

pub use ai_wok::AI_WOK;
pub use asean::ASEAN;
pub use chess::CHESS;
pub use kar_ouk::KAR_OUK;
pub use makpong::MAKPONG;
pub use makruk::MAKRUK;
pub use ouk::OUK;
pub use shatranj::SHATRANJ;
pub use sittuyin::SITTUYIN;

use crate::counting::CountingRule;
use crate::excerpt::Excerpt;
use crate::rules::Rules;
use crate::variant::Variant;
use std::sync::{LazyLock, OnceLock};

/// No variant has this name.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is not a variant: expected one of {known}", known = names())]
pub struct VariantError {
    name: Excerpt,
}

crate::readable_error!(VariantError);

/// No counting rule has this name.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{name}' is not a counting rule: expected one of {known}",
    known = counting_rule_names()
)]
pub struct CountingRuleError {
    name: Excerpt,
}

crate::readable_error!(CountingRuleError);

static ALL: [&LazyLock<Variant>; 9] =
    [&MAKRUK, &OUK, &KAR_OUK, &SITTUYIN, &AI_WOK, &SHATRANJ, &ASEAN, &MAKPONG, &CHESS];

/// The variants of a file.
static ADDED: OnceLock<Vec<Variant>> = OnceLock::new();

/// All variants: Makruk first, those of a file last.
pub fn all() -> impl DoubleEndedIterator<Item = &'static Variant> + Clone {
    ALL.iter().map(|variant| &***variant).chain(ADDED.get().into_iter().flatten())
}

/// Adds variants to [`all`], once in a process: the first call decides.
pub(crate) fn add(variants: Vec<Variant>) -> &'static [Variant] {
    ADDED.get_or_init(|| variants)
}

/// The variant where none is named: Makruk.
pub fn default() -> &'static Variant {
    &MAKRUK
}

/// The index of a variant in [`all`]. `None` if the variant is not in it.
#[inline]
pub fn index_of(variant: &'static Variant) -> Option<usize> {
    all().position(|one| std::ptr::eq(one, variant))
}

/// The variant with this name or other name, in any spelling.
///
/// ```
/// use sakmak_tables::variants::{self, OUK};
///
/// for name in ["ouk", "Cambodian", "Ouk-Chatrang"] {
///     assert_eq!(variants::named(name)?, &*OUK);
/// }
/// # Ok::<(), variants::VariantError>(())
/// ```
///
/// # Errors
///
/// If no variant has this name.
pub fn named(name: &str) -> Result<&'static Variant, VariantError> {
    let known = |variant: &&Variant| {
        [variant.name].iter().chain(variant.other_names).any(|known| same_name(name, known))
    };
    all().find(known).ok_or_else(|| VariantError { name: Excerpt::of(name) })
}

/// The name of the rule by which nobody counts, where the variant is named too.
pub const NONE: &str = "none";

/// An upper bound on the bytes of a name of a variant or of a counting rule, in any spelling.
const LONGEST_NAME: usize = 64;

/// Whether two names differ at most in letter case, or in hyphens, underscores and blanks.
pub fn same_name(one: &str, other: &str) -> bool {
    let between = |letter: char| letter.is_whitespace() || matches!(letter, '-' | '_');
    let letters = |name| {
        let words = str::split(name, between).filter(|word| !word.is_empty());
        words.flat_map(|word| [' '].into_iter().chain(word.chars().flat_map(char::to_lowercase)))
    };
    // A long text is no name: it is not split into words for every known name.
    [one, other].iter().all(|name| name.len() <= LONGEST_NAME) && letters(one).eq(letters(other))
}

/// All counting rules by variant, the usual one of each variant first.
pub fn counting_rules() -> impl Iterator<Item = &'static CountingRule> {
    all().flat_map(|variant| variant.counting_rules.iter().copied())
}

/// All counting rules, including the rules by which nobody counts.
pub fn all_counting_rules() -> impl Iterator<Item = &'static CountingRule> {
    counting_rules().chain(all().map(|variant| variant.uncounted))
}

/// The counting rule of this name, including the rules by which nobody counts, such as
/// `makruk-none`. A rule by which nobody counts has no tables and serves lookups only.
///
/// ```
/// use sakmak_tables::variants::{self, OUK};
///
/// let nobody = variants::any_counting_rule("ouk-none")?;
/// assert_eq!((nobody, variants::counted_by(nobody)), (OUK.uncounted, &*OUK));
/// assert!(variants::counting_rule("ouk-none").is_err());
/// # Ok::<(), variants::CountingRuleError>(())
/// ```
///
/// # Errors
///
/// If no counting rule has this name.
pub fn any_counting_rule(name: &str) -> Result<&'static CountingRule, CountingRuleError> {
    let mut nobody = all().map(|variant| variant.uncounted);
    match nobody.find(|rule| same_name(name, rule.name)) {
        Some(rule) => Ok(rule),
        None => counting_rule(name),
    }
}

/// The counting rule with this name, in any spelling. The name of a variant denotes its usual
/// counting rule.
///
/// # Errors
///
/// If no counting rule has this name.
pub fn counting_rule(name: &str) -> Result<&'static CountingRule, CountingRuleError> {
    let found = counting_rules().find(|counting_rule| same_name(name, counting_rule.name));
    let usual = || named(name).ok().map(Variant::counting);
    found.or_else(usual).ok_or_else(|| CountingRuleError { name: Excerpt::of(name) })
}

/// The variant that has this counting rule.
pub fn counted_by(counting_rule: &CountingRule) -> &'static Variant {
    // Every counting rule belongs to a variant.
    all().find(|variant| variant.has_counting(counting_rule)).unwrap_or(&MAKRUK)
}

/// The first variant with these rules. `None` if no variant has them.
pub fn with_rules(rules: &Rules) -> Option<&'static Variant> {
    all().find(|variant| variant.rules == *rules)
}

/// The names of all variants, with commas between them.
pub fn names() -> String {
    all().map(|variant| variant.name).collect::<Vec<_>>().join(", ")
}

/// The names of all counting rules, with commas between them.
pub fn counting_rule_names() -> String {
    counting_rules().map(|counting_rule| counting_rule.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_as_people_write_them() {
        for (names, variant) in [
            (&["makruk", "Makruk", " MAKRUK ", "thai", "Thai chess", "thai-chess"][..], &*MAKRUK),
            (
                &["ouk", "Ouk", "cambodian", "Cambodian Chess", "ouk_chatrang", "Ouk-Chaktrang"],
                &OUK,
            ),
            (&["kar-ouk", "Kar Ouk", "karouk", "KarOuk"], &KAR_OUK),
        ] {
            for name in names {
                assert_eq!(named(name), Ok(variant), "{name}");
                assert_eq!(counting_rule(name), Ok(variant.counting()), "{name}");
            }
        }
        for rule in counting_rules() {
            for name in [rule.name.to_uppercase(), rule.name.replace('-', " ")] {
                assert_eq!(counting_rule(&name), Ok(rule), "{name}");
            }
        }
        for variant in all() {
            assert_eq!(
                any_counting_rule(&variant.uncounted.name.to_uppercase()),
                Ok(variant.uncounted)
            );
            assert_eq!(any_counting_rule(variant.name), Ok(variant.counting()));
            assert_eq!(counted_by(variant.uncounted), variant);
            assert_eq!(variant.uncounted.name, format!("{}-{NONE}", variant.name));
        }
        assert!(any_counting_rule(NONE).is_err());
        for name in ["", " ", "-", "chess960", "Kar Ouk Chatrang", "mak ruk", "ouk traditional"] {
            assert!(named(name).is_err(), "{name}");
        }
        for name in ["", "chess960", "khon-first"] {
            assert!(counting_rule(name).is_err(), "{name}");
        }
    }
}
