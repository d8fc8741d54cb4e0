//! `sakmak query` for board games.

use crate::cli::CommandError;
use crate::cli::progress::Bars;
use crate::cli::query::QueryArguments;
use crate::cli::query::matches::MatchOutput;
use crate::cli::query::output::{CountRecord, CountedBy, OutputRecord};
use crate::cli::selection::boards::{board_tablebase, load, materials_with_tables};
use sakmak_analysis::board_query::{BoardMatch, BoardQuery, parse};
use sakmak_analysis::query::OrderColumn;
use sakmak_boards::list::Visitor;
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_probe::boards::tables::BoardTables;
use sakmak_probe::variant::any_of;
use sakmak_solve::boards::tables::Tables;
use serde::Serialize;
use std::collections::BTreeSet;

/// The columns of an order: no moves are counted.
const COLUMNS: [OrderColumn; 2] = [OrderColumn::Result, OrderColumn::DistanceToMate];

impl Visitor for &QueryArguments {
    type Output = Result<(), CommandError>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Result<(), CommandError> {
        run(game, self)
    }
}

/// One match.
#[derive(Serialize)]
struct BoardRecord {
    fen: String,
    /// The mover's result.
    result: &'static str,
    /// The winner's moves to the end.
    dtm: Option<u32>,
    material: String,
}

impl OutputRecord for BoardRecord {
    const COLUMNS: &[&str] = &["fen", "result", "dtm", "material"];

    fn cells(&self) -> Vec<Option<String>> {
        let BoardRecord { fen, result, dtm, material } = self;
        let dtm = dtm.map(|moves| moves.to_string());
        vec![Some(fen.clone()), Some((*result).to_string()), dtm, Some(material.clone())]
    }
}

fn run<G: Notation + SolvableGame>(
    game: &G,
    arguments: &QueryArguments,
) -> Result<(), CommandError> {
    let (texts, condition) = arguments.materials_and_condition()?;
    if let Some(order) = arguments.listing.order.filter(|order| !COLUMNS.contains(order)) {
        let (column, known) = (order.name(), any_of(COLUMNS.map(OrderColumn::name)));
        let message =
            format!("--order: {} has no column '{column}': expected {known}", game.name());
        return Err(CommandError::bad_input(message));
    }
    let listing = arguments.listing.listing()?;
    arguments.source.threads.apply()?;
    let tablebase = board_tablebase(&arguments.source.tables, &arguments.source.access)?;
    let board_tables = BoardTables::new(game, &tablebase);
    let parsed = |material| {
        Ok((material, parse(&condition, game, material).map_err(CommandError::bad_input)?))
    };
    let materials = materials_with_tables(&texts, &board_tables)?;
    let expressions =
        materials.into_iter().map(parsed).collect::<Result<Vec<_>, CommandError>>()?;
    let needed = |material, expression: &_| {
        let smaller = BoardQuery::<G>::needs_subtables(expression);
        let mut needed = if smaller { game.subtables(material) } else { Vec::new() };
        needed.push(material);
        needed
    };
    let read = expressions.iter().flat_map(|(material, expression)| needed(*material, expression));
    board_tables.require(read.collect::<BTreeSet<_>>())?;
    let bars = Bars::new();
    let mut output = MatchOutput::new(listing, arguments.format.format(), &bars);
    let mut tables = Tables::default();
    for (place, (material, expression)) in expressions.iter().enumerate() {
        load(&board_tables, &mut tables, &needed(*material, expression))?;
        let query = BoardQuery::new(game, *material, &tables, expression)?;
        let record = |found: &BoardMatch<G::Position>| {
            Some(BoardRecord {
                fen: game.fen(&found.position),
                result: found.result().name(),
                dtm: found.moves(),
                material: material.to_string(),
            })
        };
        output.begin()?;
        let meter = bars.slots(&material.to_string(), query.slots());
        let progress = |slots| meter.advance(slots);
        let by = CountedBy::Variant(game.name());
        let flow = output.take(
            place,
            &record,
            || Ok(CountRecord::new(material, by, query.count(&progress)?)),
            |first| Ok(query.first(first.most(), first.order(), &progress)?),
            |reader| Ok(query.each(reader, &progress)?),
        )?;
        meter.finish();
        if flow.is_break() {
            break;
        }
    }
    output.end(&condition)
}
