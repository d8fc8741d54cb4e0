//! The rules that determine a table: moves of pieces, ranks and promotion of pawns, end of the
//! game.
//!
//! Rules are data. Two variants with equal rules share their table files. A file contains the
//! [`Rules::fingerprint`] of the rules it was made by.

pub mod piece;

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod reach;

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod attackers;

pub mod leap;

pub mod end_rule;

use crate::board::bitboard::Bitboard;
use crate::board::square::{Square, Step};
use crate::board::symmetry::Symmetry;
use crate::rules::end_rule::EndRule;
use crate::rules::piece::{Piece, PieceKind, PieceLetters, Side};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Moves of one kind of piece, as White sees them. Black's steps have their ranks reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Movement {
    /// Steps to an empty square or onto an enemy.
    pub steps: &'static [Step],
    /// Steps repeated any number of times over empty squares; the last one may be a capture.
    pub slides: &'static [Step],
    /// Steps to an empty square only.
    pub advances: &'static [Step],
    /// Steps onto an enemy only.
    pub captures: &'static [Step],
}

impl Movement {
    /// No moves: the base of a struct update.
    pub const NONE: Movement = Movement { steps: &[], slides: &[], advances: &[], captures: &[] };

    /// All steps, each with the index of its field.
    fn all(&self) -> impl Iterator<Item = (u8, Step)> {
        [self.steps, self.slides, self.advances, self.captures]
            .into_iter()
            .zip(0..)
            .flat_map(|(steps, number)| steps.iter().map(move |&step| (number, step)))
    }

    /// Whether the piece stays on squares of one colour.
    pub fn keeps_colour(&self) -> bool {
        self.all().all(|(_, step)| (step.files + step.ranks) % 2 == 0)
    }

    /// Whether both are the same moves, in any order.
    pub fn is_like(&self, other: &Movement) -> bool {
        let has_all = |one: &Movement, other: &Movement| {
            one.all().all(|way| other.all().any(|another| another == way))
        };
        has_all(self, other) && has_all(other, self)
    }

    /// Whether the piece moves in the same way on the transformed board.
    fn survives(&self, symmetry: Symmetry) -> bool {
        self.all()
            .all(|(number, step)| self.all().any(|other| other == (number, symmetry.step(step))))
    }
}

/// The rules that determine a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Movements by [`PieceKind::index`].
    pub movements: [Movement; PieceKind::ALL.len()],
    /// White's zero-based ranks on which a pawn may stand, first and last.
    pub pawn_ranks: (usize, usize),
    /// White's zero-based rank on which a pawn is promoted at once.
    pub promotion_rank: usize,
    /// Whether a pawn on its first rank may advance two squares at once. An enemy pawn that attacks
    /// the square passed over may then capture it in passing, with the next move only.
    pub double_step: bool,
    /// Kinds that a pawn may become, by choice.
    pub promotes_to: &'static [PieceKind],
    /// Whether a king in check may not step away. It may only take the single piece that gives
    /// check.
    pub checked_king_stays: bool,
    /// Conditions that end a game.
    pub end: EndRule,
    /// The letters of the pieces in the names of materials and files.
    pub material_letters: &'static PieceLetters,
    /// The folder of the table files within a directory of tables. `None` for the directory itself.
    pub folder: Option<&'static str>,
}

impl Rules {
    /// The moves of a kind of piece, as White sees them.
    pub const fn movement(&self, kind: PieceKind) -> &Movement {
        &self.movements[kind.index()]
    }

    /// The squares on which this piece may stand.
    pub fn domain(&self, piece: Piece) -> Bitboard {
        if piece.kind != PieceKind::Pawn {
            return Bitboard::ALL;
        }
        let (first, last) = self.pawn_ranks;
        (first..=last).fold(Bitboard::EMPTY, |set, rank| set | side_rank(piece.side, rank))
    }

    /// The squares on which a pawn of this side is promoted.
    pub fn promotion_squares(&self, side: Side) -> Bitboard {
        side_rank(side, self.promotion_rank)
    }

