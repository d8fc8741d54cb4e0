//! FEN in and out, with the counting fields of Fairy-Stockfish.
//!
//! ```text
//! <board> <side> <leaps or -> <limit in plies or -> <count in plies> <move number>
//! 8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1
//! ```
//!
//! If the first check wins, a field between limit and count has the checks that White and Black
//! have left: `1+1` while the game goes on, `0+1` after a check by White. It may be missing.
//!
//! Fields after the side may be omitted from the right. Underscores may replace blanks, `M~` is a
//! promoted met, and `startpos` the start position. If the FEN has no limit, or the limit is 0, the
//! count field is the clock of another rule: it is parsed and dropped, and printed as 0. The forms
//! of Cute Chess and WinBoard are read as well:
//!
//! ```text
//! 8/8/8/3k4/8/8/8/R3K3 w - 0 0 30      as ... w - - 0 30
//! 8/8/8/3k4/8/8/8/R3K3 w 0 30          as ... w - - 0 30
//! 3mk3/8/8/8/8/8/8/3KM3 w EDed 0 30    as ... w DEde - 0 30
//! ```
//!
//! Two numbers after the leaps are a limit and a count if the pieces have that limit. In a variant
//! whose pieces are dropped at the start, `[]` after the board says that none is left to drop.

mod fields;
mod likeness;
mod note;

pub use note::{FenNote, LimitInMoves};

use crate::board::square::{SIDE_LENGTH, Square};
use crate::counting::{Clock, CountingRule, Honour};
use crate::distance::Plies;
use crate::excerpt::Excerpt;
use crate::material::Material;
use crate::position::{IllegalPosition, PlacementError, Position};
use crate::rules::leap::{Leap, LeapRights};
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::variant::Variant;
use crate::variants;
use fields::{FIELDS, FenFields, take_checks};
use std::fmt::{self, Write};

/// The checks left while the game goes on.
const NO_CHECK_YET: &str = "1+1";

/// The word for the start position of the variant.
const START: &str = "startpos";

/// The letters of castling rights.
const CASTLING: &str = "KQkq";

/// Marks a promoted piece; ignored.
const PROMOTED: char = '~';

/// Begins the pieces that are not yet on the board.
const POCKET: char = '[';

/// Spellings of an empty pocket.
const NO_POCKET: [&str; 2] = ["[]", "[-]"];

/// A number and its noun, in the plural if needed.
fn counted(number: usize, name: &str) -> String {
    format!("{number} {name}{}", if number == 1 { "" } else { "s" })
}

/// The letters with spaces between them.
fn spaced(letters: &[char], case: fn(&char) -> char) -> String {
    let letters: Vec<String> = letters.iter().map(|letter| case(letter).to_string()).collect();
    letters.join(" ")
}

