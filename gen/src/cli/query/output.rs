//! Matches as lines of text, JSON or CSV.

use crate::cli::CommandError;
use crate::cli::json::moves_of;
use crate::cli::progress::Bars;
use rayon::prelude::*;
use sakmak_gen::analysis::query::{MatchCount, Query, QueryMatch};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::variant::Variant;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// The format of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// Fields separated by tabs.
    Text,
    /// One JSON object per line.
    Json,
    /// Fields separated by commas, with a header line.
    Csv,
}

/// Writes the matches of a query.
pub struct MatchWriter<'a> {
    pub query: &'a Query<'a>,
    pub variant: &'static Variant,
    pub format: OutputFormat,
}

/// One match.
#[derive(Serialize)]
struct MatchRecord {
    fen: String,
    /// The mover's result with no count.
    result: &'static str,
    /// The attacker's moves to mate.
    dtm: Option<u32>,
    /// The mover's category under the count.
    category: Option<&'static str>,
    /// The attacker's moves needed of the count.
    counted: Option<u32>,
}

/// The number of matches.
#[derive(Serialize)]
struct CountRecord<'a> {
    material: String,
    condition: &'a str,
    counting: &'static str,
    /// Positions of the whole board.
    positions: u64,
    white_to_move: u64,
    black_to_move: u64,
    slots: u64,
}

impl MatchWriter<'_> {
    /// The header line, if the format has one.
    pub fn head(&self) -> String {
        match self.format {
            OutputFormat::Csv => "fen,result,dtm,category,counted\n".to_string(),
            OutputFormat::Text | OutputFormat::Json => String::new(),
        }
    }

    /// Prints matches, one per line. Breaks off if the reader has closed the pipe.
    pub fn print(
        &self,
        matches: &[QueryMatch],
        bars: &Bars,
    ) -> Result<ControlFlow<()>, CommandError> {
        let lines: Vec<Result<String, serde_json::Error>> = matches
            .par_chunks(256)
            .map(|matches| matches.iter().map(|found| self.line(found)).collect())
            .collect();
        let text = lines.into_iter().collect::<Result<String, _>>()?;
        let written = bars.aside(|| {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        });
        match written {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
            Err(error) => {
                let message = format!("cannot write to standard output: {error}");
                Err(CommandError { message, code: 1 })
            }
        }
    }

    /// The line of a match.
    fn line(&self, found: &QueryMatch) -> Result<String, serde_json::Error> {
        let Some(position) = found.position(self.query.index(), self.variant) else {
            return Ok(String::new());
        };
        let line = MatchRecord {
            fen: position.fen(),
            result: found.mate.wdl().name(),
            dtm: moves_of(found.mate),
            category: self.query.category(found).map(|category| category.name()),
            counted: found.counted.and_then(moves_of),
        };
        let number = |number: Option<u32>, none: &str| {
            number.map_or_else(|| none.to_string(), |number| number.to_string())
        };
        let columns = |between: &str, none: &str| {
            let MatchRecord { fen, result, dtm, category, counted } = &line;
            let (dtm, counted) = (number(*dtm, none), number(*counted, none));
            [fen, *result, &dtm, category.unwrap_or(none), &counted].join(between) + "\n"
        };
        Ok(match self.format {
            OutputFormat::Text => columns("\t", "-"),
            OutputFormat::Csv => columns(",", ""),
            OutputFormat::Json => serde_json::to_string(&line)? + "\n",
        })
    }

    /// The number of matches in the format.
    pub fn count(
        &self,
        condition: &str,
        counting_rule: &CountingRule,
        count: MatchCount,
    ) -> Result<String, serde_json::Error> {
        let [white_to_move, black_to_move] = count.positions;
        let (positions, slots) = (white_to_move + black_to_move, count.slots);
        let material = self.query.index().material().to_string();
        let counting = counting_rule.name;
        Ok(match self.format {
            OutputFormat::Text => format!(
                "{material}, counting rule {counting}\n\
                 {positions:>15} positions of the whole board\n\
                 {white_to_move:>15} with white to move\n\
                 {black_to_move:>15} with black to move\n\
                 {slots:>15} slots: images under a symmetry count once\n"
            ),
            OutputFormat::Csv => format!(
                "positions,white_to_move,black_to_move,slots\n\
                 {positions},{white_to_move},{black_to_move},{slots}\n"
            ),
            OutputFormat::Json => {
                let line = CountRecord {
                    material,
                    condition,
                    counting,
                    positions,
                    white_to_move,
                    black_to_move,
                    slots,
                };
                serde_json::to_string(&line)? + "\n"
            }
        })
    }
}
