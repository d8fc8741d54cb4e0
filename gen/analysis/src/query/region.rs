//! The squares of a board and its named regions.

/// A set of squares, a bit for each square, rank by rank from the a-file of the first rank.
pub type Squares = u128;

/// The names of regions; the last two are colours.
const NAMES: [&str; 5] = ["corner", "edge", "centre", "light", "dark"];

/// A board whose squares have names.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// The number of files, at most 26.
    pub files: usize,
    /// The number of ranks.
    pub ranks: usize,
    /// Whether squares are light and dark.
    pub has_colours: bool,
}

impl Board {
    /// The names of the regions.
    pub fn names(self) -> &'static [&'static str] {
        if self.has_colours { &NAMES } else { &NAMES[..3] }
    }

    /// The squares of a region, or a square such as `a1`. Returns `None` for another name. As in
    /// chess, a1 is dark.
    pub fn named(self, name: &str) -> Option<Squares> {
        let name = if name == "center" { "centre" } else { name };
        if !self.names().contains(&name) {
            let (letter, number) = name.split_at_checked(1)?;
            let (on_file, on_rank) = (file(letter, self.files)?, rank(number, self.ranks)?);
            return Some(self.squares(|file, rank| (file, rank) == (on_file, on_rank)));
        }
        let outer = |line: usize, lines: usize| line == 0 || line + 1 == lines;
        let middle = |line: usize, lines: usize| line == lines / 2 || line == (lines - 1) / 2;
        Some(self.squares(|file, rank| match name {
            "corner" => outer(file, self.files) && outer(rank, self.ranks),
            "edge" => outer(file, self.files) || outer(rank, self.ranks),
            "centre" => middle(file, self.files) && middle(rank, self.ranks),
            "light" => (file + rank) % 2 == 1,
            _ => (file + rank) % 2 == 0,
        }))
    }

    /// Parses ranks such as `8` or `6-8`. Returns their squares, `None` for other text.
    pub fn on_ranks(self, text: &str) -> Option<Squares> {
        let (first, last) = range(text, |text| rank(text, self.ranks))?;
        Some(self.squares(|_, rank| (first..=last).contains(&rank)))
    }

    /// Parses files such as `a` or `a-c`. Returns their squares, `None` for other text.
    pub fn on_files(self, text: &str) -> Option<Squares> {
        let (first, last) = range(text, |text| file(text, self.files))?;
        Some(self.squares(|file, _| (first..=last).contains(&file)))
    }

    /// The name of a file, counted from 0.
    pub fn file_name(file: usize) -> char {
        char::from(b'a' + file as u8)
    }

    /// The squares whose file and rank, counted from 0, satisfy a predicate.
    fn squares(self, is: impl Fn(usize, usize) -> bool) -> Squares {
        let all = 0..self.files * self.ranks;
        all.filter(|square| is(square % self.files, square / self.files))
            .fold(0, |squares, square| squares | 1 << square)
    }
}

/// The file of a letter, counted from 0.
fn file(letter: &str, files: usize) -> Option<usize> {
    (0..files).find(|&file| letter == Board::file_name(file).to_string())
}

/// The rank of a number, counted from 0.
fn rank(number: &str, ranks: usize) -> Option<usize> {
    (0..ranks).find(|rank| number == (rank + 1).to_string())
}

/// Parses a range of lines such as `6-8`. Returns its first and last line, the same line for a
/// single one.
fn range(text: &str, line: impl Fn(&str) -> Option<usize>) -> Option<(usize, usize)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (line(first)?, line(last)?);
    (first <= last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_have_their_squares() {
        let board = Board { files: 8, ranks: 8, has_colours: true };
        let sizes = NAMES.map(|name| board.named(name).unwrap().count_ones());
        assert_eq!(sizes, [4, 28, 4, 32, 32]);
        assert_eq!(board.named("a1"), Some(1));
        assert_eq!(board.named("dark").unwrap() & 1, 1);
        assert_eq!(board.on_ranks("8"), Some(0xff << 56));
        assert_eq!(board.on_ranks("1-8"), Some(u64::MAX.into()));
        assert_eq!(board.on_files("b-c").unwrap().count_ones(), 16);
        for text in ["", "0", "9", "8-6", "a", "1-", "12", "08"] {
            assert_eq!(board.on_ranks(text), None, "{text}");
        }
        for text in ["", "a", "a9", "a0", "i1", "a1-2", "é1"] {
            assert_eq!(board.named(text), None, "{text}");
        }
    }

    #[test]
    fn a_board_of_odd_width_has_a_central_file() {
        let board = Board { files: 9, ranks: 10, has_colours: false };
        assert_eq!(board.named("centre"), Some((1 << 40) | (1 << 49)));
        assert_eq!(board.named("i10"), Some(1 << 89));
        assert_eq!(board.on_ranks("9-10").unwrap().count_ones(), 18);
        assert_eq!(board.named("light"), None);
    }
}
