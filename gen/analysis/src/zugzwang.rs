//! Zugzwang: each side would have a better result if the other side were to move. Results are win,
//! draw and loss by distance to mate, without a count.
//!
//! If one side to move of a placement is in zugzwang, so is the other. The kinds differ in the
//! results of White and of Black to move:
//!
//! ```text
//!                    White to move   Black to move
//!     White wins     draw            loss
//!     Black wins     loss            draw
//!     mover loses    loss            loss
//! ```
//!
//! A side in check is not in zugzwang: the other side could not be to move.
//!
//! In most tables both sides to move of a placement have the same slot. If both sides have the same
//! pieces, the table holds White to move only. Black to move is then the slot of the placement with
//! exchanged colours, in the pair of kings with exchanged colours.

use rayon::prelude::*;
use sakmak_solve::planes::legal_rows::{LegalRow, LegalRows};
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::board::square::Square;
use sakmak_tables::distance::Wdl;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Index, Placement, Slot};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::variant::Variant;
use serde::Serialize;
use std::io;
use std::ops::Range;

/// Examples kept of each kind.
const EXAMPLES: usize = 3;

/// Slots in a job, at least a king pair.
const RUN: u64 = 1 << 18;

/// The mutual zugzwangs of a material; White is the stronger side.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Zugzwangs {
    /// White wins with Black to move; a draw with White to move.
    pub white_wins: ZugzwangCount,
    /// Black wins with White to move; a draw with Black to move.
    pub black_wins: ZugzwangCount,
    /// The side to move loses.
    pub mover_loses: ZugzwangCount,
}

/// The mutual zugzwangs of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ZugzwangCount {
    /// Placements of the whole board: like pieces are interchangeable, mirror images are
    /// counted separately.
    pub placements: u64,
    /// The first examples in the order of the index, as positions whose mover loses.
    pub examples: Vec<String>,
}

/// The number of kinds, in the order of the fields of [`Zugzwangs`].
const KINDS: usize = 3;

/// The kind of zugzwang by the results of White and of Black to move, or `None`.
fn kind(white: Wdl, black: Wdl) -> Option<usize> {
    match (white, black) {
        (Wdl::Draw, Wdl::Loss) => Some(0),
        (Wdl::Loss, Wdl::Draw) => Some(1),
        (Wdl::Loss, Wdl::Loss) => Some(2),
        _ => None,
    }
}

impl Zugzwangs {
    /// Finds the mutual zugzwangs of a table of distance to mate.
    ///
    /// `progress` is called from all threads with the number of slots just done; the sum is
    /// the number of slots of the index.
    ///
    /// # Errors
    ///
    /// If codes cannot be read.
    pub fn of(
        codes: &dyn TableCodes,
        variant: &'static Variant,
        progress: &(dyn Fn(u64) + Sync),
    ) -> io::Result<Zugzwangs> {
        let rows = LegalRows::new(codes.index().clone(), &variant.rules);
        let index = rows.index();
        let search = ZugzwangSearch::new(codes, &rows, Side::White);
        let per_pair = index.slots_per_pair();
        let pairs = index.kings().len() as u64;
        let run = (RUN / per_pair).max(1);
        let tallies: Vec<io::Result<ZugzwangTally>> = (0..pairs.div_ceil(run))
            .into_par_iter()
            .map(|number| {
                let pairs = number * run..((number + 1) * run).min(pairs);
                let slots = (pairs.end - pairs.start) * per_pair;
                let tally = search.tally(pairs)?;
                progress(slots);
                Ok(tally)
            })
            .collect();
        let mut all = ZugzwangTally::default();
        for tally in tallies {
            all = all.and(&tally?);
        }
        let fen = |slot: &Slot, mover| {
            let position = legal_position(index, &index.placement(*slot), mover, variant)?;
            Some(position.to_string())
        };
        let count = |kind: usize, mover: Side| ZugzwangCount {
            placements: all.placements[kind],
            examples: all.first[kind].iter().filter_map(|slot| fen(slot, mover)).collect(),
        };
        Ok(Zugzwangs {
            white_wins: count(0, Side::Black),
            black_wins: count(1, Side::White),
            mover_loses: count(2, Side::White),
        })
    }
}

/// The zugzwangs of some king pairs, by kind.
#[derive(Clone, Default)]
struct ZugzwangTally {
    placements: [u64; KINDS],
    first: [Vec<Slot>; KINDS],
}

