//! FEN with the replies, moves and materials of Min Rek Chanh as text.

use super::{KINGS, MinRek, Move, Position};
use crate::game::BoardGame;
use crate::notation::{Board, Notation, NotationError, unused};
use crate::rek::board::{self, BOARD, Material, Units, each, first, name, rek};
use crate::rek::numbers::images;

impl Notation for MinRek {
    const LETTERS: &str = "KM";

    fn material_of_name(&self, name: &str) -> Result<Material, NotationError> {
        Material::of_name(name)
    }

    fn materials_of_men(&self, units: u8) -> Vec<Material> {
        Material::of_units(units)
    }

    fn position(&self, fen: &str) -> Result<Position, NotationError> {
        let wrong = |what: &str| NotationError(format!("not a position of Min Rek Chanh: {what}"));
        let Units { mut men, mut kings, side, rest } = board::parse(fen)?;
        unused(rest.get(1..).unwrap_or_default())?;
        let mirrored = kings.map(|king| king ^ 7) == KINGS;
        if mirrored {
            (men, kings) = (men.map(|men| images(men, 1)), KINGS);
        }
        if kings != KINGS {
            return Err(wrong("the kings stand on a2 and h7, or on h2 and a7"));
        }
        let mut position = Position { men, side, replies: [0; 4], mirrored };
        let reks = position.reks(side);
        for text in
            rest.first().filter(|&&text| text != "-").iter().flat_map(|text| text.split(','))
        {
            let mut found = false;
            for (direction, &targets) in reks.iter().enumerate() {
                for to in each(targets) {
                    let from = first(to, direction, position.occupied()).unwrap_or(to);
                    if position.name(from) + &position.name(to) == *text {
                        position.replies[direction] |= 1 << to;
                        found = true;
                    }
                }
            }
            if !found {
                return Err(wrong(&format!("{text:?} is not a rek of the side to move")));
            }
        }
        Ok(position)
    }

    fn fen(&self, position: &Position) -> String {
        let mut replies = Vec::new();
        for (direction, &targets) in position.replies.iter().enumerate() {
            for to in each(targets) {
                let from = first(to, direction, position.occupied()).unwrap_or(to);
                replies.push(position.name(from) + &position.name(to));
            }
        }
        replies.sort();
        let replies = if replies.is_empty() { "-".to_string() } else { replies.join(",") };
        let (men, kings) = position.shown();
        board::board_and_side(men, kings, position.side) + " " + &replies
    }

    fn letters(&self, position: &Position) -> Vec<(char, usize, usize)> {
        let (men, kings) = position.shown();
        board::letters(men, kings)
    }

    fn mover(&self, position: &Position) -> usize {
        position.side
    }

    fn board(&self) -> Board {
        Board { examples: &["8/7k/8/8/8/8/K1MM4/m7 w", "2M5/7k/8/4M3/8/3MM2m/K6M/8 w"], ..BOARD }
    }

    fn text(&self, position: &Position, Move { from, to, order }: Move) -> String {
        position.name(from) + &position.name(to) + if order { "!" } else { "" }
    }

    fn takes(&self, position: &Position, Move { to, .. }: Move) -> bool {
        rek(to, position.units(1 - position.side)) != 0
    }

    fn exchanged(&self, position: &Position) -> Option<Position> {
        let is_even = self.material(position).sides() == 1 && self.has_slot(position);
        // A turn by 180 degrees exchanges the squares of the kings.
        let [first, second] = position.men.map(u64::reverse_bits);
        is_even.then_some(Position { men: [second, first], side: 1 - position.side, ..*position })
    }
}

impl Position {
    /// The men and kings as the text of the position has them.
    fn shown(&self) -> ([u64; 2], [u8; 2]) {
        match self.mirrored {
            true => (self.men.map(|men| images(men, 1)), KINGS.map(|king| king ^ 7)),
            false => (self.men, KINGS),
        }
    }

    /// The name of a square in the text of the position.
    fn name(&self, square: u8) -> String {
        name(if self.mirrored { square ^ 7 } else { square })
    }
}
