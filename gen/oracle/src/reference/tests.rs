use crate::reference::*;
use proptest::prelude::*;
use sakmak_tables::board::square::Square;
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::{Piece, PieceKind};
use sakmak_tables::variants::MAKRUK;
use std::sync::LazyLock;

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

/// FEN letters and squares.
type Placed<'a> = &'a [(char, &'a str)];

fn position(side: Side, placed: Placed) -> Position {
    let piece = |letter: char| {
        let side = if letter.is_uppercase() { Side::White } else { Side::Black };
        Piece::new(side, PieceKind::from_letter(letter).unwrap())
    };
    let pieces = placed.iter().map(|&(letter, square)| (piece(letter), square.parse().unwrap()));
    Position::new(&MAKRUK, side, pieces).unwrap()
}

/// All materials of three men.
static THREE: LazyLock<Reference> = LazyLock::new(|| {
    let mut reference = Reference::new(&MAKRUK);
    for material in Material::all_of(3) {
        reference.solve(material).unwrap();
    }
    reference
});

/// The value computed from the values of the successors, independently of the solver.
fn by_successors(position: &Position, reference: &Reference) -> Value {
    let after = |&played| reference.value(&position.play_uncounted(played)).unwrap();
    let values: Vec<Value> = position.legal_moves().iter().map(after).collect();
    if values.is_empty() {
        let mate = position.in_check(position.side());
        return if mate { Value::Loss(Moves(0)) } else { Value::Draw };
    }
    let lost = values.iter().filter_map(|value| match value {
        Value::Loss(moves) => Some(moves.0),
        _ => None,
    });
    if let Some(least) = lost.min() {
        return Value::Win(Moves(least + 1));
    }
    let won = values.iter().map(|value| match value {
        Value::Win(moves) => Some(*moves),
        _ => None,
    });
    // `None` is a draw. One draw makes the whole collection `None`.
    let won: Option<Vec<Moves>> = won.collect();
    won.and_then(|won| won.into_iter().max()).map_or(Value::Draw, Value::Loss)
}

#[test]
fn every_value_of_three_men_satisfies_the_definition() {
    for material in Material::all_of(3) {
        let wrong = THREE
            .positions(material)
            .find_any(|(position, value)| by_successors(position, &THREE) != *value);
        assert!(wrong.is_none(), "{material}: {wrong:?}");
    }
}

#[test]
fn mates_found_by_hand() {
    let values: [(Placed, Side, Value); 7] = [
        (&[('K', "b6"), ('R', "h8"), ('k', "b8")], Side::Black, Value::Loss(Moves(0))),
        (&[('K', "b6"), ('R', "h1"), ('k', "b8")], Side::White, Value::Win(Moves(1))),
        (&[('K', "b6"), ('R', "h7"), ('k', "a8")], Side::Black, Value::Loss(Moves(1))),
        (&[('K', "b6"), ('R', "b7"), ('k', "a8")], Side::Black, Value::Draw),
        (&[('K', "h1"), ('R', "b7"), ('k', "a8")], Side::Black, Value::Draw),
        (&[('K', "a6"), ('M', "c6"), ('k', "a8")], Side::White, Value::Draw),
        (&[('K', "e1"), ('P', "e5"), ('k', "e8")], Side::White, Value::Draw),
    ];
    for (placed, side, value) in values {
        assert_eq!(THREE.value(&position(side, placed)), Some(value), "{placed:?} {side:?}");
    }
}

#[test]
fn illegal_positions_and_materials_not_solved_have_no_value() {
    let touching = position(Side::White, &[('K', "a1"), ('k', "a2"), ('R', "h8")]);
    assert_eq!(THREE.value(&touching), None);
    let in_check = position(Side::White, &[('K', "a1"), ('k', "c3"), ('R', "h3")]);
    assert_eq!(THREE.value(&in_check), None);
    let four = position(Side::White, &[('K', "a1"), ('k', "c3"), ('R', "h4"), ('r', "h8")]);
    assert_eq!(THREE.value(&four), None);
    let kings = position(Side::White, &[('K', "a1"), ('k', "c3")]);
    assert_eq!(THREE.value(&kings), Some(Value::Draw));
}

#[test]
fn black_as_the_stronger_side_is_white_with_the_colours_changed() {
    let white = position(Side::White, &[('K', "b6"), ('R', "h1"), ('k', "b8")]);
    let black = position(Side::Black, &[('k', "b3"), ('r', "h8"), ('K', "b1")]);
    assert_eq!(white.colours_exchanged(), black);
    assert_eq!(THREE.value(&black), Some(Value::Win(Moves(1))));
}

/// `rules.md` section 3: the "krkopt" data set of the UCI repository.
#[test]
fn rook_against_king_is_as_in_krkopt() {
    let rook = material("KRvK");
    let to_move = |side| THREE.positions(rook).filter(move |(at, _)| at.side() == side);
    let won = to_move(Side::White).filter(|(_, value)| matches!(value, Value::Win(_)));
    assert_eq!((to_move(Side::White).count(), won.count()), (175_168, 175_168));

    // Among positions that are symmetric to each other only the least is counted.
    let squares = |position: &Position, symmetry: Symmetry| -> Vec<Square> {
        let mut pieces: Vec<(Piece, Square)> = position.pieces().collect();
        pieces.sort();
        pieces.into_iter().map(|(_, square)| symmetry.square(square)).collect()
    };
    let is_least = |position: &Position| {
        let own = squares(position, Symmetry::IDENTITY);
        Symmetry::all().all(|symmetry| own <= squares(position, symmetry))
    };
    let folded: Vec<Value> = to_move(Side::Black)
        .filter(|(position, _)| is_least(position))
        .map(|(_, value)| value)
        .collect();
    let count = |wanted| folded.iter().filter(|&&value| value == wanted).count();
    assert_eq!(folded.len(), 28_056);
    assert_eq!(count(Value::Draw), 2796);
    let lost: Vec<usize> = (0..=16).map(|moves| count(Value::Loss(Moves(moves)))).collect();
    let krkopt =
        [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390];
    assert_eq!(lost, krkopt);
}

proptest! {
    #[test]
    fn numbers_and_legal_positions_are_one_to_one(
        number in any::<u32>(),
        white in any::<bool>(),
        which in 0usize..4,
    ) {
        let name = ["KRvKN", "KPvKP", "KRPvK", "KSvKM"][which];
        let numbering = Numbering::new(material(name), &MAKRUK).unwrap();
        let number = Number(number % numbering.count());
        let side = if white { Side::White } else { Side::Black };
        if let Some(position) = numbering.position(number, side) {
            prop_assert_eq!(numbering.number(&position), Some(number));
        }
    }
}
