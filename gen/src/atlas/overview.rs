//! The page of all materials under one counting rule.

use crate::analysis::statistics::Statistics;
use crate::atlas::data::{attack, longest_mate, too_late};
use crate::atlas::findings::Findings;
use crate::atlas::frame::{countings, file_name, whole_page};
use crate::atlas::results;
use crate::atlas::summary::of_all;
use crate::atlas::unknown;
use crate::atlas::words::{CountAgainst, game, grouped, names, short_percent};
use maud::{Markup, html};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::rules::piece::{PieceKind, Side};
use std::collections::BTreeSet;

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
                p { "What can be won, how many moves it takes, and whether the count leaves enough moves for it. "
                    "All positions are solved." }
                p class="summary" { b { (game(counting_rule)) ":" } " " (of_all(&rows)) }
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
                (search(&rows))
                p class="note more" { "More columns are to the right: scroll sideways." }
                div class="wide sheet" tabindex="0" role="region" aria-label="All materials" {
                    table class="sortable overview" {
                        (head())
                        tbody { @for row in &rows { (line(counting_rule, row)) } }
                    }
                }
                (unknown::note(counting_rule, &rows))
                (legend())
            }
        },
    )
}

fn head() -> Markup {
    let of_a_side = ["Longest", "Won", "In time", "Too late"];
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

/// What White can win, as the search form names it.
fn outcome(row: &Statistics) -> &'static str {
    let wins = &row.white_attacking;
    match (wins.won, wins.in_time) {
        (0, _) => "draw",
        (_, Some(in_time)) => in_time.name(),
        (_, None) => "unknown",
    }
}

/// The search form. The script shows it; without the script it would do nothing.
fn search(rows: &[&Statistics]) -> Markup {
    let men: BTreeSet<usize> = rows.iter().map(|row| row.material.men()).collect();
    let outcomes = [
        ("always", "can win, always in time"),
        ("sometimes", "can win, some wins too late"),
        ("never", "wins too late only"),
        ("draw", "cannot win"),
        ("unknown", "can win, in time not known"),
    ];
    let there = |name: &str| rows.iter().any(|row| outcome(row) == name);
    html! {
        form class="search" role="search" hidden {
            label { "Search " input type="search" name="words" placeholder="KRM, rook, met" autocomplete="off"; }
            label { "Men "
                select name="men" {
                    option value="" { "any" }
                    @for men in men { option value=(men) { (men) } }
                }
            }
            label { "White "
                select name="white" {
                    option value="" { "any result" }
                    @for (name, text) in outcomes { @if there(name) { option value=(name) { (text) } } }
                }
            }
            output aria-live="polite" {}
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
    let name = material.to_string().to_lowercase();
    let kinds: BTreeSet<PieceKind> = material.pieces().map(|piece| piece.kind).collect();
    let names = kinds.into_iter().flat_map(names).map(str::to_string);
    let words: Vec<String> = [name].into_iter().chain(names).collect();
    html! {
        tr data-words=(words.join(" ")) data-men=(material.men()) data-white=(outcome(row)) {
            th scope="row" data-key=(material) { a href={ (material) ".html" } { (material) } }
            (whole(Some(material.men() as u64)))
            @for side in Side::BOTH {
                @let attack = attack(row, side);
                (whole(longest_mate(row, side)))
                (share(Some(attack.won), if attack.won > 0 { positions } else { 0 }))
                (share(attack.won_in_time, attack.won))
                (share(too_late(&attack), attack.won))
            }
            td data-key=(against.name()) { (against.name()) }
            (moves(against.limit))
            (moves(against.attacker_moves))
        }
    }
}

/// A share in percent, sorted by the share.
fn share(part: Option<u64>, whole: u64) -> Markup {
    if whole == 0 {
        return number(None, "–");
    }
    let known = part.and_then(|part| Some((part, short_percent(part, whole)?)));
    let Some((part, text)) = known else { return number(None, "?") };
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
                dt { "In time, too late" }
                dd { "The shares of these positions that are won, and that are drawn because the mate comes too late, "
                     "when a count starts in the position." }
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
