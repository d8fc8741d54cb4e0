//! The solver on graphs written by hand, without any game.

use sakmak_boards::codes::Codes;
use sakmak_boards::game::{BoardGame, Effect, End, closure};
use sakmak_boards::planes::{Leave, Plane, Planes, Start, Stuck, each};
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::Value;
use sakmak_oracle::boards::graph::MoveGraph;
use sakmak_oracle::boards::iteration::iterate;
use sakmak_oracle::boards::laws::{LawError, check};
use sakmak_solve::boards::progress::Progress;
use sakmak_solve::boards::solver::{SolveError, memory, solve};
use sakmak_solve::boards::tables::Tables;
use sakmak_solve::boards::verify::{VerifyError, verify};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A position of a graph: what it is, and the positions that its moves lead to.
#[derive(Clone, Debug)]
enum Node {
    /// Moves to materials and slots.
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

/// Materials of nodes.
struct Graph {
    materials: Vec<Vec<Node>>,
    subtables: fn(u8) -> Vec<u8>,
    stuck: End,
    planes: bool,
    /// Whether every second source is left out.
    forgets: bool,
}

/// A material, and its moves turned round.
struct Layout(u8, OnceLock<MoveGraph>);

impl Graph {
    fn new(materials: Vec<Vec<Node>>) -> Graph {
        let subtables = |material| (0..material).collect();
        Graph { materials, subtables, stuck: End::Loss, planes: false, forgets: false }
    }

    fn node(&self, position: &(u8, u64)) -> &Node {
        &self.materials[usize::from(position.0)][position.1 as usize]
    }
}

impl BoardGame for Graph {
    type Material = u8;
    type Layout = Layout;
    type Position = (u8, u64);
    type Move = Option<(u8, u64)>;

    fn name(&self) -> String {
        "graph".to_string()
    }
    fn rules(&self) -> String {
        "graph 1".to_string()
    }
    fn subtables(&self, material: u8) -> Vec<u8> {
        (self.subtables)(material)
    }
    fn material(&self, position: &(u8, u64)) -> u8 {
        position.0
    }
    fn layout(&self, material: u8) -> Layout {
        Layout(material, OnceLock::new())
    }
    fn size(&self, layout: &Layout) -> u64 {
        self.materials[usize::from(layout.0)].len() as u64
    }
    fn rank(&self, _: &Layout, position: &(u8, u64)) -> u64 {
        position.1
    }
    fn unrank(&self, layout: &Layout, slot: u64) -> Option<(u8, u64)> {
        (!matches!(self.node(&(layout.0, slot)), Hole)).then_some((layout.0, slot))
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
}

impl SolvableGame for Graph {
    fn planes(&self) -> Option<&impl Planes<Layout, u8>> {
        self.planes.then_some(self)
    }
    fn sources(&self, layout: &Layout, position: &(u8, u64), mut each: impl FnMut(u64)) {
        let (graph, mut odd) = (layout.1.get_or_init(|| MoveGraph::new(self, layout)), false);
        graph.sources(position.1, |source| {
            odd = !odd;
            if odd || !self.forgets {
                each(source);
            }
        });
    }
}

/// The places of a frame of a graph. Both sides have the same moves.
const PLACES: u64 = 100;

impl Graph {
    /// The graph with planes, its ends as positions without moves.
    fn planed(materials: &[Vec<Node>]) -> Graph {
        let node = |node: &Node| match node {
            Lost => Moves(vec![]),
            other => other.clone(),
        };
        let materials =
            materials.iter().map(|material| material.iter().map(node).collect()).collect();
        Graph { planes: true, ..Graph::new(materials) }
    }

    /// The places of a frame for which something holds.
    fn places(&self, (material, frame): (u8, u64), is: impl Fn(&Node) -> bool) -> Plane {
        let nodes = self.materials[usize::from(material)].iter().skip((frame * PLACES) as usize);
        let nodes = nodes.take(PLACES as usize).enumerate();
        nodes.filter(|(_, node)| is(node)).fold(0, |plane, (place, _)| plane | 1 << place)
    }

    /// The moves of a place.
    fn moves_of(&self, (material, frame): (u8, u64), place: u32) -> &[(u8, u64)] {
        match self.node(&(material, frame * PLACES + u64::from(place))) {
            Moves(moves) | Draws(moves) => moves,
            _ => &[],
        }
    }
}

impl Planes<Layout, u8> for Graph {
    type Frame = (u8, u64);

