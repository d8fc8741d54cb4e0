//! Plain exports and imports: a text is an address and a length in the memory of the module.
#![allow(unsafe_code)]

use crate::module::Module;
use crate::sources::HostFile;
use sakmak_probe::Bytes;
use std::io;
use std::mem::ManuallyDrop;
use std::sync::OnceLock;

static MODULE: OnceLock<Module> = OnceLock::new();

/// Version of the module, in a custom section of the file: `sakmak site` reads it there.
// SAFETY: no other static has the section, and the file format gives a section of this name no meaning.
#[used]
#[unsafe(link_section = "sakmak-version")]
static VERSION: [u8; env!("CARGO_PKG_VERSION").len()] = {
    let (mut version, text, mut at) = ([0; _], env!("CARGO_PKG_VERSION").as_bytes(), 0);
    while at < text.len() {
        version[at] = text[at];
        at += 1;
    }
    version
};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Copies bytes of a file to an address. Returns 1, or 0 if the host has to fetch them first.
    fn read(file: u32, offset: f64, length: usize, to: *mut u8) -> u32;
    /// Tells the host that bytes of a file will be read soon.
    safe fn expect(file: u32, offset: f64, length: usize);
}

impl Bytes for HostFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read<'a>(
        &'a self,
        offset: u64,
        length: usize,
        scratch: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        if offset.checked_add(length as u64).is_none_or(|end| end > self.length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        scratch.clear();
        scratch.try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        scratch.resize(length, 0);
        // SAFETY: the vector has the `length` bytes that the host may write, and no other reference
        // to them exists during the call.
        let is_there = unsafe { read(self.number, offset as f64, length, scratch.as_mut_ptr()) };
        if is_there == 0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(scratch) }
    }

    fn expect(&self, offset: u64, length: usize) {
        expect(self.number, offset as f64, length);
    }
}

/// Memory for a text of the host.
// SAFETY: no other export has the name; the same holds for the exports below.
#[unsafe(no_mangle)]
extern "C" fn text_new(length: usize) -> *mut u8 {
    ManuallyDrop::new(vec![0_u8; length].into_boxed_slice()).as_mut_ptr()
}

/// Frees a text.
///
/// # Safety
///
/// The text came from [`text_new`], [`ask`] or [`solve`] with this length, and is freed once.
#[unsafe(no_mangle)]
unsafe extern "C" fn text_free(text: *mut u8, length: usize) {
    // SAFETY: all of these functions leak a boxed slice of this address and length; the caller
    // promises that the slice is not freed yet.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(text, length)) });
}

/// The text of the host.
///
/// # Safety
///
/// The text came from [`text_new`] with this length and is neither freed nor written to while the
/// reference lives.
unsafe fn text<'a>(text: *const u8, length: usize) -> &'a str {
    // SAFETY: the caller promises the length; `text_new` has initialised the bytes.
    let bytes = unsafe { std::slice::from_raw_parts(text, length) };
    str::from_utf8(bytes).unwrap_or_default()
}

/// The address of a text in the lower half, its length in the upper half. The host frees the text.
fn leaked(text: String) -> u64 {
    let mut bytes = ManuallyDrop::new(text.into_bytes().into_boxed_slice());
    (bytes.len() as u64) << 32 | bytes.as_mut_ptr().addr() as u64
}

/// Starts the module with the files of a list, see [`Module::new`]. Returns 1, or 0 if the list
/// cannot be read or the module is started already.
///
/// # Safety
///
/// The list came from [`text_new`].
#[unsafe(no_mangle)]
unsafe extern "C" fn start(list: *const u8, length: usize) -> u32 {
    // SAFETY: the caller promises that the text is valid, and the text is not used after the call.
    let list = unsafe { text(list, length) };
    let module = Module::new(list, |file| Box::new(file));
    u32::from(module.is_some_and(|module| MODULE.set(module).is_ok()))
}

/// Calls [`Module::ask`]. Returns an empty text before [`start`].
///
/// # Safety
///
/// The request came from [`text_new`].
#[unsafe(no_mangle)]
unsafe extern "C" fn ask(request: *const u8, length: usize) -> u64 {
    // SAFETY: the caller promises that the text is valid, and the text is not used after the call.
    let request = unsafe { text(request, length) };
    leaked(MODULE.get().map_or_else(String::new, |module| module.ask(request)))
}

/// Calls [`Module::solve`]. Returns an empty text before [`start`].
///
/// # Safety
///
/// The request came from [`text_new`].
#[unsafe(no_mangle)]
unsafe extern "C" fn solve(request: *const u8, length: usize) -> u64 {
    // SAFETY: the caller promises that the text is valid, and the text is not used after the call.
    let request = unsafe { text(request, length) };
    leaked(MODULE.get().map_or_else(String::new, |module| module.solve(request)))
}
