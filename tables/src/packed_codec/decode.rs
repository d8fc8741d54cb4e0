//! Reading a block: its codes up to some spot, or all.

use crate::board::square::SQUARES;
use crate::packed_codec::Codes;
use crate::packed_codec::ans::Reader;
use crate::packed_codec::error::CodecError;
use crate::packed_codec::model::{Digits, Model};
use crate::packed_codec::prediction::{Guess, LITERAL};
use crate::packed_codec::walk::{Shape, Spot, Walker};

/// The codes of a block up to and with those of a spot, in `tiles`, which must have room
/// for as many tiles at least. Slots not kept get any code.
///
/// `shape` says of each tile up to that one what is known of it.
///
/// # Errors
///
/// When the bytes are not those of such a block, or it has no such tile. Not all damage
/// shows: what comes after the spot is not looked at.
#[inline]
pub fn decode_to(
    model: &Model,
    bytes: &[u8],
    shape: impl FnMut(usize) -> Shape,
    last: Spot,
    tiles: &mut [Codes],
) -> Result<(), CodecError> {
    let mut decoder = Decoder { model, shape, reader: Reader::new(bytes) };
    model.guide().walk(&mut decoder, tiles, last)
}

/// All codes of a block of so many tiles as there is room for. Slots not kept get any
/// code.
///
/// # Errors
///
/// When the bytes are not those of such a block.
pub fn decode(
    model: &Model,
    bytes: &[u8],
    shape: impl FnMut(usize) -> Shape,
    tiles: &mut [Codes],
) -> Result<(), CodecError> {
    let Some(tile) = tiles.len().checked_sub(1) else {
        return Err(CodecError::Tile { tiles: 0, asked: 0 });
    };
    let mut decoder = Decoder { model, shape, reader: Reader::new(bytes) };
    model.guide().walk(&mut decoder, tiles, Spot { tile, square: SQUARES - 1 })?;
    if decoder.reader.is_done() { Ok(()) } else { Err(CodecError::Block) }
}

/// Takes the codes from a block.
struct Decoder<'a, Shapes> {
    model: &'a Model,
    shape: Shapes,
    reader: Reader<'a>,
}

/// A whole code and what is left after it. The reader goes in and comes out by value, so
/// that between calls it need not be in memory.
#[inline(never)]
fn whole<'a>(
    model: &Model,
    digits: &Digits,
    mut reader: Reader<'a>,
) -> Result<(u16, Reader<'a>), CodecError> {
    let mut code = 0;
    let mut digit = 0;
    for place in 0..model.scale().digits() {
        let distribution = digits.0.get(Digits::number(place, digit));
        digit = reader.take(distribution.ok_or(CodecError::Block)?);
        code = code << 4 | u16::from(digit);
    }
    if model.scale().holds(code) { Ok((code, reader)) } else { Err(CodecError::Block) }
}

impl<Shapes: FnMut(usize) -> Shape> Walker for Decoder<'_, Shapes> {
    type Error = CodecError;

    #[inline(always)]
    fn base(&mut self) -> Result<u16, CodecError> {
        let (code, reader) = whole(self.model, self.model.base(), self.reader)?;
        self.reader = reader;
        Ok(code)
    }

    #[inline(always)]
    fn shape(&mut self, tile: usize) -> Shape {
        (self.shape)(tile)
    }

    #[inline(always)]
    fn code(&mut self, _: Spot, guess: &Guess<'_>) -> Result<u16, CodecError> {
        let distribution = self.model.distribution(guess.context()).ok_or(CodecError::Block)?;
        let symbol = self.reader.take(distribution);
        if symbol == 0 {
            return Ok(guess.first());
        }
        if symbol == LITERAL {
            let (code, reader) = whole(self.model, self.model.literal(), self.reader)?;
            self.reader = reader;
            return Ok(code);
        }
        // All of them, for the symbol cannot be foreseen and each would be a branch.
        let codes = guess.codes();
        let code = codes[usize::from(symbol) % codes.len()];
        if self.model.scale().holds(code) { Ok(code) } else { Err(CodecError::Block) }
    }
}
