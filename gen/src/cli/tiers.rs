//! The subcommands for the games of `sakmak-tiers`: `generate`, `plan`, `verify`, `probe` and `stats` with
//! `--variant janggi` or the name of another of them.
//!
//! They are a command line of their own, because materials, files and answers differ. A game that is
//! added to the list of `sakmak-tiers` is known here.

use crate::cli::arguments::{STANDARD_INPUT, TablesArgument, ThreadsArgument};
use crate::cli::progress::Bars;
use crate::cli::records::Records;
use crate::cli::selection::MemoryLimitArgument;
use crate::cli::{CommandError, make_directory, print, print_json};
use clap::{Args, CommandFactory, Parser, Subcommand};
use sakmak_make::system::ByteSize;
use sakmak_make::system::atomic_file::write_atomically;
use sakmak_make::verify::ledger::Evidence;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tiers::answer::{Answer, AnswerError, RatedMove};
use sakmak_tiers::check::check;
use sakmak_tiers::drawing::svg;
use sakmak_tiers::file;
use sakmak_tiers::game::closure;
use sakmak_tiers::games::list::{NAMES, Visitor, visit};
use sakmak_tiers::notation::Notation;
use sakmak_tiers::probe::Directory;
use sakmak_tiers::solve::{Method, memory, method, solve};
use sakmak_tiers::stats::{Results, results};
use sakmak_tiers::table::Tables;
use sakmak_tiers::verify::verify;
use serde_json::json;
use std::time::Instant;

/// The subcommands that know these games.
const SUBCOMMANDS: &str = "generate, plan, verify, probe and stats";

/// Random slots of a tier on which a game is checked before it is solved.
const CHECKED: u64 = 2000;

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
    Plan(BatchArguments),
    /// Verify tables: checksums and every value
    Verify(VerifyArguments),
    /// Look up a position: result, moves and best line
    Probe(ProbeArguments),
    /// Print statistics: wins, losses, longest wins
    Stats(StatsArguments),
}

/// Tables of one game.
#[derive(Args)]
pub struct BatchArguments {
    #[command(flatten)]
    tables: SelectionArguments,
    #[command(flatten)]
    memory: MemoryLimitArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
}

/// The tables to verify.
#[derive(Args)]
pub struct VerifyArguments {
    #[command(flatten)]
    tables: SelectionArguments,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Verify tables that you have verified before too
    #[arg(long)]
    again: bool,
}

/// Which tables of which game.
#[derive(Args)]
struct SelectionArguments {
    /// Materials such as KRHvKAA or KMMvKM, or numbers of men, kings included
    #[arg(required = true, value_name = "MATERIAL|MEN")]
    materials: Vec<String>,
    #[command(flatten)]
    directory: TablesArgument,
    /// Variant
    #[arg(long, value_name = "NAME")]
    variant: String,
}

/// The position to look up.
#[derive(Args)]
pub struct ProbeArguments {
    /// Position as FEN; - reads one FEN per line from standard input and needs --json
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    #[command(flatten)]
    directory: TablesArgument,
    /// Variant
    #[arg(long, value_name = "NAME")]
    variant: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the board as SVG, which needs no table
    #[arg(long, conflicts_with = "json")]
    svg: bool,
}

/// The tables to count.
#[derive(Args)]
pub struct StatsArguments {
    #[command(flatten)]
    tables: SelectionArguments,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: ThreadsArgument,
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
    NAMES.into_iter().find(|&name| Some(name) == given)
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
            _ => "",
        }
    }

    pub fn run(self) -> Result<(), CommandError> {
        let (name, threads) = match &self {
            TiersCommand::Generate(batch) | TiersCommand::Plan(batch) => {
                (batch.tables.variant.clone(), Some(&batch.threads))
            }
            TiersCommand::Verify(verify) => (verify.tables.variant.clone(), Some(&verify.threads)),
            TiersCommand::Probe(probe) => (probe.variant.clone(), None),
            TiersCommand::Stats(stats) => (stats.tables.variant.clone(), Some(&stats.threads)),
        };
        threads.map_or(Ok(()), ThreadsArgument::apply)?;
        let unknown =
            || CommandError::bad_input(format!("{} is not a game of tiers", Excerpt::of(&name)));
        visit(&name, self).unwrap_or_else(|| Err(unknown()))
    }
}

impl Visitor for TiersCommand {
    type Output = Result<(), CommandError>;

