//! Reads the games of a file one after another, with memory for one game.
//!
//! The lexer never reads further ahead than the size limit of a game. So a window of the file that
//! begins with a game and is at least twice as long as the limit yields the same game as the whole
//! file:
//!
//! ```text
//! if the window is short, read on until it is long or the file ends
//! skip blanks and empty lines; pass on other white space and escaped lines
//! parse a game; if it is too large, pass on its text up to the next line that begins with a tag
//! ```

use crate::pgn::encoding::{EncodingError, FIRST_BYTES, decode, recognise};
use crate::pgn::game::PgnGame;
use crate::pgn::games::next_game;
use crate::pgn::lexer::{Cursor, LARGEST_GAME, Lexer, PgnError};
use std::io::{self, Read};

/// The least bytes that the lexer sees, unless the file ends.
const SHORTEST_WINDOW: usize = 2 * LARGEST_GAME;

/// Reads the games of a file one after another. Its memory does not grow with the file.
#[derive(Debug)]
pub struct PgnReader<R> {
    input: R,
    /// Bytes not decoded yet: the start of a character.
    bytes: Vec<u8>,
    /// A part of the file.
    text: String,
    /// The end of the window in `text`. It is the end of a line, unless the line is too long for a
    /// game.
    window: usize,
    cursor: Cursor,
    /// Whether `text` ends with the file.
    is_last: bool,
    /// The state carried over from the window before.
    copied: Option<UnparsedText>,
}

/// Text that is not parsed but passed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum UnparsedText {
    /// An escaped line.
    EscapedLine,
    /// A game that is too large.
    Game,
}

/// A part of a file.
#[derive(Debug)]
pub enum PgnPart<'a> {
    /// A game.
    Game {
        /// The game.
        game: PgnGame,
        /// A part of the file that holds the game. Offsets in the game are offsets in this text.
        text: &'a str,
    },
    /// Text outside of games: escaped lines, which begin with `%`; white space other than blanks
    /// and empty lines; the rest of a game that is too large.
    Text(&'a str),
}

/// A file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PgnReadError {
    /// An error of the system.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// An encoding that is not supported.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
}

/// Whether a character is white space that a file may lose or gain between two games. Other white
/// space is kept, such as a no-break space or the byte order mark of an appended file.
pub fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\r' | '\n')
}

impl<R: Read> PgnReader<R> {
    /// A reader at the start of a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is compressed, or is UTF-16.
    pub fn new(mut input: R) -> Result<PgnReader<R>, PgnReadError> {
        let mut bytes = Vec::new();
        input.by_ref().take(FIRST_BYTES as u64).read_to_end(&mut bytes)?;
        recognise(&bytes)?;
        let (text, cursor) = (String::new(), Cursor::new(1, true));
        Ok(PgnReader { input, bytes, text, window: 0, cursor, is_last: false, copied: None })
    }

