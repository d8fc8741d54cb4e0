//! The findings about a game in the words of players.

use crate::cli::named;
use sakmak_pgn::pgn::{GameResult, PgnGame};
use sakmak_pgn::reading::{PlayedMove, numbered};
use sakmak_pgn::review::{CountRun, GameEnding, Mark, MoveReview, Review, winner};
use sakmak_probe::Answer;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Value, Wdl};
use sakmak_tables::position::san::san;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::MAKRUK;

/// A sign after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// The move changed the result under the count.
    Blunder,
    /// The move changed the result without a count, but not under the count.
    Mistake,
    /// The move lost moves.
    Slow,
    /// The move is the only move that keeps the result.
    Only,
}

impl Sign {
    /// All signs.
    pub const ALL: [Sign; 4] = [Sign::Blunder, Sign::Mistake, Sign::Slow, Sign::Only];

    /// Returns the sign of a move, or `None`.
    pub fn of(review: &MoveReview) -> Option<Sign> {
        match (review.counted, review.uncounted) {
            (Mark::ThrewAway, _) => Some(Sign::Blunder),
            (_, Mark::ThrewAway) => Some(Sign::Mistake),
            _ if review.missed().is_some() => Some(Sign::Slow),
            _ => review.only.then_some(Sign::Only),
        }
    }

    /// Returns the sign as text.
    pub fn text(self) -> &'static str {
        match self {
            Sign::Blunder => "??",
            Sign::Mistake => "?",
            Sign::Slow => "?!",
            Sign::Only => "!",
        }
    }

    /// Returns the numeric annotation glyph (NAG) of PGN; 7 means an only move.
    pub fn nag(self) -> u8 {
        match self {
            Sign::Blunder => 4,
            Sign::Mistake => 2,
            Sign::Slow => 6,
            Sign::Only => 7,
        }
    }
}

/// Returns the mover's result as a verb: `wins`.
fn does(result: Wdl) -> &'static str {
    match result {
        Wdl::Win => "wins",
        Wdl::Draw => "draws",
        Wdl::Loss => "loses",
    }
}

/// Returns the mover's result under the count as a verb: `draws (too late)` if mate can be forced.
fn does_under_count(category: Category) -> &'static str {
    match category {
        Category::CursedWin | Category::BlessedLoss => "draws (too late)",
        other => does(other.wdl()),
    }
}

/// Returns the mover's result with its distance: `wins in 3`.
fn does_in(value: Value) -> String {
    let does = does(value.wdl());
    value.moves().map_or(does.to_string(), |moves| format!("{does} in {}", moves.0))
}

/// Returns the result of a move without a count, and in brackets the result of the best move:
/// `draws (wins in 3)`, `wins in 5 (in 3)`.
pub fn without_count(review: &MoveReview) -> String {
    let [best, played] = review.value;
    let done = does_in(played);
    match (best.moves(), best.wdl() == played.wdl()) {
        _ if best == played => done,
        (Some(moves), true) => format!("{done} (in {})", moves.0),
        _ => format!("{done} ({})", does_in(best)),
    }
}

/// Returns the result of a move under the count, and in brackets the result of the best move:
/// `draws (wins)`.
pub fn under_count(review: &MoveReview) -> String {
    let [best, played] = review.category.map(|category| does(category.wdl()));
    if best == played { played.to_string() } else { format!("{played} ({best})") }
}

/// Returns the results of a move and of a better move, without a count and under the count.
pub fn about(review: &MoveReview) -> Vec<String> {
    let parts = match (review.counted, review.category[1].wdl()) {
        (Mark::ThrewAway, _) | (_, Wdl::Draw) => {
            let [best, played] = review.value.map(does_in);
            let better = (review.uncounted != Mark::Kept).then_some(&review.quickest.san);
            [Some(played), better.map(|san| format!("{san} {best}"))]
        }
        (counted, _) => {
            let [best, played] = review.length.map(does_in);
            let better = (counted != Mark::Kept).then_some(&review.best.san);
            [Some(played), better.map(|san| format!("{san} {best}"))]
        }
    };
    let mut parts: Vec<String> = parts.into_iter().flatten().collect();
    let results = review.category.map(Category::wdl);
    let alike = results == review.value.map(Value::wdl);
    let [best, played] = review.category.map(does_under_count);
    if review.counted == Mark::ThrewAway && !(alike && review.best == review.quickest) {
        parts.push(format!("under the count it {played}, {} {best}", review.best.san));
    } else if !alike {
        parts.push(format!("under the count it {played}"));
    }
    if Sign::of(review) == Some(Sign::Only) {
        parts.push("the only move".to_string());
    }
    parts
}

