//! The engine: every `go` gets one best move, whatever comes in between.

use crate::sakmak::{command, directory, generated};
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::variants::{MAKRUK, SITTUYIN};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Far longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// White wins in 24 moves and has 25.
const WON: &str = "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21";

/// A running engine.
struct EngineSession {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl EngineSession {
    fn new(arguments: &[&str]) -> EngineSession {
        EngineSession::with_directory(arguments, None)
    }

    fn with_directory(arguments: &[&str], tables: Option<&Path>) -> EngineSession {
        let mut command = command(["uci"].iter().chain(arguments));
        if let Some(tables) = tables {
            command.arg("--tables").arg(tables);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || output.lines().try_for_each(|line| sender.send(line.unwrap())));
        let input = child.stdin.take();
        EngineSession { child, input, lines }
    }

    fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// The next line.
    #[track_caller]
    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    /// The lines up to one that begins with this word, that one included.
    #[track_caller]
    fn until(&self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().unwrap().split(' ').next() == Some(word) {
                return lines;
            }
        }
    }

    /// The best move of a search, and the last line before it.
    #[track_caller]
    fn best_move(&mut self, position: &str, go: &str) -> (String, String) {
        self.send(&format!("position {position}"));
        self.send(go);
        let lines = self.until("bestmove");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap().to_string();
        (best, lines.iter().rev().nth(1).cloned().unwrap_or_default())
    }

    /// The lines up to the end of the program, which must be a good one.
    #[track_caller]
    fn rest(mut self) -> Vec<String> {
        drop(self.input.take());
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not end: {lines:?}"),
            }
        }
        let output = self.child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{output:?}");
        lines
    }
}

fn best_moves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove ")).count()
}

#[test]
fn an_engine_names_itself_and_its_options() {
    let mut engine = EngineSession::new(&[]);
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Sakmak "), "{lines:?}");
    for option in [
        "UCI_Variant",
        "SakmakPath",
        "Hash",
        "Threads",
        "MultiPV",
        "Ponder",
        "UCI_AnalyseMode",
        "Clear Hash",
        "Move Overhead",
    ] {
        let named = format!("option name {option} type ");
        assert!(lines.iter().any(|line| line.starts_with(&named)), "{option}");
    }
    engine.send("isready");
    assert_eq!(engine.line(), "readyok");
    engine.send("quit");
    assert!(engine.rest().is_empty());
}

#[test]
fn a_bad_line_is_told_in_one_line() {
    let mut engine = EngineSession::new(&[]);
    let lines = [
        "xyzzy",
        "stop",
        "ponderhit",
        "position",
        "position fen 8/8/8 w",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 8/8/8/3k4/8/8/8/R3K3 w - 33 5 1",
        "position startpos moves e2e4",
        "position startpos moves d3d4 xx",
        "setoption",
        "setoption name Contempt value 3",
        "setoption name Hash value 0",
        "setoption name Threads value 99",
        "setoption name UCI_Variant value xiangqi",
        "setoption name SakmakPath value /no/such/directory",
        "\u{1b}[2J\u{7}",
    ];
    for line in lines {
        engine.send(line);
        engine.send("isready");
        let told = engine.until("readyok");
        assert!(told.len() == 2 && told[0].starts_with("info string "), "{line}: {told:?}");
        assert!(!told[0].contains(char::is_control), "{line}: {told:?}");
    }
    for line in ["", "  \t ", "debug on", "register later", "ucinewgame"] {
        engine.send(line);
        engine.send("isready");
        assert_eq!(engine.until("readyok").len(), 1, "{line}");
    }
    engine.send_bytes(b"\xff\xfe position\n");
    engine.send_bytes(&[b'x'; 3 << 20]);
    engine.send_bytes(b" go depth 3\nisready\n");
    let told = engine.until("readyok");
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[..2].iter().all(|line| line.starts_with("info string ")), "{told:?}");
    engine.send("position startpos");
    engine.send("go depth 2");
    assert_eq!(best_moves(&engine.rest()), 1);
}

