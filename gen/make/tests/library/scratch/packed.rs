//! A reader of packed files written from `FORMAT.md` alone.
//!
//! Only the legality of a position comes from the library.

use super::attacks::{PlacedPiece, STEPS, attacks, stepped};
use super::slots::{LikePieces, TurnedPosition, choose, groups, number, pairs, u32_at, u64_at};
use super::symbols::{Bits, SymbolFrequencies, Symbols, apart};
use sakmak_tables::board::square::Square;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variants::MAKRUK;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const BLACK_KING: usize = 255;

pub struct PackedReader {
    file: Vec<u8>,
    pub kept: Side,
    pub dont_care: bool,
    wins: i32,
    codes: i32,
    groups: Vec<LikePieces>,
    swept: usize,
    /// The fixed pieces of a tile: a group or the king, the number of its pieces, and the radix.
    pieces: Vec<(usize, usize, usize)>,
    pairs: Vec<(usize, usize)>,
    /// The squares of the white king.
    white_kings: Vec<usize>,
    tiles: usize,
    pub blocks: usize,
    steps: Vec<(i32, i32)>,
    reference: Vec<usize>,
    distributions: Vec<SymbolFrequencies>,
    contexts: Vec<usize>,
    digits: Vec<SymbolFrequencies>,
}

impl PackedReader {
    pub fn open(material: &str, file: Vec<u8>) -> PackedReader {
        assert_eq!(&file[..8], b"\x89SAKPAK\n");
        assert_eq!(u64_at(&file, 120) as u64, xxh3_64(&file[..120]));
        assert_eq!((u32_at(&file, 8), u32_at(&file, 12), file[34]), (2, 1, 0));
        assert_eq!(&file[56..56 + material.len()], material.as_bytes());
        let [trailer, end] = [16, 8].map(|back| file.len() - back);
        assert_eq!(u64_at(&file, end) as u64, xxh3_64(&file[..end]));
        let model = &file[128..128 + u32_at(&file, 44)];
        assert_eq!(u64_at(&file, 72) as u64, xxh3_64(model));

        let (groups, pairs) = (groups(material), pairs(material));
        let slots = groups.iter().map(|group| choose(group.places, group.men));
        assert_eq!(u64_at(&file, 24), pairs.len() * slots.product::<usize>());
        let mut white_kings: Vec<usize> = pairs.iter().map(|pair| pair.0).collect();
        white_kings.dedup();
        let swept = usize::from(file[36]);
        let is_among_like = swept != BLACK_KING && groups[swept].men > 1;
        let (order, zeros) = file[37..44].split_at(groups.len() + usize::from(is_among_like));
        assert!(zeros.iter().all(|zero| *zero == 0));
        let piece = |&piece: &u8| match usize::from(piece) {
            BLACK_KING => (BLACK_KING, 1, 64),
            group => {
                let men = groups[group].men - usize::from(group == swept);
                (group, men, choose(groups[group].places, men))
            }
        };
        let pieces: Vec<_> = order.iter().map(piece).collect();
        let tiles = white_kings.len() * pieces.iter().map(|piece| piece.2).product::<usize>();
        let blocks = tiles.div_ceil(usize::from(file[33]));
        let length = 128 + model.len() + u64_at(&file, trailer);
        assert_eq!(file.len(), length + 6 * (blocks.div_ceil(128) + 1) + 16);

        let (wins, losses) = (u32_at(&file, 48), u32_at(&file, 52) as u32);
        let codes = 1 + wins + if losses == u32::MAX { 0 } else { losses as usize + 1 };
        let digits = if codes <= 256 { 2 } else { 2 + usize::from(codes > 4096) + 1 };
        let model = zstd::stream::decode_all(model).unwrap();
        let (steps, model) = model.split_at(8);
        assert_eq!(model[0], file[33]);
        let (reference, model) = model[1..].split_at(usize::from(file[33]));
        let u16_at = |at: &[u8]| usize::from(u16::from_le_bytes([at[0], at[1]]));
        let (distributions, model) = model[2..].split_at(48 * u16_at(model));
        let (contexts, model) = model.split_at(2 * 163_840);
        assert_eq!(model.len(), 2 * (1 + 16 * (digits - 1)) * 48);
        let read = |bytes: &[u8]| bytes.chunks(48).map(SymbolFrequencies::read).collect();
        PackedReader {
            kept: Side::BOTH[usize::from(file[32])],
            dont_care: file[35] == 1,
            wins: wins as i32,
            codes: codes as i32,
            groups,
            swept,
            pieces,
            pairs,
            white_kings,
            tiles,
            blocks,
            steps: steps.iter().map(|&step| STEPS[usize::from(step)]).collect(),
            reference: reference.iter().map(|&reference| usize::from(reference)).collect(),
            distributions: read(distributions),
            contexts: contexts.chunks(2).map(u16_at).collect(),
            digits: read(model),
            file,
        }
    }

