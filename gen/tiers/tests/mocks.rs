//! The solver on graphs written by hand, without any game.

use sakmak_tiers::check::{CheckError, check};
use sakmak_tiers::file;
use sakmak_tiers::game::{Effect, End, Game, closure};
use sakmak_tiers::planes::{Leave, Plane, Planes, Start, Stuck, each};
use sakmak_tiers::solve::{Method, Progress, SolveError, memory, method, solve};
use sakmak_tiers::stats::results;
use sakmak_tiers::table::{Codes, Tables};
use sakmak_tiers::value::Value;
use sakmak_tiers::verify::{VerifyError, verify};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A position of a graph: what it is, and the positions that its moves lead to.
#[derive(Clone, Debug)]
enum Node {
    /// Moves to tiers and slots.
    Moves(Vec<(u8, u64)>),
    Lost,
    Drawn,
    Illegal,
    Hole,
    /// A move that wins at once, one that draws, and others.
    Wins,
    Draws(Vec<(u8, u64)>),
}

use Node::*;

/// Tiers of nodes. With `UN` the game has un-moves.
struct Graph<const UN: bool> {
    tiers: Vec<Vec<Node>>,
    smaller: fn(u8) -> Vec<u8>,
    stuck: End,
    loop_free: bool,
    planes: bool,
}

impl<const UN: bool> Graph<UN> {
    fn new(tiers: Vec<Vec<Node>>) -> Graph<UN> {
        let smaller = |tier| (0..tier).collect();
        Graph { tiers, smaller, stuck: End::Loss, loop_free: false, planes: false }
    }

    fn node(&self, position: &(u8, u64)) -> &Node {
        &self.tiers[usize::from(position.0)][position.1 as usize]
    }
}

impl<const UN: bool> Game for Graph<UN> {
    type Tier = u8;
    type Layout = u8;
    type Position = (u8, u64);
    type Move = Option<(u8, u64)>;
    const UNMOVES: bool = UN;

    fn name(&self) -> String {
        "graph".to_string()
    }
    fn rules(&self) -> String {
        "graph 1".to_string()
    }
    fn smaller(&self, tier: u8) -> Vec<u8> {
        (self.smaller)(tier)
    }
    fn tier(&self, position: &(u8, u64)) -> u8 {
        position.0
    }
    fn layout(&self, tier: u8) -> u8 {
        tier
    }
    fn size(&self, layout: &u8) -> u64 {
        self.tiers[usize::from(*layout)].len() as u64
    }
    fn rank(&self, _: &u8, position: &(u8, u64)) -> u64 {
        position.1
    }
    fn unrank(&self, layout: &u8, slot: u64) -> Option<(u8, u64)> {
        (!matches!(self.node(&(*layout, slot)), Hole)).then_some((*layout, slot))
    }
    fn moves(&self, position: &(u8, u64), mut each: impl FnMut(Option<(u8, u64)>, Effect)) {
        let (moves, end) = match self.node(position) {
            Moves(moves) => (moves.as_slice(), None),
            Draws(moves) => (moves.as_slice(), Some(Effect::Draws)),
            Wins => (&[][..], Some(Effect::Wins)),
            _ => (&[][..], None),
        };
        for &to in moves {
            each(Some(to), if to.0 == position.0 { Effect::Stays } else { Effect::Leaves });
        }
        if let Some(effect) = end {
            each(None, effect);
        }
    }
    fn play(&self, position: &(u8, u64), played: Option<(u8, u64)>) -> (u8, u64) {
        played.unwrap_or(*position)
    }
    fn end(&self, position: &(u8, u64)) -> Option<End> {
        match self.node(position) {
            Lost => Some(End::Loss),
            Drawn => Some(End::Draw),
            _ => None,
        }
    }
    fn is_illegal(&self, position: &(u8, u64)) -> bool {
        matches!(self.node(position), Illegal)
    }
    fn stuck(&self, _: &(u8, u64)) -> End {
        self.stuck
    }
    fn is_loop_free(&self, _: u8) -> bool {
        self.loop_free
    }
    fn planes(&self) -> Option<&impl Planes<u8, u8>> {
        self.planes.then_some(self)
    }
    fn unmoves(&self, layout: &u8, position: &(u8, u64), mut each: impl FnMut((u8, u64))) {
        for (slot, node) in self.tiers[usize::from(*layout)].iter().enumerate() {
            if let Moves(moves) | Draws(moves) = node {
                moves
                    .iter()
                    .filter(|to| *to == position)
                    .for_each(|_| each((*layout, slot as u64)));
            }
        }
    }
}

