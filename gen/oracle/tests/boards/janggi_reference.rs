//! Janggi by a plain second reading of the rules, on an array of letters.

use crate::rek::random;
use Rules::{Casual, Seed, Standard};
use sakmak_boards::game::{BoardGame, legal_moves};
use sakmak_boards::janggi::Janggi;
use sakmak_boards::notation::Notation;
use std::collections::BTreeMap;

/// A file and a rank, or a step by files and ranks; both count from zero.
type Point = (i32, i32);

const STRAIGHT: [Point; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [Point; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const FORFEITED: [&str; 4] = ["-", "w", "b", "wb"];

#[derive(Clone, Copy, PartialEq)]
enum Rules {
    Seed,
    Standard,
    Casual,
}

/// The legal moves, each with the position after it or `draw`; or else `illegal`, `Loss` or `Draw`.
type Outcome = Result<BTreeMap<String, String>, String>;

/// A position. Side 0 is white, that is Cho.
#[derive(Clone)]
pub struct Plain {
    /// Letters of FEN by rank and file, `.` where no man is.
    letters: [[char; 9]; 10],
    side: usize,
    /// An index of [`FORFEITED`]: 1 if white has forfeited the win, plus 2 if black has.
    pub forfeited: usize,
}

fn plus(point: Point, step: Point) -> Point {
    (point.0 + step.0, point.1 + step.1)
}

fn square((file, rank): Point) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

fn side_of(letter: char) -> Option<usize> {
    letter.is_ascii_alphabetic().then(|| usize::from(letter.is_ascii_lowercase()))
}

fn in_palace((file, rank): Point, side: usize) -> bool {
    (3..6).contains(&file) && [0..3, 7..10][side].contains(&rank)
}

/// The steps from a point to the next one along lines of the board.
///
/// All diagonal lines go through the centre of a palace.
fn drawn_steps(from: Point) -> Vec<Point> {
    let is_centre = |point: Point| point == (4, 1) || point == (4, 8);
    let is_drawn = |step: &Point| is_centre(from) || is_centre(plus(from, *step));
    STRAIGHT.into_iter().chain(DIAGONAL.into_iter().filter(is_drawn)).collect()
}

impl Plain {
    fn read(fen: &str) -> Plain {
        let fields: Vec<&str> = fen.split(' ').collect();
        let board = (1..=9).fold(fields[0].to_string(), |text, empty: usize| {
            text.replace(&empty.to_string(), &".".repeat(empty))
        });
        let mut letters = [['.'; 9]; 10];
        for (row, text) in letters.iter_mut().rev().zip(board.split('/')) {
            row.iter_mut().zip(text.chars()).for_each(|(letter, known)| *letter = known);
        }
        let forfeited = FORFEITED.iter().position(|&text| text == fields[2]).unwrap();
        Plain { letters, side: usize::from(fields[1] == "b"), forfeited }
    }

    pub fn fen(&self) -> String {
        let rows: Vec<String> = self.letters.iter().rev().map(|row| row.iter().collect()).collect();
        let text = (1..=9).rev().fold(rows.join("/"), |text, empty: usize| {
            text.replace(&".".repeat(empty), &empty.to_string())
        });
        format!("{text} {} {} - 0 1", ["w", "b"][self.side], FORFEITED[self.forfeited])
    }

    /// The letter at a point, `#` outside the board.
    fn at(&self, (file, rank): Point) -> char {
        let inside = (0..9).contains(&file) && (0..10).contains(&rank);
        if inside { self.letters[rank as usize][file as usize] } else { '#' }
    }

    fn put(&mut self, (file, rank): Point, letter: char) {
        self.letters[rank as usize][file as usize] = letter;
    }

    fn men(&self, side: usize) -> impl Iterator<Item = Point> {
        let points = (0..10).flat_map(|rank| (0..9).map(move |file| (file, rank)));
        points.filter(move |&point| side_of(self.at(point)) == Some(side))
    }

    fn general(&self, side: usize) -> Point {
        self.men(side).find(|&point| "kK".contains(self.at(point))).unwrap()
    }

    /// The points of a line outwards.
    fn line(&self, from: Point, step: Point) -> Vec<Point> {
        let (mut found, mut at) = (Vec::new(), from);
        while drawn_steps(at).contains(&step) && self.at(plus(at, step)) != '#' {
            at = plus(at, step);
            found.push(at);
        }
        found
    }

    /// The points of a line up to the first man, with that.
    fn way<'line>(&self, line: &'line [Point]) -> &'line [Point] {
        let empty = line.iter().take_while(|&&point| self.at(point) == '.').count();
        &line[..line.len().min(empty + 1)]
    }

    /// The points to which a man may go if its general's safety does not matter.
    fn targets(&self, from: Point) -> Vec<Point> {
        let letter = self.at(from);
        let side = side_of(letter).unwrap();
        let steps = drawn_steps(from).into_iter();
        let mut found = Vec::new();
        match letter.to_ascii_lowercase() {
            'k' | 'a' => {
                found.extend(steps.map(|step| plus(from, step)).filter(|&to| in_palace(to, side)));
            }
            'p' => {
                let ahead = steps.filter(|step| step.1 != [-1, 1][side]);
                found.extend(ahead.map(|step| plus(from, step)));
            }
            'r' => steps.for_each(|step| found.extend(self.way(&self.line(from, step)))),
            'c' => {
                let is_cannon = |point: Point| "cC".contains(self.at(point));
                for step in steps {
                    let line = self.line(from, step);
                    let near = self.way(&line);
                    if near.last().is_some_and(|&over| !is_cannon(over)) {
                        found.extend(self.way(&line[near.len()..]));
                    }
                }
                found.retain(|&to| !is_cannon(to));
            }
            leaper => {
                for straight in STRAIGHT {
                    let first = plus(from, straight);
                    // The diagonal steps go on in the direction of the straight one.
                    let outward = |step: &Point| step.0 * straight.0 + step.1 * straight.1 == 1;
                    for diagonal in DIAGONAL.into_iter().filter(outward) {
                        let second = plus(first, diagonal);
                        match [first, second].map(|point| self.at(point) == '.') {
                            [true, _] if leaper == 'n' => found.push(second),
                            [true, true] => found.push(plus(second, diagonal)),
                            _ => {}
                        }
                    }
                }
            }
        }
        found.retain(|&to| self.at(to) != '#' && side_of(self.at(to)) != Some(side));
        found
    }

    /// The men that attack a side's general.
    fn attackers(&self, side: usize) -> Vec<Point> {
        let general = self.general(side);
        self.men(1 - side).filter(|&from| self.targets(from).contains(&general)).collect()
    }

    /// Whether the generals face each other on an open file.
    fn faces(&self) -> bool {
        let (white, black) = (self.general(0), self.general(1));
        white.0 == black.0 && (white.1 + 1..black.1).all(|rank| self.at((white.0, rank)) == '.')
    }

    fn after(&self, from: Point, to: Point, rules: Rules) -> Plain {
        let mut after = self.clone();
        after.put(from, '.');
        after.put(to, self.at(from));
        after.side = 1 - self.side;
        if rules == Seed && after.faces() {
            after.forfeited |= 1 << self.side;
        }
        after
    }

    /// What the rules say, and a name for the case.
    ///
    /// The file protects the man that gives check if the general could take it, and would face the other
    /// one then. A man that gives none may be taken: the mating man is another one.
    fn outcome(&self, rules: Rules) -> (Outcome, &'static str) {
        let (mover, other) = (self.side, 1 - self.side);
        let over = |end: &str, case| (Err(end.to_string()), case);
        if !self.attackers(other).is_empty() {
            return over("illegal", "illegal");
        }
        let attackers = self.attackers(mover);
        let checked = !attackers.is_empty();
        let faces = rules != Casual && self.faces();
        let general = self.general(mover);
        let mut moves = Vec::new();
        for from in self.men(mover) {
            for to in self.targets(from) {
                let after = self.after(from, to, rules);
                // Generals that face are a check too.
                if after.attackers(mover).is_empty() && !(faces && after.faces()) {
                    moves.push((from, to, after));
                }
            }
        }
        let by_file = |(from, to, after): &(Point, Point, Plain)| {
            *from == general && attackers.contains(to) && after.faces()
        };
        if rules == Seed && checked && !moves.is_empty() && moves.iter().all(by_file) {
            return over("Draw", "mate by the file");
        }
        let stuck = moves.is_empty();
        let mut texts = BTreeMap::new();
        for (from, to, after) in moves {
            let result = if after.forfeited == 3 { "draw".to_string() } else { after.fen() };
            texts.insert(square(from) + &square(to), result);
        }
        let pass = square(general) + &square(general);
        let passed = Plain { side: other, ..self.clone() }.fen();
        match rules {
            Seed if stuck && faces => return over("Draw", "facing without end"),
            Seed if stuck && checked && self.forfeited == 1 << other => {
                return over("Draw", "mate after a forfeit");
            }
            Seed if stuck && !checked => _ = texts.insert(pass, passed),
            Standard if faces => _ = texts.insert(pass, "draw".to_string()),
            Standard | Casual if !checked => _ = texts.insert(pass, passed),
            _ => {}
        }
        let case = if stuck { "pass" } else { "moves" };
        if texts.is_empty() { over("Loss", "mate") } else { (Ok(texts), case) }
    }
}

