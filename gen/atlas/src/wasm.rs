//! The WebAssembly module of a site, checked before the site is written.

use wasmparser::{Parser, Payload};

/// Exports that the scripts of the npm package call.
const EXPORTS: [&str; 6] = ["memory", "text_new", "text_free", "start", "ask", "solve"];
/// Custom section with the version of the module.
const VERSION: &str = "sakmak-version";

/// Returns the version of a module whose sections are complete and which has all exports.
///
/// # Errors
///
/// The fault of the module, in a line.
pub fn module_version(bytes: &[u8]) -> Result<String, String> {
    let (mut missing, mut version) = (EXPORTS.to_vec(), None);
    let unread = |error: wasmparser::BinaryReaderError| format!("no WebAssembly: {error}");
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(unread)? {
            Payload::ExportSection(exports) => {
                for export in exports {
                    let found = export.map_err(unread)?.name;
                    missing.retain(|&name| name != found);
                }
            }
            Payload::CustomSection(section) if section.name() == VERSION => {
                version = Some(String::from_utf8_lossy(section.data()).into_owned());
            }
            _ => {}
        }
    }
    match missing.first() {
        Some(name) => Err(format!("no export '{name}'")),
        None => version.ok_or_else(|| "no version".to_string()),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A module with these exports, all denoting its first memory, and a version.
    pub(crate) fn module_with(exports: &[&str], version: &str) -> Vec<u8> {
        let text = |text: &str| [&[text.len() as u8], text.as_bytes()].concat();
        let section = |id: u8, content: &[u8]| [&[id, content.len() as u8], content].concat();
        let named = exports.iter().map(|name| [text(name), vec![2, 0]].concat());
        let entries: Vec<Vec<u8>> = [vec![exports.len() as u8]].into_iter().chain(named).collect();
        [
            b"\0asm\x01\0\0\0".to_vec(),
            section(5, &[1, 0, 1]),
            section(7, &entries.concat()),
            section(0, &[text(VERSION), version.into()].concat()),
        ]
        .concat()
    }

    #[test]
    fn a_module_has_sections_exports_and_a_version() {
        let module = module_with(&EXPORTS, "1.2.3");
        assert_eq!(module_version(&module).unwrap(), "1.2.3");
        for length in 0..module.len() {
            // Without its last section the module is complete but has no version.
            module_version(&module[..length]).unwrap_err();
        }
        let fault = |module: &[u8]| module_version(module).unwrap_err();
        assert_eq!(fault(&module[..8]), "no export 'memory'");
        assert_eq!(fault(&module_with(&EXPORTS[..4], "1.2.3")), "no export 'ask'");
        assert!(fault(b"wasm").starts_with("no WebAssembly: "), "{}", fault(b"wasm"));
        assert_eq!(fault(&[&module[..], &[1]].concat()).lines().count(), 1);
    }
}