/// The text is not the FEN of a legal position.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// Too few or too many fields.
    #[error(
        "the FEN has {fields}: expected a board, a side to move and at most {most} more",
        fields = counted(*.0, "field"), most = FIELDS - 2
    )]
    Fields(usize),
    /// Checks left, but the first check does not win.
    #[error("'{text}' are checks left: a FEN of {variant} has no such field")]
    NoChecks {
        /// The field as written.
        text: Excerpt,
        /// The variant.
        variant: &'static str,
    },
    /// Checks left that this position cannot have.
    #[error("wrong checks left of White and Black: expected {expected}, found '{text}'")]
    ChecksLeft {
        /// The field as written.
        text: Excerpt,
        /// The expected checks left.
        expected: &'static str,
    },
    /// A board alone.
    #[error("the FEN has no side to move: expected w or b after the board, such as '{0} w'")]
    SideMissing(Excerpt),
    /// A material instead of a board.
    #[error(
        "{0} is a material and not a position: expected a board and a side to move, such as \
         '8/8/8/3k4/8/8/8/R3K3 w'"
    )]
    Material(Material),
    /// Not eight ranks.
    #[error("the board has {ranks}, expected {SIDE_LENGTH}, separated by '/'", ranks = counted(*.0, "rank"))]
    Ranks(usize),
    /// A rank that is too long or too short.
    #[error("rank {rank}, '{text}', has {squares}, expected {SIDE_LENGTH}", squares = counted(*.squares, "square"))]
    RankLength {
        /// Counted from 1.
        rank: usize,
        /// The rank as written.
        text: Excerpt,
        /// The number of its squares.
        squares: usize,
    },
    /// A character that is neither a piece nor a number of empty squares.
    #[error(
        "{letter:?} on rank {rank} is not a piece: the letters are {} and {}, the digits 1 to \
         {SIDE_LENGTH}",
        spaced(letters, char::to_ascii_uppercase),
        spaced(letters, char::to_ascii_lowercase)
    )]
    Letter {
        /// The character as written.
        letter: char,
        /// Counted from 1.
        rank: usize,
        /// The letters of the pieces.
        letters: [char; PieceKind::ALL.len()],
    },
    /// Pieces that are not yet on the board.
    #[error(
        "the pocket '{0}' has pieces to be dropped: only positions after the last drop, with '[]' \
         or nothing after the board, are read"
    )]
    Pocket(Excerpt),
    /// The mark of a promoted piece after a character that is not a promoted piece.
    #[error(
        "'~' on rank {rank} marks no promoted piece: expected after {letters} or its lowercase letter"
    )]
    Promoted {
        /// Counted from 1.
        rank: usize,
        /// The letters of the pieces that pawns promote to.
        letters: String,
    },
    /// Neither `w` nor `b`.
    #[error("'{0}' is not a side to move: expected w or b")]
    Side(Excerpt),
    /// A letter that is not a leap of this variant, or is repeated.
    #[error("'{text}' are not leap rights of {variant}: expected {expected}")]
    Leaps {
        /// The field as written.
        text: Excerpt,
        /// The variant.
        variant: &'static str,
        /// The letters allowed.
        expected: String,
    },
    /// Castling rights.
    #[error(
        "'{0}' are castling rights: no table has positions in which a side may still castle, \
         expected '-'"
    )]
    Castling(Excerpt),
    /// A square over which no pawn can have just passed.
    #[error(
        "'{text}' is not an en-passant square here: expected '-' or a square over which a {side} \
         pawn can have just passed",
        side = side.name()
    )]
    EnPassant {
        /// The field as written.
        text: Excerpt,
        /// The side that has just moved.
        side: Side,
    },
    /// A right whose piece is not at home.
    #[error(
        "the leap right '{letter}' is impossible: no {side} {kind} is on {home}",
        side = piece.side.name(),
        kind = piece.kind.letter()
    )]
    LeapHome {
        /// The right.
        letter: char,
        /// The piece that has it.
        piece: Piece,
        /// The home square of that piece.
        home: Square,
    },
    /// A limit, but no count can run.
    #[error(
        "the count limit '{text}' is impossible: counting {counting} counts nothing with these pieces, \
         expected '-'"
    )]
    NotCounted {
        /// The limit as written.
        text: Excerpt,
        /// The counting rule.
        counting: &'static str,
    },
    /// A limit that no count with these pieces has.
    #[error(
        "'{text}' is not a count limit of counting {counting} with these pieces: expected - or \
         {expected} plies, two for each move"
    )]
    Limit {
        /// The limit as written.
        text: Excerpt,
        /// The counting rule.
        counting: &'static str,
        /// The possible limits.
        expected: String,
    },
    /// A count that is not a number.
    #[error("'{0}' is not a count: expected a number of plies from 0 to {max}", max = u16::MAX)]
    Count(Excerpt),
    /// A count that is too high.
    #[error(
        "the count {count} is impossible: with the limit {limit} and these pieces, expected at most {most} \
         plies, as the draw is claimed by then", count = .count.0, limit = .limit.0,
        most = .most.0
    )]
    CountOver {
        /// The plies counted.
        count: Plies,
        /// The limit.
        limit: Plies,
        /// The maximum number of plies that may be counted.
        most: Plies,
    },
    /// A limit without a count.
    #[error("the count limit {0} lacks a count: expected the plies counted after it")]
    CountMissing(Excerpt),
    /// A move number that is not a number.
    #[error("'{0}' is not a move number: expected a number from 0 to {max}", max = u16::MAX)]
    Number(Excerpt),
    /// A FEN of another variant.
    #[error("{source}; the FEN looks like {variants}")]
    OtherVariant {
        /// The error when read as a FEN of the requested variant.
        source: Box<FenError>,
        /// The variants whose FEN it is.
        variants: String,
    },
    /// An impossible placement.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// An illegal position.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
}

crate::readable_error!(FenError);

