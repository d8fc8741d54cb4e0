//! Sources of published sets: a folder, or an address of HTTP or HTTPS.
//!
//! A host may be restarted, busy or hostile. The rest of an answer that breaks off is requested
//! again after a pause:
//!
//! ```text
//! an answer with fewer than 32 KiB     a try in vain; the fourth in a row is the last
//! more, then broken off                the first try in vain
//! more, and whole                      the next request follows at once
//! ```
//!
//! So the number of requests and the time are bounded by the length of the file, whatever a host
//! sends.

use super::error::FetchError;
use super::name::is_text;
use super::set::{LIST, LONGEST_LIST, ListError, Set, quoted};
use sakmak_probe::file::bytes::open_regular;
use sakmak_tables::excerpt::Excerpt;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::http::header::{
    CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, HeaderMap, HeaderName, RANGE,
};
use ureq::http::{Response, StatusCode};

/// Maximum number of tries in vain in a row; then the file is given up.
const TRIES: u32 = 4;
/// Bytes of an answer, and within [`Patience::silence`], that count as progress.
const LEAST: u64 = 32 << 10;
/// Bytes of a request.
const ANSWER: u64 = 32 << 20;
/// Time limit of an answer. The rest is requested again after that.
const LONGEST_ANSWER: Duration = Duration::from_secs(3600);
/// Size of a read in bytes.
const BUFFER: usize = 1 << 16;

/// Timeouts and pauses for a host.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// The pause before the second try. The pause doubles with each further try.
    pub pause: Duration,
    /// Time limit for a host to connect, to begin an answer, and to send 32 KiB more of the answer.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { pause: Duration::from_secs(1), silence: Duration::from_secs(30) }
    }
}

/// The location of a published set.
#[derive(Debug)]
pub struct Source {
    place: Place,
    patience: Patience,
}

#[derive(Debug)]
enum Place {
    Folder(PathBuf),
    /// The address of a folder, without the slash at its end, and the HTTP client.
    Address(String, Agent),
}

/// The end of a read.
pub(super) enum ReadError {
    /// The source does not send the file.
    Source(String),
    /// The receiver of the bytes failed.
    Receiver(io::Error),
}

/// The end of an answer before its last byte.
enum Failure {
    /// The next answer will be the same.
    Final(String),
    /// The next answer may differ.
    Broken(String),
    Receiver(io::Error),
}

/// Takes bytes as they arrive.
type Receiver<'a> = dyn FnMut(&[u8]) -> Result<(), Failure> + 'a;

impl Source {
    /// Returns the source with this name: an address if it begins with `http://` or `https://`,
    /// else a folder.
    pub fn of(name: &str) -> Source {
        Source::with_patience(name, Patience::default())
    }

