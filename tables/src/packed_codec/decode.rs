//! Decodes a block, to a square or to its end.

use crate::board::square::SQUARES;
use crate::packed_codec::TileCodes;
use crate::packed_codec::ans::{FREQUENCY_BITS, FREQUENCY_SCALE, SymbolDecoder};
use crate::packed_codec::context::NEAR_SQUARES;
use crate::packed_codec::error::CodecError;
use crate::packed_codec::model::{DigitModel, Model};
use crate::packed_codec::prediction::{HINTS, LITERAL, NearbyCodes, Prediction};
use crate::packed_codec::walk::Walker;
use crate::tiles::tile::TileSquare;
use crate::tiles::tile::shape::TileShape;

/// Decodes the codes of a block up to and including `last` into `tiles`. Squares that are not
/// kept get any code. `shape` returns the shape of a tile of the block.
///
/// # Errors
///
/// If the bytes do not decode, or `tiles` or the block has no such tile. Bytes behind `last` are
/// not checked.
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

/// The code of every square of a block without bytes, whatever its shapes. `None` if there may be
/// several codes.
///
/// Such a block consists of likeliest symbols. If the likeliest symbol next to equal codes is that
/// code again, in all contexts in which this can be, all codes equal the base.
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

/// Decodes a code that is written out. The symbols are passed and returned by value, so that
/// they stay in registers between calls.
#[inline(never)]
pub fn decode_digits<'a>(
    model: &Model,
    digits: &DigitModel,
    mut symbols: SymbolDecoder<'a>,
) -> Result<(u16, SymbolDecoder<'a>), CodecError> {
    let mut code = 0;
    let mut digit = 0;
    for place in 0..model.scale().digits() {
        let distribution = digits.0.get(DigitModel::number(place, digit));
        digit = symbols.take(distribution.ok_or(CodecError::Block)?);
        code = code << 4 | u16::from(digit);
    }
    if model.scale().holds(code) { Ok((code, symbols)) } else { Err(CodecError::Block) }
}

impl<Shapes> BlockDecoder<'_, Shapes> {
    /// The next symbol in a context. `None` if there is no such context.
    #[inline(always)]
    fn symbol(&mut self, context: usize) -> Option<u8> {
        let entry = self.model.contexts().get(context)?;
        let (state, rest) = self.symbols.state();
        let (frequency, part) = (entry.frequency(), state & (FREQUENCY_SCALE - 1));
        // Mostly the likeliest symbol, which has the first part of the scale. Its distribution is
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
        // All of them are computed: a branch on the symbol would be mispredicted.
        let codes = prediction.codes();
        let code = u16::try_from(codes[usize::from(symbol) % codes.len()]);
        code.ok().filter(|&code| self.model.scale().holds(code)).ok_or(CodecError::Block)
    }
}
