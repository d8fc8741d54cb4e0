//! The atlas: its pages, and that its data equals `sakmak stats`.

use crate::sakmak::{ProgramRun, directory, ended, files, generated, sakmak, sakmak_with};
use sakmak_tables::position::Position;
use sakmak_tables::variants::{self, MAKRUK};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

const THREE: [&str; 5] = ["KRvK", "KNvK", "KSvK", "KMvK", "KPvK"];
const COUNTINGS: [&str; 2] = ["makruk", "ouk"];

fn report(tables: &Path, atlas: &Path, threads: &str) -> ProgramRun {
    let [tables, atlas] = [tables, atlas].map(|path| path.to_str().unwrap());
    sakmak(["report", "--tables", tables, "-o", atlas, "--threads", threads])
}

/// The rows of the overview by material and counting rule: column names to cells.
fn rows(atlas: &Path) -> BTreeMap<(String, String), BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(atlas.join("overview.csv")).unwrap();
    let rows = reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
    rows.map(|row| ((row["material"].clone(), row["counting"].clone()), row)).collect()
}

fn page(atlas: &Path, name: &str) -> String {
    std::fs::read_to_string(atlas.join(name)).unwrap()
}

#[test]
fn the_atlas_is_what_the_statistics_are() {
    let tables = generated(&["3"]);
    let place = directory();
    // The directory is created with its parents.
    let atlas = &place.path().join("of/three");
    let printed = report(tables.path(), atlas, "3").printed();
    assert_eq!(printed, format!("5 materials in {}\n", atlas.join("index.html").display()));
    let rows = rows(atlas);
    assert_eq!(rows.len(), THREE.len() * COUNTINGS.len());
    for material in THREE {
        let data: Json =
            serde_json::from_str(&page(atlas, &format!("data/{material}.json"))).unwrap();
        assert_eq!(data["material"], material);
        for (place, counting) in COUNTINGS.into_iter().enumerate() {
            let arguments =
                ["stats", material, "--variant", counting, "--counting", counting, "--json"];
            let stats = sakmak_with(tables.path(), &arguments).json();
            assert_eq!(data["countings"][place], stats);
            let row = &rows[&(material.to_string(), counting.to_string())];
            for (side, attack) in [("white", "white_attacking"), ("black", "black_attacking")] {
                let attack = &stats[attack];
                let [won, in_time, late] = ["won", "won_in_time", "too_late"]
                    .map(|name| row[&format!("{side}_{name}")].parse::<u64>().unwrap());
                assert_eq!(
                    (json!(won), json!(in_time)),
                    (attack["won"].clone(), attack["won_in_time"].clone())
                );
                assert_eq!(won, in_time + late);
            }
        }
    }
    let rook = &rows[&("KRvK".to_string(), "makruk".to_string())];
    let cells = ["white_limit", "white_moves_white_to_move", "white_moves_black_to_move"];
    assert_eq!(cells.map(|name| &*rook[name]), ["16", "14", "13"]);
    assert_eq!((&*rook["white_longest_mate"], &*rook["white_in_time"]), ("16", "sometimes"));

    // Any number of threads, and a second run, write the same bytes.
    let other = place.path().join("other");
    report(tables.path(), &other, "1").printed();
    report(tables.path(), &other, "2").printed();
    for below in ["", "data"] {
        let of = |atlas: &Path| -> BTreeMap<String, Vec<u8>> {
            let found = std::fs::read_dir(atlas.join(below)).unwrap().map(Result::unwrap);
            let files = found.filter(|entry| entry.file_type().unwrap().is_file());
            let name = |entry: &std::fs::DirEntry| entry.file_name().into_string().unwrap();
            files.map(|entry| (name(&entry), std::fs::read(entry.path()).unwrap())).collect()
        };
        assert_eq!(of(atlas).keys().collect::<Vec<_>>(), of(&other).keys().collect::<Vec<_>>());
        assert!(of(atlas) == of(&other), "one thread and three");
    }
    assert_eq!(files(&atlas.join("data")).len(), THREE.len());
}

