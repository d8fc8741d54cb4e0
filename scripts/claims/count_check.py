#!/usr/bin/env python3
"""Checks figures of docs/count.md by counting positions.

    scripts/claims/count_check.py --sakmak PROGRAM --tables DIR [--men 5] [--figures 10]

Takes figures of the table "What each ending needs", spread over it, and counts by `sakmak query` how
many wins are in time at that limit and at one less. Shares no code with count.py.
"""

import pathlib
import re
import sys

from claims import Program, parser_of

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "count.md"
ROW = re.compile(r"^\| `(K[RNSM]+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|", re.MULTILINE)


def positions(program, material, condition):
    return program.ask(f"query {material} '{condition}' --count")[0].positions


def in_time(program, pieces, limit):
    """The wins that a count to this limit leaves enough moves for: one more with White to move."""
    left = limit - len(pieces) - 1
    if left < 0:
        return 0
    condition = f"side=white and win and dtm<={left + 1} or side=black and loss and dtm<={left}"
    return positions(program, f"{pieces}vK", condition)


def main():
    parser = parser_of(__doc__)
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
    wrong, program = 0, Program(arguments.sakmak, arguments.tables, None)
    for number in range(arguments.figures):
        pieces, share, limit = found[number * len(found) // arguments.figures]
        wins = positions(program, f"{pieces}vK", "winner=white")
        at, below = (100 * in_time(program, pieces, moves) / wins for moves in (limit, limit - 1))
        agrees = below < share <= at
        wrong += not agrees
        print(f"{pieces}: {share} % at {limit}: {at:.3f} %, at {limit - 1} {below:.3f} %" + ("" if agrees else " WRONG"))
    print(f"{arguments.figures} figures counted, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
