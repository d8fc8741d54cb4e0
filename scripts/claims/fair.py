#!/usr/bin/env python3
"""Endings for two people, as a Markdown table: those that both sides win in time about as often.

    sakmak stats 5 --counting makruk --json | scripts/claims/fair.py

An ending is fair if each side wins a tenth of all positions or more in time, with either side to move,
and neither one and a half times as many as the other.
"""

import sys

from records import given_records, percent

LEAST, MOST_APART = 0.1, 1.5


def main():
    found = []
    for statistics in given_records():
        legal = statistics["white_to_move"]["legal"] + statistics["black_to_move"]["legal"]
        white, black = (statistics[f"{side}_attacking"]["won_in_time"] for side in ("white", "black"))
        if white is None or min(white, black) < LEAST * legal or max(white, black) > MOST_APART * min(white, black):
            continue
        found.append((max(white, black) / min(white, black), statistics["material"], white, black, legal))
    if not found:
        sys.exit("fair.py: no ending is fair")
    print("| ending | the first side wins in time | the second | drawn |")
    print("|---|---|---|---|")
    for _, material, white, black, legal in sorted(found):
        print(f"| `{material}` | {percent(white, legal)} | {percent(black, legal)} | {percent(legal - white - black, legal)} |")


if __name__ == "__main__":
    main()
