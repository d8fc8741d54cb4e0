//! Reviewed games as JSON.

use crate::cli::check::game::CheckedGame;
use crate::cli::check::words::contradictions;
use sakmak_pgn::game_error::GameError;
use sakmak_pgn::pgn::shown;
use sakmak_pgn::review::{CountRun, GameEnding, Mark, MoveReview, Review};
use sakmak_probe::RatedMove;
use sakmak_probe::json::{ValuesJson, pretty_json};
use sakmak_tables::rules::piece::Side;
use serde::Serialize;

/// The games of all files, `{"games": [...]}`, written one after the other.
#[derive(Default)]
pub struct GameList {
    has_games: bool,
}

impl GameList {
    /// Returns the text up to the end of the next game.
    pub fn next(&mut self, game: &GameJson) -> Result<String, serde_json::Error> {
        let before = if self.has_games { ",\n" } else { "{\n  \"games\": [\n" };
        self.has_games = true;
        let lines: Vec<String> =
            pretty_json(game)?.lines().map(|line| format!("    {line}")).collect();
        Ok(format!("{before}{}", lines.join("\n")))
    }

    /// Returns the text after the last game.
    pub const fn end(&self) -> &'static str {
        if self.has_games { "\n  ]\n}\n" } else { "{\n  \"games\": []\n}\n" }
    }
}

/// A game. Without a review, it could not be replayed at all.
#[derive(Serialize)]
pub struct GameJson {
    /// The path as given, `-` for standard input.
    file: String,
    game: usize,
    line: usize,
    white: Option<String>,
    black: Option<String>,
    /// The result after the moves, or else the result of the tag.
    result: String,
    /// The result of the tag, or `None` if it cannot be read.
    result_of_tag: Option<String>,
    error: Option<GameErrorJson>,
    notes: Vec<String>,
    /// Assumption about the game, in one line.
    assumed: Option<String>,
    #[serde(flatten)]
    review: Option<ReviewJson>,
}

/// The error that ended a game.
#[derive(Serialize)]
struct GameErrorJson {
    line: usize,
    message: String,
}

/// The review of a game.
#[derive(Serialize)]
struct ReviewJson {
    variant: &'static str,
    counting: &'static str,
    /// The way in which the moves of the file are written.
    dialect: &'static str,
    ending: &'static str,
    /// The result of the last position on the board or by the tables.
    result_due: Option<String>,
    /// The plies after which a position occurred for the third time.
    repeated_at: Option<usize>,
    /// The index of the first position in the tables.
    known_from: Option<usize>,
    /// Moves lost by White and by Black without changing the result.
    moves_lost: [u32; 2],
    counts: Vec<CountRunJson>,
    moves: Vec<PlayedMoveJson>,
    /// The last position.
    end: PositionJson,
}

/// A count, with the plies after which it started, last ran, and could first be claimed.
#[derive(Serialize)]
struct CountRunJson {
    rule: &'static str,
    runner: &'static str,
    limit: u32,
    first_call: u32,
    from_ply: usize,
    to_ply: usize,
    claim_from_ply: Option<usize>,
}

/// A move, and the position before it.
#[derive(Serialize)]
struct PlayedMoveJson {
    ply: usize,
    number: u32,
    side: &'static str,
    san: String,
    uci: String,
    line: usize,
    called: Option<u32>,
    #[serde(flatten)]
    before: PositionJson,
    judged: Option<MoveReviewJson>,
}

/// A position.
#[derive(Serialize)]
struct PositionJson {
    fen: String,
    /// Unknown if no table has the position.
    #[serde(flatten)]
    values: ValuesJson,
    /// The attacker's moves left to mate in time.
    moves_left: Option<u32>,
}

/// A move compared with the best move. The values are the values of the position after the move.
#[derive(Serialize)]
struct MoveReviewJson {
    #[serde(flatten)]
    values: ValuesJson,
    without_count: MarkJson,
    under_count: MarkJson,
    only: bool,
    best: BestJson,
    best_without_count: BestJson,
}

/// The effect of a move on the result.
#[derive(Serialize)]
struct MarkJson {
    mark: &'static str,
    moves_lost: u32,
}

/// A best move. The values are the values of the position after the move.
#[derive(Serialize)]
struct BestJson {
    san: String,
    uci: String,
    #[serde(flatten)]
    values: ValuesJson,
}

