//! A board drawn as SVG. A square and a piece are 45 by 45.

use crate::language::Language;
use crate::pieces::{symbol, symbols};
use crate::words::mover;
use maud::{Markup, html};
use sakmak_tables::board::square::SIDE_LENGTH;
use sakmak_tables::position::Position;

/// The side of a square. With smaller units, browsers draw letters wrong.
const SQUARE: usize = 45;
/// The side of the board.
const BOARD: usize = SIDE_LENGTH * SQUARE;

/// The color of most squares: a Makruk board has a single color.
pub const PALE: &str = "#e7c48f";
/// The color of the other squares, which shows the squares that a met can reach.
pub const SHADE: &str = "#ddb67d";
/// The color of the lines between squares.
pub const LINE: &str = "#7a5430";
/// The color of the border.
pub const BORDER: &str = "#5b3c1e";

/// The symbols that the boards of a page use: the empty board and the pieces. The origin is the
/// corner of a8; letters and numbers are outside the board.
pub fn symbols_of_boards() -> Markup {
    let last = SIDE_LENGTH - 1;
    html! {
        svg class="symbols" width="0" height="0" aria-hidden="true" {
            defs {
                (symbols())
                g id="board" {
                    rect width=(BOARD) height=(BOARD) fill=(PALE) {}
                    @for index in 0..SIDE_LENGTH * SIDE_LENGTH {
                        @let (file, row) = (index % SIDE_LENGTH, index / SIDE_LENGTH);
                        @if (file + row) % 2 == 1 {
                            rect x=(file * SQUARE) y=(row * SQUARE) width=(SQUARE) height=(SQUARE)
                                fill=(SHADE) {}
                        }
                    }
                    @for line in 0..=SIDE_LENGTH {
                        @let at = line * SQUARE;
                        path d=(format!("M{at} 0V{BOARD}M0 {at}H{BOARD}")) stroke=(LINE)
                            stroke-width="1.2" {}
                    }
                    rect width=(BOARD) height=(BOARD) fill="none" stroke=(BORDER) stroke-width="4" {}
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

/// A board with White at the bottom, the side to move, the FEN, and a link to the board. The pieces
/// are in a group that the script may replace. `anchor` is the id of the surrounding element.
pub fn board(language: Language, position: &Position, label: &str, anchor: &str) -> Markup {
    html! {
        svg class="board" viewBox="-22 -4 386 386" role="img" aria-label=(label) {
            use href="#board" {}
            g class="men" {
                @for (piece, square) in position.pieces() {
                    use href={ "#" (symbol(&position.variant().rules, piece)) } x=(square.file() * SQUARE)
                        y=((SIDE_LENGTH - 1 - square.rank()) * SQUARE)
                        width=(SQUARE) height=(SQUARE) {}
                }
            }
        }
        p class={ "turn " (position.side().name()) } {
            span class="disc" {} span class="mover" { (mover(language, position.side())) }
            a class="link" href={ "#" (anchor) } { (language.text("atlas.link")) }
        }
        p class="fen" { code { (position.fen()) } }
    }
}
