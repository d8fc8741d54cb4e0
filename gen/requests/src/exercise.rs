//! An exercise: a position to win or to hold under the count.

use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{Clock, Count, ProbeError, TableValues};
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use std::fmt;

/// The goal of the player, who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum ExerciseGoal {
    /// Mate before the count ends.
    Mate,
    /// Keep the draw: until the count ends if the opponent can force mate, or against an opponent
    /// that cannot.
    Hold,
}

impl ExerciseGoal {
    /// Both goals.
    pub const ALL: [ExerciseGoal; 2] = [ExerciseGoal::Mate, ExerciseGoal::Hold];

    /// The name: `mate` or `hold`.
    pub const fn name(self) -> &'static str {
        match self {
            ExerciseGoal::Mate => "mate",
            ExerciseGoal::Hold => "hold",
        }
    }

    /// The goal of the side to move in a position of this category. `None` if the side to move
    /// loses, or wins too late.
    pub const fn of(category: Category) -> Option<ExerciseGoal> {
        match category {
            Category::Win => Some(ExerciseGoal::Mate),
            Category::BlessedLoss | Category::Draw => Some(ExerciseGoal::Hold),
            Category::CursedWin | Category::Loss => None,
        }
    }

    /// The side that attacks if the player has this goal.
    pub(crate) fn attacker(self, player: Side) -> Side {
        match self {
            ExerciseGoal::Mate => player,
            ExerciseGoal::Hold => !player,
        }
    }
}

/// The moves left on the clock minus the moves that the attacker needs of the count. The mate is
/// in time if the margin is not negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Margin(pub i32);

impl Margin {
    /// The margin between the moves left and the moves needed.
    pub(crate) fn new(left: Moves, needed: Moves) -> Margin {
        Margin(left.0.cast_signed() - needed.0.cast_signed())
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A position with a goal for the side to move. The count runs in it if any applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exercise {
    /// The position.
    pub position: Position,
    /// The goal of the side to move.
    pub goal: ExerciseGoal,
    /// The category for the side to move.
    pub category: Category,
    /// The distance to mate with no count, for the side to move.
    pub dtm: Value,
    /// The margin; `None` if no count runs, or no count leaves enough moves.
    pub margin: Option<Margin>,
}

impl Exercise {
    /// The exercise in a position. If no count runs, one starts in it. `None` if the side to move
    /// has no goal in it.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::values`].
    pub fn of(tables: &Tablebase, position: &Position) -> Result<Option<Exercise>, ProbeError> {
        let position = position.with_count_running();
        Ok(Exercise::of_values(position, tables.values(&position)?))
    }

    /// [`Exercise::of`] for a position in which the count runs, with its values.
    pub(crate) fn of_values(position: Position, values: TableValues) -> Option<Exercise> {
        let category = position.category(values.dtm, values.counted);
        let over = position.outcome().is_some() || position.clock().is_some_and(Clock::is_over);
        let goal = ExerciseGoal::of(category).filter(|_| !over)?;
        let attacker = goal.attacker(position.side());
        let left = position.clock().and_then(|_| Count::against(&position, attacker));
        let counted = Metric::counted_in(&position).in_moves(values.counted);
        let margin = left.zip(counted.moves());
        Some(Exercise {
            position,
            goal,
            category,
            dtm: values.dtm,
            margin: margin.map(|(count, needed)| Margin::new(count.moves_left, needed)),
        })
    }

    /// The number of legal moves that keep the goal, and the number of legal moves.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::keeping_moves`].
    pub fn good_moves(&self, tables: &Tablebase) -> Result<(usize, usize), ProbeError> {
        let good = tables.keeping_moves(&self.position)?.len();
        Ok((good, self.position.legal_moves().len()))
    }
}
