//! Janggi: fixtures, perft, brute force.

use crate::brute::{assert_by_definition, assert_by_iteration, solved};
use crate::rek::random;
use sakmak_boards::codes::Codes;
use sakmak_boards::game::{BoardGame, closure, legal_moves};
use sakmak_boards::janggi::{Janggi, Position};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_oracle::boards::laws::check;
use sakmak_solve::boards::solver::solve;
use sakmak_solve::boards::verify::{VerifyError, verify};

const START: &str = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1";

fn all() -> [Janggi; 3] {
    [Janggi::standard(), Janggi::casual(), Janggi::seed()]
}

/// The legal moves of the man on a point, as the points where they end.
fn targets(fen: &str, from: &str) -> Vec<String> {
    let game = Janggi::casual();
    let position = game.position(fen).unwrap();
    let mut found = Vec::new();
    legal_moves(&game, &position, |played, _| {
        let text = game.text(&position, played);
        found.extend(text.strip_prefix(from).map(str::to_string));
    });
    found.sort();
    found
}

#[test]
fn men_move_as_the_fixtures_say() {
    // A cannon jumps one man, no cannon, and takes none.
    let up = |fen: &str| {
        targets(fen, "a1").into_iter().filter(|to| to.starts_with('a')).collect::<Vec<_>>()
    };
    assert_eq!(up("3k5/9/r8/9/9/9/P8/9/4K4/C8 w"), ["a5", "a6", "a7", "a8"]);
    assert!(up("3k5/9/r8/9/9/9/C8/9/4K4/C8 w").is_empty());
    assert_eq!(up("3k5/9/c8/9/9/9/P8/9/4K4/C8 w"), ["a5", "a6", "a7"]);
    // In the palace it jumps the centre, and never from there.
    assert!(targets("3k5/9/9/9/9/9/9/9/4A4/3C1K3 w", "d1").contains(&"f3".to_string()));
    assert!(!targets("3k5/9/9/9/9/9/9/3A5/4C4/5K3 w", "e2").contains(&"d3".to_string()));
    // A soldier's drawn diagonals.
    assert_eq!(targets("4k4/9/3P5/9/9/9/9/9/9/3K5 w", "d8"), ["c8", "d9", "e8", "e9"]);
    assert_eq!(targets("3k5/9/4P4/9/9/9/9/9/9/5K3 w", "e8"), ["d8", "e9", "f8"]);
    assert_eq!(targets("9/4P4/3k5/9/9/9/9/9/9/5K3 w", "e9"), ["d10", "d9", "e10", "f10", "f9"]);
    assert_eq!(targets("P8/3k5/9/9/9/9/9/9/9/5K3 w", "a10"), ["b10"]);
    // A horse's leg, an elephant's way.
    let horse = targets("3k5/9/9/9/4P4/4N4/9/9/9/5K3 w", "e5");
    assert_eq!(horse, ["c4", "c6", "d3", "f3", "g4", "g6"]);
    let elephant = |fen| targets(fen, "e5").contains(&"g8".to_string());
    assert!(elephant("3k5/9/9/9/9/4B4/9/9/9/5K3 w"));
    assert!(!elephant("3k5/9/9/9/4P4/4B4/9/9/9/5K3 w"));
    assert!(!elephant("3k5/9/9/5P3/9/4B4/9/9/9/5K3 w"));
}

#[test]
fn a_mate_by_a_protected_man_is_one_in_every_variant() {
    for game in all() {
        let position = game.position("5k3/4r4/9/9/9/5r3/9/9/5K3/9 w").unwrap();
        let mut moves = 0;
        legal_moves(&game, &position, |_, _| moves += 1);
        assert_eq!(moves, 0, "{}", game.name());
    }
}

#[test]
fn the_source_lets_a_side_pass_that_cannot_move_and_is_safe() {
    let game = Janggi::seed();
    let texts = |fen: &str| {
        let position = game.position(fen).unwrap();
        let mut found = Vec::new();
        legal_moves(&game, &position, |played, _| found.push(game.text(&position, played)));
        found
    };
    assert!(!texts("3k5/9/9/9/9/9/9/9/9/4K4 w").contains(&"e1e1".to_string()));
    // Both neighbours of the corner and the centre are attacked.
    assert_eq!(texts("5k3/9/4r4/9/9/9/9/9/r8/3K5 w"), ["d1d1"]);
}

