//! Verdict files by material, opened when first asked for and found again without a lock.

use crate::bytes::Access;
use crate::error::ProbeError;
use crate::verdict_file::VerdictFile;
use sakmak_tables::counting::Profile;
use sakmak_tables::format::verdict::VerdictName;
use sakmak_tables::index::Index;
use sakmak_tables::pictures::Homes;
use sakmak_tables::position::Position;
use sakmak_tables::tally::{Numbered, materials};
use sakmak_tables::variant::Variant;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Verdict files, by the game and the way of counting and then by material.
#[derive(Debug, Default)]
pub struct Verdicts {
    shelves: Vec<Shelf>,
    /// Those of all turns there have been so far: two kinds, by far the most work of opening.
    homes: Mutex<Vec<Arc<Homes>>>,
}

/// The files of one way of counting in one game.
#[derive(Debug)]
struct Shelf {
    variant: &'static Variant,
    profile: &'static Profile,
    /// By number of the material; nothing inside where there is no file.
    files: OnceLock<Box<[Place]>>,
}

/// A file, once it has been looked for.
pub(crate) type Place = OnceLock<Option<Box<VerdictFile>>>;

impl Verdicts {
    /// No file is open yet.
    pub fn new() -> Verdicts {
        let shelf = |variant, profile| Shelf { variant, profile, files: OnceLock::new() };
        let of = |variant| Profile::all().map(move |profile| shelf(variant, profile));
        Verdicts {
            shelves: Variant::all().into_iter().flat_map(of).collect(),
            homes: Mutex::default(),
        }
    }

    /// The place of a file, and where it is kept.
    #[inline]
    pub(crate) fn place(&self, position: &Position, numbered: Numbered) -> Option<&Place> {
        let (variant, profile) = (position.variant(), position.profile());
        let same = |shelf: &&Shelf| {
            std::ptr::eq(shelf.variant, variant) && std::ptr::eq(shelf.profile, profile)
        };
        let equal = |shelf: &&Shelf| shelf.variant == variant && shelf.profile == profile;
        let shelf = self.shelves.iter().find(same).or_else(|| self.shelves.iter().find(equal))?;
        let empty = || materials().iter().map(|_| OnceLock::new()).collect();
        shelf.files.get_or_init(empty).get(numbered.number)
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
