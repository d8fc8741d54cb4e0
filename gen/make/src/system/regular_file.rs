//! Access to regular files only: small files that are read as a whole, and files that this program
//! writes in a directory that others may write to.

use sakmak_probe::file::bytes::{Access, NotRegular};
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Maximum length of a file in bytes: more than any file of this kind that this program writes.
const MOST: u64 = 64 << 20;

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
        let problem = format!("the file has {length} bytes, more than {MOST}");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok(file.read(0, length as usize, &mut Vec::new())?.to_vec())
}

/// Opens a regular file for reading and writing, and creates it if nothing is there. Follows no
/// link and waits for no reader of a pipe.
///
/// # Errors
///
/// [`NotRegular`] within an [`io::Error`] if something else is there, a link too; or the error of
/// the system.
pub fn open_or_create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    let is_other = |metadata: io::Result<Metadata>| metadata.is_ok_and(|found| !found.is_file());
    let refused = || Err(io::Error::new(io::ErrorKind::InvalidInput, NotRegular));
    // Before, as not every system has the flags; after, as something else may have taken the name.
    if is_other(path.symlink_metadata()) {
        return refused();
    }
    #[expect(clippy::disallowed_methods, reason = "its flags wait for nothing")]
    let file = options.open(path)?;
    if is_other(file.metadata()) {
        return refused();
    }
    Ok(file)
}

/// Returns whether a file has several names (hard links): a write under one name changes the
/// others.
#[cfg(unix)]
pub fn has_other_names(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 1)
}

/// Other systems do not report it.
#[cfg(not(unix))]
pub fn has_other_names(_: &File) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
    fn a_file_is_created_and_nothing_else_is_opened() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        drop(open_or_create(&path("file")).unwrap());
        fs::write(path("file"), "kept").unwrap();
        drop(open_or_create(&path("file")).unwrap());
        assert_eq!(fs::read(path("file")).unwrap(), b"kept");
        fs::create_dir(path("folder")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        for (target, link) in [("file", "link"), ("missing", "dangling"), ("pipe", "to-pipe")] {
            std::os::unix::fs::symlink(path(target), path(link)).unwrap();
        }
        for name in ["folder", "pipe", "link", "dangling", "to-pipe"] {
            let error = open_or_create(&path(name)).unwrap_err();
            assert_eq!(error.to_string(), "not a regular file", "{name}");
        }
        assert!(!path("missing").exists());
        let file = open_or_create(&path("file")).unwrap();
        assert!(!has_other_names(&file).unwrap());
        fs::hard_link(path("file"), path("name")).unwrap();
        assert!(has_other_names(&file).unwrap());
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
