#![no_main]
//! Any text as FEN: a parsed position prints and parses again as itself, and can be probed.

use libfuzzer_sys::fuzz_target;
use sakmak_probe::Count;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::Clock;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::position::Position;
use sakmak_tables::position::san;
use sakmak_tables::variants;
use std::sync::LazyLock;

static EMPTY: LazyLock<Tablebase> = LazyLock::new(Tablebase::new);

/// Parses the printed position. Returns `None` if it is refused.
fn again(position: &Position) -> Option<Position> {
    Position::from_fen_counted(position.counting_rule(), &position.fen()).ok()
}

/// Whether the move number and the count fit into a FEN: a move may have increased them beyond the
/// highest allowed number.
fn can_be_read(position: &Position) -> bool {
    let (counting_rule, armies) = (position.counting_rule(), position.armies());
    let is_counted =
        |clock: Clock| clock.count() <= counting_rule.highest_count(clock.limit(), armies);
    position.number() <= u16::MAX.into() && position.clock().is_none_or(is_counted)
}

fn ask(position: &Position) {
    let _ = EMPTY.dtm(position);
    let _ = EMPTY.counted(position);
    let _ = EMPTY.category(position);
    let _ = EMPTY.probe(position);
    for value in [Value::Draw, Value::Win(Moves(3)), Value::Loss(Moves(3))] {
        let _ = Count::of(position, value);
        let _ = position.category(value, value);
    }
    let _ = position.with_own_count_stopped();
}

fuzz_target!(|text: &str| try_it(text));

fn try_it(text: &str) {
    for counting_rule in variants::counting_rules() {
        let Ok(position) = Position::from_fen_counted(counting_rule, text) else { continue };
        assert_eq!(again(&position), Some(position));
        ask(&position);
        for &mv in position.legal_moves().iter() {
            assert_eq!(san::read(&position, &san::san(&position, mv)), Ok(mv));
            assert_eq!(san::read(&position, &mv.uci(position.variant())), Ok(mv));
            let after = position.play(mv);
            assert!(!can_be_read(&after) || again(&after) == Some(after), "{after}");
            ask(&after);
        }
    }
}
