"""Counts lines of play with Fairy-Stockfish, through pyffish.

usage: perft.py PERFT_TXT [VARIANT]

PERFT_TXT is tables/tests/data/perft.txt: variant, FEN, and the lines of 1, 2, 3, ... plies. The
script prints the lines with its own numbers, and exits with status 1 if a number differs. Needs
pyffish, see crosscheck/venv.sh; all lines take some minutes.
"""

import collections
import sys

import pyffish

from crosscheck import GAMES


def perft(name, fen, depth, check=lambda moves: None):
    """The lines of 1 to `depth` plies. `check` sees the moves of the positions of each ply.

    Positions that are reached in several ways are counted once, with their number of ways: a call of
    pyffish is slow.
    """
    ways = {fen: 1}
    for ply in range(depth):
        moves = {fen: pyffish.legal_moves(name, fen, []) for fen in ways}
        check(moves)
        yield sum(len(moves[fen]) * count for fen, count in ways.items())
        after = collections.Counter()
        for fen, count in ways.items() if ply + 1 < depth else ():
            for move in moves[fen]:
                # No move depends on the last field, the number of the move.
                after[pyffish.get_fen(name, fen, [move]).rsplit(" ", 1)[0] + " 1"] += count
        ways = after


def main(path, only=None):
    differs = False
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    for line in lines:
        variant, fen, numbers = (field.strip() for field in line.split("|"))
        if only in (None, variant):
            known = [int(number) for number in numbers.split()]
            counted = list(perft(GAMES[variant].name, fen, len(known)))
            print(f"{variant} | {fen} | {' '.join(map(str, counted))}", flush=True)
            differs |= counted != known
    sys.exit(differs)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
