//! The ways in which programs and sites write moves.
//!
//! | dialect | khon, met | promoted pawn | promotion |
//! |---|---|---|---|
//! | makruk-letters: Fairy-Stockfish, PyChess | S, M | M | `e6=M` |
//! | chess-letters: SchemingMind | B, Q | Q | `e6` |
//! | playok: PlayOK | B, Q | P | `e6=P` |
//!
//! A game may have other letters or another promotion sign than its dialect; it is written back
//! with its own.

use crate::mets::{MetOrigin, MetOrigins};
use crate::pgn::PgnGame;
use sakmak_tables::board::square::Square;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::{self, Fit, KindLetters, SanError, SanLetters, SanParts};
use sakmak_tables::rules::piece::{PieceKind, letter_kind};
use sakmak_tables::variant::Variant;

/// The letter of pawns, and in some dialects of promoted pawns.
const PAWN: char = PieceKind::Pawn.letter();

/// The letters of khon and met that belong together.
const LETTERS: [[char; 2]; 2] = [['S', 'M'], ['B', 'Q']];

/// A way to write moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// The name of the dialect.
    pub name: &'static str,
    /// Parts of the Site tags of its games, in small letters.
    sites: &'static [&'static str],
    /// Whether a game of these sites without a Variant tag is Makruk.
    pub is_of_makruk_sites: bool,
    khon: char,
    met: char,
    /// The letter with which a promoted pawn moves.
    pub promoted: PromotedLetter,
    /// The letter after the `=` of a promotion; `None` writes nothing.
    promotion: Option<char>,
    /// Whether the variant has letters of its own, which all sites write.
    has_own_letters: bool,
}

/// The letter with which a promoted pawn moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PromotedLetter {
    /// The letter of a met.
    Met,
    /// The letter of a pawn. If a pawn can make the move too, the promoted pawn makes it.
    Pawn,
    /// The letter of a pawn. If a pawn can make the move too, the pawn makes it.
    PawnFirst,
}

/// The letters of this program.
const MAKRUK_LETTERS: Dialect = Dialect {
    name: "makruk-letters",
    sites: &["pychess", "fairy-stockfish"],
    is_of_makruk_sites: false,
    khon: 'S',
    met: 'M',
    promoted: PromotedLetter::Met,
    promotion: Some('M'),
    has_own_letters: false,
};

const CHESS_LETTERS: Dialect = Dialect {
    name: "chess-letters",
    sites: &["schemingmind"],
    is_of_makruk_sites: false,
    khon: 'B',
    met: 'Q',
    promoted: PromotedLetter::Met,
    promotion: None,
    has_own_letters: false,
};

const PLAYOK: Dialect = Dialect {
    name: "playok",
    sites: &["playok", "kurnik"],
    is_of_makruk_sites: true,
    khon: 'B',
    met: 'Q',
    promoted: PromotedLetter::PawnFirst,
    promotion: Some(PAWN),
    has_own_letters: false,
};

/// All dialects.
pub const DIALECTS: [Dialect; 3] = [MAKRUK_LETTERS, CHESS_LETTERS, PLAYOK];

/// The letters of one position in a dialect.
#[derive(Clone, Copy, Debug)]
struct DialectLetters<'a> {
    dialect: &'a Dialect,
    position: &'a Position,
    mets: MetOrigins,
}

impl Dialect {
    /// The likeliest dialect of a game, by its site or else by its letters, and other dialects that
    /// read moves of promoted pawns differently. The dialect of this program has the letters of the
    /// variant.
    pub fn candidates(game: &PgnGame, variant: &Variant) -> (Dialect, Vec<Dialect>) {
        if variant.kind_in_moves(PieceKind::Met.letter()) != Some(PieceKind::Met) {
            return (Dialect { has_own_letters: true, ..MAKRUK_LETTERS }, Vec::new());
        }
        let by_letters = Dialect::of_letters(game);
        let first = Dialect::of_site(game).or(by_letters).unwrap_or(MAKRUK_LETTERS);
        let met = [first, by_letters.unwrap_or(MAKRUK_LETTERS), CHESS_LETTERS];
        let met = met.into_iter().find(|dialect| dialect.promoted == PromotedLetter::Met);
        let promoted_first = Dialect { promoted: PromotedLetter::Pawn, ..PLAYOK };
        let others = met.into_iter().chain([PLAYOK, promoted_first]);
        let others = others.filter(|other| other.promoted != first.promoted);
        let of_variant = |dialect: Dialect| dialect.of_variant(variant);
        (of_variant(first), others.map(of_variant).collect())
    }

