//! Chunks: the slots of planes of one king pair as bytes.
//!
//! A chunk is a sequence of planes: outer placement (4 bytes), a length (2 bytes), and one of two
//! lists. The usual list is that many bytes of steps from slot to slot. If the highest bit of the
//! length is set, the list is the set of rows that have slots (8 bytes) and the words of these rows
//! (8 bytes each).

use crate::planes::bits::Plane;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::SQUARES;
use std::io;

/// The bit that marks a plane written as words.
const WORDS: u16 = 1 << 15;
/// The step that passes over 255 slots without reaching one.
const FAR: u8 = u8::MAX;
/// Factor between the bytes of words and steps up to which a plane is written as words. Writing and
/// reading a word of 8 bytes takes as long as some three steps.
const WORDS_PER_STEPS: usize = 2;
/// The maximum number of steps of a plane that reach no slot.
const MOST_FAR: usize = SQUARES * SQUARES / FAR as usize;

/// The slots of a plane in a chunk.
#[derive(Clone, Copy, Debug)]
pub enum Slots<'a> {
    /// The steps from slot to slot.
    Listed(Steps<'a>),
    /// The rows that have slots, and their words.
    Words(Bitboard, &'a [[u8; size_of::<u64>()]]),
}

/// Slots in order: for each, the number of slots passed over since the slot before. A slot's number
/// is row times the length of a row plus column.
#[derive(Clone, Copy, Debug)]
pub struct Steps<'a>(&'a [u8]);

impl Steps<'_> {
    /// Calls `visit` with row and column of each slot.
    #[inline(always)]
    pub fn for_each(self, mut visit: impl FnMut(usize, usize)) {
        let mut next = 0;
        for &step in self.0 {
            next += usize::from(step);
            if step != FAR {
                visit(next / SQUARES % SQUARES, next % SQUARES);
                next += 1;
            }
        }
    }
}

impl Slots<'_> {
    /// No slots.
    const NONE: Slots<'static> = Slots::Listed(Steps(&[]));

    /// Calls `visit` with row and columns: with all columns of a row at once, or with each column.
    #[inline(always)]
    pub fn for_each(self, mut visit: impl FnMut(usize, u64)) {
        match self {
            Slots::Listed(steps) => steps.for_each(|row, column| visit(row, 1 << column)),
            Slots::Words(rows, words) => {
                for (row, &word) in rows.zip(words) {
                    visit(row.index(), u64::from_le_bytes(word));
                }
            }
        }
    }
}

/// Appends a plane to a chunk, unless it has no slots. `rows` are the rows that have slots.
#[inline(always)]
pub fn push_plane(chunk: &mut Vec<u8>, outer: usize, slots: &Plane, rows: Bitboard) {
    let mut count = 0;
    for row in rows {
        count += slots.0[row.index()].count_ones() as usize;
    }
    if count == 0 {
        return;
    }
    let (outer, length) = ((outer as u32).to_le_bytes(), size_of::<u64>() * (1 + rows.len()));
    if count * WORDS_PER_STEPS > length {
        let mut words = [[0; size_of::<u64>()]; SQUARES + 1];
        words[0] = rows.0.to_le_bytes();
        for (word, row) in words[1..].iter_mut().zip(rows) {
            *word = slots.0[row.index()].to_le_bytes();
        }
        chunk.extend_from_slice(&outer);
        chunk.extend_from_slice(&WORDS.to_le_bytes());
        chunk.extend_from_slice(words[..1 + rows.len()].as_flattened());
        return;
    }
    chunk.extend_from_slice(&outer);
    let start = chunk.len() + size_of::<u16>();
    // Written in place: growing the chunk slot by slot takes longer.
    chunk.resize(start + count + MOST_FAR, 0);
    let steps = &mut chunk[start..];
    let (mut used, mut next) = (0, 0);
    for row in rows {
        for column in Bitboard(slots.0[row.index()]) {
            let slot = row.index() * SQUARES + column.index();
            let mut passed = slot - next;
            while passed >= usize::from(FAR) {
                steps[used] = FAR;
                used += 1;
                passed -= usize::from(FAR);
            }
            steps[used] = passed as u8;
            used += 1;
            next = slot + 1;
        }
    }
    chunk.truncate(start + used);
    let used = (used as u16).to_le_bytes();
    chunk[start - used.len()..start].copy_from_slice(&used);
}

/// The planes of a chunk, in order.
#[derive(Clone, Debug)]
pub struct ChunkPlanes<'a> {
    rest: &'a [u8],
    /// The next plane, and its slots.
    next: Option<(usize, Slots<'a>)>,
}

