//! Positions of which others have published the result: puzzles of a book, tests of other programs, lessons.

use crate::solved::solving;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::{self, MAKRUK};

/// The most men of tables that are solved on the spot.
const SOLVED_MEN: usize = 4;

/// The rows of a list, without its comments.
fn rows<const COLUMNS: usize>(list: &str) -> Vec<[&str; COLUMNS]> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect::<Vec<_>>().try_into().unwrap()).collect()
}

fn men(position: &Position) -> usize {
    position.fen().split(' ').next().unwrap().chars().filter(char::is_ascii_alphabetic).count()
}

#[test]
fn puzzles_of_a_book_mate_in_the_number_printed() {
    let tablebase = solving();
    let mut solved = 0;
    let puzzles = rows::<3>(include_str!("../data/published/puzzles.tsv"));
    for [name, fen, moves] in &puzzles {
        let position = Position::from_fen(&MAKRUK, fen).unwrap();
        // Those of five men are asked of the engine, in another test.
        if men(&position) > SOLVED_MEN {
            continue;
        }
        let mate = Value::Win(Moves(moves.parse().unwrap()));
        let answer = tablebase.probe(&position).unwrap();
        assert_eq!(answer.dtm, mate, "{name}");
        assert_eq!(answer.category, Category::Win, "{name}");
        assert_eq!(answer.mate_in_time, Some(mate), "{name}");
        let line = &answer.lines.as_ref().unwrap().uncounted;
        let end = line.iter().fold(position, |position, &mv| position.play(mv)).outcome();
        assert_eq!(end, Some(Outcome::Checkmate), "{name}");
        solved += 1;
    }
    assert_eq!((puzzles.len(), solved), (48, 40));
}

#[test]
fn published_results_are_ours() {
    let tablebase = solving();
    let results = rows::<5>(include_str!("../data/published/results.tsv"));
    for [variant, fen, result, moves, source] in &results {
        let position = Position::from_fen(variants::named(variant).unwrap(), fen).unwrap();
        let row = format!("{fen} ({source})");
        if *result == "*" {
            assert_eq!(position.outcome(), None, "{row}");
            continue;
        }
        let mover = position.side();
        let winner = match *result {
            "1-0" => Some(Side::White),
            "0-1" => Some(Side::Black),
            _ => None,
        };
        let outcome = position.outcome();
        if let Some(winner) = winner.filter(|_| outcome.is_some()) {
            assert_ne!(winner, mover, "{row}");
            assert_eq!(position.final_value(), Some(Value::Loss(Moves(0))), "{row}");
        }
        if men(&position) <= SOLVED_MEN {
            let category = tablebase.category(&position).unwrap();
            let expected: &[Category] = match winner {
                Some(winner) if winner == mover => &[Category::Win],
                Some(_) => &[Category::Loss],
                None => &[Category::CursedWin, Category::Draw, Category::BlessedLoss],
            };
            assert!(expected.contains(&category), "{row}: {category}");
            if let Ok(moves) = moves.parse() {
                let value = tablebase.dtm(&position).unwrap();
                assert_eq!(value.moves(), Some(Moves(moves)), "{row}");
            }
        } else {
            assert!(outcome.is_some(), "{row}: neither solved nor over");
        }
    }
    assert_eq!(results.len(), 43);
}
