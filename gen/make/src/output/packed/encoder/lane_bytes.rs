//! The bytes of sixteen blocks, written from the last to the first.

use sakmak_codec::lanes::LANES;

/// Bytes that are written at a time.
const WORD: usize = size_of::<u32>();

/// The bytes of sixteen blocks, written from the last to the first.
#[derive(Clone, Debug, Default)]
pub struct LaneBytes {
    /// Room of the same length for each lane, whose end is written first.
    room: Vec<u8>,
    /// The room of a lane.
    length: usize,
    /// Offset of the bytes of each lane in its buffer.
    starts: [usize; LANES],
}

impl LaneBytes {
    /// Returns empty lanes with room for at least this many bytes each.
    pub fn emptied(&mut self, length: usize) -> &mut LaneBytes {
        // A word is written even if only a part of it are bytes of the lane.
        self.length = self.length.max(length + WORD);
        self.room.resize(LANES * self.length, 0);
        self.starts = [self.length; LANES];
        self
    }

    /// Writes the highest `count` bytes of a word before those of a lane.
    #[inline(always)]
    pub fn put(&mut self, lane: usize, word: u32, count: usize) {
        let lane = lane % LANES;
        let end = lane * self.length + self.starts[lane];
        // Lower bytes are written over by what comes next.
        if let Some(place) = self.room.get_mut(end.saturating_sub(WORD)..end)
            && let Some(place) = place.first_chunk_mut::<WORD>()
        {
            *place = word.to_le_bytes();
        }
        self.starts[lane] = self.starts[lane].saturating_sub(count);
    }

    /// Returns the bytes of each lane.
    pub fn lanes(&self) -> impl Iterator<Item = &[u8]> {
        let lanes = self.starts.iter().enumerate();
        lanes.map(|(lane, &start)| {
            let room = lane * self.length;
            self.room.get(room + start..room + self.length).unwrap_or(&[])
        })
    }
}