    /// The dialect with the letters of a variant, if it is the dialect of this program.
    fn of_variant(self, variant: &Variant) -> Dialect {
        if self.name != MAKRUK_LETTERS.name {
            return self;
        }
        let letter = |kind: PieceKind| variant.letters[kind.index()];
        let [khon, met] = [PieceKind::Khon, PieceKind::Met].map(letter);
        Dialect { khon, met, promotion: Some(met), ..self }
    }

    /// The dialect of the site of a game, or `None` if the tags name no known site.
    pub fn of_site(game: &PgnGame) -> Option<Dialect> {
        let site = game.known("Site")?.to_lowercase();
        let is_of = |dialect: &Dialect| dialect.sites.iter().any(|part| site.contains(part));
        DIALECTS.into_iter().find(is_of)
    }

    /// The dialect to which the letters of a game belong, or `None` if they fit several dialects.
    fn of_letters(game: &PgnGame) -> Option<Dialect> {
        let parts = || game.moves.iter().filter_map(|mv| SanParts::parse(&mv.text));
        let moves = |letters: [char; 2]| {
            parts().any(|part| part.letter.is_some_and(|letter| letters.contains(&letter)))
        };
        let [makruk, chess] = LETTERS;
        if parts().any(|part| part.promotion == Some(PAWN)) {
            return Some(PLAYOK);
        }
        match (moves(makruk), moves(chess)) {
            (true, _) => Some(MAKRUK_LETTERS),
            (_, true) => Some(CHESS_LETTERS),
            _ => None,
        }
    }

    /// Whether a game has letters that chess lacks.
    pub fn excludes_chess(game: &PgnGame) -> bool {
        let [[khon, met], _] = LETTERS;
        let is_foreign = |letter: char| [khon, met, 'F'].contains(&letter);
        game.moves.iter().filter_map(|mv| SanParts::parse(&mv.text)).any(|part| {
            part.letter.is_some_and(is_foreign)
                || part.promotion.is_some_and(|letter| letter == PAWN || is_foreign(letter))
        })
    }