/// The places of a frame of a graph. Both sides have the same moves.
const PLACES: u64 = 100;

impl<const UN: bool> Graph<UN> {
    /// The graph with planes, its ends as positions without moves.
    fn planed(tiers: &[Vec<Node>]) -> Graph<UN> {
        let node = |node: &Node| match node {
            Lost => Moves(vec![]),
            other => other.clone(),
        };
        let tiers = tiers.iter().map(|tier| tier.iter().map(node).collect()).collect();
        Graph { planes: true, ..Graph::new(tiers) }
    }

    /// The places of a frame for which something holds.
    fn places(&self, (tier, frame): (u8, u64), is: impl Fn(&Node) -> bool) -> Plane {
        let nodes = self.tiers[usize::from(tier)].iter().skip((frame * PLACES) as usize);
        let nodes = nodes.take(PLACES as usize).enumerate();
        nodes.filter(|(_, node)| is(node)).fold(0, |plane, (place, _)| plane | 1 << place)
    }

    /// The moves of a place.
    fn moves_of(&self, (tier, frame): (u8, u64), place: u32) -> &[(u8, u64)] {
        match self.node(&(tier, frame * PLACES + u64::from(place))) {
            Moves(moves) | Draws(moves) => moves,
            _ => &[],
        }
    }
}

impl<const UN: bool> Planes<u8, u8> for Graph<UN> {
    type Frame = (u8, u64);

