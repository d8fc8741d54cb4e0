//! Says of positions what the rules say, for comparison with other programs.
//!
//! Reads `variant<TAB>FEN<TAB>moves` on standard input, the moves in UCI with spaces
//! between them, perhaps none, and writes for each line
//!
//! ```text
//! FEN<TAB>state<TAB>legal moves<TAB>SAN of the first move<TAB>state<TAB>...<TAB>FEN at the end
//! ```
//!
//! a state and the legal moves for every position passed; a state is `playing`, `check`,
//! `checkmate`, `stalemate` or `bare king`. A FEN that is refused gives `illegal` and the reason. An argument is
//! a file with more variants.

use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::san;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::{rules_file, variants};
use std::error::Error;
use std::io::{BufRead, BufWriter, Write, stdin, stdout};

#[allow(clippy::disallowed_methods, reason = "a file that the caller names")]
fn main() -> Result<(), Box<dyn Error>> {
    if let Some(rules) = std::env::args().nth(1) {
        rules_file::add(&std::fs::read_to_string(rules)?)?;
    }
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        let [variant, fen, moves] = fields[..] else {
            return Err(format!("'{line}' has not three fields").into());
        };
        match Position::from_fen(variants::named(variant)?, fen) {
            Ok(position) => writeln!(out, "{}", describe(position, moves)?)?,
            Err(error) => writeln!(out, "illegal\t{error}")?,
        }
    }
    Ok(())
}

fn describe(mut position: Position, moves: &str) -> Result<String, Box<dyn Error>> {
    let mut fields = vec![position.fen()];
    for text in moves.split_whitespace() {
        let mv = Move::from_uci(position.variant(), text)?;
        fields.extend(state_and_moves(&position));
        if !position.legal_moves().contains(&mv) {
            fields.push(format!("{text} is not legal"));
            return Ok(fields.join("\t"));
        }
        fields.push(san(&position, mv));
        position = position.play(mv);
    }
    fields.extend(state_and_moves(&position));
    fields.push(position.fen());
    Ok(fields.join("\t"))
}

fn state_and_moves(position: &Position) -> [String; 2] {
    let state = match position.outcome() {
        Some(Outcome::Checkmate) => "checkmate",
        Some(Outcome::Stalemate) => "stalemate",
        Some(Outcome::BareKing) => "bare king",
        None if position.in_check(position.side()) => "check",
        None => "playing",
    };
    let legal = position.legal_moves();
    let mut moves: Vec<String> = legal.iter().map(|mv| mv.uci(position.variant())).collect();
    moves.sort();
    [state.to_string(), moves.join(" ")]
}
