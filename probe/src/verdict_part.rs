//! The part of a verdict file with one side to move: from a picture to its pattern.

use crate::bytes::Bytes;
use crate::table_file::FileProblem;
use sakmak_tables::counting::Category;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::verdict::{
    PatternRange, RANGE_LENGTH, RUN_UNIT, SHEET, VerdictLayout, VerdictSide, WIDTH_BITS,
    WORD_LENGTH,
};
use sakmak_tables::index::Index;
use sakmak_tables::man::Man;
use sakmak_tables::pictures::Pictures;
use sakmak_tables::square::Square;

/// The part of one side to move.
#[derive(Debug)]
pub struct SidePart {
    pub pictures: Pictures,
    layout: VerdictLayout,
    ranges: Vec<Range>,
    /// The groups whose captures are looked at first, a bit each.
    pub captures: u8,
    /// The men whose captures are looked at first.
    pub taken: Vec<Man>,
}

/// Patterns with the same categories in them.
#[derive(Debug)]
struct Range {
    /// One past the number of the last.
    end: u32,
    /// How many there are.
    count: u32,
    /// Where the first is.
    at: u64,
    planes: usize,
    palette: [Category; Category::ALL.len()],
}

/// What a picture's squares are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// The same, all of them.
    Plain(Category),
    /// By [`Category::index`]: a bit for each square.
    Mixed([u64; Category::ALL.len()]),
}

/// A pattern in the file: how it is to be read, and where it is.
#[derive(Clone, Copy)]
struct Found<'a> {
    range: &'a Range,
    at: u64,
}

impl SidePart {
    /// The part of a side, its ranges read and checked.
    pub fn new(
        bytes: &dyn Bytes,
        index: &Index,
        side: &VerdictSide,
        pictures: Pictures,
        layout: VerdictLayout,
    ) -> Result<SidePart, FileProblem> {
        let ranges = ranges(bytes, side, layout)?;
        let captures = side.captures;
        let groups = index.groups().iter().enumerate();
        let taken = groups.filter(|&(number, _)| captures >> number & 1 != 0);
        let taken = taken.map(|(_, group)| group.man).collect();
        Ok(SidePart { pictures, layout, ranges, captures, taken })
    }

    /// What a picture says, the word of its sheet being this.
    #[inline]
    pub fn verdict(
        &self,
        bytes: &dyn Bytes,
        word: u64,
        picture: u64,
        runner: Square,
    ) -> Result<Category, FileProblem> {
        let Found { range, at } = self.find(bytes, word, picture)?;
        if range.planes == 0 {
            return Ok(range.palette[0]);
        }
        let mut scratch = Vec::new();
        let planes = bytes.read(at, range.planes * size_of::<u64>(), &mut scratch)?;
        let mut colour = 0;
        for (plane, bits) in planes.as_chunks().0.iter().enumerate() {
            let bits = u64::from_le_bytes(*bits);
            colour |= (bits >> runner.index() & 1) << plane;
        }
        let category = range.palette.get(colour as usize).copied();
        category.ok_or_else(|| FormatError::Verdict("there is no such colour").into())
    }

    /// The pattern of a picture.
    pub fn pattern(
        &self,
        bytes: &dyn Bytes,
        home: usize,
        picture: u64,
    ) -> Result<Pattern, FileProblem> {
        let word = self.word(bytes, home, picture)?;
        let Found { range, at } = self.find(bytes, word, picture)?;
        if range.planes == 0 {
            return Ok(Pattern::Plain(range.palette[0]));
        }
        let mut scratch = Vec::new();
        let planes = bytes.read(at, range.planes * size_of::<u64>(), &mut scratch)?;
        let mut mixed = [0; Category::ALL.len()];
        for (colour, category) in (0u64..1 << range.planes).zip(range.palette) {
            mixed[category.index()] |=
                planes.as_chunks().0.iter().enumerate().fold(u64::MAX, |all, (plane, bits)| {
                    let bits = u64::from_le_bytes(*bits);
                    all & if colour >> plane & 1 == 0 { !bits } else { bits }
                });
        }
        Ok(Pattern::Mixed(mixed))
    }

    /// The word of the sheet of a picture.
    #[inline]
    pub fn word(&self, bytes: &dyn Bytes, home: usize, picture: u64) -> Result<u64, FileProblem> {
        let sheet = home as u64 * self.layout.sheets_per_home + picture / SHEET;
        let mut scratch = Vec::new();
        let at = self.layout.sheets + sheet * WORD_LENGTH as u64;
        Ok(little_endian(bytes.read(at, WORD_LENGTH, &mut scratch)?))
    }

    /// The pattern of a picture of a sheet with this word.
    #[inline]
    fn find(&self, bytes: &dyn Bytes, word: u64, picture: u64) -> Result<Found<'_>, FileProblem> {
        let mut scratch = Vec::new();
        let width = word & ((1 << WIDTH_BITS) - 1);
        if width == 0 {
            return self.numbered(word >> WIDTH_BITS);
        }
        let at = self.layout.runs + (word >> WIDTH_BITS) * RUN_UNIT;
        let starts = little_endian(bytes.read(at, size_of::<u64>(), &mut scratch)?);
        // Runs that begin up to and with the picture; the first always does.
        let upto = u64::MAX >> (SHEET - 1 - picture % SHEET);
        let run = u64::from((starts & upto).count_ones()).saturating_sub(1);
        let at = at + size_of::<u64>() as u64 + run * width;
        let number = little_endian(bytes.read(at, width as usize, &mut scratch)?);
        self.numbered(number)
    }

    /// The pattern of this number.
    #[inline]
    fn numbered(&self, number: u64) -> Result<Found<'_>, FileProblem> {
        let range = self.ranges.iter().find(|range| number < u64::from(range.end));
        let range = range.ok_or(FormatError::Verdict("there is no such pattern"))?;
        let place = number + u64::from(range.count) - u64::from(range.end);
        Ok(Found { range, at: range.at + place * (range.planes * size_of::<u64>()) as u64 })
    }
}

/// The number these bytes are, eight at most.
#[inline]
pub fn little_endian(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c] => u64::from(u32::from_le_bytes([a, b, c, 0])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        _ => bytes.first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes)),
    }
}

/// The ranges of patterns of a side.
fn ranges(
    bytes: &dyn Bytes,
    side: &VerdictSide,
    layout: VerdictLayout,
) -> Result<Vec<Range>, FileProblem> {
    let wrong = || FormatError::Verdict("its ranges of patterns do not make up its patterns");
    let mut scratch = Vec::new();
    let held = bytes.read(layout.ranges, side.ranges as usize * RANGE_LENGTH, &mut scratch)?;
    let mut ranges: Vec<Range> = Vec::new();
    let (mut end, mut words) = (0u32, 0u64);
    for bytes in held.as_chunks().0 {
        let range = PatternRange::decode(bytes)?;
        let mut palette = [Category::Draw; Category::ALL.len()];
        for (place, category) in palette.iter_mut().zip(range.palette()) {
            *place = category;
        }
        let (count, planes) = (range.count, range.planes());
        end = end.checked_add(count).ok_or_else(wrong)?;
        let at = layout.patterns + words * size_of::<u64>() as u64;
        words += u64::from(count) * planes as u64;
        ranges.push(Range { end, count, at, planes, palette });
    }
    if words != side.pattern_words {
        return Err(wrong().into());
    }
    Ok(ranges)
}
