//! A reviewed game as annotated PGN.

use crate::cli::check::game::CheckedGame;
use crate::cli::check::ours;
use crate::cli::check::words::{self, Sign};
use sakmak_gen::games::pgn::{PgnError, PgnGame, PgnToken, Tag, WrittenMove, written};
use sakmak_gen::games::replay::Replay;
use sakmak_gen::games::review::Review;
use std::ops::Range;

/// The game with marks and comments, its moves in the letters of the file. A game that cannot be
/// replayed is copied unchanged from the text; of a game that can be replayed in part, the rest is
/// kept in a comment. Escaped lines of the game come before it.
pub fn annotated(checked: &CheckedGame, text: &str) -> String {
    let old = &checked.game;
    let Ok(review) = checked.review.as_ref() else {
        let whole = text.get(old.text.clone()).unwrap_or_default();
        return match old.broken {
            // More of the game may follow.
            Some(PgnError::Size(_)) => whole.to_string(),
            _ => whole.trim_end().to_string() + "\n\n",
        };
    };
    let start = &review.replay.start;
    let mut game = PgnGame::new(1);
    game.tags = tags(old, review);
    game.before = ours::without(&old.before);
    game.before.extend(before(checked, review));
    let moves = review.replay.moves.iter().zip(&old.moves).enumerate();
    game.moves = moves
        .map(|(place, (played, written))| {
            let after = after(review, place, &ours::without(&written.after));
            let text = review.replay.written(played, played.uci);
            WrittenMove { text, line: 1, at: 0, after }
        })
        .collect();
    game.result = Some(old.result());
    let notes = game.moves.last_mut().map_or(&mut game.before, |mv| &mut mv.after);
    notes.extend(unread(old, review, text));
    lines(&old.escaped, text) + &written(&game, start.number(), start.side())
}

/// These lines of the text, unchanged.
fn lines(ranges: &[Range<usize>], text: &str) -> String {
    let mut lines = String::new();
    for line in ranges.iter().filter_map(|range| text.get(range.clone())) {
        lines += line;
        if !line.ends_with('\n') {
            lines.push('\n');
        }
    }
    lines
}

/// A comment with the part that could not be read, and the error. It is not marked as a comment
/// of this program, so it stays when the game is annotated again.
fn unread(game: &PgnGame, review: &Review, text: &str) -> Option<PgnToken> {
    let error = review.replay.broken.as_ref()?;
    let refused = game.moves.get(review.replay.moves.len()).map(|mv| mv.at);
    let end = refused.unwrap_or(game.text.end);
    let before = game.unread.iter().filter(|unread| unread.end <= end).cloned();
    let parts = before.chain(refused.map(|at| at..game.text.end));
    let parts: Vec<&str> = parts.filter_map(|part| text.get(part).map(str::trim)).collect();
    Some(PgnToken::Comment(format!("Not read: {error}: {}", parts.join(" "))))
}

/// The tags of the game, with the start position and the annotator.
fn tags(game: &PgnGame, review: &Review) -> Vec<Tag> {
    let start = &review.replay.start;
    let tag = |name: &str, value: String| Tag { name: name.to_string(), value, line: 1 };
    let mut tags: Vec<Tag> = game
        .tags
        .iter()
        .filter(|old| !["SetUp", "FEN", "Annotator", "Variant"].contains(&&*old.name))
        .cloned()
        .collect();
    let variant = game.tag("Variant").map(|tag| tag.value.clone());
    tags.push(tag("Variant", variant.unwrap_or_else(|| start.variant().name.to_string())));
    tags.push(tag("Annotator", ours::annotators(game.known("Annotator"))));
    tags.push(tag("SetUp", "1".to_string()));
    tags.push(tag("FEN", fen(game, &review.replay)));
    tags
}

/// The start position of a game with the count that runs. Its board is written as in the file, or
/// else with the letters of the moves.
fn fen(game: &PgnGame, replay: &Replay) -> String {
    let fen = replay.start.fen();
    let (board, rest) = fen.split_once(' ').unwrap_or((&fen, ""));
    let between = |letter: char| letter.is_whitespace() || letter == '_';
    let written = game.tag("FEN").and_then(|tag| tag.value.split(between).find(is_board));
    let board = written.map_or_else(|| replay.dialect.board(board), str::to_string);
    format!("{board} {rest}")
}

/// Whether a field of a FEN is a board.
fn is_board(field: &&str) -> bool {
    field.contains('/')
}

/// The comment before the first move, if there is anything to note.
fn before(checked: &CheckedGame, review: &Review) -> Option<PgnToken> {
    let mut parts: Vec<String> = checked.notes.clone();
    parts.extend(arrival(review, 0));
    (!parts.is_empty()).then(|| ours::comment(None, &parts))
}

/// What follows a move: marks, the comment of this program, then the other notes of the file.
fn after(review: &Review, place: usize, old: &[PgnToken]) -> Vec<PgnToken> {
    let reviewed = review.in_dialect(place);
    let reviewed = reviewed.as_ref();
    let marks: Vec<&PgnToken> =
        old.iter().take_while(|note| matches!(note, PgnToken::Nag(_))).collect();
    // A mark of the file stays; it is not added a second time.
    let sign =
        reviewed.and_then(Sign::of).filter(|sign| !marks.contains(&&PgnToken::Nag(sign.nag())));
    let rest = old.iter().skip_while(|note| matches!(note, PgnToken::Nag(_)));
    let mut parts = Vec::new();
    if let Some(reviewed) = reviewed {
        parts.extend(words::about(reviewed));
    }
    if let Some(called) = review.called(place) {
        let played = &review.replay.moves[place];
        parts.push(format!("{} calls {}", words::named(played.side()), called.0));
    }
    parts.extend(arrival(review, place + 1));
    let nag = sign.map(|sign| PgnToken::Nag(sign.nag()));
    let comment = (!parts.is_empty()).then(|| ours::comment(sign, &parts));
    marks.into_iter().cloned().chain(nag).chain(comment).chain(rest.cloned()).collect()
}

/// The notes on a position: a count that starts, a claim, the first position in the tables.
fn arrival(review: &Review, place: usize) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(run) = review.runs.iter().find(|run| run.start == place) {
        parts.push(format!("the count starts, {}", words::start_of(run)));
    }
    if let Some(run) = review.runs.iter().find(|run| run.claim == Some(place)) {
        parts.push(format!("{} may claim the draw", words::named(run.runner())));
    }
    let position = review.replay.position(place);
    let answer = review.answers.get(place).and_then(Option::as_ref);
    if let Some(answer) = answer.filter(|_| review.first_known() == Some(place)) {
        let result = words::result(position, answer, review.run(place));
        parts.push(format!("from here on in the tables: {result}"));
    }
    parts
}
