//! Queries compared with a plain filter over all placements of the whole board.

use crate::solved::SOLVED;
use rayon::prelude::*;
use sakmak_analysis::query::{
    Condition, Expression, MatchCount, MatchOrder, Measure, MenDistance, MoveTest, OrderColumn,
    OtherRuleTable, Query, QueryError, QueryMatch, parse,
};
use sakmak_analysis::statistics::Statistics;
use sakmak_make::store::TableStore;
use sakmak_solve::slots::definition::stored;
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::board::square::Square;
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::counting::{Category, CountingRule};
use sakmak_tables::distance::{Moves, Value, Wdl};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::{Index, Placement};
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::{TableCodes, TablePair};
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, ASEAN, MAKRUK, OUK};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// The tables of a material.
struct QueryTables {
    mate: Arc<Table>,
    /// The table that decides which wins are in time.
    deciding: Arc<Table>,
    /// The tables of distance to mate that the first table depends on.
    subtables: Vec<Arc<Table>>,
    counting_rule: &'static CountingRule,
}

impl QueryTables {
    fn of(material: &str, counting_rule: &'static CountingRule) -> QueryTables {
        let rules = &variants::counted_by(counting_rule).rules;
        let of_other_rules;
        let solved = match *rules == MAKRUK.rules {
            true => &*SOLVED,
            false => {
                of_other_rules = TableStore::in_memory(rules);
                &of_other_rules
            }
        };
        let table = |name| solved.table(name).unwrap();
        let mate = TableName::of_distance(material.parse().unwrap(), rules);
        let deciding = TableName::deciding(mate.material, Metric::Counted(counting_rule));
        let subtables = mate.successors(rules).into_iter();
        let subtables = subtables.filter(|name| name.material != Material::BARE_KINGS);
        let subtables = subtables.map(table).collect();
        QueryTables { mate: table(mate), deciding: table(deciding), subtables, counting_rule }
    }

