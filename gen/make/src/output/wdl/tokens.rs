//! The choice of the token of a run: the shortest of a number, changes of another pattern, and a
//! pattern in full.

use crate::output::wdl::allowed_categories::{AllowedCategories, CATEGORIES};
use crate::output::wdl::dictionary::Dictionary;
use crate::output::wdl::runs::Run;
use sakmak_solve::solver::{Kernel, Width};
use sakmak_tables::format::wdl::change::{CHANGE_KINDS, Change, ChangeByte, Shape};
use sakmak_tables::format::wdl::model::{MAX_TOKEN, WdlModel};
use sakmak_tables::format::wdl::pattern::CategoryMasks;
use sakmak_tables::format::wdl::token::Token;

/// Maximum number of runs that a lookup follows, each changed from the next one.
const MAX_DEPTH: u8 = 8;

/// Chooses the tokens of a side.
#[derive(Debug)]
pub struct TokenChooser<'a> {
    pub model: &'a WdlModel,
    dictionary: &'a Dictionary,
    search: ChangeSearch,
    width: Width,
}

/// The pattern chosen for a run.
#[derive(Clone, Copy, Debug)]
struct ChosenPattern {
    pattern: CategoryMasks,
    /// The number of runs that the pattern is changed from, each changed from the next one.
    depth: u8,
}

impl<'a> TokenChooser<'a> {
    /// Chooses tokens of a model and numbers of a dictionary.
    pub fn new(model: &'a WdlModel, dictionary: &'a Dictionary, width: Width) -> TokenChooser<'a> {
        let search = ChangeSearch::new(*model.changes());
        TokenChooser { model, dictionary, search, width }
    }

    /// Returns the token of each run of a tile group, with the first king tile of the run, and the
    /// pattern of each run.
    pub fn tokens(&self, runs: &[Run]) -> (Vec<(u8, Token)>, Vec<CategoryMasks>) {
        self.width.run(TileGroupTokens { chooser: self, runs })
    }

    #[inline(always)]
    fn choose(
        &self,
        allowed: &AllowedCategories,
        earlier: &[ChosenPattern],
    ) -> (Token, ChosenPattern) {
        let TokenChooser { model, dictionary, search, .. } = self;
        let filled = allowed.pattern();
        let numbered = |number: u16| &dictionary.patterns[usize::from(number)];
        let named = dictionary.number(allowed, &filled).map(|number| {
            let chosen = ChosenPattern { pattern: *numbered(number), depth: 0 };
            (Token::Pattern(number, Vec::new()), chosen)
        });
        if let Some((token, chosen)) = &named
            && token.length(model) <= 1
        {
            return (token.clone(), *chosen);
        }
        let bases = earlier.iter().enumerate().rev().filter(|(_, base)| base.depth < MAX_DEPTH);
        let bases = bases.map(|(run, base)| (run as u8, base));
        if let Some((run, base)) = bases.clone().find(|(_, base)| allowed.holds(&base.pattern)) {
            let depth = base.depth + 1;
            return (Token::Run(run, Vec::new()), ChosenPattern { depth, ..*base });
        }
        if let Some(named) = named {
            return named;
        }
        let length = model.palette().pattern_length().min(MAX_TOKEN + 1);
        let mut shortest = ShortestToken { search, allowed, length, found: None };
        for (run, base) in bases {
            shortest.attempt(ChangedBase::Run(run), &base.pattern, 1);
        }
        // One change of an earlier run is as short as can be.
        if shortest.length > 2 {
            for &number in dictionary.near(&filled).into_iter().flatten() {
                shortest.attempt(ChangedBase::Pattern(number), numbered(number), 2);
            }
        }
        let changed = |mut pattern: CategoryMasks, changes: &[ChangeByte]| {
            for change in changes {
                search.kinds[usize::from(change.kind)].apply(change.square, &mut pattern);
            }
            pattern
        };
        match shortest.found {
            None => (Token::Literal(filled), ChosenPattern { pattern: filled, depth: 0 }),
            Some((ChangedBase::Run(run), changes)) => {
                let base = &earlier[usize::from(run)];
                let pattern = changed(base.pattern, changes.as_slice());
                let chosen = ChosenPattern { pattern, depth: base.depth + 1 };
                (Token::Run(run, changes.as_slice().to_vec()), chosen)
            }
            Some((ChangedBase::Pattern(number), changes)) => {
                let pattern = changed(*numbered(number), changes.as_slice());
                let token = Token::Pattern(number, changes.as_slice().to_vec());
                (token, ChosenPattern { pattern, depth: 0 })
            }
        }
    }
}

