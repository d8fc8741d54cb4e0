//! `sakmak serve` as a process: every path, errors, clients of all kinds, and its end.

use crate::sakmak::{directory, generated, sakmak};
use crate::serve_schema::OpenApi;
use crate::served::{HttpResponse, Served, received};
use sakmak_tables::position::Position;
use sakmak_tables::variants;
use serde_json::{Value as Json, json};
use std::io::{Read, Write};
use std::process::Command;
use std::time::{Duration, Instant};

/// White wins in time, and with 25 calls too late.
const KSMVK: &str = "8/8/8/4k3/8/4K3/4S3/4M3_w";
/// No table has it.
const FIVE_MEN: &str = "8/8/8/3k4/8/8/4RR2/4KR2_w";

fn openapi(service: &Served) -> OpenApi {
    OpenApi(service.get("/openapi.json").json(200))
}

#[test]
fn every_path_answers_as_openapi_json_has_it() {
    let service = Served::start(&[]);
    let api = openapi(&service);
    let rook = "8/8/8/3k4/8/8/4R3/4K3";
    let asked = [
        ("get", "/{variant}", format!("/makruk?fen={KSMVK}&called=20")),
        ("get", "/{variant}", format!("/Thai-Chess?fen={KSMVK}&called=43&line=false")),
        ("get", "/{variant}", format!("/ouk?fen={rook}_b&counting=ouk-traditional")),
        ("get", "/{variant}", "/makruk?fen=8/8/8/3k4/8/8/8/4K3%20w".to_string()),
        ("get", "/{variant}", "/makruk?fen=k1K5/1R6/8/8/8/8/8/8_b".to_string()),
        ("get", "/{variant}/mainline", format!("/makruk/mainline?fen={rook}_w")),
        ("get", "/{variant}/mainline", "/makruk/mainline?fen=8/8/8/3k4/8/8/8/4K3_w".to_string()),
        ("get", "/variants", "/variants".to_string()),
    ];
    for (method, path, url) in asked {
        let answer = service.get(&url).json(200);
        api.assert_meets(api.response(method, path, 200), &answer);
    }
    let fens = ["8/8/8/3k4/8/8/4R3/4K3 w", "8/8 w", &FIVE_MEN.replace('_', " ")];
    let batch = service.post("/makruk", &json!({"fens": fens, "line": false})).json(200);
    api.assert_meets(api.response("post", "/{variant}", 200), &batch);
    let codes: Vec<&Json> = batch
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| answer.get("category").unwrap_or(&answer["error"]["code"]))
        .collect();
    assert_eq!(codes, ["win", "bad_fen", "no_table"]);
    assert_eq!(service.get("/healthz").text(), "ok\n");

    let metrics = service.get("/metrics").text();
    let value = |name: &str| {
        let line = metrics.lines().find(|line| line.starts_with(name));
        line.unwrap_or_else(|| panic!("{name}\n{metrics}")).split(' ').nth(1).unwrap().to_string()
    };
    assert_eq!(value("sakmak_requests_total{path=\"/{variant}\",status=\"200\"}"), "6");
    assert_eq!(value("sakmak_requests_total{path=\"/variants\",status=\"200\"}"), "1");
    // Bare kings need none, and one rook has the same table for all counting rules.
    assert_eq!(value("sakmak_made_total"), "2");
    assert!(metrics.ends_with("# EOF\n"));

    // No path of the document is left out.
    let paths = api.0["paths"].as_object().unwrap();
    let others = ["/healthz", "/metrics", "/variants", "/{variant}", "/{variant}/mainline"];
    for path in paths.keys() {
        assert!(others.contains(&&**path) || is_tested_elsewhere(path), "{path} is not asked");
    }
}

/// Paths with tests of their own.
fn is_tested_elsewhere(path: &str) -> bool {
    ["/{variant}/board.svg", "/{variant}/draw", "/{variant}/lists"].contains(&path)
}

