//! A reviewed game as annotated PGN.
//!
//! The text of the file stays as it is, byte for byte; tags, marks and comments are put between its
//! words. A game that cannot be read to its end is copied unchanged.
//!
//! ```text
//! remove the comments of an earlier run, and the marks before them
//! complete the tags
//! after each move and the marks of the file: the mark and the comment of this program
//! a number before a move of Black that follows such a comment
//! ```
//!
//! A run on its own output gives the same text: it removes exactly what it adds again.

use crate::cli::check::game::CheckedGame;
use crate::cli::check::ours;
use crate::cli::check::splice::Splice;
use crate::cli::check::words::{self, Sign};
use crate::cli::named;
use sakmak_pgn::pgn::{Games, LARGEST_GAME, PgnError, PgnGame, PgnToken, is_blank};
use sakmak_pgn::reading::numbered;
use sakmak_pgn::replay::Replay;
use sakmak_pgn::review::Review;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;

/// The text of a game for the output.
pub struct AnnotatedGame {
    /// The text, with the empty line after it.
    pub text: String,
    /// The text is the text of the file, without annotations.
    pub is_unchanged: bool,
}

impl AnnotatedGame {
    /// Returns the game with marks and comments. A game that cannot be read to its end, or that
    /// would be too large to be read again, is copied unchanged from the text.
    pub fn new(checked: &CheckedGame, text: &str) -> AnnotatedGame {
        let whole = text.get(checked.game.text.clone()).unwrap_or_default();
        if let Some(PgnError::Size(_)) = checked.game.broken {
            // More of the game may follow.
            return AnnotatedGame { text: whole.to_string(), is_unchanged: true };
        }
        let review = checked.review.as_ref().ok().filter(|_| checked.error().is_none());
        let annotated = review.and_then(|review| annotated(&checked.game, review, whole));
        let is_unchanged = annotated.is_none();
        let text = annotated.unwrap_or_else(|| whole.to_string());
        let text = text.trim_end_matches(is_blank);
        // At the start of a line, a percent sign would begin an escaped line.
        let gap = if text.starts_with('%') { " " } else { "" };
        let line = line_break(text);
        AnnotatedGame { text: format!("{gap}{text}{line}{line}"), is_unchanged }
    }
}

/// Returns the line break of a text.
fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Returns the text of a game with annotations; `None` if it would be too large to be read again.
/// If the game would differ without its old comments, the comments stay, and only tags are added.
fn annotated(written: &PgnGame, review: &Review, whole: &str) -> Option<String> {
    let bare = ours::without(written, whole);
    let (text, game, is_bare) = match same_game(written, &bare) {
        Some(game) => (&*bare, game, true),
        None => (whole, same_game(written, whole)?, false),
    };
    let mut splice = Splice::new(text);
    let line = line_break(text);
    tags(&mut splice, &game, review, line);
    if is_bare {
        comments(&mut splice, &game, review, line);
    }
    let text = splice.finish();
    // With the empty line after it.
    (text.len() + 2 * line.len() <= LARGEST_GAME).then_some(text)
}

/// Returns the game of a text, if it is the same as the written game and the text has nothing else.
fn same_game(written: &PgnGame, text: &str) -> Option<PgnGame> {
    let game = Games::of(text).next()?;
    let told = |game: &PgnGame| {
        let moves: Vec<String> = game.moves.iter().map(|mv| mv.text.clone()).collect();
        let tags: Vec<String> = game.tags.iter().map(|tag| tag.value.clone()).collect();
        // Tags alone are tags of the next game.
        let is_tags_alone = moves.is_empty() && game.before.is_empty() && game.result.is_none();
        (moves, tags, game.result, is_tags_alone)
    };
    let is_whole = text.get(game.text.end..)?.chars().all(is_blank);
    (game.broken.is_none() && is_whole && told(&game) == told(written)).then_some(game)
}

/// Copies the moves of a game without comments of this program, with new ones.
fn comments(splice: &mut Splice<'_>, game: &PgnGame, review: &Review, line: &str) {
    let result_at = game.result_text.as_ref().map(|text| text.start);
    let mut commented = false;
    if let (Some(movetext), Some(comment)) = (game.movetext, before(review)) {
        splice.copy_to(movetext);
        splice.words(&comment);
        splice.push(line);
        commented = true;
    }
    let played = review.replay.moves.iter().chain(&review.replay.closing);
    for (place, (played, written)) in played.zip(&game.moves).enumerate() {
        if commented && !written.numbered && played.side() == Side::Black {
            splice.copy_to(written.at);
            splice.words(&numbered(&played.before));
            splice.push(" ");
        }
        let end = written.end_of_marks(result_at);
        let marks = written.after.iter().map(|note| (note.text.end <= end).then_some(&note.token));
        let marks: Vec<&PgnToken> = marks.map_while(|mark| mark).collect();
        let (nag, comment) = after(review, place, &marks);
        commented = comment.is_some();
        let Some(comment) = comment else { continue };
        splice.copy_to(end);
        if let Some(nag) = nag {
            splice.words(&format!("${nag}"));
        }
        splice.words(&comment);
        let next = game.moves.get(place + 1);
        let number = next.filter(|next| !next.numbered && played.side() == Side::White);
        let number = number.map_or(0, |_| numbered(&played.after()).len() + 1);
        let next = next.map_or(splice.text().len(), |next| next.end_of_marks(result_at));
        splice.break_line(next, number, line);
    }
}

