//! The tables that verdicts of a material are made from: its own, and those of what is left
//! when a piece is taken.

use crate::output::wdl::captures::Captures;
use crate::output::wdl::full_board::{FullBoard, FullBoardView};
use crate::output::wdl::section::{SectionError, Sections};
use crate::slots::codes::{TableCodes, TablePair};
use crate::store::{TableStore, TableStoreError};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::tiles::king_tile::KingTiles;
use sakmak_tables::variants;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Materials of so many men have captures looked at first. MaterialTables fewer the files are small
/// anyway, and so a look at a capture ends there; of more what is left has too many places.
const WITH_CAPTURES: usize = 5;

/// WdlSources of a material.
struct MaterialTables {
    mate: Arc<dyn TableCodes>,
    counted: Option<Arc<dyn TableCodes>>,
}

/// The tables of a material and of what is left after captures.
pub struct WdlSources {
    counting_rule: &'static CountingRule,
    index: Index,
    own: MaterialTables,
    smaller: BTreeMap<Material, MaterialTables>,
}

impl WdlSources {
    /// Brings the tables of a material.
    ///
    /// # Errors
    ///
    /// When one of them cannot be had.
    pub fn bring(
        store: &TableStore<'_>,
        material: Material,
        counting_rule: &'static CountingRule,
    ) -> Result<WdlSources, TableStoreError> {
        let rules = &variants::counted_by(counting_rule).rules;
        let of = |material: Material| -> Result<MaterialTables, TableStoreError> {
            let mate = TableName::to_mate(material);
            let deciding = TableName::answering(material, Metric::Counted(counting_rule));
            let counted = if deciding == mate { None } else { Some(store.codes(deciding)?) };
            Ok(MaterialTables { mate: store.codes(mate)?, counted })
        };
        let own = of(material)?;
        let mut smaller = BTreeMap::new();
        if material.men() == WITH_CAPTURES {
            for piece in material.pieces() {
                let after = material.after(Some(piece), None, rules);
                if let Some(OrientedMaterial { material, .. }) = after
                    && !smaller.contains_key(&material)
                {
                    smaller.insert(material, of(material)?);
                }
            }
        }
        Ok(WdlSources { counting_rule, index: Index::new(material, rules), own, smaller })
    }

    /// The way of counting.
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

    fn sections_of<'a>(&self, of: &'a MaterialTables) -> Sections<'a> {
        let source = TablePair { mate: &*of.mate, counted: of.counted.as_deref() };
        Sections::new(source, &variants::counted_by(self.counting_rule).rules, self.counting_rule)
    }

    /// By group: what is left when the mover takes one of its pieces. Nothing where captures are
    /// not looked at.
    ///
    /// # Errors
    ///
    /// When a table cannot be read.
    pub fn after(&self, mover: Side, swept: Side) -> Result<CaptureResults, SectionError> {
        let rules = &variants::counted_by(self.counting_rule).rules;
        let groups: Vec<Piece> = self.index.groups().iter().map(|group| group.piece).collect();
        let unfold = |&piece: &Piece| {
            if piece.side == mover {
                return Ok(None);
            }
            let after = self.index.material().after(Some(piece), None, rules);
            let Some(OrientedMaterial { material, flipped }) = after else { return Ok(None) };
            let Some(of) = self.smaller.get(&material) else { return Ok(None) };
            let mut men = self.index.pieces().to_vec();
            if let Some(place) = men.iter().position(|&other| other == piece) {
                men.remove(place);
            }
            let wanted = FullBoardView { men, swept, mover: !mover, flipped };
            Ok(Some(Arc::new(FullBoard::new(&self.sections_of(of), &wanted)?)))
        };
        groups.iter().map(unfold).collect()
    }

    /// The captures in these king tiles.
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

/// By group: what is left when one of its pieces is taken.
pub type CaptureResults = Vec<Option<Arc<FullBoard>>>;
