"""Writes paths of random positions that a service answers, one a line.

Each position has five men: kings, and three others of any kind for either side. Paths without an
answer are left out: illegal positions, and those without a table, of which a move may have one.

usage: positions.py ADDRESS NUMBER [PARAMETERS] > PATHS
"""

import json
import random
import sys
from urllib.request import Request, urlopen

BATCH = 100


def fen(rng):
    """A random placement, which may be illegal."""
    squares = rng.sample(range(64), 5)
    pieces = ["K", "k", *(rng.choice("RNSMP" "rnsmp") for _ in range(3))]
    board = [["1"] * 8 for _ in range(8)]
    for square, piece in zip(squares, pieces):
        board[square // 8][square % 8] = piece
    return f"{'/'.join(map(''.join, board))} {rng.choice('wb')}"


def main(address, number, parameters=""):
    rng = random.Random(1)
    written = 0
    while written < int(number):
        fens = [fen(rng) for _ in range(BATCH)]
        body = json.dumps({"fens": fens, "line": False}).encode()
        with urlopen(Request(f"{address}makruk", data=body)) as response:
            answers = json.load(response)
        for answer in answers:
            if not {"error", "missing"} & answer.keys() and written < int(number):
                path = f"/makruk?fen={answer['fen'].replace(' ', '_')}"
                print(path + (f"&{parameters}" if parameters else ""))
                written += 1


if __name__ == "__main__":
    main(*sys.argv[1:])
