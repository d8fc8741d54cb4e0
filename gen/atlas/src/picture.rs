//! A board drawn as PNG, the picture of a link: other programs do not show SVG.

use crate::board::{BORDER, LINE, PALE, SHADE};
use crate::pieces::{Drawing, DrawnPath};
use kurbo::{BezPath, PathEl};
use sakmak_tables::board::square::{SIDE_LENGTH, Square};
use sakmak_tables::position::Position;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

/// Pixels of the side of a picture.
const PIXELS: u32 = 600;
/// Pixels of the side of a square.
const SQUARE: f32 = 74.0;
/// Pixels of the border around the squares.
const MARGIN: f32 = 4.0;
/// Pixels of the lines between squares.
const LINE_WIDTH: f32 = 2.0;

/// A picture that cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// A drawing in the program cannot be read.
    #[error("cannot read a drawing: {0}")]
    Drawing(String),
    /// The picture cannot be written as PNG.
    #[error("cannot write the picture: {0}")]
    Png(String),
}

/// The position with White at the bottom, as a PNG of 600 by 600 pixels.
///
/// # Errors
///
/// None in practice: the program contains all drawings.
pub fn picture(position: &Position) -> Result<Vec<u8>, PictureError> {
    let wrong = |what: &str| PictureError::Drawing(what.to_string());
    let mut pixmap = Pixmap::new(PIXELS, PIXELS).ok_or_else(|| wrong("no pixels"))?;
    draw_board(&mut pixmap).ok_or_else(|| wrong("the board"))?;
    for (piece, square) in position.pieces() {
        let wrong = || PictureError::Drawing(format!("{piece:?}"));
        let drawing = Drawing::of(&position.variant().rules, piece).ok_or_else(wrong)?;
        let transform = into_square(&drawing, square);
        for path in &drawing.paths {
            draw_path(&mut pixmap, path, transform).ok_or_else(wrong)?;
        }
    }
    pixmap.encode_png().map_err(|error| PictureError::Png(error.to_string()))
}

fn draw_board(pixmap: &mut Pixmap) -> Option<()> {
    pixmap.fill(color(BORDER)?);
    let side = SQUARE * SIDE_LENGTH as f32;
    let mut rectangle = |x: f32, y: f32, width: f32, height: f32, color_name: &str| {
        let rectangle = Rect::from_xywh(MARGIN + x, MARGIN + y, width, height)?;
        pixmap.fill_rect(rectangle, &paint(color_name)?, Transform::identity(), None);
        Some(())
    };
    rectangle(0.0, 0.0, side, side, PALE)?;
    for index in 0..SIDE_LENGTH * SIDE_LENGTH {
        let (file, row) = (index % SIDE_LENGTH, index / SIDE_LENGTH);
        if (file + row) % 2 == 1 {
            rectangle(file as f32 * SQUARE, row as f32 * SQUARE, SQUARE, SQUARE, SHADE)?;
        }
    }
    for line in 1..SIDE_LENGTH {
        let at = line as f32 * SQUARE - LINE_WIDTH / 2.0;
        rectangle(at, 0.0, LINE_WIDTH, side, LINE)?;
        rectangle(0.0, at, side, LINE_WIDTH, LINE)?;
    }
    Some(())
}

/// Fits the view box of a drawing into a square.
fn into_square(drawing: &Drawing<'_>, square: Square) -> Transform {
    let [x, y, width, height] = drawing.view;
    let scale = SQUARE / width.max(height);
    let corner = |index: usize, length: f32| {
        MARGIN + index as f32 * SQUARE + (SQUARE - length * scale) / 2.0
    };
    let (left, top) =
        (corner(square.file(), width), corner(SIDE_LENGTH - 1 - square.rank(), height));
    Transform::from_translate(-x, -y).post_scale(scale, scale).post_translate(left, top)
}

fn draw_path(pixmap: &mut Pixmap, drawn: &DrawnPath<'_>, transform: Transform) -> Option<()> {
    let path = path(drawn.outline)?;
    if let Some(fill) = drawn.fill {
        pixmap.fill_path(&path, &paint(fill)?, FillRule::Winding, transform, None);
    }
    let stroke = Stroke {
        width: drawn.stroke_width,
        line_cap: if drawn.is_round { LineCap::Round } else { LineCap::Butt },
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    pixmap.stroke_path(&path, &paint(drawn.stroke)?, &stroke, transform, None);
    Some(())
}

fn path(outline: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    let at = |point: kurbo::Point| (point.x as f32, point.y as f32);
    for element in BezPath::from_svg(outline).ok()? {
        match element {
            PathEl::MoveTo(to) => path.move_to(at(to).0, at(to).1),
            PathEl::LineTo(to) => path.line_to(at(to).0, at(to).1),
            PathEl::QuadTo(by, to) => path.quad_to(at(by).0, at(by).1, at(to).0, at(to).1),
            PathEl::CurveTo(by, and, to) => {
                path.cubic_to(at(by).0, at(by).1, at(and).0, at(and).1, at(to).0, at(to).1);
            }
            PathEl::ClosePath => path.close(),
        }
    }
    path.finish()
}

fn paint(name: &str) -> Option<Paint<'static>> {
    let mut paint = Paint::default();
    paint.set_color(color(name)?);
    Some(paint)
}

/// The color of a code such as `#e7c48f`.
fn color(name: &str) -> Option<Color> {
    let [_, red, green, blue] =
        u32::from_str_radix(name.strip_prefix('#')?, 16).ok()?.to_be_bytes();
    Some(Color::from_rgba8(red, green, blue, u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
    use sakmak_tables::variants::{CHESS, MAKRUK};

    fn pixels(fen: &str) -> Pixmap {
        let position = Position::from_fen(&MAKRUK, fen).unwrap();
        Pixmap::decode_png(&picture(&position).unwrap()).unwrap()
    }

    #[test]
    fn a_man_changes_its_square_only() {
        let (with, without) = (pixels("8/8/8/4k3/8/4K3/4S3/8 w"), pixels("8/8/8/4k3/8/4K3/8/8 w"));
        let different = with.pixels().iter().zip(without.pixels()).enumerate();
        let different = different.filter(|(_, (one, other))| one != other);
        let points: Vec<(u32, u32)> =
            different.map(|(index, _)| (index as u32 % PIXELS, index as u32 / PIXELS)).collect();
        assert!(points.len() > 1000, "{}", points.len());
        let square = SQUARE as u32;
        for (x, y) in points {
            assert_eq!([(x - MARGIN as u32) / square, (y - MARGIN as u32) / square], [4, 6]);
        }
    }

    #[test]
    fn every_piece_can_be_drawn() {
        let sets = [&MAKRUK.rules, &CHESS.rules];
        for (kind, rules) in PieceKind::ALL.into_iter().flat_map(|kind| sets.map(|set| (kind, set)))
        {
            for side in Side::BOTH {
                let drawing = Drawing::of(rules, Piece::new(side, kind)).unwrap();
                let mut pixmap = Pixmap::new(PIXELS, PIXELS).unwrap();
                assert!(drawing.paths.len() >= 2, "{kind:?}");
                for path in &drawing.paths {
                    draw_path(&mut pixmap, path, Transform::identity()).unwrap();
                }
            }
        }
    }
}
