//! Named regions of the board.

use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::{SIDE_LENGTH, Square};

/// The names of regions.
pub const NAMES: [&str; 5] = ["corner", "edge", "centre", "light", "dark"];

/// The squares of a region, or `None` if no region has this name. As in chess, a1 is dark.
pub fn named(name: &str) -> Option<Bitboard> {
    let last = SIDE_LENGTH - 1;
    let outer = |line: usize| line == 0 || line == last;
    let middle = |line: usize| line == SIDE_LENGTH / 2 - 1 || line == SIDE_LENGTH / 2;
    let of = |holds: &dyn Fn(usize, usize) -> bool| {
        Square::all().filter(|square| holds(square.file(), square.rank())).collect()
    };
    Some(match name {
        "corner" => of(&|file, rank| outer(file) && outer(rank)),
        "edge" => of(&|file, rank| outer(file) || outer(rank)),
        "centre" | "center" => of(&|file, rank| middle(file) && middle(rank)),
        "light" => of(&|file, rank| (file + rank) % 2 == 1),
        "dark" => of(&|file, rank| (file + rank) % 2 == 0),
        _ => return None,
    })
}

/// The squares of the ranks `8` or `6-8`; `None` if the text is neither.
pub fn ranks(text: &str) -> Option<Bitboard> {
    let (first, last) = lines(text, b'1')?;
    Some(Square::all().filter(|square| (first..=last).contains(&square.rank())).collect())
}

/// The squares of the files `a` or `a-c`; `None` if the text is neither.
pub fn files(text: &str) -> Option<Bitboard> {
    let (first, last) = lines(text, b'a')?;
    Some(Square::all().filter(|square| (first..=last).contains(&square.file())).collect())
}

/// The first and last line of a range, zero-based; the letter of line 0 is `base`.
fn lines(text: &str, base: u8) -> Option<(usize, usize)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let line = |text: &str| {
        let &[letter] = text.as_bytes() else { return None };
        letter.checked_sub(base).map(usize::from).filter(|&line| line < SIDE_LENGTH)
    };
    let (first, last) = (line(first)?, line(last)?);
    (first <= last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_have_their_squares() {
        let sizes = NAMES.map(|name| named(name).unwrap().len());
        assert_eq!(sizes, [4, 28, 4, 32, 32]);
        assert!(named("dark").unwrap().contains("a1".parse().unwrap()));
        assert_eq!(ranks("8"), Some(Bitboard::rank(7)));
        assert_eq!(ranks("1-8"), Some(Bitboard::ALL));
        assert_eq!(files("b-c").unwrap().len(), 16);
        for text in ["", "0", "9", "8-6", "a", "1-", "12"] {
            assert_eq!(ranks(text), None, "{text}");
        }
    }
}
