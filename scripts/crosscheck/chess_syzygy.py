"""Compares tables of chess with Syzygy's results.

usage: chess_syzygy.py PROGRAM TABLES SYZYGY POSITIONS MATERIAL...

PROGRAM is probe/examples/positions, TABLES a directory of Sakmak's tables, SYZYGY one of Syzygy's
files. Of each material about POSITIONS positions are compared, spread over the index; 0 compares
all: without pawns the five results under the fifty-move rule, with pawns the three without it.
Prints a line for each material and exits with 1 if a result differs.
"""

import multiprocessing
import subprocess
import sys

import chess
import chess.syzygy

RESULTS = ["loss", "blessed-loss", "draw", "cursed-win", "win"]


def compare(task):
    program, tables, syzygy, positions, material = task
    pawns, pieces = material.count("P"), len(material) - 3
    slots = (1806 if pawns else 462) * 48**pawns * 64 ** (pieces - pawns)
    step = max(1, slots * 2 // positions) if positions else 1
    compared = passing = 0
    differences = []
    with chess.syzygy.open_tablebase(syzygy) as files, subprocess.Popen(
        [program, tables, "fifty-moves", material, str(step)], stdout=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout:
            fen, result, plies, _ = line.rstrip("\n").split("\t")
            board = chess.Board(fen)
            wdl = files.probe_wdl(board)
            compared += 1
            passing += board.ep_square is not None
            if RESULTS[2 + (2 * ((wdl > 0) - (wdl < 0)) if pawns else wdl)] != result:
                differences.append(f"{fen}: {result} in {plies} plies, Syzygy has {wdl}")
    if process.returncode:
        differences.append(f"{material}: the program failed")
    return material, compared, passing, differences


def main():
    program, tables, syzygy, positions, *materials = sys.argv[1:]
    tasks = [(program, tables, syzygy, int(positions), material) for material in materials]
    total = failed = 0
    with multiprocessing.Pool() as pool:
        for material, compared, passing, differences in pool.imap_unordered(compare, tasks):
            total += compared
            failed += len(differences)
            print(
                f"{material}: {compared} positions, {passing} with a capture in passing,"
                f" {len(differences)} differences",
                flush=True,
            )
            for difference in differences[:5]:
                print(f"  {difference}")
    print(f"{total} positions, {failed} differences")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
