//! Statistics compared with published results; the test names give the sources.

use crate::solved::SOLVED;
use rayon::prelude::*;
use sakmak_analysis::statistics::{
    FoldedStatistics, FreshCount, InTimeExtent, LongestDistance, Statistics, StatisticsError,
};
use sakmak_make::census::Histogram;
use sakmak_solve::slots::legal::legal_position;
use sakmak_solve::slots::walk::Walk;
use sakmak_tables::board::square::Square;
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::{Placement, Slot};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Values;
use sakmak_tables::values::codes::{TableCodes, TablePair};
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::{self, MAKRUK, OUK};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The statistics of a material, and its tables of distance to mate and, if it exists, of counted
/// distance.
fn counted(
    name: &str,
    counting_rule: &'static CountingRule,
) -> (Statistics, Arc<Table>, Option<Arc<Table>>) {
    let material = name.parse().unwrap();
    let mate = SOLVED.table(TableName::to_mate(material)).unwrap();
    let name = TableName::deciding(material, Metric::Counted(counting_rule));
    let by_count = name.metric != Metric::DistanceToMate;
    let counted = by_count.then(|| SOLVED.table(name).unwrap());
    let source = TablePair { mate: &*mate, counted: counted.as_deref().map(|table| table as _) };
    let statistics = Statistics::of(source, counting_rule, &|_| ()).unwrap();
    (statistics, mate, counted)
}

fn of(name: &str) -> Statistics {
    counted(name, MAKRUK.counting()).0
}

/// The "krkopt" data set of the UCI repository, for the same pieces in chess. Images under a
/// symmetry count once; 2796 draws, and these losses in 0 to 16 moves.
const KRKOPT: [u64; 17] =
    [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390];

#[test]
fn rook_against_king_as_in_krkopt() {
    let rook = of("KRvK");
    let (white, black) = (&rook.white_to_move, &rook.black_to_move);
    assert_eq!((white.legal, white.wins, white.draws, white.losses), (175_168, 175_168, 0, 0));
    assert_eq!(white.to_mate.longest_win.as_ref().unwrap().moves, Moves(16));
    assert_eq!((black.wins, black.legal), (0, black.losses + black.draws));
    assert_eq!(black.to_mate.longest_loss.as_ref().unwrap().moves, Moves(16));

    let table = SOLVED.table("KRvK".parse().unwrap()).unwrap();
    let (mut folded, mut drawn) = (BTreeMap::new(), 0);
    let (mut whole, mut drawn_whole) = (BTreeMap::new(), 0);
    let pairs = || Square::all().flat_map(|king| Square::all().map(move |bare| [king, bare]));
    for (kings, rook) in pairs().flat_map(|kings| Square::all().map(move |rook| (kings, rook))) {
        let placement = Placement::new(kings, [rook]);
        let legal = legal_position(table.index(), &placement, Side::Black, &MAKRUK);
        // Among eight images, or fewer on a diagonal, the lowest slot counts.
        let image =
            |symmetry: Symmetry| [kings[0], kings[1], rook].map(|square| symmetry.square(square));
        let images: BTreeSet<[Square; 3]> = Symmetry::all().map(image).collect();
        if legal.is_none() || images.first() != Some(&image(Symmetry::IDENTITY)) {
            continue;
        }
        let slot = table.index().slot(&placement).unwrap();
        match table.value(Side::Black, slot).unwrap() {
            Value::Loss(moves) => {
                *folded.entry(moves).or_insert(0) += 1;
                *whole.entry(moves).or_insert(0) += images.len() as u64;
            }
            Value::Draw => {
                drawn += 1;
                drawn_whole += images.len() as u64;
            }
            Value::Win(_) => panic!("a bare king wins"),
        }
    }
    assert_eq!(folded, (0..).map(Moves).zip(KRKOPT).collect());
    assert_eq!((drawn, drawn + KRKOPT.iter().sum::<u64>()), (2796, 28_056));
    assert_eq!((&whole, drawn_whole), (&black.to_mate.loss_histogram, black.draws));
    let counted = FoldedStatistics::of(&*table, &MAKRUK.rules).unwrap();
    let folded = FoldedStatistics { positions: 28_056, draws: drawn, loss_histogram: folded };
    assert_eq!(counted, Some(folded));
    let four = SOLVED.table("KMMvK".parse().unwrap()).unwrap();
    assert_eq!(FoldedStatistics::of(&*four, &MAKRUK.rules).unwrap(), None);
}

