#!/usr/bin/env python3
"""Prints statistics as a table for a page.

Reads what `sakmak stats ... --json` prints, and prints a row of Markdown for each material: how many
positions the stronger side wins, and how many of them in time when a count starts there.

usage: sakmak stats KMMMMvK KNNNNvK ... --json | scripts/endings.py
"""

import json
import sys


def longest(side, key):
    found = side[key]
    return found["moves"] if found else "-"


def row(statistics):
    attack = statistics["white_attacking"]
    white, black = statistics["white_to_move"], statistics["black_to_move"]
    legal = white["legal"] + black["legal"]
    won, in_time = attack["won"], attack["won_in_time"]
    fresh = white["at_fresh_count"]
    late = won - in_time
    cells = [
        f"`{statistics['material']}`",
        f"{legal:,}",
        f"{100 * won / legal:.2f} %",
        "-" if fresh["win_clock"] is None else fresh["win_clock"],
        f"{100 * in_time / won:.2f} %" if won else "-",
        f"{late:,}" if won else "-",
        longest(white, "longest_win"),
        longest(fresh, "longest_win"),
    ]
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def main():
    print("| material | positions | won | moves left | won in time | lost to the clock | longest | longest in time |")
    print("|---|---|---|---|---|---|---|---|")
    text = sys.stdin.read().strip()
    while text:
        statistics, end = json.JSONDecoder().raw_decode(text)
        print(row(statistics))
        text = text[end:].lstrip()


if __name__ == "__main__":
    main()
