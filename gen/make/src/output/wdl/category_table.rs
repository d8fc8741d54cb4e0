//! From the codes of a material's tables to categories at a fresh count.

use sakmak_tables::counting::{Category, CountingRule};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use sakmak_tables::values::codes::TablePair;

/// The index of no category.
pub const NO_CATEGORY: u8 = Category::ALL.len() as u8;

/// The categories of one side to move by its codes.
#[derive(Debug)]
pub struct CategoryTable {
    mate: Coding,
    counted: Coding,
    /// By code of distance to mate: the start of its row in `grid`.
    rows: Vec<usize>,
    /// By row and code of counted distance: [`Category::index`], or [`NO_CATEGORY`].
    grid: Vec<u8>,
}

impl CategoryTable {
    /// The categories of these tables with this side to move. `None` if they do not hold it.
    pub fn new(
        source: TablePair<'_>,
        counting_rule: &CountingRule,
        side: Side,
    ) -> Option<CategoryTable> {
        let material = source.mate.index().material();
        let armies = Side::BOTH.map(|side| material.army(side));
        let mate = source.mate.coding(side)?;
        let counted = source.counted.unwrap_or(source.mate).coding(side)?;
        let fits = |attacker: Side, moves: Moves| {
            counting_rule.moves_left(armies, attacker, side).is_none_or(|clock| moves <= clock)
        };
        let codes = 0..counted.codes();
        let row = |mate: Value| {
            codes.clone().map(move |code| {
                let counted = u16::try_from(code).ok().and_then(|code| counted.decode(code));
                let in_time = match (mate, counted) {
                    (Value::Draw, _) | (_, Some(Value::Draw)) => false,
                    (Value::Win(_), Some(Value::Win(moves))) => fits(side, moves),
                    (Value::Loss(_), Some(Value::Loss(moves))) => fits(!side, moves),
                    _ => return NO_CATEGORY,
                };
                Category::of(mate, in_time).index() as u8
            })
        };
        let nothing = Moves(0);
        let grid = [Value::Draw, Value::Win(nothing), Value::Loss(nothing)].map(row);
        let grid = grid.into_iter().flatten().collect();
        let number = |code: u32| match u16::try_from(code).ok().and_then(|code| mate.decode(code)) {
            Some(Value::Win(_)) => 1,
            Some(Value::Loss(_)) => 2,
            _ => 0,
        };
        let width = counted.codes() as usize;
        let rows = (0..mate.codes()).map(|code| number(code) * width).collect();
        Some(CategoryTable { mate, counted, rows, grid })
    }

    /// The index of the category at a place of two windows, [`NO_CATEGORY`] if the codes
    /// contradict each other.
    #[inline]
    pub fn category(&self, mate: &[u8], counted: &[u8], place: usize) -> u8 {
        let row = self.mate.read(mate, place).and_then(|code| self.rows.get(usize::from(code)));
        let column = self.counted.read(counted, place);
        let at = row.zip(column).map(|(row, column)| row + usize::from(column));
        at.and_then(|at| self.grid.get(at)).copied().unwrap_or(NO_CATEGORY)
    }
}
