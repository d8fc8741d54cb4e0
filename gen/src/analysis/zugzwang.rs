//! Mutual zugzwangs: placements in which each side would rather that the other moved.
//!
//! Both sides to move of a placement are one slot of a table, so that a pass over its
//! codes, those of either side next to each other, finds them all. Nothing is counted here:
//! values are those of distance to mate.

use crate::planes::legal_rows::{LegalRow, LegalRows};
use crate::slots::codes::Codes;
use crate::slots::legal::legal_position;
use rayon::prelude::*;
use sakmak_tables::distance::Value;
use sakmak_tables::index::Slot;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use sakmak_tables::variant::Variant;
use serde::Serialize;
use std::io;
use std::ops::Range;

/// Examples kept of each kind.
const EXAMPLES: usize = 3;

/// Slots asked for at a time, a king pair at least.
const RUN: u64 = 1 << 18;

/// The most men of a material with the same pieces on both sides that is looked through: its
/// other side to move is anywhere in the table, which must be in memory.
const SYMMETRIC_MEN: usize = 4;

/// The mutual zugzwangs of a material, White being the stronger side.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Zugzwangs {
    /// White wins with Black to move, and only then.
    pub white_wins: ZugzwangExamples,
    /// Black wins with White to move, and only then.
    pub black_wins: ZugzwangExamples,
    /// Whoever is to move loses.
    pub mover_loses: ZugzwangExamples,
}

/// Mutual zugzwangs of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ZugzwangExamples {
    /// Placements of the whole board, no symmetry folded, like pieces alike.
    pub placements: u64,
    /// The first few in the order of the index, as positions whose mover loses.
    pub examples: Vec<String>,
}

/// What a value is worth to the mover here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Worth {
    Draw,
    Loss,
    /// Won, or no value: no zugzwang.
    Other,
}

impl Worth {
    fn of(coding: Coding, code: u16) -> Worth {
        match coding.decode(code) {
            Some(Value::Draw) => Worth::Draw,
            Some(Value::Loss(_)) => Worth::Loss,
            Some(Value::Win(_)) | None => Worth::Other,
        }
    }

    /// By code.
    fn table(coding: Coding) -> Vec<Worth> {
        (0..coding.codes()).map(|code| Worth::of(coding, code as u16)).collect()
    }
}

/// How many kinds there are, in the order of [`Zugzwangs`].
const KINDS: usize = 3;

/// The kind of zugzwang, if it is one, by what White and Black to move are worth.
fn kind(white: Worth, black: Worth) -> Option<usize> {
    match (white, black) {
        (Worth::Draw, Worth::Loss) => Some(0),
        (Worth::Loss, Worth::Draw) => Some(1),
        (Worth::Loss, Worth::Loss) => Some(2),
        _ => None,
    }
}

/// What some king pairs hold, by kind.
#[derive(Clone, Default)]
struct ZugzwangTally {
    placements: [u64; KINDS],
    first: [Vec<Slot>; KINDS],
}

impl ZugzwangTally {
    fn add(&mut self, kind: usize, slot: Slot, images: u64) {
        self.placements[kind] += images;
        if self.first[kind].len() < EXAMPLES {
            self.first[kind].push(slot);
        }
    }

    /// Both together; the pairs of `other` come later.
    fn and(mut self, other: &ZugzwangTally) -> ZugzwangTally {
        for kind in 0..KINDS {
            self.placements[kind] += other.placements[kind];
            self.first[kind].extend(&other.first[kind]);
            self.first[kind].truncate(EXAMPLES);
        }
        self
    }
}

impl Zugzwangs {
    /// Those of a table of distance to mate; nothing where they are not looked for, in large
    /// materials with the same pieces on both sides.
    ///
    /// `progress` is called from all threads with the number of slots just done; they come
    /// to the index's slots once.
    ///
    /// # Errors
    ///
    /// When codes cannot be read or are too few.
    pub fn of(
        codes: &dyn Codes,
        variant: &'static Variant,
        progress: &(dyn Fn(u64) + Sync),
    ) -> io::Result<Option<Zugzwangs>> {
        let rows = LegalRows::new(codes.index().clone(), &variant.rules);
        let index = rows.index();
        let symmetric = index.material().is_symmetric();
        if symmetric && index.material().men() > SYMMETRIC_MEN {
            return Ok(None);
        }
        let white = codes.coding(Side::White).unwrap_or_default();
        let black = codes.coding(Side::Black).unwrap_or(white);
        let whole = match symmetric {
            true => codes.window(Side::White, 0..index.slots())?,
            false => Default::default(),
        };
        let search = ZugzwangSearch { codes, variant, rows: &rows, codings: [white, black], whole: &whole };
        let per_pair = index.slots_per_pair();
        let pairs = index.kings().len() as u64;
        let run = (RUN / per_pair).max(1);
        let tallies: Vec<io::Result<ZugzwangTally>> = (0..pairs.div_ceil(run))
            .into_par_iter()
            .map(|number| {
                let pairs = number * run..((number + 1) * run).min(pairs);
                let tally = match symmetric {
                    true => Ok(search.of_symmetric(pairs.clone())),
                    false => search.of_pairs(pairs.clone()),
                };
                progress((pairs.end - pairs.start) * per_pair);
                tally
            })
            .collect();
        let mut all = ZugzwangTally::default();
        for tally in tallies {
            all = all.and(&tally?);
        }
        let found = |kind: usize, mover: Side| ZugzwangExamples {
            placements: all.placements[kind],
            examples: all.first[kind].iter().filter_map(|&slot| search.fen(slot, mover)).collect(),
        };
        Ok(Some(Zugzwangs {
            white_wins: found(0, Side::Black),
            black_wins: found(1, Side::White),
            mover_loses: found(2, Side::White),
        }))
    }
}