/// The choice of the tokens of a tile group.
struct TileGroupTokens<'a> {
    chooser: &'a TokenChooser<'a>,
    runs: &'a [Run],
}

impl Kernel for TileGroupTokens<'_> {
    type Output = (Vec<(u8, Token)>, Vec<CategoryMasks>);

    #[inline(always)]
    fn run(self) -> (Vec<(u8, Token)>, Vec<CategoryMasks>) {
        let TileGroupTokens { chooser, runs } = self;
        let mut chosen: Vec<ChosenPattern> = Vec::with_capacity(runs.len());
        let mut tokens = Vec::with_capacity(runs.len());
        for Run { start, allowed } in runs {
            let allowed = allowed.within(chooser.model.palette().categories());
            let (token, pattern) = chooser.choose(&allowed, &chosen);
            chosen.push(pattern);
            tokens.push((*start, token));
        }
        (tokens, chosen.iter().map(|chosen| chosen.pattern).collect())
    }
}

/// The pattern that a changed pattern is derived from.
#[derive(Clone, Copy)]
enum ChangedBase {
    Run(u8),
    Pattern(u16),
}

/// The search for the shortest token of a run.
struct ShortestToken<'a> {
    search: &'a ChangeSearch,
    allowed: &'a AllowedCategories,
    /// The bytes that a token must be shorter than.
    length: usize,
    found: Option<(ChangedBase, Changes)>,
}

impl ShortestToken<'_> {
    /// Keeps the token that changes `pattern` if it is shorter than the shortest token so far.
    /// `fixed` is the length of the token in bytes without its changes.
    #[inline(always)]
    fn attempt(&mut self, base: ChangedBase, pattern: &CategoryMasks, fixed: usize) {
        let most = self.length.checked_sub(fixed + 1);
        let changes = most.and_then(|most| self.search.changes(pattern, self.allowed, most));
        if let Some(changes) = changes {
            self.length = fixed + changes.length;
            self.found = Some((base, changes));
        }
    }
}

/// Up to [`MAX_TOKEN`] changes.
#[derive(Clone, Copy, Debug)]
struct Changes {
    list: [ChangeByte; MAX_TOKEN],
    length: usize,
}

impl Changes {
    const NONE: Changes =
        Changes { list: [ChangeByte { kind: 0, square: 0 }; MAX_TOKEN], length: 0 };

    /// Adds a change. `None` if there would be more than `most`.
    #[inline(always)]
    fn push(&mut self, change: ChangeByte, most: usize) -> Option<()> {
        if self.length >= most {
            return None;
        }
        *self.list.get_mut(self.length)? = change;
        self.length += 1;
        Some(())
    }

    fn as_slice(&self) -> &[ChangeByte] {
        &self.list[..self.length]
    }
}

/// Searches for changes of these kinds.
#[derive(Debug)]
struct ChangeSearch {
    kinds: [Change; CHANGE_KINDS],
    /// The most squares of a kind.
    most_squares: usize,
    /// Changes of one square that turn a category into another one, in order; indexed by both
    /// categories. Empty if no changes do.
    paths: [[Vec<u8>; CATEGORIES]; CATEGORIES],
}

