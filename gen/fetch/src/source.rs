//! Where a set is published: a folder, or an address of HTTP or HTTPS.

use crate::error::FetchError;
use crate::set::{LIST, Set};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::time::Duration;
use ureq::Agent;
use ureq::http::StatusCode;
use ureq::http::header::RANGE;

/// How long a host may take for an answer of at most [`ANSWER`] bytes.
const TIMEOUT: Duration = Duration::from_secs(300);
/// The bytes that a host is asked for at once.
const ANSWER: u64 = 32 << 20;
/// The longest list.
const LONGEST_LIST: u64 = 64 << 20;

/// Where a set is published.
#[derive(Debug)]
pub enum Source {
    /// A folder.
    Folder(PathBuf),
    /// The address of a folder, without the slash at its end.
    Address {
        /// The address.
        url: String,
        /// The client that asks.
        agent: Agent,
    },
}

impl Source {
    /// The source with this name: an address if it begins with `http://` or `https://`, else a folder.
    pub fn of(name: &str) -> Source {
        if !name.starts_with("http://") && !name.starts_with("https://") {
            return Source::Folder(PathBuf::from(name));
        }
        let agent = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .user_agent(concat!("sakmak/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        Source::Address { url: name.trim_end_matches('/').to_string(), agent }
    }

    /// The address or path of a file of the set.
    pub fn place(&self, path: &str) -> String {
        match self {
            Source::Folder(folder) => folder.join(path).display().to_string(),
            Source::Address { url, .. } => format!("{url}/{path}"),
        }
    }

    /// The list of the set.
    ///
    /// # Errors
    ///
    /// If there is none, or it is not a list.
    pub fn set(&self) -> Result<Set, FetchError> {
        let place = self.place(LIST);
        let mut text = String::new();
        let read =
            self.read(LIST, 0).and_then(|list| list.take(LONGEST_LIST).read_to_string(&mut text));
        read.map_err(|error| FetchError::Source {
            place: place.clone(),
            reason: error.to_string(),
        })?;
        Set::parse(&text).map_err(|reason| FetchError::List { place, reason })
    }

    /// The bytes of a file from an offset on: all of them or the first ones, as many as the source
    /// sends at once.
    ///
    /// # Errors
    ///
    /// If the source does not have the file or cannot be reached. An error of the kind
    /// [`ErrorKind::NotFound`], [`ErrorKind::InvalidInput`] or [`ErrorKind::PermissionDenied`] will come
    /// again.
    pub(crate) fn read(&self, path: &str, offset: u64) -> io::Result<Box<dyn Read>> {
        match self {
            Source::Folder(folder) => {
                let mut file = File::open(folder.join(path))?;
                file.seek(SeekFrom::Start(offset))?;
                Ok(Box::new(file))
            }
            Source::Address { url, agent } => {
                let request = agent.get(format!("{url}/{}", escaped(path)));
                let range = format!("bytes={offset}-{}", offset + ANSWER - 1);
                let answer = request.header(RANGE, range).call().map_err(to_io)?;
                let status = answer.status();
                let mut body = answer.into_body().into_reader();
                match status {
                    StatusCode::PARTIAL_CONTENT => {}
                    // The host does not know ranges, and sends all.
                    StatusCode::OK => {
                        io::copy(&mut (&mut body).take(offset), &mut io::sink())?;
                    }
                    // The file ends here.
                    StatusCode::RANGE_NOT_SATISFIABLE => return Ok(Box::new(io::empty())),
                    _ => {
                        let kind = match status {
                            StatusCode::NOT_FOUND | StatusCode::GONE => ErrorKind::NotFound,
                            _ if status.is_client_error() => ErrorKind::PermissionDenied,
                            _ => ErrorKind::Other,
                        };
                        return Err(io::Error::new(kind, format!("the host answers {status}")));
                    }
                }
                Ok(Box::new(body))
            }
        }
    }
}

/// The path in an address. Names of table files have no other bytes that need it.
fn escaped(path: &str) -> String {
    path.replace('%', "%25").replace(' ', "%20").replace('#', "%23").replace('?', "%3F")
}

/// The error of a request, with a kind that says whether it will come again.
fn to_io(error: ureq::Error) -> io::Error {
    match error {
        ureq::Error::Io(error) => error,
        error @ (ureq::Error::BadUri(_) | ureq::Error::Http(_)) => {
            io::Error::new(ErrorKind::InvalidInput, error)
        }
        error => io::Error::other(error),
    }
}