    fn variant(&self) -> &'static Variant {
        variants::counted_by(self.counting_rule)
    }

    fn source(&self) -> TablePair<'_> {
        TablePair { mate: &*self.mate, counted: Some(&*self.deciding) }
    }

    fn index(&self) -> &Index {
        self.mate.index()
    }

    fn address(&self, position: &Position) -> Address {
        Address::of(position, false, self.index()).unwrap()
    }

    /// The lowest address of the images of a position under the symmetries of the board.
    fn lowest_image(&self, position: &Position) -> Address {
        let image = |symmetry: &Symmetry| {
            let pieces = position.pieces().map(|(piece, square)| (piece, symmetry.square(square)));
            Position::new(position.variant(), position.side(), pieces).unwrap()
        };
        let images = self.index().kings().symmetries().iter().map(image);
        images.map(|image| self.address(&image)).min_by_key(|address| address.slot).unwrap()
    }

    /// The values of a position by distance to mate and by counted distance.
    fn values(&self, position: &Position) -> [Value; 2] {
        let Address { side, slot } = self.address(position);
        [&self.mate, &self.deciding].map(|table| table.value(side, slot).unwrap())
    }

    /// Whether a condition holds for a position with these values, by definition. Most positions
    /// are excluded by another condition and need no test.
    fn is(
        &self,
        (position, values): (&Position, &dyn Fn() -> [Value; 2]),
        condition: Condition,
        left: Option<Moves>,
    ) -> bool {
        let mate = || values()[0];
        match condition {
            Condition::Side(side) => position.side() == side,
            Condition::Wdl(wdl) => wdl == mate().wdl(),
            Condition::InTime => {
                let counted = values()[1];
                let attacker = match counted {
                    Value::Win(_) => position.side(),
                    Value::Loss(_) => !position.side(),
                    Value::Draw => return false,
                };
                let armies = position.armies();
                let fresh = self.counting_rule.moves_left(armies, attacker, position.side());
                let clock = fresh.map(|fresh| left.unwrap_or(fresh));
                clock.is_none_or(|clock| counted.moves().unwrap() <= clock)
            }
            // Compared with the query by that rule.
            Condition::InTimeBy(_) => unreachable!(),
            Condition::Distance(measure, comparison, number) => {
                let [mate, counted] = values();
                let value = if measure == Measure::Mate { mate } else { counted };
                value.moves().is_some_and(|moves| comparison.holds(moves.0, number))
            }
            Condition::Check => position.in_check(position.side()),
            Condition::MutualZugzwang => {
                let other = Position::new(position.variant(), !position.side(), position.pieces());
                let other = other.unwrap();
                other.legality().is_ok()
                    && match (mate().wdl(), self.values(&other)[0].wdl()) {
                        (Wdl::Loss, other) => other != Wdl::Win,
                        (Wdl::Draw, other) => other == Wdl::Loss,
                        (Wdl::Win, _) => false,
                    }
            }
            Condition::Piece(piece, squares) => !(position.pieces_of(piece) & squares).is_empty(),
            Condition::MenDistance(MenDistance { men: [one, other], comparison, moves }) => {
                // The ring around the first square that contains the second square.
                let steps = |from: Square, to: Square| {
                    let lines = [from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank())];
                    (0..8).find(|&ring| lines.iter().all(|&lines| lines <= ring)).unwrap() as u32
                };
                let of = |piece| position.pieces_of(piece).into_iter();
                let pairs = of(one).flat_map(|from| of(other).map(move |to| (from, to)));
                let pairs = pairs.filter(|(from, to)| from != to);
                let nearest = pairs.map(|(from, to)| steps(from, to)).min();
                nearest.is_some_and(|nearest| comparison.holds(nearest, moves))
            }
            Condition::OneIn(number) => {
                let slot = self.lowest_image(position).slot.0;
                xxh3_64(&slot.to_le_bytes()).is_multiple_of(u64::from(number.get()))
            }
            Condition::Moves(test) => {
                let moves = position.legal_moves();
                if test == MoveTest::Stalemate {
                    return moves.is_empty() && mate() == Value::Draw;
                }
                let after = moves.iter().map(|&played| (played, position.play_uncounted(played)));
                let tables = || self.subtables.iter().chain([&self.mate]).map(|table| &**table);
                if test == MoveTest::LateCapture {
                    let side = position.side();
                    return after.clone().any(|(played, after)| {
                        let is_capture = position.at(played.to).is_some();
                        let value = stored(&after, tables()).unwrap();
                        let left = self.counting_rule.moves_left(after.armies(), side, !side);
                        is_capture
                            && after.armies()[(!side).index()].is_empty()
                            && matches!((value, left), (Value::Loss(moves), Some(left)) if moves > left)
                    });
                }
                let mate = mate().wdl();
                let keeps =
                    |after: &Position| stored(after, tables()).unwrap().wdl().reversed() == mate;
                let kept: Vec<_> = after.filter(|(_, after)| keeps(after)).collect();
                match test {
                    MoveTest::OnlyMove => kept.len() == 1 && moves.len() > 1,
                    _ => kept.iter().any(|(played, _)| position.at(played.to).is_none()),
                }
            }
        }
    }

    /// All legal positions of the whole board with the white king on one square.
    fn positions(&self, king: Square) -> impl Iterator<Item = Position> {
        let index = self.index();
        let others = index.pieces().len() as u32;
        let squares = move |number: usize| {
            (0..=others).map(move |piece| Square::wrapping(number >> (6 * piece)))
        };
        let placements = (0..1usize << (6 * (others + 1))).map(move |number| {
            let mut squares = squares(number);
            Placement::new([king, squares.next().unwrap()], squares)
        });
        // Like pieces in one order only.
        let ordered = move |placement: &Placement| {
            index.groups().iter().all(|group| {
                placement.pieces[group.first..group.first + group.count].is_sorted_by(|a, b| a > b)
            })
        };
        let legal = move |placement: Placement| {
            Side::BOTH
                .into_iter()
                .filter_map(move |side| legal_position(index, &placement, side, self.variant()))
        };
        placements.filter(ordered).flat_map(legal)
    }
}

fn matches(query: &Query<'_>) -> Vec<QueryMatch> {
    let mut matches = Vec::new();
    let reader = |more: &[QueryMatch]| {
        matches.extend_from_slice(more);
        ControlFlow::Continue(())
    };
    query.each(reader, &|_| ()).unwrap();
    matches
}