    fn frames(&self, layout: &u8) -> u64 {
        self.size(layout).div_ceil(PLACES)
    }
    fn frame(&self, layout: &u8, number: u64) -> Option<(u8, u64)> {
        Some((*layout, number))
    }
    fn image(&self, frame: &(u8, u64)) -> u64 {
        frame.1
    }
    fn imaged(&self, plane: Plane) -> Plane {
        plane
    }
    fn start(&self, _: &u8, frame: &(u8, u64), _: usize) -> Start {
        Start {
            legal: self.places(*frame, |node| !matches!(node, Illegal | Hole)),
            drawn: self.places(*frame, |node| matches!(node, Drawn)),
        }
    }
    fn stuck(&self, _: &(u8, u64), _: usize, places: Plane) -> Stuck {
        Stuck { lost: if self.stuck == End::Loss { places } else { 0 }, passes: 0 }
    }
    fn movers(
        &self,
        layout: &u8,
        frame: &(u8, u64),
        _: usize,
        wanted: Plane,
        plane: impl Fn(u64) -> Plane,
    ) -> Plane {
        let leads = |&(tier, slot): &(u8, u64)| {
            tier == *layout && plane(slot / PLACES) >> (slot % PLACES) & 1 == 1
        };
        let moves = |&place: &u32| self.moves_of(*frame, place).iter().any(leads);
        each(wanted).filter(moves).fold(0, |plane, place| plane | 1 << place)
    }
    fn leaving(
        &self,
        layout: &u8,
        frame: &(u8, u64),
        _: usize,
        mut each_move: impl FnMut(Plane, Leave<'_, u8>),
    ) {
        each_move(self.places(*frame, |node| matches!(node, Draws(_))), Leave::Draws);
        for place in each(self.places(*frame, |_| true)) {
            for &(tier, slot) in self.moves_of(*frame, place).iter().filter(|to| to.0 != *layout) {
                each_move(1 << place, Leave::To(tier, &|_| slot));
            }
        }
    }
    fn slots(
        &self,
        _: &u8,
        frame: &(u8, u64),
        _: usize,
        places: Plane,
        mut each_slot: impl FnMut(u64),
    ) {
        let places = places & self.places(*frame, |_| true);
        each(places).for_each(|place| each_slot(frame.1 * PLACES + u64::from(place)));
    }
}

/// The values of all tiers by a method, verified.
fn values<const UN: bool>(graph: &Graph<UN>, by: Method) -> Vec<Vec<Value>> {
    let mut tables = Tables::default();
    let mut found = Vec::new();
    for tier in closure(graph, [graph.tiers.len() as u8 - 1]) {
        let codes = solve(graph, tier, &tables, by, &|_| {}).unwrap();
        found.push((0..codes.slots()).map(|slot| codes.value(slot).unwrap()).collect());
        tables.insert(graph, tier, codes);
        verify(graph, tier, &tables, &|_| {}).unwrap();
    }
    found
}

/// Asserts the values of all tiers by all methods.
fn assert_values(tiers: Vec<Vec<Node>>, expected: &[&[Value]]) {
    let with = Graph::<true>::new(tiers.clone());
    let without = Graph::<false>::new(tiers);
    for tier in 0..with.tiers.len() {
        check(&with, tier as u8, 100).unwrap();
    }
    assert_eq!(values(&with, Method::Backward), expected, "backward");
    assert_eq!(values(&without, Method::Graph), expected, "graph");
    assert_eq!(values(&without, Method::Iterate), expected, "iterate");
    if without.tiers.iter().flatten().all(|node| !matches!(node, Wins)) {
        assert_planes(&without.tiers, expected);
    }
}

/// Asserts the values of all tiers by planes.
fn assert_planes(tiers: &[Vec<Node>], expected: &[impl AsRef<[Value]>]) {
    let graph = Graph::<false>::planed(tiers);
    for tier in 0..tiers.len() {
        check(&graph, tier as u8, 400).unwrap();
    }
    let found = values(&graph, Method::Planes);
    assert!(found.iter().map(Vec::as_slice).eq(expected.iter().map(AsRef::as_ref)), "planes");
}

use Value::{Draw, Loss, Win};
const BAD: Value = Value::Illegal;

#[test]
fn a_chain_alternates_and_a_circle_beside_it_is_a_draw() {
    let chain = vec![
        Lost,
        Moves(vec![(0, 0)]),
        Moves(vec![(0, 1)]),
        Moves(vec![(0, 2)]),
        Moves(vec![(0, 5)]),
        Moves(vec![(0, 4)]),
        // It may enter the circle instead of losing.
        Moves(vec![(0, 3), (0, 4)]),
        Moves(vec![(0, 3), (0, 1)]),
    ];
    assert_tier(chain, &[Loss(0), Win(1), Loss(2), Win(3), Draw, Draw, Draw, Loss(4)]);
}

/// [`assert_values`] for one tier.
fn assert_tier(nodes: Vec<Node>, expected: &[Value]) {
    assert_values(vec![nodes], &[expected]);
}

#[test]
fn the_winner_hurries_and_the_loser_delays() {
    assert_tier(
        vec![
            Lost,
            Moves(vec![(0, 0)]),
            Moves(vec![(0, 1)]),
            Moves(vec![(0, 2)]),
            // Wins in 1 or in 3: in 1.
            Moves(vec![(0, 2), (0, 0)]),
            // Loses in 2 or in 4: in 4.
            Moves(vec![(0, 1), (0, 3)]),
        ],
        &[Loss(0), Win(1), Loss(2), Win(3), Win(1), Loss(4)],
    );
}

#[test]
fn moves_into_illegal_positions_are_none_and_what_is_left_without_moves_is_stuck() {
    let nodes = vec![
        Illegal,
        Moves(vec![(0, 0)]),
        Moves(vec![(0, 0), (0, 1)]),
        Hole,
        Moves(vec![]),
        Moves(vec![(0, 0), (0, 5)]),
        Moves(vec![(0, 4), (0, 0)]),
    ];
    assert_tier(nodes.clone(), &[BAD, Loss(0), Win(1), BAD, Loss(0), Draw, Win(1)]);
    let drawn = Graph::<true> { stuck: End::Draw, ..Graph::new(vec![nodes.clone()]) };
    let expected = vec![vec![BAD, Draw, Draw, BAD, Draw, Draw, Draw]];
    assert_eq!(values(&drawn, Method::Backward), expected);
    let drawn = Graph::<false> { stuck: End::Draw, ..Graph::new(vec![nodes]) };
    assert_eq!(values(&drawn, Method::Graph), expected);
    assert_eq!(values(&drawn, Method::Iterate), expected);
}

#[test]
fn moves_that_end_the_game_or_leave_the_tier_count_at_their_distance() {
    assert_values(
        vec![
            vec![
                Lost,
                Moves(vec![(0, 0)]),
                Moves(vec![(0, 1)]),
                Moves(vec![(0, 2)]),
                Drawn,
                Illegal,
            ],
            vec![
                Wins,
                // Loses in 2 here, in 4 by leaving.
                Moves(vec![(1, 0), (0, 3)]),
                // Loses in 4 there, or in 2.
                Moves(vec![(0, 3), (0, 1)]),
                // Wins in 3 by leaving, in 1 is not there.
                Moves(vec![(0, 2), (1, 3)]),
                Draws(vec![(1, 0)]),
                Moves(vec![(1, 0), (0, 4)]),
                // The only legal move is inside.
                Moves(vec![(0, 5), (1, 0)]),
                Moves(vec![(0, 5)]),
                // A win inside that is slower than the one outside.
                Moves(vec![(1, 1), (0, 0)]),
                Draws(vec![(0, 0)]),
            ],
        ],
        &[
            &[Loss(0), Win(1), Loss(2), Win(3), Draw, BAD],
            &[Win(1), Loss(4), Loss(4), Win(3), Draw, Draw, Loss(2), Loss(0), Win(1), Win(1)],
        ],
    );
}

#[test]
fn two_moves_to_one_position_are_two_moves() {
    assert_tier(
        vec![Lost, Moves(vec![(0, 0)]), Moves(vec![(0, 1), (0, 1)])],
        &[Loss(0), Win(1), Loss(2)],
    );
}

#[test]
fn distances_above_a_byte_are_kept_and_leave_a_tier() {
    let chain = |tier: u8, first: Node| {
        let moves = (0..400).map(|slot| Moves(vec![(tier, slot)]));
        std::iter::once(first).chain(moves).collect::<Vec<_>>()
    };
    let value = |plies: u16| if plies % 2 == 1 { Win(plies) } else { Loss(plies) };
    let first: Vec<Value> = (0..=400).map(value).collect();
    let second: Vec<Value> = (401..=801).map(value).collect();
    assert_values(vec![chain(0, Lost), chain(1, Moves(vec![(0, 400)]))], &[&first, &second]);
}

#[test]
fn random_graphs_have_the_same_values_by_every_method() {
    let mut state = 1u64;
    let mut random = move |end: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % end
    };
    for round in 0..60 {
        let size = 2 + random(if round < 50 { 40 } else { 9000 });
        let mut tiers = Vec::new();
        for tier in 0..3u8 {
            let mut nodes = Vec::new();
            for _ in 0..size {
                let moves = random(4);
                let list: Vec<(u8, u64)> = (0..moves)
                    .map(|_| {
                        (tier - random(u64::from(tier) + 1).min(random(2)) as u8, random(size))
                    })
                    .collect();
                nodes.push(match random(12) {
                    0 => Lost,
                    1 => Illegal,
                    2 => Draws(list),
                    3 if round % 2 == 0 => Drawn,
                    _ => Moves(list),
                });
            }
            tiers.push(nodes);
        }
        let graph = Graph::<false>::new(tiers.clone());
        let expected = values(&graph, Method::Iterate);
        assert_eq!(values(&graph, Method::Graph), expected);
        assert_planes(&tiers, &expected);
        if size < 100 {
            assert_eq!(values(&Graph::<true>::new(tiers), Method::Backward), expected);
        }
    }
}

