//! The page of all materials under one counting rule.

use crate::analysis::statistics::Statistics;
use crate::atlas::data::{attack, longest_mate, lost_to_the_clock};
use crate::atlas::findings::Findings;
use crate::atlas::frame::{countings, file_name, whole_page};
use crate::atlas::results;
use crate::atlas::words::{CountAgainst, game, grouped, percent};
use maud::{Markup, html};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::rules::piece::Side;

/// One line for each material: wins, wins in time, and the count.
pub fn page(counting_rule: &'static CountingRule, all: &[Findings]) -> Markup {
    let title = format!("Sakmak atlas: {}", game(counting_rule));
    let rows: Vec<&Statistics> =
        all.iter().filter_map(|findings| findings.counted_as(counting_rule)).collect();
    whole_page(
        &title,
        &html! {
            header {
                h1 { "Endgames of Makruk and Ouk Chatrang" }
                p { "What can be won, how many moves it takes, and whether the count leaves enough moves for it: "
                    (rows.len()) " materials, all positions solved." }
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

/// A cell that is sorted by a number; a cell without one comes last.
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

/// A share in percent, sorted by the share.
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
            h2 { "The columns" }
            dl {
                dt { "Material" }
                dd { "The men in the order K (khun) R (ruea) N (ma) S (khon) M (met) P (bia), "
                     "the stronger side first; that is White here. A promoted bia is a met." }
                dt { "Longest" }
                dd { "The longest mate with best play and no count, in moves." }
                dt { "Won" }
                dd { "The share of positions won with no count, of all legal positions with both sides to move." }
                dt { "In time, to the clock" }
                dd { "The shares of these positions that are won, and that are drawn, when a count starts in the position. "
                     q { "?" } ": the table that decides this is missing." }
                dt { "Count" }
                dd { "The count that runs against White: " q { "pieces" } " is the pieces' honour, against a bare khun; "
                     q { "board" } " is the board's honour; or none." }
                dt { "Limit, moves" }
                dd { "The number at which the count ends, and the moves that it leaves White when it starts "
                     "with White to move. The count starts from the number of men on the board." }
            }
        }
        section {
            h2 { "Published results" }
            p { "Results of other authors for some of these materials, " a href=(results::FILE) { "beside these tables" } "." }
        }
        section {
            h2 { "Data" }
            p { "All numbers as " a href="overview.csv" { "CSV" } " and "
                a href="overview.parquet" { "Parquet" }
                ", one row for each material and variant; the page of each material has a JSON file. "
                "Positions are of the whole board: like pieces are interchangeable, mirror images are counted separately." }
        }
    }
}
