//! The rows of a fixed king: encoded, then decoded again and compared.

use crate::output::wdl::allowed_categories::{AllowedCategories, CategoryMasks};
use crate::output::wdl::runs::{KingCategories, Run, groups_of_row, runs};
use crate::output::wdl::tokens::TokenChooser;
use sakmak_tables::counting::Category;
use sakmak_tables::format::wdl::GROUP_TILES;
use sakmak_tables::format::wdl::row::{
    LookupStep, ROW_GROUPS, UNIFORM, WORD_LENGTH, WORD_UNIT, tile_group_of,
};
use sakmak_tables::format::wdl::tile_group::TileGroup;

/// A row of tile groups with 64 runs each, all patterns in full, has a place of two bytes for its
/// last tile group, below the words of one category.
const _: () = {
    let most = 8 + 32 + 64 * 24;
    assert!((64 * WORD_LENGTH + 63 * most) / WORD_UNIT < UNIFORM as usize);
};

/// A row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EncodedRow {
    /// All squares of all its king tiles have the category with this index.
    Alike(u8),
    /// Its bytes.
    Bytes(Vec<u8>),
}

/// The encoded rows of a fixed king, and the faults found while they were encoded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KingRows {
    pub rows: Vec<EncodedRow>,
    /// The groups with a capture that results in a better category than the table has.
    pub wrong: u8,
    /// The categories that its patterns need besides those of the model, a bit each.
    pub categories: u8,
    /// A tile group, by its first king tile, with a pattern that is not allowed: none, unless this
    /// program is wrong.
    pub differing: Option<u64>,
}

/// Encodes the rows of a fixed king with `tile_groups` tile groups. `patterns` holds the
/// encoded patterns of the chooser's dictionary.
pub fn encode_king(
    king: &KingCategories<'_>,
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

/// Returns the best category that each square of these runs allows, of squares that do not allow
/// all, a bit each, except those of a palette. With them a palette has a category for every square,
/// whatever the order of the runs.
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

/// Returns the row of these tile groups.
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
    let mut encoded: Vec<EncodedGroup> = Vec::new();
    for (place, runs) in groups.iter().enumerate() {
        let word = match &runs[..] {
            [Run { allowed, .. }] if let Some(category) = allowed.everywhere() => {
                UNIFORM + category as u16
            }
            runs => match encoded.iter().find(|group| group.fits(runs)) {
                Some(group) => group.word,
                None => {
                    bytes.resize(bytes.len().next_multiple_of(WORD_UNIT), 0);
                    let word = (bytes.len() / WORD_UNIT) as u16;
                    let (tokens, patterns) = chooser.tokens(runs);
                    bytes.extend(TileGroup::encode(chooser.model, &tokens));
                    let starts = runs.iter().fold(0, |starts, run| starts | 1 << run.start);
                    encoded.push(EncodedGroup { word, starts, patterns });
                    word
                }
            },
        };
        bytes[place * WORD_LENGTH..][..WORD_LENGTH].copy_from_slice(&word.to_le_bytes());
    }
    EncodedRow::Bytes(bytes)
}

/// A tile group of a row that others can share.
struct EncodedGroup {
    /// Its word.
    word: u16,
    /// A bit for each king tile with which a run begins.
    starts: u64,
    /// By run.
    patterns: Vec<CategoryMasks>,
}

impl EncodedGroup {
    /// Whether the king tiles of these runs, those of another tile group, allow its patterns.
    fn fits(&self, runs: &[Run]) -> bool {
        let ends = runs.iter().skip(1).map(|run| run.start).chain([u64::BITS as u8]);
        runs.iter().zip(ends).all(|(run, end)| {
            let number =
                |tile: u8| (self.starts << (u64::BITS as u8 - 1 - tile)).count_ones() as usize - 1;
            let patterns = &self.patterns[number(run.start)..=number(end - 1)];
            patterns.iter().all(|pattern| run.allowed.holds(pattern))
        })
    }
}