/// Copies the tags, and adds the variant, the start position and the annotator for other programs.
/// An existing tag is kept, except for the names of annotators.
fn tags(splice: &mut Splice<'_>, game: &PgnGame, review: &Review, line: &str) {
    let replay = &review.replay;
    let variant = replay.start.variant().name.to_string();
    // A FEN of ours has no castling rights, of which the moves may need some.
    let castles = replay.start.variant().castles && game.tag("FEN").is_none();
    let mut missing = Vec::new();
    for (name, value) in [
        ("Variant", variant),
        ("Annotator", ours::annotators("")),
        ("SetUp", "1".to_string()),
        ("FEN", fen(replay)),
    ] {
        if game.tag(name).is_none() && !(castles && ["SetUp", "FEN"].contains(&name)) {
            missing.push(format!("[{name} \"{value}\"]"));
        }
    }
    let missing = missing.join(line);
    let first = |name: &str| game.tag(name).map(|tag| tag.written.clone());
    let (variant, annotator) = (first("Variant"), first("Annotator"));
    for tag in &game.tags {
        let value = &splice.text()[tag.written.clone()];
        let new = if Some(&tag.written) == annotator.as_ref() {
            ours::annotators(value)
        } else if Some(&tag.written) == variant.as_ref() && value.trim().is_empty() {
            replay.start.variant().name.to_string()
        } else {
            continue;
        };
        splice.copy_to(tag.written.start);
        splice.push(&new);
        splice.skip_to(tag.written.end);
    }
    if missing.is_empty() {
        return;
    }
    let Some(last) = game.tags.last() else {
        splice.push(&format!("{missing}{line}{line}"));
        return;
    };
    splice.copy_to(last.text.end);
    splice.push(&format!("{line}{missing}"));
    let rest = splice.rest().trim_start_matches([' ', '\t']);
    if !rest.is_empty() && !rest.starts_with(['\r', '\n']) {
        splice.push(&format!("{line}{line}"));
    }
}

/// Returns the start position of a game with the count that runs. Its board has the letters of the
/// moves where the variant reads them in a FEN, as Shatranj, for one, does not read S and M.
fn fen(replay: &Replay) -> String {
    let start = &replay.start;
    let fen = start.fen();
    let (board, rest) = fen.split_once(' ').unwrap_or((&fen, ""));
    let lettered = format!("{} {rest}", replay.dialect.board(board));
    let read = Position::from_fen(start.variant(), &lettered);
    if read.is_ok_and(|read| read.pieces().eq(start.pieces())) { lettered } else { fen }
}

/// Returns the comment before the first move, if there is anything to note.
fn before(review: &Review) -> Option<String> {
    let parts = arrival(review, 0);
    (!parts.is_empty()).then(|| ours::comment(None, &parts))
}

/// Returns the numeric mark and the comment of a move, beside the marks of the file.
fn after(review: &Review, place: usize, marks: &[&PgnToken]) -> (Option<u8>, Option<String>) {
    let reviewed = review.in_dialect(place);
    let reviewed = reviewed.as_ref();
    // A mark of the file stays; it is not added a second time.
    let sign =
        reviewed.and_then(Sign::of).filter(|sign| !marks.contains(&&PgnToken::Nag(sign.nag())));
    let mut parts = Vec::new();
    if let Some(reviewed) = reviewed {
        parts.extend(words::about(reviewed));
    }
    if let Some(called) = review.called(place) {
        let played = &review.replay.moves[place];
        parts.push(format!("{} calls {}", named(played.side()), called.0));
    }
    parts.extend(arrival(review, place + 1));
    let comment = (!parts.is_empty()).then(|| ours::comment(sign, &parts));
    (sign.filter(|_| comment.is_some()).map(Sign::nag), comment)
}

/// Returns the notes on a position: a count that starts, a claim, the first position in the tables.
fn arrival(review: &Review, place: usize) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(run) = review.runs.iter().find(|run| run.start == place) {
        parts.push(format!("the count starts, {}", words::start_of(run)));
    }
    if let Some(run) = review.runs.iter().find(|run| run.claim == Some(place)) {
        parts.push(format!("{} may claim the draw", named(run.runner())));
    }
    let position = review.replay.position(place);
    let answer = review.answers.get(place).and_then(Option::as_ref);
    if let Some(answer) = answer.filter(|_| review.first_known() == Some(place)) {
        let result = words::result(position, answer, review.run(place));
        parts.push(format!("from here on in the tables: {result}"));
    }
    parts
}
