//! Parses one game after another.

use crate::pgn::game::{Note, PgnGame, WrittenMove};
use crate::pgn::lexer::{Bookmark, Cursor, LARGEST_GAME, Lexer, MOST_MOVES, PgnError};
use crate::pgn::token::PgnToken;
use std::ops::ControlFlow;

/// Iterates over the games of a text in memory; see [`PgnReader`](super::PgnReader) for files.
///
/// An error ends its game, see [`PgnGame::broken`]; parsing resumes at the next line that begins
/// with a tag.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    lexer: Lexer<'a>,
}

impl<'a> Games<'a> {
    /// The games of a text.
    pub fn of(text: &'a str) -> Games<'a> {
        Games::from_line(text, 1)
    }

    /// The games of a text that begins on this line of a file.
    pub fn from_line(text: &'a str, line: usize) -> Games<'a> {
        Games { lexer: Lexer::new(text, Cursor::new(line, true)) }
    }
}

impl Iterator for Games<'_> {
    type Item = PgnGame;

    fn next(&mut self) -> Option<PgnGame> {
        self.lexer.skip_white();
        while self.lexer.skip_escaped().is_some() {
            self.lexer.skip_white();
        }
        next_game(&mut self.lexer)
    }
}

/// Parses the game that begins here; `None` at the end of the text. The lexer is at its end
/// afterwards.
pub(super) fn next_game(lexer: &mut Lexer<'_>) -> Option<PgnGame> {
    let begin = lexer.bookmark();
    let mut parser =
        GameParser { lexer, begin, end: begin, game: None, open: Vec::new(), is_numbered: false };
    let is_too_large = loop {
        if let ControlFlow::Break(is_too_large) = parser.step() {
            break is_too_large;
        }
    };
    parser.finish(is_too_large)
}

/// A parser of one game.
struct GameParser<'l, 'a> {
    lexer: &'l mut Lexer<'a>,
    begin: Bookmark,
    /// The end of the last token of the game.
    end: Bookmark,
    game: Option<PgnGame>,
    /// The lines on which open variations began.
    open: Vec<usize>,
    /// Whether a number precedes the next move.
    is_numbered: bool,
}

impl GameParser<'_, '_> {
    fn is_too_large(&self) -> bool {
        self.end.at - self.begin.at > LARGEST_GAME
    }

    /// Parses a token. Breaks at the end of the game: with true if the game is too large.
    fn step(&mut self) -> ControlFlow<bool> {
        let next = self.lexer.next();
        let at = self.lexer.token;
        if at - self.begin.at > LARGEST_GAME {
            return ControlFlow::Break(true);
        }
        let (token, line) = match next {
            None => return ControlFlow::Break(false),
            Some(Ok(next)) => next,
            Some(Err(error)) => return self.add_error(error),
        };
        let has_begun = self.game.as_ref().is_some_and(|game| {
            !game.moves.is_empty() || !game.before.is_empty() || !self.open.is_empty()
        });
        if matches!(token, PgnToken::Tag(_)) && has_begun {
            return ControlFlow::Break(false);
        }
        self.end = self.lexer.bookmark();
        match self.is_too_large() {
            true => ControlFlow::Break(true),
            false => self.add(token, line, at),
        }
    }

    /// Adds an error. It ends the game, unless the game still has tags only.
    fn add_error(&mut self, error: PgnError) -> ControlFlow<bool> {
        let game = self.game.get_or_insert_with(|| PgnGame::new(error.line()));
        let among_tags = matches!(error, PgnError::Tag(_)) && game.moves.is_empty();
        game.broken.get_or_insert(error);
        if !among_tags {
            self.lexer.skip_to_tag();
        }
        self.end = self.lexer.bookmark();
        match among_tags && !self.is_too_large() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(self.is_too_large()),
        }
    }

    /// Adds a token, which begins at an offset on a line.
    fn add(&mut self, token: PgnToken, line: usize, at: usize) -> ControlFlow<bool> {
        let game = self.game.get_or_insert_with(|| PgnGame::new(line));
        // A number before a tag is not among the moves.
        game.movetext = match token {
            PgnToken::Tag(_) => None,
            _ => game.movetext.or(Some(at)),
        };
        match token {
            PgnToken::Tag(tag) => game.tags.push(tag),
            PgnToken::Number(_) if self.open.is_empty() => self.is_numbered = true,
            PgnToken::Move(_) if self.open.is_empty() && game.moves.len() == MOST_MOVES => {
                return ControlFlow::Break(true);
            }
            PgnToken::Move(text) if self.open.is_empty() => {
                let numbered = std::mem::take(&mut self.is_numbered);
                game.moves.push(WrittenMove { text, line, at, numbered, after: Vec::new() });
            }
            PgnToken::Result(result) if self.open.is_empty() => {
                (game.result, game.result_text) = (Some(result), Some(at..self.end.at));
                self.end = comments_after(self.lexer, game, self.begin);
                return ControlFlow::Break(false);
            }
            PgnToken::Close if self.open.is_empty() => {
                game.broken.get_or_insert(PgnError::Unopened(line));
                self.lexer.skip_to_tag();
                self.end = self.lexer.bookmark();
                return ControlFlow::Break(self.is_too_large());
            }
            token => {
                match token {
                    PgnToken::Open => self.open.push(line),
                    PgnToken::Close => drop(self.open.pop()),
                    _ => {}
                }
                game.push_note(Note { token, text: at..self.end.at });
            }
        }
        ControlFlow::Continue(())
    }

