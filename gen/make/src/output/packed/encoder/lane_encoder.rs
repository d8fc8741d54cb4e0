//! Encodes sixteen blocks in lockstep.
//!
//! ```text
//! first to last:   the symbols of each square -> their frequencies
//! last to first:   the frequencies -> bytes
//! ```

use crate::output::packed::encoder::lane_bytes::LaneBytes;
use crate::output::packed::encoder::lane_target::{AllowedCodes, LaneTarget};
use crate::output::packed::encoder::target_tile::{TargetTile, first_exact_code};
use sakmak_codec::ans::{
    Distribution, FREQUENCY_BITS, FREQUENCY_SCALE, Frequency, LOWER_BOUND, SYMBOLS,
};
use sakmak_codec::context_map::{ContextEntry, FREQUENCY_MASK, NUMBER_AT, SYMBOL_MASK};
use sakmak_codec::decode::code_of_empty_blocks;
use sakmak_codec::error::CodecError;
use sakmak_codec::lane_decode::{BlockEnd, LaneDecoder};
use sakmak_codec::lane_prediction::{LanePrediction, LaneScale, SymbolCodes};
use sakmak_codec::lane_walk::{LaneShapes, LaneTile, LaneWalker, walk};
use sakmak_codec::lanes::registers::LaneRegisters;
use sakmak_codec::lanes::{LANES, LaneKernel, LaneMask, LaneRow, Lanes, lanes_of};
use sakmak_codec::model::{DigitModel, Model};
use sakmak_codec::prediction::LITERAL;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::tiles::tile::shape::TileShape;

/// A frequency that changes no state.
const NO_SYMBOL: u32 = FREQUENCY_SCALE;

/// A model with the additional tables of encoders.
#[derive(Clone, Debug)]
pub struct EncoderModel<'a> {
    model: &'a Model,
    /// Frequency as a word, indexed by distribution and symbol.
    frequencies: Vec<u32>,
    /// The base that takes the fewest bytes.
    likeliest_base: u16,
    /// The code of every square of a block without bytes, if there is one.
    empty: Option<u16>,
}

impl<'a> EncoderModel<'a> {
    /// Returns a model for encoders.
    pub fn new(model: &'a Model) -> EncoderModel<'a> {
        let mut frequencies = vec![0; SYMBOLS * model.distributions().len()];
        let (rows, _) = frequencies.as_chunks_mut::<SYMBOLS>();
        for (row, distribution) in rows.iter_mut().zip(model.distributions()) {
            for (symbol, frequency) in distribution.frequencies() {
                row[usize::from(symbol) % SYMBOLS] = word(frequency);
            }
        }
        let (likeliest_base, empty) = (likeliest_base(model), code_of_empty_blocks(model));
        EncoderModel { model, frequencies, likeliest_base, empty }
    }

    /// Returns whether a block takes no bytes because it may have one code throughout. Other blocks
    /// may take no bytes, too.
    pub fn has_no_bytes(&self, block: &[TargetTile]) -> bool {
        let scale = self.model.scale();
        self.empty.is_some_and(|code| block.iter().all(|tile| tile.allows_throughout(code, scale)))
    }
}

/// Returns a frequency as a word: its size, and from bit 16 on its start.
fn word(frequency: Frequency) -> u32 {
    u32::from(frequency.size) | u32::from(frequency.start) << u16::BITS
}

/// Returns the base that takes the fewest bytes.
pub fn likeliest_base(model: &Model) -> u16 {
    let (mut code, mut digit) = (0, 0);
    for place in 0..model.scale().digits() {
        let likeliest = model.base().0.get(DigitModel::number(place, digit));
        digit = likeliest.map_or(0, Distribution::likeliest);
        code = code << 4 | u16::from(digit);
    }
    if model.scale().holds(code) { code } else { 0 }
}

/// Encodes up to [`LANES`] blocks at a time; keeps its buffers.
#[derive(Clone, Debug)]
pub struct LaneEncoder<'a> {
    model: &'a EncoderModel<'a>,
    registers: LaneRegisters,
    /// The number of blocks encoded last.
    blocks: usize,
    /// Their tiles.
    targets: Vec<LaneTarget>,
    shapes: Vec<LaneShapes>,
    tiles: Vec<LaneTile>,
    /// The frequencies of the symbols, as words.
    frequencies: Vec<LaneRow>,
    bytes: LaneBytes,
    decoder: LaneDecoder,
}

