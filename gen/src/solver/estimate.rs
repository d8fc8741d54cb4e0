//! How much memory solving takes, worked out before it begins.

use crate::planes::bits::Plane;
use crate::planes::geometry::Geometry;
use crate::solver::record::PIECE;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;

/// Bytes of memory that solving a material takes, at most, the tables it leads to and the
/// program itself left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// The three sets of slots.
    pub sets: u64,
    /// The conversions.
    pub conversions: u64,
    /// What the layers find, logged until the codes are gathered from it.
    pub layers: u64,
    /// The codes of both sides to move while they fit into bytes; twice as much for a side
    /// that needs two.
    pub codes: u64,
}

/// Bytes of a slot in the log, at most, its share of the plane's beginning left out: that
/// is more only where nearly every slot of a plane is found in a layer of its own.
const LOGGED_BYTES: u64 = 2;
/// Bytes of a conversion, its share of the run's beginning included.
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
            layers: sides * (LOGGED_BYTES * geometry.index.slots() + PIECE as u64),
            codes: sides * geometry.index.slots(),
        }
    }
}

/// Slots of a plane that are conversions for either attacker, on average: a piece on the
/// square of an enemy piece, or a pawn on its promotion rank.
fn conversions_per_plane(geometry: &Geometry) -> u64 {
    let slots = (SQUARES * SQUARES) as u64;
    let count = |side: Side| geometry.pieces.iter().filter(|b| b.side == side).count() as u64;
    let (white, black) = (count(Side::White), count(Side::Black));
    let captures = (white + 1) * black + (black + 1) * white;
    let promotions = |place: usize| {
        let body = &geometry.pieces[place];
        let squares = if place < geometry.outer().len() {
            (body.domain | body.promotion).len()
        } else {
            SQUARES
        };
        slots * body.promotion.len() as u64 / squares as u64
    };
    captures * slots / SQUARES as u64 + (0..geometry.pieces.len()).map(promotions).sum::<u64>()
}
