//! Metrics: the quantities that tables measure. A new metric is a variant of [`Metric`].

use crate::counting::{CountingRule, PhaseChange};
use crate::distance::{Moves, Value};
use crate::material::{Army, Material};
use crate::position::Position;
use crate::rules::Rules;
use crate::rules::piece::Side;
use crate::variants;
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// The quantity that the values of a table measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Metric {
    /// Distance to mate in the attacker's moves, with best play of both sides and no counting.
    DistanceToMate,
    /// Distance to the first check in the attacker's moves, for rules by which it wins, with best
    /// play of both sides and no counting.
    DistanceToCheck,
    /// Counted distance under this counting rule, see [`PhaseChange`], in the attacker's moves; in
    /// plies if they are [its unit](Metric::is_in_plies). A draw if the distance has no limit or
    /// exceeds every count.
    Counted(&'static CountingRule),
    /// Distance to mate in time under this counting rule, in the attacker's moves: the shortest
    /// mate that stays within every count that starts on the way, whatever count runs now. A draw
    /// if no count here is that long. See [`PhaseChange::to_mate`].
    MateInTime(&'static CountingRule),
}

/// Offset of the ids of counting rules in [`Metric::number`].
const MATES_IN_TIME: u32 = 16;

/// The number of [`Metric::DistanceToCheck`], above the numbers of all counting rules.
const CHECK: u32 = 32;

impl Metric {
    /// The distance to the end of a won game by these rules, with no counting.
    pub const fn distance(rules: &Rules) -> Metric {
        match rules.end.check_loses {
            false => Metric::DistanceToMate,
            true => Metric::DistanceToCheck,
        }
    }

    /// The metrics of these rules under a counting rule.
    pub const fn all_of(rules: &Rules, counting_rule: &'static CountingRule) -> [Metric; 3] {
        let distance = Metric::distance(rules);
        [distance, Metric::Counted(counting_rule), Metric::MateInTime(counting_rule)]
    }

    /// Whether tables by these rules may have this metric.
    pub fn is_of(self, rules: &Rules) -> bool {
        match self.counting_rule() {
            None => self == Metric::distance(rules),
            Some(counting_rule) => variants::counted_by(counting_rule).rules == *rules,
        }
    }

    /// All metrics.
    pub fn all() -> impl Iterator<Item = Metric> {
        let of =
            |counting_rule| [Metric::Counted(counting_rule), Metric::MateInTime(counting_rule)];
        let distances = [Metric::DistanceToMate, Metric::DistanceToCheck];
        distances.into_iter().chain(variants::counting_rules().flat_map(of))
    }

    /// The metric with this word in file names. `None` if no metric has it.
    pub fn from_word(word: &str) -> Option<Metric> {
        Metric::all().find(|metric| metric.to_string() == word)
    }

    /// The counting rule. `None` if nothing is counted.
    pub const fn counting_rule(self) -> Option<&'static CountingRule> {
        match self {
            Metric::DistanceToMate | Metric::DistanceToCheck => None,
            Metric::Counted(counting_rule) | Metric::MateInTime(counting_rule) => {
                Some(counting_rule)
            }
        }
    }

    /// Whether the numbers of values are plies, not the attacker's moves: under the fifty-move rule,
    /// which either side may start again with a capture, at an odd or an even ply.
    pub const fn is_in_plies(self) -> bool {
        match self {
            Metric::Counted(counting_rule) => counting_rule.fifty_moves.is_some(),
            Metric::DistanceToMate | Metric::DistanceToCheck | Metric::MateInTime(_) => false,
        }
    }

    /// The metric of counted distances of a position, which has their unit.
    pub fn counted_in(position: &Position) -> Metric {
        let metric = Metric::Counted(position.counting_rule());
        if metric.is_in_plies() { metric.of(position.material().material) } else { metric }
    }

    /// A value of this metric in the attacker's moves.
    #[must_use]
    pub const fn in_moves(self, value: Value) -> Value {
        match value {
            Value::Win(Moves(plies)) if self.is_in_plies() => Value::Win(Moves(plies.div_ceil(2))),
            Value::Loss(Moves(plies)) if self.is_in_plies() => Value::Loss(Moves(plies / 2)),
            _ => value,
        }
    }

    /// The number of the last mate of this value in the unit of the metric: a mate in as many of the
    /// attacker's moves needs no more of the count.
    pub fn of_mate(self, mate: Value) -> Option<Moves> {
        if self.is_in_plies() { mate.plies().map(|plies| Moves(plies.0)) } else { mate.moves() }
    }

    /// The value of the move that led to a position of this value, for the side that played it.
    #[must_use]
    pub const fn before_move(self, value: Value) -> Value {
        match value {
            Value::Win(Moves(plies)) if self.is_in_plies() => Value::Loss(Moves(plies + 1)),
            _ => value.before_move(),
        }
    }

    /// The number in headers.
    pub const fn number(self) -> u32 {
        match self {
            Metric::DistanceToMate => 1,
            Metric::DistanceToCheck => CHECK,
            Metric::Counted(counting_rule) => 1 + counting_rule.id,
            Metric::MateInTime(counting_rule) => MATES_IN_TIME + counting_rule.id,
        }
    }

    /// A hash of the rules and, if counts matter, of the counting rule.
    pub fn fingerprint(self, rules: &Rules) -> u64 {
        let rules_fingerprint = rules.fingerprint().to_le_bytes();
        let counting = |counting_rule: &CountingRule| counting_rule.fingerprint().to_le_bytes();
        match self {
            Metric::DistanceToMate => rules.fingerprint(),
            Metric::DistanceToCheck => {
                let number = u64::from(self.number()).to_le_bytes();
                xxh3_64([rules_fingerprint, number].as_flattened())
            }
            Metric::Counted(counting_rule) => {
                xxh3_64([rules_fingerprint, counting(counting_rule)].as_flattened())
            }
            Metric::MateInTime(counting_rule) => {
                let number = u64::from(self.number()).to_le_bytes();
                xxh3_64([rules_fingerprint, counting(counting_rule), number].as_flattened())
            }
        }
    }

    /// The metric of the table that answers for a material: the [distance](Metric::distance) of the
    /// rules if it decides which mates are in time; the counted distance where it equals the
    /// distance to mate in time; otherwise this metric. The fifty-move rule has no tables of mates in
    /// time, as the distance to mate nearly always is one.
    pub fn of(self, material: Material) -> Metric {
        match self {
            Metric::DistanceToMate | Metric::DistanceToCheck => self,
            Metric::Counted(counting_rule) | Metric::MateInTime(counting_rule)
                if counting_rule.is_decided_by_mate(armies(material)) =>
            {
                Metric::distance(&variants::counted_by(counting_rule).rules)
            }
            Metric::MateInTime(counting_rule) if counting_rule.fifty_moves.is_some() => {
                Metric::distance(&variants::counted_by(counting_rule).rules)
            }
            Metric::MateInTime(counting_rule) if counting_rule.counts_to_mate(armies(material)) => {
                Metric::Counted(counting_rule)
            }
            Metric::Counted(_) | Metric::MateInTime(_) => self,
        }
    }

    /// Conversion of a value after a change of material to the value before it. The value comes
    /// from the table of [`Metric::of`] after the change. Armies are indexed by [`Side::index`].
    pub fn phase_change(self, before: [Army; 2], after: [Army; 2], to_move: Side) -> PhaseChange {
        match self {
            Metric::DistanceToMate | Metric::DistanceToCheck => PhaseChange::OPEN,
            Metric::Counted(counting_rule) => {
                PhaseChange::new(counting_rule, before, after, to_move)
            }
            Metric::MateInTime(counting_rule) => {
                PhaseChange::new(counting_rule, before, after, to_move).to_mate()
            }
        }
    }

    /// The longest distance of this attacker; longer distances are draws. `None` means no limit.
    pub fn longest(self, material: Material, attacker: Side) -> Option<Moves> {
        match self {
            Metric::DistanceToMate | Metric::DistanceToCheck => None,
            Metric::Counted(counting_rule) | Metric::MateInTime(counting_rule) => {
                counting_rule.longest_in_time(armies(material), attacker, attacker)
            }
        }
    }

    /// The value of a position in which a pawn may be captured in passing, which no table has: the
    /// best of the value without that right, if the side to move has another move, and of the
    /// captures in passing. Any other position has its stored value.
    ///
    /// `stored` looks up a position without the right; it returns `None` for a missing value.
    ///
    /// # Errors
    ///
    /// The first error of `stored`.
    pub fn value_in_passing<E>(
        self,
        position: &Position,
        stored: impl Fn(&Position) -> Result<Option<Value>, E>,
    ) -> Result<Option<Value>, E> {
        if position.en_passant().is_none() {
            return stored(position);
        }
        let (unpassed, captures) = position.in_passing();
        let mut values = Vec::new();
        if let Some(unpassed) = unpassed {
            values.push(stored(&unpassed)?);
        }
        for after in captures {
            let change = self.phase_change(position.armies(), after.armies(), after.side());
            values.push(stored(&after)?.map(|value| self.before_move(change.carry(value))));
        }
        let values: Option<Vec<Value>> = values.into_iter().collect();
        Ok(values.and_then(|values| values.into_iter().max_by_key(|value| value.preference())))
    }

    /// The value that the table of a material holds: a draw if the distance is longer than
    /// [`Metric::longest`].
    pub fn clamped(self, material: Material, to_move: Side, value: Value) -> Value {
        let (attacker, moves) = match value {
            Value::Draw => return Value::Draw,
            Value::Win(moves) => (to_move, moves),
            Value::Loss(moves) => (!to_move, moves),
        };
        match self.longest(material, attacker) {
            Some(longest) if moves > longest => Value::Draw,
            _ => value,
        }
    }
}

