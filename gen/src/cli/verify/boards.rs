//! `sakmak verify` for board games.

use crate::cli::CommandError;
use crate::cli::progress::Bars;
use crate::cli::records::Records;
use crate::cli::selection::boards::{board_tablebase, load, materials_with_tables};
use crate::cli::verify::VerifyArguments;
use sakmak_boards::game::closure;
use sakmak_boards::list::Visitor;
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_make::verify::ledger::Evidence;
use sakmak_probe::boards::tables::BoardTables;
use sakmak_probe::file::board_game::file_name;
use sakmak_solve::boards::tables::Tables;
use sakmak_solve::boards::verify::verify;

impl Visitor for &VerifyArguments {
    type Output = Result<(), CommandError>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Result<(), CommandError> {
        self.source.threads.apply()?;
        let tablebase = board_tablebase(&self.source.tables, &self.source.access)?;
        let board_tables = BoardTables::new(game, &tablebase);
        let bars = Bars::new();
        let mut records = Records::of_user(&bars);
        let mut tables = Tables::default();
        let materials =
            closure(game, materials_with_tables(self.materials.texts(), &board_tables)?);
        board_tables.require(materials.iter().copied())?;
        for material in materials {
            let name = material.to_string();
            let evidence = evidence(&board_tables, material)?;
            let mut needed = game.subtables(material);
            needed.push(material);
            if !self.again && records.has(&evidence) {
                // Every checksum is tested.
                tables.retain(&needed);
                tables.insert(game, material, board_tables.codes(material)?);
                bars.print(&format!("{name:<12} every value verified before\n"))?;
                continue;
            }
            load(&board_tables, &mut tables, &needed)?;
            let meter = bars.slots(&name, game.size(&game.layout(material)));
            verify(game, material, &tables, &|slots| meter.advance(slots))?;
            meter.finish();
            bars.print(&format!("{name:<12} every value correct\n"))?;
            records.add(evidence);
        }
        Ok(())
    }
}

/// Returns the files that the table of a material is verified with.
fn evidence<G: Notation + SolvableGame>(
    board_tables: &BoardTables<'_, G>,
    material: G::Material,
) -> Result<Evidence, CommandError> {
    let game = board_tables.game();
    let files = [material].into_iter().chain(game.subtables(material)).map(|material| {
        let file = board_tables.file(material)?;
        let name = format!("{}/{}", game.name(), file_name(material));
        Ok((name, file.map(|file| file.checksum())))
    });
    Ok(Evidence::of(files.collect::<Result<Vec<_>, CommandError>>()?))
}
