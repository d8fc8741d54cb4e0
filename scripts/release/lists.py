"""Writes the lists of a folder of files that is to be published.

usage: lists.py TITLE FOLDER

set.json is what `sakmak fetch` reads: the title, and of each file path, length and SHA-256. It takes tables
and the other files that docs/commands.md names, and refuses a list with any other file. SHA256SUMS is
for `sha256sum -c`, B3SUMS for `b3sum -c`; the latter needs the package blake3, and is left out without it.
"""

import hashlib
import json
import os
import pathlib
import sys

try:
    from blake3 import blake3
except ImportError:
    blake3 = None

LISTS = ("set.json", "SHA256SUMS", "B3SUMS")


def write(path: pathlib.Path, text: str) -> None:
    """Writes a file that is whole or not there."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text)
    os.replace(part, path)


def checksum(hash, path: pathlib.Path) -> str:
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            hash.update(piece)
    return hash.hexdigest()


def main(title: str, folder: str) -> None:
    folder = pathlib.Path(folder)
    own = [folder / name for name in LISTS]
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path not in own)
    names = [path.relative_to(folder).as_posix() for path in paths]
    sha256 = [checksum(hashlib.sha256(), path) for path in paths]
    files = [
        {"path": name, "bytes": path.stat().st_size, "sha256": hash}
        for name, path, hash in zip(names, paths, sha256)
    ]
    write(folder / "set.json", json.dumps({"title": title, "files": files}, indent=1) + "\n")
    lines = lambda hashes: "".join(f"{hash}  {name}\n" for hash, name in zip(hashes, names))
    write(folder / "SHA256SUMS", lines(sha256))
    if blake3:
        write(folder / "B3SUMS", lines(checksum(blake3(), path) for path in paths))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
