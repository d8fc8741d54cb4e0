//! The languages of pages and their texts, from the files that the browser reads too.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::LazyLock;

/// A language of pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Thai.
    Thai,
    /// Khmer.
    Khmer,
}

/// The texts of all languages, by key.
static TEXTS: LazyLock<[HashMap<String, String>; 3]> = LazyLock::new(|| {
    let files = [
        include_str!("../web/languages/en.json"),
        include_str!("../web/languages/th.json"),
        include_str!("../web/languages/km.json"),
    ];
    // A test reads these files.
    files.map(|file| serde_json::from_str(file).unwrap_or_default())
});

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [Language::English, Language::Thai, Language::Khmer];

    /// The code, as in the `lang` attribute of a page.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Thai => "th",
            Language::Khmer => "km",
        }
    }

    /// The language with this code. `None` if no pages are in the language.
    pub fn of_code(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.code() == code)
    }

    /// Best match for `Accept-Language`, otherwise English.
    pub fn accepted(header: &str) -> Language {
        let mut accepted: Vec<(f32, Language)> = Vec::new();
        for range in header.split(',') {
            let (tag, weight) = range.split_once(";q=").unwrap_or((range, "1"));
            let code = tag.trim().split('-').next().unwrap_or_default().to_ascii_lowercase();
            let weight = weight.trim().parse().unwrap_or(0.0);
            accepted.extend(Language::of_code(&code).map(|language| (weight, language)));
        }
        // Among equal weights, the first language.
        accepted.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        accepted.first().map(|&(_, language)| language).unwrap_or_default()
    }

    /// The text of a key; the key itself if the text is missing.
    pub fn text(self, key: &'static str) -> &'static str {
        self.found(key).unwrap_or(key)
    }

    /// The text of a key composed from a name. `None` if the text is missing.
    pub fn found(self, key: &str) -> Option<&'static str> {
        TEXTS[self as usize].get(key).map(String::as_str)
    }

    /// The text of a key with its holes filled.
    pub fn format(self, key: &'static str, holes: &[(&str, &dyn Display)]) -> String {
        let mut text = self.text(key).to_string();
        for (name, value) in holes {
            text = text.replace(&format!("{{{name}}}"), &value.to_string());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browser_chooses_the_language() {
        for (header, expected) in [
            ("", Language::English),
            ("de-DE,de;q=0.9", Language::English),
            ("th-TH,th;q=0.9,en;q=0.8", Language::Thai),
            ("en;q=0.5, km;q=0.8", Language::Khmer),
            ("fr, km-KH", Language::Khmer),
            ("km;q=x, TH;q=0.1", Language::Thai),
        ] {
            assert_eq!(Language::accepted(header), expected, "{header}");
        }
        assert_eq!(Language::of_code("th"), Some(Language::Thai));
        assert_eq!(Language::of_code("de"), None);
    }

    #[test]
    fn holes_are_filled() {
        let said = |language: Language| language.format("moves.many", &[("count", &12)]);
        assert_eq!(said(Language::English), "12 moves");
        assert!(said(Language::Khmer).starts_with("12 "));
        assert_eq!(Language::Thai.text("no.such.key"), "no.such.key");
    }
}
