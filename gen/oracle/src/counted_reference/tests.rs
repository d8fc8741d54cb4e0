use crate::counted_reference::moves::Status;
use crate::counted_reference::*;
use sakmak_tables::counting::PhaseChange;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::position::Outcome;
use sakmak_tables::rules::piece::{Piece, PieceKind};
use sakmak_tables::variants::{self, MAKRUK};
use std::collections::HashSet;
use std::sync::LazyLock;

/// The moves of all materials of three men, in the order in which they are solved.
static MOVES: LazyLock<Vec<MaterialMoves>> = LazyLock::new(|| {
    let materials = Material::closure(Material::all_of(3), &MAKRUK.rules).into_iter();
    materials.map(|material| MaterialMoves::new(material, &MAKRUK).unwrap()).collect()
});

/// All materials of three men, for each counting rule.
static THREE: LazyLock<Vec<CountedReference>> = LazyLock::new(|| {
    let solved = |counting_rule| {
        let mut reference = CountedReference::new(counting_rule);
        for moves in MOVES.iter() {
            reference.solve(moves).unwrap();
        }
        reference
    };
    counting_rules().map(solved).collect()
});

/// The counting rules that have tables of counted distance by the rules of Makruk.
fn counting_rules() -> impl Iterator<Item = &'static CountingRule> {
    let is_of_makruk = |rule: &&'static CountingRule| Metric::Counted(rule).is_of(&MAKRUK.rules);
    variants::counting_rules().filter(is_of_makruk)
}

fn three(counting_rule: &str) -> &'static CountedReference {
    THREE.iter().find(|reference| reference.counting_rule.name == counting_rule).unwrap()
}

/// Pairs of attacker and mover.
const EACH_SIDE_TWICE: [[Side; 2]; 4] = [
    [Side::White, Side::White],
    [Side::White, Side::Black],
    [Side::Black, Side::White],
    [Side::Black, Side::Black],
];

