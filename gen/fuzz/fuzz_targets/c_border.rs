#![no_main]
//! Any fields, text and null pointers through the functions of `sakmak.h`: results or error codes
//! in their ranges, the same error from every function, and nothing written past a buffer.
// Foreign functions are called; each pointer is null or points to a local of the call.
#![allow(unsafe_code)]

// Links the symbols of the C library.
extern crate sakmak as _;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use sakmak_fuzz::tables;
use sakmak_tables::variants;
use std::ffi::{CStr, CString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::ptr;
use std::sync::LazyLock;

/// `sakmak_tablebase`.
#[repr(C)]
struct CTablebase {
    _private: [u8; 0],
}

/// `sakmak_position`.
#[derive(Arbitrary, Clone, Copy, Default, Debug, PartialEq)]
#[repr(C)]
struct CPosition {
    sides: [u64; 2],
    kinds: [u64; 6],
    turn: u8,
    counting: u8,
    count_limit: u16,
    count: u16,
    reserved: u16,
}

/// `sakmak_distance`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct CDistance {
    dtm_plies: i32,
    dtm_moves: i32,
    counted: i32,
}

/// `sakmak_count`: four bytes, then six numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct CCount {
    parties: [u8; 4],
    numbers: [u16; 6],
}

/// `sakmak_move`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct CMove {
    from: u8,
    to: u8,
    promotion: u8,
    category: u8,
    distance: CDistance,
    mate_in_time: i32,
    uci: [u8; 8],
    san: [u8; 16],
}

#[rustfmt::skip]
unsafe extern "C" {
    fn sakmak_open_with(directory: *const c_char, access: *const c_char) -> *mut CTablebase;
    fn sakmak_add_directory(tables: *const CTablebase, directory: *const c_char) -> c_int;
    fn sakmak_close(tables: *mut CTablebase);
    fn sakmak_counting_named(counting: *const c_char) -> c_int;
    fn sakmak_position_from_fen(fen: *const c_char, counting: *const c_char, position: *mut CPosition) -> c_int;
    fn sakmak_probe_category(tables: *const CTablebase, position: *const CPosition) -> c_int;
    fn sakmak_probe_wdl(tables: *const CTablebase, position: *const CPosition) -> c_int;
    fn sakmak_probe_wdl_counted(tables: *const CTablebase, position: *const CPosition) -> c_int;
    fn sakmak_probe_wdl_batch(tables: *const CTablebase, positions: *const CPosition, count: usize, categories: *mut c_int) -> c_int;
    fn sakmak_probe_distance(tables: *const CTablebase, position: *const CPosition, distance: *mut CDistance) -> c_int;
    fn sakmak_probe_mate_in_time(tables: *const CTablebase, position: *const CPosition, moves: *mut i32) -> c_int;
    fn sakmak_probe_count(tables: *const CTablebase, position: *const CPosition, count: *mut CCount) -> c_int;
    fn sakmak_fen(position: *const CPosition, fen: *mut c_char, size: usize) -> c_int;
    fn sakmak_square_named(name: *const c_char) -> c_int;
    fn sakmak_largest(tables: *const CTablebase, counting: c_int) -> c_int;
    fn sakmak_best_move(tables: *const CTablebase, position: *const CPosition, best: *mut CMove) -> c_int;
    fn sakmak_moves(tables: *const CTablebase, position: *const CPosition, moves: *mut CMove, capacity: usize) -> c_int;
    fn sakmak_line(tables: *const CTablebase, position: *const CPosition, line: *mut c_char, size: usize) -> c_int;
    fn sakmak_counted_line(tables: *const CTablebase, position: *const CPosition, line: *mut c_char, size: usize) -> c_int;
    fn sakmak_error_text(text: *mut c_char, size: usize) -> c_int;
    fn sakmak_last_error() -> *const c_char;
}

/// `SAKMAK_INTERNAL`: a panic was caught. The library must not have any.
const INTERNAL: c_int = -9;
/// `SAKMAK_MISSING_TABLE`.
const MISSING_TABLE: c_int = -6;
/// `SAKMAK_BROKEN_FILE`. No file is broken here.
const BROKEN_FILE: c_int = -8;
/// The lowest error code.
const LOWEST: c_int = -32;
/// The greatest category.
const WIN: c_int = 4;

/// Content of memory before a call and, beyond the buffer, after it.
const UNTOUCHED: u8 = 0xa5;
const NO_DISTANCE: CDistance = CDistance { dtm_plies: -77, dtm_moves: -77, counted: -77 };
const NO_MATE: i32 = -77;
const NO_COUNT: CCount = CCount { parties: [UNTOUCHED; 4], numbers: [0xa5a5; 6] };
const NO_MOVE: CMove = CMove {
    from: UNTOUCHED,
    to: UNTOUCHED,
    promotion: UNTOUCHED,
    category: UNTOUCHED,
    distance: NO_DISTANCE,
    mate_in_time: NO_MATE,
    uci: [UNTOUCHED; 8],
    san: [UNTOUCHED; 16],
};
/// The maximum number of entries of a buffer.
const ROOM: usize = 300;