#[test]
fn every_go_has_one_best_move() {
    let mut engine = EngineSession::new(&[]);
    let gos = [
        "go infinite",
        "go infinite",
        "go ponder wtime 1 btime 1",
        "go depth 99",
        "go",
        "go nodes",
        "go depth x y z",
        "go wtime -5 btime 0 winc 0 binc 0 movestogo 0",
        "go movetime 0",
        "go nodes 99999999999999999999999999 mate 3",
        "go searchmoves a1a1 nonsense depth 1",
        "go mate 0",
        "go ponder infinite depth 1",
    ];
    let positions = [
        "startpos",
        "startpos moves d3d4 d6d5",
        "fen 7k/R7/6K1/8/8/8/8/8 b - 32 6 1",
        "fen 8/8/8/3k4/8/8/8/4K3 w",
        "fen not a position",
        "fen rnsmksnr/8/1ppppppp/p7/8/PPPPPPPP/8/RNSKMSNR w - - 0 2",
    ];
    let mut sent = 0;
    for round in 0..3 {
        for (place, go) in gos.iter().enumerate() {
            engine.send(&format!("position {}", positions[(place + round) % positions.len()]));
            engine.send(go);
            sent += 1;
            match (place + round) % 4 {
                0 => engine.send("stop\nstop"),
                1 => engine.send("ucinewgame\nsetoption name Hash value 2\nponderhit"),
                2 => engine.send("isready"),
                _ => {}
            }
        }
    }
    assert_eq!(best_moves(&engine.rest()), sent);
}

#[test]
fn a_game_that_is_over_has_no_best_move() {
    let mut engine = EngineSession::new(&[]);
    for (fen, score) in [
        ("R6k/8/6K1/8/8/8/8/8 b - 32 6 1", "info depth 0 score mate 0"),
        ("7k/5M2/6K1/8/8/8/8/8 b - 128 6 1", "info depth 0 score cp 0"),
    ] {
        let told = engine.best_move(&format!("fen {fen}"), "go depth 3");
        assert_eq!(told, ("(none)".to_string(), score.to_string()), "{fen}");
    }
    let refused = engine.best_move("fen x", "go depth 3");
    assert_eq!(refused.0, "(none)");
    assert!(refused.1.starts_with("info string "), "{refused:?}");
}

#[test]
fn the_best_move_waits_for_stop_and_for_the_expected_move() {
    let mut engine = EngineSession::new(&[]);
    for (go, release) in [
        ("go infinite", "stop"),
        ("go ponder wtime 100000 btime 100000", "ponderhit"),
        ("go ponder depth 1", "stop"),
        ("go infinite depth 1", "stop"),
    ] {
        engine.send(&format!("position fen {WON}"));
        engine.send(go);
        // The line is found, however long the table took.
        engine.until("info");
        thread::sleep(Duration::from_millis(100));
        engine.send("isready");
        let lines = engine.until("readyok");
        assert_eq!(best_moves(&lines), 0, "{go}: {lines:?}");
        engine.send(release);
        assert_eq!(engine.until("bestmove").last().unwrap(), "bestmove e1d2 ponder e5d5", "{go}");
    }
}

#[test]
fn the_end_of_the_input_ends_a_search() {
    for go in ["go infinite", "go depth 90", "go ponder", "go perft 9"] {
        let mut engine = EngineSession::new(&[]);
        engine.send("position startpos");
        engine.send(go);
        let expected = usize::from(!go.contains("perft"));
        assert_eq!(best_moves(&engine.rest()), expected, "{go}");
    }
}

#[test]
fn a_perft_of_any_depth_ends_with_its_count_or_a_reason() {
    let mut engine = EngineSession::new(&[]);
    engine.send("position fen 8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 1");
    for depth in ["101", "1000000", "18446744073709551615"] {
        engine.send(&format!("go perft {depth}"));
        // After the message that the call before is stopped, if it has not ended.
        while !engine.until("info").last().unwrap().contains("at most 100 plies") {}
    }
    engine.send("go perft 1");
    assert_eq!(engine.until("Nodes").last().unwrap(), "Nodes searched: 10");
}

#[test]
fn a_won_ending_is_mated_in_the_shortest_time() {
    let mut engine = EngineSession::new(&[]);
    let mut moves = String::new();
    for ply in 0.. {
        let game = format!("fen {WON} moves{moves}");
        let (best, told) = engine.best_move(&game, "go nodes 10");
        let left = 47 - ply;
        if left == 0 {
            assert_eq!((&*best, &*told), ("(none)", "info depth 0 score mate 0"));
            break;
        }
        // Half a move of the winner counts for the loser.
        let score = match ply % 2 {
            0 => format!(" score mate {} ", (left + 1) / 2),
            _ => format!(" score mate -{} ", left / 2),
        };
        assert!(told.contains(&score) && told.contains(" tbhits "), "{game}: {told}");
        moves += &format!(" {best}");
    }
}

#[test]
fn a_hurried_answer_has_no_line() {
    let mut engine = EngineSession::new(&[]);
    let (_, told) = engine.best_move(&format!("fen {WON}"), "go movetime 10");
    assert!(told.contains(" score mate 24 ") && told.ends_with(" pv e1d2"), "{told}");
}

