//! `sakmak probe`: answers about a position.

mod json;
mod text;

use super::{Failure, TablesArgument, print, print_json};
use clap::Args;
use sakmak_gen::shelf::ShelfError;
use sakmak_probe::ProbeError;
use sakmak_tables::position::Position;
use sakmak_tables::variant::Variant;

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
    let tablebase = super::tablebase(&directory)?;
    let answer = tablebase.probe(&position).map_err(|error| match error {
        ProbeError::TooManyMen { .. } | ProbeError::LeapRights | ProbeError::Illegal(_) => {
            Failure::bad_input(error)
        }
        ProbeError::Missing { table, .. } => ShelfError::Missing { table, directory }.into(),
        _ => error.into(),
    })?;
    match arguments.json {
        true => print_json(&json::AnswerJson::new(&position, &answer)),
        false => print(&text::text(&position, &answer)),
    }
}
