//! The description of the service, from its paths and the types of its answers.

use crate::error::{ServeError, status};
use crate::service::json_response;
use crate::tier_games::OtherGames;
use crate::{exercises, service, tier_games};
use axum::response::Response;
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
        service::position,
        service::positions,
        service::mainline,
        service::variants,
        service::health,
        service::metrics,
        exercises::draw,
        exercises::lists,
        tier_games::position,
        tier_games::board
    ),
    components(schemas(ErrorJson)),
    modifiers(&ErrorResponses, &OtherGames)
)]
struct Description;

/// The errors of all paths.
struct ErrorResponses;

impl Modify for ErrorResponses {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        for (path, item) in &mut api.paths.paths {
            let draws = path.ends_with("/board.svg");
            let looks_up = path.starts_with("/{variant}") || path == "/janggi";
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
pub async fn document() -> Result<Response, ServeError> {
    json_response(&Description::openapi())
}
