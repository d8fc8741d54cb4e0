//! A board drawn as SVG, a square 45 by 45 as the pieces are.

use crate::atlas::pieces::{symbol, symbols};
use maud::{Markup, html};
use sakmak_tables::board::square::SIDE_LENGTH;
use sakmak_tables::position::Position;

/// A square's side; smaller units make browsers draw letters wrong.
const SQUARE: usize = 45;
/// The board's side.
const BOARD: usize = SIDE_LENGTH * SQUARE;

/// What boards of a page refer to: the empty board and the pieces. The corner of a8 is
/// the origin; letters and numbers stand outside.
pub fn symbols_of_boards() -> Markup {
    let last = SIDE_LENGTH - 1;
    html! {
        svg class="symbols" width="0" height="0" aria-hidden="true" {
            defs {
                (symbols())
                g id="board" {
                    rect width=(BOARD) height=(BOARD) fill="#e7c48f" {}
                    // A Makruk board is of one colour; a shade helps to see where mets go.
                    @for place in 0..SIDE_LENGTH * SIDE_LENGTH {
                        @let (file, row) = (place % SIDE_LENGTH, place / SIDE_LENGTH);
                        @if (file + row) % 2 == 1 {
                            rect x=(file * SQUARE) y=(row * SQUARE) width=(SQUARE) height=(SQUARE)
                                fill="#ddb67d" {}
                        }
                    }
                    @for line in 0..=SIDE_LENGTH {
                        @let at = line * SQUARE;
                        path d=(format!("M{at} 0V{BOARD}M0 {at}H{BOARD}")) stroke="#7a5430"
                            stroke-width="1.2" {}
                    }
                    rect width=(BOARD) height=(BOARD) fill="none" stroke="#5b3c1e" stroke-width="4" {}
                    @for at in 0..SIDE_LENGTH {
                        text x=(at * SQUARE + SQUARE / 2) y=(BOARD + 18) class="rim" {
                            (char::from(b'a' + at as u8))
                        }
                        text x="-12" y=((last - at) * SQUARE + 28) class="rim" { (at + 1) }
                    }
                }
            }
        }
    }
}

/// A board, White at the bottom; the pieces are in a group of their own that a script may fill
/// anew.
pub fn board(position: &Position, label: &str) -> Markup {
    html! {
        svg class="board" viewBox="-22 -4 386 386" role="img" aria-label=(label) {
            use href="#board" {}
            g class="men" {
                @for (piece, square) in position.pieces() {
                    use href={ "#" (symbol(piece)) } x=(square.file() * SQUARE)
                        y=((SIDE_LENGTH - 1 - square.rank()) * SQUARE)
                        width=(SQUARE) height=(SQUARE) {}
                }
            }
        }
    }
}
