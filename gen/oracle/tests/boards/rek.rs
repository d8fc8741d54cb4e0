//! Rek: fixtures, a plain second move generator, and brute force.

use crate::brute::{assert_by_definition, assert_by_iteration, solved};
use sakmak_boards::game::{BoardGame, Effect, legal_moves};
use sakmak_boards::notation::Notation;
use sakmak_boards::rek::{Position, Rek};
use sakmak_boards::value::Value;
use sakmak_oracle::boards::laws::check;

/// The FEN of units on squares: `Ka2 Mc1 kh7`.
pub fn fen(units: &str, side: char) -> String {
    let mut board = [['.'; 8]; 8];
    for unit in units.split(' ') {
        let letters: Vec<char> = unit.chars().collect();
        let (file, rank) = (letters[1] as usize - 'a' as usize, letters[2] as usize - '1' as usize);
        board[rank][file] = letters[0];
    }
    let mut text = board
        .iter()
        .rev()
        .map(|rank| rank.iter().collect::<String>())
        .collect::<Vec<_>>()
        .join("/");
    for empty in (1..=8).rev() {
        text = text.replace(&".".repeat(empty), &empty.to_string());
    }
    format!("{text} {side}")
}

/// The board after a move by its text; `None` if it wins.
fn after(game: &Rek, units: &str, played: &str) -> Option<String> {
    let position = game.position(&fen(units, 'w')).unwrap();
    let mut found = None;
    game.moves(&position, |known, effect| {
        if game.text(&position, known) == played {
            found = Some((effect != Effect::Wins).then(|| game.fen(&game.play(&position, known))));
        }
    });
    found.unwrap_or_else(|| panic!("no move {played}"))
}

#[test]
fn the_fixtures_hold() {
    let game = Rek::standard();
    let is = |units: &str, played: &str, expected: &str| {
        assert_eq!(after(&game, units, played), Some(fen(expected, 'b')), "{units}: {played}");
    };
    is("Ka2 Mc1 kh7 mb4 md4", "c1c4", "Ka2 Mc4 kh7");
    assert_eq!(after(&game, "Ka2 Ma4 kd3 md5", "a4d4"), None);
    is("Ka2 Ma5 Mb8 kh7 ma8", "a5a7", "Ka2 Ma7 Mb8 kh7");
    is("Ka2 Mb8 Ma6 Me7 kh7 ma8 ma7", "e7b7", "Ka2 Mb8 Ma6 Mb7 kh7");
    assert_eq!(after(&game, "Ka2 Mc1 Mb5 Md5 Mc6 kc5 mb4 md4", "c1c4"), None);
    // A pair that steps beside a man leaves it alone.
    let position = game.position(&fen("Ka2 Mc4 kh7 mb4 me4", 'b')).unwrap();
    let mut quiet = 0;
    legal_moves(&game, &position, |played, next| {
        if game.text(&position, played) == "e4d4" {
            assert_eq!(game.fen(&next.unwrap()), fen("Ka2 Mc4 kh7 mb4 md4", 'w'));
            quiet += 1;
        }
    });
    assert_eq!(quiet, 1);
}

#[test]
fn a_king_without_a_move_has_lost_unless_it_is_taken_as_a_man_is() {
    // The king on a1 has no move, its group has.
    let units = "Kh8 Mb3 ka1 ma2 mb1";
    let tables_needed = |game: &Rek| {
        let position = game.position(&fen(units, 'b')).unwrap();
        game.end(&position).is_some()
    };
    assert!(tables_needed(&Rek::standard()));
    assert!(!tables_needed(&Rek::king_by_group()));
}

#[test]
fn a_unit_of_its_own_is_not_closed_in_beside_a_friend_that_is() {
    let (group, unit) = (Rek::standard(), Rek::by_unit());
    let units = "Ka2 Mb8 Ma6 Me7 kh7 ma8 ma7";
    assert_eq!(after(&group, units, "e7b7"), Some(fen("Ka2 Mb8 Ma6 Mb7 kh7", 'b')));
    assert_eq!(after(&unit, units, "e7b7"), Some(fen("Ka2 Mb8 Ma6 Mb7 kh7 ma8 ma7", 'b')));
}