#[test]
fn a_repetition_that_draws_is_left_by_the_winner() {
    let mut engine = EngineSession::new(&[]);
    let fen = "fen 7k/8/8/5K2/8/8/8/R7 w - 32 5 1";
    let (best, told) = engine.best_move(fen, "go depth 1");
    assert!(best == "f5g6" && told.contains(" score mate 2 "), "{best}: {told}");
    // After that move, twice on the board already, the game would be drawn.
    let around = "f5g6 h8g8 g6f5 g8h8 ";
    let game = format!("{fen} moves {around}{around}");
    let (best, told) = engine.best_move(&game, "go depth 1");
    assert!(best != "f5g6" && told.contains(" score mate 3 "), "{best}: {told}");
}

#[test]
fn searchmoves_and_lines_are_heeded() {
    let mut engine = EngineSession::new(&[]);
    engine.send("setoption name MultiPV value 3");
    engine.send(&format!("position fen {WON}"));
    engine.send("go searchmoves e2d3 e1f2 e3f2");
    let lines = engine.until("bestmove");
    assert_eq!(lines.len(), 4, "{lines:?}");
    for (line, expected) in lines.iter().zip([
        "multipv 1 score mate 25 ",
        "multipv 2 score cp 1 ",
        "multipv 3 score cp 1 ",
        "bestmove e1f2 ",
    ]) {
        assert!(line.contains(expected), "{line}");
    }
    engine.send("position startpos\ngo depth 3");
    let lines = engine.until("bestmove");
    let last: Vec<&String> = lines.iter().filter(|line| line.contains(" depth 3 ")).collect();
    assert_eq!(last.len(), 3, "{lines:?}");
    let first_moves: std::collections::BTreeSet<&str> = last
        .iter()
        .map(|line| line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap())
        .collect();
    assert_eq!(first_moves.len(), 3, "{lines:?}");
}

#[test]
fn puzzles_of_five_men_mate_in_the_number_printed() {
    // Above the tables that are solved on the spot: the search mates, with those of four men below.
    let mut engine = EngineSession::new(&[]);
    let mut solved = 0;
    for row in include_str!("../../make/tests/data/published/puzzles.tsv").lines() {
        let [name, fen, moves] = row.split('\t').collect::<Vec<_>>()[..] else { continue };
        let men = fen.split(' ').next().unwrap().chars().filter(char::is_ascii_alphabetic).count();
        if row.starts_with('#') || men != 5 {
            continue;
        }
        let (_, told) = engine.best_move(&format!("fen {fen}"), "go depth 7");
        assert!(told.contains(&format!(" score mate {moves} ")), "{name}: {told}");
        solved += 1;
    }
    assert_eq!(solved, 8);
}

#[test]
fn a_search_converts_into_a_table() {
    let tables = generated(&["KRMvK"]);
    let mut engine = EngineSession::with_directory(&[], Some(tables.path()));
    // Five men, of which there are no tables. Taking the knight wins in time.
    let (best, told) =
        engine.best_move("fen 7k/8/8/2n3K1/3M4/8/8/1R6 w - 128 100 1", "go nodes 2000");
    assert!(best == "d4c5" && told.contains(" score cp 19999 "), "{best}: {told}");
    assert!(!told.contains(" tbhits 0 "), "{told}");
}

#[test]
fn variants_are_named_and_shown() {
    let mut engine = EngineSession::new(&[]);
    engine.send("setoption name UCI_Variant value cambodian\nd\ngo perft 2");
    let lines = engine.until("Nodes");
    assert!(lines.iter().any(|line| line.starts_with("Fen: ") && line.contains(" w DEde ")));
    assert!(lines.last().unwrap().ends_with(" 625"), "{lines:?}");
    engine.send("setoption name UCI_Variant value makruk\ngo perft 3");
    assert!(engine.until("Nodes").last().unwrap().ends_with(" 12012"));
}

#[test]
fn positions_of_graphical_interfaces_are_read() {
    let mut engine = EngineSession::new(&[]);
    let rows = include_str!("../../../tables/tests/data/fen-dialects.tsv").lines().skip(1);
    for row in rows {
        let [_, variant, fen, means] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        engine.send(&format!("position fen {fen}\nd"));
        let shown = engine.until("Fen:").pop().unwrap();
        assert_eq!(shown, format!("Fen: {means}"), "{fen}");
    }
    // As Cute Chess begins a game from an opening.
    engine.send("setoption name UCI_Variant value makruk");
    let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 0 0 1";
    let (best, told) = engine.best_move(&format!("fen {start} moves e3e4"), "go depth 1");
    assert!(best != "(none)" && told.starts_with("info depth 1 "), "{best} {told}");
}