#[test]
fn an_answer_has_the_meaning_of_lila_tablebase_and_the_count() {
    let service = Served::start(&[]);
    let url = format!("/makruk?fen={KSMVK}_-_88_40_21");
    let answer = service.get(&url).json(200);
    assert_eq!(answer["category"], "win");
    assert_eq!((&answer["dtm"], &answer["dtz"]), (&json!(47), &Json::Null));
    assert_eq!(answer["fen"], "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21");
    assert_eq!(answer["count"]["moves_left"], 25);
    let moves = answer["moves"].as_array().unwrap();
    // After the move it is the other side's turn.
    let shown =
        |mv: &Json| [&mv["uci"], &mv["category"], &mv["dtm"]].map(Json::to_string).join(" ");
    assert_eq!(shown(&moves[0]), r#""e1d2" "loss" -46"#);
    assert_eq!(shown(&moves[2]), r#""e2d3" "blessed-loss" -50"#);
    assert_eq!(moves[0]["fen"], "8/8/8/4k3/8/4K3/3MS3/8 b - 88 41 21");
    assert_eq!((&answer["mate_in_time"], &moves[0]["mate_in_time"]), (&json!(47), &json!(-46)));
    assert_eq!(answer["line"].as_array().unwrap().len(), 47);
    assert_eq!(answer["counted_line"]["end"], "checkmate");

    let mate = service.get("/makruk?fen=k1K5/8/8/8/8/8/8/R7_b").json(200);
    assert_eq!((&mate["checkmate"], &mate["dtm"]), (&json!(true), &json!(0)));
    let mate = service.get("/makruk?fen=k7/8/K7/8/8/8/8/R7_b").json(200);
    let mating = service.get("/makruk?fen=k7/8/K7/8/8/8/8/7R_w").json(200);
    assert_eq!(mate["dtm"], -4);
    let first = &mating["moves"][0];
    assert_eq!((&first["checkmate"], &first["dtm"]), (&json!(true), &json!(0)));
    assert_eq!(first["category"], "loss");

    let line = service.get(&url.replace("/makruk", "/makruk/mainline")).json(200);
    let mainline = line["mainline"].as_array().unwrap();
    assert_eq!((&line["winner"], &line["dtm"]), (&json!("w"), &json!(47)));
    assert_eq!(
        (mainline.len(), &mainline[0]["dtm"], &mainline[46]["dtm"]),
        (47, &json!(-46), &json!(0))
    );
    assert!(mainline[46]["san"].as_str().unwrap().ends_with('#'));
    let late = service.get(&format!("/makruk/mainline?fen={KSMVK}&called=40")).json(200);
    assert_eq!((&late["winner"], &late["counted_mainline"]["end"]), (&Json::Null, &json!("claim")));
}

#[test]
fn a_plus_of_an_address_may_be_a_blank() {
    let service = Served::start(&[]);
    let ask = |fen: &str| service.get(&format!("/kar-ouk?fen={fen}&line=false"));
    // 51 moves are called, and 13 of the 30 that are needed are left.
    let asked = ask("5M2/8/8/8/8/8/6k1/K7_w_-_126_1%2B1_101_60");
    assert_eq!(asked.json(200)["category"], "cursed-win");
    for fen in [
        "5M2/8/8/8/8/8/6k1/K7_w_-_126_1+1_101_60",
        "5M2/8/8/8/8/8/6k1/K7+w+-+126+1+1+101+60",
        "5M2/8/8/8/8/8/6k1/K7%20w%20-%20126%201+1%20101%2060",
        "5M2%2F8%2F8%2F8%2F8%2F8%2F6k1%2FK7+w+-+126+1%2B1+101+60",
        "5M2/8/8/8/8/8/6k1/K7_w_-_126_101_60",
    ] {
        assert_eq!(ask(fen).text(), asked.text(), "{fen}");
    }
    // The number of the move may be missing, and elsewhere there is no such field.
    let asked = ask("5M2/8/8/8/8/8/6k1/K7_w_-_126_101").text();
    for fen in ["5M2/8/8/8/8/8/6k1/K7_w_-_126_1+1_101", "5M2/8/8/8/8/8/6k1/K7+w+-+126+1+1+101"] {
        assert_eq!(ask(fen).text(), asked, "{fen}");
    }
    let makruk = service.get(&format!("/makruk?fen={KSMVK}_-_88_1+1_40_21"));
    assert_eq!(makruk.json(400)["error"]["code"], "bad_fen");
}

#[test]
fn a_solution_is_that_of_probe() {
    let service = Served::start(&[]);
    let api = openapi(&service);
    for fen in [KSMVK, "7k/8/6K1/8/8/8/8/R7_w", "8/8/8/3k4/8/8/4R3/4K3_b"] {
        let answer = service.get(&format!("/makruk?fen={fen}&solution=true")).json(200);
        api.assert_meets(api.response("get", "/{variant}", 200), &answer);
        let probed = sakmak(["probe", &fen.replace('_', " "), "--json", "--solution"]).json();
        assert!(probed["solution"]["kept"].as_u64().is_some_and(|kept| kept > 0), "{fen}");
        assert_eq!(answer["solution"], probed["solution"], "{fen}");
        let body = json!({"fens": [fen], "line": false, "solution": true});
        assert_eq!(service.post("/makruk", &body).json(200)[0]["solution"], probed["solution"]);
        let plain = service.get(&format!("/makruk?fen={fen}")).json(200);
        assert_eq!(plain.get("solution"), None, "{fen}");
    }
}

#[test]
fn mates_in_time_that_tables_do_not_tell_are_searched_on_demand_only() {
    let service = Served::start(&[]);
    let api = openapi(&service);
    // The count ends before the mate unless the capture starts another one.
    let fen = "8/8/R7/6K1/8/7k/8/4s3_w_-_128_116_60";
    let position = format!("/makruk?fen={fen}");
    let ask = |path: &str| service.get(path).json(200);
    let (told, searched) = (ask(&position), ask(&format!("{position}&mate_in_time=true")));
    api.assert_meets(api.response("get", "/{variant}", 200), &searched);
    for key in ["category", "dtm", "counted", "count", "fen"] {
        assert_eq!(told[key], searched[key], "{key}");
    }
    assert_eq!(told["category"], "win");
    assert_eq!(told["mate_in_time"], Json::Null);
    let found = searched["mate_in_time"].as_u64().unwrap();
    assert_eq!(found, 25);
    // The line is as long as the number.
    let line = searched["counted_line"]["moves"].as_array().unwrap().len() as u64;
    assert_eq!(line, found);
    let short = ask(&format!("{position}&line=false&mate_in_time=true"));
    assert_eq!(
        (&short["mate_in_time"], &short["moves"]),
        (&searched["mate_in_time"], &searched["moves"])
    );
    let mainline = format!("/makruk/mainline?fen={fen}&mate_in_time=true");
    let mainline = ask(&mainline)["counted_mainline"]["moves"].as_array().unwrap().len() as u64;
    assert_eq!(mainline, line);
    let list = |mates: bool| {
        let fens = [fen.replace('_', " "), "8/8 w".to_string()];
        let list = service.post("/makruk", &json!({"fens": fens, "mate_in_time": mates}));
        list.json(200)[0]["mate_in_time"].clone()
    };
    assert_eq!([list(false), list(true)], [Json::Null, searched["mate_in_time"].clone()]);
    let wrong = service.get(&format!("{position}&mate_in_time=yes")).json(400);
    assert_eq!(wrong["error"]["message"], "mate_in_time=yes: expected true or false");
}

#[test]
fn errors_have_a_status_a_code_and_one_line() {
    let service = Served::start(&[]);
    let api = openapi(&service);
    let long = format!("{{\"fens\": [\"{}\"]}}", "x".repeat(70_000));
    let many = json!({"fens": vec!["8/8/8/3k4/8/8/8/4K3 w"; 101]}).to_string();
    let get = |path: &str| service.get(path);
    let post = |body: &str| service.request("POST", "/makruk", &[], body);
    let counted = format!("/makruk?fen={KSMVK}");
    let leaps = "/ouk?fen=rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR_w_DEde_-_0_1";
    let cases: [(HttpResponse, u16, &str, &str); 24] = [
        (get("/nothing/here"), 404, "no_path", "/nothing/here"),
        (get("/xiangqi?fen=x"), 404, "no_variant", "'xiangqi' is not a variant"),
        (get("/xiangqi/mainline?fen=x"), 404, "no_variant", "makruk, ouk"),
        (get("/makruk"), 400, "bad_request", "fen is missing"),
        (get("/makruk?fen=8/8"), 400, "bad_fen", "the FEN has 1 field"),
        (get("/makruk?fen=%FF%FE"), 400, "bad_fen", "the FEN has 1 field"),
        (get("/makruk?fen=8/8/8/3kK3/8/8/8/8_w"), 400, "bad_fen", "adjacent"),
        (get(leaps), 400, "leap_rights", "first-move leap"),
        (
            get(&format!("{counted}&line=yes")),
            400,
            "bad_request",
            "line=yes: expected true or false",
        ),
        (
            get(&format!("{counted}&called=-1")),
            400,
            "bad_request",
            "called=-1: expected a number of moves",
        ),
        (get(&format!("{counted}&called=99")), 400, "bad_call", "99 cannot have been called"),
        (get(&format!("{counted}&limit=44")), 400, "bad_request", "which is missing"),
        (get(&format!("{counted}&called=20&counter=red")), 400, "bad_request", "counter=red"),
        (get(&format!("{counted}_-_88_40_1&called=20")), 400, "bad_call", "the FEN has a count"),
        (get(&format!("{counted}&counting=fide")), 400, "bad_request", "'fide' is not"),
        (
            get(&format!("{counted}&counting=ouk")),
            400,
            "bad_request",
            "not a counting rule of makruk",
        ),
        (get(&format!("/makruk?fen={FIVE_MEN}")), 404, "no_table", "KRRRvK, which has 5 men"),
        (get(&format!("/makruk/mainline?fen={FIVE_MEN}")), 404, "no_table", "largest"),
        (post("{"), 400, "bad_request", r#"expected {"fens": ["FEN", ...]}"#),
        (post(r#"{"fens": [], "fen": ""}"#), 400, "bad_request", "unknown field"),
        (post(&long), 413, "too_large", "at most 65536 bytes"),
        (post(&many), 413, "too_large", "101 positions: expected at most 100"),
        (service.request("DELETE", "/makruk", &[], ""), 405, "no_method", "DELETE"),
        (service.request("POST", "/variants", &[], ""), 405, "no_method", "POST"),
    ];
    let schema = &api.0["components"]["schemas"]["error"];
    for (response, status, code, part) in cases {
        let error = response.json(status);
        api.assert_meets(schema, &error);
        assert_eq!(error["error"]["code"], code, "{error}");
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains(part) && !message.contains('\n'), "{part}: {message}");
        assert_eq!(error["error"].get("missing").is_some(), code == "no_table", "{error}");
    }
    let missing = service.get(&format!("/makruk?fen={FIVE_MEN}")).json(404);
    let expected = json!({"material": "KRRRvK", "men": 5, "largest": 4, "too_many": 1});
    assert_eq!(missing["error"]["missing"], expected);
}

#[test]
fn messages_repeat_little_of_a_request() {
    let service = Served::start(&[]);
    let long = "x".repeat(60_000);
    let counted = format!("/makruk?fen={KSMVK}");
    let drawn = "/makruk/draw?goal=mate&material=KRvK";
    let mut answers: Vec<HttpResponse> = [
        format!("/{long}"),
        format!("/atlas/{long}"),
        format!("/{long}?fen=x"),
        format!("/{long}/mainline"),
        format!("/makruk?fen={long}"),
        format!("/makruk?fen={}", "8/".repeat(30_000)),
        format!("/makruk?fen={}", "_8".repeat(30_000)),
        format!("/kar-ouk?fen={}", "1+1_".repeat(15_000)),
        format!("/makruk/mainline?fen={KSMVK}_{long}"),
        format!("{counted}_-_{long}_0_1"),
        format!("{counted}&counting={long}"),
        format!("{counted}&line={long}"),
        format!("{counted}&called={long}"),
        format!("{counted}&called={}", "9".repeat(60_000)),
        format!("{counted}&called=3&limit={long}"),
        format!("{counted}&called=3&counter={long}"),
        format!("/makruk/draw?goal={long}&material=KRvK"),
        format!("/makruk/draw?goal=mate&material={long}"),
        format!("{drawn}&moves={long}"),
        format!("{drawn}&margin={long}"),
        format!("{drawn}&side={long}"),
        format!("{drawn}&seed={long}"),
        format!("{drawn}&counting={long}"),
        format!("/makruk/lists?counting={long}"),
    ]
    .iter()
    .map(|path| service.get(path))
    .collect();
    let post = |body: &Json| service.post("/makruk", body);
    answers.push(service.request(&"X".repeat(60_000), "/makruk", &[], ""));
    answers.push(post(&json!({&*long: []})));
    answers.push(post(&json!({"fens": long})));
    answers.push(post(&json!({"fens": [], "line": long})));
    for answer in answers {
        let error = answer.json(answer.status);
        assert!((400..500).contains(&answer.status), "{error}");
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.len() < 500, "{} bytes: {}", message.len(), &message[..500]);
        assert!(!message.contains(&"x".repeat(101)), "{message}");
    }
    // Nor does a list do it a hundred times.
    let fens = vec!["8/8/8/4k3/8/4K3/4S3/4M3 w"; 100];
    let answers = post(&json!({"fens": fens, "counting": long}));
    assert_eq!(answers.json(200)[99]["error"]["code"], "bad_request");
    assert!(answers.body.len() < 50_000, "{}", answers.body.len());
}

#[test]
fn a_method_that_a_path_lacks_is_refused_with_those_that_it_has() {
    let service = Served::start(&[]);
    let api = openapi(&service);
    let read = "GET,HEAD";
    let posts = "GET,HEAD,POST";
    for (method, path, allowed) in [
        ("TRACE", "/", read),
        ("TRACE", "/makruk", posts),
        ("TRACE", "/nothing/here", read),
        ("CONNECT", "a:1", read),
        ("DELETE", "/", read),
        ("PUT", "/style.css", read),
        ("POST", "/trainer", read),
        ("POST", "/style.css", read),
        ("POST", "/languages/th.json", read),
        ("POST", "/variants", read),
        ("POST", "/healthz", read),
        ("POST", "/makruk/mainline", read),
        ("PATCH", "/Thai-Chess", posts),
        ("PATCH", "/thai%20chess", posts),
        ("BREW", "/ouk", posts),
    ] {
        let refused = service.request(method, path, &[], "");
        assert_eq!(refused.headers["allow"], allowed, "{method} {path}");
        let error = refused.json(405);
        api.assert_meets(&api.0["components"]["schemas"]["error"], &error);
        assert_eq!(error["error"]["code"], "no_method", "{method} {path}");
    }
    // What is not there is not there for any method.
    assert_eq!(service.request("POST", "/nothing/here", &[], "").status, 404);
    assert_eq!(service.request("POST", "/xiangqi", &[], "{}").status, 404);

    let asked = ["Origin: https://example.org", "Access-Control-Request-Method: POST"];
    for (path, permitted) in [
        ("/makruk", posts),
        ("/Thai-Chess", posts),
        ("/variants", read),
        ("/healthz", read),
        ("/metrics", read),
        ("/makruk/mainline", read),
        ("/makruk/draw", read),
        ("/trainer", read),
        ("/", read),
        ("/nothing", read),
    ] {
        let permission = service.request("OPTIONS", path, &asked, "");
        assert_eq!(permission.status, 200, "{path}");
        assert_eq!(permission.headers["access-control-allow-methods"], permitted, "{path}");
    }
}

#[test]
fn a_client_that_reads_nothing_is_cut_off_and_a_slow_one_is_not() {
    let service = Served::start(&["--timeout", "1"]);
    let asked = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
    let last = asked.replace("Host", "Connection: close\r\nHost");
    // Some of it is read after the timeout.
    let mut slow = service.connect();
    slow.write_all((asked.repeat(200) + &last).as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let mut read = Vec::new();
    slow.read_to_end(&mut read).unwrap();
    let heads = read.windows(15).filter(|bytes| bytes == b"HTTP/1.1 200 OK");
    assert_eq!(heads.count(), 201);

    let mut silent = service.connect();
    silent.write_all(asked.repeat(1000).as_bytes()).unwrap();
    let start = Instant::now();
    let connections = || {
        let metrics = service.get("/metrics").text();
        let line = metrics.lines().find(|line| line.starts_with("sakmak_connections ")).unwrap();
        line.split(' ').nth(1).unwrap().parse::<u32>().unwrap()
    };
    // The one that asks for it is left.
    while connections() > 1 {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(100));
    }
    let mut read = Vec::new();
    let _ = silent.read_to_end(&mut read);
    assert!(read.len() < 1000 * service.get("/openapi.json").body.len());
}

#[test]
fn browsers_get_pages_and_do_not_get_them_twice() {
    let service = Served::start(&[]);
    let page = service.get("/");
    assert_eq!((page.status, &*page.headers["content-type"]), (200, "text/html; charset=utf-8"));
    let policy = &page.headers["content-security-policy"];
    assert!(policy.starts_with("default-src 'self'; script-src 'self'"), "{policy}");
    assert!(policy.ends_with("; frame-ancestors 'self'") && !policy.contains("unsafe-inline"));
    assert!(!service.get("/board.png").headers.contains_key("content-security-policy"));
    // Browsers do not guess the type of any answer.
    for (method, path) in [
        ("GET", "/"),
        ("GET", "/makruk?fen=8/8/8/3k4/8/8/8/4K3_w"),
        ("GET", "/makruk?fen=8"),
        ("GET", "/no/such/path"),
        ("GET", "/board.png"),
        ("GET", "/rek/board.svg"),
        ("GET", "/metrics"),
        ("GET", "/%ff"),
        ("HEAD", "/variants"),
        ("POST", "/makruk"),
        ("POST", "/"),
        ("TRACE", "/"),
        ("OPTIONS", "/makruk"),
    ] {
        let answer = service.request(method, path, &[], "");
        let found = answer.headers.get("x-content-type-options").map(String::as_str);
        assert_eq!(found, Some("nosniff"), "{method} {path}: {}", answer.status);
    }
    let tag = page.headers["etag"].clone();
    let again = service.request("GET", "/", &[&format!("If-None-Match: {tag}")], "");
    assert_eq!((again.status, &*again.headers["x-content-type-options"]), (304, "nosniff"));
    assert_eq!(service.get("/index.html").body, page.body);
    let style = service.get("/style.css");
    assert_eq!((style.status, &*style.headers["content-type"]), (200, "text/css; charset=utf-8"));
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/languages", "/style.css/"] {
        assert_eq!(service.get(path).status, 404, "{path}");
    }
    for path in ["/", "/makruk?fen=8/8/8/3k4/8/8/8/4K3_w"] {
        let tag = service.get(path).headers["etag"].clone();
        let again = service.request("GET", path, &[&format!("If-None-Match: \"x\", {tag}")], "");
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
        assert_eq!(again.headers["etag"], tag);
        let other = service.request("GET", path, &["If-None-Match: \"x\""], "");
        assert_eq!(other.status, 200, "{path}");
    }
    let packed = service.request("GET", "/", &["Accept-Encoding: gzip"], "");
    assert_eq!(packed.headers["content-encoding"], "gzip");
    assert!(packed.body.len() < page.body.len());
    let head = service.request("HEAD", "/", &[], "");
    assert_eq!((head.status, head.body.len()), (200, 0));
    let asked = ["Origin: https://example.org", "Access-Control-Request-Method: POST"];
    let permission = service.request("OPTIONS", "/makruk", &asked, "");
    assert_eq!(permission.headers["access-control-allow-origin"], "*");
    assert!(permission.headers["access-control-allow-methods"].contains("POST"));
}

#[test]
fn slow_idle_and_malformed_clients_do_no_harm() {
    let service = Served::start(&["--timeout", "1"]);
    for request in ["GET\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
        assert_eq!(service.send(request).status, 400, "{request:?}");
    }
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(1 << 20));
    let mut stream = service.connect();
    // The service may answer and close before all is written.
    let _ = stream.write_all(long.as_bytes());
    let mut idle: Vec<_> = (0..300).map(|_| service.connect()).collect();
    let mut half = service.connect();
    half.write_all(b"GET /healthz HTTP/1.1\r\nHost: x").unwrap();
    let mut body = service.connect();
    body.write_all(
        b"POST /makruk HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\nConnection: close\r\n\r\n{",
    )
    .unwrap();
    assert_eq!(service.get("/healthz").status, 200);
    // All of them are cut off.
    let start = Instant::now();
    let error = received(body).json(503);
    assert_eq!(error["error"]["code"], "timed_out");
    for stream in idle.iter_mut().chain([&mut half]) {
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).unwrap();
        assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"), "{rest:?}");
    }
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(service.get("/healthz").status, 200);
}

