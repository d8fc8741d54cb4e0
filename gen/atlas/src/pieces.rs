//! Drawings of the pieces, shared with the board in the browser. In a Makruk set khun, khon and met
//! have the same shape and differ by size. Here each piece has its own outline, so that they differ
//! on small boards. Where pieces have the letters of chess, they are drawn as in chess.
//!
//! Each drawing is a symbol of 45 by 45 with its foot at the bottom; boards refer to it.

use crate::config::AtlasConfig;
use maud::{Markup, PreEscaped, html};
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};

/// The file of the drawings: an `svg` element with a symbol for each piece.
const DRAWINGS: &str = include_str!("../web/pieces.svg");

/// The id of the symbol of a piece by these rules, such as `wK`, and `wcK` in chess.
pub fn symbol(rules: &Rules, piece: Piece) -> String {
    let side = match piece.side {
        Side::White => 'w',
        Side::Black => 'b',
    };
    let set = if rules.has_usual_letters() { "" } else { "c" };
    format!("{side}{set}{}", rules.material_letters[piece.kind.index()])
}

/// The drawing of a piece.
#[derive(Debug)]
pub struct Drawing<'a> {
    /// The part of the plane that is shown: left, top, width, height.
    pub view: [f32; 4],
    /// The paths from the back to the front.
    pub paths: Vec<DrawnPath<'a>>,
}

/// A path of a drawing.
#[derive(Debug)]
pub struct DrawnPath<'a> {
    /// The path in the notation of SVG.
    pub outline: &'a str,
    /// The color inside.
    pub fill: Option<&'a str>,
    /// The color of the line.
    pub stroke: &'a str,
    /// The width of the line.
    pub stroke_width: f32,
    /// Whether the ends of the line are round.
    pub is_round: bool,
}

impl Drawing<'static> {
    /// The drawing of a piece by these rules. `None` if the file lacks it, or if it has other
    /// elements.
    pub fn of(rules: &Rules, piece: Piece) -> Option<Drawing<'static>> {
        let (_, rest) = DRAWINGS.split_once(&format!("<symbol id=\"{}\"", symbol(rules, piece)))?;
        let (symbol, _) = rest.split_once("</symbol>")?;
        let mut view = attribute(symbol, "viewBox")?.split(' ').map(str::parse);
        let mut number = || view.next()?.ok();
        let view = [number()?, number()?, number()?, number()?];
        let paths = symbol.split("<path").skip(1).map(|path| {
            Some(DrawnPath {
                outline: attribute(path, "d")?,
                fill: attribute(path, "fill").filter(|&fill| fill != "none"),
                stroke: attribute(path, "stroke")?,
                stroke_width: attribute(path, "stroke-width")?.parse().ok()?,
                is_round: attribute(path, "stroke-linecap") == Some("round"),
            })
        });
        Some(Drawing { view, paths: paths.collect::<Option<_>>()? })
    }
}

/// The value of an attribute of an element.
fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

/// The pieces of a material with their names, as a legend of its boards. Includes the pieces that a
/// pawn of the material may become.
pub fn legend(config: &AtlasConfig, material: Material) -> Markup {
    let rules = config.variants.rules();
    let promoted = rules.promotes_to;
    let becomes = |kind| promoted.contains(&kind) && has(material, PieceKind::Pawn);
    let kinds = PieceKind::ALL.into_iter();
    let kinds =
        kinds.filter(|&kind| kind == PieceKind::King || has(material, kind) || becomes(kind));
    html! {
        ul class="legend" aria-label=(config.text("atlas.legend")) {
            @for kind in kinds {
                li {
                    @for side in Side::BOTH {
                        svg class="swatch" viewBox="0 0 45 45" aria-hidden="true" {
                            use href={ "#" (symbol(rules, Piece::new(side, kind))) } width="45" height="45" {}
                        }
                    }
                    " " b { (rules.material_letters[kind.index()]) } " " (config.piece(kind))
                    @if let Some(explained) = config.explained(kind) { ": " (explained) }
                }
            }
        }
    }
}

fn has(material: Material, kind: PieceKind) -> bool {
    material.pieces().any(|piece| piece.kind == kind)
}

/// The symbols of all pieces: the content of the root element of the file.
pub fn symbols() -> Markup {
    let inside = DRAWINGS.split_once('>').map_or(DRAWINGS, |(_, rest)| rest);
    PreEscaped(inside.trim_end().trim_end_matches("</svg>").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kurbo::{BezPath, Point, Shape};
    use sakmak_tables::variants::{CHESS, MAKRUK};

    /// The outline of a piece as an SVG path of closed parts.
    fn outline(rules: &Rules, piece: Piece) -> &'static str {
        Drawing::of(rules, piece).unwrap().paths[0].outline
    }

    /// The points of a board of small squares that a piece covers.
    fn silhouette(rules: &Rules, kind: PieceKind) -> Vec<bool> {
        const SIDE: u32 = 18;
        let [white, black] = Side::BOTH.map(|side| outline(rules, Piece::new(side, kind)));
        assert_eq!(white, black, "{kind:?}");
        let path = BezPath::from_svg(white).unwrap();
        let at = |index: u32| 45.0 * (f64::from(index) + 0.5) / f64::from(SIDE);
        let points = (0..SIDE * SIDE).map(|index| Point::new(at(index % SIDE), at(index / SIDE)));
        points.map(|point| path.contains(point)).collect()
    }

    #[test]
    fn pieces_are_told_apart_on_small_boards() {
        for rules in [&MAKRUK.rules, &CHESS.rules] {
            are_told_apart(PieceKind::ALL.map(|kind| (kind, silhouette(rules, kind))));
        }
    }

    fn are_told_apart(silhouettes: [(PieceKind, Vec<bool>); PieceKind::ALL.len()]) {
        for (index, (kind, one)) in silhouettes.iter().enumerate() {
            for (other_kind, other) in &silhouettes[..index] {
                let count = |of: fn(bool, bool) -> bool| {
                    one.iter().zip(other).filter(|&(&a, &b)| of(a, b)).count()
                };
                let [both, either] = [count(|a, b| a && b), count(|a, b| a || b)];
                assert!(
                    4 * both < 3 * either,
                    "{kind:?} {other_kind:?}: {both} of {either} points"
                );
            }
        }
    }
}