const OF_ALL: [&str; 31] = [
    "win and one_in(3) or check and one_in(5)",
    "win or not win",
    "side=white",
    "side=black and loss",
    "not win and not draw",
    "winner=white",
    "winner!=black",
    "too_late",
    "in_time and dtm>5",
    "category=cursed-win or category=blessed-loss",
    "category!=draw and category!=loss",
    "dtm<=3 and side=white or dtm=7",
    "counted>2 and counted!=4",
    "mate",
    "check",
    "check and not loss",
    "zugzwang",
    "zugzwang and K on rank 5-8",
    "K=e1",
    "k on rank 1 and stalemate",
    "k on file a and only_move and not (stalemate or check)",
    "K on rank 8 and draw and not quiet",
    "distance(K,k)=2 and (only_move or dtm<4)",
    "k on corner and dtm<4",
    "K on file a-c|d4 or k on centre",
    "same_colour(K,k)",
    "not K on light and (check or win)",
    "side=white and win and not in_time and k on centre",
    "K=a1 and k=b3",
    "K=a1 and k=d4",
    "K on dark and k on dark and K on rank 1-2",
];

/// The matches of a plain filter: positions by side to move, and for each set of images of a
/// position the lowest address of a match.
#[derive(Clone, Default)]
struct Plain {
    positions: [u64; 2],
    lowest: BTreeMap<(Side, u64), u64>,
}

impl Plain {
    fn add(&mut self, class: (Side, u64), slot: u64) {
        let lowest = self.lowest.entry(class).or_insert(slot);
        *lowest = slot.min(*lowest);
    }
}

/// Compares expressions on a material: counts, the list, and the values of each match. Returns the
/// expressions that have matches.
#[track_caller]
fn compare<'a>(tables: &QueryTables, texts: &[&'a str], left: Option<Moves>) -> BTreeSet<&'a str> {
    let material = tables.index().material();
    let expressions: Vec<Expression> =
        texts.iter().map(|text| parse(text, material).unwrap()).collect();
    let holds = |expression: &Expression, position: &Position, values: &dyn Fn() -> [Value; 2]| {
        expression.holds(&|condition| tables.is((position, values), condition, left))
    };
    let with_king = |king: Square| {
        let mut found = vec![Plain::default(); texts.len()];
        for position in tables.positions(king) {
            let values = LazyCell::new(|| tables.values(&position));
            // Its own address, and the lowest address of its images.
            let addresses =
                LazyCell::new(|| (tables.address(&position), tables.lowest_image(&position)));
            for (plain, expression) in found.iter_mut().zip(&expressions) {
                if holds(expression, &position, &|| *values) {
                    let (place, class) = *addresses;
                    plain.positions[position.side().index()] += 1;
                    plain.add((class.side, class.slot.0), place.slot.0);
                }
            }
        }
        found
    };
    let categories = Category::ALL.map(|category| {
        let word = format!("category={}", Category::name(category));
        (category, parse(&word, material).unwrap())
    });
    let subtables: Vec<Arc<dyn TableCodes>> =
        tables.subtables.iter().map(|table| Arc::clone(table) as Arc<dyn TableCodes>).collect();
    let kings: Vec<Square> = Square::all().collect();
    let found: Vec<Vec<Plain>> = kings.into_par_iter().map(with_king).collect();
    let mut matched = BTreeSet::new();
    for (number, (text, expression)) in texts.iter().zip(&expressions).enumerate() {
        let found = || found.iter().map(|found| &found[number]);
        let of = |side: usize| found().map(|plain| plain.positions[side]).sum();
        let mut all = Plain::default();
        for (&class, &slot) in found().flat_map(|plain| &plain.lowest) {
            all.add(class, slot);
        }
        let places: BTreeSet<(Side, u64)> =
            all.lowest.into_iter().map(|((side, _), slot)| (side, slot)).collect();
        let expected = MatchCount { positions: [of(0), of(1)], distinct: places.len() as u64 };
        let search =
            Query::new(expression, tables.source(), &[], tables.counting_rule, left).unwrap();
        let search = search.with_subtables(&subtables);
        assert_eq!(search.count(&|_| ()).unwrap(), expected, "{material} {text}");
        if expected.distinct > 0 {
            matched.insert(*text);
        }

        let matches = matches(&search);
        let listed = matches.iter().map(|found| (found.address.side, found.address.slot.0));
        assert!(listed.eq(places), "{material} {text}");
        for found in matches {
            let position = found.position(tables.index(), tables.variant()).unwrap();
            let values = tables.values(&position);
            assert!(holds(expression, &position, &|| values), "{material} {text} {position}");
            assert_eq!(tables.address(&position), found.address);
            assert_eq!(values, [found.mate, found.counted.unwrap()]);
            let category = search.category(&found).unwrap();
            let asked = categories.iter().find(|(other, _)| *other == category);
            let is = asked.is_some_and(|(_, asked)| holds(asked, &position, &|| values));
            assert!(is, "{material} {text} {position}");
        }
    }
    matched
}

