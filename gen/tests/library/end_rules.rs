//! Games that do not end by mate. The end is a value of the rules; no other code changes. The
//! plane solver is compared with the reference solver, with both look-aheads of one ply, and
//! with figures found by separate programs.

use rayon::prelude::*;
use sakmak_gen::slots::legal::legal_position;
use sakmak_gen::slots::walk::Walk;
use sakmak_gen::store::TableStore;
use sakmak_gen::verify::definition::{look_ahead, stored};
use sakmak_gen::verify::verify;
use sakmak_oracle::compare::compare;
use sakmak_oracle::reference::Reference;
use sakmak_tables::board::square::Square;
use sakmak_tables::distance::{Moves, Value, Wdl};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Slot;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::end_rule::EndRule;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{KAR_OUK, MAKRUK};
use std::convert::Infallible;
use std::sync::LazyLock;

/// A side without a legal move loses.
static STALEMATE: LazyLock<Variant> = LazyLock::new(|| {
    MAKRUK.with_end("stalemate", EndRule { stalemate_loses: true, ..EndRule::MATE })
});

/// Solves these materials and all they lead to, and compares every value with the reference
/// and with both look-aheads.
fn assert_right(variant: &'static Variant, materials: impl IntoIterator<Item = Material>) {
    let store = TableStore::in_memory(&variant.rules);
    let metric = Metric::distance(&variant.rules);
    let mut reference = Reference::new(variant);
    for material in Material::closure(materials, &variant.rules) {
        let table = store.table(TableName { material, metric }).unwrap();
        reference.solve(material).unwrap();
        let compared = compare(&table, &reference).unwrap_or_else(|error| panic!("{error}"));
        assert!(0 < compared.slots && compared.slots < compared.positions);
        verify(&table, metric, variant, &|name| store.get(name), &|_| ())
            .unwrap_or_else(|error| panic!("{error}"));
        if material.men() == 3 {
            assert_right_by_definition(variant, &table, &store);
        }
    }
}

fn assert_right_by_definition(variant: &'static Variant, table: &Table, store: &TableStore) {
    let index = table.index();
    let tables = store.tables();
    let tables = || tables.iter().map(|(_, table)| &**table);
    for (slot, placement) in Walk::over(index, Slot(0)..Slot(index.slots())) {
        for &side in Table::sides(index) {
            let Some(position) = legal_position(index, &placement, side, variant) else { continue };
            let by_tables = |after: &Position| Ok::<_, Infallible>(stored(after, tables()));
            let expected =
                look_ahead(&position, Metric::distance(&variant.rules), by_tables).unwrap();
            assert_eq!(table.value(side, slot), expected, "{position}");
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release")]
fn tables_of_kar_ouk_are_right() {
    assert_right(&KAR_OUK, Material::all_of(3));
    assert_right(&KAR_OUK, ["KPvKM".parse().unwrap()]);
}

/// Ten materials with every piece on each side.
#[test]
#[ignore = "takes minutes"]
fn tables_of_kar_ouk_with_four_men_are_right() {
    let names =
        ["KRvKR", "KRvKP", "KNvKS", "KSvKM", "KMvKM", "KPvKP", "KRNvK", "KSMvK", "KNPvK", "KPPvK"];
    assert_right(&KAR_OUK, names.map(|name| name.parse().unwrap()));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release")]
fn tables_of_a_game_that_stalemate_loses_are_right() {
    assert_right(&STALEMATE, Material::all_of(3));
    assert_right(&STALEMATE, ["KPvKM".parse().unwrap()]);
}

fn position(variant: &'static Variant, pieces: &str) -> Position {
    let pieces = pieces.split(' ').map(|piece| {
        let (letter, square) = piece.split_at(1);
        let side = if letter == letter.to_uppercase() { Side::White } else { Side::Black };
        let kind = PieceKind::from_letter(letter.chars().next().unwrap()).unwrap();
        (Piece::new(side, kind), square.parse::<Square>().unwrap())
    });
    Position::new(variant, Side::White, pieces).unwrap()
}

/// Kar Ouk, in which the first check wins. By a separate program: how many positions with
/// White to move are won and how many are won in one move, in hundredths of a percent, and the
/// longest win.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes a minute without --release")]
fn figures_are_those_of_kar_ouk() {
    let mut reference = Reference::new(&KAR_OUK);
    for (material, won, at_once, longest) in [
        ("KRvK", 10_000, 10_000, 1),
        ("KNvK", 9_982, 2_880, 11),
        ("KSvK", 9_734, 1_400, 21),
        ("KMvK", 8_710, 870, 30),
    ] {
        let material: Material = material.parse().unwrap();
        reference.solve(material).unwrap();
        let (mut all, mut wins) = (0, vec![]);
        let positions = reference.positions(material);
        let values = positions.filter(|(position, _)| position.side() == Side::White);
        for value in values.map(|(_, value)| value).collect::<Vec<Value>>() {
            all += 1;
            wins.extend(value.moves().filter(|_| value.wdl() == Wdl::Win));
        }
        let share = |count: usize| (20_000 * count + all) / (2 * all);
        let quickest = wins.iter().filter(|&&moves| moves == Moves(1)).count();
        assert_eq!(share(wins.len()), won, "{material}");
        // Published to a tenth of a percent.
        assert!(share(quickest).abs_diff(at_once) <= 5, "{material}: {}", share(quickest));
        assert_eq!(wins.iter().max(), Some(&Moves(longest)), "{material}");
    }
    for (pieces, moves) in [("Ka1 Mf8 kg2", 30), ("Ka8 Sh3 kh2", 21), ("Ka1 Nh1 ke3", 11)] {
        let value = reference.value(&position(&KAR_OUK, pieces));
        assert_eq!(value, Some(Value::Win(Moves(moves))), "{pieces}");
    }
}
