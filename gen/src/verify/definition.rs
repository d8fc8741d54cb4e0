//! The look-ahead of one ply, as it is defined: with nothing but positions and their moves.
//!
//! What goes through whole tables answers the same for whole tables in a fraction of the
//! time; whatever it finds wrong is looked at again here, and here its answers are tested.

use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::index::address::Address;
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;

/// The value of a position where this is measured, by those stored for its successors;
/// nothing where one of them has none.
///
/// `stored` gives the value that the table answering for the pieces of a position holds for
/// it; what that is worth before the move is worked out here.
///
/// # Errors
///
/// The first that `stored` gives.
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
        let Some(value) = stored(&after)? else { return Ok(None) };
        let phase_change = metric.phase_change(position.armies(), after.armies(), after.side());
        let value = phase_change.carry(value).before_move();
        if best.is_none_or(|best| value.preference() > best.preference()) {
            best = Some(value);
        }
    }
    let OrientedMaterial { material, flipped } = position.material();
    let seen = |side: Side| if flipped { !side } else { side };
    Ok(best.map(|best| metric.clamped(material, seen(position.side()), best)))
}

/// The value that one of these tables holds for a position; nothing where none does.
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