/// Compares expressions with matches and expressions without.
#[track_caller]
fn compare_known(tables: &QueryTables, matched: &[&str], unmatched: &[&str]) {
    let found = compare(tables, &[matched, unmatched].concat(), None);
    assert_eq!(found, matched.iter().copied().collect(), "{}", tables.index().material());
}

#[test]
fn three_men_are_found_as_by_a_plain_filter() {
    let mut matched_of_all = BTreeSet::new();
    for (material, matched, unmatched) in [
        (
            "KRvK",
            &["R=d4", "R on rank 8 and not k on rank 8", "same_colour(R,K,k)"][..],
            &[
                "zugzwang and K on rank 1-4",
                "K on rank 8 and win and not quiet",
                "side=white and win and not in_time and k on edge",
            ][..],
        ),
        (
            "KPvK",
            &["P on file a", "all P on rank 5 and check", "P on rank 4|rank 6"],
            &["all P on rank 5 and win"],
        ),
        ("KMvK", &["M on light|edge"], &["in_time", "too_late and side=white"]),
        (
            "KSvK",
            &["S on edge and zugzwang", "zugzwang", "zugzwang and K on rank 5-8"],
            &["zugzwang and K on rank 1-4"],
        ),
    ] {
        let tables = QueryTables::of(material, MAKRUK.counting());
        if ["KRvK", "KPvK"].contains(&material) {
            matched_of_all.extend(compare(&tables, &OF_ALL, None));
        }
        compare_known(&tables, matched, unmatched);
        matched_of_all.extend(matched);
        // No count runs with a pawn on the board.
        if material != "KPvK" {
            for left in [3, 6] {
                compare(&tables, &["in_time", "too_late and side=white"], Some(Moves(left)));
            }
        }
    }
    let missing = OF_ALL.into_iter().filter(|text| !matched_of_all.contains(text));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
    compare_known(&QueryTables::of("KRvK", OUK.counting()), &["in_time", "too_late"], &[]);
    // A pawn has a choice of promotions, each of them a move.
    let tables = QueryTables::of("KPvK", ASEAN.counting());
    compare_known(&tables, &["only_move and P on rank 7"], &[]);
}

#[test]
#[ignore = "long: part of the full tests"]
fn four_men_are_found_as_by_a_plain_filter() {
    for (material, matched, unmatched) in [
        (
            "KSvKS",
            &["mutual_zugzwang", "zugzwang and side=black", "in_time and K=a1"][..],
            &["too_late and K=a1"][..],
        ),
        (
            "KMvKM",
            &[
                "M=d4 and distance(M,m)=1 and check",
                "M=d4 and m on edge and K=e1",
                "m=c3 and check",
                "k on edge and win",
            ],
            &["M=d4 and distance(M,m)=1 and not quiet", "m=c3 and check and win"],
        ),
        (
            "KMMvK",
            &[
                "all M on light and k=a8",
                "k on corner and win",
                "k on corner and distance(M,M)=1 and only_move",
                "same_colour(M,k) and K=b2",
                // Kings on a diagonal: mirror images in two slots; both or one of them match.
                "K=a1 and k=c3",
                "K=a1 and k=c3 and M on file g",
                "K=b2 and k=h8 and all M on rank 1-4",
                "not (K on rank 1-7 or k on file b-h) and win",
                "(K=d4 and k=a1 or k=h8 and K=c3) and M=e5",
            ],
            &["M=d4 and M=e4 and win", "K=a1 and k on rank 1 and distance(M,M)>=5 and only_move"],
        ),
        (
            "KPvKP",
            &["P=a4 and p=b5 and check", "p on rank 3-4 and K on file h and k=c5"],
            &["P=a4 and p=b5 and side=black and win"],
        ),
        ("KPPvK", &["zugzwang", "k on corner and win"], &["k=d4 and too_late"]),
        (
            "KRvKM",
            &[
                "side=black and k on rank 1 and R on rank 2 and not quiet",
                "K=d4 and late_capture",
                "K on c3|b6 and k on edge and late_capture and in_time",
            ],
            &[],
        ),
        ("KRvKR", &["side=black and K=d4 and k on rank 2 and late_capture"], &[]),
        ("KRvKP", &["K on rank 3 and k on file b and late_capture"], &[]),
    ] {
        compare_known(&QueryTables::of(material, MAKRUK.counting()), matched, unmatched);
    }
}

