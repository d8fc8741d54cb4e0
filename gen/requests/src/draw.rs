//! Exercises drawn at random.
//!
//! ```text
//! until an exercise fits, at most TRIES times:
//!     put the men of the material on random squares
//!     not legal, or other moves to mate than asked for: again
//!     if a margin is asked for: put the count where it leaves one in the range
//!     another goal: again
//! ```
//!
//! Each placement that fits is as likely as any other.

use crate::exercise::{Exercise, ExerciseGoal, Margin};
use fastrand::Rng;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{Count, ProbeError};
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::counting::{Call, Category, CountingRule};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variants;
use std::ops::RangeInclusive;

/// Maximum number of placements tried, legal or not; they take some tenths of a second.
const TRIES: usize = 60_000;

/// A request for an exercise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExerciseRequest {
    /// The counting rule, and with it the variant.
    pub counting_rule: &'static CountingRule,
    /// The material. The player has its stronger side in order to mate, its weaker side in order
    /// to hold.
    pub material: Material,
    /// The goal of the player.
    pub goal: ExerciseGoal,
    /// The colour of the player; `None` for either.
    pub side: Option<Side>,
    /// The attacker's moves to mate with no count; `None` means any number, or no mate.
    pub moves: Option<RangeInclusive<Moves>>,
    /// The margin to the clock; `None` means the margin of a count that starts in the position.
    pub margin: Option<RangeInclusive<Margin>>,
}

/// The reason why no exercise is drawn.
#[derive(Debug, thiserror::Error)]
pub enum ExerciseError {
    /// The request has a margin, but no count runs.
    #[error("no count runs in {material} under {counting}, so no exercise of it has a margin")]
    NoCount {
        /// The material.
        material: Material,
        /// The name of the counting rule.
        counting: &'static str,
    },
    /// No placement that was tried fits.
    #[error(
        "no position to {goal} found in {material}: {legal} positions drawn at random, {seen}",
        goal = .goal.name(), seen = seen(.lengths.as_ref())
    )]
    NotFound {
        /// The material.
        material: Material,
        /// The goal.
        goal: ExerciseGoal,
        /// The number of legal positions that were probed.
        legal: usize,
        /// Range of mate lengths among the positions with this goal.
        lengths: Option<RangeInclusive<Moves>>,
    },
    /// A position cannot be probed.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

fn seen(lengths: Option<&RangeInclusive<Moves>>) -> String {
    match lengths {
        Some(lengths) => {
            format!("in which mates with this goal take {} to {}", lengths.start().0, lengths.end())
        }
        None => "in which no mate with this goal can be forced".to_string(),
    }
}

impl ExerciseRequest {
    /// A request for any exercise of a material, to mate.
    pub fn any(counting_rule: &'static CountingRule, material: Material) -> ExerciseRequest {
        let goal = ExerciseGoal::Mate;
        ExerciseRequest { counting_rule, material, goal, side: None, moves: None, margin: None }
    }

    /// Draws an exercise that fits. The same random numbers give the same exercise.
    ///
    /// # Errors
    ///
    /// If no position that was tried fits, or a table is missing.
    pub fn draw(&self, tables: &Tablebase, random: &mut Rng) -> Result<Exercise, ExerciseError> {
        if self.margin.is_some() && !self.has_count() {
            let counting = self.counting_rule.name;
            return Err(ExerciseError::NoCount { material: self.material, counting });
        }
        let (mut legal, mut lengths) = (0, None);
        for _ in 0..TRIES {
            let Some(position) = self.placed(random) else { continue };
            legal += 1;
            let values = tables.values(&position)?;
            let mate = match (self.goal, values.dtm) {
                (ExerciseGoal::Mate, Value::Win(moves)) => Some(moves),
                (ExerciseGoal::Hold, Value::Loss(moves)) => Some(moves),
                (ExerciseGoal::Hold, Value::Draw) => None,
                _ => continue,
            };
            if let Some(moves) = mate {
                lengths = Some(widened(lengths, moves));
            }
            if self
                .moves
                .as_ref()
                .is_some_and(|range| mate.is_none_or(|moves| !range.contains(&moves)))
            {
                continue;
            }
            let Some(position) = self.counted(position, values.counted, random) else { continue };
            let exercise = Exercise::of_values(position, values);
            let Some(exercise) = exercise.filter(|exercise| exercise.goal == self.goal) else {
                continue;
            };
            // Where neither side can force mate, a move must be able to lose.
            if exercise.category == Category::Draw {
                let (good, all) = exercise.good_moves(tables)?;
                if good == all {
                    continue;
                }
            }
            return Ok(exercise);
        }
        Err(ExerciseError::NotFound { material: self.material, goal: self.goal, legal, lengths })
    }

