//! Drawings of the pieces, made for this project after the turned pieces of a Makruk set.
//!
//! Each is a symbol of 45 by 45 with its foot at the bottom; boards refer to it.

use maud::{Markup, html};
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};

/// The colours of a piece: fill, outline, and lines on it.
struct Ink {
    fill: &'static str,
    outline: &'static str,
    line: &'static str,
}

const fn ink(side: Side) -> Ink {
    match side {
        Side::White => Ink { fill: "#fff8e7", outline: "#2b1a0e", line: "#8a6a48" },
        Side::Black => Ink { fill: "#3d2517", outline: "#120903", line: "#d9b88f" },
    }
}

/// The outline of a piece as an SVG path of closed parts.
const fn outline(kind: PieceKind) -> &'static str {
    match kind {
        // A stupa of three tiers with a long spire.
        PieceKind::King => {
            "M9 42H36V39Q36 37 33 37H12Q9 37 9 39Z M12 37Q8 27 15 24H30Q37 27 33 37Z \
             M15 24Q14.500 19 18 18H27Q30.500 19 30 24Z M18 18Q18 14 20 13H25Q27 14 27 18Z \
             M20 13L22.500 2L25 13Z"
        }
        // A lower stupa with a knob.
        PieceKind::Met => {
            "M11 42H34V39.500Q34 37.500 31 37.500H14Q11 37.500 11 39.500Z \
             M14 37.500Q11 30 17 28H28Q34 30 31 37.500Z M17 28Q17 23.500 20 23H25Q28 23.500 28 28Z \
             M20.500 23Q19 18.500 22.500 15Q26 18.500 24.500 23Z"
        }
        // A smooth bell that ends in a point.
        PieceKind::Khon => {
            "M10 42H35V39.500Q35 37.500 32 37.500H13Q10 37.500 10 39.500Z \
             M13 37.500Q11.500 25 18 20Q21 16 22.500 7Q24 16 27 20Q33.500 25 32 37.500Z"
        }
        // A horse's head.
        PieceKind::Knight => {
            "M10 42H35V39.500Q35 37.500 32 37.500H13Q10 37.500 10 39.500Z \
             M14 37.500Q15 30 21 25.500Q17 26 13.500 29Q9.500 29.500 9 25.500Q12 18 17 13.500\
             L17.500 7L22 11Q33 12 34 25Q34 32 31.500 37.500Z"
        }
        // A boat with its cabin.
        PieceKind::Rook => {
            "M13 42H32V40Q32 38 30 38H15Q13 38 13 40Z \
             M13 25Q13 17 22.500 17Q32 17 32 25Q27 27.500 22.500 27.500Q18 27.500 13 25Z \
             M4 22Q13 28 22.500 28Q32 28 41 22Q39 34 30 38H15Q6 34 4 22Z"
        }
        // A cowrie shell.
        PieceKind::Pawn => {
            "M9 33Q9 23 22.500 23Q36 23 36 33Q36 41.500 22.500 41.500Q9 41.500 9 33Z"
        }
    }
}

/// The lines on a piece as an SVG path.
const fn lines(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::King => "M13 31H32 M16.500 21H28.500",
        PieceKind::Met => "M14 33H31",
        PieceKind::Khon => "M14.500 27Q22.500 30 30.500 27 M17 22Q22.500 24 28 22",
        PieceKind::Knight => {
            "M17.500 18.500L19.500 17.500 M26 14Q31 19 30 28 M11.500 26.500L13 25.800"
        }
        PieceKind::Rook => "M9 30Q22.500 36 36 30 M18 22V24.500 M22.500 21.500V25 M27 22V24.500",
        PieceKind::Pawn => {
            "M13 33Q22.500 29 32 33 M17 29.500V33 M22.500 28.500V33.500 M28 29.500V33"
        }
    }
}

/// The id of the symbol of a piece, such as `wK`.
pub fn symbol(piece: Piece) -> String {
    let side = match piece.side {
        Side::White => 'w',
        Side::Black => 'b',
    };
    format!("{side}{}", piece.kind.letter())
}

/// The symbols of all pieces.
pub fn symbols() -> Markup {
    let pieces =
        Side::BOTH.into_iter().flat_map(|side| PieceKind::ALL.map(|kind| Piece::new(side, kind)));
    html! {
        @for piece in pieces {
            @let Ink { fill, outline: edge, line } = ink(piece.side);
            symbol id=(symbol(piece)) viewBox="2 1 41 42" {
                path d=(outline(piece.kind)) fill=(fill) stroke=(edge) stroke-width="1.6"
                    stroke-linejoin="round" {}
                path d=(lines(piece.kind)) fill="none" stroke=(line) stroke-width="1.5"
                    stroke-linecap="round" {}
            }
        }
    }
}
