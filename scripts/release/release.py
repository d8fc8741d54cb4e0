"""Makes a release in target/release-files and tries it; scripts/release.sh calls this."""

import argparse
import contextlib
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

import cffconvert
import polars
import torf
from blake3 import blake3

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from browser.site_under_test import FileHandler, listening  # noqa: E402

TARGET = (ROOT / os.environ.get("CARGO_TARGET_DIR", "target")).resolve()
OUT = TARGET / "release-files"
# Hosts of releases take files of up to 2 GiB.
PART = 1_900_000_000
GAMES = {"makruk": "Makruk", "ouk": "Ouk Chatrang"}
# The count starts here, in both games.
FEN = "8/8/8/4k3/8/4K3/4S3/4M3 w"
VERDICT = "White wins in time"


def run(*command, **options) -> str:
    """The output of a command, which must succeed."""
    done = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, text=True, check=False, **options
    )
    if done.returncode:
        sys.exit(f"release.sh: {' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def this_machine() -> str:
    """The target of Rust that runs here."""
    return run("rustc", "-vV").split("host: ")[1].split()[0]


def archived_program() -> pathlib.Path:
    """The program that archives.sh has built for this machine."""
    return TARGET / this_machine() / "archive/sakmak"


def copy(files, folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copy2(file, folder / file.name)


def pack(archive: pathlib.Path, files, mode: str, when: int) -> None:
    """A tar archive of files by their names in it; its bytes depend on theirs and the commit's time."""

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mtime = when
        return member

    with tarfile.open(archive, mode, format=tarfile.USTAR_FORMAT) as tar:
        for name, path in files:
            tar.add(path, name, filter=plain)


def packages(quick: pathlib.Path | None, version: str, when: int) -> None:
    """Archives of the program, wheels, the npm package and crates."""
    folder = OUT / "packages"
    folder.mkdir()
    if quick:
        name = f"sakmak-{version}-quick"
        files = [(f"{name}/bin/sakmak", quick), *((f"{name}/{x}", ROOT / x) for x in ("LICENSE-MIT", "LICENSE-APACHE"))]
        pack(folder / f"{name}.tar.gz", files, "w:gz", when)
        return
    for script, arguments in (("archives.sh", []), ("wheels.sh", []), ("wasm.sh", [archived_program()])):
        print(f"== {script}", flush=True)
        subprocess.run([ROOT / "scripts" / script, *arguments], check=True)
    copy([*(TARGET / "archives").glob("*.tar.gz"), *(TARGET / "archives").glob("*.zip")], folder)
    copy([*(TARGET / "wheels").glob("*.whl"), *(TARGET / "wheels").glob("*.tar.gz")], folder)
    if (TARGET / "npm").is_dir():
        run("npm", "pack", "--silent", "--pack-destination", folder, cwd=TARGET / "npm")
    unpublished = ("oracle", "benches", "c", "python", "wasm")
    excluded = [word for name in unpublished for word in ("--exclude", f"sakmak-{name}")]
    run("cargo", "package", "--quiet", "--no-verify", "--workspace", *excluded, cwd=ROOT)
    copy((TARGET / "package").glob("*.crate"), folder)


def table_set(name: str, title: str, tables: pathlib.Path, when: int) -> None:
    """A set as a folder for `sakmak fetch`, and as archives of limited size."""
    folder = OUT / "sets" / name
    folder.mkdir(parents=True)
    for path in sorted(tables.iterdir()):
        if path.suffix in (".smp", ".smv"):
            try:
                os.link(path, folder / path.name)
            except OSError:
                shutil.copy2(path, folder / path.name)
    run(sys.executable, ROOT / "scripts/release/lists.py", title, folder)
    parts, size = [[]], 0
    for path in sorted(folder.iterdir()):
        size += path.stat().st_size
        if size > PART and parts[-1]:
            parts.append([])
            size = path.stat().st_size
        parts[-1].append((f"{name}/{path.name}", path))
    for number, files in enumerate(parts, 1):
        part = f".part{number}-of-{len(parts)}" if len(parts) > 1 else ""
        pack(OUT / "sets" / f"{name}{part}.tar", files, "w", when)


def data_set(sakmak, tables: pathlib.Path, men: int, version: str) -> None:
    """CSV and JSON of the statistics of all tables, with their dictionary and a card."""
    folder = OUT / "dataset"
    with tempfile.TemporaryDirectory() as atlas:
        run(sakmak, "report", "--tables", tables, "-o", atlas)
        copy([pathlib.Path(atlas) / "overview.csv"], folder)
        shutil.copytree(pathlib.Path(atlas) / "data", folder / "data")
    copy([ROOT / "docs/data.md"], folder)
    rows = polars.read_csv(folder / "overview.csv").height
    card = (ROOT / "scripts/release/card.md").read_text()
    card = card.replace("VERSION", version).replace("MEN", str(men)).replace("ROWS", str(rows))
    (folder / "README.md").write_text(card)


def notes(version: str) -> str:
    """The part of the changelog about this version."""
    text = (ROOT / "CHANGELOG.md").read_text()
    found = re.search(rf"^## (?:Unreleased \()?{re.escape(version)}\b.*?\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not found:
        sys.exit(f"release.sh: CHANGELOG.md has no part about {version}")
    return f"# Sakmak {version}\n\n{found[1].strip()}\n"


def metadata(version: str, when: int) -> None:
    """CITATION.cff, metadata for Zenodo and release notes."""
    date = datetime.datetime.fromtimestamp(when, datetime.timezone.utc).date().isoformat()
    citation = (ROOT / "CITATION.cff").read_text()
    if f"version: {version}\n" not in citation:
        sys.exit(f"release.sh: CITATION.cff is not of {version}")
    citation = citation.replace(f"version: {version}\n", f"version: {version}\ndate-released: {date}\n")
    (OUT / "CITATION.cff").write_text(citation)
    cited = cffconvert.Citation(citation)
    cited.validate()
    (OUT / ".zenodo.json").write_text(cited.as_zenodo())
    (OUT / "release-notes.md").write_text(notes(version))


def lists(version: str, when: int) -> pathlib.Path:
    """Checksums of all files, and a torrent file beside them."""
    run(sys.executable, ROOT / "scripts/release/lists.py", f"Sakmak {version}", OUT)
    torrent = torf.Torrent(path=OUT, name=f"sakmak-{version}", created_by="sakmak", comment=f"Sakmak {version}")
    torrent.creation_date = datetime.datetime.fromtimestamp(when)
    torrent.generate()
    path = TARGET / f"sakmak-{version}.torrent"
    torrent.write(path, overwrite=True)
    return path


def stranger(version: str, torrent: pathlib.Path, quick: bool, men: int) -> None:
    """Uses the files in an empty folder, with nothing of the project on the way."""
    with tempfile.TemporaryDirectory() as place, contextlib.ExitStack() as stack:
        place = pathlib.Path(place)
        clean = {"PATH": os.defpath, "HOME": str(place), "XDG_STATE_HOME": str(place / "state")}
        run("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=OUT, env=clean)
        for line in (OUT / "B3SUMS").read_text().splitlines():
            hash, name = line.split("  ", 1)
            assert blake3().update_mmap(OUT / name).hexdigest() == hash, name
        assert torf.Torrent.read(torrent).verify(OUT), torrent

        machine = "quick" if quick else this_machine()
        name = f"sakmak-{version}-{machine}"
        with tarfile.open(OUT / "packages" / f"{name}.tar.gz") as archive:
            archive.extractall(place, filter="data")
        sakmak = place / name / "bin/sakmak"
        assert run(sakmak, "--version", env=clean).strip() == f"sakmak {version}"

        # From a folder, and from a host of files.
        host = stack.enter_context(listening(FileHandler, folder=OUT))
        sets = sorted(path for path in (OUT / "sets").iterdir() if path.is_dir())
        for number, source in enumerate([*sets, f"{host}/sets/makruk-{men}"]):
            tables = place / f"tables{number}"
            print(run(sakmak, "fetch", source, "--tables", tables, env=clean), end="")
            game = pathlib.Path(str(source)).name.rsplit("-", 1)[0]
            run(sakmak, "verify", "--tables", tables, "--sample", 1000, "--variant", game, env=clean)
            answer = run(sakmak, "probe", FEN, "--tables", tables, "--variant", game, env=clean)
            assert VERDICT in answer, answer
        for source in sets:
            for part in (OUT / "sets").glob(f"{source.name}*.tar"):
                with tarfile.open(part) as archive:
                    archive.extractall(place / "unpacked", filter="data")
            unpacked = place / "unpacked" / source.name
            run("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=unpacked, env=clean)

        frame = polars.read_csv(OUT / "dataset/overview.csv")
        dictionary = (OUT / "dataset/data.md").read_text()
        missing = [column for column in frame.columns if f"`{column}`" not in dictionary]
        assert frame.height and not missing, missing
        assert json.loads((OUT / ".zenodo.json").read_text())["title"]

        if not quick:
            wheel = next((OUT / "packages").glob("*.whl"))
            run(sys.executable, "-m", "venv", place / "python")
            run(place / "python/bin/pip", "install", "--quiet", "--no-index", wheel)
            ask = f"import sakmak; print(sakmak.Tablebase({str(place / 'tables0')!r}).probe({FEN!r}).category)"
            assert run(place / "python/bin/python", "-c", ask, env=clean).strip() == "win"
            for package in (OUT / "packages").glob("sakmak-*.tgz"):
                run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", place / "npm", package)


def main() -> None:
    parser = argparse.ArgumentParser(prog="release.sh", description=__doc__)
    parser.add_argument("--dry-run", action="store_true", required=True, help="nothing is published")
    path = lambda word: pathlib.Path(os.environ["CALLED_IN"], word)
    parser.add_argument("--quick", type=path, metavar="PROGRAM", help="pack this program only")
    parser.add_argument("--tables", type=path, metavar="DIR", help="tables of five men")
    asked = parser.parse_args()
    version = run("cargo", "pkgid", "-p", "sakmak-gen", cwd=ROOT).strip().rsplit("@")[-1].rsplit("#")[-1]
    when = int(run("git", "log", "-1", "--format=%ct", cwd=ROOT))
    work = TARGET / "release-tables"
    # Nothing of another program is shipped.
    for folder in (OUT, work):
        shutil.rmtree(folder, ignore_errors=True)
    OUT.mkdir(parents=True)
    packages(asked.quick and asked.quick.resolve(), version, when)
    sakmak = asked.quick.resolve() if asked.quick else archived_program()

    men = 5 if asked.tables else 4
    for game, title in GAMES.items():
        tables = work / game
        print(f"== {title}, four men", flush=True)
        run(sakmak, "generate", 4, "--engine-set", "--census", "--variant", game, "--tables", tables)
        table_set(f"{game}-4", f"{title}, all tables of three and four men, for engines", tables, when)
    if asked.tables:
        table_set("makruk-5", "Makruk, all tables of three to five men, for engines", asked.tables, when)
    data_set(sakmak, asked.tables or work / "makruk", men, version)
    metadata(version, when)
    torrent = lists(version, when)
    size = sum(path.stat().st_size for path in OUT.rglob("*") if path.is_file())
    print(f"== tried as a stranger: {size / 1e6:.0f} MB in {OUT}", flush=True)
    stranger(version, torrent, bool(asked.quick), men)
    print("all of it was tried as a stranger")


if __name__ == "__main__":
    main()
