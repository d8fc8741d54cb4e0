//! The king tiles of a fixed king as runs with one pattern each.

use crate::output::wdl::allowed_categories::{AllowedCategories, CATEGORIES, CategoryMasks};
use crate::output::wdl::captures::Captures;
use crate::output::wdl::section::Section;
use sakmak_tables::format::wdl::GROUP_TILES;
use sakmak_tables::tiles::king_tile::KingTiles;
use std::collections::HashMap;

/// The number of frequent patterns of the trial that are tried before a new one is made.
pub const FAVOURITES: usize = 128;

/// The pattern runs of a fixed king.
#[derive(Debug, Default)]
pub struct PatternRuns {
    /// By tile group: a bit for each king tile that starts a run.
    pub starts: Vec<u64>,
    /// By run: the index of its pattern in `patterns`.
    pub runs: Vec<u32>,
    /// The patterns with the number of their runs.
    pub patterns: Vec<(CategoryMasks, u32)>,
    /// The groups whose captures are better than a position.
    pub wrong: u8,
}

/// The captures that a probe examines first.
#[derive(Clone, Copy, Debug)]
pub struct TrustedCaptures<'a> {
    /// All captures.
    pub captures: &'a Captures,
    /// The groups whose pieces are captured, a bit each.
    pub groups: u8,
}

/// Encodes the king tiles of a fixed king. A run takes the first favourite that it allows.
pub fn pattern_runs(
    section: &Section,
    king_tiles: &KingTiles,
    fixed_king: usize,
    trusted: Option<TrustedCaptures<'_>>,
    favourites: &[CategoryMasks],
) -> PatternRuns {
    let square = king_tiles.fixed_kings().squares()[fixed_king];
    let mut runs = PatternRuns::default();
    let mut numbers: HashMap<CategoryMasks, u32> = HashMap::new();
    for tile_group in 0..king_tiles.per_fixed_king().div_ceil(GROUP_TILES) {
        let mut allowed = section.tile_group(tile_group);
        if let Some(TrustedCaptures { captures, groups }) = trusted {
            for (king_tile, allowed) in (tile_group * GROUP_TILES..).zip(&mut allowed) {
                let (relaxed, wrong) = captures.relax(*allowed, groups, square, king_tile);
                *allowed = relaxed;
                runs.wrong |= wrong;
            }
        }
        let mut starts = 0;
        let mut run = AllowedCategories::ALL;
        for (place, &king_tile) in allowed.iter().enumerate() {
            match run.and(king_tile) {
                Some(both) if place > 0 => run = both,
                _ => {
                    if place > 0 {
                        runs.push(run, favourites, &mut numbers);
                    }
                    starts |= 1 << place;
                    run = king_tile;
                }
            }
        }
        runs.push(run, favourites, &mut numbers);
        runs.starts.push(starts);
    }
    runs
}

impl PatternRuns {
    fn push(
        &mut self,
        run: AllowedCategories,
        favourites: &[CategoryMasks],
        numbers: &mut HashMap<CategoryMasks, u32>,
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
