//! Comments of ours: marked as such, so that a game that is annotated again has them once.
//!
//! ```text
//! {Sakmak: Wins in 15}          the move has no sign of ours
//! $4 {Sakmak: ?? Draws}         it has this one, the mark before it
//! ```
//!
//! A sign that somebody has given before us is theirs, and not told in our comment.

use crate::cli::capitalised;
use crate::cli::check::words::Sign;
use sakmak_gen::games::pgn::PgnToken;

/// What our comments begin with.
const MARK: &str = "Sakmak: ";
/// What our name in tags begins with.
const NAME: &str = "sakmak ";
/// What stands between names in tags.
const BETWEEN: &str = "; ";

/// A comment of these parts, and the sign behind a move that goes with it.
pub fn comment(sign: Option<Sign>, parts: &[String]) -> PgnToken {
    let sign = sign.map_or(String::new(), |sign| format!("{} ", sign.text()));
    PgnToken::Comment(format!("{MARK}{sign}{}.", capitalised(&parts.join("; "))))
}

/// What stands somewhere, without comments of ours and the signs that go with them.
pub fn without(notes: &[PgnToken]) -> Vec<PgnToken> {
    let mut kept: Vec<PgnToken> = Vec::new();
    // What stands in variations is somebody's choice.
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

/// Who wrote comments: those before us, and we.
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
    fn what_is_ours_goes_and_what_is_theirs_stays() {
        let theirs = |text: &str| PgnToken::Comment(text.to_string());
        let parts = ["draws".to_string(), "Kc3 wins".to_string()];
        let [ours, signed] = [None, Some(Sign::Blunder)].map(|sign| comment(sign, &parts));
        assert_eq!(ours, theirs("Sakmak: Draws; Kc3 wins."));
        assert_eq!(signed, theirs("Sakmak: ?? Draws; Kc3 wins."));
        for (notes, kept) in [
            (vec![PgnToken::Nag(4), ours.clone(), theirs("x")], vec![PgnToken::Nag(4), theirs("x")]),
            (vec![PgnToken::Nag(1), PgnToken::Nag(4), signed.clone()], vec![PgnToken::Nag(1)]),
            (vec![PgnToken::Nag(2), signed, ours.clone()], vec![PgnToken::Nag(2)]),
            (vec![PgnToken::Open, ours.clone(), PgnToken::Close], vec![PgnToken::Open, ours, PgnToken::Close]),
        ] {
            assert_eq!(without(&notes), kept);
        }
    }

    #[test]
    fn annotators_are_told_once() {
        let ours = annotators(None);
        assert!(ours.starts_with(NAME));
        assert_eq!(annotators(Some(&ours)), ours);
        let both = annotators(Some("A. Nonymous"));
        assert_eq!(both, format!("A. Nonymous; {ours}"));
        assert_eq!(annotators(Some(&both)), both);
    }
}