impl<'a> ChunkPlanes<'a> {
    /// The planes of a chunk.
    ///
    /// # Errors
    ///
    /// If the chunk is cut short.
    pub fn new(chunk: &'a [u8]) -> io::Result<ChunkPlanes<'a>> {
        let mut rest = chunk;
        while !rest.is_empty() {
            rest = split_plane(rest).ok_or(io::ErrorKind::InvalidData)?.2;
        }
        let mut planes = ChunkPlanes { rest: chunk, next: None };
        planes.advance();
        Ok(planes)
    }

    /// The slots of the plane of this outer placement. Placements must ascend.
    #[inline(always)]
    pub fn slots_of(&mut self, outer: usize) -> Slots<'a> {
        match self.next {
            Some((next, slots)) if next == outer => {
                self.advance();
                slots
            }
            _ => Slots::NONE,
        }
    }

    #[inline]
    fn advance(&mut self) {
        let Some((outer, slots, rest)) = split_plane(self.rest) else {
            self.next = None;
            return;
        };
        self.rest = rest;
        self.next = Some((outer, slots));
    }
}

impl<'a> Iterator for ChunkPlanes<'a> {
    type Item = (usize, Slots<'a>);

    fn next(&mut self) -> Option<(usize, Slots<'a>)> {
        let next = self.next?;
        self.advance();
        Some(next)
    }
}

/// The first plane of a chunk and the rest; `None` if the chunk is cut short.
fn split_plane(bytes: &[u8]) -> Option<(usize, Slots<'_>, &[u8])> {
    let (outer, rest) = bytes.split_first_chunk()?;
    let outer = u32::from_le_bytes(*outer) as usize;
    let (length, rest) = rest.split_first_chunk()?;
    let length = u16::from_le_bytes(*length);
    if length & WORDS == 0 {
        let (steps, rest) = rest.split_at_checked(usize::from(length))?;
        return Some((outer, Slots::Listed(Steps(steps)), rest));
    }
    let (rows, rest) = rest.split_first_chunk()?;
    let rows = Bitboard(u64::from_le_bytes(*rows));
    let (words, rest) = rest.split_at_checked(size_of::<u64>() * rows.len())?;
    Some((outer, Slots::Words(rows, words.as_chunks().0), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_come_back_and_a_chunk_cut_short_is_an_error() {
        let sparse = Plane(std::array::from_fn(|row| u64::from(row % 9 == 0) << row));
        let dense = Plane(std::array::from_fn(|row| u64::MAX >> row.min(20)));
        let planes = [(3, sparse), (4, dense), (9, Plane::EMPTY), (70_000, sparse)];
        let mut chunk = Vec::new();
        for (outer, plane) in &planes {
            push_plane(&mut chunk, *outer, plane, Bitboard(u64::MAX));
        }
        let filled = |slots: Slots<'_>| {
            let mut plane = Plane::EMPTY;
            slots.for_each(|row, columns| plane.0[row] |= columns);
            plane
        };
        let mut cursor = ChunkPlanes::new(&chunk).unwrap();
        for outer in 0..70_001 {
            let expected = planes.iter().find(|plane| plane.0 == outer);
            assert_eq!(
                filled(cursor.slots_of(outer)),
                expected.map_or(Plane::EMPTY, |plane| plane.1)
            );
        }
        let walked: Vec<(usize, Plane)> = ChunkPlanes::new(&chunk)
            .unwrap()
            .map(|(outer, slots)| (outer, filled(slots)))
            .collect();
        assert_eq!(walked, [planes[0], planes[1], planes[3]]);
        assert!(ChunkPlanes::new(&chunk[..chunk.len() - 1]).is_err());
    }

    #[test]
    fn slots_any_way_apart_come_back() {
        for (first, last) in (0..4096).zip((0..4096).rev()).step_by(7) {
            let slots = [first, last].map(|slot| (slot / 64, slot % 64));
            let mut plane = Plane::EMPTY;
            for (row, column) in slots {
                plane.0[row] |= 1 << column;
            }
            let mut chunk = Vec::new();
            push_plane(&mut chunk, 5, &plane, Bitboard(u64::MAX));
            let (outer, found) = ChunkPlanes::new(&chunk).unwrap().next().unwrap();
            let mut back = Plane::EMPTY;
            found.for_each(|row, columns| back.0[row] |= columns);
            assert!(outer == 5 && back == plane, "{slots:?}");
        }
    }
}