impl Position {
    /// Parses a FEN with the usual counting rule of the variant; see
    /// [`Position::from_fen_counted`].
    ///
    /// # Errors
    ///
    /// If the text is not the FEN of a legal position.
    pub fn from_fen(variant: &'static Variant, fen: &str) -> Result<Position, FenError> {
        Position::from_fen_counted(variant.counting(), fen)
    }

    /// Parses a FEN of the variant that has this counting rule. The position is legal, leap
    /// rights belong to pieces on their home squares, and the count is possible.
    ///
    /// # Errors
    ///
    /// If the text is no FEN of the variant, or breaks one of these conditions.
    pub fn from_fen_counted(
        counting_rule: &'static CountingRule,
        fen: &str,
    ) -> Result<Position, FenError> {
        Ok(Position::read_likened(counting_rule, fen)?.0)
    }

    /// Parses a FEN like [`Position::from_fen_counted`], with notes on counts that are dropped or
    /// may be a mistake.
    ///
    /// # Errors
    ///
    /// Same as [`Position::from_fen_counted`].
    pub fn from_fen_noted(
        counting_rule: &'static CountingRule,
        fen: &str,
    ) -> Result<(Position, Vec<FenNote>), FenError> {
        let (position, count) = Position::read_likened(counting_rule, fen)?;
        Ok((position, FenNote::all(&position, count)))
    }

    /// Parses a FEN like [`Position::read`]; the error names the variants that the FEN looks like.
    fn read_likened(
        counting_rule: &'static CountingRule,
        fen: &str,
    ) -> Result<(Position, Option<Plies>), FenError> {
        let variant = variants::counted_by(counting_rule);
        Position::read(counting_rule, fen).map_err(|error| error.likened(variant, fen))
    }

    /// Parses a FEN. Returns the position and the number in the count field.
    fn read(
        counting_rule: &'static CountingRule,
        fen: &str,
    ) -> Result<(Position, Option<Plies>), FenError> {
        let variant = variants::counted_by(counting_rule);
        let fen = if fen.trim().eq_ignore_ascii_case(START) { variant.start } else { fen };
        let between = |letter: char| letter.is_whitespace() || letter == '_';
        let mut fields: Vec<&str> = fen.split(between).filter(|field| !field.is_empty()).collect();
        let checks = take_checks(&mut fields, variant.rules.end.check_loses);
        if let Some(material) = fields.first().and_then(|field| material(field)) {
            return Err(FenError::Material(material));
        }
        let (&board, &side) = match &fields[..] {
            [board, side, ..] if fields.len() <= FIELDS => (board, side),
            [board] if board.split('/').count() == SIDE_LENGTH => {
                return Err(FenError::SideMissing(Excerpt::of(board)));
            }
            _ => return Err(FenError::Fields(fields.len())),
        };
        let side = match side {
            "w" => Side::White,
            "b" => Side::Black,
            _ => return Err(FenError::Side(Excerpt::of(side))),
        };
        let (board, pocket) = split_pocket(board, variant);
        if let Some(pocket) = pocket.filter(|pocket| !NO_POCKET.contains(pocket)) {
            return Err(FenError::Pocket(Excerpt::of(pocket)));
        }
        let pieces = read_board(board, variant)?;
        let position = Position::new(variant, side, pieces)?.counted_by(counting_rule);
        position.legality()?;
        read_checks(&position, checks)?;
        let limits = match counting_rule.is_uncounted() {
            false => counting_rule.possible_limits(position.armies()),
            // The counting rules of the variant decide how the FEN is read; its count is dropped.
            true => {
                let rules = variant.counting_rules.iter();
                rules.flat_map(|rule| rule.possible_limits(position.armies())).collect()
            }
        };
        // Only the pieces' and the board's honour have their limit in a FEN.
        let has_limit = limits.iter().all(|&(honour, _)| honour != Honour::FiftyMoves);
        let written = if has_limit { &limits[..] } else { &[] };
        let FenFields { leaps, limit, count, number } = FenFields::of(&fields[2..], written);
        let leaps = leaps.map_or(Ok(LeapRights::NONE), |text| read_leaps(&position, text))?;
        let count = count.map(read_count).transpose()?;
        let (limit, passed) = match limit.filter(|_| variant.rules.double_step) {
            Some(text) => (None, Some(read_en_passant(&position, text)?)),
            None => (limit, None),
        };
        let clock = match limits[..] {
            [(Honour::FiftyMoves, limit)] if !counting_rule.is_uncounted() => {
                count.map(|count| Clock::new(Honour::FiftyMoves, limit, count))
            }
            _ => read_clock(&position, &limits, limit, count)?,
        };
        let number = number.map_or(Ok(1), |text| {
            text.parse::<u16>().map_err(|_| FenError::Number(Excerpt::of(text)))
        })?;
        let position = position.with_leaps(leaps).with_en_passant(passed).with_clock(clock);
        Ok((position.with_number(number.into()), count))
    }

