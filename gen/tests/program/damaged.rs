//! Table files that are damaged, or have the wrong name.

use crate::sakmak::{ProgramRun, files, generated, sakmak, sakmak_with};
use sakmak_tables::format::solved::offsets::ROW_LENGTH;
use sakmak_tables::format::{HEADER_LENGTH, TRAILER_LENGTH};
use std::path::Path;

const NAME: &str = "KRvK.dtm.smt";

/// The commands that read the table, and whether they read all of it. The last one needs it to
/// make another table.
const READERS: [(&[&str], bool); 3] = [
    (&["probe", "8/8/8/3k4/8/8/4R3/4K3 w"], false),
    (&["stats", "KRvK"], true),
    (&["generate", "KRNvK"], true),
];

/// Runs a reader and removes the table that it may have made.
fn read(directory: &Path, reader: &[&str]) -> ProgramRun {
    let run = sakmak_with(directory, reader);
    let _ = std::fs::remove_file(directory.join("KRNvK.dtm.smt"));
    run
}

/// Writes these bytes as the table and returns which readers refuse them. A refusal names the
/// file and writes no file.
fn refused_by(directory: &Path, bytes: &[u8], reason: &str) -> Vec<bool> {
    let path = directory.join(NAME);
    std::fs::write(&path, bytes).unwrap();
    let before = files(directory);
    let named = |run: &ProgramRun| {
        let message = run.complaint(1);
        assert!(message.contains(path.to_str().unwrap()), "{message}");
        assert!(message.contains(reason), "{reason}: {message}");
        assert_eq!(files(directory), before);
    };
    named(&sakmak(["verify".as_ref(), "--tables".as_ref(), directory]));
    named(&sakmak_with(directory, &["verify", "KRvK"]));
    READERS
        .iter()
        .map(|(reader, _)| {
            let run = read(directory, reader);
            let refused = run.code != Some(0);
            if refused {
                named(&run);
            }
            refused
        })
        .collect()
}

#[test]
fn a_table_cut_short_is_refused() {
    let directory = generated(&["KRvK", "KNvK"]);
    let good = files(directory.path())[NAME].clone();
    for length in [0, 1, HEADER_LENGTH, 200, good.len() / 2, good.len() - 1] {
        let refused = refused_by(directory.path(), &good[..length], "cut short");
        assert_eq!(refused, [true; READERS.len()], "{length} bytes");
    }
}

#[test]
fn a_table_of_another_version_or_material_is_refused() {
    let directory = generated(&["KRvK", "KNvK"]);
    let good = files(directory.path());
    let mut version = good[NAME].clone();
    version[8] += 1;
    let refused = refused_by(directory.path(), &version, "version 2");
    assert_eq!(refused, [true; READERS.len()]);
    let reason = "holds the table of KNvK, not of KRvK";
    let refused = refused_by(directory.path(), &good["KNvK.dtm.smt"], reason);
    assert_eq!(refused, [true; READERS.len()]);
    let refused = refused_by(directory.path(), &[b'x'; 1000], "not a solved file of Sakmak");
    assert_eq!(refused, [true; READERS.len()]);
}

#[test]
fn a_flipped_byte_is_refused_by_whoever_reads_it() {
    let directory = generated(&["KRvK", "KNvK"]);
    let good = files(directory.path())[NAME].clone();
    let right: Vec<String> =
        READERS.iter().map(|(reader, _)| read(directory.path(), reader).printed()).collect();
    let rows = good.len() - TRAILER_LENGTH - ROW_LENGTH;
    let parts = [
        ("header", 0..HEADER_LENGTH),
        ("block", HEADER_LENGTH..rows),
        ("offsets", rows..rows + ROW_LENGTH),
        ("trailer", rows + ROW_LENGTH..good.len()),
    ];
    for (part, range) in parts {
        let mut refusals = [0; READERS.len()];
        let places: Vec<usize> = range.clone().step_by(1 + range.len() / 5).collect();
        for &place in places.iter().chain([&(range.end - 1)]) {
            let mut bytes = good.clone();
            bytes[place] ^= 0x10;
            let refused = refused_by(directory.path(), &bytes, "");
            for (number, refused) in refused.into_iter().enumerate() {
                let (reader, reads_all) = READERS[number];
                refusals[number] += usize::from(refused);
                // Only verify reads the checksum in the last bytes of the file.
                let must = reads_all && part != "trailer" || part == "header";
                assert!(refused || !must, "{part} byte {place}: {reader:?}");
                if !refused && reader[0] != "generate" {
                    assert_eq!(read(directory.path(), reader).printed(), right[number]);
                }
            }
        }
        assert!(refusals.iter().all(|&refusals| refusals > 0), "{part}: {refusals:?}");
    }
}

#[test]
fn a_directory_or_a_pipe_in_the_place_of_a_table_is_refused_at_once() {
    let directory = generated(&["KNvK"]);
    let path = directory.path().join(NAME);
    let expected = format!("{}: not a regular file", path.display());
    let refused = || {
        for (reader, _) in READERS {
            let run = sakmak_with(directory.path(), reader);
            assert!(run.refusal(1).contains(&expected), "{run:?}");
        }
        let run = sakmak(["verify".as_ref(), "--tables".as_ref(), directory.path()]);
        assert!(run.complaint(1).contains(&expected), "{run:?}");
    };
    std::fs::create_dir(&path).unwrap();
    refused();
    if cfg!(unix) {
        std::fs::remove_dir(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        refused();
    }
}

#[test]
fn a_file_with_the_name_of_no_material_is_named_by_verify() {
    let directory = generated(&["KRvK"]);
    for name in ["KXvK.dtm.smt", "KvKR.dtm.smt", "KRvK.smt"] {
        let path = directory.path().join(name);
        std::fs::write(&path, "").unwrap();
        let run = sakmak(["verify".as_ref(), "--tables".as_ref(), directory.path()]);
        assert!(run.refusal(1).contains(path.to_str().unwrap()), "{run:?}");
        std::fs::remove_file(&path).unwrap();
    }
}
