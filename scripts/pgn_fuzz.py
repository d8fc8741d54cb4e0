#!/usr/bin/env python3
"""Mutates real games and runs `sakmak check FILE -o OUT`, then the same on OUT: no panic, no byte of
a game lost, the second output equal to the first, and the same games read and not read. Half of the
files are made of the program's own output, cut and joined at comments, tags, marks and results.

usage: scripts/pgn_fuzz.py [SECONDS [SEED [SAKMAK [TABLES]]]]     [default: 60 1 sakmak none]

Needs Python 3.9 and a built program; SAKMAK is its path, TABLES a directory of tables, which saves
solving small ones in each run. The games are those of gen/pgn/tests/data. Files that fail are kept in a
temporary directory, which is printed. A run in which no game is read to its end has failed too.
"""
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENDING = b"""[Event "x"]
[Variant "Makruk"]
[FEN "8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 1"]

1. Md2 Kd5 2. Sd3 Ke5 1-0

"""
CLAIM = b"""[Variant "Cambodian"]
[FEN "8/8/8/3k4/8/8/8/R3K3 w - 32 5 1"]

1. Ra2 Ke5 {c} (1... Kd6 2. Ra3) 2. Ra3 $1 Kd5 *

"""
SPICE = [
    b"(", b")", b"{", b"}", b";", b"%", b"\n%", b"$", b"$255", b"$99999999999", b"\r", b"\r\n",
    b"\xef\xbb\xbf", b"\0", b"\xff", b"\xe0\xb8\xaa", b"[", b"]", b'"', b"\\", b"*", b"1-0",
    b"1/2-1/2", b"...", b"1.", b"999999999999.", b"e.p.", b"--", b"Z0", b"Sakmak:",
    b"{Not read: x}", b'[FEN "8/8/8/4k3/8/4K3/4S3/4M3 b - 88 87 1"]\n', b'[FEN "startpos"]\n',
    b'[SetUp "0"]\n', b'[Variant "ouk"]\n', b'[Variant "chess"]\n', b'[Variant ""]\n',
    b'[Result "1-0"]\n', b'[Annotator "A. Nonymous"]\n', b'[Site "PlayOK"]\n', b'[White "x\\"]\n',
    b"\n\n", b" ", b"\t", b"\x0b", b"\x1b[2J", b"<", b">", b"=M", b"=Q", b"=P", b"+", b"#", b"!?",
    b"O-O", b"a1", b"Pb4", b"\xc2\x85", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xe2\x80\xae", b"+-",
    b"\xc2\xb1", b"\xb1", b" N ", b" D ", b" 0.5-0.5 ", b"\xc2\xbd-\xc2\xbd", b" ;x }\n",
    b" {a\nb} ", b"{ [A \"b\"]", b'\n[White "B"]\n',
]
WRAPPED = [
    b" {%s} ", b'\n[X%s "%s"]\n', b" ; %s\n", b" %s ", b"\n%%%s\n", b" (%s) ",
    b" (1. e4 {%s} $3) ", b"%s", b" {%s", b" }%s ",
]


SEAM = re.compile(rb"(\{[^}]*\}|\[[^\]]*\]|\$\d+|\*|1-0|0-1|\n\n|\s|\d+\.+|[()])")
OWN = [
    b"{Sakmak: x}", b"{Sakmak: ?? x}", b"{Sakmak:}", b"{Sakmak:x}", b"{Sakmak:\n?? x}", b"$4", b"$2",
    b"$4 {Sakmak: ?? x}", b"$4{Sakmak: ?? x}", b"??", b"\n\n", b"%", b"\n%x\n", b"\r\n", b" ", b"\t",
    b"\x0b", b"\xc2\xa0", b"\xef\xbb\xbf", b'[Event "y"]', b"\n[Event \"y\"]\n", b";{Sakmak: x}\n",
    b";Sakmak: x\n", b"(", b")", b"1.", b"1...", b"*", b"1-0", b"{x}",
]


TAG = b"\x01"
# The program's comments, each with the mark directly before it that belongs to its sign.
OURS = b"|".join(
    [
        rb"\$%d[ \t\r\n]+\{\s*Sakmak:\s+%s(\s[^}]*)?\}" % (nag, sign)
        for sign, nag in [(rb"\?\?", 4), (rb"\?", 2), (rb"\?!", 6), (rb"!", 7)]
    ]
    + [rb"\{\s*Sakmak:\s+[^}\s][^}]*\}"]
)


