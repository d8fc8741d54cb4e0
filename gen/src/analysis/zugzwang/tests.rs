//! Mutual zugzwangs by their definition, position by position.

use crate::analysis::zugzwang::*;
use crate::slots::walk::Walk;
use crate::store::TableStore;
use sakmak_tables::format::name::TableName;
use sakmak_tables::position::Position;
use sakmak_tables::variants::MAKRUK;
use std::path::Path;

#[test]
fn they_are_those_of_the_definition() {
    for name in ["KPvK", "KMvKM", "KPvKP", "KMMvK"] {
        let store = TableStore::new(&MAKRUK.rules, Path::new("no such directory"));
        let table = store.table(TableName::to_mate(name.parse().unwrap())).unwrap();
        let index = table.index();
        let worth = |position: &Position| {
            let place = Address::of(position, false, index).unwrap();
            match table.value(place.side, place.slot).unwrap() {
                Value::Draw => Worth::Draw,
                Value::Loss(_) => Worth::Loss,
                Value::Win(_) => Worth::Other,
            }
        };
        let mut expected = [0; KINDS];
        for (slot, placement) in Walk::over(index, Slot(0)..Slot(index.slots())) {
            let position = |side| legal_position(index, &placement, side, &MAKRUK);
            let [Some(white), Some(black)] = Side::BOTH.map(position) else { continue };
            if let Some(kind) = kind(worth(&white), worth(&black)) {
                expected[kind] += index.weight(slot);
            }
        }
        let zugzwangs = Zugzwangs::of(&*table, &MAKRUK, &|_| ()).unwrap().unwrap();
        let Zugzwangs { white_wins, black_wins, mover_loses } = &zugzwangs;
        let found = [white_wins, black_wins, mover_loses];
        assert_eq!(found.map(|zugzwang| zugzwang.placements), expected, "{name}");
        for example in found.iter().flat_map(|zugzwang| &zugzwang.examples) {
            let position = Position::from_fen(&MAKRUK, example).unwrap();
            assert_eq!(worth(&position), Worth::Loss, "{name} {example}");
        }
        // What is won for one is won for the other where both have the same pieces.
        if index.material().is_symmetric() {
            assert_eq!(white_wins.placements, black_wins.placements, "{name}");
        }
    }
}
