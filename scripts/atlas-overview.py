#!/usr/bin/env python3
"""Compares the data of an atlas with `sakmak stats`: every material in both games.

usage: scripts/atlas-overview.py ATLAS [TABLES]

    sakmak report -o atlas
    scripts/atlas-overview.py atlas sakmak-tables

TABLES are the tables of which the atlas was made, `sakmak-tables` if left out. The program is the
one named by SAKMAK, or `sakmak` in the search path, or that of a build in this repository.

For each row of overview.csv the numbers, and the part of data/MATERIAL.json, must be those of
`sakmak stats`. Where a row has no number of wins in time, `sakmak stats` must lack the table too.
Stops with an error at the first difference. Limits of the count and mutual zugzwangs are not in
`sakmak stats` and not compared.
"""

import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys

from claims.records import records

SIDES = ("white", "black")
ROOT = pathlib.Path(__file__).resolve().parent.parent


def longest(line, side):
    """The longest mate of a side, with either side to move."""
    other = SIDES[1 - SIDES.index(side)]
    own, others = line[f"{side}_to_move"]["longest_win"], line[f"{other}_to_move"]["longest_loss"]
    return max((found["moves"] for found in (own, others) if found), default=None)


def clock(line, mover, of):
    """The moves left when a count starts here; None if it is not known what is in time."""
    count = line[f"{mover}_to_move"]["at_fresh_count"]
    return count and count[of]


def row_of(line):
    """The row of the overview for a line of statistics."""
    movers = [line[f"{side}_to_move"] for side in SIDES]
    row = {
        "variant": line["variant"],
        "men": len(line["material"]) - 1,
        "positions": sum(mover["legal"] for mover in movers),
        "draws": sum(mover["draws"] for mover in movers),
    }
    for side, other in (SIDES, SIDES[::-1]):
        attack = line[f"{side}_attacking"]
        won, in_time = attack["won"], attack["won_in_time"]
        row |= {
            f"{side}_won": won,
            f"{side}_won_in_time": in_time,
            f"{side}_too_late": None if in_time is None else won - in_time,
            f"{side}_longest_mate": longest(line, side),
            f"{side}_in_time": attack["in_time"],
            f"{side}_moves_{side}_to_move": clock(line, side, "win_clock"),
            f"{side}_moves_{other}_to_move": clock(line, other, "loss_clock"),
        }
    return row


def difference(atlas, row, line):
    """What differs in the atlas, or None."""
    for column, expected in row_of(line).items():
        expected = "" if expected is None else str(expected)
        if row[column] != expected:
            return f"{column} is {row[column] or 'empty'}, and {expected or 'nothing'} in stats"
    data = json.loads((atlas / "data" / f"{row['material']}.json").read_text())
    if line not in data["countings"]:
        return f"data/{row['material']}.json differs"
    return None


def program():
    """The program `sakmak`."""
    built = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"), "release", "sakmak")
    found = os.environ.get("SAKMAK") or shutil.which("sakmak") or shutil.which(built)
    return found or sys.exit("no program sakmak: install it, or name it in SAKMAK")


def stats(sakmak, tables, counting, materials):
    """The output of `sakmak stats`: one object per material."""
    rules = ["--variant", counting, "--counting", counting]
    command = [sakmak, "stats", *materials, "--json", *rules, "--tables", tables]
    return subprocess.run(command, capture_output=True, text=True)


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    atlas, tables = pathlib.Path(sys.argv[1]), (sys.argv[2:] or ["sakmak-tables"])[0]
    try:
        with open(atlas / "overview.csv", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        sys.exit(f"no atlas in {atlas}: {error}")
    sakmak, compared = program(), 0
    for counting in dict.fromkeys(row["counting"] for row in rows):
        of_game = [row for row in rows if row["counting"] == counting]
        # A material without wins in time has no table that would tell them.
        for row in [row for row in of_game if not row["white_won_in_time"]]:
            run = stats(sakmak, tables, counting, [row["material"]])
            if run.returncode == 0:
                sys.exit(f"{row['material']}, {counting}: wins in time are in stats only")
        known = {row["material"]: row for row in of_game if row["white_won_in_time"]}
        run = stats(sakmak, tables, counting, known)
        if run.returncode:
            sys.exit(run.stderr.strip())
        lines = list(records(run.stdout))
        if [line["material"] for line in lines] != list(known):
            sys.exit(f"sakmak stats has other materials than the atlas in {counting}")
        for line in lines:
            different = difference(atlas, known[line["material"]], line)
            if different:
                sys.exit(f"{line['material']}, {counting}: {different}")
        compared += len(of_game)
    if not compared:
        sys.exit(f"{atlas / 'overview.csv'} has no rows")
    print(f"the atlas and sakmak stats agree on {compared} materials and games")


if __name__ == "__main__":
    main()