/// The boards after all moves, by loops over an array: `None` if the king is taken.
fn plain_moves(fen: &str, by_unit: bool) -> Vec<Option<String>> {
    let (board, side) = fen.split_once(' ').unwrap();
    let mut grid = [['.'; 10]; 10].map(|row| row.map(|_| '#'));
    for (above, row) in board.split('/').enumerate() {
        let mut file = 1;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => (0..empty).for_each(|_| {
                    grid[8 - above][file] = '.';
                    file += 1;
                }),
                None => {
                    grid[8 - above][file] = letter;
                    file += 1;
                }
            }
        }
    }
    let own = |letter: char| letter.is_alphabetic() && letter.is_uppercase() == (side == "w");
    let enemy = |letter: char| letter.is_alphabetic() && letter.is_uppercase() != (side == "w");
    let steps: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let go = |(x, y): (usize, usize), (dx, dy): (i32, i32)| {
        ((x as i32 + dx) as usize, (y as i32 + dy) as usize)
    };
    let mut found = Vec::new();
    for y in 1..9 {
        for x in 1..9 {
            if !own(grid[y][x]) {
                continue;
            }
            for step in steps {
                let mut to = go((x, y), step);
                while grid[to.1][to.0] == '.' {
                    let mut next = grid;
                    next[to.1][to.0] = grid[y][x];
                    next[y][x] = '.';
                    let mut king = false;
                    for axis in [(0, 1), (1, 0)] {
                        let (first, second) = (go(to, axis), go(to, (-axis.0, -axis.1)));
                        if enemy(next[first.1][first.0]) && enemy(next[second.1][second.0]) {
                            for at in [first, second] {
                                king |= "Kk".contains(next[at.1][at.0]);
                                next[at.1][at.0] = '.';
                            }
                        }
                    }
                    // Groups by walking from unit to unit.
                    let before = next;
                    for gy in 1..9 {
                        for gx in 1..9 {
                            if !enemy(before[gy][gx]) {
                                continue;
                            }
                            let (mut group, mut at, mut free) = (vec![(gx, gy)], 0, false);
                            while at < group.len() {
                                for step in steps {
                                    let beside = go(group[at], step);
                                    let letter = before[beside.1][beside.0];
                                    free |= letter == '.' || (by_unit && enemy(letter));
                                    if !by_unit && enemy(letter) && !group.contains(&beside) {
                                        group.push(beside);
                                    }
                                }
                                at += 1;
                            }
                            if !free {
                                king |= "Kk".contains(before[gy][gx]);
                                next[gy][gx] = '.';
                            }
                        }
                    }
                    let rows: Vec<String> =
                        (1..9).rev().map(|y| next[y][1..9].iter().collect::<String>()).collect();
                    found.push((!king).then(|| rows.join("/")));
                    to = go(to, step);
                }
            }
        }
    }
    found.sort();
    found
}

/// Random numbers.
pub fn random(state: &mut u64, end: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % end
}

/// A random FEN with this number of men on each side, crowded into a corner at times.
pub fn random_fen(state: &mut u64, most: u64) -> String {
    let width = 3 + random(state, 6);
    let mut free: Vec<String> = (0..width * width)
        .map(|at| format!("{}{}", char::from(b'a' + (at % width) as u8), at / width + 1))
        .collect();
    let mut units = Vec::new();
    for (king, man) in [('K', 'M'), ('k', 'm')] {
        let men = random(state, most + 1);
        for letter in std::iter::once(king).chain((0..men).map(|_| man)) {
            if free.len() > 1 || letter == king {
                let square = free.swap_remove(random(state, free.len() as u64) as usize);
                units.push(format!("{letter}{square}"));
            }
        }
    }
    fen(&units.join(" "), if random(state, 2) == 0 { 'w' } else { 'b' })
}

fn expanded(fen: &str) -> String {
    let board = fen.split(' ').next().unwrap();
    (1..=8).fold(board.to_string(), |text, empty: usize| {
        text.replace(&empty.to_string(), &".".repeat(empty))
    })
}

#[test]
fn moves_are_those_of_plain_loops() {
    let mut state = 7;
    let mut taken = 0;
    for (game, by_unit) in [(Rek::standard(), false), (Rek::by_unit(), true)] {
        for _ in 0..3000 {
            let text = random_fen(&mut state, 7);
            let position: Position = game.position(&text).unwrap();
            assert_eq!(game.fen(&position), text);
            let mut moves = Vec::new();
            game.moves(&position, |played, effect| {
                taken += u32::from(effect != Effect::Stays);
                let after = expanded(&game.fen(&game.play(&position, played)));
                moves.push((effect != Effect::Wins).then_some(after));
            });
            moves.sort();
            assert_eq!(moves, plain_moves(&text, by_unit), "{text}");
        }
    }
    assert!(taken > 1000, "{taken}");
}

#[test]
fn every_variant_is_a_game() {
    for game in [Rek::standard(), Rek::by_unit(), Rek::king_by_group()] {
        for name in ["KvK", "KMvK", "KMvKM", "KMMvK", "KMMvKM", "KMMvKMM", "KMMMMvKM"] {
            check(&game, game.material_of_name(name).unwrap(), 500).unwrap();
        }
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn two_and_three_units_have_the_values_of_the_definition() {
    let game = Rek::standard();
    let material = game.material_of_name("KMvK").unwrap();
    let tables = solved(&game, [material]);
    assert_by_definition(&game, &tables, material);
    assert_by_iteration(&game, &tables, material);
}

#[test]
fn a_king_that_is_about_to_be_rekked_loses() {
    let game = Rek::standard();
    let material = game.material_of_name("KMvKM").unwrap();
    let tables = solved(&game, [material]);
    let position = game.position(&fen("Ka2 Ma4 kd3 md5", 'w')).unwrap();
    assert_eq!(tables.value(&game, &position), Some(Value::Win(1)));
}
