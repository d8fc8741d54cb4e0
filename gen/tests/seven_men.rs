//! Seven men, solved whole. The least table of seven men by the rules of either game has 3.5
//! billion slots for each side to move. The tests use a game whose pawns stay on their rank, so that
//! five pawns have 56 combinations; solver, index, files and probes are the same code.

use rayon::prelude::*;
use sakmak_gen::output::solved::{WriteOptions, write};
use sakmak_gen::slots::legal::legal_position;
use sakmak_gen::slots::walk::Walk;
use sakmak_gen::store::TableStore;
use sakmak_gen::verify::definition::{look_ahead, stored};
use sakmak_gen::verify::verify;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::board::square::Step;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Slot;
use sakmak_tables::position::Position;
use sakmak_tables::rules::attackers::Attackers;
use sakmak_tables::rules::piece::{PieceKind, Side};
use sakmak_tables::rules::reach::Reach;
use sakmak_tables::rules::{Movement, Rules};
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::MAKRUK;
use std::convert::Infallible;
use std::sync::LazyLock;

const SIDEWAYS: [Step; 2] = [Step::new(1, 0), Step::new(-1, 0)];

/// Pawns slide along the fourth rank of their side and never leave it, so none is promoted. The
/// promotion to a king takes the place of one: a king is no piece of a material, so no table of a
/// promoted piece is needed.
static FOURTH_RANK: LazyLock<Rules> = LazyLock::new(|| {
    let mut movements = MAKRUK.rules.movements;
    movements[PieceKind::Pawn.index()] = Movement { slides: &SIDEWAYS, ..Movement::NONE };
    let promotes_to = PieceKind::King;
    Rules { movements, pawn_ranks: (3, 3), promotion_rank: 7, promotes_to, ..MAKRUK.rules }
});

static GAME: LazyLock<Variant> = LazyLock::new(|| Variant {
    name: "fourth rank",
    other_names: &[],
    rules: *FOURTH_RANK,
    reach: Reach::new(&FOURTH_RANK),
    attackers: Attackers::new(&FOURTH_RANK),
    leaps: &[],
    counting_rules: MAKRUK.counting_rules,
    start: MAKRUK.start,
});

/// A store with these tables of seven men and all they lead to.
fn store(names: &[&str]) -> TableStore<'static> {
    let store = TableStore::in_memory(&GAME.rules);
    for name in names {
        let name: TableName = name.parse().unwrap();
        assert_eq!(name.material.men(), 7);
        store.table(name).unwrap();
    }
    store
}

/// The number of slots of a table that are won, and the longest win.
fn wins(table: &Table) -> (u64, Moves) {
    let (mut won, mut longest) = (0, Moves::default());
    for &side in Table::sides(table.index()) {
        for slot in (0..table.index().slots()).map(Slot) {
            if let Some(Value::Win(moves)) = table.value(side, slot) {
                won += 1;
                longest = longest.max(moves);
            }
        }
    }
    (won, longest)
}

/// Compares every value of a table with its definition: a look-ahead by plain moves.
fn assert_right_by_definition(table: &Table, store: &TableStore<'_>) -> u64 {
    let index = table.index();
    let tables = store.tables();
    let tables = || tables.iter().map(|(_, table)| &**table);
    let compared = |pair: u64| {
        let slots = pair * index.slots_per_pair()..(pair + 1) * index.slots_per_pair();
        let mut compared = 0;
        for (slot, placement) in Walk::over(index, Slot(slots.start)..Slot(slots.end)) {
            for &side in Table::sides(index) {
                let found = legal_position(index, &placement, side, &GAME);
                let Some(position) = found else { continue };
                let by_tables = |after: &Position| Ok::<_, Infallible>(stored(after, tables()));
                let expected = look_ahead(&position, Metric::DistanceToMate, by_tables).unwrap();
                assert_eq!(table.value(side, slot), expected, "{position}");
                compared += 1;
            }
        }
        compared
    };
    (0..index.kings().len() as u64).into_par_iter().map(compared).sum()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release")]
fn five_like_men_are_what_plain_moves_give() {
    let store = store(&["KPPPPPvK"]);
    let table = store.get("KPPPPPvK".parse().unwrap()).unwrap();
    assert_eq!(table.index().slots(), 1806 * 56);
    assert!(assert_right_by_definition(&table, &store) > 100_000);
    assert!(wins(&table).0 > 1000);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release")]
fn pieces_of_both_sides_and_all_kinds_verify() {
    let names = ["KPPPPvKP", "KRPPPPvK", "KPPPvKPP", "KNPPPvKP"];
    let store = store(&names);
    for name in names {
        let table = store.get(name.parse().unwrap()).unwrap();
        verify(&table, Metric::DistanceToMate, &GAME, &|name| store.get(name), &|_| ())
            .unwrap_or_else(|error| panic!("{error}"));
        let (won, longest) = wins(&table);
        println!("{name}: {won} slots won, the longest in {longest}");
        assert!(won > 1000, "{name}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release")]
fn files_of_seven_men_are_probed() {
    let store = store(&["KPPPPvKP"]);
    let directory = tempfile::tempdir().unwrap();
    for (_, table) in store.tables() {
        write(&*table, &GAME.rules, directory.path(), &WriteOptions::default()).unwrap();
    }
    let tables = Tablebase::open(directory.path()).unwrap();
    let table = store.get("KPPPPvKP".parse().unwrap()).unwrap();
    let index = table.index();
    let mut probed = 0;
    for (slot, placement) in Walk::over(index, Slot(0)..Slot(index.slots())).step_by(61) {
        for side in Side::BOTH {
            let found = legal_position(index, &placement, side, &GAME);
            let Some(position) = found else { continue };
            let expected = table.value(side, slot);
            assert_eq!(Some(tables.value(&position).unwrap()), expected, "{position}");
            let other = position.colours_exchanged();
            assert_eq!(Some(tables.value(&other).unwrap()), expected, "{other}");
            let read = Position::from_fen(&GAME, &position.fen()).unwrap();
            assert_eq!(Some(tables.value(&read).unwrap()), expected, "{read}");
            probed += 1;
        }
    }
    assert!(probed > 10_000);
    let missing = tables.value(&position_of_five_mets()).unwrap_err().to_string();
    assert!(missing.contains("KMMMMMvK"), "{missing}");
}

/// A position of a table that no one has made here.
fn position_of_five_mets() -> Position {
    Position::from_fen(&GAME, "8/8/8/4k3/8/4K3/2MMM3/2M1M3 w").unwrap()
}
