//! The codes of a table, in memory or on disk.

use sakmak_probe::file::solved::SolvedFile;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use sakmak_tables::values::table::Table;
use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// The codes of a table, in memory or on disk: all that a solved file is written from.
pub trait TableCodes: Send + Sync {
    /// The index of the table.
    fn index(&self) -> &Index;

    /// The coding of a side to move. `None` if the table does not hold that side.
    fn coding(&self, side: Side) -> Option<Coding>;

    /// The codes of all slots. `None` if they are not in memory, or the table does not hold that
    /// side.
    fn whole(&self, _side: Side) -> Option<&[u8]> {
        None
    }

    /// The codes of a range of slots, [`Coding::width`] bytes each.
    ///
    /// # Errors
    ///
    /// When the codes are on disk and cannot be read.
    fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>>;
}

/// The two tables of a material that decide what is won and what is won in time.
#[derive(Clone, Copy)]
pub struct TablePair<'a> {
    /// Distances to mate.
    pub mate: &'a dyn TableCodes,
    /// Counted distances. `None` if distances to mate decide what is in time, or if the table
    /// is not available.
    pub counted: Option<&'a dyn TableCodes>,
}

impl TableCodes for Table {
    fn index(&self) -> &Index {
        Table::index(self)
    }

    fn coding(&self, side: Side) -> Option<Coding> {
        self.values(side).map(|values| values.coding())
    }

    fn whole(&self, side: Side) -> Option<&[u8]> {
        self.values(side).map(|values| values.codes())
    }

    fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let codes = self.values(side).map_or(&[][..], |values| values.window(slots));
        Ok(Cow::Borrowed(codes))
    }
}

/// Each window decodes all blocks that it overlaps; a block that overlaps two windows is decoded
/// twice.
impl TableCodes for SolvedFile {
    fn index(&self) -> &Index {
        SolvedFile::index(self)
    }

    fn coding(&self, side: Side) -> Option<Coding> {
        self.layout().header().coding(side)
    }

    fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let mut codes = Vec::new();
        let mut next = slots.start;
        while next < slots.end {
            let Some((block, place)) = self.layout().locate(side, Slot(next)) else { break };
            let Some(content) = self.layout().content(block) else { break };
            let decoded = self.block(block).map_err(io::Error::other)?;
            let end = content.codes.min(place + (slots.end - next) as usize);
            let width = content.coding.width();
            codes.reserve_exact((slots.end - slots.start) as usize * width);
            codes.extend_from_slice(decoded.get(place * width..end * width).unwrap_or_default());
            next += (end - place) as u64;
        }
        Ok(Cow::Owned(codes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::solved::{WriteOptions, write};
    use sakmak_probe::file::bytes::Access;
    use sakmak_tables::distance::Moves;
    use sakmak_tables::format::name::TableName;
    use sakmak_tables::values::Values;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn windows_of_a_file_are_those_of_its_table() {
        let name: TableName = "KRvK".parse().unwrap();
        let index = Index::new(name.material, &MAKRUK.rules);
        let slots = index.slots();
        let directory = tempfile::tempdir().unwrap();
        for wins in [200, 300] {
            let coding = Coding { wins: Moves(wins), losses: None };
            let values = |factor: u64| {
                let codes = (0..slots).map(|slot| (slot * factor % u64::from(wins)) as u16);
                let bytes = codes.flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
                let step = 2 / coding.width();
                Values::new(coding, bytes.into_iter().step_by(step).collect::<Vec<u8>>())
            };
            let table = Table::new(index.clone(), values(7), Some(values(11)));
            let options = WriteOptions { block_codes: 1 << 12, ..WriteOptions::default() };
            let path = write(&table, &MAKRUK.rules, directory.path(), &options).unwrap().path;
            let file = SolvedFile::open(&path, Access::default(), name, &MAKRUK.rules).unwrap();
            for side in Side::BOTH {
                assert_eq!(TableCodes::coding(&file, side), Some(coding));
                for window in [0..slots, 5..6, 4090..4100, slots - 5000..slots, 7..7, slots..slots]
                {
                    let codes = file.window(side, window.clone()).unwrap();
                    assert_eq!(codes, table.window(side, window).unwrap());
                }
            }
        }
    }
}
