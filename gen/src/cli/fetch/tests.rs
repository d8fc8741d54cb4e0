//! A set in a folder and behind hosts; some hosts are busy or hostile.

#![allow(clippy::disallowed_methods)]

use super::error::FetchError;
use super::set::{LIST, Set, SetFile};
use super::source::{Patience, Source};
use super::transfer::{Fetch, FetchOutcome};
use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes that differ everywhere.
fn contents(length: usize) -> Vec<u8> {
    (0..length as u64).map(|byte| (byte.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as u8).collect()
}

/// A folder with a set of these files.
fn published(files: &[(&str, Vec<u8>)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let listed = files.iter().map(|(path, bytes)| {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::File::create(file).unwrap().write_all(bytes).unwrap();
        let sha256 = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        SetFile { path: path.to_string(), bytes: bytes.len() as u64, sha256 }
    });
    let set = Set { title: "a set".into(), files: listed.collect() };
    let list = serde_json::to_vec(&set).unwrap();
    fs::File::create(folder.path().join(LIST)).unwrap().write_all(&list).unwrap();
    folder
}

/// Fetches all files of a source. Returns the outcome of each file, and the bytes that arrived.
fn fetch_all(source: &Source, directory: &Path) -> Result<(Vec<FetchOutcome>, u64), FetchError> {
    let set = source.set()?;
    let fetch = Fetch { source, directory };
    let missing = fetch.missing(&set.files)?;
    let arrived = Cell::new(0);
    let progress = |bytes| arrived.set(arrived.get() + bytes);
    let fetched = set.files.iter().map(|file| fetch.file(file, &progress));
    let fetched = fetched.collect::<Result<Vec<_>, _>>()?;
    assert_eq!(arrived.get(), missing);
    Ok((fetched, missing))
}

/// The behaviour of a host.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Host {
    Ranges,
    NoRanges,
    /// Closes the connection after this many bytes of each answer.
    Breaks(usize),
    /// Sends nothing to the first two requests of each file.
    Drops,
    /// Sends the head of an answer only, to these.
    DropsAfterHead,
    /// Has no time for these.
    Busy,
    // These send the list, and instead of a table:
    Closes,
    Status(&'static str),
    OneByte,
    Drips,
    Silent,
    SilentAfterHead,
    Page,
    PageWithoutType,
    Headers(&'static str),
    Endless,
    RedirectsFar,
}

/// The bytes of an endless answer that are sent at once.
const CHUNK: usize = 1 << 14;

impl Host {
    /// Answers a request for a file; it is the one of this number, from 1 on.
    fn answer(
        self,
        stream: &mut TcpStream,
        request: usize,
        bytes: &[u8],
        range: Option<(usize, usize)>,
        is_list: bool,
    ) -> io::Result<()> {
        let host = match self {
            Host::Ranges | Host::NoRanges | Host::Breaks(_) => self,
            Host::Drops | Host::DropsAfterHead | Host::Busy if request <= 2 => self,
            Host::Drops | Host::DropsAfterHead | Host::Busy => Host::Ranges,
            _ if is_list => Host::Ranges,
            hostile => hostile,
        };
        let (first, last) = match range {
            Some((first, last)) if host != Host::NoRanges => (first, bytes.len().min(last + 1)),
            _ => (0, bytes.len()),
        };
        let part = &bytes[first.min(last)..last];
        let mut send = |status: &str, headers: &str, body: &[u8]| {
            let head = format!("HTTP/1.1 {status}\r\n{headers}connection: close\r\n\r\n");
            stream.write_all(head.as_bytes())?;
            stream.write_all(body)
        };
        let length = format!("content-length: {}\r\n", part.len());
        let partial = "206 Partial Content";
        match host {
            Host::Ranges => {
                let end = last.saturating_sub(1);
                let range = format!("content-range: bytes {first}-{end}/{}\r\n", bytes.len());
                send(partial, &(length + &range), part)
            }
            Host::NoRanges => send("200 OK", &length, part),
            Host::Breaks(after) => send(partial, &length, &part[..part.len().min(after)]),
            Host::Drops | Host::Closes => Ok(()),
            Host::DropsAfterHead => send(partial, &length, b""),
            Host::Busy => send("503 Service Unavailable", "content-length: 0\r\n", b""),
            Host::Status(status) => send(status, "content-length: 0\r\n", b""),
            Host::OneByte => send(partial, &length, &part[..1]),
            Host::Drips => {
                send(partial, &length, b"")?;
                for byte in part.chunks(1) {
                    stream.write_all(byte)?;
                    thread::sleep(Duration::from_millis(5));
                }
                Ok(())
            }
            Host::Silent | Host::SilentAfterHead => {
                if host == Host::SilentAfterHead {
                    send(partial, &length, b"")?;
                }
                // Until the client closes the connection.
                io::copy(stream, &mut io::sink()).map(|_| ())
            }
            Host::Page | Host::PageWithoutType => {
                let page = b"<!doctype html><title>Log in</title>";
                let kind = match host {
                    Host::Page => "content-type: Text/HTML; charset=utf-8\r\n",
                    _ => "content-type: application/octet-stream\r\n",
                };
                send("200 OK", kind, page)
            }
            Host::Headers(headers) => send(partial, headers, part),
            Host::Endless => {
                send("200 OK", "transfer-encoding: chunked\r\n", b"")?;
                loop {
                    let chunk =
                        [format!("{CHUNK:x}\r\n").as_bytes(), &[0; CHUNK], b"\r\n"].concat();
                    stream.write_all(&chunk)?;
                }
            }
            Host::RedirectsFar => {
                let far = format!("location: nowhere://{}\r\n", "x".repeat(20_000));
                send("302 Found", &far, b"")
            }
        }
    }
}

/// A host, with the requests for each path.
struct Served {
    source: Source,
    requests: Arc<Mutex<HashMap<String, usize>>>,
}

impl Served {
    fn requests(&self, path: &str) -> usize {
        self.requests.lock().unwrap().get(path).copied().unwrap_or(0)
    }
}

/// Serves a folder until the test ends.
fn serve(folder: &Path, host: Host) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/sets/five/", listener.local_addr().unwrap());
    let folder = folder.to_path_buf();
    let requests = Arc::new(Mutex::new(HashMap::new()));
    let counted = Arc::clone(&requests);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (folder, counted) = (folder.clone(), Arc::clone(&counted));
            // The client may close the connection at any time, as it has all it wanted.
            thread::spawn(move || answer(&mut stream.unwrap(), &folder, host, &counted));
        }
    });
    // Long enough for a machine that is busy with other tests.
    let silence = Duration::from_millis(1500);
    let patience = Patience { pause: Duration::from_millis(10), silence };
    Served { source: Source::with_patience(&address, patience), requests }
}

