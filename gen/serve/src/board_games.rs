//! The board games with tables in a service, and the data that a page needs to draw each game.

use sakmak_boards::list::{GameName, Visitor};
use sakmak_boards::notation::{Board, Notation, square_name};
use sakmak_boards::solvable::SolvableGame;
use sakmak_requests::variants_json::{BoardGameJson, BoardGameMan};
use std::collections::BTreeMap;

/// The games that have tables.
pub fn board_games(materials: BTreeMap<GameName, Vec<String>>) -> Vec<BoardGameJson> {
    let with_tables = materials.into_iter().filter(|(_, names)| !names.is_empty());
    with_tables.map(|(name, names)| name.visit(Listed { name, names })).collect()
}

/// A game with the names of its tables.
struct Listed {
    name: GameName,
    names: Vec<String>,
}

impl Visitor for Listed {
    type Output = BoardGameJson;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> BoardGameJson {
        let Board { files, ranks, on_crossings, lines, face, names, sides, examples } =
            game.board();
        let point = |(file, rank)| square_name(file as u8, rank as u8);
        let men = G::LETTERS.chars().zip(names).map(|(material_letter, name)| {
            let letter = game.letter_in_fen(material_letter);
            let faces = [letter, letter.to_ascii_lowercase()].map(face);
            BoardGameMan { material_letter, letter, name, faces }
        });
        // Tables of positions in which a side has forfeited the win are parts of a material.
        let mut materials = self.names;
        materials.retain(|name| game.material_of_name(name).is_ok() && !name.contains('-'));
        materials.sort_by_cached_key(|name| (name.len(), name.clone()));
        materials.dedup();
        BoardGameJson {
            name: self.name.name(),
            other_names: self.name.other_names().collect(),
            files,
            ranks,
            on_crossings,
            lines: lines.iter().map(|ends| ends.map(point)).collect(),
            sides,
            men: men.collect(),
            examples,
            materials,
        }
    }
}
