//! The subcommands for the games of `sakmak-tiers`: `generate`, `plan`, `verify`, `probe` and `stats` with
//! `--variant janggi` or the name of another of them.
//!
//! They are a command line of their own, because materials, files and answers differ. A game that is
//! added to the list of `sakmak-tiers` is known here.

use crate::cli::arguments::{STANDARD_INPUT, TablesArgument, ThreadsArgument};
use crate::cli::probe::batch;
use crate::cli::progress::Bars;
use crate::cli::records::Records;
use crate::cli::selection::{MemoryLimitArgument, parts};
use crate::cli::{CommandError, make_directory, print, print_json};
use clap::{Args, CommandFactory, Parser, Subcommand};
use sakmak_make::system::ByteSize;
use sakmak_make::system::atomic_file::write_atomically;
use sakmak_make::verify::ledger::Evidence;
use sakmak_probe::json::json_line;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tiers::answer::{Answer, AnswerError, RatedMove};
use sakmak_tiers::check::check;
use sakmak_tiers::drawing::svg;
use sakmak_tiers::file;
use sakmak_tiers::game::closure;
use sakmak_tiers::games::list::{Visitor, named as game, visit};
use sakmak_tiers::notation::Notation;
use sakmak_tiers::probe::Directory;
use sakmak_tiers::solve::{Method, Progress, SolveError, memory, method, solve};
use sakmak_tiers::stats::{Results, results};
use sakmak_tiers::table::{Codes, Tables};
use sakmak_tiers::verify::verify;
use serde_json::json;
use std::sync::OnceLock;
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
    /// Materials such as KRHvKAA or KMMvKM, or numbers of men, kings included; blanks or commas
    /// between them
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
    given.and_then(game)
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
        game(&name).and_then(|name| visit(name, self)).unwrap_or_else(|| Err(unknown()))
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
        self.tiers_with(game, |_| Ok(true))
    }

    /// The selected tiers. Of those that a number of men selects, only the ones with a file.
    fn tiers_with_files<G: Notation>(
        &self,
        game: &G,
        directory: &Directory<'_, G>,
    ) -> Result<Vec<G::Tier>, CommandError> {
        let tiers = self.tiers_with(game, |tier| Ok(directory.file(tier)?.is_some()))?;
        if tiers.is_empty() {
            let path = directory.path();
            let message = format!("no tables of that many men in {}", path.display());
            return Err(CommandError::failure(message));
        }
        Ok(tiers)
    }

    fn tiers_with<G: Notation>(
        &self,
        game: &G,
        is_there: impl Fn(G::Tier) -> Result<bool, CommandError>,
    ) -> Result<Vec<G::Tier>, CommandError> {
        let mut tiers = Vec::new();
        for text in parts(&self.materials) {
            match text.parse::<u8>() {
                Ok(men @ 2..=8) => {
                    for tier in (2..=men).flat_map(|men| game.tiers_of_men(men)) {
                        if is_there(tier)? {
                            tiers.push(tier);
                        }
                    }
                }
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

/// A tier to make.
struct Step<T> {
    tier: T,
    slots: u64,
    /// How it is solved, and the bytes that this takes with the tables of smaller tiers.
    method: Result<(Method, u64), SolveError>,
}

/// The tiers to make, each after those it depends on.
fn steps<G: Notation>(
    game: &G,
    directory: &Directory<'_, G>,
    arguments: &BatchArguments,
) -> Result<Vec<Step<G::Tier>>, CommandError> {
    let allowed = arguments.memory.allowed().0;
    let slots_of = |tier| game.size(&game.layout(tier));
    let mut steps = Vec::new();
    for tier in closure(game, arguments.tables.tiers(game)?) {
        if directory.file(tier)?.is_some() {
            continue;
        }
        let slots = slots_of(tier);
        // The smaller tables stay in memory; nearly all have codes of a byte.
        let smaller: u64 = game.smaller(tier).into_iter().map(slots_of).sum();
        let method = method(game, tier, allowed.saturating_sub(smaller))
            .map(|method| (method, smaller + memory(method, slots, 20)));
        steps.push(Step { tier, slots, method });
    }
    Ok(steps)
}

/// The error of a tier that is not solved.
fn refusal(error: &SolveError) -> CommandError {
    CommandError::failure(match error {
        &SolveError::Memory(ref tier, needed, left) => {
            let [needed, left] = [needed, left].map(ByteSize);
            format!(
                "{tier} needs {needed} of memory, and {left} are left beside the tables it depends on; \
                 --memory allows more"
            )
        }
        _ => error.to_string(),
    })
}

/// Solves a tier, with its progress.
fn solved<G: Notation>(
    game: &G,
    tier: G::Tier,
    tables: &Tables<G>,
    method: Method,
    bars: &Bars,
) -> Result<Codes, CommandError> {
    let name = tier.to_string();
    let first = bars.slots(&name, game.size(&game.layout(tier)));
    let plies_bar = OnceLock::new();
    let progress = |progress| match progress {
        Progress::Slots(slots) => first.advance(slots),
        Progress::Plies(plies) => {
            let bar = plies_bar.get_or_init(|| {
                first.finish();
                bars.table(&name)
            });
            bar.set_message(&format!("wins in {}", plies.div_ceil(2)));
            bars.lines().offer(|| bar.text());
        }
    };
    let codes = solve(game, tier, tables, method, &progress)?;
    first.finish();
    if let Some(bar) = plies_bar.get() {
        bar.clear();
    }
    Ok(codes)
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
    let steps = steps(game, &directory, arguments)?;
    if let Some(error) = steps.iter().find_map(|step| step.method.as_ref().err()) {
        return Err(refusal(error));
    }
    make_directory(&directory.path())?;
    let allowed = arguments.memory.allowed().0;
    let bars = Bars::new();
    let mut tables = Tables::default();
    for Step { tier, .. } in steps {
        let started = Instant::now();
        check(game, tier, CHECKED)?;
        load(game, &directory, &mut tables, &game.smaller(tier))?;
        // Tables with codes of two bytes may leave less than planned.
        let left = allowed.saturating_sub(tables.bytes());
        let method = method(game, tier, left).map_err(|error| refusal(&error))?;
        let codes = solved(game, tier, &tables, method, &bars)?;
        let seconds = started.elapsed().as_secs_f64();
        let name = Directory::<G>::name(tier);
        let fill = |out: &mut std::fs::File| {
            file::write(game, tier, &codes, &mut std::io::BufWriter::new(out))
        };
        write_atomically(&directory.path(), &name, fill).map_err(|error| {
            let path = directory.path().join(&name);
            CommandError::failure(format!("cannot write {}: {error}", path.display()))
        })?;
        let slots = codes.slots();
        let rate = slots as f64 / seconds.max(1e-9) / 1e6;
        bars.print(&format!(
            "{:<12} {slots:>13} slots {seconds:>9.2} s {rate:>7.1} M slots/s  {method}\n",
            tier.to_string()
        ))?;
        tables.insert(game, tier, codes);
    }
    Ok(())
}

fn plan<G: Notation>(game: &G, arguments: &BatchArguments) -> Result<(), CommandError> {
    let directory = Directory::new(game, &arguments.tables.directory.directory()?);
    let (mut all, mut refused) = (0, Ok(()));
    for Step { tier, slots, method } in steps(game, &directory, arguments)? {
        let (bytes, method) = match method {
            Ok((method, bytes)) => {
                (ByteSize(bytes).display().iec().to_string(), method.to_string())
            }
            Err(error) => {
                refused = refused.and(Err(refusal(&error)));
                ("-".to_string(), "does not fit".to_string())
            }
        };
        print(&format!("{:<12} {slots:>13} slots {bytes:>11}  {method}\n", tier.to_string()))?;
        all += slots;
    }
    print(&format!("{:<12} {all:>13} slots\n", "to make"))?;
    refused
}

fn verify_files<G: Notation>(game: &G, arguments: &VerifyArguments) -> Result<(), CommandError> {
    let directory = Directory::new(game, &arguments.tables.directory.readable()?);
    let bars = Bars::new();
    let mut records = Records::of_user(&bars);
    let mut tables = Tables::default();
    for tier in closure(game, arguments.tables.tiers_with_files(game, &directory)?) {
        let name = tier.to_string();
        let evidence = evidence(game, &directory, tier)?;
        let mut needed = game.smaller(tier);
        needed.push(tier);
        if !arguments.again && records.has(&evidence) {
            // Every checksum is tested.
            tables.retain(&needed);
            tables.insert(game, tier, directory.codes(tier)?);
            bars.print(&format!("{name:<12} every value verified before\n"))?;
            continue;
        }
        load(game, &directory, &mut tables, &needed)?;
        let meter = bars.slots(&name, game.size(&game.layout(tier)));
        verify(game, tier, &tables, &|slots| meter.advance(slots))?;
        meter.finish();
        bars.print(&format!("{name:<12} every value right\n"))?;
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
    let directory = Directory::new(game, &arguments.directory.readable()?);
    if arguments.fen == [STANDARD_INPUT] {
        if !arguments.json {
            return Err(batch::needs_json());
        }
        return batch::run(|fen| Ok(json_line(&answer(game, &directory, fen)?)?));
    }
    let fen = arguments.fen.join(" ");
    let position = game.position(&fen).map_err(CommandError::bad_input)?;
    if arguments.svg {
        return print(&svg(game, &position));
    }
    let answer = answer(game, &directory, &fen)?;
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
    directory: &Directory<'_, G>,
    fen: &str,
) -> Result<Answer, CommandError> {
    Answer::new(game, directory, fen).map_err(|error| match error {
        AnswerError::Fen(_) | AnswerError::Illegal => CommandError::bad_input(error),
        AnswerError::Probe(error) => error.into(),
    })
}

fn stats<G: Notation>(game: &G, arguments: &StatsArguments) -> Result<(), CommandError> {
    let directory = Directory::new(game, &arguments.tables.directory.readable()?);
    let bars = Bars::new();
    let is_one = parts(&arguments.tables.materials).count() == 1;
    for tier in arguments.tables.tiers_with_files(game, &directory)? {
        let codes = directory.codes(tier)?;
        let layout = game.layout(tier);
        let meter = bars.slots(&tier.to_string(), codes.slots());
        let mover = |position: &G::Position| game.mover(position);
        let counted = results(game, tier, &codes, mover, &|slots| meter.advance(slots));
        meter.finish();
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
                "{:<12} {side:<6} to move: {:>7.3} % won{moves}, {:.3} % drawn, {:.3} % lost of {}\n",
                tier.to_string(),
                share(won),
                share(drawn),
                share(lost),
                results.positions(),
            ))?;
            if let (Some(fen), true) = (fen(results.longest_win), is_one) {
                print(&format!("  {fen}\n"))?;
            }
        }
    }
    Ok(())
}
