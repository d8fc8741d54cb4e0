//! The summary of a page: who wins, how often, and how often too late.

use crate::config::AtlasConfig;
use crate::data::{longest_mate, too_late};
use crate::language::Language;
use crate::material_report::MaterialReport;
use crate::words::{capital, grouped, listed, moves, percent, side};
use maud::{Markup, html};
use sakmak_analysis::statistics::{InTimeExtent, Statistics};
use sakmak_tables::rules::piece::Side;
use std::fmt::Display;

/// The sentences at the top of the page of a material: one for each variant, with equal variants
/// joined, and one without the count.
pub fn summary(config: &AtlasConfig, report: &MaterialReport) -> Markup {
    let language = config.language;
    let Some(first) = report.countings.first() else { return html! {} };
    let winners = winners(language, &first.statistics);
    if winners.is_empty() {
        return html! { p class="summary" { (config.text("atlas.summary.none")) } };
    }
    let mut games: Vec<(Vec<String>, String)> = Vec::new();
    for counting in &report.countings {
        let of = |winner: &Winner| result(config, &counting.statistics, winner);
        let text = winners.iter().map(of).collect::<Vec<_>>().join(" ");
        let name = config.game(counting.counting_rule);
        match games.iter_mut().find(|(_, other)| *other == text) {
            Some((names, _)) => names.push(name),
            None => games.push((vec![name], text)),
        }
    }
    html! {
        @for (names, text) in games { p class="summary" { b { (of_games(language, &names)) } " " (text) } }
        p { @for winner in &winners { (without_count(language, &first.statistics, winner)) " " } }
    }
}

/// The variants of a sentence, as its beginning.
pub fn of_games(language: Language, games: &[String]) -> String {
    language.format("atlas.summary.game", &[("games", &listed(language, "atlas.and", games))])
}

/// A side that wins some positions, and its name in sentences.
struct Winner {
    side: Side,
    name: &'static str,
    /// ` of White`, or empty with a single winner.
    owner: String,
}

/// The sides that win. If both have the same pieces, one side represents both.
fn winners(language: Language, statistics: &Statistics) -> Vec<Winner> {
    let symmetric = statistics.material.material.is_symmetric();
    let wins = Side::BOTH.into_iter().filter(|&side| statistics.attack(side).won > 0);
    let sides: Vec<Side> = wins.take(if symmetric { 1 } else { 2 }).collect();
    let several = sides.len() > 1;
    let winner = |&of: &Side| Winner {
        side: of,
        name: if symmetric { language.text("atlas.each") } else { side(language, of) },
        owner: match several {
            true => language.format("atlas.owner", &[("side", &side(language, of))]),
            false => String::new(),
        },
    };
    sides.iter().map(winner).collect()
}

/// The sentence about a winner: `White usually wins, but one win in four comes too late and is a
/// draw.`
fn result(config: &AtlasConfig, statistics: &Statistics, winner: &Winner) -> String {
    let language = config.language;
    let wins = statistics.attack(winner.side);
    let Winner { name, owner, .. } = winner;
    let positions = positions(statistics);
    let often = language.format(how_often(wins.won, positions), &[("winner", name)]);
    let often = capital(&often);
    let often: (&str, &dyn Display) = ("often", &often);
    let owner: (&str, &dyn Display) = ("owner", owner);
    match (wins.in_time, too_late(&wins)) {
        (Some(InTimeExtent::Always), _) => language.format("atlas.summary.always", &[often, owner]),
        (Some(InTimeExtent::Never), _) => {
            config.format("atlas.summary.never", &[("winner", &capital(name))])
        }
        (_, Some(late)) => {
            let late = late_share(language, late, wins.won, &winner.owner);
            language.format("atlas.summary.late", &[often, ("late", &late)])
        }
        (_, None) => language.format("atlas.summary.unknown", &[often, owner]),
    }
}

fn without_count(language: Language, statistics: &Statistics, winner: &Winner) -> String {
    let wins = statistics.attack(winner.side);
    let share = percent(language, wins.won, positions(statistics)).unwrap_or_default();
    let longest = longest_mate(statistics, winner.side).unwrap_or_default();
    let holes: [(&str, &dyn Display); 3] =
        [("winner", &winner.name), ("share", &share), ("moves", &moves(language, longest))];
    language.format("atlas.summary.without", &holes)
}

/// The legal positions with both sides to move.
fn positions(statistics: &Statistics) -> u64 {
    statistics.white_to_move.legal + statistics.black_to_move.legal
}

