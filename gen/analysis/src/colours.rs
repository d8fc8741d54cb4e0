//! Wins against a bare king, by the square colours of the mets.
//!
//! In most variants a met never leaves its square colour. A pawn becomes a met on the colour of its
//! promotion square. If all mets are on one colour, they cannot control half of the corners: the
//! wrong corners.

use rayon::prelude::*;
use sakmak_solve::planes::legal_rows::{LegalRow, LegalRows};
use sakmak_tables::board::square::Square;
use sakmak_tables::distance::Value;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::values::codes::TableCodes;
use serde::Serialize;
use std::io;

/// The positions with White to move that divide mets and pawns in one way between the two square
/// colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Division {
    /// Mets, and pawns by their promotion square, on the colour with fewer mets and pawns.
    pub fewer: usize,
    /// Mets and pawns on the other colour.
    pub more: usize,
    /// Legal positions of the whole board with White to move; like pieces are interchangeable.
    pub positions: u64,
    /// Positions that White wins, with no count.
    pub won: u64,
}

/// Whether divisions apply: White has two or more mets and pawns, Black a bare king, mets stay on
/// squares of one colour, and pawns become mets only.
pub fn apply(index: &Index, rules: &Rules) -> bool {
    let [white, black] = Side::BOTH.map(|side| index.material().army(side));
    let [mets, pawns] = [PieceKind::Met, PieceKind::Pawn].map(|kind| white.count(kind));
    let becomes_met = pawns == 0 || rules.promotes_to == [PieceKind::Met];
    black.is_empty()
        && mets + pawns >= 2
        && becomes_met
        && rules.movement(PieceKind::Met).keeps_colour()
}

/// The divisions of a material, starting with all mets and pawns on one colour. Empty if [`apply`]
/// is false.
///
/// # Errors
///
/// If codes cannot be read.
pub fn divisions(codes: &dyn TableCodes, rules: &Rules) -> io::Result<Vec<Division>> {
    let rows = LegalRows::new(codes.index().clone(), rules);
    let index = rows.index();
    if !apply(index, rules) {
        return Ok(Vec::new());
    }
    let per_pair = index.slots_per_pair();
    // All king pairs have the same pieces in the same order of slots.
    let fewer: Vec<u8> =
        (0..per_pair).into_par_iter().map(|slot| fewer(index, rules, Slot(slot))).collect();
    let coding = codes.coding(Side::White).unwrap_or_default();
    let wins: Vec<bool> = (0..coding.codes())
        .map(|code| matches!(coding.decode(code as u16), Some(Value::Win(_))))
        .collect();
    let white = index.material().army(Side::White);
    let mets = white.count(PieceKind::Met) + white.count(PieceKind::Pawn);
    let none: Vec<Division> = (0..=mets / 2)
        .map(|fewer| Division { fewer, more: mets - fewer, positions: 0, won: 0 })
        .collect();
    let of_pair = |pair: u64| -> io::Result<Vec<Division>> {
        let first = pair * per_pair;
        let window = codes.window(Side::White, first..first + per_pair)?;
        let pair = KingPair(pair as u16);
        let images = index.kings().images(pair);
        let mut found = none.clone();
        rows.of_pair(pair, Side::White, |LegalRow { slots, legal }| {
            for slot in slots.clone().filter(|slot| legal >> (slot - slots.start) & 1 != 0) {
                let won = coding.read(&window, slot).and_then(|code| wins.get(usize::from(code)));
                let division = fewer.get(slot).and_then(|&fewer| found.get_mut(fewer as usize));
                if let (Some(&won), Some(division)) = (won, division) {
                    division.positions += images;
                    division.won += images * u64::from(won);
                }
            }
        });
        Ok(found)
    };
    let pairs: Vec<io::Result<Vec<Division>>> =
        (0..index.kings().len() as u64).into_par_iter().map(of_pair).collect();
    let mut all = none.clone();
    for pair in pairs {
        for (sum, more) in all.iter_mut().zip(pair?) {
            sum.positions += more.positions;
            sum.won += more.won;
        }
    }
    Ok(all)
}

/// The number of White's mets and pawns on the colour with fewer mets and pawns.
fn fewer(index: &Index, rules: &Rules, slot: Slot) -> u8 {
    let placement = index.placement(slot);
    let dark = |(piece, square): &(Piece, Square)| {
        let rank = match (piece.side, piece.kind) {
            (Side::White, PieceKind::Met) => square.rank(),
            (Side::White, PieceKind::Pawn) => rules.promotion_rank,
            _ => return None,
        };
        Some((square.file() + rank).is_multiple_of(2))
    };
    let colours: Vec<bool> = index.placed(&placement).filter_map(|placed| dark(&placed)).collect();
    let dark = colours.iter().filter(|&&dark| dark).count();
    dark.min(colours.len() - dark) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_make::store::TableStore;
    use sakmak_tables::format::name::TableName;
    use sakmak_tables::variant::Variant;
    use sakmak_tables::variants::{AI_WOK, ASEAN, MAKRUK, SHATRANJ};
    use std::path::Path;

    fn of(name: &str) -> Vec<Division> {
        let store = TableStore::new(&MAKRUK.rules, Path::new("no such directory"));
        let table = store.table(TableName::to_mate(name.parse().unwrap())).unwrap();
        divisions(&*table, &MAKRUK.rules).unwrap()
    }

    #[test]
    fn mets_of_one_colour_never_win() {
        let [one, two] = of("KMMvK")[..] else { panic!() };
        assert_eq!((one.fewer, one.more, two.fewer, two.more), (0, 2, 1, 1));
        assert_eq!(one.won, 0);
        assert!(0 < two.won && two.won < two.positions);
        // A pawn counts by its promotion square.
        let [one, two] = of("KMPvK")[..] else { panic!() };
        assert!(one.won * two.positions < two.won * one.positions);
    }

    #[test]
    fn others_are_not_divided() {
        for name in ["KMvK", "KRMvK", "KMvKM"] {
            assert_eq!(of(name), []);
        }
        let applies = |name: &str, variant: &Variant| {
            apply(&Index::new(name.parse().unwrap(), &variant.rules), &variant.rules)
        };
        let games = [&*MAKRUK, &SHATRANJ, &ASEAN, &AI_WOK];
        assert_eq!(games.map(|game| applies("KMMvK", game)), [true, true, true, false]);
        assert_eq!(games.map(|game| applies("KMPvK", game)), [true, true, false, false]);
    }
}