impl<'a> LaneEncoder<'a> {
    /// Returns an encoder with this model and the widest registers of the processor.
    pub fn new(model: &'a EncoderModel<'a>) -> LaneEncoder<'a> {
        LaneEncoder::with_registers(model, LaneRegisters::widest())
    }

    /// Returns an encoder with this model and these registers.
    pub fn with_registers(
        model: &'a EncoderModel<'a>,
        registers: LaneRegisters,
    ) -> LaneEncoder<'a> {
        let tiles = model.model.tiles();
        LaneEncoder {
            model,
            registers,
            blocks: 0,
            targets: vec![LaneTarget::EMPTY; tiles],
            shapes: vec![LaneShapes::default(); tiles],
            tiles: vec![LaneTile::EMPTY; tiles],
            frequencies: Vec::new(),
            bytes: LaneBytes::default(),
            decoder: LaneDecoder::new(registers),
        }
    }

    /// Returns the model.
    pub fn model(&self) -> &'a EncoderModel<'a> {
        self.model
    }

    /// Returns the bytes of each block; of more than [`LANES`] blocks those of the first ones.
    ///
    /// # Errors
    ///
    /// If a block is empty or has too many tiles, or a code is not of the model's coding.
    pub fn encode(
        &mut self,
        blocks: &[&[TargetTile]],
    ) -> Result<impl Iterator<Item = &[u8]>, CodecError> {
        let blocks = &blocks[..blocks.len().min(LANES)];
        let model = self.model.model;
        let tiles = blocks.iter().map(|block| block.len()).max().unwrap_or(0);
        let wrong = blocks.iter().find(|block| block.is_empty() || block.len() > model.tiles());
        if let Some(block) = wrong {
            return Err(CodecError::BlockTiles(block.len()));
        }
        self.blocks = blocks.len();
        let mut base = LaneRow::default();
        for (tile, (target, shapes)) in self.targets.iter_mut().zip(&mut self.shapes).enumerate() {
            for lane in 0..LANES {
                let tile = blocks.get(lane).and_then(|block| block.get(tile));
                target.set(lane, tile);
                let shape = tile.map_or(TileShape::default(), |tile| tile.shape);
                shapes.set(lane, shape, SQUARES - 1);
            }
        }
        for (base, block) in base.0.iter_mut().zip(blocks) {
            *base = first_exact_code(block).unwrap_or(self.model.likeliest_base).into();
        }
        self.frequencies.clear();
        let lanes = ((1u32 << blocks.len()) - 1) as u16;
        put_digits(model, model.base(), lanes, &base, &mut self.frequencies)?;
        let symbols = SymbolKernel {
            model: self.model,
            base: &base,
            targets: &self.targets,
            shapes: &self.shapes[..tiles],
            tiles: &mut self.tiles,
            frequencies: &mut self.frequencies,
        };
        self.registers.run(symbols)?;
        let bytes = BytesKernel { frequencies: &self.frequencies, bytes: &mut self.bytes };
        self.registers.run(bytes);
        Ok(self.bytes.lanes().take(blocks.len()))
    }

    /// Decodes the blocks encoded last, and returns the first that does not decode to codes that
    /// its tiles allow. `None` if all do.
    pub fn first_misread(&mut self, blocks: &[&[TargetTile]]) -> Option<usize> {
        let mut batch = self.decoder.start(self.model.model);
        for (block, bytes) in blocks.iter().zip(self.bytes.lanes().take(self.blocks)) {
            batch.add(bytes, |tile| block[tile].shape, BlockEnd::Whole(block.len()));
        }
        let results = batch.decode();
        let failed = results.iter().position(Result::is_err);
        let check = AllowedKernel {
            model: self.model.model,
            targets: &self.targets,
            shapes: &self.shapes,
            tiles: self.decoder.tiles(),
        };
        let wrong = self.registers.run(check);
        let wrong = lanes_of(wrong).next();
        failed.into_iter().chain(wrong).min()
    }
}

/// Puts the frequencies of the digits of a code of each of these lanes.
fn put_digits(
    model: &Model,
    digits: &DigitModel,
    lanes: u16,
    codes: &LaneRow,
    frequencies: &mut Vec<LaneRow>,
) -> Result<(), CodecError> {
    let first = frequencies.len();
    let count = model.scale().digits();
    frequencies.resize(first + count, LaneRow([NO_SYMBOL; LANES]));
    for lane in lanes_of(lanes) {
        let code = u16::try_from(codes.0[lane]).ok().filter(|&code| model.scale().holds(code));
        let code = code.ok_or(CodecError::Block)?;
        let mut before = 0;
        for (place, digit) in DigitModel::of(code, count).enumerate() {
            let distribution = digits.0.get(DigitModel::number(place, before));
            let frequency = distribution.and_then(|distribution| distribution.frequency(digit));
            frequencies[first + place].0[lane] = word(frequency.ok_or(CodecError::Block)?);
            before = digit;
        }
    }
    Ok(())
}

/// Finds the symbols of the blocks, and puts their frequencies.
struct SymbolKernel<'a> {
    model: &'a EncoderModel<'a>,
    base: &'a LaneRow,
    targets: &'a [LaneTarget],
    shapes: &'a [LaneShapes],
    tiles: &'a mut [LaneTile],
    frequencies: &'a mut Vec<LaneRow>,
}

