"""Counts the public names of a library, and fails if there are more than agreed.

usage: public_items.py CRATE=MOST...      e.g. sakmak-probe=60 sakmak-tables=150
       public_items.py --list CRATE

A public name is a module, type, trait, function, constant, macro or re-export that a user of the
crate can reach and that its documents show; methods, fields and variants belong to their type and
are counted apart. Hidden items are for the other crates of this workspace. The names are those of
rustdoc's JSON, which stable toolchains write with RUSTC_BOOTSTRAP.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[1]
NAMED = {
    "module", "struct", "enum", "union", "trait", "trait_alias", "function", "constant", "static",
    "type_alias", "macro", "proc_macro",
}


def documents(crate):
    """The public items of a crate as rustdoc describes them."""
    command = ["cargo", "rustdoc", "--quiet", "--lib", "-p", crate]
    command += ["--profile", os.environ.get("SAKMAK_PROFILE", "release"), "--"]
    command += ["-Z", "unstable-options", "--output-format", "json"]
    with tempfile.TemporaryDirectory() as folder:
        # For rustdoc only: build scripts that see it run again, and what depends on them is compiled again.
        rustdoc = pathlib.Path(folder) / "rustdoc"
        rustdoc.write_text('#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc "$@"\n')
        rustdoc.chmod(0o755)
        subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "RUSTDOC": str(rustdoc)})
    metadata = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    target = json.loads(subprocess.check_output(metadata, cwd=ROOT))["target_directory"]
    path = pathlib.Path(target) / "doc" / f"{crate.replace('-', '_')}.json"
    return json.loads(path.read_text())


def names(crate):
    """The public names of a crate by their paths, and the number of their methods."""
    found, methods = [], 0
    described = documents(crate)
    index = described["index"]

    def walk(key, path):
        nonlocal methods
        item = index.get(str(key))
        if item is None:
            return
        (kind, inner), = item["inner"].items()
        if kind == "use":
            if inner["is_glob"]:
                target = index.get(str(inner["id"]))
                for child in target["inner"]["module"]["items"] if target else []:
                    walk(child, path)
                if target is None:
                    found.append(("use", f"{path}::{inner['source']}::*"))
            else:
                found.append(("use", f"{path}::{inner['name']}"))
            return
        if kind not in NAMED:
            return
        here = f"{path}::{item['name']}" if path else item["name"]
        if path:
            found.append((kind, here))
        if kind == "module":
            for child in inner["items"]:
                walk(child, here)
        for implementation in inner.get("impls", []):
            block = index.get(str(implementation))
            if block and block["inner"]["impl"]["trait"] is None:
                methods += len(block["inner"]["impl"]["items"])

    walk(described["root"], "")
    return found, methods


def main(arguments):
    if arguments[:1] == ["--list"]:
        for kind, name in sorted(names(arguments[1])[0], key=lambda found: found[1]):
            print(f"{kind:10} {name}")
        return 0
    too_many = False
    for crate, most in (argument.split("=") for argument in arguments):
        found, methods = names(crate)
        print(f"{crate}: {len(found)} public names of at most {most}, {methods} methods")
        too_many |= len(found) > int(most)
    return int(too_many)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