impl ChangeSearch {
    fn new(kinds: [Change; CHANGE_KINDS]) -> ChangeSearch {
        let mut paths: [[Vec<u8>; CATEGORIES]; CATEGORIES] = Default::default();
        for (from, paths) in paths.iter_mut().enumerate() {
            let mut reached = vec![(from, Vec::new())];
            let mut next = 0;
            while let Some((at, path)) = reached.get(next).cloned() {
                next += 1;
                for (kind, change) in (0..).zip(kinds) {
                    let to = usize::from(change.becomes[at]);
                    if change.shape == Shape::Square && to != from && paths[to].is_empty() {
                        let longer = [&path[..], &[kind]].concat();
                        paths[to].clone_from(&longer);
                        reached.push((to, longer));
                    }
                }
            }
        }
        let squares = kinds.map(|change| change.shape.squares().count_ones() as usize);
        ChangeSearch { kinds, most_squares: squares.into_iter().max().unwrap_or(1), paths }
    }

    /// Returns the changes that make a pattern an allowed one, at most `most`. `None` if the
    /// search, from the lowest square on, finds none.
    #[inline(always)]
    fn changes(
        &self,
        pattern: &CategoryMasks,
        allowed: &AllowedCategories,
        most: usize,
    ) -> Option<Changes> {
        let mut wrong = 0;
        for (pattern, allowed) in pattern.iter().zip(&allowed.0) {
            wrong |= pattern & !allowed;
        }
        match wrong.count_ones() as usize > most * self.most_squares {
            true => None,
            false => self.changes_of(wrong, pattern, allowed, most),
        }
    }

    #[inline(always)]
    fn changes_of(
        &self,
        mut wrong: u64,
        pattern: &CategoryMasks,
        allowed: &AllowedCategories,
        most: usize,
    ) -> Option<Changes> {
        // By kind: the squares that it changes to an allowed category.
        let mut open = [0; CHANGE_KINDS];
        for (open, kind) in open.iter_mut().zip(&self.kinds) {
            for (pattern, category) in pattern.iter().zip(kind.becomes) {
                *open |= pattern & allowed.0[usize::from(category)];
            }
        }
        let mut changes = Changes::NONE;
        while wrong != 0 {
            let square = wrong.trailing_zeros() as u8;
            let mut best: Option<(u32, ChangeByte, u64)> = None;
            for (kind, (change, open)) in (0..).zip(self.kinds.iter().zip(open)) {
                let squares = change.shape.squares() << square;
                let mended = (squares & wrong).count_ones();
                if squares & !open == 0 && best.is_none_or(|(most, ..)| mended > most) {
                    best = Some((mended, ChangeByte { kind, square }, squares));
                }
            }
            let squares = match best {
                Some((_, change, squares)) => {
                    changes.push(change, most)?;
                    squares
                }
                None => {
                    let from = pattern.iter().position(|mask| mask >> square & 1 != 0)?;
                    let paths = self.paths[from].iter().zip(allowed.0);
                    let paths = paths.filter(|(_, allowed)| allowed >> square & 1 != 0);
                    let paths = paths.map(|(path, _)| path).filter(|path| !path.is_empty());
                    for &kind in paths.min_by_key(|path| path.len())? {
                        changes.push(ChangeByte { kind, square }, most)?;
                    }
                    1 << square
                }
            };
            wrong &= !squares;
            for open in &mut open {
                *open &= !squares;
            }
        }
        Some(changes)
    }
}

/// Kinds of changes that are tried for a side: shapes, with the place of the category that a change
/// leads to among those that neighbours have most often.
const KINDS: [[(Shape, usize); CHANGE_KINDS]; 6] = {
    use Shape::{Above, Beside, Block, Square};
    [
        [(Square, 0), (Beside, 0), (Above, 0), (Block, 0)],
        [(Square, 0), (Square, 1), (Beside, 0), (Above, 0)],
        [(Square, 0), (Square, 1), (Beside, 0), (Beside, 1)],
        [(Square, 0), (Square, 1), (Square, 2), (Beside, 0)],
        [(Square, 0), (Square, 1), (Square, 2), (Above, 0)],
        [(Square, 0), (Square, 1), (Square, 2), (Square, 3)],
    ]
};