    fn frames(&self, layout: &Layout) -> u64 {
        self.size(layout).div_ceil(PLACES)
    }
    fn frame(&self, layout: &Layout, number: u64) -> Option<(u8, u64)> {
        Some((layout.0, number))
    }
    fn image(&self, frame: &(u8, u64)) -> u64 {
        frame.1
    }
    fn imaged(&self, plane: Plane) -> Plane {
        plane
    }
    fn start(&self, _: &Layout, frame: &(u8, u64), _: usize) -> Start {
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
        layout: &Layout,
        frame: &(u8, u64),
        _: usize,
        wanted: Plane,
        plane: impl Fn(u64) -> Plane,
    ) -> Plane {
        let leads = |&(material, slot): &(u8, u64)| {
            material == layout.0 && plane(slot / PLACES) >> (slot % PLACES) & 1 == 1
        };
        let moves = |&place: &u32| self.moves_of(*frame, place).iter().any(leads);
        each(wanted).filter(moves).fold(0, |plane, place| plane | 1 << place)
    }
    fn leaving(
        &self,
        layout: &Layout,
        frame: &(u8, u64),
        _: usize,
        mut each_move: impl FnMut(Plane, Leave<'_, u8>),
    ) {
        each_move(self.places(*frame, |node| matches!(node, Draws(_))), Leave::Draws);
        for place in each(self.places(*frame, |_| true)) {
            for &(material, slot) in
                self.moves_of(*frame, place).iter().filter(|to| to.0 != layout.0)
            {
                each_move(1 << place, Leave::To(material, &|_| slot));
            }
        }
    }
    fn slots(
        &self,
        _: &Layout,
        frame: &(u8, u64),
        _: usize,
        places: Plane,
        mut each_slot: impl FnMut(u64),
    ) {
        let places = places & self.places(*frame, |_| true);
        each(places).for_each(|place| each_slot(frame.1 * PLACES + u64::from(place)));
    }
}

/// The values of all materials, verified, and those of value iteration.
fn values(graph: &Graph) -> Vec<Vec<Value>> {
    let mut tables = Tables::default();
    let mut found = Vec::new();
    for material in closure(graph, [graph.materials.len() as u8 - 1]) {
        let codes = solve(graph, material, &tables, &|_| {}).unwrap();
        assert!(codes == iterate(graph, material, &tables), "by iteration");
        found.push((0..codes.slots()).map(|slot| codes.value(slot).unwrap()).collect());
        tables.insert(graph, material, codes);
        verify(graph, material, &tables, &|_| {}).unwrap();
    }
    found
}

/// Asserts the values of all materials, from slot to slot and by planes.
fn assert_values(materials: Vec<Vec<Node>>, expected: &[&[Value]]) {
    let graph = Graph::new(materials);
    for material in 0..graph.materials.len() {
        check(&graph, material as u8, 100).unwrap();
    }
    assert_eq!(values(&graph), expected, "backward");
    if graph.materials.iter().flatten().all(|node| !matches!(node, Wins)) {
        assert_planes(&graph.materials, expected);
    }
}

/// Asserts the values of all materials by planes.
fn assert_planes(materials: &[Vec<Node>], expected: &[impl AsRef<[Value]>]) {
    let graph = Graph::planed(materials);
    for material in 0..materials.len() {
        check(&graph, material as u8, 400).unwrap();
    }
    let found = values(&graph);
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
    assert_material(chain, &[Loss(0), Win(1), Loss(2), Win(3), Draw, Draw, Draw, Loss(4)]);
}

/// [`assert_values`] for one material.
fn assert_material(nodes: Vec<Node>, expected: &[Value]) {
    assert_values(vec![nodes], &[expected]);
}

#[test]
fn the_winner_hurries_and_the_loser_delays() {
    assert_material(
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
    assert_material(nodes.clone(), &[BAD, Loss(0), Win(1), BAD, Loss(0), Draw, Win(1)]);
    let drawn = Graph { stuck: End::Draw, ..Graph::new(vec![nodes]) };
    let expected = vec![vec![BAD, Draw, Draw, BAD, Draw, Draw, Draw]];
    assert_eq!(values(&drawn), expected);
}

#[test]
fn moves_that_end_the_game_or_leave_the_material_count_at_their_distance() {
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
    assert_material(
        vec![Lost, Moves(vec![(0, 0)]), Moves(vec![(0, 1), (0, 1)])],
        &[Loss(0), Win(1), Loss(2)],
    );
}

#[test]
fn distances_above_a_byte_are_kept_and_leave_a_material() {
    let chain = |material: u8, first: Node| {
        let moves = (0..400).map(|slot| Moves(vec![(material, slot)]));
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
        let mut materials = Vec::new();
        for material in 0..3u8 {
            let mut nodes = Vec::new();
            for _ in 0..size {
                let moves = random(4);
                let list: Vec<(u8, u64)> = (0..moves)
                    .map(|_| {
                        (
                            material - random(u64::from(material) + 1).min(random(2)) as u8,
                            random(size),
                        )
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
            materials.push(nodes);
        }
        // By iteration as well.
        assert_planes(&materials, &values(&Graph::new(materials.clone())));
    }
}

#[test]
fn a_material_without_loops_has_values() {
    let materials = vec![
        vec![Lost],
        vec![Moves(vec![(0, 0)])],
        vec![Moves(vec![(1, 0)]), Moves(vec![(1, 0), (0, 0)])],
    ];
    assert_values(materials, &[&[Loss(0)], &[Win(1)], &[Loss(2), Win(1)]]);
}

#[test]
fn memory_depends_on_slots_and_planes() {
    let nodes = vec![vec![Lost, Moves(vec![(0, 0)])]];
    // A state of two bytes and a code of one for each slot are there at the same time.
    assert_eq!(memory(&Graph::planed(&nodes), 0), Ok(8));
    assert_eq!(memory(&Graph::new(nodes), 0), Ok(6));
}

#[test]
fn a_circle_of_materials_is_refused() {
    let materials = vec![vec![Lost], vec![Lost], vec![Lost]];
    let circle = Graph { subtables: |material| vec![(material + 1) % 3], ..Graph::new(materials) };
    assert_eq!(closure(&circle, [0]).len(), 3);
    assert_eq!(check(&circle, 0, 10), Err(LawError::Circle("0".to_string())));
}

#[test]
fn the_work_is_told_slot_by_slot_and_ply_by_ply() {
    let chain = (0..10_000).map(|slot| if slot == 0 { Lost } else { Moves(vec![(0, slot - 1)]) });
    let graph = Graph::new(vec![chain.collect()]);
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
    let codes = solve(&graph, 0, &tables, &progress).unwrap();
    assert_eq!((looked.into_inner(), plies.into_inner()), (10_000, 10_000));
    let verified = AtomicU64::new(0);
    tables.insert(&graph, 0, codes);
    let add = |slots| _ = verified.fetch_add(slots, Relaxed);
    verify(&graph, 0, &tables, &add).unwrap();
    assert_eq!(verified.into_inner(), 10_000);
}

#[test]
fn what_is_missing_is_named() {
    let graph = Graph::new(vec![vec![Lost], vec![Moves(vec![(0, 0)])]]);
    let missing = solve(&graph, 1, &Tables::default(), &|_| {});
    assert_eq!(missing, Err(SolveError::Missing("1".to_string(), "0".to_string())));
    // One that `smaller` does not name is not a draw either.
    let graph = Graph { subtables: |_| Vec::new(), ..graph };
    let mut tables = Tables::default();
    tables.insert(&graph, 1, Codes::Narrow(vec![Value::Draw.code() as u8]));
    let missing = verify(&graph, 1, &tables, &|_| {});
    assert_eq!(missing, Err(VerifyError::Missing("0".to_string())));
}

#[test]
fn the_check_finds_un_moves_that_do_not_match_and_slots_out_of_bounds() {
    // Moves out of the material's slots.
    let graph = Graph::new(vec![vec![Lost, Moves(vec![(0, 2)]), Hole]]);
    let LawError::Position { slot, .. } = check(&graph, 0, 100).unwrap_err() else { panic!() };
    assert_eq!(slot, 1);

    let graph = Graph::new(vec![vec![Moves(vec![]), Moves(vec![(0, 0)]), Moves(vec![(0, 0)])]]);
    assert!(check(&graph, 0, 100).is_ok());
    let error = check(&Graph { forgets: true, ..graph }, 0, 100).unwrap_err().to_string();
    assert!(error.contains("1 moves to slot 0, 0 un-moves"), "{error}");
}

#[test]
fn one_flipped_value_is_found_whatever_it_becomes() {
    let graph = Graph::new(vec![vec![
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
    let Codes::Narrow(right) = solve(&graph, 0, &tables, &|_| {}).unwrap() else { panic!() };
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
    let graph = Graph::new(vec![chain]);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solve(&graph, 0, &Tables::default(), &|_| {}).unwrap())
    };
    assert_eq!(with(1), with(7));
}
