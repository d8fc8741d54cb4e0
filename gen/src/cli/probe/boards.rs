//! `sakmak probe` for board games.

use crate::cli::arguments::STANDARD_INPUT;
use crate::cli::paragraph::paragraph;
use crate::cli::probe::epd::Epd;
use crate::cli::probe::{ProbeArguments, batch};
use crate::cli::selection::boards::board_tablebase;
use crate::cli::{CommandError, capitalised, print, print_json};
use sakmak_boards::drawing::svg;
use sakmak_boards::game::legal_moves;
use sakmak_boards::list::Visitor;
use sakmak_boards::notation::{Notation, square_name};
use sakmak_boards::solvable::SolvableGame;
use sakmak_make::store::{ON_THE_SPOT, solve_on_the_spot};
use sakmak_probe::boards::answer::{Answer, AnswerError, RatedMove};
use sakmak_probe::boards::tables::BoardTables;
use sakmak_probe::json::board_game::BoardAnswerJson;
use sakmak_probe::json::json_line;
use sakmak_tables::distance::{Moves, Value};

impl Visitor for &ProbeArguments {
    type Output = Result<(), CommandError>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Result<(), CommandError> {
        run(game, self)
    }
}

fn run<G: Notation>(game: &G, arguments: &ProbeArguments) -> Result<(), CommandError> {
    let tablebase =
        solve_on_the_spot(board_tablebase(&arguments.tables, &arguments.access)?, ON_THE_SPOT);
    let board_tables = BoardTables::new(game, &tablebase);
    if arguments.fen == [STANDARD_INPUT] {
        if !arguments.json {
            return Err(batch::needs_json());
        }
        return batch::run(|epd| {
            let answer = answer(&board_tables, &epd.fen)?;
            Ok(json_line(&epd.answer(BoardAnswerJson::new(&answer)))?)
        });
    }
    let fen = arguments.fen.join(" ");
    let epd = Epd::read(&fen);
    let position = game.position(&epd.fen).map_err(CommandError::bad_input)?;
    if arguments.svg {
        return print(&svg(game, &position));
    }
    let answer = answer(&board_tables, &epd.fen)?;
    match arguments.json {
        true => print_json(&epd.answer(BoardAnswerJson::new(&answer))),
        false => print(&text(game, &position, &answer)),
    }
}

/// Returns the board, the result, the moves and the line.
fn text<G: Notation>(game: &G, position: &G::Position, answer: &Answer) -> String {
    let sides = game.board().sides.map(capitalised);
    let (mover, other) = match game.mover(position) {
        0 => (&sides[0], &sides[1]),
        _ => (&sides[1], &sides[0]),
    };
    let mut text = format!(
        "{}, {}, {mover} to move\n\n{}\nFEN:     {}\nResult:  {}\n",
        game.material(position),
        answer.variant,
        game.text_board(position),
        answer.fen,
        result(answer.value, mover, other)
    );
    let named = |rated: &RatedMove| move_words(game, position, &rated.text);
    let moves: Vec<String> = answer.moves.iter().map(named).collect();
    let width = moves.iter().map(|words| words.chars().count()).max().unwrap_or(0);
    if !moves.is_empty() {
        text += "\nMoves, best first:\n";
    }
    for (words, rated) in moves.iter().zip(&answer.moves) {
        text += &format!("  {words:<width$}  {}\n", result(rated.value, mover, other));
    }
    if let Some(line) = answer.line.as_ref().filter(|line| !line.is_empty()) {
        text += "\nLine to the end:\n";
        text += &paragraph("  ", 2, &line_words(game, position, line).join(", "));
    }
    text
}

/// Returns a result for one of two sides in words.
fn result(value: Value, side: &str, other: &str) -> String {
    match value {
        Value::Win(moves) => format!("{side} wins in {moves}"),
        Value::Loss(Moves(0)) => format!("{side} has lost"),
        Value::Loss(moves) => format!("{other} wins in {moves}"),
        Value::Draw => "Draw".to_string(),
    }
}

/// Returns a move with the name of its man, or `pass`.
fn move_words<G: Notation>(game: &G, position: &G::Position, text: &str) -> String {
    let men = game.letters(position).into_iter();
    let men = men.map(|(letter, file, rank)| (square_name(file as u8, rank as u8), letter));
    // The square `a10` begins as `a1` does.
    let moved = men.filter(|(square, _)| text.starts_with(square)).max_by_key(|(at, _)| at.len());
    match moved {
        Some((square, _)) if text == square.repeat(2) => "pass".to_string(),
        Some((_, letter)) => format!("{} {text}", man(game, letter)),
        None => text.to_string(),
    }
}

/// Returns the name of the man of a letter of a FEN.
fn man<G: Notation>(game: &G, letter: char) -> &'static str {
    let mut men = G::LETTERS.chars().zip(game.board().names);
    let man = men.find(|&(man, _)| game.letter_in_fen(man) == letter.to_ascii_uppercase());
    man.map_or("", |(_, name)| name)
}

/// Returns the moves of a line in words.
fn line_words<G: Notation>(game: &G, position: &G::Position, line: &[String]) -> Vec<String> {
    let mut at = Some(*position);
    let words = line.iter().map(|text| {
        let Some(position) = at.take() else { return text.clone() };
        legal_moves(game, &position, |played, after| {
            if game.text(&position, played) == *text {
                at = after.ok();
            }
        });
        move_words(game, &position, text)
    });
    words.collect()
}

/// The answer for the position of a FEN.
fn answer<G: Notation>(
    board_tables: &BoardTables<'_, G>,
    fen: &str,
) -> Result<Answer, CommandError> {
    Answer::new(board_tables, fen, true).map_err(|error| match error {
        AnswerError::Fen(_) | AnswerError::Illegal => CommandError::bad_input(error),
        AnswerError::Probe(error) => error.into(),
    })
}
