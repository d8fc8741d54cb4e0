//! Which game is meant and how it is counted, as the command line says it.

use sakmak_tables::counting::CountingRule;
use sakmak_tables::variant::Variant;

/// The game is not counted this way.
#[derive(Debug, thiserror::Error)]
#[error("{variant} is not counted by {counting_rule}: one of {known} is expected")]
pub struct CountedOtherwise {
    variant: &'static str,
    counting_rule: &'static str,
    known: String,
}

/// The way of counting that was asked for; of a variant without another, its usual one.
pub fn asked(
    variant: Option<&'static Variant>,
    counting: Option<&'static CountingRule>,
) -> Result<Option<&'static CountingRule>, CountedOtherwise> {
    match (variant, counting) {
        (Some(variant), Some(counting_rule))
            if !variant.counting_rules.contains(&counting_rule) =>
        {
            let known: Vec<&str> =
                variant.counting_rules.iter().map(|counting_rule| counting_rule.name).collect();
            let known = known.join(", ");
            Err(CountedOtherwise {
                variant: variant.name,
                counting_rule: counting_rule.name,
                known,
            })
        }
        (_, Some(counting_rule)) => Ok(Some(counting_rule)),
        (variant, None) => Ok(variant.map(Variant::counting)),
    }
}
