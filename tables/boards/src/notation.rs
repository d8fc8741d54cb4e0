//! Positions, moves and materials as text.

use crate::game::BoardGame;

/// Text that is not a position, move or material of a game. The message is cut, since it repeats
/// input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:.200}")]
pub struct NotationError(pub String);

/// A game's board, and the names and pictures of its men.
#[derive(Debug)]
pub struct Board {
    /// The number of files.
    pub files: usize,
    /// The number of ranks.
    pub ranks: usize,
    /// Whether men stand on crossings of lines.
    pub on_crossings: bool,
    /// Lines other than files and ranks, each from a file and rank to another file and rank.
    pub lines: &'static [[(usize, usize); 2]],
    /// The sign on the man of a letter of FEN, in a picture.
    pub face: fn(char) -> &'static str,
    /// Names of men in Latin letters, in the order of [`Notation::LETTERS`].
    pub names: &'static [&'static str],
    /// Names of the side with capital letters and of the other side.
    pub sides: [&'static str; 2],
    /// Example FENs of a few men.
    pub examples: &'static [&'static str],
}

/// A game whose positions people read and write.
pub trait Notation: BoardGame {
    /// The letters of men in names of materials.
    const LETTERS: &str;

    /// A material by its name.
    ///
    /// # Errors
    ///
    /// If the name is not the name of a material.
    fn material_of_name(&self, name: &str) -> Result<Self::Material, NotationError>;

    /// The materials of this number of men.
    fn materials_of_men(&self, men: u8) -> Vec<Self::Material>;

    /// A position from its FEN.
    ///
    /// # Errors
    ///
    /// If the text is not the FEN of a position.
    fn position(&self, fen: &str) -> Result<Self::Position, NotationError>;

    /// The FEN of a position.
    fn fen(&self, position: &Self::Position) -> String;

    /// The side to move: 0 for the first of a material's name, in a position of the numbering.
    fn mover(&self, position: &Self::Position) -> usize;

    /// The text of a move.
    fn text(&self, position: &Self::Position, played: Self::Move) -> String;

    /// The files, ranks and lines of the board.
    fn board(&self) -> Board;

    /// Whether a move captures.
    fn takes(&self, position: &Self::Position, played: Self::Move) -> bool;

    /// An image of the position with the sides exchanged, if the image has the same material.
    fn exchanged(&self, position: &Self::Position) -> Option<Self::Position>;

    /// Whether the game has checks, so that [`Notation::is_in_check`] is implemented.
    fn has_check(&self) -> bool {
        false
    }

    /// Whether the side to move is in check.
    fn is_in_check(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Whether a side must move, so that [`Notation::other_to_move`] is implemented.
    fn must_move(&self) -> bool {
        false
    }

    /// Returns the men with the other side to move. Returns `None` if that is not a position.
    fn other_to_move(&self, _position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// The capital FEN letter of a letter in names of materials.
    fn letter_in_fen(&self, letter: char) -> char {
        letter
    }

    /// The letters of a position's FEN with their files and ranks, counted from the lowest.
    fn letters(&self, position: &Self::Position) -> Vec<(char, usize, usize)> {
        let (fen, Board { files, ranks, .. }) = (self.fen(position), self.board());
        let letters = fields(&fen, files as u8, ranks as u8).map(|fields| fields.letters);
        let at = |(letter, file, rank)| (letter, usize::from(file), usize::from(rank));
        letters.unwrap_or_default().into_iter().map(at).collect()
    }

    /// The position as text: a line for each rank, with a frame of files and ranks.
    fn text_board(&self, position: &Self::Position) -> String {
        let Board { files, ranks, .. } = self.board();
        let mut rows = vec![vec!['.'; files]; ranks];
        for (letter, file, rank) in self.letters(position) {
            rows[ranks - 1 - rank][file] = letter;
        }
        let mut text = String::new();
        for (above, row) in rows.iter().enumerate() {
            text += &format!("{:>2} ", ranks - above);
            row.iter().for_each(|letter| text += &format!(" {letter}"));
            text.push('\n');
        }
        text += "   ";
        for file in 0..files {
            text += &format!(" {}", char::from(b'a' + file as u8));
        }
        text + "\n"
    }
}

/// The fields of a FEN.
#[derive(Debug)]
pub struct Fields<'a> {
    /// The letters of the board with file and rank, counted from the lowest.
    pub letters: Vec<(char, u8, u8)>,
    /// The side to move: 0 is White.
    pub side: usize,
    /// The other fields.
    pub rest: Vec<&'a str>,
}

/// Reads the fields of a FEN. Underscores may stand for blanks.
///
/// # Errors
///
/// If the board does not have this number of files and ranks, or the side to move is missing.
pub fn fields(fen: &str, files: u8, ranks: u8) -> Result<Fields<'_>, NotationError> {
    let wrong = |what: String| NotationError(format!("not a position: {what}"));
    let mut fields = fen.split(|letter: char| letter.is_whitespace() || letter == '_');
    let mut fields = fields.by_ref().filter(|field| !field.is_empty());
    let board = fields.next().unwrap_or_default();
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != usize::from(ranks) {
        return Err(wrong(format!("the board has {} ranks, expected {ranks}", rows.len())));
    }
    let mut letters = Vec::new();
    for (above, row) in rows.iter().enumerate() {
        let rank = ranks - 1 - above as u8;
        let mut file: u32 = 0;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty,
                None if file < u32::from(files) => {
                    letters.push((letter, file as u8, rank));
                    file += 1;
                }
                None => file += 1,
            }
        }
        if file != u32::from(files) {
            return Err(wrong(format!("rank {} has {file} files, expected {files}", rank + 1)));
        }
    }
    let side = match fields.next() {
        Some("w") => 0,
        Some("b") => 1,
        Some(other) => return Err(wrong(format!("the side to move is w or b, not {other:?}"))),
        None => {
            return Err(wrong("the side to move is missing: w or b after the board".to_string()));
        }
    };
    Ok(Fields { letters, side, rest: fields.collect() })
}

/// Checks that the last fields of a FEN are numbers or `-`. These games do not use the fields.
///
/// # Errors
///
/// The first field that is neither a number nor `-`.
pub fn unused(fields: &[&str]) -> Result<(), NotationError> {
    let is_unused =
        |field: &str| field == "-" || field.bytes().all(|letter| letter.is_ascii_digit());
    match fields.iter().find(|field| !is_unused(field)) {
        None => Ok(()),
        Some(field) => {
            let what = "only numbers and - may follow";
            Err(NotationError(format!("not a position: {field:?} at the end, where {what}")))
        }
    }
}

/// The board of a FEN, from the letter at a file and rank.
pub fn board_field(files: u8, ranks: u8, letter: impl Fn(u8, u8) -> Option<char>) -> String {
    let row = |rank: u8| {
        let (mut text, mut empty) = (String::new(), 0);
        for file in 0..files {
            match letter(file, rank) {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    empty = 0;
                    text.push(letter);
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    };
    (0..ranks).rev().map(row).collect::<Vec<_>>().join("/")
}

/// The name of a square: its file as a letter, then its rank.
pub fn square_name(file: u8, rank: u8) -> String {
    format!("{}{}", char::from(b'a' + file), rank + 1)
}
