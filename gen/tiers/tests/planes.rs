//! Makruk and Kar Ouk as games with tiers have the values of the plane solver.

use sakmak_make::store::TableStore;
use sakmak_tables::board::square::Square;
use sakmak_tables::distance;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::address::Address;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use sakmak_tiers::check::check;
use sakmak_tiers::game::{Effect, End, Game, closure};
use sakmak_tiers::solve::{method, solve};
use sakmak_tiers::table::Tables;
use sakmak_tiers::value::Value;
use sakmak_tiers::verify::verify;

/// A game of the plane solver. A slot is the side to move and the square of each man, the stronger side
/// White; like men in ascending order.
struct Chess(&'static Variant);

fn men(material: Material) -> Vec<Piece> {
    let kings = Side::BOTH.map(|side| Piece::new(side, PieceKind::King));
    kings.into_iter().chain(material.pieces()).collect()
}

impl Game for Chess {
    type Tier = Material;
    type Layout = Vec<Piece>;
    type Position = Position;
    type Move = Move;

    fn name(&self) -> String {
        self.0.name.to_string()
    }

    fn rules(&self) -> String {
        format!("{} 1", self.0.name)
    }

    fn smaller(&self, tier: Material) -> Vec<Material> {
        Material::closure([tier], &self.0.rules)
            .into_iter()
            .chain([Material::BARE_KINGS])
            .filter(|&smaller| smaller != tier)
            .collect()
    }

    fn tier(&self, position: &Position) -> Material {
        position.material().material
    }

    fn layout(&self, tier: Material) -> Vec<Piece> {
        men(tier)
    }

    fn size(&self, layout: &Vec<Piece>) -> u64 {
        2 << (6 * layout.len())
    }

    fn rank(&self, layout: &Vec<Piece>, position: &Position) -> u64 {
        let position =
            if position.material().flipped { position.colours_exchanged() } else { *position };
        let mut taken = 0u64;
        layout.iter().fold(position.side() as u64, |slot, &piece| {
            let square = position
                .pieces()
                .filter(|&(known, square)| known == piece && taken >> square.index() & 1 == 0)
                .map(|(_, square)| square)
                .min_by_key(|square| square.index())
                .unwrap();
            taken |= 1 << square.index();
            slot * 64 + square.index() as u64
        })
    }

    fn unrank(&self, layout: &Vec<Piece>, slot: u64) -> Option<Position> {
        let squares = (0..layout.len()).map(|at| slot >> (6 * (layout.len() - 1 - at)) & 63);
        let squares: Vec<Square> = squares.map(|index| Square::wrapping(index as usize)).collect();
        let side = Side::BOTH[(slot >> (6 * layout.len())) as usize];
        let pieces = layout.iter().copied().zip(squares);
        let position = Position::new(self.0, side, pieces).ok()?;
        (position.legality().is_ok() && self.rank(layout, &position) == slot).then_some(position)
    }

    fn moves(&self, position: &Position, mut each: impl FnMut(Move, Effect)) {
        for &played in position.legal_moves().iter() {
            let stays = position.play_uncounted(played).material() == position.material();
            each(played, if stays { Effect::Stays } else { Effect::Leaves });
        }
    }

    fn play(&self, position: &Position, played: Move) -> Position {
        position.play_uncounted(played)
    }

    fn end(&self, position: &Position) -> Option<End> {
        position.final_value().map(|value| match value {
            distance::Value::Draw => End::Draw,
            _ => End::Loss,
        })
    }
}

/// Asserts that these materials have the values of the plane solver, on every slot.
fn assert_as_planes(variant: &'static Variant, names: &[&str]) {
    let game = Chess(variant);
    let store = TableStore::in_memory(&variant.rules);
    let (mut tables, mut decided) = (Tables::default(), 0);
    for tier in closure(&game, names.iter().map(|name| name.parse().unwrap())) {
        check(&game, tier, 300).unwrap();
        let by = method(&game, tier, u64::MAX).unwrap();
        let codes = solve(&game, tier, &tables, by, &|_| {}).unwrap();
        tables.insert(&game, tier, codes);
        if tier.men() < 4 {
            verify(&game, tier, &tables, &|_| {}).unwrap();
        }
        if tier == Material::BARE_KINGS {
            continue;
        }
        let planes = store.table(TableName::of_distance(tier, &variant.rules)).unwrap();
        let solved = tables.get(tier).unwrap();
        for slot in 0..solved.codes.slots() {
            let Some(position) = game.unrank(&solved.layout, slot) else { continue };
            let address = Address::of(&position, false, planes.index()).unwrap();
            let expected = match planes.value(address.side, address.slot).unwrap() {
                distance::Value::Draw => Value::Draw,
                value @ distance::Value::Win(_) => Value::Win(value.plies().unwrap().0 as u16),
                value => Value::Loss(value.plies().unwrap().0 as u16),
            };
            assert_eq!(solved.codes.value(slot), Some(expected), "{position}");
            decided += u32::from(expected != Value::Draw);
        }
    }
    assert!(decided > 1000);
}

fn variant(name: &str) -> &'static Variant {
    variants::all().into_iter().find(|variant| variant.name == name).unwrap()
}

#[test]
fn makruk_of_three_men() {
    assert_as_planes(variant("makruk"), &["KRvK"]);
}

#[test]
#[ignore = "long: part of the full tests"]
fn kar_ouk_of_three_men() {
    // Promotions lead to the met, which is decided by the first check.
    assert_as_planes(variant("kar-ouk"), &["KPvK"]);
}

/// 33 million slots each, some gigabytes of moves.
#[test]
fn makruk_and_kar_ouk_of_four_men() {
    if std::env::var_os("SAKMAK_ALL").is_some_and(|all| all == "1") {
        assert_as_planes(variant("makruk"), &["KSvK", "KPvK", "KRvKM", "KMMvK"]);
        assert_as_planes(variant("kar-ouk"), &["KRvK", "KNvK", "KSvKM"]);
    }
}
