//! Prints the category of a position, its distance to mate, and its moves, best first.

use sakmak_probe::{MAKRUK, Position, Tablebase};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let tables = Tablebase::open("sakmak-tables")?;
    let position = Position::from_fen(&MAKRUK, "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21")?;
    let category = tables.category(&position)?;
    match tables.dtm(&position)?.plies() {
        Some(plies) => println!("{category}, mate in {} plies", plies.0),
        None => println!("{category}"),
    }
    for rated in tables.moves(&position)? {
        println!("{} {}", rated.san, rated.category);
    }
    Ok(())
}
