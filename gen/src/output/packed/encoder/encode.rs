//! Writing a block.

use crate::output::packed::encoder::wanted::{Wanted, first_exact};
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::packed_codec::Codes;
use sakmak_tables::packed_codec::ans::{Distribution, LOWEST, SHARE_BITS, Share};
use sakmak_tables::packed_codec::error::CodecError;
use sakmak_tables::packed_codec::model::{Digits, Model};
use sakmak_tables::packed_codec::prediction::{Guess, LITERAL};
use sakmak_tables::packed_codec::walk::{Shape, Spot, Walker};

/// Writes blocks with a model, one after the other, in memory it keeps.
#[derive(Clone, Debug)]
pub struct Encoder<'a> {
    model: &'a Model,
    codes: Vec<Codes>,
    symbols: Vec<Share>,
    bytes: Vec<u8>,
}

impl<'a> Encoder<'a> {
    /// A writer with this model.
    pub fn new(model: &'a Model) -> Encoder<'a> {
        let codes = vec![[0; SQUARES]; model.tiles()];
        Encoder { model, codes, symbols: Vec::new(), bytes: Vec::new() }
    }

    /// The bytes of a block of these tiles, and the codes it is read back as.
    ///
    /// # Errors
    ///
    /// When they are none or more than a block has, or a code is not of the model's coding.
    pub fn encode(&mut self, block: &[Wanted]) -> Result<(&[u8], &[Codes]), CodecError> {
        let tiles = self.model.tiles();
        let tile = block.len().wrapping_sub(1);
        if tile >= tiles {
            return Err(CodecError::Tile { tiles, asked: tile });
        }
        self.symbols.clear();
        let mut writer = Writer { model: self.model, block, symbols: &mut self.symbols };
        let last = Spot { tile, square: SQUARES - 1 };
        self.model.guide().walk(&mut writer, &mut self.codes, last)?;
        write(&self.symbols, &mut self.bytes);
        Ok((&self.bytes, &self.codes[..block.len()]))
    }
}

/// Makes one number of symbols, the last first, and its bytes, highest first.
fn write(symbols: &[Share], bytes: &mut Vec<u8>) {
    bytes.clear();
    let mut state = 0u32;
    for share in symbols.iter().rev() {
        let (share, start) = (u32::from(share.size), u32::from(share.start));
        let limit = share * (LOWEST >> SHARE_BITS << u8::BITS);
        while state >= limit {
            bytes.push(state as u8);
            state >>= u8::BITS;
        }
        state = ((state / share) << SHARE_BITS) + state % share + start;
    }
    while state > 0 {
        bytes.push(state as u8);
        state >>= u8::BITS;
    }
    bytes.reverse();
}

/// Finds the symbols of a block.
struct Writer<'a> {
    model: &'a Model,
    block: &'a [Wanted],
    symbols: &'a mut Vec<Share>,
}

impl Writer<'_> {
    fn put(&mut self, symbol: u8, distribution: &Distribution) {
        let share = distribution.shares().find(|&(other, _)| other == symbol);
        self.symbols.extend(share.map(|(_, share)| share));
    }

    fn put_whole(&mut self, code: u16, digits: &Digits) -> Result<u16, CodecError> {
        if !self.model.scale().holds(code) {
            return Err(CodecError::Block);
        }
        let mut before = 0;
        for (place, digit) in Digits::of(code, self.model.scale().digits()).enumerate() {
            let distribution = digits.0.get(Digits::number(place, before));
            self.put(digit, distribution.ok_or(CodecError::Block)?);
            before = digit;
        }
        Ok(code)
    }

    /// The base that takes the least bytes.
    fn likeliest_base(&self) -> u16 {
        let (mut code, mut digit) = (0, 0);
        for place in 0..self.model.scale().digits() {
            let likeliest = self.model.base().0.get(Digits::number(place, digit));
            digit = likeliest.map_or(0, Distribution::likeliest);
            code = code << 4 | u16::from(digit);
        }
        if self.model.scale().holds(code) { code } else { 0 }
    }
}

impl Walker for Writer<'_> {
    type Error = CodecError;

    fn base(&mut self) -> Result<u16, CodecError> {
        let base = first_exact(self.block).unwrap_or_else(|| self.likeliest_base());
        self.put_whole(base, self.model.base())
    }

    fn shape(&mut self, tile: usize) -> Shape {
        self.block.get(tile).map_or(Shape::default(), |tile| tile.shape)
    }

    #[inline(always)]
    fn code(&mut self, spot: Spot, guess: &Guess<'_>) -> Result<u16, CodecError> {
        let tile = self.block.get(spot.tile).ok_or(CodecError::Block)?;
        let code = tile.codes[spot.square % SQUARES];
        let loose = tile.loose >> (spot.square % SQUARES) & 1 != 0;
        let scale = self.model.scale();
        let distribution = self.model.distribution(guess.context()).ok_or(CodecError::Block)?;
        for (symbol, share) in distribution.shares() {
            let guessed = guess.code(symbol).filter(|&guessed| {
                guessed == code || loose && scale.holds(guessed) && scale.is_at_most(guessed, code)
            });
            if let Some(guessed) = guessed {
                self.symbols.push(share);
                return if scale.holds(guessed) { Ok(guessed) } else { Err(CodecError::Block) };
            }
        }
        self.put(LITERAL, distribution);
        self.put_whole(code, self.model.literal())
    }
}
