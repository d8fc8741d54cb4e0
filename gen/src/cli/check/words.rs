//! What is found in a game, in words a player understands.

use crate::cli::capitalised;
use sakmak_gen::games::replay::{PlayedMove, numbered};
use sakmak_gen::games::review::{CountRun, GameEnding, MoveReview, Mark, Review, Wdl};
use sakmak_probe::answer::Answer;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::Value;
use sakmak_tables::position::Position;
use sakmak_tables::position::san::san;
use sakmak_tables::rules::piece::Side;

/// A sign behind a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// It threw a result away.
    Blunder,
    /// It threw a result away that the count takes away anyhow.
    Mistake,
    /// It lost moves.
    Slow,
    /// It is the only one that keeps the result.
    Only,
}

impl Sign {
    /// All of them.
    pub const ALL: [Sign; 4] = [Sign::Blunder, Sign::Mistake, Sign::Slow, Sign::Only];

    /// The sign a move deserves.
    pub fn of(judged: &MoveReview) -> Option<Sign> {
        match (judged.counted, judged.uncounted) {
            (Mark::ThrewAway, _) => Some(Sign::Blunder),
            (_, Mark::ThrewAway) => Some(Sign::Mistake),
            (Mark::Missed(_), _) | (_, Mark::Missed(_)) => Some(Sign::Slow),
            (Mark::Kept, Mark::Kept) => judged.only.then_some(Sign::Only),
        }
    }

    /// As it is printed.
    pub fn text(self) -> &'static str {
        match self {
            Sign::Blunder => "??",
            Sign::Mistake => "?",
            Sign::Slow => "?!",
            Sign::Only => "!",
        }
    }

    /// Its number in PGN; that of an only move is the one that says so.
    pub fn nag(self) -> u8 {
        match self {
            Sign::Blunder => 4,
            Sign::Mistake => 2,
            Sign::Slow => 6,
            Sign::Only => 7,
        }
    }
}

/// `White` or `Black`.
pub fn named(side: Side) -> String {
    capitalised(side.name())
}

/// What the mover does: `wins`.
fn does(worth: Wdl) -> &'static str {
    match worth {
        Wdl::Win => "wins",
        Wdl::Draw => "draws",
        Wdl::Loss => "loses",
    }
}

/// The same with how fast: `wins in 3`.
fn does_in(value: Value) -> String {
    let does = does(Wdl::of_value(value));
    value.moves().map_or(does.to_string(), |moves| format!("{does} in {}", moves.0))
}

/// What a move does with nothing counted, and in brackets what the best does:
/// `draws (wins in 3)`, `wins in 5 (in 3)`.
pub fn without_count(judged: &MoveReview) -> String {
    let [best, played] = judged.value;
    let done = does_in(played);
    match (best.moves(), Wdl::of_value(best) == Wdl::of_value(played)) {
        _ if best == played => done,
        (Some(moves), true) => format!("{done} (in {})", moves.0),
        _ => format!("{done} ({})", does_in(best)),
    }
}

/// The same under the count: `draws (wins)`.
pub fn under_count(judged: &MoveReview) -> String {
    let [best, played] = judged.category.map(|category| does(Wdl::of_category(category)));
    if best == played { played.to_string() } else { format!("{played} ({best})") }
}

/// What a move does and what a better one would have done, without and under the count.
pub fn about(judged: &MoveReview) -> Vec<String> {
    let [best, played] = judged.value.map(does_in);
    let mut parts = vec![played];
    if judged.uncounted != Mark::Kept {
        parts.push(format!("{} {best}", judged.quickest.san));
    }
    let grades = judged.category.map(Wdl::of_category);
    let alike = grades == judged.value.map(Wdl::of_value);
    let [best, played] = grades.map(does);
    if judged.counted == Mark::ThrewAway && !(alike && judged.best == judged.quickest) {
        parts.push(format!("under the count it {played}, {} {best}", judged.best.san));
    } else if !alike {
        parts.push(format!("under the count it {played}"));
    }
    if Sign::of(judged) == Some(Sign::Only) {
        parts.push("the only move".to_string());
    }
    parts
}

/// The move that would have been better, if any.
pub fn better(judged: &MoveReview) -> Option<&str> {
    match (judged.counted, judged.uncounted) {
        (Mark::Kept, Mark::Kept) => None,
        (Mark::Kept, _) => Some(&judged.quickest.san),
        _ => Some(&judged.best.san),
    }
}

