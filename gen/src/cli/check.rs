//! `sakmak check`: holds the moves of games against the tables.

mod annotated;
mod checked;
mod json;
mod ours;
mod tables;
mod text;
mod words;

use crate::cli::counting::asked;
use crate::cli::selection::MemoryArgument;
use crate::cli::{CommandError, TablesArgument, ThreadsArgument, print, print_json};
use game::CheckedGame;
use clap::Args;
use json::{GameJson, GamesJson};
use sakmak_gen::games::pgn::{PgnGame, Games, decoded};
use sakmak_gen::games::replay::{GameError, Replay};
use sakmak_gen::games::review::Review;
use sakmak_gen::output::solved::WriteOptions;
use sakmak_gen::store::table_store::MAKEABLE;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::variant::Variant;
use std::io::Read;
use std::path::{Path, PathBuf};
use tables::GameTables;

/// What stands for standard input.
const STANDARD_INPUT: &str = "-";

/// Which games, and how.
#[derive(Args)]
pub struct CheckArguments {
    /// The games, PGN; - for standard input. Moves are read with the letters K R N S M or
    /// K R N B Q, and as UCI
    #[arg(value_name = "GAME.pgn")]
    games: PathBuf,
    #[command(flatten)]
    tables: TablesArgument,
    /// The game, makruk or ouk, where the file names none
    #[arg(long, value_parser = crate::cli::variant_named)]
    variant: Option<&'static Variant>,
    /// The way of counting of games of its variant: makruk, makruk-khon-first, ouk or
    /// ouk-traditional
    #[arg(long, value_name = "COUNTING", value_parser = crate::cli::counting_named)]
    counting: Option<&'static CountingRule>,
    /// Write the games with what was found, as PGN; comments of an earlier run are replaced,
    /// and games that cannot be read stay as they are
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Make tables that games need and that are not there, those of up to so many men
    /// (those of up to four are solved as they are needed)
    #[arg(long, value_name = "MEN", default_value_t = *MAKEABLE.end() as u8,
        value_parser = clap::value_parser!(u8).range(0..=*MAKEABLE.end() as i64))]
    make_men: u8,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: CheckArguments) -> Result<(), CommandError> {
    let text = decoded(read(&arguments.games)?);
    let asked = asked(arguments.variant, arguments.counting).map_err(CommandError::bad_input)?;
    arguments.threads.apply()?;
    let demands = arguments.memory.demands(WriteOptions::default());
    let mut tables = GameTables::new(arguments.tables.directory(), demands, arguments.make_men.into())?;
    let (mut found, mut annotated) = (Vec::new(), String::new());
    let (mut games, mut unchanged, mut errors) = (0, 0, Vec::new());
    for game in Games::of(&text) {
        games += 1;
        let checked = check(games, game, asked, &mut tables);
        match arguments.json {
            true => found.push(GameJson::new(&checked)),
            false => {
                let gap = if games > 1 { "\n" } else { "" };
                print(&format!("{gap}{}", text::text(&checked)))?;
            }
        }
        if arguments.output.is_some() {
            annotated += &annotated::annotated(&checked, &text);
            unchanged += usize::from(checked.review.is_err());
        }
        errors.extend(checked.error().map(GameError::to_string));
    }
    if arguments.json {
        print_json(&GamesJson { games: found })?;
    }
    if let Some(path) = &arguments.output {
        std::fs::write(path, annotated).map_err(|error| {
            let message = format!("cannot write {}: {error}", path.display());
            CommandError { message, code: 1 }
        })?;
    }
    let kept = match (&arguments.output, unchanged) {
        (None, _) | (_, 0) => String::new(),
        (Some(path), number) => format!("; {number} as before in {}", path.display()),
    };
    let message = match (&errors[..], tables.failure()) {
        _ if games == 0 => "no game is in it".to_string(),
        ([], None) => return Ok(()),
        ([], Some(failure)) => return Err(CommandError { message: failure, code: 1 }),
        ([error], _) => format!("{error}{kept}"),
        ([error, ..], _) => {
            format!("{} of {games} games could not be read; {error}{kept}", errors.len())
        }
    };
    Err(CommandError { message: format!("{}: {message}", arguments.games.display()), code: 1 })
}

/// Plays one game through and judges it.
fn check(
    number: usize,
    game: PgnGame,
    asked: Option<&'static CountingRule>,
    tables: &mut GameTables,
) -> CheckedGame {
    let replay = match Replay::of(&game, asked) {
        Ok(replay) => replay,
        Err(error) => return CheckedGame { number, game, review: Err(error), notes: Vec::new() },
    };
    let mut notes = tables.bring(&replay);
    let review = Review::of(replay, |position| match tables.answer(position) {
        Ok(answer) => answer,
        Err(error) => {
            let note = error.to_string();
            if !notes.contains(&note) {
                notes.push(note);
            }
            None
        }
    });
    CheckedGame { number, game, review: Ok(review), notes }
}

/// The bytes of a file or of standard input.
fn read(path: &Path) -> Result<Vec<u8>, CommandError> {
    let bytes = match path.as_os_str() == STANDARD_INPUT {
        true => {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        }
        false => std::fs::read(path),
    };
    bytes.map_err(|error| {
        let message = format!("cannot read {}: {error}", path.display());
        CommandError { message, code: 2 }
    })
}
