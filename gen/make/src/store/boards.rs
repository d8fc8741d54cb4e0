//! Tables of board games that are solved on the spot.

use sakmak_boards::codes::Codes;
use sakmak_boards::game::closure;
use sakmak_boards::list::{GameName, Visitor};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_probe::ProbeError;
use sakmak_probe::source::{BoardFiles, TableSource};
use sakmak_solve::boards::solver::solve;
use sakmak_solve::boards::tables::Tables;
use std::collections::BTreeSet;

/// Maximum slots of a table that is solved on the spot, together with the subtables that have no
/// file. One core solves 10 M to 20 M slots per second, so the longest wait is about two seconds.
const ON_THE_SPOT_SLOTS: u64 = 1 << 24;

/// A source that solves small tables of board games.
pub struct SolvedBoards;

impl TableSource for SolvedBoards {
    fn find_codes(
        &self,
        game: &str,
        material: &str,
        files: &BoardFiles<'_>,
    ) -> Result<Option<Codes>, ProbeError> {
        match GameName::named(game) {
            Some(game) => game.visit(Solving { material, files }),
            None => Ok(None),
        }
    }
}

/// Solves a material of a game, after the subtables that have no file.
struct Solving<'a> {
    material: &'a str,
    files: &'a BoardFiles<'a>,
}

impl Visitor for Solving<'_> {
    type Output = Result<Option<Codes>, ProbeError>;

    fn visit<G: Notation + SolvableGame>(self, game: &'static G) -> Self::Output {
        let Ok(wanted) = game.material_of_name(self.material) else { return Ok(None) };
        let (mut tables, mut slots) = (Tables::default(), 0);
        let (mut needed, mut missing) = (BTreeSet::from([wanted]), Vec::new());
        // Each material before its subtables.
        for material in closure(game, [wanted]).into_iter().rev() {
            if !needed.contains(&material) {
                continue;
            }
            let is_wanted = material == wanted;
            let codes = if is_wanted { None } else { (self.files)(&material.to_string())? };
            if let Some(codes) = codes {
                tables.insert(game, material, codes);
                continue;
            }
            slots += game.size(&game.layout(material));
            if slots > ON_THE_SPOT_SLOTS {
                return Ok(None);
            }
            needed.extend(game.subtables(material));
            missing.push(material);
        }
        for material in missing.into_iter().rev() {
            // A solver refuses large materials only.
            let Ok(codes) = solve(game, material, &tables, &|_| ()) else { return Ok(None) };
            if material == wanted {
                return Ok(Some(codes));
            }
            tables.insert(game, material, codes);
        }
        Ok(None)
    }
}
