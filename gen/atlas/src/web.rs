//! The files of the web pages, inside the program.

use include_dir::{Dir, include_dir};
use maud::{Markup, html};
use sakmak_tables::position::Position;

/// The files by their paths below `/`. Each script contains the modules that it imports.
pub static PAGES: Dir<'static> = include_dir!("$OUT_DIR/web");

/// The sources from which a page may load.
macro_rules! policy {
    () => {
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; \
         object-src 'none'; base-uri 'none'; form-action 'none'"
    };
}

/// Content-Security-Policy of a page in a file: it loads from its own host only. A site of files
/// compiles WebAssembly.
const POLICY: &str = policy!();

/// Content-Security-Policy of a page as a header, which may also forbid frames of other hosts.
pub const POLICY_HEADER: &str = concat!(policy!(), "; frame-ancestors 'self'");

/// The element that sets the Content-Security-Policy of a page in a file.
pub fn policy_element() -> Markup {
    html! { meta http-equiv="Content-Security-Policy" content=(POLICY); }
}

/// Content of a link to a page in other programs.
#[derive(Clone, Copy, Debug)]
pub struct LinkPreview<'a> {
    /// The title.
    pub title: &'a str,
    /// A sentence.
    pub description: &'a str,
    /// The public address of the pages, which ends with a slash. Without it the preview has no
    /// picture, because a picture needs an absolute address.
    pub url: Option<&'a str>,
    /// The position of the picture, else an example.
    pub position: Option<&'a Position>,
}

impl LinkPreview<'_> {
    /// A page with the preview in its head.
    pub fn insert(&self, page: &str) -> String {
        let LinkPreview { title, description, url, position } = self;
        let query = position.map_or_else(String::new, |position| {
            let fen = position.fen().replace(' ', "_").replace('+', "%2B");
            format!("?variant={}&fen={fen}", position.variant().name)
        });
        let image = url.map(|url| format!("{url}board.png{query}"));
        let tags = html! {
            meta name="description" content=(description);
            meta property="og:type" content="website";
            meta property="og:site_name" content="Sakmak";
            meta property="og:title" content=(title);
            meta property="og:description" content=(description);
            @if let Some(image) = image {
                meta property="og:image" content=(image);
                meta name="twitter:card" content="summary";
            }
        };
        page.replacen("<head>", &format!("<head>{}", tags.0), 1)
    }
}
