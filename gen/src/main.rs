//! The program `sakmak`: makes tables, asks them, holds games against them, verifies
//! them, counts and finds what is in them.
//!
//! Exit codes: 0 when all went well, 1 when something failed or was found wrong, 2 when
//! what was asked for makes no sense.

mod cli;

use clap::{Parser, Subcommand};
use cli::{CommandError, check, generate, pack, plan, probe, query, report, stats, verify, wdl};
use std::io::Write;
use std::process::ExitCode;

/// Endgame tablebases for Makruk (Thai chess) and Ouk Chatrang (Cambodian chess).
#[derive(Parser)]
#[command(name = "sakmak", version, max_term_width = 80)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Subcommand)]
enum Command {
    /// Make tables: those named and all they lead to.
    Generate(generate::GenerateArguments),
    /// Show what batch_progress them needs: order, memory, disk, time.
    Plan(plan::PlanArguments),
    /// Make small files of tables, for probing.
    Pack(pack::PackArguments),
    /// Ask about a position: verdict, count, moves, line.
    Probe(probe::ProbeArguments),
    /// Go through games: which moves kept, missed or threw away the result; the counts.
    Check(check::CheckArguments),
    /// Check every stored value against its successors by plain move generation.
    Verify(verify::VerifyArguments),
    /// Count a table: wins, losses, how long, how many in time.
    Stats(stats::StatsArguments),
    /// Make the files that a search asks for verdicts at every node.
    Wdl(wdl::WdlArguments),
    /// Find positions that meet a condition: list, count or draw them.
    Query(query::QueryArguments),
    /// Write the atlas: pages of all tables of a directory, and data.
    Report(report::ReportArguments),
}

impl Command {
    /// Does it.
    fn run(self) -> Result<(), CommandError> {
        match self {
            Command::Generate(arguments) => generate::run(arguments),
            Command::Plan(arguments) => plan::run(arguments),
            Command::Pack(arguments) => pack::run(arguments),
            Command::Probe(arguments) => probe::run(arguments),
            Command::Check(arguments) => check::run(arguments),
            Command::Verify(arguments) => verify::run(arguments),
            Command::Stats(arguments) => stats::run(arguments),
            Command::Wdl(arguments) => wdl::run(arguments),
            Command::Query(arguments) => query::run(arguments),
            Command::Report(arguments) => report::run(arguments),
        }
    }
}

fn main() -> ExitCode {
    match CommandLine::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(CommandError { message, code }) => {
            // Nobody can be told when standard error is closed.
            let _ = writeln!(std::io::stderr(), "sakmak: {}", one_line(&message));
            ExitCode::from(code)
        }
    }
}

/// The message with line ends and other control characters, which names and arguments in
/// it may have, made visible.
fn one_line(message: &str) -> String {
    let escaped = |letter: char| match letter.is_control() {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    };
    message.chars().map(escaped).collect()
}