/// The frequency of a side's wins: the key of a text.
fn how_often(won: u64, positions: u64) -> &'static str {
    let percent = 100.0 * won as f64 / positions.max(1) as f64;
    match percent {
        _ if won == positions => "atlas.often.always",
        95.0.. => "atlas.often.nearly",
        60.0.. => "atlas.often.usually",
        40.0.. => "atlas.often.half",
        5.0.. => "atlas.often.sometimes",
        0.1.. => "atlas.often.seldom",
        _ => "atlas.often.hardly",
    }
}

/// Fractions written in words.
const FRACTIONS: [(u64, u64); 16] = [
    (1, 20),
    (1, 12),
    (1, 10),
    (1, 8),
    (1, 7),
    (1, 6),
    (1, 5),
    (1, 4),
    (1, 3),
    (2, 5),
    (1, 2),
    (3, 5),
    (2, 3),
    (3, 4),
    (4, 5),
    (9, 10),
];

/// The fraction of the wins that come too late: `one win in four comes too late and is a draw`.
fn late_share(language: Language, late: u64, won: u64, owner: &str) -> String {
    let share = late as f64 / won.max(1) as f64;
    let owner: (&str, &dyn Display) = ("owner", &owner);
    let one_of = |whole: String| language.format("atlas.late.one", &[owner, ("whole", &whole)]);
    if share > 0.95 {
        return language.format("atlas.late.nearly", &[owner]);
    }
    if share < 1.0 / 22.0 {
        return one_of(grouped(one_digit(won / late.max(1))));
    }
    let far = |(part, whole): (u64, u64)| (part as f64 / whole as f64 - share).abs();
    let near = FRACTIONS.into_iter().min_by(|&one, &other| far(one).total_cmp(&far(other)));
    match near.unwrap_or((1, 2)) {
        (1, 2) => language.format("atlas.late.half", &[owner]),
        (1, whole) => one_of(in_words(language, whole)),
        (part, whole) => {
            let (part, whole) = (in_words(language, part), in_words(language, whole));
            language.format("atlas.late.some", &[("part", &part), owner, ("whole", &whole)])
        }
    }
}

/// The number rounded down to its first digit.
fn one_digit(number: u64) -> u64 {
    let unit = 10u64.pow(number.checked_ilog10().unwrap_or(0));
    (number + unit / 2) / unit * unit
}

/// A number from two to ten as a word.
fn in_words(language: Language, number: u64) -> String {
    let word = language.found(&format!("atlas.number.{number}"));
    word.map_or_else(|| number.to_string(), str::to_string)
}

/// The sentence at the top of the page of all materials: the materials that White wins.
pub fn of_all(language: Language, rows: &[&Statistics]) -> String {
    let wins: Vec<Option<InTimeExtent>> = rows
        .iter()
        .map(|row| &row.white_attacking)
        .filter(|wins| wins.won > 0)
        .map(|wins| wins.in_time)
        .collect();
    let mut parts = Vec::new();
    for (of, key) in [
        (Some(InTimeExtent::Always), "atlas.of-all.always"),
        (Some(InTimeExtent::Sometimes), "atlas.of-all.sometimes"),
        (Some(InTimeExtent::Never), "atlas.of-all.never"),
        (None, "atlas.of-all.unknown"),
    ] {
        let count = wins.iter().filter(|found| **found == of).count();
        if count > 0 {
            parts.push(language.format(key, &[("count", &count)]));
        }
    }
    let holes: [(&str, &dyn Display); 3] =
        [("won", &wins.len()), ("all", &rows.len()), ("parts", &parts.join("; "))];
    let key = if parts.is_empty() { "atlas.of-all" } else { "atlas.of-all.parts" };
    language.format(key, &holes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_said_as_people_say_them() {
        let late = |late, won| late_share(Language::English, late, won, "");
        assert_eq!(late(25, 100), "one win in four comes too late and is a draw");
        assert_eq!(late(1, 3000), "one win in 3,000 comes too late and is a draw");
        assert_eq!(late(437, 10_000), "one win in 20 comes too late and is a draw");
        assert_eq!(late(51, 100), "half of the wins come too late and are draws");
        assert_eq!(late(7431, 10_000), "three wins in four come too late and are draws");
        assert_eq!(late(99, 100), "nearly all wins come too late and are draws");
        assert_eq!(
            late_share(Language::English, 1, 5, " of Black"),
            "one win of Black in five comes too late and is a draw"
        );
        let often = [(9, 9), (96, 100), (74, 100), (1, 2), (14, 100), (2, 100), (1, 10_000)];
        assert_eq!(
            often.map(|(won, positions)| Language::English.text(how_often(won, positions))),
            [
                "{winner} always wins",
                "{winner} nearly always wins",
                "{winner} usually wins",
                "{winner} wins about half of the time",
                "{winner} sometimes wins",
                "{winner} seldom wins",
                "{winner} hardly ever wins"
            ]
        );
    }
}
