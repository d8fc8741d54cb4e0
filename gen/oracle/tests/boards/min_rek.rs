//! Min Rek Chanh: fixtures and brute force.

use crate::brute::{assert_by_definition, assert_by_iteration, solved};
use crate::rek::{fen, random};
use sakmak_boards::game::{BoardGame, Effect};
use sakmak_boards::min_rek::{MinRek, Position};
use sakmak_boards::notation::Notation;
use sakmak_boards::value::Value;
use sakmak_oracle::boards::laws::check;

const KINGS: &str = "Ka2 kh7 ";

fn position(game: &MinRek, units: &str, side: char) -> Position {
    game.position(&fen(&(KINGS.to_string() + units), side)).unwrap()
}

fn play(game: &MinRek, position: &Position, played: &str) -> Position {
    let mut found = None;
    game.moves(position, |known, _| {
        if game.text(position, known) == played {
            found = Some(game.play(position, known));
        }
    });
    found.unwrap_or_else(|| panic!("no move {played} in {}", game.fen(position)))
}

fn moves(game: &MinRek, position: &Position) -> Vec<String> {
    let mut found = Vec::new();
    game.moves(position, |played, _| found.push(game.text(position, played)));
    found.sort();
    found
}

/// The replies in the FEN.
fn replies(game: &MinRek, position: &Position) -> String {
    game.fen(position).rsplit(' ').next().unwrap().to_string()
}

#[test]
fn the_fixtures_hold() {
    let game = MinRek::standard();
    // m1: an old rek does not oblige.
    let old = position(&game, "Mc1 Mh1 mb4 md4", 'w');
    assert!(moves(&game, &old).contains(&"h1h2".to_string()));
    assert_eq!(replies(&game, &play(&game, &old, "h1h2")), "-");
    // m2: a man that steps away opens a rek.
    let step = position(&game, "Md3 Md4 Md5 mh4 mg6", 'w');
    let ordered = play(&game, &step, "d4c4");
    assert_eq!(replies(&game, &ordered), "h4d4");
    assert_eq!(moves(&game, &ordered), ["h4d4"]);
    // m3: reks that were there before are not among the replies.
    let more = position(&game, "Md3 Md4 Md5 Mb7 Md7 mh4 mg6 mc8", 'w');
    assert_eq!(replies(&game, &play(&game, &more, "d4c4")), "h4d4");
    // m4: the reply opens a rek in turn.
    let chain = position(&game, "Md3 Md4 Md5 Ma5 mh4 md6 mg6", 'w');
    let first = play(&game, &chain, "d4c4");
    assert_eq!(replies(&game, &first), "h4d4");
    let second = play(&game, &first, "h4d4");
    assert_eq!(replies(&game, &second), "a5d5");
    assert_eq!(replies(&game, &play(&game, &second, "a5d5")), "-");
    // m5: either obeys.
    let two = position(&game, "Mb4 Mf4 Md7 mc1 me1 mg6", 'w');
    let ordered = play(&game, &two, "d7d4");
    assert_eq!(replies(&game, &ordered), "c1c4,e1e4");
    // The FEN has the replies.
    assert_eq!(game.position(&game.fen(&ordered)).unwrap(), ordered);
}

#[test]
fn kings_on_the_other_wing_are_answered_on_their_own_board() {
    let game = MinRek::standard();
    let fen = "8/k7/1m6/4M3/m3M3/4M3/7K/8 w -";
    let mirrored = game.position(fen).unwrap();
    let plain = position(&game, "Md3 Md4 Md5 mh4 mg6", 'w');
    assert_eq!(game.fen(&mirrored), fen);
    assert!(game.text_board(&mirrored).contains(" 4  m . . . M . . ."));
    // The slot is that of the mirror image.
    let layout = game.layout(game.material(&plain));
    assert_eq!(game.rank(&layout, &mirrored), game.rank(&layout, &plain));
    let turned = |text: &str| {
        text.chars()
            .map(|letter| match letter {
                'a'..='h' => char::from(b'a' + b'h' - letter as u8),
                other => other,
            })
            .collect::<String>()
    };
    let mut expected: Vec<String> =
        moves(&game, &plain).iter().map(|played| turned(played)).collect();
    expected.sort();
    assert_eq!(moves(&game, &mirrored), expected);
    // Orders as well, also when they are read.
    let ordered = play(&game, &mirrored, "e4f4");
    assert_eq!(moves(&game, &ordered), [replies(&game, &ordered)]);
    assert_eq!(game.position(&game.fen(&ordered)).unwrap(), ordered);
    assert!(game.position("8/k7/8/8/8/8/K7/8 w").is_err());
}

#[test]
fn any_rek_or_a_called_one_must_be_played() {
    let any = MinRek::any();
    let old = position(&any, "Mc1 Mh1 mb4 md4", 'w');
    assert_eq!(moves(&any, &old), ["c1c4"]);
    let called = MinRek::called();
    let old = position(&called, "Mh1 Mb4 Md4 mc8 mg6", 'w');
    let played = moves(&called, &old);
    assert!(played.contains(&"h1h2".to_string()) && played.contains(&"h1h2!".to_string()));
    assert_eq!(moves(&called, &play(&called, &old, "h1h2!")), ["c8c4"]);
    assert!(moves(&called, &play(&called, &old, "h1h2")).len() > 1);
}

#[test]
fn kings_are_rekked_and_never_rek() {
    let game = MinRek::standard();
    let position = position(&game, "Mg8 Mb7 mf7", 'w');
    let mut wins = Vec::new();
    game.moves(&position, |played, effect| {
        assert!(!game.text(&position, played).starts_with("a2"));
        if effect == Effect::Wins {
            wins.push(game.text(&position, played));
        }
    });
    assert_eq!(wins, ["g8g7"]);
}

