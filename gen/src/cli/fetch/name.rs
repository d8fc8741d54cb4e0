//! Names that files of a set may have.

use sakmak_boards::list::{GameName, Visitor};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_make::census::file::of_census_file_name;
use sakmak_probe::file::board_game::{file_name, material_of};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::rules::Rules;
use sakmak_tables::variants;

/// A limit above the length of all paths of table files, in bytes.
const LONGEST: usize = 100;

/// Texts that a publisher may add to a set.
const TEXTS: [&str; 6] =
    ["README.md", "README.txt", "LICENSE", "LICENSE.txt", "LICENSE-MIT", "LICENSE-APACHE"];

/// Returns whether a path is the path of a text.
pub(super) fn is_text(path: &str) -> bool {
    TEXTS.contains(&path)
}

/// Returns whether a path is a text or a file that this program writes into a directory of tables,
/// in the spelling that this program writes.
pub(super) fn is_known(path: &str) -> bool {
    let (folder, name) = match path.split_once('/') {
        Some((folder, name)) => (Some(folder), name),
        None => (None, path),
    };
    let is_table = || {
        let rules = variants::all().map(|variant| &variant.rules);
        let mut rules = rules.filter(|rules| rules.folder == folder);
        rules.any(|rules| metric(name, rules).is_some_and(|metric| metric.is_of(rules)))
    };
    let game = || folder.and_then(GameName::of_folder);
    let is_board_table = || game().is_some_and(|game| game.visit(BoardTableName(name)));
    path.len() <= LONGEST && (is_text(path) || is_table() || is_board_table())
}

/// Returns the metric of a table file, or of a census file, with this name under these rules.
fn metric(name: &str, rules: &Rules) -> Option<Metric> {
    let solved = || TableName::of_file_name(name, rules);
    let packed = || TableName::of_packed_file_name(name, rules);
    let table = solved().or_else(packed).or_else(|| of_census_file_name(name, rules));
    let wdl = || WdlName::of_file_name(name).map(|wdl| Metric::Counted(wdl.counting_rule));
    table.map(|table| table.metric).or_else(wdl)
}

/// A name that may be the file name of a table of a board game.
struct BoardTableName<'a>(&'a str);

impl Visitor for BoardTableName<'_> {
    type Output = bool;

    fn visit<G: Notation + SolvableGame>(self, game: &'static G) -> bool {
        let material = material_of(self.0).and_then(|name| game.material_of_name(name).ok());
        material.is_some_and(|material| file_name(material) == self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_tables_are_known() {
        for path in [
            "KRvK.dtm.smp",
            "KRvKN.makruk.smp",
            "KRvKN.makruk-mate.smt",
            "KRvK.check.smt",
            "KRvK.ouk.smv",
            "KSSMMvK.dtm.census.json",
            "asean/KPvK.dtm.smp",
            "shatranj/KRvK.dtm.smt",
            "janggi/KRHvKAA.smg",
            "janggi-casual/KvK.smg",
            "README.md",
            "LICENSE-MIT",
        ] {
            assert!(is_known(path), "{path}");
        }
    }

    #[test]
    fn nothing_else_is_known() {
        let long = format!("K{}vK.dtm.smp", "R".repeat(1 << 20));
        let deep = format!("{}KRvK.dtm.smp", "asean/".repeat(1500));
        for path in [
            "",
            ".",
            "..",
            "../KRvK.dtm.smp",
            "./KRvK.dtm.smp",
            "/KRvK.dtm.smp",
            "//KRvK.dtm.smp",
            "/etc/KRvK.dtm.smp",
            "c:KRvK.dtm.smp",
            "c:\\KRvK.dtm.smp",
            "asean\\KPvK.dtm.smp",
            "asean//KPvK.dtm.smp",
            "asean/./KPvK.dtm.smp",
            "asean/../KPvK.dtm.smp",
            "asean/",
            "asean",
            "a/KRvK.dtm.smp",
            "makruk/KRvK.dtm.smp",
            ".scratch/KRvK.dtm.smt",
            ".scratch/KRvK.dtm.layers",
            ".bashrc",
            ".KRvK.dtm.smp.abcdef.tmp",
            "verified.txt",
            "set.json",
            "SHA256SUMS",
            "NUL",
            "nul.smp",
            "KRvK.dtm.smp.",
            "KRvK.dtm.smp ",
            "KRvK.dtm.smp.part",
            "KRvK.dtm.smp\0",
            "KRvK.dtm.smp\n",
            "\u{202e}KRvK.dtm.smp",
            // Spellings that this program does not write.
            "krvk.dtm.smp",
            "KvKR.dtm.smp",
            "KRvK.DTM.smp",
            "KRvK.Makruk.smv",
            "KRvK.smp",
            "KRvK.dtm",
            "KRvK.dtm.census",
            "KPvK.asean.smp",
            "asean/KPvK.makruk.smp",
            "asean/KPvK.check.smp",
            "KRvK.smg",
            "Janggi/KRvK.smg",
            "janggi/KRvK",
            "janggi/KvKR.smg",
            "janggi/KRvK.smt",
            "janggi/../KRvK.smg",
            "janggi/README.md",
            "readme.md",
            &long,
            &deep,
        ] {
            assert!(!is_known(path), "{path:.99}");
        }
    }
}
