//! How the king tiles of one side to move are coded in a WDL file: runs of king tiles with the same
//! pattern, patterns by their number or as changes of another one.

use crate::board::square::{SIDE_LENGTH, Square};
use crate::counting::Category;
use crate::format::error::FormatError;

/// The number of categories.
pub const CATEGORIES: usize = Category::ALL.len();

/// A pattern by [`Category::index`]: a bit for each square of the swept king with that category.
pub type CategoryMasks = [u64; CATEGORIES];

/// The most patterns of a side.
pub const MAX_PATTERNS: usize = (u8::MAX as usize + 1 - FIRST_PATTERN as usize) << u8::BITS;
/// The most bytes of a token that is not a pattern in full.
pub const MAX_TOKEN: usize = LITERAL as usize - 1;
/// The kinds of changes of a side.
pub const CHANGE_KINDS: usize = 1 << (u8::BITS - SQUARE_BITS);
/// Bytes of a kind of changes in the record of a side.
pub const CHANGE_LENGTH: usize = 2;

/// The first byte of a token from which it names a pattern, not an earlier run.
const FIRST_PATTERN: u8 = 64;
/// The length of a token that stands for a pattern in full.
const LITERAL: u8 = 15;
const LENGTH_BITS: u32 = 4;
const SQUARE_BITS: u32 = 6;
const SHAPE_BITS: u32 = 2;
const RANK_BITS: u32 = 2;
/// The most words of a pattern.
const MAX_PLANES: usize = 3;

/// The squares that a change takes in, from its square on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The square alone.
    Square,
    /// The square and the next one.
    Beside,
    /// The square and the one a rank higher.
    Above,
    /// The square, the next one, and the two a rank higher.
    Block,
}

impl Shape {
    /// All shapes in the order of their numbers.
    pub const ALL: [Shape; 1 << SHAPE_BITS] =
        [Shape::Square, Shape::Beside, Shape::Above, Shape::Block];

    /// A bit for each square, from square 0 on.
    pub const fn squares(self) -> u64 {
        const RANK: u64 = 1 << SIDE_LENGTH;
        match self {
            Shape::Square => 1,
            Shape::Beside => 0b11,
            Shape::Above => 1 | RANK,
            Shape::Block => 0b11 | (0b11 * RANK),
        }
    }
}

/// A kind of changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The squares.
    pub shape: Shape,
    /// By [`Category::index`]: the index of the category that it becomes, which is another one.
    pub becomes: [u8; CATEGORIES],
}

impl Change {
    /// Encodes the kind.
    pub fn encode(self) -> [u8; CHANGE_LENGTH] {
        let mut bits = self.shape as u16;
        for (place, becomes) in (0u8..).zip(self.becomes) {
            let rank = u16::from(becomes - u8::from(becomes > place));
            bits |= rank << (SHAPE_BITS + RANK_BITS * u32::from(place));
        }
        bits.to_le_bytes()
    }

    /// Decodes a kind. Drops the highest bits, which are reserved.
    pub fn decode(bytes: [u8; CHANGE_LENGTH]) -> Change {
        let bits = u16::from_le_bytes(bytes);
        let becomes = std::array::from_fn(|place| {
            let rank = bits >> (SHAPE_BITS + RANK_BITS * place as u32) & ((1 << RANK_BITS) - 1);
            rank as u8 + u8::from(usize::from(rank) >= place)
        });
        let shape = Shape::ALL[usize::from(bits) & (Shape::ALL.len() - 1)];
        Change { shape, becomes }
    }

    /// Changes a pattern from a square on.
    pub fn apply(self, square: u8, pattern: &mut CategoryMasks) {
        let squares = self.shape.squares() << square;
        let before = pattern.map(|mask| mask & squares);
        for mask in &mut *pattern {
            *mask &= !squares;
        }
        for (becomes, before) in self.becomes.into_iter().zip(before) {
            pattern[usize::from(becomes)] |= before;
        }
    }
}

/// A change of a token: its kind and its square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangeByte {
    /// The number of the kind.
    pub kind: u8,
    /// The lowest square.
    pub square: u8,
}

impl ChangeByte {
    /// Encodes the change.
    pub fn encode(self) -> u8 {
        self.kind << SQUARE_BITS | self.square
    }

    #[inline]
    fn decode(byte: u8) -> ChangeByte {
        ChangeByte { kind: byte >> SQUARE_BITS, square: byte & ((1 << SQUARE_BITS) - 1) }
    }
}

