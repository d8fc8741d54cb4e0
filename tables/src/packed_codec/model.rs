//! The model of a side's codes: all that reading a block takes besides its bytes.
//!
//! Found by counting in a part of the table and kept with it. As bytes:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | the order in which neighbours are asked, numbers of [`BACK`](crate::packed_codec::context::BACK) |
//! | 1 | tiles of a block, 1 to 64 |
//! | a tile 1 | which tile of the block it is compared with, an earlier one; 255 for none |
//! | 2 | number of distributions, at least 1 |
//! | each 48 | 16 shares of 2 bytes, then their symbols |
//! | 2 each context | the number of its distribution |
//! | each 48 | the distributions of the digits of a base, then of a literal |

use crate::packed_codec::MAX_TILES;
use crate::packed_codec::ans::{Distribution, SYMBOLS};
use crate::packed_codec::context::{Neighbours, STEPS};
use crate::packed_codec::error::CodecError;
use crate::packed_codec::prediction::CONTEXTS;
use crate::packed_codec::scale::Scale;
use crate::packed_codec::walk::Guide;
use crate::values::Coding;

/// Bytes of a distribution.
const DISTRIBUTION_LENGTH: usize = 3 * SYMBOLS;

/// The byte that stands for no tile above.
const NO_PANEL: u8 = u8::MAX;

/// What a model is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Which squares are asked.
    pub neighbours: Neighbours,
    /// For each tile of a block the earlier one it is compared with.
    pub above: Vec<Option<u8>>,
    /// How likely symbols are.
    pub distributions: Vec<Distribution>,
    /// By context: the number of its distribution.
    pub of_context: Vec<u16>,
    /// How likely the digits of a base are.
    pub base: Digits,
    /// How likely the digits of a literal are.
    pub literal: Digits,
}

/// The model of one side's codes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    scale: Scale,
    parts: Parts,
}

impl Model {
    /// The model made of these parts.
    ///
    /// # Errors
    ///
    /// When they do not fit together or the coding.
    pub fn new(coding: Coding, parts: Parts) -> Result<Model, CodecError> {
        let scale = Scale::of(coding);
        let tiles = parts.above.len();
        if tiles == 0 || tiles > MAX_TILES {
            return Err(CodecError::Model("number of tiles"));
        }
        let earlier = |(tile, above): (usize, &Option<u8>)| {
            above.is_none_or(|above| usize::from(above) < tile)
        };
        if !parts.above.iter().enumerate().all(earlier) {
            return Err(CodecError::Model("tiles above"));
        }
        let known = |&number: &u16| usize::from(number) < parts.distributions.len();
        if parts.of_context.len() != CONTEXTS || !parts.of_context.iter().all(known) {
            return Err(CodecError::Model("contexts"));
        }
        let expected = Digits::distributions(scale);
        if [&parts.base, &parts.literal].iter().any(|digits| digits.0.len() != expected) {
            return Err(CodecError::Model("digits"));
        }
        Ok(Model { scale, parts })
    }

    /// What the codes stand for.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Tiles of a block.
    pub fn tiles(&self) -> usize {
        self.parts.above.len()
    }

