//! Packed files, read by a reader written from `FORMAT.md` alone, against the solved tables.
//!
//! The reader shares no code with the format, the codec and the tiles. Legality, moves and the
//! slots of solved tables come from the library.

use crate::scratch::packed::PackedReader;
use crate::scratch::slots::placed;
use sakmak_make::output::packed::{PackOptions, pack};
use sakmak_make::store::TableStore;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use sakmak_tables::values::{Coding, Values};
use sakmak_tables::variants::MAKRUK;

/// A packed table with all that a probe needs.
struct PackedProbe {
    name: &'static str,
    solved: TableStore<'static>,
    packed: PackedReader,
    /// The codes of each tile.
    codes: Vec<[i32; 64]>,
}

impl PackedProbe {
    /// The value of a position from the solved tables.
    fn solved(&self, position: &Position) -> Value {
        let oriented = position.material();
        if oriented.material == Material::BARE_KINGS {
            return Value::Draw;
        }
        let table = self.solved.memory.get(TableName::to_mate(oriented.material)).unwrap();
        let place = Address::of(position, oriented.flipped, table.index()).unwrap();
        table.value(place.side, place.slot).unwrap()
    }

    /// The best value of the captures and promotions from the solved tables and, if `others` is
    /// set, of the other moves from the packed file.
    fn best(&self, position: &Position, others: bool) -> Option<Value> {
        let value = |mv: &_| {
            let next = position.play_uncounted(*mv);
            match position.at(mv.to).is_some() || mv.promotion.is_some() {
                true => Some(self.solved(&next).before_move()),
                false => others.then(|| self.value(&next).before_move()),
            }
        };
        position.legal_moves().iter().filter_map(value).max_by_key(|value| value.preference())
    }

    /// The value of a position of the material from the packed file.
    fn value(&self, position: &Position) -> Value {
        let men = position.pieces().map(|(m, q)| (m.side.index(), m.kind.letter(), q.index()));
        let placed = placed(self.name, position.side().index(), men.collect());
        if placed.side != self.packed.kept.index() {
            let over = if position.in_check(position.side()) {
                Value::Loss(Moves(0))
            } else {
                Value::Draw
            };
            return self.best(position, true).unwrap_or(over);
        }
        let (tile, square) = self.packed.locate(&placed);
        let value = self.packed.value(self.codes[tile][square]);
        let capture = self.packed.dont_care.then(|| self.best(position, false)).flatten();
        capture.into_iter().chain([value]).max_by_key(|value| value.preference()).unwrap()
    }
}

fn legal(table: &Table, slot: Slot, side: Side) -> Option<Position> {
    let placement = table.index().placement(slot);
    let position = Position::new(&MAKRUK, side, table.index().placed(&placement)).ok()?;
    position.legality().is_ok().then_some(position)
}

/// Packs a table, decodes all of it and compares it.
fn decode_all(
    name: &'static str,
    solved: TableStore<'static>,
    table: &Table,
    tiles: usize,
) -> PackedProbe {
    let successors = table.index().material().successors(&MAKRUK.rules);
    let get = |material| solved.memory.get(TableName::to_mate(material)).unwrap();
    let smaller: Vec<_> = successors.into_iter().map(get).collect();
    let smaller: Vec<&dyn TableCodes> =
        smaller.iter().map(|table| &**table as &dyn TableCodes).collect();
    let directory = tempfile::tempdir().unwrap();
    // With don't-care squares.
    let options = PackOptions { tiles, converted_men: 0, ..PackOptions::default() };
    let file =
        pack(table, Metric::DistanceToMate, &MAKRUK, &smaller, directory.path(), options, &|_| ())
            .unwrap()
            .file;
    let packed = PackedReader::open(name, std::fs::read(file.path).unwrap());
    let mut tables = PackedProbe { name, solved, packed, codes: Vec::new() };

    // Every kept square is right, and no legal position is missing.
    let kept = tables.packed.kept;
    let mut seen = vec![false; table.index().slots() as usize];
    for block in 0..tables.packed.blocks {
        for (codes, positions) in tables.packed.block(block) {
            for (code, position) in codes.into_iter().zip(&positions) {
                let Some(position) = position else { continue };
                let slot = Address::of(position, false, table.index()).unwrap().slot;
                assert!(!std::mem::replace(&mut seen[slot.0 as usize], true));
                let (value, truth) = (tables.packed.value(code), table.value(kept, slot).unwrap());
                if value != truth {
                    assert!(tables.packed.dont_care && value.preference() < truth.preference());
                    assert_eq!(tables.best(position, false), Some(truth), "{}", position.fen());
                }
            }
            tables.codes.push(codes);
        }
    }
    for slot in (0..table.index().slots()).map(Slot) {
        assert!(seen[slot.0 as usize] || legal(table, slot, kept).is_none(), "{name} {slot:?}");
    }
    tables
}

fn check(name: &'static str, tiles: usize) {
    let solved = TableStore::in_memory(&MAKRUK.rules);
    let table = solved.table(name.parse().unwrap()).unwrap();
    let tables = decode_all(name, solved, &table, tiles);
    // Some positions one by one, with either side to move.
    for slot in (0..table.index().slots()).step_by(97).map(Slot) {
        for &side in Table::sides(table.index()) {
            if let Some(position) = legal(&table, slot, side) {
                assert_eq!(Some(tables.value(&position)), table.value(side, slot));
            }
        }
    }
}

#[test]
fn one_piece_of_each_side() {
    check("KRvKM", 16);
}

#[test]
fn khon_and_pawn() {
    check("KSPvK", 4);
}

#[test]
fn like_pieces() {
    check("KRRvK", 64);
}

#[test]
fn like_pawns() {
    check("KPPvK", 2);
}

#[test]
fn the_same_pieces_on_either_side() {
    check("KRvKR", 1);
}

/// Tables of few men have at most 256 codes.
#[test]
fn codes_of_three_and_four_digits() {
    for longest in [300, 5000] {
        let index = Index::new("KRvK".parse().unwrap(), &MAKRUK.rules);
        let values = |coding: Coding| {
            // Some runs of equal codes, some noise.
            let code = |slot: u64| {
                (slot / 5 * slot.trailing_ones() as u64 * 31) % u64::from(coding.codes())
            };
            let codes = (0..index.slots()).map(code);
            Values::new(
                coding,
                codes.flat_map(|code| (code as u16).to_le_bytes()).collect::<Vec<u8>>(),
            )
        };
        let [one, other] = [Some(Moves(longest)), None]
            .map(|losses| values(Coding { wins: Moves(longest), losses }));
        let table = Table::new(index.clone(), one, Some(other));
        decode_all("KRvK", TableStore::in_memory(&MAKRUK.rules), &table, 3);
    }
}
