//! Bad input: one clear line, exit code 2, no file written.

use crate::sakmak::{ProgramRun, command, directory, ended, sakmak, sakmak_with};

/// The message of a run that must fail and write no file.
#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let directory = directory();
    let tables = directory.path().join("tables");
    let mut command = command(arguments);
    command.env("SAKMAK_TABLES", &tables).current_dir(directory.path());
    std::fs::create_dir(&tables).unwrap();
    let message = ended(command).refusal(2).to_string();
    std::fs::remove_dir(&tables).expect("an empty directory");
    assert_eq!(directory.path().read_dir().unwrap().count(), 0);
    message
}

/// Each FEN, and what its message must contain.
const FENS: [(&str, &str); 38] = [
    ("8/8/8/8/8/8/4R3/4K3 w - - 0 1", "black has 0 kings"),
    ("8/8/8/3k4/8/8/4R3/8 w - - 0 1", "white has 0 kings"),
    ("8/8/8/8/8/8/8/8 w - - 0 1", "0 kings"),
    ("8/8/8/3k4/8/8/4R3/2K1K3 w - - 0 1", "white has 2 kings"),
    ("3k4/3k4/8/8/8/8/8/4K3 w - - 0 1", "black has 2 kings"),
    ("8/8/8/3k4/4K3/8/4R3/8 w - - 0 1", "adjacent"),
    ("8/8/8/3k4/3R4/8/8/4K3 w - - 0 1", "black king on d5 is in check"),
    ("8/8/8/3k4/8/8/3m4/4K3 b - - 0 1", "white king on e1 is in check"),
    ("8/8/8/3k4/8/8/8/P3K3 w - - 0 1", "white pawn cannot stand on a1"),
    ("8/8/8/3k4/8/8/P7/4K3 w - - 0 1", "white pawn cannot stand on a2"),
    ("8/8/P7/3k4/8/8/8/4K3 w - - 0 1", "white pawn cannot stand on a6"),
    ("8/P7/8/3k4/8/8/8/4K3 w - - 0 1", "white pawn cannot stand on a7"),
    ("P7/8/8/3k4/8/8/8/4K3 w - - 0 1", "white pawn cannot stand on a8"),
    ("8/8/8/3k4/8/p7/8/4K3 w - - 0 1", "black pawn cannot stand on a3"),
    ("8/p7/8/3k4/8/8/8/4K3 w - - 0 1", "black pawn cannot stand on a7"),
    ("4k3/8/8/8/8/RRRRRRR1/8/4K3 b - - 0 1", "9 men, but tables have at most 7"),
    ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", "32 men, but tables have at most 7"),
    ("", "FEN"),
    ("garbage", "FEN"),
    ("KRvK", "KRvK is a material and not a position: expected a board and a side to move, such"),
    ("krvkn", "see also 'sakmak stats KRvKN'"),
    ("8/8/8/3k4/8/8/4R3/4K3", "expected w or b after the board, such as '8/8/8/3k4/8/8/4R3/4K3 w'"),
    ("startpos", "32 men, but tables have at most 7"),
    ("garbage w", "1 rank,"),
    ("8/8/8/3k4/8/8/4R3 w - - 0 1", "7 ranks"),
    ("8/8/8/3k4/8/8/4R2/4K3 w - - 0 1", "7 squares"),
    ("8/8/8/3k4/8/8/4R4/4K3 w - - 0 1", "9 squares"),
    ("8/8/8/3k4/8/8/4X3/4K3 w - - 0 1", "'X' on rank 2 is not a piece"),
    ("8/8/8/3k4/8/8/4R3/4K3 white - - 0 1", "'white' is not a side"),
    ("8/8/8/3k4/8/8/4R3/4K3 w DEde - 0 1", "'DEde' are not leap rights of makruk"),
    ("8/8/8/3k4/8/8/4R3/4K3 w - 33 6 1", "count limit"),
    ("8/8/8/3k4/8/8/4R3/4K3 w - 88 6 1", "expected - or 16, 32 plies"),
    ("8/8/8/3k4/8/8/4R3/4K3 w - 32 34 1", "expected at most 33 plies"),
    ("8/8/4m3/3k4/8/8/4R3/4K3 w - 32 6 1", "expected - or 128 plies"),
    ("8/8/8/3k4/6P1/8/4R3/4K3 w - 32 6 1", "counts nothing with these pieces"),
    ("8/8/8/3k4/8/8/4R3/4K3 w - 32 x 1", "'x' is not a count"),
    ("8/8/8/3k4/8/8/4R3/4K3 w - - 0 x", "'x' is not a move number"),
    ("8/8/8/3k4/8/8/4R3/4K3 w - - 0 1 1", "7 fields"),
];

