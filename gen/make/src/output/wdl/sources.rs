//! The tables that a WDL file is made from: those of its material, and those of the materials
//! after a capture.

use crate::output::wdl::captures::Captures;
use crate::output::wdl::full_board::{FullBoardView, FullBoardWdl};
use crate::output::wdl::section::{SectionError, Sections};
use crate::store::{TableStore, TableStoreError};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::tiles::king_tile::KingTiles;
use sakmak_tables::values::codes::{TableCodes, TablePair};
use sakmak_tables::variants;
use std::collections::BTreeMap;
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

/// The tables of a material and of the materials after a capture.
pub struct WdlSources {
    counting_rule: &'static CountingRule,
    index: Index,
    own: MaterialTables,
    smaller: BTreeMap<Material, MaterialTables>,
}

impl WdlSources {
    /// Loads the tables of a material from a store.
    ///
    /// # Errors
    ///
    /// If the store cannot load one of them.
    pub fn bring(
        store: &TableStore<'_>,
        material: Material,
        counting_rule: &'static CountingRule,
    ) -> Result<WdlSources, TableStoreError> {
        let rules = &variants::counted_by(counting_rule).rules;
        let bring = |material: Material| -> Result<MaterialTables, TableStoreError> {
            let mate = TableName::of_distance(material, rules);
            let deciding = TableName::deciding(material, Metric::Counted(counting_rule));
            let counted = if deciding == mate { None } else { Some(store.codes(deciding)?) };
            Ok(MaterialTables { mate: store.codes(mate)?, counted })
        };
        let own = bring(material)?;
        let mut smaller = BTreeMap::new();
        if material.men() == WITH_CAPTURES {
            for piece in material.pieces() {
                let after = material.after(Some(piece), None);
                if let Some(OrientedMaterial { material, .. }) = after
                    && !smaller.contains_key(&material)
                {
                    smaller.insert(material, bring(material)?);
                }
            }
        }
        Ok(WdlSources { counting_rule, index: Index::new(material, rules), own, smaller })
    }

    /// The counting rule.
    pub fn counting_rule(&self) -> &'static CountingRule {
        self.counting_rule
    }

    /// The index of the material.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Sections of the material.
    pub fn sections(&self) -> Sections<'_> {
        self.sections_of(&self.own)
    }

    fn sections_of<'a>(&self, tables: &'a MaterialTables) -> Sections<'a> {
        let source = TablePair { mate: &*tables.mate, counted: tables.counted.as_deref() };
        Sections::new(source, &variants::counted_by(self.counting_rule).rules, self.counting_rule)
    }

    /// By group: the categories after the mover captures one of its pieces. `None` if probes do not
    /// examine that capture.
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
        groups.iter().map(after).collect()
    }

    /// The captures in these king tiles. `None` if probes examine none.
    pub fn captures(
        &self,
        king_tiles: &KingTiles,
        mover: Side,
        after: &CaptureResults,
    ) -> Option<Captures> {
        let variant = variants::counted_by(self.counting_rule);
        let new = || Captures::new(&self.index, variant, king_tiles, mover, after.clone());
        after.iter().any(Option::is_some).then(new)
    }
}

/// By group: the categories after the capture of one of its pieces.
pub type CaptureResults = Vec<Option<Arc<FullBoardWdl>>>;
