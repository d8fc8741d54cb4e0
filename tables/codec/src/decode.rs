//! Decodes a block, to a square or to its end.

use crate::ans::{FREQUENCY_BITS, FREQUENCY_SCALE, SymbolDecoder};
use crate::context::NEAR_SQUARES;
use crate::error::CodecError;
use crate::model::{DigitModel, Model};
use crate::prediction::{HINTS, LITERAL, NearbyCodes, Prediction};
use crate::walk::Walker;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::tiles::tile::TileCodes;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::tiles::tile::shape::TileShape;

/// Decodes the codes of a block up to and including `last` into `tiles`. Squares that are not
/// kept get any code. `shape` returns the shape of a tile of the block.
///
/// # Errors
///
/// If the bytes do not decode, or `tiles` or the block has no such tile. Bytes after `last` are not
/// checked.
#[inline]
pub fn decode_to(
    model: &Model,
    bytes: &[u8],
    shape: impl FnMut(usize) -> TileShape,
    last: TileSquare,
    tiles: &mut [TileCodes],
) -> Result<(), CodecError> {
    let mut decoder = BlockDecoder { model, shape, symbols: SymbolDecoder::new(bytes) };
    model.predictor().walk(&mut decoder, tiles, last)
}

/// Decodes all codes of a block of `tiles.len()` tiles. Squares that are not kept get any code.
///
/// # Errors
///
/// If the bytes do not decode or are too many.
pub fn decode(
    model: &Model,
    bytes: &[u8],
    shape: impl FnMut(usize) -> TileShape,
    tiles: &mut [TileCodes],
) -> Result<(), CodecError> {
    let Some(tile) = tiles.len().checked_sub(1) else {
        return Err(CodecError::Tile { tiles: 0, tile: 0 });
    };
    let mut decoder = BlockDecoder { model, shape, symbols: SymbolDecoder::new(bytes) };
    model.predictor().walk(&mut decoder, tiles, TileSquare { tile, square: SQUARES - 1 })?;
    if decoder.symbols.is_done() { Ok(()) } else { Err(CodecError::Block) }
}

/// The code of every square of a block without bytes, for any shapes. `None` if the codes may
/// differ.
///
/// A block without bytes consists of likeliest symbols. All codes equal the base if, in every
/// context next to equal codes, the likeliest symbol repeats that code.
pub fn code_of_empty_blocks(model: &Model) -> Option<u16> {
    let (base, _) = decode_digits(model, model.base(), SymbolDecoder::new(&[])).ok()?;
    let predictor = model.predictor();
    let codes = [base; SQUARES];
    let repeats = |reference: &Option<u8>, hints: u32| {
        let nearby = NearbyCodes {
            near: &[0; NEAR_SQUARES],
            square: 0,
            beyond: 0,
            current: &codes,
            reference: reference.map(|_| &codes),
            base,
            scale: predictor.scale,
            misses: 0,
        };
        let prediction = Prediction::new(nearby, hints);
        let entry = model.contexts().get(prediction.context());
        entry.and_then(|entry| prediction.code(entry.symbol())) == Some(base)
    };
    let mut references = predictor.references.iter();
    let all = references.all(|reference| (0..HINTS).all(|hints| repeats(reference, hints)));
    all.then_some(base)
}

/// Decodes the codes of a block on a walk.
struct BlockDecoder<'a, Shapes> {
    model: &'a Model,
    shape: Shapes,
    symbols: SymbolDecoder<'a>,
}

/// Decodes a code that is written out. The symbols are passed and returned by value, so that they
/// stay in registers between calls.
#[inline(never)]
pub fn decode_digits<'a>(
    model: &Model,
    digits: &DigitModel,
    mut symbols: SymbolDecoder<'a>,
) -> Result<(u16, SymbolDecoder<'a>), CodecError> {
    let mut code = 0;
    let mut digit = 0;
    for index in 0..model.scale().digits() {
        let distribution = digits.0.get(DigitModel::number(index, digit));
        digit = symbols.take(distribution.ok_or(CodecError::Block)?);
        code = code << 4 | u16::from(digit);
    }
    if model.scale().holds(code) { Ok((code, symbols)) } else { Err(CodecError::Block) }
}