#[test]
fn a_bad_fen_is_refused_in_one_line() {
    for (fen, reason) in FENS {
        for json in [&[][..], &["--json"]] {
            let message = refused(&[&["probe", fen], json].concat());
            assert!(message.contains(reason), "{fen}: {message}");
        }
    }
}

#[test]
fn leap_rights_still_held_are_refused() {
    let ouk = |fen| refused(&["probe", "--variant", "ouk", fen]);
    for fen in ["4k3/8/8/8/8/8/8/3K3R w D - 0 1", "4k3/8/8/8/8/8/8/3K3R w De - 0 1"] {
        let message = ouk(fen);
        assert!(message.contains("leaps") && message.contains("put '-'"), "{message}");
    }
    // A right without its piece is an error.
    let message = ouk("4k3/8/8/8/8/8/8/4K2R w D - 0 1");
    assert!(message.contains("'D' is impossible"), "{message}");
    // The same position without rights has an answer.
    sakmak(["probe", "--variant", "ouk", "4k3/8/8/8/8/8/8/3K3R w - - 0 1"]).printed();
}

#[test]
fn a_bad_material_is_refused_in_one_line() {
    let materials = [
        ("KXvK", "'X' is not a piece"),
        ("vK", "'vK' is not a material"),
        ("KR", "'KR' is not a material"),
        ("KRvKvK", "'KRvKvK' is not a material"),
        ("krvk", "'krvk' is not a material"),
        ("KRRRRvKRRR", "9 men"),
        ("KRRRRRRRRRRRRRRRRvK", "18 men"),
        ("KvK", "KvK"),
        ("", "'' is not a material"),
    ];
    for (material, reason) in materials {
        for subcommand in ["generate", "stats", "verify"] {
            let message = refused(&[subcommand, material]);
            assert!(message.contains(reason), "{subcommand} {material}: {message}");
        }
    }
}

#[test]
fn tables_that_cannot_be_made_are_refused() {
    for selection in ["KRRRRRRvK", "0", "2", "8", "99", "99999999999999999999999"] {
        for subcommand in ["generate", "stats"] {
            let message = refused(&[subcommand, selection]);
            assert!(message.contains("3 to 7 men can be made"), "{message}");
        }
    }
    let message = refused(&["stats", "KRvKM.ouk"]);
    assert!(message.contains("give the material KRvKM and '--variant ouk --counting ouk'"));
    // One bad argument among good ones: no table is made.
    refused(&["generate", "KRvK", "KNvK", "KXvK"]);
}

#[test]
fn old_forms_are_refused_with_the_new_ones() {
    let place = directory();
    let tables = place.path().to_str().unwrap();
    for (arguments, now) in [
        (&["verify", tables][..], "--tables"),
        (&["wdl", tables], "--tables"),
        (&["wdl", tables, "4"], "--tables"),
        (&["report", tables, "-o", "atlas"], "--tables"),
        (&["man", "share/man"], "sakmak help man"),
        (&["stats", "KRvK", "--counting", "ouk"], "--variant ouk"),
        (&["query", "KRvK", "win", "--counting", "ouk"], "--variant ouk"),
        (&["wdl", "--counting", "kar-ouk"], "--variant kar-ouk"),
    ] {
        let message = refused(arguments);
        assert!(message.contains(now), "{arguments:?}: {message}");
    }
    let message = refused(&["verify", "no-such-place"]);
    assert!(message.contains("'no-such-place' is not a material"), "{message}");
}

#[test]
fn a_named_directory_that_is_missing_is_refused() {
    let directory = directory();
    let missing = directory.path().join("missing");
    for arguments in
        [&["probe", "8/8/8/3k4/8/8/4R3/4K3 w"][..], &["stats", "KRvK"], &["verify", "KRvK"]]
    {
        let run = sakmak_with(&missing, arguments);
        assert!(run.refusal(2).contains(missing.to_str().unwrap()), "{run:?}");
    }
    assert!(!missing.exists());
}

