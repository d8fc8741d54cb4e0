//! Solved tiers in memory.

use crate::game::{Effect, Game, prepared};
use crate::value::Value;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;

/// The codes of a tier, one for each slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Codes {
    /// No code is above 255.
    Narrow(Vec<u8>),
    /// Codes of two bytes.
    Wide(Vec<u16>),
}

impl Codes {
    /// The number of slots.
    pub fn slots(&self) -> u64 {
        match self {
            Codes::Narrow(codes) => codes.len() as u64,
            Codes::Wide(codes) => codes.len() as u64,
        }
    }

    /// The value of a slot. Returns `None` behind the last one.
    pub fn value(&self, slot: u64) -> Option<Value> {
        self.place(slot).map(Place::value)
    }

    /// Where the code of a slot is. Returns `None` behind the last one.
    #[inline]
    fn place(&self, slot: u64) -> Option<Place<'_>> {
        let slot = usize::try_from(slot).ok()?;
        match self {
            Codes::Narrow(codes) => codes.get(slot).map(Place::Narrow),
            Codes::Wide(codes) => codes.get(slot).map(Place::Wide),
        }
    }

    /// The bytes in memory.
    pub fn bytes(&self) -> u64 {
        match self {
            Codes::Narrow(codes) => codes.len() as u64,
            Codes::Wide(codes) => 2 * codes.len() as u64,
        }
    }
}

/// Where a code is, not yet read.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    Narrow(&'a u8),
    Wide(&'a u16),
}

impl Place<'_> {
    /// The value there.
    #[inline]
    pub(crate) fn value(self) -> Value {
        Value::of_code(self.code())
    }

    /// The code there.
    #[inline]
    pub(crate) fn code(self) -> u16 {
        match self {
            Place::Narrow(&code) => u16::from(code),
            Place::Wide(&code) => code,
        }
    }
}

/// Slots that one thread takes at a time.
pub(crate) const BLOCK: usize = 1 << 12;

/// All slots of a table, shared out among threads in blocks.
pub(crate) fn all_slots(size: u64) -> impl IndexedParallelIterator<Item = u64> {
    (0..size as usize).into_par_iter().with_min_len(BLOCK).map(|slot| slot as u64)
}

/// The slots of a block.
pub(crate) fn slots_of(block: usize, size: u64) -> Range<u64> {
    let first = (block * BLOCK) as u64;
    first..size.min(first + BLOCK as u64)
}

/// All blocks of a table, shared out among threads.
pub(crate) fn blocks(size: u64) -> impl IndexedParallelIterator<Item = Range<u64>> {
    let count = (size as usize).div_ceil(BLOCK);
    (0..count).into_par_iter().map(move |block| slots_of(block, size))
}

/// A solved tier.
pub struct Table<G: Game> {
    /// The numbering of its positions.
    pub layout: G::Layout,
    /// The codes.
    pub codes: Codes,
}

impl<G: Game> Table<G> {
    /// The value of a position of the tier. Returns `None` behind the last slot.
    #[inline]
    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        self.codes.value(game.rank(&self.layout, position))
    }
}

/// Solved tiers of a game.
pub struct Tables<G: Game> {
    tables: BTreeMap<G::Tier, Table<G>>,
}

impl<G: Game> Default for Tables<G> {
    fn default() -> Tables<G> {
        Tables { tables: BTreeMap::new() }
    }
}

impl<G: Game> Tables<G> {
    /// Adds a solved tier.
    pub fn insert(&mut self, game: &G, tier: G::Tier, codes: Codes) {
        self.tables.insert(tier, Table { layout: prepared(game, tier), codes });
    }

    /// A solved tier.
    pub fn get(&self, tier: G::Tier) -> Option<&Table<G>> {
        self.tables.get(&tier)
    }

    /// Drops all tiers but these.
    pub fn retain(&mut self, kept: &[G::Tier]) {
        self.tables.retain(|tier, _| kept.contains(tier));
    }

    /// The bytes of all codes.
    pub fn bytes(&self) -> u64 {
        self.tables.values().map(|table| table.codes.bytes()).sum()
    }

    /// The value of a position. Returns `None` if its tier, or one that it is looked up through, is not
    /// solved.
    pub fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if game.has_slot(position) {
            return self.tables.get(&game.tier(position))?.value(game, position);
        }
        value_by_moves(game, position, |after| self.value(game, after).ok_or(())).ok()
    }
}

/// A few tables, among which one is found without a search of all.
pub(crate) struct Near<'a, G: Game> {
    game: &'a G,
    tables: Vec<(G::Tier, &'a Table<G>)>,
}

impl<'a, G: Game> Near<'a, G> {
    /// The tables of some tiers.
    ///
    /// # Errors
    ///
    /// The first tier that is not solved.
    pub(crate) fn new(
        game: &'a G,
        tables: &'a Tables<G>,
        tiers: impl IntoIterator<Item = G::Tier>,
    ) -> Result<Near<'a, G>, G::Tier> {
        let found = |tier| Ok((tier, tables.get(tier).ok_or(tier)?));
        Ok(Near { game, tables: tiers.into_iter().map(found).collect::<Result<_, _>>()? })
    }

    /// The codes of a tier.
    pub(crate) fn codes(&self, tier: G::Tier) -> Option<&Codes> {
        self.tables.iter().find(|&&(near, _)| near == tier).map(|(_, table)| &table.codes)
    }

    /// The value of a position.
    ///
    /// # Errors
    ///
    /// The tier of the position, or of one that it is looked up through, if it is none of these.
    #[inline]
    pub(crate) fn value(&self, position: &G::Position) -> Result<Value, G::Tier> {
        if !self.game.has_slot(position) {
            return value_by_moves(self.game, position, |after| self.value(after));
        }
        self.place(position).map(Place::value)
    }

    /// Where the code of a position is that has a slot.
    ///
    /// # Errors
    ///
    /// The tier of the position, if it is none of these.
    #[inline]
    pub(crate) fn place(&self, position: &G::Position) -> Result<Place<'a>, G::Tier> {
        let tier = self.game.tier(position);
        let table = self.tables.iter().find(|&&(near, _)| near == tier);
        let place =
            table.and_then(|(_, table)| table.codes.place(self.game.rank(&table.layout, position)));
        place.ok_or(tier)
    }
}

/// The value of a position by the values behind its moves, for one that has no slot. `value` returns
/// that of a position.
///
/// # Errors
///
/// The first error of `value`.
pub(crate) fn value_by_moves<G: Game, E>(
    game: &G,
    position: &G::Position,
    mut value: impl FnMut(&G::Position) -> Result<Value, E>,
) -> Result<Value, E> {
    if game.is_illegal(position) {
        return Ok(Value::Illegal);
    }
    if let Some(end) = game.end(position) {
        return Ok(end.value());
    }
    let mut best = Ok(Value::Illegal);
    game.leaving(position, true, |after| {
        let Ok(known) = best else { return };
        let rated = match after {
            Err(Effect::Wins) => Ok(Value::Win(1)),
            Err(_) => Ok(Value::Draw),
            Ok(after) => value(&after).map(Value::before_move),
        };
        best = rated.map(|rated| known.better(rated));
    });
    Ok(match best? {
        Value::Illegal => game.stuck(position).value(),
        best => best,
    })
}
