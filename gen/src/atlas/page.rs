//! The page of one material.

use crate::analysis::census::Histogram;
use crate::analysis::colours::Division;
use crate::analysis::statistics::{FreshCount, SideStatistics, Statistics};
use crate::analysis::zugzwang::{ZugzwangCount, Zugzwangs};
use crate::atlas::board::{board, symbols_of_boards};
use crate::atlas::data::attack;
use crate::atlas::findings::{Findings, GameStatistics};
use crate::atlas::frame::{countings, file_name, whole_page};
use crate::atlas::histogram::{ClockMark, histogram};
use crate::atlas::lines::lines;
use crate::atlas::pieces::legend;
use crate::atlas::play::LongestWins;
use crate::atlas::published::published;
use crate::atlas::related::RelatedMaterials;
use crate::atlas::results::results;
use crate::atlas::summary::summary;
use crate::atlas::unknown;
use crate::atlas::words::{CountAgainst, capital, game, grouped, percent, pieces, side};
use maud::{Markup, html};
use sakmak_tables::counting::{CountingRule, Phase};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{PieceKind, Side};
use sakmak_tables::variants;

/// The page of a material.
pub fn page(findings: &Findings, longest_wins: &LongestWins, related: &RelatedMaterials) -> Markup {
    let material = findings.material;
    let first = findings.countings.first().map(|counting| &counting.statistics);
    let published = published(findings);
    whole_page(
        &format!("{material}: Sakmak atlas"),
        &html! {
            (symbols_of_boards())
            header {
                nav aria-label="Atlas" {
                    @for counting_rule in countings() {
                        a href=(file_name(counting_rule)) { "All materials, " (game(counting_rule)) }
                    }
                }
                h1 { (material) }
                p { (capital(&pieces(material))) ", " (material.men()) " men. "
                    @if !material.is_symmetric() { "White is the stronger side." } }
                (summary(findings))
                (legend(material))
            }
            main {
                div class="countings" {
                    @for counting in &findings.countings {
                        (counted(counting.counting_rule, &counting.statistics))
                    }
                }
                @if let Some(statistics) = first { (distances(findings, statistics)) }
                (needed(findings))
                (lines(longest_wins))
                @if let Some(found) = &findings.mutual_zugzwangs { (mutual(found)) }
                @if !findings.colours.is_empty() { (colours(&findings.colours)) }
                (related.links())
                @if !published.is_empty() {
                    section class="published" { h2 { "Published results" } (results(&published)) }
                }
                section {
                    h2 { "Data" }
                    p { "All numbers of this page: " a href={ "data/" (material) ".json" } { "JSON" }
                        ". Positions are of the whole board: like pieces are interchangeable, mirror images are "
                        "counted separately." }
                }
            }
        },
    )
}

fn with_share(part: u64, whole: u64) -> Markup {
    html! {
        (grouped(part))
        @if let Some(share) = percent(part, whole) { span class="share" { (share) } }
    }
}

