//! The parameters of a request, and the question that they make.

use crate::error::ServeError;
use crate::lookup_json::LookupJson;
use sakmak_probe::question::Question;
use sakmak_tables::counting::{Call, CountingRule};
use sakmak_tables::distance::Moves;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use serde::Deserialize;
use std::str::FromStr;

/// The parameters of a request about one position, as text.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PositionQuery {
    fen: Option<String>,
    counting: Option<String>,
    called: Option<String>,
    counter: Option<String>,
    limit: Option<String>,
    line: Option<String>,
    mate_in_time: Option<String>,
}

/// A request about a position.
#[derive(Clone, Debug)]
pub struct PositionRequest {
    /// The position.
    pub question: Question,
    /// Whether the answer has lines of best play.
    pub lines: bool,
    /// Whether mates in time that are not in the tables are searched.
    pub searches: bool,
}

impl PositionRequest {
    /// Whether the answer of the tables lacks a number to be searched.
    pub fn lacks(&self, answer: &LookupJson) -> bool {
        self.searches && answer.lacks_mates()
    }
}

impl PositionQuery {
    /// A request without a call.
    pub fn of_fen(
        fen: String,
        counting: Option<String>,
        line: Option<bool>,
        mate_in_time: Option<bool>,
    ) -> PositionQuery {
        let [line, mate_in_time] =
            [line, mate_in_time].map(|wanted| wanted.map(|wanted| wanted.to_string()));
        let fen = Some(fen);
        PositionQuery { fen, counting, line, mate_in_time, ..PositionQuery::default() }
    }

    /// The question about a position of this variant.
    ///
    /// # Errors
    ///
    /// If a parameter cannot be read, or the count is impossible.
    pub fn read(self, variant: &'static Variant) -> Result<PositionRequest, ServeError> {
        let counting_rule = counting_rule(variant, self.counting.as_deref())?;
        let fen = self.fen.ok_or_else(|| {
            let example = "8/8/8/4k3/8/4K3/4S3/4M3_w";
            ServeError::Request(format!("fen is missing: /{}?fen={example}", variant.name))
        })?;
        let wanted = |name, text: Option<&str>| parameter(name, text, "true or false");
        let lines = wanted("line", self.line.as_deref())?.unwrap_or(true);
        let searches = wanted("mate_in_time", self.mate_in_time.as_deref())?.unwrap_or(false);
        let fen = if variant.rules.end.check_loses { with_checks(&fen) } else { fen };
        let mut question = Question::of_fen(counting_rule, &fen)?;
        let moves = |name, text: Option<&str>| {
            let moves: Option<u16> = parameter(name, text, "a number of moves")?;
            Ok::<_, ServeError>(moves.map(|moves| Moves(moves.into())))
        };
        let called = moves("called", self.called.as_deref())?;
        let limit = moves("limit", self.limit.as_deref())?;
        let runner = self.counter.as_deref().map(side).transpose()?;
        match called {
            Some(called) => question.call(Call { called, runner, limit })?,
            None if limit.is_some() || runner.is_some() => {
                let message = "counter and limit need called, which is missing";
                return Err(ServeError::Request(message.to_string()));
            }
            None => {}
        }
        Ok(PositionRequest { question, lines, searches })
    }
}

/// The counting rule of this name, which must be one of the variant, or else its usual one.
///
/// # Errors
///
/// If the variant has no such counting rule.
pub fn counting_rule(
    variant: &'static Variant,
    name: Option<&str>,
) -> Result<&'static CountingRule, ServeError> {
    let Some(name) = name else { return Ok(variant.counting()) };
    let counting_rule = variants::counting_rule(name)?;
    if variant.counting_rules.contains(&counting_rule) {
        return Ok(counting_rule);
    }
    let known: Vec<&str> = variant.counting_rules.iter().map(|rule| rule.name).collect();
    Err(ServeError::Request(format!(
        "{} is not a counting rule of {}: {} is expected",
        counting_rule.name,
        variant.name,
        known.join(" or ")
    )))
}

/// The FEN with `1+1` for `1 1` between limit and count: the checks left as they come from an
/// address in which the plus is not encoded.
fn with_checks(fen: &str) -> String {
    let is_left = |field: &str| matches!(field.as_bytes(), [b'0'..=b'9']);
    let joined = |fields: &[&str]| match fields {
        [white, black] if is_left(white) && is_left(black) => format!("{white}+{black}"),
        fields => fields.join(" "),
    };
    // Where underscores are the blanks, a blank is the plus.
    if fen.contains('_') {
        let fields = fen.split('_').map(|part| joined(&part.split(' ').collect::<Vec<_>>()));
        return fields.collect::<Vec<_>>().join("_");
    }
    let fields: Vec<&str> = fen.split_whitespace().collect();
    match fields.len() {
        // More than all fields without the checks.
        7..=8 => [&fields[..4].join(" "), &joined(&fields[4..6]), &fields[6..].join(" ")]
            .map(String::as_str)
            .join(" "),
        _ => fen.to_string(),
    }
}

/// The value of a parameter; `None` if the request does not have it.
fn parameter<T: FromStr>(
    name: &str,
    text: Option<&str>,
    expected: &str,
) -> Result<Option<T>, ServeError> {
    text.map(|text| text.parse().map_err(|_| wrong_value(name, text, expected))).transpose()
}

fn side(text: &str) -> Result<Side, ServeError> {
    let known = Side::BOTH.into_iter().find(|side| side.name() == text);
    known.ok_or_else(|| wrong_value("counter", text, "white or black"))
}

/// The error of a parameter whose value cannot be read.
pub fn wrong_value(name: &str, text: &str, expected: &str) -> ServeError {
    let text = Excerpt::of(text);
    ServeError::Request(format!("{name}={text}: {expected} is expected"))
}
