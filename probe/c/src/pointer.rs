//! Pointers as C lends them: here they become references, or failures where they are null,
//! and nowhere else is one touched.
#![allow(unsafe_code)]

use crate::failure::Failure;
use crate::reply;
use std::ffi::{CStr, c_char, c_int};
use std::ptr;
use std::slice;

/// What a pointer points to.
///
/// # Safety
///
/// The pointer is null, or good for reading while the reference lives.
pub unsafe fn shared<'a, T>(pointer: *const T, what: &'static str) -> Result<&'a T, Failure> {
    // SAFETY: the caller of this function says so.
    unsafe { pointer.as_ref() }.ok_or(Failure::Null(what))
}

/// Writes where a pointer points to; what was there need not be anything.
///
/// # Safety
///
/// The pointer is null, or good for writing.
pub unsafe fn write<T>(pointer: *mut T, what: &'static str, value: T) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::Null(what));
    }
    // SAFETY: it is not null, and the caller of this function says that it may be written.
    unsafe { pointer.write(value) };
    Ok(())
}

/// The text at a pointer, nothing for null.
///
/// # Safety
///
/// The pointer is null, or points to bytes with a zero among them, good for reading while
/// the text lives.
pub unsafe fn text<'a>(
    pointer: *const c_char,
    what: &'static str,
) -> Result<Option<&'a str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: it is not null, and the caller of this function says that a zero comes.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map(Some).map_err(|_| Failure::Text(what))
}

/// As many as a pointer points to.
///
/// # Safety
///
/// The pointer is null, or so many are there, good for reading while the slice lives.
pub unsafe fn shared_all<'a, T>(
    pointer: *const T,
    count: usize,
    what: &'static str,
) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Failure::Null(what));
    }
    // SAFETY: it is not null, and the caller of this function says that so many are there.
    Ok(unsafe { slice::from_raw_parts(pointer, count) })
}

/// Writes values one after another, as many as there is room for.
///
/// # Safety
///
/// The pointer is null, or good for writing so many.
pub unsafe fn write_all<T: Copy>(
    pointer: *mut T,
    capacity: usize,
    what: &'static str,
    values: &[T],
) -> Result<(), Failure> {
    if pointer.is_null() {
        return if capacity == 0 { Ok(()) } else { Err(Failure::Null(what)) };
    }
    let written = values.len().min(capacity);
    // SAFETY: it is not null, the caller of this function says that `capacity` values may be
    // written, and the list was made here, so that the two do not overlap.
    unsafe { ptr::copy_nonoverlapping(values.as_ptr(), pointer, written) };
    Ok(())
}

/// Writes text as `sakmak_line` does.
///
/// # Safety
///
/// The pointer is null, or good for writing so many bytes.
pub unsafe fn write_line(pointer: *mut c_char, size: usize, line: &str) -> Result<c_int, Failure> {
    if pointer.is_null() && size > 0 {
        return Err(Failure::Null("line"));
    }
    let mut bytes = vec![0; size.min(line.len() + 1)];
    let length = reply::write_text(line, &mut bytes);
    if !bytes.is_empty() {
        // SAFETY: it is not null, the caller of this function says that `size` bytes may be
        // written, and these are no more; they were made here, so that the two do not
        // overlap.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), pointer, bytes.len()) };
    }
    Ok(length)
}
