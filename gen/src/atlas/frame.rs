//! What all pages share: the counting rules shown, file names, and the frame.

use maud::{DOCTYPE, Markup, html};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, MAKRUK, OUK};

/// The counting rules of the atlas: the usual one of Makruk and that of Ouk Chatrang.
pub fn countings() -> impl Iterator<Item = &'static CountingRule> {
    [&*MAKRUK, &*OUK].into_iter().map(Variant::counting)
}

/// The file of the page of all materials under a counting rule; the first is the start page.
pub fn file_name(counting_rule: &CountingRule) -> String {
    match counting_rule == variants::all()[0].counting() {
        true => "index.html".to_string(),
        false => format!("{}.html", variants::counted_by(counting_rule).name),
    }
}

/// A complete page with this title and content.
pub fn whole_page(title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="stylesheet" href="atlas.css";
                link rel="icon" href="data:,";
                script src="atlas.js" defer {}
            }
            body { (content) }
        }
    }
}
