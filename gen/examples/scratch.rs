use sakmak_tables::{man::Side, material::*, variants::MAKRUK};
use std::{collections::HashMap, sync::Arc, time::Instant};
fn main() {
    let rules = &MAKRUK.rules;
    let mats: Vec<Material> = match std::env::args().nth(1) {
        Some(s) => vec![s.parse().unwrap()],
        None => Material::all_of(4).into_iter().chain(Material::all_of(3)).collect(),
    };
    let mut t: HashMap<Material, Arc<sakmak_tables::table::Table>> = HashMap::new();
    let all = Instant::now();
    for m in Material::closure(mats, rules) {
        let s = Instant::now();
        let table = sakmak_gen::plane::solve(m, rules, &|m| t.get(&m).cloned()).unwrap();
        println!(
            "{m} {:?} w {:?} b {:?}",
            s.elapsed(),
            table.values(Side::White).unwrap().coding(),
            table.values(Side::Black).map(|v| v.coding())
        );
        t.insert(m, Arc::new(table));
    }
    println!("{:?}", all.elapsed());
}
