//! Gathers the codes of a table from the records of its layers, in memory or on disk.

use crate::parallel::*;
use crate::planes::check::legal_slots;
use crate::planes::frame::{Frame, PlaneRow};
use crate::planes::geometry::Geometry;
use crate::solver::buffer::Buffer;
use crate::solver::chunk::Slots;
use crate::solver::record::Record;
use crate::solver::saved_layers::{self, SavedLayersError, SideRecords};
use crate::solver::scratch::ScratchFolder;
use crate::solver::times::{Clock, SolveTimes};
use crate::solver::width::{Kernel, Width};
use bytes::Bytes;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use sakmak_tables::values::{Coding, Values};
use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// A solved table: its codes in memory, or their record.
///
/// A slot that is not a legal position repeats the code before it, which compresses best.
#[derive(Debug)]
pub struct SolvedTable {
    geometry: Geometry,
    frame: Frame,
    codes: CodesBySide,
    /// The registers that gather codes.
    width: Width,
    times: SolveTimes,
}

/// The codes of White and of Black to move; `None` for a side that the table does not hold.
#[derive(Debug)]
enum CodesBySide {
    Gathered([Option<Values>; 2]),
    /// Codes to be gathered window by window.
    Recorded(SideRecords),
}

impl CodesBySide {
    /// The codes of these records, gathered into memory if requested and if memory suffices.
    fn of(
        geometry: &Geometry,
        frame: &Frame,
        records: SideRecords,
        in_memory: bool,
        width: Width,
    ) -> io::Result<CodesBySide> {
        let gathered = |side: Side| {
            let record = records[side.index()].as_ref();
            record.map(|record| gather(geometry, frame, side, record, width)).transpose()
        };
        if !in_memory {
            return Ok(CodesBySide::Recorded(records));
        }
        match gathered(Side::White).and_then(|white| Ok([white, gathered(Side::Black)?])) {
            Ok(codes) => Ok(CodesBySide::Gathered(codes)),
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => {
                Ok(CodesBySide::Recorded(records))
            }
            Err(error) => Err(error),
        }
    }
}

impl SolvedTable {
    /// Gathers the codes from the records of White and Black to move. If a part of the records is
    /// on disk, or memory does not suffice for the codes, they are gathered window by window when
    /// they are read.
    ///
    /// # Errors
    ///
    /// If the record is damaged.
    pub(crate) fn gather(
        geometry: Geometry,
        frame: Frame,
        records: SideRecords,
        width: Width,
    ) -> io::Result<SolvedTable> {
        let in_memory = !records.iter().flatten().any(Record::is_on_disk);
        let codes = CodesBySide::of(&geometry, &frame, records, in_memory, width)?;
        Ok(SolvedTable { geometry, frame, codes, width, times: SolveTimes::default() })
    }

    /// The table that an earlier run solved and saved in this folder; `None` if the folder has no
    /// such table. Its codes are gathered into memory if requested and if memory suffices; `clock`
    /// measures the time.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged or belongs to other rules.
    pub fn saved(
        folder: &dyn ScratchFolder,
        name: TableName,
        rules: &Rules,
        in_memory: bool,
        clock: Clock,
    ) -> Result<Option<SolvedTable>, SavedLayersError> {
        let start = clock();
        let geometry = Geometry::new(Index::new(name.material, rules), rules);
        let pairs = geometry.index.kings().len();
        let Some(records) = saved_layers::open(folder, name, rules, pairs)? else {
            return Ok(None);
        };
        let frame = Frame::new(&geometry);
        for (side, record) in Side::BOTH.into_iter().zip(&records) {
            if record.is_some() != Table::sides(&geometry.index).contains(&side) {
                return Err(SavedLayersError::Damaged);
            }
        }
        let checked =
            records.iter().flatten().try_for_each(|record| record.check(&geometry, &frame));
        checked.map_err(|_| SavedLayersError::Damaged)?;
        let width = Width::widest();
        let codes = CodesBySide::of(&geometry, &frame, records, in_memory, width);
        let codes = codes.map_err(SavedLayersError::Read)?;
        let times =
            SolveTimes { gathering: clock().saturating_sub(start), ..SolveTimes::default() };
        Ok(Some(SolvedTable { geometry, frame, codes, width, times }))
    }

