//! A set in a folder and behind hosts that are slow to please.

use sakmak_fetch::{Fetch, FetchError, Fetched, LIST, Set, SetFile, Source};
use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::thread;

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

/// Fetches all of a source. Returns what became of each file, and the bytes that arrived.
fn fetch_all(source: &Source, directory: &Path) -> Result<(Vec<Fetched>, u64), FetchError> {
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

/// How a host answers.
#[derive(Clone, Copy, PartialEq)]
enum Host {
    Ranges,
    NoRanges,
    /// Closes the connection after this many bytes of each answer.
    Breaks(usize),
}

/// Serves a folder until the test ends; the address of it.
fn serve(folder: &Path, host: Host) -> Source {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/sets/five/", listener.local_addr().unwrap());
    let folder = folder.to_path_buf();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let request = lines.next().unwrap().unwrap();
            let headers: Vec<String> =
                lines.map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
            let path = request.split(' ').nth(1).unwrap().strip_prefix("/sets/five/").unwrap();
            let Ok(bytes) = fs::read(folder.join(path)) else {
                stream
                    .write_all(
                        b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
                    )
                    .unwrap();
                continue;
            };
            let range = headers.iter().find_map(|line| {
                let (name, value) = line.split_once(": bytes=")?;
                let (first, last) = value.split_once('-')?;
                name.eq_ignore_ascii_case("range")
                    .then(|| (first.parse::<usize>().unwrap(), last.parse::<usize>().unwrap()))
            });
            let (status, part) = match range.filter(|_| host != Host::NoRanges) {
                Some((first, last)) => {
                    ("206 Partial Content", &bytes[first..bytes.len().min(last + 1)])
                }
                None => ("200 OK", &bytes[..]),
            };
            let length = part.len();
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).unwrap();
            let sent = match host {
                Host::Breaks(after) => length.min(after),
                _ => length,
            };
            // The client may have closed the connection, as it has all it wanted.
            let _ = stream.write_all(&part[..sent]);
        }
    });
    Source::of(&address)
}

#[test]
fn a_set_arrives_whole_from_every_source() {
    let files =
        [("KRvK.dtm.smp", contents(200_000)), ("ouk/KRvK.smv", contents(9)), ("empty", Vec::new())];
    let set = published(&files);
    let folder = Source::of(set.path().to_str().unwrap());
    let hosts =
        [Host::Ranges, Host::NoRanges, Host::Breaks(70_000)].map(|host| serve(set.path(), host));
    for source in [folder].into_iter().chain(hosts) {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("new/tables");
        let (fetched, bytes) = fetch_all(&source, &directory).unwrap();
        assert_eq!((fetched, bytes), (vec![Fetched::Arrived; 3], 200_009));
        for (path, bytes) in &files {
            assert_eq!(&fs::read(directory.join(path)).unwrap(), bytes);
        }
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 3);
        let again = fetch_all(&source, &directory).unwrap();
        assert_eq!(again, (vec![Fetched::WasThere; 3], 0));
    }
}

#[test]
fn a_part_is_completed_and_not_fetched_again() {
    let bytes = contents(100_000);
    let set = published(&[("KRvK.dtm.smp", bytes.clone())]);
    for source in [serve(set.path(), Host::Ranges), serve(set.path(), Host::NoRanges)] {
        let place = tempfile::tempdir().unwrap();
        let part = place.path().join("KRvK.dtm.smp.part");
        fs::File::create(&part).unwrap().write_all(&bytes[..60_000]).unwrap();
        let fetched = fetch_all(&source, place.path()).unwrap();
        assert_eq!(fetched, (vec![Fetched::Arrived], 40_000));
        assert_eq!(fs::read(place.path().join("KRvK.dtm.smp")).unwrap(), bytes);
        assert!(!part.try_exists().unwrap());
    }
}

#[test]
fn wrong_bytes_never_get_the_name() {
    let bytes = contents(1_000);
    let set = published(&[("KRvK.dtm.smp", bytes.clone())]);
    let source = Source::of(set.path().to_str().unwrap());
    let place = tempfile::tempdir().unwrap();
    let part = place.path().join("KRvK.dtm.smp.part");
    // A part of another version of the file.
    fs::File::create(&part).unwrap().write_all(&[1, 2, 3]).unwrap();
    let error = fetch_all(&source, place.path()).unwrap_err();
    assert!(matches!(error, FetchError::Other { .. }), "{error}");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    // A longer part.
    fs::File::create(&part).unwrap().write_all(&contents(2_000)).unwrap();
    let file = &source.set().unwrap().files[0];
    let fetch = Fetch { source: &source, directory: place.path() };
    let error = fetch.file(file, &|_| ()).unwrap_err();
    assert!(error.to_string().contains("it has 2000 bytes, 1000 expected"), "{error}");
    // The next try has nothing wrong left.
    assert_eq!(fetch.file(file, &|_| ()).unwrap(), Fetched::Arrived);
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
    let sources = [Source::of(set.path().to_str().unwrap()), serve(set.path(), Host::Ranges)];
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
