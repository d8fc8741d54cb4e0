//! Check that tables read together belong to one material.

use sakmak_tables::material::Material;
use sakmak_tables::values::codes::TableCodes;

/// Two tables of different materials.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the table of counted distance belongs to {counted}, the table of distance to mate to {mate}"
)]
pub struct OtherMaterial {
    /// The material of the table of distance to mate.
    pub mate: Material,
    /// The material of the table of counted distance.
    pub counted: Material,
}

/// Checks that a table of counted distance, if given, has the material of the table of distance to
/// mate.
pub(crate) fn check(mate: Material, counted: Option<&dyn TableCodes>) -> Result<(), OtherMaterial> {
    match counted.map(|codes| codes.index().material()) {
        Some(counted) if counted != mate => Err(OtherMaterial { mate, counted }),
        _ => Ok(()),
    }
}