    fn visit<G: Notation>(self, game: &G) -> Result<(), CommandError> {
        match self {
            TiersCommand::Generate(arguments) => generate(game, &arguments),
            TiersCommand::Plan(arguments) => plan(game, &arguments),
            TiersCommand::Verify(arguments) => verify_files(game, &arguments),
            TiersCommand::Probe(arguments) => probe(game, &arguments),
            TiersCommand::Stats(arguments) => stats(game, &arguments),
        }
    }
}

impl SelectionArguments {
    /// The selected tiers, in the order of the arguments.
    fn tiers<G: Notation>(&self, game: &G) -> Result<Vec<G::Tier>, CommandError> {
        let mut tiers = Vec::new();
        for text in &self.materials {
            match text.parse::<u8>() {
                Ok(men @ 2..=8) => tiers.extend((2..=men).flat_map(|men| game.tiers_of_men(men))),
                Ok(men) => {
                    let message = format!("no tables of {men} men: 2 to 8 can be made");
                    return Err(CommandError::bad_input(message));
                }
                Err(_) => tiers.push(game.tier_of_name(text).map_err(CommandError::bad_input)?),
            }
        }
        Ok(tiers)
    }
}

/// How a tier is solved within the memory that is left beside these tables.
fn fitting<G: Notation>(game: &G, tier: G::Tier, left: u64) -> Result<Method, CommandError> {
    method(game, tier, left)
        .map_err(|error| CommandError::failure(format!("{error}; --memory allows more")))
}

/// Keeps these tables in memory and no others; those that are not there are read.
fn load<G: Notation>(
    game: &G,
    directory: &Directory<'_, G>,
    tables: &mut Tables<G>,
    needed: &[G::Tier],
) -> Result<(), CommandError> {
    tables.retain(needed);
    for &tier in needed {
        if tables.get(tier).is_none() {
            tables.insert(game, tier, directory.codes(tier)?);
        }
    }
    Ok(())
}

fn generate<G: Notation>(game: &G, arguments: &BatchArguments) -> Result<(), CommandError> {
    let tables_directory = arguments.tables.directory.directory()?;
    let directory = Directory::new(game, &tables_directory);
    let tiers = closure(game, arguments.tables.tiers(game)?);
    make_directory(directory.path())?;
    let allowed = arguments.memory.allowed().0;
    let mut tables = Tables::default();
    for tier in tiers {
        if directory.file(tier)?.is_some() {
            continue;
        }
        let started = Instant::now();
        check(game, tier, CHECKED)?;
        load(game, &directory, &mut tables, &game.smaller(tier))?;
        let method = fitting(game, tier, allowed.saturating_sub(tables.bytes()))?;
        let codes = solve(game, tier, &tables, method)?;
        let seconds = started.elapsed().as_secs_f64();
        let name = Directory::<G>::name(tier);
        let fill = |out: &mut std::fs::File| {
            file::write(game, tier, &codes, &mut std::io::BufWriter::new(out))
        };
        write_atomically(directory.path(), &name, fill).map_err(|error| {
            let path = directory.path().join(&name);
            CommandError::failure(format!("cannot write {}: {error}", path.display()))
        })?;
        let slots = codes.slots();
        let rate = slots as f64 / seconds.max(1e-9) / 1e6;
        print(&format!(
            "{tier:<12} {slots:>12} slots {seconds:>9.2} s {rate:>7.1} M slots/s  {method:?}\n"
        ))?;
        tables.insert(game, tier, codes);
    }
    Ok(())
}

fn plan<G: Notation>(game: &G, arguments: &BatchArguments) -> Result<(), CommandError> {
    let allowed = arguments.memory.allowed().0;
    let mut all = 0;
    for tier in closure(game, arguments.tables.tiers(game)?) {
        let slots = game.size(&game.layout(tier));
        let method = fitting(game, tier, allowed)?;
        let bytes = ByteSize(memory(method, slots, 20)).display().iec();
        print(&format!("{tier:<12} {slots:>12} slots {bytes:>10}  {method:?}\n"))?;
        all += slots;
    }
    print(&format!("{:<12} {all:>12} slots\n", "all"))
}

fn verify_files<G: Notation>(game: &G, arguments: &VerifyArguments) -> Result<(), CommandError> {
    let directory = Directory::new(game, &arguments.tables.directory.readable()?);
    let bars = Bars::new();
    let mut records = Records::of_user(&bars);
    let mut tables = Tables::default();
    for tier in closure(game, arguments.tables.tiers(game)?) {
        let evidence = evidence(game, &directory, tier)?;
        let mut needed = game.smaller(tier);
        needed.push(tier);
        if !arguments.again && records.has(&evidence) {
            // Every checksum is tested.
            tables.retain(&needed);
            tables.insert(game, tier, directory.codes(tier)?);
            print(&format!("{tier:<12} every value verified before\n"))?;
            continue;
        }
        load(game, &directory, &mut tables, &needed)?;
        verify(game, tier, &tables)?;
        print(&format!("{tier:<12} every value right\n"))?;
        records.add(evidence);
    }
    Ok(())
}