fn answer(
    stream: &mut TcpStream,
    folder: &Path,
    host: Host,
    counted: &Mutex<HashMap<String, usize>>,
) -> io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().unwrap()?;
    let headers: Vec<String> =
        lines.map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
    let path = request.split(' ').nth(1).unwrap().strip_prefix("/sets/five/").unwrap();
    let number = {
        let mut counted = counted.lock().unwrap();
        let number = counted.entry(path.to_string()).or_default();
        *number += 1;
        *number
    };
    let Ok(bytes) = fs::read(folder.join(path)) else {
        return stream.write_all(
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        );
    };
    let range = headers.iter().find_map(|line| {
        let (name, value) = line.split_once(": bytes=")?;
        let (first, last) = value.split_once('-')?;
        name.eq_ignore_ascii_case("range")
            .then(|| (first.parse::<usize>().unwrap(), last.parse::<usize>().unwrap()))
    });
    host.answer(stream, number, &bytes, range, path == LIST)
}

#[test]
fn a_set_arrives_whole_from_every_source() {
    let files = [
        ("KRvK.dtm.smp", contents(200_000)),
        ("asean/KPvK.dtm.smp", contents(9)),
        ("README.md", b"<h1>A set</h1>".to_vec()),
    ];
    let set = published(&files);
    let folder = Source::of(set.path().to_str().unwrap());
    let hosts = [
        Host::Ranges,
        Host::NoRanges,
        Host::Breaks(70_000),
        Host::Drops,
        Host::DropsAfterHead,
        Host::Busy,
    ];
    let hosts = hosts.map(|host| serve(set.path(), host).source);
    for source in [folder].into_iter().chain(hosts) {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("new/tables");
        let (fetched, bytes) = fetch_all(&source, &directory).unwrap();
        assert_eq!((fetched, bytes), (vec![FetchOutcome::Arrived; 3], 200_023));
        for (path, bytes) in &files {
            assert_eq!(&fs::read(directory.join(path)).unwrap(), bytes);
        }
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 3);
        let again = fetch_all(&source, &directory).unwrap();
        assert_eq!(again, (vec![FetchOutcome::WasThere; 3], 0));
    }
}

