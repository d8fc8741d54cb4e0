"""Counts the public names of a library, and fails if there are more than agreed.

usage: public_items.py CRATE=MOST...      e.g. sakmak-probe=60 sakmak-tables=150

A public name is a module, type, trait, function, constant, macro or re-export that the documents of the
crate show; methods, fields and variants belong to their type, and the names in a module of another crate
to that crate. Hidden items are for the other crates of this workspace. Reads the pages that
`cargo doc --workspace --no-deps` has written before.
"""

import os
import pathlib
import re
import sys

DOCUMENTS = pathlib.Path(__file__).parents[1] / os.environ.get("CARGO_TARGET_DIR", "target") / "doc"
LISTED = re.compile(r'<dt[^>]*>(?:<a class="(\w+)" href="([^"]+)"|<code)')


def public_names(page, crate):
    """The number of names on the page of a module and of the modules in it."""
    text = page.read_text()
    if f"/src/{crate}/" not in text:
        return 0
    lists = re.findall(r'<dl class="item-table[^"]*">.*?</dl>', text, re.DOTALL)
    names = [found for items in lists for found in LISTED.findall(items)]
    return len(names) + sum(public_names(page.parent / path, crate) for kind, path in names if kind == "mod")


def main(arguments):
    too_many = False
    for name, most in (argument.split("=") for argument in arguments):
        crate = name.replace("-", "_")
        found = public_names(DOCUMENTS / crate / "index.html", crate)
        print(f"{name}: {found} public names of at most {most}")
        too_many |= not 0 < found <= int(most)
    return int(too_many)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
