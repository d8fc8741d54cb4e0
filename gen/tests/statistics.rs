//! Statistics against results known from elsewhere; the sources are those of the names.

mod solved;

use rayon::prelude::*;
use sakmak_gen::legal::legal_position;
use sakmak_gen::statistics::{Histogram, Statistics};
use sakmak_gen::walk::Walk;
use sakmak_tables::counting::Profile;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::{Placement, Slot};
use sakmak_tables::man::Side;
use sakmak_tables::position::Position;
use sakmak_tables::square::Square;
use sakmak_tables::turn::Turn;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{MAKRUK, OUK};
use solved::Solved;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// What these tests have solved.
static SOLVED: LazyLock<Solved> = LazyLock::new(Solved::default);

fn statistics(name: &str, variant: &'static Variant, profile: &Profile) -> Statistics {
    let table = SOLVED.solve(name.parse().unwrap());
    Statistics::of(&table, variant, profile, &|_| ()).unwrap()
}

fn of(name: &str) -> Statistics {
    statistics(name, &MAKRUK, MAKRUK.counting())
}

/// The "krkopt" data set of the UCI repository, for the same men in chess: of positions
/// that are turned images of one another, one; 2796 drawn, and these lost in 0 to 16.
const KRKOPT: [u64; 17] =
    [27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390];

#[test]
fn rook_against_king_as_in_krkopt() {
    let rook = of("KRvK");
    let (white, black) = (&rook.white_to_move, &rook.black_to_move);
    assert_eq!((white.legal, white.wins, white.draws, white.losses), (175_168, 175_168, 0, 0));
    assert_eq!(white.longest_win.as_ref().unwrap().moves, Moves(16));
    assert_eq!((black.wins, black.legal), (0, black.losses + black.draws));
    assert_eq!(black.longest_loss.as_ref().unwrap().moves, Moves(16));

    let table = SOLVED.solve("KRvK".parse().unwrap());
    let (mut folded, mut drawn) = (BTreeMap::new(), 0);
    let (mut whole, mut drawn_whole) = (BTreeMap::new(), 0);
    let pairs = || Square::all().flat_map(|king| Square::all().map(move |bare| [king, bare]));
    for (kings, rook) in pairs().flat_map(|kings| Square::all().map(move |rook| (kings, rook))) {
        let placement = Placement::new(kings, [rook]);
        let legal = legal_position(table.index(), &placement, Side::Black, &MAKRUK);
        // Of eight images, or fewer on a diagonal, the least stands for all.
        let image = |turn: Turn| [kings[0], kings[1], rook].map(|square| turn.square(square));
        let images: BTreeSet<[Square; 3]> = Turn::all().map(image).collect();
        if legal.is_none() || images.first() != Some(&image(Turn::IDENTITY)) {
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
    assert_eq!((&whole, drawn_whole), (&black.loss_histogram, black.draws));
}

/// A rook: 16 less three men, a khon: 44 less four, with the runner to move; one more with
/// the attacker to move; in Ouk, where the game is drawn when the limit is reached, one
/// less. As play-outs with Fairy-Stockfish had it.
#[test]
fn the_last_mates_in_time() {
    for (name, variant, runner_first) in
        [("KRvK", &*MAKRUK, 13), ("KRvK", &*OUK, 12), ("KSMvK", &*MAKRUK, 40), ("KSMvK", &*OUK, 39)]
    {
        let counted = statistics(name, variant, variant.counting());
        let (white, black) = (counted.white_to_move, counted.black_to_move);
        let within = |histogram: &Histogram, most| -> u64 {
            histogram.range(..=Moves(most)).map(|(_, count)| count).sum()
        };
        let wins = within(&white.win_histogram, runner_first + 1);
        let losses = within(&black.loss_histogram, runner_first);
        assert_eq!((white.wins_in_time, white.losses_in_time), (Some(wins), Some(0)));
        assert_eq!((black.wins_in_time, black.losses_in_time), (Some(0), Some(losses)));
        assert!(wins < white.wins && losses < black.losses, "{name}");
    }
}

/// Tudsuan and Thanatipanonda, J. Sci. Ladkrabang 35(1), 2026.
#[test]
fn khon_or_knight_and_met_as_published() {
    let khon = of("KSMvK").white_to_move;
    assert_eq!((khon.legal, khon.wins), (12_170_304, 10_438_976));
    assert_eq!(khon.longest_win.unwrap().moves, Moves(57));
    assert_eq!(khon.wins_in_time, Some(10_160_936));
    let within_41: u64 = khon.win_histogram.range(..=Moves(41)).map(|(_, count)| count).sum();
    assert_eq!(within_41, 10_160_936);
    let knight = of("KNMvK").white_to_move;
    assert_eq!((knight.legal, knight.wins), (11_930_016, 472_900));
    assert_eq!(knight.longest_win.unwrap().moves, Moves(36));
}

/// As in chess, the men being the same.
#[test]
fn rook_against_rook_or_knight_as_in_chess() {
    let rooks = of("KRvKR");
    assert_eq!(rooks.white_to_move.longest_win.as_ref().unwrap().moves, Moves(19));
    let knight = of("KRvKN").white_to_move;
    assert_eq!(knight.longest_win.unwrap().moves, Moves(40));
    assert_eq!((knight.wins_in_time, knight.losses_in_time), (None, None));

    // The same men on both sides: Black's numbers are White's, its positions turned round.
    let (white, black) = (rooks.white_to_move, rooks.black_to_move);
    assert_eq!((white.legal, &white.win_histogram), (black.legal, &black.win_histogram));
    let position = |fen: &str| Position::from_fen(&MAKRUK, fen).unwrap();
    let turned = position(&black.longest_win.unwrap().fen);
    let changed = sakmak_gen::legal::with_colours_changed(&turned);
    assert_eq!(changed, Some(position(&white.longest_win.unwrap().fen)));
}

/// Ouk Chatrang page (Cambodian Chess Games), and every Thai source: mets that stand on
/// squares of one colour never leave it, and no number of them mates a bare king.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes a minute without --release")]
fn mets_of_one_colour_never_win() {
    let table = SOLVED.solve("KMMMvK".parse().unwrap());
    let index = table.index();
    let dark = |square: Square| (square.file() + square.rank()).is_multiple_of(2);
    let of_one_colour = AtomicU64::new(0);
    let pairs = index.slots() / index.slots_per_pair();
    let won = (0..pairs).into_par_iter().find_map_any(|pair| {
        let slots = pair * index.slots_per_pair()..(pair + 1) * index.slots_per_pair();
        Walk::over(index, Slot(slots.start)..Slot(slots.end)).find_map(|(slot, placement)| {
            let mut dark = placement.men[..index.men().len()].iter().map(|&square| dark(square));
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
    let all = Statistics::of(&table, &MAKRUK, MAKRUK.counting(), &|_| ()).unwrap();
    assert!(all.white_to_move.wins > 0, "mets of both colours do win");
}
