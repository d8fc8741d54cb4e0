//! A line of the protocol as a command.
//!
//! Every `go` must get a `bestmove`, so no `go` is refused. Unreadable parts of it are reported
//! beside the command, and a bad number counts as 1.

use sakmak_tables::excerpt::Excerpt;
use std::str::SplitWhitespace;

/// A command of the protocol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UciCommand {
    /// `uci`: names the engine and its options.
    Uci,
    /// `isready`.
    IsReady,
    /// `ucinewgame`.
    NewGame,
    /// `setoption name N value V`.
    SetOption {
        /// The name of the option.
        name: String,
        /// The value; empty if it is missing.
        value: String,
    },
    /// `position`.
    Position(PositionCommand),
    /// `go`.
    Go(GoCommand),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `d`: shows the position.
    Display,
    /// `quit`.
    Quit,
}

/// A game: its start position and its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionCommand {
    /// The FEN, or `startpos`.
    pub start: String,
    /// The moves as written.
    pub moves: Vec<String>,
}

/// The limits and the mode of a search. Times are in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoCommand {
    /// The moves to choose from, as written; empty for all.
    pub searchmoves: Vec<String>,
    /// The maximum number of plies.
    pub depth: Option<u64>,
    /// The maximum number of positions.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub movetime: Option<u64>,
    /// The time left on the clocks of White and Black.
    pub time: [Option<u64>; 2],
    /// The increments of White and Black for each move.
    pub increment: [u64; 2],
    /// Moves to the next time control.
    pub movestogo: Option<u64>,
    /// The search ends with a mate in this many moves.
    pub mate: Option<u64>,
    /// Counts positions to this depth instead of searching.
    pub perft: Option<u64>,
    /// Whether the best move is reported after `stop` only.
    pub infinite: bool,
    /// Whether the opponent's time runs until `ponderhit`.
    pub ponder: bool,
    /// The unreadable parts.
    pub problems: Vec<String>,
}

/// A line that is not a command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UciCommandError {
    /// An unknown first word.
    #[error("'{0}' is not a command of UCI")]
    Unknown(Excerpt),
    /// `position` without a position.
    #[error("position: expected 'startpos', or 'fen' and a FEN")]
    PositionStart,
    /// `setoption` without a name.
    #[error("setoption: expected 'name', the name of an option, 'value' and its value")]
    OptionName,
}

impl UciCommand {
    /// Parses a line. Returns `None` for a line without effect.
    ///
    /// # Errors
    ///
    /// If the line is not a command.
    pub fn parse(line: &str) -> Result<Option<UciCommand>, UciCommandError> {
        let mut words = line.split_whitespace();
        Ok(Some(match words.next() {
            None | Some("debug" | "register") => return Ok(None),
            Some("uci") => UciCommand::Uci,
            Some("isready") => UciCommand::IsReady,
            Some("ucinewgame") => UciCommand::NewGame,
            Some("setoption") => option(line)?,
            Some("position") => UciCommand::Position(position(words)?),
            Some("go") => UciCommand::Go(GoCommand::read(words)),
            Some("stop") => UciCommand::Stop,
            Some("ponderhit") => UciCommand::PonderHit,
            Some("d") => UciCommand::Display,
            Some("quit") => UciCommand::Quit,
            Some(other) => return Err(UciCommandError::Unknown(Excerpt::of(other))),
        }))
    }
}

/// Parses a line that begins with `setoption`. Names and values may have blanks. Blanks of a value
/// are kept, since it may be a path.
fn option(line: &str) -> Result<UciCommand, UciCommandError> {
    let (_, rest) = first_word(line);
    let (word, mut rest) = first_word(rest);
    if word != "name" {
        return Err(UciCommandError::OptionName);
    }
    let mut name = Vec::new();
    while let (word, after) = first_word(rest)
        && !word.is_empty()
    {
        rest = after;
        if word == "value" {
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(UciCommandError::OptionName);
    }
    Ok(UciCommand::SetOption { name: name.join(" "), value: rest.trim().to_string() })
}

/// The first word of a text, and the rest.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// Parses the arguments of `position`.
fn position(mut words: SplitWhitespace<'_>) -> Result<PositionCommand, UciCommandError> {
    let kind = words.next();
    let words: Vec<&str> = words.collect();
    let mut parts = words.splitn(2, |&word| word == "moves");
    let fen = parts.next().unwrap_or_default().join(" ");
    let moves = parts.next().unwrap_or_default().iter().map(|mv| mv.to_string()).collect();
    let start = match kind {
        Some("startpos") if fen.is_empty() => "startpos".to_string(),
        Some("fen") if !fen.is_empty() => fen,
        _ => return Err(UciCommandError::PositionStart),
    };
    Ok(PositionCommand { start, moves })
}

/// Parses a number. Negative numbers become 0, too large numbers the largest. `None` for other
/// text.
fn number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if text.starts_with('-') { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

impl GoCommand {
    /// Parses the arguments of `go`.
    fn read(words: SplitWhitespace<'_>) -> GoCommand {
        let mut go = GoCommand::default();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|word| !is_keyword(word)) {
                        go.searchmoves.push(mv.to_string());
                    }
                }
                limit if is_keyword(limit) => {
                    let text = words.next().unwrap_or_default();
                    let value = number(text).unwrap_or_else(|| {
                        let text = Excerpt::of(text);
                        let problem = format!("go {limit}: '{text}' is not a number: 1 is taken");
                        go.problems.push(problem);
                        1
                    });
                    go.set(limit, value);
                }
                other => {
                    let other = Excerpt::of(other);
                    go.problems.push(format!("go: '{other}' is not a limit and is skipped"));
                }
            }
        }
        go
    }

    /// Sets a limit that has a number.
    fn set(&mut self, limit: &str, value: u64) {
        match limit {
            "depth" => self.depth = Some(value),
            "nodes" => self.nodes = Some(value),
            "movetime" => self.movetime = Some(value),
            "wtime" => self.time[0] = Some(value),
            "btime" => self.time[1] = Some(value),
            "winc" => self.increment[0] = value,
            "binc" => self.increment[1] = value,
            "movestogo" => self.movestogo = Some(value),
            "mate" => self.mate = Some(value),
            _ => self.perft = Some(value),
        }
    }
}

