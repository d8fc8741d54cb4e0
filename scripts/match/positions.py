"""Where games begin: endings with a result to keep, drawn from tables, and balanced positions of more
men."""

import json
import random
import subprocess

import pyffish

from referee import NAMES, crosscheck
from fen import pieces_of, random_board

# Roughly what pieces are worth, in pawns.
WORTH = {"R": 5, "N": 3, "S": 2.5, "M": 1.6, "P": 1}
# Both sides of a balanced position have this much, one from the other at most.
BALANCE = 1
# The hardest endings of a material differ by at most this many moves from the hardest one.
MARGIN = 2


def answers(command, lines):
    """The JSON lines that a program prints for lines of input."""
    run = subprocess.run(command, input="".join(f"{line}\n" for line in lines),
                         capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"{' '.join(command)}: {run.stderr.strip()}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def endings(sakmak, tables, variant, keep, materials, each, seed):
    """Endings in which the side to move has a result to keep under a count that starts there. A
    win: of each material `each` at random, and `each` of the wins that need most of the count. A draw
    against the first side of the material, which may be a mate that comes too late: `each` at
    random, `each` in which one move keeps it, and `each` in which mate is least too late."""
    places = ["--tables", tables, "--variant", variant, "--counting", variant]
    found, fens = [], set()
    for material in materials:
        query = [sakmak, "query", material, *places, "--json"]

        def first(condition, *order):
            rows = answers([*query, condition, "--order", "counted", *order, "--first", "1"], [])
            return rows[0]["counted"] if rows else None
        if keep == "win":
            results, most = ["win"], first("category=win", "--descending")
            conditions = {"random": "category=win",
                          "hard": most and f"category=win and counted>={max(most - MARGIN, 0)}"}
        else:
            late = "side=black and category=blessed-loss"
            results, least = ["draw", "blessed-loss"], first(late)
            conditions = {"random": "side=black and quiet and not in_time",
                          "only move": "side=black and draw and only_move",
                          "late": least and f"{late} and counted<={least + MARGIN}"}
        for kind, condition in conditions.items():
            if not condition:
                continue
            drawn = answers([*query, condition, "--sample", str(each), "--seed", str(seed)], [])
            probed = answers([sakmak, "probe", "-", "--json", *places],
                             [ending["fen"] for ending in drawn])
            for answer in probed:
                fen = with_count(answer)
                if answer["category"] in results and fen not in fens:
                    fens.add(fen)
                    found.append({"variant": variant, "material": material, "kind": kind,
                                  "keep": keep, "fen": fen, "moves": answer["counted"]})
    return found


def with_count(answer):
    """The FEN of an answer of `sakmak probe`, with the count that starts there."""
    fields, count = answer["fen"].split(), answer["count"]
    if count is not None:
        fields[3:5] = str(count["limit_plies"]), str(count["plies"])
    return " ".join(fields)


def balanced_positions(variant, number, men, seed):
    """Positions of so many men in which both sides have about the same, nothing can be taken and
    no king is in check."""
    rng = random.Random(f"{seed} {variant}")
    found = []
    while len(found) < number:
        total = rng.choice(men)
        white = total // 2 + rng.randint(0, total % 2)
        armies = ["".join(rng.choices("RNSMP", k=size - 1)) for size in (white, total - white)]
        worth = [sum(WORTH[piece] for piece in army) for army in armies]
        if abs(worth[0] - worth[1]) > BALANCE:
            continue
        board = random_board(rng, "K" + armies[0] + "k" + armies[1].lower())
        fen = f"{board} {rng.choice('wb')} - - 0 1"
        if crosscheck.is_legal(NAMES[variant], fen) and is_quiet(variant, fen):
            found.append({"variant": variant, "men": total, "fen": fen})
    return found


def is_quiet(variant, fen):
    """Whether neither side is in check or can take anything."""
    name, (board, side, *rest) = NAMES[variant], fen.split()
    other = " ".join([board, "b" if side == "w" else "w", *rest])
    occupied = {f"{'abcdefgh'[file]}{rank + 1}" for file, rank in pieces_of(board)}
    for seen in (fen, other):
        if pyffish.gives_check(name, seen, []):
            return False
        moves = pyffish.legal_moves(name, seen, [])
        if not moves or any(move[2:4] in occupied for move in moves):
            return False
    return True
