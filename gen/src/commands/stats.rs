//! `sakmak stats`: counts a table.

use super::progress::Bars;
use super::{Failure, TablesArgument, ThreadsArgument, capitalised, print, print_json, with_table};
use clap::Args;
use indicatif::HumanCount;
use sakmak_gen::shelf::Shelf;
use sakmak_gen::statistics::{Histogram, SideStatistics, Statistics};
use sakmak_gen::verify::slots_to_verify;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::man::Side;
use sakmak_tables::variant::Variant;
use std::fmt::Write;

/// Which table to count, and how.
#[derive(Args)]
pub struct Arguments {
    /// The material, such as KSMvK
    material: String,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// The variant whose counting says what is in time
    #[arg(long, default_value = "makruk", value_parser = super::variant_named)]
    counting: &'static Variant,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let material = with_table(arguments.material.parse().map_err(Failure::bad_input)?)?;
    let variant = arguments.counting;
    let directory = arguments.tables.readable()?;
    arguments.threads.apply()?;
    let table = Shelf::new(&variant.rules, &directory).bring(TableName::to_mate(material))?;
    let bar = Bars::new().slots(&material.to_string(), slots_to_verify(&table));
    let statistics = Statistics::of(&table, variant, variant.counting(), &|slots| bar.inc(slots))?;
    bar.finish_and_clear();
    match arguments.json {
        true => print_json(&statistics),
        false => print(&text(&statistics)),
    }
}

/// The statistics as people read them, 80 columns wide.
fn text(statistics: &Statistics) -> String {
    let mut text = format!("{}, counted as in {}\n", statistics.material, statistics.variant);
    let sides = [&statistics.white_to_move, &statistics.black_to_move];
    for (side, counts) in Side::BOTH.into_iter().zip(sides) {
        text += &side_text(side, counts);
    }
    text + "\nPositions of the whole board, no symmetry folded, like men alike.\n"
}

fn side_text(side: Side, counts: &SideStatistics) -> String {
    let share = |part: u64| 100.0 * part as f64 / counts.legal.max(1) as f64;
    let mut text = format!("\n{} to move\n", capitalised(side.name()));
    let mut row = |name: &str, count: u64| {
        let grouped = HumanCount(count).to_string();
        let _ = writeln!(text, "  {name:<16}{grouped:>16} {:>7.2} %", share(count));
    };
    row("legal", counts.legal);
    for (name, all, in_time) in [
        ("wins", counts.wins, counts.wins_in_time),
        ("losses", counts.losses, counts.losses_in_time),
    ] {
        row(name, all);
        if let Some(in_time) = in_time.filter(|_| all > 0) {
            row("  in time", in_time);
        }
    }
    row("draws", counts.draws);
    for (name, names, longest, histogram) in [
        ("win", "wins", &counts.longest_win, &counts.win_histogram),
        ("loss", "losses", &counts.longest_loss, &counts.loss_histogram),
    ] {
        let Some(longest) = longest else { continue };
        let _ = writeln!(text, "  longest {name}: {}, {}", longest.moves, longest.fen);
        let _ = writeln!(text, "  {names} by moves to mate:");
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