    /// The bytes of a block, after a check of its row.
    fn bytes(&self, block: usize) -> &[u8] {
        let number = block / 128;
        let rows = 128 + u32_at(&self.file, 44);
        let offsets = rows + u64_at(&self.file, self.file.len() - 16);
        let offset = |row: usize| u64_at(&self.file, offsets + 6 * row) & 0xFFFF_FFFF_FFFF;
        let row = &self.file[rows + offset(number)..rows + offset(number + 1)];
        assert_eq!(u32_at(row, 0) as u32, xxh3_64_with_seed(&row[4..], number as u64) as u32);
        if row[4] == 128 {
            assert_eq!(row.len(), 5);
            return &[];
        }
        let count = 128.min(self.blocks - 128 * number);
        let bit = |at: usize, bit: usize| usize::from(row[at + bit / 8] >> (bit % 8) & 1);
        let (low_bits, bitmap) = (usize::from(row[4] & 63), row[4] & 64 != 0);
        let mut at = 7;
        let with_bytes: Vec<bool> = (0..count).map(|b| !bitmap || bit(at, b) == 1).collect();
        at += if bitmap { count.div_ceil(8) } else { 0 };
        let all = with_bytes.iter().filter(|with| **with).count();
        let high_at = at + low_bits * all.div_ceil(8);
        let (mut high_bit, mut number, mut end) = (0, 0, high_at + usize::from(row[6]));
        let mut ends = vec![end];
        for with in with_bytes {
            if with {
                let low = |plane: usize| bit(at + plane * all.div_ceil(8), number) << plane;
                let mut length = usize::from(row[5]) + (0..low_bits).map(low).sum::<usize>();
                while bit(high_at, high_bit) == 0 {
                    length += 1 << low_bits;
                    high_bit += 1;
                }
                (high_bit, number) = (high_bit + 1, number + 1);
                end += length;
            }
            ends.push(end);
        }
        assert_eq!(end, row.len());
        &row[ends[block % 128]..ends[block % 128 + 1]]
    }

    /// The tile and square of a position.
    pub fn locate(&self, placed: &TurnedPosition) -> (usize, usize) {
        let white_king =
            self.white_kings.iter().position(|white_king| *white_king == placed.kings.0).unwrap();
        let tile = self.pieces.iter().fold(white_king, |tile, &(piece, _, radix)| {
            tile * radix
                + match piece {
                    BLACK_KING => placed.kings.1,
                    group if group == self.swept => number(&placed.places[group][1..]),
                    group => number(&placed.places[group]),
                }
        });
        let square = match self.swept {
            BLACK_KING => placed.kings.1,
            group => self.groups[group].lowest + placed.places[group][0],
        };
        (tile, square)
    }

