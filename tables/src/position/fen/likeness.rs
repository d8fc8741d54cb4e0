//! A FEN of one variant given as another.

use crate::position::fen::FenError;
use crate::position::{IllegalPosition, Position};
use crate::variant::Variant;
use crate::variants;

impl FenError {
    /// The error, with the variants whose FEN the text is. The error comes from reading the text
    /// as a FEN of `variant`.
    pub(super) fn likened(self, variant: &Variant, fen: &str) -> FenError {
        if !self.depends_on_variant() {
            return self;
        }
        let others = variants::all().into_iter().filter(|other| *other != variant);
        let others = others.filter(|other| Position::read(other.counting(), fen).is_ok());
        let names: Vec<&str> = others.map(|other| other.name).collect();
        match names.is_empty() {
            true => self,
            false => {
                FenError::OtherVariant { source: Box::new(self), variants: names.join(" or ") }
            }
        }
    }

    /// The error without the variants that the FEN looks like.
    pub fn without_likeness(&self) -> &FenError {
        match self {
            FenError::OtherVariant { source, .. } => source.without_likeness(),
            other => other,
        }
    }

    /// Whether the FEN of another variant looks like this. A king that can be taken is an error
    /// of every variant, and only by chance none of a variant with weaker pieces.
    fn depends_on_variant(&self) -> bool {
        matches!(
            self,
            FenError::Illegal(IllegalPosition::PawnRank { .. })
                | FenError::Fields(_)
                | FenError::Letter { .. }
                | FenError::Promoted { .. }
                | FenError::Leaps { .. }
                | FenError::NoChecks { .. }
                | FenError::NotCounted { .. }
                | FenError::Limit { .. }
                | FenError::Count(_)
                | FenError::Number(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{MAKRUK, OUK};

    #[test]
    fn a_fen_of_another_variant_is_refused_by_its_name() {
        for (variant, fen, looks) in [
            (&*MAKRUK, OUK.start, "looks like ouk"),
            (&MAKRUK, "4k3/8/8/5P2/8/2R1K3/8/8 w - 126 41 50", "looks like ouk"),
            (&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 b - 30 6 1", "looks like ouk"),
            (&OUK, "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1", "looks like makruk"),
            (&OUK, "8/8/8/3k4/8/8/4R3/4K3 b - 30 6 1", ""),
        ] {
            let error = Position::from_fen(variant, fen).map_err(|error| error.to_string());
            assert_eq!(error.is_err(), !looks.is_empty(), "{fen}");
            assert!(error.err().unwrap_or_default().contains(looks), "{fen}");
        }
        for fen in ["8/8/8/3k4/8/8/4R3/4K3 b Q - 0 1", "8/8/8/3kK3/8/8/4R3/8 b - - 0 1", "8/8 w"] {
            let error = Position::from_fen(&MAKRUK, fen).unwrap_err();
            assert_eq!(error.without_likeness(), &error);
            assert!(!error.to_string().contains("looks like"), "{error}");
        }
    }
}
