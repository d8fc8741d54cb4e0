"""Checks the links of the documents.

usage: links.py

Every relative link in a Markdown file of the repository must be the path of a file or folder that
git tracks. If the link ends in `#heading`, the file must have that heading. Links to other
servers are not followed. Code blocks are left out. Needs git; takes no time.
"""

import os
import pathlib
import re
import subprocess
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(```.*?^```|(?: {4}[^\n]*\n)+)", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


def tracked_paths():
    """The files that git tracks or would add, and the folders they are in."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    files = {file for file in map(pathlib.Path, listed.stdout.splitlines()) if file.exists()}
    return files | {folder for file in files for folder in file.parents}


def anchors_of(text):
    """The anchors of the headings, spelled as GitHub and Forgejo spell them."""
    headings = HEADING.findall(FENCE.sub("\n", text))
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def broken_links(file, tracked):
    """The links of a file that lead nowhere."""
    text = file.read_text()
    for link in LINK.findall(CODE.sub("", FENCE.sub("\n", text))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        path = pathlib.Path(os.path.normpath(file.parent / name))
        target = path if name else file
        if target not in tracked:
            yield f"{file}: {link} is the path of no file"
        elif anchor and target.suffix == ".md" and anchor not in anchors_of(target.read_text()):
            yield f"{file}: {link} has no such heading"


def main():
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    tracked = tracked_paths()
    documents = sorted(path for path in tracked if path.suffix == ".md")
    broken = [line for file in documents for line in broken_links(file, tracked)]
    if broken:
        sys.exit("\n".join(broken))
    print(f"{len(documents)} documents, every link has its target")


if __name__ == "__main__":
    main()
