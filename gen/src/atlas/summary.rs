//! What a player wants to know first: who wins, how often, and how often too late.

use crate::analysis::statistics::{InTime, Statistics};
use crate::atlas::data::{attack, longest_mate, too_late};
use crate::atlas::findings::Findings;
use crate::atlas::words::{capital, game, grouped, listed, percent, side};
use maud::{Markup, html};
use sakmak_tables::rules::piece::Side;

/// The sentences on top of the page of a material: one for each game, those of equal games
/// joined, and one without the count.
pub fn summary(findings: &Findings) -> Markup {
    let Some(first) = findings.countings.first() else { return html! {} };
    let winners = winners(&first.statistics);
    if winners.is_empty() {
        return html! { p class="summary" { "Neither side can force mate: every position is a draw." } };
    }
    let mut games: Vec<(Vec<String>, String)> = Vec::new();
    for counting in &findings.countings {
        let of = |winner: &Winner| result(&counting.statistics, winner);
        let text = winners.iter().map(of).collect::<Vec<_>>().join(" ");
        let name = game(counting.counting_rule);
        match games.iter_mut().find(|(_, other)| *other == text) {
            Some((names, _)) => names.push(name),
            None => games.push((vec![name], text)),
        }
    }
    html! {
        @for (names, text) in games { p class="summary" { b { (listed(&names)) ":" } " " (text) } }
        p { @for winner in &winners { (without_count(&first.statistics, winner)) " " } }
    }
}

/// A side that wins some positions, and its name in sentences.
struct Winner {
    side: Side,
    name: &'static str,
    /// `of White's`, or empty if there is one name only.
    owner: String,
}

/// The sides that win. If both have the same pieces, one stands for both.
fn winners(statistics: &Statistics) -> Vec<Winner> {
    let symmetric = statistics.material.is_symmetric();
    let wins = Side::BOTH.into_iter().filter(|&side| attack(statistics, side).won > 0);
    let sides: Vec<Side> = wins.take(if symmetric { 1 } else { 2 }).collect();
    let several = sides.len() > 1;
    let winner = |&of: &Side| Winner {
        side: of,
        name: if symmetric { "each side" } else { side(of) },
        owner: if several { format!(" of {}", side(of)) } else { String::new() },
    };
    sides.iter().map(winner).collect()
}

/// `White usually wins, but one win in four comes too late and is a draw.`
fn result(statistics: &Statistics, winner: &Winner) -> String {
    let wins = attack(statistics, winner.side);
    let Winner { name, owner, .. } = winner;
    let positions = positions(statistics);
    let often = capital(&format!("{name} {}", how_often(wins.won, positions)));
    match (wins.in_time, too_late(&wins)) {
        (Some(InTime::Always), _) => format!("{often}; all wins{owner} are in time."),
        (Some(InTime::Never), _) => {
            format!("{} never wins: every mate comes too late and is a draw.", capital(name))
        }
        (_, Some(late)) => {
            format!("{often}, but {}.", late_share(late, wins.won, owner))
        }
        (_, None) => format!("{often}; how many wins{owner} come too late is not known."),
    }
}

fn without_count(statistics: &Statistics, winner: &Winner) -> String {
    let wins = attack(statistics, winner.side);
    let share = percent(wins.won, positions(statistics)).unwrap_or_default();
    let longest = longest_mate(statistics, winner.side).unwrap_or_default();
    let moves = if longest == 1 { "1 move".to_string() } else { format!("{longest} moves") };
    format!("With no count {} wins {share} of all positions, in {moves} at most.", winner.name)
}

/// The legal positions with both sides to move.
fn positions(statistics: &Statistics) -> u64 {
    statistics.white_to_move.legal + statistics.black_to_move.legal
}

