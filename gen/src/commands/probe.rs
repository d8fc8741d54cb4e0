//! `sakmak probe`: answers about a position.

use super::board::drawn;
use super::{Failure, TablesArgument, print};
use clap::Args;
use sakmak_gen::plane::Solver;
use sakmak_gen::shelf::ON_THE_SPOT;
use sakmak_probe::ProbeError;
use sakmak_probe::answer::{Answer, Count};
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::{Category, Honour};
use sakmak_tables::distance::Value;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::variant::Variant;
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// Which position.
#[derive(Args)]
pub struct Arguments {
    /// The position; the fields after the side to move may be left out
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    #[command(flatten)]
    tables: TablesArgument,
    /// The game: makruk or ouk
    #[arg(long, default_value = "makruk", value_parser = super::variant_named)]
    variant: &'static Variant,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let position = Position::from_fen(arguments.variant, &arguments.fen.join(" "))
        .map_err(Failure::bad_input)?;
    let directory = arguments.tables.readable()?;
    let mut tablebase = Tablebase::new().with_solver(ON_THE_SPOT, |material, rules, smaller| {
        Ok(Solver::default().solve(material, rules, smaller)?)
    });
    if directory.is_dir() {
        tablebase.add_directory(&directory)?;
    }
    let answer = tablebase.probe(&position).map_err(|error| match error {
        ProbeError::TooManyMen { .. } | ProbeError::LeapRights | ProbeError::Illegal(_) => {
            Failure::bad_input(error)
        }
        _ => error.into(),
    })?;
    if arguments.json {
        return print(&(serde_json::to_string_pretty(&as_json(&position, &answer))? + "\n"));
    }
    print(&as_text(&position, &answer))
}

/// The answer as other programs read it.
fn as_json(position: &Position, answer: &Answer) -> Json {
    let moves: Vec<Json> = answer
        .moves
        .iter()
        .map(|rated| {
            json!({
                "uci": rated.uci.to_string(),
                "san": rated.san,
                "category": rated.category.name(),
                "dtm": distance_json(rated.value),
            })
        })
        .collect();
    json!({
        "fen": position.fen(),
        "variant": position.variant().name,
        "material": position.material().material.to_string(),
        "category": answer.category.name(),
        "dtm": distance_json(answer.value),
        "count": answer.count.map(|count| json!({
            "rule": rule(count.honour),
            "limit": count.limit.0,
            "called": count.called.0,
            "moves_left": count.moves_left.0,
        })),
        "moves": moves,
        "line": answer.line.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn distance_json(value: Value) -> Option<Json> {
    Some(json!({ "plies": value.plies()?.0, "moves": value.moves()?.0 }))
}

const fn rule(honour: Honour) -> &'static str {
    match honour {
        Honour::Pieces => "pieces-honour",
        Honour::Boards => "boards-honour",
    }
}

/// The answer as people read it.
fn as_text(position: &Position, answer: &Answer) -> String {
    let mut text = format!(
        "{}, {}, {} to move\n\n{}\n",
        position.material().material,
        position.variant().name,
        position.side().name(),
        drawn(position)
    );
    let _ = writeln!(text, "Verdict: {}", verdict(position, answer));
    if let Some(count) = &answer.count {
        let _ = writeln!(text, "Count:   {}", count_text(count, answer));
    }
    if !answer.moves.is_empty() {
        text += "\nMoves, best first:\n";
    }
    for rated in &answer.moves {
        let _ = writeln!(
            text,
            "  {:<8} {:<6} {:<12} {}",
            rated.san,
            rated.uci.to_string(),
            rated.category.name(),
            distance_text(rated.value)
        );
    }
    if !answer.line.is_empty() {
        text += "\nLine to mate:\n  ";
        text += &line_text(position, answer);
        text.push('\n');
    }
    text
}

fn verdict(position: &Position, answer: &Answer) -> String {
    let (mover, other) = (position.side().name(), (!position.side()).name());
    match (answer.outcome, answer.category) {
        (Some(Outcome::Checkmate), _) => format!("{mover} is checkmated"),
        (Some(Outcome::Stalemate), _) => format!("stalemate, a draw ({mover} to move)"),
        (None, Category::Win) => format!("{mover} wins, {}", distance_text(answer.value)),
        (None, Category::Loss) => format!("{other} wins, {}", distance_text(answer.value)),
        (None, Category::Draw) => "draw".to_string(),
        (None, Category::CursedWin) => {
            format!(
                "draw by the count: {mover} has {}, but not in time",
                distance_text(answer.value)
            )
        }
        (None, Category::BlessedLoss) => {
            format!(
                "draw by the count: {other} has {}, but not in time",
                distance_text(answer.value)
            )
        }
    }
}

fn distance_text(value: Value) -> String {
    match (value.moves(), value.plies()) {
        (Some(moves), Some(plies)) => format!("mate in {moves} ({plies})"),
        _ => String::new(),
    }
}

fn count_text(count: &Count, answer: &Answer) -> String {
    let state = if count.running { "running" } else { "started here" };
    let fits = match answer.category {
        _ if count.honour == Honour::Boards => "",
        Category::Win | Category::Loss => ": the mate fits",
        Category::CursedWin | Category::BlessedLoss => ": the mate does not fit",
        Category::Draw => "",
    };
    format!(
        "{}, {state}: limit {}, {} called, {} has {} left{fits}",
        count.honour,
        count.limit.0,
        count.called.0,
        count.attacker.name(),
        count.moves_left
    )
}

/// The line with move numbers, as far as a page goes.
fn line_text(position: &Position, answer: &Answer) -> String {
    let mut text = String::new();
    let mut position = *position;
    for (ply, &mv) in answer.line.iter().enumerate() {
        let white = position.side() == sakmak_tables::man::Side::White;
        if white {
            let _ = write!(text, "{}. ", position.number());
        } else if ply == 0 {
            let _ = write!(text, "{}... ", position.number());
        }
        text += &sakmak_tables::san::san(&position, mv);
        text.push(' ');
        position = position.play(mv);
    }
    text.trim_end().to_string()
}
