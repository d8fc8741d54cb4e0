//! Pointers from C. The arguments of exported functions have these types; only C makes their
//! values. Methods return references, write results, or return an error for null. No other code
//! dereferences one.
//!
//! ```text
//! In     a value or an array that a call reads
//! Text   text that ends with a zero
//! Out    memory that a call writes to
//! ```
//!
//! SAFETY of all methods: the header requires that an argument is null or valid for its type and
//! size during the call. A value of these types is not copied and lives as long as the call.
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

/// A pointer to values that a call reads.
#[repr(transparent)]
pub struct In<T>(*const T);

impl<T> In<T> {
    /// The value.
    pub fn value(&self, what: &'static str) -> Result<&T, CallError> {
        // SAFETY: null, or valid for reads while the argument lives.
        unsafe { self.0.as_ref() }.ok_or(CallError::Null(what))
    }

    /// The value that `Box::into_raw` gave to C.
    ///
    /// # Safety
    ///
    /// It came from there, and is used once and by nobody during this call or later.
    pub unsafe fn into_box(self) -> Box<T> {
        // SAFETY: guaranteed by the caller of this function.
        unsafe { Box::from_raw(self.0.cast_mut()) }
    }

    /// An array of `count` values, at most [`BATCH_MAX`].
    pub fn values(&self, count: usize, what: &'static str) -> Result<&[T], CallError> {
        match count {
            0 => Ok(&[]),
            _ if self.0.is_null() => Err(CallError::Null(what)),
            1..=BATCH_MAX => {
                // SAFETY: not null, and the header requires `count` values, which are not more
                // bytes than a slice may have: `T` is a position.
                Ok(unsafe { slice::from_raw_parts(self.0, count) })
            }
            _ => Err(CallError::TooMany(what, count)),
        }
    }
}

/// A pointer to text that ends with a zero.
#[repr(transparent)]
pub struct Text(*const c_char);

impl Text {
    fn bytes(&self) -> Option<&CStr> {
        // SAFETY: not null, and the header requires the zero at the end.
        (!self.0.is_null()).then(|| unsafe { CStr::from_ptr(self.0) })
    }

    /// The text, `None` for null.
    pub fn optional(&self, what: &'static str) -> Result<Option<&str>, CallError> {
        self.bytes().map(CStr::to_str).transpose().map_err(|_| CallError::Text(what))
    }

    /// The text.
    pub fn text(&self, what: &'static str) -> Result<&str, CallError> {
        self.optional(what)?.ok_or(CallError::Null(what))
    }

    /// A path, `None` for null. On Unix a path is any bytes, elsewhere UTF-8.
    pub fn path(&self) -> Result<Option<&Path>, CallError> {
        let Some(bytes) = self.bytes() else { return Ok(None) };
        #[cfg(unix)]
        let path: &OsStr = OsStrExt::from_bytes(bytes.to_bytes());
        #[cfg(not(unix))]
        let path = bytes.to_str().map_err(|_| CallError::Text("directory"))?;
        Ok(Some(Path::new(path)))
    }
}

/// A pointer to memory that a call writes to. It may be uninitialised.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T: Copy> Out<T> {
    /// Whether the caller does not want the result.
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// Writes a value.
    pub fn write(&self, what: &'static str, value: T) -> Result<(), CallError> {
        self.write_part(0, what, &[value])
    }

    /// Writes the first `capacity` of these values.
    pub fn write_all(
        &self,
        capacity: usize,
        what: &'static str,
        values: &[T],
    ) -> Result<(), CallError> {
        match capacity {
            0 => Ok(()),
            _ => self.write_part(0, what, &values[..values.len().min(capacity)]),
        }
    }

    /// Writes values after the first `start` ones.
    pub fn write_part(
        &self,
        start: usize,
        what: &'static str,
        values: &[T],
    ) -> Result<(), CallError> {
        if self.is_null() {
            return Err(CallError::Null(what));
        }
        // SAFETY: not null, and the header requires room for all values up to the last of these.
        // They were allocated by this crate, so the two do not overlap.
        unsafe { ptr::copy_nonoverlapping(values.as_ptr(), self.0.add(start), values.len()) };
        Ok(())
    }
}

impl Out<c_char> {
    /// Writes text as `sakmak_line` and returns its length.
    pub fn write_text(&self, size: usize, text: &str) -> Result<c_int, CallError> {
        let mut bytes = vec![0; size.min(text.len() + 1)];
        let length = reply::write_text(text, &mut bytes);
        self.write_all(size, "line", &bytes)?;
        Ok(length)
    }
}