/// The wins in time under one counting rule, by side to move.
fn counted(counting_rule: &'static CountingRule, statistics: &Statistics) -> Markup {
    let sides = [&statistics.white_to_move, &statistics.black_to_move];
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
        ("draw (too late)", [white_late, black_blessed], true),
        ("Draws", sides.map(|side| Some(side.draws)), false),
        ("Black wins", [Some(sides[0].losses), Some(sides[1].wins)], false),
        ("in time", [white_lost, black_lost], true),
        ("draw (too late)", [white_blessed, black_late], true),
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
            div class="wide" tabindex="0" role="region" aria-label=(game(counting_rule)) {
                table {
                    thead { tr { th {} th { "White to move" } th { "Black to move" } } }
                    tbody {
                        tr { th scope="row" { "Legal positions" }
                            @for side in sides { td class="number" { (grouped(side.legal)) } } }
                        @for (place, (name, counts, inner)) in rows.into_iter().enumerate() {
                            @if shown(place) {
                                tr class=[inner.then_some("inner")] {
                                    th scope="row" { (name) }
                                    @for (count, side) in counts.into_iter().zip(sides) {
                                        td class="number" {
                                            @if let Some(count) = count { (with_share(count, side.legal)) } @else { "?" }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            (unknown::note(counting_rule, &[statistics]))
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
        let until = if pawns { " until the last bia is gone" } else { "" };
        return format!("No count runs against {name} here{until}.");
    };
    let honour = match against.phase {
        Phase::PiecesHonour => "the pieces' honour",
        _ => "the board's honour",
    };
    format!(
        "The count against {name} is {honour} with limit {}. A count that starts here leaves {name} \
         {} moves with {name} to move, {} with {runner} to move.",
        limit.0, own.0, others.0
    )
}

/// The clocks under all counting rules for an attacker and a side to move. Only clocks of the
/// pieces' honour: there distance to mate decides what is in time.
fn clocks_to_mate(findings: &Findings, attacker: Side, to_move: Side) -> Vec<ClockMark> {
    let against = |counting: &&GameStatistics| {
        let against = CountAgainst::of(findings.material, counting.counting_rule, attacker);
        against.phase == Phase::PiecesHonour
    };
    let countings = findings.countings.iter().filter(against);
    countings.filter_map(|counting| clock(counting, attacker, to_move)).collect()
}

/// The clock under one counting rule, or `None` if no count runs.
fn clock(counting: &GameStatistics, attacker: Side, to_move: Side) -> Option<ClockMark> {
    let against = CountAgainst::of(counting.statistics.material, counting.counting_rule, attacker);
    let moves = if attacker == to_move { against.attacker_moves } else { against.runner_moves };
    Some(ClockMark { name: game(counting.counting_rule), moves: moves? })
}

/// The wins of an attacker with this side to move, by its moves.
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
                p { "Neither side can force mate." }
            } @else {
                p class="note" {
                    "Positions by the winner's moves to mate, with no count. "
                    @if clocked {
                        "A vertical line is the clock of a count that starts in the position. Dark bars "
                        span class="key bar" {} " are in time in one game at least, pale bars " span class="key late" {} " come too late."
                    } @else {
                        "They do not show what is in time: a count may start, change or end on the way to mate."
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

/// The histograms of counted distances, if there are any.
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
                p class="note" { "Positions by the winner's moves to mate, or to a change of count after which the game is still "
                    "won. A count must leave this many moves. Shares are of all positions won with no count. "
                    "Positions that no count leaves enough moves for are not shown." }
                div class="charts" { @for chart in &charts { (chart) } }
            }
        }
    }
}

fn mutual(zugzwangs: &Zugzwangs) -> Markup {
    let Zugzwangs { white_wins, black_wins, mover_loses } = zugzwangs;
    let kinds = [
        ("White wins only if Black is to move", "zugzwang-white", white_wins),
        ("Black wins only if White is to move", "zugzwang-black", black_wins),
        ("The side to move loses", "zugzwang-mover", mover_loses),
    ];
    let there = |kind: &ZugzwangCount| kind.placements > 0;
    html! {
        section {
            h2 { "Mutual zugzwangs" }
            @if !kinds.iter().any(|(_, _, kind)| there(kind)) {
                p { "None: in no placement would each side have a better result if the other were to move." }
            }
            @for (name, anchor, kind) in kinds {
                @if there(kind) {
                    h3 { (name) ": " (grouped(kind.placements)) @if kind.placements == 1 { " placement" } @else { " placements" } }
                    div class="examples" {
                        @for (place, fen) in kind.examples.iter().enumerate() {
                            (example(fen, &format!("{anchor}-{}", place + 1)))
                        }
                    }
                }
            }
            p class="note" { "With no count. A placement is the squares of all pieces, without the side to move." }
        }
    }
}

fn example(fen: &str, anchor: &str) -> Markup {
    // All variants have the same pieces and board.
    let position = Position::from_fen(variants::all()[0], fen).ok();
    html! {
        @if let Some(position) = position {
            figure id=(anchor) {
                (board(&position, fen, anchor))
            }
        }
    }
}

fn colours(divisions: &[Division]) -> Markup {
    html! {
        section {
            h2 { "Wrong corners" }
            p { "A met stays on squares of one colour, and a bia becomes a met on the colour of its promotion square. "
                "If all are on one colour, they cannot control half of the corners." }
            div class="wide" tabindex="0" role="region" aria-label="Wins by the colours of the mets" {
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
