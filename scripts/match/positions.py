"""Where games begin: endings won in time, drawn from tables, and balanced positions of more men."""

import json
import random
import subprocess

import pyffish

from referee import NAMES, crosscheck

PAWN_RANKS = crosscheck.PAWN_RANKS

# Roughly what pieces are worth, in pawns.
WORTH = {"R": 5, "N": 3, "S": 2.5, "M": 1.6, "P": 1}
# Both sides of a balanced position have this much, one from the other at most.
BALANCE = 1
# The hardest endings of a material have at most this many moves less than the hardest one.
MARGIN = 2


def answers(command, lines):
    """The JSON lines that a program prints for lines of input."""
    run = subprocess.run(command, input="".join(f"{line}\n" for line in lines),
                         capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"{' '.join(command)}: {run.stderr.strip()}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def won_endings(sakmak, tables, variant, materials, each, seed):
    """Endings in which the side to move wins in time under a count that starts there: of each
    material `each` at random, and `each` of those that need most of the count."""
    places = ["--tables", tables, "--variant", variant, "--counting", variant]
    endings, fens = [], set()
    for material in materials:
        query = [sakmak, "query", material, *places, "--json"]
        hardest = answers([*query, "category=win", "--order", "counted", "--descending",
                           "--first", "1"], [])
        if not hardest:
            continue
        hard = f"category=win and counted>={hardest[0]['counted'] - MARGIN}"
        for kind, condition in [("random", "category=win"), ("hard", hard)]:
            drawn = answers([*query, condition, "--sample", str(each), "--seed", str(seed)], [])
            probed = answers([sakmak, "probe", "-", "--json", *places],
                             [ending["fen"] for ending in drawn])
            for answer in probed:
                fen = with_count(answer)
                if answer["category"] == "win" and fen not in fens:
                    fens.add(fen)
                    endings.append({"variant": variant, "material": material, "kind": kind,
                                    "fen": fen, "moves": answer["counted"]})
    return endings


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
        placed = {}
        for letter in "K" + armies[0] + "k" + armies[1].lower():
            side = "w" if letter.isupper() else "b"
            free = [(file, rank) for file in range(8) for rank in range(8)
                    if (file, rank) not in placed
                    and (letter not in "Pp" or rank in PAWN_RANKS[side])]
            placed[rng.choice(free)] = letter
        fen = f"{crosscheck.board_field(placed)} {rng.choice('wb')} - - 0 1"
        if crosscheck.is_legal(NAMES[variant], fen) and is_quiet(variant, fen):
            found.append({"variant": variant, "men": total, "fen": fen})
    return found


def is_quiet(variant, fen):
    """Whether neither side is in check or can take anything."""
    name, (board, side, *rest) = NAMES[variant], fen.split()
    other = " ".join([board, "b" if side == "w" else "w", *rest])
    for seen in (fen, other):
        occupied = squares(board)
        if pyffish.gives_check(name, seen, []):
            return False
        moves = pyffish.legal_moves(name, seen, [])
        if not moves or any(move[2:4] in occupied for move in moves):
            return False
    return True


def squares(board):
    """The names of the squares with pieces."""
    names = set()
    for rank, text in zip(range(8, 0, -1), board.split("/")):
        file = 0
        for letter in text:
            if letter.isdigit():
                file += int(letter)
            else:
                names.add(f"{'abcdefgh'[file]}{rank}")
                file += 1
    return names