#[test]
fn a_position_one_man_above_the_tables_has_the_moves_into_them() {
    let service = Served::start(&["--timeout", "300"]);
    let api = openapi(&service);
    let schema = api.response("get", "/{variant}", 200);
    let ask = |fen: &str| {
        let answer = service.get(&format!("/makruk?fen={fen}")).json(200);
        api.assert_meets(schema, &answer);
        answer
    };
    let moves = |answer: &Json| -> Vec<(String, String)> {
        let text = |value: &Json| value.as_str().unwrap().to_string();
        let moves = answer["moves"].as_array().unwrap().iter();
        moves.map(|mv| (text(&mv["san"]), text(&mv["category"]))).collect()
    };
    // A capture wins, and so does the position.
    let fen = "k7/8/1K6/7n/8/8/8/M6R_w";
    let answer = ask(fen);
    assert_eq!((&answer["category"], &answer["dtm"]), (&json!("win"), &Json::Null), "{answer}");
    assert_eq!(
        answer["missing"],
        json!({"material": "KRMvKN", "men": 5, "largest": 4, "too_many": 1})
    );
    assert!(answer.get("line").is_none() && answer.get("counted_line").is_none());
    let found = moves(&answer);
    assert_eq!(found[0], ("Rxh5".to_string(), "loss".to_string()), "{found:?}");
    let after = answer["moves"][0]["fen"].as_str().unwrap().replace(' ', "_");
    let captured = service.get(&format!("/makruk?fen={after}&line=false")).json(200);
    for key in ["category", "dtm", "mate_in_time"] {
        assert_eq!(answer["moves"][0][key], captured[key], "{key}");
    }
    assert!(found[1..].iter().all(|(_, category)| category == "unknown"), "{found:?}");
    assert_eq!(
        found.len(),
        Position::from_fen(&variants::MAKRUK, &fen.replace('_', " ")).unwrap().legal_moves().len()
    );
    // A capture that draws comes after the unknown moves, and leaves the position unknown.
    let answer = ask("8/8/8/3k4/4n3/8/4RR2/4K3_w");
    let found = moves(&answer);
    assert_eq!((&answer["category"], &answer["dtm"]), (&json!("unknown"), &Json::Null));
    let (last, unknown) = found.split_last().unwrap();
    assert_eq!((&*last.0, &*last.1), ("Rxe4", "blessed-loss"));
    assert!(unknown.iter().all(|(_, category)| category == "unknown"), "{found:?}");
    // The game is over.
    let answer = ask("k1K5/8/8/8/8/8/RRR5/R7_b");
    assert_eq!((&answer["checkmate"], &answer["category"]), (&json!(true), &json!("loss")));
    assert_eq!((&answer["dtm"], &answer["mate_in_time"]), (&json!(0), &json!(0)));
    // No move is known: no capture, or one into four men that leaves five.
    for fen in [FIVE_MEN, "8/8/8/3k4/4n3/8/4RR2/4KR2_w"] {
        assert_eq!(
            service.get(&format!("/makruk?fen={fen}")).json(404)["error"]["code"],
            "no_table"
        );
    }
    // Lines need the whole answer, and a list has the same answers.
    let line = service.get(&format!("/makruk/mainline?fen={fen}")).json(404);
    assert_eq!(line["error"]["code"], "no_table");
    let list = service.post("/makruk", &json!({"fens": [fen.replace('_', " ")]})).json(200);
    assert_eq!(list[0], service.get(&format!("/makruk?fen={fen}")).json(200));
}

