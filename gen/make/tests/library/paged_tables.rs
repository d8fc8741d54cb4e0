//! Tables read page by page.

use sakmak_make::output::solved::{WriteOptions, write};
use sakmak_make::store::TableStore;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::solved::SolvedFile;
use sakmak_solve::slots::paged_table::PagedTable;
use sakmak_tables::index::Slot;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::MAKRUK;

#[test]
fn a_page_that_cannot_be_read_is_an_error_and_the_others_have_the_codes_of_the_table() {
    let rules = &MAKRUK.rules;
    let name = "KRvKM".parse().unwrap();
    let table = TableStore::in_memory(rules).table(name).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = write(&*table, rules, directory.path(), &WriteOptions::default()).unwrap().path;
    let mut bytes = std::fs::read(&path).unwrap();
    // In the middle of the blocks.
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let file = SolvedFile::open(&path, Access::default(), name, rules).unwrap();
    let (whole, paged) = (PagedTable::new(&*table), PagedTable::new(&file));
    let slots = (0..table.index().slots()).step_by(1009).map(Slot);
    let (mut same, mut unread) = (0, 0);
    for side in Side::BOTH {
        let [whole, paged] = [&whole, &paged].map(|table| table.side(side).unwrap());
        for slot in slots.clone() {
            match paged.code(slot) {
                None => unread += 1,
                code => {
                    assert_eq!(code, whole.code(slot));
                    same += 1;
                }
            }
        }
    }
    assert!(same > 1000 && unread > 0, "{same} {unread}");
    assert!(whole.ensure_read().is_ok() && paged.ensure_read().is_err());
}
