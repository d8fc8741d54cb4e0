//! What all pages share: the counting rules shown, file names, and the frame.

use crate::language::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, MAKRUK, OUK};
use std::collections::BTreeMap;

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
pub fn whole_page(language: Language, title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="stylesheet" href="atlas.css";
                link rel="icon" href="data:,";
                script src="atlas.js" defer {}
            }
            body {
                (content)
                script type="application/json" id="texts" { (script_texts(language)) }
            }
        }
    }
}

/// The texts of the script, as JSON.
fn script_texts(language: Language) -> Markup {
    const KEYS: [&str; 11] = [
        "atlas.copied",
        "atlas.copy",
        "atlas.found",
        "atlas.open",
        "atlas.play.back",
        "atlas.play.end",
        "atlas.play.on",
        "atlas.play.start",
        "mover",
        "side.black",
        "side.white",
    ];
    let texts: BTreeMap<&str, &str> = KEYS.map(|key| (key, language.text(key))).into();
    // No text ends the element.
    let json = serde_json::to_string(&texts).unwrap_or_default().replace('<', "\\u003c");
    PreEscaped(json)
}