    /// The dialect with the letters and the promotion sign of a game. Each move comes with the
    /// position before it and its text.
    pub fn with_habits<'a>(
        mut self,
        moves: impl Iterator<Item = (&'a Position, Move, &'a str)>,
    ) -> Dialect {
        let (mut khon, mut met, mut promotion) = (None, None, None);
        for (position, mv, text) in moves {
            let Some(parts) = SanParts::parse(text).filter(|parts| !parts.is_of_any_piece()) else {
                continue;
            };
            match (position.at(mv.from).map(|piece| piece.kind), parts.letter) {
                (Some(PieceKind::Khon), Some(letter)) => drop(khon.get_or_insert(letter)),
                (Some(PieceKind::Met), Some(letter)) if letter != PAWN => {
                    met.get_or_insert(letter);
                }
                _ => {}
            }
            if mv.promotion == Some(PieceKind::Met) {
                promotion.get_or_insert(parts.promotion);
            }
        }
        let own = [self.khon, self.met];
        let mut pairs = [own].into_iter().chain(LETTERS);
        let pair = pairs.find(|&[k, m]| khon == Some(k) || met == Some(m));
        let [usual_khon, usual_met] = pair.unwrap_or(own);
        self.khon = khon.unwrap_or(usual_khon);
        self.met = met.unwrap_or(usual_met);
        self.promotion = promotion.unwrap_or(match self.promotion {
            Some(letter) if letter != PAWN => Some(self.met),
            other => other,
        });
        self
    }

    /// The legal move of a position that a text in this dialect denotes.
    ///
    /// # Errors
    ///
    /// If the text denotes no legal move, or several.
    pub fn read(
        &self,
        position: &Position,
        mets: MetOrigins,
        text: &str,
    ) -> Result<Move, SanError> {
        san::read_with(position, text, &DialectLetters { dialect: self, position, mets })
    }

    /// Reads a move like [`Dialect::read`], among the closing moves of a position.
    ///
    /// # Errors
    ///
    /// Same as [`Dialect::read`].
    pub fn read_closing(
        &self,
        position: &Position,
        mets: MetOrigins,
        text: &str,
    ) -> Result<Move, SanError> {
        san::read_closing(position, text, &DialectLetters { dialect: self, position, mets })
    }

    /// A legal move of a position in this dialect.
    pub fn san(&self, position: &Position, mets: MetOrigins, mv: Move) -> String {
        let text = san::san_with(position, mv, &DialectLetters { dialect: self, position, mets });
        // A leap has no disambiguation, and neither has a promoted pawn beside a pawn.
        if self.read(position, mets, &text).is_ok_and(|read| read == mv) {
            return text;
        }
        let letter = text.chars().next().filter(char::is_ascii_uppercase);
        let letter = letter.map_or(String::new(), String::from);
        let takes = if text.contains('x') { "x" } else { "" };
        let end = text.rfind(&mv.to.to_string()).map_or("", |start| &text[start..]);
        format!("{letter}{}{takes}{end}", mv.from)
    }

    /// A board of a FEN with the letters of this dialect.
    pub fn board(&self, board: &str) -> String {
        if self.has_own_letters {
            return board.to_string();
        }
        let letter = |letter: char| match PieceKind::from_letter(letter) {
            Some(kind @ (PieceKind::Khon | PieceKind::Met)) => {
                let own = if kind == PieceKind::Khon { self.khon } else { self.met };
                // A FEN has no other letters for a met.
                let own = PieceKind::from_letter(own).map_or(kind.letter(), |_| own);
                if letter.is_ascii_lowercase() { own.to_ascii_lowercase() } else { own }
            }
            _ => letter,
        };
        board.chars().map(letter).collect()
    }

    /// Whether promoted pawns move with their own letter.
    pub fn tells_promoted(&self) -> bool {
        self.promoted != PromotedLetter::Met
    }
}

impl SanLetters for DialectLetters<'_> {
    fn letter(&self, square: Square) -> Option<char> {
        if self.dialect.has_own_letters {
            return KindLetters(self.position).letter(square);
        }
        let promoted = || self.mets.of(square) == MetOrigin::Promoted;
        match self.position.at(square)?.kind {
            PieceKind::Khon => Some(self.dialect.khon),
            PieceKind::Met if self.dialect.tells_promoted() && promoted() => Some(PAWN),
            PieceKind::Met => Some(self.dialect.met),
            _ => KindLetters(self.position).letter(square),
        }
    }

    fn fit(&self, letter: char, square: Square) -> Fit {
        if self.dialect.has_own_letters {
            return KindLetters(self.position).fit(letter, square);
        }
        let Some(piece) = self.position.at(square) else { return Fit::No };
        let promoted = self.dialect.promoted;
        match (piece.kind, letter_kind(letter)) {
            (PieceKind::Pawn, Some(PieceKind::Pawn)) => match promoted {
                PromotedLetter::Pawn => Fit::IfNoOther,
                PromotedLetter::Met | PromotedLetter::PawnFirst => Fit::Yes,
            },
            (PieceKind::Met, Some(PieceKind::Pawn)) => match (promoted, self.mets.of(square)) {
                (PromotedLetter::Met, _) | (_, MetOrigin::First) => Fit::No,
                (PromotedLetter::Pawn, _) => Fit::Yes,
                (PromotedLetter::PawnFirst, _) => Fit::IfNoOther,
            },
            (PieceKind::Met, Some(PieceKind::Met)) => match self.mets.of(square) {
                MetOrigin::Promoted if self.dialect.tells_promoted() => Fit::No,
                _ => Fit::Yes,
            },
            (kind, other) if other == Some(kind) => Fit::Yes,
            _ => Fit::No,
        }
    }

    fn promotion(&self, kind: PieceKind) -> Option<char> {
        match kind {
            _ if self.dialect.has_own_letters => KindLetters(self.position).promotion(kind),
            PieceKind::Met => self.dialect.promotion,
            PieceKind::Khon => Some(self.dialect.khon),
            _ => Some(kind.letter()),
        }
    }
}