#[test]
fn whoever_is_to_move_is_in_zugzwang() {
    // A table of four men with zugzwangs and with the same pieces on both sides.
    for (material, expected) in [("KSvK", [12, 12]), ("KSvKS", [4, 4]), ("KNMvK", [1056, 1056])] {
        let tables = QueryTables::of(material, MAKRUK.counting());
        let expression = parse("zugzwang", tables.index().material()).unwrap();
        let search =
            Query::new(&expression, tables.source(), &[], tables.counting_rule, None).unwrap();
        assert_eq!(search.count(&|_| ()).unwrap().positions, expected);
    }
}

#[test]
fn counts_are_those_of_the_statistics() {
    for material in ["KSMvK", "KRvKM", "KPPvK", "KRvKR", "KMvKP"] {
        let tables = QueryTables::of(material, MAKRUK.counting());
        let source = tables.source();
        let statistics = Statistics::of(source, tables.counting_rule, &|_| ()).unwrap();
        let count = |text: &str| {
            let expression = parse(text, tables.index().material()).unwrap();
            let search =
                Query::new(&expression, tables.source(), &[], tables.counting_rule, None).unwrap();
            search.count(&|_| ()).unwrap().positions
        };
        let sides = [&statistics.white_to_move, &statistics.black_to_move];
        assert_eq!(count("not mate or mate"), sides.map(|side| side.legal));
        assert_eq!(count("win"), sides.map(|side| side.wins));
        let fresh = sides.map(|side| side.at_fresh_count.as_ref().unwrap());
        assert_eq!(count("win and too_late"), fresh.map(|count| count.cursed_wins));
        assert_eq!(count("category=loss"), fresh.map(|count| count.losses));
        let past = sides
            .map(|side| side.to_mate.win_histogram.range(Moves(9)..).map(|(_, n)| n).sum::<u64>());
        assert_eq!(count("win and dtm>8"), past);
    }
}

#[test]
fn samples_are_matches_in_order_and_spread() {
    let tables = QueryTables::of("KSMvK", MAKRUK.counting());
    let expression = parse("win and too_late", tables.index().material()).unwrap();
    let search = Query::new(&expression, tables.source(), &[], tables.counting_rule, None).unwrap();
    let all = matches(&search);
    let drawn = |most, seed| {
        let drawn = search.first(most, MatchOrder::Random { seed }, &|_| ()).unwrap();
        drawn.into_iter().map(|(_, found)| found).collect::<Vec<QueryMatch>>()
    };
    let [one, same, other] = [(500, 1), (500, 1), (500, 2)].map(|(most, seed)| drawn(most, seed));
    assert_eq!((one.len(), &one), (500, &same));
    assert_ne!(one, other);
    let mut place = -1;
    for found in &one {
        let next = all.iter().position(|other| other == found).unwrap() as i64;
        assert!(next > place);
        place = next;
    }
    let half = all.len() / 2;
    let first_half = one.iter().filter(|found| all[..half].contains(found)).count();
    assert!((190..310).contains(&first_half), "{first_half}");
    assert_eq!(drawn(all.len() + 1, 3), all);
}

