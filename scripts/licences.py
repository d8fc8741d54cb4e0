"""Prints the licences of all crates that some crates contain for a target.

usage: licences.py TARGET [CRATE...]      without CRATE: the program and libsakmak
"""

import json
import subprocess
import sys
from pathlib import Path

ROOTS = ["sakmak-gen", "sakmak-c"]
NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")


def linked(metadata, roots):
    """The packages that are linked, by their identifiers: no build or test dependencies."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    packages = {package["id"]: package for package in metadata["packages"]}
    found, todo = {}, [key for key, package in packages.items() if package["name"] in roots]
    while todo:
        key = todo.pop()
        if key in found:
            continue
        found[key] = packages[key]
        for dependency in nodes[key]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                todo.append(dependency["pkg"])
    return found.values()


def main(target, *roots):
    command = ["cargo", "metadata", "--format-version=1", "--locked", f"--filter-platform={target}"]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    crates = [package for package in linked(metadata, roots or ROOTS) if package["source"] is not None]
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
