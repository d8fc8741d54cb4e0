//! The lexer: from text to tokens, each with its line.

use crate::pgn::glyphs;
use crate::pgn::token::{GameResult, PgnToken, Tag};
use std::ops::Range;

/// The maximum number of bytes of a word, as in the PGN standard.
const LONGEST_WORD: usize = 255;

/// The maximum number of bytes of a game including the white space after it, and of a tag or
/// comment.
pub const LARGEST_GAME: usize = 256 << 10;

/// The maximum number of moves of a game, counting both sides.
pub const MOST_MOVES: usize = 10_000;

/// The byte order mark of UTF-8 files.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// An error in a PGN file, with its line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PgnError {
    /// A malformed tag.
    #[error("line {0}: malformed tag: expected [Name \"value\"] on one line")]
    Tag(usize),
    /// A game that is too large.
    #[error(
        "line {0}: the game that begins here is too large: at most {kib} KiB and {MOST_MOVES} \
         moves are read",
        kib = LARGEST_GAME >> 10
    )]
    Size(usize),
    /// A comment that is not closed before the end of the file or the next game.
    #[error("line {0}: the comment that begins here is not closed")]
    Comment(usize),
    /// A variation that is not closed before the end of the game.
    #[error("line {0}: the variation that begins here is not closed")]
    Variation(usize),
    /// A closing parenthesis without a variation.
    #[error("line {0}: unexpected ')': no '(' is open")]
    Unopened(usize),
    /// A `$` without a number.
    #[error("line {0}: a number from 0 to 255 must follow '$'")]
    Nag(usize),
    /// A word that is too long.
    #[error("line {0}: the word is too long: at most {LONGEST_WORD} bytes are read")]
    Word(usize),
    /// An unexpected character.
    #[error("line {line}: unexpected '{letter}'")]
    Stray {
        /// The line.
        line: usize,
        /// The character.
        letter: char,
    },
}

impl PgnError {
    /// The line of the error, from 1.
    pub fn line(&self) -> usize {
        match *self {
            PgnError::Tag(line)
            | PgnError::Size(line)
            | PgnError::Comment(line)
            | PgnError::Variation(line)
            | PgnError::Unopened(line)
            | PgnError::Nag(line)
            | PgnError::Word(line)
            | PgnError::Stray { line, .. } => line,
        }
    }
}

/// Splits a text into tokens.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    /// The progress in the text.
    pub cursor: Cursor,
    /// The offset of the last token, or of the end without one.
    pub token: usize,
}

/// The progress of a lexer in its text, which may be part of a file.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    /// The offset in bytes.
    pub at: usize,
    /// The line of the file at the offset, from 1.
    pub line: usize,
    /// Whether the text begins at the start of a line.
    from_line_start: bool,
    /// The offset of the next closing brace at or after `at`, or of the end of the text. It is
    /// recomputed once `at` has passed it, so no text is searched twice.
    brace: usize,
    /// The offset of the next line with a tag after an empty line, like `brace`.
    next_game: usize,
    /// The offset of the end of a word, like `brace`.
    word_end: usize,
}

/// A position in a text to return to.
#[derive(Clone, Copy, Debug)]
pub struct Bookmark {
    /// The offset in bytes.
    pub at: usize,
    /// The line of the file, from 1.
    pub line: usize,
}

impl Cursor {
    /// The start of a text that begins on this line of a file, at the start of the line or later.
    pub fn new(line: usize, from_line_start: bool) -> Cursor {
        Cursor { at: 0, line, from_line_start, brace: 0, next_game: 0, word_end: 0 }
    }
}

