//! Exercises of the trainer over HTTP: drawn at random, and in lists.

use crate::error::ServeError;
use crate::lookups::LookupQueue;
use crate::service::{SharedService, VariantPath, json_response};
use crate::trainer::lists::{ExerciseLists, ListedExercise};
use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use fastrand::Rng;
use sakmak_probe::json::json_line;
use sakmak_probe::tablebase::Tablebase;
use sakmak_requests::draw::ExerciseError;
use sakmak_requests::exercise_json::{ExerciseJson, ExerciseQuery};
use sakmak_requests::query::{counting_rule, read_query};
use sakmak_tables::variants;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The parameters of a request for lists.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Name of a counting rule of the variant.
    counting: Option<String>,
}

/// An exercise of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = listed_exercise)]
struct ListedExerciseJson {
    #[serde(flatten)]
    exercise: ExerciseJson,
    /// Moves that keep the goal.
    good_moves: usize,
    /// Legal moves.
    legal_moves: usize,
    /// The publication that it comes from.
    #[schema(required)]
    source: Option<&'static str>,
}

/// The lists of exercises.
#[derive(Serialize, ToSchema)]
#[schema(as = exercise_lists)]
pub struct ExerciseListsJson {
    /// Of each material the win in time that needs most moves.
    hardest: Vec<ListedExerciseJson>,
    /// Wins without a move to spare, those with the fewest good moves first.
    tightest: Vec<ListedExerciseJson>,
    /// The longest win in time of endings with published results, and positions of the rules.
    classic: Vec<ListedExerciseJson>,
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
    responses((status = 200, description = "The lists.", body = ExerciseListsJson))
)]
pub async fn lists(
    State(service): SharedService,
    Path(variant): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ServeError> {
    let ListQuery { counting } = read_query(query.as_deref())?;
    let counting_rule = counting_rule(variants::named(&variant)?, counting.as_deref())?;
    let lists = service.exercise_lists.lists(&service.tables, counting_rule).await?;
    json_response(&ExerciseListsJson::of(&lists))
}

impl ExerciseListsJson {
    fn of(lists: &ExerciseLists) -> ExerciseListsJson {
        let json = |list: &[ListedExercise]| list.iter().map(ListedExerciseJson::of).collect();
        ExerciseListsJson {
            hardest: json(&lists.hardest),
            tightest: json(&lists.tightest),
            classic: json(&lists.classic),
        }
    }
}

impl ListedExerciseJson {
    fn of(listed: &ListedExercise) -> ListedExerciseJson {
        ListedExerciseJson {
            exercise: ExerciseJson::new(&listed.exercise),
            good_moves: listed.good_moves,
            legal_moves: listed.legal_moves,
            source: listed.source,
        }
    }
}
