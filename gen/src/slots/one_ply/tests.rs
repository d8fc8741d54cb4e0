//! The one_ply look-ahead against its definition.

use crate::slots::legal::legal_position;
use crate::slots::one_ply::*;
use crate::slots::walk::Walk;
use crate::verify::definition::{look_ahead, stored};
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::values::{Coding, Values};
use sakmak_tables::variants::MAKRUK;
use std::convert::Infallible;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A table of this material with any values, or codes that are none now and then.
fn random(material: &Material, wide: bool, known: bool) -> Arc<Table> {
    let index = Index::new(*material, &MAKRUK.rules);
    let coding = match wide {
        true => Coding { wins: Moves(40_000), losses: Some(Moves(25_000)) },
        false => Coding { wins: Moves(130), losses: Some(Moves(if known { 124 } else { 120 })) },
    };
    let bytes = index.slots() as usize * coding.width();
    let values = |side: Side| {
        let word = |at: usize| xxh3_64_with_seed(&at.to_le_bytes(), side.index() as u64);
        let codes: Vec<u8> = (0..bytes / 8 + 1).flat_map(|at| word(at).to_le_bytes()).collect();
        Values::new(coding, codes[..bytes].to_vec())
    };
    let black = Table::sides(&index).contains(&Side::Black).then(|| values(Side::Black));
    Arc::new(Table::new(index, values(Side::White), black))
}

/// With random values every successor counts, and a wrong or forgotten one shows.
#[test]
fn best_moves_of_random_tables_are_those_of_the_definition() {
    for (name, wide, known) in [
        ("KRvKM.makruk", false, true),
        ("KPPvKP.makruk", true, true),
        ("KRPvK.makruk", false, true),
        ("KPvKP.makruk", false, true),
        ("KRvKR.ouk", false, true),
        ("KRPvK.ouk", false, false),
        ("KMPvKP.ouk", true, true),
        ("KPPvK.ouk-traditional", false, true),
        ("KRvK", false, false),
        ("KPvK", true, true),
        ("KRvKR", false, true),
        ("KSvKS", true, false),
        ("KPvKP", false, true),
        ("KRvKP", false, false),
        ("KSvKP", false, true),
        ("KRNvK", true, true),
        ("KRvKM", false, true),
        ("KMMvK", false, true),
        ("KPPvK", false, true),
        ("KMMMvK", false, true),
        ("KPPvKP", false, true),
    ] {
        let TableName { material, metric } = name.parse().unwrap();
        let table = random(&material, wide, known);
        let smaller = material.successors(&MAKRUK.rules);
        let smaller: Vec<_> = smaller.iter().map(|m| random(m, wide, known)).collect();
        let tables = || smaller.iter().chain([&table]).map(Arc::as_ref);
        let one_ply = OnePly::new(&table, metric, &MAKRUK, &smaller);
        let mut king_steps = one_ply.king_steps();
        let (mut legal, runs) = (0, 60);
        for run in 0..runs {
            let first = run * (table.index().slots() / runs);
            for (slot, placement) in Walk::over(table.index(), Slot(first)..Slot(first + 70)) {
                let board = one_ply.board(slot, &placement);
                if let Some(board) = &board {
                    king_steps.enter(&board.squares);
                }
                for &side in Table::sides(table.index()) {
                    let best =
                        board.as_ref().and_then(|board| one_ply.best(board, &king_steps, side));
                    let position = legal_position(table.index(), &placement, side, &MAKRUK);
                    let defined = position.map(|position| {
                        legal += 1;
                        let held = |after: &_| Ok::<_, Infallible>(stored(after, tables()));
                        look_ahead(&position, metric, held)
                            .unwrap()
                            .map_or(Preference::UNKNOWN, Preference::of)
                    });
                    assert_eq!(best, defined, "{name} {side:?} {:?}", placement);
                }
            }
        }
        assert!(legal > 1000, "{name}: {legal}");
    }
}
