//! Values, moves and lines of positions.

use super::{Tables, call};
use crate::batch;
use crate::error::CallError;
use crate::pointer::{In, Out};
use crate::position::SakmakPosition;
use crate::reply::{self, SakmakCount, SakmakDistance, SakmakMove, moves_or_none};
use sakmak_probe::{Category, Metric, Position, ProbeError, Searcher, TableValues};
use std::ffi::{c_char, c_int};

type Board = In<SakmakPosition>;

/// Probes a tablebase for a position.
fn probed<T>(
    tables: &Tables,
    position: &Board,
    probe: impl FnOnce(Searcher<'_>, &Position) -> Result<T, ProbeError>,
) -> Result<T, CallError> {
    let (tables, position) = (tables.value("tables")?, position.value("position")?);
    let open = tables.open.read()?;
    Ok(probe(open.searching(tables.budget), &position.position()?)?)
}

/// Probes a tablebase for the category of a position.
fn category(
    tables: &Tables,
    position: &Board,
    probe: impl FnOnce(Searcher<'_>, &Position) -> Result<Category, ProbeError>,
) -> c_int {
    call(|| Ok(reply::category(probed(tables, position, probe)?).into()))
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_probe_category(tables: Tables, position: Board) -> c_int {
    category(&tables, &position, |tables, position| tables.category(position))
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_probe_wdl(tables: Tables, position: Board) -> c_int {
    category(&tables, &position, |tables, position| tables.wdl(position))
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_probe_wdl_counted(tables: Tables, position: Board) -> c_int {
    category(&tables, &position, |tables, position| tables.wdl_counted(position))
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_probe_wdl_batch(
    tables: Tables,
    positions: Board,
    count: usize,
    categories: Out<c_int>,
) -> c_int {
    call(|| {
        let tables = tables.value("tables")?;
        let positions = positions.values(count, "positions")?;
        let mut written = 0;
        batch::wdl(&*tables.open.read()?, positions, |found| {
            categories.write_part(written, "categories", found)?;
            written += found.len();
            Ok(())
        })?;
        Ok(0)
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_probe_distance(
    tables: Tables,
    position: Board,
    distance: Out<SakmakDistance>,
) -> c_int {
    call(|| {
        let (dtm, counted) = probed(&tables, &position, |tables, position| {
            let TableValues { dtm, counted } = tables.values(position)?;
            Ok((dtm, Metric::counted_in(position).in_moves(counted)))
        })?;
        distance.write("distance", SakmakDistance::of(dtm, counted)).map(|()| 0)
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_probe_mate_in_time(tables: Tables, position: Board, moves: Out<i32>) -> c_int {
    call(|| {
        let mate = probed(&tables, &position, |tables, position| tables.mate_in_time(position))?;
        moves.write("moves", moves_or_none(mate)).map(|()| 0)
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_probe_count(
    tables: Tables,
    position: Board,
    count: Out<SakmakCount>,
) -> c_int {
    call(|| match probed(&tables, &position, |tables, position| tables.count(position))? {
        None => Ok(0),
        Some(found) => count.write("count", SakmakCount::of(&found)).map(|()| 1),
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_best_move(tables: Tables, position: Board, best: Out<SakmakMove>) -> c_int {
    call(|| match probed(&tables, &position, |tables, position| tables.best_move(position))? {
        None => Ok(0),
        Some(found) => best.write("move", SakmakMove::of(&found)).map(|()| 1),
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_moves(
    tables: Tables,
    position: Board,
    moves: Out<SakmakMove>,
    capacity: usize,
) -> c_int {
    call(|| {
        let found = probed(&tables, &position, |tables, position| tables.moves(position))?;
        let found: Vec<SakmakMove> = found.iter().map(SakmakMove::of).collect();
        moves.write_all(capacity, "moves", &found)?;
        // At most 255 moves, so that the number fits.
        Ok(found.len() as c_int)
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_line(
    tables: Tables,
    position: Board,
    line: Out<c_char>,
    size: usize,
) -> c_int {
    call(|| {
        let moves = probed(&tables, &position, |tables, position| {
            Ok(reply::line(&tables.line(position)?, position))
        })?;
        line.write_text(size, &moves)
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_counted_line(
    tables: Tables,
    position: Board,
    line: Out<c_char>,
    size: usize,
) -> c_int {
    call(|| {
        let moves = probed(&tables, &position, |tables, position| {
            Ok(reply::line(&tables.counted_line(position)?.moves, position))
        })?;
        line.write_text(size, &moves)
    })
}