impl LaneKernel for SymbolKernel<'_> {
    type Output = Result<(), CodecError>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Result<(), CodecError> {
        let SymbolKernel { model, base, targets, shapes, tiles, frequencies } = self;
        let predictor = model.model.predictor();
        let scale = LaneScale::of(model.model.scale());
        let mut walker = LaneSymbols { model, targets, scale, frequencies, result: Ok(()) };
        walk(&predictor, &mut walker, L::load(base), shapes, SQUARES - 1, tiles);
        walker.result
    }
}

/// Collects the frequencies of the symbols of sixteen blocks on a walk.
struct LaneSymbols<'a, L> {
    model: &'a EncoderModel<'a>,
    targets: &'a [LaneTarget],
    scale: LaneScale<L>,
    frequencies: &'a mut Vec<LaneRow>,
    result: Result<(), CodecError>,
}

impl<L: Lanes> LaneWalker<L> for LaneSymbols<'_, L> {
    #[inline(always)]
    fn codes(
        &mut self,
        TileSquare { tile, square }: TileSquare,
        kept: L::Mask,
        prediction: &LanePrediction<'_, L>,
    ) -> L {
        let Some(target) = self.targets.get(tile) else { return prediction.first };
        let allowed = target.allowed(square, self.scale);
        let entry = L::gather(kept, self.model.model.contexts().words(), prediction.context);
        let frequency = entry & L::splat(FREQUENCY_MASK);
        let is_first = (entry & L::splat(SYMBOL_MASK)).equals(L::splat(0));
        // The first prediction has a value, and symbol 0 is the likeliest.
        let first = kept & allowed.contain_values(prediction.first) & is_first;
        let other = kept & !first;
        let word = L::select(first, frequency, L::splat(NO_SYMBOL));
        if !other.any() {
            self.frequencies.push(word.row());
            return prediction.first;
        }
        let computed = prediction.computed();
        let codes_of = prediction.codes(&computed);
        let (symbols, codes) = if allowed.are_exact(other) {
            (exact_symbols(&codes_of, allowed.exact, entry), allowed.exact)
        } else {
            allowed_symbols(&codes_of, &allowed, entry, other)
        };
        let literal = other & symbols.equals(L::splat(LITERAL.into()));
        let row = entry.shifted_right(NUMBER_AT).shifted_left(SYMBOLS.trailing_zeros());
        let others = L::gather(other, &self.model.frequencies, row | symbols);
        self.frequencies.push(L::select(other, others, word).row());
        if literal.any() {
            self.put_literals(literal.bits(), allowed.exact.row());
        }
        L::select(other, codes, prediction.first)
    }
}

/// Returns the likeliest symbols of these entries.
#[inline(always)]
fn likeliest_symbols<L: Lanes>(entry: L) -> L {
    (entry & L::splat(SYMBOL_MASK)).shifted_right(FREQUENCY_BITS)
}

/// Returns the symbols of exact codes: the likeliest symbol of the context, else the lowest, else
/// the literal. Without a branch, as most would be mispredicted.
#[inline(always)]
fn exact_symbols<L: Lanes>(codes_of: &SymbolCodes<'_>, exact: L, entry: L) -> L {
    let likeliest = likeliest_symbols(entry);
    let mut symbols = L::splat(LITERAL.into());
    let mut is_likeliest = L::Mask::of_bits(0);
    for symbol in (0..LITERAL).rev() {
        let right = codes_of.of::<L>(symbol).equals(exact);
        let number = L::splat(symbol.into());
        symbols = L::select(right, number, symbols);
        is_likeliest = is_likeliest | right & likeliest.equals(number);
    }
    L::select(is_likeliest, likeliest, symbols)
}

/// Returns the symbols of don't-care codes, in the lanes `other`, and the codes that replace them:
/// the likeliest symbol that is allowed, else the lowest that is, else the literal.
#[inline(always)]
fn allowed_symbols<L: Lanes>(
    codes_of: &SymbolCodes<'_>,
    allowed: &AllowedCodes<L>,
    entry: L,
    other: L::Mask,
) -> (L, L) {
    let mut symbols = L::splat(LITERAL.into());
    let mut codes = allowed.exact;
    let mut left = other;
    // If the likeliest is 0, that is tried next.
    let likely = other & !(entry & L::splat(SYMBOL_MASK)).equals(L::splat(0));
    if likely.any() {
        let entries = entry.row();
        for lane in lanes_of(likely.bits()) {
            let symbol = ContextEntry(entries.0[lane]).symbol();
            symbols = symbols.with_lane(lane, symbol.into());
            codes = codes.with_lane(lane, codes_of.in_lane(symbol, lane));
        }
        let right = likely & allowed.contain(codes) & !symbols.equals(L::splat(LITERAL.into()));
        symbols = L::select(right, symbols, L::splat(LITERAL.into()));
        codes = L::select(right, codes, allowed.exact);
        left = left & !right;
    }
    for symbol in 0..LITERAL {
        if !left.any() {
            break;
        }
        let code = codes_of.of(symbol);
        let right = left & allowed.contain(code);
        symbols = L::select(right, L::splat(symbol.into()), symbols);
        codes = L::select(right, code, codes);
        left = left & !right;
    }
    (symbols, codes)
}

