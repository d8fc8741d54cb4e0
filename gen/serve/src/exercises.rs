//! Exercises of the trainer over HTTP: drawn at random, and in lists.

use crate::error::ServeError;
use crate::lookups::LookupQueue;
use crate::query::{Parameter, counting_rule, parameter, required};
use crate::service::{Parameters, SharedService, VariantPath, json_response, read_query};
use crate::trainer::draw::{ExerciseError, ExerciseRequest};
use crate::trainer::exercise::{Exercise, ExerciseGoal, Margin};
use crate::trainer::lists::{ExerciseLists, ListedExercise};
use axum::extract::{Path, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use fastrand::Rng;
use sakmak_probe::json::{category_schema, json_line, name_schema, side_schema};
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use utoipa::openapi::schema::Object;
use utoipa::{IntoParams, ToSchema};

/// The parameters of a request for an exercise.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ExerciseQuery {
    /// What the side to move has to do: mate before the count ends, or hold the draw.
    #[serde(deserialize_with = "parameter")]
    #[param(required, schema_with = goal_schema)]
    goal: Option<ExerciseGoal>,
    /// Material, such as KSMvK. The side to move has its stronger side in order to mate, the other
    /// one in order to hold.
    #[serde(deserialize_with = "parameter")]
    #[param(required, value_type = String)]
    material: Option<Material>,
    /// Range of the attacker's moves to mate with no count, such as 10-25.
    #[serde(deserialize_with = "parameter")]
    #[param(value_type = Option<String>)]
    moves: Option<RangeInclusive<Moves>>,
    /// Range of the margin to the clock, such as 0-3 or -3--1; the count stands where it leaves
    /// one. Without it a count starts in the position.
    #[serde(deserialize_with = "parameter")]
    #[param(value_type = Option<String>)]
    margin: Option<RangeInclusive<Margin>>,
    /// Side to move; without it either.
    #[serde(deserialize_with = "parameter")]
    #[param(schema_with = side_schema)]
    side: Option<Side>,
    /// Name of a counting rule of the variant.
    counting: Option<String>,
    /// A number. The same one gives the same exercise.
    #[serde(deserialize_with = "parameter")]
    seed: Option<u64>,
}

/// The parameters of a request for lists.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Name of a counting rule of the variant.
    counting: Option<String>,
}

/// An exercise.
#[derive(Serialize, ToSchema)]
#[schema(as = exercise)]
pub struct ExerciseJson {
    /// Position with its count.
    fen: String,
    /// Name of the variant.
    variant: &'static str,
    /// Material: White first.
    material: String,
    #[schema(schema_with = goal_schema)]
    goal: &'static str,
    #[schema(schema_with = category_schema)]
    category: &'static str,
    /// Plies to mate with no count: positive if the side to move mates, negative if it is mated,
    /// null for a draw.
    #[schema(required)]
    dtm: Option<i64>,
    /// The moves left on the clock minus those that the attacker needs; null if no count runs or
    /// none leaves enough.
    #[schema(required)]
    margin: Option<i32>,
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
    query: Parameters<ExerciseQuery>,
) -> Result<Response, ServeError> {
    let query = read_query(query)?;
    let counting_rule = counting_rule(variants::named(&variant)?, query.counting.as_deref())?;
    let request = query.read(counting_rule)?;
    let mut random = query.seed.map_or_else(Rng::new, Rng::with_seed);
    let seed = random.u64(..);
    let position = request.any_position()?;
    let lookup = move |tables: &Tablebase| match request.draw(tables, &mut Rng::with_seed(seed)) {
        Err(ExerciseError::Probe(error)) => Err(error),
        drawn => Ok(drawn),
    };
    let exercise = service.tables.look_up(LookupQueue::Search, &position, lookup).await??;
    let body = json_line(&ExerciseJson::of(&exercise));
    let body = body.map_err(|error| ServeError::Internal(error.to_string()))?;
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
    query: Parameters<ListQuery>,
) -> Result<Response, ServeError> {
    let ListQuery { counting } = read_query(query)?;
    let counting_rule = counting_rule(variants::named(&variant)?, counting.as_deref())?;
    let lists = service.exercise_lists.lists(&service.tables, counting_rule).await?;
    json_response(&ExerciseListsJson::of(&lists))
}

impl ExerciseQuery {
    /// The request under a counting rule.
    fn read(&self, counting_rule: &'static CountingRule) -> Result<ExerciseRequest, ServeError> {
        Ok(ExerciseRequest {
            goal: required("goal", self.goal)?,
            side: self.side,
            moves: self.moves.clone(),
            margin: self.margin.clone(),
            ..ExerciseRequest::any(counting_rule, required("material", self.material)?)
        })
    }
}

impl Parameter for ExerciseGoal {
    const EXPECTED: &'static str = "mate or hold";

    fn read(text: &str) -> Option<ExerciseGoal> {
        ExerciseGoal::ALL.into_iter().find(|goal| goal.name() == text)
    }
}

impl Parameter for Material {
    const EXPECTED: &'static str = "a material such as KSMvK";

    fn read(text: &str) -> Option<Material> {
        text.parse().ok().filter(|&material| material != Material::BARE_KINGS)
    }
}

impl Parameter for RangeInclusive<Moves> {
    const EXPECTED: &'static str = "a range of moves such as 10-25";

    fn read(text: &str) -> Option<RangeInclusive<Moves>> {
        let (first, last) = range(text)?.into_inner();
        Some(Moves(first)..=Moves(last))
    }
}

impl Parameter for RangeInclusive<Margin> {
    const EXPECTED: &'static str = "a range such as 0-3 or -3--1";

    fn read(text: &str) -> Option<RangeInclusive<Margin>> {
        let (first, last) = range(text)?.into_inner();
        Some(Margin(first)..=Margin(last))
    }
}

/// The schema of a goal.
fn goal_schema() -> Object {
    let description = "What the side to move has to do: mate before the count ends, or hold the \
                       draw.";
    name_schema(ExerciseGoal::ALL.map(ExerciseGoal::name), description)
}

/// A range such as `10-25` or `-3--1`: the numbers are parted by the first minus after a digit.
fn range<T: std::str::FromStr + PartialOrd>(text: &str) -> Option<RangeInclusive<T>> {
    let digit = text.find(|sign: char| sign.is_ascii_digit())?;
    let minus = digit + text[digit..].find('-')?;
    let range = text[..minus].parse().ok()?..=text[minus + 1..].parse().ok()?;
    (!range.is_empty()).then_some(range)
}

impl ExerciseJson {
    fn of(exercise: &Exercise) -> ExerciseJson {
        ExerciseJson {
            fen: exercise.position.fen(),
            variant: exercise.position.variant().name,
            material: exercise.position.material().material.to_string(),
            goal: exercise.goal.name(),
            category: exercise.category.name(),
            dtm: exercise.dtm.signed_plies(),
            margin: exercise.margin.map(|margin| margin.0),
        }
    }
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
            exercise: ExerciseJson::of(&listed.exercise),
            good_moves: listed.good_moves,
            legal_moves: listed.legal_moves,
            source: listed.source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_with_their_signs() {
        assert_eq!(range::<u32>("10-25"), Some(10..=25));
        assert_eq!(range::<i32>("0-0"), Some(0..=0));
        assert_eq!(range::<i32>("-3--1"), Some(-3..=-1));
        assert_eq!(range::<i32>("-1-2"), Some(-1..=2));
        for text in ["", "-", "3", "3-", "-3", "5-2", "a-b", "1-2-3", "é1-2"] {
            assert_eq!(range::<i32>(text), None, "{text}");
        }
    }
}
