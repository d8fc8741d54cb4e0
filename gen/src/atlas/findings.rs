//! All that is counted of one material for the atlas.

use crate::analysis::census::Census;
use crate::analysis::colours::{Division, apply, divisions};
use crate::analysis::statistics::{Folded, Statistics};
use crate::analysis::zugzwang::Zugzwangs;
use crate::atlas::error::ReportError;
use crate::atlas::games::countings;
use crate::store::{TableStore, TableStoreError};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants;
use serde::{Serialize, Serializer};

/// What was counted of a material; serialises as the atlas' JSON of it.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// The material, White being the stronger side.
    #[serde(serialize_with = "as_text")]
    pub material: Material,
    /// Its statistics in each game.
    pub countings: Vec<Counting>,
    /// Its mutual zugzwangs, nothing counted; nothing where they were not looked for.
    pub mutual_zugzwangs: Option<Zugzwangs>,
    /// What White wins by the colours its mets go on, White to move; empty where that is no
    /// question.
    pub colours: Vec<Division>,
    /// Its positions with Black to move, turned images as one; of three men only.
    pub folded: Option<Folded>,
}

/// The statistics of a material as one game counts it.
#[derive(Clone, Debug, Serialize)]
pub struct Counting {
    /// The way of counting.
    #[serde(skip)]
    pub counting_rule: &'static CountingRule,
    /// The statistics, as `sakmak stats --json` prints them.
    #[serde(flatten)]
    pub statistics: Statistics,
}

fn as_text<S: Serializer>(material: &Material, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(material)
}

impl Findings {
    /// Counts the tables of a material. Where a table of counted distance is missing, what is
    /// in time is left open.
    ///
    /// `progress` is called from all threads with the number of slots just done; they come to
    /// about [`Findings::slots`].
    ///
    /// # Errors
    ///
    /// When the table of distance to mate cannot be had, or a table is broken.
    pub fn of(
        store: &TableStore<'_>,
        material: Material,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Findings, ReportError> {
        let to_mate = TableName::to_mate(material);
        let codes = store.codes(to_mate)?;
        let index = codes.index();
        let mut mate = None;
        let mut games = Vec::new();
        for counting_rule in countings() {
            let variant = variants::counted_by(counting_rule);
            // The games differ in their counting only, and their tables are the same.
            let mate = match &mate {
                Some(mate) => mate,
                None => mate.insert(Census::of(&*codes, &variant.rules, progress)?),
            };
            let name = TableName::answering(material, Metric::Counted(counting_rule));
            let counted = match name == to_mate {
                true => None,
                false => match store.codes(name) {
                    Err(TableStoreError::Missing { .. }) => None,
                    codes => Some(Census::of(&*codes?, &variant.rules, progress)?),
                },
            };
            let statistics = Statistics::of_censuses(index, mate, counted.as_ref(), counting_rule)?;
            games.push(Counting { counting_rule, statistics });
        }
        let variant = variants::all()[0];
        let mutual_zugzwangs = Zugzwangs::of(&*codes, variant, progress)?;
        let colours = match apply(index) {
            true => divisions(&*codes, &variant.rules)?,
            false => Vec::new(),
        };
        let folded = Folded::of(&*codes, &variant.rules)?;
        Ok(Findings { material, countings: games, mutual_zugzwangs, colours, folded })
    }

    /// Slots gone through where all tables are at hand.
    pub fn slots(material: Material) -> u64 {
        let decided = |counting_rule: &&CountingRule| {
            let armies = Side::BOTH.map(|side| material.army(side));
            counting_rule.is_decided_by_mate(armies)
        };
        let counted = countings().filter(|counting_rule| !decided(counting_rule)).count() as u64;
        let index = Index::new(material, &variants::all()[0].rules);
        Table::slots_of_sides(&index) * (1 + counted) + index.slots()
    }

    /// The material's statistics as a game counts it.
    pub fn counted_as(&self, counting_rule: &CountingRule) -> Option<&Statistics> {
        let mut countings = self.countings.iter();
        countings
            .find(|counting| counting.counting_rule == counting_rule)
            .map(|counting| &counting.statistics)
    }
}
