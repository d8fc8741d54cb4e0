#!/usr/bin/env python3
"""Compares the data of an atlas with `sakmak stats`: every material in both games.

    for game in makruk ouk; do
        sakmak stats 5 --counting $game --json --tables DIR
    done | scripts/atlas-overview.py ATLAS

Reads the output of `sakmak stats`. For each line, the row of overview.csv and the part of
data/MATERIAL.json must have the same numbers, and there must be no other rows. Stops with an
error at the first difference. Limits of the count and mutual zugzwangs are not in
`sakmak stats` and not compared.
"""

import csv
import json
import pathlib
import sys

SIDES = ("white", "black")


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
            f"{side}_lost_to_the_clock": None if in_time is None else won - in_time,
            f"{side}_longest_mate": longest(line, side),
            f"{side}_in_time": attack["in_time"],
            f"{side}_moves_{side}_to_move": clock(line, side, "win_clock"),
            f"{side}_moves_{other}_to_move": clock(line, other, "loss_clock"),
        }
    return row


def difference(atlas, rows, line):
    """What differs in the atlas, or None."""
    name = (line["material"], line["counting"])
    found = rows.pop(name, None)
    if found is None:
        return "overview.csv has no such row"
    for column, expected in row_of(line).items():
        expected = "" if expected is None else str(expected)
        if found[column] != expected:
            return f"{column} is {found[column] or 'empty'}, and {expected or 'nothing'} in stats"
    data = json.loads((atlas / "data" / f"{name[0]}.json").read_text())
    if line not in data["countings"]:
        return f"data/{name[0]}.json differs"
    return None


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    atlas = pathlib.Path(sys.argv[1])
    with open(atlas / "overview.csv", newline="") as file:
        rows = {(row["material"], row["counting"]): row for row in csv.DictReader(file)}
    lines = 0
    for text in sys.stdin:
        line = json.loads(text)
        different = difference(atlas, rows, line)
        if different:
            sys.exit(f"{line['material']}, {line['counting']}: {different}")
        lines += 1
    if rows or not lines:
        missing = ", ".join(" ".join(name) for name in rows) or "anything"
        sys.exit(f"sakmak stats has no line for {missing}")
    print(f"the atlas and sakmak stats agree on {lines} materials and games")


if __name__ == "__main__":
    main()
