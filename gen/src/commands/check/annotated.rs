//! A game with what was found, as PGN.

use super::super::capitalised;
use super::checked::Checked;
use super::words::{self, Sign};
use sakmak_gen::pgn::{Game, GameResult, Tag, Token, WrittenMove, written};
use sakmak_gen::review::Review;

/// The game with marks and comments; nothing where it could not be read.
pub fn annotated(checked: &Checked) -> Option<String> {
    let review = checked.review.as_ref().ok()?;
    let start = &review.replay.start;
    let mut game = Game::new(1);
    game.tags = tags(&checked.game, review);
    game.before = checked.game.before.clone();
    game.before.extend(before(checked, review).map(Token::Comment));
    let moves = review.replay.moves.iter().zip(&checked.game.moves).enumerate();
    game.moves = moves
        .map(|(place, (played, written))| {
            let after = after(review, place, &written.after);
            WrittenMove { text: played.san.clone(), line: 1, after }
        })
        .collect();
    let whole = review.replay.broken.is_none();
    game.result = Some(if whole { checked.game.result() } else { GameResult::Unknown });
    Some(written(&game, start.number(), start.side()))
}

/// The tags as they were, but for the start in our letters, and who wrote the comments.
fn tags(game: &Game, review: &Review) -> Vec<Tag> {
    let start = &review.replay.start;
    let tag = |name: &str, value: String| Tag { name: name.to_string(), value, line: 1 };
    let whole = review.replay.broken.is_none();
    let mut tags: Vec<Tag> = game
        .tags
        .iter()
        .filter(|old| !["SetUp", "FEN", "Annotator", "Variant"].contains(&&*old.name))
        .filter(|old| whole || old.name != "Result")
        .cloned()
        .collect();
    if !whole {
        tags.push(tag("Result", GameResult::Unknown.to_string()));
    }
    let variant = game.tag("Variant").map(|tag| tag.value.clone());
    tags.push(tag("Variant", variant.unwrap_or_else(|| start.variant().name.to_string())));
    tags.push(tag("Annotator", format!("sakmak {}", env!("CARGO_PKG_VERSION"))));
    tags.push(tag("SetUp", "1".to_string()));
    tags.push(tag("FEN", start.fen()));
    tags
}

/// What there is to say before the first move.
fn before(checked: &Checked, review: &Review) -> Option<String> {
    let replay = &review.replay;
    let broken = replay.broken.iter().map(|error| format!("not read further: {error}"));
    let mut parts: Vec<String> = checked.notes.iter().cloned().chain(broken).collect();
    parts.extend(arrival(review, 0));
    (!parts.is_empty()).then(|| sentence(&parts))
}

/// What stands behind a move: marks, our comment, then what stood there.
fn after(review: &Review, place: usize, old: &[Token]) -> Vec<Token> {
    let judged = review.moves[place].as_ref();
    let nag = judged.and_then(Sign::of).map(|sign| Token::Nag(sign.nag()));
    let marks = old.iter().take_while(|note| matches!(note, Token::Nag(_)));
    let rest = old.iter().skip_while(|note| matches!(note, Token::Nag(_)));
    let mut parts = Vec::new();
    if let Some(judged) = judged {
        parts.extend(words::about(judged));
    }
    if let Some(called) = review.called(place) {
        let played = &review.replay.moves[place];
        parts.push(format!("{} calls {}", words::named(played.side()), called.0));
    }
    parts.extend(arrival(review, place + 1));
    let comment = (!parts.is_empty()).then(|| Token::Comment(sentence(&parts)));
    let marks = marks.filter(|&mark| Some(mark) != nag.as_ref()).cloned();
    marks.chain(nag.clone()).chain(comment).chain(rest.cloned()).collect()
}

/// What there is to say where a position is reached.
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
        let verdict = words::verdict(position, answer, review.run(place));
        parts.push(format!("the tables know the game from here: {verdict}"));
    }
    parts
}

/// The parts as one comment.
fn sentence(parts: &[String]) -> String {
    capitalised(&parts.join("; ")) + "."
}
