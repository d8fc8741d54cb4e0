//! The games of the atlas.

use sakmak_tables::counting::Profile;
use sakmak_tables::variant::Variant;

/// The games of the atlas, each as it is usually counted.
pub fn countings() -> impl Iterator<Item = &'static Profile> {
    Variant::all().into_iter().map(Variant::counting)
}

/// The page's file; the first game's is where an atlas begins.
pub fn file_name(profile: &Profile) -> String {
    match profile == Variant::all()[0].counting() {
        true => "index.html".to_string(),
        false => format!("{}.html", profile.variant().name),
    }
}
