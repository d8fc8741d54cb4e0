//! The frame that all pages share.

use crate::config::AtlasConfig;
use crate::language::Language;
use crate::web::policy_element;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::collections::BTreeMap;

/// A complete page with this title and content. The body tells the script the letters of pieces
/// and, if the atlas has a single variant, the variant.
pub fn whole_page(config: &AtlasConfig, title: &str, content: &Markup) -> Markup {
    let AtlasConfig { language, variants } = config;
    let letters = String::from_iter(variants.first().letters);
    html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                (head(title))
                script src="atlas.js" defer {}
            }
            body data-letters=(letters) data-variant=[variants.named().map(|game| game.name)] {
                (content)
                script type="application/json" id="texts" { (script_texts(*language)) }
            }
        }
    }
}

/// A complete page with this title and content, without a script.
pub fn plain_page(language: Language, title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head { (head(title)) }
            body { (content) }
        }
    }
}

/// The head of every page.
fn head(title: &str) -> Markup {
    html! {
        meta charset="utf-8";
        (policy_element())
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="color-scheme" content="light dark";
        title { (title) }
        link rel="stylesheet" href="atlas.css";
        link rel="icon" href="data:,";
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
    // No text may end the element.
    let json = serde_json::to_string(&texts).unwrap_or_default().replace('<', "\\u003c");
    PreEscaped(json)
}
