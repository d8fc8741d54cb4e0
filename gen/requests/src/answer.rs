//! Answers requests on the calling thread.

use crate::draw::ExerciseError;
use crate::error::AnswerError;
use crate::exercise_json::ExerciseJson;
use crate::exercise_lists::ExerciseLists;
use crate::found_answer::FoundAnswerJson;
use crate::mainline_json::MainlineJson;
use crate::query::{BoardRequest, PositionRequest};
use crate::request::Request;
use crate::variants_json::{BoardGameJson, ListedTables, VariantsJson};
use fastrand::Rng;
use sakmak_probe::boards::answer::Answer as BoardAnswer;
use sakmak_probe::json::board_game::BoardAnswerJson;
use sakmak_probe::json::json_line;
use sakmak_probe::{Answer, LookupBudget, ProbeError, TableName, Tablebase};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::material::Material;
use sakmak_tables::variants;
use serde::Serialize;
use std::sync::Arc;

/// The tables and lists that answers come from.
pub trait Environment {
    /// The tables of all variants.
    fn tables(&self) -> Arc<Tablebase>;

    /// The tables with files that a counting rule needs.
    fn listed(&self, counting_rule: &'static CountingRule) -> ListedTables;

    /// The answer for a position of a board game.
    ///
    /// # Errors
    ///
    /// If the position has no answer. By default no board game has one.
    fn board_answer(&self, request: &BoardRequest) -> Result<BoardAnswer, AnswerError> {
        // No variant like chess has the name of a board game.
        variants::named(request.game.name())?;
        Err(AnswerError::Internal("no board game".to_string()))
    }

    /// The board games that have tables.
    fn board_games(&self) -> Vec<BoardGameJson> {
        Vec::new()
    }

    /// Whether the caller generates this missing table and repeats the request.
    fn is_awaited(&self, table: TableName) -> bool {
        let _ = table;
        false
    }

    /// The lists of exercises under a counting rule. `None` without lists.
    ///
    /// # Errors
    ///
    /// If the lists cannot be read.
    fn exercise_lists(
        &self,
        counting_rule: &'static CountingRule,
    ) -> Result<Option<ExerciseLists>, AnswerError> {
        let _ = counting_rule;
        Ok(None)
    }
}

/// An answer as JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// The JSON.
    pub json: String,
    /// Whether the request asks for mates in time that the tables lack: with a larger budget the
    /// answer may have them.
    pub lacks_mates: bool,
}

impl Request {
    /// Answers the request. Mates in time that the tables lack are searched within the budget.
    ///
    /// # Errors
    ///
    /// If the request has no answer. After [`AnswerError::would_block`] it may be repeated, and so
    /// may it after [`AnswerError::NoTable`] once an awaited table is generated.
    pub fn answer(
        &self,
        environment: &dyn Environment,
        budget: LookupBudget,
    ) -> Result<Answered, AnswerError> {
        let json = match self {
            Request::Variants => {
                let listed = variants::all()
                    .map(|variant| (variant, environment.listed(variant.counting())));
                json(&VariantsJson::new(listed.collect::<Vec<_>>(), environment.board_games()))?
            }
            Request::Position(request) => return request.answer(environment, budget),
            Request::BoardPosition(request) => {
                json(&BoardAnswerJson::new(&environment.board_answer(request)?))?
            }
            Request::Mainline(request) => {
                let answer = request.look_up(environment, budget)?;
                let lines = answer.lines.as_ref();
                let lines = lines.ok_or_else(|| AnswerError::Internal("no lines".to_string()))?;
                json(&MainlineJson::new(&answer, lines))?
            }
            Request::Exercise(request, seed) => {
                let tables = environment.tables();
                let drawn = request.draw(&tables, &mut Rng::with_seed(*seed));
                let exercise = drawn.map_err(|error| match error {
                    ExerciseError::Probe(error) => {
                        failed(environment, error, request.material, request.counting_rule)
                    }
                    error => error.into(),
                })?;
                json(&ExerciseJson::new(&exercise))?
            }
            Request::Lists(counting_rule) => match environment.exercise_lists(counting_rule)? {
                Some(lists) => json(&lists)?,
                None => {
                    let variant = variants::counted_by(counting_rule).name;
                    return Err(AnswerError::NoPath(Excerpt::of(&format!("/{variant}/lists"))));
                }
            },
        };
        Ok(Answered { json, lacks_mates: false })
    }
}

impl PositionRequest {
    /// The answer for the position as JSON: whole, or else of the moves that lead into tables.
    fn answer(
        &self,
        environment: &dyn Environment,
        budget: LookupBudget,
    ) -> Result<Answered, AnswerError> {
        let is_awaited = |table| environment.is_awaited(table);
        let error = match self.look_up(environment, budget) {
            Err(error @ AnswerError::NoTable { .. })
                if !error.missing_table().is_some_and(is_awaited) =>
            {
                error
            }
            answer => {
                let answer = answer?;
                let lacks_mates = self.searches && answer.has_unknown_mate();
                return Ok(Answered { json: json(&FoundAnswerJson::whole(&answer))?, lacks_mates });
            }
        };
        let tables = environment.tables();
        let part = tables.probe_partially(&self.asked, is_awaited);
        match part.map_err(|error| self.failed(environment, error))? {
            Some(part) => {
                let json = json(&FoundAnswerJson::partial(&part, &error))?;
                Ok(Answered { json, lacks_mates: false })
            }
            None => Err(error),
        }
    }

