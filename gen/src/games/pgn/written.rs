//! Writes a game in the export format of PGN.

use crate::games::pgn::game::PgnGame;
use crate::games::pgn::token::{PgnToken, Tag};
use sakmak_tables::rules::piece::Side;

/// The most characters in a line, unless a word is longer.
const COLUMNS: usize = 79;

/// The text of a game, with an empty line at its end. The first move has this number and side.
pub fn written(game: &PgnGame, number: u32, side: Side) -> String {
    let mut text: String = game.tags.iter().map(tag).collect();
    if !text.is_empty() {
        text.push('\n');
    }
    let mut lines = LineBreaker::default();
    lines.notes(&game.before);
    let (mut number, mut side) = (number, side);
    // A move of Black has its number at the start and after a comment or a variation.
    let mut numbered = true;
    for mv in &game.moves {
        match side {
            Side::White => lines.word(&format!("{number}.")),
            Side::Black if numbered => lines.word(&format!("{number}...")),
            Side::Black => {}
        }
        lines.word(&mv.text);
        lines.notes(&mv.after);
        numbered = mv.after.iter().any(|note| !matches!(note, PgnToken::Nag(_)));
        number = number.saturating_add(u32::from(side == Side::Black));
        side = !side;
    }
    lines.word(&game.result().to_string());
    text + &lines.text + "\n\n"
}

fn tag(tag: &Tag) -> String {
    // A tag is one line.
    let value = tag.value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{} \"{value}\"]\n", tag.name)
}

/// Breaks words into lines.
#[derive(Default)]
struct LineBreaker {
    text: String,
    /// The length of the last line in characters.
    column: usize,
    /// Whether the next word follows without a space.
    joined: bool,
}

impl LineBreaker {
    fn word(&mut self, word: &str) {
        let letters = word.chars().count();
        // A line that begins with a percent sign is an escaped line.
        let fits = self.column + 1 + letters <= COLUMNS || word.starts_with('%');
        if self.column > 0 && !self.joined {
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text += word;
        self.column += letters;
        self.joined = false;
    }

    fn notes(&mut self, notes: &[PgnToken]) {
        for note in notes {
            match note {
                PgnToken::Comment(comment) => self.comment(comment),
                PgnToken::Nag(nag) => self.word(&format!("${nag}")),
                PgnToken::Open => {
                    self.word("(");
                    self.joined = true;
                }
                PgnToken::Close => {
                    self.joined = true;
                    self.word(")");
                }
                PgnToken::Number(text) | PgnToken::Move(text) => self.word(text),
                PgnToken::Result(result) => self.word(&result.to_string()),
                PgnToken::Tag(_) => {}
            }
        }
    }

    fn comment(&mut self, comment: &str) {
        // A brace would end the comment; a comment after ';' may contain one.
        let comment = comment.replace('}', ")");
        let comment = format!("{{{comment}}}");
        comment.split_whitespace().for_each(|word| self.word(word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pgn::games::Games;
    use proptest::prelude::*;

    fn only(text: &str) -> PgnGame {
        let mut games = Games::of(text);
        let game = games.next().unwrap();
        assert!(games.next().is_none() && game.broken.is_none(), "{text}");
        game
    }

    /// The game without its positions in the file.
    fn essence(mut game: PgnGame) -> PgnGame {
        (game.line, game.text) = (0, 0..0);
        game.tags.iter_mut().for_each(|tag| tag.line = 0);
        game.moves.iter_mut().for_each(|mv| (mv.line, mv.at) = (0, 0));
        game
    }

    #[test]
    fn what_was_written_is_read_again() {
        for text in [
            "[White \"A \\\"B\\\" \\\\\"]\n\n{x} e4 $4 {why} (d4 d5 (c5 {so}) $2) e5 ; } not so\n Nd2 1-0",
            "e4 e5 d4 d5 {100 %} *",
            "0-1",
            &format!("e4 {{{}}} e5 1/2-1/2", "% word ".repeat(40)),
        ] {
            let game = only(text);
            let out = written(&game, 7, Side::Black);
            let again = only(&out);
            let mut game = essence(game);
            if let Some(PgnToken::Comment(comment)) =
                game.moves.get_mut(1).and_then(|mv| mv.after.first_mut())
            {
                *comment = comment.replace('}', ")");
            }
            assert_eq!(essence(again), game, "{out}");
            assert!(out.lines().all(|line| line.chars().count() <= COLUMNS + 2), "{out}");
        }
    }

    proptest! {
        #[test]
        fn any_tag_and_comment_is_read_again(
            value in "(\\PC|[\\[\\]{}\"\\\\%;\n\r \u{85}\u{feff}\u{1b}]|\n\n\\[A \"b\"\\]\n){0,40}",
            comment in "(\\PC|[\\[\\]{}\"\\\\%;\n\r \u{85}\u{feff}\u{1b}]|\n\n\\[A \"b\"\\]\n){0,40}"
        ) {
            let mut game = PgnGame::new(1);
            game.tags = vec![Tag { name: "White".to_string(), value: value.clone(), line: 1 }];
            game.before = vec![PgnToken::Comment(comment.clone())];
            let again = only(&written(&game, 1, Side::White));
            prop_assert_eq!(&again.tags[0].value, &value.replace(['\n', '\r'], " "));
            let words: Vec<_> = comment.split_whitespace().collect();
            let comment = words.join(" ").replace('}', ")");
            prop_assert_eq!(again.before, [PgnToken::Comment(comment)]);
        }
    }

    #[test]
    fn moves_have_the_numbers_they_need() {
        let out = written(&only("e4 e5 {x} d4 d5 $1 c4 *"), 12, Side::Black);
        assert_eq!(out, "12... e4 13. e5 {x} 13... d4 14. d5 $1 c4 *\n\n");
        let out = written(&only("{x} e4 (d4 ()) e5 *"), 1, Side::White);
        assert_eq!(out, "{x} 1. e4 (d4 ()) 1... e5 *\n\n");
    }
}
