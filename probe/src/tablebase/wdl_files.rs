//! Verdict files by material, opened when first asked for and found again without a lock.

use crate::error::ProbeError;
use crate::file::bytes::Access;
use crate::file::wdl::WdlFile;
use crate::tablebase::material_map::MaterialMap;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::Index;
use sakmak_tables::material::id::OrientedId;
use sakmak_tables::position::Position;
use sakmak_tables::tiles::king_tile::FixedKings;
use sakmak_tables::variant::Variant;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Verdict files by material and way of counting.
#[derive(Debug)]
pub struct Verdicts {
    files: MaterialMap<Option<Box<WdlFile>>>,
    /// Those of all turns there have been so far: two kinds, by far the most work of opening.
    fixed_kings: Mutex<Vec<Arc<FixedKings>>>,
}

impl Verdicts {
    /// No file is open yet.
    pub fn new() -> Verdicts {
        Verdicts { files: MaterialMap::new(), fixed_kings: Mutex::default() }
    }

    /// The place of a file, once it has been looked for: nothing inside where there is none.
    #[inline]
    pub(crate) fn place(
        &self,
        position: &Position,
        numbered: OrientedId,
    ) -> Option<&OnceLock<Option<Box<WdlFile>>>> {
        let metric = Metric::Counted(position.counting_rule());
        self.files.place(position.variant(), metric, numbered.number)
    }

    /// Opens a file.
    pub(crate) fn open(
        &self,
        path: &Path,
        access: Access,
        name: WdlName,
        variant: &Variant,
    ) -> Result<Box<WdlFile>, ProbeError> {
        let index = Index::new(name.material, &variant.rules);
        let fixed_kings = self.fixed_kings(&index);
        let file = WdlFile::open(path, access, name, &index, &variant.rules, &fixed_kings)?;
        Ok(Box::new(file))
    }

    fn fixed_kings(&self, index: &Index) -> Arc<FixedKings> {
        let mut all = self.fixed_kings.lock().unwrap_or_else(PoisonError::into_inner);
        let symmetries = index.kings().symmetries();
        if let Some(fixed_kings) =
            all.iter().find(|fixed_kings| fixed_kings.symmetries() == symmetries)
        {
            return Arc::clone(fixed_kings);
        }
        let fixed_kings = Arc::new(FixedKings::new(symmetries));
        all.push(Arc::clone(&fixed_kings));
        fixed_kings
    }
}
