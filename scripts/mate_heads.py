#!/usr/bin/env python3
"""Compares the three places where a probe reports a mate in time: the head, the best move that keeps
the result, and the length of the line. Counts run near their end, where they differ most.

usage: scripts/mate_heads.py SAKMAK TABLES POSITIONS SEED [MATERIAL...]

Without materials, positions are drawn from all materials of five men. Needs the solved tables of
`sakmak generate 5 --counting makruk`; 20,000 positions take some ten minutes on one core. Ends with
status 1 if one position differs.
"""

import itertools
import json
import random
import subprocess
import sys

from crosscheck.fen import board_field

LIMITS = (16, 32, 44, 64, 88, 128)


def materials():
    """All materials of five men, the side with more men first."""
    for pieces in (3, 2):
        for white in itertools.combinations_with_replacement("RNSMP", pieces):
            for black in itertools.combinations_with_replacement("RNSMP", 3 - pieces):
                yield f"K{''.join(white)}vK{''.join(black)}"


def draw(source, material):
    """A FEN of the material with a running count. It may be illegal: the program refuses those."""
    white, black = material.split("v")
    men = white + black.lower()
    if source.random() < 0.5:
        men = men.swapcase()
    squares = {(square % 8, square // 8): man for square, man in zip(source.sample(range(64), len(men)), men)}
    side = source.choice("wb")
    if len(black) > 1 or "P" in material:
        limit, count = 128, source.randrange(60, 129)
    else:
        limit = source.choice(LIMITS)
        count = source.randrange(limit)
    return f"{board_field(squares)} {side} - {limit} {count} 1"


def compare(answer):
    """`None` if nothing can be compared, else the three numbers in plies."""
    if "error" in answer or answer["category"] not in ("win", "loss"):
        return None
    head = answer["mate_in_time"]
    reached = {"win": "loss", "loss": "win"}[answer["category"]]
    moves = [move["mate_in_time"] for move in answer["moves"] if move["category"] == reached]
    if head is None or None in moves or not moves:
        return None
    plies = [abs(after) + 1 for after in moves]
    best = min(plies) if answer["category"] == "win" else max(plies)
    return abs(head), best, len(answer["counted_line"]["moves"])


def main():
    program, tables, number, seed, *named = sys.argv[1:]
    source = random.Random(int(seed))
    pool = named or list(materials())
    asked = won = compared = different = 0
    while asked < int(number):
        before = asked
        fens = [draw(source, source.choice(pool)) for _ in range(2000)]
        run = subprocess.run(
            [program, "probe", "-", "--json", "--tables", tables],
            input="\n".join(fens) + "\n", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
        )
        for fen, line in zip(fens, run.stdout.splitlines()):
            answer = json.loads(line)
            if "error" in answer:
                continue
            asked += 1
            won += answer["category"] in ("win", "loss")
            numbers = compare(answer)
            compared += numbers is not None
            if numbers is not None and len(set(numbers)) > 1:
                different += 1
                print(fen, answer["category"], "head %d, best move %d, line %d" % numbers)
        if asked == before:
            sys.exit(f"no position was answered: {run.stdout.splitlines()[0]}")
    print(f"{asked} positions, {won} won or lost in time, {compared} compared, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
