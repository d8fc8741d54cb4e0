#!/usr/bin/env python3
"""Puts the WDL files of Makruk of up to four men one behind the other, each behind its length.

usage: embed.py DIR FILE
"""

import re
import sys
from pathlib import Path

NAME = re.compile(r"K([RNSMP]*)vK([RNSMP]*)\.makruk\.smv")


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: embed.py DIR FILE")
    names = {path: NAME.fullmatch(path.name) for path in sorted(Path(sys.argv[1]).iterdir())}
    files = [path for path, name in names.items() if name and len(name[1] + name[2]) <= 2]
    if not files:
        sys.exit(f"{sys.argv[1]}: no WDL files: 'sakmak generate 4 --counting makruk --wdl' makes them")
    contents = [path.read_bytes() for path in files]
    Path(sys.argv[2]).write_bytes(
        b"".join(len(content).to_bytes(8, "little") + content for content in contents)
    )
    print(f"{len(files)} files embedded, {sum(map(len, contents))} bytes")


main()
