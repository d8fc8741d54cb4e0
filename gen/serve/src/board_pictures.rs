//! Positions of board games as pictures.

use crate::error::ServeError;
use axum::extract::{Path, RawQuery};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use sakmak_boards::drawing::svg;
use sakmak_boards::list::{GameName, Visitor};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_probe::boards::answer::AnswerError as BoardAnswerError;
use sakmak_requests::error::AnswerError;
use sakmak_requests::query::{PositionParameters, read_query};

/// Draws the board of a position of a board game as SVG.
pub async fn board(
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    uri: Uri,
) -> Result<Response, ServeError> {
    let game = GameName::named(&name).ok_or_else(|| ServeError::no_path(uri.path()))?;
    let request = read_query::<PositionParameters>(query.as_deref())?.read_board(game)?;
    let drawn = game.visit(Drawing(request.fen)).map_err(AnswerError::from)?;
    let media_type = HeaderValue::from_static("image/svg+xml");
    let kept = HeaderValue::from_static("public, max-age=86400");
    Ok(([(CONTENT_TYPE, media_type), (CACHE_CONTROL, kept)], drawn).into_response())
}

/// The FEN of a position to draw.
struct Drawing(String);

impl Visitor for Drawing {
    type Output = Result<String, BoardAnswerError>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Self::Output {
        Ok(svg(game, &game.position(&self.0)?))
    }
}
