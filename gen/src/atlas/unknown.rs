//! Numbers that are not known because a table is missing, and the command that makes it.

use crate::analysis::statistics::{AttackStatistics, Statistics};
use crate::atlas::data::attack;
use crate::atlas::words::listed;
use maud::{Markup, html};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;

/// The most tables that are named.
const NAMED: usize = 6;

/// The note under numbers of these materials, or nothing if all are known.
pub fn note(counting_rule: &'static CountingRule, rows: &[&Statistics]) -> Markup {
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
                q { "?" } ": not known, because "
                @if rest.is_empty() { "the table " (first) " is missing. " }
                @else if names.len() <= NAMED { "the tables " (listed(&names)) " are missing. " }
                @else { (names.len()) " tables such as " (first) " are missing. " }
                (command(&wanted, Some(counting_rule)))
            }
        }
    }
}

/// Whether there are wins of which it is not known how many are in time.
const fn is_unknown(wins: &AttackStatistics) -> bool {
    wins.won > 0 && wins.won_in_time.is_none()
}

/// The command that makes a table.
pub fn command_for(table: TableName) -> Markup {
    command(&table.material.to_string(), table.metric.counting_rule())
}

fn command(wanted: &str, counting_rule: Option<&CountingRule>) -> Markup {
    html! {
        "To fill in: " code {
            "sakmak generate " (wanted)
            @if let Some(counting_rule) = counting_rule { " --counting " (counting_rule.name) }
        }
        ", with " code { "--tables DIR" } " if the tables are not in " code { "sakmak-tables" }
        ", and then " code { "sakmak report" } " again."
    }
}
