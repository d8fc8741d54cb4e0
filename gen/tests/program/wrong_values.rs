//! Tables with right checksums and wrong values.

use crate::forged::changed;
use crate::sakmak::{directory, sakmak_with};
use sakmak_make::output::solved::{WriteOptions, write};
use sakmak_make::store::TableStore;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::address::Address;
use sakmak_tables::position::Position;
use sakmak_tables::variants::MAKRUK;

/// Rh1 is mate.
const MATE_IN_ONE: &str = "8/8/8/8/8/1K6/7R/1k6 w - - 0 1";

#[test]
fn one_wrong_value_is_named_with_its_position() {
    let table = TableStore::in_memory(&MAKRUK.rules).table("KRvK".parse().unwrap()).unwrap();
    let position = Position::from_fen(&MAKRUK, MATE_IN_ONE).unwrap();
    let place = Address::of(&position, false, table.index()).unwrap();
    assert_eq!(table.value(place.side, place.slot), Some(Value::Win(Moves(1))));
    for (change, stored) in [(0, "a draw"), (2, "a win in 2 moves")] {
        let directory = directory();
        let wrong = changed(&table, place, |_| change);
        assert_ne!(wrong.value(place.side, place.slot), table.value(place.side, place.slot));
        write(&wrong, &MAKRUK.rules, directory.path(), &WriteOptions::default()).unwrap();
        for arguments in [&["verify", "KRvK"][..], &["verify", "3"], &["verify"]] {
            let run = sakmak_with(directory.path(), arguments);
            let message = run.refusal(1);
            let (before, values) = message.split_once(": stored as ").expect(message);
            let fen = before.strip_prefix("KRvK: ").expect(message);
            // The position itself or one of its images.
            let named = Position::from_fen(&MAKRUK, fen).unwrap();
            assert_eq!(Address::of(&named, false, table.index()), Some(place), "{message}");
            assert_eq!(values, format!("{stored}, but its successors give a win in 1 move"));
        }
        // The table is not made again, so the error stays.
        let run = sakmak_with(directory.path(), &["generate", "KRvK"]);
        assert!(run.printed().starts_with("0 tables made"));
    }
}
