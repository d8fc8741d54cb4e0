//! The page of one material.

use crate::board::{board, symbols_of_boards};
use crate::claims::Claims;
use crate::config::AtlasConfig;
use crate::frame::whole_page;
use crate::histogram::{ClockMark, histogram};
use crate::language::Language;
use crate::lines::lines;
use crate::material_report::{GameStatistics, MaterialReport};
use crate::pieces::legend;
use crate::play::PlayedLine;
use crate::related::RelatedMaterials;
use crate::results::results;
use crate::summary::summary;
use crate::unknown;
use crate::words::{CountAgainst, capital, grouped, mover, percent, side, wins};
use maud::{Markup, html};
use sakmak_analysis::colours::Division;
use sakmak_analysis::statistics::{FreshCount, SideDistances, Statistics};
use sakmak_analysis::zugzwang::{ZugzwangCount, Zugzwangs};
use sakmak_make::census::Histogram;
use sakmak_tables::counting::{CountingRule, Phase};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{PieceKind, Side};
use std::fmt::Display;

/// The page of a material.
pub fn page(
    config: &AtlasConfig,
    report: &MaterialReport,
    longest_wins: &[PlayedLine],
    claims: Option<&Claims>,
    related: &RelatedMaterials,
) -> Markup {
    let AtlasConfig { language, variants } = config;
    let language = *language;
    let material = report.material;
    let first = report.countings.first().map(|counting| &counting.statistics);
    let published = report.published(variants.rules());
    let json = html! { a href={ "data/" (material) ".json" } { "JSON" } };
    let men: [(&str, &dyn Display); 2] =
        [("pieces", &capital(&config.pieces(material))), ("men", &material.men())];
    whole_page(
        config,
        &language.format("atlas.title.material", &[("material", &material)]),
        &html! {
            (symbols_of_boards())
            header {
                (links_to_overviews(config))
                h1 { (material) }
                p { (language.format("atlas.men", &men)) " "
                    @if !material.is_symmetric() { (language.text("atlas.stronger")) } }
                (summary(config, report))
                (legend(config, material))
            }
            main {
                div class="countings" {
                    @for counting in &report.countings {
                        (counted(config, counting.counting_rule, &counting.statistics))
                    }
                }
                @if let Some(statistics) = first { (distances(config, report, statistics)) }
                (needed(config, report))
                (lines(config, longest_wins))
                @if let Some(found) = &report.mutual_zugzwangs { (mutual(config, found)) }
                @if !report.colours.is_empty() { (colours(config, &report.colours)) }
                @if let Some(claims) = claims { (claims.of_material(config, material)) }
                (related.links(config))
                @if !published.is_empty() {
                    section class="published" {
                        h2 { (language.text("atlas.published")) }
                        (results(config, &published))
                    }
                }
                section {
                    h2 { (language.text("atlas.data")) }
                    p { (config.rich("atlas.data.material", &[("json", &json)])) " "
                        (language.text("atlas.data.whole")) }
                }
            }
        },
    )
}

fn links_to_overviews(config: &AtlasConfig) -> Markup {
    let AtlasConfig { language, variants } = config;
    html! {
        nav aria-label=(language.text("atlas.pages")) {
            @for counting_rule in variants.countings() {
                a href=(variants.file_name(counting_rule)) {
                    (language.format("atlas.all.game", &[("game", &config.game(counting_rule))]))
                }
            }
        }
    }
}

fn with_share(language: Language, part: u64, whole: u64) -> Markup {
    html! {
        (grouped(part))
        @if let Some(share) = percent(language, part, whole) { span class="share" { (share) } }
    }
}

