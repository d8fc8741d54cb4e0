//! Zugzwang: the mover would have a better result if the other side were to move.
//!
//! Then so would the other side if it were to move here: of a placement both sides to move
//! are in zugzwang or neither. A mover in check is in none, for the other side could not be
//! to move.

use crate::planes::legal_rows::{LegalRow, LegalRows};
use crate::slots::codes::TableCodes;
use sakmak_tables::board::square::Square;
use sakmak_tables::distance::Value;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Index, Placement, Slot};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use std::borrow::Cow;
use std::io;

/// A code that stands for no value: better than any that is in zugzwang.
const NO_VALUE: u8 = 3;

/// Zugzwang in the slots of a table with one side to move.
pub struct Zugzwang<'a> {
    codes: &'a dyn TableCodes,
    rows: &'a LegalRows,
    side: Side,
    /// The side whose codes say what the other's result is.
    other: Side,
    own_coding: Coding,
    other_coding: Coding,
}

/// By code: 0 a loss, 1 a draw, 2 a win.
fn result(codes: &[u8], coding: Coding, place: usize) -> u8 {
    match coding.read(codes, place).and_then(|code| coding.decode(code)) {
        Some(Value::Loss(_)) => 0,
        Some(Value::Draw) => 1,
        Some(Value::Win(_)) => 2,
        None => NO_VALUE,
    }
}

impl<'a> Zugzwang<'a> {
    /// With this side held to be on the move.
    pub fn new(codes: &'a dyn TableCodes, rows: &'a LegalRows, side: Side) -> Zugzwang<'a> {
        let other = if rows.index().material().is_symmetric() { side } else { !side };
        let coding = |side| codes.coding(side).unwrap_or_default();
        let (own_coding, other_coding) = (coding(side), coding(other));
        Zugzwang { codes, rows, side, other, own_coding, other_coding }
    }

    /// For each row of a king pair: a bit for each slot in which the mover is in zugzwang;
    /// of slots that are no legal position any. `own` are the codes of the pair.
    pub fn of_pair(&self, pair: KingPair, own: &[u8]) -> io::Result<Vec<u64>> {
        let index = self.rows.index();
        let symmetric = index.material().is_symmetric();
        let partner = if symmetric { partner(index, pair) } else { pair };
        let per_pair = index.slots_per_pair();
        let first = u64::from(partner.0) * per_pair;
        let window: Cow<'_, [u8]> = self.codes.window(self.other, first..first + per_pair)?;
        let held = u64::from(pair.0) * per_pair;
        let of_other = |slot: usize| match symmetric {
            false => Some(slot),
            true => {
                let changed = changed(index, &index.placement(Slot(held + slot as u64)));
                usize::try_from(index.slot(&changed)?.0.checked_sub(first)?).ok()
            }
        };
        let mut found = Vec::new();
        self.rows.of_pair(pair, !self.side, |LegalRow { slots, legal }| {
            let mut bits = 0;
            let mut rest = legal;
            while rest != 0 {
                let place = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let slot = slots.start + place;
                let own = result(own, self.own_coding, slot);
                // Who wins here is in no zugzwang.
                if own < 2
                    && let Some(slot) = of_other(slot)
                    && own + result(&window, self.other_coding, slot) < 2
                {
                    bits |= 1 << place;
                }
            }
            found.push(bits);
        });
        Ok(found)
    }
}

/// The same placement with the colours of all pieces and the board changed, where both sides
/// have the same pieces.
fn changed(index: &Index, placement: &Placement) -> Placement {
    let [white, black] = placement.kings.map(Square::flipped);
    let men = index.groups().iter().flat_map(|group| {
        let other = index.groups().iter().find(|other| {
            other.piece.kind == group.piece.kind && other.piece.side != group.piece.side
        });
        let places = other.map_or(0..0, |other| other.first..other.first + other.count);
        placement.pieces[places].iter().map(|square| square.flipped())
    });
    Placement::new([black, white], men)
}

/// The king pair to which [`changed`] placements of a pair belong.
fn partner(index: &Index, pair: KingPair) -> KingPair {
    let [white, black] = index.kings().kings(pair).map(Square::flipped);
    index.kings().canonical([black, white]).map_or(pair, |(partner, _)| partner)
}
