//! The folders of the workspace import each other in one direction, and the table of crates in
//! `docs/design.md` is what cargo says. `SAKMAK_WRITE=1` writes the table.

use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The top folders: each imports only those before it, and itself.
const ORDER: [&str; 4] = ["tables", "probe", "gen", "benches"];
const BEGIN: &str = "<!-- crates -->\n";
const END: &str = "<!-- end -->";

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// A crate of the workspace.
pub struct Crate {
    pub folder: String,
    description: String,
    /// Folders of the crates that it depends on, and of those that only its tests depend on.
    imports: Vec<String>,
    test_imports: Vec<String>,
}

impl Crate {
    fn top(&self) -> usize {
        place(&self.folder)
    }
}

/// The index of the top folder of a path.
fn place(folder: &str) -> usize {
    let top = folder.split('/').next().unwrap();
    ORDER.iter().position(|name| *name == top).unwrap_or_else(|| panic!("{top} is not in ORDER"))
}

/// The crates, each after those that it depends on.
pub fn crates() -> Vec<Crate> {
    let mut command = Command::new("cargo");
    command.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let printed = command.current_dir(root()).output().unwrap();
    let metadata: Json = serde_json::from_slice(&printed.stdout).unwrap();
    let relative = |path: &Json| {
        let path = Path::new(path.as_str().unwrap());
        path.strip_prefix(root()).unwrap().to_str().unwrap().to_string()
    };
    let mut waiting = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap() {
        let dependencies = package["dependencies"].as_array().unwrap();
        let imports = |for_tests: bool| {
            let own = dependencies.iter().filter(|entry| !entry["path"].is_null());
            let kept = own.filter(|entry| (entry["kind"] == "dev") == for_tests);
            let mut folders: Vec<String> = kept.map(|entry| relative(&entry["path"])).collect();
            folders.sort_by_key(|folder| (place(folder), folder.clone()));
            folders
        };
        let folder = relative(&package["manifest_path"]).replace("/Cargo.toml", "");
        let description = package["description"].as_str().unwrap().to_string();
        let (imports, test_imports) = (imports(false), imports(true));
        let found = Crate { folder, description, imports, test_imports };
        waiting.insert((found.top(), found.folder.clone()), found);
    }
    let mut crates: Vec<Crate> = Vec::new();
    while !waiting.is_empty() {
        let is_known = |folder: &String| crates.iter().any(|known| known.folder == *folder);
        let next = waiting.iter().find(|(_, found)| found.imports.iter().all(is_known));
        let key = next.unwrap().0.clone();
        crates.extend(waiting.remove(&key));
    }
    crates
}

#[test]
fn folders_import_each_other_in_one_direction() {
    let crates = crates();
    let mut between = 0;
    let mut against = Vec::new();
    for found in &crates {
        for import in found.imports.iter().chain(&found.test_imports) {
            between += 1;
            if place(import) > found.top() {
                against.push(format!("{} -> {import}", found.folder));
            }
        }
    }
    println!(
        "{} folders, {between} imports between them, against the order: {against:?}",
        crates.len()
    );
    assert!(against.is_empty(), "imports against the order of folders: {against:?}");
}

#[test]
fn the_table_of_crates_is_that_of_cargo() {
    let mut table =
        "| folder | content | depends on | its tests also on |\n|---|---|---|---|\n".to_string();
    for Crate { folder, description, imports, test_imports } in crates() {
        let of_tests = test_imports.iter().filter(|import| !imports.contains(import));
        let of_tests: Vec<&str> = of_tests.map(String::as_str).collect();
        let row = format!(
            "| {folder} | {description} | {} | {} |\n",
            imports.join(", "),
            of_tests.join(", ")
        );
        table += &row.replace("|  |", "| |").replace("|  |", "| |");
    }
    let path = root().join("docs/design.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let written = format!("{before}{BEGIN}\n{table}\n{END}{after}");
    if std::env::var_os("SAKMAK_WRITE").is_some() {
        fs::write(&path, &written).unwrap();
    }
    let page = fs::read_to_string(&path).unwrap();
    assert!(
        page == written,
        "the table of crates in design.md is not up to date: SAKMAK_WRITE=1 writes it"
    );
}
