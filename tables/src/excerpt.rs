//! Excerpts of input of any length, to be repeated in messages.

use std::fmt;

/// The beginning of a text, for messages: at most [`Excerpt::LONGEST`] characters of it, with
/// `...` in place of the rest.
///
/// Errors hold excerpts and not the text itself, so that neither they nor their messages grow with
/// the input.
///
/// ```
/// use sakmak_tables::excerpt::Excerpt;
///
/// assert_eq!(Excerpt::of("e9").to_string(), "e9");
/// assert_eq!(Excerpt::of(&"9".repeat(1 << 20)).to_string().len(), Excerpt::LONGEST + 3);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Excerpt(String);

impl Excerpt {
    /// The maximum number of characters of a text that are repeated.
    pub const LONGEST: usize = 100;

    /// The beginning of a text.
    pub fn of(text: &str) -> Excerpt {
        match text.char_indices().nth(Excerpt::LONGEST) {
            None => Excerpt(text.to_string()),
            Some((end, _)) => Excerpt(format!("{}...", &text[..end])),
        }
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let text = |letters| "\u{e01}".repeat(letters);
        let longest = text(Excerpt::LONGEST);
        assert_eq!(Excerpt::of("").to_string(), "");
        assert_eq!(Excerpt::of(&longest).to_string(), longest);
        for letters in [Excerpt::LONGEST + 1, 100_000] {
            assert_eq!(Excerpt::of(&text(letters)).to_string(), format!("{longest}..."));
        }
    }
}
