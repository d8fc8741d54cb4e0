//! The report on a game, at most 80 columns wide.

use crate::cli::check::game::CheckedGame;
use crate::cli::check::words::{self, Sign};
use crate::cli::paragraph::{self, COLUMNS};
use crate::cli::{StyledText, Tone, capitalised, escaped, named};
use sakmak_pgn::review::{Mark, Review};
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;

/// The reports on the games of a file, one after the other.
#[derive(Default)]
pub struct Reports {
    /// All moves in the tables are listed, not only marked moves.
    all: bool,
    /// The columns and marks of the tables of moves were explained already.
    explained: bool,
}

impl Reports {
    /// Reports without moves that have no mark, or with all.
    pub fn new(all: bool) -> Reports {
        Reports { all, explained: false }
    }

    /// Returns the report on the next game: the result, the counts and the mistakes, then the
    /// moves.
    pub fn next(&mut self, checked: &CheckedGame) -> StyledText {
        let mut text = verdict(checked);
        if let Ok(review) = &checked.review {
            self.append_moves(&mut text, review);
        }
        text
    }
}

/// Returns the report on a game without the moves.
fn verdict(checked: &CheckedGame) -> StyledText {
    let mut text = StyledText::from(&*title(checked));
    let review = match &checked.review {
        Ok(review) => review,
        Err(error) => {
            text.push(Tone::Bad, &paragraph("Not read: ", &error.to_string()));
            return text;
        }
    };
    let replay = &review.replay;
    let (variant, counting_rule) = (replay.start.variant().name, replay.start.counting_rule().name);
    let counted = match variant == counting_rule {
        true => String::new(),
        false => format!(", counted by {counting_rule}"),
    };
    let moves = Moves(replay.moves.len().div_ceil(2) as u32);
    text += &paragraph(
        "",
        &format!("{}{counted}, {moves}: {}.", capitalised(variant), words::ending(review)),
    );
    if let Some(assumption) = checked.assumption() {
        text += &paragraph("Assumed: ", &format!("{assumption}."));
    }
    for note in checked.replay_notes().chain(checked.notes.iter().cloned()) {
        text.push(Tone::Doubtful, &paragraph("Note: ", &note));
    }
    if let Some(error) = &replay.broken {
        text.push(Tone::Bad, &paragraph("Not read to its end: ", &error.to_string()));
    }
    text += &result(review);
    text += &counts(review);
    if let Some(repetition) = words::repetition(review) {
        text += &paragraph("\nRepetition: ", &format!("{repetition}."));
    }
    text += &mistakes(checked, review);
    text
}

/// Returns the players, place and date as far as they fit, the result, and the line in the file.
fn title(checked: &CheckedGame) -> String {
    let game = &checked.game;
    let known = |name: &str| game.known(name);
    let players = match (known("White"), known("Black")) {
        (None, None) => None,
        (white, black) => Some(format!("{} v {}", white.unwrap_or("?"), black.unwrap_or("?"))),
    };
    let others = ["Event", "Site", "Date", "Round"].into_iter().filter_map(known);
    let end = format!("{}, line {}", game.result(), game.line);
    let mut title = format!("Game {}: ", checked.number);
    for word in players.into_iter().chain(others.map(str::to_string)) {
        let word = escaped(&word);
        let length = |text: &str| text.chars().count();
        if length(&title) + length(&word) + ", ".len() + length(&end) <= COLUMNS {
            title += &(word + ", ");
        }
    }
    title + &end + "\n"
}

/// Returns the first position in the tables, and its result.
fn result(review: &Review) -> String {
    let Some(place) = review.first_known() else {
        return "\nThe tables have no position of the game.\n".to_string();
    };
    let position = review.replay.position(place);
    let Some(answer) = &review.answers[place] else { return String::new() };
    let from = match review.replay.moves.get(place) {
        Some(played) => format!("from {} on", played.numbered()),
        None => "at its end".to_string(),
    };
    let material = position.material().material;
    let result = words::result(position, answer, review.run(place));
    paragraph(
        "\nIn the tables ",
        &format!("{from}, {material} with {} to move: {result}.", named(position.side())),
    )
}

/// Returns the text about each count: its start, its last call, and when a draw could be claimed.
fn counts(review: &Review) -> String {
    if review.runs.is_empty() {
        return "\nNo count ran.\n".to_string();
    }
    let mut text = "\nCounts:\n".to_string();
    for run in &review.runs {
        let end = review.replay.position(run.end);
        let (called, left) = (run.called(end), run.moves_left(end));
        let got = match called < run.first_call {
            true => "No number was called".to_string(),
            false => format!("It reached {}", called.0),
        };
        let claim = match run.claim {
            Some(claim) => format!("the draw could be claimed {}", words::since(review, claim)),
            None => "the draw could not be claimed".to_string(),
        };
        let (when, what) = (words::since(review, run.start), words::start_of(run));
        let attacker = named(run.attacker);
        text += &paragraph(
            "  ",
            &format!("{}: {what}. {got}, {attacker} had {left} left; {claim}.", capitalised(&when)),
        );
    }
    text
}

/// The columns of the tables of moves.
const TABLE_COLUMNS: &str = "Moves: the result without and under the count, in brackets that of the best move; the number to \
     call; the moves that the count leaves before the move; a better move.";