#[test]
fn pages_lead_to_one_another_and_to_no_network() {
    let tables = generated(&["KRvK", "KMvK"]);
    let place = directory();
    let atlas = place.path();
    report(tables.path(), atlas, "2").printed();
    for (name, bytes) in files_of(atlas) {
        let text = String::from_utf8_lossy(&bytes).replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains("http:") && !text.contains("https:"), "{name}");
        // Linked files exist, and so do the places on a page.
        let ids: Vec<&str> = attributes(&text, "id").collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{name}");
        for link in attributes(&text, "href") {
            match link.strip_prefix('#') {
                Some(place) => assert!(ids.contains(&place), "{name} {link}"),
                None => assert!(link == "data:," || atlas.join(link).is_file(), "{name} {link}"),
            }
        }
    }
    for index in ["index.html", "ouk.html"] {
        let index = page(atlas, index);
        assert!(index.contains("<a href=\"KRvK.html\">KRvK</a>"));
        assert!(index.contains("94.43 %"));
        let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'; ";
        assert!(index.contains(policy) && !index.contains("<style") && !index.contains(" style="));
    }
    let rook = page(atlas, "KRvK.html");
    for said in [
        "White's longest win: mate in 16",
        "White's longest win in time, Makruk: mate in 14",
        "krkopt",
        "27 78 246 81 198 471 592 683 1,433 1,712 1,985 2,854 3,597 4,194 4,553 2,166 390",
    ] {
        assert!(rook.contains(said), "{said}");
    }
    let published = page(atlas, "published.html");
    for page in [&rook, &published] {
        assert_eq!(page.matches("the same</span>").count(), 6);
        assert!(page.contains("28,056") && !page.contains("not the same"));
    }
    // A line of 16 moves: the start position and 31 plies.
    let fens = attributes(&rook, "data-fens").next().unwrap();
    assert_eq!(fens.split('|').count(), 32);
    assert!(page(atlas, "KMvK.html").contains("Neither side has a forced mate."));
}

/// The values of an attribute on a page.
fn attributes<'a>(page: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let begin = format!(" {name}=\"");
    let parts: Vec<&str> = page.split(&*begin).skip(1).collect();
    parts.into_iter().map(|rest| rest.split('"').next().unwrap())
}

#[test]
fn a_page_begins_with_what_a_player_wants_to_know() {
    let tables = generated(&["KSMvK", "KRvKN"]);
    let place = directory();
    let atlas = place.path();
    report(tables.path(), atlas, "2").printed();
    let mate = page(atlas, "KSMvK.html");
    let both = page(atlas, "KRvKN.html");
    for (page, said) in [
        (
            &mate,
            "<b>Makruk:</b> White usually wins, but one win in 20 comes too late and is a draw.",
        ),
        (&mate, "<b>Ouk:</b> White usually wins, but one win in 12 comes too late and is a draw."),
        (&mate, "With no count White wins 74.13 % of all positions, in 57 moves at most."),
        (&both, "<b>Makruk:</b> White sometimes wins, but one win of White in four comes too late"),
        (&both, "Black hardly ever wins; all wins of Black are in time."),
        (&both, "Black wins less than 0.01 % of all positions, in 1 move at most."),
    ] {
        assert!(page.contains(said), "{said}");
    }
    let index = page(atlas, "index.html");
    assert!(index.contains("<b>Makruk:</b> White, the stronger side, can win "));
    assert!(index.contains(">&lt; 0.01 %</td>"));
    // The results of the tables come before those of others.
    let at = |text: &str| mate.find(text).unwrap_or_else(|| panic!("{text}"));
    let order = ["class=\"summary\"", "<table", "Longest wins</h2>", "Published results</h2>"];
    assert!(order.map(at).is_sorted());
    for old in ["lost to the clock", "to the clock"] {
        assert!(!mate.contains(old) && !index.contains(old), "{old}");
    }
    assert!(mate.contains("draw (too late)"));
    // Materials one step away.
    for other in ["KSvK", "KMvK"] {
        assert!(mate.contains(&format!("<a href=\"{other}.html\">{other}</a>")), "{other}");
    }
    let knight = page(atlas, "KNvK.html");
    assert!(knight.contains("<dt>With one piece more</dt><dd><a href=\"KRvKN.html\">KRvKN</a>"));
}

