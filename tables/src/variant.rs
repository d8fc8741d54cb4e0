//! A variant: one game of the family as a value.

use crate::counting::CountingRule;
use crate::rules::Rules;
use crate::rules::attackers::Attackers;
use crate::rules::end_rule::EndRule;
use crate::rules::leap::Leap;
use crate::rules::reach::Reach;

/// One game. The values are in [`crate::variants`], one file each.
#[derive(Debug)]
pub struct Variant {
    /// The name used on the command line and in files people read.
    pub name: &'static str,
    /// Its other names; see [`named`](crate::variants::named) for their spelling.
    pub other_names: &'static [&'static str],
    /// The rules that shape its tables.
    pub rules: Rules,
    /// The reach of each piece by these rules.
    pub reach: Reach,
    /// The attackers of each square by these rules.
    pub attackers: Attackers,
    /// First-move leaps, at most eight, in the order of their letters in FEN.
    pub leaps: &'static [Leap],
    /// Its counting rules, the usual one first.
    pub counting_rules: &'static [&'static CountingRule],
    /// The starting position, FEN.
    pub start: &'static str,
}

impl Variant {
    /// The usual counting rule.
    pub fn counting(&self) -> &'static CountingRule {
        self.counting_rules[0]
    }

    /// The same game with another end, under another name.
    pub fn with_end(&self, name: &'static str, end: EndRule) -> Variant {
        Variant {
            name,
            other_names: &[],
            rules: Rules { end, ..self.rules },
            // The end of a game moves no piece.
            reach: self.reach.clone(),
            attackers: self.attackers.clone(),
            ..*self
        }
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Variant) -> bool {
        self.name == other.name
    }
}

impl Eq for Variant {}
