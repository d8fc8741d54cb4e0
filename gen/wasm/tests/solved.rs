//! The tables of three and four men that the module solves: their checksums, which a test in Node
//! compares with those that WebAssembly computes.

#![allow(clippy::disallowed_methods)]

use sakmak_probe::Bytes;
use sakmak_tables::material::Material;
use sakmak_wasm::module::Module;
use sakmak_wasm::sources::HostFile;

fn no_file(file: HostFile) -> Box<dyn Bytes> {
    panic!("no file is listed: {file:?}")
}

#[test]
fn checksums_are_those_of_the_list() {
    let module = Module::new("", no_file).unwrap();
    let mut list = String::new();
    for material in (3..=4).flat_map(Material::all_of) {
        let answer = module.solve(&format!("makruk {material}"));
        let checksum = answer.strip_prefix("200\n").unwrap_or_else(|| panic!("{answer}"));
        list += &format!("{material} {}\n", checksum.trim_matches('"'));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/checksums.txt");
    if std::env::var_os("SAKMAK_WRITE").is_some() {
        std::fs::write(path, &list).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), list);
}
