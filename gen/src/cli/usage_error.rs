//! Errors in the command line, in one line each and in the words of all other errors.

use crate::cli::CommandError;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use sakmak_tables::excerpt::Excerpt;
use std::error::Error as _;
use std::num::ParseIntError;
use strsim::osa_distance;

/// Forms of earlier versions: subcommand, option, and the form now.
const OLD_OPTIONS: [(&str, &str, &str); 4] = [
    ("query", "--limit", "'--first N' lists N positions; a limit is the end of a count"),
    ("probe", "--fen", "the FEN is written without an option, as in 'sakmak probe FEN'"),
    ("serve", "--patience", "'--timeout SECONDS' limits a request"),
    ("serve", "--port", "'--listen 127.0.0.1:8081' has the port"),
];

/// The names with `, ` between them and `or` before the last.
pub fn any_of<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let names: Vec<S> = names.into_iter().collect();
    match &names[..] {
        [] => String::new(),
        [one] => one.as_ref().to_string(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} or {}", first.join(", "), last.as_ref())
        }
    }
}

/// The known name that a misspelt one most likely means; `None` if none is near.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let near = known.into_iter().map(|known| (osa_distance(&name, known), known));
    let (edits, known) = near.min_by_key(|&(edits, _)| edits)?;
    (edits <= 1 + name.chars().count() / 4).then_some(known)
}

/// The error of a misspelt name: the expectation, and the nearest one.
pub fn misspelt<'a>(name: &str, listed: impl IntoIterator<Item = &'a str>) -> String {
    let listed: Vec<&str> = listed.into_iter().collect();
    let known = format!("{} expected", any_of(&listed));
    match nearest(name, listed) {
        Some(nearest) => format!("did you mean '{nearest}'? {known}"),
        None => known,
    }
}

/// The error of a command line that clap refuses, for a subcommand if one is named, and for a variant
/// if it has a command line of its own.
pub fn of_clap(
    error: &clap::Error,
    subcommand: Option<&str>,
    variant: Option<&str>,
) -> CommandError {
    let texts = |kind| -> Vec<String> {
        match error.get(kind) {
            Some(ContextValue::String(text)) => vec![text.clone()],
            Some(ContextValue::Strings(texts)) => texts.clone(),
            Some(ContextValue::StyledStr(text)) => vec![text.to_string()],
            Some(ContextValue::StyledStrs(texts)) => {
                texts.iter().map(ToString::to_string).collect()
            }
            _ => Vec::new(),
        }
    };
    let text = |kind| texts(kind).into_iter().next();
    let excerpt = |text: Option<String>| Excerpt::of(&text.unwrap_or_default()).to_string();
    let argument = text(ContextKind::InvalidArg).unwrap_or_default();
    // Without the name of its value.
    let option = argument.split(' ').next().unwrap_or_default().to_string();
    let value = excerpt(text(ContextKind::InvalidValue));
    let help = match (subcommand, variant) {
        (Some(subcommand), Some(variant)) => {
            format!("see 'sakmak {subcommand} --help --variant {variant}'")
        }
        (Some(subcommand), None) => format!("see 'sakmak help {subcommand}'"),
        (None, _) => "see 'sakmak help'".to_string(),
    };
    CommandError::bad_input(match error.kind() {
        ErrorKind::UnknownArgument => {
            let option = Excerpt::of(&option).to_string();
            let old =
                OLD_OPTIONS.iter().find(|&&(of, name, _)| Some(of) == subcommand && name == option);
            match (old, text(ContextKind::SuggestedArg)) {
                (Some((_, _, now)), _) => format!("unknown option '{option}': {now}"),
                (None, Some(nearest)) => {
                    let nearest = nearest.split(' ').next().unwrap_or_default().to_string();
                    format!("unknown option '{option}': did you mean '{nearest}'?")
                }
                (None, None) if option.starts_with('-') => {
                    format!("unknown option '{option}': {help}")
                }
                (None, None) => format!("unexpected '{option}': {help}"),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let name = excerpt(text(ContextKind::InvalidSubcommand));
            match text(ContextKind::SuggestedSubcommand) {
                Some(nearest) => format!("unknown command '{name}': did you mean '{nearest}'?"),
                None => format!("unknown command '{name}': {help}"),
            }
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("a value is missing after '{argument}': {help}")
        }
        ErrorKind::InvalidValue => {
            let known = texts(ContextKind::ValidValue);
            let expected = misspelt(&value, known.iter().map(String::as_str));
            format!("{option}: '{value}' is not known: {expected}")
        }
        ErrorKind::ValueValidation => {
            let reason = error.source();
            match reason {
                Some(reason) if reason.is::<ParseIntError>() => {
                    format!("{option}: '{value}' is not a whole number, such as 20")
                }
                Some(reason) => format!("{option}: {}", range_in_words(&reason.to_string())),
                None => format!("{option}: '{value}' is not right: {help}"),
            }
        }
        ErrorKind::MissingRequiredArgument => {
            format!("missing: {}; {help}", texts(ContextKind::InvalidArg).join(", "))
        }
        ErrorKind::ArgumentConflict => {
            let others: Vec<String> = texts(ContextKind::PriorArg)
                .iter()
                .map(|other| other.split(' ').next().unwrap_or_default().to_string())
                .collect();
            match &others[..] {
                [other] if *other == option => format!("{option} is given twice"),
                others => format!("{option} and {} exclude each other", any_of(others)),
            }
        }
        _ => {
            let rendered = error.render().to_string();
            let line = rendered.lines().next().unwrap_or_default();
            format!("{}: {help}", line.trim_start_matches("error: "))
        }
    })
}

/// The message about a number outside of a range, in words.
fn range_in_words(message: &str) -> String {
    let words = || {
        let (number, range) = message.split_once(" is not in ")?;
        let (least, most) = range.split_once("..")?;
        let least = if least.is_empty() { "0" } else { least };
        Some(match most.strip_prefix('=') {
            Some(most) => format!("{number} is not a number from {least} to {most}"),
            None => format!("{number} is not a number from {least} on"),
        })
    };
    words().unwrap_or_else(|| message.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["makruk", "ouk", "kar-ouk", "sittuyin"];
        for (name, expected) in [
            ("mackruk", Some("makruk")),
            ("Makrok", Some("makruk")),
            ("makurk", Some("makruk")),
            ("ok", Some("ouk")),
            ("karouk", Some("kar-ouk")),
            ("situyin", Some("sittuyin")),
            ("chess", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, known), expected, "{name}");
        }
        assert_eq!(any_of(["a", "b", "c"]), "a, b or c");
        assert_eq!(any_of(["a", "b"]), "a or b");
    }
}
