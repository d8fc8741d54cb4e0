//! A cache of answers, ready to be sent, by request address.
//!
//! The oldest answers are evicted first. A change of tables evicts all answers.

use crate::error::ServeError;
use crate::pages::entity_tag;
use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum length of an address in the cache, in bytes.
const LONGEST_ADDRESS: usize = 1024;

/// Memory overhead of an answer in the cache, in bytes.
const OVERHEAD: usize = 256;

/// JSON, ready to be sent.
#[derive(Clone, Debug)]
pub struct JsonAnswer {
    body: Bytes,
    tag: HeaderValue,
}

/// A bounded cache of answers.
#[derive(Debug)]
pub struct AnswerCache {
    /// Limit of the bytes of all answers, addresses included.
    most: usize,
    kept: Mutex<KeptAnswers>,
}

#[derive(Debug, Default)]
struct KeptAnswers {
    /// The generation of the tables.
    generation: u64,
    by_address: HashMap<Arc<str>, JsonAnswer>,
    /// In order of insertion.
    addresses: VecDeque<Arc<str>>,
    bytes: usize,
}

impl JsonAnswer {
    /// An answer with this JSON.
    ///
    /// # Errors
    ///
    /// The errors of [`entity_tag`].
    pub fn new(json: String) -> Result<JsonAnswer, ServeError> {
        let tag = entity_tag(json.as_bytes())?;
        Ok(JsonAnswer { body: json.into(), tag })
    }
}

impl IntoResponse for JsonAnswer {
    /// The response. Browsers and proxies may cache it for 5 minutes.
    fn into_response(self) -> Response {
        let json = HeaderValue::from_static("application/json");
        let kept = HeaderValue::from_static("public, max-age=300");
        let headers = [(CONTENT_TYPE, json), (CACHE_CONTROL, kept), (ETAG, self.tag)];
        (headers, self.body).into_response()
    }
}

impl AnswerCache {
    /// A cache of this many bytes.
    pub fn new(most: usize) -> AnswerCache {
        AnswerCache { most, kept: Mutex::default() }
    }

    /// The answer for an address, if it is cached and of this generation of tables.
    pub fn get(&self, uri: &Uri, generation: u64) -> Option<JsonAnswer> {
        let kept = self.kept();
        let address = uri.path_and_query()?.as_str();
        kept.by_address.get(address).filter(|_| kept.generation == generation).cloned()
    }

    /// Inserts an answer of this generation of tables, or of a later one.
    pub fn keep(&self, uri: &Uri, generation: u64, answer: &JsonAnswer) {
        let Some(address) = uri.path_and_query().map(|address| address.as_str()) else { return };
        let mut kept = self.kept();
        if generation > kept.generation {
            *kept = KeptAnswers { generation, ..KeptAnswers::default() };
        }
        let size = size(address, answer);
        let fits = address.len() <= LONGEST_ADDRESS && size <= self.most / 16;
        if !fits || generation < kept.generation || kept.by_address.contains_key(address) {
            return;
        }
        let address: Arc<str> = address.into();
        kept.bytes += size;
        kept.addresses.push_back(Arc::clone(&address));
        kept.by_address.insert(address, answer.clone());
        while kept.bytes > self.most {
            let Some(oldest) = kept.addresses.pop_front() else { break };
            if let Some(answer) = kept.by_address.remove(&oldest) {
                kept.bytes -= self::size(&oldest, &answer);
            }
        }
    }

    fn kept(&self) -> MutexGuard<'_, KeptAnswers> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The memory of an answer in bytes.
fn size(address: &str, answer: &JsonAnswer) -> usize {
    answer.body.len() + address.len() + OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(letters: usize) -> JsonAnswer {
        JsonAnswer::new("x".repeat(letters)).unwrap()
    }

    #[test]
    fn the_oldest_answers_go_and_all_go_with_their_tables() {
        let cache = AnswerCache::new(100_000);
        let uri = |place: usize| format!("/makruk?fen={place}").parse::<Uri>().unwrap();
        let held = |generation| -> Vec<usize> {
            (0..200).filter(|&place| cache.get(&uri(place), generation).is_some()).collect()
        };
        for place in 0..200 {
            cache.keep(&uri(place), 3, &answer(1000));
            cache.keep(&uri(place), 3, &answer(1000));
        }
        let newest: Vec<usize> = held(3);
        assert!((70..=80).contains(&newest.len()), "{}", newest.len());
        assert_eq!(newest, (200 - newest.len()..200).collect::<Vec<_>>());
        assert_eq!(cache.get(&uri(199), 3).unwrap().body, answer(1000).body);
        // An answer that is too large does not evict all other answers.
        cache.keep(&uri(500), 3, &answer(10_000));
        assert!(cache.get(&uri(500), 3).is_none());
        assert_eq!(held(3), newest);
        // Tables have changed: a late answer from the earlier tables is not kept.
        assert!(held(4).is_empty());
        cache.keep(&uri(7), 4, &answer(1));
        cache.keep(&uri(8), 3, &answer(1));
        assert_eq!(held(4), [7]);
        assert!(held(3).is_empty());
    }
}
