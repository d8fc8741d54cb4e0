//! The tables that a WDL file is made from: those of its material, and those of the materials
//! after a capture.

use crate::output::wdl::captures::Captures;
use crate::output::wdl::full_board::{FullBoardView, FullBoardWdl};
use crate::output::wdl::section::{SectionError, Sections};
use crate::store::{TableStore, TableStoreError};
use rayon::prelude::*;
use sakmak_solve::solver::Width;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::Index;
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::tiles::king_tile::KingTiles;
use sakmak_tables::values::codes::{TableCodes, TablePair};
use sakmak_tables::variants;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The number of men of the materials whose probes examine captures first. Files of fewer men are
/// small without, so that a probe looks ahead one ply only; with more men [`FullBoardWdl`] would
/// take too much memory.
const WITH_CAPTURES: usize = 5;

/// The tables of one material.
struct MaterialTables {
    mate: Arc<dyn TableCodes>,
    counted: Option<Arc<dyn TableCodes>>,
}

/// Returns the table of distance to mate, and the one that decides under the counting rule.
fn names_of(WdlName { material, counting_rule }: WdlName) -> [TableName; 2] {
    let rules = &variants::counted_by(counting_rule).rules;
    let deciding = TableName::deciding(material, Metric::Counted(counting_rule));
    [TableName::of_distance(material, rules), deciding]
}

/// Returns the materials after the captures that probes examine.
fn after_captures(material: Material) -> BTreeSet<Material> {
    if material.men() != WITH_CAPTURES {
        return BTreeSet::new();
    }
    let after = material.pieces().filter_map(|piece| material.after(Some(piece), None));
    after.map(|OrientedMaterial { material, .. }| material).collect()
}

/// Returns the memory of the categories after all captures that probes examine, at most.
pub(crate) fn capture_bytes(index: &Index) -> u64 {
    match index.material().men() == WITH_CAPTURES {
        // Those of the best order and of one on trial.
        true => 2 * index.groups().len() as u64 * FullBoardWdl::bytes(index.pieces().len() - 1),
        false => 0,
    }
}

/// The tables of a material and of the materials after a capture.
pub struct WdlSources {
    counting_rule: &'static CountingRule,
    index: Index,
    own: MaterialTables,
    smaller: BTreeMap<Material, MaterialTables>,
    width: Width,
}

impl WdlSources {
    /// Loads the tables of a material from a store.
    ///
    /// # Errors
    ///
    /// If the store cannot load one of them.
    pub fn load(
        store: &TableStore<'_>,
        material: Material,
        counting_rule: &'static CountingRule,
    ) -> Result<WdlSources, TableStoreError> {
        WdlSources::from_codes(WdlName { material, counting_rule }, &|name| store.codes(name))
    }

    /// Returns the tables of a WDL file, those of [`WdlSources::names`].
    ///
    /// # Errors
    ///
    /// If `codes` has not got one of them.
    pub fn from_codes(
        WdlName { material, counting_rule }: WdlName,
        codes: &dyn Fn(TableName) -> Result<Arc<dyn TableCodes>, TableStoreError>,
    ) -> Result<WdlSources, TableStoreError> {
        let rules = &variants::counted_by(counting_rule).rules;
        let load = |material: Material| -> Result<MaterialTables, TableStoreError> {
            let [mate, deciding] = names_of(WdlName { material, counting_rule });
            let counted = if deciding == mate { None } else { Some(codes(deciding)?) };
            Ok(MaterialTables { mate: codes(mate)?, counted })
        };
        let own = load(material)?;
        let smaller = after_captures(material).into_iter();
        let smaller = smaller.map(|material| Ok((material, load(material)?)));
        let smaller = smaller.collect::<Result<_, TableStoreError>>()?;
        let (index, width) = (Index::new(material, rules), Width::widest());
        Ok(WdlSources { counting_rule, index, own, smaller, width })
    }

    /// Sets the width of the registers; the default is the widest.
    pub fn in_registers(self, width: Width) -> WdlSources {
        WdlSources { width, ..self }
    }

    /// Returns the width of the registers.
    pub fn width(&self) -> Width {
        self.width
    }

    /// Returns the tables that a WDL file is made from, its own two first: of distance to mate, and
    /// the one that decides under the counting rule. They may be the same.
    pub fn names(name: WdlName) -> impl Iterator<Item = TableName> {
        let smaller = after_captures(name.material).into_iter();
        let smaller = smaller.map(move |material| WdlName { material, ..name });
        [name].into_iter().chain(smaller).flat_map(names_of)
    }

    /// Returns the counting rule.
    pub fn counting_rule(&self) -> &'static CountingRule {
        self.counting_rule
    }

    /// Returns the index of the material.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Sections of the material.
    pub fn sections(&self) -> Sections<'_> {
        self.sections_of(&self.own)
    }

    fn sections_of<'a>(&self, tables: &'a MaterialTables) -> Sections<'a> {
        let source = TablePair { mate: &*tables.mate, counted: tables.counted.as_deref() };
        let rules = &variants::counted_by(self.counting_rule).rules;
        Sections::new(source, rules, self.counting_rule, self.width)
    }

    /// Categories after the mover captures a piece of a group, indexed by group. `None` if probes
    /// do not examine that capture.
    ///
    /// # Errors
    ///
    /// If a table cannot be read or contradicts itself.
    pub fn after(&self, mover: Side, swept: Side) -> Result<CaptureResults, SectionError> {
        let groups: Vec<Piece> = self.index.groups().iter().map(|group| group.piece).collect();
        let after = |&piece: &Piece| {
            if piece.side == mover {
                return Ok(None);
            }
            let smaller = self.index.material().after(Some(piece), None);
            let Some(OrientedMaterial { material, flipped }) = smaller else { return Ok(None) };
            let Some(tables) = self.smaller.get(&material) else { return Ok(None) };
            let mut pieces = self.index.pieces().to_vec();
            if let Some(place) = pieces.iter().position(|&other| other == piece) {
                pieces.remove(place);
            }
            let view = FullBoardView { pieces, swept, mover: !mover, flipped };
            Ok(Some(Arc::new(FullBoardWdl::new(&self.sections_of(tables), &view)?)))
        };
        groups.par_iter().map(after).collect()
    }

    /// Returns the captures in these king tiles. `None` if probes examine none.
    pub fn captures(
        &self,
        king_tiles: &KingTiles,
        mover: Side,
        after: &CaptureResults,
    ) -> Option<Captures> {
        let variant = variants::counted_by(self.counting_rule);
        let new =
            || Captures::new(&self.index, variant, king_tiles, mover, after.clone(), self.width);
        after.iter().any(Option::is_some).then(new)
    }
}

/// By group: the categories after the capture of one of its pieces.
pub type CaptureResults = Vec<Option<Arc<FullBoardWdl>>>;
