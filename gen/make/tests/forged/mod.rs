//! Tables with wrong values.

use sakmak_tables::index::address::Address;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Values;
use sakmak_tables::values::table::Table;

/// The table with one code changed. Codes must have one byte.
pub fn changed(table: &Table, address: Address, change: impl Fn(u8) -> u8) -> Table {
    let [white, black] = Side::BOTH.map(|side| {
        let values = table.values(side)?;
        let mut codes = values.codes().to_vec();
        if side == address.side {
            let code = &mut codes[address.slot.0 as usize];
            *code = change(*code);
        }
        Some(Values::new(values.coding(), codes))
    });
    Table::new(table.index().clone(), white.unwrap(), black)
}
