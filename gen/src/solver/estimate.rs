//! The memory that solving takes, estimated before it begins.

use crate::planes::bits::Plane;
use crate::planes::geometry::Geometry;
use crate::solver::record::SEGMENT;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;

/// The most bytes of memory that solving a table takes, without the tables it leads to and the
/// program itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// The three sets of slots.
    pub sets: u64,
    /// The conversions.
    pub conversions: u64,
    /// The log of the layers, until the codes are gathered from it.
    pub layers: u64,
    /// The codes of both sides to move, one byte each. A side that needs two takes twice as much.
    pub codes: u64,
}

/// The most bytes of a slot in the log, without its share of the header of a plane. That share
/// matters only if nearly every slot of a plane is in a layer of its own.
const LOGGED_BYTES: u64 = 2;
/// Bytes of a conversion, with its share of the header of a run.
const CONVERSION_BYTES: u64 = 3;

impl Estimate {
    /// The estimate for a material.
    pub fn of(material: Material, rules: &Rules) -> Estimate {
        let geometry = Geometry::new(Index::new(material, rules), rules);
        let planes = geometry.planes() as u64;
        let sides = if material.is_symmetric() { 1 } else { 2 };
        Estimate {
            sets: 3 * planes * size_of::<Plane>() as u64,
            conversions: planes * conversions_per_plane(&geometry) * CONVERSION_BYTES,
            layers: sides * (LOGGED_BYTES * geometry.index.slots() + SEGMENT as u64),
            codes: sides * geometry.index.slots(),
        }
    }
}

/// The average number of slots of a plane that are conversions for either attacker: a piece on
/// the square of an enemy piece, or a pawn on its promotion rank.
fn conversions_per_plane(geometry: &Geometry) -> u64 {
    let slots = (SQUARES * SQUARES) as u64;
    let count =
        |side: Side| geometry.pieces.iter().filter(|piece| piece.side == side).count() as u64;
    let (white, black) = (count(Side::White), count(Side::Black));
    let captures = (white + 1) * black + (black + 1) * white;
    let promotions = |place: usize| {
        let piece = &geometry.pieces[place];
        let squares = if place < geometry.outer().len() {
            (piece.domain | piece.promotion).len()
        } else {
            SQUARES
        };
        slots * piece.promotion.len() as u64 / squares as u64
    };
    captures * slots / SQUARES as u64 + (0..geometry.pieces.len()).map(promotions).sum::<u64>()
}
