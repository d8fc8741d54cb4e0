//! The web pages in the form that is served: each script in one file with the modules that it
//! imports, each style with the style that it imports. Adding, removing or changing a file compiles
//! the pages again.

#![allow(clippy::disallowed_methods, reason = "a build that was killed writes all files again")]

#[path = "src/bundle.rs"]
mod bundle;

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The scripts that pages name. They contain the other modules.
const SCRIPTS: [&str; 5] =
    ["explorer.js", "trainer.js", "atlas-head.js", "atlas-missing.js", "service-worker.js"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=web");
    println!("cargo::rerun-if-changed=src/bundle.rs");
    let output = PathBuf::from(env::var("OUT_DIR")?).join("web");
    if output.is_dir() {
        fs::remove_dir_all(&output)?;
    }
    copy(Path::new("web"), &output)?;
    let read = |name: &str| {
        fs::read_to_string(Path::new("web").join(name)).map_err(|error| format!("{name}: {error}"))
    };
    for name in SCRIPTS {
        fs::write(output.join(name), bundle::bundle(name, &read)?)?;
    }
    let style = read("board.css")?.replace("@import \"style.css\";\n", &read("style.css")?);
    fs::write(output.join("board.css"), style)?;
    Ok(())
}

/// Copies a folder without its modules.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target)?;
        } else if path.extension().is_none_or(|ending| ending != "js") {
            fs::copy(path, target)?;
        }
    }
    Ok(())
}