#[test]
fn the_first_matches_in_an_order_are_those_of_a_sort() {
    let tables = QueryTables::of("KRvKM", MAKRUK.counting());
    let expression = parse("side=white and K=a1", tables.index().material()).unwrap();
    let search = Query::new(&expression, tables.source(), &[], tables.counting_rule, None).unwrap();
    let all = matches(&search);
    let cell = |column, found: &QueryMatch| match column {
        OrderColumn::Result => Some(found.mate.wdl() as u32),
        OrderColumn::DistanceToMate => found.mate.moves().map(|moves| moves.0),
        OrderColumn::Category => Some(search.category(found).unwrap() as u32),
        OrderColumn::Counted => found.counted.unwrap().moves().map(|moves| moves.0),
    };
    for column in OrderColumn::ALL {
        for descending in [false, true] {
            let mut sorted = all.clone();
            // A stable sort: ties stay in the order of the list; empty cells come last.
            sorted.sort_by_key(|found| {
                let key = cell(column, found);
                let key = key.map(|key| if descending { u32::MAX - key } else { key });
                (key.is_none(), key)
            });
            for most in [1, 700, all.len() + 1] {
                let order = MatchOrder::By { column, descending };
                let first = search.first(most, order, &|_| ()).unwrap();
                assert!(first.is_sorted_by_key(|&(rank, _)| rank));
                let empty = first.iter().map(|(rank, found)| (rank.is_empty(), found));
                assert!(empty.clone().all(|(empty, found)| empty == cell(column, found).is_none()));
                let first: Vec<QueryMatch> = first.into_iter().map(|(_, found)| found).collect();
                assert_eq!(first, sorted[..most.min(sorted.len())], "{column:?} {descending}");
            }
        }
    }
    let draws = all.iter().filter(|found| found.mate == Value::Draw).count();
    assert!(draws > 0 && draws < all.len());
}

/// The search that starts at the longest mate finds the same matches as a full search.
#[test]
fn the_longest_mates_are_those_of_the_order() {
    for (material, texts) in [
        (
            "KRvKM",
            &["win", "loss or win", "winner=black", "side=white and k on corner", "draw"][..],
        ),
        ("KSvKS", &["win", "side=black", "not draw and K=a1"]),
        ("KPPvK", &["zugzwang", "win and check", "dtm<9", "mate", "P=d4 or loss"]),
        ("KNMvK", &["mutual_zugzwang and dtm>3", "in_time", "counted>5 or dtm=3"]),
    ] {
        let tables = QueryTables::of(material, MAKRUK.counting());
        for text in texts {
            let expression = parse(text, tables.index().material()).unwrap();
            let search =
                Query::new(&expression, tables.source(), &[], tables.counting_rule, None).unwrap();
            let order = MatchOrder::By { column: OrderColumn::DistanceToMate, descending: true };
            for most in [1, 40, 3000] {
                let mut expected = search.first(most, order, &|_| ()).unwrap();
                expected.retain(|(rank, _)| !rank.is_empty());
                let found = search.longest(most, Moves(0), &|_| ()).unwrap();
                assert_eq!(found, expected, "{material} {text} {most}");
                let Some((_, last)) = expected.last() else { continue };
                let least = last.mate.moves().unwrap();
                let found = search.longest(most, least, &|_| ()).unwrap();
                assert_eq!(found, expected, "{material} {text} {most} {least:?}");
                let more = Moves(least.0 + 1);
                expected.retain(|(_, found)| found.mate.moves() >= Some(more));
                let found = search.longest(most, more, &|_| ()).unwrap();
                assert_eq!(found, expected, "{material} {text} {most} {more:?}");
            }
        }
    }
}

#[test]
fn what_is_in_time_takes_the_table_that_says_it() {
    let tables = QueryTables::of("KRvKM", MAKRUK.counting());
    let material = tables.index().material();
    let source = TablePair { mate: &*tables.mate, counted: None };
    let search = |expression: &Expression| {
        Query::new(expression, source, &[], tables.counting_rule, None)
            .map(|search| matches(&search))
    };
    let error = search(&parse("in_time", material).unwrap());
    assert!(matches!(error, Err(QueryError::NotCounted(_))));
    let matches = search(&parse("dtm=1 and win", material).unwrap()).unwrap();
    assert!(!matches.is_empty() && matches.iter().all(|found| found.counted.is_none()));
}

