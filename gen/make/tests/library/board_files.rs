//! Tables of games by name: every value of a small material from several threads, and files that are missing or
//! damaged.

use sakmak_boards::codes::Codes;
use sakmak_boards::game::{BoardGame, closure};
use sakmak_boards::janggi::Janggi;
use sakmak_boards::list::GameName;
use sakmak_boards::notation::Notation;
use sakmak_boards::value::Value;
use sakmak_make::output::boards::write;
use sakmak_probe::boards::answer::AnswerError;
use sakmak_probe::boards::tables::BoardProbeError;
use sakmak_probe::file::board_game::{BoardGameFile, file_name};
use sakmak_probe::{Access, FileError, FileProblem, ProbeError, Tablebase};
use sakmak_solve::boards::solver::solve;
use sakmak_solve::boards::tables::Tables;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

const FEN: &str = "3k5/9/9/9/4R4/9/9/9/N8/4K4 w";

/// Solves a material and those it depends on.
fn solved(game: &Janggi, material: &str) -> Tables<Janggi> {
    let mut tables = Tables::default();
    for part in closure(game, [game.material_of_name(material).unwrap()]) {
        let codes = solve(game, part, &tables, &|_| {}).unwrap();
        tables.insert(game, part, codes);
    }
    tables
}

/// Writes the tables of `KRHvK`, or those it depends on only.
fn fill(directory: &Path, whole: bool) {
    let game = Janggi::standard();
    let material = game.material_of_name("KRHvK").unwrap();
    let tables = solved(&game, "KRHvK");
    fs::create_dir_all(directory.join("janggi")).unwrap();
    for part in closure(&game, [material]).into_iter().filter(|&part| whole || part != material) {
        let path = directory.join("janggi").join(file_name(part));
        write(&game, part, &tables.get(part).unwrap().codes, &mut File::create(path).unwrap())
            .unwrap();
    }
}

/// The name of a value without its distance.
fn name(value: Value) -> &'static str {
    match value {
        Value::Illegal => "illegal",
        Value::Draw => "draw",
        Value::Win(_) => "win",
        Value::Loss(_) => "loss",
    }
}

#[test]
fn threads_find_every_value_of_a_tier_in_files_of_two_directories() {
    let (whole, part) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fill(whole.path(), true);
    fill(part.path(), false);
    let game = Janggi::standard();
    let material = game.material_of_name("KRHvK").unwrap();
    let tables = solved(&game, "KRHvK");
    let layout = game.layout(material);
    let mut open = Tablebase::open(part.path()).unwrap();
    let missing = open.board_game(GameName::Janggi).unwrap().value_of(FEN).unwrap_err();
    assert!(
        matches!(&missing, AnswerError::Probe(BoardProbeError::Missing { table, .. }) if table == "KRHvK")
    );
    open.add_directory(whole.path()).unwrap();
    // A small cache, so that blocks replace one another.
    open.set_cache(1 << 16).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (open, game, tables, layout) = (&open, &game, &tables, &layout);
            scope.spawn(move || {
                let found = open.board_game(GameName::Janggi).unwrap();
                let mut positions = 0;
                for slot in (thread..game.size(layout)).step_by(4) {
                    let Some(position) = game.unrank(layout, slot) else { continue };
                    let value = tables.value(game, &position).unwrap();
                    match found.value_of(&game.fen(&position)) {
                        Ok(known) => assert_eq!(
                            (known.wdl().name(), known.plies().map(|plies| plies.0)),
                            (name(value), value.plies().map(u32::from))
                        ),
                        Err(error) => assert!(game.is_illegal(&position), "{error}"),
                    }
                    positions += 1;
                }
                assert!(positions > 1000);
            });
        }
    });
    let answer = open.board_game(GameName::Janggi).unwrap().answer_of(FEN, true).unwrap();
    let moves = open.board_game(GameName::Janggi).unwrap().moves_of(FEN).unwrap();
    assert_eq!(answer.moves.len(), moves.len());
    assert_eq!(answer.line.as_ref().unwrap().len() as u32, answer.value.plies().unwrap().0);
    assert_eq!(moves[0].value, answer.value);
    assert_eq!(open.board_game(GameName::Janggi).unwrap().line_of(FEN).ok(), answer.line);
}

