//! The section of a WDL file with one side to move: from a cell to its row, its span, its category.

use crate::file::map::prefetch_line;
use crate::file::wdl::symbols::{RowSpans, SymbolDecoder};
use sakmak_tables::counting::Category;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::wdl::model::{SymbolStrings, WdlModel};
use sakmak_tables::format::wdl::{
    OFFSET_LENGTH, ROW_CELLS, ROW_CHECKSUM_LENGTH, RowEntry, RowForm, SPAN_LENGTH, WdlSide,
    row_checksum, row_count, rows_per_fixed_king,
};
use sakmak_tables::index::Index;
use sakmak_tables::rules::piece::Piece;
use sakmak_tables::tiles::cells::Cells;
use sakmak_tables::tiles::order::CellOrder;
use std::sync::atomic::{AtomicU64, Ordering};

/// The section of one side to move.
#[derive(Debug)]
pub struct WdlSection {
    pub cells: Cells,
    pub order: CellOrder,
    rows_per_fixed_king: u64,
    /// The offset of the first row in the file.
    rows_at: u64,
    /// By row, and the end of the last one: [`RowEntry`], as in the file.
    entries: Vec<[u8; OFFSET_LENGTH]>,
    /// By row: a bit that is set once it matched its checksum.
    checked: Vec<AtomicU64>,
    decoder: SymbolDecoder,
    pairs: Vec<[u16; 2]>,
    /// The groups whose captures a look-up has to search, a bit each.
    pub captures: u8,
    /// The pieces of these groups.
    pub captured: Vec<Piece>,
}

impl WdlSection {
    /// The section of a side whose offsets are the first of these bytes. Checks that rows follow one
    /// another.
    pub fn new(
        index: &Index,
        side: &WdlSide,
        cells: Cells,
        rows_at: u64,
        model: &WdlModel,
        offsets: &[u8],
    ) -> Result<WdlSection, FormatError> {
        let wrong = || FormatError::Wdl("the offsets of rows do not follow one another");
        let rows = row_count(&cells) as usize;
        let entries = offsets.as_chunks().0.get(..=rows).ok_or_else(wrong)?.to_vec();
        let mut before = 0;
        for entry in &entries {
            let RowEntry { offset, .. } = RowEntry::decode(entry)?;
            if offset < before {
                return Err(wrong());
            }
            before = offset;
        }
        if before != side.row_bytes {
            return Err(wrong());
        }
        let captures = side.captures;
        let groups = index.groups().iter().enumerate();
        let captured = groups.filter(|&(number, _)| captures >> number & 1 != 0);
        let captured = captured.map(|(_, group)| group.piece).collect();
        Ok(WdlSection {
            rows_per_fixed_king: rows_per_fixed_king(&cells),
            cells,
            order: side.order.clone(),
            rows_at,
            entries,
            checked: (0..rows.div_ceil(u64::BITS as usize)).map(|_| AtomicU64::new(0)).collect(),
            decoder: SymbolDecoder::new(model).ok_or(FormatError::Model)?,
            pairs: model.pairs.clone(),
            captures,
            captured,
        })
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.entries.len() as u64 - 1
    }

    /// The row of a cell of a fixed king, and the cell counted from the first of the row.
    #[inline]
    pub fn row_of(&self, fixed_king: usize, cell: u64) -> (u64, u32) {
        let row = fixed_king as u64 * self.rows_per_fixed_king + cell / ROW_CELLS;
        (row, (cell % ROW_CELLS) as u32)
    }

    #[inline]
    fn entry(&self, row: u64) -> Option<RowEntry> {
        RowEntry::decode(self.entries.get(row as usize)?).ok()
    }

    /// How a row is coded. `None` if there is no such row.
    #[inline]
    pub fn form(&self, row: u64) -> Option<RowForm> {
        self.entry(row).map(|entry| entry.form)
    }