#[test]
fn in_time_by_another_rule_is_in_time_in_a_query_by_that_rule() {
    // With and without a table of counted distance, and with pawns.
    for material in ["KRvKN", "KSMvK", "KRvK", "KRPvK"] {
        let [makruk, ouk] = [&MAKRUK, &OUK].map(|game| QueryTables::of(material, game.counting()));
        let parsed = |text: &str| parse(text, makruk.index().material()).unwrap();
        let counted = |tables: &QueryTables, others: &[OtherRuleTable<'_>], text: &str| {
            let (expression, rule) = (parsed(text), tables.counting_rule);
            let search = Query::new(&expression, tables.source(), others, rule, None);
            search.unwrap().count(&|_| ()).unwrap()
        };
        let name = TableName::deciding(ouk.index().material(), Metric::Counted(OUK.counting()));
        let is_counted = name.metric.counting_rule().is_some();
        let by_ouk = is_counted.then_some(&*ouk.deciding as &dyn TableCodes);
        let others = [OtherRuleTable { counting_rule: OUK.counting(), codes: by_ouk }];
        for [by_name, plain] in [["in_time(ouk)", "in_time"], ["too_late(ouk)", "too_late"]] {
            let found = counted(&makruk, &others, by_name);
            assert_eq!(found, counted(&ouk, &[], plain), "{material} {plain}");
            assert!(found.distinct > 0);
        }
        // Ouk leaves one move less.
        assert!(counted(&makruk, &others, "in_time and too_late(ouk)").distinct > 0);
        let more = counted(&makruk, &others, "too_late and in_time(ouk)");
        assert_eq!(more, MatchCount::default(), "{material}");
    }
}

#[test]
fn a_rule_of_another_game_or_without_its_table_is_refused() {
    let tables = QueryTables::of("KRvKN", MAKRUK.counting());
    let error = |text: &str, others: &[OtherRuleTable<'_>], left| {
        let expression = parse(text, tables.index().material()).unwrap();
        let rule = tables.counting_rule;
        Query::new(&expression, tables.source(), others, rule, left).err()
    };
    assert!(matches!(error("in_time(ouk)", &[], None), Some(QueryError::NotCounted(_))));
    assert!(matches!(error("in_time(shatranj)", &[], None), Some(QueryError::OtherVariant { .. })));
    let own = [OtherRuleTable { counting_rule: MAKRUK.counting(), codes: Some(&*tables.deciding) }];
    assert!(error("in_time(makruk)", &own, None).is_none());
    let left = Some(Moves(3));
    assert!(matches!(error("in_time(makruk)", &own, left), Some(QueryError::LeftBy { .. })));
}

#[test]
fn mirror_images_are_selected_together_though_both_kings_are_on_a_diagonal() {
    let tables = QueryTables::of("KRvK", MAKRUK.counting());
    let count = |[white, black]: [Square; 2], rook: Square| {
        let text = format!("one_in(2) and K={white} and k={black} and R={rook}");
        let expression = parse(&text, tables.index().material()).unwrap();
        let rule = tables.counting_rule;
        let search = Query::new(&expression, tables.source(), &[], rule, None).unwrap();
        search.count(&|_| ()).unwrap().positions
    };
    let squares = |names: &[&str]| -> Vec<Square> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    };
    for kings in [["a1", "c3"], ["h1", "f3"]] {
        let kings: [Square; 2] = squares(&kings).try_into().unwrap();
        let leaves = |symmetry: &Symmetry| kings.map(|king| symmetry.square(king)) == kings;
        let mirrors: Vec<Symmetry> = Symmetry::all().filter(leaves).collect();
        assert_eq!(mirrors.len(), 2);
        for rook in squares(&["d1", "e1", "f1", "e2", "b4", "h5"]) {
            let found = mirrors.iter().map(|mirror| count(kings, mirror.square(rook)));
            let found: Vec<[u64; 2]> = found.collect();
            assert_eq!(found[0], found[1], "{kings:?} {rook}");
        }
    }
}

#[test]
fn colours_changed_are_images_of_one_slot() {
    let tables = QueryTables::of("KMvKM", MAKRUK.counting());
    let material = tables.index().material();
    let found = |text: &str| {
        let expression = parse(text, material).unwrap();
        let search =
            Query::new(&expression, tables.source(), &[], tables.counting_rule, None).unwrap();
        let position = |found: &QueryMatch| found.position(tables.index(), &MAKRUK).unwrap();
        matches(&search).iter().map(position).collect::<Vec<Position>>()
    };
    let (white, black) = (found("mate and side=white"), found("mate and side=black"));
    assert_eq!((white.len(), white.len()), (black.len(), found("mate").len()));
    for (white, black) in white.iter().zip(black) {
        assert_eq!(white.colours_exchanged(), black);
    }
}
