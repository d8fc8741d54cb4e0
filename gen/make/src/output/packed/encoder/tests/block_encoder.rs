//! One block encoded, step by step: what sixteen in lockstep are compared with.

use crate::output::packed::encoder::count::symbol_of;
use crate::output::packed::encoder::lane_encoder::likeliest_base;
use crate::output::packed::encoder::target_tile::{TargetTile, first_exact_code};
use sakmak_codec::ans::{Distribution, FREQUENCY_BITS, Frequency, LOWER_BOUND};
use sakmak_codec::error::CodecError;
use sakmak_codec::model::{DigitModel, Model};
use sakmak_codec::prediction::Prediction;
use sakmak_codec::walk::Walker;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::tiles::tile::TileCodes;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::tiles::tile::shape::TileShape;

/// Encodes blocks with a model, one after the other; keeps its buffers.
#[derive(Clone, Debug)]
pub struct BlockEncoder<'a> {
    model: &'a Model,
    codes: Vec<TileCodes>,
    frequencies: Vec<Frequency>,
    bytes: Vec<u8>,
}

impl<'a> BlockEncoder<'a> {
    /// An encoder with this model.
    pub fn new(model: &'a Model) -> BlockEncoder<'a> {
        let codes = vec![[0; SQUARES]; model.tiles()];
        BlockEncoder { model, codes, frequencies: Vec::new(), bytes: Vec::new() }
    }

    /// The bytes of a block, and the codes that they decode to.
    ///
    /// # Errors
    ///
    /// If the block is empty or has too many tiles, or a code is not of the model's coding.
    pub fn encode(&mut self, block: &[TargetTile]) -> Result<(&[u8], &[TileCodes]), CodecError> {
        let tiles = self.model.tiles();
        let tile = block.len().wrapping_sub(1);
        if tile >= tiles {
            return Err(CodecError::BlockTiles(block.len()));
        }
        self.frequencies.clear();
        let mut symbols =
            BlockSymbols { model: self.model, block, frequencies: &mut self.frequencies };
        let last = TileSquare { tile, square: SQUARES - 1 };
        self.model.predictor().walk(&mut symbols, &mut self.codes, last)?;
        encode_symbols(&self.frequencies, &mut self.bytes);
        Ok((&self.bytes, &self.codes[..block.len()]))
    }
}

/// Encodes symbols, the last first, as one number, whose highest byte comes first.
fn encode_symbols(frequencies: &[Frequency], bytes: &mut Vec<u8>) {
    bytes.clear();
    let mut state = 0u32;
    for frequency in frequencies.iter().rev() {
        let (size, start) = (u32::from(frequency.size), u32::from(frequency.start));
        let limit = size * (LOWER_BOUND >> FREQUENCY_BITS << u8::BITS);
        while state >= limit {
            bytes.push(state as u8);
            state >>= u8::BITS;
        }
        state = ((state / size) << FREQUENCY_BITS) + state % size + start;
    }
    while state > 0 {
        bytes.push(state as u8);
        state >>= u8::BITS;
    }
    bytes.reverse();
}

/// Collects the frequencies of the symbols of a block on a walk.
struct BlockSymbols<'a> {
    model: &'a Model,
    block: &'a [TargetTile],
    frequencies: &'a mut Vec<Frequency>,
}

impl BlockSymbols<'_> {
    fn put(&mut self, symbol: u8, distribution: &Distribution) {
        let frequency = distribution.frequencies().find(|&(other, _)| other == symbol);
        self.frequencies.extend(frequency.map(|(_, frequency)| frequency));
    }

    fn put_digits(&mut self, code: u16, digits: &DigitModel) -> Result<u16, CodecError> {
        if !self.model.scale().holds(code) {
            return Err(CodecError::Block);
        }
        let mut before = 0;
        for (place, digit) in DigitModel::of(code, self.model.scale().digits()).enumerate() {
            let distribution = digits.0.get(DigitModel::number(place, before));
            self.put(digit, distribution.ok_or(CodecError::Block)?);
            before = digit;
        }
        Ok(code)
    }
}

impl Walker for BlockSymbols<'_> {
    type Error = CodecError;

    fn base(&mut self) -> Result<u16, CodecError> {
        let base = first_exact_code(self.block).unwrap_or_else(|| likeliest_base(self.model));
        self.put_digits(base, self.model.base())
    }

    fn shape(&mut self, tile: usize) -> TileShape {
        self.block.get(tile).map_or(TileShape::default(), |tile| tile.shape)
    }

    #[inline(always)]
    fn code(
        &mut self,
        TileSquare { tile, square }: TileSquare,
        prediction: &Prediction<'_>,
    ) -> Result<u16, CodecError> {
        let tile = self.block.get(tile).ok_or(CodecError::Block)?;
        let scale = self.model.scale();
        let distribution =
            self.model.distribution(prediction.context()).ok_or(CodecError::Block)?;
        let symbol = symbol_of(tile, square, prediction, scale, distribution.likeliest());
        self.put(symbol, distribution);
        match prediction.code(symbol) {
            Some(code) => Ok(code),
            None => self.put_digits(tile.codes[square], self.model.literal()),
        }
    }
}
