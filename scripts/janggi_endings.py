#!/usr/bin/env python3
"""Prints statistics of Janggi's five men as tables for a page.

Reads what `sakmak stats 5 --variant janggi-casual --json` prints, or that of another variant; of
janggi-seed the positions in which nobody has forfeited the win. First two men against one: a row for each
two and a column for each one. Then three men against a bare general. A cell is the share of positions, in
percent, that the side with more men wins when it is to move, and its longest win in moves.

usage: sakmak stats 5 --variant janggi-casual --json | scripts/janggi_endings.py
"""

import sys

from claims.records import given_records, table

PIECES = "RCHEAP"
COLUMNS = 6


def cell(record):
    """The share won and the longest win: `99.63 ≤ 21`; `-` where nothing is won."""
    won = record["won"]
    if not won:
        return "-"
    percent = 100 * won / (won + record["lost"] + record["drawn"])
    share = f"{percent:.2f}".rstrip("0").rstrip(".")
    if share == "0":
        share = "< 0.01"
    elif share == "100" and percent < 100:
        share = "99.99+"
    return f"{share} ≤ {(record['longest_win_plies'] + 1) // 2}"


def main():
    against_one, bare = {}, {}
    for record in given_records():
        if "-" in record["material"]:
            continue
        first, second = (side.lstrip("K") for side in record["material"].split("v"))
        attacker, defender = (first, second) if record["to_move"] == "first" else (second, first)
        if len(attacker) == 2 and len(defender) == 1:
            against_one[attacker, defender] = cell(record)
        elif len(attacker) == 3:
            bare[attacker] = cell(record)
    rows = sorted({attacker for attacker, _ in against_one}, key=order)
    rows = [[attacker, *(against_one.get((attacker, piece), "") for piece in PIECES)] for attacker in rows]
    print(table(["men", *(f"v {piece}" for piece in PIECES)], rows))
    print()
    cells = [text for men in sorted(bare, key=order) for text in (men, bare[men])]
    rows = [cells[first : first + COLUMNS] for first in range(0, len(cells), COLUMNS)]
    print(table(["men", "won"] * (COLUMNS // 2), [row + [""] * (COLUMNS - len(row)) for row in rows]))


def order(men):
    return [PIECES.index(piece) for piece in men]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    main()
