//! Conditions that parse, and texts that do not.

use crate::query::parse::*;

fn read(text: &str) -> Result<Expression, ParseError> {
    parse(text, "KSMvKM".parse::<OrientedMaterial>().unwrap())
}

#[test]
fn and_binds_closer_than_or_and_not_closest() {
    let [win, draw, check] = ["win", "draw", "check"].map(|word| read(word).unwrap());
    let text = read("not win and draw or check").unwrap();
    assert_eq!(text, win.clone().negated().and(draw.clone()).or(check.clone()));
    let text = read("not (win and (draw or check))").unwrap();
    assert_eq!(text, win.and(draw.or(check)).negated());
}

#[test]
fn words_may_be_written_in_several_ways() {
    for (one, other) in [
        ("side=white", "side != black"),
        ("S=d4", "white.s on d4"),
        ("m on edge", "black.M == edge"),
        ("S != d4", "not S on d4"),
        ("all M on light", "not M on dark"),
        ("S on rank 1-8", "S on light|dark"),
        ("same_color(S,m)", "same_colour ( S , black.m )"),
        ("S on file a|e4|rank 2", "S = e4|rank 2|file a"),
    ] {
        assert_eq!(read(one).unwrap(), read(other).unwrap(), "{one}");
    }
    assert!(read("category=cursed-win").unwrap().needs_counted());
    assert!(read("too_late").unwrap().needs_counted());
    assert!(!read("dtm>3 and winner=white").unwrap().needs_counted());
    let rules = |text: &str| {
        let rules = read(text).unwrap().counting_rules().into_iter();
        rules.map(|rule| rule.name).collect::<Vec<_>>()
    };
    assert_eq!(rules("in_time and not too_late"), [""; 0]);
    let several = "in_time(ouk) or not (too_late(Makruk) and in_time ( ouk ))";
    assert_eq!(rules(several), ["ouk", "makruk"]);
    assert_eq!(rules("too_late(ouk-traditional)"), ["ouk-traditional"]);
}

#[test]
fn errors_point_at_the_word_and_say_what_would_be_right() {
    for (text, expected) in [
        ("", "column 1: unexpected end of condition, expected side, winner, "),
        ("win and", "column 8: unexpected end of condition, expected "),
        ("win or lost", "column 8: 'lost' is written 'loss'"),
        ("win or green", "column 8: unexpected 'green', expected side, winner, "),
        ("side=green", "column 6: unexpected 'green', expected white or black"),
        ("side white", "column 6: unexpected 'white', expected = or !="),
        ("dtm 20", "column 5: unexpected '20', expected =, !=, <, <=, > or >="),
        ("dtm<-1", "column 5: unexpected '-1', expected a number of moves"),
        ("dtm<99999999999", "column 5: "),
        ("category=won", "column 10: unexpected 'won', expected win, cursed-win, draw, "),
        ("(win", "column 5: unexpected end of condition, expected 'and', 'or' or ')'"),
        ("win)", "column 4: unexpected ')', expected 'and', 'or' or the end"),
        ("win draw", "column 5: unexpected 'draw', expected 'and', 'or' or the end"),
        ("S d4", "column 3: unexpected 'd4', expected 'on', '=' or '!='"),
        ("S on d9", "column 6: unexpected 'd9', expected a square, rank, file, corner, edge, "),
        ("S on rank 9", "column 11: unexpected '9', expected a rank 1 to 8, "),
        ("all win", "column 5: unexpected 'win', expected a piece such as S or white.S"),
        ("R on d4", "column 1: KSMvKM has no white R"),
        ("win and s=a1", "column 9: KSMvKM has no black S"),
        ("in_time(green)", "column 9: unexpected 'green', expected a counting rule (makruk, "),
        ("in_time(", "column 9: unexpected end of condition, expected a counting rule (makruk, "),
        ("in_time(ouk", "column 12: unexpected end of condition, expected ')'"),
        ("one_in 3", "column 8: unexpected '3', expected '('"),
        ("one_in(0)", "column 8: unexpected '0', expected a number from 1 to 4294967295"),
        ("one_in(64", "column 10: unexpected end of condition, expected ')'"),
        ("same_colour(S M)", "column 15: unexpected 'M', expected ',' or ')'"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let deep = "(".repeat(100_000);
    assert_eq!(read(&deep), Err(ParseError::Deep { column: 101 }));
    assert!(read(&format!("{}win{}", "(".repeat(100), ")".repeat(100))).is_ok());
}
