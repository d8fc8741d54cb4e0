//! What the cells of a fixed king allow, in their order.

use crate::output::wdl::allowed::{ANY, Allowed};
use crate::output::wdl::captures::TrustedCaptures;
use crate::output::wdl::section::{KingTiles, Section};
use sakmak_tables::board::square::{SQUARES, Square};

/// The categories that the cells of the fixed king on this square allow if a probe searches the
/// captures of these groups. The groups whose captures are better than a position, a bit each.
pub fn cells(
    section: &Section,
    tiles: &KingTiles,
    trusted: Option<TrustedCaptures<'_>>,
    fixed_king: Square,
) -> (Vec<Allowed>, u8) {
    let mut cells = vec![ANY; section.count() * SQUARES];
    let swept = tiles.swept();
    let mut wrong = 0;
    for group in 0..section.count().div_ceil(SQUARES) {
        let first = group * SQUARES;
        let mut king_tiles = section.king_tiles(group);
        if let Some(TrustedCaptures { captures, groups }) = trusted {
            for (king_tile, sets) in (first as u64..).zip(&mut king_tiles) {
                wrong |= captures.relax(sets, groups, fixed_king, king_tile);
            }
        }
        for (king_tile, sets) in (first..).zip(&king_tiles) {
            let cells = &mut cells[tiles.first_cell(king_tile)..];
            match swept[SQUARES - 1] < SQUARES {
                true => cells[..SQUARES].copy_from_slice(sets),
                false => swept.iter().zip(sets).for_each(|(&at, &set)| cells[at] = set),
            }
        }
    }
    (cells, wrong)
}