    /// Saves the layers of a table whose codes are not in memory, so that a later run can skip
    /// solving it. The solver must have had a folder for them.
    ///
    /// # Errors
    ///
    /// If there is not enough disk.
    pub fn save(&self, name: TableName, rules: &Rules) -> io::Result<()> {
        match &self.codes {
            CodesBySide::Gathered(_) => Ok(()),
            CodesBySide::Recorded(records) => saved_layers::save(records, name, rules),
        }
    }

    /// Sets the times of solving.
    pub(crate) fn set_times(&mut self, times: SolveTimes) {
        self.times = times;
    }

    /// The times of solving.
    pub fn times(&self) -> SolveTimes {
        self.times
    }

    /// The table, if its codes are in memory.
    ///
    /// # Errors
    ///
    /// Returns the solved table unchanged if its codes are still to be gathered.
    pub fn into_table(self) -> Result<Table, Box<SolvedTable>> {
        match self.codes {
            CodesBySide::Gathered([Some(white), black]) => {
                Ok(Table::new(self.geometry.index, white, black))
            }
            codes => Err(Box::new(SolvedTable { codes, ..self })),
        }
    }
}

impl TableCodes for SolvedTable {
    fn index(&self) -> &Index {
        &self.geometry.index
    }

    fn coding(&self, side: Side) -> Option<Coding> {
        let side = side.index();
        match &self.codes {
            CodesBySide::Gathered(values) => values[side].as_ref().map(Values::coding),
            CodesBySide::Recorded(records) => records[side].as_ref().map(Record::coding),
        }
    }

    fn whole(&self, side: Side) -> Option<&[u8]> {
        match &self.codes {
            CodesBySide::Gathered(values) => values[side.index()].as_ref().map(Values::codes),
            CodesBySide::Recorded(_) => None,
        }
    }

    fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let record = match &self.codes {
            CodesBySide::Gathered(values) => {
                let values = values[side.index()].as_ref();
                return Ok(Cow::Borrowed(values.map_or(&[], |values| values.window(slots))));
            }
            CodesBySide::Recorded(records) => match &records[side.index()] {
                Some(record) => record,
                None => return Ok(Cow::Borrowed(&[])),
            },
        };
        let (geometry, width) = (&self.geometry, record.coding().width());
        let per_pair = geometry.index.slots_per_pair();
        let mut codes = vec![0; (slots.end - slots.start) as usize * width];
        let mut parts = Vec::new();
        let mut rest = &mut codes[..];
        for pair in slots.start / per_pair..slots.end.div_ceil(per_pair) {
            let first = pair * per_pair;
            let from = slots.start.saturating_sub(first);
            let to = (slots.end - first).min(per_pair);
            let (part, after) = rest.split_at_mut((to - from) as usize * width);
            parts.push((pair as usize, from as usize * width, part));
            rest = after;
        }
        let pair_bytes = per_pair as usize * width;
        parts.into_par_iter().try_for_each(|(pair, from, part)| {
            let (frame, width) = (&self.frame, self.width);
            if part.len() == pair_bytes {
                let codes = part;
                return width.run(GatherPair { geometry, frame, side, record, pair, codes });
            }
            let mut whole = vec![0; pair_bytes];
            let codes = &mut whole[..];
            width.run(GatherPair { geometry, frame, side, record, pair, codes })?;
            part.copy_from_slice(&whole[from..from + part.len()]);
            Ok(())
        })?;
        Ok(Cow::Owned(codes))
    }
}

