//! Published results beside results of the tables: on the page of a material, and all on one page.

use crate::config::AtlasConfig;
use crate::frame::whole_page;
use crate::language::Language;
use crate::material_report::MaterialReport;
use crate::words::{grouped, percent};
use maud::{Markup, html};
use sakmak_analysis::published::PublishedResult;

/// The file of the page with all published results.
pub const FILE: &str = "published.html";

/// The results of a material with their sources; empty without results.
pub fn results(config: &AtlasConfig, results: &[PublishedResult]) -> Markup {
    let language = config.language;
    let mut sources: Vec<&str> = results.iter().map(|result| result.source).collect();
    sources.dedup();
    html! {
        @if !results.is_empty() {
            div class="wide" tabindex="0" role="region" aria-label=(language.text("atlas.published")) {
                table {
                    thead { tr { td {} th { (language.text("atlas.published.column")) } th { (language.text("atlas.published.tables")) } } }
                    tbody {
                        @for result in results {
                            tr {
                                th scope="row" { (config.text(result.what)) }
                                td class="number" { (numbers(language, &result.numbers, result.whole)) }
                                td class="number" { (numbers(language, &result.computed, result.whole))
                                    @if result.computed == result.numbers { span class="share same" { (language.text("atlas.published.same")) } }
                                    @else { span class="share other" { (language.text("atlas.published.other")) } } }
                            }
                        }
                    }
                }
            }
            p class="note" { (language.format("atlas.published.source", &[("sources", &sources.join("; "))])) }
        }
    }
}

fn numbers(language: Language, numbers: &[u64], whole: Option<u64>) -> Markup {
    let texts: Vec<String> = numbers.iter().map(|&number| grouped(number)).collect();
    let share = match (numbers, whole) {
        (&[number], Some(whole)) => percent(language, number, whole),
        _ => None,
    };
    html! {
        @if numbers.len() > 1 { div class="several" { (texts.join(" ")) } }
        @else { (texts.concat()) }
        @if let Some(share) = share { span class="share" { (share) } }
    }
}

/// The materials with published results.
pub fn known<'a>(
    config: &AtlasConfig,
    all: &'a [MaterialReport],
) -> Vec<(&'a MaterialReport, Vec<PublishedResult>)> {
    let rules = config.variants.rules();
    let results = all.iter().map(|report| (report, report.published(rules)));
    results.filter(|(_, results)| !results.is_empty()).collect()
}

/// The page with all published results, by material.
pub fn page(config: &AtlasConfig, known: &[(&MaterialReport, Vec<PublishedResult>)]) -> Markup {
    let language = config.language;
    whole_page(
        config,
        language.text("atlas.title.published"),
        &html! {
            header {
                nav { a href="index.html" { (language.text("atlas.all")) } }
                h1 { (language.text("atlas.published")) }
                p { (language.text("atlas.published.page")) }
            }
            main {
                @for (report, of_material) in known {
                    @let material = report.material;
                    section class="published" {
                        h2 { a href={ (material) ".html" } { (material) } }
                        (results(config, of_material))
                    }
                }
            }
        },
    )
}
