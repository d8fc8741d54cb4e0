#!/usr/bin/env python3
"""Prints statistics as a table for a page.

Reads what `sakmak stats ... --json` prints, and prints a row of Markdown for each material: how many
positions the stronger side wins, and how many of them in time when a count starts there. With --both, for
materials with pieces on both sides, a row for each side to move: what either side wins.

usage: sakmak stats KMMMMvK KNNNNvK ... --json | scripts/endings.py [--both]
"""

import sys

from claims.records import given_records

HEAD = ["material", "positions", "won", "moves left", "won in time", "too late", "longest", "longest in time"]
HEAD_OF_BOTH = [
    "material", "side to move", "positions", "White wins", "in time", "Black wins", "in time", "longest"
]  # fmt: skip


def longest(side, key):
    found = side[key]
    return found["moves"] if found else "-"


def share(part, whole):
    """A share in percent, 100 only if it is all; one that is small but not zero as the number."""
    percent = f"{min(100 * part / whole, 100 if part == whole else 99.99):.2f} %" if whole else "-"
    return f"{part:,}" if percent == "0.00 %" and part else percent


def rows(statistics):
    """The row of a material against a bare king."""
    attack = statistics["white_attacking"]
    white, black = statistics["white_to_move"], statistics["black_to_move"]
    legal = white["legal"] + black["legal"]
    won, in_time = attack["won"], attack["won_in_time"]
    fresh = white["at_fresh_count"]
    yield [
        f"`{statistics['material']}`",
        f"{legal:,}",
        share(won, legal),
        "-" if fresh["win_clock"] is None else fresh["win_clock"],
        share(in_time, won),
        f"{won - in_time:,}" if won else "-",
        longest(white, "longest_win"),
        longest(fresh, "longest_win"),
    ]


def rows_of_both(statistics):
    """The rows of a material with pieces on both sides. One with like pieces has White to move only."""
    for mover, outcomes in (("White", ("win", "loss")), ("Black", ("loss", "win"))):
        side = statistics[f"{mover.lower()}_to_move"]
        if mover == "Black" and side is None:
            return
        fresh, wins = side["at_fresh_count"], []
        for outcome in outcomes:
            plural = {"win": "wins", "loss": "losses"}[outcome]
            won, in_time = side[plural], fresh[plural]
            in_time = "all" if in_time == won else share(in_time, won)
            wins += [share(won, side["legal"]), in_time if won else "-"]
        found = [side[key]["moves"] for key in ("longest_win", "longest_loss") if side[key]]
        name = f"`{statistics['material']}`" if mover == "White" else ""
        yield [name, mover, f"{side['legal']:,}", *wins, max(found, default="-")]


def line(cells):
    return ("| " + " | ".join(str(cell) for cell in cells) + " |").replace("|  |", "| |")


def main(both=False):
    head, given = HEAD_OF_BOTH if both else HEAD, given_records()
    print(line(head))
    print("|---" * len(head) + "|")
    for statistics in given:
        for row in (rows_of_both if both else rows)(statistics):
            print(line(row))


if __name__ == "__main__":
    main("--both" in sys.argv[1:])
