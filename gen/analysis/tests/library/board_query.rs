//! Queries of board games, compared with a filter over all positions of a table, as text.

use sakmak_analysis::board_query::{BoardQuery, parse};
use sakmak_analysis::query::{MatchOrder, OrderColumn, ParseError};
use sakmak_boards::game::{Effect, closure, legal_moves};
use sakmak_boards::janggi::Janggi;
use sakmak_boards::min_rek::MinRek;
use sakmak_boards::notation::Notation;
use sakmak_boards::rek::Rek;
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::Value;
use sakmak_solve::boards::solver::solve;
use sakmak_solve::boards::tables::Tables;
use sakmak_tables::distance::Wdl;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A position as text, and what a condition may ask.
struct Seen {
    fen: String,
    white: bool,
    value: Value,
    /// The letters of FEN with their squares.
    men: Vec<(char, String)>,
    /// The result of each move for the mover, and whether it takes.
    moves: Vec<(Wdl, bool)>,
    /// Whether the other side could take the king.
    check: bool,
    /// The value with the other side to move, if the game goes on in both.
    other: Option<Value>,
}

fn wdl(value: Value) -> Wdl {
    match value {
        Value::Win(_) => Wdl::Win,
        Value::Loss(_) => Wdl::Loss,
        Value::Draw => Wdl::Draw,
        Value::Illegal => panic!("no result"),
    }
}

impl Seen {
    fn of<G: Notation + SolvableGame>(game: &G, tables: &Tables<G>, fen: &str) -> Seen {
        let position = game.position(fen).unwrap();
        let men = game.letters(&position);
        let mut moves = Vec::new();
        legal_moves(game, &position, |_, after| {
            moves.push(match after {
                Err(Effect::Wins) => (Wdl::Win, true),
                Err(_) => (Wdl::Draw, false),
                Ok(after) => {
                    let result = wdl(tables.value(game, &after).unwrap().before_move());
                    (result, game.letters(&after).len() < men.len())
                }
            });
        });
        let side = if fen.contains(" w") { [" w", " b"] } else { [" b", " w"] };
        let other = game.position(&fen.replacen(side[0], side[1], 1)).ok();
        let square = |(letter, file, rank): &(char, usize, usize)| {
            (*letter, format!("{}{}", char::from(b'a' + *file as u8), rank + 1))
        };
        Seen {
            fen: fen.to_string(),
            white: side[0] == " w",
            value: tables.value(game, &position).unwrap(),
            men: men.iter().map(square).collect(),
            moves,
            check: other.as_ref().is_some_and(|other| game.is_illegal(other)),
            other: other
                .filter(|other| !game.is_illegal(other))
                .filter(|other| game.end(&position).or(game.end(other)).is_none())
                .map(|other| tables.value(game, &other).unwrap()),
        }
    }

    fn dtm(&self) -> Option<u16> {
        match self.value {
            Value::Win(plies) | Value::Loss(plies) => Some(plies.div_ceil(2)),
            _ => None,
        }
    }

    fn best(&self) -> usize {
        self.moves.iter().filter(|(result, _)| *result == self.moves_best()).count()
    }

    fn moves_best(&self) -> Wdl {
        self.moves.iter().map(|(result, _)| *result).max().unwrap_or(Wdl::Loss)
    }

    fn on(&self, letter: char, is: impl Fn(&str) -> bool) -> bool {
        self.men.iter().any(|(man, square)| *man == letter && is(square))
    }

    fn worse(&self) -> bool {
        let other = |value| match wdl(value) {
            Wdl::Win => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::Loss => Wdl::Win,
        };
        self.other.is_some_and(|value| wdl(self.value) < other(value))
    }
}

/// The rows of a board, from the highest rank, with a letter or a dot for each square.
type Rows = Vec<Vec<char>>;

/// The rows of a FEN, and its other fields.
fn rows(fen: &str) -> (Rows, &str) {
    let (board, rest) = fen.split_once(' ').unwrap();
    let row = |row: &str| {
        let wide = |letter: char| match letter.to_digit(10) {
            Some(empty) => vec!['.'; empty as usize],
            None => vec![letter],
        };
        row.chars().flat_map(wide).collect()
    };
    (board.split('/').map(row).collect(), rest)
}