#[derive(Arbitrary, Debug)]
struct CBorderInput<'a> {
    /// Whether files are read or mapped.
    read: bool,
    position: PositionChoice<'a>,
    capacity: u16,
    /// The other positions of a batch, and null instead of an argument.
    others: Vec<CPosition>,
    null: Option<u8>,
    text: &'a [u8],
}

#[derive(Arbitrary, Debug)]
enum PositionChoice<'a> {
    /// Any fields.
    Random(CPosition),
    /// A few pieces, then changed fields.
    Placed { pieces: [(u8, u8, bool); 4], turn: bool, counting: u8, clock: (u16, u16), flips: u64 },
    /// Any text.
    Fen(&'a [u8], &'a [u8]),
}

impl PositionChoice<'_> {
    fn position(&self) -> CPosition {
        match self {
            PositionChoice::Random(position) => *position,
            &PositionChoice::Placed { pieces, turn, counting, clock, flips } => {
                let mut position = CPosition {
                    turn: turn.into(),
                    counting: counting % (greatest_counting() as u8 + 2),
                    count_limit: clock.0 % 140,
                    count: clock.1 % 140,
                    ..CPosition::default()
                };
                let kings = [(0, pieces[0].1, false), (0, pieces[1].1, true)];
                for (kind, square, black) in kings.into_iter().chain(pieces[2..].iter().copied()) {
                    let bit = 1 << (square % 64);
                    position.sides[usize::from(black)] |= bit;
                    position.kinds[usize::from(kind) % 6] |= bit;
                }
                // Usually no rule.
                if flips >> 60 == 1 {
                    position.kinds[flips as usize % 6] ^= 1 << (flips >> 8 & 63);
                }
                position
            }
            PositionChoice::Fen(fen, counting) => {
                let mut position = CPosition::default();
                let (fen, counting) = (c_text(fen), c_text(counting));
                // SAFETY: both are text that ends with a zero, and the position is a local.
                let code = unsafe {
                    sakmak_position_from_fen(fen.as_ptr(), counting.as_ptr(), &mut position)
                };
                assert!(code == 0 || position == CPosition::default(), "{code}");
                check(code, 0);
                position
            }
        }
    }
}

/// Two tablebases: mapped, and read.
struct OpenTablebases([*mut CTablebase; 2]);

// SAFETY: the header allows calls from any thread.
unsafe impl Send for OpenTablebases {}
// SAFETY: as above.
unsafe impl Sync for OpenTablebases {}

static OPENED: LazyLock<OpenTablebases> = LazyLock::new(|| {
    let directory = CString::new(tables::directory().as_os_str().as_bytes()).expect("a path");
    // SAFETY: both arguments are text that ends with a zero.
    OpenTablebases([c"mapped", c"read"].map(|access| unsafe {
        let opened = sakmak_open_with(directory.as_ptr(), access.as_ptr());
        assert!(!opened.is_null(), "{}", message());
        opened
    }))
});

fn c_text(bytes: &[u8]) -> CString {
    CString::new(bytes.split(|&byte| byte == 0).next().unwrap_or_default()).expect("no zero")
}

/// The greatest number of a counting rule; they begin with 1.
fn greatest_counting() -> c_int {
    variants::counting_rules().map(|rule| rule.id).max().expect("a counting rule") as c_int
}

/// The last message.
fn message() -> String {
    // SAFETY: the text is valid until the next error of this thread.
    unsafe { CStr::from_ptr(sakmak_last_error()) }.to_str().expect("UTF-8").to_string()
}

/// Checks that a result is in its range and an error has a message in one line.
fn check(code: c_int, greatest: c_int) {
    assert!((LOWEST..=greatest).contains(&code), "{code}");
    if code < 0 {
        let message = message();
        assert!(code != INTERNAL && code != BROKEN_FILE, "{code}: {message}");
        assert!(!message.is_empty() && !message.contains('\n'), "{code}: {message}");
    }
}

fuzz_target!(init: LazyLock::force(&OPENED), |input: CBorderInput| try_it(&input));

