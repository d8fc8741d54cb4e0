//! A variant: one game of the family as a value.

use crate::counting::CountingRule;
use crate::rules::Rules;
use crate::rules::attackers::Attackers;
use crate::rules::leap::Leap;
use crate::rules::reach::Reach;

/// One game. The values are in [`crate::variants`], a file each.
#[derive(Debug)]
pub struct Variant {
    /// The name used on the command line and in files people read.
    pub name: &'static str,
    /// Other names it goes by, in small letters.
    pub other_names: &'static [&'static str],
    /// What shapes its tables.
    pub rules: Rules,
    /// The rules worked out per square.
    pub reach: Reach,
    /// The rules worked out per square attacked.
    pub attackers: Attackers,
    /// First-move leaps, in the order of their letters in FEN; eight at most.
    pub leaps: &'static [Leap],
    /// How it is counted: the usual way first, then others.
    pub counting_rules: &'static [&'static CountingRule],
    /// The starting position, FEN.
    pub start: &'static str,
}

impl Variant {
    /// How it is counted unless another way is asked for.
    pub fn counting(&self) -> &'static CountingRule {
        self.counting_rules[0]
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Variant) -> bool {
        self.name == other.name
    }
}

impl Eq for Variant {}