    /// The position as FEN, all fields.
    pub fn fen(&self) -> String {
        self.to_string()
    }

    /// The checks that White and Black have left, as a FEN has them. Returns `None` if the first
    /// check does not win.
    fn checks_left(&self) -> Option<&'static str> {
        let end = self.variant().rules.end;
        end.check_loses.then(|| match (self.in_check(self.side()), self.side()) {
            (false, _) => NO_CHECK_YET,
            (true, Side::Black) => "0+1",
            (true, Side::White) => "1+0",
        })
    }
}

/// The material that the text names instead of a board, in any letter case.
fn material(field: &str) -> Option<Material> {
    if field.contains('/') {
        return None;
    }
    field.to_uppercase().replace('V', "v").parse().ok()
}

/// Splits the board field into board and pocket, in a variant whose pieces are dropped at the
/// start.
fn split_pocket<'a>(field: &'a str, variant: &Variant) -> (&'a str, Option<&'a str>) {
    match field.find(POCKET).filter(|_| variant.start.contains(POCKET)) {
        Some(at) => (&field[..at], Some(&field[at..])),
        None => (field, None),
    }
}

/// Parses the board.
fn read_board(board: &str, variant: &Variant) -> Result<Vec<(Piece, Square)>, FenError> {
    let promoted = variant.rules.promotes_to;
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != SIDE_LENGTH {
        return Err(FenError::Ranks(ranks.len()));
    }
    let mut pieces = Vec::new();
    for (rank, text) in (0..SIDE_LENGTH).rev().zip(ranks) {
        let mut file = 0;
        let mut last = None;
        for letter in text.chars() {
            if letter == PROMOTED {
                if !last.take().is_some_and(|last| promoted.contains(&last)) {
                    let letters = promoted.iter().map(|kind| variant.letters[kind.index()]);
                    let letters: Vec<String> = letters.map(|letter| letter.to_string()).collect();
                    let letters = letters.join(" or ");
                    return Err(FenError::Promoted { rank: rank + 1, letters });
                }
                continue;
            }
            let unknown = FenError::Letter { letter, rank: rank + 1, letters: variant.letters };
            if let Some(empty) = letter.to_digit(10) {
                if !(1..=SIDE_LENGTH as u32).contains(&empty) {
                    return Err(unknown);
                }
                file += empty as usize;
                last = None;
                continue;
            }
            let kind = variant.kind(letter).ok_or(unknown)?;
            let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
            pieces.extend(Square::at(file, rank).map(|square| (Piece::new(side, kind), square)));
            file += 1;
            last = Some(kind);
        }
        if file != SIDE_LENGTH {
            let text = Excerpt::of(text);
            return Err(FenError::RankLength { rank: rank + 1, text, squares: file });
        }
    }
    Ok(pieces)
}

/// Checks the field of checks left, if the FEN has it.
fn read_checks(position: &Position, written: Option<&str>) -> Result<(), FenError> {
    let Some(written) = written else { return Ok(()) };
    let text = Excerpt::of(written);
    match position.checks_left() {
        None => Err(FenError::NoChecks { text, variant: position.variant().name }),
        // Some programs never change the field.
        Some(expected) if written != expected && written != NO_CHECK_YET => {
            Err(FenError::ChecksLeft { text, expected })
        }
        Some(_) => Ok(()),
    }
}