#[test]
fn every_board_has_a_legend_a_side_to_move_a_fen_and_a_link() {
    let tables = generated(&["KSMvK", "KMPvK"]);
    let place = directory();
    report(tables.path(), place.path(), "2").printed();
    let mut boards = 0;
    for name in ["KSMvK.html", "KMPvK.html"] {
        let page = page(place.path(), name);
        let legend = page.split("class=\"legend\"").nth(1).unwrap().split("</ul>").next().unwrap();
        assert!(legend.contains("<b>M</b> met: neang, one step diagonally"), "{name}");
        for board in page.split("class=\"board\"").skip(1) {
            let below = board.split("</svg>").nth(1).unwrap();
            let fen = below.split("<code>").nth(1).unwrap().split("</code>").next().unwrap();
            Position::from_fen(&MAKRUK, fen).unwrap();
            let side = if fen.contains(" w ") { "White to move" } else { "Black to move" };
            assert!(below.contains(side), "{name} {fen}");
            let link = attributes(below, "href").next().unwrap();
            assert!(page.contains(&format!(" id=\"{}\"", &link[1..])), "{name} {link}");
            boards += 1;
        }
        // Every position of a line can be probed.
        for fens in attributes(&page, "data-fens") {
            for fen in fens.split('|') {
                let mut variants = variants::all();
                let reads = |variant| Position::from_fen(variant, fen).is_ok();
                assert!(variants.any(reads), "{name} {fen}");
            }
        }
    }
    assert!(boards >= 6, "{boards}");
}

#[test]
fn charts_have_an_axis_of_positions_and_more_than_one_bar() {
    let tables = generated(&["KRvK", "KRvKN"]);
    let place = directory();
    report(tables.path(), place.path(), "2").printed();
    let mut charts = 0;
    for name in ["KRvK.html", "KRvKN.html"] {
        let page = page(place.path(), name);
        for chart in page.split("<figure class=\"chart\">").skip(1) {
            let chart = chart.split("</figure>").next().unwrap();
            assert!(chart.matches("<rect").count() > 1, "{name} {chart}");
            assert!(chart.matches("class=\"mark\"").count() > 1, "{name} {chart}");
            assert!(
                chart.contains("positions</text>") && chart.contains(">moves</text>"),
                "{name}"
            );
            charts += 1;
        }
    }
    assert!(charts >= 6, "{charts}");
    let both = page(place.path(), "KRvKN.html");
    assert!(
        both.contains("<b>Black wins, Black to move:</b> ") && both.contains(", all at 1 move.")
    );
}

#[test]
fn the_table_of_all_materials_can_be_searched_and_stays_readable() {
    let tables = generated(&["KRvKN"]);
    let place = directory();
    report(tables.path(), place.path(), "2").printed();
    let index = page(place.path(), "index.html");
    for said in [
        "<input type=\"search\" name=\"words\"",
        "<option value=\"4\">4</option>",
        "<option value=\"sometimes\">can win, some wins too late</option>",
        "data-words=\"krvkn ruea tuuk rook ma ses knight\" data-men=\"4\" data-white=\"sometimes\"",
        "More columns are to the right: scroll sideways.",
    ] {
        assert!(index.contains(said), "{said}");
    }
    let style = page(place.path(), "atlas.css");
    assert!(style.contains(".overview thead { position: sticky; top: 0;"));
    assert!(style.contains("color-scheme: light dark;") && style.contains("light-dark("));
    // Signs are drawn: not every font has those of arrows and players.
    for name in ["atlas.css", "atlas.js", "index.html", "KRvKN.html"] {
        let text = page(place.path(), name);
        let sign = text.chars().find(|&letter| ('\u{2190}'..='\u{2bff}').contains(&letter));
        assert_eq!(sign, None, "{name}");
    }
}

#[test]
fn the_script_that_looks_at_pages_fails_where_there_are_none() {
    let place = directory();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/atlas-browser.sh");
    let mut command = Command::new("sh");
    command.arg(script).arg(place.path());
    let run = ended(command);
    assert_eq!(run.code, Some(1), "{run:?}");
    let said = format!("no page index.html in {}", place.path().display());
    assert!(run.stderr.contains(&said) && run.stdout.is_empty(), "{run:?}");
}

