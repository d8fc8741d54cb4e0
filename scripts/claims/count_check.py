#!/usr/bin/env python3
"""Checks figures of docs/count.md by counting positions.

    scripts/claims/count_check.py --sakmak PROGRAM --tables DIR [--men 5] [--figures 10]

Takes figures of the table "What each ending needs", spread over it, and counts by `sakmak query` how
many wins are in time at that limit and at one less. Shares no code with count.py.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "count.md"
ROW = re.compile(r"^\| `(K[RNSM]+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", re.MULTILINE)


def positions(arguments, material, condition):
    words = [arguments.sakmak, "query", material, condition, "--count", "--json", "--tables", arguments.tables]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr.strip())
    return json.loads(done.stdout)["positions"]


def in_time(arguments, pieces, limit):
    """The wins that a count to this limit leaves enough moves for: one more with White to move."""
    left = limit - len(pieces) - 1
    if left < 0:
        return 0
    condition = f"side=white and win and dtm<={left + 1} or side=black and loss and dtm<={left}"
    return positions(arguments, f"{pieces}vK", condition)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sakmak", default="sakmak", help="the program")
    parser.add_argument("--tables", default="sakmak-tables", help="the directory of tables")
    parser.add_argument("--men", type=int, default=5, help="endings of at most this many men")
    parser.add_argument("--figures", type=int, default=10, help="how many figures")
    arguments = parser.parse_args()
    found = [
        (pieces, share, int(limit))
        for pieces, *limits in ROW.findall(PAGE.read_text().partition("## Limits for each row")[0])
        for share, limit in zip((50, 90, 99, 100), limits)
        if len(pieces) < arguments.men
    ]
    if len(found) < arguments.figures:
        sys.exit(f"count_check.py: {PAGE} has only {len(found)} figures")
    wrong = 0
    for number in range(arguments.figures):
        pieces, share, limit = found[number * len(found) // arguments.figures]
        wins = positions(arguments, f"{pieces}vK", "winner=white")
        at, below = (100 * in_time(arguments, pieces, moves) / wins for moves in (limit, limit - 1))
        agrees = below < share <= at
        wrong += not agrees
        print(f"{pieces}: {share} % at {limit}: {at:.3f} %, at {limit - 1} {below:.3f} %" + ("" if agrees else " WRONG"))
    print(f"{arguments.figures} figures counted, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
