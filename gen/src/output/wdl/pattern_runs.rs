//! The king tiles of a fixed king as runs of patterns.

use crate::output::wdl::allowed_categories::{AllowedCategories, CATEGORIES, Masks};
use crate::output::wdl::captures::Captures;
use crate::output::wdl::section::Section;
use sakmak_tables::format::wdl::GROUP_TILES;
use sakmak_tables::tiles::king_tile::KingTiles;
use std::collections::HashMap;

/// Patterns of the trial that are tried before another is made.
pub const FAVOURITES: usize = 128;

/// The coded king tiles of a fixed king.
#[derive(Debug, Default)]
pub struct PatternRuns {
    /// A bit for each king tile with which a run begins, by tile group.
    pub starts: Vec<u64>,
    /// By run: the number of its pattern.
    pub runs: Vec<u32>,
    /// The patterns, and how many runs have each.
    pub patterns: Vec<(Masks, u32)>,
    /// The groups whose captures must not be looked at.
    pub wrong: u8,
}

/// Captures a reader looks at, of pieces of these groups.
#[derive(Clone, Copy, Debug)]
pub struct TrustedCaptures<'a> {
    /// All captures.
    pub captures: &'a Captures,
    /// The groups, a bit each.
    pub groups: u8,
}

/// Codes the king tiles of a fixed king. Where one of the favourites will do the first of them is
/// taken.
pub fn code(
    section: &Section,
    king_tiles: &KingTiles,
    fixed_king: usize,
    trusted: Option<TrustedCaptures<'_>>,
    favourites: &[Masks],
) -> PatternRuns {
    let square = king_tiles.fixed_kings().squares()[fixed_king];
    let mut coded = PatternRuns::default();
    let mut numbers: HashMap<Masks, u32> = HashMap::new();
    for tile_group in 0..king_tiles.per_fixed_king().div_ceil(GROUP_TILES) {
        let mut allowed = section.tile_group(tile_group);
        if let Some(TrustedCaptures { captures, groups }) = trusted {
            for (king_tile, allowed) in (tile_group * GROUP_TILES..).zip(&mut allowed) {
                let (relaxed, wrong) = captures.relax(*allowed, groups, square, king_tile);
                *allowed = relaxed;
                coded.wrong |= wrong;
            }
        }
        let mut starts = 0;
        let mut run = AllowedCategories::ALL;
        for (place, &king_tile) in allowed.iter().enumerate() {
            match run.and(king_tile) {
                Some(both) if place > 0 => run = both,
                _ => {
                    if place > 0 {
                        coded.push(run, favourites, &mut numbers);
                    }
                    starts |= 1 << place;
                    run = king_tile;
                }
            }
        }
        coded.push(run, favourites, &mut numbers);
        coded.starts.push(starts);
    }
    coded
}

impl PatternRuns {
    fn push(
        &mut self,
        run: AllowedCategories,
        favourites: &[Masks],
        numbers: &mut HashMap<Masks, u32>,
    ) {
        let plain = (0..CATEGORIES).any(|category| run.0[category] == u64::MAX);
        let favourite = match plain {
            true => None,
            false => favourites.iter().find(|pattern| run.holds(pattern)),
        };
        let pattern = favourite.copied().unwrap_or_else(|| run.pattern());
        let number = *numbers.entry(pattern).or_insert(self.patterns.len() as u32);
        match self.patterns.get_mut(number as usize) {
            Some((_, count)) => *count += 1,
            None => self.patterns.push((pattern, 1)),
        }
        self.runs.push(number);
    }
}
