"""Prints the licences of all crates that some crates contain for a target.

usage: licences.py TARGET [CRATE...]      without CRATE: the program and libsakmak

Needs cargo, and the network for crates that were never fetched; takes a second.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOTS = ["sakmak-gen", "sakmak-c"]
NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")


def cargo(command, target, *options):
    return subprocess.run(["cargo", command, "--locked", *options, target], check=True, capture_output=True, text=True).stdout


def main(target, *roots):
    """Crates that are linked: no build or test dependencies, and none of this workspace."""
    packages = [word for root in roots or ROOTS for word in ("--package", root)]
    tree = cargo("tree", target, *packages, "--edges=normal", "--prefix=none", "--format={p}", "--target")
    linked = {tuple(line.split(" ")[:2]) for line in tree.splitlines()}
    metadata = json.loads(cargo("metadata", target, "--format-version=1", "--filter-platform"))
    crates = [
        package for package in metadata["packages"]
        if package["source"] and (package["name"], f"v{package['version']}") in linked
    ]
    crates = sorted(crates, key=lambda crate: (crate["name"], crate["version"]))
    print("The programs and libraries of Sakmak contain these crates. Their licences follow.\n")
    texts = {}
    for crate in crates:
        name = f"{crate['name']} {crate['version']}"
        print(f"{name}: {crate['license']}")
        folder = Path(crate["manifest_path"]).parent
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name.upper().startswith(NAMES):
                text = path.read_text(encoding="utf-8", errors="replace").strip()
                texts.setdefault(text, []).append(f"{name}, {path.relative_to(folder)}")
    for text, files in texts.items():
        print("\n" + "=" * 80, *files, "=" * 80, "", text, sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