    /// The pieces that pawns may become, White's first.
    pub fn promoted(&self) -> impl Iterator<Item = Piece> + Clone {
        let kinds = self.promotes_to;
        Side::BOTH
            .into_iter()
            .flat_map(move |side| kinds.iter().map(move |&kind| Piece::new(side, kind)))
    }

    /// The two squares in front of a pawn that may advance over both; `None` for any other piece.
    #[inline]
    pub fn double_step_of(&self, piece: Piece, from: Square) -> Option<[Square; 2]> {
        if !self.double_step || piece.kind != PieceKind::Pawn {
            return None;
        }
        if !side_rank(piece.side, self.pawn_ranks.0).contains(from) {
            return None;
        }
        let passed = from.step(piece.side.forward())?;
        Some([passed, passed.step(piece.side.forward())?])
    }

    /// Whether this piece is promoted when it reaches `to`.
    pub fn promotes(&self, piece: Piece, to: Square) -> bool {
        piece.kind == PieceKind::Pawn && self.promotion_squares(piece.side).contains(to)
    }

    /// Whether a piece of this kind moves in the same way on the transformed board.
    pub fn survives(&self, kind: PieceKind, symmetry: Symmetry) -> bool {
        let pawn_keeps_ranks =
            kind != PieceKind::Pawn || !(symmetry.flips() || symmetry.transposes());
        self.movement(kind).survives(symmetry) && pawn_keeps_ranks
    }

    /// The place of a kind in the order king, rook, knight, khon or bishop, met or queen, pawn.
    /// [`PieceKind::index`] by the rules in which kinds have their own names.
    pub const fn place(&self, kind: PieceKind) -> usize {
        match PieceKind::from_letter(self.material_letters[kind.index()]) {
            Some(like) => like.index(),
            None => kind.index(),
        }
    }

    /// Whether the letters of materials are those of Makruk.
    pub fn has_usual_letters(&self) -> bool {
        *self.material_letters == PieceKind::LETTERS
    }

    /// The path of the table files in a directory of tables.
    pub fn files_in(&self, directory: &Path) -> PathBuf {
        self.folder.map_or_else(|| directory.to_path_buf(), |folder| directory.join(folder))
    }

    /// The directory of tables in which this is the path of the table files: the inverse of
    /// [`Rules::files_in`].
    pub fn directory_of<'a>(&self, files: &'a Path) -> &'a Path {
        let above = self.folder.filter(|folder| files.ends_with(folder)).and(files.parent());
        match above.unwrap_or(files) {
            path if path.as_os_str().is_empty() => Path::new("."),
            path => path,
        }
    }

    /// A hash of the rules. It differs for rules that lead to different tables.
    pub fn fingerprint(&self) -> u64 {
        let mut bytes = Vec::new();
        for kind in PieceKind::ALL {
            let mut ways: Vec<_> =
                self.movement(kind).all().map(|(n, s)| [n, s.files as u8, s.ranks as u8]).collect();
            ways.sort_unstable();
            bytes.push(kind.letter() as u8);
            bytes.extend(ways.into_iter().flatten());
        }
        let (first, last) = self.pawn_ranks;
        bytes.extend([first as u8, last as u8, self.promotion_rank as u8]);
        bytes.extend(self.promotes_to.iter().map(|kind| kind.letter() as u8));
        // Files made before other ends existed keep their fingerprint.
        if self.end != EndRule::MATE {
            bytes.extend([self.end.check_loses, self.end.stalemate_loses].map(u8::from));
        }
        // Each rule added later has a number of its own.
        bytes.extend(self.end.bare_king_loses.then_some(2));
        bytes.extend(self.checked_king_stays.then_some(3));
        bytes.extend(self.double_step.then_some(4));
        xxh3_64(&bytes)
    }
}

/// The rank with this zero-based index as `side` sees it.
fn side_rank(side: Side, rank: usize) -> Bitboard {
    match side {
        Side::White => Bitboard::rank(rank),
        Side::Black => Bitboard::rank(crate::board::square::SIDE_LENGTH - 1 - rank),
    }
}
