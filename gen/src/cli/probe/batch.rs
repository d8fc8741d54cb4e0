//! Looks up positions from standard input, with a line of JSON for each.
//!
//! Each non-blank line of input is a FEN. Its line of output is flushed at once, so that a
//! program can write a FEN and wait for the answer. A FEN without an answer gives
//! `{"fen": "...", "error": "..."}` with the FEN of the input, and the next line is read.

use crate::cli::CommandError;
use crate::cli::probe::json::AnswerJson;
use crate::cli::probe::prober::{Prober, position};
use serde::Serialize;
use std::io::{self, BufRead, BufWriter, Write};

/// A position without an answer.
#[derive(Serialize)]
struct UnansweredJson<'a> {
    fen: &'a str,
    error: &'a str,
}

/// Answers all lines of the input. Returns an error at the end if a position has no answer.
pub fn run(prober: &Prober) -> Result<(), CommandError> {
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut lines, mut refused) = (0_u64, 0_u64);
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| failed("cannot read standard input", &error))?;
        let fen = line.trim();
        if fen.is_empty() {
            continue;
        }
        lines += 1;
        let json = match answer_line(prober, fen) {
            Ok(json) => json,
            Err(CommandError { message, .. }) => {
                refused += 1;
                serde_json::to_string(&UnansweredJson { fen, error: &message })?
            }
        };
        match writeln!(out, "{json}").and_then(|()| out.flush()) {
            // The reader is gone.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            written => {
                written.map_err(|error| failed("cannot write to standard output", &error))?;
            }
        }
    }
    match refused {
        0 => Ok(()),
        _ => {
            let message = format!("{refused} of {lines} positions have no answer");
            Err(CommandError { message, code: 1 })
        }
    }
}

/// The answer for a FEN as a line of JSON.
fn answer_line(prober: &Prober, fen: &str) -> Result<String, CommandError> {
    let position = position(prober.counting_rule, fen)?;
    let answer = prober.answer(&position)?;
    Ok(serde_json::to_string(&AnswerJson::new(&position, &answer))?)
}

fn failed(what: &str, error: &io::Error) -> CommandError {
    CommandError { message: format!("{what}: {error}"), code: 1 }
}