/// The values of `side` to move, from their record.
fn gather(
    geometry: &Geometry,
    frame: &Frame,
    side: Side,
    record: &Record,
    width: Width,
) -> io::Result<Values> {
    let coding = record.coding();
    let per_pair = geometry.index.slots_per_pair() as usize * coding.width();
    let mut codes = Buffer::<u8>::unspecified(geometry.index.kings().len() * per_pair)?;
    codes.par_chunks_mut(per_pair).enumerate().try_for_each(|(pair, codes)| {
        width.run(GatherPair { geometry, frame, side, record, pair, codes })
    })?;
    Ok(Values::new(coding, Bytes::from_owner(codes)))
}

/// A kernel: gathers the codes of one king pair from their record.
struct GatherPair<'a> {
    geometry: &'a Geometry,
    frame: &'a Frame,
    side: Side,
    record: &'a Record,
    pair: usize,
    codes: &'a mut [u8],
}

impl Kernel for GatherPair<'_> {
    type Output = io::Result<()>;

    #[inline(always)]
    fn run(self) -> io::Result<()> {
        let GatherPair { geometry, frame, side, record, pair, codes } = self;
        let coding = record.coding();
        codes.fill(0);
        if coding.width() == 1 {
            record.read(pair, |outer, slots, value| {
                let code = coding.encode(value).unwrap_or(0) as u8;
                if let Slots::Words(rows, words) = slots {
                    let offsets = frame.offsets(outer);
                    for (row, &word) in rows.zip(words) {
                        let PlaneRow { first, columns, .. } = offsets.row(row.index());
                        let found = u64::from_le_bytes(word) >> columns.start;
                        put_bytes(&mut codes[first..first + columns.len()], found, code);
                    }
                } else {
                    put_each(frame, outer, slots, |offset| codes[offset] = code);
                }
            })?;
            fill_illegal(geometry, frame, side, pair, codes);
        } else {
            let (codes, _) = codes.as_chunks_mut::<2>();
            record.read(pair, |outer, slots, value| {
                let code = coding.encode(value).unwrap_or(0).to_le_bytes();
                put_each(frame, outer, slots, |offset| codes[offset] = code);
            })?;
            fill_illegal(geometry, frame, side, pair, codes);
        }
        Ok(())
    }
}

/// Calls `put` with each slot, counted from the first of its king pair.
#[inline(always)]
fn put_each(frame: &Frame, outer: usize, slots: Slots<'_>, mut put: impl FnMut(usize)) {
    let offsets = frame.offsets(outer);
    match slots {
        Slots::Listed(steps) => steps.for_each(|row, column| put(offsets.of(row, column))),
        Slots::Words(rows, words) => {
            for (row, &word) in rows.zip(words) {
                for column in Bitboard(u64::from_le_bytes(word)) {
                    put(offsets.of(row.index(), column.index()));
                }
            }
        }
    }
}

/// Eight bytes for each byte value, each all ones if its bit is set.
const SPREAD: [u64; 1 << u8::BITS] = {
    let mut table = [0; 1 << u8::BITS];
    let mut bits = 0;
    while bits < table.len() {
        let mut bit = 0;
        while bit < u8::BITS {
            if bits >> bit & 1 != 0 {
                table[bits] |= (u8::MAX as u64) << (bit * u8::BITS);
            }
            bit += 1;
        }
        bits += 1;
    }
    table
};

/// Replaces the zero bytes whose bits are set with `byte`. Bits beyond the last byte are ignored.
#[inline(always)]
fn put_bytes(bytes: &mut [u8], found: u64, byte: u8) {
    let everywhere = u64::from_ne_bytes([byte; size_of::<u64>()]);
    let (eights, rest) = bytes.as_chunks_mut::<{ size_of::<u64>() }>();
    let mut bits = found.to_le_bytes().into_iter();
    for (eight, bits) in eights.iter_mut().zip(&mut bits) {
        let put = SPREAD[usize::from(bits)].to_le() & everywhere;
        *eight = (u64::from_ne_bytes(*eight) | put).to_ne_bytes();
    }
    let put = bits.next().map_or(0, |bits| SPREAD[usize::from(bits)]).to_le_bytes();
    for (code, put) in rest.iter_mut().zip(put) {
        *code |= put & byte;
    }
}

