//! Requests as paths with parameters.

use crate::draw::ExerciseRequest;
use crate::error::AnswerError;
use crate::exercise_json::ExerciseParameters;
use crate::query::{
    BoardRequest, ListParameters, PositionParameters, PositionRequest, counting_rule, read_query,
};
use fastrand::Rng;
use sakmak_probe::LookupBudget;
use sakmak_probe::variant::Variant;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::variants;

/// A request for JSON.
#[derive(Clone, Debug)]
pub enum Request {
    /// All variants and their tables: `/variants`.
    Variants,
    /// The answer for a position: `/{variant}`.
    Position(PositionRequest),
    /// The answer for a position of a board game: `/{variant}`.
    BoardPosition(BoardRequest),
    /// The lines of best play from a position: `/{variant}/mainline`.
    Mainline(PositionRequest),
    /// An exercise drawn at random with this seed: `/{variant}/draw`.
    Exercise(ExerciseRequest, u64),
    /// The lists of exercises under a counting rule: `/{variant}/lists`.
    Lists(&'static CountingRule),
}

impl Request {
    /// Reads the segments of a path, such as `["makruk", "mainline"]`, and its query.
    ///
    /// # Errors
    ///
    /// [`AnswerError::NoPath`] for another path, or an error about the variant or a parameter.
    pub fn read(path: &[&str], query: Option<&str>) -> Result<Request, AnswerError> {
        match *path {
            ["variants"] => Ok(Request::Variants),
            [variant] => Request::about(Variant::named(variant)?, read_query(query)?),
            [variant, "mainline"] => {
                let parameters: PositionParameters = read_query(query)?;
                let request = parameters.read(variants::named(variant)?)?;
                Ok(Request::Mainline(PositionRequest { lines: true, solution: false, ..request }))
            }
            [variant, "draw"] => {
                let parameters: ExerciseParameters = read_query(query)?;
                let request = parameters.read(variants::named(variant)?)?;
                let mut random = parameters.seed.map_or_else(Rng::new, Rng::with_seed);
                Ok(Request::Exercise(request, random.u64(..)))
            }
            [variant, "lists"] => {
                let parameters: ListParameters = read_query(query)?;
                let variant = variants::named(variant)?;
                Ok(Request::Lists(counting_rule(variant, parameters.counting.as_deref())?))
            }
            _ => Err(AnswerError::NoPath(Excerpt::of(&format!("/{}", path.join("/"))))),
        }
    }

    /// A request for the answer for a position of a variant.
    ///
    /// # Errors
    ///
    /// If the FEN cannot be read, or the count is impossible.
    pub fn about(variant: Variant, parameters: PositionParameters) -> Result<Request, AnswerError> {
        match variant {
            Variant::Chess(variant) => parameters.read(variant).map(Request::Position),
            Variant::Board(game) => parameters.read_board(game).map(Request::BoardPosition),
        }
    }

    /// The position of the request, if it has one in a variant like chess.
    pub fn position(&self) -> Option<&PositionRequest> {
        match self {
            Request::Position(request) | Request::Mainline(request) => Some(request),
            _ => None,
        }
    }

    /// Whether the same request has the same answer as long as the tables are the same.
    pub fn is_repeatable(&self) -> bool {
        self.position().is_some() || matches!(self, Request::BoardPosition(_))
    }

    /// Budget for the first answer. A mainline is searched at once. A position is searched only if
    /// the tables lack a number, which [`Answered::lacks_mates`](crate::answer::Answered) reports.
    pub fn first_budget(&self) -> LookupBudget {
        match self {
            Request::Mainline(request) if request.searches => LookupBudget::THOROUGH,
            _ => LookupBudget::NONE,
        }
    }
}
