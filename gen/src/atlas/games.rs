//! The games of the atlas.

use sakmak_tables::counting::CountingRule;
use sakmak_tables::variant::Variant;

/// The games of the atlas, each as it is usually counted.
pub fn countings() -> impl Iterator<Item = &'static CountingRule> {
    Variant::all().into_iter().map(Variant::counting)
}

/// The page's file; the first game's is where an atlas begins.
pub fn file_name(counting_rule: &CountingRule) -> String {
    match counting_rule == Variant::all()[0].counting() {
        true => "index.html".to_string(),
        false => format!("{}.html", counting_rule.variant().name),
    }
}
