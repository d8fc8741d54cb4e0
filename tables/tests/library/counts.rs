//! Counts: how they start and run on (`../data/counts.txt`), and which mates are in time.

use sakmak_tables::counting::{Category, CountingRule, Honour, Party, Phase};
use sakmak_tables::distance::{Moves, Plies, Value};
use sakmak_tables::material::{Army, Material};
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, MAKRUK, OUK};

fn position(variant: &'static Variant, fen: &str) -> Position {
    counted(variant.counting(), fen)
}

fn counted(rule: &'static CountingRule, fen: &str) -> Position {
    Position::from_fen_counted(rule, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn counts_start_run_on_and_change_as_listed() {
    let lines = include_str!("../data/counts.txt").lines();
    let mut checked = 0;
    for line in lines.filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, fen, moves, expected] = fields[..] else { panic!("four fields: {line}") };
        let usual = |_| variants::named(name).map(Variant::counting);
        let rule = variants::counting_rule(name).or_else(usual).unwrap();
        let mut now = counted(rule, fen);
        for text in moves.split_whitespace() {
            let mv = Move::from_uci(now.variant(), text).unwrap();
            assert!(now.legal_moves().contains(&mv), "{text} in {now}");
            now = now.play(mv);
        }
        assert_eq!(now.fen(), expected, "{fen} {moves}");
        assert_eq!(counted(rule, expected).fen(), expected, "read again");
        checked += 1;
    }
    assert!(checked > 0, "no cases");
}

#[test]
fn examples_of_the_rules_have_their_moves() {
    // Two rooks and knight, five men: 8 - 5 moves, the claim at ply 17.
    let fen = "8/8/8/8/3k4/8/8/RR2K2N b - 16 10 1";
    let clock = position(&MAKRUK, fen).clock().unwrap();
    assert_eq!(Some(clock), position(&MAKRUK, fen).fresh_clock());
    assert_eq!(clock.moves_left(Party::Runner), Moves(3));
    let mut ticked = clock;
    while !ticked.is_over() {
        ticked = ticked.ticked();
    }
    assert_eq!(ticked.count(), Plies(17));
    // Two rooks, one given up after the count began: 8 - 4 moves all the same.
    let given_up = position(&MAKRUK, "8/8/8/8/8/8/3k4/K6R w - 16 9 2").clock().unwrap();
    assert_eq!(given_up.moves_left(Party::Attacker), Moves(4));
    assert_eq!(given_up.honour(), Honour::Pieces);
}

fn armies(name: &str) -> [Army; 2] {
    let material: Material = name.parse().unwrap();
    Side::BOTH.map(|side| material.army(side))
}

/// The last loss and the last win in time of a material whose Black is bare.
fn last_in_time(variant: &'static Variant, name: &str) -> (u32, u32) {
    let armies = armies(name);
    let left = |to_move| variant.counting().moves_left(armies, Side::White, to_move).unwrap().0;
    (left(Side::Black), left(Side::White))
}

#[test]
fn fresh_counts_of_whole_materials_leave_the_known_moves() {
    assert_eq!(last_in_time(&MAKRUK, "KRvK"), (13, 14));
    assert_eq!(last_in_time(&OUK, "KRvK"), (12, 13));
    assert_eq!(last_in_time(&MAKRUK, "KSMvK"), (40, 41));
    assert_eq!(last_in_time(&MAKRUK, "KRRvK"), (4, 5));
    assert_eq!(last_in_time(&MAKRUK, "KSSvK"), (18, 19));
    assert_eq!(last_in_time(&MAKRUK, "KNNSvK"), (27, 28));
    assert_eq!(last_in_time(&MAKRUK, "KMMMvK"), (59, 60));
    // As many men as the limit: no move is left.
    assert_eq!(last_in_time(&MAKRUK, "KRRNNSMvK").0, 0);
}