/// Whether a word after `go` is not a move.
fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 13] = [
        "infinite",
        "ponder",
        "searchmoves",
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "mate",
        "perft",
    ];
    KEYWORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> GoCommand {
        match UciCommand::parse(line) {
            Ok(Some(UciCommand::Go(go))) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_position_has_a_start_and_moves() {
        let parsed =
            UciCommand::parse("  position\tfen 8/8/8/3k4/8/8/8/R3K3 w - 32 5 1 moves a1a2 d5d4 ");
        let expected = PositionCommand {
            start: "8/8/8/3k4/8/8/8/R3K3 w - 32 5 1".to_string(),
            moves: vec!["a1a2".to_string(), "d5d4".to_string()],
        };
        assert_eq!(parsed, Ok(Some(UciCommand::Position(expected))));
        for line in [
            "position",
            "position fen",
            "position fen moves a1a2",
            "position 8/8 w",
            "position startpos x",
        ] {
            assert_eq!(UciCommand::parse(line), Err(UciCommandError::PositionStart), "{line}");
        }
    }

    #[test]
    fn names_and_values_of_options_may_have_blanks() {
        for (line, name, value) in [
            ("setoption name Clear  Hash", "Clear Hash", ""),
            ("setoption name Clear Hash value a b  c", "Clear Hash", "a b  c"),
            (
                "setoption\tname SakmakPath  value  /a  b\tvalue name \r\n",
                "SakmakPath",
                "/a  b\tvalue name",
            ),
            ("setoption name Hash value", "Hash", ""),
        ] {
            let (name, value) = (name.to_string(), value.to_string());
            let expected = UciCommand::SetOption { name, value };
            assert_eq!(UciCommand::parse(line), Ok(Some(expected)), "{line}");
        }
        for line in ["setoption", "setoption Hash 3", "setoption name value 3"] {
            assert_eq!(UciCommand::parse(line), Err(UciCommandError::OptionName), "{line}");
        }
    }

    #[test]
    fn limits_of_go_come_in_any_order() {
        let read = go("go searchmoves e1d2 e1f2 wtime 1000 binc 5 btime -3 movestogo 7 ponder");
        assert_eq!(read.searchmoves, ["e1d2", "e1f2"]);
        assert_eq!((read.time, read.increment), ([Some(1000), Some(0)], [0, 5]));
        assert_eq!((read.movestogo, read.ponder, read.infinite), (Some(7), true, false));
        assert!(read.problems.is_empty());
    }

    #[test]
    fn no_go_is_refused() {
        let huge = go("go nodes 99999999999999999999999999");
        assert_eq!((huge.nodes, huge.problems.len()), (Some(u64::MAX), 0));
        for (line, depth) in [("go depth", Some(1)), ("go depth x", Some(1)), ("go deep 3", None)] {
            let read = go(line);
            assert_eq!(read.depth, depth, "{line}");
            assert!(!read.problems.is_empty(), "{line}");
        }
    }

    #[test]
    fn other_lines_are_errors_or_nothing() {
        for line in ["", " \t", "debug on", "register later"] {
            assert_eq!(UciCommand::parse(line), Ok(None), "{line:?}");
        }
        for line in ["GO", "gogo depth 3", "\u{0}\u{1}", "e2e4"] {
            assert!(
                matches!(UciCommand::parse(line), Err(UciCommandError::Unknown(_))),
                "{line:?}"
            );
        }
    }
}
