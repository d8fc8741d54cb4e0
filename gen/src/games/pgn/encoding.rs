//! The encoding of PGN files: UTF-8, with other bytes kept as they are.
//!
//! A file may hold games of several encodings. A byte that is not UTF-8 becomes a character of a
//! private range, is shown as Latin-1, the encoding of the PGN standard, and is written as the
//! same byte.

use std::ops::RangeInclusive;

/// The characters that stand for bytes: `U+F700` plus the byte.
const KEPT: RangeInclusive<char> = '\u{f780}'..='\u{f7ff}';

/// A file in an encoding that is not supported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("UTF-16 is not supported: convert the file to UTF-8 first")]
pub struct EncodingError;

/// Decodes a file.
///
/// # Errors
///
/// If the file is UTF-16: it begins with a byte order mark, or one of its first two bytes is 0.
pub fn decoded(bytes: Vec<u8>) -> Result<String, EncodingError> {
    if matches!(bytes[..], [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..]) {
        return Err(EncodingError);
    }
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !text.contains(is_kept) => return Ok(text),
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let kept = |byte: u8| char::from_u32(0xf700 + u32::from(byte)).unwrap_or_default();
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match is_kept(letter) {
                // A character of the private range in the file: its bytes are kept one by one.
                true => text.extend(letter.encode_utf8(&mut [0; 4]).bytes().map(kept)),
                false => text.push(letter),
            }
        }
        text.extend(chunk.invalid().iter().copied().map(kept));
    }
    Ok(text)
}

/// The bytes of a decoded text.
pub fn encoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        match is_kept(letter) {
            true => bytes.push(u32::from(letter).to_le_bytes()[0]),
            false => bytes.extend(letter.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    bytes
}

/// A decoded text to be read, with kept bytes as Latin-1.
pub fn shown(text: &str) -> String {
    let latin1 = |letter: char| match is_kept(letter) {
        true => char::from(u32::from(letter).to_le_bytes()[0]),
        false => letter,
    };
    text.chars().map(latin1).collect()
}

fn is_kept(letter: char) -> bool {
    KEPT.contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bytes_that_are_not_utf8_are_shown_as_latin1() {
        for bytes in [&b"e\xc3\xa9"[..], b"e\xe9"] {
            assert_eq!(shown(&decoded(bytes.to_vec()).unwrap()), "e\u{e9}");
        }
    }

    #[test]
    fn utf16_is_refused_by_name() {
        for bytes in [&b"\xff\xfe[\0"[..], b"\xfe\xff\0[", b"[\0E\0", b"\0[\0E"] {
            assert!(decoded(bytes.to_vec()).unwrap_err().to_string().contains("UTF-16"));
        }
    }

    proptest! {
        #[test]
        fn all_bytes_come_back(
            bytes in prop_oneof![any::<Vec<u8>>(), "[\u{f700}-\u{f802}]*".prop_map(String::into_bytes)]
        ) {
            if let Ok(text) = decoded(bytes.clone()) {
                prop_assert_eq!(encoded(&text), bytes);
            }
        }
    }
}
