//! The page of all materials under one counting rule.

use crate::claims;
use crate::config::AtlasConfig;
use crate::data::{longest_mate, too_late};
use crate::frame::whole_page;
use crate::language::Language;
use crate::material_report::MaterialReport;
use crate::results;
use crate::summary::{of_all, of_games};
use crate::unknown;
use crate::words::{CountAgainst, grouped, short_percent, side, wins};
use maud::{Markup, html};
use sakmak_analysis::published;
use sakmak_analysis::statistics::Statistics;
use sakmak_tables::counting::{CountingRule, Phase};
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::{PieceKind, Side};
use std::collections::BTreeSet;

/// One line for each material: wins, wins in time, and the count. `has_claims` is set if the atlas
/// has a page of published statements.
pub fn page(
    config: &AtlasConfig,
    counting_rule: &'static CountingRule,
    all: &[MaterialReport],
    has_claims: bool,
) -> Markup {
    let AtlasConfig { language, variants } = config;
    let language = *language;
    let this = config.game(counting_rule);
    let heading = config.all_variants();
    let title = language.format("atlas.title", &[("game", &this)]);
    let rows: Vec<&Statistics> =
        all.iter().filter_map(|report| report.counted_as(counting_rule)).collect();
    whole_page(
        config,
        &title,
        &html! {
            header {
                h1 { (language.format("atlas.heading", &[("games", &heading)])) }
                p { (language.text("atlas.about")) }
                p class="summary" { b { (of_games(language, &[this])) } " " (of_all(language, &rows)) }
                nav aria-label=(language.text("atlas.games")) {
                    @for other in variants.countings() {
                        @if other == counting_rule {
                            a class="here" aria-current="page" href=(variants.file_name(other)) { (config.game(other)) }
                        } @else {
                            a href=(variants.file_name(other)) { (config.game(other)) }
                        }
                    }
                }
            }
            main {
                (search(config, &rows))
                p class="note more" { (language.text("atlas.more")) }
                div class="wide sheet" tabindex="0" role="region" aria-label=(language.text("atlas.all")) {
                    table class="sortable overview" {
                        (head(language))
                        tbody { @for row in &rows { (line(config, counting_rule, row)) } }
                    }
                }
                (unknown::note(config, counting_rule, &rows))
                (legend(config, has_claims))
            }
        },
    )
}

fn head(language: Language) -> Markup {
    let of_a_side =
        ["atlas.column.longest", "atlas.column.won", "atlas.column.in-time", "atlas.column.late"];
    let first = ["atlas.column.material", "atlas.column.men"];
    let last = ["atlas.column.count", "atlas.column.limit", "atlas.column.moves"];
    html! {
        thead {
            tr {
                td {}
                td {}
                @for winner in Side::BOTH {
                    th colspan="4" class="group" { (wins(language, side(language, winner))) }
                }
                th colspan="3" class="group" { (language.text("atlas.column.against")) }
            }
            tr {
                @for name in first.into_iter().chain(of_a_side).chain(of_a_side).chain(last) {
                    th scope="col" { (language.text(name)) }
                }
            }
        }
    }
}

/// The wins of White, in the terms of the search form.
fn outcome(row: &Statistics) -> &'static str {
    let wins = &row.white_attacking;
    match (wins.won, wins.in_time) {
        (0, _) => "draw",
        (_, Some(in_time)) => in_time.name(),
        (_, None) => "unknown",
    }
}

/// The search form. The script shows it; without the script it is useless.
fn search(config: &AtlasConfig, rows: &[&Statistics]) -> Markup {
    let language = config.language;
    let men: BTreeSet<usize> = rows.iter().map(|row| row.material.material.men()).collect();
    let outcomes = [
        ("always", "atlas.outcome.always"),
        ("sometimes", "atlas.outcome.sometimes"),
        ("never", "atlas.outcome.never"),
        ("draw", "atlas.outcome.draw"),
        ("unknown", "atlas.outcome.unknown"),
    ];
    let there = |name: &str| rows.iter().any(|row| outcome(row) == name);
    html! {
        form class="search" role="search" hidden {
            label { (language.text("atlas.search")) " "
                input type="search" name="words" placeholder=(config.text("atlas.search.example")) autocomplete="off"; }
            label { (language.text("atlas.search.men")) " "
                select name="men" {
                    option value="" { (language.text("atlas.search.any")) }
                    @for men in men { option value=(men) { (men) } }
                }
            }
            label { (language.text("side.white")) " "
                select name="white" {
                    option value="" { (language.text("atlas.search.any-result")) }
                    @for (name, key) in outcomes { @if there(name) { option value=(name) { (language.text(key)) } } }
                }
            }
            output aria-live="polite" {}
        }
    }
}

