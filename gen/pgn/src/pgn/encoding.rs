//! The encoding of PGN files: UTF-8, with other bytes preserved.
//!
//! A file may hold games of several encodings. A byte that is not UTF-8 becomes a character of a
//! private range. It is shown as Latin-1, the encoding of the PGN standard, and written as the same
//! byte.

use std::ops::RangeInclusive;

/// The characters that represent bytes: `U+F700` plus the byte.
const KEPT: RangeInclusive<char> = '\u{f780}'..='\u{f7ff}';

/// A file in an encoding that is not supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EncodingError {
    /// Two bytes per character.
    #[error("UTF-16 is not supported: convert the file to UTF-8 first")]
    Utf16,
    /// A compressed file or an archive.
    #[error("the file is compressed ({0}): decompress it first")]
    Compressed(&'static str),
}

/// The first bytes of compressed files and archives, with the names of their formats.
const COMPRESSED: [(&[u8], &str); 8] = [
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"PK\x03\x04", "zip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"\x1f\x9d", "compress"),
];

/// The number of bytes needed to recognise the encoding of a file.
pub(super) const FIRST_BYTES: usize = 6;

/// Decodes a file.
///
/// # Errors
///
/// If the file is compressed or UTF-16. UTF-16 begins with a byte order mark, or has a 0 among its
/// first two bytes.
pub fn decoded(bytes: Vec<u8>) -> Result<String, EncodingError> {
    recognise(&bytes)?;
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains(is_kept) => Ok(text),
        other => {
            let mut bytes = other.map_or_else(|error| error.into_bytes(), String::into_bytes);
            let mut text = String::with_capacity(bytes.len());
            decode(&mut bytes, true, &mut text);
            Ok(text)
        }
    }
}

/// Recognises the encoding of a file that begins with these bytes.
///
/// # Errors
///
/// If the encoding is not supported.
pub(super) fn recognise(bytes: &[u8]) -> Result<(), EncodingError> {
    if let Some((_, name)) = COMPRESSED.iter().find(|(first, _)| bytes.starts_with(first)) {
        return Err(EncodingError::Compressed(name));
    }
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..] => Err(EncodingError::Utf16),
        _ => Ok(()),
    }
}

/// Decodes part of a file and appends it to a text. A truncated character stays in `bytes`, unless
/// these are the last bytes of the file.
pub(super) fn decode(bytes: &mut Vec<u8>, last: bool, text: &mut String) {
    let kept = |byte: u8| char::from_u32(0xf700 + u32::from(byte)).unwrap_or_default();
    let mut decoded = 0;
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match is_kept(letter) {
                // The file has a character of the private range: its bytes are kept one by one.
                true => text.extend(letter.encode_utf8(&mut [0; 4]).bytes().map(kept)),
                false => text.push(letter),
            }
        }
        decoded += chunk.valid().len();
        let invalid = chunk.invalid();
        let is_cut_off = || {
            let at_end = decoded + invalid.len() == bytes.len();
            at_end && std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none())
        };
        if last || !is_cut_off() {
            text.extend(invalid.iter().copied().map(kept));
            decoded += invalid.len();
        }
    }
    bytes.drain(..decoded);
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

/// A decoded text for display, with kept bytes as Latin-1.
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

    #[test]
    fn compressed_files_are_refused_by_name() {
        for (first, name) in COMPRESSED {
            assert!(first.len() <= FIRST_BYTES);
            let error = decoded([first, b"\x08rest"].concat()).unwrap_err().to_string();
            assert!(error.contains(&format!("compressed ({name})")), "{error}");
            // Text with a similar start.
            assert!(first == b"BZh" || decoded(first[..first.len() - 1].to_vec()).is_ok());
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

        #[test]
        fn parts_are_decoded_as_the_whole(
            bytes in prop_oneof![any::<Vec<u8>>(), "[a\u{e01}\u{f781}\u{10000}]*".prop_map(String::into_bytes)],
            part in 1..5_usize
        ) {
            let (mut text, mut rest) = (String::new(), Vec::new());
            for part in bytes.chunks(part) {
                rest.extend(part);
                decode(&mut rest, false, &mut text);
                prop_assert!(rest.len() < 4);
            }
            decode(&mut rest, true, &mut text);
            let mut whole = String::new();
            decode(&mut bytes.clone(), true, &mut whole);
            prop_assert_eq!(text, whole);
        }
    }
}
