//! The atlas inside the service: the files that `sakmak report` wrote, in the language of the
//! reader.
//!
//! Pages in Thai and Khmer are in the folders `th` and `km` of the directory, if it has them.

use crate::error::ServeError;
use crate::pages::PageFiles;
use axum::http::header::{ACCEPT_LANGUAGE, VARY};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::Response;
use sakmak_atlas::language::Language;
use std::path::PathBuf;

/// The path of the atlas.
const ROOT: &str = "/atlas";

/// An atlas of a service.
#[derive(Clone, Debug)]
pub struct ServedAtlas {
    directory: PathBuf,
}

impl ServedAtlas {
    /// The atlas in a directory.
    pub fn new(directory: PathBuf) -> ServedAtlas {
        ServedAtlas { directory }
    }

    /// The response for a URL. `None` if the URL does not belong to the atlas.
    ///
    /// # Errors
    ///
    /// If the file does not exist.
    pub fn response(&self, uri: &Uri, headers: &HeaderMap) -> Option<Result<Response, ServeError>> {
        let path = uri.path().strip_prefix(ROOT).filter(|path| path.starts_with('/'))?;
        let own = self.directory.join(language(uri, headers).code());
        let directories = [own, self.directory.clone()];
        let found = directories
            .into_iter()
            .find_map(|directory| PageFiles::new(Some(directory)).response(path).ok());
        let missing = || ServeError::no_path(uri.path());
        Some(found.ok_or_else(missing).map(|mut response| {
            response.headers_mut().insert(VARY, HeaderValue::from_static("Accept-Language"));
            response
        }))
    }
}

/// The language of the parameter `lang` of a URL, otherwise the best match for the browser.
pub fn language(uri: &Uri, headers: &HeaderMap) -> Language {
    let asked = uri.query().and_then(|query| {
        query.split('&').find_map(|part| Language::of_code(part.strip_prefix("lang=")?))
    });
    let accepted = || headers.get(ACCEPT_LANGUAGE).and_then(|header| header.to_str().ok());
    asked.unwrap_or_else(|| accepted().map(Language::accepted).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_goes_before_the_browser() {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static("km,en;q=0.5"));
        for (uri, expected) in [
            ("/atlas/", Language::Khmer),
            ("/atlas/?lang=th", Language::Thai),
            ("/atlas/?a=b&lang=en", Language::English),
            ("/atlas/?lang=xx", Language::Khmer),
        ] {
            assert_eq!(language(&uri.parse().unwrap(), &headers), expected, "{uri}");
        }
    }
}
