//! Lists the legal moves of positions: for each line `VARIANT <tab> FEN` of standard input, a line
//! with the moves in order, or `illegal` or `over`. A move that ends the game has `#` (a win) or
//! `=` (a draw) behind it.

use sakmak_boards::game::{Effect, legal_moves};
use sakmak_boards::list::{GameName, Visitor};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use std::error::Error;

struct Moves<'a>(&'a str);

impl Visitor for Moves<'_> {
    type Output = Result<String, Box<dyn Error>>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Self::Output {
        let position = game.position(self.0)?;
        if game.is_illegal(&position) {
            return Ok("illegal".to_string());
        }
        if game.end(&position).is_some() {
            return Ok("over".to_string());
        }
        let mut moves = Vec::new();
        legal_moves(game, &position, |played, after| {
            let end = match after {
                Err(Effect::Wins) => "#",
                Err(Effect::Draws) => "=",
                _ => "",
            };
            moves.push(game.text(&position, played) + end);
        });
        moves.sort();
        Ok(moves.join(" "))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lines() {
        let line = line?;
        let (variant, fen) = line.split_once('\t').ok_or("a line is VARIANT, a tab and FEN")?;
        let game = GameName::named(variant).ok_or_else(|| format!("no game {variant}"))?;
        println!("{}", game.visit(Moves(fen))?);
    }
    Ok(())
}
