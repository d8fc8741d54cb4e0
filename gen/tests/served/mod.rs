//! A service that runs, and requests to it as bytes on a connection.

use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// No test waits longer for an answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// A service, killed when it is dropped.
pub struct Served {
    child: Child,
    /// Address and port.
    pub address: String,
}

/// A response.
#[derive(Debug)]
pub struct HttpResponse {
    pub status: u16,
    /// By name in small letters.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Served {
    /// Starts `sakmak serve` on a free port with these arguments, in a directory without tables.
    pub fn start(arguments: &[&str]) -> Served {
        Served::start_in(env!("CARGO_TARGET_TMPDIR"), arguments)
    }

    /// As [`Served::start`], with this directory for the tables that it makes.
    pub fn start_in(place: &str, arguments: &[&str]) -> Served {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sakmak"));
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .env("TMPDIR", place)
            .env_remove("SAKMAK_TABLES")
            .env_remove("SAKMAK_ACCESS")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|line| line.strip_suffix('/'));
        let address = address.unwrap_or_else(|| panic!("{line}")).to_string();
        Served { child, address }
    }

    /// A connection to the service.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The response to the bytes of a request, which ends the connection.
    #[track_caller]
    pub fn send(&self, request: &str) -> HttpResponse {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        received(stream)
    }

    /// The response to a request for a path, with more lines of its head.
    #[track_caller]
    pub fn request(&self, method: &str, path: &str, head: &[&str], body: &str) -> HttpResponse {
        let mut lines = vec![
            format!("{method} {path} HTTP/1.1"),
            format!("Host: {}", self.address),
            "Connection: close".to_string(),
            format!("Content-Length: {}", body.len()),
        ];
        lines.extend(head.iter().map(ToString::to_string));
        self.send(&(lines.join("\r\n") + "\r\n\r\n" + body))
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> HttpResponse {
        self.request("GET", path, &[], "")
    }

    #[track_caller]
    pub fn post(&self, path: &str, body: &Json) -> HttpResponse {
        self.request("POST", path, &["Content-Type: application/json"], &body.to_string())
    }

    /// The process.
    pub fn process(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The response that a connection brings before it ends.
#[track_caller]
pub fn received(mut stream: TcpStream) -> HttpResponse {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("{:?}", String::from_utf8_lossy(&bytes)));
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let header = |line: &str| {
        let (name, value) = line.split_once(": ").unwrap();
        (name.to_lowercase(), value.to_string())
    };
    HttpResponse { status, headers: lines.map(header).collect(), body: bytes[end + 4..].to_vec() }
}

impl HttpResponse {
    /// The body as JSON, of a response with this status.
    #[track_caller]
    pub fn json(&self, status: u16) -> Json {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.headers["content-type"], "application/json");
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}
