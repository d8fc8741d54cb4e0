//! Which game is meant and how it is counted, as the command line says it.

use sakmak_tables::counting::Profile;
use sakmak_tables::variant::Variant;

/// The game is not counted this way.
#[derive(Debug, thiserror::Error)]
#[error("{variant} is not counted by {profile}: one of {known} is expected")]
pub struct CountedOtherwise {
    variant: &'static str,
    profile: &'static str,
    known: String,
}

/// The way of counting that was asked for; of a variant without another, its usual one.
pub fn asked(
    variant: Option<&'static Variant>,
    counting: Option<&'static Profile>,
) -> Result<Option<&'static Profile>, CountedOtherwise> {
    match (variant, counting) {
        (Some(variant), Some(profile)) if !variant.profiles.contains(&profile) => {
            let known: Vec<&str> = variant.profiles.iter().map(|profile| profile.name).collect();
            let known = known.join(", ");
            Err(CountedOtherwise { variant: variant.name, profile: profile.name, known })
        }
        (_, Some(profile)) => Ok(Some(profile)),
        (variant, None) => Ok(variant.map(Variant::counting)),
    }
}