/// Returns a better move, or `None`.
pub fn better(review: &MoveReview) -> Option<&str> {
    match (review.counted, review.uncounted) {
        (Mark::Kept, Mark::ThrewAway) => Some(&review.quickest.san),
        (Mark::Kept, _) => review.missed().map(|_| &*review.quickest.san),
        _ => Some(&review.best.san),
    }
}

/// Describes a move that worsens the result.
pub fn blunder(played: &PlayedMove, review: &MoveReview) -> String {
    let goal = played.before.variant().rules.end.goal();
    let thrown = |[best, played]: [Wdl; 2]| match (best, played) {
        (Wdl::Win, Wdl::Loss) => "turns the win into a loss",
        (Wdl::Win, _) => "throws the win away",
        _ => "throws the draw away",
    };
    let name = played.numbered();
    let [best, value] = review.value;
    if review.counted != Mark::ThrewAway {
        let what = thrown(review.value.map(Value::wdl));
        let (quickest, does) = (&review.quickest.san, does_in(best));
        return format!(
            "{name} {what} if nobody counts: {quickest} {does}. Under the count the result \
             is the same."
        );
    }
    let what = thrown(review.category.map(Category::wdl));
    let [best_category, category] = review.category;
    let late = |value: Value| {
        let moves = value.moves().map(|moves| moves.to_string()).unwrap_or_default();
        format!("{goal} in {moves} comes too late for the count")
    };
    let because = match category {
        Category::CursedWin => late(value),
        _ => format!("it {}", does_in(value)),
    };
    let best = match best_category {
        Category::BlessedLoss => format!("draws, {}", late(review.best.dtm)),
        _ => does_in(review.best.mate_in_time.unwrap_or(review.best.dtm)),
    };
    format!("{name} {what}: {because}. {} {best}.", review.best.san)
}

/// Returns the result of a position, `Black wins, mate in 3 moves; the count leaves 20 for it` or
/// `a draw by the count: Black's mate in 20 moves comes too late; the count leaves 3`.
pub fn result(position: &Position, answer: &Answer, run: Option<&CountRun>) -> String {
    let side = position.side();
    let (plain, counted) = (answer.dtm.wdl(), answer.category.wdl());
    let (Some(attacker), Some(moves)) = (winner(plain, side), answer.dtm.moves()) else {
        return "neither side can win".to_string();
    };
    let goal = position.variant().rules.end.goal();
    let mate = match answer.mate_in_time.map(|mate| (mate == answer.dtm, mate.moves())) {
        Some((false, Some(in_time))) => {
            format!("{goal} in {in_time} (in {} with nothing counted, too late)", moves.0)
        }
        None if winner(counted, side).is_some() => {
            format!("{goal} in {moves} or more (the exact number takes a longer search)")
        }
        _ => format!("{goal} in {moves}"),
    };
    let plain = format!("{} wins, {mate}", named(attacker));
    let late =
        format!("a draw by the count: {}'s {goal} in {moves} comes too late", named(attacker));
    let left = run.filter(|run| run.attacker == attacker).map(|run| run.moves_left(position).0);
    let needed = answer.counted.moves().map(|moves| moves.0);
    let decided = position.counting_rule().is_decided_by_mate(position.armies());
    match (winner(counted, side), left) {
        (Some(_), Some(left)) if decided => format!("{plain}; the count leaves {left} for it"),
        (Some(_), Some(left)) => format!(
            "{plain}; the count leaves {left} moves, of which {} are needed to {goal} or to win under \
             the next count",
            needed.unwrap_or_default()
        ),
        (Some(_), None) if run.is_some() => format!("{plain}; no count runs against it"),
        (Some(_), None) => format!("{plain}; in time under all later counts"),
        (None, Some(left)) if decided => format!("{late}; the count leaves {left}"),
        (None, _) => late,
    }
}

