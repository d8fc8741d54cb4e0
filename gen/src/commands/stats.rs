//! `sakmak stats`: counts a table.

use super::progress::Bars;
use super::{Failure, TablesArgument, ThreadsArgument, print};
use clap::Args;
use indicatif::HumanCount;
use sakmak_gen::shelf::Shelf;
use sakmak_gen::statistics::{SideStatistics, Statistics};
use sakmak_gen::verify::slots_to_verify;
use sakmak_tables::man::Side;
use sakmak_tables::material::Material;
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
    let material: Material = arguments.material.parse().map_err(Failure::bad_input)?;
    arguments.threads.apply()?;
    let variant = arguments.counting;
    let table = Shelf::new(&variant.rules, &arguments.tables.readable()?).bring(material)?;
    let bar = Bars::new().slots(&material.to_string(), slots_to_verify(&table));
    let statistics = Statistics::of(&table, variant, variant.counting, &|slots| bar.inc(slots))?;
    bar.finish_and_clear();
    if arguments.json {
        return print(&(serde_json::to_string_pretty(&statistics)? + "\n"));
    }
    let mut text = format!("{material}, counted as in {}\n", statistics.variant);
    let sides = [&statistics.white_to_move, &statistics.black_to_move];
    for (side, counts) in Side::BOTH.into_iter().zip(sides) {
        text += &side_text(side, counts);
    }
    text += "\nPositions of the whole board, no symmetry folded, like men alike.\n";
    print(&text)
}

fn side_text(side: Side, counts: &SideStatistics) -> String {
    let share = |part: u64| 100.0 * part as f64 / counts.legal.max(1) as f64;
    let mut text = format!("\n{} to move\n", capitalised(side.name()));
    let mut row = |name: &str, count: u64| {
        let _ = writeln!(
            text,
            "  {name:<16}{:>16} {:>7.2} %",
            HumanCount(count).to_string(),
            share(count)
        );
    };
    row("legal", counts.legal);
    for (name, all, in_time) in [
        ("wins", counts.wins, counts.wins_in_time),
        ("losses", counts.losses, counts.losses_in_time),
    ] {
        row(name, all);
        if let Some(in_time) = in_time {
            row("  in time", in_time);
        }
    }
    row("draws", counts.draws);
    for (name, longest, histogram) in [
        ("win", &counts.longest_win, &counts.win_histogram),
        ("loss", &counts.longest_loss, &counts.loss_histogram),
    ] {
        let Some(longest) = longest else { continue };
        let _ = writeln!(text, "  longest {name}: mate in {}, {}", longest.moves, longest.fen);
        for (moves, count) in histogram {
            let _ =
                writeln!(text, "  {name} in {:>4} {:>20}", moves.0, HumanCount(*count).to_string());
        }
    }
    text
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
