//! The one-ply lookahead against its definition.

use crate::parallel::*;
use crate::slots::definition::{look_ahead, stored};
use crate::slots::legal::legal_position;
use crate::slots::one_ply::tile_changes::TileChanges;
use crate::slots::one_ply::*;
use crate::slots::walk::Walk;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::position::moves::Move;
use sakmak_tables::rules::Rules;
use sakmak_tables::tiles::order::TileOrder;
use sakmak_tables::tiles::tile::{TileNumber, Tiles};
use sakmak_tables::values::table::Table;
use sakmak_tables::values::{Coding, Values};
use sakmak_tables::variants::{self, ASEAN, MAKRUK};
use std::convert::Infallible;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A table of this material with any values, or codes that are none now and then.
fn random(material: &Material, rules: &Rules, wide: bool, known: bool) -> Arc<Table> {
    let index = Index::new(*material, rules);
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

/// Random tables of a material and of its subtables.
fn random_with_subtables(
    material: &Material,
    rules: &Rules,
    wide: bool,
    known: bool,
) -> (Arc<Table>, Vec<Arc<Table>>) {
    let random = |material: &Material| random(material, rules, wide, known);
    (random(material), material.successors(rules).iter().map(random).collect())
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
        ("KPvKM.asean", false, true),
        ("KPPvK.asean", false, false),
    ] {
        let TableName { material, metric } = name.parse().unwrap();
        let variant = metric.counting_rule().map_or(&*MAKRUK, variants::counted_by);
        let rules = &variant.rules;
        let (table, smaller) = random_with_subtables(&material, rules, wide, known);
        let tables = || smaller.iter().chain([&table]).map(Arc::as_ref);
        let own = PagedTable::new(&*table);
        let others: Vec<PagedTable<'_>> =
            smaller.iter().map(|table| PagedTable::new(&**table)).collect();
        let one_ply = OnePly::new(&own, metric, variant, &others);
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
                    let position = legal_position(table.index(), &placement, side, variant);
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

/// With random values some captures are late and some are not, also where the pawn promotes with
/// the capture and each choice starts another count.
#[test]
fn late_captures_in_random_tables_are_those_of_the_definition() {
    for (name, variant) in [("KPvKM", &*MAKRUK), ("KPvKM", &ASEAN), ("KRvKP", &ASEAN)] {
        let material: Material = name.parse().unwrap();
        let rules = &variant.rules;
        let (table, smaller) = random_with_subtables(&material, rules, false, true);
        let own = PagedTable::new(&*table);
        let others: Vec<PagedTable<'_>> =
            smaller.iter().map(|table| PagedTable::new(&**table)).collect();
        let one_ply = OnePly::new(&own, Metric::distance(rules), variant, &others);
        // No count starts with a knight.
        let left = |promoted: Option<PieceKind>| match promoted {
            None => Some(Moves(60)),
            Some(PieceKind::Knight) => None,
            Some(PieceKind::Rook) => Some(Moves(110)),
            Some(_) => Some(Moves(80)),
        };
        let (mut late, mut promoting, runs) = (0, [false; 2], 400);
        for run in 0..runs {
            let first = run * (table.index().slots() / runs);
            for (slot, placement) in Walk::over(table.index(), Slot(first)..Slot(first + 200)) {
                let board = one_ply.board(slot, &placement);
                for &side in Table::sides(table.index()) {
                    let Some(position) = legal_position(table.index(), &placement, side, variant)
                    else {
                        continue;
                    };
                    let mut is_late = |played: &Move| {
                        let after = position.play_uncounted(*played);
                        let value = match after.armies()[(!side).index()].is_empty() {
                            true => stored(&after, smaller.iter().map(Arc::as_ref)).unwrap(),
                            false => return false,
                        };
                        let is_late = matches!(
                            (value, left(played.promotion)),
                            (Value::Loss(moves), Some(left)) if moves > left
                        );
                        if played.promotion.is_some() {
                            promoting[usize::from(is_late)] = true;
                        }
                        is_late
                    };
                    let moves = position.legal_moves();
                    let goes_on = position.final_value_given(&moves).is_none();
                    // All moves are looked at, for `promoting`.
                    let defined = goes_on && moves.iter().filter(|mv| is_late(mv)).count() > 0;
                    late += u64::from(defined);
                    let found = one_ply.has_late_capture(board.as_ref().unwrap(), side, left);
                    assert_eq!(found, Some(defined), "{name} of {} {position}", variant.name);
                }
            }
        }
        assert!(late > 100, "{name}: {late}");
        assert_eq!(promoting, [true; 2], "{name} of {}", variant.name);
    }
}

/// A table of this material with few different values, so that many are equal; in two bytes each
/// if `wide`.
fn of_few_values(material: &Material, wide: bool) -> Arc<Table> {
    let index = Index::new(*material, &MAKRUK.rules);
    let wins = if wide { 300 } else { 3 };
    let coding = Coding { wins: Moves(wins), losses: Some(Moves(2)) };
    let values = |side: Side| {
        let width = coding.width();
        let mut codes = vec![0; index.slots() as usize * width];
        // A random byte for each slot, eight at a time.
        codes.par_chunks_mut(8 * width).enumerate().for_each(|(eight, codes)| {
            let random = xxh3_64_with_seed(&eight.to_le_bytes(), side.index() as u64).to_le_bytes();
            for (random, code) in random.into_iter().zip(codes.chunks_exact_mut(width)) {
                let few = u16::from(random % 6);
                let few = if wide && few > 3 { few - 3 + wins as u16 } else { few };
                for (to, byte) in code.iter_mut().zip(few.to_le_bytes()) {
                    *to = byte;
                }
            }
        });
        Values::new(coding, codes)
    };
    let black = Table::sides(&index).contains(&Side::Black).then(|| values(Side::Black));
    let white = values(Side::White);
    Arc::new(Table::new(index, white, black))
}

impl OnePly<'_> {
    /// Whether a position is legal and a capture or promotion is as good as its stored value.
    fn is_won_by_changing(&self, board: &Board, side: Side) -> bool {
        let Some(stored) = &self.stored[side.index()] else { return false };
        let enemy = board.of[(!side).index()];
        let mut best = Preference::NO_MOVE;
        let legal = self.for_each_mover(board, side, |number, targets| {
            let promoting = self.promoting(number);
            let targets = targets & (enemy | promoting);
            best = best.max(self.best_changing(board, number, targets, promoting));
        });
        legal.is_some() && best != Preference::UNKNOWN && best == stored.to_mover(board.slot)
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn changes_of_a_tile_are_those_of_its_slots() {
    for (name, wide) in [
        ("KRvK", false),
        ("KRvKR", false),
        ("KRvKM", true),
        ("KPvKP", false),
        ("KRvKP", false),
        ("KNPvK", true),
        ("KMMvK", false),
        ("KPPvK", false),
        ("KRRvKP", false),
        ("KPPvKP", false),
        ("KMPvKR", true),
        ("KRvKMM", false),
        ("KMPvKM.makruk", false),
        ("KRvKPP.ouk", false),
        ("KRPvK.makruk-mate", false),
    ] {
        let TableName { material, metric } = match name.split_once('.') {
            Some((material, word)) => TableName {
                material: material.parse().unwrap(),
                metric: Metric::from_word(word).unwrap(),
            },
            None => name.parse().unwrap(),
        };
        let table = of_few_values(&material, wide);
        let smaller = material.successors(&MAKRUK.rules);
        let smaller: Vec<_> = smaller.iter().map(|m| of_few_values(m, wide)).collect();
        let own = PagedTable::new(&*table);
        let others: Vec<PagedTable<'_>> =
            smaller.iter().map(|table| PagedTable::new(&**table)).collect();
        let one_ply = OnePly::new(&own, metric, &MAKRUK, &others);
        let (mut as_good, mut others) = (0, 0);
        for order in TileOrder::all(table.index()) {
            let tiles = Tiles::new(table.index(), &MAKRUK, &order).unwrap();
            for &side in Table::sides(table.index()) {
                let changes = TileChanges::new(&one_ply, side, order.swept).unwrap();
                let values = table.values(side).unwrap();
                // A prime step, so that all kinds of tiles occur.
                for number in (0..tiles.len()).step_by(tiles.len() as usize / 5000 * 2 + 1) {
                    let tile = tiles.tile(TileNumber(number));
                    let kept = Bitboard(tiles.shape(&tile, side).kept);
                    let Some(square) = kept.first() else { continue };
                    let mut codes = [0; SQUARES];
                    let mut expected = Bitboard::EMPTY;
                    tiles.for_each_slot(&tile, |square, slot| {
                        let code = values.coding().read(values.codes(), slot.0 as usize);
                        codes[square.index()] = code.unwrap();
                        let board = one_ply.board(slot, &tiles.placement(&tile, square));
                        let is_won = |board: &Board| one_ply.is_won_by_changing(board, side);
                        if kept.contains(square) && board.as_ref().is_some_and(is_won) {
                            expected.insert(square);
                        }
                    });
                    let found = changes.as_good(&tiles.placement(&tile, square), kept, &codes);
                    assert_eq!(found, expected, "{name} {side:?} {order:?} {tile:?}");
                    as_good += found.len();
                    others += (kept - found).len();
                }
            }
        }
        assert!(as_good > 100 && others > 100, "{name}: {as_good} {others}");
    }
}
