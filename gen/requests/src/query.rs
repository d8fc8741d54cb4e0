//! The parameters of requests, and the positions that they name.

use crate::error::AnswerError;
use sakmak_boards::list::GameName;
use sakmak_probe::CountedPosition;
use sakmak_probe::json::side_schema;
use sakmak_tables::counting::{Call, CountingRule};
use sakmak_tables::distance::Moves;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, NONE};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use std::borrow::Cow;
use utoipa::IntoParams;

/// The parameters of a request about one position.
#[derive(Default, serde::Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct PositionParameters {
    /// Position; underscores may stand for blanks, and a plus is `%2B`. It may have a count, as
    /// Fairy-Stockfish writes it: limit and count in plies.
    #[param(required)]
    fen: Option<String>,
    /// Name of a counting rule of the variant; `none` if nobody counts.
    counting: Option<String>,
    /// Last number called, in moves, for a FEN without a count.
    #[serde(deserialize_with = "parameter")]
    #[param(value_type = Option<u16>)]
    called: Option<Moves>,
    /// Side that counts, if either may.
    #[serde(deserialize_with = "parameter")]
    #[param(schema_with = side_schema)]
    counter: Option<Side>,
    /// Number at which the count ends, if not that of a count that starts here.
    #[serde(deserialize_with = "parameter")]
    #[param(value_type = Option<u16>)]
    limit: Option<Moves>,
    /// Whether the answer has lines of best play; without, it is far cheaper. A mainline has them.
    #[serde(deserialize_with = "parameter")]
    #[param(default = true)]
    line: Option<bool>,
    /// Whether a mate in time that is not in the tables is searched, with at most 100,000
    /// look-ups, which takes up to a second. A request that searches waits in a queue of its own.
    #[serde(deserialize_with = "parameter")]
    #[param(default = false)]
    mate_in_time: Option<bool>,
    /// Whether the answer has the number of right moves, and whether the solution of a win is
    /// unique. Searches as `mate_in_time` does.
    #[serde(deserialize_with = "parameter")]
    #[param(default = false)]
    solution: Option<bool>,
}

/// The parameters of a request for lists of exercises.
#[derive(Default, serde::Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ListParameters {
    /// Name of a counting rule of the variant.
    pub counting: Option<String>,
}

/// A request about a position.
#[derive(Clone, Debug)]
pub struct PositionRequest {
    /// The position.
    pub asked: CountedPosition,
    /// Whether the answer has lines of best play.
    pub lines: bool,
    /// Whether mates in time that are not in the tables are searched.
    pub searches: bool,
    /// Whether the answer has the solution.
    pub solution: bool,
}

/// A request about a position of a board game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardRequest {
    /// The game.
    pub game: GameName,
    /// The position.
    pub fen: String,
    /// Whether the answer has a line of best play.
    pub lines: bool,
}

impl PositionParameters {
    /// Parameters without a call.
    pub fn of_fen(
        fen: String,
        counting: Option<String>,
        line: Option<bool>,
        mate_in_time: Option<bool>,
        solution: Option<bool>,
    ) -> PositionParameters {
        PositionParameters {
            fen: Some(fen),
            counting,
            line,
            mate_in_time,
            solution,
            ..PositionParameters::default()
        }
    }

    /// The request about a position of this variant.
    ///
    /// # Errors
    ///
    /// If the FEN cannot be read, or the count is impossible.
    pub fn read(self, variant: &'static Variant) -> Result<PositionRequest, AnswerError> {
        let counting_rule = counting_rule(variant, self.counting.as_deref())?;
        let fen = self.fen.ok_or_else(|| without_fen(variant.name, "8/8/8/4k3/8/4K3/4S3/4M3_w"))?;
        let fen = if variant.rules.end.check_loses { with_checks(&fen) } else { fen };
        let mut asked = CountedPosition::from_fen(counting_rule, &fen)?;
        let (runner, limit) = (self.counter, self.limit);
        match self.called {
            Some(called) => asked.call(Call { called, runner, limit })?,
            None if limit.is_some() || runner.is_some() => {
                let message = "counter and limit need called, which is missing";
                return Err(AnswerError::Request(message.to_string()));
            }
            None => {}
        }
        let lines = self.line.unwrap_or(true);
        let solution = self.solution.unwrap_or(false);
        let searches = solution || self.mate_in_time.unwrap_or(false);
        Ok(PositionRequest { asked, lines, searches, solution })
    }