impl<'a> Lexer<'a> {
    /// A lexer at a position in a text.
    pub fn new(text: &'a str, cursor: Cursor) -> Lexer<'a> {
        Lexer { text, cursor, token: cursor.at }
    }

    /// The current position.
    pub fn bookmark(&self) -> Bookmark {
        Bookmark { at: self.cursor.at, line: self.cursor.line }
    }

    /// Returns to a position before the last token.
    pub fn go_back(&mut self, bookmark: Bookmark) {
        (self.cursor.at, self.cursor.line) = (bookmark.at, bookmark.line);
    }

    /// Skips to the next line that begins with a tag, or to the end. After an error this line
    /// begins the next game.
    pub fn skip_to_tag(&mut self) {
        loop {
            let at_start = self.begins_line();
            if self.rest().is_empty() || at_start && begins_tag(self.rest()) {
                return;
            }
            self.skip_line();
        }
    }

    /// Whether an empty or escaped line lies between a position and the last token.
    pub fn has_empty_line(&self, from: Bookmark) -> bool {
        self.text[from.at..self.token].matches('\n').nth(1).is_some()
    }

    /// Whether the offset is the start of a line, possibly after a byte order mark.
    pub fn begins_line(&self) -> bool {
        let before = &self.text[..self.cursor.at];
        let before = before.strip_suffix(BYTE_ORDER_MARK).unwrap_or(before);
        if before.is_empty() { self.cursor.from_line_start } else { before.ends_with('\n') }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.cursor.at..]
    }

    /// The rest of the text, up to the most bytes of a token.
    fn near(&self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.floor_char_boundary(LARGEST_GAME)]
    }

    /// Skips some bytes.
    fn pass(&mut self, bytes: usize) {
        let passed = &self.rest()[..bytes];
        self.cursor.line += passed.matches('\n').count();
        self.cursor.at += bytes;
    }

    /// Skips to the start of the next line, or to the end.
    pub fn skip_line(&mut self) {
        let rest = self.rest();
        self.pass(rest.find('\n').map_or(rest.len(), |end| end + 1));
    }

    /// Skips white space and escaped lines.
    fn skip_space(&mut self) {
        self.skip_white();
        while self.skip_escaped().is_some() {
            self.skip_white();
        }
    }

    /// Skips white space.
    pub fn skip_white(&mut self) {
        let rest = self.rest();
        self.pass(rest.len() - rest.trim_start_matches(is_space).len());
    }

    /// Skips an escaped line, which begins with `%`, and returns its range; `None` at any other
    /// text.
    pub fn skip_escaped(&mut self) -> Option<Range<usize>> {
        let begin = self.cursor.at;
        (self.rest().starts_with('%') && self.begins_line()).then(|| {
            self.skip_line();
            begin..self.cursor.at
        })
    }

    /// Reads a tag at its bracket. Skips the line of a malformed tag.
    fn tag(&mut self) -> Result<PgnToken, PgnError> {
        let line = self.cursor.line;
        match read_tag(self.near()) {
            Some((name, value, written, bytes)) => {
                let begin = self.cursor.at;
                self.pass(bytes);
                Ok(PgnToken::Tag(Tag {
                    name: name.to_string(),
                    value,
                    text: begin..self.cursor.at,
                    written: begin + written.start..begin + written.end,
                    line,
                }))
            }
            None => {
                self.skip_line();
                Err(PgnError::Tag(line))
            }
        }
    }

    /// Reads a comment at its opening brace.
    fn comment(&mut self) -> Result<PgnToken, PgnError> {
        let line = self.cursor.line;
        self.pass(1);
        let rest = self.rest();
        if self.cursor.brace < self.cursor.at {
            self.cursor.brace = self.cursor.at + rest.find('}').unwrap_or(rest.len());
        }
        let end = self.cursor.brace - self.cursor.at;
        let open = self.cursor.brace == self.text.len() || end > LARGEST_GAME;
        if open || self.holds_next_game(self.cursor.brace) {
            return Err(PgnError::Comment(line));
        }
        self.pass(end + 1);
        Ok(PgnToken::Comment(one_line(&rest[..end])))
    }

    /// Whether a tag after an empty line begins before an offset: it is not part of a comment. The
    /// line of the opening brace counts as empty if nothing follows the brace.
    fn holds_next_game(&mut self, end: usize) -> bool {
        let rest = self.rest();
        let comment = &rest[..end - self.cursor.at];
        let Some(second) = comment.find('\n').map(|end| end + 1) else { return false };
        if rest[..second].trim().is_empty() && begins_tag(&rest[second..]) {
            return true;
        }
        if self.cursor.next_game < self.cursor.at + second {
            self.cursor.next_game = self.cursor.at + second;
            let mut empty = false;
            for line in rest[second..].split_inclusive('\n') {
                if empty && begins_tag(line) {
                    break;
                }
                empty = line.trim().is_empty();
                self.cursor.next_game += line.len();
            }
        }
        self.cursor.next_game < end
    }

    /// Reads a numeric glyph at its dollar sign.
    fn nag(&mut self) -> Result<PgnToken, PgnError> {
        self.pass(1);
        let rest = self.near();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let nag = rest[..digits].parse().map_err(|_| PgnError::Nag(self.cursor.line));
        self.pass(digits);
        nag.map(PgnToken::Nag)
    }

    /// Reads a move, a move number, a mark or a result.
    fn word(&mut self) -> Result<PgnToken, PgnError> {
        let ends = |letter: char| is_space(letter) || "{}()[];$\"".contains(letter);
        let rest = self.near();
        if self.cursor.word_end <= self.cursor.at {
            self.cursor.word_end = self.cursor.at + rest.find(ends).unwrap_or(rest.len());
        }
        let word = rest.get(..self.cursor.word_end - self.cursor.at).unwrap_or(rest);
        let (token, bytes) = read_word(word);
        let line = self.cursor.line;
        self.pass(bytes);
        if bytes > LONGEST_WORD { Err(PgnError::Word(line)) } else { Ok(token) }
    }
}

