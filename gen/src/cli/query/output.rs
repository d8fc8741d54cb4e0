//! Matches and their numbers as lines of text, JSON or CSV.

use crate::cli::capitalised;
use clap::Args;
use sakmak_analysis::query::{MatchCount, Query, QueryMatch};
use sakmak_analysis::statistics::as_text;
use sakmak_tables::distance::Value;
use sakmak_tables::material::OrientedMaterial;
use sakmak_tables::variant::Variant;
use serde::Serialize;
use std::fmt::{Display, Write as _};

/// The options that select a format.
#[derive(Args)]
pub struct FormatArguments {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// The format of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// Fields separated by tabs, with a header line.
    Text,
    /// One JSON object per line.
    Json,
    /// Fields separated by commas, with a header line.
    Csv,
}

impl FormatArguments {
    /// Returns the requested format.
    pub fn format(&self) -> OutputFormat {
        match (self.json, self.csv) {
            (true, _) => OutputFormat::Json,
            (_, true) => OutputFormat::Csv,
            _ => OutputFormat::Text,
        }
    }
}

impl OutputFormat {
    /// Returns the header line of a list of records, if the format has a header.
    pub fn head<R: OutputRecord>(self) -> String {
        self.separator().map_or_else(String::new, |between| R::COLUMNS.join(between) + "\n")
    }

    /// Returns the separator of cells, if the format has cells.
    fn separator(self) -> Option<&'static str> {
        match self {
            OutputFormat::Text => Some("\t"),
            OutputFormat::Csv => Some(","),
            OutputFormat::Json => None,
        }
    }
}

/// A line of a list.
pub trait OutputRecord: Serialize + Sync {
    /// Names of the columns, which are the fields of JSON too.
    const COLUMNS: &[&str];

    /// Returns the cells; `None` is an empty cell.
    fn cells(&self) -> Vec<Option<String>>;

    /// Returns the line in a format.
    fn line(&self, format: OutputFormat) -> Result<String, serde_json::Error> {
        let Some(between) = format.separator() else {
            return Ok(serde_json::to_string(self)? + "\n");
        };
        let none = if format == OutputFormat::Text { "-" } else { "" };
        let cells = self.cells().into_iter().map(|cell| cell.unwrap_or_else(|| none.to_string()));
        Ok(cells.collect::<Vec<_>>().join(between) + "\n")
    }
}

/// Record of one match.
#[derive(Serialize)]
pub struct MatchRecord {
    fen: String,
    /// The mover's result with no count.
    result: &'static str,
    /// The attacker's moves to mate.
    dtm: Option<u32>,
    /// The mover's category under the count.
    category: Option<&'static str>,
    /// The attacker's moves needed of the count.
    counted: Option<u32>,
    #[serde(serialize_with = "as_text")]
    material: OrientedMaterial,
}

impl MatchRecord {
    /// Returns the record of a match of this query.
    pub fn new(
        query: &Query<'_>,
        variant: &'static Variant,
        found: &QueryMatch,
    ) -> Option<MatchRecord> {
        let moves = |value: Value| value.moves().map(|moves| moves.0);
        Some(MatchRecord {
            fen: found.position(query.index(), variant)?.fen(),
            result: found.mate.wdl().name(),
            dtm: moves(found.mate),
            category: query.category(found).map(|category| category.name()),
            counted: found.counted.and_then(moves),
            material: query.material(),
        })
    }

    /// Returns the attacker's moves to mate.
    pub fn moves(&self) -> Option<u32> {
        self.dtm
    }
}

impl OutputRecord for MatchRecord {
    const COLUMNS: &[&str] = &["fen", "result", "dtm", "category", "counted", "material"];

    fn cells(&self) -> Vec<Option<String>> {
        let number = |number: Option<u32>| number.map(|number| number.to_string());
        vec![
            Some(self.fen.clone()),
            Some(self.result.to_string()),
            number(self.dtm),
            self.category.map(str::to_string),
            number(self.counted),
            Some(self.material.to_string()),
        ]
    }
}