/// Explains the marks of moves, in a game that is won in this way.
fn marks(goal: &str) -> String {
    format!(
        "Marks: ?? changes the result under the count, ? only without a count, ?! loses moves, ! is \
         the only move that keeps the result. A {goal} too late for the count is a draw."
    )
}

impl Reports {
    /// Adds the moves from positions in the tables, one per line.
    fn append_moves(&mut self, text: &mut StyledText, review: &Review) {
        let mut lines = StyledText::new();
        let mut unmarked = 0;
        let moves = review.replay.moves.iter().zip(&review.moves).enumerate();
        for (place, (played, reviewed)) in moves {
            let Some(reviewed) = reviewed else { continue };
            let sign = Sign::of(reviewed);
            if sign.is_none() && !self.all {
                unmarked += 1;
                continue;
            }
            let called = review.called(place).map_or(String::new(), |moves| moves.0.to_string());
            let is_over = |from: usize| from <= place;
            let left = review.run(place).map(|run| match run.claim.is_some_and(is_over) {
                true => "over".to_string(),
                false => run.moves_left(&played.before).0.to_string(),
            });
            lines.append(&row(
                sign.map(tone),
                [
                    &(played.numbered() + sign.map_or("", Sign::text)),
                    &words::without_count(reviewed),
                    &words::under_count(reviewed),
                    &called,
                    &left.unwrap_or_default(),
                    words::better(reviewed).unwrap_or_default(),
                ],
            ));
        }
        if !lines.is_empty() {
            *text += "\n";
            if !self.explained {
                self.explained = true;
                *text += &paragraph("", TABLE_COLUMNS);
                let goal = review.replay.start.variant().rules.end.goal();
                *text += &paragraph("", &marks(goal));
                *text += "\n";
            }
            let head = ["move", "without a count", "under count", "call", "left", "better"];
            text.append(&row(None, head));
            text.append(&lines);
        }
        if unmarked > 0 {
            let moves = match (lines.is_empty(), unmarked) {
                (true, 1) => "The move from the tables has no mark".to_string(),
                (true, _) => format!("The {unmarked} moves from the tables have no mark"),
                (false, 1) => "One more move has no mark".to_string(),
                (false, _) => format!("{unmarked} more moves have no mark"),
            };
            let them = if unmarked == 1 { "it" } else { "them" };
            *text += &format!("\n{moves}; --all lists {them}.\n");
        }
    }
}

/// Returns the tone of a sign.
fn tone(sign: Sign) -> Tone {
    match sign {
        Sign::Blunder => Tone::Bad,
        Sign::Mistake | Sign::Slow => Tone::Doubtful,
        Sign::Only => Tone::Good,
    }
}

/// Returns a line of the table of moves; the first cell has a tone.
fn row(tone: Option<Tone>, cells: [&str; 6]) -> StyledText {
    let [played, without, under, call, left, better] = cells;
    let mut line = StyledText::from("  ");
    line.push(tone, played);
    let pad = 15_usize.saturating_sub(played.chars().count());
    let rest = format!("{:pad$} {without:<26} {under:<13} {call:>4} {left:>4} {better}", "");
    line += rest.trim_end();
    line += "\n";
    line
}

/// Returns the mistakes of the game.
fn mistakes(checked: &CheckedGame, review: &Review) -> String {
    let moves = review.replay.moves.iter().zip(&review.moves);
    let reviewed: Vec<_> =
        moves.filter_map(|(played, review)| Some((played, review.as_ref()?))).collect();
    let mut found: Vec<String> = reviewed
        .iter()
        .filter(|(_, review)| review.worst() == Mark::ThrewAway)
        .map(|(played, review)| words::blunder(played, review))
        .collect();
    let none = found.is_empty() && !reviewed.is_empty();
    found.extend(words::contradictions(&checked.game, review));
    found.extend(unclaimed(review));
    let lost = Side::BOTH.map(|side| review.lost_moves(side));
    if lost != [Moves(0); 2] {
        let [white, black] = lost.map(|moves| moves.0);
        found.push(format!(
            "Moves lost without changing the result, by winning later or losing sooner than \
             necessary: White {white}, Black {black}."
        ));
    }
    if found.is_empty() && !none {
        return String::new();
    }
    let mut text = "\nMistakes:\n".to_string();
    if none {
        text += "  No move in the tables changed the result.\n";
    }
    found.iter().for_each(|line| text += &paragraph("  ", line));
    text
}

/// Draws that could have been claimed while the game continued.
fn unclaimed(review: &Review) -> impl Iterator<Item = String> + '_ {
    let went_on = |place: usize| place < review.replay.moves.len();
    let runs = review.runs.iter().filter(move |run| run.claim.is_some_and(went_on));
    runs.filter_map(|run| {
        let (runner, when) = (named(run.runner()), words::since(review, run.claim?));
        Some(format!("{runner} could have claimed the draw {when}."))
    })
}

/// Breaks words into lines; the first line begins with `lead`, the others are indented.
fn paragraph(lead: &str, words: &str) -> String {
    let indent = lead.chars().take_while(|letter| *letter == ' ').count() + 2;
    paragraph::paragraph(lead, indent, words)
}