impl GameJson {
    /// Returns the JSON of a game of a file.
    pub fn new(file: String, checked: &CheckedGame) -> GameJson {
        let known = |name: &str| checked.game.known(name).map(shown);
        let review = checked.review.as_ref().ok();
        GameJson {
            file,
            game: checked.number,
            line: checked.game.line,
            white: known("White"),
            black: known("Black"),
            result: checked.game.result().to_string(),
            result_of_tag: checked.game.result_of_tag().map(|result| result.to_string()),
            error: checked.error().map(GameErrorJson::new),
            notes: checked
                .replay_notes()
                .chain(checked.notes.iter().cloned())
                .chain(review.into_iter().flat_map(|review| contradictions(&checked.game, review)))
                .collect(),
            assumed: checked.assumption().map(|assumption| shown(&assumption)),
            review: review.map(ReviewJson::new),
        }
    }
}

impl GameErrorJson {
    fn new(error: &GameError) -> GameErrorJson {
        GameErrorJson { line: error.line(), message: shown(&error.to_string()) }
    }
}

impl ReviewJson {
    fn new(review: &Review) -> ReviewJson {
        let start = &review.replay.start;
        let moves = 0..review.replay.moves.len();
        ReviewJson {
            variant: start.variant().name,
            counting: start.counting_rule().name,
            dialect: review.replay.dialect.name,
            ending: match review.ending() {
                GameEnding::Over(outcome, _) => outcome.name(),
                GameEnding::BareKings => "bare-kings",
                GameEnding::Open => "open",
            },
            result_due: review.due().map(|result| result.to_string()),
            repeated_at: review.repetition().map(|[.., third]| third),
            known_from: review.first_known(),
            moves_lost: Side::BOTH.map(|side| review.lost_moves(side).0),
            counts: review.runs.iter().map(CountRunJson::new).collect(),
            end: PositionJson::new(review, moves.end),
            moves: moves.map(|place| PlayedMoveJson::new(review, place)).collect(),
        }
    }
}

impl CountRunJson {
    fn new(run: &CountRun) -> CountRunJson {
        CountRunJson {
            rule: run.honour.name(),
            runner: run.runner().name(),
            limit: run.limit.0,
            first_call: run.first_call.0,
            from_ply: run.start,
            to_ply: run.end,
            claim_from_ply: run.claim,
        }
    }
}

impl PlayedMoveJson {
    fn new(review: &Review, place: usize) -> PlayedMoveJson {
        let played = &review.replay.moves[place];
        PlayedMoveJson {
            ply: place + 1,
            number: played.before.number(),
            side: played.side().name(),
            san: played.san.clone(),
            uci: played.mv.uci(played.before.variant()),
            line: played.line,
            called: review.called(place).map(|moves| moves.0),
            before: PositionJson::new(review, place),
            judged: review.moves[place].as_ref().map(MoveReviewJson::new),
        }
    }
}

impl PositionJson {
    fn new(review: &Review, place: usize) -> PositionJson {
        let position = review.replay.position(place);
        let answer = review.answers.get(place).and_then(Option::as_ref);
        PositionJson {
            fen: position.fen(),
            values: answer.map(ValuesJson::of_position).unwrap_or_default(),
            moves_left: review.run(place).map(|run| run.moves_left(position).0),
        }
    }
}

impl MoveReviewJson {
    fn new(review: &MoveReview) -> MoveReviewJson {
        MoveReviewJson {
            values: ValuesJson::of_move(&review.played),
            without_count: MarkJson::of(review.uncounted),
            under_count: MarkJson::of(review.counted),
            only: review.only,
            best: BestJson::new(&review.best),
            best_without_count: BestJson::new(&review.quickest),
        }
    }
}

impl MarkJson {
    fn of(mark: Mark) -> MarkJson {
        let (mark, moves_lost) = match mark {
            Mark::Kept => ("kept", 0),
            Mark::Missed(moves) => ("missed", moves.0),
            Mark::ThrewAway => ("threw-away", 0),
        };
        MarkJson { mark, moves_lost }
    }
}

impl BestJson {
    fn new(rated: &RatedMove) -> BestJson {
        BestJson {
            san: rated.san.clone(),
            uci: rated.mv.uci(rated.after.variant()),
            values: ValuesJson::of_move(rated),
        }
    }
}
