//! A site of files.

use crate::sakmak::{directory, sakmak};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;

/// A module with the exports that a page calls and this version, which does nothing.
fn module() -> Vec<u8> {
    let text = |text: &str| [&[text.len() as u8], text.as_bytes()].concat();
    let section = |id: u8, content: &[u8]| [&[id, content.len() as u8], content].concat();
    let exports = ["memory", "text_new", "text_free", "start", "ask", "solve"];
    let exports = exports.map(|name| [text(name), vec![2, 0]].concat()).concat();
    let version = [text("sakmak-version"), env!("CARGO_PKG_VERSION").into()].concat();
    let memory = section(5, &[1, 0, 1]);
    [
        b"\0asm\x01\0\0\0".to_vec(),
        memory,
        section(7, &[vec![6], exports].concat()),
        section(0, &version),
    ]
    .concat()
}

/// The files of an npm package of this version, without a module that runs.
fn package(folder: &Path) {
    let version = format!(r#"{{"version": "{}"}}"#, env!("CARGO_PKG_VERSION"));
    fs::create_dir_all(folder).unwrap();
    for (name, text) in [
        ("package.json", &*version),
        ("index.js", "import { a } from \"./module.js\";\nexport { a };\n"),
        ("module.js", "export const a = 1;\n"),
        ("worker.js", "self.onmessage = () => {};\n"),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    fs::write(folder.join("sakmak.wasm"), module()).unwrap();
}

#[test]
fn a_site_has_pages_module_and_packed_files() {
    let place = directory();
    let [tables, module, site, atlas] =
        ["tables", "module", "site", "atlas"].map(|name| place.path().join(name));
    package(&module);
    fs::create_dir_all(tables.join("shatranj")).unwrap();
    fs::create_dir_all(atlas.join("th")).unwrap();
    fs::write(atlas.join("index.html"), "an atlas").unwrap();
    fs::write(atlas.join("th/index.html"), "in Thai").unwrap();
    for name in
        ["KRNvKM.dtm.smp", "KRNvKM.makruk.smp", "KRSvKM.dtm.smp", "KRvK.dtm.smp", "KRNvKM.dtm.smt"]
    {
        fs::write(tables.join(name), name).unwrap();
    }
    let run = |arguments: &[&str]| {
        let [tables, module, site, atlas] =
            [&tables, &module, &site, &atlas].map(|path| path.to_str().unwrap());
        let fixed = ["site", site, "--tables", tables, "--module", module, "--atlas", atlas];
        sakmak(fixed.iter().chain(arguments))
    };
    let read = |name: &str| fs::read_to_string(site.join(name)).unwrap();
    assert!(run(&["KRNvKM"]).printed().starts_with("2 packed files, "));
    let listed: Json = serde_json::from_str(&read("tables/tables.json")).unwrap();
    assert_eq!(
        listed,
        serde_json::json!({"KRNvKM.dtm.smp": {"length": 14}, "KRNvKM.makruk.smp": {"length": 17}})
    );
    assert_eq!(read("tables/KRNvKM.dtm.smp"), "KRNvKM.dtm.smp");
    assert_eq!(read("atlas/index.html"), "an atlas");
    assert_eq!(read("atlas/th/index.html"), "in Thai");
    for page in ["index.html", "trainer.html"] {
        assert!(read(page).contains(r#"<meta name="sakmak-module" content="sakmak/index.js">"#));
        let policy = r#"<meta http-equiv="Content-Security-Policy" content="default-src 'self'; "#;
        assert!(read(page).contains(policy), "{page}");
        // All addresses are below the folder of the page.
        assert!(!read(page).contains("=\"/"), "{page}");
    }
    assert!(read("sakmak/index.js").contains("const $module"));
    let manifest: Json = serde_json::from_str(&read("site.json")).unwrap();
    for name in ["index.html", "explorer.js", "sakmak/sakmak.wasm", "atlas/th/index.html"] {
        assert!(manifest["files"][name].as_str().is_some_and(|sum| sum.len() == 64), "{name}");
    }
    // The script that keeps the files changes with them.
    let worker = read("service-worker.js");
    assert!(run(&[]).printed().starts_with("3 packed files, "));
    assert_ne!(read("service-worker.js"), worker);
}

#[test]
fn what_is_missing_is_said_in_a_line() {
    let place = directory();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_string();
    let (site, module) = (path("site"), path("module"));
    let refused = |arguments: &[&str], code: i32, message: &str| {
        let run = sakmak(["site", &site].iter().chain(arguments));
        assert_eq!(run.code, Some(code), "{}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    };
    refused(&[], 1, "scripts/wasm.sh builds it into target/npm");
    package(Path::new(&module));
    let tables = path("tables");
    fs::create_dir(&tables).unwrap();
    let asked = ["KRNvKM", "--tables", &tables, "--module", &module];
    refused(&asked, 2, &format!("'sakmak generate KRNvKM --packed --tables {tables}' makes it"));
    fs::write(Path::new(&module).join("package.json"), r#"{"version": "0.0.1"}"#).unwrap();
    refused(&["--module", &module], 1, "has the version 0.0.1");
    package(Path::new(&module));
    let whole = self::module();
    let other = String::from_utf8_lossy(&whole).replace(env!("CARGO_PKG_VERSION"), "0.0.\n");
    for (wasm, fault) in [
        (&whole[..8], "sakmak.wasm: no export 'memory'"),
        (&whole[..whole.len() - 3], "sakmak.wasm: no WebAssembly: "),
        (&[], "sakmak.wasm: no WebAssembly: "),
        (other.as_bytes(), "has the version 0.0.\\n, "),
    ] {
        fs::write(Path::new(&module).join("sakmak.wasm"), wasm).unwrap();
        refused(&["--module", &module], 1, fault);
    }
    assert!(!Path::new(&site).exists());
}
