//! Estimates of the memory needed to solve a table.

use crate::planes::geometry::Geometry;
use crate::solver::plane_set::SetStorage;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;

/// Bytes needed to solve a table, without its dependencies and the program itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Estimate {
    /// The sets of slots of one attacker.
    pub sets: u64,
    /// The part of the sets that must be in memory at a time.
    pub least_sets: u64,
    /// The bookkeeping of each plane: always in memory.
    pub planes: u64,
    /// The bookkeeping of each chunk of the logs: always in memory.
    pub chunks: u64,
    /// The conversions. They may be on disk.
    pub conversions: u64,
    /// The conversions of a king pair while they are gathered, for each thread.
    pub pair_conversions: u64,
    /// The log of the layers, until the codes are gathered from it. It may be on disk.
    pub layers: u64,
    /// The codes of both sides to move, one byte each. A side with codes of two bytes needs twice
    /// as much.
    pub codes: u64,
}

/// Bytes per slot in the log as a fraction, including its share of the header of a plane. Large
/// tables of five men need 0.2 to 0.9 bytes; small tables and tables with three pawns up to 1.2.
/// The excess goes to disk.
const LOGGED_BYTES: [u64; 2] = [3, 4];
/// Bytes per conversion, including its share of the header of a plane. Tables of five men need at
/// most 1.5 bytes. The excess goes to disk.
const CONVERSION_BYTES: u64 = 2;
/// Bytes of the bookkeeping of a plane: a flag for each of four sets.
const PLANE_BYTES: u64 = 4;
/// Bytes of the location and the value of a chunk, including spare capacity of a growing list.
const CHUNK_BYTES: u64 = 48;
/// Layers of one attacker that have slots of a king pair: an upper bound for most tables, by number
/// of men, starting at three men. Tables with more men use the last entry.
const PAIR_LAYERS: [u64; 3] = [12, 20, 56];
/// The least slots of a king pair for each of its layers.
const LAYER_SLOTS: u64 = 16;

impl Estimate {
    /// The estimate for a material and a metric.
    pub fn of(material: Material, metric: Metric, rules: &Rules) -> Estimate {
        let geometry = Geometry::new(Index::new(material, rules), rules);
        let planes = geometry.planes() as u64;
        let sides = Table::sides(&geometry.index).len() as u64;
        let slots = Table::slots_of_sides(&geometry.index);
        let conversions = planes * conversions_per_plane(&geometry) * CONVERSION_BYTES;
        Estimate {
            sets: SetStorage::in_memory(&geometry, metric).bytes(),
            least_sets: SetStorage::least(&geometry, metric),
            planes: PLANE_BYTES * planes,
            chunks: CHUNK_BYTES * chunks(&geometry, sides),
            conversions,
            pair_conversions: conversions / geometry.index.kings().len() as u64,
            layers: slots * LOGGED_BYTES[0] / LOGGED_BYTES[1],
            codes: slots,
        }
    }
}

/// The number of chunks of the logs of a table that holds this many sides to move.
fn chunks(geometry: &Geometry, sides: u64) -> u64 {
    let material = geometry.index.material();
    let attackers = Side::BOTH.into_iter().filter(|&side| !material.army(side).is_empty());
    let layers = PAIR_LAYERS[material.men().saturating_sub(3).min(PAIR_LAYERS.len() - 1)];
    let layers = layers.min(geometry.index.slots_per_pair().div_ceil(LAYER_SLOTS));
    // The conversions of an attacker have about as many chunks as the layers of one side.
    geometry.index.kings().len() as u64 * attackers.count() as u64 * (sides + 1) * layers
}

/// The average number of slots of a plane that are conversions for either attacker: a piece on
/// the square of an enemy piece, or a pawn on its promotion rank or on a passing square.
fn conversions_per_plane(geometry: &Geometry) -> u64 {
    let slots = (SQUARES * SQUARES) as u64;
    let count =
        |side: Side| geometry.pieces.iter().filter(|piece| piece.side == side).count() as u64;
    let (white, black) = (count(Side::White), count(Side::Black));
    let captures = (white + 1) * black + (black + 1) * white;
    let of_pawns = |index: usize| {
        let piece = &geometry.pieces[index];
        let converted = piece.promotion | piece.passing();
        let squares =
            if index < geometry.outer().len() { (piece.domain | converted).len() } else { SQUARES };
        slots * converted.len() as u64 / squares as u64
    };
    captures * slots / SQUARES as u64 + (0..geometry.pieces.len()).map(of_pawns).sum::<u64>()
}
