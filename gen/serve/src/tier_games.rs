//! Answers and boards of the games such as Janggi.

use crate::answer_cache::JsonAnswer;
use crate::error::ServeError;
use crate::lookups::LookupQueue;
use crate::tables::ServedTables;
use axum::extract::{Path, RawQuery};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use sakmak_boards::drawing::svg;
use sakmak_boards::list::{GameName, Visitor};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_probe::boards::answer::AnswerError;
use sakmak_probe::json::board_game::BoardAnswerJson;
use sakmak_probe::json::json_line;
use sakmak_requests::query::read_query;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// The parameters of a request about a position.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct GameParameters {
    /// Position; underscores may stand for blanks.
    #[param(required)]
    fen: Option<String>,
}

/// The answer for a position of a game.
///
/// # Errors
///
/// If the FEN cannot be read, or no table has the position.
pub async fn answer(
    tables: Arc<ServedTables>,
    game: GameName,
    query: Option<&str>,
) -> Result<JsonAnswer, ServeError> {
    let fen = fen(game, query)?;
    let games = Arc::clone(&tables);
    let json = move || {
        let tablebase = games.games().tablebase();
        let game = tablebase.board_game(game).map_err(ServeError::internal)?;
        json_line(&BoardAnswerJson::new(&game.answer_of(&fen)?)).map_err(ServeError::internal)
    };
    JsonAnswer::new(tables.run(LookupQueue::Lines, json).await??)
}

/// Draws the board of a position of a game as SVG.
pub async fn board(
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    uri: Uri,
) -> Result<Response, ServeError> {
    let game = GameName::named(&name).ok_or_else(|| ServeError::no_path(uri.path()))?;
    let fen = Drawing(fen(game, query.as_deref())?);
    let drawn = game.visit(fen)?;
    let media_type = HeaderValue::from_static("image/svg+xml");
    let kept = HeaderValue::from_static("public, max-age=86400");
    Ok(([(CONTENT_TYPE, media_type), (CACHE_CONTROL, kept)], drawn).into_response())
}

fn fen(game: GameName, query: Option<&str>) -> Result<String, ServeError> {
    let GameParameters { fen } = read_query(query)?;
    fen.ok_or_else(|| ServeError::request(format!("fen is missing: /{game}?fen=...")))
}

/// The FEN of a position to draw.
struct Drawing(String);

impl Visitor for Drawing {
    type Output = Result<String, AnswerError>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Self::Output {
        Ok(svg(game, &game.position(&self.0)?))
    }
}
