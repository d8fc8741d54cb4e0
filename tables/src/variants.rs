//! The variants, a file each. A new one is a file here and a line in [`Variant::all`].

mod makruk;
mod ouk;

pub use makruk::MAKRUK;
pub use ouk::OUK;

use crate::counting::{CountingRule, CountingRuleError};
use crate::variant::Variant;

/// There is no variant of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is no variant: one of {known} is expected")]
pub struct VariantError {
    name: String,
    known: String,
}

impl Variant {
    /// All variants known, Makruk first.
    #[inline]
    pub fn all() -> [&'static Variant; 2] {
        [&MAKRUK, &OUK]
    }

    /// The variant of this name.
    pub fn named(name: &str) -> Result<&'static Variant, VariantError> {
        let found = Variant::all().into_iter().find(|variant| variant.name == name);
        found.ok_or_else(|| VariantError {
            name: name.to_string(),
            known: Variant::all().map(|variant| variant.name).join(", "),
        })
    }

    /// The variant that goes by this name in files of games, in letters of either case.
    pub fn called(name: &str) -> Option<&'static Variant> {
        let name = name.trim().to_lowercase();
        let called =
            |variant: &&Variant| variant.name == name || variant.other_names.contains(&&*name);
        Variant::all().into_iter().find(called)
    }
}

impl CountingRule {
    /// All ways of counting, variant by variant, each variant's own first.
    pub fn all() -> impl Iterator<Item = &'static CountingRule> {
        Variant::all().into_iter().flat_map(|variant| variant.counting_rules.iter().copied())
    }

    /// The way of counting of this name.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn named(name: &str) -> Result<&'static CountingRule, CountingRuleError> {
        CountingRule::all().find(|counting_rule| counting_rule.name == name).ok_or_else(|| {
            CountingRuleError {
                name: name.to_string(),
                known: CountingRule::all()
                    .map(|counting_rule| counting_rule.name)
                    .collect::<Vec<_>>()
                    .join(", "),
            }
        })
    }

    /// The game that is counted this way.
    pub fn variant(&self) -> &'static Variant {
        let counted = |variant: &&Variant| variant.counting_rules.contains(&self);
        // Every counting rule is some variant's; the first is as good as any.
        Variant::all().into_iter().find(counted).unwrap_or(Variant::all()[0])
    }
}
