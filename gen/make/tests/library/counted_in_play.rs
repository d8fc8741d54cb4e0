//! Counted distances compared with one move, played with a real clock.
//!
//! A position with a given number of the attacker's moves left is won if and only if one move of
//! the attacker, or every move of the runner, leads to a position that is won with what the clock
//! leaves then. Every state rests on later ones, so a table for which this holds everywhere is
//! right if those it leads to are right. These tests check random positions, with every number
//! of moves left, in tables too large for the reference solver. `SAKMAK_ALL=1` checks more
//! tables. Only the rules are shared with the solver.

use crate::right_tables::all;
use crate::solved::SOLVED;
use rayon::prelude::*;
use sakmak_make::store::TableStore;
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::counting::{Clock, CountingRule, Honour, Party, Phase};
use sakmak_tables::distance::{Moves, Plies, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Slot;
use sakmak_tables::index::address::Address;
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::position::Position;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::{self, CHESS, MAKRUK};
use std::sync::Arc;

/// More moves than any clock leaves.
const LONG: Moves = Moves(66);

/// The wins of one side under a counting rule, by the tables.
struct CountedAttack<'a> {
    counting_rule: &'static CountingRule,
    attacker: Side,
    /// Of the counting rule.
    tables: &'a [Arc<Table>],
}

/// The table that answers for a material under a counting rule, and all that it leads to.
fn tables_of(material: Material, counting_rule: &'static CountingRule) -> Vec<Arc<Table>> {
    let name = TableName::deciding(material, Metric::Counted(counting_rule));
    let rules = &variants::counted_by(counting_rule).rules;
    let names = TableName::closure([name], rules);
    let chess = TableStore::in_memory(rules);
    let store = if *rules == MAKRUK.rules { &*SOLVED } else { &chess };
    names.into_iter().map(|name| store.table(name).unwrap()).collect()
}

