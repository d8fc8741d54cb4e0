//! Errors of the command line, in one line each.

use crate::cli::CommandError;
use crate::cli::families::WithoutBoardGames;
use clap::error::{ContextKind, ContextValue};
use sakmak_tables::excerpt::Excerpt;
use std::num::ParseIntError;

/// Returns the error of a command line that clap refuses, for a subcommand if one is named.
pub fn of_clap(error: &clap::Error, subcommand: Option<&str>) -> CommandError {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        Some(ContextValue::Strings(texts)) => texts.first().map(String::as_str),
        _ => None,
    };
    // Without the name of its value.
    let option = |kind| text(kind).and_then(|text| text.split(' ').next());
    if let Some(reason) = std::error::Error::source(error) {
        let option = option(ContextKind::InvalidArg).unwrap_or_default();
        let typed = Excerpt::of(text(ContextKind::InvalidValue).unwrap_or_default());
        let words = reason.to_string();
        let range = words.split_once(" is not in ").and_then(|(found, range)| {
            let (least, most) = range.split_once("..")?;
            let most = most.strip_prefix('=').map(|most| format!("to {most}"));
            let most = most.as_deref().unwrap_or("or more");
            Some(format!("expected {least} {most}, found {found}"))
        });
        return CommandError::bad_input(match range {
            Some(range) => format!("{option}: {range}"),
            None if reason.is::<ParseIntError>() => {
                format!("{option}: '{typed}' is not a whole number")
            }
            None if reason.is::<WithoutBoardGames>() => words,
            None => format!("{option}: {words}"),
        });
    }
    let mut rendered = error.render().to_string();
    for kind in [ContextKind::InvalidArg, ContextKind::InvalidValue, ContextKind::InvalidSubcommand]
    {
        if let Some(typed) = text(kind).filter(|typed| !typed.is_empty()) {
            rendered = rendered.replace(typed, &Excerpt::of(typed).to_string());
        }
    }
    // The usage follows an empty line.
    let message = rendered.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = message.trim_start_matches("error: ").split_whitespace().collect();
    let kinds = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand];
    let advice = match (kinds.into_iter().find_map(option), subcommand) {
        (Some(name), _) => format!("did you mean '{name}'?"),
        (None, Some(command)) => format!("see 'sakmak help {command}'"),
        (None, None) => "see 'sakmak help'".to_string(),
    };
    CommandError::bad_input(format!("{}; {advice}", words.join(" ")))
}
