//! The rows of a fixed king: encoded, then decoded again and compared.

use crate::output::wdl::allowed_categories::{AllowedCategories, CategoryMasks};
use crate::output::wdl::runs::{KingAllowed, Run, groups_of_row, runs};
use crate::output::wdl::tokens::TokenChooser;
use sakmak_tables::counting::Category;
use sakmak_tables::format::wdl::GROUP_TILES;
use sakmak_tables::format::wdl::row::{
    ALIKE, Found, ROW_GROUPS, WORD_LENGTH, WORD_UNIT, tile_group_of,
};
use sakmak_tables::format::wdl::tile_group::TileGroup;
use std::collections::HashMap;

/// A row of tile groups with 64 runs each, all patterns in full, has a place of two bytes for its last
/// tile group, below the words of one category.
const _: () = {
    let most = 8 + 32 + 64 * 24;
    assert!((64 * WORD_LENGTH + 63 * most) / WORD_UNIT < ALIKE as usize);
};

/// A row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EncodedRow {
    /// All squares of all its king tiles have the category with this index.
    Alike(u8),
    /// Its bytes.
    Bytes(Vec<u8>),
}

/// What was found while the rows of a fixed king were encoded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KingRows {
    pub rows: Vec<EncodedRow>,
    /// The groups whose captures are better than a position.
    pub wrong: u8,
    /// The categories that its patterns need besides those of the model, a bit each.
    pub categories: u8,
    /// A tile group, by its first king tile, with a pattern that is not allowed: none, unless this
    /// program is wrong.
    pub differing: Option<u64>,
}

/// Encodes the rows of a fixed king with `tile_groups` tile groups. `patterns` are those of the
/// chooser's dictionary, encoded.
pub fn encode_king(
    king: &KingAllowed<'_>,
    tile_groups: u64,
    chooser: &TokenChooser<'_>,
    patterns: &[u8],
) -> KingRows {
    let mut all = KingRows::default();
    for row in 0..tile_groups.div_ceil(ROW_GROUPS) {
        let mut groups = Vec::new();
        for tile_group in groups_of_row(row, tile_groups) {
            let (allowed, wrong) = king.tile_group(tile_group);
            all.wrong |= wrong;
            groups.push((tile_group, allowed));
        }
        let runs: Vec<Vec<Run>> = groups.iter().map(|(_, allowed)| runs(allowed)).collect();
        all.categories |= needed(runs.iter(), chooser.model.palette().categories());
        let encoded = encode_row(&runs, chooser);
        for (place, (tile_group, allowed)) in groups.iter().enumerate() {
            if !decodes_to(&encoded, place, allowed, chooser, patterns) {
                all.differing.get_or_insert(tile_group * GROUP_TILES);
            }
        }
        all.rows.push(encoded);
    }
    all
}

/// The best category that each square of these runs allows, of squares that do not allow all, a bit each, except
/// those of a palette. With them a palette has a category for every square, whatever the order of
/// the runs.
pub fn needed<'a>(groups: impl Iterator<Item = &'a Vec<Run>>, palette: u8) -> u8 {
    let mut needed = 0;
    for Run { allowed: AllowedCategories(allowed), .. } in groups.flatten() {
        let mut open = !allowed.iter().fold(u64::MAX, |all, allowed| all & allowed);
        for (category, allowed) in allowed.iter().enumerate().rev() {
            needed |= u8::from(allowed & open != 0) << category;
            open &= !allowed;
        }
    }
    needed & !palette
}

/// The row of these tile groups.
pub fn encode_row(groups: &[Vec<Run>], chooser: &TokenChooser<'_>) -> EncodedRow {
    let mut whole = Some(AllowedCategories::ALL);
    for runs in groups {
        whole = match &runs[..] {
            [run] => whole.and_then(|whole| whole.and(run.allowed)),
            _ => None,
        };
    }
    if let Some(category) = whole.and_then(|whole| whole.everywhere()) {
        return EncodedRow::Alike(category as u8);
    }
    let mut bytes = vec![0; groups.len() * WORD_LENGTH];
    let mut known: HashMap<Vec<u8>, u16> = HashMap::new();
    for (place, runs) in groups.iter().enumerate() {
        let word = match &runs[..] {
            [Run { allowed, .. }] if let Some(category) = allowed.everywhere() => {
                ALIKE + category as u16
            }
            runs => {
                let body = TileGroup::encode(chooser.model, &chooser.tokens(runs));
                *known.entry(body).or_insert_with_key(|body| {
                    bytes.resize(bytes.len().next_multiple_of(WORD_UNIT), 0);
                    let word = (bytes.len() / WORD_UNIT) as u16;
                    bytes.extend(body);
                    word
                })
            }
        };
        bytes[place * WORD_LENGTH..][..WORD_LENGTH].copy_from_slice(&word.to_le_bytes());
    }
    EncodedRow::Bytes(bytes)
}

/// Whether the tile group at a place of a row decodes to what its king tiles allow.
fn decodes_to(
    row: &EncodedRow,
    place: usize,
    allowed: &[AllowedCategories],
    chooser: &TokenChooser<'_>,
    patterns: &[u8],
) -> bool {
    let decoded = match row {
        EncodedRow::Alike(category) => {
            Category::ALL.get(usize::from(*category)).copied().map(Found::Category)
        }
        EncodedRow::Bytes(bytes) => tile_group_of(bytes, place as u32).and_then(|group| {
            Some(match group {
                Found::Category(category) => Found::Category(category),
                Found::At(group) => {
                    Found::At(TileGroup::new(group)?.patterns(chooser.model, patterns)?)
                }
            })
        }),
    };
    decoded.is_some_and(|decoded| first_wrong(allowed, &decoded).is_none())
}

/// The place of the first king tile of a tile group that does not allow what was decoded.
pub fn first_wrong(
    allowed: &[AllowedCategories],
    decoded: &Found<[CategoryMasks; GROUP_TILES as usize]>,
) -> Option<usize> {
    allowed.iter().enumerate().position(|(place, allowed)| match decoded {
        Found::Category(category) => allowed.0[category.index()] != u64::MAX,
        Found::At(patterns) => !allowed.holds(&patterns[place]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn some_runs() -> impl Strategy<Value = Vec<Run>> {
        proptest::collection::vec(any::<CategoryMasks>(), 0..4).prop_map(|all| {
            let run = |mut masks: CategoryMasks| {
                masks[2] |= !masks.iter().fold(0, |any, mask| any | mask);
                Run { start: 0, allowed: AllowedCategories(masks) }
            };
            all.into_iter().map(run).collect()
        })
    }

    proptest! {
        #[test]
        fn what_a_palette_needs_does_not_depend_on_the_order(
            one in some_runs(),
            other in some_runs(),
            palette in 0u8..32,
        ) {
            let grown = |palette: u8, runs: &Vec<Run>| palette | needed([runs].into_iter(), palette);
            let both = palette | needed([&one, &other].into_iter(), palette);
            prop_assert_eq!(grown(grown(palette, &one), &other), both);
            prop_assert_eq!(grown(grown(palette, &other), &one), both);
            // Every square has a category of it.
            for Run { allowed, .. } in one.iter().chain(&other) {
                let covered = allowed.within(both).0.iter().fold(0, |any, mask| any | mask);
                let all = allowed.0.iter().fold(u64::MAX, |all, mask| all & mask);
                prop_assert_eq!(covered | all, u64::MAX);
            }
        }
    }
}
