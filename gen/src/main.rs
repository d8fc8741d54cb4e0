//! The program `sakmak`: makes, verifies and probes tables, computes statistics, runs queries,
//! reviews games and plays them.
//!
//! docs/commands.md lists the exit codes.

mod cli;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use cli::arguments::ColorArgument;
use cli::signals::FailureSignal;
use cli::{
    CommandError, check, completions, families, fetch, generate, label, man, pack, plain_lines,
    plan, probe, query, report, serve, signals, site, stats, uci, usage_error, verify, wdl,
};
use sakmak_probe::file::bytes::read_text;
use sakmak_tables::rules_file;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Explanation of terms that the help of all subcommands uses.
const WORDS: &str = "\
A material is written as KRNvKM: the pieces of the stronger side, v, the pieces of the other \
side. K king, R rook, N knight, S khon (moves one square diagonally or straight ahead), M met \
(moves one square diagonally), P pawn. The number of men of a table includes both kings.

In Makruk and Ouk a side may count its own moves and claim a draw at a limit. A win is in time \
if mate comes before that; a mate too late is a draw. The category is then cursed-win for the \
side that can force mate and blessed-loss for the other. A counting rule says when a count starts \
and how long it is.

Janggi, Rek and Min Rek Chanh are board games of their own, for generate, plan, verify, probe, stats, \
query and report. Their materials are written alike, as KRHvKAA in Janggi and KMMvKM in Rek. They have \
no counts and one kind of file, and options that they lack are refused.

Long work shows its progress on standard error: a bar on a terminal, else a line every 30 \
seconds, or every SAKMAK_PROGRESS seconds if that variable is set; 0 is for no lines.";

/// Endgame tablebases for Makruk (Thai chess) and Ouk Chatrang (Cambodian chess).
#[derive(Parser)]
#[command(name = "sakmak", version, max_term_width = 80, after_help = WORDS)]
struct CommandLine {
    #[command(flatten)]
    _color: ColorArgument,
    /// File with more variants for --variant, in the form of Fairy-Stockfish's variants.ini
    #[arg(long = "rules", global = true, value_name = "FILE")]
    _rules: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

/// A subcommand.
#[derive(Subcommand)]
enum Command {
    /// Solve tables and write them to files
    Generate(generate::GenerateArguments),
    /// Fetch a published set of tables: resume, check, rename into place
    Fetch(fetch::FetchArguments),
    /// Show the order, memory, disk and time that 'generate' needs
    Plan(plan::PlanArguments),
    /// Compress tables to a fifth of their size, small ones to a third
    Pack(pack::PackArguments),
    /// Look up a position: result, count, moves and best line
    Probe(probe::ProbeArguments),
    /// Play as an engine of the protocol UCI
    Uci(uci::UciArguments),
    /// Review games in a PGN file: mistakes, missed wins, counts
    Check(check::CheckArguments),
    /// Write results into files of positions or games, for training and analysis
    Label(label::LabelArguments),
    /// Verify tables: checksums and every value
    Verify(verify::VerifyArguments),
    /// Print statistics: wins, losses, longest mates, wins in time
    Stats(stats::StatsArguments),
    /// Write WDL files: the category of each position, for engines to probe in search
    Wdl(wdl::WdlArguments),
    /// Search for positions that meet a condition
    Query(query::QueryArguments),
    /// Write an atlas: web pages and data files about a directory of tables
    Report(report::ReportArguments),
    /// Serve answers and a board for browsers over HTTP
    Serve(serve::ServeArguments),
    /// Write the pages of the service as files for any host, with answers made in the browser
    Site(site::SiteArguments),
    /// Print a completion script for a shell
    Completions(completions::CompletionsArguments),
    /// Print the manual page, or write the pages of all commands to a directory
    Man(man::ManArguments),
}

impl Command {
    /// Returns the end of the message after a signal: the work that is kept. `None` if the command
    /// handles signals itself.
    fn kept(&self) -> Option<&'static str> {
        Some(match self {
            Command::Serve(_) | Command::Label(_) => return None,
            Command::Generate(_) | Command::Pack(_) => {
                "; finished tables are kept, and the same command resumes"
            }
            Command::Fetch(_) => "; what has arrived is kept, and the same command resumes",
            Command::Wdl(_) => "; finished files are kept, and the same command resumes",
            Command::Verify(_) => "; recorded tables are not verified again by the same command",
            Command::Check(_) => "; finished tables are kept, and the file of -o is as before",
            Command::Plan(_)
            | Command::Probe(_)
            | Command::Uci(_)
            | Command::Stats(_)
            | Command::Query(_)
            | Command::Report(_)
            | Command::Site(_)
            | Command::Completions(_)
            | Command::Man(_) => "",
        })
    }