/// Whether a state is won according to the states one move later. States that are won with fewer
/// moves left are tested too.
fn is_won_by_definition(
    solution: &SolvedWins,
    placed: &moves::PositionMoves<'_>,
    befores: &[LeastMoves],
    [attacker, mover]: [Side; 2],
    left: Moves,
) -> bool {
    let after = Moves(left.0.wrapping_sub(u32::from(attacker == mover)));
    let mut won = placed
        .successors(&solution.numbering)
        .map(|number| solution.least(number, attacker, !mover).unwrap().is_won(after))
        .chain(befores.iter().map(|before| before.is_won(left)));
    match placed.status {
        Status::Illegal | Status::Drawn => false,
        Status::Lost => mover != attacker,
        Status::Play if mover == attacker => left > Moves(0) && won.any(|won| won),
        Status::Play => won.all(|won| won),
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn every_state_of_three_men_follows_from_those_one_move_later() {
    let mut won = 0;
    for (reference, moves) in
        THREE.iter().flat_map(|one| MOVES.iter().map(move |moves| (one, moves)))
    {
        let solution = &reference.solutions[&moves.material];
        for [attacker, mover] in EACH_SIDE_TWICE {
            let known = |smaller: &SmallerMaterial, number, attacker, to_move| {
                assert!(!smaller.oriented.flipped);
                reference.solutions[&smaller.oriented.material].least(number, attacker, to_move)
            };
            let befores = reference.befores(moves, attacker, mover, &known).unwrap();
            for (block, befores) in moves.blocks[mover.index()].iter().zip(&befores) {
                for placed in block.placements() {
                    let least = solution.least(placed.number, attacker, mover).unwrap();
                    assert_eq!(least == LeastMoves::ILLEGAL, placed.status == Status::Illegal);
                    let befores = &befores[placed.conversions.clone()];
                    // The longest mate has 16 moves.
                    for left in (0..=18).chain([64, 65]).map(Moves) {
                        let sides = [attacker, mover];
                        let told = is_won_by_definition(solution, &placed, befores, sides, left);
                        assert_eq!(told, least.is_won(left), "{} {placed:?}", moves.material);
                        won += u64::from(told);
                    }
                }
            }
        }
    }
    // Nearly all states with a rook are won, for most numbers left.
    assert!(won > 5_000_000, "{won}");
}

/// The least number for White, and whether a count that starts here leaves that number.
fn in_time(reference: &CountedReference, position: &Position) -> (Option<Moves>, bool) {
    let clock = reference.counting_rule.fresh_clock(position.armies(), position.side()).unwrap();
    let party = if position.side() == Side::White { Party::Attacker } else { Party::Runner };
    let least = reference.least(position, Side::White).unwrap();
    (least.moves(), least.is_won(clock.moves_left(party)))
}

/// `rules.md` section 3: with the runner to move, mate in 13 is in time and mate in 14 is not. With
/// the attacker to move the numbers are 14 and 15. In Ouk each number is one less.
#[test]
fn a_rook_has_thirteen_moves_or_fourteen() {
    for (counting_rule, runner, attacker) in
        [("makruk", 13, 14), ("ouk", 12, 13), ("ouk-traditional", 13, 14)]
    {
        let reference = three(counting_rule);
        let positions = reference.positions("KRvK".parse().unwrap());
        let all: HashSet<(Side, Option<Moves>, bool)> = positions
            .map(|(position, _)| {
                let (least, won) = in_time(reference, &position);
                (position.side(), least, won)
            })
            .collect();
        for (side, most) in [(Side::Black, runner), (Side::White, attacker)] {
            for moves in 1..=16 {
                let won = |won| all.contains(&(side, Some(Moves(moves)), won));
                assert_eq!(
                    [won(true), won(false)],
                    [moves <= most, moves > most],
                    "{counting_rule}"
                );
            }
        }
    }
}

/// Plays games from positions with the runner to move, where the count starts. Each side plays by
/// the numbers. The end is judged by the clock, not by the numbers.
#[test]
fn games_end_in_time_or_past_it() {
    let rook = "KRvK".parse().unwrap();
    for (counting_rule, most) in [("makruk", 13), ("makruk-khon-first", 13), ("ouk", 12)] {
        let reference = three(counting_rule);
        for (moves, in_time) in [(most, true), (most + 1, false)] {
            let positions = reference.positions(rook);
            let start = positions.find_any(|(_, value)| *value == Value::Loss(Moves(moves)));
            let start = start.unwrap().0.counted_by(reference.counting_rule);
            let mut position = start.with_clock(start.fresh_clock());
            let mut over = false;
            while position.outcome().is_none() {
                over |= position.clock().unwrap().is_over();
                let worth = |position: &Position| {
                    reference.value(position).unwrap().before_move().preference()
                };
                let legal = position.legal_moves();
                let after = legal.iter().map(|&played| position.play(played));
                position = after.max_by_key(worth).unwrap();
            }
            assert_eq!(position.outcome(), Some(Outcome::Checkmate));
            assert_eq!(over, !in_time, "{counting_rule}: {start}");
        }
    }
}

#[test]
fn illegal_positions_and_materials_not_solved_have_no_value() {
    let position = |placed: &[(char, &str)]| {
        let piece = |letter: char| {
            let side = if letter.is_uppercase() { Side::White } else { Side::Black };
            Piece::new(side, PieceKind::from_letter(letter).unwrap())
        };
        let pieces =
            placed.iter().map(|&(letter, square)| (piece(letter), square.parse().unwrap()));
        Position::new(&MAKRUK, Side::White, pieces).unwrap()
    };
    let makruk = three("makruk");
    let touching = position(&[('K', "a1"), ('k', "a2"), ('R', "h8")]);
    assert_eq!(makruk.value(&touching), None);
    let four = position(&[('K', "a1"), ('k', "c3"), ('R', "h4"), ('r', "h8")]);
    assert_eq!(makruk.value(&four), None);
    let kings = position(&[('K', "a1"), ('k', "c3")]);
    assert_eq!(makruk.value(&kings), Some(Value::Draw));
    let moves = MaterialMoves::new("KPvK".parse().unwrap(), &MAKRUK).unwrap();
    let missing = CountedReference::new(makruk.counting_rule).solve(&moves).unwrap_err();
    assert_eq!(missing.to_string(), "KPvK depends on KMvK, which is not solved");
}

/// Compares the definition with the values that tables carry from subtables, for materials of more
/// men than the reference solves.
#[test]
fn numbers_are_carried_as_clocks_go_with_up_to_seven_men() {
    let (mut carried, mut cut, mut arrived) = (0, 0, 0);
    let materials = (3..=7).flat_map(Material::all_of);
    let counting_rules: Vec<_> = counting_rules().collect();
    for (material, counting_rule) in
        materials.flat_map(|one| counting_rules.iter().map(move |&p| (one, p)))
    {
        let before = Side::BOTH.map(|side| material.army(side));
        for (after, _) in moves::after_one_move(material, &MAKRUK) {
            for [attacker, mover] in EACH_SIDE_TWICE {
                if after[attacker.index()].is_empty() {
                    continue;
                }
                let phase_change = PhaseChange::new(counting_rule, before, after, !mover);
                let crossing = Crossing { before, after, mover };
                let befores = crossing.befores(counting_rule, attacker).unwrap();
                for moves in (u32::from(attacker != mover)..=70).map(Moves) {
                    let value = match attacker == mover {
                        true => Value::Loss(moves),
                        false => Value::Win(moves),
                    };
                    let told = phase_change.carry(value).before_move().moves();
                    let least = befores[LeastMoves::with(moves).index()].moves();
                    assert_eq!(
                        told, least,
                        "{} {crossing:?} {attacker:?} {moves}",
                        counting_rule.name
                    );
                    match least {
                        None => cut += 1,
                        Some(least) if least < moves => arrived += 1,
                        Some(_) => carried += 1,
                    }
                }
            }
        }
    }
    println!("{carried} carried, {cut} cut, {arrived} arrived");
    assert!(carried.min(cut).min(arrived) > 1000);
}
