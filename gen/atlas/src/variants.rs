//! The variants of an atlas.

use sakmak_tables::counting::CountingRule;
use sakmak_tables::rules::Rules;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, MAKRUK, OUK};

/// Variants with the same tables of distances, each under its usual counting rule.
#[derive(Clone, Debug)]
pub struct AtlasVariants {
    first: &'static Variant,
    others: Vec<&'static Variant>,
}

impl AtlasVariants {
    /// Makruk and Ouk Chatrang, which are compared.
    pub fn makruk_and_ouk() -> AtlasVariants {
        AtlasVariants { first: &MAKRUK, others: vec![&OUK] }
    }

    /// One variant alone.
    pub const fn only(variant: &'static Variant) -> AtlasVariants {
        AtlasVariants { first: variant, others: Vec::new() }
    }

    /// The first variant; the atlas uses its rules, letters and names of pieces.
    pub const fn first(&self) -> &'static Variant {
        self.first
    }

    /// The rules that all variants have.
    pub fn rules(&self) -> &'static Rules {
        &self.first.rules
    }

    /// All variants.
    pub fn all(&self) -> impl Iterator<Item = &'static Variant> {
        [self.first].into_iter().chain(self.others.iter().copied())
    }

    /// The usual counting rule of each variant.
    pub fn countings(&self) -> impl Iterator<Item = &'static CountingRule> {
        self.all().map(Variant::counting)
    }

    /// The variant that the commands on the pages must name. `None` with several variants.
    pub fn named(&self) -> Option<&'static Variant> {
        self.others.is_empty().then_some(self.first)
    }

    /// The file of the page of all materials under a counting rule; the first rule has the start
    /// page.
    pub fn file_name(&self, counting_rule: &CountingRule) -> String {
        match counting_rule == self.first.counting() {
            true => "index.html".to_string(),
            false => format!("{}.html", variants::counted_by(counting_rule).name),
        }
    }
}
