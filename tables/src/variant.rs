//! A variant of the chess family, as a value.

use crate::counting::CountingRule;
use crate::material::Material;
use crate::rules::attackers::Attackers;
use crate::rules::leap::Leap;
use crate::rules::piece::{Piece, PieceKind, PieceLetters, Side, kind_in, letter_kind};
use crate::rules::reach::Reach;
use crate::rules::{Movement, Rules};

/// One variant. The values are in [`crate::variants`], one file each.
#[derive(Debug)]
pub struct Variant {
    /// The name used on the command line and in files people read.
    pub name: &'static str,
    /// Other names of the variant; see [`named`](crate::variants::named) for their spelling.
    pub other_names: &'static [&'static str],
    /// The capital letters of its pieces in FEN, SAN and UCI, by [`PieceKind::index`].
    pub letters: PieceLetters,
    /// The names of its pieces as players say them, by [`PieceKind::index`], in Latin letters.
    pub piece_names: [&'static str; PieceKind::ALL.len()],
    /// The reason why positions with pawns are refused. `None` if they are accepted.
    pub refuses_pawns: Option<&'static str>,
    /// The rules that shape its tables.
    pub rules: Rules,
    /// The reach of each piece by these rules.
    pub reach: Reach,
    /// The attackers of each square by these rules.
    pub attackers: Attackers,
    /// Whether kings castle in games. No table has a position in which a side may still castle, so
    /// positions know no castling rights.
    pub castles: bool,
    /// First-move leaps, at most eight, in the order of their letters in FEN.
    pub leaps: &'static [Leap],
    /// The counting rules of the variant, the usual rule first.
    pub counting_rules: &'static [&'static CountingRule],
    /// The rule by which nobody counts. [`Variant::counting_rules`] lacks it, because no table has
    /// it.
    pub uncounted: &'static CountingRule,
    /// The starting position, FEN.
    pub start: &'static str,
}

impl Variant {
    /// The usual counting rule.
    pub fn counting(&self) -> &'static CountingRule {
        self.counting_rules[0]
    }

    /// Whether this variant has a counting rule. The rule by which nobody counts is included.
    pub fn has_counting(&self, counting_rule: &CountingRule) -> bool {
        self.counting_rules.contains(&counting_rule) || self.uncounted == counting_rule
    }

    /// The letter of a piece: a capital for White.
    pub fn letter(&self, piece: Piece) -> char {
        let letter = self.letters[piece.kind.index()];
        if piece.side == Side::White { letter } else { letter.to_ascii_lowercase() }
    }

    /// The name of a kind of piece.
    pub fn piece_name(&self, kind: PieceKind) -> &'static str {
        self.piece_names[kind.index()]
    }

    /// The kind with this letter, in either case: a letter of the variant, or `B` and `Q` where the
    /// variant has `S` and `M`. `None` for other letters.
    pub fn kind(&self, letter: char) -> Option<PieceKind> {
        kind_in(&self.letters, letter)
    }

    /// The kind that a letter denotes in a move, in either case: a letter of the variant or, where
    /// the pieces have their usual letters, the letter of another variant: `F` and `A` denote a met.
    pub fn kind_in_moves(&self, letter: char) -> Option<PieceKind> {
        let usual = |kind: &PieceKind| letter_kind(self.letters[kind.index()]) == Some(*kind);
        self.kind(letter).or_else(|| letter_kind(letter).filter(usual))
    }

    /// Whether positions of this material are refused, or have pieces that the variant lacks.
    pub fn refuses(&self, material: Material) -> bool {
        material.pieces().any(|Piece { kind, .. }| {
            let refused = kind == PieceKind::Pawn && self.refuses_pawns.is_some();
            refused || *self.rules.movement(kind) == Movement::NONE
        })
    }

    /// Returns a variant with another name and other rules; all else is equal.
    pub fn with_rules(&self, name: &'static str, rules: Rules) -> Variant {
        let (reach, attackers) = (Reach::new(&rules), Attackers::new(&rules));
        Variant { name, other_names: &[], rules, reach, attackers, ..*self }
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Variant) -> bool {
        self.name == other.name
    }
}

impl Eq for Variant {}
