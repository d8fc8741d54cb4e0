//! Many positions from standard input, a line of JSON for each.
//!
//! Every line of input that is not blank is a FEN and gives one line, at once, so that a
//! program at the other end may ask and wait. A FEN without an answer gives
//! `{"fen": "...", "error": "..."}`, the FEN as written, and the work goes on.

use crate::cli::CommandError;
use crate::cli::probe::asked::{Prober, position};
use crate::cli::probe::json::AnswerJson;
use serde::Serialize;
use std::io::{self, BufRead, BufWriter, Write};

/// A position without an answer.
#[derive(Serialize)]
struct UnansweredJson<'a> {
    fen: &'a str,
    error: &'a str,
}

/// Answers to the end of the input; positions without an answer are a failure then.
pub fn run(asked: &Prober) -> Result<(), CommandError> {
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut lines, mut refused) = (0_u64, 0_u64);
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| failed("cannot read standard input", &error))?;
        let fen = line.trim();
        if fen.is_empty() {
            continue;
        }
        lines += 1;
        let json = match answered(asked, fen) {
            Ok(json) => json,
            Err(CommandError { message, .. }) => {
                refused += 1;
                serde_json::to_string(&UnansweredJson { fen, error: &message })?
            }
        };
        match writeln!(out, "{json}").and_then(|()| out.flush()) {
            // Nobody reads what more there is to say.
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

/// The answer about a FEN as a line of JSON.
fn answered(asked: &Prober, fen: &str) -> Result<String, CommandError> {
    let position = position(asked.counting_rule, fen)?;
    let answer = asked.answer(&position)?;
    Ok(serde_json::to_string(&AnswerJson::new(&position, &answer))?)
}

fn failed(what: &str, error: &io::Error) -> CommandError {
    CommandError { message: format!("{what}: {error}"), code: 1 }
}
