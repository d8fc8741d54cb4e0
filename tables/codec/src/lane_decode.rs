//! Decodes sixteen blocks in lockstep.
//!
//! ```text
//! decoder.start(&model) -> batch.add(block), for each block -> batch.decode() -> decoder.code(..)
//! ```

use crate::ans::{FREQUENCY_BITS, FREQUENCY_SCALE, LOWER_BOUND, SymbolDecoder};
use crate::context_map::{ContextEntry, FREQUENCY_MASK, SYMBOL_MASK};
use crate::decode::decode_digits;
use crate::error::CodecError;
use crate::lane_prediction::{LanePrediction, LaneScale};
use crate::lane_walk::{LaneShapes, LaneTile, LaneWalker, walk};
use crate::lanes::registers::LaneRegisters;
use crate::lanes::{LANES, LaneKernel, LaneMask, LaneRow, Lanes, lanes_of};
use crate::model::Model;
use crate::prediction::LITERAL;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::tiles::tile::TileCodes;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::tiles::tile::shape::TileShape;

/// The square at which decoding a block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockEnd {
    /// The last tile of a block of this many tiles. The bytes must end there too.
    Whole(usize),
    /// A square.
    Square(TileSquare),
}

impl BlockEnd {
    /// The last square.
    fn last(self) -> TileSquare {
        match self {
            BlockEnd::Whole(tiles) => {
                TileSquare { tile: tiles.wrapping_sub(1), square: SQUARES - 1 }
            }
            BlockEnd::Square(TileSquare { tile, square }) => {
                TileSquare { tile, square: square % SQUARES }
            }
        }
    }
}

/// The result for each block.
pub type LaneResults = [Result<(), CodecError>; LANES];

/// Decodes up to [`LANES`] blocks at a time; keeps its buffers.
#[derive(Clone, Debug)]
pub struct LaneDecoder {
    registers: LaneRegisters,
    bytes: Vec<u8>,
    shapes: Vec<LaneShapes>,
    tiles: Vec<LaneTile>,
}

impl Default for LaneDecoder {
    /// A decoder with the widest registers of the processor.
    fn default() -> LaneDecoder {
        LaneDecoder::new(LaneRegisters::widest())
    }
}

impl LaneDecoder {
    /// A decoder with these registers.
    pub fn new(registers: LaneRegisters) -> LaneDecoder {
        LaneDecoder { registers, bytes: Vec::new(), shapes: Vec::new(), tiles: Vec::new() }
    }

    /// Starts decoding blocks of a model.
    pub fn start<'a>(&'a mut self, model: &'a Model) -> LaneBatch<'a> {
        self.bytes.clear();
        self.shapes.clear();
        LaneBatch {
            decoder: self,
            model,
            streams: LaneStreams::default(),
            results: [Ok(()); LANES],
            whole: 0,
            last: 0,
            blocks: 0,
        }
    }

    /// The codes of the blocks decoded last, by tile. The codes of a lane after its last square are
    /// unspecified.
    pub fn tiles(&self) -> &[LaneTile] {
        &self.tiles[..self.shapes.len().min(self.tiles.len())]
    }

    /// A code of the blocks decoded last. `None` if no block was decoded up to that tile.
    #[inline]
    pub fn code(&self, lane: usize, square: TileSquare) -> Option<u16> {
        let row = self.tiles().get(square.tile)?.codes[square.square % SQUARES];
        // A coding has at most 2^16 codes.
        Some(row.0[lane % LANES] as u16)
    }

    /// Copies the first tiles of a lane.
    pub fn copy_tiles(&self, lane: usize, tiles: &mut [TileCodes]) {
        for (tile, codes) in self.tiles().iter().zip(tiles) {
            for (row, code) in tile.codes.iter().zip(codes) {
                *code = row.0[lane % LANES] as u16;
            }
        }
    }
}

/// Blocks to decode together, each in its own lane.
#[derive(Debug)]
pub struct LaneBatch<'a> {
    decoder: &'a mut LaneDecoder,
    model: &'a Model,
    streams: LaneStreams,
    results: LaneResults,
    /// The lanes whose bytes must end where decoding ends.
    whole: u16,
    /// The last square to decode of the last tile.
    last: usize,
    blocks: usize,
}

