//! Drawings of the pieces, made for this project. In a Makruk set khun, khon and met are turned
//! alike and differ by size; here each has an outline of its own, to be told apart on small boards.
//!
//! Each is a symbol of 45 by 45 with its foot at the bottom; boards refer to it.

use crate::atlas::words::{explained, thai};
use maud::{Markup, html};
use sakmak_tables::material::Material;
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
        // A stupa of three roofs with a spire.
        PieceKind::King => {
            "M8 42H37V38.500Q37 37 35 37H10Q8 37 8 38.500Z M14 37V32H31V37Z \
             M5 32.500Q13 31 16.500 25H28.500Q32 31 40 32.500Z \
             M10.500 25Q16 23 18.500 17.500H26.500Q29 23 34.500 25Z \
             M15 17.500Q19 16 20.500 11H24.500Q26 16 30 17.500Z M20.500 11L22.500 1.500L24.500 11Z"
        }
        // A crown.
        PieceKind::Met => {
            "M11 42H34V39.500Q34 37.500 32 37.500H13Q11 37.500 11 39.500Z \
             M13 37.500L7 20L15.500 27L22.500 15L29.500 27L38 20L32 37.500Z"
        }
        // A lotus bud on a stem.
        PieceKind::Khon => {
            "M10 42H35V39.500Q35 37.500 33 37.500H12Q10 37.500 10 39.500Z \
             M15.500 37.500Q19 34 19 31H26Q26 34 29.500 37.500Z \
             M19 31.500Q9.500 27 10.500 19.500Q12 12.500 22.500 4.500Q33 12.500 34.500 19.500\
             Q35.500 27 26 31.500Z"
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
        PieceKind::King => "M13.500 29.500H31.500 M17 22H28",
        PieceKind::Met => "M13 32.500H32",
        PieceKind::Khon => "M22.500 11Q15.500 18 18 27.500 M22.500 11Q29.500 18 27 27.500",
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

/// The pieces of a material with their names, as a legend of its boards. A met is among them if a
/// bia may become one.
pub fn legend(material: Material) -> Markup {
    let becomes = |kind| kind == PieceKind::Met && has(material, PieceKind::Pawn);
    let kinds = PieceKind::ALL.into_iter();
    let kinds =
        kinds.filter(|&kind| kind == PieceKind::King || has(material, kind) || becomes(kind));
    html! {
        ul class="legend" aria-label="Legend" {
            @for kind in kinds {
                li {
                    @for side in Side::BOTH {
                        svg class="swatch" viewBox="0 0 45 45" aria-hidden="true" {
                            use href={ "#" (symbol(Piece::new(side, kind))) } width="45" height="45" {}
                        }
                    }
                    " " b { (kind.letter()) } " " (thai(kind)) ": " (explained(kind))
                }
            }
        }
    }
}

fn has(material: Material, kind: PieceKind) -> bool {
    material.pieces().any(|piece| piece.kind == kind)
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

#[cfg(test)]
mod tests {
    use super::*;
    use kurbo::{BezPath, Point, Shape};

    /// The points of a board of small squares that a piece covers.
    fn silhouette(kind: PieceKind) -> Vec<bool> {
        const SIDE: u32 = 18;
        let path = BezPath::from_svg(outline(kind)).unwrap();
        let at = |place: u32| 45.0 * (f64::from(place) + 0.5) / f64::from(SIDE);
        let points = (0..SIDE * SIDE).map(|place| Point::new(at(place % SIDE), at(place / SIDE)));
        points.map(|point| path.contains(point)).collect()
    }

    #[test]
    fn pieces_are_told_apart_on_small_boards() {
        let silhouettes = PieceKind::ALL.map(|kind| (kind, silhouette(kind)));
        for (place, (kind, one)) in silhouettes.iter().enumerate() {
            for (other_kind, other) in &silhouettes[..place] {
                let count = |of: fn(bool, bool) -> bool| {
                    one.iter().zip(other).filter(|&(&a, &b)| of(a, b)).count()
                };
                let [both, either] = [count(|a, b| a && b), count(|a, b| a || b)];
                assert!(2 * both < either, "{kind:?} {other_kind:?}: {both} of {either} points");
            }
        }
    }
}