    fn run(self) -> Result<(), CommandError> {
        match self {
            Command::Generate(arguments) => generate::run(arguments),
            Command::Fetch(arguments) => fetch::run(arguments),
            Command::Plan(arguments) => plan::run(arguments),
            Command::Pack(arguments) => pack::run(arguments),
            Command::Probe(arguments) => probe::run(arguments),
            Command::Uci(arguments) => uci::run(arguments),
            Command::Check(arguments) => check::run(arguments),
            Command::Label(arguments) => label::run(arguments),
            Command::Verify(arguments) => verify::run(arguments),
            Command::Stats(arguments) => stats::run(arguments),
            Command::Wdl(arguments) => wdl::run(arguments),
            Command::Query(arguments) => query::run(arguments),
            Command::Report(arguments) => report::run(arguments),
            Command::Serve(arguments) => serve::run(arguments),
            Command::Site(arguments) => site::run(arguments),
            Command::Completions(arguments) => completions::run(arguments, command_line()),
            Command::Man(arguments) => man::run(arguments, command_line()),
        }
    }
}

/// Arguments shared by several subcommands, in the order of their help: input first, output and
/// limits last. Arguments of one subcommand come in between.
const FIRST: [&str; 4] = ["directory", "access", "variant", "counting"];
const LAST: [&str; 7] = ["output", "json", "csv", "memory", "disk", "spill", "threads"];

/// Returns the command line, with the options of every subcommand in the same order.
fn command_line() -> clap::Command {
    let mut command = CommandLine::command();
    let names: Vec<String> =
        command.get_subcommands().map(|subcommand| subcommand.get_name().to_string()).collect();
    for name in names {
        command = command.mut_subcommand(name, |subcommand| {
            let mut own = FIRST.len();
            subcommand.mut_args(|argument| {
                let id = argument.get_id().as_str();
                let place = |ids: &[&str]| ids.iter().position(|&known| known == id);
                let order = match (place(&FIRST), place(&LAST)) {
                    (Some(first), _) => first,
                    (_, Some(last)) => 60 + last,
                    (None, None) => {
                        own += 1;
                        own
                    }
                };
                argument.display_order(order)
            })
        });
    }
    command
}

/// Parses the arguments. An error is the exit code after help, a version or a message.
fn parsed() -> Result<Command, ExitCode> {
    add_variants().map_err(ended)?;
    let mut command = command_line();
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    let matches = matches.map_err(|error| refused(&command, &error))?;
    families::check(&matches).map_err(ended)?;
    let parsed = CommandLine::from_arg_matches(&matches);
    Ok(parsed.map_err(|error| refused(&command, &error))?.command)
}

/// Adds the variants of the file of `--rules`, which the values of other options name.
fn add_variants() -> Result<(), CommandError> {
    let mut arguments = std::env::args_os().take_while(|argument| argument != "--");
    let path = arguments.find_map(|argument| match argument.to_str()?.strip_prefix("--rules")? {
        "" => std::env::args_os().skip_while(|argument| argument != "--rules").nth(1),
        attached => attached.strip_prefix('=').map(OsString::from),
    });
    let Some(path) = path else { return Ok(()) };
    let path = Path::new(&path);
    let at = |error: &dyn Display| CommandError::bad_input(format!("{}: {error}", path.display()));
    let file = read_text(path).map_err(|error| at(&error))?;
    rules_file::add(&file).map_err(|error| at(&error))?;
    Ok(())
}

/// Prints what clap says in place of parsed arguments. Returns the exit code.
fn refused(command: &clap::Command, error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A closed pipe is not an error.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(2)
        }
        _ => {
            let arguments = std::env::args_os().skip(1);
            let subcommand = arguments.into_iter().find_map(|argument| {
                let known = command.find_subcommand(argument.to_string_lossy().as_ref());
                // The command that clap adds itself is not one of ours.
                known.map(clap::Command::get_name).filter(|&name| name != "help")
            });
            ended(usage_error::of_clap(error, subcommand))
        }
    }
}

/// Prints an error. Returns its exit code.
fn ended(CommandError { message, code }: CommandError) -> ExitCode {
    cli::eprint(&cli::message(cli::Tone::Bad, &message));
    ExitCode::from(code)
}

