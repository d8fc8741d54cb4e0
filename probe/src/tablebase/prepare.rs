//! Opens and checks files ahead, so that no probe of a search waits for that.

use crate::error::ProbeError;
use crate::file::open_file::FileError;
use crate::file::packed::PackedFile;
use crate::file::solved::SolvedFile;
use crate::file::wdl::WdlFile;
use crate::source::FoundFile;
use crate::tablebase::listing::{ListedTable, TableFile};
use crate::tablebase::{Tablebase, first_refused};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::FormatKind;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;

/// Preparation.
impl Tablebase {
    /// Opens the files of all tables of at most `most_men` men, kings included, that may answer
    /// under this counting rule, and reads and checks all bytes of WDL files. Otherwise a file is
    /// opened, and a row of a WDL file read and checked, when it is first needed. Returns the
    /// number of tables.
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
    /// If a directory cannot be read, a broken file has no replacement, or a row of a WDL file is
    /// damaged. All other files are opened all the same, and [`Tablebase::refused_files`] has every
    /// file that was broken when it was opened.
    pub fn prepare(
        &self,
        counting_rule: &'static CountingRule,
        most_men: usize,
    ) -> Result<usize, ProbeError> {
        let variant = variants::counted_by(counting_rule);
        let is_wanted = |file: &TableFile| {
            file.table.material.men() <= most_men && file.may_answer(counting_rule)
        };
        let (mut opened, mut failure) = (0, None);
        for (table, files) in self.files_by_table(&variant.rules, is_wanted)? {
            let wdl = self.open_listed(variant, table, &files);
            match wdl.and_then(|wdl| Ok(wdl.map_or(Ok(()), WdlFile::verify)?)) {
                Ok(()) => opened += 1,
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure.map_or(Ok(opened), Err)
    }

    /// Opens the first sound file of the listed files of a table, unless one is open. Without a
    /// sound file, all are noted as refused. Returns the file if it is a WDL file.
    pub(crate) fn open_listed(
        &self,
        variant: &'static Variant,
        (table, is_wdl): ListedTable,
        files: &[TableFile],
    ) -> Result<Option<&WdlFile>, ProbeError> {
        let wdl = table.metric.counting_rule().filter(|_| is_wdl).zip(table.material.id());
        let opened = match wdl {
            None => self.table(table, variant).map(|_| None),
            Some((counting_rule, material)) => {
                match self.open_wdl(variant, counting_rule, material)? {
                    Ok(Some(file)) => Ok(Some(file)),
                    // Refused by a probe that tables answered, or a broken link.
                    Ok(None) => Err(files
                        .iter()
                        .find_map(|file| self.error_of(variant, file))
                        .map_or_else(|| self.missing(table), Into::into)),
                    Err(refused) => first_refused(refused).map(|()| None).map_err(Into::into),
                }
            }
        };
        if let Err(ProbeError::File(_)) = opened {
            let errors = files.iter().filter_map(|file| self.error_of(variant, file));
            self.refused_files.note(errors.collect());
        }
        opened
    }

    /// The error because of which a file is refused.
    fn error_of(&self, variant: &'static Variant, file: &TableFile) -> Option<FileError> {
        let TableFile { path, kind, table } = file;
        match kind {
            FormatKind::Solved => SolvedFile::open(path, self.access, *table, &variant.rules).err(),
            FormatKind::Packed => PackedFile::open(path, self.access, *table, variant).err(),
            // No table file has this kind.
            FormatKind::BoardGame => None,
            FormatKind::Wdl => {
                let (file, material) = (FoundFile::Path(path.clone()), table.material);
                let name = WdlName { material, counting_rule: table.metric.counting_rule()? };
                self.wdl_files.open_file(file, self.access, name, variant).err()
            }
        }
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
    use sakmak_tables::counting::Category;
    use sakmak_tables::position::Position;
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

    #[test]
    fn every_refused_file_is_named_and_none_counts() {
        let [first, second] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let mut tables = Tablebase::open(first.path()).unwrap();
        tables.add_directory(second.path()).unwrap();
        let mut broken = Vec::new();
        for name in ["KNvK.dtm.smp", "KNvK.dtm.smt", "KRvK.makruk.smv", "KRvKN.makruk.smt"] {
            for directory in [&first, &second] {
                let path = directory.path().join(name);
                fs::write(&path, "broken").unwrap();
                broken.push(path);
            }
        }
        broken.sort();
        let makruk = MAKRUK.counting();
        let refused = || {
            let mut paths: Vec<_> =
                tables.refused_files().iter().map(|error| error.path.clone()).collect();
            paths.sort();
            paths
        };
        for largest in [Tablebase::largest, Tablebase::largest_wdl, Tablebase::largest_root] {
            assert_eq!(largest(&tables, makruk).unwrap(), 0);
        }
        assert_eq!(refused(), broken);
        let error = tables.prepare(makruk, 8).unwrap_err();
        assert!(matches!(error, ProbeError::File(_)), "{error}");
        assert_eq!(refused(), broken);
        // Beside a sound file.
        let sound = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables/KRvK.dtm.smt");
        fs::copy(sound, first.path().join("KRvK.dtm.smt")).unwrap();
        assert_eq!(tables.largest(makruk).unwrap(), 3);
        // Also once tables have answered instead.
        for _ in 0..2 {
            assert_eq!(tables.largest_wdl(makruk).unwrap(), 0);
            assert!(matches!(tables.prepare(makruk, 3), Err(ProbeError::File(_))));
            let rook = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w").unwrap();
            assert_eq!(tables.wdl(&rook).unwrap(), Category::Win);
        }
        assert_eq!(tables.largest_root(makruk).unwrap(), 3);
    }
}