/// Moves left: 16 less three men with a rook, 44 less four with a khon, with the runner to move.
/// One move more with the attacker to move. One move less in Ouk, where the game is drawn at the
/// limit. Play-outs with Fairy-Stockfish give the same numbers.
#[test]
fn the_last_mates_in_time() {
    for (name, variant, runner_first) in
        [("KRvK", &*MAKRUK, 13), ("KRvK", &*OUK, 12), ("KSMvK", &*MAKRUK, 40), ("KSMvK", &*OUK, 39)]
    {
        let Statistics { white_to_move: white, black_to_move: black, .. } =
            counted(name, variant.counting()).0;
        let within = |histogram: &Histogram, most| -> u64 {
            histogram.range(..=Moves(most)).map(|(_, count)| count).sum()
        };
        let wins = within(&white.to_mate.win_histogram, runner_first + 1);
        let losses = within(&black.to_mate.loss_histogram, runner_first);
        assert_eq!((white.wins_in_time, white.losses_in_time), (Some(wins), Some(0)));
        assert_eq!((black.wins_in_time, black.losses_in_time), (Some(0), Some(losses)));
        assert!(wins < white.wins && losses < black.losses, "{name}");
        // Distance to mate decides: late wins are wins past the clock.
        assert_eq!((&white.counted, &black.counted), (&None, &None));
        let longest_win = white.at_fresh_count.as_ref().unwrap().longest_win.clone();
        assert_eq!(longest_win.as_ref().unwrap().moves, Moves(runner_first + 1));
        let fresh_count = FreshCount {
            win_clock: Some(Moves(runner_first + 1)),
            loss_clock: None,
            wins,
            cursed_wins: white.wins - wins,
            draws: white.draws,
            blessed_losses: 0,
            losses: 0,
            wins_past_clock: white.wins - wins,
            losses_past_clock: 0,
            longest_win,
            longest_loss: None,
        };
        assert_eq!(white.at_fresh_count, Some(fresh_count));
        let fresh_count = black.at_fresh_count.unwrap();
        assert_eq!(
            (fresh_count.win_clock, fresh_count.loss_clock.unwrap().0),
            (None, runner_first)
        );
        assert_eq!(
            (fresh_count.losses, fresh_count.blessed_losses),
            (losses, black.losses - losses)
        );
    }
}

/// Slot by slot: the category of a position from its two values and the clocks of both sides.
fn fresh_count(
    mate: &Table,
    by_count: &Table,
    counting_rule: &CountingRule,
    side: Side,
) -> FreshCount {
    let index = mate.index();
    let armies = Side::BOTH.map(|side| index.material().army(side));
    let clock = |attacker| counting_rule.moves_left(armies, attacker, side);
    let (win_clock, loss_clock) = (clock(side), clock(!side));
    let fits = |moves: Moves, clock: Option<Moves>| clock.is_none_or(|clock| moves <= clock);
    let mut count = FreshCount {
        win_clock,
        loss_clock,
        wins: 0,
        cursed_wins: 0,
        draws: 0,
        blessed_losses: 0,
        losses: 0,
        wins_past_clock: 0,
        losses_past_clock: 0,
        longest_win: None,
        longest_loss: None,
    };
    for (slot, placement) in Walk::over(index, Slot(0)..Slot(index.slots())) {
        let Some(position) = legal_position(index, &placement, side, &MAKRUK) else { continue };
        let weight = index.weight(slot);
        let values = [mate, by_count].map(|table| table.value(side, slot).unwrap());
        if let Value::Win(moves) = values[0] {
            count.wins_past_clock += if fits(moves, win_clock) { 0 } else { weight };
        }
        if let Value::Loss(moves) = values[0] {
            count.losses_past_clock += if fits(moves, loss_clock) { 0 } else { weight };
        }
        let longest = match values[1] {
            Value::Win(moves) if fits(moves, win_clock) => Some((moves, &mut count.longest_win)),
            Value::Loss(moves) if fits(moves, loss_clock) => Some((moves, &mut count.longest_loss)),
            _ => None,
        };
        if let Some((moves, longest)) = longest
            && longest.as_ref().is_none_or(|longest| longest.moves < moves)
        {
            *longest = Some(LongestDistance { moves, fen: position.to_string() });
        }
        let grade = match values {
            [Value::Win(_), Value::Win(moves)] if fits(moves, win_clock) => &mut count.wins,
            [Value::Win(_), Value::Win(_) | Value::Draw] => &mut count.cursed_wins,
            [Value::Draw, Value::Draw] => &mut count.draws,
            [Value::Loss(_), Value::Loss(moves)] if fits(moves, loss_clock) => &mut count.losses,
            [Value::Loss(_), Value::Loss(_) | Value::Draw] => &mut count.blessed_losses,
            values => panic!("{placement:?}: {values:?}"),
        };
        *grade += weight;
    }
    count
}