impl LaneBatch<'_> {
    /// Adds a block in the next lane; `shape` returns the shape of a tile of the block. More than
    /// [`LANES`] blocks are ignored.
    pub fn add(&mut self, bytes: &[u8], shape: impl FnMut(usize) -> TileShape, end: BlockEnd) {
        if self.blocks < LANES {
            let lane = self.blocks;
            self.blocks += 1;
            self.results[lane] = self.put(lane, bytes, shape, end);
        }
    }

    fn put(
        &mut self,
        lane: usize,
        bytes: &[u8],
        mut shape: impl FnMut(usize) -> TileShape,
        end: BlockEnd,
    ) -> Result<(), CodecError> {
        let last = end.last();
        let model = self.model;
        if last.tile >= model.tiles() {
            return Err(CodecError::Tile { tiles: model.tiles(), tile: last.tile });
        }
        let LaneDecoder { bytes: all_bytes, shapes, .. } = &mut *self.decoder;
        let tiles = last.tile + 1;
        if shapes.len() < tiles {
            shapes.resize(tiles, LaneShapes::default());
            self.last = 0;
        }
        if shapes.len() == tiles {
            self.last = self.last.max(last.square);
        }
        for (tile, shapes) in shapes.iter_mut().enumerate().take(tiles) {
            let square = if tile == last.tile { last.square } else { SQUARES - 1 };
            shapes.set(lane, shape(tile), square);
        }
        // The decoder reads no further.
        let read = bytes.len().min(most_bytes(model, tiles));
        let first = all_bytes.len();
        all_bytes.extend_from_slice(&bytes[..read]);
        let symbols = SymbolDecoder::new(&all_bytes[first..]);
        let (base, symbols) = decode_digits(model, model.base(), symbols)?;
        let (state, rest) = symbols.state();
        self.streams.base.0[lane] = base.into();
        self.streams.state.0[lane] = state;
        self.streams.index.0[lane] = (all_bytes.len() - rest.len()) as u32;
        self.streams.end.0[lane] = all_bytes.len() as u32;
        if matches!(end, BlockEnd::Whole(_)) {
            if read < bytes.len() {
                return Err(CodecError::Block);
            }
            self.whole |= 1 << lane;
        }
        Ok(())
    }

    /// Decodes the blocks. Squares that are not kept get any code.
    ///
    /// The result of each block equals the result of [`decode`](crate::decode::decode) or
    /// [`decode_to`](crate::decode::decode_to).
    pub fn decode(mut self) -> LaneResults {
        let LaneDecoder { registers, bytes, shapes, tiles } = self.decoder;
        if tiles.len() < shapes.len() {
            tiles.resize(shapes.len(), LaneTile::EMPTY);
        }
        // Four bytes are read at a time.
        bytes.extend([0; 4]);
        let failed = registers.run(DecodeKernel {
            model: self.model,
            bytes,
            shapes,
            last: self.last,
            streams: &mut self.streams,
            tiles,
        });
        let LaneStreams { state, index, end, .. } = self.streams;
        for (lane, result) in self.results.iter_mut().enumerate() {
            let is_done = state.0[lane] == 0 && index.0[lane] == end.0[lane];
            let is_cut = self.whole >> lane & 1 != 0 && !is_done;
            if result.is_ok() && (failed >> lane & 1 != 0 || is_cut) {
                *result = Err(CodecError::Block);
            }
        }
        self.results
    }
}

/// The maximum number of bytes that decoding this many tiles reads: two for each symbol, and the
/// bytes of the first state.
fn most_bytes(model: &Model, tiles: usize) -> usize {
    let digits = model.scale().digits();
    size_of::<u32>() + 2 * (digits + tiles * SQUARES * (1 + digits))
}

/// The bytes of the blocks to decode.
#[derive(Debug, Default)]
struct LaneStreams {
    base: LaneRow,
    state: LaneRow,
    /// The index of the next byte.
    index: LaneRow,
    /// The end of the bytes of the lane.
    end: LaneRow,
}

/// Decodes the blocks of `streams`; the result has a bit for each lane that failed.
struct DecodeKernel<'a> {
    model: &'a Model,
    bytes: &'a [u8],
    shapes: &'a [LaneShapes],
    last: usize,
    streams: &'a mut LaneStreams,
    tiles: &'a mut [LaneTile],
}

impl LaneKernel for DecodeKernel<'_> {
    type Output = u16;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u16 {
        let DecodeKernel { model, bytes, shapes, last, streams, tiles } = self;
        let mut walker = LaneBlockDecoder {
            model,
            bytes,
            scale: LaneScale::of(model.scale()),
            state: L::load(&streams.state),
            index: L::load(&streams.index),
            end: L::load(&streams.end),
            ahead: L::splat(0),
            last_index: L::splat(0),
            failed: 0,
        };
        walker.read_ahead();
        walk(&model.predictor(), &mut walker, L::load(&streams.base), shapes, last, tiles);
        streams.state = walker.state.row();
        streams.index = walker.index.row();
        walker.failed
    }
}

/// Decodes the codes of sixteen blocks on a walk.
struct LaneBlockDecoder<'a, L> {
    model: &'a Model,
    bytes: &'a [u8],
    scale: LaneScale<L>,
    state: L,
    /// The index of the next byte.
    index: L,
    /// The end of the bytes of the lane.
    end: L,
    /// The next bytes, the first in the lowest bits.
    ahead: L,
    /// The last index at which `ahead` still has two bytes.
    last_index: L,
    failed: u16,
}