fn try_it(input: &CBorderInput) {
    let tables: *const CTablebase = OPENED.0[usize::from(input.read)];
    let position = input.position.position();
    let capacity = usize::from(input.capacity) % ROOM;
    // SAFETY: every pointer is null or points to locals with the stated room.
    unsafe {
        let category = sakmak_probe_category(tables, &position);
        check(category, WIN);
        let mut distance = NO_DISTANCE;
        let mut codes = vec![(category, sakmak_probe_distance(tables, &position, &mut distance))];
        assert_eq!(codes[0].1 < 0, distance == NO_DISTANCE);
        let mut mate = NO_MATE;
        codes.push((category, sakmak_probe_mate_in_time(tables, &position, &mut mate)));
        assert_eq!(codes[1].1 < 0, mate == NO_MATE);
        let mut best = NO_MOVE;
        let found = sakmak_best_move(tables, &position, &mut best);
        assert_eq!(found == 1, best != NO_MOVE);
        codes.push((category, found));

        let mut counted = NO_COUNT;
        let found = sakmak_probe_count(tables, &position, &mut counted);
        assert_eq!(found == 1, counted != NO_COUNT);
        codes.push((category, found));
        let counted = sakmak_probe_wdl_counted(tables, &position);
        check(counted, WIN);
        assert!(counted == category || [counted, category].contains(&MISSING_TABLE));
        check(sakmak_largest(tables, input.capacity.into()), 8);

        let mut fen = [UNTOUCHED; ROOM + 1];
        let length = sakmak_fen(&position, fen.as_mut_ptr().cast(), capacity);
        check(length, 127);
        assert!(fen[capacity..].iter().all(|&byte| byte == UNTOUCHED));
        if length >= 0 && capacity > 127 {
            let mut again = CPosition::default();
            let number = u32::from(position.counting);
            let mut rules = variants::counting_rules();
            let rule = rules.find(|rule| rule.id == number).expect("a counting rule");
            let counting = c_text(rule.name.as_bytes());
            let code = sakmak_position_from_fen(fen.as_ptr().cast(), counting.as_ptr(), &mut again);
            // The count of bare kings is dropped.
            let same = CPosition { count_limit: 0, count: 0, ..again };
            let given = CPosition { count_limit: 0, count: 0, ..position };
            assert!(code < 0 || same == given, "{position:?} became {again:?}");
        }

        let mut moves = [NO_MOVE; ROOM + 1];
        let count = sakmak_moves(tables, &position, moves.as_mut_ptr(), capacity);
        let written = usize::try_from(count).map_or(0, |count| count.min(capacity));
        assert!(moves[written..].iter().all(|mv| *mv == NO_MOVE));
        assert!(moves[..written].iter().all(|mv| *mv != NO_MOVE));
        assert!(written == 0 || moves[0] == best);
        codes.push((category, count));

        for line in [sakmak_line, sakmak_counted_line] {
            let mut text = [UNTOUCHED; ROOM + 1];
            let length = line(tables, &position, text.as_mut_ptr().cast(), capacity);
            codes.push((category, length));
            match length < 0 || capacity == 0 {
                true => assert!(text.iter().all(|&byte| byte == UNTOUCHED)),
                false => {
                    let end = (length as usize).min(capacity - 1);
                    assert!(text[..end].is_ascii() && text[end] == 0);
                    assert!(text[end + 1..].iter().all(|&byte| byte == UNTOUCHED));
                }
            }
        }
        for (category, code) in codes {
            check(code, c_int::MAX);
            // Another answer may need another table.
            let same = code == category || [code, category].contains(&MISSING_TABLE);
            assert!(same || (code >= 0 && category >= 0), "{category} and {code}: {position:?}");
        }

        let mut batch = vec![position];
        batch.extend(input.others.iter().take(8));
        let mut categories = vec![c_int::MIN; batch.len() + 1];
        let code =
            sakmak_probe_wdl_batch(tables, batch.as_ptr(), batch.len(), categories.as_mut_ptr());
        assert_eq!((code, categories.pop()), (0, Some(c_int::MIN)));
        for (position, &category) in batch.iter().zip(&categories) {
            assert_eq!(sakmak_probe_wdl(tables, position), category);
            check(category, WIN);
        }
    }
    if let Some(null) = input.null {
        with_null(null, tables, &position, &c_text(input.text));
    }
}

/// Null or any text instead of an argument: an error, and never a result.
fn with_null(which: u8, tables: *const CTablebase, position: &CPosition, text: &CStr) {
    let (no_tables, no_position) = (ptr::null(), ptr::null());
    // SAFETY: every pointer is null, text that ends with a zero, or points to the stated object.
    unsafe {
        let code = match which % 12 {
            0 => sakmak_probe_category(no_tables, position),
            1 => sakmak_probe_category(tables, no_position),
            2 => sakmak_probe_distance(tables, position, ptr::null_mut()),
            3 => sakmak_moves(tables, no_position, ptr::null_mut(), 1),
            4 => sakmak_line(no_tables, position, ptr::null_mut(), 1),
            5 => sakmak_probe_wdl_batch(tables, no_position, 1, ptr::null_mut()),
            6 => sakmak_position_from_fen(ptr::null(), text.as_ptr(), ptr::null_mut()),
            7 => sakmak_add_directory(tables, ptr::null()),
            9 => sakmak_probe_mate_in_time(tables, position, ptr::null_mut()),
            8 => {
                let code = sakmak_counting_named(text.as_ptr());
                check(code, greatest_counting());
                check(sakmak_square_named(text.as_ptr()), 63);
                let length = sakmak_error_text(ptr::null_mut(), 0);
                assert_eq!(length, message().len() as c_int);
                return;
            }
            10 => sakmak_fen(no_position, ptr::null_mut(), 0),
            _ => {
                let opened = sakmak_open_with(ptr::null(), text.as_ptr());
                assert!(!opened.is_null() || !message().is_empty());
                sakmak_close(opened);
                return;
            }
        };
        check(code, -1);
    }
}
