//! The statistics of many materials, a line each, 80 columns wide.

use indicatif::HumanCount;
use sakmak_gen::analysis::statistics::{Attack, Statistics, InTime};
use sakmak_tables::counting::CountingRule;

/// What stands above the lines.
pub fn head(counting_rule: &CountingRule) -> String {
    format!(
        "Positions won with nothing counted, and how many of a hundred are won in time:\n\
         counted as in {}, with a count that starts in the position.\n\n\
         {:<8}{:>16}{:>9} {:<9} {:>16}{:>9}\n",
        counting_rule.name, "", "White wins", "in time", "", "Black wins", "in time",
    )
}

/// The line of a material.
pub fn line(statistics: &Statistics) -> String {
    let [white, black] = [&statistics.white_attacking, &statistics.black_attacking].map(attack);
    let line = format!("{:<8}{white} {black}", statistics.material.to_string());
    line.trim_end().to_string() + "\n"
}

/// Positions won, the share in time, and whether never, sometimes or always.
fn attack(attack: &Attack) -> String {
    let won = match attack.won {
        0 => "-".to_string(),
        won => HumanCount(won).to_string(),
    };
    let share = attack.share().map_or_else(String::new, |share| {
        // Hardly any is not none, and nearly all not all.
        let percent = match attack.verdict {
            Some(InTime::Sometimes) => (100.0 * share).clamp(0.01, 99.99),
            _ => 100.0 * share,
        };
        format!("{percent:.2} %")
    });
    let verdict = attack.verdict.map_or("", |verdict| verdict.name());
    format!("{won:>16}{share:>9} {verdict:<9}")
}
