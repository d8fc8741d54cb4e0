//! Numbers that are unknown because a table is missing, and the command that generates the table.

use crate::config::AtlasConfig;
use crate::words::listed;
use maud::{Markup, html};
use sakmak_analysis::statistics::{AttackStatistics, Statistics};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;

/// The maximum number of tables that are named.
const NAMED: usize = 6;

/// The note under numbers of these materials; empty if all are known.
pub fn note(
    config: &AtlasConfig,
    counting_rule: &'static CountingRule,
    rows: &[&Statistics],
) -> Markup {
    let unknown: Vec<Material> = rows
        .iter()
        .filter(|row| Side::BOTH.into_iter().any(|side| is_unknown(&row.attack(side))))
        .map(|row| row.material.material)
        .collect();
    let name = |material| TableName::deciding(material, Metric::Counted(counting_rule)).to_string();
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
                @let tables = if few { listed(config.language, "atlas.and", &names) } else { first.clone() };
                @let holes = [
                    ("sign", &html! { q { "?" } }),
                    ("tables", &html! { (tables) }),
                    ("count", &html! { (names.len()) }),
                ];
                (config.rich(key, &holes)) " "
                (command(config, &wanted, Some(counting_rule)))
            }
        }
    }
}

/// Whether the number of wins in time is unknown.
const fn is_unknown(wins: &AttackStatistics) -> bool {
    wins.won > 0 && wins.won_in_time.is_none()
}

/// The command that generates a table.
pub fn command_for(config: &AtlasConfig, table: TableName) -> Markup {
    command(config, &table.material.to_string(), table.metric.counting_rule())
}

fn command(config: &AtlasConfig, wanted: &str, counting_rule: Option<&CountingRule>) -> Markup {
    let game = config.variants.named();
    let of_game = html! { @if let Some(game) = game { " --variant " (game.name) } };
    let generate = html! {
        code {
            "sakmak generate " (wanted) (of_game)
            @if let Some(counting_rule) = counting_rule { " --counting " (counting_rule.name) }
        }
    };
    let holes = [
        ("generate", &generate),
        ("option", &html! { code { "--tables DIR" } }),
        ("directory", &html! { code { "sakmak-tables" } }),
        ("report", &html! { code { "sakmak report" (of_game) } }),
    ];
    config.rich("atlas.unknown.command", &holes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::variants::AtlasVariants;
    use sakmak_tables::variants::{MAKPONG, MAKRUK};

    #[test]
    fn commands_name_the_game_of_an_atlas_of_one_game() {
        let commands = |variants, counting_rule| {
            let config = AtlasConfig { language: Language::English, variants };
            let text = command(&config, "KMMvKP", Some(counting_rule)).0;
            let codes =
                text.split("<code>").skip(1).filter_map(|rest| rest.split("</code>").next());
            codes.filter(|code| code.starts_with("sakmak ")).map(str::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            commands(AtlasVariants::only(&MAKPONG), MAKPONG.counting()),
            [
                "sakmak generate KMMvKP --variant makpong --counting makpong",
                "sakmak report --variant makpong"
            ]
        );
        assert_eq!(
            commands(AtlasVariants::makruk_and_ouk(), MAKRUK.counting()),
            ["sakmak generate KMMvKP --counting makruk", "sakmak report"]
        );
    }
}