#[test]
fn a_tier_without_loops_takes_one_pass() {
    let tiers = vec![
        vec![Lost],
        vec![Moves(vec![(0, 0)])],
        vec![Moves(vec![(1, 0)]), Moves(vec![(1, 0), (0, 0)])],
    ];
    let graph = Graph::<true> { loop_free: true, ..Graph::new(tiers) };
    assert_eq!(method(&graph, 2, u64::MAX), Ok(Method::Pass));
    assert_eq!(values(&graph, Method::Pass), [vec![Loss(0)], vec![Win(1)], vec![Loss(2), Win(1)]]);
}

#[test]
fn the_method_depends_on_un_moves_and_memory() {
    let nodes = vec![vec![Lost, Moves(vec![(0, 0)])]];
    let (with, without) = (Graph::<true>::new(nodes.clone()), Graph::<false>::new(nodes));
    assert_eq!(method(&with, 0, 6), Ok(Method::Backward));
    assert_eq!(method(&without, 0, memory(Method::Graph, 2, 1)), Ok(Method::Graph));
    assert_eq!(method(&without, 0, 29), Ok(Method::Iterate));
    // A state of two bytes and a code of one for each slot are there at the same time.
    let refused = Err(SolveError::Memory("0".to_string(), 6, 5));
    assert_eq!((method(&with, 0, 5), method(&without, 0, 5)), (refused.clone(), refused));
}