#[test]
fn booleans_are_read_as_programs_write_them() {
    let service = Served::start(&[]);
    let has_lines = |answer: &Json| answer.get("line").is_some();
    let fen = "8/8/8/3k4/8/8/4R3/4K3_w";
    let texts = [("false", false), ("False", false), ("FALSE", false), ("0", false)];
    for (text, expected) in texts.into_iter().chain([("true", true), ("True", true), ("1", true)]) {
        let get =
            service.get(&format!("/makruk?fen={fen}&line={text}&mate_in_time={text}")).json(200);
        assert_eq!(has_lines(&get), expected, "{text}");
        for value in [json!(text), json!(expected), json!(u8::from(expected))] {
            let body = json!({"fens": [fen], "line": value, "mate_in_time": value});
            assert_eq!(
                has_lines(&service.post("/makruk", &body).json(200)[0]),
                expected,
                "{value}"
            );
        }
    }
    let absent = service.post("/makruk", &json!({"fens": [fen], "line": null})).json(200);
    assert!(has_lines(&absent[0]));
    for value in [json!("no"), json!(2), json!(0.0), json!([]), json!("")] {
        let error = service.post("/makruk", &json!({"fens": [], "line": value})).json(400);
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains("expected true or false"), "{message}");
    }
    let error = service.get(&format!("/makruk?fen={fen}&line=maybe")).json(400);
    assert_eq!(error["error"]["message"], "line=maybe: expected true or false");
}

