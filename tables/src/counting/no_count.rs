//! Why no count that decides games may run with these pieces.

use crate::counting::rule::{BoardsHonour, CountingRule, DecisiveCounts};
use crate::material::Army;
use crate::rules::piece::PieceKind;
use std::fmt;

/// The reason why no count may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum NoCount {
    /// No side can win.
    BareKings,
    /// A pawn is on the board.
    Pawn,
    /// Only a bare king counts.
    PiecesOnBothSides,
    /// No side has as few men as a side that counts, which has at most this many.
    ManyMen(usize),
}

impl fmt::Display for NoCount {
    /// A clause that may follow "while".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCount::BareKings => f.write_str("only the kings are on the board"),
            NoCount::Pawn => f.write_str("a bia (pawn) is on the board"),
            NoCount::PiecesOnBothSides => f.write_str("both sides have pieces"),
            NoCount::ManyMen(most) => write!(f, "both sides have more than {most} men"),
        }
    }
}

impl CountingRule {
    /// Why no count that decides games may run with these pieces. Returns `None` if one may.
    pub fn no_count(&self, armies: [Army; 2]) -> Option<NoCount> {
        if self.has_decisive_count(armies) {
            return None;
        }
        let bare = armies.map(Army::is_empty);
        let pawn = armies.iter().any(|army| army.count(PieceKind::Pawn) > 0);
        let decides = |_: &BoardsHonour| self.decisive == DecisiveCounts::All;
        Some(match self.boards.filter(decides) {
            _ if bare == [true; 2] => NoCount::BareKings,
            Some(boards) if boards.with_pawns || !pawn => NoCount::ManyMen(boards.most_men),
            None if bare == [false; 2] => NoCount::PiecesOnBothSides,
            _ => NoCount::Pawn,
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
        use NoCount::{BareKings, ManyMen, Pawn, PiecesOnBothSides};
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
        ] {
            let rule = variants::counting_rule(counting_rule).unwrap();
            let material: Material = material.parse().unwrap();
            let armies = Side::BOTH.map(|side| material.army(side));
            assert_eq!(rule.no_count(armies), reason, "{counting_rule} {material}");
        }
    }
}