    /// The next part of the file; `None` at its end.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn next_part(&mut self) -> Result<Option<PgnPart<'_>>, PgnReadError> {
        let (game, passed) = loop {
            if self.is_short() {
                self.read_on()?;
            }
            let begin = self.cursor.at;
            let mut lexer = Lexer::new(&self.text[..self.window], self.cursor);
            let game = match self.copied.take() {
                Some(copied) => {
                    match copied {
                        UnparsedText::EscapedLine => lexer.skip_line(),
                        UnparsedText::Game => lexer.skip_to_tag(),
                    }
                    self.cursor = lexer.cursor;
                    self.copied = Some(copied).filter(|_| self.goes_on(copied));
                    None
                }
                None => {
                    lexer.skip_white();
                    self.cursor = lexer.cursor;
                    let passed = &self.text[begin..self.cursor.at];
                    let rare = passed.trim_start_matches(is_blank);
                    if !rare.is_empty() {
                        break (None, self.cursor.at - rare.len()..self.cursor.at);
                    }
                    if let Some(mut line) = lexer.skip_escaped() {
                        while let Some(next) = lexer.skip_escaped() {
                            line.end = next.end;
                        }
                        self.cursor = lexer.cursor;
                        let copied = UnparsedText::EscapedLine;
                        self.copied = Some(copied).filter(|_| self.goes_on(copied));
                        break (None, line);
                    }
                    if self.is_short() {
                        continue;
                    }
                    let Some(game) = next_game(&mut lexer) else { return Ok(None) };
                    self.cursor = lexer.cursor;
                    let is_large = matches!(game.broken, Some(PgnError::Size(_)));
                    let copied = Some(UnparsedText::Game).filter(|_| is_large);
                    self.copied = copied.filter(|&copied| self.goes_on(copied));
                    Some(game)
                }
            };
            let end = self.cursor.at;
            if game.is_some() || begin < end {
                break (game, begin..end);
            }
        };
        let text = &self.text[..self.window];
        Ok(Some(match game {
            Some(game) => PgnPart::Game { game, text },
            None => PgnPart::Text(&text[passed]),
        }))
    }

    /// Whether the rest of the window may be too short for a game.
    fn is_short(&self) -> bool {
        self.window - self.cursor.at < SHORTEST_WINDOW && !self.is_last
    }

    /// Whether copied text may continue after the window.
    fn goes_on(&self, copied: UnparsedText) -> bool {
        let at = self.cursor.at;
        let is_line = copied == UnparsedText::EscapedLine && self.text[..at].ends_with('\n');
        at == self.window && !self.is_last && !is_line
    }

    /// Drops the text before the cursor and reads on.
    fn read_on(&mut self) -> Result<(), PgnReadError> {
        let from_line_start = Lexer::new(&self.text, self.cursor).begins_line();
        self.text.drain(..self.cursor.at);
        self.cursor = Cursor::new(self.cursor.line, from_line_start);
        while self.text.len() < 2 * SHORTEST_WINDOW && !self.is_last {
            let most = SHORTEST_WINDOW as u64;
            let read = self.input.by_ref().take(most).read_to_end(&mut self.bytes)?;
            self.is_last = (read as u64) < most;
            decode(&mut self.bytes, self.is_last, &mut self.text);
        }
        let lines = self.text.rfind('\n').map(|end| end + 1);
        let lines = lines.filter(|&end| end >= SHORTEST_WINDOW && !self.is_last);
        self.window = lines.unwrap_or(self.text.len());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::encoding::{decoded, encoded};
    use crate::pgn::game::Note;
    use crate::pgn::games::Games;
    use crate::pgn::lexer::MOST_MOVES;

    /// The games without their offsets in the text, and the text of games and of copied parts.
    fn read(bytes: &[u8]) -> (Vec<PgnGame>, Vec<u8>) {
        let mut reader = PgnReader::new(bytes).unwrap();
        let (mut games, mut copy) = (Vec::new(), Vec::new());
        while let Some(part) = reader.next_part().unwrap() {
            match part {
                PgnPart::Game { game, text } => {
                    copy.extend(encoded(&text[game.text.clone()]));
                    games.push(without_places(game));
                }
                PgnPart::Text(text) => copy.extend(encoded(text)),
            }
        }
        (games, copy)
    }

    fn without_places(mut game: PgnGame) -> PgnGame {
        (game.text, game.movetext, game.result_text) = (0..0, None, None);
        game.tags.iter_mut().for_each(|tag| (tag.text, tag.written) = (0..0, 0..0));
        let notes = |notes: &mut Vec<Note>| notes.iter_mut().for_each(|note| note.text = 0..0);
        notes(&mut game.before);
        for mv in &mut game.moves {
            mv.at = 0;
            notes(&mut mv.after);
        }
        game
    }

    fn without_space(bytes: &[u8]) -> Vec<u8> {
        bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
    }

    /// Files of several windows, with the seams at many offsets.
    #[test]
    fn a_window_gives_the_games_of_the_whole_file() {
        let long = |part: &str| part.repeat(2 * SHORTEST_WINDOW / part.len() + 1);
        let parts = [
            "[White \"A\"]\n\n1. e4 {x} e5 (d4 d5) 1-0\n\n",
            "% escaped\r\n\n% and this\n",
            "[White \"B\"]\n1. e4 {not closed\n\n",
            "e4 e5 * d4 * ",
            "[White \"\u{e2a}\u{e21}\u{f781}\"]\n1. e4 ) d5\n",
            &format!("% {}\n", long("x")),
            &format!("[White \"C\"]\n\n{}\n", long("e4 e5 ")),
            &format!("[White \"D\"]\n\n{{{}}} e4 *\n", long("x ")),
            &format!("[White \"E\"]\n\n{}\n\n", long("x")),
            &format!("[White \"F\"]\n\n1. e4{}1-0\n\n", long(" \n")),
            &format!("[White \"G\"]\n\n{}\n\n", long("(")),
            &format!("{}\n", long("{}e4 * ")),
            &long("[White \"H\"]\n"),
        ];
        for shift in 0..4 {
            let some = |index: usize| parts[(index * 7 + shift) % parts.len()];
            let text = long("\n")[..shift * 99_991].to_string();
            let text =
                text + &(0..parts.len()).map(some).collect::<String>() + &parts[..5].concat();
            let (games, copy) = read(text.as_bytes());
            let text = decoded(text.into_bytes()).unwrap();
            let whole: Vec<_> = Games::of(&text).map(without_places).collect();
            let other = games.iter().zip(&whole).position(|(game, whole)| game != whole);
            assert_eq!((games.len(), other), (whole.len(), None));
            assert!(without_space(&copy) == without_space(&encoded(&text)), "text of {shift}");
            assert!(games.iter().any(|game| matches!(game.broken, Some(PgnError::Size(_)))));
        }
    }

    #[test]
    fn a_game_of_the_largest_size_is_read() {
        let game = |moves: usize| format!("[White \"A\"]\n{}\n\n", "e4 ".repeat(moves));
        for (text, broken) in [
            (game(MOST_MOVES), None),
            (game(MOST_MOVES + 1), Some(PgnError::Size(1))),
            // The size counts two braces and a line end; the next game begins within the limit.
            (format!("{{{}}}", "x".repeat(LARGEST_GAME - 3)), None),
            (format!("{{{}}}", "x".repeat(LARGEST_GAME - 2)), Some(PgnError::Size(1))),
        ] {
            let (games, copy) = read(format!("{text}\n[White \"B\"]\n1. d4 *").as_bytes());
            assert_eq!((games.len(), &games[0].broken), (2, &broken));
            assert_eq!(
                (games[1].tag("White").unwrap().value.as_str(), copy.last()),
                ("B", Some(&b'*'))
            );
        }
    }

    #[test]
    fn an_error_of_the_input_is_no_end() {
        struct BrokenReader;
        impl Read for BrokenReader {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::TimedOut.into())
            }
        }
        let mut reader = PgnReader::new(b"[White \"A\"]\n1. e4 *\n".chain(BrokenReader)).unwrap();
        assert!(matches!(reader.next_part(), Err(PgnReadError::Io(_))));
        assert!(matches!(PgnReader::new(&b"\xff\xfe["[..]), Err(PgnReadError::Encoding(_))));
    }
}