/// Tables that are missing and too large to be solved on the spot.
#[test]
fn a_missing_table_is_named_with_what_to_do() {
    let directory = directory();
    let missing = |arguments: &[&str]| -> String {
        let run: ProgramRun = sakmak_with(directory.path(), arguments);
        let message = run.refusal(1);
        assert!(message.contains(directory.path().to_str().unwrap()), "{message}");
        message.to_string()
    };
    for arguments in [["stats", "KRNMvK"], ["probe", "4k3/8/8/8/8/8/8/RNMK4 w"]] {
        let message = missing(&arguments);
        assert!(message.contains("KRNMvK.dtm.smt"), "{message}");
        assert!(message.contains("'sakmak generate KRNMvK --tables "), "{message}");
    }
    let message = missing(&["probe", "4k3/8/8/8/8/8/8/RNMKMM2 w"]);
    assert!(message.contains("'sakmak generate KRNMMMvK --tables "), "{message}");
    assert!(missing(&["verify", "KRvK"]).contains("KRvK.dtm.smt"));
    let message =
        sakmak(["verify".as_ref(), "--tables".as_ref(), directory.path()]).refusal(1).to_string();
    assert!(message.starts_with("no tables in "), "{message}");
}

/// Without tables of counted distance, pieces on both sides have no category.
#[test]
fn a_missing_counted_table_is_named_with_what_to_do() {
    let directory = directory();
    let fen = "4k3/4m3/8/8/8/8/8/RNMK4 w";
    for (variant, counting_rule) in [("makruk", "makruk"), ("ouk", "ouk-traditional")] {
        let rules = ["probe", fen, "--variant", variant, "--counting", counting_rule];
        let run = sakmak_with(directory.path(), &rules);
        assert!(run.refusal(1).contains("KRNMvKM"), "{run:?}");
    }
}

#[test]
fn control_characters_of_an_argument_stay_on_one_line() {
    for text in ["KR\nvK", "K\u{1b}[31mvK", "KR\r\nvK"] {
        let message = refused(&["stats", text]);
        assert!(!message.contains(char::is_control), "{message:?}");
    }
}

#[test]
fn a_cache_larger_than_the_memory_is_refused_before_the_service_starts() {
    for size in ["16777216T", "16777215T", "1024T"] {
        let message = refused(&["serve", "--listen", "127.0.0.1:0", "--cache", size]);
        assert!(message.contains("is more memory than this machine has"), "{size}: {message}");
    }
}

#[test]
fn a_bad_option_is_refused() {
    for arguments in [
        &["probe"][..],
        &["probe", "--variant", "xiangqi", "8/8/8/3k4/8/8/4R3/4K3 w"],
        &["probe", "--counting", "xiangqi", "8/8/8/3k4/8/8/4R3/4K3 w"],
        &["generate", "--threads", "0", "KRvK"],
        &["generate", "--memory", "much", "KRvK"],
        &["stats", "--counting", "xiangqi", "KRvK"],
        // Of packed files only.
        &["generate", "KRvK", "--cold"],
        &["generate", "KRvK", "--tiles", "4"],
        &["plan", "KRvK", "--converted-men", "3"],
        &["serve", "--listen", "127.0.0.1:0", "--pages", "nowhere"],
        &["serve", "--listen", "127.0.0.1:0", "--atlas", "nowhere"],
        &["serve", "--listen", "127.0.0.1:0", "--url", "example.org"],
        &["frobnicate"],
    ] {
        refused(arguments);
    }
    let message = refused(&["plan", "KRvK", "--rate", "0"]);
    assert!(message.ends_with("expected 1 or more, found 0"), "{message}");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let broken = std::ffi::OsStr::from_bytes(b"st\xff");
    for arguments in [&[broken][..], &["--color".as_ref(), broken], &["stats".as_ref(), broken]] {
        sakmak(arguments).refusal(2);
    }
}

#[test]
fn mistakes_are_named_with_the_way_out() {
    let fen = "8/8/8/3k4/8/8/4R3/4K3 w";
    for (arguments, words) in [
        (&["porbe", fen][..], "unrecognized subcommand 'porbe'; did you mean 'probe'?"),
        (&["frobnicate"], "unrecognized subcommand 'frobnicate'; see 'sakmak help'"),
        (&["probe"], "were not provided: <FEN>...; see 'sakmak help probe'"),
        (&["probe", fen, "--tabels", "x"], "did you mean '--tables'?"),
        (
            &["stats", "KRvK", "--xyzzy"],
            "unexpected argument '--xyzzy' found; see 'sakmak help stats'",
        ),
        (&["probe", fen, "--called", "twenty"], "--called: 'twenty' is not a whole number"),
        (&["generate", "KRvK", "--threads", "0"], "--threads: expected 1 to 1024, found 0"),
        (
            &["query", "KRvK", "win", "--order", "dmt"],
            "[possible values: result, dtm, category, counted]",
        ),
        (&["query", "KRvK", "win", "--csv", "--json"], "cannot be used with"),
        (&["probe", fen, "--json", "--json"], "'--json' cannot be used multiple times"),
        (&["serve", "--listen", "8081"], "such as 127.0.0.1:8080 or localhost:8080"),
        (&["serve", "--listen", "localhost:http"], "such as 127.0.0.1:8080"),
        (
            &["stats", "krvk"],
            "'krvk' is not a material: letters of pieces are capital and v is small, as in KRvK",
        ),
        (&["generate", "KRVK"], "as in KRvK"),
        (&["query", "KRvKm", "win"], "as in KRvKM"),
        (&["query", "KRvK", "won"], "column 1: 'won' is written 'win'"),
        (&["query", "KRvK", "win && check"], "column 5: '&&' is written 'and'"),
        (&["query", "KRvK", "win || check"], "column 5: '||' is written 'or'"),
        (&["query", "KRvK", "white"], "'side=white' or 'winner=white'"),
        (&["query", "KRvK", "KRvKN"], "missing: <CONDITION>"),
    ] {
        let message = refused(arguments);
        assert!(message.contains(words), "{arguments:?}: {message}");
    }
    let long = "x".repeat(1 << 16);
    for arguments in [
        &["probe", fen, "--variant", &long][..],
        &["probe", fen, &format!("--{long}")],
        &["query", "KRvK", "win", "--order", &long],
        &["serve", "--listen", &long],
        &["probe", fen, "--called", &long],
        &[&long],
    ] {
        assert!(refused(arguments).len() < 600);
    }
}

