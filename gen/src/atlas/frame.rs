//! What is around every page.

use maud::{DOCTYPE, Markup, html};

/// A whole page.
pub fn whole_page(title: &str, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="stylesheet" href="atlas.css";
                link rel="icon" href="data:,";
                script src="atlas.js" defer {}
            }
            body { (content) }
        }
    }
}
