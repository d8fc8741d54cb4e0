//! Names of tables: a material and a metric.

use crate::format::FormatKind;
use crate::format::metric::Metric;
use crate::material::{Material, MaterialError, OrientedMaterial};
use crate::rules::Rules;
use crate::rules::piece::{PieceKind, PieceLetters};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// The name of a table: a material and a metric.
///
/// The text is the material, `KRNvKM`, for distance to mate, `KRNvKM.check` for distance to check,
/// `KRNvKM.makruk` for counted distance, and `KRNvKM.makruk-mate` for distance to mate in time.
/// Names are ordered by material, then by the number of the metric.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct TableName {
    /// The material.
    pub material: Material,
    /// The quantity that its values measure.
    pub metric: Metric,
}

/// A text that does not name a table.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableNameError {
    /// The part before the dot is not a material.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The part after the dot is not a counting rule.
    #[error(transparent)]
    CountingRule(#[from] crate::variants::CountingRuleError),
}

crate::readable_error!(TableNameError);

impl TableName {
    /// The table of distances to mate of a material.
    pub const fn to_mate(material: Material) -> TableName {
        TableName { material, metric: Metric::DistanceToMate }
    }

    /// The table of the [distances](Metric::distance) of these rules.
    pub const fn of_distance(material: Material, rules: &Rules) -> TableName {
        let material = material.written_in(rules.material_letters);
        TableName { material, metric: Metric::distance(rules) }
    }

    /// The table that answers for a material under a metric, see [`Metric::of`].
    pub fn deciding(material: Material, metric: Metric) -> TableName {
        TableName { material, metric: metric.of(material) }
    }

    /// The name of its solved file, `KRNvKM.dtm.smt`.
    pub fn file_name(self) -> String {
        self.file_name_of(FormatKind::Solved)
    }

    /// The name of its packed file, `KRNvKM.dtm.smp`.
    pub fn packed_file_name(self) -> String {
        self.file_name_of(FormatKind::Packed)
    }

    fn file_name_of(self, kind: FormatKind) -> String {
        format!("{}.{}", self.file_stem(), kind.extension())
    }

    /// The name of its files without their extensions, `KRNvKM.dtm`.
    pub fn file_stem(self) -> String {
        format!("{}.{}", self.material, self.metric)
    }

    /// The table of a solved file's name under these rules. `None` if the name is not the name of a
    /// solved file.
    pub fn of_file_name(name: &str, rules: &Rules) -> Option<TableName> {
        TableName::of_file_name_of(FormatKind::Solved, name, rules)
    }

    /// The table of a packed file's name under these rules. `None` if the name is not the name of a
    /// packed file.
    pub fn of_packed_file_name(name: &str, rules: &Rules) -> Option<TableName> {
        TableName::of_file_name_of(FormatKind::Packed, name, rules)
    }

    fn of_file_name_of(kind: FormatKind, name: &str, rules: &Rules) -> Option<TableName> {
        TableName::of_file_stem(name.strip_suffix(kind.extension())?.strip_suffix('.')?, rules)
    }

    /// The table of a file's name without its extension. `None` if no table's files have that name.
    pub fn of_file_stem(stem: &str, rules: &Rules) -> Option<TableName> {
        let (material, word) = stem.rsplit_once('.')?;
        let metric = Metric::from_word(word)?;
        let material = OrientedMaterial::read(material, rules.material_letters).ok()?.material;
        let table = TableName { material, metric };
        (table.file_stem() == stem).then_some(table)
    }

    /// The tables that this table depends on by one capture or promotion, in order.
    pub fn successors(self, rules: &Rules) -> Vec<TableName> {
        let successors = self.material.successors(rules).into_iter();
        successors.map(|material| TableName::deciding(material, self.metric)).collect()
    }

    /// These tables and all their dependencies. Every table comes after its dependencies.
    pub fn closure(names: impl IntoIterator<Item = TableName>, rules: &Rules) -> Vec<TableName> {
        let written = |name: TableName| name.written_in(rules.material_letters);
        let mut open: Vec<TableName> = names.into_iter().map(written).collect();
        let mut found = BTreeSet::new();
        while let Some(name) = open.pop() {
            if name.material != Material::BARE_KINGS && found.insert(name) {
                open.extend(name.successors(rules));
            }
        }
        let materials = Material::closure(found.iter().map(|name| name.material), rules);
        let of = |material: Material| found.iter().filter(move |name| name.material == material);
        materials.into_iter().flat_map(of).copied().collect()
    }
}

impl PartialOrd for TableName {
    fn partial_cmp(&self, other: &TableName) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TableName {
    fn cmp(&self, other: &TableName) -> Ordering {
        let key = |name: &TableName| (name.material, name.metric.number());
        key(self).cmp(&key(other))
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `pad` once, so that a width applies to the whole text.
        match self.metric {
            Metric::DistanceToMate => f.pad(&self.material.to_string()),
            metric => f.pad(&format!("{}.{metric}", self.material)),
        }
    }
}

impl FromStr for TableName {
    type Err = TableNameError;

    fn from_str(text: &str) -> Result<TableName, TableNameError> {
        TableName::read(text, &PieceKind::LETTERS)
    }
}

impl TableName {
    /// Returns the table with `letters` for the pieces of its material when it is printed.
    #[must_use]
    pub const fn written_in(self, letters: &'static PieceLetters) -> TableName {
        TableName { material: self.material.written_in(letters), ..self }
    }

    /// Parses the name of a table whose material is written in these letters.
    ///
    /// # Errors
    ///
    /// If the text is not the name of a table.
    pub fn read(text: &str, letters: &'static PieceLetters) -> Result<TableName, TableNameError> {
        let material = |text| OrientedMaterial::read(text, letters).map(|read| read.material);
        let Some((pieces, word)) = text.split_once('.') else {
            return Ok(TableName::to_mate(material(text)?));
        };
        let metric = Metric::from_word(word).filter(|&metric| metric != Metric::DistanceToMate);
        let metric = match metric {
            Some(metric) => metric,
            None => Metric::Counted(crate::variants::counting_rule(word)?),
        };
        Ok(TableName { material: material(pieces)?, metric })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::MAKRUK;

    #[test]
    fn file_names_come_back_and_others_are_refused() {
        let material: Material = "KRNvKM".parse().unwrap();
        assert_eq!(TableName::to_mate(material).file_name(), "KRNvKM.dtm.smt");
        for metric in Metric::all() {
            let name = TableName { material, metric };
            assert_eq!(TableName::of_file_name(&name.file_name(), &MAKRUK.rules), Some(name));
            assert_eq!(
                TableName::of_packed_file_name(&name.packed_file_name(), &MAKRUK.rules),
                Some(name)
            );
            assert_eq!(TableName::of_packed_file_name(&name.file_name(), &MAKRUK.rules), None);
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        for name in ["KMvKRN.dtm.smt", "KRvK.smt", "KRvK.dtm", "KRvK.dtz.smt", ".smt", "", "smt"] {
            assert_eq!(TableName::of_file_name(name, &MAKRUK.rules), None, "{name}");
        }
    }

    #[test]
    fn counted_tables_lead_to_tables_that_answer() {
        let name: TableName = "KRPvK.makruk".parse().unwrap();
        let names: Vec<String> =
            TableName::closure([name], &MAKRUK.rules).iter().map(TableName::to_string).collect();
        assert_eq!(names, ["KRvK", "KMvK", "KPvK.makruk", "KRMvK", "KRPvK.makruk"]);
    }
}