impl ZugzwangTally {
    /// Adds the slots of a row that are set in `slots`; each represents `images` placements.
    fn add(&mut self, kind: usize, row: Slot, slots: u64, images: u64) {
        self.placements[kind] += u64::from(slots.count_ones()) * images;
        let mut rest = slots;
        while rest != 0 && self.first[kind].len() < EXAMPLES {
            self.first[kind].push(Slot(row.0 + u64::from(rest.trailing_zeros())));
            rest &= rest - 1;
        }
    }

    /// The sum of two tallies; the king pairs of `other` come later.
    fn and(mut self, other: &ZugzwangTally) -> ZugzwangTally {
        for kind in 0..KINDS {
            self.placements[kind] += other.placements[kind];
            self.first[kind].extend(&other.first[kind]);
            self.first[kind].truncate(EXAMPLES);
        }
        self
    }
}

/// A search for zugzwangs in the slots of a table with one side to move.
pub struct ZugzwangSearch<'a> {
    codes: &'a dyn TableCodes,
    rows: &'a LegalRows,
    side: Side,
    /// The side to move, in the table, of the codes with the opponent's results.
    other: Side,
    /// The codings of `side` and of `other`.
    codings: [Coding; 2],
    /// The results of `side` and of `other`, by code.
    results: [Vec<Option<Wdl>>; 2],
}

impl<'a> ZugzwangSearch<'a> {
    /// A search of the slots with this side to move.
    pub fn new(codes: &'a dyn TableCodes, rows: &'a LegalRows, side: Side) -> ZugzwangSearch<'a> {
        let other = if rows.index().material().is_symmetric() { side } else { !side };
        let codings = [side, other].map(|side| codes.coding(side).unwrap_or_default());
        let results = codings.map(|coding| {
            let value = |code| coding.decode(u16::try_from(code).ok()?);
            (0..coding.codes()).map(|code| value(code).map(|value| value.wdl())).collect()
        });
        ZugzwangSearch { codes, rows, side, other, codings, results }
    }

    /// A bit for each slot in which the mover is in zugzwang, for each row of a king pair and each
    /// kind. Bits of illegal slots are undefined. `own` are the codes of the pair.
    ///
    /// # Errors
    ///
    /// If codes cannot be read.
    pub fn of_pair(&self, pair: KingPair, own: &[u8]) -> io::Result<Vec<[u64; KINDS]>> {
        let index = self.rows.index();
        let symmetric = index.material().is_symmetric();
        let partner = if symmetric { partner(index, pair) } else { pair };
        let others = self.window(partner, 1)?;
        let per_pair = index.slots_per_pair();
        let [first, first_of_partner] = [pair, partner].map(|pair| u64::from(pair.0) * per_pair);
        let slot_of_other = |slot: usize| match symmetric {
            false => Some(slot),
            true => {
                let placement = index.placement(Slot(first + slot as u64));
                let changed = index.slot(&with_colours_changed(index, &placement))?;
                usize::try_from(changed.0.checked_sub(first_of_partner)?).ok()
            }
        };
        let mut found = Vec::new();
        self.rows.of_pair(pair, !self.side, |LegalRow { slots, legal }| {
            let mut kinds = [0; KINDS];
            let mut rest = legal;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let slot = slots.start + bit as usize;
                // A winning side is not in zugzwang.
                if let Some(own @ (Wdl::Draw | Wdl::Loss)) = self.result(0, own, slot)
                    && let Some(slot) = slot_of_other(slot)
                    && let Some(other) = self.result(1, &others, slot)
                {
                    let [white, black] = match self.side {
                        Side::White => [own, other],
                        Side::Black => [other, own],
                    };
                    if let Some(kind) = kind(white, black) {
                        kinds[kind] |= 1 << bit;
                    }
                }
            }
            found.push(kinds);
        });
        Ok(found)
    }

    /// Counts the zugzwangs of some king pairs.
    fn tally(&self, pairs: Range<u64>) -> io::Result<ZugzwangTally> {
        let index = self.rows.index();
        let mut tally = ZugzwangTally::default();
        for pair in pairs.map(|pair| KingPair(pair as u16)) {
            let found = self.of_pair(pair, &self.window(pair, 0)?)?;
            let images = index.kings().images(pair);
            let first = u64::from(pair.0) * index.slots_per_pair();
            let mut rows = found.iter();
            self.rows.of_pair(pair, self.side, |LegalRow { slots, legal }| {
                let row = Slot(first + slots.start as u64);
                for (kind, bits) in rows.next().into_iter().flatten().enumerate() {
                    tally.add(kind, row, bits & legal, images);
                }
            });
        }
        Ok(tally)
    }

    /// The codes of a king pair: of `side` if `which` is 0, of `other` if `which` is 1.
    fn window(&self, pair: KingPair, which: usize) -> io::Result<std::borrow::Cow<'a, [u8]>> {
        let per_pair = self.rows.index().slots_per_pair();
        let first = u64::from(pair.0) * per_pair;
        let window = self.codes.window([self.side, self.other][which], first..first + per_pair)?;
        match window.len() as u64 == per_pair * self.codings[which].width() as u64 {
            true => Ok(window),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// The result at a slot of the codes of [`ZugzwangSearch::window`], or `None` if the slot
    /// has no value.
    fn result(&self, which: usize, codes: &[u8], slot: usize) -> Option<Wdl> {
        let code = self.codings[which].read(codes, slot)?;
        self.results[which].get(usize::from(code)).copied().flatten()
    }
}

