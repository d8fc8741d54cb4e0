//! The options that only one family of variants has: variants like chess, or board games.

use crate::cli::CommandError;
use clap::ArgMatches;
use clap::parser::ValueSource;
use sakmak_boards::list::GameName;
use sakmak_probe::variant::Variant;

/// A subcommand for both families, with the identifiers of the options that only one family has.
struct Families {
    subcommand: &'static str,
    /// Options of variants like chess.
    chess: &'static [&'static [&'static str]],
    /// Options of board games.
    boards: &'static [&'static str],
}

/// Options of batches of tables.
const BATCH: [&str; 9] = [
    "counting",
    "spill",
    "packed",
    "engine_set",
    "census",
    "tiles",
    "cold",
    "converted_men",
    "wdl",
];

/// The subcommands for both families. Other subcommands with `--variant` are for variants like
/// chess.
const SUBCOMMANDS: [Families; 7] = [
    Families { subcommand: "generate", chess: &[&BATCH, &["level"]], boards: &[] },
    Families { subcommand: "plan", chess: &[&BATCH], boards: &[] },
    Families { subcommand: "verify", chess: &[&["sample", "seed"]], boards: &[] },
    Families {
        subcommand: "probe",
        chess: &[&["counting", "called", "counter", "limit", "solution"]],
        boards: &["svg"],
    },
    Families { subcommand: "stats", chess: &[&["counting"]], boards: &[] },
    Families { subcommand: "query", chess: &[&["counting", "left"]], boards: &[] },
    Families { subcommand: "report", chess: &[&["claims"]], boards: &[] },
];

/// A board game, for a subcommand without board games.
#[derive(Debug, thiserror::Error)]
#[error("'{subcommand}' does not know {game}: {known} do", known = subcommands())]
pub struct WithoutBoardGames {
    /// The subcommand.
    pub subcommand: String,
    /// The game.
    pub game: GameName,
}

/// Returns the names of the subcommands for both families.
fn subcommands() -> String {
    let [first @ .., last] = SUBCOMMANDS.map(|families| families.subcommand);
    format!("{} and {last}", first.join(", "))
}

/// Checks that the variant of a command line has all of its options.
pub fn check(matches: &ArgMatches) -> Result<(), CommandError> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
    let Some(families) = SUBCOMMANDS.iter().find(|families| families.subcommand == name) else {
        return Ok(());
    };
    let variant = matches.get_one::<Variant>("variant").copied().unwrap_or_default();
    let lacking = match variant {
        Variant::Board(_) => families.chess,
        Variant::Chess(_) => &[families.boards],
    };
    let is_given = |id: &&&str| matches.value_source(id) == Some(ValueSource::CommandLine);
    match lacking.iter().copied().flatten().find(is_given) {
        None => Ok(()),
        Some(id) => {
            let option = id.replace('_', "-");
            let message = format!("'--{option}' is not available for --variant {variant}");
            Err(CommandError::bad_input(message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The options for both families, by subcommand.
    const SHARED: [(&str, &[&str]); 7] = [
        ("generate", &["memory", "disk"]),
        ("plan", &["memory", "disk", "rate", "json"]),
        ("verify", &["access", "again"]),
        ("probe", &["access", "json"]),
        ("stats", &["access", "json"]),
        (
            "query",
            &[
                "access",
                "first",
                "order",
                "descending",
                "longest",
                "sample",
                "seed",
                "count",
                "json",
                "csv",
            ],
        ),
        ("report", &["access", "output", "language"]),
    ];

    #[test]
    fn each_option_belongs_to_one_family_or_to_both() {
        let command = crate::command_line();
        for (families, (subcommand, shared)) in SUBCOMMANDS.iter().zip(SHARED) {
            assert_eq!(families.subcommand, subcommand);
            let command = command.find_subcommand(subcommand).unwrap();
            let options = command.get_arguments().filter_map(|argument| {
                let id = argument.get_id().as_str();
                let name = argument.get_long()?;
                let is_everywhere = ["tables", "variant", "threads"].contains(&name);
                assert!(is_everywhere || name == id.replace('_', "-"), "{subcommand} --{name}");
                (!is_everywhere).then_some(id)
            });
            let mut left: BTreeSet<&str> = options.collect();
            for id in families.chess.iter().copied().flatten().chain(families.boards).chain(shared)
            {
                assert!(left.remove(id), "{subcommand}: no --{id}, or two of it");
            }
            assert_eq!(left, BTreeSet::new(), "{subcommand}: options of which family?");
        }
    }
}
