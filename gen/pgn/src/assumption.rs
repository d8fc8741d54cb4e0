//! Assumptions about a game whose tags leave something open.

use sakmak_tables::excerpt::Excerpt;
use std::fmt;

/// An assumption about a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// The variant and the evidence for it, if the game has no Variant tag.
    pub variant: Option<(&'static str, VariantEvidence)>,
    /// Whether a promoted pawn is assumed to move with the letter of a pawn.
    pub promoted_moves_as_pawn: bool,
}

/// Evidence that a game without a Variant tag is not chess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VariantEvidence {
    /// The Site tag, with this value.
    Site(Excerpt),
    /// The start position.
    Fen,
    /// Letters that chess does not have.
    Letters,
    /// The moves, which are legal.
    Moves,
}

impl Assumption {
    /// Creates the assumption, or `None` if nothing is assumed.
    pub fn new(
        variant: Option<(&'static str, VariantEvidence)>,
        promoted_moves_as_pawn: bool,
    ) -> Option<Assumption> {
        let is_some = variant.is_some() || promoted_moves_as_pawn;
        is_some.then_some(Assumption { variant, promoted_moves_as_pawn })
    }
}

impl fmt::Display for Assumption {
    /// Writes a sentence without a full stop: `makruk, by the Site tag 'PlayOK'`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((variant, evidence)) = &self.variant {
            write!(f, "{variant}, by {evidence}")?;
            if self.promoted_moves_as_pawn {
                f.write_str("; ")?;
            }
        }
        if self.promoted_moves_as_pawn {
            f.write_str("a promoted pawn moves as P and not as Q, as PlayOK writes it")?;
        }
        Ok(())
    }
}

impl fmt::Display for VariantEvidence {
    /// Writes the evidence for the variant, with an article.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VariantEvidence::Site(site) => write!(f, "the Site tag '{site}'"),
            VariantEvidence::Fen => f.write_str("the FEN tag"),
            VariantEvidence::Letters => f.write_str("the letters of the moves"),
            VariantEvidence::Moves => f.write_str("the moves, which are legal in it"),
        }
    }
}