    /// Whether a count may run against the attacker.
    fn has_count(&self) -> bool {
        let armies = Side::BOTH.map(|side| self.material.army(side));
        self.counting_rule.moves_left(armies, Side::White, Side::White).is_some()
    }

    /// Places the men on random squares, with the player to move. `None` if the position is not
    /// legal.
    fn placed(&self, random: &mut Rng) -> Option<Position> {
        let kings = Side::BOTH.map(|side| Piece::new(side, PieceKind::King));
        let men = kings.into_iter().chain(self.material.pieces());
        let placed: Vec<(Piece, Square)> =
            men.map(|man| (man, Square::wrapping(random.usize(..SQUARES)))).collect();
        // White is the stronger side of a material.
        let mover = self.goal.attacker(Side::White);
        let position = Position::new(variants::counted_by(self.counting_rule), mover, placed);
        let position = position.ok()?.counted_by(self.counting_rule);
        position.legality().ok()?;
        let player = self.side.unwrap_or(if random.bool() { Side::White } else { Side::Black });
        let position = if player == mover { position } else { position.colours_exchanged() };
        Some(position.with_count_running())
    }

    /// Sets the count to leave the requested margin. Returns the position unchanged if no margin is
    /// requested, and `None` if no count leaves the margin.
    fn counted(&self, position: Position, counted: Value, random: &mut Rng) -> Option<Position> {
        let Some(range) = &self.margin else { return Some(position) };
        let attacker = self.goal.attacker(position.side());
        let count = Count::against(&position, attacker)?;
        let needed = Metric::counted_in(&position).in_moves(counted).moves()?;
        // From one move left to the whole of a count that starts here.
        let highest = Margin::new(count.moves_left, needed);
        let lowest = Margin::new(Moves(1), needed).max(*range.start());
        let margins = lowest.0..=highest.min(*range.end()).0;
        let wanted = (!margins.is_empty()).then(|| random.i32(margins))?;
        let later = highest.0.abs_diff(wanted);
        if later == 0 {
            return Some(position);
        }
        let called = Moves(count.called.0 + later);
        let call = Call { called, runner: Some(!attacker), limit: None };
        let rule = self.counting_rule;
        let called = rule.called(call, position.armies(), position.side()).ok()?;
        Some(position.with_clock(Some(called.clock)))
    }
}