/// The counting rule or variant of a number of matches.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CountedBy {
    /// A counting rule.
    Counting(&'static str),
    /// A variant without counting rules.
    Variant(String),
}

impl CountedBy {
    /// Returns the name of the column, the kind in words, and the value.
    fn names(&self) -> (&'static str, &'static str, &str) {
        match self {
            CountedBy::Counting(name) => ("counting", "counting rule", name),
            CountedBy::Variant(name) => ("variant", "variant", name),
        }
    }
}

/// The number of matches of a material.
#[derive(Serialize)]
pub struct CountRecord {
    material: String,
    #[serde(flatten)]
    by: CountedBy,
    /// Positions of the whole board.
    positions: u64,
    white_to_move: u64,
    black_to_move: u64,
    /// Positions, images under a symmetry counted once.
    distinct: u64,
}

/// The number of matches with the condition.
#[derive(Serialize)]
struct ConditionCount<'a> {
    condition: &'a str,
    #[serde(flatten)]
    count: &'a CountRecord,
}

impl CountRecord {
    /// Returns the record of a count.
    pub fn new(material: impl Display, by: CountedBy, count: MatchCount) -> CountRecord {
        let MatchCount { positions: [white_to_move, black_to_move], distinct } = count;
        let (material, positions) = (material.to_string(), white_to_move + black_to_move);
        CountRecord { material, by, positions, white_to_move, black_to_move, distinct }
    }

    /// Returns the counts of all materials in a format.
    pub fn all(
        counts: &[CountRecord],
        condition: &str,
        format: OutputFormat,
    ) -> Result<String, serde_json::Error> {
        match (format, counts) {
            (OutputFormat::Json, _) => {
                let line = |count| serde_json::to_string(&ConditionCount { condition, count });
                counts.iter().map(|count| Ok(line(count)? + "\n")).collect()
            }
            (OutputFormat::Csv, _) => Ok(CountRecord::csv(counts)),
            (OutputFormat::Text, [count]) => Ok(count.paragraph()),
            (OutputFormat::Text, _) => Ok(CountRecord::table(counts)),
        }
    }

    fn csv(counts: &[CountRecord]) -> String {
        let (column, _, by) = counts.first().map_or(Default::default(), |count| count.by.names());
        let mut text =
            format!("material,{column},positions,white_to_move,black_to_move,distinct\n");
        for count in counts {
            let numbers = count.numbers().map(|number| number.to_string()).join(",");
            let _ = writeln!(text, "{},{by},{numbers}", count.material);
        }
        text
    }

    fn paragraph(&self) -> String {
        let (_, kind, by) = self.by.names();
        let [positions, white, black, distinct] = self.numbers();
        format!(
            "{}, {kind} {by}\n\
             {positions:>15} positions of the whole board\n\
             {white:>15} with white to move\n\
             {black:>15} with black to move\n\
             {distinct:>15} distinct: mirror images and rotations count once\n",
            self.material
        )
    }

    fn table(counts: &[CountRecord]) -> String {
        let (_, kind, by) = counts.first().map_or(Default::default(), |count| count.by.names());
        let mut text = format!(
            "{} {by}; distinct: mirror images and rotations count once\n\n\
             material       positions   white to move   black to move        distinct\n",
            capitalised(kind)
        );
        let mut line = |name: &str, numbers: [u64; 4]| {
            let numbers = numbers.map(|number| format!(" {number:>15}")).concat();
            let _ = writeln!(text, "{name:<8}{numbers}");
        };
        let mut sums = [0; 4];
        for count in counts {
            let numbers = count.numbers();
            line(&count.material, numbers);
            sums = std::array::from_fn(|column| sums[column] + numbers[column]);
        }
        line("all", sums);
        text
    }

    /// Returns the positions in all, with White to move, with Black to move, and distinct.
    fn numbers(&self) -> [u64; 4] {
        [self.positions, self.white_to_move, self.black_to_move, self.distinct]
    }
}
