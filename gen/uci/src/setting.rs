//! The options of the engine: their list, and `setoption`.

use sakmak_tables::counting::CountingRule;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::position::Position;
use sakmak_tables::variants::{self, CountingRuleError};
use std::path::PathBuf;
use std::time::Duration;

/// The default size of the transposition table in MiB.
pub const DEFAULT_HASH: usize = 16;
/// The largest size of the transposition table in MiB.
const MOST_HASH: usize = 65_536;
/// The maximum number of lines.
const MOST_LINES: usize = 256;
/// The default time reserved per move for communication with the graphical interface.
pub const DEFAULT_OVERHEAD: Duration = Duration::from_millis(20);
/// The maximum time reserved per move, in milliseconds.
const MOST_OVERHEAD: usize = 5_000;
/// The value that means no directory.
const EMPTY: &str = "<empty>";
/// The names of Ouk and Kar Ouk in graphical interfaces.
const PROTOCOL_NAMES: [&str; 2] = ["cambodian", "karouk"];

/// A new value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineSetting {
    /// `UCI_Variant`: the variant and its counting rule.
    Variant(&'static CountingRule),
    /// `SakmakPath`: the directories of the tables.
    Path(Vec<PathBuf>),
    /// `Hash`: MiB of memory for transpositions.
    Hash(usize),
    /// `MultiPV`: the number of best moves to report.
    Lines(usize),
    /// `Clear Hash`: forgets earlier searches.
    ClearHash,
    /// `Move Overhead`: time reserved per move for communication with the graphical interface.
    Overhead(Duration),
    /// An option without effect: `Threads` is 1, `Ponder` is for the graphical interface, and an
    /// analysis is searched like a game.
    Nothing,
}

/// A `setoption` that is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettingError {
    /// An unknown name.
    #[error("'{0}' is not an option of this engine: 'uci' lists the options")]
    Name(Excerpt),
    /// A value that is not a number, or out of range.
    #[error("option {name}: '{value}' is not a number from {least} to {most}")]
    Number {
        /// The option.
        name: &'static str,
        /// The value as written.
        value: Excerpt,
        /// The least value.
        least: usize,
        /// The greatest value.
        most: usize,
    },
    /// A variant that does not exist.
    #[error("option UCI_Variant: {0}, or {names}", names = PROTOCOL_NAMES.join(", "))]
    Variant(#[from] CountingRuleError),
}

impl EngineSetting {
    /// Reads the name and the value of an option.
    ///
    /// # Errors
    ///
    /// If the option does not exist, or cannot have this value.
    pub fn read(name: &str, value: &str) -> Result<EngineSetting, SettingError> {
        let number = |name: &'static str, least: usize, most: usize| {
            let read = value.parse().ok().filter(|number| (least..=most).contains(number));
            let value = Excerpt::of(value);
            read.ok_or(SettingError::Number { name, value, least, most })
        };
        Ok(match name.to_ascii_lowercase().as_str() {
            "uci_variant" => EngineSetting::Variant(variants::any_counting_rule(value)?),
            "sakmakpath" if value == EMPTY => EngineSetting::Path(Vec::new()),
            "sakmakpath" => {
                let paths = std::env::split_paths(value);
                EngineSetting::Path(paths.filter(|path| !path.as_os_str().is_empty()).collect())
            }
            "hash" => EngineSetting::Hash(number("Hash", 1, MOST_HASH)?),
            "multipv" => EngineSetting::Lines(number("MultiPV", 1, MOST_LINES)?),
            "threads" => number("Threads", 1, 1).map(|_| EngineSetting::Nothing)?,
            "clear hash" => EngineSetting::ClearHash,
            "move overhead" => {
                let milliseconds = number("Move Overhead", 0, MOST_OVERHEAD)?;
                EngineSetting::Overhead(Duration::from_millis(milliseconds as u64))
            }
            "ponder" | "uci_analysemode" => EngineSetting::Nothing,
            _ => return Err(SettingError::Name(Excerpt::of(name))),
        })
    }
}

