//! The signs that people write beside moves: evaluations, checks, novelties, diagrams.
//!
//! A word without any letter or digit is a sign, and so are a few words of letters. Dashes alone
//! denote a null move instead.

use crate::pgn::encoding::shown;
use crate::pgn::token::{GameResult, PgnToken};

/// Signs with their numeric annotation glyphs (NAG).
const NUMBERED: [(&str, u8); 56] = [
    ("\u{203c}", 3),
    ("\u{2047}", 4),
    ("\u{2049}", 5),
    ("\u{2048}", 6),
    ("\u{25a1}", 7),
    ("\u{25fb}", 7),
    ("=", 10),
    ("==", 10),
    ("\u{221e}", 13),
    ("~~", 13),
    ("+=", 14),
    ("+/=", 14),
    ("\u{2a72}", 14),
    ("=+", 15),
    ("=/+", 15),
    ("\u{2a71}", 15),
    ("\u{b1}", 16),
    ("+/-", 16),
    ("+/\u{2212}", 16),
    ("+/\u{2013}", 16),
    ("\u{2213}", 17),
    ("-/+", 17),
    ("\u{2212}/+", 17),
    ("\u{2013}/+", 17),
    ("+-", 18),
    ("+\u{2212}", 18),
    ("+\u{2013}", 18),
    ("-+", 19),
    ("\u{2212}+", 19),
    ("\u{2013}+", 19),
    ("+--", 20),
    ("--+", 21),
    ("\u{2a00}", 22),
    ("\u{2299}", 22),
    ("\u{25cb}", 26),
    ("\u{27f3}", 32),
    ("\u{21bb}", 32),
    ("\u{2191}\u{2191}", 32),
    ("\u{2191}", 36),
    ("\u{2192}", 40),
    ("\u{21d2}", 40),
    ("=\u{221e}", 44),
    ("\u{221e}=", 44),
    ("=/\u{221e}", 44),
    ("\u{2bf9}", 44),
    ("\u{21c6}", 132),
    ("\u{21c4}", 132),
    ("\u{21d4}", 132),
    ("\u{2a01}", 138),
    ("\u{2295}", 138),
    ("\u{25b3}", 140),
    ("\u{2206}", 140),
    ("\u{394}", 140),
    ("\u{2313}", 142),
    ("N", 146),
    ("TN", 146),
];

/// Words that are signs without a number.
const WORDS: [&str; 17] = [
    "D",
    "RR",
    "ep",
    "ep.",
    "e.p",
    "e.p.",
    "ch",
    "ch.",
    "check",
    "mate",
    "mate.",
    "checkmate",
    "dbl",
    "dbl.ch.",
    "dis.ch.",
    "disch",
    "stalemate",
];

/// The ASCII characters of signs without letters.
const SYMBOLS: &str = "+-=/\\#~^<>|!?";

/// The token of a word that is a sign, or `None`.
pub fn read(word: &str) -> Option<PgnToken> {
    let word = &*shown(word);
    if let Some((_, nag)) = NUMBERED.iter().find(|(sign, _)| *sign == word) {
        return Some(PgnToken::Nag(*nag));
    }
    let is_sign = WORDS.contains(&word) || is_symbols(word);
    is_sign.then_some(PgnToken::Mark)
}

/// Whether a word has no letter or digit, and is no null move. A null move must not be skipped
/// silently: the moves after it would belong to the wrong side.
fn is_symbols(word: &str) -> bool {
    let is_symbol = |letter: char| match letter.is_ascii() {
        true => SYMBOLS.contains(letter),
        false => !letter.is_alphanumeric() && !letter.is_control(),
    };
    let is_dash = |letter: char| matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}');
    !word.is_empty() && word.chars().all(is_symbol) && !word.chars().all(is_dash) && word != "<>"
}

