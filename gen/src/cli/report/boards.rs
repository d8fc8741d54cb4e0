//! `sakmak report` for board games.

use crate::cli::progress::Bars;
use crate::cli::report::ReportArguments;
use crate::cli::selection::boards::{board_tablebase, materials_with_tables};
use crate::cli::stats::boards::counted;
use crate::cli::{CommandError, make_directory, print};
use sakmak_analysis::board_statistics::Results;
use sakmak_atlas::{BoardLine, BoardPages, BoardReport, BoardSide, write_board_pages};
use sakmak_boards::drawing::svg;
use sakmak_boards::list::Visitor;
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::winner_moves;
use sakmak_probe::boards::answer::line;
use sakmak_probe::boards::tables::{BoardProbeError, BoardTables};
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;

impl Visitor for &ReportArguments {
    type Output = Result<(), CommandError>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Result<(), CommandError> {
        self.threads.apply()?;
        let tablebase = board_tablebase(&self.tables, &self.access)?;
        let board_tables = BoardTables::new(game, &tablebase);
        let materials = materials_with_tables(self.materials.texts(), &board_tables)?;
        board_tables.require(materials.iter().copied())?;
        make_directory(&self.output)?;
        let bars = Bars::new();
        let mut reports = Vec::new();
        for material in materials {
            let counted = counted(&board_tables, material, &bars)?;
            // If both sides have the same men, the positions have White to move, and either side's win
            // is a win of both.
            let winners: &[&[Side]] = match counted[1].positions() {
                0 => &[&Side::BOTH],
                _ => &[&[Side::White], &[Side::Black]],
            };
            let mut longest = Vec::new();
            for winners in winners {
                longest.extend(longest_win(material, &board_tables, &counted, winners)?);
            }
            let sides = counted.map(|results| side(&results));
            reports.push(BoardReport { material: material.to_string(), sides, longest });
        }
        let pages = BoardPages {
            language: self.language,
            variant: &game.name(),
            sides: game.board().sides,
        };
        write_board_pages(&self.output, &pages, &reports)?;
        let index = self.output.join("index.html");
        let materials = if reports.len() == 1 { "material" } else { "materials" };
        print(&format!("{} {materials} in {}\n", reports.len(), index.display()))
    }
}

/// The positions with one side to move.
fn side(results: &Results) -> BoardSide {
    let mut side = BoardSide { draws: results.drawn, ..BoardSide::default() };
    for (plies, &count) in (0u16..).zip(&results.lengths) {
        // Wins take an odd number of plies.
        let of = if plies % 2 == 1 { &mut side.wins } else { &mut side.losses };
        if count > 0 {
            of.insert(Moves(winner_moves(plies).into()), count);
        }
    }
    side
}

/// The longest win of one of these sides, with either side to move, and its line if the tables have
/// it.
fn longest_win<G: Notation + SolvableGame>(
    material: G::Material,
    board_tables: &BoardTables<'_, G>,
    counted: &[Results; 2],
    winners: &[Side],
) -> Result<Option<BoardLine>, CommandError> {
    let won = winners.iter().filter_map(|&winner| {
        counted[winner.index()].longest_win.map(|longest| (longest, winner, winner))
    });
    let lost = winners.iter().filter_map(|&winner| {
        counted[(!winner).index()].longest_loss.map(|longest| (longest, !winner, winner))
    });
    let moves = |((plies, _), ..): &((u16, u64), Side, Side)| winner_moves(*plies);
    // Of equally long wins, the win with the winner to move.
    let Some(((plies, slot), mover, winner)) = lost.chain(won).max_by_key(moves) else {
        return Ok(None);
    };
    let game = board_tables.game();
    let Some(position) = game.unrank(&game.layout(material), slot) else { return Ok(None) };
    let line = match line(board_tables, &position) {
        Err(BoardProbeError::Missing { .. }) => Vec::new(),
        line => line?,
    };
    Ok(Some(BoardLine {
        winner,
        moves: Moves(winner_moves(plies).into()),
        mover,
        fen: game.fen(&position),
        board: svg(game, &position),
        line,
    }))
}
