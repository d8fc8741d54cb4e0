//! The overview as data: one row for each material and counting rule, stored by column.

use crate::material_report::{GameStatistics, MaterialReport, ReportError};
use crate::words::CountAgainst;
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use sakmak_analysis::statistics::{AttackStatistics, Statistics};
use sakmak_tables::rules::piece::Side;
use std::sync::Arc;

/// A named column with a value or `None` for each row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    name: String,
    cells: ColumnCells,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum ColumnCells {
    Words(Vec<Option<String>>),
    Numbers(Vec<Option<i64>>),
}

/// The overview: for each counting rule, all materials in the order of `all`.
///
/// Positions are of the whole board: like pieces are interchangeable, mirror images are counted
/// separately. They include both sides to move unless the name of the column names one. Moves
/// are the attacker's.
pub fn columns(all: &[MaterialReport]) -> Vec<Column> {
    let rules = all.first().map_or(0, |report| report.countings.len());
    let under_rule = |rule: usize| {
        all.iter().filter_map(move |report| Some((report, report.countings.get(rule)?)))
    };
    let counted: Vec<(&MaterialReport, &GameStatistics)> =
        (0..rules).flat_map(under_rule).collect();
    let rows: Vec<&Statistics> = counted.iter().map(|(_, counting)| &counting.statistics).collect();
    let words = |name: &str, of: &dyn Fn(&Statistics) -> Option<String>| Column {
        name: name.to_string(),
        cells: ColumnCells::Words(rows.iter().map(|row| of(row)).collect()),
    };
    let numbers = |name: &str, of: &dyn Fn(&Statistics) -> Option<u64>| Column {
        name: name.to_string(),
        cells: ColumnCells::Numbers(rows.iter().map(|row| of(row).map(as_number)).collect()),
    };
    let mut columns = vec![
        words("material", &|row| Some(row.material.to_string())),
        words("variant", &|row| Some(row.variant.to_string())),
        words("counting", &|row| Some(row.counting.to_string())),
        numbers("men", &|row| Some(row.material.material.men() as u64)),
        numbers("positions", &|row| Some(row.white_to_move.legal + row.black_to_move.legal)),
        numbers("draws", &|row| Some(row.white_to_move.draws + row.black_to_move.draws)),
    ];
    for side in Side::BOTH {
        let [own, other] = [side, !side].map(Side::name);
        let attack = |row: &Statistics| row.attack(side);
        let against: Vec<CountAgainst> = counted
            .iter()
            .map(|(report, counting)| {
                CountAgainst::of(report.material, counting.counting_rule, side)
            })
            .collect();
        let counts = |name: &str, of: &dyn Fn(&CountAgainst) -> Option<u64>| Column {
            name: name.to_string(),
            cells: ColumnCells::Numbers(against.iter().map(|row| of(row).map(as_number)).collect()),
        };
        let kinds = against.iter().map(|against| Some(against.name().to_string())).collect();
        columns.extend([
            Column { name: format!("{own}_count"), cells: ColumnCells::Words(kinds) },
            counts(&format!("{own}_limit"), &|row| row.limit.map(|moves| moves.0.into())),
            counts(&format!("{own}_moves_{own}_to_move"), &|row| {
                row.attacker_moves.map(|moves| moves.0.into())
            }),
            counts(&format!("{own}_moves_{other}_to_move"), &|row| {
                row.runner_moves.map(|moves| moves.0.into())
            }),
            numbers(&format!("{own}_longest_mate"), &|row| longest_mate(row, side)),
            numbers(&format!("{own}_won"), &|row| Some(attack(row).won)),
            numbers(&format!("{own}_won_in_time"), &|row| attack(row).won_in_time),
            numbers(&format!("{own}_too_late"), &|row| too_late(&attack(row))),
            words(&format!("{own}_in_time"), &|row| Some(attack(row).in_time?.name().to_string())),
        ]);
    }
    let zugzwangs = counted.iter().map(|(report, _)| {
        let found = report.mutual_zugzwangs.as_ref()?;
        let kinds = [&found.white_wins, &found.black_wins, &found.mover_loses];
        Some(as_number(kinds.iter().map(|kind| kind.placements).sum()))
    });
    columns.push(Column {
        name: "mutual_zugzwangs".to_string(),
        cells: ColumnCells::Numbers(zugzwangs.collect()),
    });
    columns
}

/// The number of positions won with no count in which the mate comes too late; `None` if it is not
/// known.
pub fn too_late(attack: &AttackStatistics) -> Option<u64> {
    Some(attack.won.saturating_sub(attack.won_in_time?))
}

/// The moves of the longest mate of a side, with either side to move.
pub fn longest_mate(statistics: &Statistics, side: Side) -> Option<u64> {
    let [own, others] = [side, !side].map(|to_move| &statistics.to_move(to_move).to_mate);
    let moves = [&own.longest_win, &others.longest_loss];
    moves.into_iter().flatten().map(|longest| longest.moves.0.into()).max()
}

/// No table that can be made has more positions than the type can hold.
fn as_number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The columns as CSV with a header line. A cell with `None` is empty.
///
/// # Errors
///
/// If they cannot be written.
pub fn csv(columns: &[Column]) -> Result<Vec<u8>, ReportError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.iter().map(|column| &column.name))?;
    let rows = columns.first().map_or(0, |column| match &column.cells {
        ColumnCells::Words(cells) => cells.len(),
        ColumnCells::Numbers(cells) => cells.len(),
    });
    for row in 0..rows {
        let cell = |column: &Column| match &column.cells {
            ColumnCells::Words(cells) => cells.get(row).cloned().flatten().unwrap_or_default(),
            ColumnCells::Numbers(cells) => {
                cells.get(row).copied().flatten().map_or_else(String::new, |n| n.to_string())
            }
        };
        writer.write_record(columns.iter().map(cell))?;
    }
    writer.into_inner().map_err(|error| ReportError::Csv(error.into_error().into()))
}

/// The columns as Parquet: one row group, uncompressed, every column optional.
///
/// # Errors
///
/// If they cannot be written.
pub fn parquet(columns: Vec<Column>) -> Result<Vec<u8>, ReportError> {
    let field = |column: &Column| {
        let (physical, logical) = match column.cells {
            ColumnCells::Words(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnCells::Numbers(_) => (PhysicalType::INT64, None),
        };
        let field = Type::primitive_type_builder(&column.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical);
        field.build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Arc::new(Type::group_type_builder("overview").with_fields(fields).build()?);
    let properties = WriterProperties::builder()
        .set_compression(Compression::UNCOMPRESSED)
        .set_created_by("sakmak".to_string())
        .build();
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    let mut rows = file.next_row_group()?;
    for column in columns {
        let Some(mut writer) = rows.next_column()? else { break };
        match column.cells {
            ColumnCells::Words(cells) => {
                let (levels, values) = levels(cells);
                let values: Vec<ByteArray> =
                    values.into_iter().map(|word| ByteArray::from(word.into_bytes())).collect();
                writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
            }
            ColumnCells::Numbers(cells) => {
                let (levels, values) = levels(cells);
                writer.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
            }
        }
        writer.close()?;
    }
    rows.close()?;
    file.close()?;
    Ok(bytes)
}

/// The definition levels, 1 for a value and 0 for `None`, and the values.
fn levels<T>(cells: Vec<Option<T>>) -> (Vec<i16>, Vec<T>) {
    let levels = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    (levels, cells.into_iter().flatten().collect())
}
