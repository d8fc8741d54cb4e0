//! The comments of this program, marked so that a game that is annotated again has them once.
//!
//! ```text
//! {Sakmak: Wins in 15}          a move without a sign of this program
//! $4 {Sakmak: ?? Draws}         a move with a sign: the mark before the comment is its NAG
//! ```
//!
//! A sign that was in the file is not repeated in the comment. Other marks and comments are the
//! author's: `{Sakmak:}`, `;Sakmak: x`, and a NAG that is not directly before such a comment.

use crate::cli::capitalised;
use crate::cli::check::splice::Splice;
use crate::cli::check::words::Sign;
use sakmak_pgn::pgn::{Note, PgnGame, PgnToken, is_blank};
use std::ops::Range;

/// The start of the program's comments.
const MARK: &str = "Sakmak: ";
/// The start of the program's name in tags.
const NAME: &str = "sakmak ";
/// The separator of names in tags.
const BETWEEN: &str = "; ";

/// Returns the comment with these parts, and with the sign of its move.
pub fn comment(sign: Option<Sign>, parts: &[String]) -> String {
    let sign = sign.map_or(String::new(), |sign| format!("{} ", sign.text()));
    // A brace would end the comment.
    let parts = parts.join("; ").replace('}', ")");
    format!("{{{MARK}{sign}{}.}}", capitalised(&parts))
}

/// Returns the text of a game without the comments of this program and their marks. The result may
/// not parse as the same game if only such a comment separated two parts of the text.
pub fn without(game: &PgnGame, whole: &str) -> String {
    let begin = game.text.start;
    let within = |range: &Range<usize>| range.start - begin..range.end - begin;
    let mut splice = Splice::new(whole);
    for part in own_parts(&game.before, begin, whole) {
        let part = within(&part);
        splice.remove(part.start..end_of_line(whole, part.end));
    }
    for written in &game.moves {
        for part in own_parts(&written.after, begin, whole) {
            let notes = written.after.iter().take_while(|note| note.text.end <= part.start);
            let last = notes.last().map(|note| within(&note.text));
            let follows_line =
                last.as_ref().is_some_and(|last| whole[last.clone()].starts_with(';'));
            let after_result = game.result_text.as_ref().filter(|text| text.end <= part.start);
            let before = last.map_or(written.end() - begin, |last| last.end);
            let before = after_result.map_or(before, |text| before.max(text.end - begin));
            let part = within(&part);
            let is_apart = !whole[before..part.start].chars().all(is_blank);
            // The blanks before a comment were put there with it, unless something else is there.
            splice.remove(if is_apart || follows_line { part } else { before..part.end });
        }
    }
    splice.finish()
}

/// Returns the end of the line break or blank at an offset, which was put there after a comment
/// before the moves. The line break stays before a percent sign, because the line of the sign could
/// become an escaped line, or cease to be one.
fn end_of_line(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let gap = ["\r\n", "\n", " "].into_iter().find(|gap| rest.starts_with(gap)).unwrap_or_default();
    if rest[gap.len()..].starts_with('%') { at } else { at + gap.len() }
}

/// Returns the comments of this program and their marks among some notes, whose game has this text
/// and begins at `begin`.
fn own_parts(notes: &[Note], begin: usize, whole: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut last: Option<&Note> = None;
    // Notes in variations are left alone.
    let mut depth = 0_usize;
    let text = |range: Range<usize>| whole.get(range.start - begin..range.end - begin);
    for note in notes {
        match note.token {
            PgnToken::Open => depth += 1,
            PgnToken::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_braced = text(note.text.clone()).is_some_and(|text| text.starts_with('{'));
        let ours = match &note.token {
            PgnToken::Comment(comment) if depth == 0 && is_braced => comment.strip_prefix(MARK),
            _ => None,
        };
        if let Some(ours) = ours {
            let first = ours.split_whitespace().next();
            let sign = Sign::ALL.into_iter().find(|sign| first == Some(sign.text()));
            // Only a mark directly before the comment is a mark of this program.
            let mark = last.filter(|last| {
                let mark = sign.map(|sign| format!("${}", sign.nag()));
                let gap = text(last.text.end..note.text.start).unwrap_or_default();
                let is_mark = text(last.text.clone()) == mark.as_deref();
                is_mark && !gap.is_empty() && gap.chars().all(is_blank)
            });
            parts.extend(mark.map(|mark| mark.text.clone()));
            parts.push(note.text.clone());
        }
        last = Some(note).filter(|_| ours.is_none());
    }
    parts
}

/// Returns the value of the Annotator tag as it is written: the other annotators, then this
/// program.
pub fn annotators(before: &str) -> String {
    let others = before.split(BETWEEN);
    let others = others.filter(|name| !name.trim().is_empty() && !name.starts_with(NAME));
    let ours = format!("{NAME}{}", env!("CARGO_PKG_VERSION"));
    others.map(str::to_string).chain([ours]).collect::<Vec<_>>().join(BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_pgn::pgn::Games;

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
            (format!("e4 1-0 {ours}"), "e4 1-0"),
            (format!("e4 1-0\n{ours}\n{{x}}"), "e4 1-0\n{x}"),
            (format!("e4 $4 1-0 {signed}"), "e4 $4 1-0"),
            (format!("e4 $4 1... {signed} e5 *"), "e4 $4 1...  e5 *"),
            (format!("e4 $4\u{a0}{signed} e5 *"), "e4 $4\u{a0} e5 *"),
            (format!("e4 $4\n%x\n{signed} e5 *"), "e4 $4\n%x\n e5 *"),
            (format!("e4??{signed} e5 *"), "e4?? e5 *"),
            (format!("[A \"b\"]\n$4 1. {signed}\ne4 *"), "[A \"b\"]\n$4 1. e4 *"),
            (format!("[A \"b\"]\n{ours}"), "[A \"b\"]\n"),
            (
                "e4 {Sakmak:} {Sakmak:x} ;Sakmak: x\n*".into(),
                "e4 {Sakmak:} {Sakmak:x} ;Sakmak: x\n*",
            ),
            (format!("[A \"b\"]\n\n{ours}\ne4 *"), "[A \"b\"]\n\ne4 *"),
            (format!("{{x}} {ours}\n% y\ne4 *"), "{x} \n% y\ne4 *"),
        ] {
            // A game that ends within a text, and the last one.
            for text in [format!("\n {notes}\n\n[B \"c\"]"), format!("\n {notes}")] {
                let game = Games::of(&text).next().unwrap();
                assert_eq!(without(&game, &text[game.text.clone()]), kept, "{notes}");
            }
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