    /// What guesses are made from.
    #[inline]
    pub fn guide(&self) -> Guide<'_> {
        Guide { neighbours: &self.parts.neighbours, above: &self.parts.above, scale: self.scale }
    }

    /// How likely symbols are in a context; nothing for what is no context.
    #[inline(always)]
    pub fn distribution(&self, context: usize) -> Option<&Distribution> {
        let number = *self.parts.of_context.get(context)?;
        self.parts.distributions.get(usize::from(number))
    }

    /// How likely the digits of a base are.
    pub fn base(&self) -> &Digits {
        &self.parts.base
    }

    /// How likely the digits of a literal are.
    pub fn literal(&self) -> &Digits {
        &self.parts.literal
    }

    /// The model as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let Parts { neighbours, above, distributions, of_context, base, literal } = &self.parts;
        let mut bytes = neighbours.order().to_vec();
        bytes.push(above.len() as u8);
        bytes.extend(above.iter().map(|above| above.unwrap_or(NO_PANEL)));
        bytes.extend((distributions.len() as u16).to_le_bytes());
        distributions.iter().for_each(|distribution| put(&mut bytes, distribution));
        bytes.extend(of_context.iter().flat_map(|number| number.to_le_bytes()));
        for distribution in base.0.iter().chain(&literal.0) {
            put(&mut bytes, distribution);
        }
        bytes
    }

    /// The model these bytes are, for codes of this coding.
    ///
    /// # Errors
    ///
    /// When they are none, or the model of another coding.
    pub fn decode(coding: Coding, bytes: &[u8]) -> Result<Model, CodecError> {
        let mut rest = Rest(bytes);
        let order: [u8; STEPS] = rest.array()?;
        let [tiles] = rest.array()?;
        let above = rest.slice(tiles.into())?.iter();
        let above = above.map(|&above| (above != NO_PANEL).then_some(above)).collect();
        let count = u16::from_le_bytes(rest.array()?);
        let distributions = rest.distributions(count.into())?;
        let (numbers, _) = rest.slice(2 * CONTEXTS)?.as_chunks::<2>();
        let of_context = numbers.iter().map(|&number| u16::from_le_bytes(number)).collect();
        let digits = Digits::distributions(Scale::of(coding));
        let base = Digits(rest.distributions(digits)?);
        let literal = Digits(rest.distributions(digits)?);
        if !rest.0.is_empty() {
            return Err(CodecError::Model("length"));
        }
        let neighbours = Neighbours::new(order)?;
        Model::new(coding, Parts { neighbours, above, distributions, of_context, base, literal })
    }
}

fn put(bytes: &mut Vec<u8>, distribution: &Distribution) {
    bytes.extend(distribution.shares().flat_map(|(_, share)| share.size.to_le_bytes()));
    bytes.extend(distribution.shares().map(|(symbol, _)| symbol));
}

/// Bytes not yet read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn slice(&mut self, length: usize) -> Result<&'a [u8], CodecError> {
        let (slice, rest) = self.0.split_at_checked(length).ok_or(CodecError::Model("length"))?;
        self.0 = rest;
        Ok(slice)
    }

    fn array<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], CodecError> {
        let (array, rest) = self.0.split_first_chunk().ok_or(CodecError::Model("length"))?;
        self.0 = rest;
        Ok(*array)
    }

    fn distributions(&mut self, count: usize) -> Result<Vec<Distribution>, CodecError> {
        let (each, _) = self.slice(DISTRIBUTION_LENGTH * count)?.as_chunks();
        let one = |bytes: &[u8; DISTRIBUTION_LENGTH]| {
            let share = |place: usize| u16::from_le_bytes([bytes[2 * place], bytes[2 * place + 1]]);
            let symbol = |place: usize| bytes[2 * SYMBOLS + place];
            Distribution::new(std::array::from_fn(share), std::array::from_fn(symbol))
        };
        each.iter().map(one).collect()
    }
}

/// How likely the hexadecimal digits of whole codes are, the highest first: one
/// distribution for the first digit, then 16 for each further one, by the digit before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digits(pub Vec<Distribution>);

impl Digits {
    /// How many distributions it takes.
    pub fn distributions(scale: Scale) -> usize {
        1 + SYMBOLS * (scale.digits() - 1)
    }

    /// The number of the distribution of a digit, given how many came before and the last
    /// of them.
    #[inline]
    pub fn number(place: usize, before: u8) -> usize {
        match place.checked_sub(1) {
            None => 0,
            Some(further) => 1 + SYMBOLS * further + usize::from(before),
        }
    }

    /// The digits of a code, of which there are so many, the highest first.
    pub fn of(code: u16, digits: usize) -> impl Iterator<Item = u8> {
        (0..digits).rev().map(move |place| (code >> (4 * place) & 0xf) as u8)
    }
}
