//! Numbers that are not known because a table is missing, and the command that makes it.

use crate::analysis::statistics::{AttackStatistics, Statistics};
use crate::atlas::data::attack;
use crate::atlas::words::{listed, rich};
use crate::language::Language;
use maud::{Markup, html};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;

/// The most tables that are named.
const NAMED: usize = 6;

/// The note under numbers of these materials, or nothing if all are known.
pub fn note(
    language: Language,
    counting_rule: &'static CountingRule,
    rows: &[&Statistics],
) -> Markup {
    let unknown: Vec<Material> = rows
        .iter()
        .filter(|row| Side::BOTH.into_iter().any(|side| is_unknown(&attack(row, side))))
        .map(|row| row.material)
        .collect();
    let name =
        |material| TableName::answering(material, Metric::Counted(counting_rule)).to_string();
    let names: Vec<String> = unknown.iter().copied().map(name).collect();
    let wanted = match unknown.len() {
        ..=NAMED => unknown.iter().map(Material::to_string).collect::<Vec<_>>().join(" "),
        _ => unknown.iter().map(Material::men).max().unwrap_or_default().to_string(),
    };
    html! {
        @if let [first, rest @ ..] = &names[..] {
            p class="note unknown" {
                @let key = match rest.len() {
                    0 => "atlas.unknown.one",
                    1..NAMED => "atlas.unknown.few",
                    _ => "atlas.unknown.many",
                };
                @let few = rest.len() < NAMED;
                @let tables = if few { listed(language, &names) } else { first.clone() };
                @let holes = [
                    ("sign", &html! { q { "?" } }),
                    ("tables", &html! { (tables) }),
                    ("count", &html! { (names.len()) }),
                ];
                (rich(language, key, &holes)) " "
                (command(language, &wanted, Some(counting_rule)))
            }
        }
    }
}

/// Whether there are wins of which it is not known how many are in time.
const fn is_unknown(wins: &AttackStatistics) -> bool {
    wins.won > 0 && wins.won_in_time.is_none()
}

/// The command that makes a table.
pub fn command_for(language: Language, table: TableName) -> Markup {
    command(language, &table.material.to_string(), table.metric.counting_rule())
}

fn command(language: Language, wanted: &str, counting_rule: Option<&CountingRule>) -> Markup {
    let generate = html! {
        code {
            "sakmak generate " (wanted)
            @if let Some(counting_rule) = counting_rule { " --counting " (counting_rule.name) }
        }
    };
    let holes = [
        ("generate", &generate),
        ("option", &html! { code { "--tables DIR" } }),
        ("directory", &html! { code { "sakmak-tables" } }),
        ("report", &html! { code { "sakmak report" } }),
    ];
    rich(language, "atlas.unknown.command", &holes)
}