/// The placement with the colours of all pieces exchanged and the board flipped, for a material
/// with the same pieces on both sides.
fn with_colours_changed(index: &Index, placement: &Placement) -> Placement {
    let [white, black] = placement.kings.map(Square::flipped);
    let pieces = index.groups().iter().flat_map(|group| {
        let other = index.groups().iter().find(|other| {
            other.piece.kind == group.piece.kind && other.piece.side != group.piece.side
        });
        let places = other.map_or(0..0, |other| other.first..other.first + other.count);
        placement.pieces[places].iter().map(|square| square.flipped())
    });
    Placement::new([black, white], pieces)
}

/// The king pair of the placements of a pair [`with_colours_changed`].
fn partner(index: &Index, pair: KingPair) -> KingPair {
    let [white, black] = index.kings().kings(pair).map(Square::flipped);
    index.kings().canonical([black, white]).map_or(pair, |(partner, _)| partner)
}

#[cfg(test)]
mod tests {
    //! Mutual zugzwangs by their definition, position by position.

    use super::*;
    use sakmak_make::store::TableStore;
    use sakmak_solve::slots::walk::Walk;
    use sakmak_tables::format::name::TableName;
    use sakmak_tables::index::address::Address;
    use sakmak_tables::position::Position;
    use sakmak_tables::variants::MAKRUK;
    use std::path::Path;

    #[test]
    fn they_are_those_of_the_definition() {
        for name in ["KPvK", "KMvKM", "KPvKP", "KMMvK"] {
            let store = TableStore::new(&MAKRUK.rules, Path::new("no such directory"));
            let table = store.table(TableName::to_mate(name.parse().unwrap())).unwrap();
            let index = table.index();
            let result = |position: &Position| {
                let address = Address::of(position, false, index).unwrap();
                table.value(address.side, address.slot).unwrap().wdl()
            };
            let mut expected = [0; KINDS];
            for (slot, placement) in Walk::over(index, Slot(0)..Slot(index.slots())) {
                let position = |side| legal_position(index, &placement, side, &MAKRUK);
                let [Some(white), Some(black)] = Side::BOTH.map(position) else { continue };
                if let Some(kind) = kind(result(&white), result(&black)) {
                    expected[kind] += index.weight(slot);
                }
            }
            let zugzwangs = Zugzwangs::of(&*table, &MAKRUK, &|_| ()).unwrap();
            let Zugzwangs { white_wins, black_wins, mover_loses } = &zugzwangs;
            let found = [white_wins, black_wins, mover_loses];
            assert_eq!(found.map(|count| count.placements), expected, "{name}");
            for example in found.iter().flat_map(|count| &count.examples) {
                let position = Position::from_fen(&MAKRUK, example).unwrap();
                assert_eq!(result(&position), Wdl::Loss, "{name} {example}");
            }
            // A placement won for one side is won for the other if both have the same pieces.
            if index.material().is_symmetric() {
                assert_eq!(white_wins.placements, black_wins.placements, "{name}");
            }
        }
    }
}
