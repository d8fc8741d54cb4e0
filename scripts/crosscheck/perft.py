"""Counts lines of play with Fairy-Stockfish, through pyffish.

usage: perft.py [--variant NAME] [--depth N] PERFT_TXT

PERFT_TXT is tables/tests/data/perft.txt: variant, FEN, and the lines of 1, 2, 3, ... plies. The
script counts as many plies as each line has numbers, or N, and prints the lines with its own
numbers. If a number differs, it exits with status 1.

Positions that are reached in several ways are counted once, with their number of ways: a call of
pyffish is slow.
"""

import argparse
import collections
import sys

import pyffish

from crosscheck import GAMES


def without_number(fen):
    """A FEN without its last field, the number of the move: no move depends on it."""
    return fen.rsplit(" ", 1)[0]


def perft(variant, fen, depth):
    """The lines of 1 to `depth` plies."""
    name = GAMES[variant].name
    ways = {fen: 1}
    for ply in range(depth):
        moves = {fen: pyffish.legal_moves(name, fen, []) for fen in ways}
        yield sum(len(moves[fen]) * count for fen, count in ways.items())
        if ply + 1 == depth:
            return
        after = collections.Counter()
        for fen, count in ways.items():
            for move in moves[fen]:
                after[without_number(pyffish.get_fen(name, fen, [move])) + " 1"] += count
        ways = after


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file", metavar="PERFT_TXT")
    parser.add_argument("--variant", choices=GAMES, help="lines of this variant only")
    parser.add_argument("--depth", type=int, metavar="N", help="plies, instead of as many as the line has")
    options = parser.parse_args()
    differs = False
    with open(options.file, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    for line in lines:
        variant, fen, numbers = (field.strip() for field in line.split("|"))
        if options.variant not in (None, variant):
            continue
        known = [int(number) for number in numbers.split()]
        counted = list(perft(variant, fen, options.depth or len(known)))
        print(f"{variant} | {fen} | {' '.join(map(str, counted))}", flush=True)
        differs |= any(number != other for number, other in zip(counted, known))
    sys.exit(differs)


if __name__ == "__main__":
    main()
