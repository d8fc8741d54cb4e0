//! The comments of this program, marked so that a game that is annotated again has them once.
//!
//! ```text
//! {Sakmak: Wins in 15}          a move without a sign of this program
//! $4 {Sakmak: ?? Draws}         a move with a sign: the mark before the comment is its NAG
//! ```
//!
//! A sign that was in the file is not repeated in the comment.

use crate::cli::capitalised;
use crate::cli::check::words::Sign;
use sakmak_gen::games::pgn::PgnToken;

/// The start of the program's comments.
const MARK: &str = "Sakmak: ";
/// The start of the program's name in tags.
const NAME: &str = "sakmak ";
/// The separator of names in tags.
const BETWEEN: &str = "; ";

/// The comment with these parts, and with the sign of its move.
pub fn comment(sign: Option<Sign>, parts: &[String]) -> PgnToken {
    let sign = sign.map_or(String::new(), |sign| format!("{} ", sign.text()));
    PgnToken::Comment(format!("{MARK}{sign}{}.", capitalised(&parts.join("; "))))
}

/// Notes without the comments of this program and their signs.
pub fn without(notes: &[PgnToken]) -> Vec<PgnToken> {
    let mut kept: Vec<PgnToken> = Vec::new();
    // Notes in variations are left alone.
    let mut depth = 0_usize;
    for note in notes {
        match note {
            PgnToken::Open => depth += 1,
            PgnToken::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ours = match note {
            PgnToken::Comment(comment) if depth == 0 => comment.strip_prefix(MARK.trim_end()),
            _ => None,
        };
        let Some(ours) = ours else {
            kept.push(note.clone());
            continue;
        };
        let first = ours.split_whitespace().next();
        let sign = Sign::ALL.into_iter().find(|sign| first == Some(sign.text()));
        if sign.is_some_and(|sign| kept.last() == Some(&PgnToken::Nag(sign.nag()))) {
            kept.pop();
        }
    }
    kept
}

/// The value of the Annotator tag: the other annotators, then this program.
pub fn annotators(before: Option<&str>) -> String {
    let others = before.unwrap_or_default().split(BETWEEN);
    let others = others.filter(|name| !name.is_empty() && !name.starts_with(NAME));
    let ours = format!("{NAME}{}", env!("CARGO_PKG_VERSION"));
    others.map(str::to_string).chain([ours]).collect::<Vec<_>>().join(BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_comments_go_and_others_stay() {
        let theirs = |text: &str| PgnToken::Comment(text.to_string());
        let parts = ["draws".to_string(), "Kc3 wins".to_string()];
        let [ours, signed] = [None, Some(Sign::Blunder)].map(|sign| comment(sign, &parts));
        assert_eq!(ours, theirs("Sakmak: Draws; Kc3 wins."));
        assert_eq!(signed, theirs("Sakmak: ?? Draws; Kc3 wins."));
        for (notes, kept) in [
            (
                vec![PgnToken::Nag(4), ours.clone(), theirs("x")],
                vec![PgnToken::Nag(4), theirs("x")],
            ),
            (vec![PgnToken::Nag(1), PgnToken::Nag(4), signed.clone()], vec![PgnToken::Nag(1)]),
            (vec![PgnToken::Nag(2), signed, ours.clone()], vec![PgnToken::Nag(2)]),
            (
                vec![PgnToken::Open, ours.clone(), PgnToken::Close],
                vec![PgnToken::Open, ours, PgnToken::Close],
            ),
        ] {
            assert_eq!(without(&notes), kept);
        }
    }

    #[test]
    fn annotators_are_named_once() {
        let ours = annotators(None);
        assert!(ours.starts_with(NAME));
        assert_eq!(annotators(Some(&ours)), ours);
        let both = annotators(Some("A. Nonymous"));
        assert_eq!(both, format!("A. Nonymous; {ours}"));
        assert_eq!(annotators(Some(&both)), both);
    }
}