/// How often a side wins, as a verb.
fn how_often(won: u64, positions: u64) -> &'static str {
    let percent = 100.0 * won as f64 / positions.max(1) as f64;
    match percent {
        _ if won == positions => "always wins",
        95.0.. => "nearly always wins",
        60.0.. => "usually wins",
        40.0.. => "wins about half of the time",
        5.0.. => "sometimes wins",
        0.1.. => "seldom wins",
        _ => "hardly ever wins",
    }
}

/// Fractions that are said in words.
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

/// The share of the wins that come too late: `one win in four comes too late and is a draw`.
fn late_share(late: u64, won: u64, owner: &str) -> String {
    let share = late as f64 / won.max(1) as f64;
    let one_of =
        |number: String| format!("one win{owner} in {number} comes too late and is a draw");
    if share > 0.95 {
        return format!("nearly all wins{owner} come too late and are draws");
    }
    if share < 1.0 / 22.0 {
        return one_of(grouped(one_digit(won / late.max(1))));
    }
    let far = |(part, whole): (u64, u64)| (part as f64 / whole as f64 - share).abs();
    let near = FRACTIONS.into_iter().min_by(|&one, &other| far(one).total_cmp(&far(other)));
    match near.unwrap_or((1, 2)) {
        (1, 2) => format!("half of the wins{owner} come too late and are draws"),
        (1, whole) => one_of(in_words(whole)),
        (part, whole) => {
            let (part, whole) = (in_words(part), in_words(whole));
            format!("{part} wins{owner} in {whole} come too late and are draws")
        }
    }
}

/// The number with its first digit kept and zeros behind.
fn one_digit(number: u64) -> u64 {
    let unit = 10u64.pow(number.checked_ilog10().unwrap_or(0));
    (number + unit / 2) / unit * unit
}

/// A number up to ten as a word.
fn in_words(number: u64) -> String {
    const WORDS: [&str; 11] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let word = usize::try_from(number).ok().and_then(|number| WORDS.get(number));
    word.map_or_else(|| number.to_string(), |word| (*word).to_string())
}

/// The sentence on top of the page of all materials: what White wins.
pub fn of_all(rows: &[&Statistics]) -> String {
    let wins: Vec<Option<InTime>> = rows
        .iter()
        .map(|row| &row.white_attacking)
        .filter(|wins| wins.won > 0)
        .map(|wins| wins.in_time)
        .collect();
    let number = |of: Option<InTime>| wins.iter().filter(|found| **found == of).count();
    let mut parts = Vec::new();
    for (of, text) in [
        (Some(InTime::Always), "all wins are in time"),
        (Some(InTime::Sometimes), "some wins come too late and are draws"),
        (Some(InTime::Never), "every win comes too late"),
        (None, "it is not known yet how many wins come too late"),
    ] {
        match number(of) {
            0 => (),
            number => parts.push(format!("in {number} {text}")),
        }
    }
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join("; ")) };
    format!("White, the stronger side, can win {} of {} materials{parts}.", wins.len(), rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_said_as_people_say_them() {
        let late = |late, won| late_share(late, won, "");
        assert_eq!(late(25, 100), "one win in four comes too late and is a draw");
        assert_eq!(late(1, 3000), "one win in 3,000 comes too late and is a draw");
        assert_eq!(late(437, 10_000), "one win in 20 comes too late and is a draw");
        assert_eq!(late(51, 100), "half of the wins come too late and are draws");
        assert_eq!(late(7431, 10_000), "three wins in four come too late and are draws");
        assert_eq!(late(99, 100), "nearly all wins come too late and are draws");
        assert_eq!(
            late_share(1, 5, " of Black"),
            "one win of Black in five comes too late and is a draw"
        );
        let often = [(9, 9), (96, 100), (74, 100), (1, 2), (14, 100), (2, 100), (1, 10_000)];
        assert_eq!(
            often.map(|(won, positions)| how_often(won, positions)),
            [
                "always wins",
                "nearly always wins",
                "usually wins",
                "wins about half of the time",
                "sometimes wins",
                "seldom wins",
                "hardly ever wins"
            ]
        );
    }
}