/// What the token of a run says of its pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// The pattern of an earlier run of the tile group, changed.
    Run(u8, Vec<ChangeByte>),
    /// A pattern of the side, changed.
    Pattern(u16, Vec<ChangeByte>),
    /// A pattern in full.
    Literal(CategoryMasks),
}

impl Token {
    /// The length of the token in its tile group.
    pub fn length(&self, model: &WdlModel) -> usize {
        match self {
            Token::Run(_, changes) => 1 + changes.len(),
            Token::Pattern(number, changes) if changes.is_empty() => match number {
                0 => 0,
                number if *number < u16::from(u8::MAX - FIRST_PATTERN) + 1 => 1,
                _ => 2,
            },
            Token::Pattern(_, changes) => 2 + changes.len(),
            Token::Literal(_) => model.pattern_length(),
        }
    }

    fn encode(&self, model: &WdlModel, bytes: &mut Vec<u8>) {
        match self {
            Token::Run(run, changes) => {
                bytes.push(*run);
                bytes.extend(changes.iter().map(|change| change.encode()));
            }
            Token::Pattern(number, changes) => {
                let [low, high] = number.to_le_bytes();
                match self.length(model) {
                    0 => {}
                    1 => bytes.push(FIRST_PATTERN + low),
                    _ => bytes.extend([FIRST_PATTERN + high, low]),
                }
                bytes.extend(changes.iter().map(|change| change.encode()));
            }
            Token::Literal(pattern) => bytes.extend(model.encode_pattern(pattern)),
        }
    }
}

/// How the patterns of a side to move are coded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WdlModel {
    categories: u8,
    /// The indices of the categories that occur, the worst first.
    palette: [u8; 1 << MAX_PLANES],
    planes: usize,
    changes: [Change; CHANGE_KINDS],
    /// By length in half a byte: bytes of the token.
    lengths: [u8; 1 << LENGTH_BITS],
    /// By byte: the lengths of both its tokens.
    pair_lengths: Box<[u8; 1 << u8::BITS]>,
}

impl WdlModel {
    /// The model for patterns of a set of categories, a bit each.
    ///
    /// # Errors
    ///
    /// When the set is empty or has unknown bits.
    pub fn new(categories: u8, changes: [Change; CHANGE_KINDS]) -> Result<WdlModel, FormatError> {
        if !(1..1 << CATEGORIES).contains(&categories) {
            return Err(FormatError::Wdl("the palette is no set of categories"));
        }
        let mut palette = [u8::MAX; 1 << MAX_PLANES];
        let present = (0..CATEGORIES as u8).filter(|category| categories >> category & 1 != 0);
        for (place, category) in palette.iter_mut().zip(present) {
            *place = category;
        }
        let highest = categories.count_ones() - 1;
        let planes = (u32::BITS - highest.leading_zeros()).max(1) as usize;
        let mut lengths: [u8; 1 << LENGTH_BITS] = std::array::from_fn(|length| length as u8);
        lengths[usize::from(LITERAL)] = (planes * size_of::<u64>()) as u8;
        let both = |byte: usize| lengths[byte & 0xf] + lengths[byte >> LENGTH_BITS];
        let pair_lengths = Box::new(std::array::from_fn(both));
        Ok(WdlModel { categories, palette, planes, changes, lengths, pair_lengths })
    }

    /// The categories that occur, a bit each by [`Category::index`].
    pub fn categories(&self) -> u8 {
        self.categories
    }

    /// The kinds of changes.
    pub fn changes(&self) -> &[Change; CHANGE_KINDS] {
        &self.changes
    }

    /// Bytes of a pattern in full.
    pub fn pattern_length(&self) -> usize {
        self.planes * size_of::<u64>()
    }

    /// Encodes a pattern in full. Squares without a category of the palette get the worst.
    pub fn encode_pattern(&self, pattern: &CategoryMasks) -> Vec<u8> {
        let plane = |plane: usize| {
            let with = self.palette.iter().enumerate().filter(|(place, _)| place >> plane & 1 != 0);
            with.filter_map(|(_, &category)| pattern.get(usize::from(category)))
                .fold(0, |bits, mask| bits | mask)
        };
        (0..self.planes).flat_map(|number| u64::to_le_bytes(plane(number))).collect()
    }