    /// The game, or its tags with an error if it is too large.
    fn finish(self, is_too_large: bool) -> Option<PgnGame> {
        let GameParser { lexer, begin, mut end, game, open, .. } = self;
        lexer.go_back(end);
        if is_too_large {
            lexer.skip_to_tag();
            end = lexer.bookmark();
            // The tags name the game.
            let tags = game.map(|game| game.tags).unwrap_or_default();
            let broken = Some(PgnError::Size(begin.line));
            let text = begin.at..end.at;
            return Some(PgnGame { tags, broken, text, ..PgnGame::new(begin.line) });
        }
        let mut game = game?;
        game.text = begin.at..end.at;
        if let Some(&line) = open.last() {
            game.broken.get_or_insert(PgnError::Variation(line));
        }
        Some(game)
    }
}

/// Adds the comments after the result, as in `1-0 {White resigns}`, to a game that began at
/// `begin`. The comments end at an empty line. Returns the end of the last comment.
fn comments_after(lexer: &mut Lexer<'_>, game: &mut PgnGame, begin: Bookmark) -> Bookmark {
    loop {
        let end = lexer.bookmark();
        let next = lexer.next();
        let follows = lexer.token - end.at <= LARGEST_GAME && !lexer.has_empty_line(end);
        match next {
            Some(Ok((token @ (PgnToken::Comment(_) | PgnToken::Nag(_)), _)))
                if follows && lexer.bookmark().at - begin.at <= LARGEST_GAME =>
            {
                let text = lexer.token..lexer.bookmark().at;
                game.push_note(Note { token, text });
            }
            _ => return end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::token::GameResult;
    use proptest::prelude::*;

    fn games(text: &str) -> Vec<PgnGame> {
        Games::of(text).collect()
    }

    fn tokens(notes: &[Note]) -> Vec<PgnToken> {
        notes.iter().map(|note| note.token.clone()).collect()
    }

    fn moves(game: &PgnGame) -> Vec<&str> {
        game.moves.iter().map(|mv| &*mv.text).collect()
    }

    #[test]
    fn a_game_with_every_kind_of_token() {
        let text = "[White \"A\"]\n[Black \"?\"]\n\n{before} 1. e4! (1. d4 {no} (1. c4 1-0) d5) e5\n\
                    ; rest\n2. Nd2 $1 1-0\n";
        let [game] = &games(text)[..] else { panic!() };
        assert_eq!((game.line, game.known("White"), game.known("Black")), (1, Some("A"), None));
        assert_eq!(moves(game), ["e4", "e5", "Nd2"]);
        assert_eq!((game.moves[0].line, game.moves[2].line), (4, 6));
        assert_eq!(tokens(&game.before), [PgnToken::Comment("before".to_string())]);
        let [PgnToken::Nag(1), PgnToken::Open, .., PgnToken::Close] =
            &tokens(&game.moves[0].after)[..]
        else {
            panic!("{:?}", game.moves[0].after)
        };
        assert_eq!((game.result(), &game.broken), (GameResult::White, &None));
    }

    #[test]
    fn a_game_knows_its_text() {
        let text = "% no\n[White \"A\"]\n1. e4 {x\n\n [White \"B\"]\n{y} 1. d4 d5 \
                    [White \"C\"] 1. c4 * 1. a4";
        let games = games(text);
        let texts: Vec<&str> = games.iter().map(|game| &text[game.text.clone()]).collect();
        let texts: Vec<&str> = texts.into_iter().map(str::trim_end).collect();
        let expected = [
            "[White \"A\"]\n1. e4 {x",
            "[White \"B\"]\n{y} 1. d4 d5",
            "[White \"C\"] 1. c4 *",
            "1. a4",
        ];
        assert_eq!(texts, expected);
        assert!(text[games[1].moves[1].at..].starts_with("d5"));
    }

    #[test]
    fn games_follow_with_and_without_results_and_tags() {
        let text = "1. e4 e5 1-0 1. d4 * [Result \"0-1\"] 1. c4\n[White \"A\"]\n[Black \"B\"]\n";
        let games = games(text);
        let all: Vec<Vec<&str>> = games.iter().map(moves).collect();
        assert_eq!(all, [&["e4", "e5"][..], &["d4"], &["c4"], &[]]);
        assert_eq!(games[2].result(), GameResult::Black);
        assert_eq!(games[3].tags.len(), 2);
        assert!(Games::of(" \n% x\n").next().is_none());
    }

    #[test]
    fn a_comment_after_the_result_belongs_to_its_game() {
        let text =
            "1. e4 1-0 {Black resigns} ; so\n\n{next} 1. d4 * {\n1. c4 0-1\n{lost}\n[A \"b\"]";
        let games = games(text);
        let comment = |text: &str| PgnToken::Comment(text.to_string());
        let after: Vec<_> = games.iter().map(|game| (tokens(&game.before), moves(game))).collect();
        assert_eq!(after[0], (vec![], vec!["e4"]));
        assert_eq!(tokens(&games[0].moves[0].after), [comment("Black resigns"), comment("so")]);
        assert_eq!(after[1], (vec![comment("next")], vec!["d4"]));
        assert_eq!(games.len(), 3, "{games:?}");
        assert_eq!(tokens(&games[1].moves[0].after), [comment("1. c4 0-1 {lost")]);
        assert_eq!(games[2].tags.len(), 1);
    }

    #[test]
    fn brackets_in_a_comment_are_a_tag_only_with_a_name_and_a_value() {
        for comment in ["x\n\n[a]\n", "x\n\n[a b]\n", "x\n\n[\"a\"]\n", "\n[a\n"] {
            let text = format!("1. e4 {{{comment}}} e5 *");
            let games = games(&text);
            assert_eq!((games.len(), &games[0].broken), (1, &None), "{text}");
            assert_eq!(moves(&games[0]), ["e4", "e5"], "{text}");
        }
        let games = games("1. e4 {  \n[White \"A\"]\n1. d4 *\n}");
        assert_eq!((games.len(), &games[0].broken), (3, &Some(PgnError::Comment(1))));
        assert_eq!(moves(&games[1]), ["d4"]);
    }

    #[test]
    fn the_next_game_is_read_whatever_is_wrong_with_this() {
        let next = "\n\n[White \"A\"]\n\n1. c4 *";
        for (broken, error, read) in [
            ("1. e4 {x", PgnError::Comment(1), 1),
            ("1. e4 (1. d4 d5", PgnError::Variation(1), 1),
            ("1. e4 ) e5", PgnError::Unopened(1), 1),
            ("1. e4 e5 ] d4", PgnError::Stray { line: 1, letter: ']' }, 2),
            ("1. e4 [x e5", PgnError::Tag(1), 1),
            ("1. e4 [x\ne5", PgnError::Tag(1), 1),
            ("[White \"A]\n[Black \"B\"]\n1. e4 *", PgnError::Tag(1), 1),
            ("[White A]", PgnError::Tag(1), 0),
        ] {
            let text = format!("{broken}{next}");
            let games = games(&text);
            // Tags alone belong to the next moves.
            let expected = if read == 0 { 1 } else { 2 };
            assert_eq!(games.len(), expected, "{text}: {games:?}");
            assert_eq!(games[0].broken, Some(error), "{text}");
            assert_eq!(moves(&games[expected - 1]), ["c4"], "{text}");
            if read > 0 {
                assert_eq!((games[0].moves.len(), &games[1].broken), (read, &None), "{text}");
            }
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_game() {
        let text = "\u{feff}[White \"A\"]\n1. e4 *\u{feff}[White \"B\"]\n1. d4 {x\n\n\u{feff}[White \"C\"]\n\
                    1. c4 *\n\u{feff}% no\n\u{feff}";
        let games = games(text);
        let tags: Vec<_> = games.iter().map(|game| game.known("White").unwrap()).collect();
        let moves: Vec<_> = games.iter().map(moves).collect();
        assert_eq!((tags, moves), (vec!["A", "B", "C"], vec![vec!["e4"], vec!["d4"], vec!["c4"]]));
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end_and_every_token_has_its_place(
            text in "([\\[\\]{}();$\"%.0-9a-hKRNSMx=+#!?*/\u{e9}\\-]| |\n|\\[A \"b\"\\]\n|1-0 ){0,60}"
        ) {
            let mut end = 0;
            for game in games(&text) {
                prop_assert!(end <= game.text.start && game.text.end <= text.len());
                end = game.text.start;
                let tags = game.tags.iter().map(|tag| tag.text.clone());
                let notes = |notes: &[Note]| notes.iter().map(|note| note.text.clone()).collect();
                let before: Vec<_> = notes(&game.before);
                let moves = game.moves.iter().flat_map(|mv| {
                    let after: Vec<_> = notes(&mv.after);
                    std::iter::once(mv.at..mv.end()).chain(after)
                });
                for token in tags.chain(before).chain(moves) {
                    prop_assert!(end <= token.start && token.end <= game.text.end, "{:?}", game);
                    end = token.end;
                }
                for mv in &game.moves {
                    prop_assert_eq!(&text[mv.at..mv.end()], &mv.text);
                }
                end = game.text.end;
            }
        }
    }
}
