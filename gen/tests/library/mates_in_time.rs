//! Mates in time compared with a plain search: legal moves, the clock, and nothing else. No mate
//! in time is shorter than the answer, and one is as short.

use crate::solved::solving;
use sakmak_gen::slots::legal::legal_position;
use sakmak_tables::counting::{Category, Clock, Phase};
use sakmak_tables::distance::{Moves, Plies, Value};
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::{self, MAKRUK, OUK};

/// Captures and promotions that start a count, with each kind of count before them.
const MATERIALS: [&str; 7] = ["KRvK", "KRvKM", "KRvKN", "KRvKR", "KRvKP", "KRPvK", "KMPvK"];

/// The longest mate that is searched for.
const LONGEST: Moves = Moves(3);

/// Positions of each material and counting rule.
const POSITIONS: usize = 12;

/// Whether this side mates within `moves` of its moves before the draw can be claimed.
fn mates_within(position: &Position, attacker: Side, moves: Moves) -> bool {
    match position.outcome() {
        Some(Outcome::Checkmate) => return position.side() != attacker,
        Some(Outcome::Stalemate | Outcome::BareKing) => return false,
        None => {}
    }
    let counted = position.counting_rule().phase_against(position.armies(), attacker);
    if counted != Phase::Free && position.clock().is_some_and(Clock::is_over) {
        return false;
    }
    let legal = position.legal_moves();
    if position.side() != attacker {
        return legal.iter().all(|&mv| mates_within(&position.play(mv), attacker, moves));
    }
    let Some(left) = moves.0.checked_sub(1).map(Moves) else { return false };
    legal.iter().any(|&mv| mates_within(&position.play(mv), attacker, left))
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release")]
fn no_mate_in_time_is_shorter_and_one_is_as_short() {
    let tables = solving();
    // SplitMix64.
    let mut state = 14u64;
    let mut random = |bound: u64| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    };
    let (mut compared, mut late) = (0, 0);
    let counted = [&*MAKRUK, &*OUK].into_iter().flat_map(|one| one.counting_rules.iter().copied());
    for counting_rule in counted {
        for name in MATERIALS {
            let variant = variants::counted_by(counting_rule);
            let index = Index::new(name.parse().unwrap(), &variant.rules);
            let mut found = 0;
            while found < POSITIONS {
                let placement = index.placement(Slot(random(index.slots())));
                let side = Side::BOTH[random(2) as usize];
                let Some(position) = legal_position(&index, &placement, side, variant) else {
                    continue;
                };
                let mut position = position.counted_by(counting_rule).with_count_running();
                if let Some(clock) = position.clock().filter(|_| random(2) == 0) {
                    let left = Plies(clock.limit().0 - random(9) as u32);
                    position =
                        position.with_clock(Some(Clock::new(clock.honour(), clock.limit(), left)));
                }
                let values = tables.values(&position).unwrap();
                let category = position.category(values.mate, values.counted);
                let quick = values.mate.moves().is_some_and(|moves| moves <= LONGEST);
                if quick && matches!(category, Category::CursedWin | Category::BlessedLoss) {
                    let attacker = if category == Category::CursedWin { side } else { !side };
                    assert!(!mates_within(&position, attacker, LONGEST), "{position}");
                    late += 1;
                }
                let Some(mate) = tables.mate_in_time(&position).unwrap() else { continue };
                let (attacker, moves) = match mate {
                    Value::Win(moves) => (side, moves),
                    Value::Loss(moves) => (!side, moves),
                    Value::Draw => unreachable!("a mate in time is no draw"),
                };
                if moves > LONGEST || moves == Moves(0) {
                    continue;
                }
                assert!(mates_within(&position, attacker, moves), "{mate:?} {position}");
                let shorter = Moves(moves.0 - 1);
                assert!(!mates_within(&position, attacker, shorter), "{mate:?} {position}");
                compared += 1;
                found += 1;
            }
        }
    }
    println!("{compared} mates in time, {late} quick mates that are too late");
    assert!(late > 0);
}
