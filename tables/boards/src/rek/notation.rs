//! FEN, moves and materials of Rek as text.

use super::board::{self, BOARD, Material, Units, name};
use super::{Position, Rek};
use crate::game::BoardGame;
use crate::notation::{Board, Notation, NotationError, unused};

impl Notation for Rek {
    const LETTERS: &str = "KM";

    fn material_of_name(&self, name: &str) -> Result<Material, NotationError> {
        Material::of_name(name)
    }

    fn materials_of_men(&self, units: u8) -> Vec<Material> {
        Material::of_units(units)
    }

    fn position(&self, fen: &str) -> Result<Position, NotationError> {
        let Units { men, kings, side, rest } = board::parse(fen)?;
        unused(&rest)?;
        Ok(Position { men, kings, side })
    }

    fn fen(&self, position: &Position) -> String {
        board::board_and_side(position.men, position.kings, position.side)
    }

    fn letters(&self, position: &Position) -> Vec<(char, usize, usize)> {
        board::letters(position.men, position.kings)
    }

    fn mover(&self, position: &Position) -> usize {
        position.side
    }

    fn board(&self) -> Board {
        BOARD
    }

    fn text(&self, _position: &Position, (from, to): (u8, u8)) -> String {
        name(from) + &name(to)
    }

    fn takes(&self, position: &Position, (from, to): (u8, u8)) -> bool {
        self.taken(position, from, to) != 0
    }

    fn exchanged(&self, position: &Position) -> Option<Position> {
        let ([first, second], [king, other]) = (position.men, position.kings);
        let is_even = self.material(position).sides() == 1;
        is_even.then_some(Position {
            men: [second, first],
            kings: [other, king],
            side: 1 - position.side,
        })
    }

    fn must_move(&self) -> bool {
        true
    }

    fn other_to_move(&self, position: &Position) -> Option<Position> {
        Some(Position { side: 1 - position.side, ..*position })
    }
}
