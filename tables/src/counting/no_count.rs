//! Reasons why no count that decides games may run with these pieces.

use crate::counting::rule::{BoardsHonour, CountingRule, DecisiveCounts};
use crate::material::Army;
use crate::rules::piece::PieceKind;
use std::fmt;

/// The reason why no count may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum NoCount {
    /// No side can win.
    BareKings,
    /// The rule by which nobody counts.
    Nobody,
    /// The variant has no count.
    Never,
    /// A pawn is on the board.
    Pawn,
    /// The fifty-move rule is not considered while a pawn is on the board.
    FiftyMovesWithPawns,
    /// The attacker's pieces have no limit.
    Unlimited,
    /// Only a bare king counts.
    PiecesOnBothSides,
    /// Neither side has few enough men to count: at most this many.
    ManyMen(usize),
}

impl fmt::Display for NoCount {
    /// Writes a clause that may follow "none" or "nothing can be called".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCount::BareKings => f.write_str("while only the kings are on the board"),
            NoCount::Nobody => f.write_str("as nobody counts"),
            NoCount::Never => f.write_str("in this variant"),
            NoCount::Pawn => f.write_str("while a bia (pawn) is on the board"),
            NoCount::FiftyMovesWithPawns => {
                f.write_str("with pawns, for which no table considers the fifty-move rule")
            }
            NoCount::Unlimited => f.write_str("with these pieces"),
            NoCount::PiecesOnBothSides => f.write_str("while both sides have pieces"),
            NoCount::ManyMen(most) => write!(f, "while both sides have more than {most} men"),
        }
    }
}

impl CountingRule {
    /// The reason why no count that decides games may run with these pieces. Returns `None` if one
    /// may run.
    pub fn no_count(&self, armies: [Army; 2]) -> Option<NoCount> {
        if self.has_decisive_count(armies) {
            return None;
        }
        let bare = armies.map(Army::is_empty);
        let pawn = armies.iter().any(|army| army.count(PieceKind::Pawn) > 0);
        let decides = |_: &BoardsHonour| self.decisive == DecisiveCounts::All;
        Some(match self.boards.filter(decides) {
            _ if bare == [true; 2] => NoCount::BareKings,
            _ if self.is_uncounted() => NoCount::Nobody,
            None if self.fifty_moves.is_some() => NoCount::FiftyMovesWithPawns,
            None if self.rows.is_empty() => NoCount::Never,
            Some(boards) if boards.with_pawns || !pawn => NoCount::ManyMen(boards.most_men),
            None if bare == [false; 2] => NoCount::PiecesOnBothSides,
            _ if pawn => NoCount::Pawn,
            _ => NoCount::Unlimited,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;
    use crate::rules::piece::Side;
    use crate::variants;

    #[test]
    fn the_reason_is_that_of_the_counting_rule() {
        use NoCount::{
            BareKings, FiftyMovesWithPawns, ManyMen, Never, Pawn, PiecesOnBothSides, Unlimited,
        };
        for (counting_rule, material, reason) in [
            ("makruk", "KRvK", None),
            ("makruk", "KRvKR", None),
            ("makruk", "KRPvK", Some(Pawn)),
            ("makruk", "KRPvKR", Some(Pawn)),
            ("makruk", "KvK", Some(BareKings)),
            ("ouk", "KRPvK", None),
            ("ouk", "KRMMvKMM", None),
            ("ouk", "KRMMvKMMM", Some(ManyMen(3))),
            ("ouk", "KRMPvKMMM", Some(ManyMen(3))),
            ("ouk", "KvK", Some(BareKings)),
            ("ouk-traditional", "KRvK", None),
            ("ouk-traditional", "KRPvK", Some(Pawn)),
            ("ouk-traditional", "KRPvKR", Some(PiecesOnBothSides)),
            ("ouk-traditional", "KvK", Some(BareKings)),
            ("kar-ouk", "KRvK", None),
            ("kar-ouk", "KRPvK", Some(Pawn)),
            ("kar-ouk", "KRvKM", Some(PiecesOnBothSides)),
            ("kar-ouk", "KRMMvKMMM", Some(PiecesOnBothSides)),
            ("kar-ouk", "KvK", Some(BareKings)),
            ("asean", "KMvK", Some(Unlimited)),
            ("asean", "KMMvK", Some(Unlimited)),
            ("asean", "KMPvK", Some(Pawn)),
            ("asean", "KSvK", None),
            ("asean", "KMvKM", Some(PiecesOnBothSides)),
            ("sittuyin", "KMvK", Some(Unlimited)),
            ("fifty-moves", "KRvK", None),
            ("fifty-moves", "KRPvK", Some(FiftyMovesWithPawns)),
            ("shatranj", "KRvK", Some(Never)),
            ("shatranj", "KRPvK", Some(Never)),
            ("shatranj", "KRvKR", Some(Never)),
            ("shatranj", "KvK", Some(BareKings)),
        ] {
            let rule = variants::counting_rule(counting_rule).unwrap();
            let material: Material = material.parse().unwrap();
            let armies = Side::BOTH.map(|side| material.army(side));
            assert_eq!(rule.no_count(armies), reason, "{counting_rule} {material}");
        }
    }

    /// No reason names pieces that are not on the board, in any variant.
    #[test]
    fn the_reason_is_true_of_the_pieces() {
        for rule in variants::all_counting_rules() {
            for material in (2..=5).flat_map(Material::all_of) {
                let armies = Side::BOTH.map(|side| material.army(side));
                let has = |kind| armies.iter().any(|army| army.count(kind) > 0);
                let is_true = match rule.no_count(armies) {
                    None | Some(NoCount::Never | NoCount::Unlimited) => true,
                    Some(NoCount::Nobody) => rule.is_uncounted(),
                    Some(NoCount::BareKings) => armies.iter().all(|army| army.is_empty()),
                    Some(NoCount::Pawn | NoCount::FiftyMovesWithPawns) => has(PieceKind::Pawn),
                    Some(NoCount::PiecesOnBothSides) => armies.iter().all(|army| !army.is_empty()),
                    Some(NoCount::ManyMen(most)) => armies.iter().all(|army| army.len() >= most),
                };
                assert!(is_true, "{} {material}", rule.name);
            }
        }
    }
}