fn files_of(atlas: &Path) -> Vec<(String, Vec<u8>)> {
    let names = [
        "index.html",
        "ouk.html",
        "published.html",
        "KRvK.html",
        "KMvK.html",
        "atlas.css",
        "atlas.js",
    ];
    names.map(|name| (name.to_string(), std::fs::read(atlas.join(name)).unwrap())).to_vec()
}

#[test]
fn published_results_are_told_with_their_paper() {
    let tables = generated(&["KSMvK"]);
    let place = directory();
    report(tables.path(), place.path(), "2").printed();
    let page = page(place.path(), "KSMvK.html");
    for said in
        ["Tudsuan &amp; Thanatipanonda", "of them won within 41 moves", "10,160,936", "83.49 %"]
    {
        assert!(page.contains(said), "{said}");
    }
    assert!(!page.contains("not the same"));
}

#[test]
fn what_a_missing_table_would_say_is_left_open() {
    // The table of distance to mate, without those of counted distance and of KMMvKM.
    let all = generated(&["KMMvKP"]);
    let tables = directory();
    let name = "KMMvKP.dtm.smt";
    std::fs::copy(all.path().join(name), tables.path().join(name)).unwrap();
    let place = directory();
    report(tables.path(), place.path(), "2").printed();
    let material = page(place.path(), "KMMvKP.html");
    for (counting, index) in COUNTINGS.into_iter().zip(["index.html", "ouk.html"]) {
        let row = &rows(place.path())[&("KMMvKP".to_string(), counting.to_string())];
        assert_eq!((row["white_won"] == "0", &*row["white_won_in_time"]), (false, ""));
        let index = page(place.path(), index);
        let command = format!("sakmak generate KMMvKP --counting {counting}");
        for page in [&material, &index] {
            assert!(
                page.contains(&format!("the table KMMvKP.{counting} is missing.")),
                "{counting}"
            );
            assert!(page.contains(&format!("<code>{command}</code>")), "{counting}");
            assert!(page.contains(">?</td>"), "{counting}");
        }
        // The program knows the command.
        let arguments: Vec<&str> = command.split(' ').skip(2).collect();
        sakmak([&["plan"], &*arguments].concat()).printed();
    }
    assert!(material.contains("how many wins of White come too late is not known."));
    assert!(material.contains("No line: the table KMMvKM"));
}

#[test]
fn the_atlas_is_in_three_languages() {
    let tables = generated(&["KSMvK", "KRvKN"]);
    let place = directory();
    let letters = |text: &str, range: std::ops::RangeInclusive<char>| {
        text.chars().filter(|letter| range.contains(letter)).count()
    };
    for (code, script) in [("th", '\u{e00}'..='\u{e7f}'), ("km", '\u{1780}'..='\u{17ff}')] {
        let atlas = place.path().join(code);
        let [from, to] = [tables.path(), &atlas].map(|path| path.to_str().unwrap());
        sakmak(["report", "--tables", from, "-o", to, "--language", code]).printed();
        for name in ["index.html", "ouk.html", "published.html", "KSMvK.html", "KRvKN.html"] {
            let page = page(&atlas, name);
            assert!(page.contains(&format!("<html lang=\"{code}\">")), "{code} {name}");
            assert!(letters(&page, script.clone()) > 100, "{code} {name}");
            // No key is without a text, and no hole is left open.
            let (shown, texts) = page.split_once("<script type=\"application/json\"").unwrap();
            let shown = shown.replace("atlas.css", "").replace("atlas.js", "");
            assert!(!shown.contains("atlas."), "{code} {name}");
            assert!(!shown.contains(['{', '}']), "{code} {name}");
            assert!(texts.contains("\"atlas.copy\":"), "{code} {name}");
            for english in ["to move", " wins", "White", "Longest"] {
                assert!(!shown.contains(english), "{code} {name} {english}");
            }
        }
    }
    let run = sakmak(["report", "--tables", "tables", "-o", "atlas", "--language", "de"]);
    assert_eq!(run.code, Some(2));
    assert!(run.refusal(2).contains("[possible values: en, th, km]"), "{run:?}");
}