/// The number of lines of legal moves of this many plies. A draw ends a line.
fn perft(game: &Janggi, position: &Position, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    let mut lines = 0;
    legal_moves(game, position, |played, after| {
        lines += match after {
            Ok(after) => perft(game, &after, plies - 1),
            Err(_) => u64::from(plies == 1 && played.from == played.to),
        };
    });
    lines
}

#[test]
fn the_line_counts_of_the_start_are_those_of_fairy_stockfish() {
    // pyffish 0.0.90, which counts a pass too.
    for (game, third) in [(Janggi::standard(), 33_032), (Janggi::casual(), 33_348)] {
        let start = game.position(START).unwrap();
        let counts: Vec<u64> = (1..=3).map(|plies| perft(&game, &start, plies)).collect();
        assert_eq!(counts, [32, 1024, third], "{}", game.name());
    }
}

#[test]
fn all_materials_of_three_and_four_men_are_games() {
    for game in all() {
        let materials: Vec<_> = (2..=4).flat_map(|men| game.materials_of_men(men)).collect();
        assert_eq!(materials.len(), 1 + 6 + 42);
        let materials = closure(&game, materials);
        for &material in &materials {
            // All slots of three men, and of every kind of men.
            let samples = if material.men() <= 3 { u64::MAX } else { 400 };
            check(&game, material, samples).unwrap();
            assert_eq!(game.material_of_name(&material.to_string()).unwrap(), material);
        }
    }
    assert_eq!(Janggi::standard().materials_of_men(5).len(), 177);
    let game = Janggi::standard();
    let slots = |men| -> u64 {
        game.materials_of_men(men)
            .into_iter()
            .map(|material| game.size(&game.layout(material)))
            .sum()
    };
    assert_eq!((slots(3), slots(4)), (38_880, 16_776_720));
}

#[test]
fn materials_of_three_men_have_the_values_of_the_definition() {
    for game in all() {
        for name in ["KRvK", "KPvK", "KCvK"] {
            let material = game.material_of_name(name).unwrap();
            let tables = solved(&game, [material]);
            assert_by_definition(&game, &tables, material);
            assert_by_iteration(&game, &tables, material);
        }
    }
}

#[test]
fn small_materials_of_four_men_have_verified_values() {
    // Cannons with screens of both sides, men that are taken beside a general, forced passes.
    for game in all() {
        let names = ["KRvKA", "KCvKA", "KCAvK", "KPvKA"];
        solved(&game, names.map(|name| game.material_of_name(name).unwrap()));
    }
    let game = Janggi::casual();
    solved(&game, [game.material_of_name("KCvKC").unwrap()]);
}

#[test]
#[ignore = "long: part of the full tests"]
fn materials_of_four_men_with_guards_have_the_values_of_the_definition() {
    for (game, name) in [(Janggi::standard(), "KRvKA"), (Janggi::seed(), "KPvKA")] {
        let material = game.material_of_name(name).unwrap();
        let tables = solved(&game, [material]);
        assert_by_definition(&game, &tables, material);
    }
}

#[test]
fn a_flipped_value_is_found_and_threads_change_nothing() {
    let game = Janggi::standard();
    let material = game.material_of_name("KPPvK").unwrap();
    let mut tables = solved(&game, [material]);
    let right = tables.get(material).unwrap().codes.clone();

    let pool = rayon::ThreadPoolBuilder::new().num_threads(5).build().unwrap();
    let again = pool.install(|| solve(&game, material, &tables, &|_| {}).unwrap());
    assert!(again == right, "five threads find something else");

    let Codes::Narrow(codes) = &right else { panic!("a code of two bytes") };
    let mut state = 1;
    for _ in 0..25 {
        let slot = random(&mut state, codes.len() as u64) as usize;
        let mut wrong = codes.clone();
        wrong[slot] ^= 1 + random(&mut state, 255) as u8;
        tables.insert(&game, material, Codes::Narrow(wrong));
        let error = verify(&game, material, &tables, &|_| {}).unwrap_err();
        assert!(matches!(error, VerifyError::Wrong { .. }), "{error}");
    }
}