#[test]
fn grades_are_those_of_the_positions_one_by_one() {
    for (name, counting_rule) in [
        ("KPvK", "makruk"),
        ("KRvK", "ouk"),
        ("KMMvK", "makruk-khon-first"),
        ("KPPvK", "ouk"),
        ("KPvKP", "makruk"),
        ("KRvKR", "makruk"),
        ("KRvKN", "ouk"),
        ("KRPvK", "ouk"),
        ("KRPvK", "ouk-traditional"),
    ] {
        let counting_rule = variants::counting_rule(counting_rule).unwrap();
        let (statistics, mate, by_count) = counted(name, counting_rule);
        let deciding = by_count.as_ref().unwrap_or(&mate);
        let sides = [statistics.white_to_move, statistics.black_to_move];
        for (&side, counts) in Table::sides(mate.index()).iter().zip(sides) {
            let expected = fresh_count(&mate, deciding, counting_rule, side);
            assert_eq!(counts.at_fresh_count, Some(expected), "{name} {}", counting_rule.name);
            assert_eq!(counts.counted.is_some(), by_count.is_some());
        }
    }
}

/// Every mate comes within the 65 moves of the board's honour. But the knight must be taken on the
/// way, and then 13 moves are left.
#[test]
fn mates_within_the_clock_may_be_too_late_by_another_count() {
    let (rook, ..) = counted("KRvKN", MAKRUK.counting());
    let fresh_count = rook.white_to_move.at_fresh_count.unwrap();
    assert_eq!((fresh_count.win_clock, fresh_count.wins_past_clock), (Some(Moves(65)), 0));
    assert!(fresh_count.cursed_wins > 0 && fresh_count.wins > fresh_count.cursed_wins);
    let by_count = rook.white_to_move.counted.unwrap();
    assert_eq!(by_count.win_histogram.values().sum::<u64>(), fresh_count.wins);
    assert_eq!(rook.white_attacking.in_time, Some(InTimeExtent::Sometimes));
    let won = rook.white_to_move.wins + rook.black_to_move.losses;
    assert_eq!(rook.white_attacking.won, won);
    let losses = rook.black_to_move.at_fresh_count.unwrap().losses;
    assert_eq!(rook.white_attacking.won_in_time, Some(fresh_count.wins + losses));
    // No wins, so none in time or too late.
    let pawn = of("KNvKP");
    assert_eq!((pawn.white_attacking.won, pawn.white_attacking.in_time), (0, None));
}

#[test]
fn tables_that_do_not_belong_together_are_refused() {
    let counting_rule = MAKRUK.counting();
    let (_, mate, by_count) = counted("KRvKN", counting_rule);
    let by_count = by_count.unwrap();
    let of = |mate: &dyn TableCodes, counted: Option<&dyn TableCodes>| {
        Statistics::of(TablePair { mate, counted }, counting_rule, &|_| ())
    };
    // Without the table of counted distance, wins in time are unknown.
    let statistics = of(&*mate, None).unwrap();
    assert_eq!(statistics.white_to_move.at_fresh_count, None);
    assert_eq!(statistics.white_attacking.won_in_time, None);
    let other = SOLVED.table("KRvKM.makruk".parse().unwrap()).unwrap();
    let error = of(&*mate, Some(&*other)).unwrap_err();
    assert!(matches!(error, StatisticsError::Materials { .. }), "{error}");
    let draws = Side::BOTH.map(|side| {
        let values = mate.values(side).unwrap();
        Values::new(values.coding(), vec![0; values.codes().len()])
    });
    let [white, black] = draws;
    let draws = Table::new(mate.index().clone(), white, Some(black));
    let error = of(&draws, Some(&*by_count)).unwrap_err();
    assert!(matches!(error, StatisticsError::Contradiction(_)), "{error}");
}

