//! `sakmak generate` and `sakmak plan` for these games.

use crate::cli::arguments::ThreadsArgument;
use crate::cli::memory::MemoryLimitArgument;
use crate::cli::progress::Bars;
use crate::cli::tiers::selection::{SelectionArguments, load, tiers};
use crate::cli::{CommandError, check_outputs, print};
use clap::Args;
use sakmak_make::system::ByteSize;
use sakmak_make::system::atomic_file::write_atomically;
use sakmak_tiers::check::check;
use sakmak_tiers::file;
use sakmak_tiers::game::closure;
use sakmak_tiers::notation::Notation;
use sakmak_tiers::probe::Directory;
use sakmak_tiers::solve::{Method, Progress, SolveError, memory, method, solve};
use sakmak_tiers::table::{Codes, Tables};
use sakmak_tiers::value::winner_moves;
use std::sync::OnceLock;
use std::time::Instant;

/// Random slots of a tier on which a game is checked before it is solved.
const CHECKED: u64 = 2000;

/// Tables of one game.
#[derive(Args)]
pub struct BatchArguments {
    #[command(flatten)]
    pub tables: SelectionArguments,
    #[command(flatten)]
    memory: MemoryLimitArgument,
    #[command(flatten)]
    pub threads: ThreadsArgument,
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
    directory: &Directory<'_, G>,
    arguments: &BatchArguments,
) -> Result<Vec<Step<G::Tier>>, CommandError> {
    let game = directory.game();
    let allowed = arguments.memory.allowed().0;
    let slots_of = |tier| game.size(&game.layout(tier));
    let mut steps = Vec::new();
    for tier in closure(game, tiers(game, &arguments.tables.materials)?) {
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
            bar.set_message(&format!("wins in {}", winner_moves(plies)));
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

pub fn run<G: Notation>(game: &G, arguments: &BatchArguments) -> Result<(), CommandError> {
    let tables_directory = arguments.tables.directory.directory()?;
    let directory = Directory::new(game, &tables_directory);
    let steps = steps(&directory, arguments)?;
    if let Some(error) = steps.iter().find_map(|step| step.method.as_ref().err()) {
        return Err(refusal(error));
    }
    let names = steps.iter().map(|step| Directory::<G>::name(step.tier));
    check_outputs(&directory.path(), names)?;
    let allowed = arguments.memory.allowed().0;
    let bars = Bars::new();
    let mut tables = Tables::default();
    for Step { tier, .. } in steps {
        let started = Instant::now();
        check(game, tier, CHECKED)?;
        load(&directory, &mut tables, &game.smaller(tier))?;
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

pub fn plan<G: Notation>(game: &G, arguments: &BatchArguments) -> Result<(), CommandError> {
    let directory = Directory::new(game, &arguments.tables.directory.directory()?);
    let (mut all, mut refused) = (0, Ok(()));
    for Step { tier, slots, method } in steps(&directory, arguments)? {
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
