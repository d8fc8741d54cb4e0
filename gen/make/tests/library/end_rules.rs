//! Games that do not end by mate. The end is a value of the rules; no other code changes. The
//! plane solver is compared with the reference solver and with both look-aheads of one ply.

use crate::right_tables::{all, assert_right};
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::end_rule::EndRule;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{KAR_OUK, MAKRUK};
use std::sync::LazyLock;

/// A side without a legal move loses.
static STALEMATE: LazyLock<Variant> = LazyLock::new(|| {
    let end = EndRule { stalemate_loses: true, ..EndRule::MATE };
    MAKRUK.with_rules("stalemate", Rules { end, ..MAKRUK.rules })
});

#[test]
#[ignore = "long: part of the full tests"]
fn tables_of_kar_ouk_are_right() {
    assert_right(&KAR_OUK, Material::all_of(3), |_, _| ());
    assert_right(&KAR_OUK, ["KNvKN".parse().unwrap()], |_, _| ());
}

/// Ten materials with every piece on each side.
#[test]
fn tables_of_kar_ouk_with_four_men_are_right() {
    let names =
        ["KRvKR", "KRvKP", "KNvKS", "KSvKM", "KMvKM", "KPvKP", "KRNvK", "KSMvK", "KNPvK", "KPPvK"];
    if all() {
        assert_right(&KAR_OUK, names.map(|name| name.parse().unwrap()), |_, _| ());
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn tables_of_a_game_that_stalemate_loses_are_right() {
    assert_right(&STALEMATE, Material::all_of(3), |_, _| ());
    assert_right(&STALEMATE, ["KMvKM".parse().unwrap()], |_, _| ());
}
