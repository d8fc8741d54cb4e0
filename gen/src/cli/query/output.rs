//! What was found, as lines of text.

use crate::cli::CommandError;
use crate::cli::progress::Bars;
use rayon::prelude::*;
use sakmak_gen::analysis::query::{MatchCount, QueryMatch, Query};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Value;
use sakmak_tables::variant::Variant;
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// How lines are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// Tabs between.
    Text,
    /// An object in a line.
    Json,
    /// Commas between.
    Csv,
}

/// The writer of what a search finds.
pub struct MatchWriter<'a> {
    pub search: &'a Query<'a>,
    pub variant: &'static Variant,
    pub format: OutputFormat,
}

/// One position.
#[derive(Serialize)]
struct MatchRecord {
    fen: String,
    /// The mover's result, nothing being counted.
    result: &'static str,
    /// The attacker's moves to mate.
    dtm: Option<u32>,
    /// The mover's grade under the count.
    category: Option<&'static str>,
    /// The attacker's moves of the count.
    counted: Option<u32>,
}

/// How many there are.
#[derive(Serialize)]
struct CountRecord<'a> {
    material: String,
    condition: &'a str,
    counting: &'static str,
    /// Of the whole board.
    positions: u64,
    white_to_move: u64,
    black_to_move: u64,
    slots: u64,
}

impl MatchWriter<'_> {
    /// The line before all others, with its end.
    pub fn head(&self) -> String {
        match self.format {
            OutputFormat::Csv => "fen,result,dtm,category,counted\n".to_string(),
            OutputFormat::Text | OutputFormat::Json => String::new(),
        }
    }

    /// Prints hits, a line each; breaks off when nobody reads any more.
    pub fn print(&self, hits: &[QueryMatch], bars: &Bars) -> Result<ControlFlow<()>, CommandError> {
        let lines: Vec<Result<String, serde_json::Error>> = hits
            .par_chunks(256)
            .map(|hits| hits.iter().map(|hit| self.line(hit)).collect())
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

    /// The line of a hit, with its end.
    fn line(&self, hit: &QueryMatch) -> Result<String, serde_json::Error> {
        let Some(position) = hit.position(self.search.index(), self.variant) else {
            return Ok(String::new());
        };
        let moves = |value: Value| value.moves().map(|moves| moves.0);
        let line = MatchRecord {
            fen: position.fen(),
            result: match hit.mate {
                Value::Win(_) => "win",
                Value::Draw => "draw",
                Value::Loss(_) => "loss",
            },
            dtm: moves(hit.mate),
            category: self.search.category(hit).map(|category| category.name()),
            counted: hit.counted.and_then(moves),
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

    /// How many there are.
    pub fn count(
        &self,
        condition: &str,
        counting_rule: &CountingRule,
        count: MatchCount,
    ) -> Result<String, serde_json::Error> {
        let [white_to_move, black_to_move] = count.positions;
        let (positions, slots) = (white_to_move + black_to_move, count.slots);
        let material = self.search.index().material().to_string();
        let counting = counting_rule.name;
        Ok(match self.format {
            OutputFormat::Text => format!(
                "{material}, {counting}\n\
                 {positions:>15} positions of the whole board\n\
                 {white_to_move:>15} with white to move\n\
                 {black_to_move:>15} with black to move\n\
                 {slots:>15} slots, images folded\n"
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