impl<L: Lanes> LaneSymbols<'_, L> {
    /// Puts the digits of the codes of these lanes.
    #[inline(always)]
    fn put_literals(&mut self, lanes: u16, codes: LaneRow) {
        let model = self.model.model;
        let put = put_digits(model, model.literal(), lanes, &codes, self.frequencies);
        self.result = self.result.and(put);
    }
}

/// Encodes symbols, the last first, as one number for each lane, whose highest byte comes first.
struct BytesKernel<'a> {
    frequencies: &'a [LaneRow],
    bytes: &'a mut LaneBytes,
}

impl LaneKernel for BytesKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mut writer = LaneBytesWriter {
            // A symbol takes two bytes at most, and so does the rest of the state.
            bytes: self.bytes.emptied(2 * self.frequencies.len() + size_of::<u32>()),
            last: L::splat(0),
            count: L::splat(0),
        };
        let mut state = L::splat(0);
        // A state is less than this many times the size of the symbol's frequency.
        let limit_bits = (LOWER_BOUND >> FREQUENCY_BITS << u8::BITS).trailing_zeros();
        for word in self.frequencies.iter().rev() {
            let word = L::load(word);
            let size = word & L::splat(u16::MAX.into());
            let start = word.shifted_right(u16::BITS);
            let full = |state: L| !size.exceeds(state.shifted_right(limit_bits));
            // One for nearly every symbol, so that a branch would be mispredicted.
            state = writer.put(full(state), state);
            let more = full(state);
            if more.any() {
                state = writer.put(more, state);
            }
            writer.make_room();
            let quotient = state.quotient(size);
            let rest = state - quotient * size;
            state = quotient.shifted_left(FREQUENCY_BITS) + rest + start;
        }
        writer.write();
        for (lane, mut state) in state.row().0.into_iter().enumerate() {
            while state > 0 {
                writer.bytes.put(lane, state << (u32::BITS - u8::BITS), 1);
                state >>= u8::BITS;
            }
        }
    }
}

/// Puts bytes of the lanes, the last first.
struct LaneBytesWriter<'a, L> {
    bytes: &'a mut LaneBytes,
    /// The bytes that are not written yet, the one put last the lowest.
    last: L,
    /// Their number.
    count: L,
}

impl<L: Lanes> LaneBytesWriter<'_, L> {
    /// Puts the lowest byte of the state in these lanes, and returns the states without them.
    #[inline(always)]
    fn put(&mut self, lanes: L::Mask, state: L) -> L {
        let byte = state & L::splat(u8::MAX.into());
        self.last = L::select(lanes, self.last.shifted_left(u8::BITS) | byte, self.last);
        self.count = self.count + L::only(lanes, 1);
        L::select(lanes, state.shifted_right(u8::BITS), state)
    }

    /// Makes room for two bytes.
    #[inline(always)]
    fn make_room(&mut self) {
        if self.count.exceeds(L::splat(2)).any() {
            self.write();
        }
    }

    #[inline(always)]
    fn write(&mut self) {
        let (last, count) = (self.last.row(), self.count.row());
        for (lane, (last, count)) in last.0.into_iter().zip(count.0).enumerate() {
            if let Some(unused) = (u32::BITS / u8::BITS).checked_sub(count)
                && count > 0
            {
                self.bytes.put(lane, last << (unused * u8::BITS), count as usize);
            }
        }
        self.count = L::splat(0);
    }
}

/// Compares decoded codes with their tiles; the result has a bit for each lane with a code that
/// is not allowed.
struct AllowedKernel<'a> {
    model: &'a Model,
    targets: &'a [LaneTarget],
    shapes: &'a [LaneShapes],
    tiles: &'a [LaneTile],
}

impl LaneKernel for AllowedKernel<'_> {
    type Output = u16;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u16 {
        let scale = LaneScale::<L>::of(self.model.scale());
        let mut wrong = L::Mask::of_bits(0);
        for ((target, shapes), tile) in self.targets.iter().zip(self.shapes).zip(self.tiles) {
            for square in 0..SQUARES {
                let allowed = target.allowed(square, scale);
                let code = L::load(&tile.codes[square]);
                wrong = wrong | shapes.kept::<L>(square) & !allowed.contain(code);
            }
        }
        wrong.bits()
    }
}
