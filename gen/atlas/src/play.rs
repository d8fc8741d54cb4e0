//! The longest wins, with lines of best play.

use crate::material_report::{MaterialReport, ReportError};
use sakmak_analysis::statistics::{FreshCount, LongestDistance, SideStatistics, Statistics};
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{LineEnd, ProbeError};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::san;
use sakmak_tables::rules::piece::Side;

/// A position with a line of best play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedLine {
    /// The side that wins.
    pub winner: Side,
    /// Whether this is the longest win with no count.
    pub longest: bool,
    /// The counting rules under which this is the longest win in time.
    pub counted_as: Vec<&'static CountingRule>,
    /// The winner's moves: to mate, or the moves needed of the count.
    pub moves: Moves,
    /// Whether the moves are to mate.
    pub to_mate: bool,
    /// The start position.
    pub start: Position,
    /// Each move in SAN and the position after it. Empty if a table that the line needs is missing.
    pub steps: Vec<(String, Position)>,
    /// The missing table.
    pub missing: Option<TableName>,
    /// The end of the line, or `None` without a line.
    pub end: Option<LineEnd>,
}

/// The lines on the page of a material, in order: the longest win of each side with no count, and
/// in time under each counting rule.
///
/// # Errors
///
/// If tables are broken or contradict each other. A missing table is not an error.
pub fn longest_wins(
    report: &MaterialReport,
    tablebase: &Tablebase,
) -> Result<Vec<PlayedLine>, ReportError> {
    let mut lines: Vec<PlayedLine> = Vec::new();
    for winner in Side::BOTH {
        // All variants of an atlas have the same distances.
        let Some(first) = report.countings.first() else { continue };
        let uncounted = longest(&first.statistics, winner, |side| {
            (side.to_mate.longest_win.as_ref(), side.to_mate.longest_loss.as_ref())
        });
        if let Some(longest) = uncounted {
            let start = position(first.counting_rule, longest)?;
            let line = present(tablebase.line(&start))?;
            let missing = line.as_ref().err().copied();
            let steps = steps(start, &line.unwrap_or_default());
            let last = steps.last().filter(|_| missing.is_none());
            lines.push(PlayedLine {
                winner,
                longest: true,
                counted_as: Vec::new(),
                moves: longest.moves,
                to_mate: true,
                start,
                end: last.and_then(|(_, last)| last.outcome()).map(LineEnd::Over),
                steps,
                missing,
            });
        }
        for counting in &report.countings {
            let in_time = longest(&counting.statistics, winner, |side| {
                let count: Option<&FreshCount> = side.at_fresh_count.as_ref();
                let wins = count.and_then(|count| count.longest_win.as_ref());
                (wins, count.and_then(|count| count.longest_loss.as_ref()))
            });
            let Some(longest) = in_time else { continue };
            let start = position(counting.counting_rule, longest)?;
            let line = present(tablebase.counted_line(&start))?;
            let played = PlayedLine {
                winner,
                longest: false,
                counted_as: vec![counting.counting_rule],
                moves: longest.moves,
                to_mate: counting.counting_rule.is_decided_by_mate(start.armies()),
                start,
                end: line.as_ref().ok().map(|line| line.end),
                missing: line.as_ref().err().copied(),
                steps: steps(start, &line.map(|line| line.moves).unwrap_or_default()),
            };
            match lines.iter_mut().find(|other| other.is_played_like(&played)) {
                Some(other) => other.counted_as.push(counting.counting_rule),
                None => lines.push(played),
            }
        }
    }
    Ok(lines)
}

impl PlayedLine {
    /// Whether both lines look the same on the page.
    fn is_played_like(&self, other: &PlayedLine) -> bool {
        let pieces = |position: &Position| position.pieces().collect::<Vec<_>>();
        let names =
            |line: &PlayedLine| line.steps.iter().map(|(san, _)| san.clone()).collect::<Vec<_>>();
        (self.winner, self.moves, self.to_mate) == (other.winner, other.moves, other.to_mate)
            && self.end == other.end
            && self.start.side() == other.start.side()
            && pieces(&self.start) == pieces(&other.start)
            && names(self) == names(other)
    }
}

/// The longest win of a side, with either side to move; of two equally long wins, the win with the
/// winner to move. `of` returns the mover's longest win and loss.
fn longest<'a>(
    statistics: &'a Statistics,
    winner: Side,
    of: impl Fn(&'a SideStatistics) -> (Option<&'a LongestDistance>, Option<&'a LongestDistance>),
) -> Option<&'a LongestDistance> {
    let (won, _) = of(statistics.to_move(winner));
    let (_, lost) = of(statistics.to_move(!winner));
    match (won, lost) {
        (Some(won), Some(lost)) if won.moves < lost.moves => Some(lost),
        (None, lost) => lost,
        (won, _) => won,
    }
}

fn position(
    counting_rule: &'static CountingRule,
    longest: &LongestDistance,
) -> Result<Position, ReportError> {
    let position = Position::from_fen_counted(counting_rule, &longest.fen);
    position.map_err(|error| ReportError::Io(std::io::Error::other(error)))
}

/// Separates the error of a missing table, as its name, from other errors.
fn present<T>(found: Result<T, ProbeError>) -> Result<Result<T, TableName>, ProbeError> {
    match found {
        Err(ProbeError::Missing { table, .. }) => Ok(Err(table)),
        found => found.map(Ok),
    }
}

fn steps(start: Position, moves: &[Move]) -> Vec<(String, Position)> {
    let mut now = start;
    let step = |&mv: &Move| {
        let name = san(&now, mv);
        now = now.play(mv);
        (name, now)
    };
    moves.iter().map(step).collect()
}
