//! The page of all materials in one game.

use crate::analysis::statistics::Statistics;
use crate::atlas::data::{attack, longest_mate, lost_to_the_clock};
use crate::atlas::findings::Findings;
use crate::atlas::frame::whole_page;
use crate::atlas::games::{countings, file_name};
use crate::atlas::results;
use crate::atlas::words::{CountAgainst, game, grouped, percent};
use maud::{Markup, html};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::rules::piece::Side;

/// Materials, a line each, with what this game's count leaves of what is won.
pub fn page(counting_rule: &'static CountingRule, all: &[Findings]) -> Markup {
    let title = format!("Sakmak atlas: {}", game(counting_rule));
    let rows: Vec<&Statistics> =
        all.iter().filter_map(|findings| findings.counted_as(counting_rule)).collect();
    whole_page(
        &title,
        &html! {
            header {
                h1 { "Endgames of Makruk and Ouk Chatrang" }
                p { "What can be won, how long it takes, and whether the count leaves time for it: "
                    (rows.len()) " materials, every position of them solved." }
                nav aria-label="Games" {
                    @for other in countings() {
                        @if other == counting_rule {
                            a class="here" aria-current="page" href=(file_name(other)) { (game(other)) }
                        } @else {
                            a href=(file_name(other)) { (game(other)) }
                        }
                    }
                }
            }
            main {
                div class="wide" tabindex="0" role="region" aria-label="All materials" {
                    table class="sortable overview" {
                        (head())
                        tbody { @for row in rows { (line(counting_rule, row)) } }
                    }
                }
                (legend())
            }
        },
    )
}

fn head() -> Markup {
    let of_a_side = ["Longest", "Won", "In time", "To the clock"];
    html! {
        thead {
            tr {
                th {}
                th {}
                th colspan="4" class="group" { "White wins" }
                th colspan="4" class="group" { "Black wins" }
                th colspan="3" class="group" { "Count against White" }
            }
            tr {
                @for name in ["Material", "Men"].into_iter().chain(of_a_side).chain(of_a_side) {
                    th scope="col" { (name) }
                }
                @for name in ["Count", "Limit", "Moves"] { th scope="col" { (name) } }
            }
        }
    }
}

/// A cell that is sorted by a number; what is not there comes last.
fn number(key: Option<f64>, text: &str) -> Markup {
    html! { td class="number" data-key=(key.map_or_else(String::new, |key| key.to_string())) { (text) } }
}

fn line(counting_rule: &CountingRule, row: &Statistics) -> Markup {
    let material = row.material;
    let against = CountAgainst::of(material, counting_rule, Side::White);
    let whole = |moves: Option<u64>| {
        let text = moves.map_or_else(|| "–".to_string(), |moves| moves.to_string());
        number(moves.map(|moves| moves as f64), &text)
    };
    let moves = |moves: Option<sakmak_tables::distance::Moves>| whole(moves.map(|m| m.0.into()));
    let positions = row.white_to_move.legal + row.black_to_move.legal;
    html! {
        tr {
            th scope="row" data-key=(material) { a href={ (material) ".html" } { (material) } }
            (whole(Some(material.men() as u64)))
            @for side in Side::BOTH {
                @let attack = attack(row, side);
                (whole(longest_mate(row, side)))
                (share(Some(attack.won), if attack.won > 0 { positions } else { 0 }))
                (share(attack.won_in_time, attack.won))
                (share(lost_to_the_clock(&attack), attack.won))
            }
            td data-key=(against.name()) { (against.name()) }
            (moves(against.limit))
            (moves(against.attacker_moves))
        }
    }
}

/// A part of a whole in a hundred; sorted by the part there is.
fn share(part: Option<u64>, whole: u64) -> Markup {
    let Some(part) = part else { return number(None, "?") };
    let Some(text) = percent(part, whole) else { return number(None, "–") };
    let key = part as f64 / whole as f64;
    html! {
        td class="number" data-key=(key) title={ (grouped(part)) " of " (grouped(whole)) } { (text) }
    }
}

fn legend() -> Markup {
    html! {
        section {
            h2 { "What the columns say" }
            dl {
                dt { "Material" }
                dd { "The men in the order K (khun) R (ruea) N (ma) S (khon) M (met) P (bia), "
                     "the stronger side first; that is White here. A promoted bia is a met." }
                dt { "Longest" }
                dd { "The longest mate with best play, in moves, nothing counted." }
                dt { "Won" }
                dd { "Positions won with nothing counted, of all legal ones of both sides to move." }
                dt { "In time, to the clock" }
                dd { "How many of those are won, and how many are drawn, when a count starts in the position. "
                     q { "?" } ": the table that says so is not at hand." }
                dt { "Count" }
                dd { "Which count runs against White: " q { "pieces" } ", the pieces' honour, against a bare khun; "
                     q { "board" } ", the board's honour; or none." }
                dt { "Limit, moves" }
                dd { "The number the count ends at, and the moves it leaves White when it starts "
                     "with White to move: the men on the board are called already." }
            }
        }
        section {
            h2 { "PublishedResult results" }
            p { "What others have counted of some of these materials, " a href=(results::FILE) { "beside these tables" } "." }
        }
        section {
            h2 { "To work with" }
            p { "All of it as " a href="overview.csv" { "CSV" } " and "
                a href="overview.parquet" { "Parquet" }
                ", a row for each material and game; and as JSON for each material, linked from its page. "
                "Positions are those of the whole board, no symmetry folded, like men alike." }
        }
    }
}