/// The lines of the log of a service that is killed now.
fn log_of(mut service: Served) -> Vec<String> {
    let process = service.process();
    process.kill().unwrap();
    let mut log = String::new();
    process.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    log.lines().map(str::to_string).collect()
}

#[test]
fn the_log_begins_with_what_is_served() {
    let made = generated(&["KRvK", "KMvKM"]);
    let place = made.path().to_str().unwrap();
    let service = Served::start(&["--tables", place, "--log", "json", "--cache", "64M"]);
    let address = format!("http://{}/", service.address);
    let metrics = service.get("/metrics").text();
    for line in [
        format!("sakmak_build_info{{version=\"{}\"}} 1", env!("CARGO_PKG_VERSION")),
        "sakmak_tables{variant=\"makruk\",kind=\"solved\"} 3".to_string(),
        "sakmak_tables{variant=\"kar-ouk\",kind=\"solved\"} 0".to_string(),
        "sakmak_tables{variant=\"janggi\",kind=\"board-game\"} 0".to_string(),
        "sakmak_materials{variant=\"makruk\"} 2".to_string(),
        "sakmak_uncounted_materials{variant=\"makruk\"} 1".to_string(),
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line}\n{metrics}");
    }
    let log = log_of(service);
    let start: Json = serde_json::from_str(&log[0]).unwrap();
    assert_eq!((&start["level"], &start["message"]), (&json!("INFO"), &json!("started")));
    assert_eq!(start["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&start["address"], &start["directory"]), (&json!(address), &json!(place)));
    assert_eq!(start["cache"], "64.0 MiB");
    let tables = start["tables"].as_str().unwrap();
    let makruk = "makruk: 2 materials of up to 3 men, 1 without counted tables (KMvKM)";
    assert_eq!(tables.split("; ").next(), Some(makruk), "{tables}");
    assert!(!tables.contains("kar-ouk") && !tables.contains("janggi"), "{tables}");
    assert_eq!(log.len(), 1, "{log:?}");

    // Nothing, and tables in a folder that is not read.
    let empty = directory();
    let outer = directory();
    std::fs::create_dir(outer.path().join("inner")).unwrap();
    std::fs::copy(made.path().join("KRvK.dtm.smt"), outer.path().join("inner/KRvK.dtm.smt"))
        .unwrap();
    for (directory, warning) in [
        (empty.path(), "no tables in DIR"),
        (outer.path(), "no tables in DIR, but in DIR/inner: did you mean --tables DIR/inner?"),
    ] {
        let place = directory.to_str().unwrap();
        let log = log_of(Served::start(&["--tables", place]));
        assert!(log[0].contains(" INFO started version="), "{log:?}");
        assert!(log[1].ends_with(&format!(" WARN {}", warning.replace("DIR", place))), "{log:?}");
        assert_eq!(log.len(), 2, "{log:?}");
    }
}

#[test]
fn changed_tables_are_logged_once_and_times_in_microseconds() {
    let made = generated(&["KRvK", "KNvK"]);
    let directory = directory();
    let place = directory.path().to_str().unwrap();
    let service = Served::start(&["--tables", place, "--log", "json", "--log-requests"]);
    let copy = |name: &str| {
        std::fs::copy(made.path().join(name), directory.path().join("part")).unwrap();
        std::fs::rename(directory.path().join("part"), directory.path().join(name)).unwrap();
    };
    // Rules that share a folder see the same change.
    for name in ["KRvK.dtm.smt", "KNvK.dtm.smt"] {
        copy(name);
        std::thread::sleep(Duration::from_millis(2500));
    }
    for _ in 0..50 {
        service.get("/healthz");
        service.get("/makruk?fen=8/8/8/3k4/8/8/4R3/4K3_w");
    }
    let log = log_of(service);
    let reloads = log.iter().filter(|line| line.contains("files of tables have changed"));
    assert_eq!(reloads.count(), 2, "{log:?}");
    let times = log.iter().filter_map(|line| line.split("\"milliseconds\":").nth(1));
    let times: Vec<&str> = times.map(|rest| rest.trim_end_matches('}')).collect();
    assert!(times.len() >= 100, "{log:?}");
    for time in times {
        let (_, digits) = time.split_once('.').unwrap_or((time, ""));
        assert!(digits.len() <= 3, "{time}");
    }
}

#[cfg(unix)]
#[test]
fn what_killed_services_left_goes_with_the_next_start() {
    let directory = directory();
    let place = directory.path().to_str().unwrap();
    let folders = || {
        let entries = std::fs::read_dir(place).unwrap();
        let mut folders: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        folders.sort();
        folders
    };
    let mut first = Served::start_in(place, &[]);
    let lives = folders();
    let second = Served::start_in(place, &[]);
    // Each has made a table.
    for service in [&first, &second] {
        service.get("/makruk?fen=8/8/8/3k4/8/8/4R3/4K3_w").json(200);
    }
    assert_eq!(folders().len(), 2);
    // SIGKILL.
    drop(second);
    assert_eq!(folders().len(), 2);
    let third = Served::start_in(place, &[]);
    let left = folders();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(left.contains(&lives[0]), "{left:?}");
    // The one that lives has its tables still.
    first.get("/makruk?fen=8/8/8/3k4/8/8/4R3/4K3_b").json(200);
    first.process().kill().unwrap();
    first.process().wait().unwrap();
    drop(third);
    let mut last = Served::start_in(place, &[]);
    assert_eq!(folders().len(), 1);
    signalled(last.process(), 1);
    assert!(folders().is_empty());
}

/// Sends SIGTERM to a process until it has ended. Returns the time that it took.
#[cfg(unix)]
fn signalled(process: &mut std::process::Child, times: usize) -> Duration {
    use rustix::process::{Pid, Signal, kill_process};

    let start = Instant::now();
    for _ in 0..times {
        kill_process(Pid::from_child(process), Signal::TERM).unwrap();
        std::thread::sleep(Duration::from_millis(200));
    }
    process.wait().unwrap();
    start.elapsed()
}

#[cfg(unix)]
#[test]
fn one_signal_ends_it_soon_while_clients_and_tables_are_slow() {
    let directory = directory();
    let place = directory.path().to_str().unwrap();
    // Connections that say nothing, and half a request.
    let mut service = Served::start_in(place, &[]);
    let silent: Vec<_> = (0..20).map(|_| service.connect()).collect();
    let mut half = service.connect();
    half.write_all(b"POST /makruk HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{").unwrap();
    service.get("/healthz");
    let time = signalled(service.process(), 1);
    assert!(time < Duration::from_secs(4), "{time:?}");
    drop((silent, half));
    // Tables of pawns, which take longer to make than requests have.
    for (signals, most) in [(1, 14), (2, 4)] {
        let mut service = Served::start_in(place, &["--timeout", "600"]);
        let mut making = service.connect();
        making
            .write_all(b"GET /makruk?fen=8/8/8/P2k4/8/4P3/8/4K3_w HTTP/1.1\r\nHost: x\r\n\r\n")
            .unwrap();
        std::thread::sleep(Duration::from_millis(500));
        let time = signalled(service.process(), signals);
        assert!(time < Duration::from_secs(most), "{time:?} after {signals}");
        assert_eq!(std::fs::read_dir(place).unwrap().count(), 0);
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_after_the_requests_that_run() {
    use rustix::process::{Pid, Signal, kill_process};

    let directory = directory();
    let place = directory.path().to_str().unwrap();
    let mut service = Served::start_in(place, &["--log", "json"]);
    let mut stream = service.connect();
    let request =
        format!("GET /makruk?fen={KSMVK} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    // It makes tables for this request.
    let start = Instant::now();
    while std::fs::read_dir(place)
        .unwrap()
        .flatten()
        .all(|entry| entry.path().read_dir().map_or(true, |mut made| made.next().is_none()))
    {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(1));
    }
    let process = service.process();
    let pid = Pid::from_child(process);
    kill_process(pid, Signal::TERM).unwrap();
    let answer = received(stream).json(200);
    assert_eq!(answer["category"], "win");
    assert_eq!(process.wait().unwrap().code(), Some(0));
    let mut log = String::new();
    process.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    let events: Vec<Json> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.last().unwrap()["message"], "ended", "{log}");
    assert!(events.iter().any(|event| event["table"] == "KSMvK"), "{log}");
    // Nothing is left.
    assert_eq!(std::fs::read_dir(place).unwrap().count(), 0);
}

#[test]
fn variants_have_their_goal_and_their_pieces() {
    let service = Served::start(&[]);
    let variants = service.get("/variants").json(200);
    let pieces = |variant: &str, kind: &str| {
        let variants = variants["variants"].as_array().unwrap();
        variants.iter().find(|found| found["name"] == variant).unwrap()["pieces"][kind].clone()
    };
    let goal = |variant: &str| {
        let variants = variants["variants"].as_array().unwrap();
        variants.iter().find(|found| found["name"] == variant).unwrap()["goal"].clone()
    };
    assert_eq!(["makruk", "kar-ouk", "shatranj"].map(goal), ["mate", "check", "win"]);
    assert_eq!(pieces("makruk", "S"), json!({"letter": "S", "name": "khon"}));
    assert_eq!(pieces("ouk", "S"), json!({"letter": "S", "name": "koul"}));
    assert_eq!(pieces("shatranj", "S"), json!({"letter": "B", "name": "alfil"}));
}

#[test]
fn tables_that_come_and_are_replaced_are_read() {
    let made = generated(&["KRvKM"]);
    let directory = directory();
    let service = Served::start(&["--tables", directory.path().to_str().unwrap()]);
    let materials = || {
        let variants = service.get("/variants").json(200);
        variants["variants"][0]["materials"].as_array().unwrap().len()
    };
    assert_eq!(materials(), 0);
    let reloads = || {
        let metrics = service.get("/metrics").text();
        let line = metrics.lines().find(|line| line.starts_with("sakmak_reloads_total")).unwrap();
        line.split(' ').nth(1).unwrap().parse::<u32>().unwrap()
    };
    let wait = |done: &dyn Fn() -> bool| {
        let start = Instant::now();
        while !done() {
            assert!(start.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let copy = |name: &str, to: &str| {
        std::fs::copy(made.path().join(name), directory.path().join(to)).unwrap();
    };
    copy("KRvK.dtm.smt", "KRvK.dtm.smt");
    wait(&|| materials() == 1);
    let ask = || service.get("/makruk?fen=8/8/8/3k4/8/8/4R3/4K3_w&line=false").json(200);
    assert_eq!(ask()["category"], "win");
    let before = reloads();
    copy("KRvK.dtm.smt", "other");
    std::fs::rename(directory.path().join("other"), directory.path().join("KRvK.dtm.smt")).unwrap();
    wait(&|| reloads() > before);
    assert_eq!(ask()["category"], "win");
}

#[test]
fn the_example_clients_ask_it() {
    let service = Served::start(&[]);
    let scripts = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/serve");
    let address = format!("http://{}", service.address);
    let fen = "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21";
    for (program, client) in [("python3", "client.py"), ("node", "client.mjs")] {
        let mut command = Command::new(program);
        command.arg(format!("{scripts}/{client}")).args([&*address, fen]);
        let output = match command.output() {
            Ok(output) => output,
            // Python is needed for other tests too, Node.js is not.
            Err(error) if program == "node" => {
                println!("{client} was not run: {error}");
                continue;
            }
            Err(error) => panic!("{program}: {error}"),
        };
        let text = String::from_utf8(output.stdout).unwrap();
        let first: Vec<&str> = text.lines().take(4).collect();
        assert_eq!(first, ["win 47", "Md2 loss", "Mf2 loss", "Sd3 blessed-loss"], "{client}");
    }
}

#[test]
fn what_cannot_be_served_is_said_in_one_line() {
    use crate::sakmak::sakmak;

    let service = Served::start(&[]);
    let taken = sakmak(["serve", "--listen", &service.address]);
    let port = service.address.rsplit_once(':').unwrap().1;
    let named = sakmak(["serve", "--listen", &format!("localhost:{port}")]);
    assert!(named.refusal(1).starts_with(&format!("cannot listen on localhost:{port}: ")));
    for listen in ["8081", "localhost", "localhost:http", ":8080", "::1:8080"] {
        let refused = sakmak(["serve", "--listen", listen]);
        let expected = format!("'{listen}' is not an address with a port");
        assert_eq!(refused.code, Some(2), "{listen}");
        assert!(refused.stderr.contains(&expected), "{}", refused.stderr);
    }
    assert!(taken.refusal(1).starts_with(&format!("cannot listen on {}: ", service.address)));
    let missing = sakmak(["serve", "--tables", "no/such/place", "--listen", "127.0.0.1:0"]);
    assert_eq!(missing.refusal(2), "the directory of tables no/such/place does not exist");
}

#[test]
fn moves_have_the_letters_of_their_game() {
    let service = Served::start(&["--timeout", "300"]);
    // With a promotion in the line.
    for (variant, fen) in [
        (&*variants::AI_WOK, "8/8/8/P7/8/8/K7/7k w"),
        (&variants::KAR_OUK, "8/8/8/P7/8/8/K7/7k w"),
        (&variants::ASEAN, "8/P7/8/8/8/8/K7/7k w"),
        (&variants::SHATRANJ, "8/1P6/8/8/8/8/2K5/k7 w"),
    ] {
        let path = format!("{}/mainline?fen={}", variant.name, fen.replace(' ', "_"));
        let line = service.get(&format!("/{path}")).json(200);
        for moves in [&line["mainline"], &line["counted_mainline"]["moves"]] {
            let mut position = Position::from_fen(variant, fen).unwrap();
            let mut promotions = 0;
            for (uci, san) in moves.as_array().unwrap().iter().map(|mv| (&mv["uci"], &mv["san"])) {
                let legal = position.legal_moves();
                let mv = legal.iter().find(|mv| *uci == mv.uci(variant));
                let mv = *mv.unwrap_or_else(|| panic!("{}: {uci} in {position}", variant.name));
                if let Some(kind) = mv.promotion {
                    let letter = variant.letters[kind.index()];
                    let end = format!("={letter}");
                    assert!(san.as_str().unwrap().trim_end_matches(['+', '#']).ends_with(&end));
                    promotions += 1;
                }
                position = position.play(mv);
            }
            assert!(promotions > 0 && position.outcome().is_some(), "{}: {line}", variant.name);
        }
    }
}

#[test]
fn fens_of_other_programs_are_read_from_addresses() {
    let service = Served::start(&[]);
    let men = "8/8/8/3k4/8/8/8/R3K3";
    for (path, fen, means) in [
        ("makruk", format!("{men}_w_-_0_0_30"), format!("{men} w - - 0 30")),
        ("makruk", format!("{men}%20w%200%2030"), format!("{men} w - - 0 30")),
        ("ouk", format!("{men}+w+-+3+12"), format!("{men} w - - 0 12")),
        (
            "sittuyin",
            "8/8/8/4k3/8/4K3/4S3/8%5B%5D_w".to_string(),
            "8/8/8/4k3/8/4K3/4S3/8 w - - 0 1".to_string(),
        ),
        (
            "sittuyin",
            "8/8/8/4k3/8/4K3/4S3/8[]_w".to_string(),
            "8/8/8/4k3/8/4K3/4S3/8 w - - 0 1".to_string(),
        ),
        ("kar-ouk", format!("{men}_w_-_0_1+1_0_30"), format!("{men} w - - 1+1 0 30")),
    ] {
        let answer = service.get(&format!("/{path}?fen={fen}&line=false")).json(200);
        assert_eq!(answer["fen"], *means, "{fen}");
    }
}
