//! Models: all data that decoding the codes of a side needs besides the bytes of a block.
//!
//! A model is counted in a part of the table and stored in its file. As bytes:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | the order of the steps to near squares, numbers of [`BACK`](crate::context::BACK) |
//! | 1 | tiles of a block, 1 to 64 |
//! | a tile 1 | its reference tile, an earlier one of the block; 255 for none |
//! | 2 | number of distributions, at least 1 |
//! | each 48 | 16 frequencies of 2 bytes, then their symbols |
//! | 2 each context | the number of its distribution |
//! | each 48 | the distributions of the digits of a base, then of a literal |

use crate::ans::{Distribution, SYMBOLS};
use crate::context::{ContextSquares, STEPS};
use crate::context_map::ContextMap;
use crate::error::CodecError;
use crate::prediction::CONTEXTS;
use crate::scale::Scale;
use crate::walk::Predictor;
use sakmak_tables::format::packed::header::MAX_TILES;
use sakmak_tables::values::Coding;

/// Bytes of a distribution.
const DISTRIBUTION_LENGTH: usize = 3 * SYMBOLS;

/// The byte for no reference tile.
const NO_REFERENCE: u8 = u8::MAX;

/// The parts of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelParts {
    /// The squares a prediction reads.
    pub squares: ContextSquares,
    /// The reference tile of each tile of a block.
    pub references: Vec<Option<u8>>,
    /// The distributions of the symbols.
    pub distributions: Vec<Distribution>,
    /// The index of the distribution of each context.
    pub distribution_of: Vec<u16>,
    /// The distributions of the digits of a base.
    pub base: DigitModel,
    /// The distributions of the digits of a literal.
    pub literal: DigitModel,
}

/// The model of one side's codes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    scale: Scale,
    squares: ContextSquares,
    references: Vec<Option<u8>>,
    distributions: Vec<Distribution>,
    contexts: ContextMap,
    base: DigitModel,
    literal: DigitModel,
}

impl Model {
    /// The model of these parts.
    ///
    /// # Errors
    ///
    /// If they do not fit together or do not fit the coding.
    pub fn new(coding: Coding, parts: ModelParts) -> Result<Model, CodecError> {
        let scale = Scale::of(coding);
        let ModelParts { squares, references, distributions, distribution_of, base, literal } =
            parts;
        let tiles = references.len();
        if tiles == 0 || tiles > MAX_TILES {
            return Err(CodecError::Model("number of tiles"));
        }
        let earlier = |(tile, reference): (usize, &Option<u8>)| {
            reference.is_none_or(|reference| usize::from(reference) < tile)
        };
        if !references.iter().enumerate().all(earlier) {
            return Err(CodecError::Model("list of reference tiles"));
        }
        if distribution_of.len() != CONTEXTS {
            return Err(CodecError::Model("list of contexts"));
        }
        let expected = DigitModel::distributions(scale);
        if [&base, &literal].iter().any(|digits| digits.0.len() != expected) {
            return Err(CodecError::Model("list of digits"));
        }
        let contexts = ContextMap::new(&distribution_of, &distributions)?;
        Ok(Model { scale, squares, references, distributions, contexts, base, literal })
    }

    /// The meaning of the codes.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The number of tiles of a block.
    pub fn tiles(&self) -> usize {
        self.references.len()
    }

