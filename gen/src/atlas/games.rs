//! The games of the atlas.

use sakmak_tables::counting::CountingRule;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;

/// The games of the atlas, each as it is usually counted.
pub fn countings() -> impl Iterator<Item = &'static CountingRule> {
    variants::all().into_iter().map(Variant::counting)
}

/// The page's file; the first game's is where an atlas begins.
pub fn file_name(counting_rule: &CountingRule) -> String {
    match counting_rule == variants::all()[0].counting() {
        true => "index.html".to_string(),
        false => format!("{}.html", variants::counted_by(counting_rule).name),
    }
}