/// Describes the end of a game on the board.
pub fn ending(review: &Review) -> String {
    let Some(last) = review.replay.moves.last().map(PlayedMove::numbered) else {
        return "no moves".to_string();
    };
    let end = &review.replay.end;
    match review.ending() {
        GameEnding::Over(_, None) => format!("{last} is stalemate, a draw"),
        GameEnding::Over(outcome, Some(winner)) => {
            let winner = named(winner);
            match outcome {
                Outcome::Checkmate if end.variant().rules.end.check_loses => {
                    format!("{winner} wins, {last} gives check")
                }
                Outcome::Checkmate => format!("{winner} mates with {last}"),
                Outcome::Stalemate => format!("{last} is stalemate, {winner} wins"),
                Outcome::BareKing => format!("{last} leaves a bare king, {winner} wins"),
            }
        }
        GameEnding::BareKings => format!("{last} leaves bare kings, a draw"),
        GameEnding::Open if review.replay.broken.is_some() => format!("read up to {last}"),
        GameEnding::Open => {
            let only = match &end.legal_moves()[..] {
                [only] => format!("; {} {} is the only move", numbered(end), san(end, *only)),
                _ => String::new(),
            };
            format!("it stops after {last} with {} to move{only}", named(end.side()))
        }
    }
}

/// Describes contradictions of a game's result with the end of the moves, the board or the tables.
pub fn contradictions(game: &PgnGame, review: &Review) -> Vec<String> {
    let mut parts = Vec::new();
    if let (Some(tag), Some(given)) = (game.result_of_tag(), game.result) {
        let is_told = [tag, given].iter().all(|&result| result != GameResult::Unknown);
        if is_told && tag != given {
            parts.push(format!("The Result tag has {tag}, but the moves end with {given}."));
        }
    }
    let given = game.result();
    let Some(due) = review.due().filter(|&due| due != given && given != GameResult::Unknown) else {
        return parts;
    };
    let given = match given {
        GameResult::White => format!("a win of {}", named(Side::White)),
        GameResult::Black => format!("a win of {}", named(Side::Black)),
        GameResult::Draw | GameResult::Unknown => "a draw".to_string(),
    };
    let end = &review.replay.end;
    let answer = review.answers.last().and_then(Option::as_ref);
    let found = match (review.ending(), answer) {
        (GameEnding::Open, Some(answer)) => {
            result(end, answer, review.run(review.replay.moves.len()))
        }
        _ if review.replay.moves.is_empty() => format!("on the board it is {due}"),
        _ => ending(review),
    };
    parts.push(format!("The result of the game is {given}, but {found}."));
    parts
}

/// Describes the moves after which a position occurred for the third time, or `None`.
pub fn repetition(review: &Review) -> Option<String> {
    let when = |place: usize| after_move(review, place).unwrap_or("at the start".to_string());
    let [first, second, third] = review.repetition()?.map(when);
    let rule = match *review.replay.start.variant() == *MAKRUK {
        true => "by the Thai rules of 2569 such a game is a draw, ",
        false => "",
    };
    Some(format!(
        "the position {third} has occurred three times, first {first} and then {second}; {rule}the \
         tables know no repetition"
    ))
}

/// Returns the move before an index: `after 78... Kxc5`; `None` at the start.
fn after_move(review: &Review, place: usize) -> Option<String> {
    let played = review.replay.moves.get(place.checked_sub(1)?)?;
    Some(format!("after {}", played.numbered()))
}

/// Returns the move after which a position occurs first.
pub fn since(review: &Review, place: usize) -> String {
    after_move(review, place).unwrap_or("from the beginning".to_string())
}

/// Returns a count: its kind, its limit, the side that counts, and its first number.
pub fn start_of(run: &CountRun) -> String {
    let (runner, first) = (named(run.runner()), run.first_call.0);
    format!("{} to {}, {runner} counts from {first} on", run.honour, run.limit.0)
}