/// A table that is looked through.
#[derive(Clone, Copy)]
struct ZugzwangSearch<'a> {
    codes: &'a dyn Codes,
    variant: &'static Variant,
    rows: &'a LegalRows,
    /// By [`Side::index`].
    codings: [Coding; 2],
    /// All codes, where both sides have the same pieces.
    whole: &'a [u8],
}

impl ZugzwangSearch<'_> {
    fn of_pairs(self, pairs: Range<u64>) -> io::Result<ZugzwangTally> {
        let index = self.rows.index();
        let per_pair = index.slots_per_pair();
        let slots = pairs.start * per_pair..pairs.end * per_pair;
        let [white, black] = Side::BOTH;
        let windows =
            [self.codes.window(white, slots.clone())?, self.codes.window(black, slots.clone())?];
        for (window, coding) in windows.iter().zip(self.codings) {
            if window.len() as u64 != (slots.end - slots.start) * coding.width() as u64 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let worths = self.codings.map(Worth::table);
        let mut tally = ZugzwangTally::default();
        let mut legal_for_white = Vec::new();
        for pair in pairs.clone() {
            let start = ((pair - pairs.start) * per_pair) as usize;
            let pair = KingPair(pair as u16);
            let images = index.kings().images(pair);
            legal_for_white.clear();
            self.rows.of_pair(pair, white, |row| legal_for_white.push(row.legal));
            let mut masks = legal_for_white.iter();
            self.rows.of_pair(pair, black, |LegalRow { slots: row, legal }| {
                let mut rest = legal & masks.next().copied().unwrap_or(0);
                while rest != 0 {
                    let slot = start + row.start + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let [white, black] = [0, 1].map(|side| {
                        let code = self.codings[side].read(&windows[side], slot);
                        let worth = code.and_then(|code| worths[side].get(usize::from(code)));
                        worth.copied().unwrap_or(Worth::Other)
                    });
                    if let Some(kind) = kind(white, black) {
                        tally.add(kind, Slot(slots.start + slot as u64), images);
                    }
                }
            });
        }
        Ok(tally)
    }

    /// Black to move of a placement is White to move of the one with the colours changed.
    fn of_symmetric(self, pairs: Range<u64>) -> ZugzwangTally {
        let index = self.rows.index();
        let [coding, _] = self.codings;
        let worth = |slot: Slot| {
            let code = coding.read(self.whole, slot.0 as usize);
            code.map_or(Worth::Other, |code| Worth::of(coding, code))
        };
        let mut tally = ZugzwangTally::default();
        for pair in pairs {
            let first = pair * index.slots_per_pair();
            let pair = KingPair(pair as u16);
            let images = index.kings().images(pair);
            self.rows.of_pair(pair, Side::White, |LegalRow { slots, legal }| {
                for at in slots.clone().filter(|at| legal >> (at - slots.start) & 1 != 0) {
                    let slot = Slot(first + at as u64);
                    let white = worth(slot);
                    if white == Worth::Other {
                        continue;
                    }
                    let placement = index.placement(slot);
                    let position = legal_position(index, &placement, Side::Black, self.variant);
                    let place = position.and_then(|position| Address::of(&position, false, index));
                    let black = place.map_or(Worth::Other, |place| worth(place.slot));
                    if let Some(kind) = kind(white, black) {
                        tally.add(kind, slot, images);
                    }
                }
            });
        }
        tally
    }

    fn fen(self, slot: Slot, mover: Side) -> Option<String> {
        let index = self.rows.index();
        let position = legal_position(index, &index.placement(slot), mover, self.variant)?;
        Some(position.to_string())
    }
}

#[cfg(test)]
mod tests;
