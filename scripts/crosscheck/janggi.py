"""Compares the rules of Janggi in `tables/boards` with Fairy-Stockfish, through pyffish.

usage: janggi.py MOVES POSITIONS_CSV [--positions N] [--seed S]

MOVES is the example program of that name in tables/boards/examples. Random placements of 3 to 12 men, and
positions of random games, are given to pyffish and to MOVES; the legal moves, passes among them, must be
the same, and so must the draws by passing while the generals face. The perft numbers of the start are
compared to three plies. Every line of POSITIONS_CSV is replayed.
"""

import argparse
import collections
import csv
import multiprocessing
import os
import random
import subprocess
import sys

import pyffish
from fen import board_field
from perft import perft

VARIANTS = {"janggi": "janggitraditional", "janggi-casual": "janggicasual"}
START = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1"
PALACES = {"w": [(f, r) for f in range(3, 6) for r in range(3)],
           "b": [(f, r) for f in range(3, 6) for r in range(7, 10)]}
RANKS = {"w": range(3, 10), "b": range(0, 7)}


def random_placement(rng):
    """A random placement, near the palaces at times."""
    men = {}
    near = rng.random() < 0.5
    for letter in ["K", "k"] + rng.choices("RNBCAPrnbcap", k=rng.randint(1, 10)):
        side = "w" if letter.isupper() else "b"
        if letter in "KkAa":
            points = PALACES[side]
        else:
            ranks = RANKS[side] if letter in "Pp" else range(10)
            points = [(f, r) for f in range(9) for r in ranks if not near or (2 <= f <= 6)]
        free = [point for point in points if point not in men]
        if letter in "Kk" and rng.random() < 0.5:
            # On the middle file, so that generals face often.
            free = [point for point in free if point[0] == 4]
        if free:
            men[rng.choice(free)] = letter
    return f"{board_field(men, files=9, ranks=10)} {rng.choice('wb')} - - 0 1"


def waits_in_check(name, fen):
    """Whether the side that is not to move is in check."""
    board, side = fen.split()[:2]
    return pyffish.gives_check(name, f"{board} {'wb'[side == 'w']} - - 0 1", [])


def expected(variant, fen):
    """The line that MOVES should print."""
    name = VARIANTS[variant]
    if waits_in_check(name, fen):
        return "illegal"
    moves = []
    for move in pyffish.legal_moves(name, fen, []):
        passes = move[:len(move) // 2] == move[len(move) // 2:]
        ends = passes and pyffish.is_immediate_game_end(name, fen, [move])[0]
        moves.append(move + "=" * ends)
    return " ".join(sorted(moves))


def check(job):
    """Compares one share: (counts, differences)."""
    program, seed, positions = job
    rng = random.Random(seed)
    counts, inputs = collections.Counter(), []
    while len(inputs) < positions:
        variant = rng.choice(list(VARIANTS))
        if rng.random() < 0.8:
            inputs.append((variant, random_placement(rng)))
            continue
        fen = START
        for _ in range(rng.randint(1, 60)):
            moves = pyffish.legal_moves(VARIANTS[variant], fen, [])
            if not moves:
                break
            fen = pyffish.get_fen(VARIANTS[variant], fen, [rng.choice(moves)])
        # Bikjang is a state of the game in Fairy-Stockfish; a FEN sets it by the board.
        inputs.append((variant, fen))
    differences = []
    for (variant, fen), answer in zip(inputs, ask(program, inputs), strict=True):
        right = expected(variant, fen)
        counts[variant] += 1
        counts["illegal"] += right == "illegal"
        counts["mates"] += right == ""
        counts["draw offers"] += "=" in right
        counts["moves"] += len(right.split()) if right != "illegal" else 0
        if answer != right:
            differences.append(f"{variant}\t{fen}\n  pyffish: {right}\n  sakmak:  {answer}")
    return counts, differences


def ask(program, lines):
    """The answers of MOVES."""
    text = "".join(f"{variant}\t{fen}\n" for variant, fen in lines)
    return subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.splitlines()


def compare_perft(program, plies):
    """The lines of the start, with the moves of MOVES compared in every position."""
    for variant, name in VARIANTS.items():

        def check(moves):
            for fen, answer in zip(moves, ask(program, [(variant, fen) for fen in moves])):
                if sorted(moves[fen]) != [move.rstrip("=") for move in answer.split()]:
                    sys.exit(f"{variant}: other moves in {fen}")

        print(f"{variant}: lines of 1 to {plies} plies from the start: {list(perft(name, START, plies, check))}")


def replay(program, path):
    """Plays every line of the positions through: each ply is legal here, each final board the file's."""
    plies = 0
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for variant, name in VARIANTS.items():
            fen = row["fen"]
            for move in row["line"].split():
                moves = [known.rstrip("=") for known in ask(program, [(variant, fen)])[0].split()]
                if move not in moves:
                    sys.exit(f"{row['id']}: {move} is not legal in {fen} by {variant}")
                fen = pyffish.get_fen(name, fen, [move])
                plies += 1
            mates = ask(program, [(variant, fen)])[0] == ""
            if row["line"] and (mates != (row["line_ends_in_mate"] == "yes") or not fen.startswith(row["final"])):
                sys.exit(f"{row['id']}: ends otherwise: {fen}")
    print(f"{len(rows)} published positions, {plies} plies replayed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("moves")
    parser.add_argument("csv")
    parser.add_argument("--positions", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    shares = 16
    jobs = [(options.moves, f"{options.seed} {share}", -(-options.positions // shares)) for share in range(shares)]
    total = collections.Counter()
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for counts, differences in pool.imap_unordered(check, jobs):
            total.update(counts)
            if differences:
                sys.exit(f"{len(differences)} differences. The first:\n" + "\n".join(differences[:3]))
    version = ".".join(map(str, pyffish.version()))
    print(f"no difference from pyffish {version}: " + ", ".join(f"{n} {what}" for what, n in sorted(total.items())))
    compare_perft(options.moves, 3)
    replay(options.moves, options.csv)


if __name__ == "__main__":
    main()