#[test]
fn a_part_is_completed_and_not_fetched_again() {
    let bytes = contents(100_000);
    let set = published(&[("KRvK.dtm.smp", bytes.clone())]);
    for host in [Host::Ranges, Host::NoRanges] {
        let source = serve(set.path(), host).source;
        let place = tempfile::tempdir().unwrap();
        let part = place.path().join("KRvK.dtm.smp.part");
        fs::File::create(&part).unwrap().write_all(&bytes[..60_000]).unwrap();
        let fetched = fetch_all(&source, place.path()).unwrap();
        assert_eq!(fetched, (vec![FetchOutcome::Arrived], 40_000));
        assert_eq!(fs::read(place.path().join("KRvK.dtm.smp")).unwrap(), bytes);
        assert!(!part.try_exists().unwrap());
    }
}

#[test]
fn a_wrong_part_is_fetched_again_at_once() {
    let bytes = contents(100_000);
    let set = published(&[("KRvK.dtm.smp", bytes.clone())]);
    let source = serve(set.path(), Host::Ranges).source;
    let file = &source.set().unwrap().files[0];
    // Of another version, longer, and with zeros as a power cut leaves them.
    let zeros = [&bytes[..40_000], &[0; 20_000]].concat();
    for wrong in [vec![1, 2, 3], contents(200_000), zeros, vec![0; 100_000]] {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("KRvK.dtm.smp.part"), wrong).unwrap();
        let fetch = Fetch { source: &source, directory: place.path() };
        assert_eq!(fetch.file(file, &|_| ()).unwrap(), FetchOutcome::Arrived);
        assert_eq!(fs::read(place.path().join("KRvK.dtm.smp")).unwrap(), bytes);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}

#[test]
fn wrong_bytes_never_get_the_name() {
    let bytes = contents(1_000);
    let set = published(&[("KRvK.dtm.smp", bytes.clone())]);
    let source = Source::of(set.path().to_str().unwrap());
    let place = tempfile::tempdir().unwrap();
    let part = place.path().join("KRvK.dtm.smp.part");
    // The source has other bytes than its list.
    let mut other = bytes.clone();
    other[999] ^= 1;
    fs::write(set.path().join("KRvK.dtm.smp"), other).unwrap();
    fs::write(&part, &bytes[..3]).unwrap();
    let error = fetch_all(&source, place.path()).unwrap_err();
    assert!(matches!(error, FetchError::Other { .. }), "{error}");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    // A damaged source.
    fs::File::create(set.path().join("KRvK.dtm.smp")).unwrap().write_all(&contents(999)).unwrap();
    let place = tempfile::tempdir().unwrap();
    let error = fetch_all(&source, place.path()).unwrap_err();
    assert!(error.to_string().contains("it ends after 999 of 1000 bytes"), "{error}");
}

#[test]
fn a_file_of_the_user_is_not_replaced() {
    let set = published(&[("KRvK.dtm.smp", contents(1_000))]);
    let source = Source::of(set.path().to_str().unwrap());
    let place = tempfile::tempdir().unwrap();
    let own = place.path().join("KRvK.dtm.smp");
    fs::File::create(&own).unwrap().write_all(b"mine").unwrap();
    let fetch = Fetch { source: &source, directory: place.path() };
    let error = fetch.file(&source.set().unwrap().files[0], &|_| ()).unwrap_err();
    assert!(matches!(error, FetchError::Taken(ref path) if *path == own), "{error}");
    assert_eq!(fs::read(own).unwrap(), b"mine");
}

#[test]
fn what_is_not_there_is_named_and_not_asked_for_again() {
    let set = published(&[("KRvK.dtm.smp", contents(10)), ("KRvKN.dtm.smp", contents(10))]);
    fs::remove_file(set.path().join("KRvKN.dtm.smp")).unwrap();
    let sources =
        [Source::of(set.path().to_str().unwrap()), serve(set.path(), Host::Ranges).source];
    for source in sources {
        let place = tempfile::tempdir().unwrap();
        let error = fetch_all(&source, place.path()).unwrap_err().to_string();
        assert!(error.contains(&source.place("KRvKN.dtm.smp")), "{error}");
        assert!(place.path().join("KRvK.dtm.smp").try_exists().unwrap());
    }
    let nothing = tempfile::tempdir().unwrap();
    let error = Source::of(nothing.path().to_str().unwrap()).set().unwrap_err();
    assert!(error.to_string().contains(LIST), "{error}");
}

