//! The statistics of one material as people read them, 80 columns wide.

use crate::cli::capitalised;
use indicatif::HumanCount;
use sakmak_gen::analysis::census::Histogram;
use sakmak_gen::analysis::statistics::{FreshCount, Longest, SideStatistics, Statistics};
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::piece::Side;
use std::fmt::Write;

/// The statistics; `deciding` is the table that says what is in time.
pub fn text(statistics: &Statistics, deciding: TableName) -> String {
    let mut text = format!("{}, counted as in {}\n", statistics.material, statistics.counting);
    let sides = [&statistics.white_to_move, &statistics.black_to_move];
    for (side, counts) in Side::BOTH.into_iter().zip(sides) {
        text += &side_text(side, counts);
    }
    text += "\nPositions of the whole board, no symmetry folded, like men alike.\n";
    match sides.iter().all(|side| side.at_fresh_count.is_some()) {
        true => text += "In time: with a count that starts in the position.\n",
        false => {
            let _ = writeln!(text, "What is in time is not known without the table {deciding}.");
        }
    }
    text
}

fn side_text(side: Side, counts: &SideStatistics) -> String {
    let share = |part: u64| 100.0 * part as f64 / counts.legal.max(1) as f64;
    let mut text = format!("\n{} to move\n", capitalised(side.name()));
    let mut row = |name: &str, count: u64| {
        let grouped = HumanCount(count).to_string();
        let _ = writeln!(text, "  {name:<16}{grouped:>16} {:>7.2} %", share(count));
    };
    row("legal", counts.legal);
    let grades = |grade: fn(&FreshCount) -> FreshCountSection| counts.at_fresh_count.as_ref().map(grade);
    let wins = grades(|count| FreshCountSection {
        in_time: count.wins,
        late: ("  cursed", count.cursed_wins),
        past_clock: count.win_clock.map(|clock| (clock, count.wins_past_clock)),
    });
    let losses = grades(|count| FreshCountSection {
        in_time: count.losses,
        late: ("  blessed", count.blessed_losses),
        past_clock: count.loss_clock.map(|clock| (clock, count.losses_past_clock)),
    });
    for (name, all, grade) in [("wins", counts.wins, wins), ("losses", counts.losses, losses)] {
        row(name, all);
        if let Some(grade) = grade.filter(|_| all > 0) {
            row("  in time", grade.in_time);
            row(grade.late.0, grade.late.1);
            if let Some((Moves(clock), past)) = grade.past_clock {
                row(&format!("  mate past {clock}"), past);
            }
        }
    }
    row("draws", counts.draws);
    let to_mate = [
        ("win", "wins", &counts.longest_win, &counts.win_histogram),
        ("loss", "losses", &counts.longest_loss, &counts.loss_histogram),
    ];
    text += &distances(to_mate, "longest", "moves to mate");
    if let Some(counted) = &counts.counted {
        let counted = [
            ("win", "wins", &counted.longest_win, &counted.win_histogram),
            ("loss", "losses", &counted.longest_loss, &counted.loss_histogram),
        ];
        text += &distances(counted, "longest counted", "counted distance");
    }
    text
}

/// What is won, or lost, with a count that starts in the position.
struct FreshCountSection {
    in_time: u64,
    /// What is not in time, and what it is called.
    late: (&'static str, u64),
    /// The moves there are to mate, and how many positions need more of them.
    past_clock: Option<(Moves, u64)>,
}

/// A name for one and for several, the longest, all.
type DistanceSection<'a> = (&'a str, &'a str, &'a Option<Longest>, &'a Histogram);

/// Wins and losses by their distances.
fn distances(wins_and_losses: [DistanceSection<'_>; 2], longest_is: &str, by: &str) -> String {
    let mut text = String::new();
    for (name, names, longest, histogram) in wins_and_losses {
        let Some(longest) = longest else { continue };
        let _ = writeln!(text, "  {longest_is} {name}: {}, {}", longest.moves, longest.fen);
        let _ = writeln!(text, "  {names} by {by}:");
        text += &histogram_text(histogram);
    }
    text
}

/// A histogram, some entries to a line.
fn histogram_text(histogram: &Histogram) -> String {
    const A_LINE: usize = 4;
    let entry = |(moves, &count): (&Moves, &u64)| {
        format!(" {:>4}:{:>12}", moves.0, HumanCount(count).to_string())
    };
    let entries: Vec<String> = histogram.iter().map(entry).collect();
    entries.chunks(A_LINE).map(|line| line.concat() + "\n").collect()
}