#[test]
fn a_circle_of_tiers_is_refused() {
    let tiers = vec![vec![Lost], vec![Lost], vec![Lost]];
    let circle = Graph::<true> { smaller: |tier| vec![(tier + 1) % 3], ..Graph::new(tiers) };
    assert_eq!(closure(&circle, [0]).len(), 3);
    assert_eq!(check(&circle, 0, 10), Err(CheckError::Circle("0".to_string())));
}

#[test]
fn the_work_is_told_slot_by_slot_and_ply_by_ply() {
    let chain = (0..10_000).map(|slot| if slot == 0 { Lost } else { Moves(vec![(0, slot - 1)]) });
    let graph = Graph::<false>::new(vec![chain.collect()]);
    let (looked, plies) = (AtomicU64::new(0), AtomicU64::new(0));
    let progress = |progress| match progress {
        Progress::Slots(slots) => {
            looked.fetch_add(slots, Relaxed);
        }
        Progress::Plies(ply) => {
            plies.fetch_max(ply.into(), Relaxed);
        }
    };
    let mut tables = Tables::default();
    let codes = solve(&graph, 0, &tables, Method::Graph, &progress).unwrap();
    assert_eq!((looked.into_inner(), plies.into_inner()), (10_000, 10_000));
    let (verified, counted) = (AtomicU64::new(0), AtomicU64::new(0));
    let add = |sum: &AtomicU64, slots| {
        sum.fetch_add(slots, Relaxed);
    };
    results(&graph, 0, &codes, |_| 0, &|slots| add(&counted, slots));
    tables.insert(&graph, 0, codes);
    verify(&graph, 0, &tables, &|slots| add(&verified, slots)).unwrap();
    assert_eq!((verified.into_inner(), counted.into_inner()), (10_000, 10_000));
}

#[test]
fn a_table_that_does_not_reach_the_disk_is_an_error() {
    /// Takes all bytes, and keeps none.
    struct Full;
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::StorageFull.into())
        }
    }
    let graph = Graph::<true>::new(vec![vec![Lost]]);
    let error = file::write(&graph, 0, &Codes::Narrow(vec![2]), &mut Full).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}

#[test]
fn what_is_missing_is_named() {
    let graph = Graph::<true>::new(vec![vec![Lost], vec![Moves(vec![(0, 0)])]]);
    let missing = solve(&graph, 1, &Tables::default(), Method::Backward, &|_| {});
    assert_eq!(missing, Err(SolveError::Missing("1".to_string(), "0".to_string())));
    // One that `smaller` does not name is not a draw either.
    let graph = Graph { smaller: |_| Vec::new(), ..graph };
    let mut tables = Tables::default();
    tables.insert(&graph, 1, Codes::Narrow(vec![Value::Draw.code() as u8]));
    let missing = verify(&graph, 1, &tables, &|_| {});
    assert_eq!(missing, Err(VerifyError::Missing("0".to_string())));
}