#[test]
fn a_hostile_host_gets_few_requests_and_little_time() {
    let bytes = contents(200_000);
    let set = published(&[("KRvK.dtm.smp", bytes.clone())]);
    // The requests for the table, and the message.
    let hosts = [
        (Host::Closes, 4, "cannot fetch"),
        (Host::Status("500 Internal Server Error"), 4, "the host answers 500"),
        (Host::Status("429 Too Many Requests"), 4, "the host answers 429"),
        (Host::Status("403 Forbidden"), 1, "the host answers 403"),
        (Host::Status("204 No Content"), 1, "the host answers 204"),
        (Host::Status("304 Not Modified"), 1, "the host answers 304"),
        (Host::Status("416 Range Not Satisfiable"), 1, "it ends after 0 of 200000 bytes"),
        (Host::Status("206 Partial Content"), 4, "it ends after 0 of 200000 bytes"),
        (Host::OneByte, 4, "cannot fetch"),
        (Host::Drips, 4, "bytes arrived in"),
        (Host::Silent, 4, "cannot fetch"),
        (Host::SilentAfterHead, 4, "cannot fetch"),
        (Host::Page, 1, "the host sends text/html; charset=utf-8 instead of the file"),
        (Host::PageWithoutType, 1, "it is a web page: <!doctype html>"),
        (
            Host::Headers("content-range: bytes 100-199999/200000\r\n"),
            1,
            "the host sends 'bytes 100-199999/200000'; expected bytes from 0 on",
        ),
        (Host::Headers("content-range: pages 1/2\r\n"), 1, "expected bytes from 0 on"),
        (
            Host::Headers("content-range: bytes 0-99/100\r\n"),
            1,
            "it has 100 bytes, expected 200000",
        ),
        (Host::Headers("content-encoding: gzip\r\n"), 1, "the host sends it encoded as gzip"),
        (
            Host::Headers("content-type: multipart/byteranges; boundary=x\r\n"),
            1,
            "the host sends multipart/byteranges; boundary=x instead of the file",
        ),
        (Host::Endless, 1, "its SHA-256 is"),
        (Host::RedirectsFar, 1, "cannot fetch"),
    ];
    let start = Instant::now();
    thread::scope(|threads| {
        for (host, requests, expected) in hosts {
            let set = set.path();
            threads.spawn(move || {
                let served = serve(set, host);
                let place = tempfile::tempdir().unwrap();
                let error = fetch_all(&served.source, place.path()).unwrap_err().to_string();
                assert!(error.contains(expected) && error.len() < 300, "{host:?}: {error}");
                assert_eq!(served.requests("KRvK.dtm.smp"), requests, "{host:?}: {error}");
                // Nothing of a page is kept.
                let part = fs::read(place.path().join("KRvK.dtm.smp.part")).unwrap_or_default();
                assert!(contents(200_000).starts_with(&part), "{host:?}");
                assert!(!place.path().join("KRvK.dtm.smp").exists(), "{host:?}");
            });
        }
    });
    // Four silent answers and the pauses between them, on a busy machine.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    for headers in ["content-range: bytes 0-199999/*\r\n", "content-type: text/plain\r\n"] {
        let place = tempfile::tempdir().unwrap();
        let source = serve(set.path(), Host::Headers(headers)).source;
        fetch_all(&source, place.path()).unwrap();
    }
}

#[test]
fn a_page_in_a_part_is_dropped_and_the_file_fetched() {
    let set = published(&[("KRvK.dtm.smp", contents(100_000))]);
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("KRvK.dtm.smp.part"), "<!DOCTYPE html>").unwrap();
    let served = serve(set.path(), Host::Ranges);
    let files = served.source.set().unwrap().files;
    let fetch = Fetch { source: &served.source, directory: place.path() };
    assert_eq!(fetch.file(&files[0], &|_| ()).unwrap(), FetchOutcome::Arrived);
    assert_eq!(served.requests("KRvK.dtm.smp"), 1);
}