def reassembled(games, rng):
    """Parts of annotated games, some of them moved, lost, doubled or put in."""
    parts = SEAM.split(b"".join(rng.choice(games) for _ in range(rng.randrange(1, 4))))
    for _ in range(rng.randrange(1, 9)):
        at, kind = rng.randrange(len(parts)), rng.randrange(6)
        if kind == 0:
            del parts[at:at + rng.choice([1, 2, 5, 20, 60])]
        elif kind < 3:
            parts.insert(at, rng.choice(OWN))
        elif kind == 3:
            other = rng.randrange(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        elif kind == 4:
            parts.insert(rng.randrange(len(parts)), parts[at])
        else:
            del parts[rng.randrange(len(parts)) + 1:]
        parts = parts or [b"*"]
    return b"".join(parts)


def mutated(game, rng):
    """A game with a few changes."""
    game = bytearray(game)
    if rng.random() < 0.15:
        game = game.replace(b"\n", b"\r\n")
    for _ in range(rng.choice([0, 1, 1, 2, 3, 5, 10])):
        at = rng.randrange(len(game) + 1)
        kind = rng.randrange(8)
        if kind == 0 and at < len(game):
            game[at] = rng.randrange(256)
        elif kind == 1:
            game[at:at] = rng.choice(SPICE)
        elif kind == 2:
            del game[at:at + rng.choice([1, 2, 5, 30, 200])]
        elif kind == 3:
            start = rng.randrange(len(game) + 1)
            game[at:at] = game[start:start + rng.choice([1, 5, 30, 200])]
        elif kind == 4:
            game[at:at] = rng.choice(SPICE) * rng.choice([1, 2, 3, 50])
        else:
            mark = b"MARK%06d" % rng.randrange(10**6)
            game[at:at] = rng.choice(WRAPPED).replace(b"%s", mark).replace(b"%%", b"%")
    return bytes(game)


def bare(data):
    """The bytes without blanks, and without what the program adds to a game."""
    data = re.sub(rb"(; )?sakmak \d+\.\d+\.\d+", b"", data)
    # TAG stands for a tag that may be added: a mark before it is not of a comment behind it.
    data = re.sub(rb'\[((Annotator|Variant) ""|SetUp "1"|Variant "[a-z-]+"|FEN "r[^"\]]*")\]', TAG, data)
    data = re.sub(OURS, b" ", data)
    # A number before a move of Black begins a word, whatever is before it.
    words = re.sub(rb"([\]}*?!\x01]|\xc2[\x85\xa0])", rb"\1 ", data).split()
    return b"".join(re.sub(rb"^\d+\.\.\.", b"", word) for word in words).replace(TAG, b"")


class Failures:
    """What went wrong, with the first files of each kind."""

    def __init__(self, place):
        self.place = place
        self.counts = {}

    def add(self, kind, data):
        count = self.counts[kind] = self.counts.get(kind, 0) + 1
        if count <= 4:
            path = self.place / f"{kind}-{count}.pgn"
            path.write_bytes(data)
            print("BAD", kind, path, flush=True)


def main():
    seconds, seed, sakmak, tables = (sys.argv[1:] + ["60", "1", "sakmak", "none"][len(sys.argv) - 1:])
    rng = random.Random(int(seed))
    place = pathlib.Path(tempfile.mkdtemp(prefix="pgn-fuzz-"))
    failures = Failures(place)
    games = [path.read_bytes() for path in sorted(ROOT.glob("gen/pgn/tests/data/games/*.pgn"))]
    games += [path.read_bytes() for path in sorted(ROOT.glob("gen/pgn/tests/data/cases/*.pgn"))]
    games += [ENDING, CLAIM] * 6
    annotated = []
    files = total = read = 0
    start = time.monotonic()

    def check(path, out):
        command = [sakmak, "check", path, "--tables", tables, "--make-men", "0", "--json", "-o", out]
        run = subprocess.run(command, capture_output=True, timeout=120)
        errors = [game["error"] and re.sub(r"^line \d+", "", game["error"]["message"])
                  for game in json.loads(run.stdout or b'{"games": []}')["games"]]
        return run, errors

    path, once, twice = (place / name for name in ["in.pgn", "once.pgn", "twice.pgn"])
    for game in dict.fromkeys(games):
        path.write_bytes(game)
        check(path, once)
        annotated += [once.read_bytes()] * (4 if game in (ENDING, CLAIM) else 1)
    while time.monotonic() - start < float(seconds):
        data = (reassembled(annotated, rng) if files % 2 else
                b"".join(mutated(rng.choice(games), rng) for _ in range(rng.randrange(1, 7))))
        path.write_bytes(data)
        for old in (once, twice):
            old.unlink(missing_ok=True)
        files += 1
        try:
            run, errors = check(path, once)
        except subprocess.TimeoutExpired:
            failures.add("hang", data)
            continue
        total += len(errors)
        read += errors.count(None)
        if b"panicked" in run.stderr or run.returncode not in (0, 1, 2):
            failures.add("panic", data)
            continue
        if not once.exists():
            if run.returncode == 0:
                failures.add("no-output", data)
            continue
        first = once.read_bytes()
        if bare(first) != bare(data):
            failures.add("lost", data)
        again, told = check(once, twice)
        if not twice.exists() or twice.read_bytes() != first:
            failures.add("second-differs", data)
        if (again.returncode, told) != (run.returncode, errors):
            failures.add("told-differs", data)
    print(f"{files} files, {total} games, {read} of them read to their end; "
          f"failures: {failures.counts or 'none'}" + (f"; {place}" if failures.counts else ""))
    if failures.counts:
        sys.exit(1)
    shutil.rmtree(place)
    if not read:
        sys.exit("pgn_fuzz.py: no game was read to its end")


if __name__ == "__main__":
    main()
