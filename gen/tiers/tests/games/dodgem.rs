//! Dodgem: published results.

use crate::brute::{assert_by_definition, solved};
use sakmak_tiers::games::dodgem::{Dodgem, Tier};
use sakmak_tiers::value::Value;

#[test]
fn the_first_player_wins_on_three_by_three_and_four_by_four_is_a_draw() {
    for (width, wins) in [(3, true), (4, false)] {
        let game = Dodgem { width };
        let tables = solved(&game, [Tier([width - 1; 2])]);
        let value = tables.value(&game, &game.start()).unwrap();
        assert_eq!(matches!(value, Value::Win(_)), wins, "{width}: {value}");
        assert_eq!(value == Value::Draw, !wins, "{width}: {value}");
    }
}

#[test]
fn small_boards_have_the_values_of_the_definition() {
    let game = Dodgem { width: 3 };
    let tier = Tier([2, 2]);
    assert_by_definition(&game, &solved(&game, [tier]), tier);
}

/// With `SAKMAK_ALL=1`: 320 million slots take some minutes and 5 GB.
#[test]
fn five_by_five_is_a_draw() {
    if std::env::var_os("SAKMAK_ALL").is_none_or(|all| all != "1") {
        return;
    }
    let game = Dodgem { width: 5 };
    let tables = solved(&game, [Tier([4, 4])]);
    assert_eq!(tables.value(&game, &game.start()), Some(Value::Draw));
}