#[test]
fn the_line_beside_a_mate_of_the_tables_ends_with_it() {
    let mut engine = EngineSession::new(&[]);
    let fens = [
        WON,
        // Black is to move, and loses.
        "8/8/8/4k3/8/4K3/3MS3/8 b - 88 41 21",
    ];
    for fen in fens {
        let position = Position::from_fen(&MAKRUK, fen).unwrap();
        let (_, told) = engine.best_move(&format!("fen {fen}"), "go depth 1");
        let words: Vec<&str> = told.split(' ').collect();
        let mate = words.iter().position(|&word| word == "mate").unwrap();
        let moves: i64 = words[mate + 1].parse().unwrap();
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        let (_, line) = told.split_once(" pv ").unwrap();
        let line: Vec<&str> = line.split(' ').collect();
        assert_eq!(line.len() as i64, plies, "{told}");
        let end = line
            .iter()
            .fold(position, |position, uci| position.play(Move::from_uci(&MAKRUK, uci).unwrap()));
        assert_eq!(end.outcome(), Some(Outcome::Checkmate), "{told}");
    }
}

#[test]
fn a_capital_may_name_the_promotion() {
    let mut engine = EngineSession::new(&[]);
    for last in ["e5e6M", "e5e6Q", "e5e6", "e5e6m"] {
        let position = format!("fen 8/8/8/4P3/8/1k6/8/R3K3 w - - 0 1 moves {last}");
        engine.send(&format!("position {position}\nd"));
        let lines = engine.until("Fen:");
        assert_eq!(lines.last().unwrap(), "Fen: 8/8/4M3/8/8/1k6/8/R3K3 b - 32 8 1", "{last}");
    }
    engine.send("position fen 8/8/8/4P3/8/1k6/8/R3K3 w\ngo searchmoves e5e6M");
    assert_eq!(engine.until("bestmove").last().unwrap().split(' ').nth(1), Some("e5e6m"));
}

#[test]
fn the_blanks_of_a_path_are_kept() {
    let place = directory();
    let path = place.path().join("two  blanks and\ta tab");
    std::fs::create_dir(&path).unwrap();
    let mut engine = EngineSession::new(&[]);
    engine.send(&format!("setoption name SakmakPath value {}", path.display()));
    engine.send("uci");
    let lines = engine.until("uciok");
    let expected = format!("option name SakmakPath type string default {}", path.display());
    assert!(lines.contains(&expected), "{lines:?}");
}

#[test]
fn a_search_without_time_still_tells_what_it_plays() {
    let mut engine = EngineSession::new(&[]);
    // The opponent's clock alone, or none of the own: no search without end.
    for go in ["go wtime 0 btime 0", "go nodes 0", "go btime 885300", "go movetime 0", "go binc 5"]
    {
        let (best, told) = engine.best_move("startpos", go);
        assert!(told.starts_with("info depth ") && told.contains(&format!(" pv {best}")), "{told}");
    }
}

