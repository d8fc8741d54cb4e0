//! Small files that are read as a whole.

use sakmak_probe::file::bytes::Access;
use std::io;
use std::path::Path;

/// The most bytes of such a file: more than any that this program writes.
const MOST: u64 = 64 << 20;

/// A file that is larger than those that this program writes.
#[derive(Debug, thiserror::Error)]
#[error("the file has {0} bytes, more than {MOST}")]
struct TooLarge(u64);

/// Reads a regular file. Waits for no writer of a pipe, and reads no more bytes than this program
/// writes.
///
/// # Errors
///
/// If the file is missing, too large or not a regular file, or cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = Access::Read.open(path)?;
    let length = file.length();
    if length > MOST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, TooLarge(length)));
    }
    Ok(file.read(0, length as usize, &mut Vec::new())?.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};

    #[test]
    fn a_regular_file_is_read_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
        for bytes in [&b""[..], b"bytes"] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(read(&path).unwrap(), bytes);
        }
        File::options().write(true).open(&path).unwrap().set_len(MOST + 1).unwrap();
        assert_eq!(read(&path).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(read(directory.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn neither_a_pipe_nor_a_device_is_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let [pipe, device] = ["pipe", "device"].map(|name| directory.path().join(name));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::os::unix::fs::symlink("/dev/zero", &device).unwrap();
        for path in [pipe, device] {
            assert_eq!(read(&path).unwrap_err().to_string(), "not a regular file");
        }
    }
}