fn armies(material: Material) -> [Army; 2] {
    Side::BOTH.map(|side| material.army(side))
}

/// The word in file names: `dtm`, `check`, `makruk`, `makruk-mate`.
impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Metric::DistanceToMate => f.pad("dtm"),
            Metric::DistanceToCheck => f.pad("check"),
            Metric::Counted(counting_rule) => f.pad(counting_rule.name),
            Metric::MateInTime(counting_rule) => f.pad(&format!("{}-mate", counting_rule.name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_and_fingerprints_differ() {
        let rules = |metric: &Metric| match metric.counting_rule() {
            Some(counting_rule) => &variants::counted_by(counting_rule).rules,
            None => &variants::MAKRUK.rules,
        };
        let numbers: BTreeSet<u32> = Metric::all().map(Metric::number).collect();
        let prints: BTreeSet<u64> = Metric::all().map(|one| one.fingerprint(rules(&one))).collect();
        let all = 2 + 2 * variants::counting_rules().count();
        assert_eq!((numbers.len(), prints.len()), (all, all));
        for metric in Metric::all() {
            assert_eq!(Metric::from_word(&metric.to_string()), Some(metric));
        }
    }

    #[test]
    fn distances_longer_than_any_clock_become_draws() {
        let metric = Metric::Counted(variants::counting_rule("makruk").unwrap());
        let clamped =
            |material: &str, value| metric.clamped(material.parse().unwrap(), Side::White, value);
        // 65 moves with the attacker to move; with pawns there is no count.
        for value in [Value::Win, Value::Loss] {
            let (last, past) = (value(Moves(65)), value(Moves(66)));
            assert_eq!((clamped("KRvKM", last), clamped("KRvKM", past)), (last, Value::Draw));
            assert_eq!(clamped("KRvKP", past), past);
            let to_mate = Metric::DistanceToMate;
            assert_eq!(to_mate.clamped("KRvKM".parse().unwrap(), Side::White, past), past);
        }
    }

    #[test]
    fn mate_decides_for_bare_kings_without_pawns() {
        for (counting_rule, mate, counted) in [
            ("makruk", &["KRvK", "KSMvK"][..], &["KRPvK", "KRvKM", "KPvK"][..]),
            ("ouk", &["KRvK", "KSMvK"], &["KRPvK", "KRvKM"]),
            ("ouk-traditional", &["KRRvK"], &["KRPvK", "KRRvKM"]),
        ] {
            let metric = Metric::Counted(variants::counting_rule(counting_rule).unwrap());
            for name in mate {
                assert_eq!(metric.of(name.parse().unwrap()), Metric::DistanceToMate, "{name}");
            }
            for name in counted {
                assert_eq!(metric.of(name.parse().unwrap()), metric, "{name}");
            }
        }
    }

    #[test]
    fn distance_to_check_decides_where_no_count_that_starts_does() {
        for metric in [Metric::Counted, Metric::MateInTime] {
            let metric = metric(variants::counting_rule("kar-ouk").unwrap());
            for name in ["KRvK", "KPvK", "KRvKM", "KRPvKP"] {
                assert_eq!(metric.of(name.parse().unwrap()), Metric::DistanceToCheck, "{name}");
            }
        }
    }

    #[test]
    fn a_count_that_runs_on_to_the_mate_counts_the_moves_to_mate() {
        let of = |counting_rule: &str, material: &str| {
            let counting_rule = variants::counting_rule(counting_rule).unwrap();
            Metric::MateInTime(counting_rule).of(material.parse().unwrap()).to_string()
        };
        for (counting_rule, material, metric) in [
            ("makruk", "KRvK", "dtm"),
            ("makruk", "KRvKM", "makruk-mate"),
            ("makruk", "KPvK", "makruk-mate"),
            ("ouk", "KRvKM", "ouk"),
            ("ouk", "KRPvK", "ouk"),
            ("ouk", "KRRvKM", "ouk"),
            // Nothing is counted against Black while White has four men.
            ("ouk", "KRRRvKM", "ouk-mate"),
            ("ouk-traditional", "KRvKM", "ouk-traditional-mate"),
        ] {
            assert_eq!(of(counting_rule, material), metric, "{counting_rule} {material}");
        }
    }
}