/// The length in bytes of the move at the start of a word, which signs may follow: 3 for `Sd3+-`.
/// The length of the word if no sign follows.
pub fn end_of_move(word: &str) -> usize {
    let bytes = word.as_bytes();
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    let whole = word.trim_end_matches(['!', '?']).len();
    let Some(square) = bytes.windows(2).rposition(is_square) else { return whole };
    let is_pawn = bytes[0].is_ascii_lowercase() || bytes[0] == b'P';
    let square = square + 2;
    let promotion = match &bytes[square..] {
        rest if is_sign(&word[square..]) && !(is_pawn && matches!(rest, [b'N', ..])) => 0,
        [b'=', letter, rest @ ..] | [letter, rest @ ..]
            if letter.is_ascii_alphabetic()
                && !rest.first().is_some_and(u8::is_ascii_alphabetic) =>
        {
            bytes.len() - square - rest.len()
        }
        _ => 0,
    };
    let end = square + promotion;
    let rest = &word[end..];
    // Check signs, and '=' for the offer of a draw, belong to the move.
    if rest.trim_end_matches(['!', '?']).chars().all(|letter| "+#=".contains(letter)) {
        return whole;
    }
    // A sign with a meaning takes precedence over one that only looks like a sign: in `++-` the
    // first sign is the check.
    let ends = || {
        let checks = ["", "+", "#", "++"].into_iter();
        checks.filter(|check| rest.starts_with(check)).map(|check| end + check.len())
    };
    let is_numbered = |&end: &usize| {
        matches!(read(word[end..].trim_end_matches(['!', '?'])), Some(PgnToken::Nag(_)))
    };
    let first = ends().find(is_numbered);
    first.or_else(|| ends().find(|&end| is_sign(&word[end..]))).unwrap_or(whole)
}

/// Whether a text after a move is a sign or a result, and not part of the move.
fn is_sign(text: &str) -> bool {
    let sign = text.trim_end_matches(['!', '?']);
    !text.is_empty()
        && (sign.is_empty() || read(sign).is_some() || GameResult::parse(sign).is_some())
        || text.starts_with(['!', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_have_their_numbers() {
        for (sign, nag) in [
            ("+-", 18),
            ("-+", 19),
            ("\u{b1}", 16),
            ("\u{f7b1}", 16),
            ("+/-", 16),
            ("\u{2213}", 17),
            ("-/+", 17),
            ("\u{2a72}", 14),
            ("+=", 14),
            ("+/=", 14),
            ("\u{2a71}", 15),
            ("=+", 15),
            ("=", 10),
            ("\u{221e}", 13),
            ("\u{25a1}", 7),
            ("N", 146),
        ] {
            assert_eq!(read(sign), Some(PgnToken::Nag(nag)), "{sign}");
        }
        for sign in ["D", "ep", "e.p.", "~", "\u{2020}", "\u{2021}", "mate", "ch", "#", "+"] {
            assert_eq!(read(sign), Some(PgnToken::Mark), "{sign}");
        }
        for word in [
            "--", "-", "\u{2014}", "<>", "@@@@", "Z0", "0-0", "Kd1", "e", "x", "white", "%",
            "\u{e2a}", "\u{9f}",
        ] {
            assert_eq!(read(word), None, "{word}");
        }
    }

    #[test]
    fn the_move_ends_before_a_sign() {
        for (word, mv) in [
            ("Sd3", "Sd3"),
            ("Sd3+-", "Sd3"),
            ("Sd3-+", "Sd3"),
            ("Sd3++-", "Sd3+"),
            ("Sd3\u{b1}", "Sd3"),
            ("Sd3+\u{b1}!", "Sd3+"),
            ("Sd3#mate", "Sd3#"),
            ("Sd3ch", "Sd3"),
            ("Sd3N", "Sd3"),
            ("Sd3+N", "Sd3+"),
            ("Sd3D", "Sd3"),
            ("Sd3=", "Sd3="),
            ("Sd3+=", "Sd3+="),
            ("Sd3!?", "Sd3"),
            ("Sd3!+-", "Sd3"),
            ("Sd2-d3+/-", "Sd2-d3"),
            ("exd6e.p.", "exd6"),
            ("exd6ep", "exd6"),
            ("e6=M+-", "e6=M"),
            ("e6=M", "e6=M"),
            ("e6M\u{2213}", "e6M"),
            ("e6N", "e6N"),
            ("e5e6m", "e5e6m"),
            ("e5e6m=", "e5e6m="),
            ("Ra2#1-0", "Ra2#"),
            ("Ra2foo", "Ra2foo"),
            ("Sdd9", "Sdd9"),
            ("--", "--"),
            ("--!", "--"),
        ] {
            assert_eq!(&word[..end_of_move(word)], mv, "{word}");
        }
    }
}
