//! The files of the web pages: inside the program, or in a directory.

use crate::error::ServeError;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG};
use axum::http::{HeaderValue, Response};
use sakmak_atlas::web::{LinkPreview, PAGES, POLICY_HEADER};
use sakmak_make::system::regular_file;
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Marks the response that is a file of a page.
#[derive(Clone, Copy, Debug)]
pub struct ServedPage {
    /// Whether the file is in the program and needs no further memory.
    pub is_in_program: bool,
}

/// The source of the files of pages.
#[derive(Clone, Debug, Default)]
pub struct PageFiles {
    /// Directory that replaces the files in the program.
    directory: Option<PathBuf>,
}

impl PageFiles {
    /// The files of a directory; without a directory, the files in the program.
    pub fn new(directory: Option<PathBuf>) -> PageFiles {
        PageFiles { directory }
    }

    /// The response for the path of a URL, which begins with `/`.
    ///
    /// # Errors
    ///
    /// If the file does not exist.
    pub fn response(&self, path: &str) -> Result<Response<Body>, ServeError> {
        self.edited(path, |_| None)
    }

    /// Like [`PageFiles::response`], with a preview in the head of the page.
    ///
    /// # Errors
    ///
    /// Like [`PageFiles::response`].
    pub fn previewed(
        &self,
        path: &str,
        preview: &LinkPreview<'_>,
    ) -> Result<Response<Body>, ServeError> {
        self.edited(path, |page| Some(preview.insert(page)))
    }

    /// The response for a path. `edit` may return a text that replaces the file.
    fn edited(
        &self,
        path: &str,
        edit: impl FnOnce(&str) -> Option<String>,
    ) -> Result<Response<Body>, ServeError> {
        let found = candidates(path).find_map(|name| self.file(&name).map(|bytes| (name, bytes)));
        let (name, bytes) = found.ok_or_else(|| ServeError::no_path(path))?;
        let edited = str::from_utf8(&bytes).ok().and_then(edit);
        let bytes = edited.map_or(bytes, |text| Cow::Owned(text.into_bytes()));
        let tag = entity_tag(&bytes)?;
        let is_in_program = matches!(bytes, Cow::Borrowed(_));
        let body = match bytes {
            Cow::Borrowed(bytes) => Body::from(bytes),
            Cow::Owned(bytes) => Body::from(bytes),
        };
        let mut response = Response::new(body);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, media_type(&name));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        // The policy is for pages only: browsers show a lone picture with an inline style.
        if name.ends_with(".html") {
            headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY_HEADER));
        }
        headers.insert(ETAG, tag);
        response.extensions_mut().insert(ServedPage { is_in_program });
        Ok(response)
    }

    /// The bytes of a file.
    fn file(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        let Some(directory) = &self.directory else {
            return PAGES.get_file(name).map(|file| Cow::Borrowed(file.contents()));
        };
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        let path = inside.then(|| directory.join(name))?;
        Some(Cow::Owned(regular_file::read(&path).ok()?))
    }
}

/// Candidate files of a path: `index.html` for `/`, `trainer.html` for `/trainer`.
fn candidates(path: &str) -> impl Iterator<Item = String> {
    let name = path.trim_start_matches('/');
    let page = match name.is_empty() || name.ends_with('/') {
        true => format!("{name}index.html"),
        false => format!("{name}.html"),
    };
    [name.to_string(), page].into_iter().filter(|name| !name.is_empty() && !name.ends_with('/'))
}

/// The entity tag of a content. The tag is weak, because compression changes bytes.
///
/// # Errors
///
/// None in practice: the tag has letters and digits only.
pub fn entity_tag(content: &[u8]) -> Result<HeaderValue, ServeError> {
    let tag = HeaderValue::from_str(&format!("W/\"{:016x}\"", xxh3_64(content)));
    tag.map_err(ServeError::internal)
}

fn media_type(name: &str) -> HeaderValue {
    let guessed = mime_guess::from_path(name).first_or_octet_stream();
    let text = guessed.type_() == mime_guess::mime::TEXT;
    let media_type = if text { format!("{guessed}; charset=utf-8") } else { guessed.to_string() };
    HeaderValue::from_str(&media_type)
        .unwrap_or(HeaderValue::from_static("application/octet-stream"))
}
