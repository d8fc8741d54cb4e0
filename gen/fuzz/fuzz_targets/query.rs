#![no_main]
//! Any text as a condition of a query: it parses, or gives an error without a panic.

use libfuzzer_sys::fuzz_target;
use sakmak_analysis::query::parse;
use sakmak_tables::material::Material;

fuzz_target!(|text: &str| try_it(text));

fn try_it(text: &str) {
    for name in ["KSMvKM", "KRvK", "KRNSMvKRN"] {
        let material: Material = name.parse().expect("a material");
        let Ok(expression) = parse(text, material) else { continue };
        let is = expression.holds(&|_| true);
        assert_eq!(expression.clone().negated().holds(&|_| true), !is);
        let _ = expression.needs_counted();
    }
}