impl<L: Lanes> LaneWalker<L> for LaneBlockDecoder<'_, L> {
    #[inline(always)]
    fn codes(&mut self, _: TileSquare, kept: L::Mask, prediction: &LanePrediction<'_, L>) -> L {
        let context = prediction.context;
        let entry = L::gather(kept, self.model.contexts().words(), context);
        let frequency = entry & L::splat(FREQUENCY_MASK);
        let part = self.state & L::splat(FREQUENCY_SCALE - 1);
        // The likeliest symbol has the first part of the scale.
        let hit = kept & frequency.exceeds(part);
        let state = frequency * self.state.shifted_right(FREQUENCY_BITS) + part;
        self.state = L::select(hit, state, self.state);
        // Symbol 0 is the first prediction.
        let is_first = (entry & L::splat(SYMBOL_MASK)).equals(L::splat(0));
        let other = kept & !(hit & is_first);
        let mut codes = prediction.first;
        if other.any() {
            codes = self.other_codes(other, hit.bits(), entry, prediction);
        }
        self.fill();
        codes
    }
}

impl<L: Lanes> LaneBlockDecoder<'_, L> {
    /// The codes of the lanes `other`, and the first prediction in all other lanes. Lanes among
    /// `hit` have taken their symbol; the others take it here.
    #[inline(always)]
    fn other_codes(
        &mut self,
        other: L::Mask,
        hit: u16,
        entry: L,
        prediction: &LanePrediction<'_, L>,
    ) -> L {
        let computed = prediction.computed();
        let codes_of = prediction.codes(&computed);
        let (entries, states) = (entry.row(), self.state.row());
        let mut codes = prediction.first;
        let mut literal = 0u16;
        let distributions = self.model.distributions();
        for lane in lanes_of(other.bits()) {
            let symbol = if hit >> lane & 1 != 0 {
                ContextEntry(entries.0[lane]).symbol()
            } else {
                let number = ContextEntry(entries.0[lane]).number();
                let distribution = distributions.get(number);
                let Some(distribution) = distribution else { continue };
                let (symbol, state) = distribution.take(states.0[lane]);
                self.state = self.state.with_lane(lane, state);
                symbol
            };
            codes = codes.with_lane(lane, codes_of.in_lane(symbol, lane));
            literal |= u16::from(symbol == LITERAL) << lane;
        }
        if literal != 0 {
            codes = self.literals(literal, codes);
        }
        let valid = self.scale.holds(codes);
        self.failed |= (other & !valid).bits();
        L::select(valid, codes, L::splat(0))
    }

    /// Decodes the literals of these lanes; returns all codes.
    #[inline(always)]
    fn literals(&mut self, lanes: u16, codes: L) -> L {
        let (mut states, mut indices, ends) = (self.state.row(), self.index.row(), self.end.row());
        let mut codes = codes.row();
        self.failed |= decode_literals(
            (self.model, self.bytes),
            lanes,
            (&mut states, &mut indices, &ends),
            &mut codes,
        );
        self.state = L::load(&states);
        self.index = L::load(&indices);
        self.read_ahead();
        L::load(&codes)
    }

    /// Takes bytes into the states that are too low: at most two bytes, since a symbol divides a
    /// state by less than 2^14.
    #[inline(always)]
    fn fill(&mut self) {
        let mut lanes = self.low();
        // Nearly every square takes a byte, so a branch would be mispredicted.
        self.take_byte(lanes);
        lanes = lanes & self.low();
        if lanes.any() {
            self.take_byte(lanes);
        }
        if self.index.exceeds(self.last_index).any() {
            self.read_ahead();
        }
    }

    /// The lanes whose state is too low and that have bytes left.
    #[inline(always)]
    fn low(&self) -> L::Mask {
        L::splat(LOWER_BOUND).exceeds(self.state) & self.end.exceeds(self.index)
    }

    /// Takes a byte into the states of these lanes.
    #[inline(always)]
    fn take_byte(&mut self, lanes: L::Mask) {
        let byte = self.ahead & L::splat(u8::MAX.into());
        self.state = L::select(lanes, self.state.shifted_left(u8::BITS) | byte, self.state);
        self.ahead = L::select(lanes, self.ahead.shifted_right(u8::BITS), self.ahead);
        self.index = self.index + L::only(lanes, 1);
    }

    /// Reads the next four bytes of each lane.
    #[inline(always)]
    fn read_ahead(&mut self) {
        self.ahead = L::gather_bytes(self.bytes, self.index);
        self.last_index = self.index + L::splat(2);
    }
}

/// Decodes a code that is written out for each of these lanes; the result has a bit for each
/// lane that failed.
#[inline(never)]
fn decode_literals(
    (model, bytes): (&Model, &[u8]),
    lanes: u16,
    (states, indices, ends): (&mut LaneRow, &mut LaneRow, &LaneRow),
    codes: &mut LaneRow,
) -> u16 {
    let mut failed = 0;
    for lane in lanes_of(lanes) {
        let rest = bytes.get(indices.0[lane] as usize..ends.0[lane] as usize).unwrap_or(&[]);
        let symbols = SymbolDecoder::resumed(states.0[lane], rest);
        match decode_digits(model, model.literal(), symbols) {
            Err(_) => {
                codes.0[lane] = 0;
                failed |= 1 << lane;
            }
            Ok((code, symbols)) => {
                let (state, rest) = symbols.state();
                codes.0[lane] = code.into();
                states.0[lane] = state;
                indices.0[lane] = ends.0[lane] - rest.len() as u32;
            }
        }
    }
    failed
}
