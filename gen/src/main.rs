//! The program `sakmak`: makes, verifies and probes tables, computes statistics, runs queries,
//! reviews games and plays them.
//!
//! Exit codes: 0 for success, 1 for a failure or a wrong table, 2 for bad arguments or input, 128
//! more than its number for a signal, also for a write past the limit of file sizes.

mod cli;

use clap::{CommandFactory, Parser, Subcommand};
use cli::arguments::ColorArgument;
use cli::signals::FailureSignal;
use cli::{
    CommandError, check, completions, generate, man, pack, plain_lines, plan, probe, query, report,
    serve, signals, stats, uci, verify, wdl,
};
use std::process::ExitCode;

/// The words that the help of all subcommands uses.
const WORDS: &str = "\
A material is written as KRNvKM: the pieces of the stronger side, v, the pieces of the other \
side. K king, R rook, N knight, S khon (moves one square diagonally or straight ahead), M met \
(moves one square diagonally), P pawn. The number of men of a table includes both kings.

In Makruk and Ouk a side may count its own moves and claim a draw at a limit. A win is in time \
if mate comes before that; a mate too late is a draw. The category is then cursed-win for the \
side that can force mate and blessed-loss for the other. A counting rule says when a count starts \
and how long it is.

Long work shows its progress on standard error: a bar on a terminal, else a line every 30 \
seconds, or every SAKMAK_PROGRESS seconds if that variable is set; 0 is for no lines.";

/// Endgame tablebases for Makruk (Thai chess) and Ouk Chatrang (Cambodian chess).
#[derive(Parser)]
#[command(name = "sakmak", version, max_term_width = 80, after_help = WORDS)]
struct CommandLine {
    #[command(flatten)]
    _color: ColorArgument,
    #[command(subcommand)]
    command: Command,
}

/// A subcommand.
#[derive(Subcommand)]
enum Command {
    /// Solve tables and write them to files
    Generate(generate::GenerateArguments),
    /// Show the order, memory, disk and time that 'generate' needs
    Plan(plan::PlanArguments),
    /// Compress tables to a quarter of their size or less
    Pack(pack::PackArguments),
    /// Look up a position: result, count, moves and best line
    Probe(probe::ProbeArguments),
    /// Play as an engine of the protocol UCI
    Uci(uci::UciArguments),
    /// Review games in a PGN file: mistakes, missed wins, counts
    Check(check::CheckArguments),
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
    /// Print a completion script for a shell
    Completions(completions::CompletionsArguments),
    /// Print the manual page, or write the pages of all commands to a directory
    Man(man::ManArguments),
}

impl Command {
    /// What a signal leaves, as the end of a message. `None` if the command handles signals itself.
    fn kept(&self) -> Option<&'static str> {
        Some(match self {
            Command::Serve(_) => return None,
            Command::Generate(_) | Command::Pack(_) => {
                "; finished tables are kept, and the same command resumes"
            }
            Command::Wdl(_) => "; finished files are kept, and the same command resumes",
            Command::Verify(_) => "; recorded tables are not verified again by the same command",
            Command::Check(_) => "; finished tables are kept, and the file of -o is as before",
            Command::Plan(_)
            | Command::Probe(_)
            | Command::Uci(_)
            | Command::Stats(_)
            | Command::Query(_)
            | Command::Report(_)
            | Command::Completions(_)
            | Command::Man(_) => "",
        })
    }

    fn run(self) -> Result<(), CommandError> {
        match self {
            Command::Generate(arguments) => generate::run(arguments),
            Command::Plan(arguments) => plan::run(arguments),
            Command::Pack(arguments) => pack::run(arguments),
            Command::Probe(arguments) => probe::run(arguments),
            Command::Uci(arguments) => uci::run(arguments),
            Command::Check(arguments) => check::run(arguments),
            Command::Verify(arguments) => verify::run(arguments),
            Command::Stats(arguments) => stats::run(arguments),
            Command::Wdl(arguments) => wdl::run(arguments),
            Command::Query(arguments) => query::run(arguments),
            Command::Report(arguments) => report::run(arguments),
            Command::Serve(arguments) => serve::run(arguments),
            Command::Completions(arguments) => completions::run(arguments, CommandLine::command()),
            Command::Man(arguments) => man::run(arguments, CommandLine::command()),
        }
    }
}

fn main() -> ExitCode {
    let command = CommandLine::parse().command;
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
            cli::tell(&cli::message(cli::Tone::Bad, &message));
            ExitCode::from(failure.exit_code(code))
        }
    }
}