#[test]
fn a_search_cut_short_tells_what_it_plays() {
    let mut engine = EngineSession::new(&[]);
    for nodes in (1..2000).step_by(9) {
        let (best, told) = engine.best_move("startpos", &format!("go nodes {nodes}"));
        assert!(told.contains(&format!(" pv {best}")), "{nodes} nodes: {best}, {told}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_hash_is_there_when_the_engine_is_ready() {
    let mut engine = EngineSession::new(&[]);
    let memory = |engine: &EngineSession| -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", engine.child.id()));
        let line = status.unwrap().lines().find_map(|line| {
            line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.trim().parse().ok()
        });
        line.unwrap()
    };
    for command in ["ucinewgame", "setoption name Clear Hash", "setoption name Hash value 200"] {
        engine.send(command);
        engine.send("isready");
        assert_eq!(engine.line(), "readyok", "{command}");
    }
    assert!(memory(&engine) > 190 << 10, "{} KiB", memory(&engine));
    engine.send("go infinite\nsetoption name Hash value 1\nisready");
    // A search runs: no waiting.
    engine.until("readyok");
    engine.send("stop");
    engine.until("bestmove");
}

#[test]
fn a_bare_king_that_has_lost_gets_a_closing_move() {
    let mut engine = EngineSession::new(&[]);
    engine.send("setoption name UCI_Variant value shatranj");
    let lost = "fen 6k1/8/8/8/8/8/Rr6/4K3 w - - 0 40 moves a2b2";
    let (best, told) = engine.best_move(lost, "go depth 3");
    assert!(["g8f7", "g8g7", "g8h7", "g8f8", "g8h8"].contains(&&*best), "{best}");
    assert_eq!(told, "info depth 0 score mate 0");
    // The game after it is read too, and goes on as after any position.
    let (best, _) = engine.best_move(&format!("{lost} {best}"), "go depth 1");
    assert_ne!(best, "(none)");
    // The king can take the last piece; another move is read.
    let (best, _) = engine.best_move("fen 8/8/8/8/8/1k6/R7/4K3 b - - 0 40", "go depth 3");
    assert_eq!(best, "b3a2");
    let (best, _) =
        engine.best_move("fen 8/8/8/8/8/1k6/R7/4K3 b - - 0 40 moves b3c4", "go depth 1");
    assert_ne!(best, "(none)");
    // With two pieces against it the game is over at once, there too.
    let (best, _) = engine.best_move("fen 6k1/8/8/8/8/8/1R6/R3K3 b - - 0 40", "go depth 3");
    assert_eq!(best, "(none)");
    let (best, told) =
        engine.best_move("fen 6k1/8/8/8/8/8/1R6/R3K3 b - - 0 40 moves g8f7", "go depth 3");
    assert!(best == "(none)" && told.starts_with("info string "), "{told}");
}

#[test]
fn only_variants_that_can_start_are_offered() {
    let mut engine = EngineSession::new(&[]);
    engine.send("uci");
    let lines = engine.until("uciok");
    let option = lines.iter().find(|line| line.contains("UCI_Variant")).unwrap();
    let offered: Vec<&str> = option.split(" var ").skip(1).collect();
    assert!(!offered.contains(&"sittuyin") && offered.len() > 10, "{option}");
    for variant in offered {
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        let (best, _) = engine.best_move("startpos", "go depth 1");
        assert_ne!(best, "(none)", "{variant}");
    }
    // Endings of it are played.
    engine.send("setoption name UCI_Variant value sittuyin");
    let (best, _) = engine.best_move("fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1", "go depth 1");
    assert_eq!(best, "a1a8");
    for position in ["startpos".to_string(), format!("fen {}", SITTUYIN.start)] {
        engine.send(&format!("position {position}\ngo depth 1"));
        let lines = engine.until("bestmove");
        assert!(lines[0].contains("pieces to be dropped"), "{lines:?}");
        assert!(!lines[0].contains("looks like"), "{lines:?}");
    }
}

#[test]
fn the_tables_of_each_folder_are_told() {
    let place = generated(&["KRvK"]);
    let up = directory();
    let inner = up.path().join("345");
    std::fs::create_dir(&inner).unwrap();
    std::fs::copy(place.path().join("KRvK.dtm.smt"), inner.join("KRvK.dtm.smt")).unwrap();
    let empty = directory();
    let folders = [place.path(), empty.path(), up.path()];
    let path = std::env::join_paths(folders).unwrap();
    let mut engine = EngineSession::new(&[]);
    engine.send(&format!("setoption name SakmakPath value {}\nisready", path.display()));
    let [place, empty, up] = folders.map(|path| path.display());
    let expected = [
        format!("info string 1 tables of up to 3 men in {place}"),
        format!("info string 0 tables in {empty}"),
        format!(
            "info string 0 tables in {up}; tables in {} are not read: name it too",
            inner.display()
        ),
        "readyok".to_string(),
    ];
    assert_eq!(engine.until("readyok"), expected);
}

/// Won in time only by a search, drawn, and five men: with any limit but time.
#[test]
fn a_position_of_the_tables_is_answered_soon() {
    let tables = generated(&["KRvKR", "KSMvK"]);
    let mut engine = EngineSession::with_directory(&[], Some(tables.path()));
    engine.send("setoption name MultiPV value 256");
    for fen in [WON, "8/8/3r4/4k3/8/4K3/4R3/8 w - - 0 1", "8/8/8/3k4/8/8/4R3/4K3 w - 32 5 1"] {
        for go in ["go depth 100", "go mate 50", "go", "go nodes 100000000", "go infinite"] {
            engine.send(&format!("position fen {fen}\n{go}"));
            if go == "go infinite" {
                engine.send("stop");
            }
            let lines = engine.until("bestmove");
            let nodes = lines.iter().filter_map(|line| line.split(" nodes ").nth(1));
            let nodes = nodes.map(|rest| rest.split(' ').next().unwrap().parse::<u64>().unwrap());
            assert!(nodes.max().unwrap() <= 1_000_000 || go == "go infinite", "{fen} {go}");
        }
    }
}