    /// Looks up the position. The count is left out if its table is missing and not awaited.
    ///
    /// # Errors
    ///
    /// If no table has the position, or a table cannot be read.
    pub fn look_up(
        &self,
        environment: &dyn Environment,
        budget: LookupBudget,
    ) -> Result<Answer, AnswerError> {
        let PositionRequest { asked, lines, .. } = self;
        let tables = environment.tables();
        let is_final = |table: &TableName| !environment.is_awaited(*table);
        let searching = tables.searching(budget);
        let answer = match searching.probe(asked.clone(), *lines) {
            Err(error) => match error.missing_counts().filter(is_final) {
                Some(missing) => tables.probe_uncounted(asked.clone(), *lines, missing),
                None => Err(error),
            },
            answer => answer,
        };
        let answer = match answer {
            Ok(answer) if self.solution => searching.with_solution(answer),
            answer => answer,
        };
        answer.map_err(|error| self.failed(environment, error))
    }

    fn failed(&self, environment: &dyn Environment, error: ProbeError) -> AnswerError {
        let position = &self.asked.position;
        failed(environment, error, position.material().material, position.counting_rule())
    }
}

/// The error of a lookup of a position of this material.
fn failed(
    environment: &dyn Environment,
    source: ProbeError,
    material: Material,
    counting_rule: &'static CountingRule,
) -> AnswerError {
    match source {
        ProbeError::TooManyMen { .. } | ProbeError::Missing { .. } => {
            let ListedTables { largest, .. } = environment.listed(counting_rule);
            AnswerError::NoTable { material, largest, source }
        }
        source => AnswerError::Probe(source),
    }
}

fn json(value: &impl Serialize) -> Result<String, AnswerError> {
    json_line(value).map_err(|error| AnswerError::Internal(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_make::store::solve_on_the_spot;
    use std::collections::HashSet;

    /// Tables of three men and no files.
    struct ThreeMen(Arc<Tablebase>);

    impl Environment for ThreeMen {
        fn tables(&self) -> Arc<Tablebase> {
            Arc::clone(&self.0)
        }

        fn listed(&self, counting_rule: &'static CountingRule) -> ListedTables {
            let variant = variants::counted_by(counting_rule);
            ListedTables::new(&HashSet::new(), variant, counting_rule)
        }
    }

    fn answer(environment: &ThreeMen, target: &str) -> Result<String, AnswerError> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let path: Vec<&str> = path.split('/').skip(1).collect();
        let request = Request::read(&path, Some(query))?;
        Ok(request.answer(environment, request.first_budget())?.json)
    }

    #[test]
    fn paths_have_answers_or_errors() {
        let tables = ThreeMen(Arc::new(solve_on_the_spot(Tablebase::new(), 3)));
        let fen = "fen=8/8/8/3k4/8/8/4R3/4K3_w_-_-_0_1";
        for (target, expected) in [
            (format!("/makruk?{fen}"), r#""category":"win""#),
            (format!("/makruk/mainline?{fen}"), r#""winner":"w""#),
            ("/makruk/draw?goal=mate&material=KRvK&seed=1".to_string(), r#""goal":"mate""#),
            ("/variants".to_string(), r#""largest":4"#),
            (
                "/makruk?fen=8/8/8/3k4/8/8/4R2r/4K3_w".to_string(),
                r#""missing":{"material":"KRvKR","men":4,"largest":4,"too_many":0}"#,
            ),
        ] {
            let json = answer(&tables, &target).unwrap();
            assert!(json.contains(expected), "{target}: {json}");
        }
        for (target, status, message) in [
            ("/makruk/moves", 404, "not found: /makruk/moves; see /openapi.json"),
            ("/xiangqi", 404, "'xiangqi' is not"),
            ("/makruk?line=yes", 400, "line=yes: expected true or false"),
            (
                "/sittuyin/draw?goal=mate&material=KSPvK",
                400,
                "positions of sittuyin with pawns are refused",
            ),
            ("/makruk?fen=8/8/8/3k4/8/7r/R7/4K3_b", 404, r#""no table of KRvKR""#),
            ("/makruk/mainline?fen=8/8/8/3k4/8/8/4R2r/4K3_w", 404, r#""no table of KRvKR""#),
        ] {
            let error = answer(&tables, target).unwrap_err();
            assert_eq!(error.code().status(), status, "{target}");
            let json = json_line(&error.json()).unwrap();
            assert!(json.contains(message), "{target}: {json}");
        }
    }
}
