#!/usr/bin/env python3
"""Puts files of Makruk of up to four men one behind the other, each behind its length.

usage: embed.py [--packed] DIR FILE

Takes the WDL files, and with --packed also the packed files that rank root moves.
"""

import re
import sys
from pathlib import Path

NAME = re.compile(r"K([RNSMP]*)vK([RNSMP]*)\.(makruk\.smv|makruk\.smp|dtm\.smp)")


def main():
    packed = sys.argv[1:2] == ["--packed"]
    if len(sys.argv) != 3 + packed:
        sys.exit("usage: embed.py [--packed] DIR FILE")
    folder, out = sys.argv[1 + packed :]
    suffixes = (".smv", ".smp") if packed else (".smv",)
    names = {path: NAME.fullmatch(path.name) for path in sorted(Path(folder).iterdir())}
    files = [
        path for path, name in names.items() if name and len(name[1] + name[2]) <= 2 and path.suffix in suffixes
    ]
    for suffix in suffixes:
        if not any(path.suffix == suffix for path in files):
            sys.exit(f"{folder}: no {suffix} files of Makruk: 'sakmak generate 4 --engine-set' makes them")
    contents = [path.read_bytes() for path in files]
    Path(out).write_bytes(b"".join(len(content).to_bytes(8, "little") + content for content in contents))
    print(f"{len(files)} files embedded, {sum(map(len, contents))} bytes")


main()
