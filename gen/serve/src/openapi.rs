//! The description of the service, from its paths and the types of its answers.

use crate::answer_cache::JsonAnswer;
use crate::error::{ServeError, status};
use sakmak_probe::json::json_line;
use sakmak_requests::error::{ErrorCode, ErrorJson};
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, Ref, ResponseBuilder};
use utoipa::{Modify, OpenApi, PartialSchema};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Sakmak",
        version = "1",
        description = "Endgame tables of Makruk and Ouk: the interface of lila-tablebase, with \
                       the count."
    ),
    paths(
        paths::position,
        paths::positions,
        paths::mainline,
        paths::variants,
        paths::health,
        paths::metrics,
        paths::draw,
        paths::lists,
        paths::board
    ),
    components(schemas(ErrorJson)),
    modifiers(&ErrorResponses)
)]
struct Description;

/// Functions that carry the descriptions of paths.
#[expect(dead_code, reason = "they are never called")]
mod paths {
    use crate::positions_body::PositionsBody;
    use sakmak_probe::json::board_game::BoardAnswerJson;
    use sakmak_requests::error::ErrorJson;
    use sakmak_requests::exercise_json::{ExerciseJson, ExerciseParameters};
    use sakmak_requests::exercise_lists::ExerciseLists;
    use sakmak_requests::found_answer::FoundAnswerJson;
    use sakmak_requests::mainline_json::MainlineJson;
    use sakmak_requests::query::{ListParameters, PositionParameters};
    use sakmak_requests::variants_json::VariantsJson;
    use serde::Serialize;
    use utoipa::{IntoParams, ToSchema};

    /// The name of a variant in a path.
    #[derive(IntoParams)]
    #[into_params(names("variant"), parameter_in = Path)]
    pub struct VariantPath(
        /// Name of a variant, such as makruk, ouk or janggi.
        String,
    );

    /// The answer for a position.
    #[derive(Serialize, ToSchema)]
    #[serde(untagged)]
    #[schema(as = position_answer)]
    pub enum PositionAnswer<'a> {
        /// The answer in a variant like chess.
        Chess(Box<FoundAnswerJson<'a>>),
        /// The answer in a board game.
        Board(Box<BoardAnswerJson<'a>>),
    }

    /// The answer for one of many positions, or the reason why there is none.
    #[derive(Serialize, ToSchema)]
    #[serde(untagged)]
    #[schema(as = positions_entry)]
    pub enum PositionsEntry<'a> {
        /// An answer.
        Answer(PositionAnswer<'a>),
        /// The reason why there is none.
        Error(ErrorJson),
    }

    /// The answers for many positions
    #[utoipa::path(
        post,
        path = "/{variant}",
        tag = "service",
        params(VariantPath),
        request_body = PositionsBody,
        responses((
            status = 200,
            description = "Answers or errors, in the order of the positions.",
            body = [PositionsEntry]
        ))
    )]
    pub fn positions() {}

    /// Describes a path without a body.
    macro_rules! get {
        ($name:ident $path:tt $tag:tt $summary:tt $parameters:tt $($response:tt)*) => {
            #[utoipa::path(
                get,
                path = $path,
                tag = $tag,
                summary = $summary,
                params $parameters,
                responses((status = 200, $($response)*))
            )]
            pub fn $name() {}
        };
    }

    get! { position "/{variant}" "service" "The answer for a position"
    (VariantPath, PositionParameters) description = "The answer.", body = PositionAnswer }

    get! { mainline "/{variant}/mainline" "service" "Lines of best play"
    (VariantPath, PositionParameters) description = "The lines.", body = MainlineJson }

    get! { variants "/variants" "service" "The variants, and which positions of each have an answer"
    () description = "The variants.", body = VariantsJson }

    get! { health "/healthz" "service" "Confirms that the service runs"
    () description = "It runs.", body = String, content_type = "text/plain" }

    get! { metrics "/metrics" "service" "Metrics in the format of Prometheus"
    () description = "The counts.", body = String, content_type = "application/openmetrics-text" }

    get! { draw "/{variant}/draw" "exercises" "An exercise drawn at random"
    (VariantPath, ExerciseParameters) description = "The exercise.", body = ExerciseJson }

    get! { lists "/{variant}/lists" "exercises"
    "The hardest, the tightest and the classic exercises of three and four men"
    (VariantPath, ListParameters) description = "The lists.", body = ExerciseLists }

    get! { board "/{variant}/board.svg" "service" "The board of a position of a board game as SVG"
    (VariantPath, PositionParameters) description = "The board.", body = String, content_type = "image/svg+xml" }
}

/// The errors of all paths.
struct ErrorResponses;

impl Modify for ErrorResponses {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        for (path, item) in &mut api.paths.paths {
            let draws = path.ends_with("/board.svg");
            let looks_up = path.starts_with("/{variant}") && !draws;
            let posts = item.post.iter_mut().map(|operation| (operation, true));
            for (operation, has_body) in posts.chain(item.get.iter_mut().map(|get| (get, false))) {
                let errors = RESPONSES.iter().filter(|(code, _)| match code {
                    ErrorCode::Busy => looks_up || path == "/variants",
                    ErrorCode::TooLarge => has_body,
                    ErrorCode::BadRequest => looks_up || draws,
                    _ => looks_up,
                });
                errors.for_each(|&(code, description)| add_error(operation, code, description));
            }
        }
    }
}

/// The responses that are errors, by one of their codes.
const RESPONSES: [(ErrorCode, &str); 5] = [
    (
        ErrorCode::BadRequest,
        "A parameter, a body, a FEN, a count or an exercise that cannot be (bad_request, bad_fen, \
         bad_call, leap_rights, no_count).",
    ),
    (
        ErrorCode::NoTable,
        "No such variant (no_variant), no table (no_table), or no such position drawn \
         (no_exercise).",
    ),
    (ErrorCode::TooLarge, "The body is too long, or has too many positions."),
    (ErrorCode::Internal, "A table that cannot be read, or another failure of the service."),
    (ErrorCode::Busy, "Too many requests, or one that took too long: try again."),
];

/// Adds a response that is an error.
fn add_error(operation: &mut Operation, code: ErrorCode, description: &str) {
    let schema = Ref::from_schema_name("error");
    let response = ResponseBuilder::new()
        .description(description)
        .content("application/json", Content::new(Some(schema)));
    let response = match code {
        ErrorCode::Busy => {
            let seconds =
                HeaderBuilder::new().schema(Some(u32::schema())).description(Some("Seconds."));
            response.header("Retry-After", seconds.build())
        }
        _ => response,
    };
    let status = status(code).as_str().to_string();
    operation.responses.responses.insert(status, response.build().into());
}

/// The description of the service.
pub async fn document() -> Result<JsonAnswer, ServeError> {
    JsonAnswer::new(json_line(&Description::openapi()).map_err(ServeError::internal)?)
}