impl<Shapes> BlockDecoder<'_, Shapes> {
    /// The next symbol in a context. `None` if the context is out of range.
    #[inline(always)]
    fn symbol(&mut self, context: usize) -> Option<u8> {
        let entry = self.model.contexts().get(context)?;
        let (state, rest) = self.symbols.state();
        let (frequency, part) = (entry.frequency(), state & (FREQUENCY_SCALE - 1));
        // Usually the likeliest symbol, which has the first part of the scale. Its distribution is
        // not read then.
        if part < frequency {
            let state = frequency * (state >> FREQUENCY_BITS) + part;
            self.symbols = SymbolDecoder::resumed(state, rest);
            return Some(entry.symbol());
        }
        Some(self.symbols.take(self.model.distributions().get(entry.number())?))
    }
}

impl<Shapes: FnMut(usize) -> TileShape> Walker for BlockDecoder<'_, Shapes> {
    type Error = CodecError;

    #[inline(always)]
    fn base(&mut self) -> Result<u16, CodecError> {
        let (code, symbols) = decode_digits(self.model, self.model.base(), self.symbols)?;
        self.symbols = symbols;
        Ok(code)
    }

    #[inline(always)]
    fn shape(&mut self, tile: usize) -> TileShape {
        (self.shape)(tile)
    }

    #[inline(always)]
    fn code(&mut self, _: TileSquare, prediction: &Prediction<'_>) -> Result<u16, CodecError> {
        let symbol = self.symbol(prediction.context()).ok_or(CodecError::Block)?;
        if symbol == 0 {
            return Ok(prediction.first());
        }
        if symbol == LITERAL {
            let (code, symbols) = decode_digits(self.model, self.model.literal(), self.symbols)?;
            self.symbols = symbols;
            return Ok(code);
        }
        // All codes are computed: a branch on the symbol would be mispredicted.
        let codes = prediction.codes();
        let code = u16::try_from(codes[usize::from(symbol) % codes.len()]);
        code.ok().filter(|&code| self.model.scale().holds(code)).ok_or(CodecError::Block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ans::{Distribution, SYMBOLS};
    use crate::context::ContextSquares;
    use crate::model::ModelParts;
    use crate::prediction::{CONTEXT_BITS, CONTEXTS, DRAW, NUDGES, PREDICTIONS};
    use crate::scale::Scale;
    use sakmak_tables::distance::Moves;
    use sakmak_tables::values::Coding;

    const CODING: Coding = Coding { wins: Moves(30), losses: Some(Moves(12)) };

    /// The distribution in which this symbol is the likeliest.
    fn mostly(symbol: u8) -> Distribution {
        let mut counts = [1; SYMBOLS];
        counts[usize::from(symbol)] = 1000;
        Distribution::of(&counts)
    }

    /// A model with a base of 0x22 in blocks without bytes, and these likeliest symbols in contexts
    /// without and with a reference tile; tile 1 has a reference tile.
    fn model(alone: u8, with_reference: u8) -> Model {
        let digits = DigitModel(vec![mostly(2); DigitModel::distributions(Scale::of(CODING))]);
        let parts = ModelParts {
            squares: ContextSquares::new([0, 1, 2, 3, 4, 5, 6, 7]).unwrap(),
            references: vec![None, Some(0)],
            distributions: vec![mostly(with_reference), mostly(alone)],
            distribution_of: (0..CONTEXTS).map(|at| u16::from(at >> CONTEXT_BITS != 0)).collect(),
            base: digits.clone(),
            literal: digits,
        };
        Model::new(CODING, parts).unwrap()
    }

    #[test]
    fn blocks_without_bytes_have_one_code_if_all_likeliest_symbols_repeat_it() {
        // With equal codes all predictions are that code.
        for repeating in 0..PREDICTIONS as u8 {
            let model = model(repeating, PREDICTIONS as u8 - 1 - repeating);
            assert_eq!(code_of_empty_blocks(&model), Some(0x22));
            for seed in 1..40u64 {
                let bits = |factor: u64| (seed * factor).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let shape = |tile: usize| TileShape {
                    kept: bits(tile as u64 + 1),
                    attacked: bits(3),
                    guarding: bits(5),
                };
                let mut tiles = [[1; SQUARES]; 2];
                decode(&model, &[], shape, &mut tiles).unwrap();
                assert_eq!(tiles, [[0x22; SQUARES]; 2]);
            }
        }
        let nudge = PREDICTIONS as u8;
        assert_eq!(NUDGES[0], 1);
        for (alone, with_reference) in [(nudge, 0), (0, nudge), (DRAW, 0), (0, LITERAL)] {
            assert_eq!(code_of_empty_blocks(&model(alone, with_reference)), None);
        }
    }
}
