//! Statistics against results known from elsewhere; the sources are those of the names.

mod solved;

use sakmak_gen::statistics::Statistics;
use sakmak_tables::counting::Profile;
use sakmak_tables::distance::Moves;
use sakmak_tables::position::Position;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{MAKRUK, OUK};
use solved::Solved;

fn statistics(name: &str, variant: &'static Variant, profile: &Profile) -> Statistics {
    let table = Solved::default().solve(name.parse().unwrap());
    Statistics::of(&table, variant, profile, &|_| ()).unwrap()
}

fn of(name: &str) -> Statistics {
    statistics(name, &MAKRUK, MAKRUK.counting)
}

/// The "krkopt" data set of the UCI repository, for the same men in chess.
#[test]
fn rook_against_king_as_in_krkopt() {
    let rook = of("KRvK");
    let (white, black) = (&rook.white_to_move, &rook.black_to_move);
    assert_eq!((white.legal, white.wins, white.draws, white.losses), (175_168, 175_168, 0, 0));
    let longest = white.longest_win.as_ref().unwrap();
    assert_eq!(longest.moves, Moves(16));
    assert_eq!((black.wins, black.legal), (0, black.losses + black.draws));
    assert_eq!(black.longest_loss.as_ref().map(|longest| longest.moves), Some(Moves(16)));
    assert_eq!(black.loss_histogram.values().sum::<u64>(), black.losses);
    // Folded to 28,056 there: eight images each, but those on a diagonal.
    assert_eq!(black.loss_histogram[&Moves(0)], 27 * 8);
}

/// The count of a rook: 16 less three men, one more with the attacker to move; the Ouk
/// count is one less.
#[test]
fn rook_against_king_in_time() {
    for (variant, black_limit) in [(&*MAKRUK, 13), (&*OUK, 12)] {
        let rook = statistics("KRvK", variant, variant.counting);
        let (white, black) = (rook.white_to_move, rook.black_to_move);
        let wins = white.win_histogram.range(..=Moves(black_limit + 1)).map(|(_, n)| n).sum();
        let losses = black.loss_histogram.range(..=Moves(black_limit)).map(|(_, n)| n).sum();
        assert_eq!((white.wins_in_time, white.losses_in_time), (Some(wins), Some(0)));
        assert_eq!((black.wins_in_time, black.losses_in_time), (Some(0), Some(losses)));
        assert!(wins < white.wins && losses < black.losses);
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

#[test]
fn json_has_the_keys_and_histograms_in_the_order_of_moves() {
    let json = serde_json::to_string(&of("KRvK")).unwrap();
    assert!(json.starts_with(r#"{"material":"KRvK","variant":"makruk","white_to_move":{"legal":"#));
    assert!(json.contains(r#""wins_in_time":"#) && json.contains(r#""black_to_move":"#));
    let histogram = json.split(r#""win_histogram":{"#).nth(1).unwrap().split('}').next().unwrap();
    let moves: Vec<u32> = histogram
        .split(',')
        .map(|entry| entry.split('"').nth(1).unwrap().parse().unwrap())
        .collect();
    assert_eq!(moves, (1..=16).collect::<Vec<u32>>());
    assert!(json.contains(r#""longest_loss":null"#) && json.contains(r#"{"moves":16,"fen":""#));

    let pawn = serde_json::to_string(&of("KPvK")).unwrap();
    assert!(pawn.contains(r#""wins_in_time":null,"losses_in_time":null"#));
}