/// Parses the third field, which is not `-`.
fn read_leaps(position: &Position, text: &str) -> Result<LeapRights, FenError> {
    let variant = position.variant();
    let mut rights = LeapRights::NONE;
    let is_castling = |letter: char| CASTLING.contains(letter);
    if variant.leaps.is_empty() && !text.is_empty() && text.chars().all(is_castling) {
        return Err(FenError::Castling(Excerpt::of(text)));
    }
    for letter in text.chars() {
        let found = variant.leaps.iter().enumerate().find(|(_, leap)| leap.letter() == letter);
        let new = found.filter(|(index, _)| !rights.has(*index));
        let (index, leap) = new.ok_or_else(|| {
            let letters: String = variant.leaps.iter().map(Leap::letter).collect();
            let expected = match letters.is_empty() {
                true => "-".to_string(),
                false => format!("- or some of {letters}, each once"),
            };
            FenError::Leaps { text: Excerpt::of(text), variant: variant.name, expected }
        })?;
        if !position.pieces_of(leap.piece).contains(leap.home) {
            return Err(FenError::LeapHome { letter, piece: leap.piece, home: leap.home });
        }
        rights = rights.with(index);
    }
    Ok(rights)
}

/// Parses the square over which a pawn has just passed. The pawn must be there; whether it can be
/// captured is not tested.
fn read_en_passant(position: &Position, text: &str) -> Result<Square, FenError> {
    let square =
        text.parse::<Square>().ok().filter(|&square| position.passed_pawn(square).is_some());
    square.ok_or(FenError::EnPassant { text: Excerpt::of(text), side: !position.side() })
}

/// Parses the fifth field, which is not `-`.
fn read_count(text: &str) -> Result<Plies, FenError> {
    let count = text.parse::<u16>().map_err(|_| FenError::Count(Excerpt::of(text)))?;
    Ok(Plies(count.into()))
}

/// Parses a limit, which must be one of `limits`. A limit of 0 means no count.
fn read_clock(
    position: &Position,
    limits: &[(Honour, Plies)],
    limit: Option<&str>,
    count: Option<Plies>,
) -> Result<Option<Clock>, FenError> {
    let read = |text: &str| text.parse::<u16>().ok().map(|plies| Plies(plies.into()));
    let Some(text) = limit.filter(|text| read(text) != Some(Plies(0))) else {
        return Ok(None);
    };
    let (armies, counting_rule) = (position.armies(), position.counting_rule());
    // With bare kings no count runs, but other programs keep the last one.
    if position.has_bare_kings() || counting_rule.is_uncounted() {
        return Ok(None);
    }
    let counting = counting_rule.name;
    if limits.is_empty() {
        return Err(FenError::NotCounted { text: Excerpt::of(text), counting });
    }
    let Some(&(honour, limit)) = limits.iter().find(|&&(_, limit)| Some(limit) == read(text))
    else {
        let limits: Vec<String> = limits.iter().map(|(_, plies)| plies.0.to_string()).collect();
        return Err(FenError::Limit {
            text: Excerpt::of(text),
            counting,
            expected: limits.join(", "),
        });
    };
    let count = count.ok_or(FenError::CountMissing(Excerpt::of(text)))?;
    let most = counting_rule.highest_count(limit, armies);
    match count > most {
        true => Err(FenError::CountOver { count, limit, most }),
        false => Ok(Some(Clock::new(honour, limit, count))),
    }
}

impl fmt::Display for Position {
    /// The FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..SIDE_LENGTH).rev() {
            let mut empty = 0;
            for square in (0..SIDE_LENGTH).filter_map(|file| Square::at(file, rank)) {
                let Some(piece) = self.at(square) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                empty = 0;
                f.write_char(self.variant().letter(piece))?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank > 0 {
                f.write_char('/')?;
            }
        }
        let side = match self.side() {
            Side::White => 'w',
            Side::Black => 'b',
        };
        let leaps: String =
            self.leaps().of(self.variant().leaps).map(|(_, leap)| leap.letter()).collect();
        let leaps = if leaps.is_empty() { "-" } else { &leaps };
        write!(f, " {side} {leaps} ")?;
        let count = match (self.clock(), self.en_passant()) {
            (None, Some(passed)) => {
                write!(f, "{passed}")?;
                0
            }
            (Some(clock), _) => {
                match clock.honour() {
                    Honour::FiftyMoves => f.write_char('-')?,
                    Honour::Pieces | Honour::Boards => write!(f, "{}", clock.limit().0)?,
                }
                clock.count().0
            }
            (None, None) => {
                f.write_char('-')?;
                0
            }
        };
        if let Some(checks) = self.checks_left() {
            write!(f, " {checks}")?;
        }
        write!(f, " {count} {}", self.number())
    }
}