/// Extends a range to include a length.
fn widened(lengths: Option<RangeInclusive<Moves>>, moves: Moves) -> RangeInclusive<Moves> {
    let (first, last) = lengths.map_or((moves, moves), RangeInclusive::into_inner);
    first.min(moves)..=last.max(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_make::store::solve_on_the_spot;

    fn tables() -> Tablebase {
        solve_on_the_spot(Tablebase::new(), 4)
    }

    fn request(counting: &str, material: &str, goal: ExerciseGoal) -> ExerciseRequest {
        let counting_rule = variants::counting_rule(counting).unwrap();
        ExerciseRequest { goal, ..ExerciseRequest::any(counting_rule, material.parse().unwrap()) }
    }

    #[test]
    fn every_exercise_is_what_was_asked_for() {
        let tables = tables();
        let mut random = Rng::with_seed(18);
        let margins = |first, last| Some(Margin(first)..=Margin(last));
        let moves = |first, last| Some(Moves(first)..=Moves(last));
        let (mate, hold) = (ExerciseGoal::Mate, ExerciseGoal::Hold);
        for (counting, material, goal, moves, margin) in [
            ("makruk", "KRvK", mate, None, None),
            ("makruk", "KRvK", mate, moves(5, 14), margins(0, 0)),
            ("makruk", "KRvK", hold, moves(6, 12), margins(-2, -1)),
            ("ouk", "KRvK", mate, moves(8, 13), margins(0, 1)),
            ("makruk", "KSMvK", mate, moves(15, 40), margins(0, 3)),
            ("makruk", "KSMvK", hold, moves(30, 50), margins(-1, -1)),
            ("ouk", "KRvKM", mate, moves(4, 12), margins(1, 6)),
            ("makruk", "KRvKN", hold, None, None),
            ("makruk", "KSPvK", mate, moves(2, 30), None),
        ] {
            for side in [None, Some(Side::White), Some(Side::Black)] {
                let asked = ExerciseRequest {
                    side,
                    moves: moves.clone(),
                    margin: margin.clone(),
                    ..request(counting, material, goal)
                };
                let case = format!("{counting} {material} {goal:?} {side:?}");
                let found = asked.draw(&tables, &mut random).unwrap();
                // As in a probe of the FEN alone.
                let fen = found.position.fen();
                let position = Position::from_fen_counted(asked.counting_rule, &fen).unwrap();
                let answer = tables.probe(&position).unwrap();
                assert_eq!(answer.category, found.category, "{case} {fen}");
                let expected = match goal {
                    ExerciseGoal::Mate => &[Category::Win][..],
                    ExerciseGoal::Hold => &[Category::BlessedLoss, Category::Draw],
                };
                assert!(expected.contains(&answer.category), "{case} {fen}");
                assert_eq!(answer.dtm, found.dtm, "{case} {fen}");
                if let Some(range) = &moves {
                    assert!(range.contains(&answer.dtm.moves().unwrap()), "{case} {fen}");
                }
                if let Some(range) = &margin {
                    let left = answer.count.unwrap().moves_left.0 as i32;
                    let margin = left - answer.counted.moves().unwrap().0 as i32;
                    assert!(range.contains(&Margin(margin)), "{case} {fen} {margin}");
                    assert_eq!(found.margin, Some(Margin(margin)), "{case} {fen}");
                }
                assert!(side.is_none_or(|side| side == position.side()), "{case} {fen}");
                let stronger = position.armies()[goal.attacker(position.side()).index()];
                assert_eq!(stronger, asked.material.army(Side::White), "{case} {fen}");
                if answer.category == Category::Draw {
                    assert!(answer.moves.iter().any(|mv| mv.category == Category::Loss), "{fen}");
                }
            }
        }
    }

    #[test]
    fn both_colours_and_many_squares_are_drawn_and_a_seed_repeats_them() {
        let tables = tables();
        let request = request("makruk", "KRvK", ExerciseGoal::Mate);
        let drawn = |seed| {
            let mut random = Rng::with_seed(seed);
            (0..60).map(|_| request.draw(&tables, &mut random).unwrap()).collect::<Vec<_>>()
        };
        let found = drawn(1);
        assert!(found == drawn(1) && found != drawn(2));
        for side in Side::BOTH {
            let of_side = found.iter().filter(|exercise| exercise.position.side() == side);
            assert!((15..=45).contains(&of_side.count()));
        }
        let files = found.iter().map(|exercise| exercise.position.king(Side::White).file());
        assert_eq!(files.collect::<std::collections::BTreeSet<_>>().len(), 8);
    }

    #[test]
    fn what_cannot_be_drawn_is_named() {
        let tables = tables();
        let draw = |request: ExerciseRequest| {
            request.draw(&tables, &mut Rng::with_seed(5)).unwrap_err().to_string()
        };
        let mate = |material| request("makruk", material, ExerciseGoal::Mate);
        let none = draw(ExerciseRequest { moves: Some(Moves(17)..=Moves(99)), ..mate("KRvK") });
        assert!(none.starts_with("no position to mate found in KRvK: "), "{none}");
        assert!(none.ends_with("in which mates with this goal take 1 to 16 moves"), "{none}");
        let never = draw(mate("KNvK"));
        assert!(never.ends_with("no mate with this goal can be forced"), "{never}");
        let margin = Some(Margin(0)..=Margin(3));
        assert_eq!(
            draw(ExerciseRequest { margin, ..mate("KPvK") }),
            "no count runs in KPvK under makruk, so no exercise of it has a margin"
        );
        let missing = request("makruk", "KRNvKM", ExerciseGoal::Mate);
        assert!(draw(missing).contains("KRNvKM"));
    }
}