fn all() -> [MinRek; 4] {
    [MinRek::standard(), MinRek::any(), MinRek::called(), MinRek::stuck_draws()]
}

#[test]
fn every_variant_is_a_game() {
    for game in all() {
        for name in [
            "KvK",
            "KMvK",
            "KMMvK",
            "KMvKM",
            "KMMvKM",
            "KMMvKMM",
            "KMMMvKM",
            "KMMMvKMMM",
            "KMMMMvKMM",
        ] {
            let material = game.material_of_name(name).unwrap();
            // All slots of up to four units.
            let samples = if game.size(&game.layout(material)) < 4000 { u64::MAX } else { 500 };
            check(&game, material, samples).unwrap();
        }
    }
}

#[test]
fn few_units_have_the_values_of_the_definition() {
    for game in all() {
        for name in ["KMvKM", "KMMvK"] {
            let material = game.material_of_name(name).unwrap();
            let tables = solved(&game, [material]);
            assert_by_definition(&game, &tables, material);
            assert_by_iteration(&game, &tables, material);
        }
    }
}

#[test]
fn wins_by_an_order_are_found_from_the_replies() {
    let game = MinRek::standard();
    let material = game.material_of_name("KMMMvKM").unwrap();
    // Verified one ply ahead, by all moves.
    let tables = solved(&game, [material]);
    // Some positions are won by an order and no other move.
    let layout = game.layout(material);
    let ordered = (0..game.size(&layout)).filter_map(|slot| game.unrank(&layout, slot));
    let ordered = ordered.filter(|position| {
        let (mut plain, mut orders) = (false, false);
        game.moves(position, |played, effect| match effect {
            Effect::Wins | Effect::Draws => plain = true,
            _ => {
                let after = game.play(position, played);
                let is_loss = matches!(tables.value(&game, &after), Some(Value::Loss(_)));
                plain |= is_loss && game.has_slot(&after);
                orders |= is_loss && !game.has_slot(&after);
            }
        });
        orders && !plain
    });
    assert_eq!(ordered.take(100).count(), 100);
}

/// Reks of the side to move as pairs of squares, by loops over an array.
fn plain_reks(board: &[[char; 10]; 10], white: bool) -> Vec<String> {
    let is = |letter: char, white: bool| letter.is_alphabetic() && letter.is_uppercase() == white;
    let mut found = Vec::new();
    for y in 1..9usize {
        for x in 1..9usize {
            let pair = (is(board[y][x - 1], !white) && is(board[y][x + 1], !white))
                || (is(board[y - 1][x], !white) && is(board[y + 1][x], !white));
            if board[y][x] != '.' || !pair {
                continue;
            }
            for (dx, dy) in [(0i32, 1i32), (1, 0), (0, -1), (-1, 0)] {
                let (mut fx, mut fy) = (x as i32 + dx, y as i32 + dy);
                while board[fy as usize][fx as usize] == '.' {
                    (fx, fy) = (fx + dx, fy + dy);
                }
                let letter = board[fy as usize][fx as usize];
                if "Mm".contains(letter) && is(letter, white) {
                    let name =
                        |x: usize, y: usize| format!("{}{y}", char::from(b'a' + x as u8 - 1));
                    found.push(name(fx as usize, fy as usize) + &name(x, y));
                }
            }
        }
    }
    found.sort();
    found
}

fn grid(fen: &str) -> [[char; 10]; 10] {
    let mut grid = [['#'; 10]; 10];
    for (above, row) in fen.split(' ').next().unwrap().split('/').enumerate() {
        let mut file = 1;
        for letter in row.chars() {
            for _ in 0..letter.to_digit(10).unwrap_or(1) {
                grid[8 - above][file] = if letter.is_ascii_digit() { '.' } else { letter };
                file += 1;
            }
        }
    }
    grid
}

#[test]
fn orders_are_those_of_plain_loops() {
    let game = MinRek::standard();
    let (mut state, mut ordered) = (3, 0);
    for _ in 0..2000 {
        let mut free: Vec<String> = (0..64)
            .map(|at: u8| format!("{}{}", char::from(b'a' + at % 8), at / 8 + 1))
            .filter(|square| square != "a2" && square != "h7")
            .collect();
        let units: Vec<String> = (0..2 + random(&mut state, 10))
            .map(|_| {
                let square = free.swap_remove(random(&mut state, free.len() as u64) as usize);
                format!("{}{square}", if random(&mut state, 2) == 0 { 'M' } else { 'm' })
            })
            .collect();
        let before = position(&game, &units.join(" "), 'w');
        game.moves(&before, |played, effect| {
            if effect == Effect::Wins {
                return;
            }
            let after = game.play(&before, played);
            let old = plain_reks(&grid(&game.fen(&before)), false);
            let mut expected = plain_reks(&grid(&game.fen(&after)), false);
            expected.retain(|rek| !old.contains(rek));
            ordered += u32::from(!expected.is_empty());
            let expected = if expected.is_empty() { "-".to_string() } else { expected.join(",") };
            assert_eq!(
                replies(&game, &after),
                expected,
                "{} {}",
                game.fen(&before),
                game.text(&before, played)
            );
        });
    }
    assert!(ordered > 500, "{ordered}");
}

#[test]
fn replies_have_commas_between_them() {
    let game = MinRek::standard();
    let board = "8/7k/6m1/8/1M1M1M2/8/K7/2m1m3 b";
    let both = game.position(&format!("{board} c1c4,e1e4")).unwrap();
    assert_eq!(moves(&game, &both), ["c1c4", "e1e4"]);
    let refused = game.position(&format!("{board} c1c4 e1e4")).unwrap_err().to_string();
    assert_eq!(refused, "not a position: \"e1e4\" at the end, where only numbers and - may follow");
}
