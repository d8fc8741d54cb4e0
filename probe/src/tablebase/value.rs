//! The values of a position from tables: distance to mate, counted distance, category.

use crate::error::ProbeError;
use crate::file::packed::KnownCodes;
use crate::tablebase::Tablebase;
use crate::tablebase::look_ahead::LookAhead;
use crate::tablebase::open_table::{OpenTable, value_at};
use sakmak_tables::counting::Category;
use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::address::Address;
use sakmak_tables::material::id::{MaterialId, OrientedId, material_id};
use sakmak_tables::position::Position;
use std::sync::{Arc, OnceLock};

/// The values of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableValues {
    /// Distance to mate, see [`Tablebase::dtm`].
    pub dtm: Value,
    /// Counted distance, see [`Tablebase::counted`].
    pub counted: Value,
}

/// Values.
impl Tablebase {
    /// The distance to mate for the side to move, with best play of both sides and no
    /// counting; to the first check in variants in which a check wins.
    ///
    /// ```
    /// use sakmak_probe::{MAKRUK, Moves, Plies, Position, Tablebase, Value};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 b")?;
    /// let dtm = tables.dtm(&position)?;
    /// assert_eq!(dtm, Value::Loss(Moves(14)));
    /// assert_eq!(dtm.plies(), Some(Plies(28)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the position is illegal, has leap rights or too many men, or its table is missing
    /// or damaged.
    pub fn dtm(&self, position: &Position) -> Result<Value, ProbeError> {
        self.stored(Metric::distance(&position.variant().rules), position)
    }

    /// The counted distance for the side to move, under [`Position::counting_rule`]: the number of
    /// its own moves in which the attacker forces mate, or a change of phase into a position that
    /// is won under the count there. A draw if no count leaves enough moves. The count that runs in
    /// the position does not matter. Under the fifty-move rule the number is [plies], and a capture
    /// is the change of phase.
    ///
    /// A loss in 0 moves is mate, or every move changes to another phase that is lost.
    ///
    /// [plies]: Metric::is_in_plies
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::dtm`].
    pub fn counted(&self, position: &Position) -> Result<Value, ProbeError> {
        self.stored(Metric::Counted(position.counting_rule()), position)
    }

    /// The category of a position for the side to move, under the count that runs in it. If no
    /// count runs, one starts in this position. See [`Position::category`].
    ///
    /// Reads only the WDL file, in less than a microsecond, if no count runs, if the count has just
    /// started, or if a fresh count decides nothing. Otherwise, and if that file is missing or
    /// damaged, reads the tables of both distances.
    ///
    /// ```
    /// use sakmak_probe::{Category, MAKRUK, Position, Tablebase};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// // 4 of 32 plies are counted: mate in 28 plies is in time. After 6 plies it is not.
    /// let in_time = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 b - 32 4 1")?;
    /// let too_late = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1")?;
    /// assert_eq!(tables.category(&in_time)?, Category::Loss);
    /// assert_eq!(tables.category(&too_late)?, Category::BlessedLoss);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::values`].
    pub fn category(&self, position: &Position) -> Result<Category, ProbeError> {
        match self.category_in_wdl(position) {
            Ok(Some(category)) => Ok(category),
            Ok(None) => self.category_in_tables(position),
            Err(error) => match self.category_in_tables(position) {
                // The file is the only one with an answer.
                Err(ProbeError::Missing { .. }) => Err(error),
                answer => answer,
            },
        }
    }

    /// The category under the count that runs, from the distances.
    pub(crate) fn category_in_tables(&self, position: &Position) -> Result<Category, ProbeError> {
        let TableValues { dtm, counted } = self.values(position)?;
        Ok(position.category(dtm, counted))
    }

    /// Both distances for the side to move. Reads a single table if neither side can force mate.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::dtm`], and if two tables contradict each other.
    pub fn values(&self, position: &Position) -> Result<TableValues, ProbeError> {
        let dtm = self.dtm(position)?;
        let counted = match dtm {
            // Without a forced mate no mate is in time.
            Value::Draw => Value::Draw,
            _ => self.counted(position)?,
        };
        match (dtm, counted) {
            (Value::Win(_), Value::Loss(_)) | (Value::Loss(_), Value::Win(_)) => {
                Err(ProbeError::contradiction(position))
            }
            _ => Ok(TableValues { dtm, counted }),
        }
    }

    /// The distance in one metric for the side to move, from the table of [`TableName::deciding`].
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::dtm`].
    pub fn stored(&self, metric: Metric, position: &Position) -> Result<Value, ProbeError> {
        self.stored_given(metric, position, None)
    }

    /// [`Tablebase::stored`] with known codes of the packed file of the position's material, whose
    /// blocks are not decoded again. For a caller that decoded the blocks of many positions
    /// together.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::dtm`].
    #[doc(hidden)]
    pub fn stored_given(
        &self,
        metric: Metric,
        position: &Position,
        known: Option<&KnownCodes<'_>>,
    ) -> Result<Value, ProbeError> {
        if position.en_passant().is_some() {
            let stored = |position: &Position| self.stored(metric, position).map(Some);
            let value = metric.value_in_passing(position, stored)?;
            return value.ok_or_else(|| ProbeError::contradiction(position));
        }
        let OrientedId { number, flipped } = material_with_table(position)?;
        if number == MaterialId::BARE_KINGS {
            return Ok(Value::Draw);
        }
        let variant = position.variant();
        // A rule without tables uses the distance.
        let metric = match metric.counting_rule() {
            Some(rule) if rule.is_uncounted() => Metric::distance(&variant.rules),
            _ => metric,
        };
        let name = || {
            let name = TableName::deciding(number.material(), metric);
            name.written_in(variant.rules.material_letters)
        };
        let entry = self.by_material.entry(variant, metric, number);
        let opened;
        let table = match entry.and_then(OnceLock::get) {
            Some(Some(table)) => table,
            Some(None) => {
                return Err(self.missing(name()));
            }
            None => {
                let found = self.table(name(), variant);
                // A missing table is not searched for again until a source is added.
                let known = match &found {
                    Ok(table) => Some(Some(Arc::clone(table))),
                    Err(ProbeError::Missing { .. }) => Some(None),
                    Err(_) => None,
                };
                if let (Some(entry), Some(known)) = (entry, known) {
                    entry.get_or_init(|| known);
                }
                opened = found?;
                &opened
            }
        };
        let address = || Address::of(position, flipped, table.index());
        let value = match &**table {
            OpenTable::Memory(table) => {
                address().and_then(|Address { side, slot }| table.value(side, slot))
            }
            OpenTable::Solved(file, id) => match address() {
                Some(address) => value_at(&self.cache.blocks, file, *id, address)?,
                None => None,
            },
            OpenTable::Packed(file, id) => {
                let other_tables = &|after: &Position| self.stored(metric, after);
                let (cache, values, id) = (&self.cache.blocks, &self.cache.values, *id);
                LookAhead { other_tables, cache, values, file, id, known }
                    .value(position, flipped)?
            }
        };
        value.ok_or_else(|| ProbeError::contradiction(position))
    }
}

/// The material of a position that tables may answer.
///
/// # Errors
///
/// If the position has leap rights, is illegal, or has too many men.
#[inline]
pub(crate) fn material_with_table(position: &Position) -> Result<OrientedId, ProbeError> {
    if !position.leaps().is_empty() {
        return Err(ProbeError::LeapRights);
    }
    position.legality()?;
    let too_many = || ProbeError::TooManyMen { men: position.occupied().len() };
    material_id(position.material_key()).ok_or_else(too_many)
}
