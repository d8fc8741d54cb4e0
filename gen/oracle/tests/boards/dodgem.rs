//! Dodgem, the smallest game: cars leave a small board, and the opponent must be left a move.
//!
//! On a board of n by n, Left has n - 1 cars in the first file, all but the lowest square, and moves
//! up, right or down; Right has n - 1 in the lowest rank, all but the first square, and moves left, up
//! or right. A car leaves the board by a move ahead from its last file or rank. The side that has no
//! car left has won, and a move may not leave the opponent without one.
//!
//! Published: on 3 by 3 the first player wins (Berlekamp, Conway, Guy, *Winning Ways*); 4 by 4 and
//! 5 by 5 are draws (David des Jardins, 1996).

use crate::brute::{assert_by_definition, assert_by_iteration, solved};
use sakmak_boards::game::{BoardGame, Effect};
use sakmak_boards::sets::{choose, members, number};
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::Value;
use sakmak_oracle::boards::graph::MoveGraph;
use std::fmt;
use std::sync::OnceLock;

/// Dodgem on a board of this width.
#[derive(Clone, Copy, Debug)]
pub struct Dodgem {
    /// The width, 2 to 5.
    pub width: u8,
}

/// The cars of Left and Right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Material(pub [u8; 2]);

impl fmt::Display for Material {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}v{}", self.0[0], self.0[1])
    }
}

/// The cars of Left and Right, and the moves turned round.
#[derive(Debug)]
pub struct Layout {
    cars: [u8; 2],
    graph: OnceLock<MoveGraph>,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    cars: [u32; 2],
    side: usize,
}

fn each(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(square)
    })
}

impl Dodgem {
    /// The start, with Left to move.
    pub fn start(&self) -> Position {
        let along = 1..self.width;
        let left = along.clone().fold(0, |cars, rank| cars | 1 << (rank * self.width));
        Position { cars: [left, along.fold(0, |cars, file| cars | 1 << file)], side: 0 }
    }

    /// The squares that a car of a side can go to; `None` is off the board.
    fn steps(&self, side: usize, square: u8) -> [Option<Option<u8>>; 3] {
        let (width, file, rank) = (self.width, square % self.width, square / self.width);
        let right =
            if file + 1 < width { Some(Some(square + 1)) } else { (side == 0).then_some(None) };
        let up =
            if rank + 1 < width { Some(Some(square + width)) } else { (side == 1).then_some(None) };
        let third = match side {
            0 => (rank > 0).then(|| Some(square - width)),
            _ => (file > 0).then(|| Some(square - 1)),
        };
        [right, up, third]
    }
}

impl BoardGame for Dodgem {
    type Material = Material;
    type Layout = Layout;
    type Position = Position;
    type Move = (u8, Option<u8>);

    fn name(&self) -> String {
        format!("dodgem-{}", self.width)
    }

    fn rules(&self) -> String {
        format!("dodgem 1: width {}", self.width)
    }

    fn subtables(&self, Material([left, right]): Material) -> Vec<Material> {
        // The side that has no car left has won; one car leaves at a time.
        let fewer = [
            (left > 1).then(|| Material([left - 1, right])),
            (right > 1).then(|| Material([left, right - 1])),
        ];
        fewer.into_iter().flatten().collect()
    }

    fn material(&self, position: &Position) -> Material {
        Material(position.cars.map(|cars| cars.count_ones() as u8))
    }

    fn layout(&self, material: Material) -> Layout {
        Layout { cars: material.0, graph: OnceLock::new() }
    }

    fn size(&self, layout: &Layout) -> u64 {
        let sets = |cars: u8| choose(usize::from(self.width).pow(2), cars.into());
        2 * sets(layout.cars[0]) * sets(layout.cars[1])
    }

    fn rank(&self, layout: &Layout, position: &Position) -> u64 {
        let [left, right] = position.cars.map(|cars| number(each(cars)));
        let sets = layout.cars.map(|cars| choose(usize::from(self.width).pow(2), cars.into()));
        (position.side as u64 * sets[0] + left) * sets[1] + right
    }

    fn unrank(&self, layout: &Layout, slot: u64) -> Option<Position> {
        let sets = layout.cars.map(|cars| choose(usize::from(self.width).pow(2), cars.into()));
        let mut cars = [0; 2];
        members(slot / sets[1] % sets[0], layout.cars[0].into(), |square| cars[0] |= 1 << square);
        members(slot % sets[1], layout.cars[1].into(), |square| cars[1] |= 1 << square);
        let side = (slot / sets[1] / sets[0]) as usize;
        (cars[0] & cars[1] == 0).then_some(Position { cars, side })
    }

    fn moves(&self, position: &Position, mut each_move: impl FnMut((u8, Option<u8>), Effect)) {
        let own = position.cars[position.side];
        for from in each(own) {
            for to in self.steps(position.side, from).into_iter().flatten() {
                match to {
                    None if own.count_ones() == 1 => each_move((from, to), Effect::Wins),
                    None => each_move((from, to), Effect::Leaves),
                    Some(to) if (position.cars[0] | position.cars[1]) >> to & 1 == 1 => {}
                    Some(_) => each_move((from, to), Effect::Stays),
                }
            }
        }
    }

    fn play(&self, position: &Position, (from, to): (u8, Option<u8>)) -> Position {
        let mut after = *position;
        after.cars[position.side] &= !(1 << from);
        if let Some(to) = to {
            after.cars[position.side] |= 1 << to;
        }
        after.side = 1 - position.side;
        after
    }

    fn is_illegal(&self, position: &Position) -> bool {
        let mut moves = 0;
        self.moves(position, |_, _| moves += 1);
        moves == 0
    }
}

impl SolvableGame for Dodgem {
    fn sources(&self, layout: &Layout, position: &Position, each: impl FnMut(u64)) {
        let graph = layout.graph.get_or_init(|| MoveGraph::new(self, layout));
        graph.sources(self.rank(layout, position), each);
    }
}

#[test]
fn the_first_player_wins_on_three_by_three_and_four_by_four_is_a_draw() {
    for (width, wins) in [(3, true), (4, false)] {
        let game = Dodgem { width };
        let tables = solved(&game, [Material([width - 1; 2])]);
        let value = tables.value(&game, &game.start()).unwrap();
        assert_eq!(matches!(value, Value::Win(_)), wins, "{width}: {value}");
        assert_eq!(value == Value::Draw, !wins, "{width}: {value}");
    }
}

#[test]
fn small_boards_have_the_values_of_the_definition() {
    let game = Dodgem { width: 3 };
    let material = Material([2, 2]);
    let tables = solved(&game, [material]);
    assert_by_definition(&game, &tables, material);
    assert_by_iteration(&game, &tables, material);
}

/// With `SAKMAK_ALL=1`: 320 million slots take some minutes and 5 GB.
#[test]
fn five_by_five_is_a_draw() {
    if std::env::var_os("SAKMAK_ALL").is_none_or(|all| all != "1") {
        return;
    }
    let game = Dodgem { width: 5 };
    let tables = solved(&game, [Material([4, 4])]);
    assert_eq!(tables.value(&game, &game.start()), Some(Value::Draw));
}