/// The files that a tier is verified with.
fn evidence<G: Notation>(
    game: &G,
    directory: &Directory<'_, G>,
    tier: G::Tier,
) -> Result<Evidence, CommandError> {
    let files = [tier].into_iter().chain(game.smaller(tier)).map(|tier| {
        let file = directory.file(tier)?;
        let name = format!("{}/{}", game.name(), Directory::<G>::name(tier));
        Ok((name, file.map(|file| file.checksum())))
    });
    Ok(Evidence::of(files.collect::<Result<Vec<_>, CommandError>>()?))
}

fn probe<G: Notation>(game: &G, arguments: &ProbeArguments) -> Result<(), CommandError> {
    let mut directory = Directory::new(game, &arguments.directory.readable()?);
    if arguments.fen == [STANDARD_INPUT] {
        if !arguments.json {
            let message = "positions from standard input are answered in JSON: add --json";
            return Err(CommandError::bad_input(message));
        }
        for line in std::io::stdin().lines() {
            let line = line?;
            if !line.trim().is_empty() {
                let answer = answer(game, &mut directory, &line)?;
                print(&(serde_json::to_string(&answer)? + "\n"))?;
            }
        }
        return Ok(());
    }
    let fen = arguments.fen.join(" ");
    let position = game.position(&fen).map_err(CommandError::bad_input)?;
    if arguments.svg {
        return print(&svg(game, &position));
    }
    let answer = answer(game, &mut directory, &fen)?;
    if arguments.json {
        return print_json(&answer);
    }
    let mut shown = format!("{}\n{}\n{}\n", game.text_board(&position), answer.fen, answer.result);
    for RatedMove { text, result, .. } in &answer.moves {
        shown += &format!("  {text:<8} {result}\n");
    }
    if !answer.line.is_empty() {
        shown += &format!("line: {}\n", answer.line.join(" "));
    }
    print(&shown)
}

/// The answer for the position of a FEN.
fn answer<G: Notation>(
    game: &G,
    directory: &mut Directory<'_, G>,
    fen: &str,
) -> Result<Answer, CommandError> {
    Answer::new(game, directory, fen).map_err(|error| match error {
        AnswerError::Fen(_) | AnswerError::Illegal => CommandError::bad_input(error),
        AnswerError::Probe(error) => error.into(),
    })
}

fn stats<G: Notation>(game: &G, arguments: &StatsArguments) -> Result<(), CommandError> {
    let directory = Directory::new(game, &arguments.tables.directory.readable()?);
    for tier in arguments.tables.tiers(game)? {
        let codes = directory.codes(tier)?;
        let layout = game.layout(tier);
        let counted = results(game, tier, &codes, |position| game.mover(position));
        for (side, results) in ["first", "second"].iter().zip(counted) {
            let Results { won, drawn, lost, .. } = results;
            if results.positions() == 0 {
                continue;
            }
            let fen = |longest: Option<(u16, u64)>| {
                longest
                    .and_then(|(_, slot)| game.unrank(&layout, slot))
                    .map(|position| game.fen(&position))
            };
            let longest = |longest: Option<(u16, u64)>| longest.map(|(plies, _)| plies);
            if arguments.json {
                let line = json!({
                    "variant": game.name(), "material": tier.to_string(), "to_move": side,
                    "won": won, "drawn": drawn, "lost": lost,
                    "longest_win_plies": longest(results.longest_win), "longest_win": fen(results.longest_win),
                    "longest_loss_plies": longest(results.longest_loss), "longest_loss": fen(results.longest_loss),
                });
                print(&(line.to_string() + "\n"))?;
                continue;
            }
            let share = |part: u64| 100.0 * part as f64 / results.positions() as f64;
            let moves = longest(results.longest_win)
                .map_or(String::new(), |plies| format!(" in at most {}", plies.div_ceil(2)));
            print(&format!(
                "{tier:<12} {side:<6} to move: {:>7.3} % won{moves}, {:.3} % drawn, {:.3} % lost of {}\n",
                share(won),
                share(drawn),
                share(lost),
                results.positions(),
            ))?;
            if let (Some(fen), true) =
                (fen(results.longest_win), arguments.tables.materials.len() == 1)
            {
                print(&format!("  {fen}\n"))?;
            }
        }
    }
    Ok(())
}
