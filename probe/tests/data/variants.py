#!/usr/bin/env python3
"""Random positions of the board games with the answers of the program, for the tests in C and Python.

usage: variants.py SAKMAK TABLES > variants.tsv

Rows: variant, FEN, category, plies, moves, line; `-` for none. A move is `e2e10:win:7`. A FEN that has no
answer has the category `error`.
"""

import json
import random
import subprocess
import sys

ROWS = 300


def fen(files, ranks, men, side):
    """The FEN of men on squares, (file, rank) from the lowest."""
    rows = []
    for rank in reversed(range(ranks)):
        row = "".join(men.get((file, rank), ".") for file in range(files))
        for empty in range(files, 0, -1):
            row = row.replace("." * empty, str(empty))
        rows.append(row)
    return "/".join(rows) + f" {side}"


def janggi(draw):
    """The generals in their palaces, a chariot and a horse, which other programs write as H."""
    squares = [(draw.randrange(3, 6), draw.randrange(3)), (draw.randrange(3, 6), draw.randrange(7, 10))]
    squares += [(draw.randrange(9), draw.randrange(10)) for _ in range(2)]
    return fen(9, 10, dict(zip(squares, draw.choice(["KkRN", "Kkrn", "KkRH", "Kkrh"]))), draw.choice("wb"))


def rek(draw):
    """Two kings and two men of one side in a corner, where most games are decided."""
    squares = [(draw.randrange(4), draw.randrange(3)) for _ in range(4)]
    return fen(8, 8, dict(zip(squares, draw.choice(["MMKk", "mmKk"]))), draw.choice("wb"))


def min_rek(draw):
    """Two men beside the kings, which have their squares."""
    squares = [(draw.randrange(8), draw.randrange(8)) for _ in range(2)]
    return fen(8, 8, {**dict(zip(squares, "Mm")), (0, 1): "K", (7, 6): "k"}, draw.choice("wb"))


def row(variant, answer):
    if "error" in answer:
        return [variant, answer["fen"], "error", "-", "-", "-"]

    def plies(value, more):
        return "-" if value["dtm"] is None else str(abs(value["dtm"]) + more)

    # The values of a move are those of the position after it.
    reversed_of = {"win": "loss", "draw": "draw", "loss": "win"}
    moves = [f"{move['uci']}:{reversed_of[move['category']]}:{plies(move, 1)}" for move in answer["moves"]]
    texts = [" ".join(moves) or "-", " ".join(answer["line"]) or "-"]
    return [variant, answer["fen"], answer["category"], plies(answer, 0), *texts]


def main(sakmak, tables):
    draw = random.Random(43)
    for variant, position in [("janggi", janggi), ("rek", rek), ("min-rek-chanh", min_rek)]:
        fens = "\n".join(position(draw) for _ in range(ROWS))
        probe = [sakmak, "probe", "-", "--json", "--variant", variant, "--tables", tables]
        printed = subprocess.run(probe, input=fens, text=True, stdout=subprocess.PIPE, check=False).stdout
        answers = [json.loads(line) for line in printed.splitlines()]
        assert len(answers) == ROWS, (variant, len(answers))
        assert sum("error" not in answer for answer in answers) > ROWS // 2, variant
        for answer in answers:
            print("\t".join(row(variant, answer)))


if __name__ == "__main__":
    main(*sys.argv[1:])