/// The answer to `uci`, with the directories of the tables.
pub fn engine_card(paths: &[PathBuf]) -> String {
    // Other variants cannot start a game: their pieces are dropped.
    let rules = variants::counting_rules();
    let rules = rules.filter(|rule| Position::from_fen_counted(rule, "startpos").is_ok());
    let rules = rules.map(|rule| rule.name);
    let names: String = rules.chain(PROTOCOL_NAMES).map(|name| format!(" var {name}")).collect();
    let path = std::env::join_paths(paths).unwrap_or_default();
    let path = if path.is_empty() { EMPTY.into() } else { path.display().to_string() };
    format!(
        "id name Sakmak {version}
id author the Sakmak authors
option name UCI_Variant type combo default makruk{names}
option name SakmakPath type string default {path}
option name Hash type spin default {DEFAULT_HASH} min 1 max {MOST_HASH}
option name Threads type spin default 1 min 1 max 1
option name MultiPV type spin default 1 min 1 max {MOST_LINES}
option name Ponder type check default false
option name UCI_AnalyseMode type check default false
option name Clear Hash type button
option name Move Overhead type spin default {overhead} min 0 max {MOST_OVERHEAD}
uciok",
        version = env!("CARGO_PKG_VERSION"),
        overhead = DEFAULT_OVERHEAD.as_millis(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::{KAR_OUK, MAKRUK, OUK};

    #[test]
    fn every_listed_variant_is_read() {
        let card = engine_card(&[]);
        let line = card.lines().find(|line| line.contains("UCI_Variant")).unwrap();
        let names: Vec<&str> = line.split(" var ").skip(1).collect();
        assert!(names.len() > 4, "{line}");
        for name in names {
            assert!(EngineSetting::read("UCI_Variant", name).is_ok(), "{name}");
        }
        let read = |name| EngineSetting::read("uci_variant", name);
        assert_eq!(read("makruk"), Ok(EngineSetting::Variant(MAKRUK.counting())));
        assert_eq!(read("cambodian"), Ok(EngineSetting::Variant(OUK.counting())));
        assert_eq!(read("karouk"), Ok(EngineSetting::Variant(KAR_OUK.counting())));
        assert!(read("xiangqi").is_err());
    }

    #[test]
    fn numbers_have_a_range() {
        assert_eq!(EngineSetting::read("hash", "1"), Ok(EngineSetting::Hash(1)));
        assert_eq!(EngineSetting::read("Threads", "1"), Ok(EngineSetting::Nothing));
        for (name, value) in
            [("Hash", "0"), ("Hash", ""), ("Threads", "2"), ("MultiPV", "-1"), ("MultiPV", "1e3")]
        {
            let refused = EngineSetting::read(name, value);
            assert!(matches!(refused, Err(SettingError::Number { .. })), "{name} {value}");
        }
        assert!(matches!(EngineSetting::read("Contempt", "1"), Err(SettingError::Name(_))));
        let overhead = EngineSetting::Overhead(Duration::from_millis(100));
        assert_eq!(EngineSetting::read("Move Overhead", "100"), Ok(overhead));
        assert_eq!(EngineSetting::read("clear hash", ""), Ok(EngineSetting::ClearHash));
        for value in ["-1", "5001", "x"] {
            assert!(EngineSetting::read("Move Overhead", value).is_err(), "{value}");
        }
    }

    #[test]
    fn several_directories_are_read() {
        let path = |value: &str| EngineSetting::read("SakmakPath", value);
        let both = std::env::join_paths(["one", "two"]).unwrap();
        let expected = EngineSetting::Path(vec!["one".into(), "two".into()]);
        assert_eq!(path(both.to_str().unwrap()), Ok(expected));
        assert_eq!(path(EMPTY), Ok(EngineSetting::Path(vec![])));
        assert_eq!(path(""), Ok(EngineSetting::Path(vec![])));
    }
}
