//! Requests answered on the calling thread.

use crate::draw::ExerciseError;
use crate::error::{AnswerError, would_block};
use crate::exercise_json::{ExerciseJson, ExerciseQuery};
use crate::found_answer::FoundAnswer;
use crate::mainline_json::MainlineJson;
use crate::query::{PositionQuery, PositionRequest, read_query};
use crate::variants_json::{ListedTables, VariantsJson};
use fastrand::Rng;
use sakmak_probe::json::json_line;
use sakmak_probe::{Answer, LookupBudget, Metric, Position, ProbeError, Tablebase};
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::position::moves::Move;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use serde::Serialize;

/// The most positions of a line that are announced ahead.
const LONGEST_LINE: usize = 500;

/// The tables of a page, which answer requests.
pub struct Answers<'a> {
    /// The tables.
    pub tables: &'a Tablebase,
    /// Lists the tables of a variant of which there are files, under its usual counting rule.
    pub listed: &'a dyn Fn(&'static Variant) -> ListedTables,
}

impl Answers<'_> {
    /// The answer of the service to a GET request for a path with its query, such as
    /// `/makruk/mainline?fen=8/8/8/4k3/8/4K3/4S3/4M3_w`: of `/variants`, `/{variant}`,
    /// `/{variant}/mainline` and `/{variant}/draw`.
    ///
    /// # Errors
    ///
    /// As the service. If [`AnswerError::would_block`], the sources of the tables have been told
    /// what is missing, as far as it is known, and the request may be made again.
    pub fn answer(&self, target: &str) -> Result<String, AnswerError> {
        let (path, query) = match target.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (target, None),
        };
        let mut names = path.split('/').skip(1);
        match (names.next(), names.next(), names.next()) {
            (Some("variants"), None, None) => {
                let listed = |variant| (variant, (self.listed)(variant));
                json(&VariantsJson::new(variants::all().into_iter().map(listed)))
            }
            (Some(variant), None, None) => {
                let query: PositionQuery = read_query(query)?;
                let request = query.read(variants::named(variant)?)?;
                json(&self.found(&request)?.json())
            }
            (Some(variant), Some("mainline"), None) => {
                let query: PositionQuery = read_query(query)?;
                let mut request = query.read(variants::named(variant)?)?;
                request.lines = true;
                let answer = self.look_up(&request)?;
                let lines = answer.lines.as_ref();
                let lines = lines.ok_or_else(|| AnswerError::Internal("no lines".to_string()))?;
                json(&MainlineJson::new(&answer, lines))
            }
            (Some(variant), Some("draw"), None) => {
                let query: ExerciseQuery = read_query(query)?;
                let request = query.read(variants::named(variant)?)?;
                let mut random = query.seed.map_or_else(Rng::new, Rng::with_seed);
                // As the service, which draws with a number that it draws.
                let mut random = Rng::with_seed(random.u64(..));
                let exercise =
                    request.draw(self.tables, &mut random).map_err(|error| match error {
                        ExerciseError::Probe(error) => match request.any_position() {
                            Ok(position) => self.error(error, &position),
                            Err(none) => none.into(),
                        },
                        error => error.into(),
                    })?;
                json(&ExerciseJson::new(&exercise))
            }
            _ => Err(AnswerError::NoPath(Excerpt::of(path))),
        }
    }

    /// The answer, or its part that the tables have.
    fn found(&self, request: &PositionRequest) -> Result<FoundAnswer, AnswerError> {
        match self.look_up(request) {
            Err(error @ AnswerError::NoTable { .. }) => {
                let asked = &request.asked;
                match self.tables.probe_partially(asked, |_| false) {
                    Ok(Some(part)) => Ok(FoundAnswer::Partial(part, error)),
                    Ok(None) => Err(error),
                    Err(error) => Err(self.error(error, &asked.position)),
                }
            }
            answer => Ok(FoundAnswer::Whole(answer?)),
        }
    }

    fn look_up(&self, request: &PositionRequest) -> Result<Answer, AnswerError> {
        let within = |budget| {
            let PositionRequest { asked, lines, .. } = request.clone();
            let position = asked.position;
            self.tables.searching(budget).probe_or_uncounted(asked, lines).map_err(|error| {
                if would_block(&error) {
                    self.announce(&position);
                    if lines {
                        self.announce_line(&position, &|now| self.after_best(now));
                        self.announce_line(&position, &|now| self.after_quickest(now));
                    }
                }
                self.error(error, &position)
            })
        };
        let answer = within(LookupBudget::NONE)?;
        if request.lacks(&answer) { within(LookupBudget::THOROUGH) } else { Ok(answer) }
    }

    /// Looks up all values of a position and its moves, so that the sources note every byte that is
    /// missing for them: a probe ends at the first one.
    fn announce(&self, position: &Position) {
        for metric in Metric::all_of(&position.variant().rules, position.counting_rule()) {
            let _ = self.tables.stored(metric, position);
            for &mv in position.legal_moves().iter() {
                let _ = self.tables.stored(metric, &position.play(mv));
            }
        }
    }

    /// Announces the positions of a line as far as it is known, and that after which it is not.
    fn announce_line(&self, position: &Position, next: &dyn Fn(&Position) -> Option<Position>) {
        let mut line = vec![position.with_count_running()];
        while let Some(after) = line.last().and_then(next) {
            // A drawn line ends where it repeats itself.
            let here = |position: &Position| position.with_clock(None).with_number(0);
            if line.len() >= LONGEST_LINE || line.iter().any(|before| here(before) == here(&after))
            {
                return;
            }
            self.announce(&after);
            line.push(after);
        }
    }

    /// The position after the best move under the count.
    fn after_best(&self, position: &Position) -> Option<Position> {
        Some(self.tables.best_move(position).ok()??.after)
    }

    /// The position after the best move with no count, as [`Tablebase::line`] has it.
    fn after_quickest(&self, position: &Position) -> Option<Position> {
        let plies = self.tables.dtm(position).ok()?.plies()?;
        let expected = Value::from_plies(Plies(plies.0.checked_sub(1)?));
        let quickest = |&mv: &Move| self.tables.dtm(&position.play(mv)).ok() == Some(expected);
        let moves = position.legal_moves();
        let best = moves.iter().copied().filter(quickest);
        Some(position.play(best.min_by_key(|mv| mv.uci(position.variant()))?))
    }

    fn error(&self, error: ProbeError, position: &Position) -> AnswerError {
        let largest = (self.listed)(position.variant()).largest;
        AnswerError::of_probe(error, position.material().material, largest)
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

    #[test]
    fn paths_and_errors_are_those_of_the_service() {
        let tables = solve_on_the_spot(Tablebase::new(), 3);
        let listed = |variant: &'static Variant| {
            ListedTables::new(&HashSet::new(), variant, variant.counting())
        };
        let answers = Answers { tables: &tables, listed: &listed };
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
            let json = answers.answer(&target).unwrap();
            assert!(json.contains(expected), "{target}: {json}");
        }
        for (target, status, message) in [
            ("/makruk/moves", 404, "not found: /makruk/moves; see /openapi.json"),
            ("/chess", 404, "'chess' is not"),
            ("/makruk?line=yes", 400, "line=yes: true or false is expected"),
            (
                "/sittuyin/draw?goal=mate&material=KSPvK",
                400,
                "positions of sittuyin with pawns are refused",
            ),
            ("/makruk?fen=8/8/8/3k4/8/7r/R7/4K3_b", 404, r#""no table of KRvKR""#),
            ("/makruk/mainline?fen=8/8/8/3k4/8/8/4R2r/4K3_w", 404, r#""no table of KRvKR""#),
        ] {
            let error = answers.answer(target).unwrap_err();
            assert_eq!(error.code().status(), status, "{target}");
            let json = json_line(&error.json()).unwrap();
            assert!(json.contains(message), "{target}: {json}");
        }
    }
}
