//! A board drawn with letters.

use sakmak_tables::board::square::{SIDE_LENGTH, Square};
use sakmak_tables::position::Position;

/// The board, White at the bottom, a line for each rank and one for the files.
pub fn drawn(position: &Position) -> String {
    let mut text = String::new();
    for rank in (0..SIDE_LENGTH).rev() {
        text += &format!("  {}", rank + 1);
        for file in 0..SIDE_LENGTH {
            let piece = Square::at(file, rank).and_then(|square| position.at(square));
            text.push(' ');
            text.push(piece.map_or('.', |piece| piece.letter()));
        }
        text.push('\n');
    }
    text += "   ";
    for file in 0..SIDE_LENGTH {
        text.push(' ');
        text.push((b'a' + file as u8) as char);
    }
    text.push('\n');
    text
}