/// How a move threw a result away.
pub fn blunder(played: &PlayedMove, judged: &MoveReview) -> String {
    let thrown = |[best, played]: [Wdl; 2]| match (best, played) {
        (Wdl::Win, Wdl::Loss) => "turns the win into a loss",
        (Wdl::Win, _) => "throws the win away",
        _ => "throws the draw away",
    };
    let name = played.numbered();
    let [best, value] = judged.value;
    if judged.counted != Mark::ThrewAway {
        let what = thrown(judged.value.map(Wdl::of_value));
        let (quickest, does) = (&judged.quickest.san, does_in(best));
        return format!(
            "{name} {what} as long as nobody counts: {quickest} {does}. Under the count \
             nothing changes."
        );
    }
    let what = thrown(judged.category.map(Wdl::of_category));
    let [best_grade, grade] = judged.category;
    let late = |value: Value| {
        let moves = value.moves().map(|moves| moves.to_string()).unwrap_or_default();
        format!("mate in {moves} comes too late for the count")
    };
    let because = match grade {
        Category::CursedWin => late(value),
        _ => format!("it {}", does_in(value)),
    };
    let best = match best_grade {
        Category::BlessedLoss => format!("draws, {}", late(judged.best.value)),
        _ => does_in(judged.best.value),
    };
    format!("{name} {what}: {because}. {} {best}.", judged.best.san)
}

/// The result in a position, with nothing counted and under the count that runs:
/// `Black wins, mate in 3 moves; the count leaves 20 for it`.
pub fn verdict(position: &Position, answer: &Answer, run: Option<&CountRun>) -> String {
    let side = position.side();
    let (plain, counted) = (Wdl::of_value(answer.value), Wdl::of_category(answer.category));
    let (Some(winner), Some(moves)) = (plain.winner(side), answer.value.moves()) else {
        return "nobody wins".to_string();
    };
    let plain = format!("{} wins, mate in {moves}", named(winner));
    let left = run.filter(|run| run.attacker == winner).map(|run| run.moves_left(position).0);
    let needed = answer.counted.moves().map(|moves| moves.0);
    let decided = position.counting_rule().is_decided_by_mate(position.armies());
    match (counted.winner(side), left) {
        (Some(_), Some(left)) if decided => format!("{plain}; the count leaves {left} for it"),
        (Some(_), Some(left)) => format!(
            "{plain}; of the {left} moves the count leaves {} are needed, to mate or to win \
             under the next count",
            needed.unwrap_or_default()
        ),
        (Some(_), None) if run.is_some() => format!("{plain}; no count is against it"),
        (Some(_), None) => format!("{plain}; in time under the counts to come"),
        (None, Some(left)) => {
            format!("{plain} with no count; under the count, which leaves {left}, nobody wins")
        }
        (None, None) => format!("{plain} with no count; under the counts to come nobody wins"),
    }
}

/// How a game ended on the board.
pub fn ending(review: &Review) -> String {
    let Some(last) = review.replay.moves.last().map(PlayedMove::numbered) else {
        return "no moves".to_string();
    };
    let end = &review.replay.end;
    match review.ending() {
        GameEnding::Checkmate(side) => format!("{} mates with {last}", named(side)),
        GameEnding::Stalemate => format!("{last} is stalemate, a draw"),
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

/// What made a count start: `after 78... Kxc5`.
pub fn started_by(review: &Review, run: &CountRun) -> String {
    let by = run.start.checked_sub(1).and_then(|place| review.replay.moves.get(place));
    by.map_or("from the beginning".to_string(), |by| format!("after {}", by.numbered()))
}

/// A count that starts: which, how far it goes, who counts and from which number on.
pub fn start_of(run: &CountRun) -> String {
    let (runner, first) = (named(run.runner()), run.first_call.0);
    format!("{} to {}, {runner} counts from {first} on", run.honour, run.limit.0)
}

/// From when on the draw could be claimed, if it could.
pub fn claim(review: &Review, run: &CountRun) -> Option<String> {
    let by = run.claim?.checked_sub(1).and_then(|place| review.replay.moves.get(place));
    Some(by.map_or("from the beginning".to_string(), |by| format!("after {}", by.numbered())))
}
