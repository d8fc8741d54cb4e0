//! Statistics as text, at most 80 columns wide: of one material in full, of several one per line.

use crate::cli::named;
use indicatif::HumanCount;
use sakmak_analysis::statistics::{
    AttackStatistics, FreshCount, InTimeExtent, SideDistances, SideStatistics, Statistics,
};
use sakmak_make::census::Histogram;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::piece::Side;
use std::fmt::Write;

/// Returns the statistics of one material. `deciding` is the table that decides which wins are in
/// time, `goal` the event that wins.
pub fn text(statistics: &Statistics, deciding: TableName, goal: &str) -> String {
    let mut text = format!("{}, counting rule {}\n", statistics.material, statistics.counting);
    let sides = [&statistics.white_to_move, &statistics.black_to_move];
    for (side, counts) in Side::BOTH.into_iter().zip(sides) {
        text += &side_text(side, counts, goal);
    }
    text += "\nPositions of the whole board; like pieces are interchangeable, mirror images are\ncounted separately.\n";
    match sides.iter().all(|side| side.at_fresh_count.is_some()) {
        true => {
            text +=
                "In time or too late: when a count starts in the position. Too late is a draw.\n"
        }
        false => {
            let _ = writeln!(text, "Wins in time are not known without the table {deciding}.");
        }
    }
    text
}

fn side_text(side: Side, counts: &SideStatistics, goal: &str) -> String {
    let share = |part: u64| 100.0 * part as f64 / counts.legal.max(1) as f64;
    let mut text = format!("\n{} to move\n", named(side));
    let mut row = |name: &str, count: u64| {
        let grouped = HumanCount(count).to_string();
        let _ = writeln!(text, "  {name:<16}{grouped:>16} {:>7.2} %", share(count));
    };
    row("legal", counts.legal);
    let section = |of: fn(&FreshCount) -> FreshCountSection| counts.at_fresh_count.as_ref().map(of);
    let wins = section(|count| FreshCountSection {
        in_time: count.wins,
        late: count.cursed_wins,
        past_clock: count.win_clock.map(|clock| (clock, count.wins_past_clock)),
    });
    let losses = section(|count| FreshCountSection {
        in_time: count.losses,
        late: count.blessed_losses,
        past_clock: count.loss_clock.map(|clock| (clock, count.losses_past_clock)),
    });
    for (name, all, section) in [("wins", counts.wins, wins), ("losses", counts.losses, losses)] {
        row(name, all);
        if let Some(section) = section.filter(|_| all > 0) {
            row("  in time", section.in_time);
            row("  too late", section.late);
            if let Some((Moves(clock), past)) = section.past_clock {
                row(&format!("  {goal} in {}+", clock + 1), past);
            }
        }
    }
    row("draws", counts.draws);
    text += &distances(&counts.to_mate, "longest", &format!("moves to {goal}"));
    if let Some(counted) = &counts.counted {
        text += &distances(counted, "longest counted", "counted distance");
    }
    text
}

/// The wins, or the losses, when a count starts in the position.
struct FreshCountSection {
    in_time: u64,
    /// Mate can be forced, but the game is a draw by the count.
    late: u64,
    /// The moves that the count leaves, and the number of positions that need more.
    past_clock: Option<(Moves, u64)>,
}

/// Returns the lines about the distances of wins and losses.
fn distances(distances: &SideDistances, longest_is: &str, by: &str) -> String {
    let SideDistances { win_histogram, loss_histogram, longest_win, longest_loss } = distances;
    let mut text = String::new();
    for (name, names, longest, histogram) in [
        ("win", "wins", longest_win, win_histogram),
        ("loss", "losses", longest_loss, loss_histogram),
    ] {
        let Some(longest) = longest else { continue };
        let _ = writeln!(text, "  {longest_is} {name}: {}, {}", longest.moves, longest.fen);
        let _ = writeln!(text, "  {names} by {by}:");
        text += &histogram_text(histogram);
    }
    text
}

/// Returns a histogram with some entries per line.
fn histogram_text(histogram: &Histogram) -> String {
    const A_LINE: usize = 4;
    let entry = |(moves, &count): (&Moves, &u64)| {
        format!(" {:>4}:{:>12}", moves.0, HumanCount(count).to_string())
    };
    let entries: Vec<String> = histogram.iter().map(entry).collect();
    entries.chunks(A_LINE).map(|line| line.concat() + "\n").collect()
}

/// Returns the heading above the lines of several materials.
pub fn head(counting_rule: &CountingRule) -> String {
    format!(
        "Positions won with no count, and the share won in time when a count starts in\n\
         the position, by the counting rule {}.\n\n\
         {:<8}{:>16}{:>9} {:<9} {:>16}{:>9}\n",
        counting_rule.name, "", "White wins", "in time", "", "Black wins", "in time",
    )
}

/// Returns the line of a material, at most 80 columns.
pub fn line(statistics: &Statistics) -> String {
    let [white, black] = [&statistics.white_attacking, &statistics.black_attacking].map(attack);
    let line = format!("{:<8}{white} {black}", statistics.material.to_string());
    line.trim_end().to_string() + "\n"
}

/// Returns the wins of a side, the share in time, and `never`, `sometimes` or `always`.
fn attack(attack: &AttackStatistics) -> String {
    let won = match attack.won {
        0 => "-".to_string(),
        won => HumanCount(won).to_string(),
    };
    let share = attack.share().map_or_else(String::new, |share| {
        // A small share is not shown as 0 %, a large one not as 100 %.
        let percent = match attack.in_time {
            Some(InTimeExtent::Sometimes) => (100.0 * share).clamp(0.01, 99.99),
            _ => 100.0 * share,
        };
        format!("{percent:.2} %")
    });
    let in_time = attack.in_time.map_or("", |in_time| in_time.name());
    format!("{won:>16}{share:>9} {in_time:<9}")
}