/// The outcome by the game's own rules.
fn outcome_of(game: &Janggi, fen: &str) -> Outcome {
    let position = game.position(fen).unwrap();
    if game.is_illegal(&position) {
        return Err("illegal".to_string());
    }
    if let Some(end) = game.end(&position) {
        return Err(format!("{end:?}"));
    }
    let mut texts = BTreeMap::new();
    legal_moves(game, &position, |played, after| {
        let result = match after {
            Ok(after) => game.fen(&after),
            Err(effect) => format!("{effect:?}").replace("Draws", "draw"),
        };
        assert!(texts.insert(game.text(&position, played), result).is_none(), "{fen}: twice");
    });
    if texts.is_empty() { Err(format!("{:?}", game.stuck(&position))) } else { Ok(texts) }
}

/// A random position of some letters, crowded around the generals.
pub fn random_position(state: &mut u64, material: &str) -> Plain {
    let mut number = |end: u64| random(state, end) as i32;
    let mut plain = Plain { letters: [['.'; 9]; 10], side: number(2) as usize, forfeited: 0 };
    let file = 3 + number(3);
    let other_file = if number(2) == 0 { file } else { 3 + number(3) };
    plain.put((file, number(3)), 'K');
    plain.put((other_file, 7 + number(3)), 'k');
    let exchanged = number(2) == 1;
    for letter in material.chars().filter(|letter| !letter.eq_ignore_ascii_case(&'k')) {
        let white = exchanged != letter.is_ascii_uppercase();
        let letter = if white { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
        let near = plain.general(number(2) as usize);
        loop {
            let point = match number(3) > 0 {
                true => plus(near, (number(5) - 2, number(5) - 2)),
                false => (number(9), number(10)),
            };
            let allowed = match letter {
                'A' | 'a' => in_palace(point, usize::from(!white)),
                'P' => point.1 >= 3,
                'p' => point.1 <= 6,
                _ => true,
            };
            if allowed && plain.at(point) == '.' {
                plain.put(point, letter);
                break;
            }
        }
    }
    plain
}

#[test]
fn outcomes_are_those_of_a_plain_reading_of_the_rules() {
    let variants = [
        (Seed, 0, Janggi::seed()),
        (Seed, 1, Janggi::seed()),
        (Seed, 2, Janggi::seed()),
        (Standard, 0, Janggi::standard()),
        (Casual, 0, Janggi::casual()),
    ];
    let mut state = 5;
    let mut cases = BTreeMap::<String, usize>::new();
    let materials = "KRk KRRk KPPk KRka KNPk KRCk KCAk KRRkr KBPkc KRPkn KCNka KCCkc";
    for material in materials.split(' ') {
        for _ in 0..1500 {
            let board = random_position(&mut state, material);
            for (rules, forfeited, game) in &variants {
                let mut plain = Plain { forfeited: *forfeited, ..board.clone() };
                let fen = plain.fen();
                if *rules == Seed && plain.faces() {
                    plain.forfeited |= 2 >> plain.side;
                }
                if plain.forfeited == 3 {
                    assert!(game.position(&fen).is_err(), "{fen}");
                    continue;
                }
                assert_eq!(game.fen(&game.position(&fen).unwrap()), plain.fen());
                let (expected, case) = plain.outcome(*rules);
                assert_eq!(outcome_of(game, &fen), expected, "{}, {case}: {fen}", game.name());
                *cases.entry(format!("{}, {case}", game.name())).or_default() += 1;
            }
        }
    }
    let of = |case: &str| cases.get(&format!("janggi-seed, {case}")).copied().unwrap_or_default();
    for case in ["facing without end", "pass", "mate", "mate by the file", "mate after a forfeit"] {
        assert!(of(case) >= 30, "{case}: {cases:?}");
    }
}

/// Asserts what `janggi-seed` and the plain rules say of a position: the legal
/// moves, or the end of the game.
fn assert_agreed(fen: &str, expected: &str) {
    let outcome = outcome_of(&Janggi::seed(), fen);
    assert_eq!(Plain::read(fen).outcome(Seed).0, outcome, "{fen}");
    let text = outcome.map(|moves| moves.into_keys().collect::<Vec<_>>().join(" "));
    assert_eq!(text.unwrap_or_else(|end| end), expected, "{fen}");
}

#[test]
fn who_makes_the_generals_face_forfeits_the_win() {
    // The general steps from e1 to d1, on the open file of that on d10.
    for (forfeited, after) in [("-", "3k5/9/9/9/9/9/R8/9/9/3K5 b w - 0 1"), ("b", "draw")] {
        let fen = format!("3k5/9/9/9/9/9/R8/9/9/4K4 w {forfeited}");
        let outcomes = [outcome_of(&Janggi::seed(), &fen), Plain::read(&fen).outcome(Seed).0];
        assert_eq!(outcomes.map(|moves| moves.unwrap()["e1d1"].clone()), [after; 2], "{fen}");
    }
    // The chariots have the last two ranks. A mate by the forfeiter is a draw.
    assert_agreed("R3k4/R8/9/9/9/9/9/9/9/3K5 b -", "Loss");
    assert_agreed("R3k4/R8/9/9/9/9/9/9/9/3K5 b b", "Loss");
    assert_agreed("R3k4/R8/9/9/9/9/9/9/9/3K5 b w", "Draw");
}

#[test]
fn generals_that_face_are_a_check_that_has_to_be_met() {
    // The general leaves the file, not along it to e2, or the chariot comes between.
    assert_agreed("4k4/9/9/9/9/9/R8/9/9/4K4 w b", "a4e4 e1d1 e1f1");
    // Chariots on the files beside: neither a move away nor a pass.
    assert_agreed("4k4/9/9/9/9/3R1R3/9/9/9/4K4 b w", "Draw");
    // A chariot's check is met on e1, where the generals face, and not on d2 or e2.
    assert_agreed("4k4/9/9/9/9/3r5/9/9/r8/3K5 w -", "d1e1");
}

#[test]
fn a_mate_by_a_man_that_only_the_file_protects_is_a_draw() {
    // The chariot on e9 has the whole palace, and the general behind it on e1.
    assert_agreed("4k4/4R4/9/9/9/9/9/9/9/4K4 b -", "Draw");
    // A second chariot on the rank protects it as well.
    assert_agreed("4k4/R3R4/9/9/9/9/9/9/9/4K4 b -", "Loss");
    // A soldier closes the file, and nothing protects it.
    assert_agreed("4k4/4R4/9/9/9/9/4P4/9/9/4K4 b -", "e10e9");
    // A chariot of the defender takes it without facing.
    assert_agreed("4k4/r3R4/9/9/9/9/9/9/9/4K4 b -", "a9e9 e10e9");
    // A chariot gives check, and a cannon that does not is taken.
    assert_agreed("2R1k4/4C4/9/9/9/9/9/9/9/4K4 b -", "e10e9");
    // A man that the general cannot reach is not protected by the file.
    assert_agreed("3k5/9/9/9/4R4/3R5/9/9/9/3K5 b -", "Loss");
    // A guard takes it and opens the file, but a chariot protects it.
    assert_agreed("3k5/3aR4/9/9/9/9/9/9/9/3KR4 b -", "d9e9");
}

#[test]
fn a_side_passes_only_if_it_has_no_other_move_and_is_safe() {
    // The chariots have e9, e10 and d9, and not d10.
    assert_agreed("3k5/R8/9/9/9/9/9/4R4/9/5K3 b -", "d10d10");
    // A soldier on i1 can step aside.
    assert_agreed("3k5/R8/9/9/9/9/9/4R4/9/5K2p b -", "i1h1");
}
