//! Exercises of the trainer over HTTP: drawn at random, and in lists.

use crate::error::ServeError;
use crate::exercise_lists::exercise_lists;
use crate::lookups::LookupQueue;
use crate::service::{SharedService, VariantPath, json_response};
use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use fastrand::Rng;
use sakmak_probe::json::json_line;
use sakmak_probe::tablebase::Tablebase;
use sakmak_requests::draw::ExerciseError;
use sakmak_requests::exercise_json::{ExerciseJson, ExerciseQuery};
use sakmak_requests::exercise_lists::ExerciseLists;
use sakmak_requests::query::{counting_rule, read_query};
use sakmak_tables::variants;
use serde::Deserialize;
use utoipa::IntoParams;

/// The parameters of a request for lists.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Name of a counting rule of the variant.
    counting: Option<String>,
}

/// An exercise drawn at random
#[utoipa::path(
    get,
    path = "/{variant}/draw",
    params(VariantPath, ExerciseQuery),
    responses((status = 200, description = "The exercise.", body = ExerciseJson))
)]
pub async fn draw(
    State(service): SharedService,
    Path(variant): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ServeError> {
    let query: ExerciseQuery = read_query(query.as_deref())?;
    let request = query.read(variants::named(&variant)?)?;
    let mut random = query.seed.map_or_else(Rng::new, Rng::with_seed);
    let seed = random.u64(..);
    let position = request.any_position()?;
    let lookup = move |tables: &Tablebase| match request.draw(tables, &mut Rng::with_seed(seed)) {
        Err(ExerciseError::Probe(error)) => Err(error),
        drawn => Ok(drawn),
    };
    let exercise = service.tables.look_up(LookupQueue::Search, &position, lookup).await??;
    let body = json_line(&ExerciseJson::new(&exercise));
    let body = body.map_err(ServeError::internal)?;
    // The next one is another.
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    Ok((headers.map(|(name, value)| (name, HeaderValue::from_static(value))), body).into_response())
}

/// The hardest, the tightest and the classic exercises of three and four men
#[utoipa::path(
    get,
    path = "/{variant}/lists",
    params(VariantPath, ListQuery),
    responses((status = 200, description = "The lists.", body = ExerciseLists))
)]
pub async fn lists(
    State(service): SharedService,
    Path(variant): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ServeError> {
    let ListQuery { counting } = read_query(query.as_deref())?;
    let counting_rule = counting_rule(variants::named(&variant)?, counting.as_deref())?;
    let tables = service.tables.listed(counting_rule)?;
    json_response(&exercise_lists(counting_rule, &tables)?)
}
