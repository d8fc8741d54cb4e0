//! A site: the web pages with the module that answers in them, tables and an atlas, as files for
//! any host.
//!
//! ```text
//! index.html, trainer.html ...   the pages of the service, which ask the module
//! sakmak/                        the module and its licences, from the npm package
//! tables/tables.json             the length of each packed file, and of its parts if it is cut
//! tables/KRNvKM.dtm.smp          a packed file; NAME.0, NAME.1 ... are the parts of a long one
//! atlas/                         the pages of `sakmak report`
//! site.json                      the SHA-256 of each file
//! ```
//!
//! All addresses are relative, so the files may be in any folder of a host.

use crate::bundle::bundle;
use crate::language::Language;
use crate::wasm::module_version;
use crate::web::{LinkPreview, PAGES, policy_element};
use include_dir::Dir;
use sakmak_make::system::atomic_file::write_atomically;
use sakmak_make::system::hexadecimal::hexadecimal;
use sakmak_make::system::{directory, regular_file};
use sakmak_probe::file::bytes::{open_regular, read_text};
use sakmak_tables::excerpt::Excerpt;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The longest file of a site: some hosts refuse longer files.
const LONGEST: u64 = 100_000_000;
/// The folder of the module.
const MODULE: &str = "sakmak";
/// The WebAssembly of the npm package.
const WASM: &str = "sakmak.wasm";
/// The licences of the npm package, which are optional.
const LICENCES: [&str; 3] = ["LICENSE-MIT", "LICENSE-APACHE", "LICENSES-THIRD-PARTY.txt"];

/// Reasons why a site cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The folder of the module lacks a file.
    #[error(
        "no module in {folder}: {reason}; scripts/wasm.sh builds it into target/npm, and 'npm install \
         sakmak' into node_modules/sakmak",
        folder = .folder.display()
    )]
    Module {
        /// The folder.
        folder: PathBuf,
        /// The missing part.
        reason: String,
    },
    /// The module has another version, whose answers these pages may not read.
    #[error(
        "the module in {folder} has the version {found}, expected {expected}",
        folder = .folder.display(), expected = env!("CARGO_PKG_VERSION")
    )]
    Version {
        /// The folder.
        folder: PathBuf,
        /// The version of the module.
        found: Excerpt,
    },
    /// A file cannot be read.
    #[error("cannot read {path}: {source}", path = .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {path}: {source}", path = .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// A site that is being written.
#[derive(Debug)]
pub struct Site {
    directory: PathBuf,
    url: Option<String>,
    longest: u64,
    /// The SHA-256 of the files by their paths.
    files: BTreeMap<String, String>,
    /// The packed files by their paths in a directory of tables.
    tables: BTreeMap<String, ListedFile>,
}

/// A packed file of a site.
#[derive(Debug, Serialize)]
struct ListedFile {
    length: u64,
    /// The length of all parts but the last, if the file is split.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<u64>,
}

/// The list of all files.
#[derive(Serialize)]
struct Manifest<'a> {
    version: &'a str,
    files: &'a BTreeMap<String, String>,
}

impl Site {
    /// A site in a directory, which is created if it does not exist. `url` is the public address,
    /// which ends with a slash.
    pub fn new(directory: &Path, url: Option<String>) -> Site {
        let (files, tables) = (BTreeMap::new(), BTreeMap::new());
        Site { directory: directory.to_path_buf(), url, longest: LONGEST, files, tables }
    }

    /// Adds the module of the npm package in a folder.
    ///
    /// # Errors
    ///
    /// If the folder lacks the module, or has a broken module or a module of another version.
    /// Nothing is written in these cases.
    pub fn add_module(&mut self, folder: &Path) -> Result<(), SiteError> {
        let missing = |reason| SiteError::Module { folder: folder.to_path_buf(), reason };
        let read = |name: &str| {
            let text = read_text(&folder.join(name));
            text.map_err(|error| format!("{name}: {error}"))
        };
        let package = read("package.json").map_err(missing)?;
        let package: serde_json::Value =
            serde_json::from_str(&package).map_err(|error| missing(error.to_string()))?;
        let of_version = |found: &str| match found == env!("CARGO_PKG_VERSION") {
            true => Ok(()),
            false => {
                Err(SiteError::Version { folder: folder.to_path_buf(), found: Excerpt::of(found) })
            }
        };
        of_version(package["version"].as_str().unwrap_or_default())?;
        let bundled = |name| bundle(name, &read).map_err(missing);
        let scripts = [("index.js", bundled("index.js")?), ("worker.js", bundled("worker.js")?)];
        let in_file = |fault: &dyn Display| missing(format!("{WASM}: {fault}"));
        let wasm = regular_file::read(&folder.join(WASM)).map_err(|error| in_file(&error))?;
        of_version(&module_version(&wasm).map_err(|fault| in_file(&fault))?)?;
        for (name, script) in scripts {
            self.write(&format!("{MODULE}/{name}"), script.as_bytes())?;
        }
        self.write(&format!("{MODULE}/{WASM}"), &wasm)?;
        for name in LICENCES {
            if let Ok(bytes) = regular_file::read(&folder.join(name)) {
                self.write(&format!("{MODULE}/{name}"), &bytes)?;
            }
        }
        Ok(())
    }