#[test]
fn the_check_finds_un_moves_that_do_not_match_and_slots_out_of_bounds() {
    // Moves out of the tier's slots.
    let graph = Graph::<false>::new(vec![vec![Lost, Moves(vec![(0, 2)]), Hole]]);
    let CheckError::Position { slot, .. } = check(&graph, 0, 100).unwrap_err() else { panic!() };
    assert_eq!(slot, 1);

    /// Un-moves that forget every second one.
    struct Forgetful(Graph<true>);
    impl Game for Forgetful {
        type Tier = u8;
        type Layout = u8;
        type Position = (u8, u64);
        type Move = Option<(u8, u64)>;
        const UNMOVES: bool = true;
        fn name(&self) -> String {
            self.0.name()
        }
        fn rules(&self) -> String {
            self.0.rules()
        }
        fn smaller(&self, tier: u8) -> Vec<u8> {
            self.0.smaller(tier)
        }
        fn tier(&self, position: &(u8, u64)) -> u8 {
            self.0.tier(position)
        }
        fn layout(&self, tier: u8) -> u8 {
            tier
        }
        fn size(&self, layout: &u8) -> u64 {
            self.0.size(layout)
        }
        fn rank(&self, layout: &u8, position: &(u8, u64)) -> u64 {
            self.0.rank(layout, position)
        }
        fn unrank(&self, layout: &u8, slot: u64) -> Option<(u8, u64)> {
            self.0.unrank(layout, slot)
        }
        fn moves(&self, position: &(u8, u64), each: impl FnMut(Option<(u8, u64)>, Effect)) {
            self.0.moves(position, each);
        }
        fn play(&self, position: &(u8, u64), played: Option<(u8, u64)>) -> (u8, u64) {
            self.0.play(position, played)
        }
        fn unmoves(&self, layout: &u8, position: &(u8, u64), mut each: impl FnMut((u8, u64))) {
            let mut odd = false;
            self.0.unmoves(layout, position, |source| {
                odd = !odd;
                if odd {
                    each(source);
                }
            });
        }
    }
    let graph = Graph::new(vec![vec![Moves(vec![]), Moves(vec![(0, 0)]), Moves(vec![(0, 0)])]]);
    assert!(check(&graph, 0, 100).is_ok());
    let error = check(&Forgetful(graph), 0, 100).unwrap_err().to_string();
    assert!(error.contains("1 moves to slot 0, 0 un-moves"), "{error}");
}

#[test]
fn one_flipped_value_is_found_whatever_it_becomes() {
    let graph = Graph::<true>::new(vec![vec![
        Lost,
        Moves(vec![(0, 0)]),
        Moves(vec![(0, 1)]),
        Moves(vec![(0, 2)]),
        Moves(vec![(0, 5)]),
        Moves(vec![(0, 4)]),
        Hole,
        Illegal,
    ]]);
    let mut tables = Tables::default();
    let Codes::Narrow(right) = solve(&graph, 0, &tables, Method::Backward, &|_| {}).unwrap() else {
        panic!()
    };
    for slot in 0..right.len() {
        for code in (0..=9).filter(|&code| code != right[slot]) {
            let mut codes = right.clone();
            codes[slot] = code;
            tables.insert(&graph, 0, Codes::Narrow(codes));
            let error = verify(&graph, 0, &tables, &|_| {}).unwrap_err();
            assert!(
                matches!(error, VerifyError::Wrong { .. }),
                "slot {slot}, code {code}: {error}"
            );
        }
    }
}

#[test]
fn one_thread_finds_what_many_find() {
    let chain: Vec<Node> =
        (0..20_000u64)
            .map(|slot| {
                if slot == 0 { Lost } else { Moves(vec![(0, slot / 2), (0, slot * 7919 % 20_000)]) }
            })
            .collect();
    let graph = Graph::<false>::new(vec![chain]);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solve(&graph, 0, &Tables::default(), Method::Graph, &|_| {}).unwrap())
    };
    assert_eq!(with(1), with(7));
}
