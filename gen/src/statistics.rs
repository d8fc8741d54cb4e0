//! What a table holds, counted: wins, losses and draws, how long they are, how many in time.
//!
//! Counts are over the whole board with no symmetry folded and like men alike. A legal
//! position has its men on distinct squares, pawns on their three ranks, kings not
//! adjacent, and the side not to move not in check.

use crate::legal::{legal_position, with_colours_changed};
use crate::walk::Walk;
use rayon::prelude::*;
use sakmak_tables::counting::{Party, Profile};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::Slot;
use sakmak_tables::locate::Place;
use sakmak_tables::man::Side;
use sakmak_tables::material::Material;
use sakmak_tables::table::Table;
use sakmak_tables::variant::Variant;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// How many positions have a mate of so many moves.
pub type Histogram = BTreeMap<Moves, u64>;

/// The statistics of one table; serialises as `sakmak stats --json` prints it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Statistics {
    /// The material, White being the stronger side.
    #[serde(serialize_with = "as_name")]
    pub material: Material,
    /// The variant's name.
    pub variant: &'static str,
    /// Positions with White to move.
    pub white_to_move: SideStatistics,
    /// Positions with Black to move.
    pub black_to_move: SideStatistics,
}

/// The statistics of one side to move; wins and losses are the mover's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SideStatistics {
    /// Legal positions.
    pub legal: u64,
    /// Those the mover wins, with no count.
    pub wins: u64,
    /// Those the mover loses, with no count.
    pub losses: u64,
    /// The others.
    pub draws: u64,
    /// Wins that fit a count of the pieces' honour started afresh in the position. Nothing
    /// where that count does not apply: with pawns, or men on both sides.
    pub wins_in_time: Option<u64>,
    /// Losses that fit such a count.
    pub losses_in_time: Option<u64>,
    /// Wins by the mover's moves to mate.
    #[serde(serialize_with = "as_map")]
    pub win_histogram: Histogram,
    /// Losses by the opponent's moves to mate.
    #[serde(serialize_with = "as_map")]
    pub loss_histogram: Histogram,
    /// The longest win.
    pub longest_win: Option<Longest>,
    /// The longest loss.
    pub longest_loss: Option<Longest>,
}

/// The longest mate, and of the positions with it that of the first slot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Longest {
    /// Moves to mate of the side that mates.
    #[serde(serialize_with = "as_number")]
    pub moves: Moves,
    /// The position.
    pub fen: String,
}

/// A legal position of a table has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the table of {material} has no value at slot {} with {} to move", place.slot.0, place.side.name())]
pub struct NoValue {
    /// The table's material.
    pub material: Material,
    /// The slot and side to move.
    pub place: Place,
}

/// How many slots are counted between two calls of `progress`.
const RUN: u64 = 1 << 16;

impl Statistics {
    /// Counts a table under a way of counting.
    ///
    /// `progress` is called from all threads with the number of slots just done; they come
    /// to the index's slots for each side to move the table holds.
    pub fn of(
        table: &Table,
        variant: &'static Variant,
        profile: &Profile,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Statistics, NoValue> {
        let index = table.index();
        let count = |side: Side| -> Result<Tally, NoValue> {
            let runs = (0..index.slots().div_ceil(RUN)).into_par_iter().map(|run| {
                let walk = Walk::over(index, Slot(run * RUN)..Slot((run + 1) * RUN));
                let slots = walk.size_hint().0 as u64;
                let tally = Tally::of(walk, side, table, variant);
                progress(slots);
                tally
            });
            runs.try_reduce(Tally::default, |one, other| Ok(one.and(other)))
        };
        let white = count(Side::White)?;
        // Where both sides have the same men the table holds White to move alone.
        let black = if index.material().is_symmetric() { None } else { Some(count(Side::Black)?) };
        Ok(Statistics {
            material: index.material(),
            variant: variant.name,
            white_to_move: white.statistics(Side::White, table, variant, profile),
            black_to_move: black.as_ref().unwrap_or(&white).statistics(
                Side::Black,
                table,
                variant,
                profile,
            ),
        })
    }
}

/// What is counted while walking through slots.
#[derive(Default)]
struct Tally {
    draws: u64,
    wins: Mates,
    losses: Mates,
}

/// Positions with a mate.
#[derive(Default)]
struct Mates {
    /// Positions, by moves.
    counts: Vec<u64>,
    /// The first slot with as long a mate as there is.
    longest: Option<Slot>,
}

impl Tally {
    fn of(
        walk: Walk,
        side: Side,
        table: &Table,
        variant: &'static Variant,
    ) -> Result<Tally, NoValue> {
        let index = table.index();
        let mut tally = Tally::default();
        for (slot, placement) in walk {
            if legal_position(index, &placement, side, variant).is_none() {
                continue;
            }
            let weight = index.weight(slot);
            match table.value(side, slot) {
                Some(Value::Draw) => tally.draws += weight,
                Some(Value::Win(moves)) => tally.wins.add(moves, slot, weight),
                Some(Value::Loss(moves)) => tally.losses.add(moves, slot, weight),
                None => {
                    let place = Place { side, slot };
                    return Err(NoValue { material: index.material(), place });
                }
            }
        }
        Ok(tally)
    }