/// Kinds of changes that may suit these runs, each a list of tile groups.
pub fn kinds<'a>(groups: impl Iterator<Item = &'a [Run]>) -> Vec<[Change; CHANGE_KINDS]> {
    let mut after = [[0u64; CATEGORIES]; CATEGORIES];
    for runs in groups {
        for two in runs.windows(2) {
            let [one, next] = [two[0], two[1]].map(|run| run.allowed.pattern());
            for (after, one) in after.iter_mut().zip(one) {
                for (after, next) in after.iter_mut().zip(next) {
                    *after += u64::from((one & next).count_ones());
                }
            }
        }
    }
    let others: [Vec<u8>; CATEGORIES] = std::array::from_fn(|category| {
        let mut others: Vec<u8> =
            (0..CATEGORIES as u8).filter(|&other| usize::from(other) != category).collect();
        let after = after[category];
        others.sort_by_key(|&other| std::cmp::Reverse(after[usize::from(other)]));
        others
    });
    let change = |(shape, place): (Shape, usize)| Change {
        shape,
        becomes: std::array::from_fn(|category| others[category][place]),
    };
    KINDS.iter().map(|kinds| with_all_categories(kinds.map(change), &after)).collect()
}

/// Makes the last kind of one square lead to the categories that occur and to which none leads,
/// each from the category that is next to it most often, so that changes can make every pattern.
fn with_all_categories(
    mut kinds: [Change; CHANGE_KINDS],
    after: &[[u64; CATEGORIES]; CATEGORIES],
) -> [Change; CHANGE_KINDS] {
    let of_one = |kind: &Change| kind.shape == Shape::Square;
    let Some(last) = kinds.iter().rposition(of_one).filter(|&last| last > 0) else {
        return kinds;
    };
    for category in 0..CATEGORIES as u8 {
        let leads_there = |kind: &Change| of_one(kind) && kind.becomes.contains(&category);
        let to = usize::from(category);
        let often = |from: usize| if from == to { 0 } else { after[from][to] };
        let most = (0..CATEGORIES).max_by_key(|&from| often(from));
        if let Some(from) = most.filter(|&from| often(from) > 0)
            && !kinds.iter().any(leads_there)
        {
            kinds[last].becomes[from] = category;
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pattern_of(squares: &[u8; 64]) -> CategoryMasks {
        let mut pattern = [0; CATEGORIES];
        for (square, &category) in squares.iter().enumerate() {
            pattern[usize::from(category)] |= 1 << square;
        }
        pattern
    }

    fn pattern() -> impl Strategy<Value = CategoryMasks> {
        proptest::array::uniform32(0..CATEGORIES as u8 * CATEGORIES as u8).prop_map(|pairs| {
            let squares: [u8; 64] = std::array::from_fn(|square| {
                let both = pairs[square / 2];
                if square % 2 == 0 { both / CATEGORIES as u8 } else { both % CATEGORIES as u8 }
            });
            pattern_of(&squares)
        })
    }

    proptest! {
        #[test]
        fn changes_lead_to_an_allowed_pattern(
            base in pattern(),
            free in any::<u64>(),
            other in any::<u64>(),
            squares in proptest::collection::vec(0u8..64, 0..9),
        ) {
            // Close to the base, so that some changes are found.
            let far = squares.iter().fold(0u64, |far, square| far | 1 << square);
            let allowed = AllowedCategories(std::array::from_fn(|category| {
                let moved = base[(category + 1) % CATEGORIES];
                base[category] & !far | moved & far | free & other & far
            }));
            let runs = [Run { start: 0, allowed }];
            for kinds in kinds([&runs[..]].into_iter()) {
                let found = ChangeSearch::new(kinds).changes(&base, &allowed, 12);
                if squares.is_empty() {
                    prop_assert_eq!(found.map(|changes| changes.length), Some(0));
                }
                if let Some(changes) = found {
                    prop_assert!(changes.length <= 12);
                    let mut changed = base;
                    for change in changes.as_slice() {
                        kinds[usize::from(change.kind)].apply(change.square, &mut changed);
                    }
                    prop_assert!(allowed.holds(&changed));
                }
            }
        }
    }
}
