//! The tables that verdicts of a material are made from: its own, and those of what is left
//! when a man is taken.

use crate::output::wdl::captures::Captures;
use crate::output::wdl::section::{SectionError, Sections};
use crate::output::wdl::unfolded::{Unfolded, Wanted};
use crate::slots::codes::Codes;
use crate::store::table_store::{Shelf, ShelfError};
use crate::analysis::statistics::Source;
use sakmak_tables::counting::Profile;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::rules::piece::{Man, Side};
use sakmak_tables::material::{Material, Oriented};
use sakmak_tables::tiles::king_tile::Pictures;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Materials of so many men have captures looked at first. Of fewer the files are small
/// anyway, and so a look at a capture ends there; of more what is left has too many places.
const WITH_CAPTURES: usize = 5;

/// Tables of a material.
struct Of {
    mate: Arc<dyn Codes>,
    counted: Option<Arc<dyn Codes>>,
}

/// The tables of a material and of what is left after captures.
pub struct Tables {
    profile: &'static Profile,
    index: Index,
    own: Of,
    smaller: BTreeMap<Material, Of>,
}

impl Tables {
    /// Brings the tables of a material.
    ///
    /// # Errors
    ///
    /// When one of them cannot be had.
    pub fn bring(
        shelf: &mut Shelf<'_>,
        material: Material,
        profile: &'static Profile,
    ) -> Result<Tables, ShelfError> {
        let rules = &profile.variant().rules;
        let mut of = |material: Material| -> Result<Of, ShelfError> {
            let mate = TableName::to_mate(material);
            let deciding = TableName::answering(material, Metric::Counted(profile));
            let counted = if deciding == mate { None } else { Some(shelf.codes(deciding)?) };
            Ok(Of { mate: shelf.codes(mate)?, counted })
        };
        let own = of(material)?;
        let mut smaller = BTreeMap::new();
        if material.men() == WITH_CAPTURES {
            for man in material.list() {
                let after = material.after(Some(man), None, rules);
                if let Some(Oriented { material, .. }) = after
                    && !smaller.contains_key(&material)
                {
                    smaller.insert(material, of(material)?);
                }
            }
        }
        Ok(Tables { profile, index: Index::new(material, rules), own, smaller })
    }

    /// The way of counting.
    pub fn profile(&self) -> &'static Profile {
        self.profile
    }

    /// The index of the material.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Sections of the material.
    pub fn sections(&self) -> Sections<'_> {
        self.sections_of(&self.own)
    }

    fn sections_of<'a>(&self, of: &'a Of) -> Sections<'a> {
        let source = Source { mate: &*of.mate, counted: of.counted.as_deref() };
        Sections::new(source, &self.profile.variant().rules, self.profile)
    }

    /// By group: what is left when the mover takes one of its men. Nothing where captures are
    /// not looked at.
    ///
    /// # Errors
    ///
    /// When a table cannot be read.
    pub fn after(&self, mover: Side, runner: Side) -> Result<After, SectionError> {
        let rules = &self.profile.variant().rules;
        let groups: Vec<Man> = self.index.groups().iter().map(|group| group.man).collect();
        let unfold = |&man: &Man| {
            if man.side == mover {
                return Ok(None);
            }
            let after = self.index.material().after(Some(man), None, rules);
            let Some(Oriented { material, flipped }) = after else { return Ok(None) };
            let Some(of) = self.smaller.get(&material) else { return Ok(None) };
            let mut men = self.index.men().to_vec();
            if let Some(place) = men.iter().position(|&other| other == man) {
                men.remove(place);
            }
            let wanted = Wanted { men, runner, mover: !mover, flipped };
            Ok(Some(Arc::new(Unfolded::new(&self.sections_of(of), &wanted)?)))
        };
        groups.iter().map(unfold).collect()
    }

    /// The captures in these pictures.
    pub fn captures(&self, pictures: &Pictures, mover: Side, after: &After) -> Option<Captures> {
        let variant = self.profile.variant();
        let new = || Captures::new(&self.index, variant, pictures, mover, after.clone());
        after.iter().any(Option::is_some).then(new)
    }
}

/// By group: what is left when one of its men is taken.
pub type After = Vec<Option<Arc<Unfolded>>>;
