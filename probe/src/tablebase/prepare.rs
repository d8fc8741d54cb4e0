//! Files opened and checked ahead, so that no probe of a search waits for that.

use crate::error::ProbeError;
use crate::tablebase::listing::TableFile;
use crate::tablebase::{Tablebase, first_refused};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::FormatKind;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::variants;

/// Preparation.
impl Tablebase {
    /// Opens the files of all tables of at most `most_men` men, kings included, that may answer under
    /// this counting rule, and reads and checks all bytes of WDL files. Each is otherwise opened when it
    /// is first needed, and a row of a WDL file is read and checked then. Returns the number of
    /// tables.
    ///
    /// ```
    /// use sakmak_probe::{MAKRUK, Tablebase};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// assert_eq!(tables.prepare(MAKRUK.counting(), 4)?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a directory cannot be read, a file is broken when it is opened and there is no other in its
    /// place, or a row of a WDL file is damaged. All other files are opened all the same.
    pub fn prepare(
        &self,
        counting_rule: &'static CountingRule,
        most_men: usize,
    ) -> Result<usize, ProbeError> {
        let variant = variants::counted_by(counting_rule);
        let files = self.table_files_of(&variant.rules)?;
        let is_wanted = |file: &&TableFile| {
            file.table.material.men() <= most_men && file.may_answer(counting_rule)
        };
        let mut tables: Vec<_> = files
            .iter()
            .filter(is_wanted)
            .map(|file| (file.table, file.kind == FormatKind::Wdl))
            .collect();
        tables.sort();
        tables.dedup();
        let (mut opened, mut failure) = (0, None);
        for (table, is_wdl) in tables {
            let prepared = match (is_wdl, table.material.id()) {
                (true, Some(material)) => {
                    let file = self.open_wdl(variant, counting_rule, material)?;
                    match file {
                        Ok(file) => file.map_or(Ok(()), |file| Ok(file.verify()?)),
                        Err(refused) => Ok(first_refused(refused)?),
                    }
                }
                // More men than tables have: no probe reads it.
                (_, None) => continue,
                (false, _) => self.table(table, variant).map(drop),
            };
            match prepared {
                Ok(()) => opened += 1,
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure.map_or(Ok(opened), Err)
    }
}

impl TableFile {
    /// Whether a probe under this counting rule may read the file.
    pub(crate) fn may_answer(&self, counting_rule: &CountingRule) -> bool {
        match self.table.metric {
            Metric::Counted(rule) | Metric::MateInTime(rule) => rule == counting_rule,
            distance => distance.is_of(&variants::counted_by(counting_rule).rules),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::open_file::FileError;
    use sakmak_tables::variants::{MAKRUK, OUK};
    use std::fs;

    #[test]
    fn a_broken_file_is_named_and_the_others_are_opened() {
        let sound = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
        let directory = tempfile::tempdir().unwrap();
        let copied = directory.path().join("KRvK.dtm.smt");
        fs::copy(format!("{sound}/KRvK.dtm.smt"), copied).unwrap();
        let mut tables = Tablebase::open(directory.path()).unwrap();
        for rule in [MAKRUK.counting(), OUK.counting()] {
            assert_eq!(tables.prepare(rule, 2).unwrap(), 0);
            assert_eq!(tables.prepare(rule, 3).unwrap(), 1);
        }
        for broken in ["KNvK.dtm.smt", "KRvK.makruk.smv"] {
            let path = directory.path().join(broken);
            fs::write(&path, "broken").unwrap();
            let error = tables.prepare(MAKRUK.counting(), 3).unwrap_err();
            let ProbeError::File(FileError { path: named, .. }) = &error else { panic!("{error}") };
            assert_eq!(*named, path);
            fs::remove_file(path).unwrap();
            tables.add_directory(sound).unwrap();
        }
    }
}