/// Overwrites the code of each slot that is not a legal position with the code before it.
#[inline(always)]
fn fill_illegal<Code: Copy + Default>(
    geometry: &Geometry,
    frame: &Frame,
    side: Side,
    pair: usize,
    codes: &mut [Code],
) {
    for outer in 0..geometry.planes_per_pair() {
        let mut rows = frame.rows(outer).peekable();
        if rows.peek().is_none() {
            continue;
        }
        let key = geometry.plane_key(KingPair(pair as u16), outer);
        let legal = legal_slots(geometry, &key, side);
        for PlaneRow { number, first, columns } in rows {
            let illegal = !legal.0[number] >> columns.start;
            let mut last = None;
            for offset in Bitboard(illegal).map(|offset| offset.index()) {
                if offset >= columns.len() {
                    break;
                }
                // All slots of such a run get the same code.
                let code = match last {
                    Some((before, code)) if before + 1 == offset => code,
                    _ => (first + offset).checked_sub(1).map_or(Code::default(), |p| codes[p]),
                };
                codes[first + offset] = code;
                last = Some((offset, code));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planes::bits::Plane;
    use crate::solver::log::Log;
    use sakmak_tables::distance::{Moves, Value};
    use sakmak_tables::index::Slot;
    use sakmak_tables::variants::MAKRUK;
    use std::sync::Arc;

    /// Values found in the planes of the last king pair, by slot.
    fn gathered(longest: u32) -> (SolvedTable, Vec<Value>) {
        let rules = &MAKRUK.rules;
        let geometry = Geometry::new(Index::new("KRNvK".parse().unwrap(), rules), rules);
        let frame = Frame::new(&geometry);
        let pairs = geometry.index.kings().len();
        let mut record = Record::new(pairs, Arc::new(Log::in_memory()));
        let mut expected = vec![Value::Draw; geometry.index.slots_per_pair() as usize];
        let values = [Value::Win(Moves(longest)), Value::Win(Moves(2)), Value::Loss(Moves(0))];
        for (number, value) in values.into_iter().enumerate() {
            // Few slots in one layer, all of some rows in the next.
            let mut plane = Plane::EMPTY;
            for row in 0..3 {
                plane.0[10 * number + row] = if number == 1 { u64::MAX } else { 1 << 7 | 1 << 50 };
                for column in Bitboard(plane.0[10 * number + row]) {
                    expected[(10 * number + row) * 64 + column.index()] = value;
                }
            }
            let mut part = record.pairs(&frame).nth(pairs - 1).unwrap();
            part.note(0, &plane);
            part.flush(value).unwrap();
            record.extend_coding(value);
        }
        (
            SolvedTable::gather(geometry, frame, [Some(record), None], Width::widest()).unwrap(),
            expected,
        )
    }

    #[test]
    fn long_and_short_distances_come_back() {
        for longest in [40, 254, 255, 256, 1000] {
            let (solved, expected) = gathered(longest);
            let pair = solved.geometry.index.kings().len() - 1;
            let first = pair as u64 * solved.geometry.index.slots_per_pair();
            let key = solved.geometry.plane_key(KingPair(pair as u16), 0);
            let legal = legal_slots(&solved.geometry, &key, Side::White);
            let table = solved.into_table().unwrap();
            let mut compared = 0;
            for (slot, expected) in (first..).map(Slot).zip(expected) {
                let offset = (slot.0 - first) as usize;
                if Bitboard(legal.0[offset / 64])
                    .contains(sakmak_tables::board::square::Square::wrapping(offset))
                {
                    assert_eq!(
                        table.value(Side::White, slot),
                        Some(expected),
                        "{longest} {slot:?}"
                    );
                    compared += usize::from(expected != Value::Draw);
                }
            }
            assert!(compared > 50);
        }
    }
}
