//! Pointers from C: converted here to references or, if null, to errors. No other code
//! dereferences one.
#![allow(unsafe_code)]

use crate::error::{BATCH_MAX, CallError};
use crate::reply;
#[cfg(unix)]
use std::ffi::OsStr;
use std::ffi::{CStr, c_char, c_int};
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::slice;

/// The value at a pointer.
///
/// # Safety
///
/// The pointer is null, or valid for reads while the reference lives.
pub unsafe fn shared<'a, T>(pointer: *const T, what: &'static str) -> Result<&'a T, CallError> {
    // SAFETY: guaranteed by the caller of this function.
    unsafe { pointer.as_ref() }.ok_or(CallError::Null(what))
}

/// Writes a value to a pointer, whose target may be uninitialised.
///
/// # Safety
///
/// The pointer is null, or valid for writes.
pub unsafe fn write<T>(pointer: *mut T, what: &'static str, value: T) -> Result<(), CallError> {
    if pointer.is_null() {
        return Err(CallError::Null(what));
    }
    // SAFETY: it is not null, and the caller guarantees that it may be written to.
    unsafe { pointer.write(value) };
    Ok(())
}

/// The bytes at a pointer up to a zero, `None` for null.
///
/// # Safety
///
/// The pointer is null, or points to bytes that end with a zero, valid for reads while
/// the text lives.
unsafe fn bytes<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    // SAFETY: it is not null, and the caller guarantees the zero at the end.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) })
}

/// The text at a pointer, `None` for null.
///
/// # Safety
///
/// As [`bytes`].
pub unsafe fn text<'a>(
    pointer: *const c_char,
    what: &'static str,
) -> Result<Option<&'a str>, CallError> {
    // SAFETY: guaranteed by the caller of this function.
    let bytes = unsafe { bytes(pointer) };
    bytes.map(CStr::to_str).transpose().map_err(|_| CallError::Text(what))
}

/// The directory at a pointer, `None` for null. On Unix a path is any bytes, elsewhere UTF-8.
///
/// # Safety
///
/// As [`bytes`].
pub unsafe fn directory<'a>(pointer: *const c_char) -> Result<Option<&'a Path>, CallError> {
    // SAFETY: guaranteed by the caller of this function.
    let Some(bytes) = (unsafe { bytes(pointer) }) else { return Ok(None) };
    #[cfg(unix)]
    let path: &OsStr = OsStrExt::from_bytes(bytes.to_bytes());
    #[cfg(not(unix))]
    let path = bytes.to_str().map_err(|_| CallError::Text("directory"))?;
    Ok(Some(Path::new(path)))
}

/// The `count` values at a pointer, at most [`BATCH_MAX`].
///
/// # Safety
///
/// The pointer is null, or points to `count` values, valid for reads while the slice lives.
pub unsafe fn shared_all<'a, T>(
    pointer: *const T,
    count: usize,
    what: &'static str,
) -> Result<&'a [T], CallError> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(CallError::Null(what));
    }
    if count > BATCH_MAX {
        return Err(CallError::TooMany(what, count));
    }
    // SAFETY: it is not null, and the caller guarantees that `count` values are there, which are
    // not more bytes than a slice may have: `T` is a position.
    Ok(unsafe { slice::from_raw_parts(pointer, count) })
}

/// Writes the first `capacity` of these values.
///
/// # Safety
///
/// The pointer is null, or valid for writes of `capacity` values.
pub unsafe fn write_all<T: Copy>(
    pointer: *mut T,
    capacity: usize,
    what: &'static str,
    values: &[T],
) -> Result<(), CallError> {
    if pointer.is_null() {
        return if capacity == 0 { Ok(()) } else { Err(CallError::Null(what)) };
    }
    let written = values.len().min(capacity);
    // SAFETY: it is not null, the caller guarantees that `capacity` values may be written,
    // and the list was allocated by this crate, so the two do not overlap.
    unsafe { ptr::copy_nonoverlapping(values.as_ptr(), pointer, written) };
    Ok(())
}

/// Writes text for `sakmak_line` and returns its length.
///
/// # Safety
///
/// The pointer is null, or valid for writes of `size` bytes.
pub unsafe fn write_line(
    pointer: *mut c_char,
    size: usize,
    line: &str,
) -> Result<c_int, CallError> {
    if pointer.is_null() && size > 0 {
        return Err(CallError::Null("line"));
    }
    let mut bytes = vec![0; size.min(line.len() + 1)];
    let length = reply::write_text(line, &mut bytes);
    if !bytes.is_empty() {
        // SAFETY: it is not null, the caller guarantees that `size` bytes may be written, and
        // these are no more; they were allocated here, so the two do not overlap.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), pointer, bytes.len()) };
    }
    Ok(length)
}
