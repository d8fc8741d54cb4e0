//! The comments of this program, marked so that a game that is annotated again has them once.
//!
//! ```text
//! {Sakmak: Wins in 15}          a move without a sign of this program
//! $4 {Sakmak: ?? Draws}         a move with a sign: the mark before the comment is its NAG
//! ```
//!
//! A sign that was in the file is not repeated in the comment.

use crate::cli::capitalised;
use crate::cli::check::splice::Splice;
use crate::cli::check::words::Sign;
use sakmak_games::pgn::{Note, PgnGame, PgnToken, is_blank};
use std::ops::Range;

/// The start of the program's comments.
const MARK: &str = "Sakmak: ";
/// The start of the program's name in tags.
const NAME: &str = "sakmak ";
/// The separator of names in tags.
const BETWEEN: &str = "; ";

/// The comment with these parts, and with the sign of its move.
pub fn comment(sign: Option<Sign>, parts: &[String]) -> String {
    let sign = sign.map_or(String::new(), |sign| format!("{} ", sign.text()));
    // A brace would end the comment.
    let parts = parts.join("; ").replace('}', ")");
    format!("{{{MARK}{sign}{}.}}", capitalised(&parts))
}

/// The text of a game without the comments of this program and their signs.
pub fn without(game: &PgnGame, text: &str) -> String {
    let begin = game.text.start;
    let whole = text.get(game.text.clone()).unwrap_or_default();
    let mut splice = Splice::new(whole);
    let mut remove = |part: Range<usize>| splice.remove(part.start - begin..part.end - begin);
    for part in comments(&game.before) {
        remove(part.start..end_of_line(text, part.end));
    }
    for written in &game.moves {
        for part in comments(&written.after) {
            let notes = written.after.iter().take_while(|note| note.text.end <= part.start);
            let before = notes.last().map_or(written.end(), |note| note.text.end);
            let is_apart = text[before..part.start].contains(|letter| !is_blank(letter));
            let follows_line = written
                .after
                .iter()
                .any(|note| note.text.end == before && text[note.text.clone()].starts_with(';'));
            // The blanks before a comment were put there with it, unless something else is there.
            remove(if is_apart || follows_line { part } else { before..part.end });
        }
    }
    splice.finish()
}

/// The end of the line break or blank at an offset, which was put there after a comment before the
/// moves. It stays before a percent sign, whose line could become an escaped one or cease to be it.
fn end_of_line(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let breaks = ["\r\n", "\n", " "].into_iter().find(|gap| rest.starts_with(gap));
    let end = at + breaks.map_or(0, str::len);
    if text[end..].starts_with('%') { at } else { end }
}

/// The parts of the text with comments of this program and their signs among some notes.
fn comments(notes: &[Note]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut last: Option<&Note> = None;
    // Notes in variations are left alone.
    let mut depth = 0_usize;
    for note in notes {
        match note.token {
            PgnToken::Open => depth += 1,
            PgnToken::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ours = match &note.token {
            PgnToken::Comment(comment) if depth == 0 => comment.strip_prefix(MARK.trim_end()),
            _ => None,
        };
        if let Some(ours) = ours {
            let first = ours.split_whitespace().next();
            let sign = Sign::ALL.into_iter().find(|sign| first == Some(sign.text()));
            let nag = sign.map(|sign| PgnToken::Nag(sign.nag()));
            let nag = last.filter(|last| Some(&last.token) == nag.as_ref());
            parts.push(nag.unwrap_or(note).text.start..note.text.end);
        }
        last = Some(note).filter(|_| ours.is_none());
    }
    parts
}

/// The value of the Annotator tag as it is written: the other annotators, then this program.
pub fn annotators(before: &str) -> String {
    let others = before.split(BETWEEN);
    let others = others.filter(|name| !name.trim().is_empty() && !name.starts_with(NAME));
    let ours = format!("{NAME}{}", env!("CARGO_PKG_VERSION"));
    others.map(str::to_string).chain([ours]).collect::<Vec<_>>().join(BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_games::pgn::Games;

    #[test]
    fn own_comments_go_and_others_stay() {
        let parts = ["draws".to_string(), "Kc3 wins".to_string()];
        let [ours, signed] = [None, Some(Sign::Blunder)].map(|sign| comment(sign, &parts));
        assert_eq!(ours, "{Sakmak: Draws; Kc3 wins.}");
        assert_eq!(signed, "{Sakmak: ?? Draws; Kc3 wins.}");
        for (notes, kept) in [
            (format!("e4 $4 {ours} {{x}} *"), "e4 $4 {x} *"),
            (format!("e4! $4\n{signed} e5 *"), "e4! e5 *"),
            (format!("e4 $2 {signed} {ours} *"), "e4 $2 *"),
            (format!("e4 ({ours}) *"), &*format!("e4 ({ours}) *")),
            (format!("e4{ours}e5 *"), "e4 e5 *"),
            (format!("e4 ;x\n{ours} e5 *"), "e4 ;x\n e5 *"),
            (format!("e4\n% x\n{ours}\n% y\n e5 *"), "e4\n% x\n\n% y\n e5 *"),
            (format!("e4 1-0 {ours}"), "e4 1-0 "),
            (format!("[A \"b\"]\n\n{ours}\ne4 *"), "[A \"b\"]\n\ne4 *"),
            (format!("{{x}} {ours}\n% y\ne4 *"), "{x} \n% y\ne4 *"),
        ] {
            let text = format!("\n {notes}");
            let game = Games::of(&text).next().unwrap();
            assert_eq!(without(&game, &text), kept, "{notes}");
        }
    }

    #[test]
    fn annotators_are_named_once() {
        let ours = annotators("");
        assert!(ours.starts_with(NAME));
        assert_eq!(annotators(&ours), ours);
        let both = annotators("A. Nonymous");
        assert_eq!(both, format!("A. Nonymous; {ours}"));
        assert_eq!(annotators(&both), both);
    }
}