    fn and(self, other: Tally) -> Tally {
        Tally {
            draws: self.draws + other.draws,
            wins: self.wins.and(other.wins),
            losses: self.losses.and(other.losses),
        }
    }

    /// The statistics of `side` to move.
    fn statistics(
        &self,
        side: Side,
        table: &Table,
        variant: &'static Variant,
        profile: &Profile,
    ) -> SideStatistics {
        let material = table.index().material();
        let limit = |attacker, party| profile.moves_to_fit(&material, attacker, party);
        let (win_limit, loss_limit) = (limit(side, Party::Attacker), limit(!side, Party::Runner));
        let counted = win_limit.or(loss_limit).is_some();
        let in_time = |histogram: &Histogram, limit: Option<Moves>| {
            let fits = histogram.iter().filter(|&(&moves, _)| Some(moves) <= limit);
            counted.then(|| fits.map(|(_, count)| count).sum())
        };
        let longest = |mates: &Mates| {
            let moves = Moves((mates.counts.len() as u32).checked_sub(1)?);
            let placement = table.index().placement(mates.longest?);
            let held = table.values(side).map_or(!side, |_| side);
            let position = legal_position(table.index(), &placement, held, variant)?;
            let position = if held == side { position } else { with_colours_changed(&position)? };
            Some(Longest { moves, fen: position.to_string() })
        };
        let (win_histogram, loss_histogram) = (self.wins.histogram(), self.losses.histogram());
        let (wins, losses) = (win_histogram.values().sum(), loss_histogram.values().sum());
        SideStatistics {
            legal: wins + losses + self.draws,
            wins,
            losses,
            draws: self.draws,
            wins_in_time: in_time(&win_histogram, win_limit),
            losses_in_time: in_time(&loss_histogram, loss_limit),
            longest_win: longest(&self.wins),
            longest_loss: longest(&self.losses),
            win_histogram,
            loss_histogram,
        }
    }
}

impl Mates {
    fn add(&mut self, moves: Moves, slot: Slot, weight: u64) {
        let moves = moves.0 as usize;
        if self.counts.len() <= moves {
            self.counts.resize(moves + 1, 0);
            self.longest = Some(slot);
        }
        self.counts[moves] += weight;
    }

    /// Both together; the slots of `other` come later.
    fn and(self, other: Mates) -> Mates {
        let longer = other.counts.len() > self.counts.len();
        let (mut long, short) = if longer { (other, self) } else { (self, other) };
        for (count, more) in long.counts.iter_mut().zip(short.counts) {
            *count += more;
        }
        long
    }

    fn histogram(&self) -> Histogram {
        let counts = (0..).map(Moves).zip(self.counts.iter().copied());
        counts.filter(|&(_, count)| count > 0).collect()
    }
}

fn as_name<S: Serializer>(material: &Material, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(material)
}

fn as_number<S: Serializer>(moves: &Moves, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(moves.0)
}

fn as_map<S: Serializer>(histogram: &Histogram, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(histogram.iter().map(|(moves, count)| (moves.0, count)))
}