fn main() -> ExitCode {
    let command = match parsed() {
        Ok(command) => command,
        Err(end) => return end,
    };
    let (failure, watched) = match signals::watch_failures() {
        Ok(failure) => (failure, Ok(())),
        Err(error) => (FailureSignal::default(), Err(error)),
    };
    let handled = watched.and_then(|()| match command.kept() {
        Some(kept) => signals::listen(|signal| signals::end(signal, kept)),
        None => Ok(()),
    });
    let ready = handled.map_err(CommandError::from).and_then(|()| plain_lines::configure());
    match ready.and_then(|()| command.run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(CommandError { message, code }) => {
            ended(CommandError { message, code: failure.exit_code(code) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;
    use std::collections::BTreeMap;

    /// Subcommands that read tables.
    const READERS: [&str; 13] = [
        "generate", "plan", "pack", "probe", "uci", "check", "label", "verify", "stats", "wdl",
        "query", "report", "fetch",
    ];

    /// Returns the arguments of all subcommands in the order of their help, with the names of
    /// these.
    fn arguments() -> Vec<(String, Vec<Arg>)> {
        let mut command = command_line();
        command.build();
        let subcommands = command.get_subcommands().filter(|command| command.get_name() != "help");
        let of = |subcommand: &clap::Command| {
            let mut arguments: Vec<Arg> = subcommand.get_arguments().cloned().collect();
            arguments.sort_by_key(Arg::get_display_order);
            (subcommand.get_name().to_string(), arguments)
        };
        subcommands.map(of).collect()
    }

    /// Returns the help of an argument without its default and without details of one subcommand.
    fn head(argument: &Arg) -> String {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let end = [": ", "; ", ", ", " ["].iter().filter_map(|end| help.find(end)).min();
        help[..end.unwrap_or(help.len())].to_string()
    }

    #[test]
    fn an_option_is_the_same_in_every_subcommand() {
        let mut known: BTreeMap<String, (String, String, Option<char>, String)> = BTreeMap::new();
        for (subcommand, arguments) in arguments() {
            for argument in arguments {
                let Some(name) = argument.get_long().map(str::to_string) else { continue };
                let value = format!("{:?}", argument.get_value_names());
                let now = (value, head(&argument), argument.get_short(), subcommand.clone());
                let first = known.entry(name.clone()).or_insert_with(|| now.clone());
                assert_eq!(
                    (&first.0, &first.1, first.2),
                    (&now.0, &now.1, now.2),
                    "--{name} of {} and of {subcommand}",
                    first.3
                );
            }
        }
        assert!(known.len() > 30);
    }

    #[test]
    fn options_have_one_order() {
        let mut before: BTreeMap<(String, String), String> = BTreeMap::new();
        for (subcommand, arguments) in arguments() {
            let names: Vec<String> =
                arguments.iter().filter_map(|a| a.get_long().map(str::to_string)).collect();
            for (place, name) in names.iter().enumerate() {
                for later in &names[place + 1..] {
                    before.insert((name.clone(), later.clone()), subcommand.clone());
                    let other = before.get(&(later.clone(), name.clone()));
                    assert_eq!(other, None, "--{name} before --{later} in {subcommand}");
                }
            }
        }
    }

    #[test]
    fn whatever_reads_tables_has_their_directory_and_whatever_takes_materials_takes_numbers() {
        for (subcommand, arguments) in arguments() {
            let long = |name: &str| arguments.iter().any(|a| a.get_long() == Some(name));
            let reads =
                READERS.contains(&&*subcommand) || ["serve", "site"].contains(&&*subcommand);
            assert_eq!(long("tables"), reads, "{subcommand}");
            // A counting rule belongs to a variant.
            assert!(!long("counting") || long("variant"), "{subcommand}");
            for argument in arguments.iter().filter(|argument| argument.is_positional()) {
                let value = argument.get_value_names().unwrap_or_default().join(" ");
                assert!(!value.contains("DIR"), "{subcommand}: a directory has an option");
                if value.contains("MATERIAL") {
                    assert_eq!(value, "MATERIAL|MEN", "{subcommand}");
                    let expected = "Materials such as KRNvK";
                    assert_eq!(head(argument), expected, "{subcommand}");
                }
            }
        }
    }

    #[test]
    fn every_help_is_written_alike() {
        for (subcommand, arguments) in arguments() {
            for argument in arguments {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                let name = format!("{subcommand} {}", argument.get_id());
                assert!(help.starts_with(char::is_uppercase), "{name}: {help}");
                assert!(!help.ends_with(['.', ' ']) && !help.contains("  "), "{name}: {help}");
                // Defaults have one form.
                assert!(!help.contains("(default"), "{name}: {help}");
                let value = argument.get_value_names().unwrap_or_default().join(" ");
                assert_eq!(value, value.to_uppercase(), "{name}");
            }
        }
        let command = command_line();
        for subcommand in command.get_subcommands() {
            let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
            let name = subcommand.get_name();
            assert!(about.starts_with(char::is_uppercase) && !about.ends_with('.'), "{name}");
            let after = subcommand.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(after.starts_with(char::is_uppercase), "{name}");
            // Examples are the last paragraph, indented, and are of the subcommand.
            let examples = after.lines().filter(|line| line.starts_with("  sakmak "));
            for example in examples {
                assert!(example.starts_with(&format!("  sakmak {name}")), "{name}: {example}");
                assert!(example.chars().count() <= 80, "{name}: {example}");
            }
            let help = subcommand.clone().term_width(80).render_long_help().to_string();
            for line in help.lines() {
                assert!(line.chars().count() <= 80, "{name}: {line}");
            }
        }
    }
}
