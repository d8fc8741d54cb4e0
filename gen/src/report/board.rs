//! A board drawn as SVG.

use super::pieces::{symbol, symbols};
use maud::{Markup, html};
use sakmak_tables::position::Position;
use sakmak_tables::square::SIDE_LENGTH;

/// What boards of a page refer to: the empty board and the men. Squares are 1 by 1, a8 at the
/// origin; the letters and numbers stand outside.
pub fn symbols_of_boards() -> Markup {
    let last = SIDE_LENGTH - 1;
    html! {
        svg class="symbols" width="0" height="0" aria-hidden="true" {
            defs {
                (symbols())
                g id="board" {
                    rect width="8" height="8" fill="#e7c48f" {}
                    // A Makruk board is of one colour; a shade helps to see where mets go.
                    @for place in 0..SIDE_LENGTH * SIDE_LENGTH {
                        @let (file, row) = (place % SIDE_LENGTH, place / SIDE_LENGTH);
                        @if (file + row) % 2 == 1 {
                            rect x=(file) y=(row) width="1" height="1" fill="#ddb67d" {}
                        }
                    }
                    @for line in 0..=SIDE_LENGTH {
                        path d=(format!("M{line} 0V8M0 {line}H8")) stroke="#7a5430"
                            stroke-width="0.03" {}
                    }
                    rect width="8" height="8" fill="none" stroke="#5b3c1e" stroke-width="0.1" {}
                    @for at in 0..SIDE_LENGTH {
                        text x=(format!("{}.5", at)) y="8.42" class="rim" {
                            (char::from(b'a' + at as u8))
                        }
                        text x="-0.25" y=(format!("{}.62", last - at)) class="rim" { (at + 1) }
                    }
                }
            }
        }
    }
}

/// A board, White at the bottom; the men are in a group of their own that a script may fill
/// anew.
pub fn board(position: &Position, label: &str) -> Markup {
    html! {
        svg class="board" viewBox="-0.5 -0.1 8.65 8.65" role="img" aria-label=(label) {
            use href="#board" {}
            g class="men" {
                @for (man, square) in position.men() {
                    use href={ "#" (symbol(man)) } x=(square.file())
                        y=(SIDE_LENGTH - 1 - square.rank()) width="1" height="1" {}
                }
            }
        }
    }
}