#[test]
fn pieces_honour_wants_a_bare_king_and_no_pawn() {
    for name in ["KPvK", "KRPvK", "KRvKM", "KMvKM"] {
        for variant in variants::all() {
            for attacker in Side::BOTH {
                let phase = variant.counting().phase_against(armies(name), attacker);
                assert_ne!(phase, Phase::PiecesHonour, "{name}");
            }
        }
    }
    // The bare side is never the attacker.
    assert_eq!(MAKRUK.counting().moves_left(armies("KRvK"), Side::Black, Side::Black), None);
}

#[test]
fn rows_are_asked_in_order() {
    for (name, limit) in [
        ("KRRNvK", 8),
        ("KRSSvK", 16),
        ("KSSNNvK", 22),
        ("KSNNvK", 32),
        ("KSNMvK", 44),
        ("KNMvK", 64),
        ("KMvK", 64),
    ] {
        let army = name.parse::<Material>().unwrap().army(Side::White);
        for variant in [&*MAKRUK, &*OUK] {
            assert_eq!(variant.counting().limit(army), Some(Moves(limit)), "{name}");
            let plies = variant.counting().limit_in_plies(Moves(limit));
            assert_eq!(variant.counting().limit_in_moves(plies), Moves(limit));
        }
    }
}

#[test]
fn phases_follow_the_men() {
    for (fen, makruk, ouk) in [
        ("4k3/8/8/8/8/8/8/R3K3 w", Phase::PiecesHonour, Phase::PiecesHonour),
        ("4k3/8/8/8/P7/8/8/R3K3 w", Phase::Free, Phase::BoardsHonour),
        ("4k3/8/8/8/8/8/7r/R3K3 b", Phase::BoardsHonour, Phase::BoardsHonour),
        ("4k3/mmm5/8/8/8/8/MMM5/4K3 w", Phase::BoardsHonour, Phase::Free),
        ("4k3/mmm5/8/8/P7/8/MM6/4K3 w", Phase::Free, Phase::Free),
        ("4k3/8/8/8/8/8/8/4K3 w", Phase::Free, Phase::Free),
    ] {
        assert_eq!(position(&MAKRUK, fen).phase(), makruk, "{fen}");
        assert_eq!(position(&OUK, fen).phase(), ouk, "{fen}");
    }
}

/// The grade of a position with this value, the counted one the same.
fn grade(variant: &'static Variant, fen: &str, value: Value) -> Category {
    position(variant, fen).category(value, value)
}

#[test]
fn mates_are_in_time_up_to_the_last_move() {
    let (runner, attacker) = ("4k3/8/8/8/8/8/8/R3K3 b", "4k3/8/8/8/8/8/8/R3K3 w");
    assert_eq!(grade(&MAKRUK, runner, Value::Loss(Moves(13))), Category::Loss);
    assert_eq!(grade(&MAKRUK, runner, Value::Loss(Moves(14))), Category::BlessedLoss);
    assert_eq!(grade(&MAKRUK, attacker, Value::Win(Moves(14))), Category::Win);
    assert_eq!(grade(&MAKRUK, attacker, Value::Win(Moves(15))), Category::CursedWin);
    assert_eq!(grade(&OUK, runner, Value::Loss(Moves(13))), Category::BlessedLoss);
    assert_eq!(grade(&OUK, attacker, Value::Win(Moves(13))), Category::Win);
    assert_eq!(grade(&MAKRUK, attacker, Value::Draw), Category::Draw);
    // Running counts: three moves are left.
    let running = "4k3/8/8/8/8/8/8/R3K3 b - 32 26 1";
    assert_eq!(grade(&MAKRUK, running, Value::Loss(Moves(3))), Category::Loss);
    assert_eq!(grade(&MAKRUK, running, Value::Loss(Moves(4))), Category::BlessedLoss);
}

