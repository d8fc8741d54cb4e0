//! The king tiles of a tile group as runs that can have one pattern each.

use crate::output::wdl::allowed_categories::AllowedCategories;
use crate::output::wdl::captures::Captures;
use crate::output::wdl::section::Section;
use sakmak_tables::board::square::Square;
use sakmak_tables::format::wdl::GROUP_TILES;
use sakmak_tables::format::wdl::row::ROW_GROUPS;

/// King tiles of a tile group that can have the same pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The first king tile.
    pub start: u8,
    /// Categories that all its king tiles allow.
    pub allowed: AllowedCategories,
}

/// The captures that a probe examines first.
#[derive(Clone, Copy, Debug)]
pub struct TrustedCaptures<'a> {
    /// The captures of the side to move.
    pub captures: &'a Captures,
    /// The groups whose pieces are captured, a bit each.
    pub groups: u8,
}

/// The categories that the king tiles of a fixed king allow.
pub struct KingCategories<'a> {
    pub section: &'a Section,
    pub fixed_king: Square,
    pub trusted: Option<TrustedCaptures<'a>>,
}

impl KingCategories<'_> {
    /// Returns the categories that each king tile of a tile group allows, and the groups with a
    /// capture that results in a better category than the table has for the position, a bit each.
    pub fn tile_group(&self, tile_group: u64) -> (Vec<AllowedCategories>, u8) {
        let mut allowed = self.section.tile_group(tile_group);
        let wrong = self.trusted.map_or(0, |TrustedCaptures { captures, groups }| {
            captures.relax(&mut allowed, groups, self.fixed_king, tile_group * GROUP_TILES)
        });
        (allowed, wrong)
    }
}

/// Returns the tile groups of a row of `tile_groups`, all those of a fixed king.
pub fn groups_of_row(row: u64, tile_groups: u64) -> impl Iterator<Item = u64> {
    row * ROW_GROUPS..tile_groups.min((row + 1) * ROW_GROUPS)
}

/// Returns the runs of a tile group, each as long as it can be.
pub fn runs(allowed: &[AllowedCategories]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (start, &king_tile) in (0..).zip(allowed) {
        match runs.last_mut().and_then(|run| Some((run.allowed.and(king_tile)?, run))) {
            Some((both, run)) => run.allowed = both,
            None => runs.push(Run { start, allowed: king_tile }),
        }
    }
    runs
}
