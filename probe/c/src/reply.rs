//! Results as C structs: `sakmak_distance`, `sakmak_count`, `sakmak_move`, `sakmak_variant_move`,
//! and lines as text.

use sakmak_probe::boards::answer;
use sakmak_probe::{Count, RatedMove};
use sakmak_tables::counting::{Category, Honour};
use sakmak_tables::distance::Value;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use std::ffi::{c_char, c_int};

/// `enum sakmak_category`, whose numbers are the indexes in [`Category::ALL`].
pub fn category(category: Category) -> u8 {
    category.index() as u8
}

/// `sakmak_distance`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SakmakDistance {
    dtm_plies: i32,
    dtm_moves: i32,
    counted: i32,
}

impl SakmakDistance {
    /// Converts a distance to mate and a counted distance.
    pub fn of(dtm: Value, counted: Value) -> SakmakDistance {
        SakmakDistance {
            dtm_plies: plies_of(dtm),
            dtm_moves: moves_or_none(Some(dtm)),
            counted: moves_or_none(Some(counted)),
        }
    }
}

/// The attacker's moves of a distance, -1 for a draw or if there is none.
pub fn moves_or_none(value: Option<Value>) -> i32 {
    number(value.and_then(Value::moves).map(|moves| moves.0))
}

/// A number, or -1 for `None`. Distances are far below the limit of the type.
fn number(number: Option<u32>) -> i32 {
    number.map_or(-1, |number| i32::try_from(number).unwrap_or(i32::MAX))
}

/// `sakmak_count`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SakmakCount {
    honour: u8,
    running: u8,
    attacker: u8,
    runner: u8,
    limit: u16,
    called: u16,
    moves_left: u16,
    limit_plies: u16,
    plies: u16,
    reserved: u16,
}

impl SakmakCount {
    /// Converts a count, whose numbers are far below 65,536.
    pub fn of(count: &Count) -> SakmakCount {
        SakmakCount {
            honour: match count.honour {
                Honour::Pieces => 1,
                Honour::Boards => 2,
                Honour::FiftyMoves => 3,
            },
            running: count.running.into(),
            attacker: count.attacker.index() as u8,
            runner: count.runner().index() as u8,
            limit: count.limit.0 as u16,
            called: count.called.0 as u16,
            moves_left: count.moves_left.0 as u16,
            limit_plies: count.clock.limit().0 as u16,
            plies: count.clock.count().0 as u16,
            reserved: 0,
        }
    }
}

/// `sakmak_move`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SakmakMove {
    from: u8,
    to: u8,
    promotion: u8,
    category: u8,
    distance: SakmakDistance,
    mate_in_time: i32,
    uci: [c_char; 8],
    san: [c_char; 16],
}

impl SakmakMove {
    /// Converts a rated move.
    pub fn of(rated: &RatedMove) -> SakmakMove {
        let Move { from, to, promotion } = rated.mv;
        let rules = &rated.after.variant().rules;
        SakmakMove {
            from: from.index() as u8,
            to: to.index() as u8,
            promotion: promotion.map_or(0, |kind| rules.place(kind) as u8 + 1),
            category: category(rated.category),
            distance: SakmakDistance::of(rated.dtm, rated.counted),
            mate_in_time: moves_or_none(rated.mate_in_time),
            uci: text(&rated.mv.uci(rated.after.variant())),
            san: text(&rated.san),
        }
    }
}

/// The plies of a value, -1 for a draw.
pub fn plies_of(value: Value) -> i32 {
    number(value.plies().map(|plies| plies.0))
}

/// `sakmak_variant_move`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SakmakVariantMove {
    category: u8,
    reserved: [u8; 3],
    plies: i32,
    text: [c_char; 16],
}

impl SakmakVariantMove {
    /// Converts a rated move.
    pub fn of(rated: &answer::RatedMove) -> SakmakVariantMove {
        SakmakVariantMove {
            // Nothing is counted.
            category: category(Category::of(rated.value, true)),
            reserved: [0; 3],
            plies: plies_of(rated.value),
            text: text(&rated.text),
        }
    }
}

/// Text with a zero at its end, cut to fit. Every move fits.
fn text<const BYTES: usize>(text: &str) -> [c_char; BYTES] {
    let mut bytes = [0; BYTES];
    write_text(text, &mut bytes);
    bytes
}

/// Writes as much of a text as fits, then a zero. Returns the length of the whole text.
pub fn write_text(text: &str, room: &mut [c_char]) -> c_int {
    if let Some(most) = room.len().checked_sub(1) {
        let written = text.len().min(most);
        for (to, from) in room.iter_mut().zip(text.bytes().take(written)) {
            *to = from as c_char;
        }
        room[written] = 0;
    }
    c_int::try_from(text.len()).unwrap_or(c_int::MAX)
}

/// Moves from a position in UCI, separated by spaces.
pub fn line(moves: &[Move], position: &Position) -> String {
    moves.iter().map(|mv| mv.uci(position.variant())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_to_fit_and_ends_with_zero() {
        let mut room = [1; 4];
        assert_eq!(write_text("e2e4", &mut room), 4);
        assert_eq!(room.map(|byte| byte as u8), *b"e2e\0");
        assert_eq!(write_text("e2", &mut room), 2);
        assert_eq!(room.map(|byte| byte as u8), *b"e2\0\0");
        assert_eq!(write_text("e2e4", &mut []), 4);
        assert_eq!(write_text("e2e4", &mut room[..1]), 4);
        assert_eq!(room[0], 0);
    }
}