impl CountedAttack<'_> {
    /// The attacker's counted distance by the table; `None` if the attacker does not win.
    fn number(&self, position: &Position) -> Option<Moves> {
        let OrientedMaterial { material, flipped } = position.material();
        if material == Material::BARE_KINGS {
            return None;
        }
        let is_of = |table: &&Arc<Table>| table.index().material() == material;
        let table = self.tables.iter().find(is_of).unwrap();
        let Address { side, slot } = Address::of(position, flipped, table.index()).unwrap();
        match (table.value(side, slot).unwrap(), self.attacker == position.side()) {
            (Value::Win(moves), true) | (Value::Loss(moves), false) => Some(moves),
            _ => None,
        }
    }

    /// The phase of the count against the attacker.
    fn phase(&self, position: &Position) -> Phase {
        self.counting_rule.phase_against(position.armies(), self.attacker)
    }

    /// The party to move.
    fn party(&self, position: &Position) -> Party {
        if position.side() == self.attacker { Party::Attacker } else { Party::Runner }
    }

    /// Whether the attacker wins by the table with the running clock; without a clock, whether it
    /// wins at all.
    fn is_won(&self, position: &Position) -> bool {
        let left = match (self.phase(position), position.clock()) {
            (Phase::Free, _) | (_, None) => Moves(u32::MAX),
            (_, Some(clock)) => clock.longest_in_time(self.party(position)),
        };
        self.number(position).is_some_and(|number| number <= left)
    }

    /// Whether a position is won by its legal moves, given which positions after them are.
    fn is_won_by_moves(&self, position: &Position, is_won: impl Fn(&Position) -> bool) -> bool {
        let moves = position.legal_moves();
        let mut after = moves.iter().map(|&played| position.play(played));
        match (position.side() == self.attacker, moves.is_empty()) {
            (true, _) => after.any(|after| is_won(&after)),
            (false, true) => position.final_value() == Some(Value::Loss(Moves(0))),
            (false, false) => after.all(|after| is_won(&after)),
        }
    }

    /// Checks a position with every clock; returns the number of states that are won.
    fn check(&self, position: &Position) -> u64 {
        match self.phase(position) {
            Phase::Free => self.check_without_clock(position),
            Phase::BoardsHonour => self.check_with_clock(position, Honour::Boards),
            Phase::PiecesHonour => self.check_with_clock(position, Honour::Pieces),
            Phase::FiftyMoves => self.check_with_clock(position, Honour::FiftyMoves),
        }
    }

    /// Checks a position without a clock: it is won or not, and the counted distance is the moves
    /// until mate or until the phase changes.
    fn check_without_clock(&self, position: &Position) -> u64 {
        let number = self.number(position);
        let moved = u32::from(position.side() == self.attacker);
        for left in (moved..=LONG.0).map(Moves) {
            let is_won = |after: &Position| match self.phase(after) {
                Phase::Free => self.number(after).is_some_and(|number| number.0 + moved <= left.0),
                _ => self.is_won(after),
            };
            let by_moves = self.is_won_by_moves(position, is_won);
            assert_eq!(by_moves, number.is_some_and(|number| number <= left), "{position} {left}");
        }
        let by_moves = self.is_won_by_moves(position, |after| self.is_won(after));
        assert_eq!(by_moves, number.is_some(), "{position}");
        by_moves.into()
    }

    /// Checks a position with each clock of this count.
    fn check_with_clock(&self, position: &Position, honour: Honour) -> u64 {
        // Tables leave out numbers beyond the longest count.
        let OrientedMaterial { material, flipped } = position.material();
        let attacker = if flipped { !self.attacker } else { self.attacker };
        let metric = Metric::Counted(self.counting_rule).of(material);
        let longest = metric.longest(material, attacker).unwrap_or(LONG);
        let number = self.number(position);
        // Two clocks may leave the same number of moves and differ by a ply.
        let check = |plies: u32| {
            let clock = Clock::new(honour, Plies(2 * LONG.0), Plies(2 * LONG.0 - plies));
            let left = clock.longest_in_time(self.party(position));
            let position = position.with_clock(Some(clock));
            let by_moves = self.is_won_by_moves(&position, |after| self.is_won(after));
            assert_eq!(by_moves, number.is_some_and(|number| number <= left), "{position} {left}");
            u64::from(by_moves)
        };
        match metric.is_in_plies() {
            // A fresh clock is the longest, and the draw is claimed before the next move at the end.
            true => (1..=longest.0).map(check).sum(),
            false => (0..2 * longest.0).map(check).sum(),
        }
    }
}

/// Checks this number of slots of each table of these materials, under all counting rules of these
/// rules of play.
fn check_all(rules: &Rules, materials: &[&str], slots: u64) {
    let is_counted = |rule: &&'static CountingRule| Metric::Counted(rule).is_of(rules);
    let counting_rules =
        variants::counting_rules().filter(is_counted).filter(|rule| rule.has_counted_tables());
    for (counting_rule, name) in
        counting_rules.flat_map(|one| materials.iter().map(move |&m| (one, m)))
    {
        let letters = variants::counted_by(counting_rule).rules.material_letters;
        let material = OrientedMaterial::read(name, letters).unwrap().material;
        if variants::counted_by(counting_rule).refuses(material) {
            continue;
        }
        let tables = tables_of(material, counting_rule);
        let index = tables.last().unwrap().index();
        let check = |(number, &side): (u64, &Side)| {
            // Multiples of the golden section are spread over the table.
            let slot = Slot(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) % index.slots());
            let placement = index.placement(slot);
            let position =
                legal_position(index, &placement, side, variants::counted_by(counting_rule))?;
            let position = position.counted_by(counting_rule);
            let armies = position.armies();
            let attackers = Side::BOTH.into_iter().filter(|side| !armies[side.index()].is_empty());
            let attack = |attacker| CountedAttack { counting_rule, attacker, tables: &tables };
            let of = |attacker| attack(attacker).check(&position);
            Some(attackers.map(of).sum::<u64>())
        };
        let numbers = (0..slots).into_par_iter();
        let won: u64 = numbers
            .flat_map_iter(|number| Table::sides(index).iter().map(move |side| (number, side)))
            .filter_map(check)
            .sum();
        println!("{name}, {}: {won} of the states are won", counting_rule.name);
        assert!(won > 0, "{name} {}", counting_rule.name);
    }
}

