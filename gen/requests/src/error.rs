//! Errors of requests: a status, a code for programs and a line for people.

use crate::draw::ExerciseError;
use sakmak_probe::boards::answer::AnswerError as BoardAnswerError;
use sakmak_probe::boards::tables::BoardProbeError;
use sakmak_probe::variant::VariantError;
use sakmak_probe::{CallError, FileError, FileProblem, ProbeError};
use sakmak_tables::counting::ImpossibleCall;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::position::fen::FenError;
use sakmak_tables::position::{IllegalPosition, PlacementError};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::{self, CountingRuleError};
use serde::Serialize;
use std::io::ErrorKind;
use utoipa::ToSchema;

/// The reason why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// No page and no path of the interface.
    #[error("not found: {0}; see /openapi.json")]
    NoPath(Excerpt),
    /// An unknown variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// An unknown variant, where board games have no answers.
    #[error(transparent)]
    ChessVariant(#[from] variants::VariantError),
    /// A position of a board game has no answer.
    #[error(transparent)]
    Board(#[from] BoardAnswerError),
    /// An unknown counting rule.
    #[error(transparent)]
    CountingRule(#[from] CountingRuleError),
    /// A parameter or a body that cannot be read.
    #[error("{0}")]
    Request(String),
    /// An unreadable FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// An impossible count.
    #[error("{0}{hint}", hint = hint(.0))]
    Call(#[from] CallError),
    /// No table has the position.
    #[error("{source}")]
    NoTable {
        /// The material of the position.
        material: Material,
        /// Maximum number of men of a table of this variant.
        largest: usize,
        /// The error of the tables.
        source: ProbeError,
    },
    /// An exercise that cannot be drawn.
    #[error(transparent)]
    Exercise(#[from] ExerciseError),
    /// A lookup failed.
    #[error(transparent)]
    Probe(ProbeError),
    /// An answer could not be written.
    #[error("{0}")]
    Internal(String),
}

/// The name of an error for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = error_code)]
pub enum ErrorCode {
    /// There is no such path.
    NoPath,
    /// The path does not have the method.
    NoMethod,
    /// There is no such variant.
    NoVariant,
    /// A parameter or a body that cannot be read.
    BadRequest,
    /// A FEN that cannot be read.
    BadFen,
    /// A first-move leap that is still allowed.
    LeapRights,
    /// A count that cannot be.
    BadCall,
    /// No table has the position.
    NoTable,
    /// No position that fits was drawn.
    NoExercise,
    /// An exercise with a margin where no count runs.
    NoCount,
    /// A body that is too long, or too many positions.
    TooLarge,
    /// Too many requests wait.
    Busy,
    /// The request took too long.
    TimedOut,
    /// A table that cannot be read.
    BadTable,
    /// Another failure of the service.
    Internal,
}

impl ErrorCode {
    /// The status of the response in HTTP.
    pub const fn status(self) -> u16 {
        match self {
            ErrorCode::BadRequest
            | ErrorCode::BadFen
            | ErrorCode::LeapRights
            | ErrorCode::BadCall
            | ErrorCode::NoCount => 400,
            ErrorCode::NoPath
            | ErrorCode::NoVariant
            | ErrorCode::NoTable
            | ErrorCode::NoExercise => 404,
            ErrorCode::NoMethod => 405,
            ErrorCode::TooLarge => 413,
            ErrorCode::Busy | ErrorCode::TimedOut => 503,
            ErrorCode::BadTable | ErrorCode::Internal => 500,
        }
    }
}

/// An error.
#[derive(Serialize, ToSchema)]
#[schema(as = error)]
pub struct ErrorJson {
    error: ErrorFields,
}

/// The fields of an error.
#[derive(Serialize, ToSchema)]
#[schema(as = error_fields)]
struct ErrorFields {
    code: ErrorCode,
    /// The error in one line.
    message: String,
    /// With the code no_table only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    missing: Option<MissingJson>,
    /// The reason for pages in other languages, where it has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<ReasonJson>,
}

/// Why a position or a count cannot be, for texts in other languages.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = reason)]
struct ReasonJson {
    name: ReasonName,
    /// The side that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    side: Option<&'static str>,
    /// The square that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    square: Option<String>,
    /// The number given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    given: Option<usize>,
    /// The least number that is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    least: Option<usize>,
    /// The greatest number that is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    most: Option<usize>,
}

/// The name of a reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = reason_name)]
enum ReasonName {
    /// The kings are adjacent; `square` has one of them.
    #[default]
    KingsAdjacent,
    /// The king of the side that has moved is in check; `square` has it.
    CheckedWaiter,
    /// A pawn of `side` is on a rank that pawns do not reach: `least` to `most` are possible.
    PawnRank,
    /// `side` has another number of kings than one: `given`.
    Kings,
    /// Nothing is counted with these pieces.
    NothingCounted,
    /// Either side may count, and none is named.
    EitherSide,
    /// `side` may not count.
    OtherSide,
    /// A number below the first: `least`.
    BelowMen,
    /// A number above the last: `most`.
    Over,
}

impl ReasonJson {
    fn of(error: &AnswerError) -> Option<ReasonJson> {
        match error {
            AnswerError::Fen(error) => ReasonJson::of_fen(error),
            AnswerError::Probe(ProbeError::Illegal(error)) => Some(ReasonJson::of_illegal(error)),
            AnswerError::Call(CallError::Impossible(error)) => ReasonJson::of_call(error),
            _ => None,
        }
    }

    fn of_fen(error: &FenError) -> Option<ReasonJson> {
        match error {
            FenError::Illegal(error) => Some(ReasonJson::of_illegal(error)),
            FenError::Placement(PlacementError::Kings { side, count }) => Some(ReasonJson {
                name: ReasonName::Kings,
                side: Some(side.name()),
                given: Some(*count),
                ..ReasonJson::default()
            }),
            FenError::OtherVariant { source, .. } => ReasonJson::of_fen(source),
            _ => None,
        }
    }

    fn of_illegal(error: &IllegalPosition) -> ReasonJson {
        let about = |name, side: Option<Side>, square: String| ReasonJson {
            name,
            side: side.map(Side::name),
            square: Some(square),
            ..ReasonJson::default()
        };
        match error {
            IllegalPosition::KingsAdjacent { white, .. } => {
                about(ReasonName::KingsAdjacent, None, white.to_string())
            }
            IllegalPosition::CheckedWaiter { side, king } => {
                about(ReasonName::CheckedWaiter, Some(*side), king.to_string())
            }
            IllegalPosition::PawnRank { side, square, first, last } => ReasonJson {
                least: Some(*first),
                most: Some(*last),
                ..about(ReasonName::PawnRank, Some(*side), square.to_string())
            },
        }
    }

    fn of_call(error: &ImpossibleCall) -> Option<ReasonJson> {
        let of = |name| ReasonJson { name, ..ReasonJson::default() };
        Some(match error {
            ImpossibleCall::NoCount(_) => of(ReasonName::NothingCounted),
            ImpossibleCall::EitherSide => of(ReasonName::EitherSide),
            ImpossibleCall::OtherSide(side) => {
                ReasonJson { side: Some(side.name()), ..of(ReasonName::OtherSide) }
            }
            ImpossibleCall::BelowMen { called, men } => ReasonJson {
                given: Some(called.0 as usize),
                least: Some(*men as usize),
                ..of(ReasonName::BelowMen)
            },
            ImpossibleCall::Over { called, limit } => ReasonJson {
                given: Some(called.0 as usize),
                most: Some(limit.0 as usize),
                ..of(ReasonName::Over)
            },
            ImpossibleCall::Limit { .. } => return None,
        })
    }
}

/// The kind of positions that no table has.
#[derive(Serialize, ToSchema)]
#[schema(as = missing)]
pub struct MissingJson {
    /// Material of the position.
    material: String,
    /// Its men, kings included.
    men: usize,
    /// The most men of a position that has an answer.
    largest: usize,
    /// Men above `largest`; 0 if only this material is missing.
    too_many: usize,
}

/// Parameter that would make the count of a request possible.
fn hint(error: &CallError) -> &'static str {
    match error {
        CallError::Impossible(ImpossibleCall::EitherSide) => ": add counter=white or counter=black",
        _ => "",
    }
}

impl AnswerError {
    /// The missing table, if a table is missing.
    pub fn missing_table(&self) -> Option<TableName> {
        match self {
            AnswerError::NoTable { source: ProbeError::Missing { table, .. }, .. } => Some(*table),
            _ => None,
        }
    }

    /// The name of the error for programs.
    pub fn code(&self) -> ErrorCode {
        match self {
            AnswerError::NoPath(_) => ErrorCode::NoPath,
            AnswerError::Variant(_) | AnswerError::ChessVariant(_) => ErrorCode::NoVariant,
            AnswerError::Board(BoardAnswerError::Fen(_) | BoardAnswerError::Illegal) => {
                ErrorCode::BadFen
            }
            AnswerError::Board(BoardAnswerError::Probe(BoardProbeError::Missing { .. })) => {
                ErrorCode::NoTable
            }
            AnswerError::Board(BoardAnswerError::Probe(BoardProbeError::Probe(_))) => {
                ErrorCode::BadTable
            }
            AnswerError::CountingRule(_) | AnswerError::Request(_) => ErrorCode::BadRequest,
            AnswerError::Fen(_) | AnswerError::Probe(ProbeError::Illegal(_)) => ErrorCode::BadFen,
            AnswerError::Probe(ProbeError::LeapRights) => ErrorCode::LeapRights,
            AnswerError::Call(_) => ErrorCode::BadCall,
            AnswerError::NoTable { .. } => ErrorCode::NoTable,
            AnswerError::Exercise(ExerciseError::NotFound { .. }) => ErrorCode::NoExercise,
            AnswerError::Exercise(ExerciseError::NoCount { .. }) => ErrorCode::NoCount,
            AnswerError::Probe(_) | AnswerError::Exercise(ExerciseError::Probe(_)) => {
                ErrorCode::BadTable
            }
            AnswerError::Internal(_) => ErrorCode::Internal,
        }
    }

    /// The error as JSON.
    pub fn json(&self) -> ErrorJson {
        let message = match self {
            AnswerError::NoTable { source: ProbeError::Missing { table, .. }, .. }
                if table.metric.counting_rule().is_some() =>
            {
                format!("no table {table}, which decides what is in time")
            }
            AnswerError::NoTable { material, largest, source: ProbeError::Missing { .. } }
                if material.men() <= *largest =>
            {
                format!("no table of {material}")
            }
            AnswerError::NoTable { material, largest, source: ProbeError::Missing { .. } } => {
                format!(
                    "no table of {material}, which has {} men: the largest tables here have \
                     {largest}",
                    material.men()
                )
            }
            AnswerError::Board(BoardAnswerError::Probe(BoardProbeError::Missing {
                table, ..
            })) => format!("no table of {table}"),
            _ => self.to_string(),
        };
        let reason = ReasonJson::of(self);
        let (code, missing) = (self.code(), self.missing());
        ErrorJson { error: ErrorFields { code, message, missing, reason } }
    }

    /// The missing material, if a table is missing.
    pub fn missing(&self) -> Option<MissingJson> {
        match self {
            AnswerError::NoTable { material, largest, .. } => Some(MissingJson {
                material: material.to_string(),
                men: material.men(),
                largest: *largest,
                too_many: material.men().saturating_sub(*largest),
            }),
            _ => None,
        }
    }

    /// Whether a source has to fetch bytes first. The request may be repeated after the fetch.
    pub fn would_block(&self) -> bool {
        match self {
            AnswerError::Probe(ProbeError::File(FileError {
                problem: FileProblem::Io(error),
                ..
            })) => error.kind() == ErrorKind::WouldBlock,
            _ => false,
        }
    }
}

impl ErrorJson {
    /// An error without further fields.
    pub fn new(code: ErrorCode, message: String) -> ErrorJson {
        ErrorJson { error: ErrorFields { code, message, missing: None, reason: None } }
    }
}