impl Iterator for Lexer<'_> {
    /// A token and its line.
    type Item = Result<(PgnToken, usize), PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_space();
        self.token = self.cursor.at;
        let line = self.cursor.line;
        let letter = self.rest().chars().next()?;
        let token = match letter {
            '[' => self.tag(),
            '{' => self.comment(),
            '$' => self.nag(),
            ';' => {
                let rest = self.near();
                let comment = rest.lines().next().unwrap_or_default();
                self.pass(comment.len());
                Ok(PgnToken::Comment(one_line(&comment[1..])))
            }
            '(' | ')' => {
                self.pass(1);
                Ok(if letter == '(' { PgnToken::Open } else { PgnToken::Close })
            }
            ']' | '}' | '"' => {
                self.pass(1);
                Err(PgnError::Stray { line, letter })
            }
            _ => self.word(),
        };
        Some(token.map(|token| (token, line)))
    }
}

/// The first token of a non-empty word, and its length in bytes.
fn read_word(word: &str) -> (PgnToken, usize) {
    let marks = word.len() - word.trim_start_matches(MARKS).len();
    if marks > 0 {
        return (PgnToken::Nag(read_marks(&word[..marks])), marks);
    }
    let result = word.trim_end_matches(MARKS);
    if let Some(read) = GameResult::parse(result) {
        return (PgnToken::Result(read), result.len());
    }
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let points = word[digits..].len() - word[digits..].trim_start_matches('.').len();
    let number = digits + points;
    // The rest of the word is not searched first: it may consist of many numbers.
    if points > 0 {
        return (PgnToken::Number(word[..number].to_string()), number);
    }
    let text = word.trim_end_matches(MARKS);
    if digits > 0 && digits == text.len() {
        return (PgnToken::Number(text.to_string()), digits);
    }
    if word.len() > LONGEST_WORD {
        return (PgnToken::Move(text.to_string()), text.len());
    }
    if let Some(glyph) = glyphs::read(text) {
        return (glyph, text.len());
    }
    let text = &word[..glyphs::end_of_move(word)];
    (PgnToken::Move(text.to_string()), text.len())
}

/// The characters of marks that follow a move.
const MARKS: [char; 2] = ['!', '?'];

/// The glyph number of a mark such as `!?`.
fn read_marks(word: &str) -> u8 {
    let mut marks = word.chars();
    match (marks.next(), marks.next()) {
        (Some('!'), None) => 1,
        (_, None) => 2,
        (Some('!'), Some('!')) => 3,
        (_, Some('?')) if word.starts_with('?') => 4,
        (Some('!'), _) => 5,
        _ => 6,
    }
}