#[test]
fn statements_are_shown_with_their_verdicts() {
    let tables = generated(&["KSMvK", "KRvK"]);
    let place = directory();
    let (atlas, file) = (place.path().join("atlas"), place.path().join("claims.json"));
    let claim = |id: &str, materials: &[&str], verdict: &str, fens: &[&str]| {
        let example = |fen: &&str| json!({ "fen": fen, "told": format!("result of {id}") });
        json!({
            "id": id, "says": format!("{id} <says>"), "source": "X, p. 1", "materials": materials,
            "verdict": verdict, "answer": format!("answer of {id}"),
            "shares": [["all: 4", "75 %", "0 %", "25 %"]],
            "positions": fens.iter().map(example).collect::<Vec<_>>(),
        })
    };
    let claims = [
        claim("A1", &["KSMvK", "KRMvKNM"], "wrong", &["8/8/8/8/8/4SMK1/8/7k w - - 0 1"]),
        // Of a position, here with the rook Black's.
        claim("A2", &[], "right-with-exceptions", &["8/8/8/8/8/7r/8/K1k5 b - - 0 1"]),
        claim("A3", &[], "not-tested", &[]),
    ];
    let section = json!({ "title": "Old books", "text": "About them.", "claims": claims });
    let claims = json!({ "sections": [section], "sources": { "X": "a book of 1922" } });
    std::fs::write(&file, claims.to_string()).unwrap();
    let [from, to, claims] = [tables.path(), &atlas, &file].map(|path| path.to_str().unwrap());
    let arguments = ["report", "--tables", from, "-o", to, "--claims", claims];
    sakmak(arguments).printed();
    let all = page(&atlas, "claims.html");
    let said = [
        "A1 &lt;says&gt;",
        "answer of A2",
        "a book of 1922",
        "right, with exceptions",
        "wrong: 1",
        "right: 0",
        "result of A1",
        "<code>8/8/8/8/8/7r/8/K1k5 b - - 0 1</code>",
        "href=\"KSMvK.html\"",
        "href=\"KRvK.html\"",
        ">75 %<",
        "Old books",
        "href=\"#A3\"",
    ];
    for said in said {
        assert!(all.contains(said), "{said}");
    }
    assert!(!all.contains("KRMvKNM.html"), "a page that is not there");
    for (name, there) in [("KSMvK.html", [true, false]), ("KRvK.html", [false, true])] {
        let page = page(&atlas, name);
        assert_eq!(["A1 ", "A2 "].map(|id| page.contains(&format!("<h3>{id}"))), there, "{name}");
    }
    assert!(page(&atlas, "index.html").contains("href=\"claims.html\""));
    // Without the file there is no such page.
    let bare = place.path().join("bare");
    report(tables.path(), &bare, "1").printed();
    assert!(!bare.join("claims.html").exists() && !page(&bare, "KRvK.html").contains("claims"));

    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"wrong\"", "\"doubtful\"")).unwrap();
    let run = sakmak(arguments);
    assert!(run.refusal(2).contains("claims.json: "), "{run:?}");
    std::fs::remove_file(&file).unwrap();
    assert!(sakmak(arguments).refusal(2).contains("claims.json: No such file"));
}

#[test]
fn what_cannot_be_done_is_refused() {
    let place = directory();
    let missing = place.path().join("missing");
    let atlas = place.path().join("atlas");
    let run = report(&missing, &atlas, "1");
    assert!(run.refusal(2).contains("does not exist"), "{run:?}");
    let run = report(place.path(), &atlas, "1");
    assert!(run.refusal(1).contains("no solved table of distance to mate in "), "{run:?}");
    assert!(!atlas.exists());
    let tables = generated(&["KMvK"]);
    let file = place.path().join("file");
    std::fs::write(&file, "").unwrap();
    let run = report(tables.path(), &file, "1");
    assert!(run.refusal(1).contains("cannot write "), "{run:?}");
}
