//! The one-ply lookahead by its definition: positions and their moves only.
//!
//! [`one_ply`](crate::slots::one_ply) computes the same for whole tables in a fraction of the time.
//! A value that it reports as wrong is checked again here, and its tests compare both.

use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::index::address::Address;
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;

/// The value of a position in this metric by the stored values of its successors. Returns `None` if
/// a successor has no stored value.
///
/// `stored` looks up a position in the table for its pieces.
///
/// # Errors
///
/// The first error of `stored`.
pub fn look_ahead<E>(
    position: &Position,
    metric: Metric,
    stored: impl Fn(&Position) -> Result<Option<Value>, E>,
) -> Result<Option<Value>, E> {
    let moves = position.legal_moves();
    if let Some(value) = position.final_value_given(&moves) {
        return Ok(Some(value));
    }
    let mut best: Option<Value> = None;
    for &played in &moves {
        let after = position.play_uncounted(played);
        let Some(value) = metric.value_in_passing(&after, &stored)? else { return Ok(None) };
        let phase_change = metric.phase_change(position.armies(), after.armies(), after.side());
        let value = metric.before_move(phase_change.carry(value));
        if best.is_none_or(|best| value.preference() > best.preference()) {
            best = Some(value);
        }
    }
    let OrientedMaterial { material, flipped } = position.material();
    let seen = |side: Side| if flipped { !side } else { side };
    Ok(best.map(|best| metric.clamped(material, seen(position.side()), best)))
}

/// The value that these tables hold for a position. Returns `None` if no table holds it.
pub fn stored<'a>(
    position: &Position,
    tables: impl IntoIterator<Item = &'a Table>,
) -> Option<Value> {
    let OrientedMaterial { material, flipped } = position.material();
    if material == Material::BARE_KINGS {
        return Some(Value::Draw);
    }
    let mut tables = tables.into_iter();
    let table = tables.find(|table| table.index().material() == material)?;
    let Address { side, slot } = Address::of(position, flipped, table.index())?;
    table.value(side, slot)
}
