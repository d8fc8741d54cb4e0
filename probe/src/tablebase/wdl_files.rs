//! Verdict files by material, opened when first asked for and found again without a lock.

use crate::file::bytes::Access;
use crate::error::ProbeError;
use crate::tablebase::material_map::Shelves;
use crate::file::wdl::VerdictFile;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::wdl::VerdictName;
use sakmak_tables::index::Index;
use sakmak_tables::material::id::Numbered;
use sakmak_tables::tiles::king_tile::Homes;
use sakmak_tables::position::Position;
use sakmak_tables::variant::Variant;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Verdict files by material and way of counting.
#[derive(Debug)]
pub struct Verdicts {
    files: Shelves<Option<Box<VerdictFile>>>,
    /// Those of all turns there have been so far: two kinds, by far the most work of opening.
    homes: Mutex<Vec<Arc<Homes>>>,
}

impl Verdicts {
    /// No file is open yet.
    pub fn new() -> Verdicts {
        Verdicts { files: Shelves::new(), homes: Mutex::default() }
    }

    /// The place of a file, once it has been looked for: nothing inside where there is none.
    #[inline]
    pub(crate) fn place(
        &self,
        position: &Position,
        numbered: Numbered,
    ) -> Option<&OnceLock<Option<Box<VerdictFile>>>> {
        let metric = Metric::Counted(position.profile());
        self.files.place(position.variant(), metric, numbered.number)
    }

    /// Opens a file.
    pub(crate) fn open(
        &self,
        path: &Path,
        access: Access,
        name: VerdictName,
        variant: &Variant,
    ) -> Result<Box<VerdictFile>, ProbeError> {
        let index = Index::new(name.material, &variant.rules);
        let homes = self.homes(&index);
        let file = VerdictFile::open(path, access, name, &index, &variant.rules, &homes)?;
        Ok(Box::new(file))
    }

    fn homes(&self, index: &Index) -> Arc<Homes> {
        let mut all = self.homes.lock().unwrap_or_else(PoisonError::into_inner);
        let turns = index.kings().turns();
        if let Some(homes) = all.iter().find(|homes| homes.turns() == turns) {
            return Arc::clone(homes);
        }
        let homes = Arc::new(Homes::new(turns));
        all.push(Arc::clone(&homes));
        homes
    }
}
