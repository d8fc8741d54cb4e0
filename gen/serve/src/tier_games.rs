//! Answers and boards of the games that are solved by tiers, such as Janggi.
//!
//! Their tables are files of the service's directories; none are made for a request.

use crate::error::ServeError;
use crate::lookups::LookupQueue;
use crate::service::{self, Service, SharedService, json_response};
use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sakmak_boards::drawing::svg;
use sakmak_boards::list::{NAMES, Visitor, named, visit};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_probe::boards::answer::{Answer, AnswerError};
use sakmak_probe::boards::cache::BlockCache;
use sakmak_probe::boards::directory::Directory;
use sakmak_requests::query::read_query;
use sakmak_tables::variants;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Arc;
use utoipa::openapi::OpenApi;
use utoipa::{IntoParams, Modify};

/// The parameters of a request.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct TierQuery {
    /// Position; underscores may stand for blanks.
    #[param(required)]
    fen: Option<String>,
}

/// The answer for a position of Janggi
#[utoipa::path(
    get,
    path = "/janggi",
    operation_id = "janggi",
    params(TierQuery),
    responses((status = 200, description = "The answer.", body = Answer))
)]
pub async fn position(
    service: &Service,
    name: &'static str,
    query: Option<&str>,
) -> Result<Response, ServeError> {
    let (directory, cache) = (service.directory.clone(), service.tables.tier_cache());
    let asked = Asked { fen: fen(name, query)?, directory, cache };
    let answer = service.tables.run(LookupQueue::Lines, move || visit(name, asked)).await?;
    json_response(&answer.ok_or_else(|| ServeError::internal(name))??)
}

/// The board of a position of Janggi as SVG
#[utoipa::path(
    get,
    path = "/janggi/board.svg",
    operation_id = "janggi_board",
    params(TierQuery),
    responses((status = 200, description = "The board.", body = String, content_type = "image/svg+xml"))
)]
pub async fn board(name: &'static str, query: Option<&str>) -> Result<Response, ServeError> {
    let drawn =
        visit(name, Drawn(fen(name, query)?)).ok_or_else(|| ServeError::internal(name))??;
    let media_type = HeaderValue::from_static("image/svg+xml");
    let kept = HeaderValue::from_static("public, max-age=86400");
    Ok(([(CONTENT_TYPE, media_type), (CACHE_CONTROL, kept)], drawn).into_response())
}

/// Adds the paths of the other games to those of Janggi.
pub struct OtherGames;

impl Modify for OtherGames {
    fn modify(&self, api: &mut OpenApi) {
        for (path, id) in [("", ""), ("/board.svg", "_board")] {
            let Some(item) = api.paths.paths.get(&format!("/janggi{path}")).cloned() else {
                continue;
            };
            for name in NAMES {
                let mut item = item.clone();
                if let Some(operation) = &mut item.get {
                    operation.operation_id = Some(format!("{name}{id}").replace('-', "_"));
                    let summary = operation.summary.take().unwrap_or_default();
                    operation.summary = Some(summary.replace("Janggi", name));
                }
                api.paths.paths.insert(format!("/{name}{path}"), item);
            }
        }
    }
}

/// The answer for a position of a variant, or of one of these games by another name or spelling than
/// that of its path.
pub async fn position_of_any(
    State(service): SharedService,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ServeError> {
    match named(&name) {
        Some(game) if variants::named(&name).is_err() => {
            position(&service, game, query.as_deref()).await
        }
        _ => service::position(State(service), Path(name), RawQuery(query), uri, headers).await,
    }
}

/// The paths of these games.
pub fn paths() -> Router<Arc<Service>> {
    let other =
        async move |Path(name): Path<String>, RawQuery(query): RawQuery, uri: Uri| match named(
            &name,
        ) {
            Some(name) => board(name, query.as_deref()).await,
            None => Err(ServeError::no_path(uri.path())),
        };
    let others = Router::new().route("/{variant}/board.svg", get(other));
    NAMES.into_iter().fold(others, |router, name| {
        let answer = async move |State(service): SharedService, RawQuery(query): RawQuery| {
            position(&service, name, query.as_deref()).await
        };
        let picture = async move |RawQuery(query): RawQuery| board(name, query.as_deref()).await;
        router
            .route(&format!("/{name}"), get(answer))
            .route(&format!("/{name}/board.svg"), get(picture))
    })
}

fn fen(name: &str, query: Option<&str>) -> Result<String, ServeError> {
    let TierQuery { fen } = read_query(query)?;
    fen.ok_or_else(|| ServeError::request(format!("fen is missing: /{name}?fen=...")))
}

/// A position whose answer is asked for.
struct Asked {
    fen: String,
    directory: PathBuf,
    cache: Arc<BlockCache>,
}

impl Visitor for Asked {
    type Output = Result<Answer, AnswerError>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Self::Output {
        Answer::new(&Directory::of(game, [&*self.directory], self.cache), &self.fen)
    }
}

/// The FEN of a position to be drawn.
struct Drawn(String);

impl Visitor for Drawn {
    type Output = Result<String, AnswerError>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Self::Output {
        Ok(svg(game, &game.position(&self.0)?))
    }
}