#[test]
fn a_mate_on_the_board_comes_before_any_claim() {
    for count in ["- 0", "32 6", "32 32", "32 33"] {
        let mated = format!("k6R/8/1K6/8/8/8/8/8 b - {count} 1");
        assert_eq!(grade(&MAKRUK, &mated, Value::Loss(Moves(0))), Category::Loss);
    }
    // A loss that is not there yet when the draw is claimed.
    let over = position(&MAKRUK, "k7/8/1K6/8/8/8/8/7R b - 32 33 1");
    for moves in [0, 1] {
        let value = Value::Loss(Moves(moves));
        assert_eq!(over.category(value, value), Category::BlessedLoss);
    }
}

#[test]
fn the_boards_honour_asks_for_the_counted_distance() {
    let both = |count: u32| position(&MAKRUK, &format!("4k3/7m/8/8/8/8/8/R3K3 b - 128 {count} 1"));
    let mate = Value::Loss(Moves(30));
    for (count, counted, category) in [
        (120, Value::Loss(Moves(4)), Category::Loss),
        (121, Value::Loss(Moves(4)), Category::Loss),
        (122, Value::Loss(Moves(4)), Category::BlessedLoss),
        (0, Value::Loss(Moves(64)), Category::Loss),
        (0, Value::Loss(Moves(65)), Category::BlessedLoss),
        (0, Value::Draw, Category::BlessedLoss),
    ] {
        assert_eq!(both(count).category(mate, counted), category, "{count} {counted}");
    }
    // One move more with the attacker to move; one less in Ouk.
    let attacker = "4k3/7m/8/8/8/8/8/R3K3 w";
    assert_eq!(grade(&MAKRUK, attacker, Value::Win(Moves(65))), Category::Win);
    assert_eq!(grade(&MAKRUK, attacker, Value::Win(Moves(66))), Category::CursedWin);
    assert_eq!(grade(&OUK, attacker, Value::Win(Moves(64))), Category::Win);
    assert_eq!(grade(&OUK, attacker, Value::Win(Moves(65))), Category::CursedWin);
    // Against a bare king with a pawn on the board, one side counts and the other not.
    let pawn = "4k3/8/8/8/P7/8/8/R3K3 w";
    assert_eq!(grade(&OUK, pawn, Value::Win(Moves(65))), Category::CursedWin);
    assert_eq!(grade(&OUK, &format!("{pawn} - 126 80 1"), Value::Win(Moves(24))), Category::Win);
    let late = format!("{pawn} - 126 81 1");
    assert_eq!(grade(&OUK, &late, Value::Win(Moves(24))), Category::CursedWin);
}

#[test]
fn where_nothing_is_counted_any_number_of_moves_will_do() {
    for (variant, fen) in
        [(&*MAKRUK, "4k3/8/8/8/P7/8/8/R3K3 w"), (&OUK, "4k3/mmm5/8/8/8/8/MMM5/R3K3 w")]
    {
        assert_eq!(grade(variant, fen, Value::Win(Moves(500))), Category::Win);
        let never = position(variant, fen).category(Value::Win(Moves(9)), Value::Draw);
        assert_eq!(never, Category::CursedWin);
    }
    // In Ouk only the side with three men may count; its own count does not bind it.
    let fen = "4k3/8/8/8/8/7r/MM6/MR2K3 b - 126 124 1";
    assert_eq!(grade(&OUK, fen, Value::Loss(Moves(1))), Category::Loss);
    assert_eq!(grade(&OUK, fen, Value::Loss(Moves(2))), Category::BlessedLoss);
    assert_eq!(grade(&OUK, fen, Value::Win(Moves(9))), Category::Win);
    let stopped = position(&OUK, fen).with_own_count_stopped().map(|position| position.clock());
    assert_eq!(stopped, Some(None));
    for fen in ["4k3/8/8/8/8/8/M7/MR2K2r w - 126 9 1", "4k3/8/8/8/8/8/8/R3K3 b - 30 9 1"] {
        assert_eq!(position(&OUK, fen).with_own_count_stopped(), None);
    }
}