    /// The part that predictions come from.
    #[inline]
    pub fn predictor(&self) -> Predictor<'_> {
        Predictor { squares: &self.squares, references: &self.references, scale: self.scale }
    }

    /// The distribution of the symbols in a context. `None` if the context is out of range.
    #[inline(always)]
    pub fn distribution(&self, context: usize) -> Option<&Distribution> {
        self.distributions.get(self.contexts.get(context)?.number())
    }

    /// The distributions of the symbols.
    #[inline(always)]
    pub fn distributions(&self) -> &[Distribution] {
        &self.distributions
    }

    /// The entry of each context.
    #[inline(always)]
    pub fn contexts(&self) -> &ContextMap {
        &self.contexts
    }

    /// The distributions of the digits of a base.
    pub fn base(&self) -> &DigitModel {
        &self.base
    }

    /// The distributions of the digits of a literal.
    pub fn literal(&self) -> &DigitModel {
        &self.literal
    }

    /// The model as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let Model { scale: _, squares, references, distributions, contexts, base, literal } = self;
        let mut bytes = squares.order().to_vec();
        bytes.push(references.len() as u8);
        bytes.extend(references.iter().map(|reference| reference.unwrap_or(NO_REFERENCE)));
        bytes.extend((distributions.len() as u16).to_le_bytes());
        distributions.iter().for_each(|distribution| put(&mut bytes, distribution));
        let numbers = contexts.entries().map(|entry| entry.number() as u16);
        bytes.extend(numbers.flat_map(u16::to_le_bytes));
        for distribution in base.0.iter().chain(&literal.0) {
            put(&mut bytes, distribution);
        }
        bytes
    }

    /// Decodes a model for codes of this coding.
    ///
    /// # Errors
    ///
    /// If the bytes are no model, or the model of another coding.
    pub fn decode(coding: Coding, bytes: &[u8]) -> Result<Model, CodecError> {
        let mut rest = ModelBytes(bytes);
        let order: [u8; STEPS] = rest.array()?;
        let [tiles] = rest.array()?;
        let references = rest.slice(tiles.into())?.iter();
        let references = references.map(|&tile| (tile != NO_REFERENCE).then_some(tile)).collect();
        let count = u16::from_le_bytes(rest.array()?);
        let distributions = rest.distributions(count.into())?;
        let (numbers, _) = rest.slice(2 * CONTEXTS)?.as_chunks::<2>();
        let distribution_of = numbers.iter().map(|&number| u16::from_le_bytes(number)).collect();
        let digits = DigitModel::distributions(Scale::of(coding));
        let base = DigitModel(rest.distributions(digits)?);
        let literal = DigitModel(rest.distributions(digits)?);
        if !rest.0.is_empty() {
            return Err(CodecError::Model("length"));
        }
        let squares = ContextSquares::new(order)?;
        Model::new(
            coding,
            ModelParts { squares, references, distributions, distribution_of, base, literal },
        )
    }
}

fn put(bytes: &mut Vec<u8>, distribution: &Distribution) {
    bytes
        .extend(distribution.frequencies().flat_map(|(_, frequency)| frequency.size.to_le_bytes()));
    bytes.extend(distribution.frequencies().map(|(symbol, _)| symbol));
}

/// The bytes of a model that are not parsed yet.
struct ModelBytes<'a>(&'a [u8]);

impl<'a> ModelBytes<'a> {
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
            let frequency =
                |index: usize| u16::from_le_bytes([bytes[2 * index], bytes[2 * index + 1]]);
            let symbol = |index: usize| bytes[2 * SYMBOLS + index];
            Distribution::new(std::array::from_fn(frequency), std::array::from_fn(symbol))
        };
        each.iter().map(one).collect()
    }
}

/// The distributions of the hexadecimal digits of a code that is written out, the highest digit
/// first: one distribution for the first digit, then 16 for each further digit, by the digit
/// before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DigitModel(pub Vec<Distribution>);

impl DigitModel {
    /// The number of distributions.
    pub fn distributions(scale: Scale) -> usize {
        1 + SYMBOLS * (scale.digits() - 1)
    }

    /// The index of the distribution of a digit, by the index of the digit and the digit before.
    #[inline]
    pub fn number(index: usize, before: u8) -> usize {
        match index.checked_sub(1) {
            None => 0,
            Some(further) => 1 + SYMBOLS * further + usize::from(before),
        }
    }

    /// The digits of a code, the highest first; `digits` is their number.
    pub fn of(code: u16, digits: usize) -> impl Iterator<Item = u8> {
        (0..digits).rev().map(move |index| (code >> (4 * index) & 0xf) as u8)
    }
}
