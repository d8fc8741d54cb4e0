//! The census equals its definition: a count slot by slot.

use crate::census::*;
use sakmak_solve::slots::legal::legal_position;
use sakmak_solve::slots::walk::Walk;
use sakmak_tables::index::Index;
use sakmak_tables::values::Values;
use sakmak_tables::variants::MAKRUK;
use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The census by definition: each legal slot with its weight.
fn defined(table: &Table, side: Side) -> Census {
    let index = table.index();
    let mut census = Census::default();
    for (slot, placement) in Walk::over(index, Slot(0)..Slot(index.slots())) {
        if legal_position(index, &placement, side, &MAKRUK).is_none() {
            continue;
        }
        let weight = index.weight(slot);
        let (distances, moves) = match table.value(side, slot).unwrap() {
            Value::Draw => {
                census.draws += weight;
                continue;
            }
            Value::Win(moves) => (&mut census.wins, moves),
            Value::Loss(moves) => (&mut census.losses, moves),
        };
        *distances.histogram.entry(moves).or_default() += weight;
        distances.first.entry(moves).or_insert(slot);
    }
    census
}

/// A table with runs of values, different for each side; some codes are in illegal slots only.
fn table(name: &str, coding: Coding) -> Table {
    let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
    let values = |side: Side| {
        let code = |slot: u64| {
            let seed = side.index() as u64;
            let random = |number: u64| xxh3_64_with_seed(&number.to_le_bytes(), seed);
            let run = if random(slot / 512) % 3 == 0 { slot / 256 } else { slot };
            // Long distances are rare.
            let random = random(run);
            (random % (1 + random / 64 % u64::from(coding.codes()))) as u16
        };
        let codes = (0..index.slots())
            .flat_map(|slot| code(slot).to_le_bytes().into_iter().take(coding.width()));
        Values::new(coding, codes.collect::<Vec<u8>>())
    };
    let black = Table::sides(&index).contains(&Side::Black).then(|| values(Side::Black));
    Table::new(index.clone(), values(Side::White), black)
}

const NARROW: Coding = Coding { wins: Moves(90), losses: Some(Moves(60)) };
const WIDE: Coding = Coding { wins: Moves(300), losses: Some(Moves(900)) };

#[test]
fn all_is_counted_as_slot_by_slot() {
    for (name, coding) in [
        ("KRvK", NARROW),
        ("KSvK", WIDE),
        ("KPvK", NARROW),
        ("KRvKR", NARROW),
        ("KMMvK", WIDE),
        ("KPPvK", NARROW),
        ("KPvKP", WIDE),
        ("KRvKP", NARROW),
        ("KPPPvK", NARROW),
    ] {
        let table = table(name, coding);
        let defined = [Side::White, Side::Black].map(|side| {
            table.values(side)?;
            Some(defined(&table, side))
        });
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let census = pool.install(|| Census::of(&table, &MAKRUK.rules, &|_| ()));
            assert!(census.unwrap() == defined, "{name}");
        }
    }
}

#[test]
fn progress_comes_to_all_slots() {
    for name in ["KRvK", "KMvKM", "KRMvK"] {
        let table = table(name, NARROW);
        let done = std::sync::atomic::AtomicU64::new(0);
        let progress = |slots| {
            done.fetch_add(slots, std::sync::atomic::Ordering::Relaxed);
        };
        Census::of(&table, &MAKRUK.rules, &progress).unwrap();
        let sides = Table::sides(table.index()).len() as u64;
        assert_eq!(done.into_inner(), sides * table.index().slots());
    }
}

#[test]
fn the_first_legal_slot_without_a_value_is_named() {
    for (name, side, coding) in
        [("KRvK", Side::Black, NARROW), ("KPvKP", Side::White, NARROW), ("KPvK", Side::Black, WIDE)]
    {
        let table = table(name, coding);
        let index = table.index();
        let legal =
            |slot: &Slot| legal_position(index, &index.placement(*slot), side, &MAKRUK).is_some();
        let from = |slot: u64| (slot..index.slots()).map(Slot);
        let first = from(index.slots() / 3).find(legal).unwrap();
        let illegal = from(0).find(|slot| !legal(slot)).unwrap();
        let [white, black] = Side::BOTH.map(|other| {
            let values = table.values(other)?;
            let mut codes = values.codes().to_vec();
            for slot in from(first.0).filter(|_| other == side).chain([illegal]) {
                let width = coding.width();
                codes[slot.0 as usize * width..][..width].fill(u8::MAX);
            }
            Some(Values::new(coding, codes))
        });
        let wrong = Table::new(index.clone(), white.unwrap(), black);
        match Census::of(&wrong, &MAKRUK.rules, &|_| ()).unwrap_err() {
            CensusError::NoValue { address, .. } => {
                assert_eq!(address, Address { side, slot: first })
            }
            error => panic!("{error}"),
        }
    }
}

#[test]
fn codes_that_cannot_be_read_or_are_too_few_are_an_error() {
    /// A table whose codes cannot be read in full.
    struct BrokenTable(Table, fn(&[u8]) -> io::Result<Cow<'_, [u8]>>);
    impl TableCodes for BrokenTable {
        fn index(&self) -> &Index {
            self.0.index()
        }

        fn coding(&self, side: Side) -> Option<Coding> {
            TableCodes::coding(&self.0, side)
        }

        fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
            self.1(self.0.values(side).unwrap().window(slots))
        }
    }
    fn short(codes: &[u8]) -> io::Result<Cow<'_, [u8]>> {
        Ok(Cow::Borrowed(&codes[1..]))
    }
    fn gone(_: &[u8]) -> io::Result<Cow<'_, [u8]>> {
        Err(io::ErrorKind::NotFound.into())
    }
    for window in [short, gone] {
        let broken = BrokenTable(table("KRvK", NARROW), window);
        let error = Census::of(&broken, &MAKRUK.rules, &|_| ()).unwrap_err();
        assert!(matches!(error, CensusError::Io(_)), "{error}");
    }
}
