//! WDL files by material: each opened on first use, then found without a lock.

use crate::file::bytes::{Access, read_all};
use crate::file::open_file::FileError;
use crate::file::wdl::WdlFile;
use crate::source::FoundFile;
use crate::tablebase::material_map::MaterialMap;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::Index;
use sakmak_tables::material::id::MaterialId;
use sakmak_tables::tiles::king_tile::FixedKings;
use sakmak_tables::variant::Variant;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// WDL files by material and counting rule.
#[derive(Debug)]
pub struct WdlFiles {
    files: MaterialMap<Option<Box<WdlFile>>>,
    /// Shared by files with the same symmetries, of which two sets exist. Computing the fixed kings
    /// is most of the work of opening a file.
    fixed_kings: Mutex<Vec<Arc<FixedKings>>>,
}

impl WdlFiles {
    /// No open files.
    pub fn new() -> WdlFiles {
        WdlFiles { files: MaterialMap::new(), fixed_kings: Mutex::default() }
    }

    /// The entry of a file, unset until the file is searched for. It holds `None` if no directory
    /// had the file.
    #[inline]
    pub fn entry(
        &self,
        variant: &'static Variant,
        counting_rule: &'static CountingRule,
        material: MaterialId,
    ) -> Option<&OnceLock<Option<Box<WdlFile>>>> {
        self.files.entry(variant, Metric::Counted(counting_rule), material)
    }

    /// Forgets missing files, so that they are searched for again.
    pub fn forget_missing(&mut self) {
        self.files.forget(Option::is_none);
    }

    /// All files that are open.
    pub fn open(&self) -> impl Iterator<Item = &WdlFile> {
        self.files.values().filter_map(Option::as_deref)
    }

    /// Opens a file.
    pub fn open_file(
        &self,
        file: FoundFile,
        access: Access,
        name: WdlName,
        variant: &Variant,
    ) -> Result<Box<WdlFile>, FileError> {
        let index = Index::new(name.material, &variant.rules);
        let fixed_kings = self.fixed_kings(&index);
        let rules = &variant.rules;
        let file = match file {
            FoundFile::Path(path) => {
                WdlFile::open(&path, access, name, &index, rules, &fixed_kings)
            }
            FoundFile::Bytes(path, bytes) => {
                let bytes = read_all(&*bytes).map_err(|error| FileError::new(&path, error))?;
                WdlFile::from_bytes(&path, bytes, name, &index, rules, &fixed_kings)
            }
        }?;
        Ok(Box::new(file))
    }

    fn fixed_kings(&self, index: &Index) -> Arc<FixedKings> {
        let mut all = self.fixed_kings.lock().unwrap_or_else(PoisonError::into_inner);
        let symmetries = index.kings().symmetries();
        if let Some(fixed_kings) = all.iter().find(|kings| kings.symmetries() == symmetries) {
            return Arc::clone(fixed_kings);
        }
        let fixed_kings = Arc::new(FixedKings::new(symmetries));
        all.push(Arc::clone(&fixed_kings));
        fixed_kings
    }
}