    /// The offset of a row in the file, and its length. `None` if there is no such row.
    #[inline]
    pub fn row_range(&self, row: u64) -> Option<(u64, usize)> {
        let (start, end) = (self.entry(row)?.offset, self.entry(row + 1)?.offset);
        Some((self.rows_at + start, (end - start) as usize))
    }

    /// The cells of a row.
    #[inline]
    fn cells_of(&self, row: u64) -> u64 {
        let first = row % self.rows_per_fixed_king * ROW_CELLS;
        ROW_CELLS.min(self.cells.per_fixed_king() - first)
    }

    /// Whether the bytes of a row match its checksum: now, or when they were checked before.
    #[inline]
    pub fn is_sound(&self, row: u64, bytes: &[u8]) -> bool {
        let bit = 1 << (row % u64::from(u64::BITS));
        let checked = &self.checked[(row / u64::from(u64::BITS)) as usize];
        checked.load(Ordering::Relaxed) & bit != 0 || self.check(row, bytes, checked, bit)
    }

    #[cold]
    fn check(&self, row: u64, bytes: &[u8], checked: &AtomicU64, bit: u64) -> bool {
        let matches =
            bytes.split_first_chunk::<ROW_CHECKSUM_LENGTH>().is_some_and(|(checksum, bytes)| {
                u32::from_le_bytes(*checksum) == row_checksum(row, bytes)
            });
        if matches {
            checked.fetch_or(bit, Ordering::Relaxed);
        }
        matches
    }

    /// The offset in the file of the start of the span of a cell. `None` if its row has no spans.
    #[inline]
    pub fn span_at(&self, row: u64, cell: u32) -> Option<u64> {
        let RowEntry { offset, form: RowForm::Spans(spans) } = self.entry(row)? else {
            return None;
        };
        let span = u64::from(cell) >> spans.cell_bits;
        Some(self.rows_at + offset + ROW_CHECKSUM_LENGTH as u64 + span * SPAN_LENGTH as u64)
    }

    /// The spans of a row with these bytes. `None` if it has none or is too short.
    #[inline]
    fn spans<'a>(&self, row: u64, bytes: &'a [u8]) -> Option<RowSpans<'a>> {
        let RowForm::Spans(spans) = self.form(row)? else { return None };
        let cells = self.cells_of(row);
        let bytes = bytes.get(ROW_CHECKSUM_LENGTH..)?;
        let (starts, symbols) = bytes.split_at_checked(spans.count(cells) * SPAN_LENGTH)?;
        Some(RowSpans { spans, starts: starts.as_chunks().0, symbols, cells })
    }

    /// Begins to load the symbols that a look-up of a cell decodes.
    #[inline]
    pub fn prefetch_symbols(&self, row: u64, bytes: &[u8], cell: u32) {
        let Some(RowSpans { spans, starts, symbols, .. }) = self.spans(row, bytes) else { return };
        let Some(&start) = starts.get((cell >> spans.cell_bits) as usize) else { return };
        let at = spans.start(start) / u8::BITS as usize;
        for byte in [symbols.get(at), symbols.get(at + SYMBOL_BYTES)].into_iter().flatten() {
            prefetch_line(byte);
        }
    }

    /// The category of a cell of a row with these bytes. `None` if they do not decode.
    #[inline]
    pub fn category(&self, row: u64, bytes: &[u8], cell: u32) -> Option<Category> {
        self.decoder.category(&self.spans(row, bytes)?, cell)
    }

    /// All symbols of a row with these bytes. `None` if they do not decode, or a span begins elsewhere.
    pub fn symbols(&self, row: u64, bytes: &[u8]) -> Option<Vec<u16>> {
        self.decoder.symbols(&self.spans(row, bytes)?)
    }

    /// The strings of all symbols.
    pub fn strings(&self) -> SymbolStrings {
        SymbolStrings::new(&self.pairs)
    }
}

/// Most look-ups are done after this many bytes of symbols.
const SYMBOL_BYTES: usize = 24;
