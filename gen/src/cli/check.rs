//! `sakmak check`: compares the moves of games with the tables.

mod annotated;
mod game;
mod json;
mod ours;
mod output;
mod splice;
mod tables;
mod text;
mod words;

use crate::cli::arguments::{
    AccessArgument, CountingName, STANDARD_INPUT, TablesArgument, ThreadsArgument, counting_parser,
    counting_rule, variant_parser,
};
use crate::cli::memory::{MemoryArgument, within_machine};
use crate::cli::{CommandError, print, print_styled};
use annotated::AnnotatedGame;
use clap::Args;
use game::CheckedGame;
use json::{GameJson, GameList};
use output::AnnotatedFile;
use sakmak_games::pgn::{PgnPart, PgnReader, shown};
use sakmak_make::output::solved::WriteOptions;
use sakmak_make::store::{MAKEABLE, ON_THE_SPOT};
use sakmak_tables::variant::Variant;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tables::GameTables;
use text::Reports;

/// The help after the options.
const AFTER: &str = "\
Prints, for each game: the first position in the tables and its result, the \
counts and when a draw could be claimed, a result that the board contradicts, the mistakes, and the \
moves with a mark, compared with the best one (without a count and under the count). Moves are marked ?? if they change the result under the \
count, ? if only without a count, ?! if they lose moves, ! if they are the only move.

A game without a Variant tag is read if its site, start position, letters or moves show the \
variant; what is assumed is printed. In games of PlayOK a promoted pawn moves as P.

The counts are followed from the moves; a count starts as soon as it may. Missing tables of at \
most four men are solved on the spot; larger ones are made and kept only up to --make-men.

A game that cannot be read to its end is reported as far as it is read, and -o copies it unchanged.

  sakmak check GAME.pgn -o ANNOTATED.pgn";

/// The games to review.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct CheckArguments {
    /// PGN file, or - for standard input; moves in SAN with the letters K R N S M or
    /// K R N B Q, also as PlayOK writes them, or in UCI
    #[arg(value_name = "PGN")]
    games: PathBuf,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    access: AccessArgument,
    /// Variant, of games without a Variant tag [default: that of the game's letters or moves]
    #[arg(long, value_name = "NAME", value_parser = variant_parser())]
    variant: Option<&'static Variant>,
    /// Counting rule, of games of its variant; with --variant also none: nobody counts [default:
    /// the usual one]
    #[arg(long, value_name = "RULE", value_parser = counting_parser())]
    counting: Option<CountingName>,
    /// Output: PGN file for the annotated games, which may be the input; the text of the input
    /// stays as it is, comments of an earlier run are replaced, and games that cannot be read to
    /// their end are copied unchanged
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Make and keep missing tables of up to N men that the games need
    #[arg(long, value_name = "N", default_value_t = ON_THE_SPOT as u8,
        value_parser = clap::value_parser!(u8).range(0..=*MAKEABLE.end() as i64))]
    make_men: u8,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// List all moves that are in the tables, not only those with a mark
    #[arg(long, conflicts_with = "json")]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: CheckArguments) -> Result<(), CommandError> {
    let path = &*arguments.games;
    let unreadable = |error: &dyn Display| {
        CommandError::bad_input(format!("cannot read {}: {error}", path.display()))
    };
    let input = open(path).map_err(|error| unreadable(&error))?;
    let mut reader = PgnReader::new(input).map_err(|error| unreadable(&error))?;
    let counting_rule = counting_rule(arguments.variant, arguments.counting)?;
    arguments.threads.apply()?;
    let mut output = arguments.output.as_deref().map(AnnotatedFile::create).transpose()?;
    let settings = within_machine(arguments.memory.settings(WriteOptions::default()));
    let (directory, access) = (arguments.tables.directory()?, arguments.access.access()?);
    let mut tables = GameTables::new(directory, access, settings, arguments.make_men.into())?;
    let mut list = GameList::default();
    let mut reports = Reports::new(arguments.all);
    let (mut games, mut unread, mut first_error) = (0, 0, None);
    let (mut unchanged, mut oversized) = (0, 0);
    while let Some(part) = reader.next_part().map_err(|error| unreadable(&error))? {
        let (game, text) = match part {
            PgnPart::Game { game, text } => (game, text),
            PgnPart::Text(text) => {
                output.as_mut().map(|output| output.write(text)).transpose()?;
                continue;
            }
        };
        games += 1;
        let checked = CheckedGame::new(games, game, counting_rule, &mut tables);
        match arguments.json {
            true => print(&list.next(&GameJson::new(&checked))?)?,
            false => {
                if games > 1 {
                    print("\n")?;
                }
                print_styled(&reports.next(&checked).map(shown))?;
            }
        }
        if let Some(output) = &mut output {
            let annotated = AnnotatedGame::new(&checked, text);
            output.write(&annotated.text)?;
            unchanged += usize::from(annotated.is_unchanged);
            oversized += usize::from(annotated.is_unchanged && checked.error().is_none());
        }
        if let Some(error) = checked.error() {
            unread += 1;
            first_error.get_or_insert_with(|| shown(&error.to_string()));
        }
    }
    tables.warn_of_refused_files();
    if arguments.json {
        print(list.end())?;
    }
    if let Some(output) = output.filter(|_| games > 0) {
        output.commit()?;
    }
    let unchanged = match (&arguments.output, unchanged) {
        (None, _) | (_, 0) => String::new(),
        (Some(path), number) => format!("; {number} copied unchanged to {}", path.display()),
    };
    let message = match (first_error, tables.failure()) {
        _ if games == 0 => "the file has no games".to_string(),
        (None, None) if oversized > 0 => {
            format!("{oversized} of {games} games would be too large with comments{unchanged}")
        }
        (None, None) => return Ok(()),
        (None, Some(failure)) => return Err(CommandError::failure(failure)),
        (Some(error), _) if unread == 1 => format!("{error}{unchanged}"),
        (Some(error), _) => {
            format!("{unread} of {games} games could not be read; {error}{unchanged}")
        }
    };
    Err(CommandError::failure(format!("{}: {message}", path.display())))
}

/// Opens a file, or standard input.
fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    Ok(match path.as_os_str() == STANDARD_INPUT {
        true => Box::new(io::stdin().lock()),
        false => {
            #[expect(clippy::disallowed_methods, reason = "the user may name a pipe")]
            let file = File::open(path)?;
            Box::new(file)
        }
    })
}