    /// Returns the same as [`Source::of`], with other timeouts.
    pub fn with_patience(name: &str, patience: Patience) -> Source {
        if !name.starts_with("http://") && !name.starts_with("https://") {
            return Source { place: Place::Folder(PathBuf::from(name)), patience };
        }
        let silence = Some(patience.silence);
        let agent = Agent::config_builder()
            .timeout_resolve(silence)
            .timeout_connect(silence)
            .timeout_send_request(silence)
            .timeout_recv_response(silence)
            .timeout_per_read(silence)
            .timeout_recv_body(Some(LONGEST_ANSWER))
            .http_status_as_error(false)
            .user_agent(concat!("sakmak/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        let place = Place::Address(name.trim_end_matches('/').to_string(), agent);
        Source { place, patience }
    }

    /// Returns the address or path of a file of the set.
    pub fn place(&self, path: &str) -> String {
        match &self.place {
            Place::Folder(folder) => folder.join(path).display().to_string(),
            Place::Address(url, _) => format!("{url}/{path}"),
        }
    }

    /// Returns the list of the set.
    ///
    /// # Errors
    ///
    /// If the set has no list, or the file is not a list.
    pub fn set(&self) -> Result<Set, FetchError> {
        let place = self.place(LIST);
        let mut list = Vec::new();
        let read = self.read(LIST, 0, None, &mut |bytes| {
            list.extend_from_slice(bytes);
            match list.len() > LONGEST_LIST {
                true => Err(ErrorKind::FileTooLarge.into()),
                false => Ok(()),
            }
        });
        match read {
            Err(ReadError::Source(reason)) => return Err(FetchError::Source { place, reason }),
            Err(ReadError::Receiver(_)) => {
                return Err(FetchError::List { place, reason: ListError::Long });
            }
            Ok(()) => {}
        }
        Set::parse(&list).map_err(|reason| FetchError::List { place, reason })
    }

    /// Passes the bytes of a file from an offset on to a receiver, up to the expected end or, if no
    /// end is expected, up to the end that the source reports.
    pub(super) fn read(
        &self,
        path: &str,
        offset: u64,
        end: Option<u64>,
        receive: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), ReadError> {
        let (mut at, mut tries) = (offset, 0);
        while end.is_none_or(|end| at < end) {
            let before = at;
            let mut receive = |bytes: &[u8]| {
                if at == 0 && is_page(path, bytes) {
                    return Err(Failure::Final(format!("it is a web page: {}", beginning(bytes))));
                }
                receive(bytes).map_err(Failure::Receiver)?;
                at += bytes.len() as u64;
                Ok(())
            };
            let answer = self.answer(path, before, end, &mut receive);
            let is_progress = at - before >= LEAST;
            let (reason, is_final) = match (answer, end) {
                (Ok(()), None) => return Ok(()),
                (Ok(()), Some(end)) if at >= end => return Ok(()),
                (Ok(()), Some(end)) => {
                    let is_whole = matches!(self.place, Place::Folder(_));
                    if is_progress && !is_whole {
                        tries = 0;
                        continue;
                    }
                    (short(at, end), is_whole)
                }
                (Err(Failure::Receiver(error)), _) => return Err(ReadError::Receiver(error)),
                (Err(Failure::Final(reason)), _) => (reason, true),
                (Err(Failure::Broken(reason)), _) => (reason, false),
            };
            tries = if is_progress { 1 } else { tries + 1 };
            if is_final || tries == TRIES {
                return Err(ReadError::Source(Excerpt::of(&reason).to_string()));
            }
            sleep(self.patience.pause * (1 << (tries - 1)));
        }
        Ok(())
    }

    /// Passes the bytes of one answer on.
    fn answer(
        &self,
        path: &str,
        offset: u64,
        end: Option<u64>,
        receive: &mut Receiver,
    ) -> Result<(), Failure> {
        let wanted = end.map_or(u64::MAX, |end| end - offset);
        match &self.place {
            Place::Folder(folder) => {
                let file = open(&folder.join(path), offset);
                let file = file.map_err(|error| Failure::Final(error.to_string()))?;
                self.copy(file.take(wanted), 0, receive)
            }
            Place::Address(url, agent) => {
                let last = end.map_or(u64::MAX, |end| end - 1).min(offset + ANSWER - 1);
                let range = format!("bytes={offset}-{last}");
                let request = agent.get(format!("{url}/{path}")).header(RANGE, range);
                let answer = request.call().map_err(failure)?;
                let skipped = skipped(&answer, offset, end)?;
                let body = answer.into_body().into_reader();
                self.copy(body.take(wanted.saturating_add(skipped)), skipped, receive)
            }
        }
    }

    /// Passes bytes on, without the first bytes.
    fn copy(
        &self,
        mut bytes: impl Read,
        mut skipped: u64,
        receive: &mut Receiver,
    ) -> Result<(), Failure> {
        let mut buffer = vec![0; BUFFER];
        let (mut begin, mut arrived) = (Instant::now(), 0);
        loop {
            let read = match bytes.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(Failure::Broken(error.to_string())),
            };
            let first = skipped.min(read as u64);
            skipped -= first;
            if first < read as u64 {
                receive(&buffer[first as usize..read])?;
            }
            arrived += read as u64;
            let time = begin.elapsed();
            if time > self.patience.silence {
                if arrived < LEAST {
                    let seconds = time.as_secs_f64();
                    let reason = format!("{arrived} bytes arrived in {seconds:.1} s");
                    return Err(Failure::Broken(reason));
                }
                (begin, arrived) = (Instant::now(), 0);
            }
        }
    }
}

/// Opens a file of a folder at an offset.
fn open(path: &Path, offset: u64) -> io::Result<impl Read + use<>> {
    let mut file = open_regular(path)?;
    file.seek(SeekFrom::Start(offset))?;
    Ok(file)
}

/// Returns the number of bytes before the requested bytes in an answer.
fn skipped<B>(answer: &Response<B>, offset: u64, end: Option<u64>) -> Result<u64, Failure> {
    let headers = answer.headers();
    let refused = |reason: String| Err(Failure::Final(reason));
    let status = answer.status();
    match status {
        StatusCode::OK | StatusCode::PARTIAL_CONTENT => {}
        StatusCode::RANGE_NOT_SATISFIABLE => {
            return refused(end.map_or_else(|| status.to_string(), |end| short(offset, end)));
        }
        _ => {
            let reason = format!("the host answers {status}");
            let is_busy = matches!(
                status,
                StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY | StatusCode::TOO_MANY_REQUESTS
            );
            return Err(match is_busy || status.is_server_error() {
                true => Failure::Broken(reason),
                false => Failure::Final(reason),
            });
        }
    }
    let kind = text(headers, CONTENT_TYPE).to_ascii_lowercase();
    if ["text/html", "application/xhtml+xml", "multipart/"]
        .iter()
        .any(|page| kind.starts_with(page))
    {
        return refused(format!("the host sends {} instead of the file", quoted(&kind)));
    }
    let encoding = text(headers, CONTENT_ENCODING);
    if !encoding.is_empty() && !encoding.eq_ignore_ascii_case("identity") {
        return refused(format!("the host sends it encoded as {}", quoted(&encoding)));
    }
    if status == StatusCode::OK {
        // The host does not know ranges, and sends all.
        let length = text(headers, CONTENT_LENGTH).parse().ok();
        return match length.zip(end).filter(|(length, end)| length != end) {
            Some((length, end)) => refused(other_length(length, end)),
            None => Ok(offset),
        };
    }
    let range = text(headers, CONTENT_RANGE);
    if range.is_empty() {
        return Ok(0);
    }
    match content_range(&range) {
        Some((first, Some(length))) if first == offset => match end.filter(|&end| end != length) {
            Some(end) => refused(other_length(length, end)),
            None => Ok(0),
        },
        Some((first, None)) if first == offset => Ok(0),
        _ => {
            let range = quoted(&range);
            refused(format!("the host sends '{range}'; expected bytes from {offset} on"))
        }
    }
}

/// Returns the text of a header; empty if the answer lacks the header.
fn text(headers: &HeaderMap, name: HeaderName) -> String {
    headers
        .get(name)
        .map(|text| String::from_utf8_lossy(text.as_bytes()).into())
        .unwrap_or_default()
}

/// Returns the first byte and the length of the file in a header such as `bytes 0-99/1234` or
/// `bytes 0-99/*`.
fn content_range(text: &str) -> Option<(u64, Option<u64>)> {
    let (range, length) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, _): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    Some((first, if length == "*" { None } else { Some(length.parse().ok()?) }))
}

/// Returns whether content starts with `<` like a web page, which a host may send instead of a
/// file. No table file does.
pub(super) fn is_page(path: &str, first: &[u8]) -> bool {
    first.first() == Some(&b'<') && !is_text(path)
}

/// Returns the beginning of a page, for a message.
fn beginning(page: &[u8]) -> Excerpt {
    quoted(&String::from_utf8_lossy(&page[..page.len().min(40)]))
}

fn short(at: u64, end: u64) -> String {
    format!("it ends after {at} of {end} bytes")
}

fn other_length(length: u64, end: u64) -> String {
    format!("it has {length} bytes, expected {end}")
}

/// Returns the failure of a request.
fn failure(error: ureq::Error) -> Failure {
    use ureq::Error as E;
    let reason = error.to_string();
    match error {
        E::BadUri(_)
        | E::Http(_)
        | E::InvalidProxyUrl
        | E::LargeResponseHeader(..)
        | E::RedirectFailed
        | E::Rustls(_)
        | E::Tls(_)
        | E::TooManyRedirects => Failure::Final(reason),
        _ => Failure::Broken(reason),
    }
}