    /// The fixed pieces of a tile, and the first square too high for the swept piece.
    fn fixed(&self, tile: usize) -> (Vec<PlacedPiece>, usize) {
        let (mut rest, mut men, mut limit) = (tile, Vec::new(), 64);
        for &(piece, count, radix) in self.pieces.iter().rev() {
            let mut number = rest % radix;
            rest /= radix;
            if piece == BLACK_KING {
                men.push((1, 'K', number));
                continue;
            }
            let group = self.groups[piece];
            for k in (1..=count).rev() {
                let place = (0..64).rev().find(|&place| choose(place, k) <= number).unwrap();
                number -= choose(place, k);
                men.push((group.side, group.letter, group.lowest + place));
                if piece == self.swept {
                    limit = group.lowest + place;
                }
            }
        }
        men.push((0, 'K', self.white_kings[rest]));
        (men, limit)
    }

    /// The kept squares of a tile with their positions, then the attacked and the guarding ones.
    fn squares(&self, tile: usize) -> (Vec<Option<Position>>, u64, u64) {
        let (men, limit) = self.fixed(tile);
        let (side, letter, lowest, places) = match self.swept {
            BLACK_KING => (1, 'K', 0, 64),
            group => {
                let group = self.groups[group];
                (group.side, group.letter, group.lowest, group.places)
            }
        };
        let occupied = men.iter().fold(0, |set, piece| set | 1 << piece.2);
        let enemies = men.iter().filter(|piece| piece.0 != side);
        let attacked = enemies.fold(0, |set, &piece| set | attacks(piece, occupied));
        let guarded = if letter == 'K' { 1 - side } else { side };
        let guarded = men.iter().filter(|piece| piece.0 == guarded && piece.1 != 'K');
        let guarded = guarded.fold(0, |set, piece| set | 1 << piece.2);
        let guards = |square| attacks((side, letter, square), occupied) & guarded != 0;
        let guarding = (0..64).fold(0, |set, square| set | u64::from(guards(square)) << square);
        let kept = |square: usize| {
            if !(lowest..(lowest + places).min(limit)).contains(&square) {
                return None;
            }
            let swept = (side, letter, square);
            let men = men.iter().chain([&swept]);
            let king =
                |side| men.clone().find(|piece| piece.1 == 'K' && piece.0 == side).unwrap().2;
            self.pairs.binary_search(&(king(0), king(1))).ok()?;
            let men = men.clone().map(|&(side, letter, square)| {
                let kind = PieceKind::from_letter(letter).unwrap();
                (Piece::new(Side::BOTH[side], kind), Square::wrapping(square))
            });
            let position = Position::new(&MAKRUK, self.kept, men).ok()?;
            position.legality().is_ok().then_some(position)
        };
        ((0..64).map(kept).collect(), attacked, guarding)
    }

    /// 0 for a draw, 1 for a win, 2 for a loss.
    fn outcome(&self, code: i32) -> usize {
        usize::from(code > 0) + usize::from(code > self.wins)
    }

    fn shift(&self, code: i32, from: i32, to: i32) -> i32 {
        let outcome = self.outcome(code);
        if from == to {
            return code;
        }
        if outcome == 0 || self.outcome(from) != outcome || self.outcome(to) != outcome {
            return to;
        }
        let shifted = code + to - from;
        let same = (0..self.codes).contains(&shifted) && self.outcome(shifted) == outcome;
        if same { shifted } else { code }
    }

    fn literal(&self, symbols: &mut Symbols, digits: &[SymbolFrequencies]) -> i32 {
        let first = symbols.take(&digits[0]);
        let (mut code, mut before) = (first, first);
        for digit in 1..=digits.len() / 16 {
            before = symbols.take(&digits[1 + 16 * (digit - 1) + before]);
            code = 16 * code + before;
        }
        code as i32
    }