    /// Adds a packed file by its path in a directory of tables, split if it is long.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub fn add_table(&mut self, path: &str, file: &Path) -> Result<(), SiteError> {
        let failed = |source| SiteError::Read { path: file.to_path_buf(), source };
        let mut opened = open_regular(file).map_err(failed)?;
        let length = opened.metadata().map_err(failed)?.len();
        let part = (length > self.longest).then_some(self.longest);
        for number in 0..length.div_ceil(part.unwrap_or(length).max(1)) {
            let name = match part {
                Some(_) => format!("tables/{path}.{number}"),
                None => format!("tables/{path}"),
            };
            self.copy(&name, &mut (&mut opened).take(part.unwrap_or(length)))?;
        }
        self.tables.insert(path.to_string(), ListedFile { length, part });
        Ok(())
    }

    /// Adds the atlas in a directory.
    ///
    /// # Errors
    ///
    /// If the atlas cannot be read or written.
    pub fn add_atlas(&mut self, directory: &Path) -> Result<(), SiteError> {
        self.add_folder("atlas", directory)
    }

    fn add_folder(&mut self, path: &str, folder: &Path) -> Result<(), SiteError> {
        let failed = |source| SiteError::Read { path: folder.to_path_buf(), source };
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (name, file) = (entry.file_name(), entry.path());
            let name = format!("{path}/{}", name.to_string_lossy());
            if file.is_dir() {
                self.add_folder(&name, &file)?;
            } else {
                let source = open_regular(&file);
                let mut source =
                    source.map_err(|source| SiteError::Read { path: file.clone(), source })?;
                self.copy(&name, &mut source)?;
            }
        }
        Ok(())
    }

    /// Writes the pages, unless the atlas has a page of the same name, and the lists.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn finish(mut self) -> Result<(), SiteError> {
        let tables = json(&self.tables);
        self.write("tables/tables.json", tables.as_bytes())?;
        self.add_pages(&PAGES)?;
        let manifest = json(&Manifest { version: env!("CARGO_PKG_VERSION"), files: &self.files });
        // A browser fetches changed files only when this script has changed.
        let worker = PAGES.get_file("service-worker.js").and_then(|file| file.contents_utf8());
        let version = format!("VERSION = \"{}\"", hexadecimal(&Sha256::digest(&manifest)));
        let worker = worker.unwrap_or_default().replace("VERSION = \"\"", &version);
        self.write("service-worker.js", worker.as_bytes())?;
        // The last file, because it names all others.
        self.write("site.json", manifest.as_bytes())
    }

    fn add_pages(&mut self, folder: &Dir<'_>) -> Result<(), SiteError> {
        for folder in folder.dirs() {
            self.add_pages(folder)?;
        }
        for file in folder.files() {
            let path = file.path().to_string_lossy().replace('\\', "/");
            if path == "service-worker.js" || self.files.contains_key(&path) {
                continue;
            }
            match file.contents_utf8().filter(|_| path.ends_with(".html")) {
                Some(page) => {
                    let meta = format!(
                        "<head>\n    {}\n    <meta name=\"sakmak-module\" content=\"{MODULE}/index.js\">",
                        policy_element().0
                    );
                    let english = Language::English;
                    let preview = LinkPreview {
                        title: english.text("explorer.title"),
                        description: english.text("atlas.about"),
                        url: self.url.as_deref(),
                        position: None,
                    };
                    let page = preview.insert(&page.replacen("<head>", &meta, 1));
                    self.write(&path, page.as_bytes())?;
                }
                None => self.write(&path, file.contents())?,
            }
        }
        Ok(())
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), SiteError> {
        self.copy(path, &mut &*bytes)
    }

    /// Writes a file of the site, and records its SHA-256.
    fn copy(&mut self, path: &str, source: &mut dyn Read) -> Result<(), SiteError> {
        let target = self.directory.join(path);
        let failed = |source| SiteError::Write { path: target.clone(), source };
        let folder = target.parent().unwrap_or(&self.directory);
        directory::make(folder).map_err(failed)?;
        let name = target.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let mut hash = Sha256::new();
        let fill = |file: &mut File| -> io::Result<()> {
            let mut buffer = vec![0; 1 << 18];
            loop {
                let length = source.read(&mut buffer)?;
                if length == 0 {
                    return Ok(());
                }
                hash.update(&buffer[..length]);
                file.write_all(&buffer[..length])?;
            }
        };
        write_atomically(folder, &name, fill).map_err(failed)?;
        self.files.insert(path.to_string(), hexadecimal(&hash.finalize()));
        Ok(())
    }
}