/// Parses the tag at the start of a text. Returns its name and value, the range of the value, and
/// the length of the tag in bytes; `None` if the tag is malformed.
fn read_tag(text: &str) -> Option<(&str, String, Range<usize>, usize)> {
    let rest = text.strip_prefix('[')?.trim_start_matches([' ', '\t']);
    let name = &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_')?];
    let rest = rest[name.len()..].trim_start_matches([' ', '\t']).strip_prefix('"')?;
    let mut value = String::new();
    let mut letters = rest.char_indices();
    let end = loop {
        match letters.next()? {
            (end, '"') => break end + 1,
            (_, letter) if ends_line(letter) => return None,
            (_, '\\') => {
                value.push(letters.next().map(|(_, letter)| letter).filter(|&c| !ends_line(c))?)
            }
            (_, letter) => value.push(letter),
        }
    };
    let after = rest[end..].trim_start_matches([' ', '\t']).strip_prefix(']')?;
    let begin = text.len() - rest.len();
    let written = begin..begin + end - '"'.len_utf8();
    (!name.is_empty()).then_some((name, value, written, text.len() - after.len()))
}

/// Whether a character separates tokens. Files that begin with a byte order mark may have been
/// joined.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || letter == BYTE_ORDER_MARK
}

fn ends_line(letter: char) -> bool {
    matches!(letter, '\n' | '\r')
}

/// Whether a line begins with a tag, which may be malformed further on.
fn begins_tag(line: &str) -> bool {
    let Some(rest) = line.trim_start_matches([BYTE_ORDER_MARK, ' ', '\t']).strip_prefix('[') else {
        return false;
    };
    let rest = rest.trim_start_matches([' ', '\t']);
    let after = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    let space = after.trim_start_matches([' ', '\t']);
    after.len() < rest.len() && space.len() < after.len() && space.starts_with('"')
}