#[test]
#[ignore = "long: part of the full tests"]
fn one_move_at_the_board() {
    check_all(&MAKRUK.rules, &["KRvK", "KRvKM", "KRvKP", "KSPvK", "KRRvKR"], 300);
    if all() {
        check_all(&MAKRUK.rules, &FIVE, 10_000);
    }
}

/// The clock starts again with a capture of either side, at an odd or an even ply.
#[test]
fn the_fifty_move_rule_at_the_board() {
    check_all(&CHESS.rules, &["KQvK", "KRRvK", "KQvKR"], 300);
    if all() {
        check_all(&CHESS.rules, &["KBNvK", "KRvKN", "KBBvKN", "KRBvKR", "KNNvKQ"], 10_000);
    }
}

/// Larger materials: every phase, every phase change, and every piece on each side.
const FIVE: [&str; 12] = [
    "KRPvKP", "KRPvKM", "KMPvKM", "KPPvKR", "KNPvKP", "KRMvKP", "KSNvKN", "KSMvKS", "KMMvKM",
    "KRMvKR", "KRPPvK", "KSNNvK",
];

/// `rules.md` section 2: after K+R+R v K gives up a rook the limit stays that of two rooks,
/// while K+R v K from the start has 13 moves. So two rooks against one gain moves by giving up a
/// rook before taking the other's.
#[test]
fn a_rook_given_up_in_time_gains_moves() {
    for (fen, counting_rule, plain, offer, takes, given_up, number) in [
        // Two rooks mate in 5 and have 4; a rook mates in 13 and has 13.
        ("3k4/R7/8/r7/8/8/4R3/1K6 w - 128 0 1", "makruk", "a7a5", "e2e8", "d8e8", (13, 13), 2),
        ("4k3/2R5/8/2r5/5R2/3K4/8/8 w - 128 0 1", "makruk", "c7c5", "f4f8", "e8f8", (11, 13), 2),
        // In Ouk a rook has 12, and the board's count runs on beside it.
        ("4k3/2R5/8/2r5/5R2/3K4/8/8 w - 126 0 1", "ouk", "c7c5", "f4f8", "e8f8", (11, 12), 11),
        ("4k3/2R5/8/2r5/5R2/3K4/8/8 w - 126 106 1", "ouk", "c7c5", "f4f8", "e8f8", (11, 9), 11),
    ] {
        let counting_rule = variants::counting_rule(counting_rule).unwrap();
        let position = Position::from_fen(variants::counted_by(counting_rule), fen)
            .unwrap()
            .counted_by(counting_rule);
        let tables = tables_of(position.material().material, counting_rule);
        let attack = CountedAttack { counting_rule, attacker: Side::White, tables: &tables };
        let play = |position: &Position, text: &str| {
            let legal = position.legal_moves();
            position
                .play(*legal.iter().find(|played| played.uci(position.variant()) == text).unwrap())
        };
        let left = |position: &Position| position.clock().unwrap().moves_left(Party::Runner);
        assert_eq!(attack.number(&position), Some(Moves(number)), "{fen}");

        let taken = play(&position, plain);
        assert_eq!((attack.number(&taken), attack.is_won(&taken)), (Some(Moves(5)), false));

        let taken = play(&play(&play(&position, offer), takes), plain);
        let (mates_in, has) = given_up;
        assert_eq!((attack.number(&taken), left(&taken)), (Some(Moves(mates_in)), Moves(has)));
        assert_eq!(attack.is_won(&taken), mates_in <= has, "{fen}");
    }
}