/// Input may be of any length; each message has its beginning only.
#[test]
fn a_message_repeats_at_most_a_hundred_characters() {
    let long = "x1".repeat(20_000);
    let fen = format!("8/8/8/3k4/8/8/4R3/4K3 w {long} 0 1");
    let materials = [long.clone(), format!("KR{long}vK"), "1".repeat(40_000)];
    let mut messages = vec![refused(&["probe", &long]), refused(&["probe", &fen])];
    messages.extend(materials.iter().map(|material| refused(&["stats", material])));
    messages.push(refused(&["query", "KRvK", &long]));
    messages.push(refused(&["query", "KRvK", &format!("R on {long}")]));
    let place = directory();
    let path = place.path().join("games.pgn");
    let game = |tags: &str, mv: &str| format!("[Event \"?\"]\n{tags}\n{mv} *\n\n");
    let word = "x1".repeat(100);
    let games = game(&format!("[Variant \"{word}\"]"), "1. e4")
        + &game("[Variant \"Makruk\"]", &format!("1. {word}"))
        + &game(&format!("[Variant \"Makruk\"]\n[FEN \"{word} w\"]"), "1. e4");
    std::fs::write(&path, games).unwrap();
    let json = sakmak(["check", "--json", path.to_str().unwrap()]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let errors = json["games"].as_array().unwrap().iter().map(|game| &game["error"]["message"]);
    messages.extend(errors.map(|message| message.as_str().unwrap().to_string()));
    assert_eq!(messages.len(), 10);
    for message in messages {
        let repeated = message.matches(['x', '1']).count();
        assert!(repeated <= 110 && message.len() < 400, "{message}");
    }
}

#[test]
fn a_file_in_the_place_of_a_directory_is_told_from_nothing() {
    let place = directory();
    let file = place.path().join("file");
    std::fs::write(&file, "").unwrap();
    let below = file.join("tables");
    let fen = "8/8/8/3k4/8/8/4R3/4K3 w";
    let game = place.path().join("game.pgn");
    std::fs::write(&game, format!("[Variant \"Makruk\"]\n[FEN \"{fen}\"]\n\n1. Kd1 *\n")).unwrap();
    let game = game.to_str().unwrap();
    let [file, below] = [&file, &below].map(|path| path.to_str().unwrap());
    for arguments in [
        &["probe", fen, "--tables"][..],
        &["stats", "KRvK", "--tables"],
        &["query", "KRvK", "win", "--tables"],
        &["verify", "KRvK", "--tables"],
        &["wdl", "--tables"],
        &["report", "-o", "atlas", "--tables"],
        &["generate", "KRvK", "--tables"],
        &["plan", "KRvK", "--tables"],
        &["pack", "KRvK", "--tables"],
        &["check", game, "--tables"],
        &["uci", "--tables"],
        &["serve", "--listen", "127.0.0.1:0", "--tables"],
        &["serve", "--listen", "127.0.0.1:0", "--atlas"],
        &["man", "-o"],
    ] {
        for path in [file, below] {
            let run = sakmak([arguments, &[path]].concat());
            let message = run.stderr.trim_end();
            assert!(
                run.code != Some(0) && message.to_lowercase().contains("not a directory"),
                "{run:?}"
            );
            assert!(message.contains(path) && !message.contains("exist"), "{run:?}");
        }
    }
}
