//! Perft numbers of `../data/perft.txt`.

use sakmak_tables::position::Position;
use sakmak_tables::position::perft::perft;
use sakmak_tables::variants;

#[test]
fn perft_numbers_hold() {
    let lines = include_str!("../data/perft.txt").lines();
    let mut checked = 0;
    for line in lines.filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [variant, fen, numbers] = fields[..] else { panic!("three fields: {line}") };
        let position = Position::from_fen(variants::named(variant).unwrap(), fen).unwrap();
        for (number, depth) in numbers.split_whitespace().zip(1..) {
            assert_eq!(perft(&position, depth).to_string(), number, "{fen} at depth {depth}");
            checked += 1;
        }
    }
    assert!(checked > 0, "no numbers");
}
