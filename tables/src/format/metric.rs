//! What the numbers of a table file measure.

use crate::material::Material;
use std::fmt;

/// What the numbers of a table file measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Metric {
    /// Distance to mate in the attacker's moves, best play on both sides, no counting.
    DistanceToMate,
}

/// The end of every table file's name.
pub const EXTENSION: &str = "smt";

impl Metric {
    /// All metrics.
    pub const ALL: [Metric; 1] = [Metric::DistanceToMate];

    /// The word in file names.
    pub const fn word(self) -> &'static str {
        match self {
            Metric::DistanceToMate => "dtm",
        }
    }

    /// The number in the header.
    pub const fn number(self) -> u32 {
        match self {
            Metric::DistanceToMate => 1,
        }
    }

    /// The metric with this number.
    pub fn from_number(number: u32) -> Option<Metric> {
        Metric::ALL.into_iter().find(|metric| metric.number() == number)
    }

    /// The name of the file of one material, `KRNvKM.dtm.smt`.
    pub fn file_name(self, material: Material) -> String {
        format!("{material}.{}.{EXTENSION}", self.word())
    }

    /// The material and metric a file name stands for, if it is a table file's.
    pub fn of_file_name(name: &str) -> Option<(Material, Metric)> {
        let (stem, word) = name.strip_suffix(EXTENSION)?.strip_suffix('.')?.rsplit_once('.')?;
        let metric = Metric::ALL.into_iter().find(|metric| metric.word() == word)?;
        let material: Material = stem.parse().ok()?;
        (metric.file_name(material) == name).then_some((material, metric))
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_come_back_and_others_are_none() {
        let material: Material = "KRNvKM".parse().unwrap();
        let name = Metric::DistanceToMate.file_name(material);
        assert_eq!(name, "KRNvKM.dtm.smt");
        assert_eq!(Metric::of_file_name(&name), Some((material, Metric::DistanceToMate)));
        for name in ["KMvKRN.dtm.smt", "KRvK.smt", "KRvK.dtm", "KRvK.dtz.smt", ".smt", "", "smt"] {
            assert_eq!(Metric::of_file_name(name), None, "{name}");
        }
    }
}