#[test]
fn a_sparse_file_takes_no_more_memory_than_the_blocks_of_its_tier() {
    let game = Janggi::standard();
    let [material, other] = ["KRvK", "KCvK"].map(|name| game.material_of_name(name).unwrap());
    let tables = solved(&game, "KRvK");
    let mut bytes = Vec::new();
    write(&game, material, &tables.get(material).unwrap().codes, &mut bytes).unwrap();
    let slots = game.size(&game.layout(material));
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sparse");
    let open = |bytes: &[u8], of| {
        let mut file = File::create(&path).unwrap();
        file.write_all(bytes).unwrap();
        file.set_len(1 << 32).unwrap();
        let refused = BoardGameFile::open(&path, Access::default(), &game, of).unwrap_err();
        refused.problem.to_string()
    };
    for forged in [slots + 1, slots * 4096, 1 << 41, u64::MAX] {
        let mut bytes = bytes.clone();
        bytes[24..32].copy_from_slice(&forged.to_le_bytes());
        let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[..120]);
        bytes[120..128].copy_from_slice(&checksum.to_le_bytes());
        let expected = format!("the header gives {forged} slots, but its material has {slots}");
        assert_eq!(open(&bytes, material), expected);
        assert_eq!(open(&bytes, other), "holds the table of KRvK, not of KCvK");
    }
    let damaged = open(&bytes, material);
    assert!(damaged.starts_with("cut short, too long or damaged"), "{damaged}");
}

/// The call of the C library and of the Python module.
#[cfg(unix)]
#[test]
fn a_pipe_or_directory_in_the_place_of_a_table_is_refused_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("janggi/KRHvK.smg");
    fs::create_dir_all(&path).unwrap();
    let refused = || {
        let open = Tablebase::open(directory.path()).unwrap();
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            sender.send(open.board_game(GameName::Janggi).unwrap().value_of(FEN))
        });
        let answer = receiver.recv_timeout(std::time::Duration::from_secs(30)).unwrap();
        answer.unwrap_err().to_string()
    };
    let expected = format!("{}: not a regular file", path.display());
    assert_eq!(refused(), expected);
    fs::remove_dir(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    assert_eq!(refused(), expected);
}

#[test]
fn a_table_and_a_block_that_are_not_there_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    let mut open = Tablebase::new();
    let janggi = open.board_game(GameName::Janggi).unwrap();
    let error = janggi.value_of(FEN).unwrap_err().to_string();
    assert_eq!(error, "no table KRHvK of janggi: there is no directory of tables");
    let rek = open.board_game(GameName::Rek).unwrap();
    let error = rek.value_of("4k3/8/8/8/8/MMMMMMMM/8/4K3 w").unwrap_err().to_string();
    let unmakeable =
        "no table KMMMMMMMMvK of rek, and none can be made: 'KMMMMMMMMvK' is not a material";
    assert!(error.starts_with(unmakeable) && error.ends_with("at most 7 men a side"), "{error}");
    assert!(matches!(janggi.value_of("9 w"), Err(AnswerError::Fen(_))));

    drop((janggi, rek));
    fill(directory.path(), true);
    open.add_directory(directory.path()).unwrap();
    let path = directory.path().join("janggi/KRHvK.smg");
    let mut bytes = fs::read(&path).unwrap();
    // The last bytes of the last block.
    let blocks = u64::from_le_bytes(bytes[bytes.len() - 16..][..8].try_into().unwrap());
    bytes[128 + blocks as usize - 1] ^= 1;
    fs::remove_file(&path).unwrap();
    std::io::Write::write_all(&mut File::create(&path).unwrap(), &bytes).unwrap();
    let janggi = open.board_game(GameName::Janggi).unwrap();
    let damaged = |fen: &str| match janggi.value_of(fen) {
        Err(AnswerError::Probe(BoardProbeError::Probe(ProbeError::File(FileError {
            path: refused,
            problem: FileProblem::Format(_),
        })))) => {
            assert_eq!(refused, path);
            true
        }
        found => panic!("{found:?}"),
    };
    // The last position of the numbering is in the last block.
    let game = Janggi::standard();
    let layout = game.layout(game.material_of_name("KRHvK").unwrap());
    let mut last = (0..game.size(&layout)).rev().filter_map(|slot| game.unrank(&layout, slot));
    let last = last.find(|position| !game.is_illegal(position)).unwrap();
    assert!(damaged(&game.fen(&last)));
    // The error is not kept as a block.
    assert!(damaged(&game.fen(&last)));
}

#[test]
fn a_file_has_every_value_of_its_table() {
    let game = Janggi::standard();
    let material = game.material_of_name("KPPvK").unwrap();
    let tables = solved(&game, "KPPvK");
    let right = &tables.get(material).unwrap().codes;
    let mut bytes = Vec::new();
    write(&game, material, right, &mut bytes).unwrap();
    let path = Path::new("KPPvK");
    let open =
        |game: &Janggi| BoardGameFile::from_bytes(path, Box::new(bytes.clone()), game, material);
    assert!(open(&game).unwrap().codes().unwrap() == *right, "the file has something else");
    let error = open(&Janggi::casual()).unwrap_err().to_string();
    assert!(error.starts_with("KPPvK: made under other rules: fingerprint "), "{error}");
}

#[test]
fn a_table_that_does_not_reach_the_disk_is_an_error() {
    /// Takes all bytes, and keeps none.
    struct Full;
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::StorageFull.into())
        }
    }
    let game = Janggi::standard();
    let bare = game.material_of_name("KvK").unwrap();
    let error = write(&game, bare, &Codes::Narrow(vec![2; 45]), &mut Full).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