    /// The request about a position of this board game, which has no counts.
    ///
    /// # Errors
    ///
    /// If the FEN is missing, or a parameter is about counts.
    pub fn read_board(self, game: GameName) -> Result<BoardRequest, AnswerError> {
        let PositionParameters {
            fen,
            counting,
            called,
            counter,
            limit,
            line,
            mate_in_time,
            solution,
        } = self;
        let of_counts = [
            ("counting", counting.is_some()),
            ("called", called.is_some()),
            ("counter", counter.is_some()),
            ("limit", limit.is_some()),
            ("mate_in_time", mate_in_time.is_some()),
            ("solution", solution.is_some()),
        ];
        match (fen, of_counts.into_iter().find(|&(_, is_given)| is_given)) {
            (_, Some((name, _))) => {
                Err(AnswerError::Request(format!("{name} is given, but {game} has no counts")))
            }
            (None, None) => Err(without_fen(game.name(), "...")),
            (Some(fen), None) => Ok(BoardRequest { game, fen, lines: line.unwrap_or(true) }),
        }
    }
}

/// The error of a request without a position.
fn without_fen(variant: &str, example: &str) -> AnswerError {
    AnswerError::Request(format!("fen is missing: /{variant}?fen={example}"))
}

/// Reads the parameters of a request.
///
/// # Errors
///
/// If a parameter cannot be read: `line=yes: expected true or false`.
pub fn read_query<T: DeserializeOwned>(query: Option<&str>) -> Result<T, AnswerError> {
    let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let read = serde_path_to_error::deserialize(serde_urlencoded::Deserializer::new(pairs));
    // The error is the name of the parameter, a colon and the reason.
    read.map_err(|error| AnswerError::Request(error.to_string().replacen(": ", "=", 1)))
}

/// The counting rule of a variant by its name; the usual rule without a name. `none` names the rule
/// by which nobody counts.
///
/// # Errors
///
/// If the variant has no such counting rule.
pub fn counting_rule(
    variant: &'static Variant,
    name: Option<&str>,
) -> Result<&'static CountingRule, AnswerError> {
    let Some(name) = name else { return Ok(variant.counting()) };
    if variants::same_name(name, NONE) {
        return Ok(variant.uncounted);
    }
    let counting_rule = variants::any_counting_rule(name)?;
    if variant.has_counting(counting_rule) {
        return Ok(counting_rule);
    }
    let known = variant.counting_rules.iter().map(|rule| rule.name);
    let known: Vec<&str> = known.chain([NONE]).collect();
    Err(AnswerError::Request(format!(
        "{} is not a counting rule of {}: expected {}",
        counting_rule.name,
        variant.name,
        known.join(" or ")
    )))
}

/// Restores the checks left of a FEN, `1+1`, from `1 1`: a plus that an address does not encode is
/// read as a blank.
fn with_checks(fen: &str) -> String {
    let is_left = |field: &str| matches!(field.as_bytes(), [b'0'..=b'9']);
    let joined = |fields: &[&str]| match fields {
        [white, black] if is_left(white) && is_left(black) => format!("{white}+{black}"),
        fields => fields.join(" "),
    };
    // In a FEN with underscores a blank is a plus.
    if fen.contains('_') {
        let fields = fen.split('_').map(|part| joined(&part.split(' ').collect::<Vec<_>>()));
        return fields.collect::<Vec<_>>().join("_");
    }
    let fields: Vec<&str> = fen.split_whitespace().collect();
    match fields.len() {
        // One field more than a FEN without the checks.
        7..=8 => [&fields[..4].join(" "), &joined(&fields[4..6]), &fields[6..].join(" ")]
            .map(String::as_str)
            .join(" "),
        _ => fen.to_string(),
    }
}

/// A value that a parameter holds as text.
pub trait Parameter: Sized {
    /// The expected text, for messages.
    const EXPECTED: &'static str;

    /// Parses a text.
    fn read(text: &str) -> Option<Self>;
}

impl Parameter for bool {
    const EXPECTED: &'static str = "true or false";

    /// Accepts the spellings of several languages: `true`, `True`, `1`.
    fn read(text: &str) -> Option<bool> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
    }
}

impl Parameter for u64 {
    const EXPECTED: &'static str = "a number";

    fn read(text: &str) -> Option<u64> {
        text.parse().ok()
    }
}

impl Parameter for Moves {
    const EXPECTED: &'static str = "a number of moves";

    fn read(text: &str) -> Option<Moves> {
        text.parse::<u16>().ok().map(|moves| Moves(moves.into()))
    }
}

impl Parameter for Side {
    const EXPECTED: &'static str = "white or black";

    fn read(text: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| side.name() == text)
    }
}

/// Reads the value of a parameter.
///
/// # Errors
///
/// If the text is not a value. [`read_query`] puts the name of the parameter before the message.
pub fn parameter<'de, T: Parameter, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let text = Cow::<str>::deserialize(deserializer)?;
    let wrong = || format!("{}: expected {}", Excerpt::of(&text), T::EXPECTED);
    T::read(&text).map(Some).ok_or_else(|| D::Error::custom(wrong()))
}

/// The value of a required parameter.
///
/// # Errors
///
/// If the parameter is missing.
pub fn required<T: Parameter>(name: &str, value: Option<T>) -> Result<T, AnswerError> {
    let missing = || AnswerError::Request(format!("{name} is missing: expected {}", T::EXPECTED));
    value.ok_or_else(missing)
}
