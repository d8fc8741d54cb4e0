//! Published statements with their verdicts: on the page of a material, and all on one page.

use crate::board::{board, symbols_of_boards};
use crate::config::AtlasConfig;
use crate::frame::whole_page;
use crate::language::Language;
use maud::{Markup, html};
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The file of the page with all statements.
pub const FILE: &str = "claims.html";

/// Published statements and their verdicts by the tables. Deserialises from the output of
/// `scripts/claims/claims.py --data`, made from docs/claims.md.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    sections: Vec<Section>,
    /// The sources by their letters.
    sources: BTreeMap<String, String>,
}

/// Statements of one kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    title: String,
    text: String,
    claims: Vec<Claim>,
}

/// A statement.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    id: String,
    says: String,
    /// The letter of the source, optionally followed by a page.
    source: String,
    /// The materials of the statement; empty for a statement about a position.
    materials: Vec<String>,
    verdict: Verdict,
    /// The answer of the tables, in words.
    answer: String,
    /// Groups of quiet positions that test the statement: their number, and the fractions won in
    /// time, won too late and not won, in words.
    shares: Vec<[String; 4]>,
    /// The position of the statement, and exceptions.
    positions: Vec<Example>,
}

/// The verdict on a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    Right,
    RightWithExceptions,
    Wrong,
    NotTested,
}

impl Verdict {
    const ALL: [Verdict; 4] =
        [Verdict::Right, Verdict::RightWithExceptions, Verdict::Wrong, Verdict::NotTested];

    /// The key of the text of the verdict.
    const fn key(self) -> &'static str {
        match self {
            Verdict::Right => "atlas.claims.right",
            Verdict::RightWithExceptions => "atlas.claims.exceptions",
            Verdict::Wrong => "atlas.claims.wrong",
            Verdict::NotTested => "atlas.claims.not-tested",
        }
    }

    /// The class of the element with the verdict.
    const fn class(self) -> &'static str {
        match self {
            Verdict::Right => "same",
            Verdict::Wrong => "other",
            Verdict::RightWithExceptions | Verdict::NotTested => "verdict",
        }
    }
}

/// A position of a statement.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    fen: String,
    /// The result in words; empty for the position of the statement.
    told: String,
}

impl Claims {
    /// The statements about a material, or about a position of it.
    fn about<'a>(
        &'a self,
        config: &'a AtlasConfig,
        material: Material,
    ) -> impl Iterator<Item = &'a Claim> {
        let claims = self.sections.iter().flat_map(|section| &section.claims);
        claims.filter(move |claim| claim.is_about(config, material))
    }

    /// The section of the page of a material. Empty if no statement is about it.
    pub fn of_material(&self, config: &AtlasConfig, material: Material) -> Markup {
        let claims: Vec<&Claim> = self.about(config, material).collect();
        let language = config.language;
        html! {
            @if !claims.is_empty() {
                section class="claims" {
                    h2 { (language.text("atlas.claims")) }
                    @for claim in claims { (self.block(config, claim)) }
                    p class="note" { a href=(FILE) { (language.text("atlas.claims.all")) } }
                }
            }
        }
    }

    /// The page with all statements.
    pub fn page(&self, config: &AtlasConfig, materials: &[Material]) -> Markup {
        let language = config.language;
        let all: Vec<&Claim> = self.sections.iter().flat_map(|section| &section.claims).collect();
        whole_page(
            config,
            language.text("atlas.title.claims"),
            &html! {
                (symbols_of_boards())
                header {
                    nav { a href="index.html" { (language.text("atlas.all")) } }
                    h1 { (language.text("atlas.claims")) }
                    p { (language.text("atlas.claims.page")) }
                    dl class="verdicts" {
                        @for verdict in Verdict::ALL {
                            @let of_verdict = || all.iter().filter(|claim| claim.verdict == verdict);
                            dt { (language.text(verdict.key())) ": " (of_verdict().count()) }
                            dd { @for claim in of_verdict() { a href={ "#" (claim.id) } { (claim.id) } " " } }
                        }
                    }
                }
                main {
                    @for section in &self.sections {
                        section class="claims" {
                            h2 { (section.title) }
                            p class="note" { (section.text) }
                            @for claim in &section.claims {
                                (self.block(config, claim))
                                @for material in materials.iter().filter(|material| claim.is_about(config, **material)) {
                                    p class="related" { a href={ (material) ".html" } { (material) } }
                                }
                            }
                        }
                    }
                }
            },
        )
    }

    fn block(&self, config: &AtlasConfig, claim: &Claim) -> Markup {
        let language = config.language;
        // The letter of a source ends at a comma or a blank.
        let letter = claim.source.split([',', ' ', ';']).next().unwrap_or_default();
        let source = self.sources.get(letter).map(String::as_str);
        html! {
            article id=(claim.id) class="claim" {
                h3 { (claim.id) " " span class=(claim.verdict.class()) { (language.text(claim.verdict.key())) } }
                blockquote title=[source] { (claim.says) " " cite class="note" { (claim.source) } }
                p { (claim.answer) }
                @if !claim.shares.is_empty() { (shares(language, &claim.shares)) }
                @if !claim.positions.is_empty() {
                    div class="examples" {
                        @for (index, example) in claim.positions.iter().enumerate() {
                            (example.figure(config, &format!("{}-{}", claim.id, index + 1)))
                        }
                    }
                }
            }
        }
    }
}

impl Claim {
    fn is_about(&self, config: &AtlasConfig, material: Material) -> bool {
        let name = material.to_string();
        let of_position = |example: &Example| {
            let position = example.position(config);
            position.is_some_and(|position| position.material().material == material)
        };
        match self.materials.is_empty() {
            true => self.positions.first().is_some_and(of_position),
            false => self.materials.contains(&name),
        }
    }
}

impl Example {
    /// The position. `None` if it belongs to no variant of the atlas.
    fn position(&self, config: &AtlasConfig) -> Option<Position> {
        Position::from_fen(config.variants.first(), &self.fen).ok()
    }

    fn figure(&self, config: &AtlasConfig, anchor: &str) -> Markup {
        html! {
            @if let Some(position) = self.position(config) {
                figure id=(anchor) {
                    (board(config.language, &position, &self.fen, anchor))
                    @if !self.told.is_empty() { figcaption { (self.told) } }
                }
            }
        }
    }
}

/// A line for each group of quiet positions.
fn shares(language: Language, groups: &[[String; 4]]) -> Markup {
    let quiet = language.text("atlas.claims.quiet");
    let heads = ["atlas.row.in-time", "atlas.row.late", "atlas.claims.not-won"];
    html! {
        div class="wide" tabindex="0" role="region" aria-label=(quiet) {
            table {
                thead { tr { th { (quiet) } @for head in heads { th { (language.text(head)) } } } }
                tbody {
                    @for [name, shares @ ..] in groups {
                        tr { th scope="row" { (name) } @for share in shares { td class="number" { (share) } } }
                    }
                }
            }
        }
    }
}
