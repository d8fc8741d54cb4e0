//! All data that the atlas shows about one material.

use crate::variants::AtlasVariants;
use sakmak_analysis::colours::{Division, apply, divisions};
use sakmak_analysis::published::{PublishedResult, published};
use sakmak_analysis::statistics::{FoldedStatistics, Statistics, StatisticsError, as_text};
use sakmak_analysis::zugzwang::Zugzwangs;
use sakmak_make::census::CensusError;
use sakmak_make::census::file::{StoredCensusError, if_available, stored_censuses};
use sakmak_make::store::{TableStore, TableStoreError};
use sakmak_probe::ProbeError;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use serde::Serialize;
use std::io;
use std::path::PathBuf;

/// All statistics of a material. Serialises as its JSON file in the atlas.
#[derive(Clone, Debug, Serialize)]
pub struct MaterialReport {
    /// The material; White is the stronger side.
    #[serde(serialize_with = "as_text")]
    pub material: Material,
    /// The statistics under the usual counting rule of each variant.
    pub countings: Vec<GameStatistics>,
    /// The mutual zugzwangs, without a count. `None` with a census file only.
    pub mutual_zugzwangs: Option<Zugzwangs>,
    /// White's wins by the square colours of its mets, with White to move. Empty if divisions do
    /// not apply, or with a census file only.
    pub colours: Vec<Division>,
    /// The positions with Black to move, images under a symmetry counted once; three men only.
    pub folded: Option<FoldedStatistics>,
}

/// The statistics of a material under one counting rule.
#[derive(Clone, Debug, Serialize)]
pub struct GameStatistics {
    /// The counting rule.
    #[serde(skip)]
    pub counting_rule: &'static CountingRule,
    /// The statistics, as printed by `sakmak stats --json`.
    #[serde(flatten)]
    pub statistics: Statistics,
}

impl MaterialReport {
    /// The published results of the material in variants with these rules.
    pub fn published(&self, rules: &Rules) -> Vec<PublishedResult> {
        self.countings.first().map_or_else(Vec::new, |counting| {
            published(rules, &counting.statistics, self.folded.as_ref(), &self.colours)
        })
    }

    /// Counts the tables of a material under the counting rules of some variants. If a table of
    /// counted distance is missing, the numbers of positions won in time are `None`.
    ///
    /// `progress` is called from all threads with the number of slots just done; the sum is about
    /// [`MaterialReport::slots`].
    ///
    /// # Errors
    ///
    /// If the table of distance to mate is missing, or a table is broken.
    pub fn of(
        store: &TableStore<'_>,
        material: Material,
        variants: &AtlasVariants,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<MaterialReport, ReportError> {
        let rules = variants.rules();
        let distance = TableName::of_distance(material, rules);
        let index = &Index::new(material, rules);
        let distances = stored_censuses(store, distance, rules, progress)?;
        let mut statistics = Vec::new();
        for counting_rule in variants.countings() {
            let name = TableName::deciding(material, Metric::Counted(counting_rule));
            let counted = match name == distance {
                true => None,
                false => if_available(stored_censuses(store, name, rules, progress))?,
            };
            let counted = counted.as_ref();
            statistics.push(GameStatistics {
                counting_rule,
                statistics: Statistics::of_censuses(
                    index,
                    material.into(),
                    &distances,
                    counted,
                    counting_rule,
                )?,
            });
        }
        let mut report = MaterialReport {
            material,
            countings: statistics,
            mutual_zugzwangs: None,
            colours: Vec::new(),
            folded: None,
        };
        let codes = match store.codes(distance) {
            // The statistics come from a census file.
            Err(TableStoreError::Missing { .. }) => return Ok(report),
            codes => codes?,
        };
        report.mutual_zugzwangs = Some(Zugzwangs::of(&*codes, variants.first(), progress)?);
        if apply(index, rules) {
            report.colours = divisions(&*codes, rules)?;
        }
        report.folded = FoldedStatistics::of(&*codes, rules)?;
        Ok(report)
    }

    /// The number of slots read for some variants if no table is missing.
    pub fn slots(material: Material, variants: &AtlasVariants) -> u64 {
        let decided = |counting_rule: &&CountingRule| {
            let armies = Side::BOTH.map(|side| material.army(side));
            counting_rule.is_decided_by_mate(armies)
        };
        let countings = variants.countings();
        let counted = countings.filter(|counting_rule| !decided(counting_rule)).count() as u64;
        let index = Index::new(material, variants.rules());
        Table::slots_of_sides(&index) * (1 + counted) + index.slots()
    }

    /// The statistics under a counting rule, or `None` if the atlas does not use the rule.
    pub fn counted_as(&self, counting_rule: &CountingRule) -> Option<&Statistics> {
        let mut countings = self.countings.iter();
        countings
            .find(|counting| counting.counting_rule == counting_rule)
            .map(|counting| &counting.statistics)
    }
}

/// Reasons why an atlas cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A table is missing or cannot be opened.
    #[error(transparent)]
    TableStore(#[from] TableStoreError),
    /// A table cannot be counted.
    #[error(transparent)]
    Census(#[from] CensusError),
    /// The censuses of a table cannot be obtained.
    #[error(transparent)]
    StoredCensus(#[from] StoredCensusError),
    /// The statistics contradict each other.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// A line of best play cannot be probed.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Data cannot be written as JSON.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// Data cannot be written as CSV.
    #[error("cannot write CSV: {0}")]
    Csv(#[from] csv::Error),
    /// A table cannot be read.
    #[error("cannot read the tables: {0}")]
    Io(#[from] io::Error),
    /// The directory of the atlas, or a file in it, cannot be written.
    #[error("cannot write {path}: {source}", path = path.display())]
    Write {
        /// The directory or file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}