/// A list as JSON.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wasm::tests::module_with;
    use std::fs;

    #[test]
    fn a_long_file_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let (table, out) = (folder.path().join("table"), folder.path().join("site"));
        for (length, parts) in
            [(0_usize, vec![]), (10, vec![]), (20, vec![10, 10]), (21, vec![10, 10, 1])]
        {
            let bytes: Vec<u8> = (0..length).map(|byte| byte as u8).collect();
            fs::write(&table, &bytes).unwrap();
            let mut site = Site { longest: 10, ..Site::new(&out, None) };
            site.add_table("ouk/KRvK.dtm.smp", &table).unwrap();
            if parts.is_empty() && length > 0 {
                assert_eq!(fs::read(out.join("tables/ouk/KRvK.dtm.smp")).unwrap(), bytes);
            }
            let part =
                |number| fs::read(out.join(format!("tables/ouk/KRvK.dtm.smp.{number}"))).unwrap();
            let cut: Vec<Vec<u8>> = (0..parts.len()).map(part).collect();
            assert_eq!(cut.iter().map(Vec::len).collect::<Vec<_>>(), parts);
            if !parts.is_empty() {
                assert_eq!(cut.concat(), bytes);
            }
            site.finish().unwrap();
            let listed = fs::read_to_string(out.join("tables/tables.json")).unwrap();
            assert_eq!(listed.contains("\"part\": 10"), !parts.is_empty(), "{listed}");
            assert!(listed.contains(&format!("\"length\": {length}")), "{listed}");
            // Every file but the lists themselves, and the script that contains their version.
            let list = fs::read_to_string(out.join("site.json")).unwrap();
            let list: serde_json::Value = serde_json::from_str(&list).unwrap();
            let index = fs::read(out.join("index.html")).unwrap();
            assert_eq!(list["files"]["index.html"], hexadecimal(&Sha256::digest(&index)));
            assert_eq!(list["files"]["service-worker.js"], serde_json::Value::Null);
        }
    }

    #[test]
    fn a_folder_without_the_module_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut site = Site::new(&folder.path().join("site"), None);
        let error = |site: &mut Site| site.add_module(folder.path()).unwrap_err().to_string();
        assert!(error(&mut site).contains("package.json"), "{}", error(&mut site));
        fs::write(folder.path().join("package.json"), r#"{"version": "0.0.1"}"#).unwrap();
        assert!(error(&mut site).contains("has the version 0.0.1"), "{}", error(&mut site));
        let version = format!(r#"{{"version": "{}"}}"#, env!("CARGO_PKG_VERSION"));
        fs::write(folder.path().join("package.json"), version).unwrap();
        fs::write(folder.path().join("index.js"), "").unwrap();
        fs::write(folder.path().join("worker.js"), "").unwrap();
        assert!(error(&mut site).contains("no module in"), "{}", error(&mut site));
        assert!(error(&mut site).contains("sakmak.wasm"), "{}", error(&mut site));
        for (wasm, fault) in [
            (b"\0asm\x01\0\0\0".to_vec(), "sakmak.wasm: no export 'memory'"),
            (b"wasm".to_vec(), "sakmak.wasm: no WebAssembly: "),
            (module_with(&["memory"], env!("CARGO_PKG_VERSION")), "no export 'text_new'"),
        ] {
            fs::write(folder.path().join("sakmak.wasm"), wasm).unwrap();
            assert!(error(&mut site).contains(fault), "{}", error(&mut site));
        }
        assert!(!folder.path().join("site").exists());
    }
}