    /// The tiles of a block: the code of each square, and its position if it is kept.
    pub fn block(&self, block: usize) -> Vec<([i32; 64], Vec<Option<Position>>)> {
        let mut symbols = Symbols { bytes: self.bytes(block), state: 0 };
        let (base_digits, literal_digits) = self.digits.split_at(self.digits.len() / 2);
        let base = self.literal(&mut symbols, base_digits);
        let first = block * self.reference.len();
        let mut tiles: Vec<([i32; 64], Vec<Option<Position>>)> = Vec::new();
        let mut missed_by_tile: Vec<[bool; 64]> = Vec::new();
        for tile in first..self.tiles.min(first + self.reference.len()) {
            let (kept, attacked, guarding) = self.squares(tile);
            let reference = self.reference[tile - first];
            let reference =
                (reference != 255).then(|| (tiles[reference].0, missed_by_tile[reference]));
            let mut codes = reference.map_or([base; 64], |reference| reference.0);
            let mut missed = [false; 64];
            for square in (0..64).filter(|_| kept.iter().any(Option::is_some)) {
                let steps = || self.steps.iter().filter(|step| stepped(square, **step).is_some());
                let mut near: Vec<_> = steps().flat_map(|step| stepped(square, *step)).collect();
                near.resize(6.max(near.len()), near.last().copied().unwrap_or(square));
                let beyond = steps().next().and_then(|step| stepped(square, (-step.0, -step.1)));
                let beyond = beyond.unwrap_or(square);
                let n: Vec<i32> = near.iter().map(|near| codes[*near]).collect();
                let mut misses = usize::from(missed[near[0]]) + usize::from(missed[near[1]]);
                let mut bits = Bits::default();
                let predictions: [i32; 7];
                match reference {
                    Some((reference, missed_there)) => {
                        misses +=
                            usize::from(missed_there[square]) + usize::from(missed_there[beyond]);
                        let [up, u1, u2, next] =
                            [square, near[0], near[1], beyond].map(|q| reference[q]);
                        let [one, two] = [self.shift(up, u1, n[0]), self.shift(up, u2, n[1])];
                        predictions = [one, up, n[0], n[1], two, n[2], next];
                        bits.add(2, apart(n[0], u1)).add(2, apart(n[1], u2)).same(up, u1);
                        bits.same(n[0], up).same(n[1], up).same(n[0], n[1]).same(n[2], n[0]);
                        bits.add(2, self.kind(one)).same(next, up).same(u2, up);
                    }
                    None => {
                        predictions = [n[0], n[1], n[2], n[3], n[4], n[5], base];
                        bits.add(2, apart(n[0], n[1])).add(2, apart(n[0], n[2])).same(n[1], n[2]);
                        bits.same(n[0], n[3]).same(n[0], base);
                        bits.add(2, self.kind(n[0])).add(2, self.kind(n[1]));
                    }
                }
                bits.add(1, (attacked >> square & 1) as usize);
                bits.add(1, (guarding >> square & 1) as usize).add(2, misses.min(3));
                codes[square] = predictions[0];
                if kept[square].is_some() {
                    let context = bits.number + if reference.is_none() { 131_072 } else { 0 };
                    let from = &self.distributions[self.contexts[context]];
                    codes[square] = match symbols.take(from) {
                        prediction @ 0..=6 => predictions[prediction],
                        near @ 7..=12 => predictions[0] + [1, -1, 2, -2, 3, -3][near - 7],
                        13 => 0,
                        14 => 1 + if reference.is_some() { n[0] } else { n[2] },
                        _ => self.literal(&mut symbols, literal_digits),
                    };
                    missed[square] = codes[square] != predictions[0];
                    assert!((0..self.codes).contains(&codes[square]), "block {block}");
                }
            }
            tiles.push((codes, kept));
            missed_by_tile.push(missed);
        }
        assert!(symbols.bytes.is_empty() && symbols.state == 0, "block {block}");
        tiles
    }

    fn kind(&self, code: i32) -> usize {
        [0, if code < 8 { 2 } else { 3 }, 1][self.outcome(code)]
    }

    pub fn value(&self, code: i32) -> Value {
        match self.outcome(code) {
            0 => Value::Draw,
            1 => Value::Win(Moves(code as u32)),
            _ => Value::Loss(Moves((code - self.wins - 1) as u32)),
        }
    }
}