/// The words of a text, separated by single spaces.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::games::Games;

    fn lexer(text: &str) -> Lexer<'_> {
        Lexer::new(text, Cursor::new(1, true))
    }

    fn tokens(text: &str) -> Vec<Result<(PgnToken, usize), PgnError>> {
        lexer(text).collect()
    }

    fn word(text: &str, line: usize) -> Result<(PgnToken, usize), PgnError> {
        Ok((PgnToken::Move(text.to_string()), line))
    }

    fn number(text: &str, line: usize) -> Result<(PgnToken, usize), PgnError> {
        Ok((PgnToken::Number(text.to_string()), line))
    }

    #[test]
    fn moves_numbers_marks_and_results_are_told_apart() {
        let nag = |nag, line| Ok((PgnToken::Nag(nag), line));
        assert_eq!(
            tokens("1.Nd2 e5!?\n2 ... Kd7 $14 3...Qe2= 1/2-1/2"),
            [
                number("1.", 1),
                word("Nd2", 1),
                word("e5", 1),
                nag(5, 1),
                number("2", 2),
                number("...", 2),
                word("Kd7", 2),
                nag(14, 2),
                number("3...", 2),
                word("Qe2=", 2),
                Ok((PgnToken::Result(GameResult::Draw), 2)),
            ]
        );
        for (text, value) in [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)] {
            assert_eq!(tokens(text), [nag(value, 1)], "{text}");
        }
        for (text, result) in [
            ("1-0", GameResult::White),
            ("1:0", GameResult::White),
            ("0:1", GameResult::Black),
            ("0\u{2013}1", GameResult::Black),
            ("0.5-0.5", GameResult::Draw),
            ("0,5:0,5", GameResult::Draw),
            ("\u{bd}-\u{bd}", GameResult::Draw),
            ("\u{f7bd}-\u{f7bd}", GameResult::Draw),
            ("1/2:1/2", GameResult::Draw),
            ("\u{bd}", GameResult::Draw),
            ("*", GameResult::Unknown),
        ] {
            assert_eq!(tokens(text), [Ok((PgnToken::Result(result), 1))], "{text}");
        }
        assert_eq!(
            tokens("Sd3+- N e.p.! Ra2#1-0"),
            [
                word("Sd3", 1),
                nag(18, 1),
                nag(146, 1),
                Ok((PgnToken::Mark, 1)),
                nag(1, 1),
                word("Ra2#", 1),
                Ok((PgnToken::Result(GameResult::White), 1)),
            ]
        );
        assert_eq!(tokens("0-0"), [word("0-0", 1)]);
        assert_eq!(tokens("7!"), [number("7", 1), nag(1, 1)]);
    }

    #[test]
    fn comments_variations_and_escaped_lines() {
        let comment = |text: &str, line| Ok((PgnToken::Comment(text.to_string()), line));
        assert_eq!(
            tokens("% not this\n{two\n  lines} (e4;rest {\n) %e5\n% nor this"),
            [
                comment("two lines", 2),
                Ok((PgnToken::Open, 3)),
                word("e4", 3),
                comment("rest {", 3),
                Ok((PgnToken::Close, 4)),
                word("%e5", 4),
            ]
        );
    }

    #[test]
    fn tags_with_escapes() {
        let tag = |name: &str, value: &str, line| (name.to_string(), value.to_string(), line);
        let text = "[White \"A \\\"B\\\" \\\\C\"]\r\n[ Round  \"1\" ] [X \"\"]";
        let tags: Vec<Tag> = tokens(text)
            .into_iter()
            .map(|token| match token {
                Ok((PgnToken::Tag(tag), _)) => tag,
                other => panic!("{other:?}"),
            })
            .collect();
        let read = tags.iter().map(|tag| (tag.name.clone(), tag.value.clone(), tag.line));
        let expected = [tag("White", "A \"B\" \\C", 1), tag("Round", "1", 2), tag("X", "", 2)];
        assert_eq!(read.collect::<Vec<_>>(), expected);
        let written: Vec<&str> = tags.iter().map(|tag| &text[tag.written.clone()]).collect();
        assert_eq!(written, ["A \\\"B\\\" \\\\C", "1", ""]);
        assert_eq!(&text[tags[1].text.clone()], "[ Round  \"1\" ]");
        for text in [
            "[White \"A]",
            "[White \"A\n\"]",
            "[White \"A\\\n\"]",
            "[White A]",
            "[\"A\"]",
            "[White \"A\"",
            "[",
        ] {
            assert_eq!(tokens(text)[0], Err(PgnError::Tag(1)), "{text}");
        }
    }

    #[test]
    fn what_is_broken_is_named_by_its_line() {
        for (text, error) in [
            ("\n{open", PgnError::Comment(2)),
            ("{open\n\n[White \"A\"]\n\n1. e4 {x}", PgnError::Comment(1)),
            ("$x", PgnError::Nag(1)),
            ("$256", PgnError::Nag(1)),
            (&format!("e4 {} e5", "x".repeat(256)), PgnError::Word(1)),
            ("\n\n}", PgnError::Stray { line: 3, letter: '}' }),
        ] {
            let first = lexer(text).find_map(Result::err);
            assert_eq!(first, Some(error), "{text}");
        }
    }

    /// Texts with parts that were searched to the end again and again: 4 MB took minutes.
    #[test]
    fn hostile_texts_are_read_in_one_pass() {
        for (part, end) in [
            ("[A \"b\"]\n{\n", ""),
            ("[A \"b\"]\n{x\n", "\n[A \"b\"]\n}"),
            ("[A \"b\"]\n{x\n\n", "}"),
            ("1.", "!"),
            ("[A \"\\\n", ""),
            ("!?", ""),
            ("{}", ""),
            ("{}* ", ""),
            ("(", ""),
            (")\n", ""),
        ] {
            let text = part.repeat(4_000_000 / part.len()) + end;
            let start = std::time::Instant::now();
            let games = Games::of(&text).count();
            let elapsed = start.elapsed();
            assert!(games > 0 && elapsed.as_secs() < 20, "{part:?}: {elapsed:?}");
        }
    }

    #[test]
    fn after_an_error_the_next_tag_is_found() {
        let mut lexer = lexer("1. e4 {open [x \"y\"]\n [%clk \"1\"]\n  [White \"A\"]");
        assert!(lexer.by_ref().any(|token| token.is_err()));
        lexer.skip_to_tag();
        assert!(matches!(lexer.next(), Some(Ok((PgnToken::Tag(_), 3)))));
        lexer.skip_to_tag();
        assert_eq!(lexer.next(), None);
    }
}
