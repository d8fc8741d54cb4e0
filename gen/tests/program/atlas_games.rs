//! Atlases of one game: the words, letters and commands of the game.

use crate::sakmak::{ProgramRun, directory, generated, sakmak};
use sakmak_tables::position::Position;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, ASEAN, KAR_OUK, SHATRANJ};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Writes the atlas of a game.
fn report(tables: &Path, atlas: &Path, variant: &str, language: &str) -> ProgramRun {
    let [tables, atlas] = [tables, atlas].map(|path| path.to_str().unwrap());
    sakmak([
        "report",
        "--tables",
        tables,
        "-o",
        atlas,
        "--variant",
        variant,
        "--language",
        language,
    ])
}

/// The pages of an atlas by name.
fn pages(atlas: &Path) -> BTreeMap<String, String> {
    let paths = std::fs::read_dir(atlas).unwrap().map(|entry| entry.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|ending| ending == "html"));
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_string();
    pages.map(|path| (name(&path), std::fs::read_to_string(path).unwrap())).collect()
}

/// The words of a page without its comments, in small letters.
fn words(page: &str) -> BTreeSet<String> {
    let mut parts = page.split("<!--");
    let first = parts.next().unwrap().to_string();
    let rest = parts.map(|part| part.split_once("-->").unwrap().1);
    let page = rest.fold(first, |page, part| page + part);
    let words = page.split(|sign: char| !sign.is_alphabetic()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Asserts that the program reads the FEN of every board as one of this game.
fn assert_fens_read(variant: &'static Variant, page: &str) {
    let fens = page.split("data-fens=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let mut read = 0;
    for fen in fens.flat_map(|fens| fens.split('|')) {
        Position::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        read += 1;
    }
    assert!(read > 1, "a page without lines");
}

#[test]
fn an_atlas_of_kar_ouk_speaks_of_checks() {
    let tables = generated(&["3", "--variant", "kar-ouk"]);
    let place = directory();
    for (language, mate) in [("en", "mate"), ("th", "รุกจน"), ("km", "ងាប់")] {
        let atlas = place.path().join(language);
        report(tables.path(), &atlas, "kar-ouk", language).printed();
        let pages = pages(&atlas);
        let names = ["KMvK.html", "KNvK.html", "KPvK.html", "KRvK.html", "KSvK.html", "index.html"];
        assert_eq!(pages.keys().collect::<Vec<_>>(), names);
        for (name, page) in &pages {
            let words = words(page);
            assert!(!words.iter().any(|word| word.starts_with("checkmate")), "{name}");
            let is_mate = |word: &String| match language {
                "en" => ["mate", "mates", "mated", "khun", "met", "makruk"].contains(&&**word),
                _ => word.contains(mate),
            };
            assert_eq!(words.iter().find(|word| is_mate(word)), None, "{language} {name}");
        }
    }
    let pages = pages(&place.path().join("en"));
    for (name, said) in [
        ("index.html", "<h1>Endgames of Kar Ouk (the first check wins)</h1>"),
        ("index.html", "<b>Kar Ouk:</b> White, the stronger side, can win 5 of 5 materials"),
        ("index.html", "The longest check with best play and no count"),
        ("index.html", "M (neang) P (trey)"),
        ("KNvK.html", "Distances to check"),
        ("KNvK.html", "White's longest win, in time in Kar Ouk: check in 11"),
        ("KNvK.html", "Check.</p>"),
        ("KNvK.html", "<b>N</b> ses: knight"),
        ("KPvK.html", "until the last trey is gone"),
    ] {
        assert!(pages[name].contains(said), "{name}: {said}");
    }
    assert_fens_read(&KAR_OUK, &pages["KNvK.html"]);
}

#[test]
fn an_atlas_of_a_neighbour_has_its_pieces_and_letters() {
    let place = directory();
    let atlas = |tables: &Path, variant: &str| {
        let atlas = place.path().join(variant);
        report(tables, &atlas, variant, "en").printed();
        pages(&atlas)
    };
    let tables = generated(&["3", "--variant", "shatranj"]);
    let shatranj = atlas(tables.path(), "shatranj");
    for (name, said) in [
        ("KSvK.html", "<body data-letters=\"KRNBQP\" data-variant=\"shatranj\">"),
        ("KSvK.html", "King and alfil against king, 3 men."),
        ("KSvK.html", "<b>S</b> alfil: leaps two squares diagonally"),
        ("KPvK.html", "<b>M</b> ferz: one step diagonally"),
        ("KSvK.html", "The bare king has lost."),
        ("KSvK.html", "Distances to win"),
        ("KPvK.html", "No count runs against White here.</p>"),
    ] {
        assert!(shatranj[name].contains(said), "{name}: {said}");
    }
    assert!(!shatranj.contains_key("published.html"));
    assert!(shatranj.values().all(|page| !page.contains("Published results")));
    assert_fens_read(&SHATRANJ, &shatranj["KSvK.html"]);

    let tables = generated(&["3", "--variant", "asean"]);
    let asean = atlas(tables.path(), "asean");
    assert!(asean["index.html"].contains("A promoted pawn is a rook, knight, bishop or queen."));
    for kind in ["<b>S</b> bishop: one step", "<b>M</b> queen: one step diagonally"] {
        assert!(asean["KPvK.html"].contains(kind), "{kind}");
    }
    assert_fens_read(&ASEAN, &asean["KPvK.html"]);

    // Sittuyin has the tables of Makruk, without pawns.
    let tables = generated(&["3"]);
    let sittuyin = atlas(tables.path(), "sittuyin");
    assert!(!sittuyin.contains_key("KPvK.html"));
    assert!(sittuyin["KSvK.html"].contains("<b>S</b> sin: elephant, one step"));
    assert!(sittuyin["KRvK.html"].contains("Published results"));
}

#[test]
fn a_game_without_tables_is_refused() {
    let tables = generated(&["KMvK"]);
    let atlas = tables.path().join("atlas");
    let run = report(tables.path(), &atlas, "kar-ouk", "en");
    assert!(run.refusal(1).contains("no solved table of distance to check in "), "{run:?}");
    for variant in variants::all().filter(|variant| variant.rules.folder.is_some()) {
        let run = report(tables.path(), &atlas, variant.name, "en");
        assert!(run.refusal(1).contains(variant.name), "{run:?}");
    }
    assert!(!atlas.exists());
}
