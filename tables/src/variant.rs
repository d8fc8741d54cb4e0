//! A variant: one game of the family as a value.

use crate::counting::Profile;
use crate::leaps::Leap;
use crate::reach::Reach;
use crate::rules::Rules;
use crate::strikers::Strikers;
use crate::variants;

/// One game. The values are in [`crate::variants`], a file each.
#[derive(Debug)]
pub struct Variant {
    /// The name used on the command line and in files people read.
    pub name: &'static str,
    /// What shapes its tables.
    pub rules: Rules,
    /// The rules worked out per square.
    pub reach: Reach,
    /// The rules worked out per square struck.
    pub strikers: Strikers,
    /// First-move leaps, in the order of their letters in FEN; eight at most.
    pub leaps: &'static [Leap],
    /// How it is counted.
    pub counting: &'static Profile,
    /// The starting position, FEN.
    pub start: &'static str,
}

/// There is no variant of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is no variant: one of {known} is expected")]
pub struct VariantError {
    name: String,
    known: String,
}

impl Variant {
    /// All variants known, Makruk first.
    pub fn all() -> [&'static Variant; 2] {
        [&variants::MAKRUK, &variants::OUK]
    }

    /// The variant of this name.
    pub fn named(name: &str) -> Result<&'static Variant, VariantError> {
        let found = Variant::all().into_iter().find(|variant| variant.name == name);
        found.ok_or_else(|| VariantError {
            name: name.to_string(),
            known: Variant::all().map(|variant| variant.name).join(", "),
        })
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Variant) -> bool {
        self.name == other.name
    }
}

impl Eq for Variant {}
