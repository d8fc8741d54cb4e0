"""Prints the result of each position, and whether a move kept it.

usage: annotate.py TABLES [COUNTING] < FENS

A line is a FEN. A semicolon and the move that was played there, in UCI, may follow:

    8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21; e3d3
"""

import sys

import sakmak

RANKS = ["loss", "blessed-loss", "draw", "cursed-win", "win"]


def distance(dtm):
    return f", mate in {dtm.moves} moves ({dtm.plies} plies)" if dtm else ""


def summary(answer):
    """The result and the count of the position."""
    words = answer.outcome or answer.category + distance(answer.dtm)
    if answer.count:
        state = "running" if answer.count.running else "starting here"
        words += f"; count {state}, {answer.count.moves_left} moves left"
    return words


def comment(answer, uci):
    """Whether the move kept the category of the position."""
    made = next((move for move in answer.moves if move.uci == uci), None)
    if made is None:
        return f"{uci} is not a legal move"
    best = answer.moves[0]
    if RANKS.index(made.category) < RANKS.index(best.category):
        return f"{made.san}? makes it a {made.category}; {best.san} keeps the {best.category}"
    return f"{made.san} keeps the {made.category}{distance(made.dtm)}"


def main(directory, counting="makruk"):
    tables = sakmak.Tablebase(directory)
    lines = [line.strip().partition(";") for line in sys.stdin if line.strip()]
    fens = [fen.strip() for fen, _, _ in lines]
    answers = tables.probe_batch(fens, counting, return_errors=True)
    for (fen, _, move), answer in zip(lines, answers):
        if isinstance(answer, sakmak.SakmakError):
            print(f"{fen.strip()}: no answer: {answer}")
            continue
        print(f"{answer.fen}: {summary(answer)}")
        if move.strip():
            print(f"    {comment(answer, move.strip())}")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
