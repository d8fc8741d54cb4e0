//! A table for lookups at any slot: whole in memory, or read king pair by king pair on demand.
//!
//! A page is all codes of one king pair with one side to move. The first lookup in it reads it; it
//! stays until the paged table is dropped. A page that cannot be read has no codes; the error is
//! kept for [`PagedTable::ensure_read`].

use sakmak_tables::index::{Index, Slot};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::{Coding, Values};
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A table with the pages read so far.
pub struct PagedTable<'a> {
    codes: &'a dyn TableCodes,
    /// The codes of each side to move. `None` if the table does not hold that side.
    sides: [Option<PagedSide<'a>>; 2],
}

/// The codes of one side to move.
pub struct PagedSide<'a> {
    coding: Coding,
    /// All codes; empty if the codes come in pages.
    whole: &'a [u8],
    pages: Option<Pages<'a>>,
}

/// The codes of one side to move by king pair.
struct Pages<'a> {
    codes: &'a dyn TableCodes,
    side: Side,
    pages: Vec<OnceLock<Vec<u8>>>,
    failure: Mutex<Option<io::Error>>,
}

impl<'a> PagedTable<'a> {
    /// The table with these codes. Reading them must not depend on other threads: lookups wait for
    /// a page.
    pub fn new(codes: &'a dyn TableCodes) -> PagedTable<'a> {
        let paged = |side: Side| {
            let coding = codes.coding(side)?;
            let pages = || Pages {
                codes,
                side,
                pages: (0..codes.index().kings().len()).map(|_| OnceLock::new()).collect(),
                failure: Mutex::default(),
            };
            Some(match codes.whole(side) {
                Some(whole) => PagedSide { coding, whole, pages: None },
                None => PagedSide { coding, whole: &[], pages: Some(pages()) },
            })
        };
        PagedTable { codes, sides: Side::BOTH.map(paged) }
    }

    /// The index.
    pub fn index(&self) -> &'a Index {
        self.codes.index()
    }

    /// The codes of a side to move. `None` if the table does not hold that side.
    pub fn side(&self, side: Side) -> Option<&PagedSide<'a>> {
        self.sides[side.index()].as_ref()
    }

    /// Checks that all requested pages could be read.
    ///
    /// # Errors
    ///
    /// The first error of reading.
    pub fn ensure_read(&self) -> io::Result<()> {
        let pages = self.sides.iter().flatten().filter_map(|side| side.pages.as_ref());
        let failure =
            |pages: &Pages<'_>| pages.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        pages.filter_map(failure).next().map_or(Ok(()), Err)
    }
}

impl<'a> PagedSide<'a> {
    /// All codes of a side.
    pub fn of(values: &'a Values) -> PagedSide<'a> {
        PagedSide { coding: values.coding(), whole: values.codes(), pages: None }
    }

    /// The coding.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// The code of a slot. `None` past the last slot, or if the page cannot be read.
    #[inline]
    pub fn code(&self, slot: Slot) -> Option<u16> {
        match &self.pages {
            None => self.coding.read(self.whole, slot.0 as usize),
            Some(pages) => pages.code(slot, self.coding),
        }
    }
}

impl Pages<'_> {
    fn code(&self, slot: Slot, coding: Coding) -> Option<u16> {
        let per_pair = self.codes.index().slots_per_pair();
        let (pair, offset) = (slot.0 / per_pair, slot.0 % per_pair);
        let page = self.pages.get(pair as usize)?;
        let first = pair * per_pair;
        let page = page.get_or_init(|| {
            let read = self.codes.window(self.side, first..first + per_pair);
            read.map(Cow::into_owned).unwrap_or_else(|error| {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert(error);
                Vec::new()
            })
        });
        coding.read(page, offset as usize)
    }
}

impl fmt::Debug for PagedTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let material = self.index().material();
        f.debug_struct("PagedTable").field("material", &material).finish_non_exhaustive()
    }
}

impl fmt::Debug for PagedSide<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PagedSide").field("coding", &self.coding).finish_non_exhaustive()
    }
}
