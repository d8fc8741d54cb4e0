//! Lines to the graphical interface.

use crate::score::Score;
use sakmak_tables::distance::Plies;
use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The maximum number of characters of a message. A message repeats input, which may have any
/// length.
const LONGEST_MESSAGE: usize = 300;

/// The output. Both the reader of commands and the search write lines to it.
pub struct Replies<'a> {
    state: Mutex<ReplyState<'a>>,
}

struct ReplyState<'a> {
    output: Box<dyn Write + Send + 'a>,
    failure: Option<io::Error>,
}

impl<'a> Replies<'a> {
    /// Creates replies that go to this output.
    pub fn new(output: impl Write + Send + 'a) -> Replies<'a> {
        Replies { state: Mutex::new(ReplyState { output: Box::new(output), failure: None }) }
    }

    fn state(&self) -> MutexGuard<'_, ReplyState<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes one or several lines. After an error nothing more is written.
    pub fn line(&self, text: &dyn fmt::Display) {
        let mut state = self.state();
        if state.failure.is_none() {
            let written = writeln!(state.output, "{text}").and_then(|()| state.output.flush());
            state.failure = written.err();
        }
    }

    /// Writes a message for people: one line without control characters.
    pub fn message(&self, text: &dyn fmt::Display) {
        let text = text.to_string();
        let shown = |letter: char| if letter.is_control() { ' ' } else { letter };
        let mut message: String = text.chars().map(shown).take(LONGEST_MESSAGE).collect();
        if text.chars().nth(LONGEST_MESSAGE).is_some() {
            message += " ...";
        }
        self.line(&format_args!("info string {message}"));
    }

    /// Whether writing has failed.
    pub fn have_failed(&self) -> bool {
        self.state().failure.is_some()
    }

    /// The error of the first line that could not be written.
    pub fn into_failure(self) -> Option<io::Error> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).failure
    }
}

/// The work of a search so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchEffort {
    /// Positions visited.
    pub nodes: u64,
    /// Positions answered by tables.
    pub table_hits: u64,
    /// Time elapsed.
    pub time: Duration,
}

/// One line of play that a search has found, as reported by `info`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InfoLine<'a> {
    /// The depth.
    pub depth: Plies,
    /// The greatest depth of any line.
    pub selective_depth: Plies,
    /// The rank of the line, from 1.
    pub rank: usize,
    /// The score.
    pub score: Score,
    /// The work done.
    pub effort: SearchEffort,
    /// The line, UCI.
    pub line: &'a [String],
}

impl fmt::Display for InfoLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SearchEffort { nodes, table_hits, time } = self.effort;
        let microseconds = time.as_micros().max(1);
        let rate = u128::from(nodes) * 1_000_000 / microseconds;
        write!(
            f,
            "info depth {} seldepth {} multipv {} score {} nodes {nodes} nps {rate} tbhits \
             {table_hits} time {} pv",
            self.depth.0,
            self.selective_depth.0,
            self.rank,
            self.score,
            time.as_millis()
        )?;
        self.line.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// The reply that ends a search with this line, UCI.
pub fn best_move(line: &[String]) -> String {
    let mut text = String::from("bestmove ");
    match line {
        [] => text += "(none)",
        [best] => text += best,
        // Writing to a string does not fail.
        [best, reply, ..] => drop(write!(text, "{best} ponder {reply}")),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(message: &str) -> String {
        let mut bytes = Vec::new();
        Replies::new(&mut bytes).message(&message);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_message_is_one_short_line() {
        assert_eq!(written("a\nbestmove e2e4\r\u{7}"), "info string a bestmove e2e4  \n");
        let long = written(&"\u{e9}".repeat(10_000));
        assert!(long.chars().count() < 2 * LONGEST_MESSAGE && long.ends_with("...\n"));
    }

    #[test]
    fn the_expected_reply_follows_the_best_move() {
        let moves = ["e1d2", "e5d5"].map(str::to_string);
        assert_eq!(best_move(&moves), "bestmove e1d2 ponder e5d5");
        assert_eq!(best_move(&moves[..1]), "bestmove e1d2");
        assert_eq!(best_move(&[]), "bestmove (none)");
    }
}
