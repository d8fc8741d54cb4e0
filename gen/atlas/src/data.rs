//! The overview as CSV: one row for each material and counting rule.

use crate::material_report::{GameStatistics, MaterialReport, ReportError};
use crate::words::CountAgainst;
use sakmak_analysis::statistics::{AttackStatistics, Statistics};
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;

/// Returns the overview as CSV with a header: for each counting rule, all materials in the order of
/// `all`. A cell without a value is empty.
///
/// Positions are of the whole board: like pieces are interchangeable, mirror images are counted
/// separately. They include both sides to move unless the name of the column names one. Moves
/// are the attacker's.
///
/// # Errors
///
/// Fails if the text cannot be written.
pub fn csv(all: &[MaterialReport]) -> Result<Vec<u8>, ReportError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let rules = all.first().map_or(0, |report| report.countings.len());
    let under_rule = |rule: usize| {
        all.iter().filter_map(move |report| Some((report, report.countings.get(rule)?)))
    };
    for (number, (report, counting)) in (0..rules).flat_map(under_rule).enumerate() {
        let (names, cells): (Vec<String>, Vec<String>) = row(report, counting).into_iter().unzip();
        if number == 0 {
            writer.write_record(names)?;
        }
        writer.write_record(cells)?;
    }
    writer.into_inner().map_err(|error| ReportError::Csv(error.into_error().into()))
}

/// Returns the names and cells of one row.
fn row(report: &MaterialReport, counting: &GameStatistics) -> Vec<(String, String)> {
    let statistics = &counting.statistics;
    let (white, black) = (&statistics.white_to_move, &statistics.black_to_move);
    let zugzwangs = report.mutual_zugzwangs.as_ref().map(|found| {
        let kinds = [&found.white_wins, &found.black_wins, &found.mover_loses];
        kinds.iter().map(|kind| kind.placements).sum::<u64>()
    });
    let mut cells = vec![
        cell("material", Some(&statistics.material)),
        cell("variant", Some(&statistics.variant)),
        cell("counting", Some(&statistics.counting)),
        cell("men", Some(statistics.material.material.men())),
        cell("positions", Some(white.legal + black.legal)),
        cell("draws", Some(white.draws + black.draws)),
    ];
    cells.extend(Side::BOTH.into_iter().flat_map(|side| side_cells(report, counting, side)));
    cells.push(cell("mutual_zugzwangs", zugzwangs));
    cells
}

/// Returns the names and cells of a row about the wins of one side.
fn side_cells(
    report: &MaterialReport,
    counting: &GameStatistics,
    side: Side,
) -> [(String, String); 9] {
    let [own, other] = [side, !side].map(Side::name);
    let attack = counting.statistics.attack(side);
    let against = CountAgainst::of(report.material, counting.counting_rule, side);
    let own_cell = |name: &str, number: Option<u64>| cell(&format!("{own}_{name}"), number);
    let moves = |name: String, moves: Option<Moves>| cell(&name, moves.map(|moves| moves.0));
    [
        cell(&format!("{own}_count"), Some(against.name())),
        moves(format!("{own}_limit"), against.limit),
        moves(format!("{own}_moves_{own}_to_move"), against.attacker_moves),
        moves(format!("{own}_moves_{other}_to_move"), against.runner_moves),
        own_cell("longest_mate", longest_mate(&counting.statistics, side)),
        own_cell("won", Some(attack.won)),
        own_cell("won_in_time", attack.won_in_time),
        own_cell("too_late", too_late(&attack)),
        cell(&format!("{own}_in_time"), attack.in_time.map(|in_time| in_time.name())),
    ]
}

/// Returns the name of a column and the text of its cell.
fn cell(name: &str, value: Option<impl ToString>) -> (String, String) {
    (name.to_string(), value.map_or_else(String::new, |value| value.to_string()))
}

/// Returns the number of positions that are won without a count and in which mate comes too late;
/// `None` if it is unknown.
pub fn too_late(attack: &AttackStatistics) -> Option<u64> {
    Some(attack.won.saturating_sub(attack.won_in_time?))
}

/// Returns the moves of the longest mate of a side, with either side to move.
pub fn longest_mate(statistics: &Statistics, side: Side) -> Option<u64> {
    let [own, others] = [side, !side].map(|to_move| &statistics.to_move(to_move).to_mate);
    let moves = [&own.longest_win, &others.longest_loss];
    moves.into_iter().flatten().map(|longest| longest.moves.0.into()).max()
}
