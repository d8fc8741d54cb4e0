//! Exercises of the trainer over HTTP: drawn at random, and in lists.

use crate::error::ServeError;
use crate::lookups::LookupQueue;
use crate::query::{counting_rule, wrong_value};
use crate::service::{Parameters, SharedService, json_response, read_query};
use crate::trainer::draw::{ExerciseError, ExerciseRequest};
use crate::trainer::exercise::{Exercise, ExerciseGoal, Margin};
use crate::trainer::lists::{ExerciseLists, ListedExercise};
use axum::extract::{Path, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use fastrand::Rng;
use sakmak_probe::json::json_line;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The parameters of a request for an exercise, as text.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ExerciseQuery {
    goal: Option<String>,
    material: Option<String>,
    moves: Option<String>,
    margin: Option<String>,
    side: Option<String>,
    counting: Option<String>,
    /// The same number gives the same exercise.
    seed: Option<u64>,
}

/// The parameters of a request for lists.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ListQuery {
    counting: Option<String>,
}

/// An exercise.
#[derive(Serialize)]
struct ExerciseJson {
    fen: String,
    variant: &'static str,
    material: String,
    goal: &'static str,
    /// For the side to move.
    category: &'static str,
    /// The attacker's moves to mate with no count.
    moves_to_mate: Option<u32>,
    /// The moves left on the clock minus those needed.
    margin: Option<i32>,
}

/// An exercise of a list.
#[derive(Serialize)]
struct ListedExerciseJson {
    #[serde(flatten)]
    exercise: ExerciseJson,
    good_moves: usize,
    legal_moves: usize,
    source: Option<&'static str>,
}

/// The lists.
#[derive(Serialize)]
struct ExerciseListsJson {
    hardest: Vec<ListedExerciseJson>,
    tightest: Vec<ListedExerciseJson>,
    classic: Vec<ListedExerciseJson>,
}

/// An exercise drawn at random.
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

/// The lists of exercises.
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
        let material = self.material.as_deref().unwrap_or_default();
        let material = material
            .parse::<Material>()
            .ok()
            .filter(|&material| material != Material::BARE_KINGS)
            .ok_or_else(|| wrong_value("material", material, "a material such as KSMvK"))?;
        let goal = self.goal.as_deref().unwrap_or_default();
        let goal = ExerciseGoal::ALL
            .into_iter()
            .find(|known| known.name() == goal)
            .ok_or_else(|| wrong_value("goal", goal, "mate or hold"))?;
        let side = match self.side.as_deref() {
            None => None,
            Some(text) => {
                let side = Side::BOTH.into_iter().find(|side| side.name() == text);
                Some(side.ok_or_else(|| wrong_value("side", text, "white or black"))?)
            }
        };
        let moves = self.moves.as_deref().map(|text| {
            let range = range::<u32>(text).map(|range| {
                let (first, last) = range.into_inner();
                Moves(first)..=Moves(last)
            });
            range.ok_or_else(|| wrong_value("moves", text, "a range of moves such as 10-25"))
        });
        let margin = self.margin.as_deref().map(|text| {
            let range = range::<i32>(text).map(|range| {
                let (first, last) = range.into_inner();
                Margin(first)..=Margin(last)
            });
            range.ok_or_else(|| wrong_value("margin", text, "a range such as 0-3 or -3--1"))
        });
        Ok(ExerciseRequest {
            goal,
            side,
            moves: moves.transpose()?,
            margin: margin.transpose()?,
            ..ExerciseRequest::any(counting_rule, material)
        })
    }
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
            moves_to_mate: exercise.moves_to_mate.map(|moves| moves.0),
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
