//! The variants, one file each. A new variant is a file here and an entry in [`all`].

mod makruk;
mod ouk;

pub use makruk::MAKRUK;
pub use ouk::OUK;

use crate::counting::CountingRule;
use crate::variant::Variant;

/// No variant has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is not a variant: one of {known} is expected", known = names())]
pub struct VariantError {
    name: String,
}

/// No counting rule has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{name}' is not a counting rule: one of {known} is expected",
    known = counting_rule_names()
)]
pub struct CountingRuleError {
    name: String,
}

/// All variants, Makruk first.
#[inline]
pub fn all() -> [&'static Variant; 2] {
    [&MAKRUK, &OUK]
}

/// The variant with this name.
///
/// # Errors
///
/// If there is none.
pub fn named(name: &str) -> Result<&'static Variant, VariantError> {
    let found = all().into_iter().find(|variant| variant.name == name);
    found.ok_or_else(|| VariantError { name: name.to_string() })
}

/// The variant with this name or other name, in any letter case. Returns `None` if there is
/// none.
pub fn known_as(name: &str) -> Option<&'static Variant> {
    let name = name.trim().to_lowercase();
    let known = |variant: &&Variant| variant.name == name || variant.other_names.contains(&&*name);
    all().into_iter().find(known)
}

/// All counting rules by variant, the usual one of each variant first.
pub fn counting_rules() -> impl Iterator<Item = &'static CountingRule> {
    all().into_iter().flat_map(|variant| variant.counting_rules.iter().copied())
}

/// The counting rule with this name.
///
/// # Errors
///
/// If there is none.
pub fn counting_rule(name: &str) -> Result<&'static CountingRule, CountingRuleError> {
    let found = counting_rules().find(|counting_rule| counting_rule.name == name);
    found.ok_or_else(|| CountingRuleError { name: name.to_string() })
}

/// The variant that has this counting rule.
pub fn counted_by(counting_rule: &CountingRule) -> &'static Variant {
    let has = |variant: &&Variant| variant.counting_rules.contains(&counting_rule);
    // Every counting rule belongs to a variant.
    all().into_iter().find(has).unwrap_or(&MAKRUK)
}

/// The names of all variants, with commas between them.
pub fn names() -> String {
    all().map(|variant| variant.name).join(", ")
}

/// The names of all counting rules, with commas between them.
pub fn counting_rule_names() -> String {
    counting_rules().map(|counting_rule| counting_rule.name).collect::<Vec<_>>().join(", ")
}
