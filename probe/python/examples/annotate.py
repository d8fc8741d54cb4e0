"""Writes beside each position what it is worth, and after a move whether it was right.

usage: annotate.py TABLES [COUNTING] < FENS

A line is a FEN, and after a semicolon perhaps a move in UCI that was made there:

    8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21; e3d3
"""

import sys

import sakmak

RANKS = ["loss", "blessed-loss", "draw", "cursed-win", "win"]


def distance(dtm):
    return f", mate in {dtm.moves} moves ({dtm.plies} plies)" if dtm else ""


def verdict(answer):
    """The position in a few words."""
    words = answer.outcome or answer.category + distance(answer.dtm)
    if answer.count:
        state = "running" if answer.count.running else "starting here"
        words += f"; count {state}, {answer.count.moves_left} moves left"
    return words


def judged(answer, uci):
    """The move in a few words."""
    made = next((move for move in answer.moves if move.uci == uci), None)
    if made is None:
        return f"{uci} is no legal move"
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
        print(f"{answer.fen}: {verdict(answer)}")
        if move.strip():
            print(f"    {judged(answer, move.strip())}")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
