//! Tile groups: runs of king tiles with the same pattern, each with its token.

use crate::board::square::Square;
use crate::format::wdl::change::ChangeByte;
use crate::format::wdl::model::{
    FIRST_PATTERN, LENGTH_BITS, LITERAL, PatternSource, StoredPattern, WdlModel,
};
use crate::format::wdl::pattern::{CATEGORIES, CategoryMasks};
use crate::format::wdl::token::Token;

/// Base of the pattern of a run.
enum Base {
    Run(usize),
    Pattern(u16),
}

/// A tile group: runs of its king tiles, each with a token for its pattern.
#[derive(Clone, Copy, Debug)]
pub struct TileGroup<'a> {
    starts: u64,
    lengths: &'a [u8],
    tokens: &'a [u8],
}

impl<'a> TileGroup<'a> {
    /// The tile group at the start of these bytes. `None` if it has no first run or more bytes.
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Option<TileGroup<'a>> {
        let (starts, rest) = bytes.split_first_chunk()?;
        let starts = u64::from_le_bytes(*starts);
        let runs = starts.count_ones() as usize;
        let (lengths, tokens) = rest.split_at_checked(runs.div_ceil(2))?;
        (starts & 1 != 0).then_some(TileGroup { starts, lengths, tokens })
    }

    /// Encodes a tile group: its runs by their first king tiles.
    pub fn encode(model: &WdlModel, runs: &[(u8, Token)]) -> Vec<u8> {
        let starts = runs.iter().fold(0u64, |starts, (tile, _)| starts | 1 << tile);
        let length = |(_, token): &(u8, Token)| match token {
            Token::Literal(_) => LITERAL,
            token => token.length(model) as u8,
        };
        let mut bytes = starts.to_le_bytes().to_vec();
        bytes.extend(
            runs.chunks(2).map(|two| length(&two[0]) | two.get(1).map_or(0, length) << LENGTH_BITS),
        );
        runs.iter().for_each(|(_, token)| token.encode(model, &mut bytes));
        bytes
    }

    /// The bytes of a run's token, and whether they hold a whole pattern.
    #[inline]
    fn token(&self, model: &WdlModel, run: usize) -> Option<(&'a [u8], bool)> {
        let (before, last) = self.lengths.split_at_checked(run / 2)?;
        let mut at: usize =
            before.iter().map(|&two| usize::from(model.pair_lengths[usize::from(two)])).sum();
        let mut two = *last.first()?;
        if run & 1 != 0 {
            at += usize::from(model.lengths[usize::from(two & 0xf)]);
            two >>= LENGTH_BITS;
        }
        let length = two & 0xf;
        let token = self.tokens.get(at..)?.get(..model.lengths[usize::from(length)].into())?;
        Some((token, length == LITERAL))
    }

    /// The base and the changes of a token of up to [`MAX_TOKEN`] bytes.
    #[inline]
    fn parts(token: &[u8]) -> (Base, &[u8]) {
        match *token {
            [] => (Base::Pattern(0), &[]),
            [first, ref changes @ ..] if first < FIRST_PATTERN => {
                (Base::Run(first.into()), changes)
            }
            [first] => (Base::Pattern((first - FIRST_PATTERN).into()), &[]),
            [first, second, ref changes @ ..] => {
                (Base::Pattern(u16::from_le_bytes([second, first - FIRST_PATTERN])), changes)
            }
        }
    }

    /// The source of the category of a square of a king tile. `None` if a token exceeds these bytes
    /// or names a run that is not earlier.
    #[inline]
    pub fn find(
        &self,
        model: &WdlModel,
        king_tile: u32,
        square: Square,
    ) -> Option<StoredPattern<'a>> {
        // Counts the runs that begin at this king tile or before it. There is at least one.
        let upto = u64::MAX >> (u64::BITS - 1 - king_tile % u64::BITS);
        let mut run = (self.starts & upto).count_ones() as usize - 1;
        let mut becomes: [u8; CATEGORIES] = std::array::from_fn(|category| category as u8);
        loop {
            let (token, is_literal) = self.token(model, run)?;
            if is_literal {
                return Some(StoredPattern { source: PatternSource::Literal(token), becomes });
            }
            let (base, changes) = TileGroup::parts(token);
            for &change in changes.iter().rev() {
                let ChangeByte { kind, square: first } = ChangeByte::decode(change);
                let kind = &model.changes()[usize::from(kind)];
                if kind.shape.squares() << first >> square.index() & 1 != 0 {
                    becomes = kind.becomes.map(|category| becomes[usize::from(category)]);
                }
            }
            match base {
                Base::Pattern(number) => {
                    return Some(StoredPattern {
                        source: PatternSource::Numbered(number),
                        becomes,
                    });
                }
                Base::Run(earlier) if earlier < run => run = earlier,
                Base::Run(_) => return None,
            }
        }
    }

    /// The patterns of all 64 king tiles, given the patterns of the side. `None` if a part of a
    /// pattern is missing.
    pub fn patterns(
        &self,
        model: &WdlModel,
        patterns: &[u8],
    ) -> Option<[CategoryMasks; u64::BITS as usize]> {
        let mut runs: Vec<CategoryMasks> = Vec::with_capacity(u64::BITS as usize);
        let mut all = [[0; CATEGORIES]; u64::BITS as usize];
        for (tile, pattern) in all.iter_mut().enumerate() {
            if self.starts >> tile & 1 != 0 {
                let (token, is_literal) = self.token(model, runs.len())?;
                let made = match is_literal {
                    true => model.palette().decode(token)?,
                    false => {
                        let (base, changes) = TileGroup::parts(token);
                        let mut made = match base {
                            Base::Run(earlier) => *runs.get(earlier)?,
                            Base::Pattern(number) => {
                                model.palette().decode(model.numbered(patterns, number)?)?
                            }
                        };
                        for &change in changes {
                            let ChangeByte { kind, square } = ChangeByte::decode(change);
                            model.changes()[usize::from(kind)].apply(square, &mut made);
                        }
                        made
                    }
                };
                runs.push(made);
            }
            *pattern = *runs.last()?;
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::wdl::change::{CHANGE_KINDS, Change, Shape};
    use crate::format::wdl::model::MAX_TOKEN;
    use proptest::prelude::*;
    use std::iter;

    fn pattern() -> impl Strategy<Value = CategoryMasks> {
        proptest::collection::vec(0..CATEGORIES, 64).prop_map(|squares| {
            let mut pattern = [0; CATEGORIES];
            for (square, category) in squares.into_iter().enumerate() {
                pattern[category] |= 1 << square;
            }
            pattern
        })
    }

    fn kind() -> impl Strategy<Value = Change> {
        (0..Shape::ALL.len(), proptest::array::uniform5(1..CATEGORIES as u8)).prop_map(
            |(shape, steps)| Change {
                shape: Shape::ALL[shape],
                becomes: std::array::from_fn(|category| {
                    (category as u8 + steps[category]) % CATEGORIES as u8
                }),
            },
        )
    }

    /// A token of a run with this many runs before it, of a side with `patterns` patterns.
    fn token(runs: u8, patterns: u16) -> impl Strategy<Value = Token> {
        let change = (0..CHANGE_KINDS as u8, 0u8..64);
        let change = change.prop_map(|(kind, square)| ChangeByte { kind, square });
        let changes = move |most: usize| proptest::collection::vec(change.clone(), 0..=most);
        let named = (0..patterns, changes(MAX_TOKEN - 2));
        let named = named.prop_map(|(number, changes)| Token::Pattern(number, changes));
        let literal = pattern().prop_map(Token::Literal);
        let earlier = (0..runs.max(1), changes(MAX_TOKEN - 1));
        let earlier = earlier.prop_map(move |(run, changes)| match runs {
            0 => Token::Pattern(0, Vec::new()),
            _ => Token::Run(run, changes),
        });
        prop_oneof![earlier, named, literal]
    }

    const PATTERNS: u16 = 700;

    /// A tile group: the first king tile and the token of each run.
    fn group() -> impl Strategy<Value = Vec<(u8, Token)>> {
        any::<u64>().prop_flat_map(|starts| {
            let starts = (0u8..64).filter(move |tile| (starts | 1) >> tile & 1 != 0);
            (0u8..)
                .zip(starts)
                .map(|(run, start)| (Just(start), token(run, PATTERNS)))
                .collect::<Vec<_>>()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn kinds_are_decoded_as_they_were_encoded(kind in kind()) {
            prop_assert_eq!(Change::decode(kind.encode()), kind);
        }

        #[test]
        fn a_square_is_looked_up_as_whole_patterns_have_it(
            kinds in proptest::array::uniform4(kind()),
            some in pattern(),
            runs in group(),
        ) {
            let model = WdlModel::new((1 << CATEGORIES) - 1, kinds).unwrap();
            // Each pattern is the pattern before, shifted by a square.
            let next = |pattern: &CategoryMasks| Some(pattern.map(|mask| mask.rotate_left(1)));
            let patterns: Vec<CategoryMasks> =
                iter::successors(Some(some), next).take(PATTERNS.into()).collect();
            let stored: Vec<u8> =
                patterns.iter().flat_map(|pattern| model.palette().encode(pattern)).collect();
            let bytes = TileGroup::encode(&model, &runs);
            let group = TileGroup::new(&bytes).unwrap();
            let whole = group.patterns(&model, &stored).unwrap();
            // Applies the tokens by definition, forwards.
            let mut made: Vec<CategoryMasks> = Vec::new();
            for (_, token) in &runs {
                let (mut pattern, changes) = match token {
                    Token::Run(run, changes) => (made[usize::from(*run)], &changes[..]),
                    Token::Pattern(number, changes) => (patterns[usize::from(*number)], &changes[..]),
                    Token::Literal(pattern) => (*pattern, &[][..]),
                };
                for change in changes {
                    kinds[usize::from(change.kind)].apply(change.square, &mut pattern);
                }
                made.push(pattern);
            }
            for tile in 0u8..64 {
                let run = runs.iter().filter(|(start, _)| *start <= tile).count() - 1;
                prop_assert_eq!(whole[usize::from(tile)], made[run]);
                for square in Square::all() {
                    let found = group.find(&model, tile.into(), square).unwrap();
                    let category = model.category(&stored, &found, square).unwrap();
                    prop_assert!(made[run][category.index()] >> square.index() & 1 != 0);
                }
            }
        }

        #[test]
        fn any_bytes_are_decoded_or_refused(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            stored in proptest::collection::vec(any::<u8>(), 0..80),
            categories in 1u8..1 << CATEGORIES,
        ) {
            let kind = Change { shape: Shape::Block, becomes: [1, 2, 3, 4, 0] };
            let model = WdlModel::new(categories, [kind; CHANGE_KINDS]).unwrap();
            if let Some(group) = TileGroup::new(&bytes) {
                let _ = group.patterns(&model, &stored);
                for tile in 0..64 {
                    if let Some(found) = group.find(&model, tile, Square::wrapping(27)) {
                        let _ = model.category(&stored, &found, Square::wrapping(27));
                    }
                }
            }
        }
    }
}