    /// The pattern of these bytes. `None` if a square has no category.
    fn decode_pattern(&self, bytes: &[u8]) -> Option<CategoryMasks> {
        let words = bytes.as_chunks().0.get(..self.planes)?;
        let mut pattern = [0; CATEGORIES];
        for (place, &category) in self.palette.iter().enumerate().take(1 << self.planes) {
            let squares = words.iter().enumerate().fold(u64::MAX, |all, (plane, &word)| {
                let bits = u64::from_le_bytes(word);
                all & if place >> plane & 1 == 0 { !bits } else { bits }
            });
            match pattern.get_mut(usize::from(category)) {
                Some(mask) => *mask |= squares,
                None if squares != 0 => return None,
                None => {}
            }
        }
        Some(pattern)
    }

    /// The bytes of a pattern of the side, or those of a literal. `None` if there is none.
    #[inline]
    fn source<'a>(&self, patterns: &'a [u8], stored: &StoredPattern<'a>) -> Option<&'a [u8]> {
        match stored.source {
            PatternSource::Numbered(number) => {
                let length = self.pattern_length();
                patterns.get(usize::from(number) * length..)?.get(..length)
            }
            PatternSource::Literal(bytes) => Some(bytes),
        }
    }

    /// The first byte that [`WdlModel::category`] reads: to load it into the cache ahead.
    #[inline]
    pub fn first_byte<'a>(&self, patterns: &'a [u8], stored: &StoredPattern<'a>) -> Option<&'a u8> {
        self.source(patterns, stored)?.first()
    }

    /// The category of a square of a pattern; `patterns` are those of the side. `None` if there is
    /// no such pattern or it gives the square no category.
    #[inline]
    pub fn category(
        &self,
        patterns: &[u8],
        stored: &StoredPattern<'_>,
        square: Square,
    ) -> Option<Category> {
        let mut place = 0;
        for (plane, word) in self.source(patterns, stored)?.as_chunks().0.iter().enumerate() {
            place |= (u64::from_le_bytes(*word) >> square.index() & 1) << plane;
        }
        let category = self.palette[place as usize & (self.palette.len() - 1)];
        let became = stored.becomes.get(usize::from(category))?;
        Category::ALL.get(usize::from(*became)).copied()
    }
}

/// Where the pattern of a run comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PatternSource<'a> {
    Numbered(u16),
    Literal(&'a [u8]),
}

/// The pattern that the category of one square comes from, and what the changes of the square make of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredPattern<'a> {
    source: PatternSource<'a>,
    becomes: [u8; CATEGORIES],
}

/// What a run's pattern is made from.
enum Base {
    Run(usize),
    Pattern(u16),
}

/// A tile group: runs of its king tiles and what each has for a pattern.
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

    /// Encodes a tile group: its runs by the king tiles with which they begin.
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

    /// The bytes of a run's token, and whether it is a pattern in full.
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

    /// What a token of up to [`MAX_TOKEN`] bytes is made from, and its changes.
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

    /// Where the category of a square of a king tile comes from. `None` if a token exceeds these
    /// bytes or names a run that is not earlier.
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
                let kind = &model.changes[usize::from(kind)];
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

    /// The patterns of all 64 king tiles; `patterns` are those of the side. `None` if a part of one is
    /// missing.
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
                    true => model.decode_pattern(token)?,
                    false => {
                        let (base, changes) = TileGroup::parts(token);
                        let mut made = match base {
                            Base::Run(earlier) => *runs.get(earlier)?,
                            Base::Pattern(number) => {
                                let length = model.pattern_length();
                                let bytes = patterns.get(usize::from(number) * length..)?;
                                model.decode_pattern(bytes)?
                            }
                        };
                        for &change in changes {
                            let ChangeByte { kind, square } = ChangeByte::decode(change);
                            model.changes[usize::from(kind)].apply(square, &mut made);
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

    /// A tile group: first king tiles and tokens, as many as there are runs.
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
            // Each is the one before, moved by a square.
            let next = |pattern: &CategoryMasks| Some(pattern.map(|mask| mask.rotate_left(1)));
            let patterns: Vec<CategoryMasks> =
                iter::successors(Some(some), next).take(PATTERNS.into()).collect();
            let stored: Vec<u8> =
                patterns.iter().flat_map(|pattern| model.encode_pattern(pattern)).collect();
            let bytes = TileGroup::encode(&model, &runs);
            let group = TileGroup::new(&bytes).unwrap();
            let whole = group.patterns(&model, &stored).unwrap();
            // By the definition, forwards.
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
