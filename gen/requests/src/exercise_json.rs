//! Exercises: the parameters of a request, and the exercise as JSON.

use crate::draw::ExerciseRequest;
use crate::error::AnswerError;
use crate::exercise::{Exercise, ExerciseGoal, Margin};
use crate::query::{Parameter, counting_rule, parameter, required};
use sakmak_probe::json::{category_schema, name_schema, side_schema};
use sakmak_tables::distance::Moves;
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::position::PlacementError;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use utoipa::openapi::schema::Object;
use utoipa::{IntoParams, ToSchema};

/// The parameters of a request for an exercise.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct ExerciseParameters {
    /// Task of the side to move: mate before the count ends, or hold the draw.
    #[serde(deserialize_with = "parameter")]
    #[param(required, schema_with = goal_schema)]
    goal: Option<ExerciseGoal>,
    /// Material, such as KSMvK. The side to move has its stronger side in order to mate, the other
    /// one in order to hold.
    #[serde(deserialize_with = "parameter")]
    #[param(required, value_type = String)]
    material: Option<MaterialText>,
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
    /// A number. The same seed yields the same exercise.
    #[serde(deserialize_with = "parameter")]
    pub seed: Option<u64>,
}

/// An exercise.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = exercise)]
pub struct ExerciseJson {
    /// Position with its count.
    pub fen: String,
    /// Name of the variant.
    variant: String,
    /// Material: the stronger side first.
    pub material: String,
    #[schema(schema_with = goal_schema)]
    goal: String,
    #[schema(schema_with = category_schema)]
    category: String,
    /// Plies to mate with no count: positive if the side to move mates, negative if it is mated,
    /// null for a draw.
    #[schema(required)]
    pub dtm: Option<i64>,
    /// The moves left on the clock minus those that the attacker needs; null if no count runs or
    /// none leaves enough.
    #[schema(required)]
    pub margin: Option<i32>,
}

impl ExerciseParameters {
    /// The request about a variant.
    ///
    /// # Errors
    ///
    /// If the goal or the material is missing, the variant refuses the material or has no such
    /// counting rule.
    pub fn read(&self, variant: &'static Variant) -> Result<ExerciseRequest, AnswerError> {
        let counting_rule = counting_rule(variant, self.counting.as_deref())?;
        let MaterialText(text) = required("material", self.material.clone())?;
        let material = OrientedMaterial::read(&text, variant.rules.material_letters)
            .map_err(|error| AnswerError::Request(error.to_string()))?
            .material;
        if let Some(reason) = variant.refuses_pawns.filter(|_| variant.refuses(material)) {
            let refused = PlacementError::Pawns { variant: variant.name, reason };
            return Err(AnswerError::Request(refused.to_string()));
        }
        Ok(ExerciseRequest {
            goal: required("goal", self.goal)?,
            side: self.side,
            moves: self.moves.clone(),
            margin: self.margin.clone(),
            ..ExerciseRequest::any(counting_rule, material)
        })
    }
}

impl Parameter for ExerciseGoal {
    const EXPECTED: &'static str = "mate or hold";

    fn read(text: &str) -> Option<ExerciseGoal> {
        ExerciseGoal::ALL.into_iter().find(|goal| goal.name() == text)
    }
}

/// A material in the letters of some variant; the variant of the request has to read it.
#[derive(Clone)]
struct MaterialText(String);

impl Parameter for MaterialText {
    const EXPECTED: &'static str = "a material such as KSMvK";

    fn read(text: &str) -> Option<MaterialText> {
        let is_material = |variant: &Variant| {
            let read = OrientedMaterial::read(text, variant.rules.material_letters);
            read.is_ok_and(|read| read.material != Material::BARE_KINGS)
        };
        let mut all = variants::all();
        all.any(is_material).then(|| MaterialText(text.to_string()))
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
    let description = "Task of the side to move: mate before the count ends, or hold the draw.";
    name_schema(ExerciseGoal::ALL.map(ExerciseGoal::name), description)
}

/// Parses a range such as `10-25` or `-3--1`. The first minus after a digit separates the numbers.
fn range<T: std::str::FromStr + PartialOrd>(text: &str) -> Option<RangeInclusive<T>> {
    let digit = text.find(|sign: char| sign.is_ascii_digit())?;
    let minus = digit + text[digit..].find('-')?;
    let range = text[..minus].parse().ok()?..=text[minus + 1..].parse().ok()?;
    (!range.is_empty()).then_some(range)
}

impl ExerciseJson {
    /// The JSON of an exercise.
    pub fn new(exercise: &Exercise) -> ExerciseJson {
        ExerciseJson {
            fen: exercise.position.fen(),
            variant: exercise.position.variant().name.to_string(),
            material: exercise.position.material().material.to_string(),
            goal: exercise.goal.name().to_string(),
            category: exercise.category.name().to_string(),
            dtm: exercise.dtm.signed_plies(),
            margin: exercise.margin.map(|margin| margin.0),
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
