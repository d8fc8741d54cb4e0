//! Lists of exercises as JSON.

use crate::exercise_json::ExerciseJson;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The lists of exercises.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[schema(as = exercise_lists)]
pub struct ExerciseLists {
    /// Of each material the win in time that needs most moves.
    pub hardest: Vec<ListedExercise>,
    /// Wins without a move to spare, those with the fewest good moves first.
    pub tightest: Vec<ListedExercise>,
    /// The longest win in time of endings with published results, and positions of the rules.
    pub classic: Vec<ListedExercise>,
}

/// An exercise of a list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = listed_exercise)]
pub struct ListedExercise {
    #[serde(flatten)]
    #[expect(missing_docs, reason = "its fields stand beside the others in the schema")]
    pub exercise: ExerciseJson,
    /// Moves that keep the goal.
    pub good_moves: usize,
    /// Legal moves.
    pub legal_moves: usize,
    /// The publication that it comes from.
    #[schema(required)]
    pub source: Option<String>,
}
