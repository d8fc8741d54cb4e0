//! `sakmak probe` for these games.

use crate::cli::arguments::{STANDARD_INPUT, TablesArgument};
use crate::cli::probe::batch;
use crate::cli::probe::epd::Epd;
use crate::cli::{CommandError, print, print_json};
use clap::Args;
use sakmak_boards::drawing::svg;
use sakmak_boards::notation::Notation;
use sakmak_probe::Tablebase;
use sakmak_probe::boards::answer::{Answer, AnswerError, RatedMove};
use sakmak_probe::boards::directory::Directory;
use sakmak_probe::json::board_game::BoardAnswerJson;
use sakmak_probe::json::json_line;

/// The position to look up.
#[derive(Args)]
pub struct ProbeArguments {
    /// Position as FEN or EPD; - reads one per line from standard input and needs --json
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    #[command(flatten)]
    directory: TablesArgument,
    /// Variant
    #[arg(long, value_name = "NAME")]
    pub variant: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the board as SVG, which needs no table
    #[arg(long, conflicts_with = "json")]
    svg: bool,
}

pub fn run<G: Notation>(game: &G, arguments: &ProbeArguments) -> Result<(), CommandError> {
    let tablebase = Tablebase::of_directory(&arguments.directory.readable()?);
    let directory = Directory::new(game, &tablebase);
    if arguments.fen == [STANDARD_INPUT] {
        if !arguments.json {
            return Err(batch::needs_json());
        }
        return batch::run(|epd| {
            Ok(json_line(&epd.answer(BoardAnswerJson::new(&answer(&directory, &epd.fen)?)))?)
        });
    }
    let text = arguments.fen.join(" ");
    let epd = Epd::read(&text);
    let position = game.position(&epd.fen).map_err(CommandError::bad_input)?;
    if arguments.svg {
        return print(&svg(game, &position));
    }
    let answer = answer(&directory, &epd.fen)?;
    if arguments.json {
        return print_json(&epd.answer(BoardAnswerJson::new(&answer)));
    }
    let mut shown = format!("{}\n{}\n{}\n", game.text_board(&position), answer.fen, answer.value);
    for RatedMove { text, value, .. } in &answer.moves {
        shown += &format!("  {text:<8} {value}\n");
    }
    if let Some(line) = answer.line.filter(|line| !line.is_empty()) {
        shown += &format!("line: {}\n", line.join(" "));
    }
    print(&shown)
}

/// The answer for the position of a FEN.
fn answer<G: Notation>(directory: &Directory<'_, G>, fen: &str) -> Result<Answer, CommandError> {
    Answer::new(directory, fen, true).map_err(|error| match error {
        AnswerError::Fen(_) | AnswerError::Illegal => CommandError::bad_input(error),
        AnswerError::Probe(error) => error.into(),
    })
}
