//! Matches and their numbers as lines of text, JSON or CSV.

use crate::cli::CommandError;
use crate::cli::progress::Bars;
use rayon::prelude::*;
use sakmak_analysis::query::{MatchCount, Query, QueryMatch};
use sakmak_analysis::statistics::as_text;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Value;
use sakmak_tables::material::OrientedMaterial;
use sakmak_tables::variant::Variant;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::ControlFlow;

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

impl OutputFormat {
    /// The header line of a list, if the format has one.
    pub fn head(self) -> &'static str {
        match self {
            OutputFormat::Text => "fen\tresult\tdtm\tcategory\tcounted\tmaterial\n",
            OutputFormat::Csv => "fen,result,dtm,category,counted,material\n",
            OutputFormat::Json => "",
        }
    }
}

/// Writes matches.
pub struct MatchWriter<'a> {
    pub format: OutputFormat,
    pub bars: &'a Bars,
}

/// One match.
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
    /// The record of a match of this query.
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

    /// The attacker's moves to mate.
    pub fn moves(&self) -> Option<u32> {
        self.dtm
    }

    /// The line in a format.
    fn line(&self, format: OutputFormat) -> Result<String, serde_json::Error> {
        let columns = |between: &str, none: &str| {
            let number = |number: Option<u32>| {
                number.map_or_else(|| none.to_string(), |number| number.to_string())
            };
            let MatchRecord { fen, result, dtm, category, counted, material } = self;
            let (dtm, counted, material) = (number(*dtm), number(*counted), material.to_string());
            let cells = [fen, *result, &dtm, category.unwrap_or(none), &counted, &material];
            cells.join(between) + "\n"
        };
        Ok(match format {
            OutputFormat::Text => columns("\t", "-"),
            OutputFormat::Csv => columns(",", ""),
            OutputFormat::Json => serde_json::to_string(self)? + "\n",
        })
    }
}

impl MatchWriter<'_> {
    /// Prints matches as the records that `record` makes of them, one per line. Breaks off if the
    /// reader has closed the pipe.
    pub fn print_matches(
        &self,
        matches: &[QueryMatch],
        record: &(dyn Fn(&QueryMatch) -> Option<MatchRecord> + Sync),
    ) -> Result<ControlFlow<()>, CommandError> {
        self.print_lines(matches, &|found| {
            record(found).map_or(Ok(String::new()), |record| record.line(self.format))
        })
    }

    /// Prints records, one per line. Breaks off if the reader has closed the pipe.
    pub fn print(&self, records: &[MatchRecord]) -> Result<ControlFlow<()>, CommandError> {
        self.print_lines(records, &|record| record.line(self.format))
    }

    fn print_lines<T: Sync>(
        &self,
        items: &[T],
        line: &(dyn Fn(&T) -> Result<String, serde_json::Error> + Sync),
    ) -> Result<ControlFlow<()>, CommandError> {
        let lines: Vec<Result<String, serde_json::Error>> =
            items.par_chunks(256).map(|items| items.iter().map(line).collect()).collect();
        let text = lines.into_iter().collect::<Result<String, _>>()?;
        let written = self.bars.aside(|| {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        });
        match written {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
            Err(error) => {
                Err(CommandError::failure(format!("cannot write to standard output: {error}")))
            }
        }
    }
}

/// The number of matches of a material.
#[derive(Serialize)]
pub struct CountRecord {
    #[serde(serialize_with = "as_text")]
    material: OrientedMaterial,
    counting: &'static str,
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
    /// The record of a count.
    pub fn new(
        material: OrientedMaterial,
        counting_rule: &CountingRule,
        count: MatchCount,
    ) -> CountRecord {
        let MatchCount { positions: [white_to_move, black_to_move], distinct } = count;
        let positions = white_to_move + black_to_move;
        let counting = counting_rule.name;
        CountRecord { material, counting, positions, white_to_move, black_to_move, distinct }
    }

    /// The counts of all materials in a format.
    pub fn all(
        counts: &[CountRecord],
        condition: &str,
        format: OutputFormat,
    ) -> Result<String, serde_json::Error> {
        let mut text = String::new();
        match (format, counts) {
            (OutputFormat::Json, _) => {
                for count in counts {
                    text += &serde_json::to_string(&ConditionCount { condition, count })?;
                    text += "\n";
                }
            }
            (OutputFormat::Csv, _) => {
                text += "material,counting,positions,white_to_move,black_to_move,distinct\n";
                for count in counts {
                    let CountRecord { material, counting, .. } = count;
                    let [positions, white, black, distinct] = count.numbers();
                    let _ = writeln!(
                        text,
                        "{material},{counting},{positions},{white},{black},{distinct}"
                    );
                }
            }
            (OutputFormat::Text, [count]) => {
                let CountRecord { material, counting, .. } = count;
                let [positions, white, black, distinct] = count.numbers();
                let _ = write!(
                    text,
                    "{material}, counting rule {counting}\n\
                     {positions:>15} positions of the whole board\n\
                     {white:>15} with white to move\n\
                     {black:>15} with black to move\n\
                     {distinct:>15} distinct: mirror images and rotations count once\n"
                );
            }
            (OutputFormat::Text, _) => {
                let counting = counts.first().map_or("", |count| count.counting);
                let _ = writeln!(
                    text,
                    "Counting rule {counting}; distinct: mirror images and rotations count once\n\n\
                     material       positions   white to move   black to move        distinct"
                );
                let mut line = |name: &str, [positions, white, black, distinct]: [u64; 4]| {
                    let _ = writeln!(
                        text,
                        "{name:<8} {positions:>15} {white:>15} {black:>15} {distinct:>15}"
                    );
                };
                let mut sums = [0; 4];
                for count in counts {
                    let numbers = count.numbers();
                    line(&count.material.to_string(), numbers);
                    sums = std::array::from_fn(|column| sums[column] + numbers[column]);
                }
                line("all", sums);
            }
        }
        Ok(text)
    }

    /// Positions, those with White and with Black to move, and distinct ones.
    fn numbers(&self) -> [u64; 4] {
        [self.positions, self.white_to_move, self.black_to_move, self.distinct]
    }
}