/// Tudsuan and Thanatipanonda, J. Sci. Ladkrabang 35(1), 2026.
#[test]
fn khon_or_knight_and_met_as_published() {
    let khon = of("KSMvK").white_to_move;
    assert_eq!((khon.legal, khon.wins), (12_170_304, 10_438_976));
    assert_eq!(khon.to_mate.longest_win.unwrap().moves, Moves(57));
    assert_eq!(khon.wins_in_time, Some(10_160_936));
    let within_41: u64 =
        khon.to_mate.win_histogram.range(..=Moves(41)).map(|(_, count)| count).sum();
    assert_eq!(within_41, 10_160_936);
    let knight = of("KNMvK").white_to_move;
    assert_eq!((knight.legal, knight.wins), (11_930_016, 472_900));
    assert_eq!(knight.to_mate.longest_win.unwrap().moves, Moves(36));
}

/// Same as in chess, where the pieces are the same.
#[test]
fn rook_against_rook_or_knight_as_in_chess() {
    let rooks = of("KRvKR");
    assert_eq!(rooks.white_to_move.to_mate.longest_win.as_ref().unwrap().moves, Moves(19));
    let knight = of("KRvKN").white_to_move;
    assert_eq!(knight.to_mate.longest_win.unwrap().moves, Moves(40));
    assert_eq!((knight.wins_in_time, knight.losses_in_time), (None, None));

    // With the same pieces on both sides, Black's numbers equal White's, with exchanged colours.
    let (white, black) = (rooks.white_to_move, rooks.black_to_move);
    assert_eq!(
        (white.legal, &white.to_mate.win_histogram),
        (black.legal, &black.to_mate.win_histogram)
    );
    let position = |fen: &str| Position::from_fen(&MAKRUK, fen).unwrap();
    let turned = position(&black.to_mate.longest_win.unwrap().fen);
    let changed = turned.colours_exchanged();
    assert_eq!(changed, position(&white.to_mate.longest_win.unwrap().fen));
}

/// Ouk Chatrang page (Cambodian Chess Games), and every Thai source: mets on squares of one colour
/// never leave it, and no number of them mates a bare king.
#[test]
#[ignore = "long: part of the full tests"]
fn mets_of_one_colour_never_win() {
    let table = SOLVED.table("KMMMvK".parse().unwrap()).unwrap();
    let index = table.index();
    let dark = |square: Square| (square.file() + square.rank()).is_multiple_of(2);
    let of_one_colour = AtomicU64::new(0);
    let pairs = index.slots() / index.slots_per_pair();
    let won = (0..pairs).into_par_iter().find_map_any(|pair| {
        let slots = pair * index.slots_per_pair()..(pair + 1) * index.slots_per_pair();
        Walk::over(index, Slot(slots.start)..Slot(slots.end)).find_map(|(slot, placement)| {
            let mut dark =
                placement.pieces[..index.pieces().len()].iter().map(|&square| dark(square));
            let first = dark.next();
            if dark.any(|other| Some(other) != first) {
                return None;
            }
            Side::BOTH.into_iter().find_map(|side| {
                let position = legal_position(index, &placement, side, &MAKRUK)?;
                of_one_colour.fetch_add(1, Ordering::Relaxed);
                (table.value(side, slot) != Some(Value::Draw)).then(|| position.fen())
            })
        })
    });
    assert_eq!(won, None);
    assert!(of_one_colour.into_inner() > 1_000_000);
    let source = TablePair { mate: &*table, counted: None };
    let all = Statistics::of(source, MAKRUK.counting(), &|_| ()).unwrap();
    assert!(all.white_to_move.wins > 0, "mets of both colours do win");
}
