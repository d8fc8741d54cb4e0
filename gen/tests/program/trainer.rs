//! Exercises of the trainer, over HTTP.

use crate::serve_schema::OpenApi;
use crate::served::Served;
use serde_json::{Value as Json, json};

#[test]
fn exercises_are_what_was_asked_for() {
    let service = Served::start(&[]);
    let api = OpenApi(service.get("/openapi.json").json(200));
    let schema = api.response("get", "/{variant}/draw", 200);
    for (asked, category, moves, margin) in [
        ("goal=mate&material=KRvK&moves=4-10&margin=0-2&side=black", "win", 4..=10, 0..=2),
        ("goal=hold&material=KvKR&moves=4-10&margin=-2--1&seed=3", "blessed-loss", 4..=10, -2..=-1),
    ] {
        let drawn = service.get(&format!("/makruk/draw?{asked}"));
        assert_eq!(drawn.headers["cache-control"], "no-store");
        let drawn = drawn.json(200);
        api.assert_meets(schema, &drawn);
        let fen = drawn["fen"].as_str().unwrap();
        let answer = service.get(&format!("/makruk?fen={}", fen.replace(' ', "_"))).json(200);
        assert_eq!((&answer["category"], &drawn["category"]), (&json!(category), &json!(category)));
        let number = |value: &Json| value.as_i64().unwrap();
        assert_eq!(drawn["dtm"], answer["dtm"], "{fen}");
        assert!(moves.contains(&((number(&drawn["dtm"]).abs() + 1) / 2)), "{fen}");
        let left = number(&answer["count"]["moves_left"]);
        assert_eq!(number(&drawn["margin"]), left - number(&answer["counted"]), "{fen}");
        assert!(margin.contains(&number(&drawn["margin"])), "{fen}");
        assert_eq!(drawn["material"], "KRvK");
    }
    // A seed repeats an exercise; without one another comes.
    let fen = |asked: &str| service.get(&format!("/ouk/draw?{asked}")).json(200)["fen"].clone();
    let of_seed = |seed| fen(&format!("goal=mate&material=KRvK&seed={seed}"));
    assert!(of_seed(7) == of_seed(7) && of_seed(7) != of_seed(8));
    let drawn: Vec<Json> = (0..4).map(|_| fen("goal=mate&material=KRvK")).collect();
    assert!(drawn.iter().any(|fen| *fen != drawn[0]));
}

#[test]
fn what_cannot_be_drawn_has_a_code() {
    let service = Served::start(&[]);
    for (asked, status, code, message) in [
        ("goal=win&material=KRvK", 400, "bad_request", "goal=win: expected mate or hold"),
        ("material=KRvK", 400, "bad_request", "goal is missing: expected mate or hold"),
        (
            "goal=mate&material=KXvK",
            400,
            "bad_request",
            "material=KXvK: expected a material such as",
        ),
        ("goal=mate&material=KvK", 400, "bad_request", "material=KvK"),
        ("goal=mate&material=KRvK&moves=9-3", 400, "bad_request", "moves=9-3: expected a range"),
        ("goal=mate&material=KRvK&margin=x", 400, "bad_request", "margin=x: expected a range"),
        (
            "goal=mate&material=KRvK&side=red",
            400,
            "bad_request",
            "side=red: expected white or black",
        ),
        ("goal=mate&material=KRvK&counting=ouk", 400, "bad_request", "not a counting rule of"),
        ("goal=mate&material=KPvK&margin=0-1", 400, "no_count", "no count runs in KPvK"),
        ("goal=mate&material=KNvK", 404, "no_exercise", "no mate with this goal"),
        ("goal=mate&material=KRRRvK", 404, "no_table", "KRRRvK"),
    ] {
        let error = service.get(&format!("/makruk/draw?{asked}")).json(status);
        assert_eq!(error["error"]["code"], code, "{asked} {error}");
        let found = error["error"]["message"].as_str().unwrap();
        assert!(found.contains(message), "{asked} {found}");
    }
    assert_eq!(service.get("/xiangqi/draw").status, 404);
    assert_eq!(service.get("/xiangqi/lists").status, 404);
    let page = service.get("/trainer");
    assert!(page.status == 200 && page.text().contains("trainer.js"));
}