/// Whether the tile group at this index of a row decodes to categories that its king tiles allow.
fn decodes_to(
    row: &EncodedRow,
    place: usize,
    allowed: &[AllowedCategories],
    chooser: &TokenChooser<'_>,
    patterns: &[u8],
) -> bool {
    let decoded = match row {
        EncodedRow::Alike(category) => {
            Category::ALL.get(usize::from(*category)).copied().map(LookupStep::Category)
        }
        EncodedRow::Bytes(bytes) => tile_group_of(bytes, place as u32).and_then(|group| {
            Some(match group {
                LookupStep::Category(category) => LookupStep::Category(category),
                LookupStep::Next(group) => {
                    LookupStep::Next(TileGroup::new(group)?.patterns(chooser.model, patterns)?)
                }
            })
        }),
    };
    decoded.is_some_and(|decoded| first_wrong(allowed, &decoded).is_none())
}

/// Returns the place of the first king tile of a tile group that does not allow what was decoded.
pub fn first_wrong(
    allowed: &[AllowedCategories],
    decoded: &LookupStep<[CategoryMasks; GROUP_TILES as usize]>,
) -> Option<usize> {
    allowed.iter().enumerate().position(|(place, allowed)| match decoded {
        LookupStep::Category(category) => allowed.0[category.index()] != u64::MAX,
        LookupStep::Next(patterns) => !allowed.holds(&patterns[place]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::wdl::allowed_categories::CATEGORIES;
    use crate::output::wdl::dictionary::{Dictionary, PatternCounts};
    use crate::output::wdl::tokens::kinds;
    use proptest::prelude::*;
    use sakmak_solve::solver::Width;
    use sakmak_tables::format::wdl::model::WdlModel;

    fn some_runs() -> impl Strategy<Value = Vec<Run>> {
        proptest::collection::vec(any::<CategoryMasks>(), 0..4).prop_map(|all| {
            let run = |mut masks: CategoryMasks| {
                masks[2] |= !masks.iter().fold(0, |any, mask| any | mask);
                Run { start: 0, allowed: AllowedCategories(masks) }
            };
            all.into_iter().map(run).collect()
        })
    }

    /// Returns a pattern set of king tiles: one category on most squares, another on some, any on
    /// the rest.
    fn some_allowed() -> impl Strategy<Value = AllowedCategories> {
        (0..4usize, any::<[u64; 2]>()).prop_map(|(category, [other, free])| {
            let free = free & free.rotate_left(7);
            let mut masks = [free; CATEGORIES];
            masks[category] |= !other;
            masks[category + 1] |= other;
            AllowedCategories(masks)
        })
    }

    proptest! {
        #[test]
        fn a_row_decodes_to_what_it_allows_and_like_tile_groups_share_bytes(
            pool in proptest::collection::vec(some_allowed(), 1..4),
            octets in proptest::array::uniform8(any::<prop::sample::Index>()),
            others in proptest::collection::vec(
                proptest::collection::vec((0..64usize, any::<prop::sample::Index>()), 0..3),
                1..6,
            ),
        ) {
            // All tile groups are alike but for a few king tiles.
            let of_group = |others: &Vec<(usize, prop::sample::Index)>| {
                let mut allowed: Vec<AllowedCategories> =
                    (0..GROUP_TILES as usize).map(|tile| *octets[tile / 8].get(&pool)).collect();
                others.iter().for_each(|(tile, one)| allowed[*tile] = *one.get(&pool));
                allowed
            };
            let mut groups: Vec<_> = others.iter().map(of_group).collect();
            groups.push(groups[0].clone());
            let all: Vec<Vec<Run>> = groups.iter().map(|allowed| runs(allowed)).collect();
            let mut counts = PatternCounts::default();
            all.iter().for_each(|runs| counts.add(runs, 0b11111));
            let dictionary = Dictionary::new(counts, 2);
            let changes = kinds(all.iter().map(|runs| &runs[..]))[1];
            let model = WdlModel::new(0b11111, changes).unwrap();
            let patterns = dictionary.patterns.iter();
            let patterns: Vec<u8> = patterns.flat_map(|one| model.palette().encode(one)).collect();
            let chooser = TokenChooser::new(&model, &dictionary, Width::widest());
            let row = encode_row(&all, &chooser);
            for (place, allowed) in groups.iter().enumerate() {
                prop_assert!(decodes_to(&row, place, allowed, &chooser, &patterns));
            }
            if let EncodedRow::Bytes(bytes) = row {
                let words = bytes.as_chunks::<WORD_LENGTH>().0;
                prop_assert_eq!(words[0], words[groups.len() - 1]);
            }
        }

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
