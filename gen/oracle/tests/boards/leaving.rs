//! The check of a game on what it says about moves that leave, in a game of a few positions some of which
//! have no slot.

use sakmak_boards::game::{BoardGame, Effect};
use sakmak_boards::solvable::SolvableGame;
use sakmak_oracle::boards::laws::check;

/// A position.
struct Node {
    material: u8,
    slot: u64,
    has_slot: bool,
    /// The positions that its moves lead to.
    moves: &'static [usize],
}

const fn node(material: u8, slot: u64, has_slot: bool, moves: &'static [usize]) -> Node {
    Node { material, slot, has_slot, moves }
}

/// The position whose move to [`ORDER`] may be left out.
const FIRST: usize = 0;
/// The position with a slot on the board of [`ORDER`] and [`FORCED`].
const BOARD: usize = 1;
const ORDER: usize = 2;
const FORCED: usize = 3;
/// A position of the smaller material.
const BEHIND: usize = 5;

/// A game with the mistakes that a test gives it.
struct Orders {
    nodes: [Node; 8],
    /// What is said of [`FIRST`] where moves may be left out: whether some stay.
    stays: bool,
    /// What is listed there.
    listed: &'static [usize],
}

/// Positions 4 and 6 are on one board, and their moves lead to different positions.
fn right() -> Orders {
    let nodes = [
        node(1, 0, true, &[BOARD, ORDER]),
        node(1, 1, true, &[BEHIND]),
        node(1, 1, false, &[4]),
        node(1, 1, false, &[6, 4]),
        node(0, 0, false, &[BEHIND]),
        node(0, 0, true, &[]),
        node(0, 0, false, &[7]),
        node(0, 1, true, &[]),
    ];
    Orders { nodes, stays: true, listed: &[] }
}

impl BoardGame for Orders {
    type Material = u8;
    type Layout = u8;
    type Position = usize;
    type Move = usize;

    fn name(&self) -> String {
        "orders".to_string()
    }
    fn rules(&self) -> String {
        "orders 1".to_string()
    }
    fn subtables(&self, material: u8) -> Vec<u8> {
        (0..material).collect()
    }
    fn material(&self, &position: &usize) -> u8 {
        self.nodes[position].material
    }
    fn layout(&self, material: u8) -> u8 {
        material
    }
    fn size(&self, _: &u8) -> u64 {
        2
    }
    fn rank(&self, _: &u8, &position: &usize) -> u64 {
        self.nodes[position].slot
    }
    fn unrank(&self, layout: &u8, slot: u64) -> Option<usize> {
        let is = |node: &Node| node.has_slot && (node.material, node.slot) == (*layout, slot);
        self.nodes.iter().position(is)
    }
    fn has_slot(&self, &position: &usize) -> bool {
        self.nodes[position].has_slot
    }
    fn moves(&self, &position: &usize, mut each: impl FnMut(usize, Effect)) {
        let Node { material, has_slot, moves, .. } = self.nodes[position];
        for &to in moves {
            let stays = has_slot && self.nodes[to].has_slot && self.nodes[to].material == material;
            each(to, if stays { Effect::Stays } else { Effect::Leaves });
        }
    }
    fn play(&self, _: &usize, played: usize) -> usize {
        played
    }
}

impl SolvableGame for Orders {
    fn leaving(
        &self,
        position: &usize,
        all: bool,
        mut each: impl FnMut(Result<usize, Effect>),
    ) -> bool {
        if *position == FIRST && !all {
            self.listed.iter().for_each(|&after| each(Ok(after)));
            return self.stays;
        }
        let mut stays = false;
        self.moves(position, |to, effect| match effect {
            Effect::Stays => stays = true,
            _ => each(Ok(to)),
        });
        stays
    }
    fn forced(&self, &position: &usize) -> Option<usize> {
        (position == BOARD).then_some(FORCED)
    }
    fn sources(&self, _: &u8, &position: &usize, mut each: impl FnMut(u64)) {
        if position == FORCED || position == BOARD {
            each(self.nodes[FIRST].slot);
        }
    }
}

/// Asserts what the check says about the game.
fn assert_refused(game: &Orders, what: &str) {
    let error = check(game, 1, 100).unwrap_err().to_string();
    assert_eq!(error, format!("slot 0 of 1: {what}"));
}

#[test]
fn moves_to_positions_without_slot_may_be_listed_or_left_out() {
    check(&right(), 0, 100).unwrap();
    check(&right(), 1, 100).unwrap();
    check(&Orders { listed: &[ORDER], ..right() }, 1, 100).unwrap();
}

#[test]
fn a_game_that_hides_that_some_stay_is_refused() {
    let game = Orders { stays: false, ..right() };
    assert_refused(&game, "some stay: true, and if some are left out: false");
}

#[test]
fn a_game_that_adds_a_position_is_refused() {
    let game = Orders { listed: &[ORDER, BEHIND], ..right() };
    assert_refused(&game, "Ok(5) is added");
}

#[test]
fn a_forced_position_without_one_of_the_moves_is_refused() {
    let mut game = right();
    game.nodes[FORCED].moves = &[6];
    assert_refused(&game, "Ok(2) is left out");
}
