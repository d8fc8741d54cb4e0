//! Makes the frozen set of endings, `endings.jsonl` and `endings.epd`: positions in which the side to
//! move has to win in time or to hold, and the moves that keep the result.
//!
//! usage: endings TABLES DIRECTORY VARIANT MATERIAL... [VARIANT MATERIAL...]
//!
//! For each material of a variant and each stratum of [`STRATA`], positions are drawn that have a move
//! that keeps the result and one that does not. The same tables give the same bytes.

use fastrand::Rng;
use sakmak_make::system::atomic_file::write_atomically;
use sakmak_probe::tablebase::Tablebase;
use sakmak_requests::draw::{ExerciseError, ExerciseRequest};
use sakmak_requests::exercise::{Exercise, ExerciseGoal, Margin};
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use serde_json::json;
use std::collections::HashSet;
use std::error::Error;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::Path;

/// Goals with ranges of margins; `None` is a count that starts in the position, or none.
const STRATA: [(ExerciseGoal, Option<RangeInclusive<Margin>>); 5] = [
    (ExerciseGoal::Mate, None),
    (ExerciseGoal::Mate, Some(Margin(0)..=Margin(1))),
    (ExerciseGoal::Mate, Some(Margin(2)..=Margin(8))),
    (ExerciseGoal::Hold, Some(Margin(-3)..=Margin(-1))),
    (ExerciseGoal::Hold, None),
];

/// Positions of a material in a stratum.
const EACH: usize = 20;

/// Maximum number of positions drawn for one that is kept.
const DRAWN: usize = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tables, directory, names @ ..] = &arguments[..] else {
        return Err("expected TABLES DIRECTORY VARIANT MATERIAL...".into());
    };
    let tables = Tablebase::open(tables)?;
    let [mut lines, mut epd] = [Vec::new(), Vec::new()];
    let mut seen = HashSet::new();
    let mut variant = variants::default();
    for name in names {
        if let Ok(named) = variants::named(name) {
            variant = named;
            continue;
        }
        let material = OrientedMaterial::read(name, variant.rules.material_letters)?.material;
        for exercise in drawn(&tables, variant, material)? {
            if seen.insert((variant.name, exercise.position.fen())) {
                write(&tables, &exercise, seen.len(), &mut lines, &mut epd)?;
            }
        }
    }
    for (name, text) in [("endings.jsonl", lines), ("endings.epd", epd)] {
        write_atomically(Path::new(directory), name, |file| file.write_all(&text))?;
    }
    Ok(())
}

/// Draws the positions of a material. A stratum may have none, as a bare king cannot win.
fn drawn(
    tables: &Tablebase,
    variant: &'static Variant,
    material: Material,
) -> Result<Vec<Exercise>, ExerciseError> {
    let mut drawn = Vec::new();
    let mut random = Rng::with_seed(0);
    for (goal, margin) in STRATA {
        let any = ExerciseRequest::any(variant.counting(), material);
        let request = ExerciseRequest { goal, margin, ..any };
        let mut kept = 0;
        for _ in 0..DRAWN * EACH {
            match request.draw(tables, &mut random) {
                Ok(exercise) => {
                    let (good, legal) = exercise.good_moves(tables)?;
                    if (1..legal).contains(&good) {
                        drawn.push(exercise);
                        kept += 1;
                    }
                }
                Err(ExerciseError::Probe(error)) => return Err(error.into()),
                Err(_) => break,
            }
            if kept == EACH {
                break;
            }
        }
    }
    Ok(drawn)
}

/// Appends a position to both files.
fn write(
    tables: &Tablebase,
    exercise: &Exercise,
    number: usize,
    lines: &mut impl Write,
    epd: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let position = &exercise.position;
    let answer = tables.probe(position)?;
    let result = answer.category.wdl();
    let (keep, lose): (Vec<_>, Vec<_>) =
        answer.moves.iter().partition(|rated| rated.category.wdl() == result);
    let uci = |moves: &[&sakmak_probe::RatedMove]| -> Vec<String> {
        moves.iter().map(|rated| rated.mv.uci(position.variant())).collect()
    };
    let (fen, variant) = (position.fen(), position.variant().name);
    let [dtm, mate] = [Some(answer.dtm), answer.mate_in_time].map(|value| value?.signed_plies());
    let line = json!({
        "id": number, "variant": variant, "counting": position.counting_rule().name,
        "material": position.material().material.to_string(), "fen": fen,
        "goal": exercise.goal.name(), "category": answer.category.name(), "dtm": dtm,
        "mate_in_time": mate, "margin": exercise.margin.map(|margin| margin.0),
        "keep": uci(&keep), "lose": uci(&lose),
    });
    writeln!(lines, "{line}")?;
    let san: Vec<&str> = keep.iter().map(|rated| rated.san.as_str()).collect();
    writeln!(
        epd,
        "{fen} bm {}; id \"{variant} {number}\"; category {};",
        san.join(" "),
        answer.category.name()
    )?;
    Ok(())
}
