//! Games of a rules file: their tables compared with the slow solver. A process has one rules file, so
//! these tests are a program of their own.

#[path = "library/right_tables.rs"]
mod right_tables;

use right_tables::{all, assert_right};
use sakmak_tables::material::Material;
use sakmak_tables::variant::Variant;
use sakmak_tables::{rules_file, variants};
use std::sync::LazyLock;

/// The games that scripts/crosscheck.sh compares with Fairy-Stockfish.
const GAMES: &str = include_str!("data/games.ini");

static ADDED: LazyLock<&[Variant]> = LazyLock::new(|| rules_file::add(GAMES).unwrap());

fn assert_all_right(variant: &'static Variant, materials: Vec<Material>) {
    let has_pieces = |material: &Material| !variant.refuses(*material);
    assert_right(variant, materials.into_iter().filter(has_pieces), |_, _| ());
}

#[test]
fn three_men_are_right() {
    assert!(ADDED.len() == 4 && variants::named("leapers").is_ok());
    for variant in *ADDED {
        assert_all_right(variant, Material::all_of(3));
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn leapers_are_right() {
    LazyLock::force(&ADDED);
    let materials = match all() {
        true => Material::all_of(4),
        false => ["KNSvK", "KMvKN"].map(|name| name.parse().unwrap()).to_vec(),
    };
    assert_all_right(variants::named("leapers").unwrap(), materials);
}