#[test]
fn a_list_is_asked_for_again_and_refused_if_it_is_none() {
    let set = published(&[("KRvK.dtm.smp", contents(100))]);
    for host in [Host::Drops, Host::DropsAfterHead, Host::Busy] {
        let served = serve(set.path(), host);
        served.source.set().unwrap();
        assert_eq!(served.requests(LIST), 3, "{host:?}");
    }
    for list in [
        "<html>".to_string(),
        "{}".to_string(),
        "[".repeat(1 << 20),
        format!(
            r#"{{"title":"","files":[{{"path":"../{}","bytes":1,"sha256":""}}]}}"#,
            "x".repeat(9 << 20)
        ),
        " ".repeat(20 << 20),
    ] {
        fs::write(set.path().join(LIST), list).unwrap();
        for source in
            [Source::of(set.path().to_str().unwrap()), serve(set.path(), Host::Ranges).source]
        {
            let error = source.set().unwrap_err().to_string();
            assert!(error.contains(LIST) && error.len() < 400, "{error}");
        }
    }
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    fn pipe(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    /// The message of a fetch into a directory, which does not take long.
    fn refused(set: &Path, directory: &Path) -> String {
        let start = Instant::now();
        let source = Source::of(set.to_str().unwrap());
        let error = fetch_all(&source, directory).unwrap_err().to_string();
        assert!(start.elapsed() < Duration::from_secs(5), "{error}");
        // Without the first look at all files.
        if let Ok(set) = source.set() {
            let fetch = Fetch { source: &source, directory };
            let again = fetch.file(&set.files[0], &|_| ()).unwrap_err().to_string();
            assert_eq!(again, error);
        }
        error
    }

    #[test]
    fn nothing_is_written_through_a_link_and_no_pipe_is_waited_for() {
        let set = published(&[("asean/KPvK.dtm.smp", contents(1_000))]);
        let outside = tempfile::tempdir().unwrap();
        let victim = outside.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        let file = "is not a regular file, and links are not followed";
        type Obstacle<'a> = &'a dyn Fn(&Path);
        let link: Obstacle = &|path| symlink(&victim, path).unwrap();
        let dangling: Obstacle = &|path| symlink(outside.path().join("nothing"), path).unwrap();
        let folder: Obstacle = &|path| fs::create_dir(path).unwrap();
        for name in ["KPvK.dtm.smp", "KPvK.dtm.smp.part"] {
            for obstacle in [link, dangling, folder, &pipe] {
                let place = tempfile::tempdir().unwrap();
                let path = place.path().join("asean").join(name);
                fs::create_dir(path.parent().unwrap()).unwrap();
                obstacle(&path);
                let error = refused(set.path(), place.path());
                assert!(error.contains(name) && error.contains(file), "{error}");
            }
        }
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("asean");
        symlink(outside.path(), &folder).unwrap();
        let error = refused(set.path(), place.path());
        assert!(error.contains("asean is not a folder, and links are not followed"), "{error}");
        fs::remove_file(&folder).unwrap();
        fs::create_dir(&folder).unwrap();
        fs::hard_link(&victim, folder.join("KPvK.dtm.smp.part")).unwrap();
        let error = refused(set.path(), place.path());
        assert!(error.contains("KPvK.dtm.smp.part is not a file with one name"), "{error}");
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
        // The directory itself may be a link of the user's.
        let place = tempfile::tempdir().unwrap();
        symlink(place.path(), outside.path().join("tables")).unwrap();
        let source = Source::of(set.path().to_str().unwrap());
        fetch_all(&source, &outside.path().join("tables")).unwrap();
    }

    #[test]
    fn a_source_of_pipes_and_devices_is_refused() {
        let set = published(&[("KRvK.dtm.smp", contents(1_000))]);
        let place = tempfile::tempdir().unwrap();
        for name in ["KRvK.dtm.smp", LIST] {
            let path = set.path().join(name);
            fs::remove_file(&path).unwrap();
            pipe(&path);
            let error = refused(set.path(), place.path());
            assert!(error.contains("not a regular file"), "{error}");
            fs::remove_file(&path).unwrap();
            symlink("/dev/zero", &path).unwrap();
            let error = refused(set.path(), place.path());
            assert!(error.contains(name) && error.contains("not a regular file"), "{error}");
        }
    }
}
