//! Prints positions of a material with their values: `FEN<tab>win<tab>plies<tab>number`: category
//! where a count starts, plies to mate and counted distance, for the side to move.
//!
//! usage: positions DIRECTORY COUNTING-RULE MATERIAL STEP [FIRST]
//!
//! Every STEP-th slot of the index is printed, from slot FIRST on, with either side to move: all
//! positions up to symmetry if STEP is 1. Where a pawn may be captured in passing, the position is
//! printed with that right as well.

use sakmak_probe::{Position, Side, Tablebase};
use sakmak_tables::board::square::Square;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::OrientedMaterial;
use sakmak_tables::variants;
use std::error::Error;
use std::io::{BufWriter, Write, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, counting_rule, material, step, first @ ..] = &arguments[..] else {
        return Err("expected DIRECTORY COUNTING-RULE MATERIAL STEP [FIRST]".into());
    };
    let counting_rule = variants::counting_rule(counting_rule)?;
    let variant = variants::counted_by(counting_rule);
    let letters = variant.rules.material_letters;
    let material = OrientedMaterial::read(material, letters)?.material;
    let index = Index::new(material, &variant.rules);
    let tables = Tablebase::open(directory)?;
    let (step, first) = (step.parse()?, first.first().map_or(Ok(0), |first| first.parse())?);
    let mut out = BufWriter::new(stdout().lock());
    for slot in (first..index.slots()).step_by(step) {
        let placement = index.placement(Slot(slot));
        for side in [Side::White, Side::Black] {
            let position = Position::new(variant, side, index.placed(&placement));
            let Some(position) = position.ok().filter(|position| position.legality().is_ok())
            else {
                continue;
            };
            let passing = Square::all().map(|square| position.with_en_passant(Some(square)));
            let passing = passing.filter(|position| position.en_passant().is_some());
            for position in [position].into_iter().chain(passing) {
                let position = position.counted_by(counting_rule);
                let plies = tables.dtm(&position)?.plies().map_or(0, |plies| plies.0);
                let number = tables.counted(&position)?.moves().map_or(0, |moves| moves.0);
                let category = tables.category(&position)?;
                writeln!(out, "{position}\t{category}\t{plies}\t{number}")?;
            }
        }
    }
    Ok(out.flush()?)
}
