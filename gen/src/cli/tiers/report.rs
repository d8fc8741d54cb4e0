//! `sakmak report` for these games.

use crate::cli::arguments::{TablesArgument, ThreadsArgument};
use crate::cli::progress::Bars;
use crate::cli::report::language_parser;
use crate::cli::tiers::selection::{all_tiers, tiers_with_files};
use crate::cli::{CommandError, make_directory, print};
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use sakmak_analysis::board_statistics::{Results, results};
use sakmak_atlas::language::Language;
use sakmak_atlas::{TierLine, TierReport, TierSide, write_tiers};
use sakmak_boards::drawing::svg;
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::winner_moves;
use sakmak_probe::Tablebase;
use sakmak_probe::boards::answer::line;
use sakmak_probe::boards::directory::{BoardProbeError, Directory};
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;
use std::path::PathBuf;

/// The help after the options.
const AFTER: &str = "\
Writes a page for each material, with results, histograms and the longest wins with their best line, \
and an overview page. Open index.html in a browser; no server is needed.

  sakmak report 4 --tables DIR -o ATLAS --variant janggi";

/// The tables, and the directory of the pages.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct ReportArguments {
    /// Materials such as KRHvKAA or KMMvKM, or numbers of men [default: all that have a table]
    #[arg(value_name = "MATERIAL|MEN")]
    materials: Vec<String>,
    #[command(flatten)]
    directory: TablesArgument,
    /// Output: directory of the pages; created if missing, existing files are overwritten
    #[arg(short, long, value_name = "PATH",
        value_parser = OsStringValueParser::new().map(PathBuf::from))]
    output: PathBuf,
    /// Language of the pages: English, Thai or Khmer
    #[arg(long, value_name = "CODE", default_value = Language::English.code(),
        value_parser = language_parser())]
    language: Language,
    /// Variant
    #[arg(long, value_name = "NAME")]
    pub variant: String,
    #[command(flatten)]
    pub threads: ThreadsArgument,
}

pub fn run<G: Notation + SolvableGame>(
    game: &G,
    arguments: &ReportArguments,
) -> Result<(), CommandError> {
    let tablebase = Tablebase::of_directory(&arguments.directory.readable()?);
    let directory = Directory::new(game, &tablebase);
    let tiers = match &arguments.materials[..] {
        [] => all_tiers(&directory)?,
        materials => tiers_with_files(materials, &directory)?,
    };
    directory.require(tiers.iter().copied())?;
    make_directory(&arguments.output)?;
    let bars = Bars::new();
    let mut reports = Vec::new();
    for tier in tiers {
        let codes = directory.codes(tier)?;
        let meter = bars.slots(&tier.to_string(), codes.slots());
        let mover = |position: &G::Position| game.mover(position);
        let counted = results(game, tier, &codes, mover, &|slots| meter.advance(slots));
        meter.finish();
        // If both sides have the same men, the positions have White to move, and either side's win is
        // a win of both.
        let winners: &[&[Side]] = match counted[1].positions() {
            0 => &[&Side::BOTH],
            _ => &[&[Side::White], &[Side::Black]],
        };
        let mut longest = Vec::new();
        for winners in winners {
            longest.extend(longest_win(tier, &directory, &counted, winners)?);
        }
        let sides = counted.map(|results| side(&results));
        reports.push(TierReport { material: tier.to_string(), sides, longest });
    }
    write_tiers(&arguments.output, arguments.language, &game.name(), &reports)?;
    let index = arguments.output.join("index.html");
    let materials = if reports.len() == 1 { "material" } else { "materials" };
    print(&format!("{} {materials} in {}\n", reports.len(), index.display()))
}

/// The positions with one side to move.
fn side(results: &Results) -> TierSide {
    let mut side = TierSide { draws: results.drawn, ..TierSide::default() };
    for (plies, &count) in (0u16..).zip(&results.lengths) {
        // Wins take an odd number of plies.
        let of = if plies % 2 == 1 { &mut side.wins } else { &mut side.losses };
        if count > 0 {
            of.insert(Moves(winner_moves(plies).into()), count);
        }
    }
    side
}

/// The longest win of one of these sides, with either side to move, and its line if the tables have it.
fn longest_win<G: Notation + SolvableGame>(
    tier: G::Material,
    directory: &Directory<'_, G>,
    counted: &[Results; 2],
    winners: &[Side],
) -> Result<Option<TierLine>, CommandError> {
    let won = winners.iter().filter_map(|&winner| {
        counted[winner.index()].longest_win.map(|longest| (longest, winner, winner))
    });
    let lost = winners.iter().filter_map(|&winner| {
        counted[(!winner).index()].longest_loss.map(|longest| (longest, !winner, winner))
    });
    let moves = |((plies, _), ..): &((u16, u64), Side, Side)| winner_moves(*plies);
    // Of equally long ones that with the winner to move.
    let Some(((plies, slot), mover, winner)) = lost.chain(won).max_by_key(moves) else {
        return Ok(None);
    };
    let game = directory.game();
    let Some(position) = game.unrank(&game.layout(tier), slot) else { return Ok(None) };
    let line = match line(directory, &position) {
        Err(BoardProbeError::Missing { .. }) => Vec::new(),
        line => line?,
    };
    Ok(Some(TierLine {
        winner,
        moves: Moves(winner_moves(plies).into()),
        mover,
        fen: game.fen(&position),
        board: svg(game, &position),
        line,
    }))
}
