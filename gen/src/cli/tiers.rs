//! The subcommands for the games of `sakmak-boards`: `generate`, `plan`, `verify`, `probe`, `stats`,
//! `query` and `report` with `--variant janggi` or the name of another of them.
//!
//! They are a command line of their own, because materials, files and answers differ. A game that is
//! added to the list of `sakmak-boards` is known here.

mod generate;
mod probe;
mod query;
mod report;
mod selection;
mod stats;
mod verify;

use crate::cli::CommandError;
use crate::cli::arguments::ThreadsArgument;
use clap::{CommandFactory, Parser, Subcommand};
use generate::{BatchArguments, PlanArguments};
use probe::ProbeArguments;
use query::QueryArguments;
use report::ReportArguments;
use sakmak_boards::list::{GameName, Visitor};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_tables::excerpt::Excerpt;
use stats::StatsArguments;
use verify::VerifyArguments;

/// The subcommands that know these games.
const SUBCOMMANDS: &str = "generate, plan, verify, probe, stats, query and report";

/// The command line for these games.
#[derive(Parser)]
#[command(name = "sakmak", version, max_term_width = 80, subcommand_required = true)]
struct TiersCommandLine {
    #[command(flatten)]
    _color: crate::cli::arguments::ColorArgument,
    #[command(subcommand)]
    command: TiersCommand,
}

/// A subcommand.
#[derive(Subcommand)]
pub enum TiersCommand {
    /// Solve tables and write them to files
    Generate(BatchArguments),
    /// Show the order, slots, memory and method of the tables that 'generate' makes
    Plan(PlanArguments),
    /// Verify tables: checksums and every value
    Verify(VerifyArguments),
    /// Look up a position: result, moves and best line
    Probe(ProbeArguments),
    /// Print statistics: wins, losses, longest wins
    Stats(StatsArguments),
    /// Search for positions that meet a condition
    Query(QueryArguments),
    /// Write web pages about all tables of a directory
    Report(ReportArguments),
}

/// The name after `--variant`, if it is one of these games.
pub fn named(arguments: &[String]) -> Option<&'static str> {
    let mut rest = arguments.iter();
    let mut given = None;
    while let Some(argument) = rest.next() {
        match argument.strip_prefix("--variant=") {
            Some(name) => given = Some(name),
            None if argument == "--variant" => given = rest.next().map(String::as_str),
            None => {}
        }
    }
    given.and_then(GameName::named).map(GameName::name)
}

/// The command line of these games.
pub fn command_line() -> clap::Command {
    TiersCommandLine::command()
}

/// The command that the arguments are.
pub fn parsed() -> Result<TiersCommand, clap::Error> {
    TiersCommandLine::try_parse().map(|TiersCommandLine { command, .. }| command)
}

/// The error of a subcommand that does not know these games.
pub fn unknown_to(subcommand: &str, variant: &str) -> CommandError {
    CommandError::bad_input(format!("'{subcommand}' does not know {variant}: {SUBCOMMANDS} do"))
}

impl TiersCommand {
    /// The work that a signal leaves intact, as the end of a message.
    pub fn kept(&self) -> &'static str {
        match self {
            TiersCommand::Generate(_) => "; finished tables are kept, and the same command resumes",
            TiersCommand::Verify(_) => {
                "; recorded tables are not verified again by the same command"
            }
            _ => "",
        }
    }

    pub fn run(self) -> Result<(), CommandError> {
        let (name, threads) = match &self {
            TiersCommand::Generate(batch) | TiersCommand::Plan(PlanArguments { batch, .. }) => {
                (batch.tables.variant.clone(), Some(&batch.threads))
            }
            TiersCommand::Verify(verify) => (verify.tables.variant.clone(), Some(&verify.threads)),
            TiersCommand::Probe(probe) => (probe.variant.clone(), None),
            TiersCommand::Stats(stats) => (stats.tables.variant.clone(), Some(&stats.threads)),
            TiersCommand::Query(query) => (query.variant.clone(), Some(&query.threads)),
            TiersCommand::Report(report) => (report.variant.clone(), Some(&report.threads)),
        };
        threads.map_or(Ok(()), ThreadsArgument::apply)?;
        let unknown =
            || CommandError::bad_input(format!("{} is not a game of tiers", Excerpt::of(&name)));
        GameName::named(&name).map(|game| game.visit(self)).unwrap_or_else(|| Err(unknown()))
    }
}

impl Visitor for TiersCommand {
    type Output = Result<(), CommandError>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Result<(), CommandError> {
        match self {
            TiersCommand::Generate(arguments) => generate::run(game, &arguments),
            TiersCommand::Plan(arguments) => generate::plan(game, &arguments),
            TiersCommand::Verify(arguments) => verify::run(game, &arguments),
            TiersCommand::Probe(arguments) => probe::run(game, &arguments),
            TiersCommand::Stats(arguments) => stats::run(game, &arguments),
            TiersCommand::Query(arguments) => query::run(game, &arguments),
            TiersCommand::Report(arguments) => report::run(game, &arguments),
        }
    }
}
