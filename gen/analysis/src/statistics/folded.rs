//! The positions of a small table, with images under a symmetry counted once, as other authors
//! count them.
//!
//! Usually a slot is one counted position. If a symmetry leaves both kings in place (kings on a
//! diagonal), two mirror images have a slot each, and the lower slot is counted.

use crate::statistics::longest::as_map;
use sakmak_make::census::{CensusError, Histogram};
use sakmak_solve::planes::legal_rows::{LegalRow, LegalRows};
use sakmak_tables::distance::Value;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Index, Placement, Slot};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use serde::Serialize;

/// The maximum number of men of a table that is counted in this way: each slot is decoded on its
/// own.
const MOST_MEN: usize = 3;

/// Positions with Black to move; images under a symmetry count once.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FoldedStatistics {
    /// Legal positions.
    pub positions: u64,
    /// Draws.
    pub draws: u64,
    /// Losses of Black, by White's moves to mate.
    #[serde(serialize_with = "as_map")]
    pub loss_histogram: Histogram,
}

impl FoldedStatistics {
    /// Counts a table of three men; returns `None` for other tables.
    ///
    /// # Errors
    ///
    /// If codes cannot be read, or a legal position has no value.
    pub fn of(
        codes: &dyn TableCodes,
        rules: &Rules,
    ) -> Result<Option<FoldedStatistics>, CensusError> {
        let rows = LegalRows::new(codes.index().clone(), rules);
        let (index, side) = (rows.index(), Side::Black);
        let coding = codes.coding(side).unwrap_or_default();
        let material = index.material();
        if material.men() > MOST_MEN {
            return Ok(None);
        }
        let mut folded = FoldedStatistics::default();
        for pair in (0..index.kings().len() as u16).map(KingPair) {
            let first = u64::from(pair.0) * index.slots_per_pair();
            let window = codes.window(side, first..first + index.slots_per_pair())?;
            let mut without_value = None;
            rows.of_pair(pair, side, |LegalRow { slots, legal }| {
                let begin = slots.start;
                for offset in slots.filter(|offset| legal >> (offset - begin) & 1 != 0) {
                    let slot = Slot(first + offset as u64);
                    if !is_lowest(index, slot) {
                        continue;
                    }
                    folded.positions += 1;
                    let code = coding.read(&window, offset);
                    match code.and_then(|code| coding.decode(code)) {
                        Some(Value::Draw) => folded.draws += 1,
                        Some(Value::Loss(moves)) => {
                            *folded.loss_histogram.entry(moves).or_insert(0) += 1;
                        }
                        Some(Value::Win(_)) => {}
                        None => without_value = without_value.or(Some(slot)),
                    }
                }
            });
            if let Some(slot) = without_value {
                return Err(CensusError::NoValue { material, address: Address { side, slot } });
            }
        }
        Ok(Some(folded))
    }
}

/// Whether no image of a slot has a lower slot.
fn is_lowest(index: &Index, slot: Slot) -> bool {
    let placement = index.placement(slot);
    index.kings().symmetries().iter().all(|symmetry| {
        let kings = placement.kings.map(|king| symmetry.square(king));
        let squares = index.placed(&placement).map(|(_, square)| symmetry.square(square));
        // An image with other kings has the slot of an image with the same kings.
        kings != placement.kings
            || index.slot(&Placement::new(kings, squares.skip(2))).is_none_or(|image| slot <= image)
    })
}