#[test]
fn many_like_men_are_numbered_alike_whether_their_sets_are_stored() {
    let game = Janggi::casual();
    for name in ["KPPPvK", "KHHPvKAA", "KPPPPvK", "KPPPPPvK"] {
        let material = game.material_of_name(name).unwrap();
        check(&game, material, 400).unwrap();
        let [plain, stored] = [(); 2].map(|()| game.layout(material));
        game.prepare(&stored);
        let size = game.size(&plain);
        for slot in (0..1000).map(|part| size / 1000 * part) {
            let position = game.unrank(&plain, slot);
            assert_eq!(game.unrank(&stored, slot), position, "{name} {slot}");
            let Some(position) = position else { continue };
            assert_eq!(game.rank(&stored, &position), slot, "{name}");
        }
    }
}

#[test]
fn positions_keep_their_numbers() {
    // Files name only the rules: a change of the numbers needs another name of these. The first is
    // pair 13 of generals, soldier 2 of 63, chariot 0 of 90: (13 * 63 + 2) * 90.
    let game = Janggi::standard();
    for (fen, slot) in
        [("3k5/9/9/9/9/9/2P6/9/9/R3K4 w", 73_890), ("4k4/9/9/4n4/9/9/9/9/4K4/RR7 b", 26_905_590)]
    {
        let position = game.position(fen).unwrap();
        let layout = game.layout(game.material(&position));
        assert_eq!(game.rank(&layout, &position), slot, "{fen}");
    }
}

#[test]
fn letters_and_fields_of_other_programs_are_read() {
    for game in [Janggi::standard(), Janggi::casual(), Janggi::seed()] {
        let own = game.position("3k5/9/4n4/9/4B4/4b4/9/9/N8/4K4 w").unwrap();
        assert_eq!(game.fen(&own), "3k5/9/4n4/9/4B4/4b4/9/9/N8/4K4 w - - 0 1");
        for board in ["3k5/9/4h4/9/4E4/4e4/9/9/H8/4K4", "3k5/9/4n4/9/4E4/4b4/9/9/H8/4K4"] {
            for fields in
                ["w", "w -", "w - -", "w 0 1", "w 17", "w - 0 1", "w - - 0 1", "w - - 12 40"]
            {
                assert_eq!(
                    game.position(&format!("{board} {fields}")),
                    Ok(own),
                    "{board} {fields}"
                );
            }
        }
    }
    // Who has forfeited comes first.
    let seed = Janggi::seed();
    let forfeited = seed.position("3k5/9/9/9/4R4/9/9/9/H8/4K4 w w 0 1").unwrap();
    assert_eq!(seed.fen(&forfeited), "3k5/9/9/9/4R4/9/9/9/N8/4K4 w w - 0 1");
    for (fields, what) in [("w 0 w", "at the end"), ("w x", "who has forfeited is w, b or -")] {
        let error = seed.position(&format!("3k5/9/9/9/9/9/9/9/H8/4K4 {fields}")).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn names_and_positions_that_are_none_are_refused() {
    let game = Janggi::standard();
    for (text, what) in [
        ("KQvK", "a material such as KRHvKAA"),
        ("KRRRvK", "at most 2 R"),
        ("KRRCCHHvKR", "more than 8 men"),
        ("KRvK-1", "a material such as"),
    ] {
        assert!(game.material_of_name(text).unwrap_err().to_string().contains(what), "{text}");
    }
    for (text, what) in [
        ("3k5/9/9/9/9/9/9/9/9/4K4", "the side to move is missing"),
        ("3k5/9/9/9/9/9/9/9/9/K8 w", "K cannot stand on a1"),
        ("3k5/9/9/9/9/9/9/P8/9/4K4 w", "P cannot stand on a3"),
        ("3k5/9/9/9/9/9/9/9/9/9 w", "each side has one general"),
        ("3k5/9/9/9/9/9/9/9/4K4 w", "the board has 9 ranks"),
        ("3k4/9/9/9/9/9/9/9/9/4K4 w", "rank 10 has 8 files"),
        ("3q5/9/9/9/9/9/9/9/9/4K4 w", "no man has the letter q: expected K, R, C, N or H, B or E"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 a", "\"a\" at the end"),
    ] {
        assert!(game.position(text).unwrap_err().to_string().contains(what), "{text}");
    }
}
