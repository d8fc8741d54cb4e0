//! A board drawn as SVG.
//!
//! Men stand on squares or, in Janggi, on the crossings of lines. A square is 46 units wide, and so
//! is the distance between two lines.

use crate::notation::{Board, Notation};
use std::fmt::Write;

/// The distance between two files or ranks.
const UNIT: usize = 46;
/// The space around the outermost men, with the letters of files and the numbers of ranks.
const RIM: usize = 28;

const WOOD: &str = "#e7c48f";
const LINE: &str = "#7a5430";
/// The colours of the first side and of the second.
const SIDES: [&str; 2] = ["#14693a", "#b3261e"];

/// A position as an SVG document, with the first side at the bottom.
pub fn svg<G: Notation>(game: &G, position: &G::Position) -> String {
    let Board { files, ranks, on_crossings, lines, face, .. } = game.board();
    let (x, y) = (
        |file: usize| RIM + UNIT * file + UNIT / 2,
        |rank: usize| RIM / 4 + UNIT * (ranks - 1 - rank) + UNIT / 2,
    );
    let (width, height) = (RIM + UNIT * files + RIM / 4, RIM / 4 + UNIT * ranks + RIM);
    let fen = game.fen(position);
    let mut drawn = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>{fen}</title>\n\
         <rect x=\"{RIM}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{WOOD}\"/>\n",
        RIM / 4,
        UNIT * files,
        UNIT * ranks
    );
    let mut path = String::new();
    let mut stroke = |[(x, y), (to_x, to_y)]: [(usize, usize); 2]| {
        let _ = write!(path, "M{x} {y}L{to_x} {to_y}");
    };
    // Lines on which men stand begin at the outermost men, others at the edge.
    let half = if on_crossings { 0 } else { UNIT / 2 };
    let more = usize::from(!on_crossings);
    for file in 0..files + more {
        let at = x(file) - half;
        stroke([(at, y(ranks - 1) - half), (at, y(0) + half)]);
    }
    for rank in 0..ranks + more {
        let at = y(0) + half - UNIT * rank;
        stroke([(x(0) - half, at), (x(files - 1) + half, at)]);
    }
    for line in lines {
        stroke(line.map(|(file, rank)| (x(file), y(rank))));
    }
    let _ = writeln!(drawn, "<path d=\"{path}\" stroke=\"{LINE}\" stroke-width=\"1.2\"/>");
    drawn +=
        "<g text-anchor=\"middle\" dominant-baseline=\"central\" font-family=\"sans-serif\">\n";
    let text = |x: usize, y: usize, size: usize, color: &str, text: &str| {
        format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{color}\">{text}</text>\n")
    };
    for file in 0..files {
        let letter = char::from(b'a' + file as u8).to_string();
        drawn += &text(x(file), height - RIM / 2, 14, LINE, &letter);
    }
    for rank in 0..ranks {
        drawn += &text(RIM / 2, y(rank), 14, LINE, &(rank + 1).to_string());
    }
    for (letter, file, rank) in game.letters(position) {
        let (x, y) = (x(file), y(rank));
        let color = SIDES[usize::from(letter.is_lowercase())];
        let radius = if letter.eq_ignore_ascii_case(&'k') { 21 } else { 18 };
        let _ = write!(
            drawn,
            "<g><title>{letter}</title><circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"#fdf6e3\" \
             stroke=\"{color}\" stroke-width=\"2.5\"/>"
        );
        match face(letter) {
            "" => {}
            // If no font has the sign, the letter below names the piece.
            face => {
                let below = letter.to_ascii_uppercase().to_string();
                drawn += text(x, y - 3, radius + 2, color, face).trim_end();
                drawn += text(x, y + radius - 6, 9, color, &below).trim_end();
            }
        }
        drawn += "</g>\n";
    }
    drawn + "</g>\n</svg>\n"
}
