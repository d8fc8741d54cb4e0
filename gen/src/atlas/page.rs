//! The page of one material.

use crate::analysis::census::Histogram;
use crate::analysis::colours::Division;
use crate::analysis::statistics::{FreshCount, SideStatistics, Statistics};
use crate::analysis::zugzwang::{ZugzwangExamples, Zugzwangs};
use crate::atlas::board::{board, symbols_of_boards};
use crate::atlas::data::attack;
use crate::atlas::findings::{GameStatistics, Findings};
use crate::atlas::frame::whole_page;
use crate::atlas::histogram::{ClockMark, histogram};
use crate::atlas::lines::games;
use crate::atlas::play::LongestWins;
use crate::atlas::published::published;
use crate::atlas::results::results;
use crate::atlas::words::{CountAgainst, game, grouped, men, percent, side};
use maud::{Markup, html};
use sakmak_tables::counting::{CountingRule, Phase};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{PieceKind, Side};
use sakmak_tables::variant::Variant;

/// The page of a material.
pub fn page(findings: &Findings, play: &LongestWins) -> Markup {
    let material = findings.material;
    let first = findings.countings.first().map(|counting| &counting.statistics);
    let published = published(findings);
    whole_page(
        &format!("{material}: Sakmak atlas"),
        &html! {
            (symbols_of_boards())
            header {
                nav { a href="index.html" { "All materials" } }
                h1 { (material) }
                p { (capital(&men(material))) ", " (material.men()) " men." }
            }
            main {
                @if !published.is_empty() {
                    section class="published" { h2 { "PublishedResult results" } (results(&published)) }
                }
                div class="countings" {
                    @for counting in &findings.countings {
                        (counted(counting.counting_rule, &counting.statistics))
                    }
                }
                @if let Some(statistics) = first { (distances(findings, statistics)) }
                (needed(findings))
                (games(play))
                @if let Some(zugzwangs) = &findings.mutual_zugzwangs { (mutual(zugzwangs)) }
                @if !findings.colours.is_empty() { (colours(&findings.colours)) }
                section {
                    h2 { "To work with" }
                    p { "All numbers of this page, by moves: " a href={ "data/" (material) ".json" } { "JSON" }
                        ". Positions are those of the whole board, no symmetry folded, like men alike; "
                        "White is the stronger side." }
                }
            }
        },
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn with_share(part: u64, whole: u64) -> Markup {
    html! {
        (grouped(part))
        @if let Some(share) = percent(part, whole) { span class="share" { (share) } }
    }
}

/// What is won in time in one game, by side to move.
fn counted(counting_rule: &'static CountingRule, statistics: &Statistics) -> Markup {
    let sides = [&statistics.white_to_move, &statistics.black_to_move];
    let known = sides.iter().all(|side| side.at_fresh_count.is_some());
    let count = |of: fn(&FreshCount) -> u64| -> [Option<u64>; 2] {
        sides.map(|side| side.at_fresh_count.as_ref().map(of))
    };
    let ([white_in, black_lost], [white_late, black_late]) =
        (count(|c| c.wins), count(|c| c.cursed_wins));
    let ([white_lost, black_in], [white_blessed, black_blessed]) =
        (count(|c| c.losses), count(|c| c.blessed_losses));
    let rows = [
        ("White wins", [Some(sides[0].wins), Some(sides[1].losses)], false),
        ("in time", [white_in, black_in], true),
        ("lost to the clock", [white_late, black_blessed], true),
        ("Draws", sides.map(|side| Some(side.draws)), false),
        ("Black wins", [Some(sides[0].losses), Some(sides[1].wins)], false),
        ("in time", [white_lost, black_lost], true),
        ("lost to the clock", [white_blessed, black_late], true),
    ];
    let shown = |place: usize| match place {
        0..=3 => attack(statistics, Side::White).won > 0 || place == 3,
        _ => attack(statistics, Side::Black).won > 0,
    };
    html! {
        section {
            h2 { (game(counting_rule)) }
            @for attacker in Side::BOTH {
                @if attack(statistics, attacker).won > 0 {
                    p { (clock_words(statistics, counting_rule, attacker)) }
                }
            }
            div class="wide" {
                table {
                    thead { tr { th {} th { "White to move" } th { "Black to move" } } }
                    tbody {
                        tr { th scope="row" { "Legal positions" }
                            @for side in sides { td class="number" { (grouped(side.legal)) } } }
                        @for (place, (name, counts, inner)) in rows.into_iter().enumerate() {
                            @if shown(place) && (!inner || known) {
                                tr class=[inner.then_some("inner")] {
                                    th scope="row" { (name) }
                                    @for (count, side) in counts.into_iter().zip(sides) {
                                        td class="number" { @if let Some(count) = count { (with_share(count, side.legal)) } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            @if !known {
                p class="note" { "What is in time is not known here: it takes the table "
                    (TableName::answering(statistics.material, Metric::Counted(counting_rule))) "." }
            }
        }
    }
}

/// The count against an attacker, in words.
fn clock_words(statistics: &Statistics, counting_rule: &CountingRule, attacker: Side) -> String {
    let material = statistics.material;
    let against = CountAgainst::of(material, counting_rule, attacker);
    let (name, runner) = (side(attacker), side(!attacker));
    let (Some(limit), Some(own), Some(others)) =
        (against.limit, against.attacker_moves, against.runner_moves)
    else {
        let pawns = Side::BOTH.iter().any(|&side| material.army(side).count(PieceKind::Pawn) > 0);
        let until = if pawns { ", until the last bia is gone" } else { "" };
        return format!("Nothing is counted against {name} here{until}.");
    };
    let honour = match against.phase {
        Phase::PiecesHonour => "the pieces' honour",
        _ => "the board's honour",
    };
    format!(
        "CountAgainst {name} runs {honour}, limit {}: a count that starts here leaves {name} {} moves, \
         {} with {runner} to move.",
        limit.0, own.0, others.0
    )
}

/// The clocks of all games with this attacker and side to move, where distance to mate
/// decides what is in time: other counts may end before the mate.
fn clocks_to_mate(findings: &Findings, attacker: Side, to_move: Side) -> Vec<ClockMark> {
    let against = |counting: &&GameStatistics| {
        let against = CountAgainst::of(findings.material, counting.counting_rule, attacker);
        against.phase == Phase::PiecesHonour
    };
    let countings = findings.countings.iter().filter(against);
    countings.filter_map(|counting| clock(counting, attacker, to_move)).collect()
}

/// The clock of a game with this attacker and side to move.
fn clock(counting: &GameStatistics, attacker: Side, to_move: Side) -> Option<ClockMark> {
    let against = CountAgainst::of(counting.statistics.material, counting.counting_rule, attacker);
    let moves = if attacker == to_move { against.attacker_moves } else { against.runner_moves };
    Some(ClockMark { name: game(counting.counting_rule), moves: moves? })
}

/// What an attacker wins with this side to move, by its moves.
fn won(statistics: &Statistics, attacker: Side, to_move: Side) -> &Histogram {
    let side = to_move_of(statistics, to_move);
    if attacker == to_move { &side.win_histogram } else { &side.loss_histogram }
}

fn to_move_of(statistics: &Statistics, side: Side) -> &SideStatistics {
    match side {
        Side::White => &statistics.white_to_move,
        Side::Black => &statistics.black_to_move,
    }
}

fn distances(findings: &Findings, statistics: &Statistics) -> Markup {
    let clocked = Side::BOTH.iter().any(|&side| !clocks_to_mate(findings, side, side).is_empty());
    html! {
        section {
            h2 { "Distances to mate" }
            @if Side::BOTH.iter().all(|&side| attack(statistics, side).won == 0) {
                p { "Nobody can force mate." }
            } @else {
                p class="note" {
                    "Positions by the winner's moves to mate, nothing counted. "
                    @if clocked {
                        "Lines are the clocks of a count that starts in the position; bars past all of them are pale."
                    } @else {
                        "What is in time they do not say here: counts may start, change or end on the way to mate."
                    }
                }
            }
            div class="charts" {
                @for attacker in Side::BOTH {
                    @for to_move in [attacker, !attacker] {
                        @let histogram_of = won(statistics, attacker, to_move);
                        @if !histogram_of.is_empty() {
                            @let title = format!("{} wins, {} to move", side(attacker), side(to_move));
                            @let won = histogram_of.values().sum();
                            @let clocks = clocks_to_mate(findings, attacker, to_move);
                            (histogram(&title, histogram_of, won, &clocks))
                        }
                    }
                }
            }
        }
    }
}

/// Histograms of the counted distances, where there are any.
fn needed(findings: &Findings) -> Markup {
    let counted = |side: &SideStatistics, wins: bool| -> Option<Histogram> {
        let counted = side.counted.as_ref()?;
        Some(if wins { counted.win_histogram.clone() } else { counted.loss_histogram.clone() })
    };
    let mut charts = Vec::new();
    for counting in &findings.countings {
        for attacker in Side::BOTH {
            for to_move in [attacker, !attacker] {
                let mover = to_move_of(&counting.statistics, to_move);
                let found = counted(mover, attacker == to_move).filter(|found| !found.is_empty());
                let Some(found) = found else { continue };
                let name = game(counting.counting_rule);
                let title = format!("{name}: {} wins, {} to move", side(attacker), side(to_move));
                let won = won(&counting.statistics, attacker, to_move).values().sum();
                let clock = clock(counting, attacker, to_move);
                charts.push(histogram(&title, &found, won, clock.as_slice()));
            }
        }
    }
    html! {
        @if !charts.is_empty() {
            section {
                h2 { "Moves to mate or to another count" }
                p class="note" { "Positions by the winner's moves to mate, or to a change of the count after which the "
                    "game is still won. These are the moves a count must leave: the share is that of all positions "
                    "won with nothing counted. Those for which no count leaves time are not drawn." }
                div class="charts" { @for chart in &charts { (chart) } }
            }
        }
    }
}

fn mutual(zugzwangs: &Zugzwangs) -> Markup {
    let Zugzwangs { white_wins, black_wins, mover_loses } = zugzwangs;
    let kinds = [
        ("White wins only with Black to move", white_wins),
        ("Black wins only with White to move", black_wins),
        ("Whoever is to move loses", mover_loses),
    ];
    let there = |zugzwang: &ZugzwangExamples| zugzwang.placements > 0;
    html! {
        section {
            h2 { "Mutual zugzwangs" }
            @if !kinds.iter().any(|(_, kind)| there(kind)) {
                p { "There is none: no placement in which each side would rather that the other moved." }
            }
            @for (name, kind) in kinds {
                @if there(kind) {
                    h3 { (name) ": " (grouped(kind.placements)) " placements" }
                    div class="examples" {
                        @for fen in &kind.examples { (example(fen)) }
                    }
                }
            }
            p class="note" { "Nothing counted; a placement is all men on their squares, whoever is to move." }
        }
    }
}

fn example(fen: &str) -> Markup {
    // The games have the same pieces and boards.
    let position = Position::from_fen(Variant::all()[0], fen).ok();
    html! {
        figure {
            @if let Some(position) = position {
                (board(&position, fen))
                figcaption { (side(position.side())) " to move loses" }
            }
        }
    }
}

fn colours(divisions: &[Division]) -> Markup {
    html! {
        section {
            h2 { "Wrong corners" }
            p { "A met keeps to the colour it stands on, and a bia to that of the square it is promoted on: "
                "where all are on one colour, half the corners are out of their reach." }
            div class="wide" {
                table {
                    thead { tr { th { "Mets and bias" } th { "White to move" } th { "Won" } th { "Share" } } }
                    tbody {
                        @for division in divisions {
                            tr {
                                th scope="row" {
                                    @if division.fewer == 0 { "all " (division.more) " on one colour" }
                                    @else { (division.more) " on one, " (division.fewer) " on the other" }
                                }
                                td class="number" { (grouped(division.positions)) }
                                td class="number" { (grouped(division.won)) }
                                td class="number" { (percent(division.won, division.positions).unwrap_or_default()) }
                            }
                        }
                    }
                }
            }
        }
    }
}