/// The wins in time under one counting rule, by side to move.
fn counted(
    config: &AtlasConfig,
    counting_rule: &'static CountingRule,
    statistics: &Statistics,
) -> Markup {
    let language = config.language;
    let this = config.game(counting_rule);
    let sides = [&statistics.white_to_move, &statistics.black_to_move];
    let count = |of: fn(&FreshCount) -> u64| -> [Option<u64>; 2] {
        sides.map(|side| side.at_fresh_count.as_ref().map(of))
    };
    let ([white_in, black_lost], [white_late, black_late]) =
        (count(|c| c.wins), count(|c| c.cursed_wins));
    let ([white_lost, black_in], [white_blessed, black_blessed]) =
        (count(|c| c.losses), count(|c| c.blessed_losses));
    let [white_wins, black_wins] = Side::BOTH.map(|winner| wins(language, side(language, winner)));
    let rows = [
        (&*white_wins, [Some(sides[0].wins), Some(sides[1].losses)], false),
        (language.text("atlas.row.in-time"), [white_in, black_in], true),
        (language.text("atlas.row.late"), [white_late, black_blessed], true),
        (language.text("atlas.row.draws"), sides.map(|side| Some(side.draws)), false),
        (&*black_wins, [Some(sides[0].losses), Some(sides[1].wins)], false),
        (language.text("atlas.row.in-time"), [white_lost, black_lost], true),
        (language.text("atlas.row.late"), [white_blessed, black_late], true),
    ];
    let [white, black] = Side::BOTH.map(|side| statistics.attack(side).won > 0);
    let shown = |place: usize| place == 3 || if place < 3 { white } else { black };
    html! {
        section {
            h2 { (this) }
            @for attacker in Side::BOTH {
                @if statistics.attack(attacker).won > 0 {
                    p { (clock_words(config, statistics, counting_rule, attacker)) }
                }
            }
            div class="wide" tabindex="0" role="region" aria-label=(this) {
                table {
                    thead { tr { td {} @for side in Side::BOTH { th { (mover(language, side)) } } } }
                    tbody {
                        tr { th scope="row" { (language.text("atlas.legal")) }
                            @for side in sides { td class="number" { (grouped(side.legal)) } } }
                        @for (place, (name, counts, inner)) in rows.into_iter().enumerate() {
                            @if shown(place) {
                                tr class=[inner.then_some("inner")] {
                                    th scope="row" { (name) }
                                    @for (count, side) in counts.into_iter().zip(sides) {
                                        td class="number" {
                                            @if let Some(count) = count { (with_share(language, count, side.legal)) } @else { "?" }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            (unknown::note(config, counting_rule, &[statistics]))
        }
    }
}

/// The count against an attacker, in words.
fn clock_words(
    config: &AtlasConfig,
    statistics: &Statistics,
    counting_rule: &CountingRule,
    attacker: Side,
) -> String {
    let (material, language) = (statistics.material.material, config.language);
    let against = CountAgainst::of(material, counting_rule, attacker);
    let (name, runner) = (side(language, attacker), side(language, !attacker));
    let (Some(limit), Some(own), Some(others)) =
        (against.limit, against.attacker_moves, against.runner_moves)
    else {
        let pawns = Side::BOTH.iter().any(|&side| material.army(side).count(PieceKind::Pawn) > 0);
        let later = pawns && !counting_rule.rows.is_empty();
        let key = if later { "atlas.clock.pawns" } else { "atlas.clock.none" };
        return config.format(key, &[("attacker", &name)]);
    };
    let key = match against.phase {
        Phase::PiecesHonour => "atlas.clock.pieces",
        Phase::FiftyMoves => "atlas.clock.fifty-moves",
        Phase::BoardsHonour | Phase::Free => "atlas.clock.board",
    };
    let holes: [(&str, &dyn Display); 5] = [
        ("attacker", &name),
        ("runner", &runner),
        ("limit", &limit.0),
        ("own", &own.0),
        ("others", &others.0),
    ];
    language.format(key, &holes)
}

/// The clocks under all counting rules for an attacker and a side to move. Clocks of the pieces'
/// honour only: for them distance to mate decides which wins are in time.
fn clocks_to_mate(
    config: &AtlasConfig,
    report: &MaterialReport,
    attacker: Side,
    to_move: Side,
) -> Vec<ClockMark> {
    let against = |counting: &&GameStatistics| {
        let against = CountAgainst::of(report.material, counting.counting_rule, attacker);
        against.phase == Phase::PiecesHonour
    };
    let countings = report.countings.iter().filter(against);
    countings.filter_map(|counting| clock(config, counting, attacker, to_move)).collect()
}

/// The clock under one counting rule, or `None` if no count runs.
fn clock(
    config: &AtlasConfig,
    counting: &GameStatistics,
    attacker: Side,
    to_move: Side,
) -> Option<ClockMark> {
    let against =
        CountAgainst::of(counting.statistics.material.material, counting.counting_rule, attacker);
    let moves = if attacker == to_move { against.attacker_moves } else { against.runner_moves };
    Some(ClockMark { name: config.game(counting.counting_rule), moves: moves? })
}

/// The wins of an attacker with this side to move, by its moves.
fn won(statistics: &Statistics, attacker: Side, to_move: Side) -> &Histogram {
    won_of(&statistics.to_move(to_move).to_mate, attacker == to_move)
}

/// The wins of the side to move, or of its opponent.
fn won_of(distances: &SideDistances, by_mover: bool) -> &Histogram {
    if by_mover { &distances.win_histogram } else { &distances.loss_histogram }
}

fn distances(config: &AtlasConfig, report: &MaterialReport, statistics: &Statistics) -> Markup {
    let language = config.language;
    let clocks = |attacker, to_move| clocks_to_mate(config, report, attacker, to_move);
    let clocked = Side::BOTH.iter().any(|&side| !clocks(side, side).is_empty());
    let bars = [
        ("bar", &html! { span class="key bar" {} }),
        ("late", &html! { span class="key late" {} }),
    ];
    html! {
        section {
            h2 { (config.text("atlas.distances")) }
            @if Side::BOTH.iter().all(|&side| statistics.attack(side).won == 0) {
                p { (config.text("atlas.no-mate")) }
            } @else {
                p class="note" {
                    (config.text("atlas.distances.about")) " "
                    @if clocked { (config.rich("atlas.distances.clock", &bars)) }
                    @else { (config.text("atlas.distances.free")) }
                }
            }
            div class="charts" {
                @for attacker in Side::BOTH {
                    @for to_move in [attacker, !attacker] {
                        @let histogram_of = won(statistics, attacker, to_move);
                        @if !histogram_of.is_empty() {
                            @let title = chart_title(language, attacker, to_move);
                            @let won = histogram_of.values().sum();
                            (histogram(language, &title, histogram_of, won, &clocks(attacker, to_move)))
                        }
                    }
                }
            }
        }
    }
}

/// The title of a chart: `White wins, Black to move`.
fn chart_title(language: Language, winner: Side, to_move: Side) -> String {
    let names = [winner, to_move].map(|of| side(language, of));
    language.format("atlas.chart", &[("winner", &names[0]), ("mover", &names[1])])
}

/// The histograms of counted distances, if the material has any.
fn needed(config: &AtlasConfig, report: &MaterialReport) -> Markup {
    let language = config.language;
    let mut charts = Vec::new();
    for counting in &report.countings {
        for attacker in Side::BOTH {
            for to_move in [attacker, !attacker] {
                let counted = counting.statistics.to_move(to_move).counted.as_ref();
                let found = counted.map(|counted| won_of(counted, attacker == to_move));
                let Some(found) = found.filter(|found| !found.is_empty()) else { continue };
                let name = config.game(counting.counting_rule);
                let title = chart_title(language, attacker, to_move);
                let title =
                    language.format("atlas.chart.game", &[("game", &name), ("title", &title)]);
                let won = won(&counting.statistics, attacker, to_move).values().sum();
                let clock = clock(config, counting, attacker, to_move);
                charts.push(histogram(language, &title, found, won, clock.as_slice()));
            }
        }
    }
    html! {
        @if !charts.is_empty() {
            section {
                h2 { (config.text("atlas.needed")) }
                p class="note" { (config.text("atlas.needed.about")) }
                div class="charts" { @for chart in &charts { (chart) } }
            }
        }
    }
}

fn mutual(config: &AtlasConfig, zugzwangs: &Zugzwangs) -> Markup {
    let language = config.language;
    let Zugzwangs { white_wins, black_wins, mover_loses } = zugzwangs;
    let kinds = [
        ("atlas.zugzwang.white", "zugzwang-white", white_wins),
        ("atlas.zugzwang.black", "zugzwang-black", black_wins),
        ("atlas.zugzwang.mover", "zugzwang-mover", mover_loses),
    ];
    let there = |kind: &ZugzwangCount| kind.placements > 0;
    html! {
        section {
            h2 { (language.text("atlas.zugzwang")) }
            @if !kinds.iter().any(|(_, _, kind)| there(kind)) {
                p { (language.text("atlas.zugzwang.none")) }
            }
            @for (name, anchor, kind) in kinds {
                @if there(kind) {
                    @let key = if kind.placements == 1 { "atlas.zugzwang.one" } else { "atlas.zugzwang.many" };
                    @let placements = grouped(kind.placements);
                    h3 { (language.format(key, &[("kind", &language.text(name)), ("count", &placements)])) }
                    div class="examples" {
                        @for (place, fen) in kind.examples.iter().enumerate() {
                            (example(config, fen, &format!("{anchor}-{}", place + 1)))
                        }
                    }
                }
            }
            p class="note" { (language.text("atlas.zugzwang.about")) }
        }
    }
}

fn example(config: &AtlasConfig, fen: &str, anchor: &str) -> Markup {
    let position = Position::from_fen(config.variants.first(), fen).ok();
    html! {
        @if let Some(position) = position {
            figure id=(anchor) {
                (board(config.language, &position, fen, anchor))
            }
        }
    }
}

fn colours(config: &AtlasConfig, divisions: &[Division]) -> Markup {
    let language = config.language;
    let white = mover(language, Side::White);
    html! {
        section {
            h2 { (language.text("atlas.colours")) }
            p { (config.text("atlas.colours.about")) }
            div class="wide" tabindex="0" role="region" aria-label=(config.text("atlas.colours.label")) {
                table {
                    thead { tr {
                        th { (capital(&config.text("atlas.colours.men"))) }
                        th { (white) }
                        th { (language.text("atlas.column.won")) }
                        th { (language.text("atlas.colours.share")) }
                    } }
                    tbody {
                        @for division in divisions {
                            tr {
                                th scope="row" {
                                    @let key = if division.fewer == 0 { "atlas.colours.one" } else { "atlas.colours.two" };
                                    @let (more, fewer) = (division.more, division.fewer);
                                    (language.format(key, &[("count", &more), ("more", &more), ("fewer", &fewer)]))
                                }
                                td class="number" { (grouped(division.positions)) }
                                td class="number" { (grouped(division.won)) }
                                td class="number" { (percent(language, division.won, division.positions).unwrap_or_default()) }
                            }
                        }
                    }
                }
            }
        }
    }
}