/// A cell sorted by a number; a cell without a number comes last.
fn number(key: Option<f64>, text: &str) -> Markup {
    html! { td class="number" data-key=(key.map_or_else(String::new, |key| key.to_string())) { (text) } }
}

fn line(config: &AtlasConfig, counting_rule: &CountingRule, row: &Statistics) -> Markup {
    let language = config.language;
    let material = row.material.material;
    let against = CountAgainst::of(material, counting_rule, Side::White);
    let whole = |moves: Option<u64>| {
        let text = moves.map_or_else(|| "–".to_string(), |moves| moves.to_string());
        number(moves.map(|moves| moves as f64), &text)
    };
    let moves = |moves: Option<Moves>| whole(moves.map(|moves| moves.0.into()));
    let positions = row.white_to_move.legal + row.black_to_move.legal;
    let own_name = material.to_string().to_lowercase();
    let kinds: BTreeSet<PieceKind> = material.pieces().map(|piece| piece.kind).collect();
    let mut words = vec![own_name];
    words.extend(kinds.into_iter().flat_map(|kind| config.search_words(kind)).map(str::to_string));
    html! {
        tr data-words=(words.join(" ")) data-men=(material.men()) data-white=(outcome(row)) {
            th scope="row" data-key=(material) { a href={ (material) ".html" } { (material) } }
            (whole(Some(material.men() as u64)))
            @for side in Side::BOTH {
                @let attack = row.attack(side);
                (whole(longest_mate(row, side)))
                (share(language, Some(attack.won), if attack.won > 0 { positions } else { 0 }))
                (share(language, attack.won_in_time, attack.won))
                (share(language, too_late(&attack), attack.won))
            }
            td data-key=(against.name()) { (language.text(count_key(&against))) }
            (moves(against.limit))
            (moves(against.attacker_moves))
        }
    }
}

/// A fraction in percent, sorted by the fraction.
fn share(language: Language, part: Option<u64>, whole: u64) -> Markup {
    if whole == 0 {
        return number(None, "–");
    }
    let known = part.and_then(|part| Some((part, short_percent(part, whole)?)));
    let Some((part, text)) = known else { return number(None, "?") };
    let key = part as f64 / whole as f64;
    let parts =
        language.format("atlas.share", &[("part", &grouped(part)), ("whole", &grouped(whole))]);
    html! { td class="number" data-key=(key) title=(parts) { (text) } }
}

/// The key of the name of a count.
fn count_key(against: &CountAgainst) -> &'static str {
    match against.phase {
        Phase::Free => "atlas.count.none",
        Phase::BoardsHonour => "atlas.count.board",
        Phase::PiecesHonour => "atlas.count.pieces",
        Phase::FiftyMoves => "atlas.count.fifty-moves",
    }
}

fn legend(config: &AtlasConfig, has_claims: bool) -> Markup {
    let language = config.language;
    let letters = config.variants.rules().material_letters;
    let letter = |kind: PieceKind| format!("{} ({})", letters[kind.index()], config.piece(kind));
    let men = PieceKind::ALL.map(letter).join(" ");
    let promoted = config.promoted();
    let columns = [
        ("atlas.column.material", "atlas.columns.material"),
        ("atlas.column.longest", "atlas.columns.longest"),
        ("atlas.column.won", "atlas.columns.won"),
        ("atlas.columns.in-time", "atlas.columns.in-time.about"),
        ("atlas.column.count", "atlas.columns.count"),
        ("atlas.columns.limit", "atlas.columns.limit.about"),
    ];
    let quoted = |key| html! { q { (language.text(key)) } };
    let words = [
        ("pieces", &quoted("atlas.count.pieces")),
        ("board", &quoted("atlas.count.board")),
        ("men", &html! { (men) }),
        ("promoted", &html! { (promoted) }),
    ];
    let beside = html! { a href=(results::FILE) { (language.text("atlas.published.beside")) } };
    let csv = html! { a href="overview.csv" { "CSV" } };
    html! {
        section {
            h2 { (language.text("atlas.columns")) }
            dl {
                @for (name, about) in columns {
                    dt { (language.text(name)) }
                    dd { (config.rich(about, &words)) }
                }
            }
        }
        @if published::apply(config.variants.rules()) {
            section {
                h2 { (language.text("atlas.published")) }
                p { (config.rich("atlas.published.about", &[("link", &beside)])) }
            }
        }
        @if has_claims {
            section {
                h2 { (language.text("atlas.claims")) }
                p { a href=(claims::FILE) { (language.text("atlas.claims.page")) } }
            }
        }
        section {
            h2 { (language.text("atlas.data")) }
            p { (config.rich("atlas.data.all", &[("csv", &csv)])) " "
                (language.text("atlas.data.whole")) }
        }
    }
}