fn text(rows: &Rows, rest: &str) -> String {
    let row = |row: &Vec<char>| {
        let mut text = String::new();
        for part in row.chunk_by(|one, other| one == other) {
            match part[0] {
                '.' => text += &part.len().to_string(),
                _ => text.extend(part),
            }
        }
        text
    };
    rows.iter().map(row).collect::<Vec<_>>().join("/") + " " + rest
}

fn mirrored(rows: &Rows) -> Rows {
    rows.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

fn transposed(rows: &Rows) -> Rows {
    (0..rows.len()).map(|file| rows.iter().rev().map(|row| row[file]).collect()).collect()
}

/// The symmetries of a board.
#[derive(Clone, Copy, PartialEq)]
enum Symmetry {
    None,
    Mirror,
    Square,
}

/// The images of a FEN, with those of exchanged sides if both have the same men.
fn images(fen: &str, symmetry: Symmetry) -> BTreeSet<String> {
    let (first, rest) = rows(fen);
    let mut boards = vec![first.clone()];
    if symmetry != Symmetry::None {
        boards.push(mirrored(&first));
    }
    if symmetry == Symmetry::Square {
        for _ in 0..3 {
            boards.extend(boards[boards.len() - 2..].iter().map(transposed).collect::<Vec<_>>());
        }
    }
    let of = |letters: &Rows, is: fn(&char) -> bool| {
        let mut men: Vec<char> = letters.iter().flatten().copied().filter(is).collect();
        men.iter_mut().for_each(|letter| letter.make_ascii_lowercase());
        men.sort_unstable();
        men
    };
    let is_even = of(&first, char::is_ascii_uppercase) == of(&first, char::is_ascii_lowercase);
    let mut fens: BTreeSet<String> = boards.iter().map(|rows| text(rows, rest)).collect();
    if is_even && !rest.contains(" w") && !rest.contains(" b") {
        let case = |letter: &char| match letter.is_ascii_uppercase() {
            true => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        let rest = if let Some(rest) = rest.strip_prefix('w') {
            format!("b{rest}")
        } else {
            rest.replacen('b', "w", 1)
        };
        for rows in &boards {
            let turned = rows.iter().rev().map(|row| row.iter().rev().map(case).collect());
            fens.insert(text(&turned.collect(), &rest));
        }
    }
    fens
}

/// A condition, and whether a position meets it.
type Case = (&'static str, fn(&Seen) -> bool);

const CASES: [Case; 15] = [
    ("side=white", |seen| seen.white),
    ("win", |seen| wdl(seen.value) == Wdl::Win),
    ("draw or loss", |seen| wdl(seen.value) != Wdl::Win),
    ("winner=black", |seen| match wdl(seen.value) {
        Wdl::Draw => false,
        result => (result == Wdl::Win) != seen.white,
    }),
    ("mate", |seen| seen.value == Value::Loss(0)),
    ("dtm<=2", |seen| seen.dtm().is_some_and(|moves| moves <= 2)),
    ("dtm>=3 and not side == white", |seen| !seen.white && seen.dtm() >= Some(3)),
    ("moves<=2", |seen| seen.moves.len() <= 2),
    ("only_move", |seen| seen.moves.len() > 1 && seen.best() == 1),
    ("quiet", |seen| {
        seen.moves.iter().any(|&(result, takes)| result == seen.moves_best() && !takes)
    }),
    ("draw and not quiet", |seen| {
        let quiet = seen.moves.iter().any(|&(result, takes)| result == Wdl::Draw && !takes);
        wdl(seen.value) == Wdl::Draw && !quiet
    }),
    ("K on file d|a1", |seen| seen.on('K', |square| square.starts_with('d') || square == "a1")),
    ("all K on rank 1-2 and not k != e8", |seen| {
        let low = |square: &str| square.ends_with('1') || square.ends_with('2');
        !seen.on('K', |square| square.ends_with("10") || !low(square))
            && seen.on('k', |square| square == "e8")
    }),
    ("white.K on corner", |seen| seen.on('K', |square| ["a1", "h1", "a8", "h8"].contains(&square))),
    ("one_in(1)", |_| true),
];

/// Compares queries of a material with a filter over all of its positions.
fn compare<G: Notation + SolvableGame>(
    game: &G,
    material: &str,
    symmetry: Symmetry,
    more: &[Case],
) {
    let material = game.material_of_name(material).unwrap();
    let mut tables = Tables::default();
    for material in closure(game, [material]) {
        let codes = solve(game, material, &tables, &|_| ()).unwrap();
        tables.insert(game, material, codes);
    }
    let table = tables.get(material).unwrap();
    let mut slots: Vec<Vec<Seen>> = Vec::new();
    for slot in 0..table.codes.slots() {
        let position = game.unrank(&table.layout, slot);
        if let Some(position) = position.filter(|position| !game.is_illegal(position)) {
            let fens = images(&game.fen(&position), symmetry).into_iter();
            slots.push(fens.map(|fen| Seen::of(game, &tables, &fen)).collect());
        }
    }
    assert!(slots.len() > 100);
    let mut counts = BTreeSet::new();
    for (condition, is) in CASES.iter().chain(more) {
        let name = format!("{material} of {}: {condition}", game.name());
        let expression = parse(condition, game, material).unwrap();
        let query = BoardQuery::new(game, material, &tables, &expression).unwrap();
        let expected: Vec<Vec<&Seen>> = slots
            .iter()
            .map(|seen| seen.iter().filter(|seen| is(seen)).collect::<Vec<_>>())
            .filter(|seen| !seen.is_empty())
            .collect();
        let count = query.count(&|_| ()).unwrap();
        let positions = |white: bool| {
            let all = expected.iter().flatten().filter(|seen| seen.white == white);
            all.map(|seen| &seen.fen).collect::<BTreeSet<_>>().len() as u64
        };
        assert_eq!(count.positions, [positions(true), positions(false)], "{name}");
        assert_eq!(count.distinct, expected.len() as u64, "{name}");
        counts.insert(count.distinct);

        let mut listed = Vec::new();
        let reader = |matches: &[_]| {
            listed.extend_from_slice(matches);
            ControlFlow::Continue(())
        };
        query.each(reader, &|_| ()).unwrap();
        assert_eq!(listed.len(), expected.len());
        for (found, expected) in listed.iter().zip(&expected) {
            let fen = game.fen(&found.position);
            let seen = expected.iter().find(|seen| seen.fen == fen);
            assert_eq!(seen.map(|seen| seen.value), Some(found.value), "{name}: {fen}");
        }
        let by = MatchOrder::By { column: OrderColumn::DistanceToMate, descending: true };
        let longest = query.first(7, by, &|_| ()).unwrap();
        let mut ordered = listed.clone();
        ordered.sort_by_key(|found| std::cmp::Reverse(found.moves()));
        ordered.truncate(7);
        assert_eq!(longest.into_iter().map(|(_, found)| found).collect::<Vec<_>>(), ordered);
        let sample = query.first(7, MatchOrder::Random { seed: 1 }, &|_| ()).unwrap();
        assert_eq!(sample.len(), listed.len().min(7));
        assert!(sample.iter().all(|(_, found)| listed.contains(found)));
    }
    assert!(counts.len() > 3, "{counts:?}");
}

const CHECK: Case = ("check", |seen| seen.check);
const ZUGZWANG: Case = ("zugzwang", Seen::worse);

#[test]
fn matches_of_janggi_are_those_of_a_filter_over_all_positions() {
    let guards: [Case; 2] = [
        ("A on e2 and win", |seen| {
            seen.on('A', |square| square == "e2") && wdl(seen.value) == Wdl::Win
        }),
        ("a on centre|file d", |seen| seen.on('a', |square| square.starts_with('d'))),
    ];
    compare(&Janggi::standard(), "KAvKA", Symmetry::Mirror, &[&guards[..], &[CHECK]].concat());
    // A horse is N in FEN.
    let horse: Case = ("H on edge", |seen| {
        seen.on('N', |square| square.starts_with(['a', 'i']) || ["1", "10"].contains(&&square[1..]))
    });
    compare(&Janggi::casual(), "KHvK", Symmetry::Mirror, &[CHECK, horse]);
    compare(&Janggi::seed(), "KPvK", Symmetry::Mirror, &[ZUGZWANG]);
}

const MEN: Case = ("M on rank 4-5", |seen| seen.on('M', |square| square.ends_with(['4', '5'])));

#[test]
fn matches_of_rek_are_those_of_a_filter_over_all_positions() {
    compare(&Rek::standard(), "KvK", Symmetry::Square, &[ZUGZWANG]);
    compare(&MinRek::standard(), "KMvKM", Symmetry::None, &[MEN]);
}

#[test]
#[ignore = "long: part of the full tests"]
fn matches_of_rek_with_a_man_are_those_of_a_filter_over_all_positions() {
    compare(&Rek::standard(), "KMvK", Symmetry::Square, &[ZUGZWANG, MEN]);
}

#[test]
fn a_selection_has_its_share_and_is_the_same_in_every_run() {
    let game = Janggi::casual();
    let material = game.material_of_name("KvK").unwrap();
    let mut tables = Tables::default();
    let codes = solve(&game, material, &tables, &|_| ());
    tables.insert(&game, material, codes.unwrap());
    let count = |condition: &str| {
        let expression = parse(condition, &game, material).unwrap();
        let query = BoardQuery::new(&game, material, &tables, &expression).unwrap();
        query.count(&|_| ()).unwrap().distinct
    };
    let (all, some) = (count("one_in(1)"), count("one_in(4)"));
    assert!(some > 0 && some < all, "{some} of {all}");
    assert_eq!(count("one_in(4) or not one_in(4)"), all);
}

#[test]
fn conditions_that_a_game_does_not_have_are_refused_by_name() {
    let janggi = |text: &str| {
        let game = Janggi::standard();
        let material = game.material_of_name("KRHvKAA").unwrap();
        parse(text, &game, material).map(|_| ()).map_err(|error: ParseError| error.to_string())
    };
    for (text, expected) in [
        (
            "win and in_time",
            "column 9: 'in_time' is not a condition of this variant: no moves are counted",
        ),
        (
            "stalemate",
            "column 1: 'stalemate' is not a condition of this variant: \
             moves=0 asks for a side without a move",
        ),
        ("zugzwang", "column 1: 'zugzwang' is not a condition of this variant: a side may pass"),
        ("late_capture", "column 1: 'late_capture' is not a condition of this variant: "),
        ("same_color(A,a)", "column 1: 'same_color' is not a condition of this variant: "),
        ("distance(K,k)<3", "column 1: 'distance' is not a condition of this variant: "),
        (
            "R on a11",
            "column 6: unexpected 'a11', expected a square, rank, file, corner, edge or centre",
        ),
        ("R on rank 0", "column 11: unexpected '0', expected a rank 1 to 10, or ranks such as 6-8"),
        ("R on file j", "column 11: unexpected 'j', expected a file a to i, or files such as a-c"),
        ("R on light", "column 6: unexpected 'light', expected "),
        ("r on a1", "column 1: KRHvKAA has no black R"),
        ("all N on a1", "column 5: unexpected 'N', expected a piece such as K or white.K"),
        (
            "green",
            "column 1: unexpected 'green', expected side, winner, win, draw, loss, mate, dtm, moves, ",
        ),
        ("lost", "column 1: 'lost' is written 'loss'"),
        ("moves", "column 6: unexpected end of condition, expected =, !=, <, <=, > or >="),
    ] {
        let message = janggi(text).unwrap_err();
        assert!(message.starts_with(expected), "{text}: {message}");
    }
    for text in ["R on i10|rank 8-10", "a on file d-f", "check and moves>=3", "k=e9"] {
        assert_eq!(janggi(text), Ok(()), "{text}");
    }
    let rek = Rek::standard();
    let material = rek.material_of_name("KMvK").unwrap();
    let message = parse("check", &rek, material).unwrap_err().to_string();
    assert_eq!(message, "column 1: 'check' is not a condition of this variant: nobody is in check");
}

#[test]
fn the_statistics_tell_each_slot_once() {
    let game = Rek::standard();
    let material = game.material_of_name("KvK").unwrap();
    let codes = solve(&game, material, &Tables::default(), &|_| ()).unwrap();
    let counted = std::sync::atomic::AtomicU64::new(0);
    let progress = |slots| _ = counted.fetch_add(slots, std::sync::atomic::Ordering::Relaxed);
    let mover = |position: &_| game.mover(position);
    sakmak_analysis::board_statistics::results(&game, material, &codes, mover, &progress);
    assert_eq!(counted.into_inner(), codes.slots());
}
