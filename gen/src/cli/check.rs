//! `sakmak check`: compares the moves of games with the tables.

mod annotated;
mod game;
mod json;
mod ours;
mod output;
pub mod splice;
mod tables;
mod text;
mod words;

use crate::cli::arguments::{
    AccessArgument, CountingName, STANDARD_INPUT, TablesArgument, ThreadsArgument,
    chess_variant_parser, counting_parser, counting_rule,
};
use crate::cli::memory::{MemoryArgument, within_machine};
use crate::cli::{CommandError, escaped, print, print_styled};
use annotated::AnnotatedGame;
use clap::Args;
use game::CheckedGame;
use json::{GameJson, GameList};
use output::AnnotatedFile;
use sakmak_make::batch::settings::BatchSettings;
use sakmak_make::output::solved::WriteOptions;
use sakmak_make::store::{MAKEABLE, ON_THE_SPOT};
use sakmak_pgn::pgn::{PgnPart, PgnReader, shown};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::variant::Variant;
use std::fmt::Display;
use std::fs::{File, Metadata};
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
    /// PGN files, or - for standard input; moves in SAN with the letters K R N S M or
    /// K R N B Q, also as PlayOK writes them, or in UCI
    #[arg(value_name = "PGN", required = true)]
    games: Vec<PathBuf>,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    access: AccessArgument,
    /// Variant, of games without a Variant tag [default: the variant of the game's letters or
    /// moves]
    #[arg(long, value_name = "NAME", value_parser = chess_variant_parser())]
    variant: Option<&'static Variant>,
    /// Counting rule, of games of its variant; with --variant also none: nobody counts [default:
    /// the usual rule]
    #[arg(long, value_name = "RULE", value_parser = counting_parser())]
    counting: Option<CountingName>,
    /// Output: PGN file for the annotated games of one file, which may be the input; the text of
    /// the input stays as it is, comments of an earlier run are replaced, and games that cannot be
    /// read to their end are copied unchanged
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
    let paths = &arguments.games[..];
    if let (Some(_), [_, _, ..]) = (&arguments.output, paths) {
        return Err(CommandError::bad_input(format!(
            "-o takes the games of one file, and {} files are named: check them one by one",
            paths.len()
        )));
    }
    // Before any work. A pipe can be opened once.
    let is_stream = |path: &&PathBuf| {
        let is_pipe = |kind: Metadata| !kind.is_file() && !kind.is_dir();
        path.as_os_str() == STANDARD_INPUT || path.metadata().is_ok_and(is_pipe)
    };
    let others = paths.iter().skip(1).filter(|path| !is_stream(path));
    others.map(|path| &**path).try_for_each(|path| open(path).map(drop))?;
    let first = open(&paths[0])?;
    let counting_rule = counting_rule(arguments.variant, arguments.counting)?;
    arguments.threads.apply()?;
    let output = arguments.output.as_deref().map(AnnotatedFile::create).transpose()?;
    let settings = arguments.memory.settings(WriteOptions::default());
    let settings = BatchSettings { memory: within_machine(settings.memory), ..settings };
    let (directory, access) = (arguments.tables.directory()?, arguments.access.access()?);
    let tables = GameTables::new(directory, access, settings, arguments.make_men.into())?;
    let reports = Reports::new(arguments.all);
    let list = arguments.json.then(GameList::default);
    let mut run = CheckRun { counting_rule, tables, list, reports, output };
    let mut problems = Vec::new();
    let mut reader = Some(first);
    for (place, path) in paths.iter().enumerate() {
        if paths.len() > 1 && !arguments.json {
            let gap = if place > 0 { "\n" } else { "" };
            print(&format!("{gap}File {}\n\n", shown_path(path)))?;
        }
        let reader = reader.take().map_or_else(|| open(path), Ok)?;
        problems.extend(run.file(path, reader)?.map(|problem| (path, problem)));
    }
    run.tables.warn_of_refused_files();
    if let Some(list) = &run.list {
        print(list.end())?;
    }
    // A broken table is reported before a game that is too large with comments.
    let is_grave = |(_, problem): &&(&PathBuf, FileProblem)| problem.is_grave;
    if let (None, Some(failure)) = (problems.iter().find(is_grave), run.tables.failure()) {
        return Err(CommandError::failure(failure));
    }
    let Some((path, FileProblem { message, .. })) = problems.first() else { return Ok(()) };
    let others = match problems.len() - 1 {
        0 => String::new(),
        1 => "; 1 other file has errors too".to_string(),
        others => format!("; {others} other files have errors too"),
    };
    Err(CommandError::failure(format!("{}: {message}{others}", path.display())))
}

/// Returns the path of a file for people and in JSON.
fn shown_path(path: &Path) -> String {
    escaped(&path.display().to_string())
}

/// A check of files, one after the other.
struct CheckRun {
    counting_rule: Option<&'static CountingRule>,
    tables: GameTables,
    /// The games as JSON; `None` for reports.
    list: Option<GameList>,
    reports: Reports,
    output: Option<AnnotatedFile>,
}

/// The fault of a file.
struct FileProblem {
    message: String,
    /// Some games could not be read.
    is_grave: bool,
}

impl CheckRun {
    /// Prints the reviews of the games of a file, and writes the annotated games.
    fn file(
        &mut self,
        path: &Path,
        mut reader: PgnReader<Box<dyn Read>>,
    ) -> Result<Option<FileProblem>, CommandError> {
        let (mut games, mut unread, mut first_error) = (0, 0, None);
        let (mut unchanged, mut oversized) = (0, 0);
        while let Some(part) = reader.next_part().map_err(|error| unreadable(path, &error))? {
            let (game, text) = match part {
                PgnPart::Game { game, text } => (game, text),
                PgnPart::Text(text) => {
                    self.output.as_mut().map(|output| output.write(text)).transpose()?;
                    continue;
                }
            };
            games += 1;
            let checked = CheckedGame::new(games, game, self.counting_rule, &mut self.tables);
            match &mut self.list {
                Some(list) => print(&list.next(&GameJson::new(shown_path(path), &checked))?)?,
                None => {
                    if games > 1 {
                        print("\n")?;
                    }
                    print_styled(&self.reports.next(&checked).map(shown))?;
                }
            }
            if let Some(output) = &mut self.output {
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
        let mut copied = String::new();
        if let Some(output) = self.output.take().filter(|_| games > 0) {
            if unchanged > 0 {
                copied = format!("; {unchanged} copied unchanged to {}", output.path().display());
            }
            output.commit()?;
        }
        let message = match first_error {
            _ if games == 0 => "the file has no games".to_string(),
            None if oversized > 0 => {
                format!("{oversized} of {games} games would be too large with comments{copied}")
            }
            None => return Ok(None),
            Some(error) if unread == 1 => format!("{error}{copied}"),
            Some(error) => format!("{unread} of {games} games could not be read; {error}{copied}"),
        };
        Ok(Some(FileProblem { message, is_grave: oversized == 0 || unread > 0 }))
    }
}

/// Opens a file of games, or standard input.
fn open(path: &Path) -> Result<PgnReader<Box<dyn Read>>, CommandError> {
    let input: Box<dyn Read> = match path.as_os_str() == STANDARD_INPUT {
        true => Box::new(io::stdin().lock()),
        false => {
            #[expect(clippy::disallowed_methods, reason = "the user may name a pipe")]
            let file = File::open(path).map_err(|error| unreadable(path, &error))?;
            Box::new(file)
        }
    };
    PgnReader::new(input).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &dyn Display) -> CommandError {
    CommandError::bad_input(format!("cannot read {}: {error}", path.display()))
}
