//! Labels of positions, and the numbers of positions with and without one.

use indicatif::HumanCount;
use sakmak_pgn::game_error::GameError;
use sakmak_pgn::pgn::EncodingError;
use sakmak_probe::ProbeError;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Value, Wdl};
use sakmak_tables::position::Position;
use sakmak_tables::position::fen::FenError;
use serde::Serialize;
use std::fmt::Display;
use std::str::Utf8Error;

/// The content of labels.
#[derive(Clone, Copy, Debug)]
pub struct LabelContent {
    /// Add the distance to mate.
    pub distance: bool,
    /// Add whether exactly one move keeps the result.
    pub only: bool,
    /// The score of a win.
    pub win_score: i32,
}

/// The label of a position, for the side to move. Its fields are those of JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Label {
    #[serde(serialize_with = "name")]
    category: Category,
    score: i32,
    /// In plies; the inner `None` is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    dtm: Option<Option<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    only: Option<bool>,
}

fn name<S: serde::Serializer>(category: &Category, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(category.name())
}

/// The reason why a position has no label.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// The text is not a position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The tables have no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The line is not an object with a FEN.
    #[error("expected a JSON object with the field fen: {0}")]
    Json(#[from] serde_json::Error),
    /// The line is not text.
    #[error("the line is not UTF-8")]
    Text(#[from] Utf8Error),
    /// The games are not text.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// The game cannot be replayed.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl Label {
    /// Looks up the label of a position.
    ///
    /// # Errors
    ///
    /// If the tables have no answer.
    pub fn of(
        tables: &Tablebase,
        position: &Position,
        content: LabelContent,
    ) -> Result<Label, ProbeError> {
        let category = tables.category(position)?;
        let dtm = || tables.dtm(position).map(Value::signed_plies);
        let only = || tables.only_move(position).map(|only| only.is_some());
        let label = Label { category, score: 0, dtm: None, only: None };
        Ok(Label {
            score: label.result() * content.win_score,
            dtm: content.distance.then(dtm).transpose()?,
            only: content.only.then(only).transpose()?,
            ..label
        })
    }

    /// Returns the score.
    pub fn score(&self) -> i32 {
        self.score
    }

    /// Returns the result under the count: 1 for a win, 0 for a draw, -1 for a loss.
    pub fn result(&self) -> i32 {
        match self.category.wdl() {
            Wdl::Win => 1,
            Wdl::Draw => 0,
            Wdl::Loss => -1,
        }
    }

    /// Calls `each` with the names and values of the fields that have a value.
    pub fn each_field(&self, mut each: impl FnMut(&'static str, &dyn Display)) {
        each("category", &self.category.name());
        each("score", &self.score);
        if let Some(dtm) = self.dtm.flatten() {
            each("dtm", &dtm);
        }
        if let Some(only) = self.only {
            each("only", &only);
        }
    }
}

/// The names of all fields of a label.
pub const FIELDS: [&str; 4] = ["category", "score", "dtm", "only"];

/// The numbers of positions with and without a label.
#[derive(Default, Debug)]
pub struct Tally {
    labelled: u64,
    without_table: Unlabelled,
    failed: Unlabelled,
}

/// Positions without a label.
#[derive(Default, Debug)]
struct Unlabelled {
    number: u64,
    /// The reason of the first one.
    first: Option<String>,
}

impl Unlabelled {
    fn add(&mut self, other: Unlabelled) {
        self.number += other.number;
        self.first = self.first.take().or(other.first);
    }
}

impl Tally {
    /// Counts a position. The error has the number of the line, unless the error of a game has it.
    pub fn count(&mut self, line: u64, labelled: Result<(), LabelError>) {
        let Err(error) = labelled else {
            self.labelled += 1;
            return;
        };
        let unlabelled = match error {
            LabelError::Probe(
                ProbeError::Missing { .. }
                | ProbeError::TooManyMen { .. }
                | ProbeError::LeapRights
                | ProbeError::Illegal(_),
            ) => &mut self.without_table,
            _ => &mut self.failed,
        };
        unlabelled.number += 1;
        unlabelled.first.get_or_insert_with(|| match error {
            LabelError::Game(error) => error.to_string(),
            error => format!("line {line}: {error}"),
        });
    }

    /// Adds the numbers of later lines.
    pub fn add(&mut self, later: Tally) {
        self.labelled += later.labelled;
        self.without_table.add(later.without_table);
        self.failed.add(later.failed);
    }

    /// Returns the number of labels.
    pub fn labelled(&self) -> u64 {
        self.labelled
    }

    /// Returns whether all positions were read, and no table was refused.
    pub fn is_whole(&self) -> bool {
        self.failed.number == 0
    }

    /// Returns the numbers in one line.
    pub fn summary(&self) -> String {
        let all = self.labelled + self.without_table.number + self.failed.number;
        let (labelled, all) = (HumanCount(self.labelled), HumanCount(all));
        let mut summary = format!("{labelled} of {all} positions labelled");
        let others = [(&self.without_table, "without a table"), (&self.failed, "not read")];
        for (Unlabelled { number, first }, name) in others {
            if let Some(first) = first {
                summary += &format!("; {} {name}, {first}", HumanCount(*number));
            }
        }
        summary
    }
}
